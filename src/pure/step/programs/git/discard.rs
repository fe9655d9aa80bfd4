//! Losses by git: uncommitted work, untracked files, commits, and the means to get them back.

use super::super::ShellCall;
use super::super::invocation::Invocation;
use super::options::{GitOptions, GitTable};
use super::{carried, saved};
use crate::pure::shell::{Word, WordPart};
use crate::pure::step::effect::{Addressed, Effect, IgnoredFiles, Losing, Rewrite, Target};
use crate::pure::step::path::normal;
use camino::Utf8PathBuf;

const CHECKOUT: GitTable = GitTable {
    flags: "--force --quiet --ours --theirs --track --detach --merge --patch --guess --progress \
        --overlay --ignore-other-worktrees --ignore-skip-worktree-bits --overwrite-ignore \
        --recurse-submodules --pathspec-file-nul",
    valued: "-b -B -U --orphan --conflict --unified --inter-hunk-context --pathspec-from-file",
};
const SWITCH: GitTable = GitTable {
    flags: "--force --discard-changes --detach --merge --track",
    valued: "-c -C --force-create --create --orphan --conflict",
};
const RESTORE: GitTable = GitTable {
    flags: "--staged --worktree --patch --ours --theirs --merge --quiet --recurse-submodules \
        --pathspec-file-nul",
    valued: "-s -U --source --conflict --unified --pathspec-from-file",
};
const RESET: GitTable = GitTable {
    flags: "--hard --merge --keep --soft --mixed --quiet --patch",
    valued: "--pathspec-from-file",
};
const CLEAN: GitTable = GitTable { flags: "--force --dry-run --interactive --quiet", valued: "-e --exclude" };
const RM: GitTable = GitTable {
    flags: "--force --dry-run --cached --quiet --ignore-unmatch --sparse",
    valued: "--pathspec-from-file",
};
const BRANCH: GitTable = GitTable {
    flags: "--delete --force --move --copy --remotes --list --quiet --all --track --merged \
        --no-merged --show-current --unset-upstream --edit-description",
    valued: "-u --set-upstream-to --contains --no-contains --sort --points-at --format",
};
const TAG: GitTable = GitTable { flags: "--delete --list", valued: "-m -F -u --message --file --local-user" };
const WORKTREE: GitTable = GitTable { flags: "--force", valued: "" };
const SUBMODULE: GitTable = GitTable { flags: "--force --all --quiet", valued: "" };
const FETCH: GitTable = GitTable {
    flags: "--force --all --append --prune --tags --recurse-submodules",
    valued: "-j -o --depth --deepen --shallow-since --shallow-exclude --jobs --upload-pack --refmap \
        --negotiation-tip --filter --server-option",
};
const PLUMBING: GitTable = GitTable {
    flags: "--all --force --reset --dry-run --prune --temp --stdin --delete",
    valued: "--expire --prefix",
};

/// The losses by this git command, if it is made to discard something.
pub(crate) fn survey(git: &Invocation<'_>, call: &ShellCall<'_>) -> Vec<Effect> {
    let discard = Discard { git, call };
    let asks_for_help = git.arguments.iter().any(|word| matches!(word.literal(), Some("--help" | "-h")));
    if asks_for_help && git.subcommand != "checkout" {
        return Vec::new();
    }
    let mut effects = discard.effects();
    effects.retain(|effect| match effect {
        Effect::Discard { losing, .. } => !saved::is_saved(losing, git, call),
        _ => true,
    });
    effects
}

/// Where a pathspec points; `None` if it may be anything.
pub(super) fn path(git: &Invocation<'_>, call: &ShellCall<'_>, word: &Word) -> Option<Utf8PathBuf> {
    Discard { git, call }.path(word)
}

struct Discard<'a> {
    git: &'a Invocation<'a>,
    call: &'a ShellCall<'a>,
}

impl<'a> Discard<'a> {
    fn effects(&self) -> Vec<Effect> {
        match self.git.subcommand {
            "reset" => self.reset(),
            "checkout" => self.checkout(),
            "switch" => self.switch(),
            "restore" => self.restore(),
            "clean" => self.clean(),
            "rm" => self.rm(),
            "stash" => self.stash(),
            "branch" => self.branch(),
            "tag" => self.tag(),
            "worktree" => self.worktree(),
            "submodule" => self.submodule(),
            "update-ref" | "symbolic-ref" => self.reference(),
            "fetch" => self.fetch(),
            "checkout-index" | "read-tree" => self.index(),
            "apply" if carried::applies_backwards(self.git, self.call) => {
                vec![self.changes(&[], "applying the changes backwards")]
            }
            "reflog" | "gc" | "prune" | "filter-branch" | "filter-repo" => self.history(),
            _ => Vec::new(),
        }
    }

    fn options(&self, table: &GitTable) -> GitOptions<'a> {
        GitOptions::parse(self.git.arguments, table)
    }

    fn repository(&self) -> Addressed {
        self.git.repository.clone()
    }

    fn effect(&self, losing: Losing, how: &str) -> Effect {
        Effect::Discard { losing: self.if_made_here(losing), how: how.to_owned(), gentler: None }
    }

    /// Changes everywhere, or at these words.
    fn changes(&self, words: &[&Word], how: &str) -> Effect {
        self.effect(Losing::Changes { repository: self.repository(), paths: self.paths(words) }, how)
    }

    /// A repository that the same text makes loses only what was there before.
    fn if_made_here(&self, losing: Losing) -> Losing {
        match &self.git.repository {
            Addressed::Directory(path) if made_here(self.call, path) => {
                Losing::Path { path: path.clone(), recursive: true }
            }
            Addressed::Directory(_) | Addressed::Unknown => losing,
        }
    }

    /// Where pathspecs point; none if one of them may be anything.
    fn paths(&self, words: &[&Word]) -> Vec<Utf8PathBuf> {
        let found: Option<Vec<Utf8PathBuf>> = words.iter().map(|word| self.path(word)).collect();
        found.unwrap_or_default()
    }

    fn path(&self, word: &Word) -> Option<Utf8PathBuf> {
        let Addressed::Directory(directory) = &self.git.repository else { return None };
        if word.starts_with(":") {
            return None;
        }
        match crate::pure::step::path::target(word, Some(directory), self.call.place) {
            Target::Path(path) | Target::Inside(path) => Some(path),
            Target::Matching(pattern) if pattern.contains('(') => {
                Some(crate::pure::step::zone::fixed_front(&pattern))
            }
            Target::Matching(pattern) => Some(pattern.into()),
            Target::Below(_) | Target::Unknown => None,
        }
    }

    fn reset(&self) -> Vec<Effect> {
        let options = self.options(&RESET);
        let how = match () {
            () if options.has(&["hard"]) => "git reset --hard",
            () if options.has(&["merge"]) => "git reset --merge",
            () => return Vec::new(),
        };
        vec![self.changes(&[], how)]
    }

    fn checkout(&self) -> Vec<Effect> {
        let options = self.options(&CHECKOUT);
        if options.has(&["patch", "p"]) || options.has(&["ours", "2"]) || options.has(&["theirs", "3"]) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        if options.has(&["force", "f"]) {
            effects.push(self.changes(&[], "git checkout --force"));
        }
        if let Some(name) = options.value(&["B"]) {
            effects.push(self.branch_lost(name, "git checkout -B"));
        }
        if options.mentions(&["pathspec-from-file"]) {
            effects.push(self.changes(&[], "git checkout of paths"));
        }
        let switches = ["b", "B", "orphan", "detach", "d", "track", "t"];
        let (before, after) = options.operands.split_at(options.separator.unwrap_or(options.operands.len()));
        if !after.is_empty() {
            effects.push(self.changes(after, "git checkout of paths"));
        } else if options.separator.is_none() && !options.mentions(&switches) {
            effects.extend(self.checkout_of(before, options.mentions(&["recurse-submodules"])));
        }
        effects
    }

    /// Operands without `--`: a branch, or paths, or a commit and paths.
    fn checkout_of(&self, words: &[&Word], lone_words: bool) -> Option<Effect> {
        let how = "git checkout of paths";
        let (first, rest) = words.split_first()?;
        let path_like: Vec<&Word> = words.iter().filter(|word| is_path_like(word)).copied().collect();
        if !path_like.is_empty() {
            let named: Vec<&Word> = if is_path_like(first) { words.to_vec() } else { rest.to_vec() };
            return Some(self.changes(&named, how));
        }
        if !rest.is_empty() && !lone_words {
            return Some(self.changes(rest, how));
        }
        let word = words.last()?;
        let (text, path) = (word.literal()?, self.path(word)?);
        let is_commit = text.starts_with(['-', '@']) || text.contains(['~', '^', ':', '@']) || text == "HEAD";
        let losing = Losing::Named { repository: self.repository(), word: text.to_owned(), path };
        (!is_commit).then(|| self.effect(losing, how))
    }

    fn switch(&self) -> Vec<Effect> {
        let options = self.options(&SWITCH);
        let forced = options.has(&["force", "f", "discard-changes"]);
        let reset = options.value(&["force-create", "C"]).map(|name| self.branch_lost(name, "git switch -C"));
        forced.then(|| self.changes(&[], "git switch --discard-changes")).into_iter().chain(reset).collect()
    }

    fn restore(&self) -> Vec<Effect> {
        let options = self.options(&RESTORE);
        let (staged, worktree) = (["staged", "S"], ["worktree", "W"]);
        let names_place = options.mentions(&staged) || options.mentions(&worktree);
        let spares = (names_place && !options.has(&worktree))
            || options.has(&["patch", "p"])
            || options.has(&["ours", "2"])
            || options.has(&["theirs", "3"]);
        let named = !options.operands.is_empty() || options.mentions(&["pathspec-from-file"]);
        (!spares && named).then(|| self.changes(&options.operands, "git restore")).into_iter().collect()
    }

    fn clean(&self) -> Vec<Effect> {
        let options = self.options(&CLEAN);
        let unlocked = self.git.configured.iter().any(|(key, value)| {
            key == "clean.requireforce" && matches!(value.as_str(), "false" | "no" | "off" | "0")
        });
        let forced = options.has(&["force", "f"]) || unlocked;
        if !forced || options.has(&["dry-run", "n"]) || options.has(&["interactive", "i"]) {
            return Vec::new();
        }
        let ignored = match () {
            () if options.has(&["X"]) => IgnoredFiles::Only,
            () if options.has(&["x"]) => IgnoredFiles::Too,
            () => IgnoredFiles::Spared,
        };
        let paths = self.paths(&options.operands);
        let except = options.values(&["exclude", "e"]).map(ToOwned::to_owned).collect();
        vec![
            self.effect(
                Losing::Untracked { repository: self.repository(), paths, ignored, except },
                "git clean",
            ),
        ]
    }

    /// Without `-f` git refuses by itself where something would be lost.
    fn rm(&self) -> Vec<Effect> {
        let options = self.options(&RM);
        let spares = options.has(&["cached"]) || options.has(&["dry-run", "n"]);
        let loses = options.has(&["force", "f"]) && !spares;
        loses.then(|| self.changes(&options.operands, "git rm --force")).into_iter().collect()
    }

    fn stash(&self) -> Vec<Effect> {
        let loses = match self.git.arguments.first().and_then(Word::literal) {
            Some("drop") => Some("git stash drop"),
            Some("clear") => Some("git stash clear"),
            _ => None,
        };
        let losing = Losing::Stash { repository: self.repository() };
        loses.map(|how| self.effect(losing, how)).into_iter().collect()
    }

    fn branch_lost(&self, name: &str, how: &str) -> Effect {
        self.effect(Losing::Branch { repository: self.repository(), name: name.to_owned() }, how)
    }

    fn branch(&self) -> Vec<Effect> {
        let options = self.options(&BRANCH);
        if options.has(&["remotes", "r"]) {
            return Vec::new();
        }
        let forced = options.has(&["force", "f"]);
        let names = options.operands.iter().map(|word| word.literal().unwrap_or_default());
        if options.has(&["D"]) || (options.has(&["delete", "d"]) && forced) {
            let gentler = self.gentler_delete();
            let lost = names.map(|name| self.branch_lost(name, "git branch -D"));
            return lost.map(|effect| with_gentler(effect, gentler.clone())).collect();
        }
        let replaces =
            options.has(&["M"]) || options.has(&["C"]) || forced && options.has(&["move", "m", "copy", "c"]);
        let moved = match () {
            () if replaces => options.operands.last(),
            () if forced => options.operands.first(),
            () => None,
        };
        let how = if replaces { "git branch -M" } else { "git branch --force" };
        moved.map(|word| self.branch_lost(word.literal().unwrap_or_default(), how)).into_iter().collect()
    }

    /// `-d` refuses by itself what `-D` would lose.
    fn gentler_delete(&self) -> Option<Rewrite> {
        let is_cluster = |text: &&str| text.starts_with('-') && !text.starts_with("--") && text.contains('D');
        let typed = self.git.arguments.iter().filter_map(Word::literal).find(is_cluster)?;
        Some(Rewrite { replace: vec![(typed.to_owned(), typed.replace('D', "d"))] })
    }

    fn tag(&self) -> Vec<Effect> {
        let options = self.options(&TAG);
        if !options.has(&["delete", "d"]) {
            return Vec::new();
        }
        let names = options.operands.iter().filter_map(|word| word.literal());
        names.map(|name| self.branch_lost(&format!("refs/tags/{name}"), "git tag -d")).collect()
    }

    fn worktree(&self) -> Vec<Effect> {
        let options = self.options(&WORKTREE);
        let words: Vec<&Word> = options.operands.clone();
        let Some((verb, rest)) = words.split_first() else { return Vec::new() };
        if verb.literal() != Some("remove") || !options.has(&["force", "f"]) {
            return Vec::new();
        }
        let lost = |word: &&Word| match self.path(word) {
            Some(path) => Losing::Worktree { repository: self.repository(), path },
            None => Losing::Changes { repository: Addressed::Unknown, paths: Vec::new() },
        };
        rest.iter().map(|word| self.effect(lost(word), "git worktree remove --force")).collect()
    }

    /// `deinit --force` empties submodules with what is changed in them.
    fn submodule(&self) -> Vec<Effect> {
        let options = self.options(&SUBMODULE);
        let is_deinit = options.operands.first().and_then(|word| word.literal()) == Some("deinit");
        if !is_deinit || !options.has(&["force", "f"]) {
            return Vec::new();
        }
        let named = options.operands.get(1..).unwrap_or_default();
        vec![self.changes(named, "git submodule deinit --force")]
    }

    fn reference(&self) -> Vec<Effect> {
        let options = self.options(&PLUMBING);
        let name = options.operands.first().and_then(|word| word.literal());
        match (options.has(&["delete", "d"]), name) {
            (true, Some("HEAD")) => vec![self.history_lost("git symbolic-ref -d HEAD")],
            (true, Some(name)) => vec![self.branch_lost(name, "deleting a reference")],
            (false, Some(name)) if name.starts_with("refs/heads/") && self.git.subcommand == "update-ref" => {
                vec![self.branch_lost(name, "moving a branch")]
            }
            _ => Vec::new(),
        }
    }

    /// `git fetch -f origin main:main` puts a branch of this repository elsewhere.
    fn fetch(&self) -> Vec<Effect> {
        let options = self.options(&FETCH);
        let forced = options.has(&["force", "f"]);
        let refspecs = options.operands.iter().skip(1).filter_map(|word| word.literal());
        let moved =
            refspecs.filter(|text| forced || text.starts_with('+')).filter_map(|text| text.split_once(':'));
        let local = moved.map(|(_, name)| name).filter(|name| {
            !name.is_empty()
                && (!name.starts_with("refs/") || name.starts_with("refs/heads/"))
                && !name.contains('*')
        });
        local
            .map(|name| self.branch_lost(name.trim_start_matches("refs/heads/"), "git fetch --force"))
            .collect()
    }

    fn index(&self) -> Vec<Effect> {
        let options = self.options(&PLUMBING);
        let how = match self.git.subcommand {
            "checkout-index" if options.has(&["force", "f"]) && !options.mentions(&["prefix", "temp"]) => {
                "git checkout-index --force"
            }
            "read-tree" if options.has(&["reset"]) && options.has(&["u"]) => "git read-tree --reset -u",
            _ => return Vec::new(),
        };
        vec![self.changes(&[], how)]
    }

    fn history_lost(&self, how: &str) -> Effect {
        self.effect(Losing::History { repository: self.repository() }, how)
    }

    fn history(&self) -> Vec<Effect> {
        let options = self.options(&PLUMBING);
        if options.has(&["dry-run", "n"]) {
            return Vec::new();
        }
        let verb = self.git.arguments.first().and_then(Word::literal).unwrap_or_default();
        let expires_now = |(key, value): &(String, String)| {
            key.starts_with("gc.") && key.contains("expire") && !matches!(value.as_str(), "never" | "")
        };
        let prunes = options.value(&["prune"]).is_some_and(|date| date != "never");
        let how = match self.git.subcommand {
            "reflog" if matches!(verb, "expire" | "delete") => format!("git reflog {verb}"),
            "gc" if prunes || self.git.configured.iter().any(expires_now) => "git gc --prune".into(),
            "prune" => "git prune".into(),
            "filter-branch" => "git filter-branch".into(),
            "filter-repo" if verb != "--analyze" => "git filter-repo".into(),
            _ => return Vec::new(),
        };
        vec![self.history_lost(&how)]
    }
}

fn with_gentler(effect: Effect, gentler: Option<Rewrite>) -> Effect {
    match effect {
        Effect::Discard { losing, how, .. } => Effect::Discard { losing, how, gentler },
        other => other,
    }
}

/// A word that is a path rather than a branch by its looks: `.`, `src/`, `./x`, `main.rs`, `*.rs`.
fn is_path_like(word: &Word) -> bool {
    if word.is_glob() {
        return true;
    }
    let Some(text) = word.literal() else { return matches!(word.parts.first(), Some(WordPart::Tilde(_))) };
    let name = text.rsplit('/').next().unwrap_or(text);
    let ending = name.rsplit_once('.').filter(|(front, _)| !front.is_empty()).map(|(_, ending)| ending);
    let has_ending = ending.is_some_and(|ending| {
        (1..=5).contains(&ending.len())
            && ending.starts_with(|first: char| first.is_ascii_alphabetic())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    matches!(text, "." | "..")
        || text.ends_with('/')
        || ["./", "../", "/", ":/"].iter().any(|front| text.starts_with(front))
        || (has_ending && !text.contains(['~', '^', '@', ':']))
}

/// Commands further back than this are not looked at.
const NEAR: usize = 64;

/// Whether an earlier command of the same text makes this directory: `git init x`, `git clone y x`, `mkdir x`.
fn made_here(call: &ShellCall<'_>, directory: &camino::Utf8Path) -> bool {
    let own = call.position();
    let before = own.and_then(|own| call.others.get(..own)).unwrap_or_default();
    before.iter().rev().take(NEAR).any(|command| {
        let verb = command.arguments().first().and_then(Word::literal);
        let makes = match command.program() {
            Some("git") => matches!(verb, Some("clone" | "init" | "worktree")),
            Some("mkdir" | "mktemp") => true,
            _ => false,
        };
        let earlier = ShellCall { command, ..*call };
        let ends = |text: &str| directory.file_name() == Some(text.trim_end_matches(".git"));
        makes
            && (command.arguments().iter().any(|word| match earlier.target(word) {
                Target::Path(path) => directory.starts_with(normal(&path)),
                _ => false,
            }) || command
                .arguments()
                .iter()
                .filter_map(Word::literal)
                .filter_map(|text| text.rsplit(['/', ':']).next())
                .any(ends))
    })
}
