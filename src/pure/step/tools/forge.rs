//! Tools for forges: changes there have no local commit that could be reviewed.

use super::name::{Doing, Name};
use super::nature;
use crate::pure::client::OtherCall;
use crate::pure::step::assessment::Nature;
use crate::pure::step::effect::Effect;
use crate::pure::step::survey::Surveyor;

/// Whether the call is for a forge and fully surveyed.
pub(crate) fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) -> bool {
    if !is_forge(call) {
        return false;
    }
    if name.doing() == Doing::Looks {
        return true;
    }
    nature(surveyor, Nature::Network);
    let of_files = name.is_about(&["file", "content", "commit", "ref", "tree", "blob"]);
    let writes = name.has(&["push", "create", "update", "delete", "put", "edit", "write"]) && of_files;
    let releases = name.has(&["create", "publish", "update"]) && name.is_about(&["release"]);
    let pushes = name.has(&["push"]);
    // A comment on a commit or a file is not a write.
    let remarks = name.is_about(&["comment", "status", "review", "note", "gist", "discussion", "check"]);
    if (writes || releases || pushes || name.merges()) && !remarks {
        surveyor.effect(Effect::ForgeWrite { what: call.described() });
        return true;
    }
    false
}

fn is_forge(call: &OtherCall) -> bool {
    const FORGES: [&str; 8] =
        ["github", "gitlab", "gitea", "forgejo", "bitbucket", "codeberg", "azure-devops", "azure_devops"];
    let server = call.server.to_ascii_lowercase();
    FORGES.iter().any(|forge| server.contains(forge)) || (call.has(&["owner"]) && call.has(&["repo"]))
}

#[cfg(test)]
mod tests {
    use crate::pure::step::sample::called;
    use serde_json::json;

    #[test]
    fn content_that_reaches_a_forge_directly_is_asked_about() {
        for tool in [
            "mcp__github__push_files",
            "mcp__github__create_or_update_file",
            "mcp__github__delete_file",
            "mcp__github__merge_pull_request",
            "mcp__github__create_release",
            "mcp__gitlab__create_commit",
            "mcp__gitlab__accept_merge_request",
            "mcp__plugin_x_forge__update_ref",
        ] {
            let input = json!({"owner": "a", "repo": "b", "path": "x", "content": "y"});
            assert_eq!(called(tool, &input), ["forge_write"], "{tool}");
        }
    }

    #[test]
    fn talk_on_a_forge_is_left_alone() {
        for tool in [
            "mcp__github__get_file_contents",
            "mcp__github__list_commits",
            "mcp__github__create_issue",
            "mcp__github__add_issue_comment",
            "mcp__github__create_pull_request",
            "mcp__github__create_commit_comment",
            "mcp__github__create_branch",
            "mcp__github__pull_request_read",
            "mcp__gitlab__create_merge_request",
            "mcp__gitlab__create_merge_request_note",
            "mcp__gitlab__update_merge_request",
        ] {
            let input = json!({"owner": "a", "repo": "b", "path": "x", "body": "merge and push files"});
            assert_eq!(called(tool, &input), [""; 0], "{tool}");
        }
    }
}
