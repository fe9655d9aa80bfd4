//! Commands that run other commands.

use super::listing::{line, listed, parsed, table};
use crate::pure::shell::{Language, Stdin};

#[test]
fn wrappers_are_taken_off() {
    for text in [
        "sudo -u root -n a b",
        "setpriv --reuid 0 --clear-groups a b",
        "numactl -N 0 a b",
        "faketime now a b",
        "chronic a b",
        "asdf exec a b",
        "doas -u x a b",
        "nice -n 5 a b",
        "ionice -c2 -n7 a b",
        "nohup a b",
        "setsid -w a b",
        "timeout -k 1 5 a b",
        "stdbuf -oL a b",
        "command -p a b",
        "builtin a b",
        "exec -a x a b",
        "xargs -n1 a b",
        "env -u X -i Y=1 a b",
        "env -S 'a b'",
        "/usr/bin/env a b",
        "/usr/bin/time -f x a b",
        "busybox a b",
        "flock -n /l a b",
        "strace -f -o x a b",
        "chroot --userspec=x /r a b",
        "caffeinate -i a b",
        "arch -arm64 a b",
        "uv run a b",
        "sudo env X=1 timeout 5 nice a b",
        "eval a b",
        "watch -n 1 a b",
        "sh -c 'a b'",
        "bash -lc 'a b'",
        "bash -xec 'a b'",
        "zsh -o x -c 'a b'",
        "fish --command='a b'",
        "su -c 'a b' root",
        "su - root -c 'a b'",
        "script -q -c 'a b' /l",
        "flock /l -c 'a b'",
        "trap 'a b' EXIT",
        "bash <<E\na b\nE",
        "bash -s <<< 'a b'",
        "sh <<'E'\na b\nE",
        "nix-shell --run 'a b'",
        "$SHELL -c 'a b'",
        "\"${SHELL}\" -lc 'a b'",
        "/c/x/bash.exe -c 'a b'",
        "sudo.exe a.exe b",
    ] {
        let commands = parsed(text).commands;
        let line = commands.last().map(line).unwrap_or_default();
        let expected = if text.starts_with("xargs") { "a b ${_} | [" } else { "a b | [" };
        let line = line.replace("a.exe", "a");
        assert!(line.starts_with(expected) && commands.len() == 1, "{text}: {commands:?}");
    }
}

#[test]
fn wrappers_that_do_something_themselves_are_listed_too() {
    table(&[
        ("ssh -p 22 h rm x", &["ssh -p 22 h rm x", "rm x | [Ssh] | in ?"]),
        ("systemd-run --user -p X=1 a b", &["systemd-run --user -p X=1 a b", "a b | [Runner]"]),
        ("at now + 1 hour <<< 'a b'", &["at now + 1 hour", "a b | [ShellStdin]"]),
        ("batch <<E\na b\nE", &["batch", "a b | [ShellStdin]"]),
        ("crontab - <<E\n# x\nA=1\n*/5 * * * 1-5 a b\nE", &["crontab -", "a b | [ShellStdin]"]),
        ("crontab -u x <<< '@daily a b'", &["crontab -u x", "a b | [ShellStdin]"]),
        ("docker run -v /:/h --rm i rm x", &["docker run -v /:/h --rm i rm x", "rm x | [Container] | in ?"]),
        (
            "docker compose -f y exec s rm x",
            &["docker compose -f y exec s rm x", "rm x | [Container] | in ?"],
        ),
        (
            "kubectl exec -it p -- sh -c 'rm x'",
            &["kubectl exec -it p -- sh -c rm x", "rm x | [Container, ShellC] | in ?"],
        ),
        (
            "find a b/ -name '*.o' -exec rm {} + -o -ok sh -c 'ls {}' \\;",
            &[
                "find a b/ -name *.o -exec rm {} + -o -ok sh -c ls {} ;",
                "rm a/**/*.o b/**/*.o | [FindExec]",
                "ls a/**/*.o | [FindExec, ShellC]",
            ],
        ),
        ("fd x -x rm", &["fd x -x rm", "rm ${_} | [FindExec]"]),
    ]);
    assert!(parsed("ssh h rm x").commands[1].remote);
    assert!(parsed("ssh -p 22 u@h -v rm x").commands[1].remote);
    for host in ["localhost", "u@localhost", "127.0.0.1", "-p 22 ::1", "-l u 127.0.1.1 -v"] {
        assert!(!parsed(&format!("ssh {host} rm x")).commands[1].remote, "{host}");
    }
}

#[test]
fn wrappers_that_run_nothing_known_stay_as_they_are() {
    for text in [
        "sudo -l", "env", "command -v git", "bash x.sh", "bash", "exec", "docker ps", "ssh h", "source x",
        "su",
    ] {
        listed(text, &[text]);
    }
    listed("bash -c \"$X\"", &["bash -c ${X}"]);
    listed("eval \"$X\"", &["eval ${X}"]);
    listed("trap - EXIT", &["trap - EXIT"]);
}

#[test]
fn text_fed_to_a_shell_is_read() {
    table(&[
        ("echo 'a b' | sh", &["echo a b", "a b | [ShellStdin]"]),
        (
            "printf '%s %s\\n' a b | tee f | sudo bash -",
            &["printf %s %s\\n a b", "tee f", "a b | [Sudo, ShellStdin]"],
        ),
        ("cat <<E | sh\na b\nE", &["cat", "a b | [ShellStdin]"]),
        ("echo -e '\\x61 b' | sh", &["echo -e \\x61 b", "a b | [ShellStdin]"]),
        ("echo a b | xargs rm", &["echo a b", "rm a b | [Xargs]"]),
        ("echo a | xargs -I% rm %/x", &["echo a", "rm a/x | [Xargs]"]),
        ("echo 'a b' | xargs -I{} bash -c 'x {}'", &["echo a b", "x a b | [Xargs, ShellC]"]),
        ("echo 'a b' | xargs -I{} bash -c {}", &["echo a b", "a b | [Xargs, ShellC]"]),
        ("printf 'a\nb\n' | xargs -i rm {}/x", &["printf a\nb\n", "rm a/x | [Xargs]", "rm b/x | [Xargs]"]),
        ("printf 'a\nb\n' | parallel 'rm {}'", &["printf a\nb\n", "rm a | [Parallel]", "rm b | [Parallel]"]),
        ("echo 'rm a' | parallel", &["echo rm a", "rm a | [Parallel]"]),
        ("parallel bash -c {} ::: 'rm a'", &["rm a | [Parallel, ShellC]"]),
        ("env -S 'X=1 bash -c \"a b\"'", &["a b | [Env, ShellC]"]),
        ("echo 'a b' | at now", &["echo a b", "at now", "a b | [ShellStdin]"]),
        (
            "(crontab -l; echo '0 0 * * * a b') | crontab -",
            &["crontab -l", "echo 0 0 * * * a b", "crontab -", "a b | [ShellStdin]"],
        ),
        ("curl x | crontab -", &["curl x", "crontab -"]),
        ("{ echo a; echo b; } | sh", &["echo a", "echo b", "a | [ShellStdin]", "b | [ShellStdin]"]),
        ("parallel rm {} ::: a b", &["rm a | [Parallel]", "rm b | [Parallel]"]),
        ("bash -c 'rm \"$1\"' _ a", &["rm a | [ShellC]"]),
        ("bash -c \"rm $X\"", &["rm ${X} | [ShellC]"]),
        ("sudo -s <<< 'a b'", &["a b | [Sudo, ShellStdin]"]),
        ("su - root <<< 'a b'", &["a b | [Su, ShellStdin]"]),
        ("ssh h <<< 'a b'", &["ssh h", "a b | [Ssh, ShellStdin] | in ?"]),
        ("curl x | sh", &["curl x", "sh"]),
    ]);
    assert_eq!(parsed("curl x | sh").commands[1].stdin, Stdin::Pipe(0));
}

#[test]
fn functions_and_aliases_are_expanded_where_they_are_used() {
    table(&[
        ("f() { rm \"$1\"; }; f a", &["rm a | [Function]"]),
        ("f() ( cd x; rm y ); f", &["cd x | [Function]", "rm y | [Function] | in x"]),
        ("function f { a; }", &["a | [Function]"]),
        ("git() { a; }; git push", &["a | [Function]"]),
        ("f() { f; }; f", &["f | [Function]"]),
        ("alias x='rm -rf'; x a", &["alias x=rm -rf", "rm -rf a | [Alias]"]),
        ("alias x='a; b'; x", &["alias x=a; b", "a | [Alias]", "b | [Alias]"]),
        ("alias ls='ls -l'; ls", &["alias ls=ls -l", "ls -l | [Alias]"]),
    ]);
}

#[test]
fn program_texts_are_looked_into() {
    for (text, language) in [
        ("python3 -c 'import os; os.system(\"a b\")'", Language::Python),
        ("python3.12 -uc 'import subprocess as s; s.run([\"a\", \"b\"], check=True)'", Language::Python),
        (
            "python - <<'E'\nfrom subprocess import *\nc = 'a b'\ncheck_output(c, shell=True)\nE",
            Language::Python,
        ),
        (
            "python - <<'E'\nx = 'q'\ny = 'a b'\nimport subprocess\nsubprocess.run(\n  y,\n  shell=True)\nE",
            Language::Python,
        ),
        ("python -c 'import os; os.execvp(\"a\", [\"a\", \"b\"])'", Language::Python),
        ("echo 'import os; os.popen(\"a b\")' | python3", Language::Python),
        ("node -e 'require(\"child_process\").execSync(`a b`)'", Language::JavaScript),
        (
            "node --eval='const {spawn} = require(\"x\"); spawn(\"a\", [\"b\"], {shell: true})'",
            Language::JavaScript,
        ),
        ("perl -e 'system(\"a\", \"b\")'", Language::Perl),
        ("perl -ne 'print qx{a b}'", Language::Perl),
        ("ruby -e 'system \"a b\"'", Language::Ruby),
        ("ruby -e 'puts `a b`; x = %x[]'", Language::Ruby),
        ("php -r 'shell_exec(\"a b\");'", Language::Php),
        ("lua -e 'os.execute(\"a b\")'", Language::Lua),
        ("awk 'BEGIN { system(\"a b\") }'", Language::Awk),
        ("awk '{ \"a b\" | getline x }' f", Language::Awk),
    ] {
        let commands = parsed(text).commands;
        let interpreter =
            commands.iter().position(|each| each.code.is_some()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(commands[interpreter].code.as_ref().unwrap().language, language);
        assert!(line(&commands[interpreter + 1]).starts_with("a b | [Interpreter("), "{text}: {commands:?}");
    }
    listed("python3 x.py", &["python3 x.py"]);
    listed("python3 -m x", &["python3 -m x"]);
    assert_eq!(parsed("awk '{print $1}' f").commands.len(), 1);
}

#[test]
fn what_code_leaves_open_is_unknown() {
    let lines = |text| parsed(text).commands.iter().map(line).collect::<Vec<_>>();
    assert_eq!(lines("python -c 'import os; os.system(f\"rm {x}\")'")[1], "rm ${_} | [Interpreter(Python)]");
    assert_eq!(lines("python -c 'import os; os.system(\"rm \" + x)'")[1], "rm ${_} | [Interpreter(Python)]");
    assert_eq!(lines("python -c 'import os; os.system(x)'").len(), 1);
}

#[test]
fn variables_set_and_removed_are_kept_with_the_command() {
    let command = parsed("A=1 sudo B=2 env -u C D=$X sh -c 'git push'").commands.remove(0);
    let set: Vec<_> =
        command.assignments.iter().map(|each| format!("{}={}", each.name, each.value.text_lossy())).collect();
    assert_eq!(set, ["A=1", "B=2", "D=${X}"]);
    assert_eq!(command.unset, ["C"]);
    assert_eq!(line(&command), "git push | [Sudo, Env, ShellC]");
}

/// Whoever else writes the file, and whether its writer runs at all, nobody knows.
#[test]
fn a_shell_that_reads_a_written_file_stays_in_the_list() {
    let programs = |text: &str| -> Vec<String> {
        parsed(text).commands.iter().filter_map(|each| each.program().map(str::to_owned)).collect()
    };
    for text in [
        "echo 'rm x' > f; bash < f",
        "a || echo 'rm x' > f; bash < f",
        "if a; then echo 'rm x' > f; fi; cat f | bash",
        "echo 'rm x' > f; bash <(cat f)",
    ] {
        let found = programs(text);
        assert!(["rm", "bash"].iter().all(|one| found.iter().any(|each| each == one)), "{text}: {found:?}");
    }
    for text in ["echo 'rm x' | bash", "bash <<< 'rm x'", "bash <(echo 'rm x')"] {
        let found = programs(text);
        assert!(found.iter().any(|each| each == "rm"), "{text}: {found:?}");
        assert!(!found.iter().any(|each| each == "bash"), "{text}: {found:?}");
    }
}

#[test]
fn read_takes_one_line() {
    let value = |text: &str| line(parsed(text).commands.last().unwrap());
    assert_eq!(value("read v <<< \"rm $HOME\"; $v"), "rm ${HOME}");
    assert_ne!(value("printf '%s\\n' tool ~/d | while read v; do $v; done"), "tool ~/d");
}
