//! Whatever a command takes away after the first change of a prompt can be had back, or was asked about.

use crate::context::TestContext;
use serde_json::{Value, json};

/// A project in which a change was made in this prompt already.
struct Project {
    context: TestContext,
    /// Makes every content one of its own.
    round: usize,
}

impl Project {
    fn new() -> Self {
        let context = TestContext::new();
        context.write(".gitignore", "local/\n*.secret\nbuild/\n");
        context.write("src/a.txt", "committed\n");
        context.commit("files");
        assert_eq!(context.before_bash("touch first").decision(), None);
        let mut project = Self { context, round: 0 };
        project.anew();
        project
    }

    /// As after the last commit, with untracked, dirty and ignored files that somebody wrote since.
    fn anew(&mut self) {
        let context = &self.context;
        let clean = "git checkout -qf main; git reset -q --hard; git clean -qfdx; git stash clear";
        assert!(context.bash(clean).status.success());
        self.round += 1;
        for (name, text) in [
            ("u.txt", "untracked\n"),
            ("readme.md", "dirty\n"),
            ("src/a.txt", "dirty too\n"),
            ("local/notes/thesis.md", "ignored\n"),
            ("other.txt", "b\na\n"),
            ("new/u.txt", "new u\n"),
            ("new/src/a.txt", "new a\n"),
            ("new/local/notes/thesis.md", "new thesis\n"),
        ] {
            context.write(name, format!("{} {text}", self.round));
        }
        let made = context.bash(
            "tar cf ../a.tar -C new . && rm -f ../a.zip && (cd new && zip -q ../../a.zip u.txt); \
             git diff --no-index --no-color u.txt new/u.txt > ../u.patch; diff -u u.txt new/u.txt > ../plain.patch; \
             printf \"open('u.txt','w').write('by a script')\" > ../script.py; \
             printf 'echo by a script > \"$1\"\\n' > ../script.sh",
        );
        assert!(made.status.success());
    }

    /// The command is reviewed by the real hook and, if nothing was said, run.
    #[track_caller]
    fn assert_nothing_lost(&mut self, command: &str) {
        self.anew();
        let before = self.context.disk();
        let answer = self.context.before_bash(command);
        if answer.decision().is_some() {
            return;
        }
        self.context.bash(command);
        assert_eq!(self.context.lost_since(&before), [""; 0], "{command}");
    }
}

#[test]
fn what_a_command_overwrites_is_kept_first() {
    let mut project = Project::new();
    for command in [
        "echo x > u.txt",
        ": > u.txt",
        "> readme.md",
        "echo x >| u.txt",
        "cp other.txt u.txt",
        "cp other.txt readme.md",
        "cp new/u.txt .",
        "cp -r new/. .",
        "cp new/* .",
        "mv other.txt u.txt",
        "mv new/u.txt .",
        "mv -f other.txt readme.md && rm new/u.txt",
        "echo x | tee u.txt",
        "ln -sf other.txt u.txt",
        "dd if=other.txt of=u.txt 2>/dev/null",
        "sort -o other.txt other.txt",
        "sort other.txt -o u.txt",
        "tar xf ../a.tar",
        "tar -x -f ../a.tar",
        "sed -i s/untracked/x/ u.txt",
        "sed -i s/dirty/x/ *.md src/*.txt",
        "perl -pi -e s/dirty/x/ readme.md",
        "unzip -qo ../a.zip",
        "python3 -m zipfile -e ../a.zip .",
        "rsync new/u.txt u.txt",
        "install -m 644 other.txt u.txt",
        "curl -s -o u.txt file:///etc/hostname",
        "patch -s u.txt < ../plain.patch",
        "patch -s -p0 < ../plain.patch",
        "git checkout -- u.txt; git apply ../u.patch",
        "git checkout -- readme.md",
        "git checkout .",
        "git restore src",
        "git stash -q",
        "git stash -q --include-untracked",
        "git stash -q && git stash drop -q",
        "git reset -q --hard",
        "git clean -qfd",
        "truncate -s 3 u.txt",
        "python3 ../script.py",
        "python3 -c \"open('u.txt','w').write('x')\"",
        "python3 -c \"import shutil; shutil.copy('other.txt','u.txt')\"",
        "bash ../script.sh u.txt",
        "bash -c 'echo x > u.txt'",
        "for f in u.txt readme.md; do echo x > \"$f\"; done",
        "f=u.txt; echo x > $f",
        "printf 'u.txt\\n' | while read -r f; do echo x > \"$f\"; done",
        "find . -maxdepth 1 -name 'u.*' -exec sed -i s/u/x/ {} +",
        "awk '{ print > \"u.txt\" }' other.txt",
        "cat other.txt 1> u.txt",
        "cd src && echo x > ../u.txt",
        "(cd new && cp u.txt ../u.txt)",
        "mv u.txt v.txt && echo x > v.txt",
        "mv u.txt v.txt; cp other.txt v.txt; rm v.txt",
        "ln -s u.txt link && echo x > link",
        "cp u.txt u.bak && echo x > u.txt && rm u.bak",
        "git mv -f src/a.txt readme.md",
        "git checkout HEAD~1 -- readme.md",
        "gzip -f u.txt && rm u.txt.gz",
        "split -b 1 other.txt u.tx && mv other.txt u.txt",
    ] {
        project.assert_nothing_lost(command);
    }
}

#[test]
fn what_a_command_deletes_is_kept_first_also_where_git_ignores_it() {
    let mut project = Project::new();
    for command in [
        "rm u.txt",
        "unlink u.txt",
        "shred -u u.txt",
        "find . -name u.txt -delete",
        "find . -name '*.txt' -exec rm {} +",
        "find local -type f -delete",
        "git ls-files -o --exclude-standard | xargs rm",
        "rm local/notes/thesis.md",
        "rm local/notes/*",
        "rm local/notes/*.md",
        "rm -r local/notes",
        "rm -rf local",
        "cd local && rm -rf notes",
        "git clean -qfdX",
        "git clean -qfdx",
        "echo x > local/notes/thesis.md",
        "cp other.txt local/notes/thesis.md",
        "cp -r new/local .",
        "sed -i s/ignored/x/ local/notes/thesis.md",
        "sed -i s/ignored/x/ local/notes/*.md",
        "truncate -s 0 local/notes/thesis.md",
        "python3 -c \"import os; os.remove('local/notes/thesis.md')\"",
        "python3 -c \"import os; os.remove('u.txt')\"",
        "python3 -c \"import shutil; shutil.rmtree('local')\"",
        "mv local old && rm -rf old",
        "rsync -a --delete new/src/ local/notes/",
        "for f in u.txt other.txt; do rm \"$f\"; done",
    ] {
        project.assert_nothing_lost(command);
    }
}

#[test]
fn the_tools_of_the_client_are_no_other_way() {
    let Project { context, .. } = Project::new();
    let before = context.disk();
    for name in ["u.txt", "local/notes/thesis.md", "readme.md"] {
        let input = json!({"file_path": context.path(name), "content": "x"});
        assert_eq!(context.before("Write", input).decision(), None);
        context.write(name, "x");
    }
    assert_eq!(context.lost_since(&before), [""; 0]);
}

/// Six MiB of something.
fn large() -> Vec<u8> {
    (0..6 * 1024 * 1024_u32).map(|number| (number % 251) as u8).collect()
}

#[test]
fn what_no_checkpoint_can_hold_is_asked_about() {
    let Project { context, .. } = Project::new();
    for name in ["thesis.pdf", "local/video.mp4"] {
        context.write(name, large());
    }
    for command in [
        "rm thesis.pdf",
        "rm local/video.mp4",
        "rm -rf local",
        "unlink thesis.pdf",
        "shred -u thesis.pdf",
        "find . -name '*.pdf' -delete",
        "git clean -fdX",
        "echo x > thesis.pdf",
        ": > thesis.pdf",
        "cp u.txt thesis.pdf",
        "mv u.txt thesis.pdf",
        "ln -sf u.txt thesis.pdf",
        "tee thesis.pdf < u.txt",
        "dd if=u.txt of=thesis.pdf",
        "sed -i s/a/b/ thesis.pdf",
        "sed -i s/a/b/ *.pdf",
        "truncate -s 0 thesis.pdf",
        "sort -o thesis.pdf u.txt",
        "python3 -c \"import os; os.remove('thesis.pdf')\"",
        "for f in *.pdf; do rm \"$f\"; done",
        "ls *.pdf | xargs rm",
        "ls *.pdf | while read -r f; do rm \"$f\"; done",
        "mv thesis.pdf x.pdf && rm x.pdf",
        "bash -c 'rm thesis.pdf'",
    ] {
        let answer = context.before_bash(command);
        assert!(answer.decision().is_some(), "{command}: {}", answer.json);
    }
    let input = json!({"file_path": context.path("thesis.pdf"), "content": "x"});
    assert_eq!(context.before("Write", input).decision(), Some("ask"));
    let told = context.plimsoll(&["explain", "-v", "rm thesis.pdf"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("cannot be undone") && !told.contains(" can be undone"), "{told}");
    for command in
        ["mv thesis.pdf kept.pdf", "chmod 600 thesis.pdf", "touch thesis.pdf", "cp thesis.pdf x.pdf"]
    {
        assert_eq!(context.before_bash(command).decision(), None, "{command}");
    }
}

#[test]
fn what_can_be_made_again_goes_in_silence_however_large_it_is() {
    let Project { context, .. } = Project::new();
    context.write("src/big.dat", large());
    context.commit("large");
    for name in ["build/app", "node_modules/x/y", "app.log", "target/debug/app", "lib.so"] {
        context.write(name, large());
    }
    for command in [
        "rm build/app",
        "rm -rf build node_modules target",
        "rm app.log",
        "rm lib.so",
        "echo x > app.log",
        "rm src/big.dat",
        "rm \"$f\"",
        "echo x > build/app",
        "rm missing.pdf",
        "echo x > new.txt",
    ] {
        assert_eq!(context.before_bash(command).decision(), None, "{command}");
    }
}

#[test]
fn without_checkpoints_nothing_is_said_to_come_back() {
    let Project { context, .. } = Project::new();
    context.user_config("interventions: {checkpoint_rollback: {before_changes: false}}\n");
    for command in ["rm u.txt", "echo x > u.txt"] {
        let told = context.plimsoll(&["explain", "-v", command]);
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(told.contains("cannot be undone") && !told.contains(" can be undone"), "{command}: {told}");
    }
}

#[test]
fn a_copy_comes_back_by_its_id_and_that_is_undone_like_every_restore() {
    let Project { context, .. } = Project::new();
    let was = context.read("u.txt").unwrap();
    let ignored = context.read("local/notes/thesis.md").unwrap();
    assert_eq!(context.before_bash("echo x > u.txt; rm local/notes/thesis.md").decision(), None);
    context.bash("echo x > u.txt; rm local/notes/thesis.md");
    let listed = context.plimsoll(&["checkpoint", "copies", "u.txt", "local", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    for (name, text) in [("u.txt", &was), ("local/notes/thesis.md", &ignored)] {
        let copy = listed.as_array().unwrap().iter().find(|copy| copy["path"] == name).unwrap();
        context.restore(copy["id"].as_str().unwrap(), &[], 0);
        assert_eq!(context.read(name).as_ref(), Some(text), "{name}");
    }
    context.undo();
    assert_eq!(context.read("local/notes/thesis.md"), None);
    let shown = context.plimsoll(&["checkpoint", "copies"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.lines().all(|line| line.starts_with("copy-")) && shown.contains("u.txt"), "{shown}");
}

#[test]
fn a_restore_brings_an_ignored_file_back_that_a_command_took_away() {
    let Project { context, .. } = Project::new();
    let was = context.read("local/notes/thesis.md").unwrap();
    let id = context.checkpoint();
    assert_eq!(context.before_bash("echo x > local/notes/thesis.md").decision(), None);
    context.bash("echo x > local/notes/thesis.md");
    context.restore(&id, &[], 0);
    assert_eq!(context.read("local/notes/thesis.md"), Some(was));
}
