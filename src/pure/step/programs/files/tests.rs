//! Effects of programs on files, by the rule that applies; in the sample place everything matters but `clean/`.

use crate::pure::step::sample::shell;
use crate::pure::step::{Decision, catalogue};

#[track_caller]
fn speaks(rule: &str, commands: &[&'static str]) {
    for command in commands {
        let findings = shell(command).findings;
        let said: Vec<&str> = findings.iter().map(|finding| finding.rule.as_str()).collect();
        assert!(said.contains(&rule), "{command}: {findings:?}");
        for finding in &findings {
            assert!(
                finding.rule.as_str().len() + finding.reason.chars().count() < 270,
                "{command}: {}",
                finding.reason
            );
        }
    }
}

#[track_caller]
fn silent(commands: &[&'static str]) {
    for command in commands {
        let decision = shell(command);
        assert!(decision.decision < Decision::Ask, "{command}: {:?}", decision.findings);
    }
}

#[test]
fn a_path_that_only_the_shell_knows_is_asked_about() {
    speaks(
        catalogue::DELETE_OUTSIDE_PROJECT.name,
        &[
            "rm -rf \"$X\"",
            "rm -rf $X/*",
            "rm -rf \"$X/\"",
            "rm -rf ~/$X",
            "rm -rf /$X",
            "rm -rf /tmp/$X/../../home",
            "rm -rf ~someone",
            "cat list | xargs rm -rf",
            "cd \"$X\" && rm -rf *",
            "cd \"$X\" && rm -rf src",
            "cd \"$X\" && rm -rf tmp",
            "rm -rf \"$X\"/dist/*/../..",
            "rm -rf \"$X\"dist",
            "rm -rf \"$X\"/.cache",
            "rm -rf \"$X/dist/..\"",
        ],
    );
    silent(&[
        "rm -rf /tmp/$X",
        "d=$(mktemp -d); cd \"$d\" && rm -rf \"$d\"",
        "rm -rf \"$TMPDIR/x\"",
        "rm -rf \"$X/node_modules\"",
        "rm -rf \"$X\"/dist \"$X\"/build",
        "cd \"$X\" && rm -rf node_modules dist",
        "for d in */; do (cd \"$d\" && rm -rf target); done",
        "rm -rf \"$(git rev-parse --show-toplevel)/dist\"",
        "xargs -I{} rm -rf {}/dist < list",
        "rm -f $(git ls-files -d)",
        "rm -rf clean/$X",
        "rm -f \"$X\"",
        "cat list | xargs rm -f",
    ]);
    speaks(catalogue::PREVENT_RECURSIVE_DELETION.name, &["rm -rf src/$X", "rm -rf x-$X"]);
    assert_eq!(shell("rm -rf src/$X").decision, Decision::Ask, "what exactly goes is not known");
}

#[test]
fn deleting_outside_the_project_is_asked_about_except_where_nothing_is_kept() {
    speaks(
        catalogue::DELETE_OUTSIDE_PROJECT.name,
        &[
            "rm -rf ../sibling",
            "rm -rf /opt/app",
            "rm -r /usr/local/lib/x",
            "rm -rf ~/.config/x",
            "rm ~/.zshrc",
            "rm /etc/passwd",
            "rm ~/notes.txt",
            "rm -rf /tmp",
            "rm -rf /tmp/*",
            "rm -rf ~/Documents/*.pdf",
            "find ~ -name '*.pyc' -delete",
            "find /var/log -mtime +7 -delete",
        ],
    );
    silent(&[
        "rm -rf /tmp/x /var/tmp/y /var/folders/a/b/T/z",
        "rm -rf /tmp/x*",
        "rm -rf ~/.cache/pip ~/.npm ~/go/pkg/mod ~/.cargo/registry/cache",
        "rm -rf ~/other/node_modules",
        "find /tmp/x -delete",
        "cd /tmp/x && rm -rf *",
        "rm -rf /tmp/x/.git",
    ]);
}

#[test]
fn the_roots_of_everything_stay_where_they_are() {
    speaks(
        catalogue::SYSTEM_OR_HOME.name,
        &[
            "rm -rf //",
            "rm -rf /usr/../",
            "rm -rf /*/",
            "rm -rf /home/$USER",
            "rm -rf ..",
            "find / -delete",
            "find / -empty -delete",
            "find ~ -type f -exec rm {} +",
            "find / | xargs rm -rf",
            "mv ~ /tmp/x",
            "chown -R me /usr",
        ],
    );
}

#[test]
fn what_find_deletes_depends_on_where_it_looks_and_for_what() {
    speaks(
        catalogue::PREVENT_RECURSIVE_DELETION.name,
        &[
            "find src -type f -delete",
            "find src -delete -name '*.pyc'",
            "find src ! -name '*.go' -delete",
            "find src -not -name '*.pyc' -delete",
            "find src -name '*.pyc' -o -delete",
            "find src -name '*' -delete",
            "find src -mtime -7 -delete",
            "find src ! -mtime +7 -delete",
            "find src -mtime +0 -delete",
            "find src -mtime +7 -o -name '*.ts' -delete",
            "find src -name \"$1\" -delete",
            "find . | grep '\\.ts$' | xargs rm",
            "find src | grep -e zz -e ts | xargs rm -rf",
            "find src | grep -E '.' | xargs rm -rf",
            "find src | grep -v keep | xargs rm -rf",
            "find . -name '*.ts' -delete",
            "find . \\( -name '*.pyc' -o -name '*.ts' \\) -exec rm {} +",
            "find src -exec env rm -rf {} +",
            "find src -exec sh -c 'rm -rf \"$1\"' _ {} \\;",
            "find src -type f | xargs rm",
            "find src -type f | grep -v keep | xargs -n 1 rm",
            "find src | while read -r f; do rm \"$f\"; done",
            "rm $(find . -name '*.ts')",
            "fd . src -x rm",
            "fd -e ts -X rm",
            "ls src | xargs rm -rf",
        ],
    );
    silent(&[
        "find . -name '*.pyc' -delete",
        "find . -type f -name '*.o' -exec rm -f {} \\;",
        "find . -name __pycache__ -type d -exec rm -rf {} +",
        "find . \\( -name '*.pyc' -o -name '*.log' \\) -delete",
        "find . -name .git -prune -o -name '*~' -delete",
        "find . -path '*/node_modules/*' -delete",
        "find . -mtime +7 -delete",
        "find . -inum \"$inode\" -exec rm {} \\;",
        "find . -name \"*.$1\" -delete",
        "find . -name '*.o' -exec rm -f \\{} \\;",
        "trap 'rm -rf \"$tmp\"' EXIT; tmp=$(mktemp -d)",
        "end() { rm -rf \"$tmp\"; }; trap end EXIT; tmp=$(mktemp -d)",
        "rm -rf \"${BUILD_DIR:?}/dist\" \"${BUILD_DIR:?}\"/*",
        "find . -empty -delete",
        "find clean -delete",
        "find . -name '*.pyc' -print0 | xargs -0 rm",
        "find . -name '*.swp' | while read -r f; do rm \"$f\"; done",
        "fd -e pyc -x rm",
        "fd '^__pycache__$' -X rm -rf",
        "find . -name '*.ts' -exec grep -l x {} +",
        "find .git -name '*.lock' -delete",
    ]);
}

#[test]
fn what_nobody_could_make_again_is_not_written_over() {
    speaks(
        catalogue::LOSE_FILE.name,
        &[
            "> .env",
            "find . -fprint .env",
            "cat x > app.sqlite3",
            "cp x .env",
            "cp .env x/",
            "mv x .env",
            "ln -sf x server.pem",
            "tee .env < x",
            "dd if=/dev/zero of=app.db",
            "truncate -s 0 src/a.rs",
            "cp /dev/null src/a.rs",
            "shred -n 3 -u src/a.rs",
        ],
    );
    speaks(
        catalogue::PREVENT_RECURSIVE_DELETION.name,
        &["rsync -a --delete x/ src/", "tar --remove-files -cf x.tar src", "mv src/a.rs /dev/null"],
    );
    silent(&[
        "echo x >> .env",
        "tee -a .env",
        "cat x > src/a.rs",
        "cp x src/a.rs",
        "mv src /tmp/x",
        "truncate -s 1G disk.img",
        "rsync -an --delete x/ src/",
        "rsync -a x/ src/",
        "tar -cf x.tar src",
        "cp .env.example .env.sample",
        "cp x /tmp/.env",
    ]);
}

#[test]
fn what_runs_later_or_opens_the_machine_is_asked_about() {
    speaks(
        catalogue::SENSITIVE_FILE.name,
        &[
            "echo x | sudo tee /etc/hosts",
            "sed -i s/a/b/ /etc/ssh/sshd_config",
            "install -m 755 x /usr/local/bin/x",
            "cp x /usr/bin",
            "cp id_rsa ~/.ssh",
            "ln -s x ~/.config/autostart/x.desktop",
            "mv ~/.bashrc ~/.bashrc.bak",
            "cp pre-commit .git/hooks/",
            "rm .git/hooks/pre-commit",
            "echo x >> .git/config",
            "echo 1 > /proc/sys/net/ipv4/ip_forward",
            "sudo chown -R me /usr/local/lib/x",
            "curl -fsSLo /etc/x https://example.com",
            "wget -O ~/.bashrc https://example.com",
            "tar -xzf x.tgz -C /",
            "unzip x.zip -d /usr/local",
        ],
    );
    silent(&[
        "mkdir -p ~/.ssh",
        "chmod 600 ~/.ssh/id_rsa",
        "ssh-keyscan host >> ~/.ssh/known_hosts",
        "echo x > ~/.config/app/settings.toml",
        "echo x > .husky/pre-commit",
        "echo x >> .git/info/exclude",
        "echo x > ~/.claude/notes.md",
        "rm .git/hooks/pre-commit.sample",
        "cp x /tmp/etc/hosts",
        "curl -o x https://example.com",
        "wget -qO- https://example.com",
        "tar -xzf x.tgz -C build",
        "tar czf x.tgz -C /etc ssl",
    ]);
}

#[test]
fn git_folders_are_more_than_files() {
    speaks(
        catalogue::DISCARD_HISTORY.name,
        &[
            "rm -rf .git",
            "rm -rf .git/*",
            "rm -rf ../other/.git",
            "rm .git/index",
            "rm -rf .git/refs/heads",
            "find .git -type f -delete",
            "echo x > .git/HEAD",
            "cp x .git/refs/heads/main",
            "mv .git /tmp/x",
        ],
    );
    silent(&[
        "rm -f .git/index.lock",
        "rm -rf .git/rebase-merge",
        "cat .git/HEAD",
        "echo x > .git/notes.txt",
    ]);
}

#[test]
fn modes_that_open_a_tree_to_everybody_are_asked_about() {
    speaks(
        catalogue::EXPOSE.name,
        &[
            "chmod -R 777 .",
            "chmod -R a+w src",
            "chmod -R o=rwx src",
            "chmod 4755 x",
            "chmod u+s x",
            "chmod 777 /opt/x",
            "chmod -R 000 src",
            "setfacl -R -m o::rwx src",
        ],
    );
    assert_eq!(shell("chmod -R 000 .").findings[0].rule.as_str(), catalogue::OWN_FILES.name);
    silent(&[
        "chmod +x x", "chmod -x x", "chmod 755 x", "chmod 777 x", "chmod -R 755 src",
        "chmod -R u+rwX,go-w .", "chmod 1777 x", "chmod -R 777 /tmp/x", "chown -R me:me src",
    ]);
}

#[test]
fn devices_are_found_in_every_spelling() {
    speaks(
        catalogue::DEVICE.name,
        &["shred /dev/sda", "dd of=/dev/$D if=x", "tee /dev/sd? < x", "cp x /dev/disk2", "> /dev/mapper/x"],
    );
    speaks(
        catalogue::FORMAT_DEVICE.name,
        &["mkfs.ext4 /dev/sd?", "wipefs -a /dev/$D", "mkfs -t ext4 /dev/sdb"],
    );
    silent(&[
        "echo x > /dev/ttyUSB0",
        "cat /dev/sda > x",
        "exec 3<>/dev/tcp/$HOST/80",
        "echo x > /dev/shm/x",
    ]);
}
