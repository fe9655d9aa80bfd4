//! The shell's own grammar: structure, words, constants, directories.

use super::listing::{line, parsed, table};
use crate::pure::shell::{RedirectKind, Stdin, WordPart};

#[test]
fn lists_pipes_groups_and_branches_are_followed() {
    table(&[
        ("git status", &["git status"]),
        ("a; b && c || d", &["a", "b", "c", "d"]),
        ("a | b |& c", &["a", "b", "c"]),
        ("(a; b) && { c; }", &["a", "b", "c"]),
        ("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", &["a", "b", "c", "d"]),
        ("case x in a) b;; *) c;; esac", &["b", "c"]),
        ("for ((i=0; i<3; i++)); do a; done", &["a"]),
        ("! time -p a", &["a"]),
        ("coproc a; coproc X { b; }", &["a", "b"]),
        ("[[ -f x && $(a) == y ]] && b", &["a | [Substitution]", "b"]),
        ("a # b", &["a"]),
        ("exit 1", &["exit 1"]),
        ("", &[]),
        ("# nothing", &[]),
    ]);
}

#[test]
fn substitutions_are_listed_wherever_they_hide() {
    table(&[
        ("a \"$(b)\"", &["b | [Substitution]", "a ${_}"]),
        ("a `b \\`c\\``", &["c | [Substitution, Substitution]", "b ${_} | [Substitution]", "a ${_}"]),
        ("a <(b) >(c)", &["b | [Substitution]", "c | [Substitution]", "a ${_} ${_}"]),
        ("X=$(a)", &["a | [Substitution]", ""]),
        ("cat <<E\n$(a)\nE", &["a | [Substitution]", "cat"]),
        ("cat <<A <<B\n1\nA\n$(a)\nB\n", &["a | [Substitution]", "cat"]),
        ("a $((1 + $(b)))", &["b | [Substitution]", "a ${_}"]),
        ("a ${x:-$(b)}", &["b | [Substitution]", "a ${_}"]),
        ("a ${x#$(b)} ${y[$(c)]}", &["b | [Substitution]", "c | [Substitution]", "a ${_} ${y}"]),
        ("a > $(b)", &["b | [Substitution]", "a"]),
        ("(( $(a) > 1 ))", &["a | [Substitution]"]),
        ("case $(a) in x) ;; esac", &["a | [Substitution]"]),
        ("case x in $(a)|y) b;; `c`) ;; esac", &["a | [Substitution]", "c | [Substitution]", "b"]),
        ("x[$(a)]=1", &["a | [Substitution]", ""]),
        ("x=([$(a)]=1)", &["a | [Substitution]", ""]),
        ("export X=$(a)", &["a | [Substitution]", "export X=${_}"]),
    ]);
}

#[test]
fn constants_are_followed() {
    table(&[
        ("X=git; $X push", &["", "git push"]),
        ("A=rm; B=-rf; $A $B /", &["", "", "rm -rf /"]),
        ("X='push --force'; git $X; git \"$X\"", &["", "git push --force", "git push --force"]),
        ("export X=a; \"${X}\"", &["export X=a", "a"]),
        ("${X:-git} push", &["git push"]),
        ("rm ${HOME:-x}", &["rm ${HOME}"]),
        ("a=(-rf /); rm \"${a[@]}\" ${a[0]}", &["", "rm -rf / -rf"]),
        ("a=(x $y z); rm ${a[0]} ${a[2]}", &["", "rm x ${_}"]),
        ("X=gitx; ${X%x} ${X:0:3} ${X/x/y}", &["", "git git gity"]),
        ("X=a; Y=X; ${!Y}", &["", "", "a"]),
        ("X=a; X+=b; $X", &["", "", "ab"]),
        ("for x in a b; do rm $x; done", &["rm a", "rm b"]),
        ("for x in a b; do ls; done", &["ls"]),
        ("for x in *.o; do rm $x; done", &["rm *.o"]),
        ("set -- a b; rm \"$@\"; shift; rm $1", &["set -- a b", "rm a b", "shift", "rm b"]),
        ("$(echo git) push", &["echo git | [Substitution]", "git push"]),
        ("ls $(pwd)/x", &["pwd | [Substitution]", "ls ${PWD}/x"]),
    ]);
}

#[test]
fn what_may_have_changed_is_unknown() {
    table(&[
        ("X=a; read X; rm $X", &["", "read X", "rm ${X}"]),
        ("X=a; if b; then X=/; fi; rm $X", &["", "b", "", "rm ${X}"]),
        ("X=a; while b; do rm $X; X=/; done", &["", "b", "rm ${X}", ""]),
        ("(X=a); rm $X", &["", "rm ${X}"]),
        ("X=a | b; rm $X", &["", "b", "rm ${X}"]),
        ("X=a rm $X", &["rm ${X}"]),
        ("unset HOME; rm $HOME", &["unset HOME", "rm ${HOME}"]),
        ("if a; then X=/; fi; rm ${X:-b}", &["a", "", "rm ${X}"]),
        ("X=/; false && X=a; rm $X", &["", "false", "", "rm ${X}"]),
        ("for X in /; do a; done; rm ${X:-b}", &["a", "rm ${X}"]),
        ("false && HOME=a; rm $HOME", &["false", "", "rm ${HOME}"]),
        ("a && X=b && rm $X; rm $X", &["a", "", "rm b", "rm b"]),
    ]);
}

#[test]
fn positional_parameters_are_followed() {
    table(&[
        ("set rm -rf a; \"$@\"", &["set rm -rf a", "rm -rf a"]),
        ("set -eu -o pipefail rm a; $1 $2", &["set -eu -o pipefail rm a", "rm a"]),
        ("set -- rm a b; $1 ${@:2}", &["set -- rm a b", "rm a b"]),
        ("set -- x; sh -s -- a <<< 'rm $1'; $1", &["set -- x", "rm a | [ShellStdin]", "x"]),
        (
            "f() { local X=a; rm $X; }; X=/; f; rm $X",
            &["", "local X=a | [Function]", "rm a | [Function]", "rm /"],
        ),
    ]);
}

#[test]
fn xargs_starts_a_command_for_each_portion() {
    table(&[
        ("echo a b c | xargs -n2 rm", &["echo a b c", "rm a b | [Xargs]", "rm c | [Xargs]"]),
        ("echo a b | xargs -n2 rm", &["echo a b", "rm a b | [Xargs]"]),
    ]);
}

#[test]
fn quotes_escapes_braces_and_patterns_are_resolved() {
    table(&[
        ("g\"i\"t 'pu'sh", &["git push"]),
        ("r\\m -rf a\\ b", &["rm -rf a b"]),
        ("$'\\x72m' x", &["rm x"]),
        ("echo \"a\\\"b\\$c\\d\"", &["echo a\"b$c\\d"]),
        ("rm /{bin,etc}", &["rm /bin /etc"]),
        ("rm {1..3}", &["rm 1 2 3"]),
        ("rm x\\\ny", &["rm xy"]),
    ]);
    let words = parsed("rm ~/a ~bob/b *.o '*.o' \"$A\" \\~").commands.remove(0).words;
    assert_eq!(words[1].parts[0], WordPart::Tilde(String::new()));
    assert_eq!(words[2].parts[0], WordPart::Tilde("bob".into()));
    assert!(words[3].is_glob() && !words[4].is_glob());
    assert_eq!(words[5].parts, [WordPart::Variable("A".into())]);
    assert_eq!(words[6].literal(), Some("~"));
}

#[test]
fn the_directory_follows_cd() {
    table(&[
        ("cd a && cd b; c", &["cd a", "cd b | in a", "c | in a/b"]),
        ("(cd a; b); c", &["cd a", "b | in a", "c"]),
        ("cd a | b; c", &["cd a", "b", "c"]),
        ("cd /x; cd; a", &["cd /x", "cd | in /x", "a | in ~"]),
        ("cd -; a", &["cd -", "a | in ?"]),
        ("cd $(x); a", &["x | [Substitution]", "cd ${_}", "a | in ?"]),
        ("pushd a; b; popd; c", &["pushd a", "b | in a", "popd | in a", "c | in ?"]),
        ("if a; then cd b; fi; c", &["a", "cd b", "c | in ?"]),
        ("cd a || exit 1; b", &["cd a", "exit 1 | in a", "b | in a"]),
        ("env -C a b", &["b | [Env] | in a"]),
        ("bash -c 'cd a; b'; c", &["cd a | [ShellC]", "b | [ShellC] | in a", "c"]),
        ("eval 'cd a'; b", &["cd a | [Eval]", "b | in a"]),
    ]);
}

#[test]
fn mentions_are_data() {
    for text in [
        "echo 'git push'",
        "git commit -m 'rm -rf / && git push'",
        "grep -rn 'git push' .",
        "cat > f <<'E'\ngit push\nE",
        "cat <<E > f\ngit push\nE",
        "# git push",
        "printf 'git push'",
        "gh pr create --body 'run git push'",
        "sed -i 's/a/git push/' f",
        "python -c 'print(\"git push\")'",
        "echo \"a; git push\"",
        "rg 'a|git push'",
        "git commit -F - <<'E'\n$(git push)\nE",
        "awk '/git push/ { print }' f",
        "ls \"; git push\"",
    ] {
        let pushes = parsed(text).commands.iter().filter(|each| line(each).starts_with("git push")).count();
        assert_eq!(pushes, 0, "{text}");
    }
}

#[test]
fn redirects_name_files_and_texts_but_not_descriptors() {
    let redirects = |text: &str, index: usize| -> Vec<_> {
        let command = parsed(text).commands.remove(index);
        command.redirects.iter().map(|each| (each.kind, each.target.text_lossy().into_owned())).collect()
    };
    assert_eq!(
        redirects("a <r >w >>p 2>&1 <>x &>b >&c <&-", 0),
        [
            (RedirectKind::Read, "r".into()),
            (RedirectKind::Write, "w".into()),
            (RedirectKind::Append, "p".into()),
            (RedirectKind::ReadWrite, "x".into()),
            (RedirectKind::Write, "b".into()),
            (RedirectKind::Write, "c".into()),
        ]
    );
    assert_eq!(redirects("a <<< 'x y'", 0), [(RedirectKind::HereString, "x y".into())]);
    assert_eq!(redirects("{ a; b; } > w", 0), [(RedirectKind::Write, "w".into())]);
    assert_eq!(redirects("> w", 0), [(RedirectKind::Write, "w".into())]);
    assert_eq!(redirects("bash -c a > w", 0), [(RedirectKind::Write, "w".into())]);
    assert_eq!(parsed("a <<'E'\n$x\nE").commands[0].stdin, Stdin::Text("$x\n".into()));
}

#[test]
fn only_a_command_of_its_own_is_single() {
    for text in [
        "git push", "sudo git push", "bash -c 'git push'", "GIT_DIR=x git push", "git push 2>&1",
        "(git push)",
    ] {
        assert!(parsed(text).is_single(), "{text}");
    }
    for text in [
        "a; git push", "git push; a", "git push &", "git push | a", "git push $(a)", "X=1; git push",
        "git push && a", "f() { a; }; git push", "git push > $(a)", "git push 'x", "",
        "bash -c 'git push; a'",
    ] {
        assert!(!parsed(text).is_single(), "{text}");
    }
}

#[test]
fn spans_point_at_the_command() {
    let text = "  cd x &&  git push origin;f() { rm y; }; f; bash -c 'id'  ";
    let spans: Vec<_> =
        parsed(text).commands.iter().map(|each| text.get(each.span.clone()).unwrap()).collect();
    assert_eq!(spans, ["cd x", "git push origin", "rm y", "bash -c 'id'"]);
}
