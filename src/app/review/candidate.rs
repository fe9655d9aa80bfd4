//! The content to be reviewed, and where its checks run.

use super::change::Change;
use super::checks;
use super::project_files;
use crate::app::failure::Failure;
use crate::app::sandbox::Enclosure;
use crate::app::workspace::Workspace;
use crate::edge::repo::{Copy, commit, dirty_submodules, worktree_tree};
use crate::edge::state::CheckCache;
use crate::pure::project::{AffectedBy, Checks};
use crate::pure::review::loop1::{Inputs, Site};
use crate::pure::review::{Pair, ScopeKind, Side};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// A change, and where its content lies as files.
pub(crate) struct Candidate<'a> {
    change: &'a Change,
    /// Where the worktree holds something else as well.
    copy: Option<Copy>,
}

impl<'a> Candidate<'a> {
    /// Staged or committed content is checked in the worktree if the worktree holds nothing else, otherwise in a copy.
    pub fn of(change: &'a Change) -> Result<Self, Failure> {
        let head = match &change.scope.kind {
            ScopeKind::All => return Ok(Self { change, copy: None }),
            ScopeKind::Staged => commit(&change.git, "HEAD").ok(),
            ScopeKind::Ref(revision) => Some(commit(&change.git, revision)?),
        };
        let part = &change.snapshot;
        let whole = worktree_tree(&change.git, &[]).is_ok_and(|whole| whole.tree == part.tree);
        let head = head.map(|commit| commit.id);
        let copy = if whole { None } else { Some(Copy::of(part, head.as_ref())?) };
        Ok(Self { change, copy })
    }

    pub fn root(&self) -> &Utf8Path {
        self.copy.as_ref().map_or(&self.change.git.repo().worktree, Copy::root)
    }

    /// Which files are other than when the checks began; none if it is all the same.
    pub fn moved_on(&self) -> Result<Option<String>, Failure> {
        match &self.copy {
            Some(copy) => self.change.differs_from(&copy.tree()?),
            None => self.change.differs_from(&worktree_tree(&self.change.git, &self.change.scope.left_out)?),
        }
    }

    /// Everything that is needed to run the project's checks on this content.
    pub fn checks(
        &self,
        workspace: &Workspace,
        environment: Vec<(String, String)>,
    ) -> Result<checks::CheckRequest, Failure> {
        let settings = &self.change.settings;
        let files = self.change.snapshot.pairs(None)?;
        let checks = Checks::detect(&project_files::read(self.root(), &files), settings);
        let checks = if settings.loop1.only_affected_tests { self.narrowed(checks, &files) } else { checks };
        let inputs = self.inputs(files, &checks)?;
        let cache = match self.has_hidden_content(&inputs)? {
            true => None,
            false => Some(CheckCache::open(&workspace.layout, &workspace.homes)?),
        };
        Ok(checks::CheckRequest {
            root: self.root().to_owned(),
            worktree: self.change.git.repo().worktree.clone(),
            site: if self.copy.is_some() { Site::Copy } else { Site::Worktree },
            settings: settings.clone(),
            environment,
            checks,
            inputs,
            cache,
            enclosure: Enclosure::of(workspace)?.map(|enclosure| enclosure.with_settings(&settings.sandbox)),
            fresh: Mutex::default(),
        })
    }

    /// A copy has no history that a tool could compare with, and a base that the caller names could leave every test out.
    fn narrowed(&self, checks: Checks, files: &[Pair]) -> Checks {
        if self.change.requested_base.is_some() {
            return checks;
        }
        let (None, Some(base)) = (&self.copy, &self.change.base.commit) else { return checks };
        let changed: Vec<String> = self.change.pairs.iter().map(|pair| pair.path.to_string()).collect();
        let files = files.iter().map(|file| file.path.to_string()).collect();
        checks.narrowed(&AffectedBy { base: &base.to_string(), changed: &changed, files: &files })
    }

    fn inputs(&self, files: Vec<Pair>, checks: &Checks) -> Result<Inputs, Failure> {
        let subprojects: BTreeSet<String> = checks.subprojects().into_iter().map(String::from).collect();
        let mut inputs = Inputs {
            tree: Some(self.change.snapshot.tree.clone()),
            files,
            independent: BTreeSet::new(),
            subprojects: subprojects.clone(),
        };
        for folder in &subprojects {
            let others = subprojects.iter().filter(|other| *other != folder);
            let named: Vec<String> = others.flat_map(|other| ways_to_name(other)).collect();
            if !inputs.has_link(folder) && !self.change.snapshot.mentions(folder, &named)? {
                inputs.independent.insert(folder.clone());
            }
        }
        Ok(inputs)
    }

    /// No tree covers what was left out, or what is not committed inside a submodule.
    fn has_hidden_content(&self, inputs: &Inputs) -> Result<bool, Failure> {
        let submodule = |file: &Pair| file.new.as_ref().is_some_and(Side::is_submodule);
        let left_out = self.copy.is_none() && !self.change.scope.left_out.is_empty();
        Ok(left_out || inputs.files.iter().any(submodule) && !dirty_submodules(&self.change.git)?.is_empty())
    }
}

/// How a file elsewhere in the repository would refer to a folder.
fn ways_to_name(folder: &str) -> Vec<String> {
    let ends = [folder.split('/').next(), folder.rsplit('/').next()];
    ends.into_iter().flatten().map(|name| format!("../{name}")).collect()
}
