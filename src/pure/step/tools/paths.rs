//! Tools that work on files of this machine, judged like the client's own.

use super::name::Name;
use super::{absolute, nature, read, write};
use crate::pure::client::{Argument, OtherCall};
use crate::pure::step::assessment::Nature;
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::place::Place;
use crate::pure::step::secret_file::{Secret, secret_in};
use crate::pure::step::survey::Surveyor;

const CONTENTS: [&str; 11] = [
    "content", "contents", "text", "data", "new_string", "new_str", "newText", "new_text", "new_source",
    "file_text", "body",
];
const REPLACED: [&str; 4] = ["old_string", "old_str", "oldText", "old_text"];
/// Arguments that say that a path is on another machine.
const ELSEWHERE: [&str; 13] = [
    "owner", "repo", "bucket", "project_id", "projectId", "host", "hostname", "drive_id", "container",
    "database", "workspace_id", "endpoint", "method",
];

/// The effect of the tool on a file, by its name.
enum Deed {
    Reads,
    Writes,
    Moves,
    Deletes,
}

/// Whether the call deletes files here and is fully surveyed.
pub(crate) fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) -> bool {
    let is_place = |argument: &&Argument| is_place(argument, surveyor.place);
    let paths: Vec<&str> =
        call.arguments.iter().filter(is_place).map(|argument| argument.value.as_str()).collect();
    if paths.is_empty() || call.has(&ELSEWHERE) {
        return false;
    }
    // What is no file by its name may be a folder.
    let whole = !name.is_about(&["file"]) || call.says(&["recursive"]);
    let (deed, here) = (deed(call, name), are_here(&paths, call, name));
    for path in &paths {
        let target = Target::Path(absolute(path, surveyor.place));
        match deed {
            Deed::Reads | Deed::Writes if sends(&target, name) => {
                let what = secret_in(&target).map_or("a secret", Secret::what).to_owned();
                surveyor.effect(Effect::Send { what, to: call.described(), secret: true });
            }
            Deed::Reads => read::file(path, surveyor),
            // A copy of a key is no longer guarded.
            Deed::Writes
                if name.has(&["copy", "zip", "archive", "compress", "tar"])
                    && secret_in(&target).is_some_and(Secret::is_closed) =>
            {
                surveyor.effect(Effect::Read { target });
            }
            Deed::Writes => one(path, call, surveyor),
            Deed::Moves => {
                nature(surveyor, Nature::Modification);
                // The overwritten path is unknown.
                surveyor.survey.rewrites = true;
                // Under another name a key is no longer guarded.
                if secret_in(&target).is_some_and(Secret::is_closed) {
                    surveyor.effect(Effect::Read { target: target.clone() });
                }
                surveyor.effect(Effect::Write { target, recursive: true });
            }
            Deed::Deletes => {
                nature(surveyor, Nature::Deletion);
                // The file may be on another machine; it counts only if it is a protected file.
                surveyor.effect(match here {
                    true => Effect::Delete { target, recursive: whole },
                    false => Effect::Write { target, recursive: whole },
                });
            }
        }
    }
    here && matches!(deed, Deed::Deletes)
}

/// Whether the call sends a secret file away.
fn sends(target: &Target, name: &Name) -> bool {
    name.has(&["upload", "send", "attach", "share", "post"]) && secret_in(target).is_some()
}

/// A relative path may be on another machine, unless the server works on local files.
fn are_here(paths: &[&str], call: &OtherCall, name: &Name) -> bool {
    const SERVERS: [&str; 7] = ["file", "fs", "desktop", "serena", "editor", "jetbrains", "shell"];
    let server = call.server.to_ascii_lowercase();
    let local = server.is_empty() || SERVERS.iter().any(|one| server.contains(one));
    let of_files = name.is_about(&["file", "directory", "folder", "dir", "path"]) || name.is_one_word();
    of_files
        && (local || paths.iter().all(|path| path.starts_with(['/', '~']) || path.starts_with("file://")))
}

/// Whether an argument is a path: by its name, or by its value if that is a protected file.
fn is_place(argument: &Argument, place: &Place) -> bool {
    let (name, value) = (argument.name.to_ascii_lowercase(), argument.value.as_str());
    let elsewhere = value.contains("://") && !value.starts_with("file://");
    if value.is_empty() || value.len() > 1024 || value.contains('\n') || elsewhere {
        return false;
    }
    let words = Name::new(&argument.name);
    let called = words.is_about(&[
        "path", "filepath", "file", "filename", "directory", "dir", "folder", "source", "src", "destination",
        "dest", "dst", "uri", "attachment", "upload",
    ]);
    let is_none = name.ends_with("id") || name.contains("text") || name.contains("content");
    let ours =
        || !value.contains(' ') && place.protected.touched_by_write(&absolute(value, place), false).is_some();
    (called && !is_none) || ours()
}

fn deed(call: &OtherCall, name: &Name) -> Deed {
    const WRITES: [&str; 18] = [
        "write", "create", "edit", "append", "update", "patch", "save", "put", "insert", "replace", "set",
        "overwrite", "modify", "touch", "mkdir", "apply", "copy", "store",
    ];
    // Parts of a file are edited, not deleted.
    let part = name.is_about(&["line", "text", "symbol", "cell", "block", "section", "key"]);
    if name.has(&["delete", "remove", "unlink", "rm", "erase", "trash"]) && !part {
        Deed::Deletes
    } else if name.has(&["move", "rename", "mv"]) {
        Deed::Moves
    } else if name.has(&WRITES) || part || call.has(&CONTENTS) {
        Deed::Writes
    } else {
        Deed::Reads
    }
}

fn one(path: &str, call: &OtherCall, surveyor: &mut Surveyor<'_>) {
    let joined = |names: &[&str]| call.values(names).collect::<Vec<_>>().join("\n");
    let (text, before) = (joined(&CONTENTS), joined(&REPLACED));
    write::survey(path, &text, call.has(&REPLACED).then_some(before.as_str()), surveyor);
}

#[cfg(test)]
mod tests {
    use super::super::secrets::made_up;
    use crate::pure::step::sample::called;
    use serde_json::json;

    #[test]
    fn files_are_guarded_whoever_writes_them() {
        for (tool, input) in [
            ("mcp__filesystem__write_file", json!({"path": ".claude/settings.json", "content": "{}"})),
            (
                "mcp__filesystem__edit_file",
                json!({"path": "/home/user/project/.claude/settings.json", "edits": [{"oldText": "a", "newText": "b"}]}),
            ),
            (
                "mcp__filesystem__move_file",
                json!({"source": "/tmp/x", "destination": ".claude/settings.json"}),
            ),
            ("mcp__filesystem__move_file", json!({"source": ".claude", "destination": "/tmp/x"})),
            ("mcp__filesystem__delete_file", json!({"path": "~/project/.claude/settings.json"})),
            ("mcp__x__delete_directory", json!({"path": "/home/user/project/.claude"})),
            ("mcp__x__put_it", json!({"where": ".claude/settings.json", "data": "{}"})),
            ("BrandNew", json!({"target_file": ".claude/settings.json", "content": "{}"})),
            ("mcp__serena__delete_lines", json!({"relative_path": ".claude/settings.json"})),
            ("mcp__x__put", json!({"uri": "file:///home/user/project/.claude/settings.json", "data": "{}"})),
        ] {
            assert_eq!(called(tool, &input), ["own_files"], "{tool} {input}");
        }
        let home = json!({"path": "/home/user"});
        assert_eq!(called("mcp__filesystem__delete_directory", &home), ["system_or_home"]);
        let work = json!({"path": "src", "recursive": true});
        assert_eq!(called("mcp__filesystem__remove", &work), ["prevent_recursive_deletion"]);
        let secret = json!({"path": "a.py", "content": made_up("ghp_")});
        assert_eq!(called("mcp__filesystem__write_file", &secret), ["secret_in_content"]);
        let script = json!({"path": "a.sh", "content": "rm -rf ~"});
        assert_eq!(called("mcp__filesystem__write_file", &script), ["harmful_script"]);
        for (tool, input) in [
            ("mcp__vault__delete_file", json!({"filepath": "notes/a.md"})),
            ("mcp__aws__delete_instance", json!({"profile": "prod"})),
            ("mcp__hosting__delete_site", json!({"path": "/home/user/project/clean"})),
        ] {
            assert_eq!(called(tool, &input), ["destroy_data"], "{tool} {input}");
        }
        assert_eq!(called("mcp__hosting__deploy_site", &json!({"path": "dist"})), ["publish"]);
    }

    #[test]
    fn a_file_that_holds_secrets_is_not_sent_away() {
        for path in [".env", "~/.ssh/id_rsa"] {
            assert_eq!(called("mcp__drive__upload", &json!({"file_path": path})), ["send_secret"], "{path}");
        }
        assert_eq!(called("mcp__drive__upload", &json!({"file_path": "report.pdf"})), [""; 0]);
        assert_eq!(called("mcp__filesystem__read_file", &json!({"path": "~/.ssh/id_rsa"})), ["read_secret"]);
    }

    #[test]
    fn everyday_files_are_left_alone() {
        for (tool, input) in [
            ("mcp__filesystem__write_file", json!({"path": "src/a.rs", "content": "x"})),
            ("mcp__filesystem__read_file", json!({"path": ".claude/settings.json"})),
            ("mcp__filesystem__read_multiple_files", json!({"paths": ["a", ".claude/settings.json"]})),
            ("mcp__filesystem__list_directory", json!({"path": "/"})),
            ("mcp__filesystem__move_file", json!({"source": "a.rs", "destination": "b.rs"})),
            ("mcp__filesystem__delete_file", json!({"path": "clean/a.rs"})),
            ("mcp__serena__find_symbol", json!({"relative_path": "src/a.rs", "name_path": "delete"})),
        ] {
            assert_eq!(called(tool, &input), [""; 0], "{tool} {input}");
        }
    }
}
