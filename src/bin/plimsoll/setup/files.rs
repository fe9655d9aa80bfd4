//! Which of the installed files are ours as a whole, and which are the user's with lines of ours.

use super::settings_file::SettingsFile;
use crate::CommandResult;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::gate::installed_files::{Installation, Sharing, forget, remember};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::file;
use std::process::ExitCode;

/// No file of ours is larger.
const LIMIT: u64 = 1024 * 1024;

#[derive(clap::Args)]
pub(crate) struct FilesArguments {
    /// The folder `.claude` that was installed into.
    #[arg(long, value_name = "DIR")]
    claude: Utf8PathBuf,
    /// Where the installer keeps copies of what it installed.
    #[arg(long, value_name = "DIR")]
    record: Utf8PathBuf,
    /// The files are committed for others.
    #[arg(long)]
    shared: bool,
    /// Forget the files, and restore git's list of ignored files.
    #[arg(long)]
    remove: bool,
}

pub(crate) fn run(arguments: &FilesArguments) -> CommandResult {
    let workspace = Workspace::here()?;
    if arguments.remove {
        forget(&workspace, &arguments.claude)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (claude, copies) = (&arguments.claude, arguments.record.join("files"));
    let mut installation = Installation {
        claude: claude.clone(),
        files: Vec::new(),
        merged: Vec::new(),
        sharing: if arguments.shared { Sharing::Committed } else { Sharing::Private },
    };
    for copy in below(&copies)? {
        let installed = claude.join(copy.strip_prefix(&copies)?);
        if is_same(&copy, &installed) {
            installation.files.push(installed);
        }
    }
    let settings = claude.join("settings.json");
    match SettingsFile::open(&settings)?.is_ours() {
        true => installation.files.push(settings),
        false => installation.merged.push(settings),
    }
    if arguments.shared {
        let ignored = claude.with_file_name(".gitignore");
        let created = !arguments.record.join("gitignore.before").exists();
        match created && is_same(&arguments.record.join("gitignore.after"), &ignored) {
            true => installation.files.push(ignored),
            false => installation.merged.push(ignored),
        }
    }
    outln!("{}", remember(&workspace, &installation)?);
    Ok(ExitCode::SUCCESS)
}

fn is_same(copy: &Utf8Path, installed: &Utf8Path) -> bool {
    let bytes = |path| file::read_text(path, LIMIT);
    !installed.is_symlink()
        && matches!((bytes(copy), bytes(installed)), (Ok(copy), Ok(installed)) if copy == installed)
}

/// Every file in a folder and below it.
fn below(folder: &Utf8Path) -> std::io::Result<Vec<Utf8PathBuf>> {
    let mut files = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir_utf8()? {
            let path = entry?.into_path();
            if path.is_dir() { waiting.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}
