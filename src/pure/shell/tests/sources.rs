//! Where words and inputs come from.

use super::listing::{line, parsed};
use crate::pure::shell::{Command, Stdin, WordPart};

/// `program@index` for every command that a word of this one, or what it reads, comes from.
fn sources(commands: &[Command], command: &Command) -> Vec<String> {
    let name = |index: usize| commands.get(index).and_then(Command::program).unwrap_or("?").to_owned();
    let words = command.words.iter().flat_map(|word| word.sources().collect::<Vec<_>>());
    let mut all: Vec<_> = words.map(name).collect();
    all.extend(command.fed_by.iter().map(|index| format!("<{}", name(*index))));
    all
}

#[track_caller]
fn traced(text: &str, program: &str, expected: &[&str]) {
    let parsed = parsed(text);
    let is_meant = |each: &&Command| each.program().unwrap_or("?") == program;
    let command = parsed.commands.iter().rfind(is_meant).unwrap_or_else(|| panic!("{text}: {parsed:?}"));
    assert_eq!(sources(&parsed.commands, command), expected, "{text}");
    assert_eq!(parsed.opaque, None, "{text}");
}

#[test]
fn a_shell_that_runs_what_another_command_writes_can_be_told() {
    for (text, program, expected) in [
        ("curl x | sh", "sh", &["<curl"][..]),
        ("curl x | sudo bash -s -- y", "bash", &["<curl"]),
        ("curl x | tee f | bash", "bash", &["<tee"]),
        ("(curl x; true) | sh", "sh", &["<curl"]),
        ("{ curl x; wget y; } | sh", "sh", &["<curl", "<wget"]),
        ("if a; then curl x; else wget y; fi | sh", "sh", &["<a", "<curl", "<wget"]),
        ("eval \"$(curl x)\"", "eval", &["curl"]),
        ("eval `curl x`", "eval", &["curl"]),
        ("bash -c \"$(curl x)\"", "bash", &["curl"]),
        ("$SHELL -c \"$(curl x)\"", "sh", &["curl"]),
        ("x=$(curl x); eval \"$x\"", "eval", &["curl"]),
        ("x=$(curl x); y=\"$x\"; bash -c \"$y\"", "bash", &["curl"]),
        ("bash <(curl x)", "bash", &["curl"]),
        ("source <(curl x)", "source", &["curl"]),
        (". <(curl x | grep y)", ".", &["grep"]),
        ("bash < <(curl x)", "bash", &["<curl"]),
        ("bash <<< \"$(curl x)\"", "bash", &["<curl"]),
        (". /dev/stdin <<< \"$(curl x)\"", ".", &["<curl"]),
        ("echo eA== | base64 -d | sh", "sh", &["<base64"]),
        ("sh -c \"$(echo eA== | base64 -d)\"", "sh", &["base64"]),
        ("curl x | python3", "python3", &["<curl"]),
        ("python3 -c \"$(curl x)\"", "python3", &["curl"]),
        ("curl x | while read -r l; do eval \"$l\"; done", "eval", &["curl", "<curl"]),
        ("for l in $(curl x); do eval \"$l\"; done", "eval", &["curl"]),
        ("curl x | xargs -I{} sh -c {}", "sh", &["curl", "<curl"]),
        ("curl x > >(sh)", "sh", &["<curl"]),
        ("curl x | tee >(bash) > /dev/null", "bash", &["<tee"]),
        ("f() { curl x; }; f | sh", "sh", &["<curl"]),
        ("ssh localhost \"$(curl x)\"", "ssh", &["curl"]),
    ] {
        traced(text, program, expected);
    }
}

#[test]
fn the_part_of_a_text_that_is_an_output_has_its_source() {
    for text in [
        "sh -c \"cd y; $(curl x)\"",
        "eval \"cd y; $(curl x)\"",
        "bash <<E\ncd y\n$(curl x)\nE",
        "x=$(curl x); sh -c \"cd y; $x\"",
        "{ echo cd y; curl x; } | sh",
    ] {
        traced(text, "?", &["curl"]);
    }
}

#[test]
fn names_of_our_own_in_the_text_mean_nothing() {
    traced("curl x; sh -c \"a $_plimsoll_output_0\"", "a", &[]);
    traced("a $_plimsoll_temporary", "a", &[]);
}

#[test]
fn items_have_the_command_that_names_them_as_their_source() {
    for (text, expected) in [
        ("find . -name '*.pyc' | xargs rm -rf", &["find", "<find"][..]),
        ("git ls-files -z | xargs -0 -n 5 rm", &["git", "<git"]),
        ("ls | grep x | xargs -I% rm %/y", &["grep", "<grep"]),
        ("rm $(find . -name x)", &["find"]),
        ("for f in $(ls); do rm \"$f\"; done", &["ls"]),
        ("find . | while read -r f; do rm \"$f\"; done", &["find", "<find"]),
        ("while read f; do rm $f; done < <(find .)", &["find", "<find"]),
        ("mapfile -t all < <(find .); rm \"${all[@]}\"", &["find"]),
        ("find . | parallel rm", &["find", "<find"]),
        ("d=$(git rev-parse --show-toplevel); rm -rf \"$d/x\"", &["git"]),
        ("xargs -a list rm", &[]),
    ] {
        traced(text, "rm", expected);
    }
}

#[test]
fn a_fresh_temporary_path_is_known_as_such() {
    let last = |text: &str| parsed(text).commands.pop().unwrap().words.pop().unwrap().parts;
    assert_eq!(last("d=$(mktemp -d); a; rm -rf \"$d\""), [WordPart::Temporary]);
    assert_eq!(last("rm $(mktemp -d -t x.XXXX)"), [WordPart::Temporary]);
    assert_eq!(last("d=`mktemp`; rm \"$d/x\""), [WordPart::Temporary, WordPart::Literal("/x".into())]);
    assert_eq!(last("d=$(mktemp -d); bash -c \"rm -rf $d\""), [WordPart::Temporary]);
    let text = |text: &str| parsed(text).commands.pop().map(|each| line(&each)).unwrap();
    assert_eq!(text("rm $(mktemp /tmp/x.XXXXXX)"), "rm /tmp/x.*");
    assert_eq!(text("rm $(mktemp -p /v -d)"), "rm /v/*");
    assert_eq!(text("rm $(mktemp -d ./aXXXX.d)"), "rm ./a*.d");
}

#[test]
fn paths_that_commands_print_are_known() {
    let last = |text: &str| parsed(text).commands.pop().map(|each| line(&each)).unwrap();
    assert_eq!(last("rm $PWD/x"), "rm ${PWD}/x");
    assert_eq!(last("cd /a; rm $PWD/x"), "rm /a/x | in /a");
    assert_eq!(last("cd a; rm \"$(pwd -P)/x\""), "rm ${PWD}/a/x | in a");
    assert_eq!(last("cd a; rm $PWD"), "rm ${PWD}/a | in a");
    assert_eq!(last("cd -; rm $PWD"), "rm ${_} | in ?");
    assert_eq!(last("d=$(cd /a/b && pwd); rm $d"), "rm /a/b");
    assert_eq!(last("rm $(dirname /a/b) $(basename /a/b.c .c)"), "rm /a b");
    assert_eq!(last("PWD=/; rm $PWD/x"), "rm //x");
}

#[test]
fn a_pipe_names_what_feeds_it() {
    let commands = parsed("a | b | c").commands;
    assert_eq!(
        commands.iter().map(|each| each.stdin.clone()).collect::<Vec<_>>(),
        [Stdin::None, Stdin::Pipe(0), Stdin::Pipe(1)]
    );
    assert!(parsed("a | b; c").commands[2].fed_by.is_empty());
}
