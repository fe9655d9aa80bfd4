//! The content to be reviewed, and where its checks run.

use super::checks;
use super::project_files;
use super::scene::Scene;
use super::serve::Failure;
use crate::policy::Settings;
use crate::project::Checks;
use crate::repo::{
    self, Copy, Git, Snapshot, commit, committed_tree, dirty_submodules, staged_tree, worktree_tree,
};
use crate::review::loop1::{Inputs, Site};
use crate::review::{GitPath, Pair, Scope, ScopeKind, Side};
use crate::state::CheckCache;
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Mutex;

/// A snapshot, and where it lies as files.
pub struct Candidate {
    snapshot: Snapshot,
    worktree: Git,
    /// Where the worktree holds something else as well.
    copy: Option<Copy>,
    /// Whether files lie beside the content that checks see all the same.
    left_out: bool,
}

impl Deref for Candidate {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.snapshot
    }
}

impl Candidate {
    /// What is staged or committed is checked where the user works if that holds nothing else, and in a copy if it does.
    pub fn of(git: &Git, scope: &Scope) -> Result<Self, Failure> {
        let (part, head) = match &scope.kind {
            ScopeKind::All => {
                let whole = worktree_tree(git, &scope.left_out)?;
                refuse_doctored(git, &whole, scope)?;
                let left_out = !scope.left_out.is_empty();
                return Ok(Self { snapshot: whole, worktree: git.clone(), copy: None, left_out });
            }
            ScopeKind::Staged => (staged_tree(git)?, commit(git, "HEAD").ok()),
            ScopeKind::Ref(revision) => (committed_tree(git, revision)?, Some(commit(git, revision)?)),
        };
        let whole = worktree_tree(git, &[]).is_ok_and(|whole| whole.tree == part.tree);
        let head = head.map(|commit| commit.id);
        let copy = if whole { None } else { Some(Copy::of(&part, head.as_ref())?) };
        Ok(Self { snapshot: part, worktree: git.clone(), copy, left_out: false })
    }

    pub fn root(&self) -> &Utf8Path {
        self.copy.as_ref().map_or(&self.worktree.repo().worktree, Copy::root)
    }

    /// What lies there now.
    pub fn now(&self, left_out: &[GitPath]) -> Result<Snapshot, Failure> {
        Ok(match &self.copy {
            Some(copy) => copy.tree()?,
            None => worktree_tree(&self.worktree, left_out)?,
        })
    }

    /// Everything that is needed to run the project's checks on this content.
    pub fn checks(
        &self,
        scene: &Scene,
        settings: &Settings,
        environment: Vec<(String, String)>,
    ) -> Result<checks::Request, Failure> {
        let files = self.snapshot.pairs(None)?;
        let checks = Checks::detect(&project_files::read(self.root(), &files), settings);
        let inputs = self.inputs(files, &checks)?;
        let cache = match self.has_hidden_content(&inputs)? {
            true => None,
            false => Some(CheckCache::open(&scene.layout, &scene.homes)?),
        };
        Ok(checks::Request {
            root: self.root().to_owned(),
            worktree: self.worktree.repo().worktree.clone(),
            site: if self.copy.is_some() { Site::Copy } else { Site::Worktree },
            settings: settings.clone(),
            environment,
            checks,
            inputs,
            cache,
            fresh: Mutex::default(),
        })
    }

    fn inputs(&self, files: Vec<Pair>, checks: &Checks) -> Result<Inputs, Failure> {
        let subprojects: BTreeSet<String> = checks.subprojects().into_iter().map(String::from).collect();
        let mut inputs = Inputs {
            tree: Some(self.snapshot.tree.clone()),
            files,
            independent: BTreeSet::new(),
            subprojects: subprojects.clone(),
        };
        for folder in &subprojects {
            let others = subprojects.iter().filter(|other| *other != folder);
            let named: Vec<String> = others.flat_map(|other| ways_to_name(other)).collect();
            if !inputs.has_link(folder) && !self.snapshot.mentions(folder, &named)? {
                inputs.independent.insert(folder.clone());
            }
        }
        Ok(inputs)
    }

    /// No tree covers what was left out, or what is not committed inside a submodule.
    fn has_hidden_content(&self, inputs: &Inputs) -> Result<bool, Failure> {
        let submodule = |file: &Pair| file.new.as_ref().is_some_and(Side::is_submodule);
        Ok(self.left_out
            || inputs.files.iter().any(submodule) && !dirty_submodules(&self.worktree)?.is_empty())
    }
}

/// How a file elsewhere in the repository would refer to a folder.
fn ways_to_name(folder: &str) -> Vec<String> {
    let ends = [folder.split('/').next(), folder.rsplit('/').next()];
    ends.into_iter().flatten().map(|name| format!("../{name}")).collect()
}

/// A file that is left out stays as HEAD has it in the tree, while the checks would see it as it is on disk: a changed
/// manifest could make them pass.
fn refuse_doctored(git: &Git, whole: &Snapshot, scope: &Scope) -> Result<(), Failure> {
    if scope.left_out.is_empty() {
        return Ok(());
    }
    let head = commit(git, "HEAD").ok().map(|commit| commit.tree);
    let on_disk = match worktree_tree(git, &[]) {
        Err(repo::Error::NestedRepository { paths }) => worktree_tree(git, &paths)?,
        snapshot => snapshot?,
    };
    let reviewed = whole.pairs(head.as_ref())?;
    let seen = on_disk.pairs(head.as_ref())?;
    let doctored = seen.iter().find(|pair| pair.old.is_some() && !reviewed.contains(pair));
    match doctored {
        Some(pair) => Err(format!(
            "the checks would see the changes in {}, which is to be left out; stash or undo them first",
            pair.path
        )
        .into()),
        None => Ok(()),
    }
}
