//! Ending processes, replacing schedules, changing the kernel or what is mounted.

use super::line::ProgramLine;
use super::{Meaning, ShellCall};
use crate::pure::shell::{Command, Stdin, Word, WordPart, Wrapper, lists};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::zone;

/// The programs that are asked about here.
pub(crate) const PROGRAMS: &str = "kill pkill killall skill killall5 crontab sysctl mount umount osascript \
    set fuser at batch systemd-run tmux screen";

pub(crate) fn survey(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let what = match line.program {
        "kill" => kill(line).or_else(|| kill_listed(line, call)),
        "pkill" | "killall" | "skill" => kill_by_name(line),
        "screen" if call.command.via.contains(&Wrapper::Xargs) && line.has("quit") => {
            Some("end every session of the terminal, of other people's work as well".into())
        }
        "tmux"
            if line.begins_with("kill-server", "-L -S -f", "")
                || line.begins_with("kill-session|kill-window|kill-pane", "-L -S -f", "")
                    && line.has("-a") =>
        {
            Some("end every session of the terminal, of other people's work as well".into())
        }
        "killall5" => Some("end every process of this machine".into()),
        "crontab" => crontab(line),
        "at" | "batch" => {
            let given = line.has("-f")
                || !matches!(call.command.stdin, Stdin::None)
                || !call.command.redirects.is_empty();
            // `at now` starts the command at once; `at now + 1 hour` does not.
            let at_once = line.program == "at" && line.words("").eq(["now"]);
            (given && !at_once && !line.has("-l -r -d -c -V --help"))
                .then(|| "run a command later, when nobody looks".into())
        }
        "systemd-run" => line
            .has("--on-calendar --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive")
            .then(|| "run a command later, when nobody looks".into()),
        "fuser" if line.has("-k --kill") && line.has("-m -M -c --mount --ismountpoint") => {
            Some("end every process that uses a file system".into())
        }
        "fuser" if line.has("-k --kill") => {
            let port = |word: &str| word.split('/').next().is_some_and(|port| SERVICE_PORTS.contains(&port));
            line.words("-n -s").any(port).then(|| "end a service that others may use".into())
        }
        "sysctl" => {
            let sets =
                line.has("-w --write -p --load --system") || line.words("").any(|word| word.contains('='));
            (sets && !line.has("--help")).then(|| "change settings of the kernel".into())
        }
        "mount" | "umount" => mount(line, call),
        "osascript" => {
            const ENDS: [&str; 5] =
                ["to shut down", "to restart", "to log out", "empty the trash", "empty trash"];
            let ends = |word: &Word| ENDS.iter().any(|end| word.text_lossy().to_lowercase().contains(end));
            line.arguments.iter().any(ends).then(|| "shut down, log out or empty the trash".into())
        }
        "set" if line.has("+o") && line.has("history") => Some("stop the shell's history".into()),
        _ => init_script(line, call),
    };
    meaning.effects.extend(what.map(|what| {
        let command = line.shown();
        Effect::Disrupt { what: format!("{what} (`{command}`)") }
    }));
}

/// `/etc/init.d/nginx stop`
fn init_script(line: &ProgramLine<'_>, call: &ShellCall<'_>) -> Option<String> {
    let script = call.command.words.first()?.literal()?;
    let stops = script.starts_with("/etc/init.d/") && line.begins_with("stop", "", "");
    stops.then(|| "stop a service".into())
}

fn kill(line: &ProgramLine<'_>) -> Option<String> {
    let mut targets = line.arguments;
    if let Some((first, rest)) = targets.split_first()
        && let Some(signal) = first.literal().filter(|text| text.starts_with('-'))
    {
        let separate = matches!(signal, "-s" | "-n" | "--signal");
        targets = if separate { rest.get(1..).unwrap_or_default() } else { rest };
        if matches!(signal, "-l" | "-L" | "-0" | "--list" | "--table") {
            return None;
        }
    }
    let hits = |wanted: &str| targets.iter().any(|word| word.literal() == Some(wanted));
    let is_parent =
        |word: &Word| matches!(word.parts.as_slice(), [WordPart::Variable(name)] if name == "PPID");
    if hits("-1") {
        Some("end every process that the user may end".into())
    } else if hits("1") {
        Some("signal the process that keeps this machine running".into())
    } else if targets.iter().any(is_parent) {
        Some("end the program that runs this shell".into())
    } else {
        None
    }
}

/// `kill $(pgrep sshd)`, `ps aux | awk '{print $2}' | xargs kill`: what another command lists.
fn kill_listed(line: &ProgramLine<'_>, call: &ShellCall<'_>) -> Option<String> {
    let sources: Vec<usize> = line.arguments.iter().flat_map(Word::sources).collect();
    if sources.is_empty() {
        return None;
    }
    let behind = call.upstream(sources);
    let find = |names: &[&str]| {
        behind.iter().find(|(_, command)| command.program().is_some_and(|program| names.contains(&program)))
    };
    if let Some((_, command)) = find(&["pgrep", "pidof"]) {
        let program = command.program()?;
        return kill_by_name(&ProgramLine { program, arguments: command.arguments(), ..*line });
    }
    let narrowed = |command: &Command| match command.program() {
        Some("ps") => command.arguments().iter().any(|word| {
            word.literal()
                .is_some_and(|text| matches!(text, "-C" | "--ppid" | "-p" | "--pid" | "-t" | "-s" | "-g"))
        }),
        Some("awk" | "gawk" | "mawk") => {
            command.code.as_ref().is_some_and(|code| code.text.contains(['/', '~', '=']))
        }
        Some("sed" | "tr" | "cut" | "sort" | "uniq" | "cat" | "xargs" | "tail" | "head" | "nl" | "rev") => {
            false
        }
        Some(_) | None => true,
    };
    let of_service = |word: &Word| {
        let path = word.text_lossy();
        path.starts_with("/run/") || path.starts_with("/var/run/")
    };
    if let Some((_, command)) = find(&["cat", "head"])
        && command.operands().any(of_service)
    {
        return Some("end a service that others may use".into());
    }
    if let Some((_, command)) = find(&["ls"])
        && command.operands().any(|word| word.starts_with("/proc"))
    {
        return Some("end every process that the user may end".into());
    }
    if let Some((_, command)) = find(&["lsof", "fuser", "ss"]) {
        let words = || command.arguments().iter().filter_map(Word::literal);
        let ports = || words().flat_map(|text| text.split([':', '/', ',', '=']));
        return ports()
            .any(|port| SERVICE_PORTS.contains(&port))
            .then(|| "end a service that others may use".into());
    }
    if find(&["ps"]).is_some()
        && let Some(name) = service_in(call.text)
    {
        return Some(format!("end {name}, which this session or the machine needs"));
    }
    // `ps aux | grep node | … | xargs kill -9`: the same as `pkill -9 node`.
    let pattern = find(&["grep", "egrep"]).and_then(|(_, command)| command.operands().next());
    let pattern = pattern.map(|word| word.text_lossy().replace(['[', ']'], ""));
    let pattern = pattern.filter(|_| find(&["ps"]).is_some());
    if let Some(name) = pattern.filter(|name| lists(SHARED, name)) {
        return Some(format!("end every process called {name}, whoever started it"));
    }
    let everything = find(&["ps"]).is_some() && !behind.iter().any(|(_, command)| narrowed(command));
    everything.then(|| "end every process that the user may end".into())
}

/// Services that nobody starts for a piece of work, besides those that the session needs.
const SERVICES: &str = "nginx apache apache2 httpd lighttpd haproxy php-fpm mysqld mysql mariadbd mariadb \
    mongod mongodb redis redis-server postgres postgresql postmaster memcached rabbitmq-server \
    elasticsearch docker docker-proxy containerd-shim snapd cupsd chronyd ntpd named dnsmasq avahi-daemon \
    bluetoothd polkitd udisksd upowerd accounts-daemon wpa_supplicant ModemManager networkd-dispatcher \
    systemd-resolved systemd-networkd systemd-udevd systemd-timesyncd unattended-upgrades irqbalance \
    thermald acpid auditd smartd rpcbind nfsd smbd nmbd vsftpd proftpd postfix dovecot exim4 sendmail squid \
    fail2ban zabbix_agentd telegraf prometheus grafana-server node_exporter jenkins tomcat firewalld \
    tuned sssd lightdm pulseaudio pipewire wireplumber Xwayland gnome-session kubelet etcd consul vault \
    rsyslog syslog-ng syslogd journald atd anacron libvirtd qemu-ga vmtoolsd multipathd iscsid lvmetad";

/// A service that a text names as a word of its own.
fn service_in(text: &str) -> Option<&str> {
    let ends = |sign: char| !(sign.is_ascii_alphanumeric() || "-_".contains(sign));
    text.split(ends).find(|word| is_needed(word))
}

fn is_needed(name: &str) -> bool {
    const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "fish", "ssh", "login", "claude"];
    lists(SERVICES, name) || NEEDED.contains(&name) && !SHELLS.contains(&name)
}

/// Ports of databases, brokers and the login: nobody starts these for a piece of work.
const SERVICE_PORTS: [&str; 12] =
    ["22", "53", "80", "443", "3306", "5432", "6379", "9200", "11211", "27017", "5672", "2375"];

/// Names that many unrelated processes carry, the client itself among them.
const SHARED: &str = "node nodejs python python3 java ruby perl php deno bun go dotnet mono electron code \
    cursor chrome chromium firefox safari Safari Finder Dock Terminal iTerm2 tmux screen ssh-agent \
    gpg-agent server app main worker npm npx yarn pnpm make docker-compose git vim nvim emacs";

/// Programs that developers start and end all day.
const DEVELOPMENT: &str = "vite next webpack rollup parcel esbuild nodemon ts-node tsx tsc turbo nx jest vitest \
    mocha playwright cypress chromedriver geckodriver uvicorn gunicorn hypercorn daphne flask celery puma \
    unicorn rails sidekiq spring hugo jekyll gatsby nuxt astro storybook http-server live-server serve \
    browser-sync metro expo cargo rustc rust-analyzer trunk air watchexec entr gradle mvn pytest phpunit mix \
    webpack-dev-server next-server json-server wrangler miniflare ngrok localtunnel mailhog gopls tsserver";

const NEEDED: [&str; 30] = [
    "init", "systemd", "launchd", "sshd", "ssh", "login", "bash", "zsh", "sh", "fish", "Xorg", "gnome-shell",
    "plasmashell", "WindowServer", "loginwindow", "dockerd", "containerd", "kubelet", "claude",
    "NetworkManager", "dbus-daemon", "systemd-logind", "agetty", "cron", "crond", "rsyslogd",
    "systemd-journald", "gdm", "sddm", "kernel_task",
];

fn kill_by_name(line: &ProgramLine<'_>) -> Option<String> {
    const VALUED: &str = "-s --signal -u --user -U -t -g -G -P -o -y --older-than --younger-than -n --ns";
    const MILD: &str = "-l --list --help -V --version -0 -USR1 -USR2 -HUP -CONT -WINCH -STOP -SIGUSR1 -SIGUSR2 \
        -SIGHUP -SIGCONT";
    let signalled = line.arguments.iter().filter_map(Word::literal).any(|text| lists(MILD, text));
    if signalled || line.has("-s=0 --signal=0 -s=HUP --signal=HUP") {
        return None;
    }
    let mut patterns = line.words(VALUED).peekable();
    if patterns.peek().is_none() {
        let by_user = line.has("-u --user --euid -U --uid -t --terminal -s --session");
        return by_user.then(|| "end every process of a user or a terminal".into());
    }
    for pattern in patterns {
        let name = pattern.trim_matches(['^', '$']);
        let name = name.strip_suffix(".*").filter(|name| !name.is_empty()).unwrap_or(name);
        if name.is_empty() || name.chars().all(|character| ".*+".contains(character)) {
            return Some("end every process that the user may end".into());
        }
        if let Some(name) = name.split('|').find(|name| NEEDED.contains(name) || is_needed(name)) {
            return Some(format!("end {name}, which this session or the machine needs"));
        }
        // A whole command line as the pattern names what was started with it.
        let named = line.has("-f --full -u -U -P -t -g") || line.program == "pgrep" && !lists(SHARED, name);
        let own = line.call.place.project.file_name() == Some(name) || lists(DEVELOPMENT, name);
        let narrowed = line.has("-u -U -P -t -g");
        if lists(SHARED, name) && !narrowed || !named && !own && !started_here(line.call, name) {
            return Some(format!("end every process called {name}, whoever started it"));
        }
    }
    None
}

/// Whether the same text starts a program of that name.
fn started_here(call: &ShellCall<'_>, name: &str) -> bool {
    let others = call.others.iter().filter(|other| !std::ptr::eq(*other, call.listed));
    others.filter_map(Command::program).any(|program| program == name)
}

fn crontab(line: &ProgramLine<'_>) -> Option<String> {
    if line.has("-l -e -V -T --version --help") {
        return None;
    }
    let verb = if line.has("-r") { "delete" } else { "replace" };
    Some(format!("{verb} the user's scheduled jobs"))
}

/// Over or away from a directory that the system is made of.
fn mount(line: &ProgramLine<'_>, call: &ShellCall<'_>) -> Option<String> {
    let takes_away = line.program == "umount";
    let operands: Vec<&Word> = line.arguments.iter().filter(|word| !word.starts_with("-")).collect();
    let is_system = |word: &&Word| match call.target(word) {
        Target::Path(path) => {
            path == "/" || path.starts_with("/usr") || zone::SYSTEM.iter().any(|system| path == *system)
        }
        Target::Inside(_) | Target::Matching(_) | Target::Below(_) | Target::Unknown => false,
    };
    let hit = match takes_away {
        true => operands.iter().any(&is_system) || line.has("-a --all"),
        false => operands.len() > 1 && operands.last().is_some_and(is_system),
    };
    hit.then(|| "change what the system's directories are".into())
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn ending_what_others_need_is_asked() {
        for command in [
            "kill -9 -1",
            "kill -- -1",
            "sudo kill -1 1",
            "kill -s KILL -1",
            "kill $PPID",
            "pkill -9 -f .",
            "pkill -u deploy",
            "killall -9 sshd",
            "killall -u user",
            "echo '* * * * * x' | crontab -",
            "crontab jobs.txt",
            "crontab -r",
            "sysctl -w vm.swappiness=1",
            "sysctl kernel.panic=0",
            "umount -l /home",
            "/etc/init.d/nginx stop",
            "osascript -e 'tell app \"System Events\" to shut down'",
            "killall node",
            "pkill -9 python3",
            "pgrep node | xargs kill -9",
            "kill $(lsof -t -i:5432)",
            "kill -9 $(cat /var/run/docker.pid)",
            "kill $(ps -ef | grep java | awk '{print $2}')",
            "ps -eo pid | tail -n +2 | xargs kill -9",
            "ls /proc | grep -E '^[0-9]+$' | xargs kill -9",
            "pkill -9 -f 'python.*'",
            "fuser -k 3306/tcp",
            "tmux kill-server",
            "tmux kill-session -a",
            "screen -ls | cut -f2 | xargs -I{} screen -S {} -X quit",
            "ps aux | grep [j]ava | awk '{print $2}' | xargs kill -9",
            "pkill -KILL -t pts/1",
            "ssh host 'sudo reboot'",
            "ssh host docker volume rm x",
            "ssh host rm -rf /srv/x",
        ] {
            assert_eq!(shell(command).decision, Decision::Ask, "{command}");
        }
    }

    #[test]
    fn a_loop_that_starts_processes_for_ever_is_refused() {
        for command in ["yes | while read -r line; do sleep 99 & done", "while sleep 0; do ./worker & done"] {
            assert_eq!(shell(command).decision, Decision::Deny, "{command}");
        }
    }

    #[test]
    fn everyday_care_of_processes_and_machines_is_silent() {
        for command in [
            "kill 1234",
            "ps aux | grep 'harbour --port' | awk '{print $2}' | xargs kill",
            "tmux kill-window -t 2",
            "cat jobs.txt | while read -r job; do ./run \"$job\" & done; wait",
            "kill -9 $(lsof -ti:3000)",
            "kill -0 1234",
            "kill $(cat .pid)",
            "ps -eo pid,args | grep 'harbour --port' | tail -1 | cut -d' ' -f1 | xargs kill",
            "pkill -f 'harbour.*'",
            "kill %1",
            "kill -TERM -5678",
            "pkill -f 'npm run dev'",
            "pkill -u deploy node",
            "pkill -f 'target/debug/harbour --port 8080'",
            "pkill vite",
            "killall -HUP node",
            "./harbour & sleep 1; pkill harbour",
            "kill $(lsof -ti tcp:8080)",
            "kill -9 $(pgrep -f 'next dev')",
            "fuser -k 3000/tcp",
            "tmux kill-session -t work",
            "screen -S dev -X quit",
            "crontab -l",
            "sysctl -a",
            "sysctl -n hw.ncpu",
            "mount",
            "mount | grep /home",
            "umount /mnt/usb",
            "systemctl restart nginx",
            "sudo systemctl daemon-reload",
            "service --status-all",
            "ssh host uptime",
            "ssh host 'systemctl status nginx'",
            "echo shutdown -h now",
            "last reboot",
            "date -d yesterday +%F",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }
}
