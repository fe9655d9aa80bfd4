//! Commands that unpack an archive: the names in it say which files they write.

use super::super::{InnerText, Meaning, ShellCall};
use crate::pure::shell::{RedirectKind, Word, lists};
use crate::pure::step::effect::Target;

const ENDINGS: [&str; 7] = [".tar", ".zip", ".jar", ".whl", ".cpio", ".egg", ".war"];

pub(super) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    if !lists("tar bsdtar gtar unzip 7z 7za 7zz jar cpio pax busybox python python3 ditto", program)
        || !unpacks(program, call)
    {
        return;
    }
    let read = call.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
    let quoted = call.command.code.iter().flat_map(|code| code.text.split(['"', '\'']).skip(1).step_by(2));
    let attached = call.literals().filter_map(|text| text.strip_prefix("--file="));
    let words = call.arguments().iter().chain(read.map(|redirect| &redirect.target)).cloned();
    let words = words.chain(quoted.chain(attached).map(Word::plain));
    let is_archive =
        |word: &Word| word.literal().is_some_and(|text| ENDINGS.iter().any(|ending| text.ends_with(ending)));
    let into = super::by_itself::behind(call, &["-C", "--directory", "-d"]).map(|word| call.target(word));
    let into = match &into {
        Some(target) => target.path(),
        None => call.directory,
    };
    let Some(into) = into else { return };
    for word in words.filter(is_archive).take(4) {
        if let Target::Path(path) = call.target(&word) {
            meaning.runs.push(InnerText::Archive { path, into: into.to_owned() });
        }
    }
}

fn unpacks(program: &str, call: &ShellCall<'_>) -> bool {
    let has = |names: &str| call.literals().any(|text| lists(names, text));
    let first = call.literals().next().unwrap_or_default();
    match program {
        "tar" | "bsdtar" | "gtar" | "jar" => {
            let cluster = |text: &str| !text.starts_with("--") && text.contains('x');
            cluster(first)
                || has("--extract --get")
                || call.literals().any(|text| text.starts_with('-') && cluster(text))
        }
        "unzip" => !has("-l -t -p -v -Z"),
        "cpio" | "pax" => call.literals().any(|text| text.starts_with("-i") || text.starts_with("-r")),
        "busybox" => has("unzip tar cpio"),
        "python" | "python3" => match &call.command.code {
            Some(code) => code.text.contains("extract") || code.text.contains("unpack_archive"),
            None => has("tarfile zipfile") && has("-e --extract"),
        },
        _ => first.starts_with('x') || first.starts_with('e'),
    }
}
