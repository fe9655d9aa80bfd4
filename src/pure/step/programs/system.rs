//! Services, accounts, the network and the machine itself.

use super::table::{ProgramTable, destroys, disrupts, exposes, programs};

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("systemctl")
        .valued(
            "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --root \
                 --job-mode -s --signal --what --kill-whom --kill-who",
        )
        .rows(&[
            disrupts("stop|disable|mask|kill|isolate|revert|set-default", "stop or switch off a service")
                .unless("--user"),
            disrupts("enable", "start a program at every boot").needs("/* ~/* ./*"),
            disrupts(
                "halt|poweroff|reboot|soft-reboot|kexec|suspend|suspend-then-hibernate|hibernate|hybrid-sleep|emergency|\
                 rescue|exit",
                "stop the machine",
            ),
        ]),
    programs("service rc-service").rows(&[disrupts("? stop|force-stop|full-stop", "stop a service")]),
    programs("sv initctl supervisorctl apachectl apache2ctl monit")
        .valued("-c --configuration -s --serverurl -u -p")
        .rows(&[disrupts(
            "stop|down|force-stop|force-shutdown|shutdown|remove|graceful-stop|quit",
            "stop a service",
        )]),
    programs("rc-update update-rc.d chkconfig")
        .rows(&[disrupts("* del|delete|remove|disable|off", "keep a service from starting")]),
    programs("launchctl").rows(&[
        disrupts("unload|bootout|remove|disable|stop|kill|reboot", "stop or switch off a service"),
        disrupts("submit|bootstrap|load", "start a program at every login"),
    ]),
    programs("s6-svc s6-rc").rows(&[disrupts("", "stop a service").needs("-d -k -x -D change")]),
    programs("gnome-session-quit qdbus xfce4-session-logout kquitapp5 kquitapp6")
        .rows(&[disrupts("", "end the session of the user").unless("--version")]),
    programs("wmctrl").rows(&[disrupts("", "close windows of the user").needs("-c")]),
    programs("update-alternatives alternatives")
        .rows(&[disrupts("", "replace a program of the system").needs("--set --install --config")]),
    programs("dpkg-divert").rows(&[disrupts("", "replace a program of the system").needs("--add --rename")]),
    programs("mokutil").rows(&[disrupts("", "change what this machine boots")
        .needs("--disable-validation --reset --delete")]),
    programs("authconfig authselect pam-auth-update").rows(&[disrupts("", "change how people sign in")
        .needs("--update --updateall select --force --remove --enable disable-feature")]),
    programs("semanage").rows(&[disrupts("?", "change what the system allows").needs("-d --delete -D --deleteall")]),
    programs("flashrom").rows(&[disrupts("", "overwrite the firmware").needs("-w --write -E --erase")]),
    programs("pm2").rows(&[
        disrupts("kill", "stop everything that pm2 keeps running"),
        disrupts("delete|del|stop all", "stop everything that pm2 keeps running"),
    ]),
    programs("nginx").rows(&[disrupts("", "stop the web server").needs("-s=stop -s=quit")]),
    programs("shutdown reboot halt poweroff pm-suspend pm-hibernate")
        .valued("-h -t -r ")
        .rows(&[disrupts("", "stop the machine").unless("-c --show -w -k")]),
    programs("init telinit").rows(&[disrupts("0|1|6|s|S", "stop the machine")]),
    programs("loginctl").rows(&[
        disrupts(
            "terminate-*|kill-*|poweroff|reboot|halt|suspend|hibernate",
            "end sessions or stop the machine",
        ),
        disrupts("enable-linger", "keep programs running when nobody is signed in"),
    ]),
    programs("kexec kexec-load").rows(&[disrupts("", "boot another kernel at once").needs("-e --exec")]),
    programs("iptables ip6tables iptables-legacy iptables-nft ebtables arptables").rows(&[disrupts(
        "", "change the firewall",
    )
    .needs(
        "-F --flush -X --delete-chain -P --policy -A --append -I --insert -D --delete -R \
                 --replace",
    )]),
    programs("iptables-restore ip6tables-restore")
        .rows(&[disrupts("", "replace the firewall").unless("-t --test")]),
    programs("nft").reads("list").rows(&[
        disrupts("flush|delete|destroy|add|insert|replace", "change the firewall"),
        disrupts("*", "replace the firewall").needs("-f --file").unless("-c --check"),
    ]),
    programs("ufw").rows(&[
        disrupts("disable|reset|delete|deny|reject|default|enable|limit|insert", "change the firewall"),
        exposes("allow|route", "open a port of this machine"),
    ]),
    programs("firewall-cmd pfctl").rows(&[disrupts("", "change the firewall")
        .needs("--remove-* --add-* --panic-on --set-* --complete-reload -F -d -f")
        .unless("-n")]),
    programs("ip").valued("-n -netns --netns -b -batch -f -family").rows(&[
        disrupts("link|l|li|lin set|s", "take the network down").needs("down"),
        disrupts(
            "link|l|addr|address|a|ad|route|r|ro|rule|ru|netns|tunnel del|delete|d|flush|f|replace|\
                 change|chg",
            "change how this machine reaches the network",
        ),
    ]),
    programs("ifconfig").rows(&[disrupts("? down|delete|-alias", "take the network down")]),
    programs("ifdown").rows(&[disrupts("", "take the network down").unless("--no-act -n")]),
    programs("nmcli")
        .valued("-f --fields -m --mode -c --colors -w --wait -e --escape")
        .reads("show status list")
        .rows(&[disrupts("* down|delete|off|disconnect", "take the network down")]),
    programs("networksetup").rows(&[disrupts("", "change the network settings")
        .needs("-set* -remove* -delete* -create* -order* -switchtolocation")]),
    programs("route")
        .rows(&[disrupts("del|delete|flush|change|add", "change how this machine reaches the network")]),
    programs("tc").rows(&[disrupts(
        "qdisc|class|filter add|del|delete|replace|change",
        "change how this machine sends",
    )]),
    programs("rfkill").rows(&[disrupts("block", "take the network down")]),
    programs("hostnamectl timedatectl localectl")
        .valued("-H --host -M --machine")
        .rows(&[disrupts("set-*", "change the machine's name, clock or language")]),
    programs("date").rows(&[disrupts("", "set the clock").needs("-s=* --set").unless("-d --date -u=+*")]),
    programs("hwclock").rows(&[disrupts("", "set the clock").needs("-s --set -w --systohc --hctosys")]),
    programs("scutil nvram csrutil spctl").rows(&[
        disrupts("disable|clear", "switch a protection off"),
        disrupts("", "change how this machine is set up")
            .needs("--set -c --master-disable --global-disable --disable --add --remove"),
    ]),
    programs("setenforce").rows(&[disrupts("0|Permissive|permissive", "switch a protection off")]),
    programs("aa-disable aa-complain aa-teardown").rows(&[disrupts("", "switch a protection off")]),
    programs("auditctl").rows(&[disrupts("", "switch a watch off").needs("-e=0 -e0 -D")]),
    programs("modprobe")
        .rows(&[disrupts("?", "take a driver out of the kernel").needs("-r --remove").unless("-n")]),
    programs("insmod rmmod kextunload swapoff")
        .rows(&[disrupts("", "change what the kernel runs with").unless("--version -V")]),
    programs("update-grub grub-install grub2-install update-initramfs").rows(&[disrupts(
        "",
        "change how the machine boots",
    )
    .unless("--version -V")]),
    programs("efibootmgr bootctl grub2-mkconfig grub-mkconfig").rows(&[disrupts(
        "",
        "change how the machine boots",
    )
    .needs(
        "-B --delete-bootnum -c --create -o --bootorder --output -n --bootnext -O -N install \
                 remove set-default",
    )]),
    programs(
        "useradd adduser userdel deluser usermod groupadd addgroup groupdel delgroup groupmod \
                 gpasswd chpasswd newusers vipw vigr chsh sysadminctl",
    )
    .rows(&[exposes("", "change accounts of this machine or their rights")
        .unless("-D -l --list-shells --version")]),
    programs("pw").valued("-R -V").rows(&[exposes(
        "useradd|userdel|usermod|groupadd|groupdel|groupmod|user|group|mod|add|del|lock|unlock",
        "change accounts of this machine or their rights",
    )]),
    programs("gsettings dconf")
        .rows(&[exposes("set|write", "run a program at a key").needs("*custom-keybinding*")]),
    programs("busctl").valued("--host -H --machine -M --address").rows(&[exposes(
        "call ? ? ? EnableUnitFiles|StartTransientUnit|LinkUnitFiles|StopUnit|MaskUnitFiles|PowerOff|Reboot",
        "start or stop what the system runs",
    )]),
    programs("visudo passwd dseditgroup").rows(&[exposes(
        "",
        "change accounts of this machine or their rights",
    )
    .unless("-S --status -c --check --list -o=read -o=checkmember --version")]),
    programs("chage").rows(&[exposes("", "change when a password ends").unless("-l --list")]),
    programs("dscl").rows(&[exposes("", "change accounts of this machine or their rights")
        .needs("-create -delete -append -change -changei -passwd -merge")]),
    programs("setcap").rows(&[exposes("", "give a program rights of root").unless("-v -r")]),
    programs("xhost").rows(&[exposes("", "let everybody onto the screen").needs("+")]),
    programs("history").rows(&[disrupts("", "wipe the shell's history").needs("-c -d")]),
    programs("unset").rows(&[disrupts("", "stop the shell's history").needs("HISTFILE")]),
    programs("journalctl").rows(&[destroys("", "deletes the system's journal").needs("--vacuum-*")]),
    programs("dmesg").rows(&[destroys("", "clears the kernel's log").needs("-C --clear -c --read-clear")]),
    programs("trash-empty").rows(&[destroys("", "deletes everything in the trash")]),
    programs("softwareupdate").rows(&[disrupts("", "restart the machine").needs("-R --restart")]),
];
