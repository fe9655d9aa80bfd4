//! Services, accounts, the network and the machine itself.

use super::table::{Tool, destroys, disrupts, exposes};

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
        names: &["pm2"],
        valued: "",
        reads: "",
        rows: &[
            disrupts("kill", "stop everything that pm2 keeps running", "pm2 kill", "pm2 list"),
            disrupts(
                "delete|del|stop all",
                "stop everything that pm2 keeps running",
                "pm2 delete all",
                "pm2 delete web",
            ),
        ],
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
        names: &["softwareupdate"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "restart the machine", "softwareupdate -ia -R", "softwareupdate -l")
            .needs("-R --restart")],
    },
];
