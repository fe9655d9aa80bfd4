//! Services, processes, schedules, accounts, the network and the machine itself.

use super::line::Line;
use super::table::{Tool, destroys, disrupts, exposes};
use super::{Call, Meaning};
use crate::shell::{Part, Word};
use crate::step::effect::{Effect, Target};
use crate::step::zone;

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["systemctl"],
        valued: "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --root --job-mode -s \
            --signal --what --kill-whom --kill-who",
        reads: "",
        rows: &[
            disrupts(
                "stop|disable|mask|kill|isolate|revert|set-default",
                "stop or switch off a service",
                "sudo systemctl stop nginx",
                "systemctl --user stop app",
            )
            .unless("--user"),
            disrupts(
                "halt|poweroff|reboot|soft-reboot|kexec|suspend|hibernate|hybrid-sleep|emergency|rescue|exit",
                "stop the machine",
                "systemctl poweroff -i",
                "systemctl status nginx",
            ),
        ],
    },
    Tool {
        names: &["service", "rc-service"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "? stop|force-stop|full-stop",
            "stop a service",
            "sudo service nginx stop",
            "service nginx restart",
        )],
    },
    Tool {
        names: &["sv", "initctl", "supervisorctl", "apachectl", "apache2ctl", "monit"],
        valued: "-c --configuration -s --serverurl -u -p",
        reads: "",
        rows: &[disrupts(
            "stop|down|force-stop|force-shutdown|shutdown|remove|graceful-stop|quit",
            "stop a service",
            "supervisorctl stop all",
            "supervisorctl status",
        )],
    },
    Tool {
        names: &["rc-update", "update-rc.d", "chkconfig"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "* del|delete|remove|disable|off",
            "keep a service from starting",
            "sudo update-rc.d ssh disable",
            "chkconfig --list",
        )],
    },
    Tool {
        names: &["launchctl"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "unload|bootout|remove|disable|stop|kill|reboot",
            "stop or switch off a service",
            "launchctl bootout gui/501/com.x",
            "launchctl print gui/501",
        )],
    },
    Tool {
        names: &["nginx"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "stop the web server", "sudo nginx -s stop", "sudo nginx -s reload")
            .needs("-s=stop -s=quit")],
    },
    Tool {
        names: &["shutdown", "reboot", "halt", "poweroff", "pm-suspend", "pm-hibernate"],
        valued: "-h -t -r ",
        reads: "",
        rows: &[
            disrupts("", "stop the machine", "sudo shutdown -h now", "shutdown -c").unless("-c --show -w -k")
        ],
    },
    Tool {
        names: &["init", "telinit"],
        valued: "",
        reads: "",
        rows: &[disrupts("0|1|6|s|S", "stop the machine", "sudo init 0", "init q")],
    },
    Tool {
        names: &["loginctl"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "terminate-*|kill-*|poweroff|reboot|halt|suspend|hibernate",
            "end sessions or stop the machine",
            "loginctl terminate-user x",
            "loginctl list-sessions",
        )],
    },
    Tool {
        names: &["kexec", "kexec-load"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "boot another kernel at once", "kexec -e", "kexec -p -l x").needs("-e --exec")],
    },
    Tool {
        names: &["iptables", "ip6tables", "iptables-legacy", "iptables-nft", "ebtables", "arptables"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "change the firewall", "sudo iptables -F", "sudo iptables -nvL").needs(
            "-F --flush -X --delete-chain -P --policy -A --append -I --insert -D --delete -R --replace",
        )],
    },
    Tool {
        names: &["iptables-restore", "ip6tables-restore"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "",
            "replace the firewall",
            "iptables-restore rules.v4",
            "iptables-restore -t rules.v4",
        )
        .unless("-t --test")],
    },
    Tool {
        names: &["nft"],
        valued: "",
        reads: "list",
        rows: &[
            disrupts(
                "flush|delete|destroy|add|insert|replace",
                "change the firewall",
                "nft flush ruleset",
                "nft list ruleset",
            ),
            disrupts("*", "replace the firewall", "nft -f rules.nft", "nft -c -f rules.nft")
                .needs("-f --file")
                .unless("-c --check"),
        ],
    },
    Tool {
        names: &["ufw"],
        valued: "",
        reads: "",
        rows: &[
            disrupts(
                "disable|reset|delete|deny|reject|default|enable|limit|insert",
                "change the firewall",
                "sudo ufw --force reset",
                "sudo ufw status",
            ),
            exposes("allow|route", "open a port of this machine", "sudo ufw allow 22", "sudo ufw show added"),
        ],
    },
    Tool {
        names: &["firewall-cmd", "pfctl"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "",
            "change the firewall",
            "firewall-cmd --remove-service=ssh",
            "firewall-cmd --list-all",
        )
        .needs("--remove-* --add-* --panic-on --set-* --complete-reload -F -d -f")
        .unless("-n")],
    },
    Tool {
        names: &["ip"],
        valued: "-n -netns --netns -b -batch -f -family",
        reads: "",
        rows: &[
            disrupts(
                "link|l|li|lin set|s",
                "take the network down",
                "ip link set eth0 down",
                "ip link set eth0 up",
            )
            .needs("down"),
            disrupts(
                "link|l|addr|address|a|ad|route|r|ro|rule|ru|netns|tunnel del|delete|d|flush|f|replace|change|chg",
                "change how this machine reaches the network",
                "sudo ip route del default",
                "ip route show default",
            ),
        ],
    },
    Tool {
        names: &["ifconfig"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "? down|delete|-alias",
            "take the network down",
            "sudo ifconfig en0 down",
            "ifconfig en0",
        )],
    },
    Tool {
        names: &["ifdown"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "take the network down", "sudo ifdown eth0", "sudo ifdown --no-act eth0")
            .unless("--no-act -n")],
    },
    Tool {
        names: &["nmcli"],
        valued: "-f --fields -m --mode -c --colors -w --wait -e --escape",
        reads: "show status list",
        rows: &[disrupts(
            "* down|delete|off|disconnect",
            "take the network down",
            "nmcli con down home",
            "nmcli con show home",
        )],
    },
    Tool {
        names: &["networksetup"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "",
            "change the network settings",
            "networksetup -setairportpower en0 off",
            "networksetup -getairportpower en0",
        )
        .needs("-set* -remove* -delete* -create* -order* -switchtolocation")],
    },
    Tool {
        names: &["route"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "del|delete|flush|change|add",
            "change how this machine reaches the network",
            "sudo route del default",
            "route -n get default",
        )],
    },
    Tool {
        names: &["tc"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "qdisc|class|filter add|del|delete|replace|change",
            "change how this machine sends",
            "tc qdisc add dev eth0 root netem loss 50%",
            "tc qdisc show",
        )],
    },
    Tool {
        names: &["rfkill"],
        valued: "",
        reads: "",
        rows: &[disrupts("block", "take the network down", "rfkill block wifi", "rfkill list")],
    },
    Tool {
        names: &["hostnamectl", "timedatectl", "localectl"],
        valued: "-H --host -M --machine",
        reads: "",
        rows: &[disrupts(
            "set-*",
            "change the machine's name, clock or language",
            "timedatectl set-time 12:00",
            "timedatectl status",
        )],
    },
    Tool {
        names: &["date", "hwclock"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "set the clock", "date -s '2020-01-01'", "date +%s")
            .needs("-s=* --set -w --systohc --hctosys")
            .unless("-d --date -u=+*")],
    },
    Tool {
        names: &["scutil", "nvram", "csrutil", "spctl"],
        valued: "",
        reads: "",
        rows: &[
            disrupts("disable|clear", "switch a protection off", "csrutil disable", "csrutil status"),
            disrupts("", "change how this machine is set up", "spctl --master-disable", "spctl --status")
                .needs("--set -c --master-disable --global-disable --disable --add --remove"),
        ],
    },
    Tool {
        names: &["setenforce"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "0|Permissive|permissive",
            "switch a protection off",
            "sudo setenforce 0",
            "sudo setenforce 1",
        )],
    },
    Tool {
        names: &["aa-disable", "aa-complain", "aa-teardown"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "switch a protection off", "aa-teardown", "aa-teardown --help")],
    },
    Tool {
        names: &["auditctl"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "switch a watch off", "auditctl -e 0", "auditctl -l").needs("-e=0 -D")],
    },
    Tool {
        names: &["modprobe"],
        valued: "",
        reads: "",
        rows: &[disrupts("?", "take a driver out of the kernel", "sudo modprobe -r e1000", "modprobe e1000")
            .needs("-r --remove")
            .unless("-n")],
    },
    Tool {
        names: &["insmod", "rmmod", "kextunload", "swapoff"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "change what the kernel runs with", "sudo swapoff -a", "swapoff --version")
            .unless("--version -V")],
    },
    Tool {
        names: &["update-grub", "grub-install", "grub2-install", "update-initramfs"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "change how the machine boots", "sudo update-grub", "update-grub --version")
            .unless("--version -V")],
    },
    Tool {
        names: &["efibootmgr", "bootctl", "grub2-mkconfig", "grub-mkconfig"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "change how the machine boots", "efibootmgr -b 0001 -B", "efibootmgr -v").needs(
            "-B --delete-bootnum -c --create -o --bootorder --output -n --bootnext -O -N install remove set-default",
        )],
    },
    Tool {
        names: &[
            "useradd",
            "adduser",
            "userdel",
            "deluser",
            "usermod",
            "groupadd",
            "addgroup",
            "groupdel",
            "delgroup",
            "groupmod",
            "gpasswd",
            "chpasswd",
            "newusers",
            "vipw",
            "vigr",
            "chsh",
            "sysadminctl",
        ],
        valued: "",
        reads: "",
        rows: &[exposes(
            "",
            "change accounts of this machine or their rights",
            "sudo usermod -aG sudo x",
            "useradd -D",
        )
        .unless("-D -l --list-shells --version")],
    },
    Tool {
        names: &["visudo", "passwd", "dseditgroup"],
        valued: "",
        reads: "",
        rows: &[exposes(
            "",
            "change accounts of this machine or their rights",
            "sudo passwd -l x",
            "sudo passwd -S x",
        )
        .unless("-S --status -c --check --list -o=read -o=checkmember --version")],
    },
    Tool {
        names: &["chage"],
        valued: "",
        reads: "",
        rows: &[
            exposes("", "change when a password ends", "sudo chage -E 0 x", "chage -l x").unless("-l --list")
        ],
    },
    Tool {
        names: &["dscl"],
        valued: "",
        reads: "",
        rows: &[exposes(
            "",
            "change accounts of this machine or their rights",
            "dscl . -create /Users/x",
            "dscl . -list /Users",
        )
        .needs("-create -delete -append -change -changei -passwd -merge")],
    },
    Tool {
        names: &["setcap"],
        valued: "",
        reads: "",
        rows: &[exposes(
            "",
            "give a program rights of root",
            "sudo setcap cap_setuid+ep ./x",
            "setcap -v x y",
        )
        .unless("-v -r")],
    },
    Tool {
        names: &["xhost"],
        valued: "",
        reads: "",
        rows: &[exposes("", "let everybody onto the screen", "xhost +", "xhost").needs("+")],
    },
    Tool {
        names: &["history"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "wipe the shell's history", "history -c", "history 20").needs("-c -d")],
    },
    Tool {
        names: &["unset"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "stop the shell's history", "unset HISTFILE", "unset FOO").needs("HISTFILE")],
    },
    Tool {
        names: &["journalctl"],
        valued: "",
        reads: "",
        rows: &[destroys("", "deletes the system's journal", "journalctl --vacuum-time=1s", "journalctl -f")
            .needs("--vacuum-*")],
    },
    Tool {
        names: &["dmesg"],
        valued: "",
        reads: "",
        rows: &[destroys("", "clears the kernel's log", "sudo dmesg -C", "dmesg -T")
            .needs("-C --clear -c --read-clear")],
    },
    Tool {
        names: &["trash-empty"],
        valued: "",
        reads: "",
        rows: &[destroys("", "deletes everything in the trash", "trash-empty -f", "trash-empty --dry-run")],
    },
    Tool {
        names: &["gpg", "gpg2"],
        valued: "",
        reads: "",
        rows: &[destroys("", "deletes keys", "gpg --delete-secret-keys x", "gpg --list-secret-keys")
            .needs("--delete-secret-* --delete-key --delete-keys")],
    },
    Tool {
        names: &["security"],
        valued: "",
        reads: "",
        rows: &[
            destroys(
                "delete-*",
                "deletes keys or passwords from the keychain",
                "security delete-generic-password -s x",
                "security find-generic-password -s x",
            ),
            exposes(
                "add-trusted-cert|authorizationdb",
                "change what this machine trusts",
                "security add-trusted-cert x.pem",
                "security verify-cert -c x.pem",
            )
            .unless("read"),
        ],
    },
    Tool {
        names: &["vault", "bao"],
        valued: "-address -namespace -ca-cert -format",
        reads: "",
        rows: &[
            destroys("delete", "deletes secrets", "vault delete secret/x", "vault read secret/x"),
            destroys(
                "kv delete|destroy|metadata",
                "deletes secrets",
                "vault kv destroy -versions=1 secret/x",
                "vault kv metadata get secret/x",
            )
            .unless("get put"),
            destroys(
                "secrets|auth|audit|policy|namespace disable|delete",
                "deletes secrets or who may read them",
                "vault secrets disable kv",
                "vault secrets list",
            ),
            disrupts(
                "operator|token|lease seal|step-down|rekey|rotate|revoke",
                "lock the vault or take away what others sign in with",
                "vault operator seal",
                "vault operator members",
            ),
        ],
    },
    Tool {
        names: &["consul"],
        valued: "-http-addr -token -datacenter -namespace",
        reads: "",
        rows: &[
            destroys(
                "kv|config delete",
                "deletes keys",
                "consul kv delete -recurse app/",
                "consul kv get app/x",
            ),
            destroys(
                "snapshot restore",
                "overwrites everything",
                "consul snapshot restore x",
                "consul snapshot inspect x",
            ),
            disrupts("leave|force-leave", "take a node out", "consul force-leave n1", "consul members"),
        ],
    },
    Tool {
        names: &["pass", "gopass", "op", "bw", "lpass", "secret-tool", "doppler", "infisical"],
        valued: "--vault --account --session -p --project -c --config",
        reads: "show get list ls read",
        rows: &[destroys(
            "* rm|remove|delete|clear|unset",
            "deletes secrets",
            "op item delete x",
            "op item get x",
        )],
    },
    Tool {
        names: &["certbot"],
        valued: "",
        reads: "",
        rows: &[destroys(
            "delete|revoke",
            "deletes or revokes a certificate",
            "certbot delete --cert-name x",
            "certbot certificates",
        )],
    },
    Tool {
        names: &["softwareupdate"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "restart the machine", "softwareupdate -ia -R", "softwareupdate -l")
            .needs("-R --restart")],
    },
];

/// What no table can say.
pub fn survey(line: &Line<'_>, call: &Call<'_>, meaning: &mut Meaning) {
    let what = match line.program {
        "kill" => kill(line),
        "pkill" | "killall" | "skill" => kill_by_name(line),
        "killall5" => Some("end every process of this machine".into()),
        "crontab" => crontab(line),
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
fn init_script(line: &Line<'_>, call: &Call<'_>) -> Option<String> {
    let script = call.command.words.first()?.literal()?;
    let stops = script.starts_with("/etc/init.d/") && line.begins_with("stop", "", "");
    stops.then(|| "stop a service".into())
}

fn kill(line: &Line<'_>) -> Option<String> {
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
    let is_parent = |word: &Word| matches!(word.parts.as_slice(), [Part::Variable(name)] if name == "PPID");
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

fn kill_by_name(line: &Line<'_>) -> Option<String> {
    const VALUED: &str = "-s --signal -u --user -U -t -g -G -P -o -y --older-than --younger-than -n --ns";
    const NEEDED: [&str; 30] = [
        "init",
        "systemd",
        "launchd",
        "sshd",
        "ssh",
        "login",
        "bash",
        "zsh",
        "sh",
        "fish",
        "Xorg",
        "gnome-shell",
        "plasmashell",
        "WindowServer",
        "loginwindow",
        "dockerd",
        "containerd",
        "kubelet",
        "claude",
        "NetworkManager",
        "dbus-daemon",
        "systemd-logind",
        "agetty",
        "cron",
        "crond",
        "rsyslogd",
        "systemd-journald",
        "gdm",
        "sddm",
        "kernel_task",
    ];
    if line.has("-l --list --help -V --version -0") {
        return None;
    }
    let mut patterns = line.words(VALUED).peekable();
    if patterns.peek().is_none() {
        let by_user = line.has("-u --user --euid -U --uid");
        return by_user.then(|| "end every process of a user".into());
    }
    for pattern in patterns {
        let name = pattern.trim_matches(['^', '$']);
        if name.is_empty() || name.chars().all(|character| ".*+".contains(character)) {
            return Some("end every process that the user may end".into());
        }
        if NEEDED.contains(&name) {
            return Some(format!("end {name}, which this session or the machine needs"));
        }
    }
    None
}

fn crontab(line: &Line<'_>) -> Option<String> {
    if line.has("-l -e -V -T --version --help") {
        return None;
    }
    let verb = if line.has("-r") { "delete" } else { "replace" };
    Some(format!("{verb} the user's scheduled jobs"))
}

/// Over or away from a directory that the system is made of.
fn mount(line: &Line<'_>, call: &Call<'_>) -> Option<String> {
    let takes_away = line.program == "umount";
    let operands: Vec<&Word> = line.arguments.iter().filter(|word| !word.starts_with("-")).collect();
    let is_system = |word: &&Word| match call.target(word) {
        Target::Path(path) => path == "/" || zone::SYSTEM.iter().any(|system| path == *system),
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
    use crate::step::Course;
    use crate::step::sample::shell;

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
            "ssh host 'sudo reboot'",
            "ssh host docker volume rm x",
            "ssh host rm -rf /srv/x",
        ] {
            assert_eq!(shell(command).course, Course::Ask, "{command}");
        }
    }

    #[test]
    fn everyday_care_of_processes_and_machines_is_silent() {
        for command in [
            "kill 1234",
            "kill -9 $(lsof -ti:3000)",
            "kill -0 1234",
            "kill %1",
            "kill -TERM -5678",
            "pkill -f 'npm run dev'",
            "pkill -u deploy node",
            "killall node",
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
            assert!(shell(command).course < Course::Ask, "{command}");
        }
    }
}
