//! Programs that run in a directory, as far as the system tells.

use camino::Utf8Path;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunningProgram {
    pub id: u32,
    /// Its command line, cut.
    pub command: String,
}

const COMMAND: usize = 160;

/// Those of the same user whose working directory lies in `directory`, without this one and what started it. Nothing where
/// there is no `/proc`.
pub(crate) fn running_in(directory: &Utf8Path) -> Vec<RunningProgram> {
    let Ok(entries) = Utf8Path::new("/proc").read_dir_utf8() else { return Vec::new() };
    let ours = lineage();
    let mut found: Vec<RunningProgram> = entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().parse::<u32>().ok()?, entry.path().to_owned())))
        .filter(|(id, _)| !ours.contains(id))
        .filter(|(_, process)| {
            process.join("cwd").read_link_utf8().is_ok_and(|place| place.starts_with(directory))
        })
        .map(|(id, process)| RunningProgram { id, command: command(&process) })
        .filter(|program| !program.command.is_empty())
        .collect();
    found.sort_by_key(|program| program.id);
    found
}

/// This process and its ancestors.
fn lineage() -> Vec<u32> {
    let parent = |id: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
        (parent != 0).then_some(parent)
    };
    std::iter::successors(Some(std::process::id()), parent).take(64).collect()
}

fn command(process: &Utf8Path) -> String {
    let bytes = std::fs::read(process.join("cmdline")).unwrap_or_default();
    let words: Vec<_> = bytes.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
    words.join(" ").trim().chars().take(COMMAND).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_program_is_found_by_where_it_runs_and_not_its_starter() {
        if !Utf8Path::new("/proc/self/cwd").exists() {
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let place = Utf8Path::from_path(directory.path()).unwrap().canonicalize_utf8().unwrap();
        assert_eq!(running_in(&place), []);
        let mut child = Command::new("sleep").arg("60").current_dir(&place).spawn().unwrap();
        // A program that was started a moment ago has no command line yet.
        let found = (0..10_000).map(|_| running_in(&place)).find(|found| !found.is_empty());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found, Some(vec![RunningProgram { id: child.id(), command: "sleep 60".into() }]));
    }
}
