//! The input and answer of the user's own review command (`review.command`).

use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::app::workspace::Workspace;
use crate::edge::repo::file_at;
use crate::edge::state;
use crate::pure::client::SlashCommand;
use crate::pure::review::sanitize;
use crate::pure::secret::redact;
use crate::pure::task::TaskId;

const LENGTH: usize = 8 * 1024;

/// Its words as the base branch or the user's home has them: who did the work does not get to say how it is reviewed.
pub(crate) fn words(workspace: &Workspace, change: &Change, id: TaskId) -> Result<Option<String>, Failure> {
    let Some(SlashCommand { name, .. }) = SlashCommand::parse(&change.settings.review.command) else {
        return Ok(None);
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_:".contains(c);
    if name == "review-task" || name.is_empty() || !name.chars().all(plain) {
        return Ok(None);
    }
    let file = format!("commands/{}.md", name.replace(':', "/"));
    let committed = match &change.base.tree {
        Some(tree) => file_at(&change.git, &tree.0, &format!(".claude/{file}"))?,
        None => None,
    };
    let bytes = match committed {
        Some(bytes) => Some(bytes),
        None => state::read_bounded(&workspace.environment.claude_home.join(&file))?,
    };
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).replace("$ARGUMENTS", &id.to_string()));
    Ok(text.map(|text| sanitize(&redact(body(&text)), LENGTH)).filter(|words| !words.is_empty()))
}

/// Without the front matter.
fn body(text: &str) -> &str {
    let rest = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    rest.map_or(text, |(_, body)| body)
}
