//! Forges: pull requests, releases, and what is written there without a local tree.

use super::super::effect::Effect;
use super::super::known::Leaving;
use super::line::ProgramLine;
use super::table::{ProgramTable, destroys, disrupts, exposes, forge_writes, programs, publishes};
use super::{Meaning, ShellCall};

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("gh").valued("-R --repo --hostname").rows(&[
        destroys(
            "repo|release|secret|variable|gist|issue|project|codespace|run delete|remove|\
                 delete-asset|item-delete|field-delete",
            "deletes that on the forge",
        ),
        destroys("repo sync", "overwrites the branch of the fork").needs("--force"),
        disrupts("repo archive|rename", "close or move the repository"),
        disrupts("workflow disable", "switch a workflow off"),
        disrupts("ssh-key|gpg-key delete", "take away a key that somebody signs in with"),
        exposes("repo edit", "change who can see the repository").needs("--visibility"),
        exposes("repo deploy-key add|delete", "change who can write to the repository"),
        exposes("ssh-key|gpg-key add", "add a key to the account"),
        publishes("repo create", "a repository").needs("--public"),
        publishes("release create|upload", "a release").unless("-d --draft"),
        publishes("release edit", "a release").needs("--draft=false"),
        publishes("gist create", "a file").needs("-p --public"),
        forge_writes("pr merge", "merges"),
        forge_writes("pr review", "approves").needs("-a --approve"),
        forge_writes("secret set", "replaces a secret"),
    ]),
    programs("glab").valued("-R --repo -g --group").rows(&[
        destroys(
            "repo|project|release|variable|issue|ci|schedule|snippet delete|remove|rm",
            "deletes that on the forge",
        ),
        disrupts("repo|project archive|transfer", "close or move the repository"),
        publishes("release create|upload", "a release"),
        forge_writes("mr merge|accept", "merges"),
        forge_writes("mr approve", "approves"),
    ]),
    programs("hub tea").valued("--login -l --repo -r --remote -R").rows(&[
        destroys("delete", "deletes the repository on the forge"),
        destroys("repos|repo|releases|release|r|branches delete|rm", "deletes that on the forge"),
        publishes("release|releases create", "a release").unless("-d --draft"),
        forge_writes("pulls|pr merge", "merges"),
    ]),
];

/// Data that leaves for a forge or a registry, and so has to pass the gate. The programs that are asked about here.
pub(crate) const PROGRAMS: &str = "gh glab hub npm pnpm bun cargo poetry uv yarn twine gem mvn gradle mvnw \
    gradlew";

pub(crate) fn survey(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let verbs = |verbs: &str| line.begins_with(verbs, "-R --repo --cwd -C --directory --prefix", "run");
    let branch = match line.program {
        "gh" => verbs("pr create|merge") || verbs("repo sync") || verbs("release create"),
        "glab" => verbs("mr create|merge|accept") || verbs("release create"),
        "hub" => verbs("pull-request|push"),
        _ => false,
    };
    let content = match line.program {
        "npm" | "pnpm" | "bun" | "cargo" | "poetry" | "uv" => verbs("publish"),
        "yarn" => verbs("* publish"),
        "twine" => verbs("upload"),
        "gem" => verbs("push"),
        "mvn" | "gradle" | "mvnw" | "gradlew" => verbs("* deploy|publish"),
        _ => false,
    };
    if !(branch || content) || line.has("--dry-run --help") || call.literals().any(|text| text == "-h") {
        return;
    }
    let repository = call.repository();
    let what = if branch { Leaving::Branch { repository } } else { Leaving::Content { repository } };
    meaning.effects.push(Effect::Leave { what, alone: call.alone });
}

/// `gh api` and its like: what writes, other than talk about issues and pull requests.
pub(crate) fn api(line: &ProgramLine<'_>, meaning: &mut Meaning) {
    const VALUED: &str = "-X --method -f --raw-field -F --field -H --header -q --jq -t --template --input --hostname \
        --cache -p --preview";
    let mut words = line.words(VALUED);
    if words.next() != Some("api") || line.has("--help") {
        return;
    }
    let endpoint = words.next().unwrap_or_default().trim_start_matches('/');
    let writes = if endpoint == "graphql" {
        line.arguments.iter().any(|word| changes_more_than_talk(&word.text_lossy()))
    } else {
        method(line) != "GET" && !is_talk(endpoint)
    };
    if writes {
        meaning.effects.push(Effect::ForgeWrite { what: format!("`{}`", line.shown()) });
    }
}

/// Fields turn a request into a POST unless a method is named.
fn method(line: &ProgramLine<'_>) -> String {
    let mut arguments = line.arguments.iter();
    let mut implied = "GET";
    while let Some(word) = arguments.next() {
        let text = word.literal_prefix();
        let named = match text {
            "-X" | "--method" => {
                Some(arguments.next().map(|word| word.text_lossy().into_owned()).unwrap_or_default())
            }
            _ => text.strip_prefix("--method=").or_else(|| text.strip_prefix("-X")).map(str::to_owned),
        };
        if let Some(named) = named {
            return named.to_ascii_uppercase().replace("HEAD", "GET");
        }
        if ["-f", "-F", "--raw-field", "--field", "--input"].iter().any(|field| text.starts_with(field)) {
            implied = "POST";
        }
    }
    implied.to_owned()
}

/// Comments, reviews, labels and the like: everyday, and never the content of a repository.
fn is_talk(endpoint: &str) -> bool {
    const TALK: [&str; 14] = [
        "comments", "replies", "reviews", "reactions", "labels", "assignees", "requested_reviewers", "notes",
        "discussions", "notifications", "subscription", "milestones", "rerun", "markdown",
    ];
    let path = endpoint.split('?').next().unwrap_or(endpoint);
    let mut last = path.rsplit('/');
    let (last, before) = (last.next().unwrap_or_default(), last.next().unwrap_or_default());
    let is_thread = |part: &str| matches!(part, "issues" | "pulls" | "merge_requests");
    path.split('/').any(|part| TALK.contains(&part)) || is_thread(last) || is_thread(before)
}

/// A GraphQL text with a mutation other than talk.
fn changes_more_than_talk(text: &str) -> bool {
    const TALK: [&str; 12] = [
        "resolveReviewThread", "unresolveReviewThread", "addComment", "addPullRequestReview", "updateIssue",
        "addReaction", "addLabels", "addAssignees", "requestReviews", "minimizeComment", "updatePullRequest",
        "addDiscussionComment",
    ];
    const FIRM: [&str; 8] =
        ["merge", "Ref(", "createCommit", "deleteRepo", "archive", "transfer", "Protection", "Ruleset"];
    let Some((_, fields)) = text.split_once("mutation") else { return false };
    let is_query = text.trim_start().trim_start_matches("query=").trim_start().starts_with("mutation");
    let names = |words: &[&str]| words.iter().any(|word| fields.contains(word));
    is_query && (!names(&TALK) || names(&FIRM))
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn a_request_that_writes_is_seen_however_its_method_is_spelled() {
        for command in [
            "gh api -X PUT repos/o/r/contents/x -f message=m",
            "gh api repos/o/r/git/refs -f ref=refs/heads/x -f sha=1",
            "gh api --method=DELETE repos/o/r",
            "gh api -XDELETE /repos/o/r/branches/main/protection",
            "gh api repos/o/r/pulls/3/merge -X PUT",
            "gh api graphql -f query='mutation { mergePullRequest(input: {}) { clientMutationId } }'",
        ] {
            assert_eq!(shell(command).decision, Decision::Ask, "{command}");
        }
    }

    #[test]
    fn reading_and_talking_are_silent() {
        for command in [
            "gh api repos/o/r/pulls/3/comments --jq '.[].body'",
            "gh api repos/o/r/pulls/3/comments/1/replies -f body='DELETE this'",
            "gh api repos/o/r/issues/3/labels -f 'labels[]=bug'",
            "gh api -X PATCH repos/o/r/pulls/3 -f title=x",
            "gh api -X GET search/issues -f q='repo:o/r'",
            "gh api graphql -f query='query { viewer { login } }'",
            "gh api graphql -f query='mutation { resolveReviewThread(input: {threadId: \"x\"}) { thread { id } } }'",
            "gh pr create --title 'Delete the repo' --body x",
            "gh pr close 3",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }
}
