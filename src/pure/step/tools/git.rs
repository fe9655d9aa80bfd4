//! Tools for git, judged as the equivalent command.

use super::name::Name;
use crate::pure::client::{Argument, OtherCall};
use crate::pure::step::survey::Surveyor;
use crate::pure::text::quoted;

/// Whether the call is for git; if so, it is fully surveyed.
pub(crate) fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) -> bool {
    let verb = match name.after("git") {
        Some(verb) => verb,
        None if call.server == "git" => name.whole(),
        None => return false,
    };
    if verb.is_empty() || call.arguments.iter().any(|argument| argument.name.ends_with("command")) {
        return false;
    }
    surveyor.add_command(&command(&verb, &call.arguments));
    true
}

fn command(verb: &str, arguments: &[Argument]) -> String {
    const DIRECTORIES: [&str; 6] =
        ["repo_path", "repository_path", "path", "cwd", "working_directory", "directory"];
    const DEEDS: [&str; 5] = ["action", "operation", "subcommand", "mode", "type"];
    const PLACES: [&str; 12] = [
        "remote", "branch", "branch_name", "target", "ref", "tag", "name", "commit", "revision", "files",
        "paths", "refspec",
    ];
    let is = |names: &[&str], argument: &Argument| names.contains(&argument.name.as_str());
    let (mut front, mut options, mut words) = (String::from("git"), String::new(), String::new());
    for argument in arguments {
        let value = quoted(&argument.value);
        match argument.value.as_str() {
            "true" => options += &format!(" --{}", dashed(&argument.name)),
            "false" => {}
            "hard" | "soft" | "mixed" | "keep" if is(&DEEDS, argument) => {
                options += &format!(" --{}", argument.value)
            }
            _ if is(&DIRECTORIES, argument) => front += &format!(" -C {value}"),
            _ if is(&DEEDS, argument) => options = format!(" {value}{options}"),
            _ if is(&PLACES, argument) => words += &format!(" {value}"),
            _ => {}
        }
    }
    format!("{front} {verb}{options}{words}")
}

/// `forceWithLease` and `force_with_lease` are `force-with-lease`.
fn dashed(name: &str) -> String {
    Name::new(name).whole()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_spelled_as_the_command_that_it_stands_for() {
        let given = |pairs: &[(&str, &str)]| -> Vec<Argument> {
            let argument =
                |(name, value): &(&str, &str)| Argument { name: (*name).into(), value: (*value).into() };
            pairs.iter().map(argument).collect()
        };
        for (verb, pairs, expected) in [
            ("status", vec![("repo_path", "/p")], "git -C '/p' status"),
            (
                "push",
                vec![("remote", "origin"), ("branch", "main"), ("force", "true")],
                "git push --force 'origin' 'main'",
            ),
            ("reset", vec![("mode", "hard"), ("target", "HEAD~1")], "git reset --hard 'HEAD~1'"),
            ("stash", vec![("action", "drop"), ("quiet", "false")], "git stash 'drop'"),
            (
                "push",
                vec![("forceWithLease", "true"), ("branch", "it's")],
                r"git push --force-with-lease 'it'\''s'",
            ),
            ("commit", vec![("message", "rm -rf /")], "git commit"),
        ] {
            assert_eq!(command(verb, &given(&pairs)), expected);
        }
    }

    #[test]
    fn git_behind_a_tool_is_held_to_the_same_rules() {
        use crate::pure::step::sample::called;
        use serde_json::json;
        let skipping = json!({"repo_path": "/home/user/project", "no_verify": true});
        assert_eq!(called("mcp__git__git_push", &skipping), ["gate_bypass"]);
        assert_eq!(called("mcp__git__push", &skipping), ["gate_bypass"]);
        for tool in ["mcp__git__git_status", "mcp__git__git_log", "mcp__git__git_add", "mcp__git__git_commit"]
        {
            assert_eq!(called(tool, &json!({"repo_path": "/home/user/project"})), [""; 0], "{tool}");
        }
    }
}
