//! Programs whose meaning is a table: program × subcommand × options → effect.

use super::line::{Line, STARTERS};
use super::name_table::NameTable;
use super::{
    Call, Meaning, clients, cloud, containers, databases, forge, infrastructure, other_versions, packages,
    processes, secrets, storage, system,
};
use crate::step::effect::Effect;

/// Programs that are spoken to in the same way.
#[derive(Debug)]
pub struct Tool {
    pub names: &'static [&'static str],
    /// Options that take a value and may stand before the last verb.
    pub valued: &'static str,
    /// Words that say, where they come before a verb behind `*`, that the command only looks.
    pub reads: &'static str,
    pub rows: &'static [Row],
}

/// One line of knowledge. Lists are separated by blanks, alternatives of a verb by `|`; see `Line` for how words match.
#[derive(Debug)]
pub struct Row {
    /// The words after the program, options left out. `?` is any one word, `*` any number of them.
    verbs: &'static str,
    /// Options or words of which at least one must be there; none listed, none needed.
    needs: &'static str,
    /// Options or words with which nothing happens.
    unless: &'static str,
    does: Does,
    /// What happens, in words that a person understands.
    what: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "shows where the row begins; the tests run it"))]
    pub hit: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "shows where the row ends; the tests run it"))]
    pub miss: &'static str,
}

/// Which effect a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    Destroy,
    Disrupt,
    Expose,
    Publish,
    ForgeWrite,
    Format,
}

const fn row(
    does: Does,
    verbs: &'static str,
    what: &'static str,
    hit: &'static str,
    miss: &'static str,
) -> Row {
    Row { verbs, needs: "", unless: "", does, what, hit, miss }
}

/// `what` follows the command: "deletes the volume".
pub const fn destroys(verbs: &'static str, what: &'static str, hit: &'static str, miss: &'static str) -> Row {
    row(Does::Destroy, verbs, what, hit, miss)
}

/// `what` follows "would": "stop the service".
pub const fn disrupts(verbs: &'static str, what: &'static str, hit: &'static str, miss: &'static str) -> Row {
    row(Does::Disrupt, verbs, what, hit, miss)
}

/// `what` follows "would": "give an account more rights".
pub const fn exposes(verbs: &'static str, what: &'static str, hit: &'static str, miss: &'static str) -> Row {
    row(Does::Expose, verbs, what, hit, miss)
}

/// `what` follows "would publish": "this package".
pub const fn publishes(
    verbs: &'static str,
    what: &'static str,
    hit: &'static str,
    miss: &'static str,
) -> Row {
    row(Does::Publish, verbs, what, hit, miss)
}

/// `what` follows the command and is followed by "writes to the forge directly".
pub const fn forge_writes(
    verbs: &'static str,
    what: &'static str,
    hit: &'static str,
    miss: &'static str,
) -> Row {
    row(Does::ForgeWrite, verbs, what, hit, miss)
}

/// `what` follows "would format, wipe or destroy": "the volume".
pub const fn formats(verbs: &'static str, what: &'static str, hit: &'static str, miss: &'static str) -> Row {
    row(Does::Format, verbs, what, hit, miss)
}

/// Every table there is.
pub static TABLES: [&[Tool]; 10] = [
    cloud::TOOLS,
    containers::TOOLS,
    databases::TOOLS,
    forge::TOOLS,
    infrastructure::TOOLS,
    other_versions::TOOLS,
    packages::TOOLS,
    secrets::TOOLS,
    storage::TOOLS,
    system::TOOLS,
];

/// Options and words with which no program of the tables does anything.
const INERT: &str = "--help -help --dry-run --dryrun --what-if --noop --no-op --preview-only";

/// The programs that are asked about here, besides those of the tables.
pub const PROGRAMS: &[&[&str]] = &[STARTERS, forge::PROGRAMS, clients::PROGRAMS, processes::PROGRAMS];

pub fn survey(program: &str, call: &Call<'_>, meaning: &mut Meaning) {
    let line = Line::of(program, call);
    if let Some(row) = find(&line).filter(|_| !(databases::serves(line.program) && for_tests(call))) {
        meaning.effects.push(row.effect(&line));
    }
    forge::survey(&line, call, meaning);
    match line.program {
        "docker" | "podman" | "nerdctl" => containers::survey(&line, call, meaning),
        "gh" | "glab" | "hub" => forge::api(&line, meaning),
        _ => {
            clients::survey(&line, call, meaning);
            storage::survey(&line, meaning);
            processes::survey(&line, call, meaning);
        }
    }
}

/// `RAILS_ENV=test rake db:reset`: a database that is there to be thrown away.
fn for_tests(call: &Call<'_>) -> bool {
    call.command.assignments.iter().any(|assignment| {
        assignment.name.ends_with("_ENV") && matches!(assignment.value.literal(), Some("test" | "testing"))
    })
}

/// A table and a tool in it.
type Place = (u8, u8);

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static WHERE: NameTable<Place, 1024> = {
    let mut places = NameTable::new();
    let mut table = 0;
    while table < TABLES.len() {
        let mut tool = 0;
        while tool < TABLES[table].len() {
            let names = TABLES[table][tool].names;
            let mut name = 0;
            while name < names.len() {
                places.put(names[name], (table as u8, tool as u8));
                name += 1;
            }
            tool += 1;
        }
        table += 1;
    }
    places
};

/// The tool of that name.
pub fn tool(program: &str) -> Option<&'static Tool> {
    let (table, tool) = WHERE.find(program)?;
    TABLES.get(usize::from(table))?.get(usize::from(tool))
}

/// The options that rows about a program need.
pub fn needed(program: &str) -> impl Iterator<Item = &'static str> {
    let rows = tool(program).map(|tool| tool.rows).unwrap_or_default().iter();
    let needed = rows.flat_map(|row| row.needs.split_ascii_whitespace());
    needed.map(|option| option.trim_end_matches('*')).filter(|option| option.starts_with('-'))
}

/// The words that rows about a program begin with.
pub fn verbs(program: &str) -> impl Iterator<Item = &'static str> {
    let rows = tool(program).map(|tool| tool.rows).unwrap_or_default().iter();
    let verbs = rows.flat_map(|row| row.verbs.split([' ', '|']));
    verbs.filter(|verb| !verb.is_empty() && !verb.contains(['*', '?']))
}

fn find(line: &Line<'_>) -> Option<&'static Row> {
    let tool = tool(line.program)?;
    let row = tool.rows.iter().find(|row| row.matches(line, tool))?;
    let options = line.before_operands();
    let asks_for_help = || options.arguments.iter().any(|word| word.literal() == Some("-h"));
    let explains = || line.program == "aws" && line.words("").last() == Some("help");
    let inert = options.has(INERT) || (!tool.valued.contains("-h ") && asks_for_help()) || explains();
    (!inert).then_some(row)
}

impl Row {
    /// With one of these options or words only.
    pub const fn needs(mut self, needs: &'static str) -> Self {
        self.needs = needs;
        self
    }

    /// Not with any of these options or words.
    pub const fn unless(mut self, unless: &'static str) -> Self {
        self.unless = unless;
        self
    }

    fn matches(&self, line: &Line<'_>, tool: &Tool) -> bool {
        line.begins_with(self.verbs, tool.valued, tool.reads)
            && (self.needs.is_empty() || line.has(self.needs))
            && !line.has(self.unless)
    }

    fn effect(&self, line: &Line<'_>) -> Effect {
        let (what, command) = (self.what, line.shown());
        match self.does {
            Does::Destroy => Effect::Destroy { what: format!("`{command}` {what}") },
            Does::Disrupt => Effect::Disrupt { what: format!("{what} (`{command}`)") },
            Does::Expose => Effect::Expose { what: format!("{what} (`{command}`)") },
            Does::Publish => Effect::Publish { what: format!("{what} (`{command}`)") },
            Does::ForgeWrite => Effect::ForgeWrite { what: format!("`{command}` {what} and") },
            Does::Format => Effect::Format { device: format!("{what} (`{command}`)") },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{Budget, parse};
    use crate::step::sample::place;

    #[test]
    fn no_row_is_hidden_by_one_above_it() {
        let place = place();
        for row in TABLES.iter().flat_map(|tools| tools.iter()).flat_map(|tool| tool.rows) {
            let parsed = parse(row.hit, &mut Budget::default());
            let found = parsed.commands.iter().any(|command| {
                let others = &parsed.commands;
                let (wire, alone) = (&Default::default(), true);
                let listed = command;
                let call =
                    Call { command, listed, text: "", others, wire, directory: None, place: &place, alone };
                let line = command.program().map(|program| Line::of(program, &call));
                line.and_then(|line| find(&line)).is_some_and(|found| std::ptr::eq(found, row))
            });
            assert!(found, "{}", row.hit);
        }
    }

    #[test]
    fn what_only_looks_like_a_dry_run_is_none() {
        for command in ["docker volume rm pgdata help", "docker volume rm pgdata -- --dry-run"] {
            assert!(crate::step::sample::shell(command).course >= crate::step::Course::Ask, "{command}");
        }
    }

    #[test]
    fn every_message_is_short_enough_to_be_read() {
        for row in TABLES.iter().flat_map(|tools| tools.iter()).flat_map(|tool| tool.rows) {
            for finding in crate::step::sample::shell(row.hit).findings {
                let said = format!("Plimsoll [{}]: {}", finding.rule.as_str(), finding.reason);
                assert!(said.chars().count() <= 290, "{said}");
            }
        }
    }

    #[test]
    fn every_program_stands_in_one_table_only() {
        let mut names: Vec<&str> =
            TABLES.iter().flat_map(|tools| tools.iter()).flat_map(|tool| tool.names).copied().collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
