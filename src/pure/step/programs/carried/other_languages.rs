//! Programs in languages that are not read in full: what their functions hand to a shell or delete, by name and quoted text.

use super::super::clients::values;
use super::super::{Meaning, ShellCall};
use super::{given, run};
use crate::pure::text;

/// The programs that are asked about here.
pub(super) const PROGRAMS: &str = "Rscript R julia elixir iex groovy guile sbcl clisp ecl racket csi gosh scala amm \
    swift ghc runghc ocaml utop erl octave octave-cli jshell jrunscript jjs crystal raku rakudo kotlin clojure clj \
    bb gst pike slsh gimp rpm facter puppet nim fennel janet maxima gp irb pry tclsh wish";

/// Functions that start what they are given.
const STARTS: [&str; 26] = [
    "system",
    "shell",
    "exec",
    "execute",
    "run",
    "spawn",
    "popen",
    "cmd",
    "callcommand",
    "callprocess",
    "command",
    "process",
    "run-program",
    "run-shell-command",
    "shell-command",
    "shell-command-to-string",
    "async-shell-command",
    "call-process",
    "start-process",
    "open-pipe",
    "open-pipe*",
    "system*",
    "execcmd",
    "shell_exec",
    "proc",
    "qx",
];
/// How functions that delete begin.
const DELETES: [&str; 6] = ["delete", "remove", "unlink", "rm", "rmtree", "uninstall-directory"];
/// Words that make such a function delete whole folders.
const TREES: [&str; 12] = [
    "recursive", "_rf", "rmtree", "tree", "directory", "dir", "removeitem", "removeall", "remove_all",
    "\"rf\"", " t)", "recursively",
];

/// Expressions for the home directory.
const HOMES: [&str; 22] = [
    "homedir()",
    "System.user_home!()",
    "System.user_home()",
    "(getenv \"HOME\")",
    "Sys.getenv(\"HOME\")",
    "Sys.getenv('HOME')",
    "Sys.getenv \"HOME\"",
    "os:getenv(\"HOME\")",
    "ENV[\"HOME\"]",
    "ENV['HOME']",
    "System.getenv(\"HOME\")",
    "System.getProperty(\"user.home\")",
    "NSHomeDirectory()",
    "FileManager.default.homeDirectoryForCurrentUser.path",
    "FileManager.default.homeDirectoryForCurrentUser",
    "(user-homedir-pathname)",
    "(find-system-path 'home-dir)",
    "os.Getenv(\"HOME\")",
    "getenv(\"HOME\")",
    "env::var(\"HOME\").unwrap()",
    "Dir.home",
    "$*HOME",
];

pub(super) fn survey(call: &ShellCall<'_>, meaning: &mut Meaning) {
    const TEXTS: &str = "-e --eval -eval -E -c --expr -x --execute -b -g --command -r";
    let texts = values(call.arguments(), TEXTS).into_iter().chain(given(call));
    texts.for_each(|text| program_text(&text, meaning));
}

/// The programs and deletions in a text of any of these languages.
pub(super) fn program_text(text: &str, meaning: &mut Meaning) {
    let text = HOMES.iter().fold(text.to_owned(), |text, home| text.replace(home, "\"~\""));
    for statement in text.lines() {
        let quoted = quoted_texts(statement);
        let lower = statement.to_ascii_lowercase();
        let mut names = lower.split(|sign: char| !sign.is_ascii_alphanumeric() && !"_-*".contains(sign));
        if statement.contains(".!") || names.clone().any(|name| STARTS.contains(&name)) {
            run(meaning, started(&quoted));
        }
        if names.any(|name| DELETES.iter().any(|front| name.starts_with(front))) {
            let recursive = TREES.iter().any(|word| lower.contains(word));
            let paths = quoted.iter().filter(|path| !path.is_empty() && !path.contains(' '));
            run(meaning, paths.map(|path| removal(path, recursive)));
        }
    }
}

/// Texts of their own where one has blanks, the words of one command otherwise.
pub(super) fn started(quoted: &[&str]) -> Vec<String> {
    match quoted.iter().any(|text| text.trim().contains(' ')) {
        true => quoted.iter().map(|text| (*text).to_owned()).collect(),
        false => vec![quoted.join(" ")],
    }
}

/// The deletion of a path; a tilde in front is the home directory.
pub(super) fn removal(path: &str, recursive: bool) -> String {
    let option = if recursive { "-rf" } else { "-f" };
    match path.strip_prefix('~') {
        Some("") => format!("rm {option} ~"),
        Some(rest) => format!("rm {option} ~{}", text::quoted(rest)),
        None => format!("rm {option} {}", text::quoted(path)),
    }
}

/// The texts between quotes, front to back.
pub(super) fn quoted_texts(statement: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = statement;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let quote = rest.get(at..).and_then(|text| text.chars().next()).unwrap_or('"');
        let after = rest.get(at + 1..).unwrap_or_default();
        let Some((inside, left)) = after.split_once(quote) else { break };
        found.push(inside);
        rest = left;
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn deletions_and_commands_are_found_in_languages_that_are_not_read() {
        for command in [
            "julia -e 'rm(homedir(), recursive=true, force=true)'",
            "Rscript -e 'unlink(\"~\", recursive = TRUE)'",
            "guile -c '(system \"rm -rf ~\")'",
            "ocaml -e 'ignore (Sys.command \"rm -rf ~\")'",
            "scala -e 'import sys.process._; \"rm -rf /home\".!'",
            "swift -e 'import Foundation; try FileManager.default.removeItem(atPath: \"/home\")'",
            "racket -e '(delete-directory/files (find-system-path (quote home-dir))) (system \"rm -rf ~\")'",
            "elixir -e 'File.rm_rf!(System.user_home!())'",
            "emacs --batch --eval '(delete-directory \"~\" t)'",
            "vim -es -c 'call delete(expand(\"~\"), \"rf\")' -c q",
            "octave --eval 'system(\"rm -rf ~\")'",
            "raku -e 'run \"rm\", \"-rf\", \"/home\"'",
        ] {
            assert!(shell(command).decision >= Decision::Ask, "{command}");
        }
        for command in [
            "julia -e 'rm(\"/tmp/build\", recursive=true)'",
            "Rscript -e 'install.packages(\"x\"); system(\"make test\")'",
            "elixir -e 'IO.puts(\"rm -rf ~\")'",
            "emacs --batch --eval '(message \"rm -rf ~\")'",
            "guile -c '(display \"rm -rf ~\")'",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }
}
