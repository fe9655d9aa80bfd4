//! Random histories of commands that overwrite and delete: after every step each byte that was on disk is in the working
//! tree, in git, in a checkpoint or in a copy, or its loss was asked about.

use super::dice::Dice;
use crate::context::TestContext;
use crate::extent::{cases, number};
use serde_json::json;
use std::fs;

/// So many with `PLIMSOLL_ALL_CASES`; `PLIMSOLL_CHECKPOINT_CASES` sets it, `PLIMSOLL_CHECKPOINT_SEED` repeats from one.
const CASES: u64 = 24;
const FEW: u64 = 4;
const STEPS: usize = 14;

const FILES: [&str; 14] = [
    "a.txt", "b.txt", "src/c.txt", "src/d.md", "src/deep/e.txt", "u.txt", "notes/f.md", "notes/g h.txt",
    "-dash.txt", "local/h.txt", "local/deep/i.md", "private.secret", "quo'te.txt", "link.txt",
];
const FOLDERS: [&str; 5] = ["src", "src/deep", "notes", "local", "local/deep"];

/// `F` and `G` stand for files, `D` and `E` for folders, `N` for a number that is never the same.
const COMMANDS: [&str; 76] = [
    "echo N > F",
    "echo N >| F",
    ": > F",
    "echo N >> F",
    "printf 'N\\n' > F; echo N > G",
    "cp F G",
    "cp -f F D/",
    "cp -r D E",
    "cp -r D/. E",
    "cp D/* E/",
    "mv F G",
    "mv -f F D/",
    "mv D/* E/",
    "echo N | tee F",
    "echo N | tee -a F",
    "echo N | tee F G > /dev/null",
    "ln -sf F G",
    "ln -f F G",
    "dd if=F of=G 2>/dev/null",
    "dd if=F of=G bs=1 count=2 conv=notrunc 2>/dev/null",
    "sort -o F G",
    "sort -r F -o F",
    "uniq F G",
    "tar xf ../archive.tar",
    "tar -xf ../archive.tar -C D",
    "sed -i s/1/N/ F",
    "sed -i s/1/N/ F G",
    "sed -i s/1/N/ D/*",
    "perl -pi -e s/1/N/ F",
    "unzip -qo ../archive.zip",
    "install -m 644 F G",
    "curl -s -o F file:///etc/hostname",
    "patch -s F < ../some.patch",
    "git apply ../some.patch",
    "git checkout -- F",
    "git checkout .",
    "git checkout side -- .",
    "git checkout -q side",
    "git checkout -q main",
    "git restore F",
    "git stash -q",
    "git stash -q -u",
    "git stash pop -q",
    "git stash -q && git stash drop -q",
    "git reset -q --hard",
    "git reset -q --hard HEAD~1",
    "git clean -qfd",
    "git clean -qfdx",
    "git add -A && git commit -qm N",
    "git mv -f F G",
    "git rm -qf F",
    "git merge -q side -m N",
    "rm F",
    "rm -f F G",
    "rm D/*",
    "rm -rf D",
    "unlink F",
    "shred -u F",
    "find D -type f -delete",
    "find D -name '*.txt' -exec rm {} +",
    "find D -type f | xargs rm",
    "truncate -s 0 F",
    "truncate -s 3 F",
    "python3 -c \"open('u.txt','w').write('N')\"",
    "python3 -c \"import os; os.remove('a.txt')\"",
    "python3 ../script.py F N",
    "bash ../script.sh F N",
    "for f in F G; do echo N > \"$f\"; done",
    "f=F; echo N > \"$f\"",
    "ls D | while read -r f; do echo N > D/\"$f\"; done",
    "for f in D/*; do rm \"$f\"; done",
    "mv F G && echo N > G",
    "mv D moved && rm -rf moved",
    "gzip -f F && rm -f F.gz",
    "cd D && echo N > x.txt && cp x.txt y.txt",
    "awk '{ print > \"b.txt\" }' F",
];

#[test]
fn no_history_of_overwrites_and_deletions_loses_a_byte_in_silence() {
    let count = number("PLIMSOLL_CHECKPOINT_CASES").unwrap_or_else(|| cases(FEW, CASES));
    let first = number("PLIMSOLL_CHECKPOINT_SEED").unwrap_or(1);
    let (mut run, mut asked) = (0, 0);
    for seed in first..first + count {
        let history = History::new(seed).play();
        (run, asked) = (run + history.run, asked + history.asked);
    }
    println!("{count} histories: {run} steps were run, {asked} were asked about or refused");
}

struct History {
    context: TestContext,
    dice: Dice,
    log: Vec<String>,
    /// Makes every content one of its own.
    counter: usize,
    run: usize,
    asked: usize,
}

impl History {
    fn new(seed: u64) -> Self {
        let context = TestContext::new();
        let log = vec![format!("seed {seed}")];
        let mut history = Self { context, dice: Dice::new(seed), log, counter: 0, run: 0, asked: 0 };
        let ignored = if history.dice.roll(4) == 0 { "" } else { "local/\n*.secret\n" };
        history.context.write(".gitignore", ignored);
        for _ in 0..6 {
            history.by_hand();
        }
        history.context.commit("some");
        history.context.git(&["checkout", "-q", "-b", "side"]);
        history.by_hand();
        history.context.write("a.txt", "1 on the side\n");
        history.context.commit("side");
        history.context.git(&["checkout", "-q", "main"]);
        history.context.write("b.txt", "1 on main\n");
        history.context.commit("main");
        history.tools();
        history
    }

    /// An archive, a patch and scripts beside the project.
    fn tools(&self) {
        let root = self.context.beside("material");
        for name in ["a.txt", "src/c.txt", "notes/f.md", "local/h.txt"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), format!("out of the archive {name}\n")).unwrap();
        }
        fs::write(
            self.context.beside("script.py"),
            "import sys\nopen(sys.argv[1], 'w').write(sys.argv[2])\n",
        )
        .unwrap();
        fs::write(self.context.beside("script.sh"), "printf '%s' \"$2\" > \"$1\"\n").unwrap();
        let patch = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-1 on main\n+1 patched\n";
        fs::write(self.context.beside("some.patch"), patch).unwrap();
        let made = self.context.bash("cd ../material && tar cf ../archive.tar . && zip -qr ../archive.zip .");
        assert!(made.status.success());
    }

    fn play(mut self) -> Self {
        for _ in 0..STEPS {
            match self.dice.roll(10) {
                0 => drop(self.context.prompt("user-prompt-start", "go on", &self.counter.to_string())),
                1 | 2 => self.by_hand(),
                3 => self.by_tool(),
                _ => self.by_command(),
            }
        }
        self
    }

    fn unique(&mut self) -> String {
        self.counter += 1;
        format!("1 {}", self.counter)
    }

    /// Somebody writes a file; no hook sees that.
    fn by_hand(&mut self) {
        let (name, text) = (*self.dice.pick(&FILES), self.unique());
        self.log.push(format!("by hand: {name} = {text}"));
        let path = self.context.path(name);
        if fs::create_dir_all(path.parent().unwrap()).is_ok() && !path.is_dir() {
            let _ = fs::write(&path, format!("{text}\nby hand\n"));
        }
    }

    fn by_tool(&mut self) {
        let (name, text) = (*self.dice.pick(&FILES), self.unique());
        self.log.push(format!("Write: {name} = {text}"));
        let before = self.context.disk();
        let path = self.context.path(name);
        let answer = self.context.before("Write", json!({"file_path": path, "content": text}));
        if answer.decision().is_none() && fs::create_dir_all(path.parent().unwrap()).is_ok() {
            let _ = fs::write(&path, &text);
        }
        self.assert_nothing_lost(&before);
    }

    fn by_command(&mut self) {
        let command = self.command();
        let before = self.context.disk();
        let answer = self.context.before_bash(&command);
        self.log.push(format!("{:?}: {command}", answer.decision()));
        if answer.decision().is_some() {
            self.asked += 1;
            return;
        }
        self.run += 1;
        self.context.bash(&command);
        self.assert_nothing_lost(&before);
    }

    /// A template with everything filled in.
    fn command(&mut self) -> String {
        let template = *self.dice.pick(&COMMANDS);
        let letters: Vec<char> = template.chars().collect();
        let mut command = String::new();
        let mut picked: Vec<(char, String)> = Vec::new();
        for (at, letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).map_or(' ', |at| letters[at]);
            let after = letters.get(at + 1).copied().unwrap_or(' ');
            let stands_alone =
                !before.is_alphanumeric() && !after.is_alphanumeric() && before != '-' && before != '"';
            match letter {
                'N' => command.push_str(&self.unique().replace(' ', "")),
                'F' | 'G' | 'D' | 'E' if stands_alone => {
                    // The same letter is the same file throughout.
                    let known =
                        picked.iter().find(|(other, _)| other == letter).map(|(_, name)| name.clone());
                    let names: &[&str] = if matches!(letter, 'F' | 'G') { &FILES } else { &FOLDERS };
                    let chosen: &str = self.dice.pick::<&str>(names);
                    let name = known.unwrap_or_else(|| quoted(chosen));
                    picked.push((*letter, name.clone()));
                    command.push_str(&name);
                }
                other => command.push(*other),
            }
        }
        command
    }

    fn assert_nothing_lost(&self, before: &super::disk::Disk) {
        let lost = self.context.lost_since(before);
        assert!(lost.is_empty(), "{lost:?} went in silence\n{}", self.log.join("\n"));
    }
}

fn quoted(name: &str) -> String {
    let safe = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    if safe.contains(['\'', ' ']) { format!("\"{safe}\"") } else { safe }
}
