//! Tools that work on files of this machine: judged like the client's own.

use super::name::Name;
use super::{absolute, nature, read, write};
use crate::hook::OtherCall;
use crate::step::assess::Nature;
use crate::step::effect::{Effect, Target};
use crate::step::survey::Surveyor;

const PATHS: [&str; 20] = [
    "path",
    "paths",
    "file_path",
    "filePath",
    "filepath",
    "relative_path",
    "relativePath",
    "absolute_path",
    "notebook_path",
    "source",
    "source_path",
    "src",
    "destination",
    "destination_path",
    "dst",
    "old_path",
    "new_path",
    "directory",
    "folder",
    "uri",
];
const CONTENTS: [&str; 11] = [
    "content",
    "contents",
    "text",
    "data",
    "new_string",
    "new_str",
    "newText",
    "new_text",
    "new_source",
    "file_text",
    "body",
];
const REPLACED: [&str; 4] = ["old_string", "old_str", "oldText", "old_text"];
/// With one of these a path is somewhere else.
const ELSEWHERE: [&str; 13] = [
    "owner",
    "repo",
    "bucket",
    "project_id",
    "projectId",
    "host",
    "hostname",
    "drive_id",
    "container",
    "database",
    "workspace_id",
    "endpoint",
    "method",
];

/// What is done to a file by name of the tool.
enum Deed {
    Reads,
    Writes,
    Moves,
    Deletes,
}

/// Whether the call is about files here, and said what there is to say about it.
pub fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) -> bool {
    let paths: Vec<&str> = call.values(&PATHS).filter(|path| is_path(path)).collect();
    if paths.is_empty() || call.has(&ELSEWHERE) {
        return false;
    }
    let whole = name.is_about(&["directory", "dir", "folder", "tree"]) || call.says(&["recursive"]);
    let deed = deed(call, name);
    for path in paths {
        let target = Target::Path(absolute(path, surveyor.place));
        match deed {
            Deed::Reads => read::file(path, surveyor),
            Deed::Writes => one(path, call, surveyor),
            Deed::Moves => {
                nature(surveyor, Nature::Modification);
                surveyor.effect(Effect::Write { target, recursive: true });
            }
            Deed::Deletes => {
                nature(surveyor, Nature::Deletion);
                surveyor.effect(Effect::Delete { target, recursive: whole });
            }
        }
    }
    true
}

fn is_path(text: &str) -> bool {
    let elsewhere = text.contains("://") && !text.starts_with("file://");
    !text.is_empty() && text.len() < 1024 && !text.contains('\n') && !elsewhere
}

fn deed(call: &OtherCall, name: &Name) -> Deed {
    const WRITES: [&str; 18] = [
        "write",
        "create",
        "edit",
        "append",
        "update",
        "patch",
        "save",
        "put",
        "insert",
        "replace",
        "set",
        "overwrite",
        "modify",
        "touch",
        "mkdir",
        "apply",
        "copy",
        "store",
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
    write::survey(path, &text, Some(&before), surveyor);
}

#[cfg(test)]
mod tests {
    use super::super::secrets::made_up;
    use crate::step::sample::called;
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
