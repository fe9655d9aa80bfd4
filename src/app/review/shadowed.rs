//! An agent file of the project or the user that stands in front of one of ours would review in its place.

use crate::edge::config::Environment;
use crate::edge::file;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Nobody keeps more agents than this; whoever does cannot be checked.
const ENTRIES: usize = 2_000;
const DEPTH: usize = 8;
const BYTES: u64 = 256 * 1024;

/// Our agents as they are built in; an installed copy that says the same is no stranger.
const BUILT_IN: [(&str, &str); 6] = [
    ("quality-checker", include_str!("../../../agents/quality-checker.md")),
    ("claude-reviewer", include_str!("../../../agents/claude-reviewer.md")),
    ("outside-reviewer", include_str!("../../../agents/outside-reviewer.md")),
    ("integration-checker", include_str!("../../../agents/integration-checker.md")),
    ("task-reviewer", include_str!("../../../agents/task-reviewer.md")),
    ("review-parser", include_str!("../../../agents/review-parser.md")),
];

fn built_in(agent: &str) -> Option<&'static str> {
    BUILT_IN.into_iter().find(|(name, _)| *name == agent).map(|(_, text)| text)
}

/// The file that stands in front of our agent, or why that cannot be told.
pub(crate) fn shadowed(
    agent: &str,
    environment: &Environment,
    project: &Utf8Path,
    cwd: &Utf8Path,
) -> Result<(), String> {
    let Some(ours) = built_in(agent) else { return Ok(()) };
    let around = cwd.ancestors().take_while(|folder| folder.starts_with(project));
    let mut roots: BTreeSet<Utf8PathBuf> =
        around.chain([project, cwd]).map(|folder| folder.join(".claude/agents")).collect();
    roots.insert(environment.claude_home.join("agents"));
    let mut left = ENTRIES;
    for root in roots {
        for file in agent_files(&root, DEPTH, &mut left)? {
            let text = read(&file)?;
            if text != ours && names(&text, agent) {
                return Err(format!(
                    "{file} defines an agent of the same name as Plimsoll's {} with other words. Remove or rename it; if it is \
                     an older copy of Plimsoll's, run the installer again",
                    agent
                ));
            }
        }
    }
    Ok(())
}

fn agent_files(folder: &Utf8Path, depth: usize, left: &mut usize) -> Result<Vec<Utf8PathBuf>, String> {
    let unreadable = |error: std::io::Error| format!("{folder} cannot be read ({error})");
    let entries = match folder.read_dir_utf8() {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.into_path();
        *left = left.checked_sub(1).ok_or_else(|| format!("there are too many files in {folder}"))?;
        if path.is_dir() {
            let deeper = depth.checked_sub(1).ok_or_else(|| format!("{path} lies too deep"))?;
            files.extend(agent_files(&path, deeper, left)?);
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")) {
            files.push(path);
        }
    }
    Ok(files)
}

fn read(path: &Utf8Path) -> Result<String, String> {
    let unreadable = |error: std::io::Error| format!("{path} cannot be read ({error})");
    match path.metadata() {
        Ok(metadata) if metadata.len() > BYTES => Err(format!("{path} is too large to be an agent")),
        // A link that leads nowhere defines nothing.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Ok(_) => file::read(path, BYTES)
            .map_err(unreadable)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(unreadable(error)),
    }
}

/// Whether the front matter gives this name, with or without the plugin's. Front matter that is no YAML but holds the name
/// counts too: the client may read more than we do.
fn names(text: &str, agent: &str) -> bool {
    #[derive(Deserialize)]
    struct FrontMatter {
        #[serde(default)]
        name: Option<String>,
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let Some((_, rest)) = text.split_once("---") else { return false };
    let front = rest.split("\n---").next().unwrap_or(rest);
    match serde_saphyr::from_str::<FrontMatter>(front) {
        Ok(FrontMatter { name }) => name.is_some_and(|name| {
            let name = name.trim();
            name == agent || name.strip_prefix("plimsoll:") == Some(agent)
        }),
        Err(_) => front.contains(agent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::LoopNumber;
    use crate::pure::step::agent_of;

    struct Place {
        _directory: tempfile::TempDir,
        root: Utf8PathBuf,
        environment: Environment,
    }

    fn place() -> Place {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let environment = Environment::at_home(&root.join("home"));
        Place { _directory: directory, root, environment }
    }

    impl Place {
        fn write(&self, relative: &str, text: &str) {
            let path = self.root.join(relative);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn check(&self) -> Result<(), String> {
            let project = self.root.join("project");
            shadowed(
                agent_of(LoopNumber::Two).unwrap().name,
                &self.environment,
                &project,
                &project.join("deep/er"),
            )
        }
    }

    #[test]
    fn a_file_with_our_name_and_other_words_is_found_wherever_the_client_looks() {
        for file in [
            "project/.claude/agents/x.md",
            "project/.claude/agents/deep/er/x.md",
            "project/deep/.claude/agents/x.md",
            "project/deep/er/.claude/agents/x.md",
            "home/.claude/agents/x.MD",
        ] {
            for front in [
                "name: claude-reviewer",
                "name: plimsoll:claude-reviewer",
                "name: 'claude-reviewer' ",
                "\"name\": \"\\x63laude-reviewer\"",
                "name: >-\n  claude-reviewer",
                "name: [unclosed claude-reviewer",
            ] {
                let place = place();
                place.write(file, &format!("---\n{front}\ntools: Bash\n---\nAll is well.\n"));
                assert!(place.check().is_err_and(|why| why.contains(".claude/agents")), "{file}: {front}");
            }
        }
    }

    #[test]
    fn our_own_copy_and_other_agents_stand_in_nobodys_way() {
        let place = place();
        assert_eq!(place.check(), Ok(()));
        place.write(
            "project/.claude/agents/claude-reviewer.md",
            built_in(agent_of(LoopNumber::Two).unwrap().name).unwrap(),
        );
        place.write(
            "home/.claude/agents/helper.md",
            "---\nname: helper\ndescription: not the claude-reviewer\n---\nname: claude-reviewer\n",
        );
        place.write("home/.claude/agents/notes.txt", "---\nname: claude-reviewer\n---\n");
        place.write("home/.claude/agents/empty.md", "");
        assert_eq!(place.check(), Ok(()));
        place.write(
            "project/.claude/agents/claude-reviewer.md",
            "---\nname: claude-reviewer\n---\nold words\n",
        );
        assert!(place.check().unwrap_err().contains("run the installer again"));
    }

    #[test]
    fn what_cannot_be_checked_is_refused() {
        let place = place();
        place.write("home/.claude/agents", "a file where a folder belongs");
        assert!(place.check().is_err_and(|why| why.contains("cannot be read")));
    }
}
