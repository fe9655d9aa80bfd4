//! The table of programs that run another command, and where in their arguments that command starts.

use super::command::Wrapper;
use super::names::NameTable;
use super::options::WrapperOptions;
use super::word::Word;

/// The role of the words after a wrapper's options and operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrappedPart {
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
pub(super) struct WrapperRule {
    names: &'static str,
    /// Subcommands that must follow; `|` stands between alternatives.
    path: &'static str,
    pub(super) wrapper: Wrapper,
    /// Options that take a value.
    pub(super) valued: &'static str,
    /// Operands before the command.
    operands: usize,
    pub(super) inner: WrappedPart,
    /// Options whose value is shell text.
    pub(super) text: &'static str,
    /// Options with which nothing is run.
    pub(super) inert: &'static str,
    /// Options that name the directory to run in.
    pub(super) directory: &'static str,
    /// The wrapper does something itself, so it is listed as well.
    pub(super) kept: bool,
}

const fn wraps(wrapper: Wrapper, names: &'static str) -> WrapperRule {
    WrapperRule {
        names,
        path: "",
        wrapper,
        valued: "",
        operands: 0,
        inner: WrappedPart::Words,
        text: "",
        inert: "",
        directory: "",
        kept: false,
    }
}

const fn runs(names: &'static str) -> WrapperRule {
    wraps(Wrapper::Runner, names)
}

const fn shell_text(names: &'static str) -> WrapperRule {
    wraps(Wrapper::ShellC, names).inner(WrappedPart::Nothing)
}

const fn container(names: &'static str) -> WrapperRule {
    wraps(Wrapper::Container, names).operands(1).valued(CONTAINER_VALUED).kept()
}

impl WrapperRule {
    const fn path(mut self, subcommands: &'static str) -> Self {
        self.path = subcommands;
        self
    }

    const fn valued(mut self, options: &'static str) -> Self {
        self.valued = options;
        self
    }

    const fn operands(mut self, count: usize) -> Self {
        self.operands = count;
        self
    }

    const fn inner(mut self, inner: WrappedPart) -> Self {
        self.inner = inner;
        self
    }

    const fn text(mut self, options: &'static str) -> Self {
        self.text = options;
        self
    }

    const fn inert(mut self, options: &'static str) -> Self {
        self.inert = options;
        self
    }

    const fn directory(mut self, options: &'static str) -> Self {
        self.directory = options;
        self
    }

    const fn kept(mut self) -> Self {
        self.kept = true;
        self
    }
}

const CONTAINER_VALUED: &str = "-H --host --context --config -f --file --project-name --project-directory --profile -e --env \
    --env-file -u --user -w --workdir --detach-keys -v --volume --mount --name -p --publish \
    --network --net --entrypoint -m --memory --cpus -h --hostname -l --label --platform --gpus \
    --shm-size --ulimit --add-host --device --cap-add --cap-drop --dns --pull --restart --ipc \
    --pid --security-opt --tmpfs --volumes-from --ip --log-driver --log-opt --userns --cgroupns \
    --runtime --cidfile --index --stop-signal --expose --link";

const RULES: &[WrapperRule] = &[
    wraps(Wrapper::Sudo, "sudo")
        .valued(
            "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T \
                 --command-timeout -U --other-user -D --chdir -R --chroot",
        )
        .inert("-e --edit -l --list -v --validate -K -V")
        .directory("-D --chdir"),
    wraps(Wrapper::Sudo, "doas").valued("-u -C -a"),
    wraps(Wrapper::Sudo, "pkexec").valued("--user"),
    wraps(Wrapper::Su, "su")
        .inner(WrappedPart::Nothing)
        .valued("-c --command --session-command -s --shell -g --group -G -w")
        .text("-c --command --session-command"),
    wraps(Wrapper::Su, "runuser").valued("-u --user -c --command -s --shell -g -G").text("-c --command"),
    wraps(Wrapper::Su, "gosu su-exec").operands(1),
    wraps(Wrapper::Env, "env").valued("-u --unset -C --chdir -S --split-string -P").directory("-C --chdir"),
    wraps(Wrapper::Timeout, "timeout gtimeout").operands(1).valued("-s --signal -k --kill-after"),
    wraps(Wrapper::Builtin, "command").inert("-v -V"),
    wraps(Wrapper::Builtin, "builtin noglob nocorrect"),
    wraps(Wrapper::Builtin, "exec").valued("-a"),
    wraps(Wrapper::Builtin, "time gtime").valued("-f --format -o --output"),
    runs("nice gnice").valued("-n --adjustment"),
    runs("ionice").valued("-c --class -n --classdata").inert("-p -P -u"),
    runs("nohup setsid unbuffer dbus-run-session ltrace winpty proxychains4 aa-exec grc setlock"),
    runs("softlimit cgexec trickle").valued("-a -c -d -f -g -l -m -n -o -p -r -s -t -u -w"),
    runs("chronic eatmydata rlwrap dbus-launch run0 proot wsl kitty foot prlimit")
        .valued("-p --property -u --user -D --chdir -r --rootfs"),
    wraps(Wrapper::Su, "setpriv")
        .valued("--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig"),
    runs("choom").valued("-n --adjust"),
    runs("numactl").valued("-N -m -C -i -p --cpunodebind --membind --physcpubind"),
    runs("cpulimit").valued("-l --limit -p --pid -e --exe"),
    runs("faketime logsave").operands(1),
    runs("ssh-agent").valued("-a -t -E -P").inert("-k -D -d"),
    runs("daemonize").valued("-a -c -e -o -p -l -u -E"),
    runs("doppler devbox").path("run").valued("-p --project -c --config"),
    runs("proxychains torsocks tsocks").valued("-f"),
    runs("stdbuf gstdbuf").valued("-i --input -o --output -e --error"),
    runs("taskset chrt setarch").operands(1),
    runs("arch linux32 linux64 i386 x86_64").valued("-e -d"),
    runs("caffeinate").valued("-t -w"),
    runs("strace").valued("-e -o -s -u -E -a -b -S -P -O -I -X"),
    runs("xvfb-run").valued("-n -s -e -f -p -w --server-args"),
    runs("systemd-run systemd-inhibit")
        .valued(
            "-p --property -u --unit -E --setenv -M --machine -H --host --uid --gid --slice \
                 --working-directory --description --on-calendar --on-active --on-boot --on-startup \
                 --on-unit-active --on-unit-inactive --timer-property --service-type --what --who --why",
        )
        .directory("--working-directory")
        .kept(),
    runs("flock")
        .operands(1)
        .valued("-w --timeout --wait -E --conflict-exit-code -c --command")
        .text("-c --command"),
    runs("busybox toybox").inert("--list --install"),
    wraps(Wrapper::Chroot, "chroot").operands(1).valued("--userspec --groups -u -g -G"),
    wraps(Wrapper::Chroot, "unshare nsenter bwrap firejail fakeroot")
        .valued("--userspec --groups -t --target -S -G --setuid --setgid --root --wd"),
    runs("uv poetry pipenv pdm hatch rye dotenv")
        .path("run")
        .valued("--with --with-requirements --with-editable --extra --group --package --python -p --env-file --index"),
    runs("conda mamba").path("run").valued("-n --name -p --prefix"),
    runs("bundle pnpm mise rbenv pyenv asdf").path("exec|x|dlx"),
    runs("npm").path("exec|x").valued("--package -p -c --call").text("-c --call"),
    runs("npx bunx").valued("-p --package -c --call").text("-c --call").kept(),
    runs("yarn").path("exec|dlx"),
    runs("dotenvx").path("run").valued("-f --env-file -e --env"),
    runs("dotenv").valued("-e -f -c -v -p"),
    wraps(Wrapper::Env, "cross-env cross-env-shell"),
    runs("perf").path("stat|record|trace").valued("-e -o -p -r -C -F -I"),
    runs("valgrind entr rr"),
    runs("ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1").valued("--library-path"),
    runs("watchexec").valued("-e --exts -w --watch -f --filter -i --ignore -d -s --signal"),
    shell_text("nodemon").valued("-x --exec -e --ext -w --watch -i --ignore").text("-x --exec"),
    shell_text("hyperfine").inner(WrappedPart::Text).valued(
        "-w --warmup -r --runs -m --min-runs -M --max-runs -p --prepare -s --setup -c --cleanup -n \
                 --command-name -S --shell --export-json --export-markdown --export-csv -L -P",
    ),
    shell_text("tmux")
        .path("new|new-session|neww|new-window|splitw|split-window")
        .inner(WrappedPart::Text)
        .valued("-c -e -F -f -n -s -t -x -y -l -L -S"),
    shell_text("tmux").path("send|send-keys").inner(WrappedPart::Text).valued("-t -N -L -S"),
    runs("screen").valued("-S -c -e -h -p -s -t -T").inert("-X"),
    runs("direnv").path("exec").operands(1),
    runs("op").path("run").valued("--env-file"),
    shell_text("nix-shell").valued("--run --command -p --packages").text("--run --command"),
    shell_text("script")
        .operands(1)
        .inner(WrappedPart::Words)
        .valued("-c --command -T -o -E -I -O -B -m")
        .text("-c --command"),
    shell_text("watch").inner(WrappedPart::Text).valued("-n --interval -q"),
    wraps(Wrapper::Eval, "eval").inner(WrappedPart::Text),
    wraps(Wrapper::Trap, "trap").inner(WrappedPart::Trap).inert("-p -l"),
    wraps(Wrapper::ShellC, "sh bash zsh dash ksh mksh ash fish rbash csh tcsh nu")
        .inner(WrappedPart::Shell)
        .valued("-o -O --rcfile --init-file --command -C --init-command")
        .text("--command"),
    wraps(Wrapper::ShellC, "source .").inner(WrappedPart::Shell).inert("-c -s"),
    wraps(Wrapper::ShellStdin, "at batch")
        .inner(WrappedPart::Nothing)
        .valued("-q -t")
        .inert("-l -r -d -c -f -V")
        .kept(),
    wraps(Wrapper::ShellStdin, "crontab").inner(WrappedPart::Crontab).valued("-u").inert("-l -r -e"),
    wraps(Wrapper::Xargs, "xargs gxargs").inner(WrappedPart::Xargs).valued(
        "-I -J -n --max-args -P --max-procs -L --max-lines -d --delimiter -E -s --max-chars -a \
                 --arg-file -R -S --process-slot-var",
    ),
    wraps(Wrapper::Parallel, "parallel")
        .inner(WrappedPart::Parallel)
        .valued(
            "-j --jobs -I -n -N -a --arg-file --joblog -S --delay --timeout --load --tagstring --colsep -C --header \
                 --max-args --max-replace-args -P --max-procs --results --tmpdir --workdir --wd --sshlogin \
                 --sshloginfile --slf --retries --halt --halt-on-error --nice --memfree --memsuspend --delimiter \
                 -d --block --recstart --recend --basefile --bf --return --env --profile -J --limit --termseq \
                 --transferfile --tf --trc --trim --rpl -L --max-lines -s --max-chars --replace -E --eof \
                 --semaphorename --id --semaphoretimeout --sqlandworker --sqlmaster --sqlworker \
                 --compress-program",
        ),
    wraps(Wrapper::FindExec, "find gfind fd fdfind").inner(WrappedPart::Find).kept(),
    wraps(Wrapper::Ssh, "mosh").operands(1).inner(WrappedPart::Text).valued("-p --port -a --ssh --predict").kept(),
    wraps(Wrapper::Ssh, "ssh")
        .operands(1)
        .inner(WrappedPart::Text)
        .valued("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w")
        .kept(),
    container("docker podman nerdctl").path("exec|run"),
    container("docker podman").path("container|compose exec|run"),
    container("docker-compose podman-compose").path("exec|run"),
    container("kubectl oc")
        .path("exec")
        .valued("-n --namespace -c --container --context --kubeconfig -f --filename --cluster"),
];

/// The rules for a name, in their order. Most programs are no wrappers, and need not be compared with all of them.
#[expect(
    clippy::indexing_slicing,
    reason = "the compiler evaluates it, and would refuse an index beyond the end"
)]
static WHERE: NameTable<u8, 1024> = {
    let mut found = NameTable::new();
    let mut rule = 0;
    while rule < RULES.len() {
        found.put(RULES[rule].names, rule as u8);
        rule += 1;
    }
    found
};

fn rules(program: &str) -> impl Iterator<Item = &'static WrapperRule> {
    WHERE.find_all(program).filter_map(|rule| RULES.get(usize::from(rule)))
}

/// The rule for a command line, and its options as that rule reads them.
pub(super) fn find(program: &str, words: &[Word]) -> Option<(&'static WrapperRule, WrapperOptions)> {
    rules(program).find_map(|rule| Some((rule, rule.read(words)?)))
}

/// Whether a program runs other commands only under some of its subcommands.
pub(super) fn has_subcommands(program: &str) -> bool {
    rules(program).next().is_some_and(|rule| !rule.path.is_empty() && rule.wrapper != Wrapper::Container)
}

impl WrapperRule {
    fn read(&self, words: &[Word]) -> Option<WrapperOptions> {
        let mut options = WrapperOptions::after_program();
        for alternatives in self.path.split_ascii_whitespace() {
            options.read(words, self.valued);
            let subcommand = words.get(options.rest).and_then(Word::literal)?;
            if !alternatives.split('|').any(|one| one == subcommand) {
                return None;
            }
            options.rest += 1;
        }
        options.read(words, self.valued);
        // `bash +x -c …`: a shell's options are switched off with a plus.
        while let Some(off) = words.get(options.rest).filter(|_| self.inner == WrappedPart::Shell)
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
        // `runuser root -c …`, but not `runuser -u root sh -c …`.
        let carries = |word: &Word| word.literal().is_some_and(|text| matches!(text, "-c" | "--command"));
        if self.wrapper == Wrapper::Su
            && self.inner == WrappedPart::Words
            && words.get(options.rest + 1).is_some_and(carries)
            && !options.has("-u --user")
        {
            options.rest += 1;
            options.read(words, self.valued);
        }
        // `su root -c …`: where only an option carries the command, it may follow an operand.
        while self.inner == WrappedPart::Nothing && options.rest < words.len() {
            options.rest += 1;
            options.read(words, self.valued);
        }
        Some(options)
    }

    /// Runs on another machine or in another file system.
    pub(super) fn is_remote(&self, options: &WrapperOptions, words: &[Word]) -> bool {
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
