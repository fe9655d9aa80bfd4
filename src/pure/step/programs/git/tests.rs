//! Losses by git, by the rule that applies and by its advice.

use super::BUILTIN;
use crate::pure::step::sample::shell;
use crate::pure::step::{Decision, catalogue};

#[track_caller]
fn speaks(rule: &str, decision: Decision, commands: &[&'static str]) {
    for command in commands {
        let judged = shell(command);
        let said: Vec<&str> = judged.findings.iter().map(|finding| finding.rule.as_str()).collect();
        assert!(said.contains(&rule), "{command}: {:?}", judged.findings);
        assert_eq!(judged.decision, decision, "{command}: {:?}", judged.findings);
    }
}

#[track_caller]
fn silent(commands: &[&'static str]) {
    for command in commands {
        let decision = shell(command);
        assert!(decision.decision < Decision::Warn, "{command}: {:?}", decision.findings);
    }
}

#[test]
fn the_list_of_gits_own_commands_is_sorted() {
    assert!(BUILTIN.is_sorted());
}

#[test]
fn uncommitted_work_is_saved_before_it_is_thrown_away() {
    speaks(
        catalogue::DISCARD_CHANGES.name,
        Decision::Deny,
        &[
            "git reset --har",
            "git reset -q --hard HEAD~1",
            "git reset --merge",
            "git -C clone reset --hard",
            "git -Cclone reset --hard",
            "git -cx.y=z reset --hard",
            "git checkout -qf main",
            "git checkout --forc",
            "git checkout .",
            "git checkout -- a",
            "git checkout HEAD src",
            "git checkout main src/a.rs",
            "git checkout src/",
            "git checkout a.rs",
            "git checkout '*.rs'",
            "git switch -qf main",
            "git switch --discard main",
            "git restore .",
            "git restore -SW a",
            "git restore --staged --worktree a",
            "git restore -s HEAD~1 a",
            "git clean -xf",
            "git clean -d --forc",
            "git clean -e x -f",
            "git -c clean.requireForce=false clean",
            "git rm -rf .",
            "git rm --forc a",
            "git worktree remove -f ../x",
            "git submodule deinit -f --all",
            "git checkout-index -fa",
            "git read-tree -u --reset HEAD",
            "git -c alias.x='reset --hard' x",
            "git rebase -x 'git reset --hard' main",
            "git submodule foreach 'git reset --hard'",
            "git ls-files -o --exclude-standard | xargs rm",
            "git ls-files | xargs rm -f",
        ],
    );
    speaks(catalogue::DISCARD_CHANGES.name, Decision::Deny, &["git clone u x; cd src && git reset --hard"]);
}

#[test]
fn what_loses_nothing_is_silent() {
    silent(&[
        "git reset",
        "git reset --keep HEAD~1",
        "git reset --soft HEAD~1",
        "git reset HEAD a",
        "git checkout main",
        "git checkout feature/x",
        "git checkout v1.2.0",
        "git checkout -",
        "git checkout HEAD~1",
        "git checkout -bf",
        "git checkout -b x origin/main",
        "git checkout --orphan x",
        "git checkout --theirs a.rs",
        "git checkout -p",
        "git switch main",
        "git switch -cf",
        "git restore --staged .",
        "git restore -S a",
        "git restore -S --no-staged a",
        "git clean -n",
        "git clean -fdn",
        "git clean --forc --dry-r",
        "git clean -d",
        "git rm -r src",
        "git rm -rf --cached src",
        "git rm -nf a",
        "git stash",
        "git stash pop",
        "git stash list",
        "git branch -d x",
        "git branch -Dr origin/x",
        "git worktree remove ../x",
        "git worktree prune",
        "git reflog",
        "git reflog expire --dry-run --all",
        "git gc --aggressive",
        "git prune -n",
        "git filter-repo --analyze",
        "git commit --amend",
        "git rebase --abort",
        "git merge --abort",
        "git bisect reset",
        "git lfs prune",
        "git -C /tmp/x reset --hard",
        "cd /tmp/x && git clean -fdx",
        "git reset --help",
    ]);
}

#[test]
fn what_the_same_command_saves_first_is_not_lost() {
    silent(&[
        "git stash && git reset --hard",
        "git stash push -u -m x && git clean -fd",
        "git commit -am x && git checkout -f main",
        "git stash -u && git status && git reset --hard",
        "git stash apply && git stash drop",
        "git stash apply stash@{1} && npm test && git stash drop stash@{1}",
        "git stash apply && git stash drop stash@{0}",
    ]);
    speaks(
        catalogue::DISCARD_HISTORY.name,
        Decision::Ask,
        &[
            "git stash apply; git stash drop",
            "git stash pop && git stash drop",
            "git stash apply stash@{1} && git stash drop",
            "git stash apply && git stash push && git stash drop",
            "git stash apply && git checkout main && git stash drop",
            "git stash apply && git stash drop && git stash drop",
            "git -C x stash apply && git stash drop",
            "git stash show -p && git stash drop",
            "git stash apply && git stash clear",
        ],
    );
    speaks(
        catalogue::DISCARD_CHANGES.name,
        Decision::Deny,
        &[
            "git stash; git reset --hard",
            "git stash || git reset --hard",
            "git stash list && git reset --hard",
            "git stash -k && git reset --hard",
            "git stash push a && git reset --hard",
            "git stash && git clean -fd",
            "git -C x stash && git reset --hard",
            "git stash && false; git reset --hard",
            "git commit -m x && git reset --hard",
        ],
    );
}

#[test]
fn commits_and_the_means_to_get_them_back_are_asked_about() {
    speaks(
        catalogue::DISCARD_HISTORY.name,
        Decision::Ask,
        &[
            "git stash drop stash@{1}",
            "git branch -d -f x",
            "git branch -M x y",
            "git branch -f x HEAD~3",
            "git checkout -B x",
            "git switch -C x",
            "git tag -d v1",
            "git reflog delete HEAD@{1}",
            "git gc --pru=now",
            "git -c gc.reflogExpire=now gc",
            "git prune",
            "git filter-branch --tree-filter x",
            "git filter-repo --path x",
            "git-filter-repo --path x",
            "bfg --delete-files x",
            "java -jar ~/bfg-1.14.jar x",
            "git update-ref -d refs/heads/x",
            "git symbolic-ref --delete HEAD",
        ],
    );
}

#[test]
fn a_gentler_spelling_takes_the_place_of_force() {
    speaks(
        catalogue::REWRITE_REMOTE.name,
        Decision::Rewrite,
        &[
            "git push --force origin feature",
            "git push origin +feature",
            "git push -fu origin fix/x",
            "git push -f origin HEAD:x",
        ],
    );
    speaks(
        catalogue::DISCARD_HISTORY.name,
        Decision::Rewrite,
        &["git branch -D x", "git branch -qD x", "git branch | grep x | xargs git branch -D"],
    );
    speaks(
        catalogue::REWRITE_REMOTE.name,
        Decision::Ask,
        &[
            "git push -f",
            "git push --forc origin main",
            "git push -f origin HEAD",
            "git push origin +HEAD:release/1",
            "git push --force --force-with-lease",
            "git push origin :x",
            "git push -d origin x",
            "git push --mirror",
            "git push --prune origin",
            "git push -f --tags",
            "git push -f origin v1.0",
            "git push -f origin a b",
            "git -c alias.p='push --force origin feature' p",
        ],
    );
    silent(&[
        "git push",
        "git push -u origin x",
        "git push --force-with-lease origin main",
        "git push --force-if-includes --force-with-lease",
        "git push -nf",
        "git push --force --no-force",
        "git push --help -f",
    ]);
}

#[test]
fn what_git_hands_to_a_shell_is_looked_into() {
    for command in [
        "git -c core.pager='rm -rf src' -p log",
        "git -c pager.log='rm -rf src' log",
        "git -c core.sshCommand='rm -rf src;' fetch",
        "git -c sequence.editor='rm -rf src;' rebase -i HEAD~2",
        "git -c credential.helper='!rm -rf src' fetch",
        "git -c filter.x.smudge='rm -rf src' status",
        "git clone --upload-pack='rm -rf src;' . /tmp/x",
        "git clone 'ext::sh -c \"rm -rf src\"' x",
        "git grep -O'rm -rf src' word",
        "git difftool -y --extcmd='rm -rf src'",
        "git config --global alias.st '!rm -rf ~'",
        "git config alias.z 'reset --hard' && git z",
        "git config alias.z '!git clean -fd' && git z",
        "git diff | git apply -R",
        "git checkout -- 'src/*.c'",
        "git restore '*.c'",
    ] {
        assert!(shell(command).decision >= Decision::Ask, "{command}");
    }
    silent(&[
        "git -c core.pager='less -FRX' log",
        "git -c core.sshCommand='ssh -i k' fetch",
        "git -c sequence.editor='sed -i 1s/pick/edit/' rebase -i HEAD~2",
        "git -c credential.helper='!gh auth git-credential' fetch",
        "git -c core.comment='rm -rf src' log",
        "git config alias.lg 'log --oneline' && git lg",
        "git config --global core.editor 'code --wait'",
        "git diff | git apply --check -R",
        "git diff --cached | git apply -R --cached",
    ]);
}
