//! The table of programs that run another command, and where in their arguments that command starts.

use super::command::Wrapper;
use super::name_hash::name_hash;
use super::options::Options;
use super::word::Word;

/// What stands after a wrapper's options and operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    /// Program and arguments.
    Words,
    /// Words that are joined to shell text.
    Text,
    /// Nothing that is run; only an option carries a text.
    Nothing,
    Shell,
    Xargs,
    Parallel,
    Find,
    Trap,
    /// A table of times and commands on standard input.
    Crontab,
}

/// Options are listed by name, with blanks between them.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) names: &'static [&'static str],
    /// Subcommands that must follow, each with its alternatives.
    path: &'static [&'static [&'static str]],
    pub(super) wrapper: Wrapper,
    /// Options that take a value.
    pub(super) valued: &'static str,
    /// Operands before the command.
    operands: usize,
    pub(super) inner: Inner,
    /// Options whose value is shell text.
    pub(super) text: &'static str,
    /// Options with which nothing is run.
    pub(super) inert: &'static str,
    /// Options that name the directory to run in.
    pub(super) directory: &'static str,
    /// The wrapper does something itself, so it is listed as well.
    pub(super) kept: bool,
}

const BASE: Rule = Rule {
    names: &[],
    path: &[],
    wrapper: Wrapper::Runner,
    valued: "",
    operands: 0,
    inner: Inner::Words,
    text: "",
    inert: "",
    directory: "",
    kept: false,
};

const SHELL_TEXT: Rule = Rule { wrapper: Wrapper::ShellC, inner: Inner::Nothing, ..BASE };

const CONTAINER: Rule = Rule {
    wrapper: Wrapper::Container,
    operands: 1,
    kept: true,
    valued: "-H --host --context --config -f --file --project-name --project-directory --profile -e --env \
        --env-file -u --user -w --workdir --detach-keys -v --volume --mount --name -p --publish \
        --network --net --entrypoint -m --memory --cpus -h --hostname -l --label --platform --gpus \
        --shm-size --ulimit --add-host --device --cap-add --cap-drop --dns --pull --restart --ipc \
        --pid --security-opt --tmpfs --volumes-from --ip --log-driver --log-opt --userns --cgroupns \
        --runtime --cidfile --index --stop-signal --expose --link",
    ..BASE
};

const RULES: &[Rule] = &[
    Rule {
        names: &["sudo"],
        wrapper: Wrapper::Sudo,
        valued: "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T \
            --command-timeout -U --other-user -D --chdir -R --chroot",
        inert: "-e --edit -l --list -v --validate -K -V",
        directory: "-D --chdir",
        ..BASE
    },
    Rule { names: &["doas"], wrapper: Wrapper::Sudo, valued: "-u -C -a", ..BASE },
    Rule { names: &["pkexec"], wrapper: Wrapper::Sudo, valued: "--user", ..BASE },
    Rule {
        names: &["su"],
        wrapper: Wrapper::Su,
        valued: "-c --command --session-command -s --shell -g --group -G -w",
        inner: Inner::Nothing,
        text: "-c --command --session-command",
        ..BASE
    },
    Rule {
        names: &["runuser"],
        wrapper: Wrapper::Su,
        valued: "-u --user -c --command -s --shell -g -G",
        text: "-c --command",
        ..BASE
    },
    Rule { names: &["gosu", "su-exec"], wrapper: Wrapper::Su, operands: 1, ..BASE },
    Rule {
        names: &["env"],
        wrapper: Wrapper::Env,
        valued: "-u --unset -C --chdir -S --split-string -P",
        directory: "-C --chdir",
        ..BASE
    },
    Rule {
        names: &["timeout", "gtimeout"],
        wrapper: Wrapper::Timeout,
        valued: "-s --signal -k --kill-after",
        operands: 1,
        ..BASE
    },
    Rule { names: &["command"], wrapper: Wrapper::Builtin, inert: "-v -V", ..BASE },
    Rule { names: &["builtin", "noglob", "nocorrect"], wrapper: Wrapper::Builtin, ..BASE },
    Rule { names: &["exec"], wrapper: Wrapper::Builtin, valued: "-a", ..BASE },
    Rule { names: &["time", "gtime"], wrapper: Wrapper::Builtin, valued: "-f --format -o --output", ..BASE },
    Rule { names: &["nice", "gnice"], valued: "-n --adjustment", ..BASE },
    Rule { names: &["ionice"], valued: "-c --class -n --classdata", inert: "-p -P -u", ..BASE },
    Rule {
        names: &["nohup", "setsid", "unbuffer", "dbus-run-session", "ltrace", "winpty", "proxychains4"],
        ..BASE
    },
    Rule {
        names: &[
            "chronic", "eatmydata", "rlwrap", "dbus-launch", "run0", "proot", "wsl", "kitty", "foot",
            "prlimit",
        ],
        valued: "-p --property -u --user -D --chdir -r --rootfs",
        ..BASE
    },
    Rule {
        names: &["setpriv"],
        wrapper: Wrapper::Su,
        valued: "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig",
        ..BASE
    },
    Rule { names: &["choom"], valued: "-n --adjust", ..BASE },
    Rule { names: &["numactl"], valued: "-N -m -C -i -p --cpunodebind --membind --physcpubind", ..BASE },
    Rule { names: &["cpulimit"], valued: "-l --limit -p --pid -e --exe", ..BASE },
    Rule { names: &["faketime", "logsave"], operands: 1, ..BASE },
    Rule { names: &["ssh-agent"], valued: "-a -t -E -P", inert: "-k -D -d", ..BASE },
    Rule { names: &["daemonize"], valued: "-a -c -e -o -p -l -u -E", ..BASE },
    Rule { names: &["doppler", "devbox"], path: &[&["run"]], valued: "-p --project -c --config", ..BASE },
    Rule { names: &["proxychains", "torsocks", "tsocks"], valued: "-f", ..BASE },
    Rule { names: &["stdbuf", "gstdbuf"], valued: "-i --input -o --output -e --error", ..BASE },
    Rule { names: &["taskset", "chrt", "setarch"], operands: 1, ..BASE },
    Rule { names: &["arch", "linux32", "linux64", "i386", "x86_64"], valued: "-e -d", ..BASE },
    Rule { names: &["caffeinate"], valued: "-t -w", ..BASE },
    Rule { names: &["strace"], valued: "-e -o -s -u -E -a -b -S -P -O -I -X", ..BASE },
    Rule { names: &["xvfb-run"], valued: "-n -s -e -f -p -w --server-args", ..BASE },
    Rule {
        names: &["systemd-run", "systemd-inhibit"],
        valued: "-p --property -u --unit -E --setenv -M --machine -H --host --uid --gid --slice \
            --working-directory --description --on-calendar --on-active --what --who --why",
        directory: "--working-directory",
        ..BASE
    },
    Rule {
        names: &["flock"],
        valued: "-w --timeout --wait -E --conflict-exit-code -c --command",
        operands: 1,
        text: "-c --command",
        ..BASE
    },
    Rule { names: &["busybox", "toybox"], inert: "--list --install", ..BASE },
    Rule {
        names: &["chroot"],
        wrapper: Wrapper::Chroot,
        valued: "--userspec --groups -u -g -G",
        operands: 1,
        ..BASE
    },
    Rule {
        names: &["unshare", "nsenter", "bwrap", "firejail", "fakeroot"],
        wrapper: Wrapper::Chroot,
        valued: "--userspec --groups -t --target -S -G --setuid --setgid --root --wd",
        ..BASE
    },
    Rule { names: &["uv", "poetry", "pipenv", "pdm", "hatch", "rye", "dotenv"], path: &[&["run"]], ..BASE },
    Rule { names: &["conda", "mamba"], path: &[&["run"]], valued: "-n --name -p --prefix", ..BASE },
    Rule {
        names: &["bundle", "pnpm", "mise", "rbenv", "pyenv", "asdf"],
        path: &[&["exec", "x", "dlx"]],
        ..BASE
    },
    Rule {
        names: &["npm"],
        path: &[&["exec", "x"]],
        valued: "--package -p -c --call",
        text: "-c --call",
        ..BASE
    },
    Rule { names: &["npx", "bunx"], valued: "-p --package -c --call", text: "-c --call", kept: true, ..BASE },
    Rule { names: &["yarn"], path: &[&["exec", "dlx"]], ..BASE },
    Rule { names: &["dotenvx"], path: &[&["run"]], valued: "-f --env-file -e --env", ..BASE },
    Rule { names: &["dotenv"], valued: "-e -f -c -v -p", ..BASE },
    Rule { names: &["cross-env", "cross-env-shell"], wrapper: Wrapper::Env, ..BASE },
    Rule { names: &["perf"], path: &[&["stat", "record", "trace"]], valued: "-e -o -p -r -C -F -I", ..BASE },
    Rule { names: &["valgrind", "entr", "rr"], ..BASE },
    Rule {
        names: &["ld.so", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"],
        valued: "--library-path",
        ..BASE
    },
    Rule {
        names: &["watchexec"],
        valued: "-e --exts -w --watch -f --filter -i --ignore -d -s --signal",
        ..BASE
    },
    Rule {
        names: &["nodemon"],
        valued: "-x --exec -e --ext -w --watch -i --ignore",
        text: "-x --exec",
        ..SHELL_TEXT
    },
    Rule {
        names: &["hyperfine"],
        valued: "-w --warmup -r --runs -m --min-runs -M --max-runs -p --prepare -s --setup -c --cleanup -n \
            --command-name -S --shell --export-json --export-markdown --export-csv -L -P",
        inner: Inner::Text,
        ..SHELL_TEXT
    },
    Rule {
        names: &["tmux"],
        path: &[&["new", "new-session", "neww", "new-window", "splitw", "split-window"]],
        valued: "-c -e -F -f -n -s -t -x -y -l -L -S",
        inner: Inner::Text,
        ..SHELL_TEXT
    },
    Rule {
        names: &["tmux"],
        path: &[&["send", "send-keys"]],
        valued: "-t -N -L -S",
        inner: Inner::Text,
        ..SHELL_TEXT
    },
    Rule { names: &["screen"], valued: "-S -c -e -h -p -s -t -T -X", ..BASE },
    Rule { names: &["direnv"], path: &[&["exec"]], operands: 1, ..BASE },
    Rule { names: &["op"], path: &[&["run"]], valued: "--env-file", ..BASE },
    Rule {
        names: &["nix-shell"],
        valued: "--run --command -p --packages",
        text: "--run --command",
        ..SHELL_TEXT
    },
    Rule {
        names: &["script"],
        valued: "-c --command -T -o -E -I -O -B -m",
        text: "-c --command",
        operands: 1,
        inner: Inner::Words,
        ..SHELL_TEXT
    },
    Rule { names: &["watch"], valued: "-n --interval -q", inner: Inner::Text, ..SHELL_TEXT },
    Rule { names: &["eval"], wrapper: Wrapper::Eval, inner: Inner::Text, ..BASE },
    Rule { names: &["trap"], wrapper: Wrapper::Trap, inner: Inner::Trap, inert: "-p -l", ..BASE },
    Rule {
        names: &["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "nu"],
        wrapper: Wrapper::ShellC,
        valued: "-o -O --rcfile --init-file --command -C --init-command",
        inner: Inner::Shell,
        text: "--command",
        ..BASE
    },
    Rule { names: &["source", "."], wrapper: Wrapper::ShellC, inner: Inner::Shell, inert: "-c -s", ..BASE },
    Rule {
        names: &["at", "batch"],
        wrapper: Wrapper::ShellStdin,
        valued: "-q -t",
        inner: Inner::Nothing,
        inert: "-l -r -d -c -f -V",
        ..BASE
    },
    Rule {
        names: &["crontab"],
        wrapper: Wrapper::ShellStdin,
        valued: "-u",
        inner: Inner::Crontab,
        inert: "-l -r -e",
        ..BASE
    },
    Rule {
        names: &["xargs", "gxargs"],
        wrapper: Wrapper::Xargs,
        valued: "-I -J -n --max-args -P --max-procs -L --max-lines -d --delimiter -E -s --max-chars -a \
            --arg-file -R -S --process-slot-var",
        inner: Inner::Xargs,
        ..BASE
    },
    Rule {
        names: &["parallel"],
        wrapper: Wrapper::Parallel,
        valued: "-j --jobs -I -n -N -a --arg-file --joblog -S --delay --timeout",
        inner: Inner::Parallel,
        ..BASE
    },
    Rule {
        names: &["find", "gfind", "fd", "fdfind"],
        wrapper: Wrapper::FindExec,
        inner: Inner::Find,
        kept: true,
        ..BASE
    },
    Rule {
        names: &["ssh"],
        wrapper: Wrapper::Ssh,
        valued: "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
        operands: 1,
        inner: Inner::Text,
        kept: true,
        ..BASE
    },
    Rule { names: &["docker", "podman", "nerdctl"], path: &[&["exec", "run"]], ..CONTAINER },
    Rule { names: &["docker", "podman"], path: &[&["container", "compose"], &["exec", "run"]], ..CONTAINER },
    Rule { names: &["docker-compose", "podman-compose"], path: &[&["exec", "run"]], ..CONTAINER },
    Rule {
        names: &["kubectl", "oc"],
        path: &[&["exec"]],
        valued: "-n --namespace -c --container --context --kubeconfig -f --filename --cluster",
        ..CONTAINER
    },
];

/// Where a name leads: one beyond each rule for it, in the order of the rules, at its hash or, where that is taken, behind
/// it. Most programs are no wrappers, and need not be compared with all of them.
#[expect(
    clippy::indexing_slicing,
    reason = "the compiler evaluates it, and would refuse an index beyond the end"
)]
static WHERE: [u8; 1024] = {
    let mut found = [0; 1024];
    let mut rule = 0;
    while rule < RULES.len() {
        let names = RULES[rule].names;
        let mut name = 0;
        while name < names.len() {
            let mut slot = name_hash(names[name].as_bytes()) % 1024;
            while found[slot] != 0 {
                slot = (slot + 1) % 1024;
            }
            found[slot] = rule as u8 + 1;
            name += 1;
        }
        rule += 1;
    }
    found
};

/// The rule for a command line, and its options as that rule reads them.
pub(super) fn find(program: &str, words: &[Word]) -> Option<(&'static Rule, Options)> {
    let mut slot = name_hash(program.as_bytes()) % WHERE.len();
    while let Some(rule) = RULES.get(usize::from(*WHERE.get(slot)?).checked_sub(1)?) {
        if rule.names.contains(&program)
            && let Some(options) = rule.read(words)
        {
            return Some((rule, options));
        }
        slot = (slot + 1) % WHERE.len();
    }
    None
}

/// Whether a program runs other commands only under some of its subcommands.
pub(super) fn has_subcommands(program: &str) -> bool {
    let mut slot = name_hash(program.as_bytes()) % WHERE.len();
    while let Some(rule) = WHERE.get(slot).and_then(|at| RULES.get(usize::from(*at).checked_sub(1)?)) {
        if rule.names.contains(&program) {
            return !rule.path.is_empty() && rule.wrapper != Wrapper::Container;
        }
        slot = (slot + 1) % WHERE.len();
    }
    false
}

impl Rule {
    fn read(&self, words: &[Word]) -> Option<Options> {
        let mut options = Options { rest: 1, ..Options::default() };
        for alternatives in self.path {
            options.read(words, self.valued);
            let subcommand = words.get(options.rest).and_then(Word::literal)?;
            if !alternatives.contains(&subcommand) {
                return None;
            }
            options.rest += 1;
        }
        options.read(words, self.valued);
        // `bash +x -c …`: a shell's options are switched off with a plus.
        while let Some(off) = words.get(options.rest).filter(|_| self.inner == Inner::Shell)
            && off.starts_with("+")
        {
            options.rest += 1 + usize::from(matches!(off.literal(), Some("+o" | "+O")));
            options.read(words, self.valued);
        }
        for _ in 0..self.operands {
            options.operands.push(options.rest);
            options.rest += 1;
            options.read(words, self.valued);
        }
        // `su root -c …`: where only an option carries the command, it may follow an operand.
        while self.inner == Inner::Nothing && options.rest < words.len() {
            options.rest += 1;
            options.read(words, self.valued);
        }
        Some(options)
    }

    /// Runs on another machine or in another file system.
    pub(super) fn is_remote(&self, options: &Options, words: &[Word]) -> bool {
        let host = || options.operands.first().and_then(|at| words.get(*at)).and_then(Word::literal);
        match self.wrapper {
            Wrapper::Ssh => !host().is_some_and(is_this_machine),
            wrapper => wrapper == Wrapper::Container,
        }
    }

    /// `NAME=value` words before the command set variables.
    pub(super) fn takes_assignments(&self) -> bool {
        matches!(self.wrapper, Wrapper::Env | Wrapper::Sudo)
    }
}

/// Whether `user@host` names the machine itself.
fn is_this_machine(host: &str) -> bool {
    let host = host.strip_prefix("ssh://").unwrap_or(host);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.trim_matches(['[', ']']);
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "ip6-localhost")
        || host
            .strip_prefix("127.")
            .is_some_and(|rest| rest.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit()))
}
