//! Programs that no table knows: a verb that destroys means that everywhere.

use super::line::ProgramLine;
use super::{Meaning, ShellCall, profile};
use crate::pure::shell::lists;
use crate::pure::step::effect::Effect;

/// Verbs after which something is gone. `remove` and `rm` mostly take out what can be added again.
const DESTROYS: &str = "delete del destroy wipe obliterate nuke terminate deprovision drop-database \
    uninit deluser userdel delsnapshot destroy-all delete-all factory-reset clear_permissions delete-disk free-all";
/// How such verbs begin or end.
const BEGINNINGS: [&str; 3] = ["delete-", "destroy-", "terminate-"];
const ENDS: [&str; 3] = ["-delete", "-destroy", "-terminate"];
/// They make or forget code, tests or packages under these words, or their words are no verbs.
const OTHERS: &str = "rails artisan dotnet nx turbo task just make rake npm yarn pnpm bun npx deno cargo go \
    python python3 node ruby perl java claude codex gemini aider tmux screen vim nvim emacs code jira todo \
    task-master bd beads test-runner";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    if !profile::takes_subcommands(program) || lists(OTHERS, program) {
        return;
    }
    let line = ProgramLine::of(program, call);
    if !std::ptr::eq(line.program, program) && line.program != program {
        return;
    }
    meaning.effects.extend(by_verb(&line));
}

/// The effect of a verb or an option that destroys in every program.
pub(super) fn by_verb(line: &ProgramLine<'_>) -> Option<Effect> {
    let destroys = |word: &str| {
        lists(DESTROYS, word)
            || BEGINNINGS.iter().any(|start| word.starts_with(start))
            || ENDS.iter().any(|end| word.ends_with(end))
    };
    let verb = line.words("").take(4).find(|word| destroys(word));
    let option = || {
        let options = line.arguments.iter().filter_map(|word| word.literal());
        options.filter(|text| text.starts_with("--")).find(|text| {
            matches!(*text, "--deleteAll" | "--purge-all")
                || BEGINNINGS.iter().any(|start| text.trim_start_matches('-').starts_with(start))
        })
    };
    let inert = line.has("--help -h --dry-run --dryrun --dryRun --what-if -n /? unavailable");
    (verb.or_else(option).is_some() && !inert)
        .then(|| Effect::Destroy { what: format!("`{}` deletes what it names", line.shown()) })
}
