//! Puts the pre-receive hook into a bare repository.

use crate::app::failure::Failure;
use crate::edge::file;
use crate::edge::file::metadata::make_executable;
use crate::edge::repo::{Git, hooks_directory};
use crate::edge::run::stdio::{current_directory, own_program};
use crate::edge::state;
use crate::pure::attestation::ProtectedRefs;
use crate::pure::text::quoted;
use camino::{Utf8Path, Utf8PathBuf};

pub(super) const PATTERNS: &str = "plimsoll/protected-branches";
pub(super) const SIGNERS: &str = "plimsoll/allowed-signers";
const MARK: &str = "# plimsoll pre-receive";
const LIMIT: u64 = 1024 * 1024;

#[derive(Debug)]
pub struct Installed {
    pub directory: Utf8PathBuf,
    /// The file with the patterns.
    pub patterns: Utf8PathBuf,
    /// Whether the server has a list of its own.
    pub has_signers: bool,
}

/// A file that is there already stays as it is, but for our own hook.
pub fn install(
    directory: &Utf8Path,
    protect: &[String],
    allowed_signers: Option<&Utf8Path>,
) -> Result<Installed, Failure> {
    let here = current_directory()?;
    let directory = here.join(directory).canonicalize_utf8()?;
    let is_bare = directory.join("HEAD").is_file() && directory.join("objects").is_dir();
    if !is_bare || directory.file_name() == Some(".git") {
        return Err(format!("{directory} is not a bare repository").into());
    }
    let git = Git::receiving(&directory);
    let hook = hooks_directory(&git)?.join("pre-receive");
    let existing = file::read_text(&hook, LIMIT).ok();
    if hook.exists() && !existing.is_some_and(|text| text.contains(MARK)) {
        return Err(format!(
            "{hook} exists. Call `plimsoll server-hook run` in it, with the same standard input, and refuse the push \
             where it fails"
        )
        .into());
    }
    let patterns = directory.join(PATTERNS);
    if !patterns.exists() || !protect.is_empty() {
        let text = match protect {
            [] => format!("{}\n", default_branch(&directory)?),
            some => some.iter().map(|pattern| format!("{pattern}\n")).collect(),
        };
        ProtectedRefs::parse(&text)?;
        file::create_private_folder(directory.join("plimsoll"))?;
        state::write_text(&patterns, &text)?;
    }
    let signers = directory.join(SIGNERS);
    if let Some(list) = allowed_signers {
        let text = file::read_text(here.join(list), LIMIT)
            .map_err(|error| format!("could not read {list}: {error}"))?;
        file::create_private_folder(directory.join("plimsoll"))?;
        state::write_atomic(&signers, text.as_bytes())?;
    }
    file::create_private_folder(hook.parent().unwrap_or(&directory))?;
    state::write_atomic(&hook, text(&own_program()?).as_bytes())?;
    make_executable(&hook)?;
    Ok(Installed { has_signers: signers.exists(), directory, patterns })
}

fn text(program: &Utf8Path) -> String {
    format!(
        "#!/bin/sh\n\
         {MARK}: protected branches accept only attested commits. Remove this file to switch it off.\n\
         exec {} server-hook run\n",
        quoted(program)
    )
}

fn default_branch(directory: &Utf8Path) -> Result<String, Failure> {
    let head = file::read_text(directory.join("HEAD"), LIMIT)?;
    let branch = head.trim().strip_prefix("ref: refs/heads/");
    Ok(branch.ok_or("HEAD names no branch: say with --protect what to protect")?.to_owned())
}
