//! The functions of each language that delete, write and read files.

use crate::pure::shell::{Called, Language, ScannedValue};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Delete {
        recursive: bool,
    },
    Write,
    /// It is elsewhere afterwards.
    Move,
    Read,
}

const FILE: Deed = Deed::Delete { recursive: false };
const TREE: Deed = Deed::Delete { recursive: true };

/// The effects of a call, and their literal paths.
pub(crate) fn deed<'a>(language: Language, called: &'a Called) -> Vec<(Deed, &'a str)> {
    let found = match language {
        Language::Python => python(called),
        Language::JavaScript => javascript(called),
        Language::Ruby => ruby(called),
        Language::Perl => perl(called),
        Language::Php => php(called),
        Language::Lua => lua(called),
        Language::Awk => (called.name == ">").then_some((Deed::Write, Which::Argument(0))),
    };
    let Some((deed, which)) = found else { return Vec::new() };
    let moved = moves(language, called).then(|| argument(called, 0)).filter(|path| !path.is_empty());
    // `open(F, ">>/etc/hosts")` has its mode in front of the path.
    let bare = |path: &'a str| match language {
        Language::Perl => path.trim_start_matches(['>', '<', '+', ' ']),
        _ => path,
    };
    let value = match which {
        Which::Argument(index) => called.arguments.get(index),
        Which::Receiver => Some(&called.receiver),
        Which::All => {
            return called.arguments.iter().flat_map(texts).map(|path| (deed, bare(path))).collect();
        }
    };
    let named = value.map(texts).unwrap_or_default().into_iter().map(|path| (deed, bare(path)));
    named.chain(moved.map(|path| (Deed::Move, path))).collect()
}

/// Whether the first argument of a call is what it moves away.
fn moves(language: Language, called: &Called) -> bool {
    match language {
        Language::Python => matches!(called.name.as_str(), "shutil.move" | "os.rename" | "os.replace"),
        Language::JavaScript => matches!(called.last_name(), "renameSync" | "rename"),
        Language::Ruby => matches!(called.name.as_str(), "FileUtils.mv" | "File.rename"),
        Language::Perl | Language::Php => called.name == "rename",
        Language::Lua => called.name == "os.rename",
        Language::Awk => false,
    }
}

/// The pattern of the files that a call lists.
pub(crate) fn listed(language: Language, called: &Called) -> Option<String> {
    let first = argument(called, 0);
    let on = called.receiver.text.as_deref().unwrap_or_default().trim_start_matches("${_}");
    let everything =
        |folder: &str| format!("{}/*", if folder.is_empty() { "." } else { folder.trim_end_matches('/') });
    match (language, called.last_name()) {
        (Language::Python, "listdir" | "scandir" | "walk") => Some(everything(first)),
        (Language::Python, "glob" | "iglob" | "rglob") if !on.is_empty() => Some(format!("{on}/{first}")),
        (Language::Python, "glob" | "iglob") | (Language::Perl | Language::Php | Language::Ruby, "glob") => {
            (!first.is_empty()).then(|| first.to_owned())
        }
        (Language::Python, "iterdir") if !on.is_empty() => Some(everything(on)),
        (Language::JavaScript, "readdirSync" | "readdir") if !first.is_empty() => Some(everything(first)),
        _ => None,
    }
}

/// Whether a call deletes a file without a literal path.
pub(crate) fn deletes_unnamed(language: Language, called: &Called) -> bool {
    let deletes = match language {
        Language::Python => matches!(called.last_name(), "unlink" | "rmtree") || called.name == "os.remove",
        Language::JavaScript => matches!(called.last_name(), "rmSync" | "unlinkSync" | "rmdirSync"),
        Language::Ruby => {
            matches!(called.last_name(), "unlink" | "delete" | "rm" | "rm_f" | "rm_rf" | "rm_r")
        }
        Language::Perl | Language::Php => matches!(called.last_name(), "unlink" | "rmtree" | "array_map"),
        Language::Lua | Language::Awk => false,
    };
    deletes && deed(language, called).iter().all(|(_, path)| path.contains("${_}"))
}

/// The position of the path.
enum Which {
    Argument(usize),
    Receiver,
    All,
}

fn texts(value: &ScannedValue) -> Vec<&str> {
    let one = value.text.iter().map(String::as_str);
    one.chain(value.list.iter().filter_map(|each| each.text.as_deref()))
        .filter(|text| !text.is_empty())
        .collect()
}

fn argument(called: &Called, index: usize) -> &str {
    called.arguments.get(index).and_then(|value| value.text.as_deref()).unwrap_or_default()
}

fn option<'a>(called: &'a Called, name: &str) -> Option<&'a ScannedValue> {
    called.options.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// Reading or writing, by the mode of a function that opens files.
fn opened(mode: &str) -> Deed {
    if mode.contains(['w', 'a', 'x', '+', '>']) { Deed::Write } else { Deed::Read }
}

fn python(called: &Called) -> Option<(Deed, Which)> {
    let on_path = called.receiver.text.is_some();
    Some(match (called.name.as_str(), called.last_name()) {
        ("os.remove" | "os.unlink" | "os.rmdir" | "os.removedirs", _) => (FILE, Which::Argument(0)),
        (_, "rmtree") => (TREE, Which::Argument(0)),
        (_, "unlink" | "rmdir") if on_path => (FILE, Which::Receiver),
        ("unlink", _) => (FILE, Which::Argument(0)),
        ("open" | "io.open" | "codecs.open", _) => {
            let mode = option(called, "mode").and_then(|value| value.text.as_deref());
            (opened(mode.unwrap_or(argument(called, 1))), Which::Argument(0))
        }
        (_, "open") if on_path => (opened(argument(called, 0)), Which::Receiver),
        (_, "write_text" | "write_bytes" | "touch") if on_path => (Deed::Write, Which::Receiver),
        (_, "read_text" | "read_bytes") if on_path => (Deed::Read, Which::Receiver),
        ("os.rename" | "os.replace" | "os.symlink" | "os.link", _) => (Deed::Write, Which::Argument(1)),
        ("os.chmod" | "os.chown" | "os.truncate" | "os.mkdir" | "os.makedirs", _) => {
            (Deed::Write, Which::Argument(0))
        }
        (name, "copy" | "copy2" | "copyfile" | "move" | "copytree") if name.starts_with("shutil.") => {
            (Deed::Write, Which::Argument(1))
        }
        _ => return None,
    })
}

fn javascript(called: &Called) -> Option<(Deed, Which)> {
    let recursive = option(called, "recursive").is_some();
    let of_files = called.name.contains('.');
    Some(match called.last_name() {
        "rmSync" | "rmdirSync" => (Deed::Delete { recursive }, Which::Argument(0)),
        "rm" | "rmdir" if of_files => (Deed::Delete { recursive }, Which::Argument(0)),
        "remove" if called.name.starts_with("Deno.") => (Deed::Delete { recursive }, Which::Argument(0)),
        "unlinkSync" => (FILE, Which::Argument(0)),
        "unlink" if of_files => (FILE, Which::Argument(0)),
        "rimraf" | "rimrafSync" | "removeSync" | "emptyDirSync" => (TREE, Which::Argument(0)),
        "sync" if called.name.starts_with("rimraf") => (TREE, Which::Argument(0)),
        "writeFileSync" | "writeFile" | "appendFileSync" | "appendFile" | "createWriteStream"
        | "chmodSync" | "writeTextFile" | "writeTextFileSync" | "outputFileSync" | "truncateSync" => {
            (Deed::Write, Which::Argument(0))
        }
        "write" if called.name.starts_with("Bun.") => (Deed::Write, Which::Argument(0)),
        "copyFileSync" | "copyFile" | "renameSync" | "symlinkSync" => (Deed::Write, Which::Argument(1)),
        "readFileSync" | "readFile" | "createReadStream" | "readTextFile" | "readTextFileSync" => {
            (Deed::Read, Which::Argument(0))
        }
        _ => return None,
    })
}

fn ruby(called: &Called) -> Option<(Deed, Which)> {
    let (base, last) = called.name.rsplit_once('.').unwrap_or(("", &called.name));
    Some(match (base, last) {
        (_, "rm_rf" | "rm_r" | "remove_dir" | "remove_entry" | "remove_entry_secure" | "rmtree") => {
            (TREE, Which::Argument(0))
        }
        ("FileUtils", "rm" | "rm_f" | "remove") => (FILE, Which::Argument(0)),
        ("File", "delete" | "unlink") => (FILE, Which::All),
        ("Dir", "rmdir" | "delete" | "unlink") => (FILE, Which::Argument(0)),
        ("File" | "IO", "write" | "binwrite") => (Deed::Write, Which::Argument(0)),
        ("File" | "IO", "read" | "binread" | "readlines" | "foreach") => (Deed::Read, Which::Argument(0)),
        ("File", "open" | "new") => (opened(argument(called, 1)), Which::Argument(0)),
        ("FileUtils", "cp" | "mv" | "cp_r" | "ln_s") => (Deed::Write, Which::Argument(1)),
        _ => return None,
    })
}

fn perl(called: &Called) -> Option<(Deed, Which)> {
    Some(match called.last_name() {
        "rmtree" | "remove_tree" => (TREE, Which::All),
        "unlink" | "rmdir" => (FILE, Which::All),
        "open" if called.arguments.len() == 2 => (opened(argument(called, 1)), Which::Argument(1)),
        "open" if called.arguments.len() > 2 => (opened(argument(called, 1)), Which::Argument(2)),
        _ => return None,
    })
}

fn php(called: &Called) -> Option<(Deed, Which)> {
    Some(match called.name.as_str() {
        "unlink" | "rmdir" => (FILE, Which::Argument(0)),
        "file_put_contents" | "chmod" | "touch" => (Deed::Write, Which::Argument(0)),
        "fopen" => (opened(argument(called, 1)), Which::Argument(0)),
        "file_get_contents" | "readfile" | "file" => (Deed::Read, Which::Argument(0)),
        "rename" | "copy" => (Deed::Write, Which::Argument(1)),
        _ => return None,
    })
}

fn lua(called: &Called) -> Option<(Deed, Which)> {
    Some(match called.name.as_str() {
        "os.remove" => (FILE, Which::Argument(0)),
        "io.open" => (opened(argument(called, 1)), Which::Argument(0)),
        "os.rename" => (Deed::Write, Which::Argument(1)),
        _ => return None,
    })
}
