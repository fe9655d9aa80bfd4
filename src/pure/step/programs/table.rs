//! Programs whose meaning is a table: program × subcommand × options → effect.

use super::line::{ProgramLine, STARTERS};
use super::{
    Meaning, ShellCall, clients, cloud, containers, databases, forge, infrastructure, other_versions,
    packages, processes, secrets, storage, system, unlisted,
};
use crate::pure::shell::{NameTable, Word, lists};
use crate::pure::step::address::{host_of, is_local};
use crate::pure::step::effect::Effect;

/// Programs with the same command line.
#[derive(Debug)]
pub(crate) struct ProgramTable {
    pub names: &'static str,
    /// Options that take a value and may stand before the last verb.
    valued: &'static str,
    /// Words that make the command read-only where they come before a verb behind `*`.
    reads: &'static str,
    pub rows: &'static [Row],
}

impl ProgramTable {
    pub const fn valued(mut self, options: &'static str) -> Self {
        self.valued = options;
        self
    }

    pub const fn reads(mut self, words: &'static str) -> Self {
        self.reads = words;
        self
    }

    pub const fn rows(mut self, rows: &'static [Row]) -> Self {
        self.rows = rows;
        self
    }
}

/// One rule. Blanks separate the entries of a list, `|` the alternatives of a verb; see `ProgramLine` for how words match.
/// `examples.txt` has a hit and a miss for each.
#[derive(Debug)]
pub(crate) struct Row {
    /// The words after the program, options left out. `?` is any one word, `*` any number of them.
    verbs: &'static str,
    /// Options or words of which at least one must be there; none listed, none needed.
    needs: &'static str,
    /// Options or words with which nothing happens.
    unless: &'static str,
    does: Does,
    /// The effect, in the words of a message.
    what: &'static str,
}

/// Which effect a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    Destroy,
    Disrupt,
    Expose,
    Publish,
    ForgeWrite,
    Format,
}

const fn row(does: Does, verbs: &'static str, what: &'static str) -> Row {
    Row { verbs, needs: "", unless: "", does, what }
}

/// `what` follows the command: "deletes the volume".
pub(crate) const fn destroys(verbs: &'static str, what: &'static str) -> Row {
    row(Does::Destroy, verbs, what)
}

/// `what` follows "would": "stop the service".
pub(crate) const fn disrupts(verbs: &'static str, what: &'static str) -> Row {
    row(Does::Disrupt, verbs, what)
}

/// `what` follows "would": "give an account more rights".
pub(crate) const fn exposes(verbs: &'static str, what: &'static str) -> Row {
    row(Does::Expose, verbs, what)
}

/// `what` follows "would publish": "this package".
pub(crate) const fn publishes(verbs: &'static str, what: &'static str) -> Row {
    row(Does::Publish, verbs, what)
}

/// `what` follows the command and is followed by "writes to the forge directly".
pub(crate) const fn forge_writes(verbs: &'static str, what: &'static str) -> Row {
    row(Does::ForgeWrite, verbs, what)
}

/// `what` follows "would format, wipe or destroy": "the volume".
pub(crate) const fn formats(verbs: &'static str, what: &'static str) -> Row {
    row(Does::Format, verbs, what)
}

/// A table of the programs in a list of names; it still needs its rows.
pub(crate) const fn programs(names: &'static str) -> ProgramTable {
    ProgramTable { names, valued: "", reads: "", rows: &[] }
}

/// Every table there is.
pub(crate) static TABLES: [&[ProgramTable]; 10] = [
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
const INERT: &str = "--help -help --dry-run --dryrun --dryRun --what-if --noop --no-op --preview-only \
    --generate-cli-skeleton --plan /?";

/// The programs that are asked about here, besides those of the tables.
pub(crate) const PROGRAMS: &[&str] = &[STARTERS, forge::PROGRAMS, clients::PROGRAMS, processes::PROGRAMS];

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let line = ProgramLine::of(program, call);
    match find(&line) {
        Some(row) if !(databases::serves(line.program) && for_tests(call) || is_stand_in(&line)) => {
            meaning.effects.push(row.effect(&line));
        }
        Some(_) => {}
        None => meaning.effects.extend(unnamed(&line)),
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
fn for_tests(call: &ShellCall<'_>) -> bool {
    call.command.assignments.iter().any(|assignment| {
        (assignment.name.ends_with("_ENV") || assignment.name == "DJANGO_SETTINGS_MODULE")
            && assignment.value.literal().is_some_and(clients::names_tests)
            || names_database(&assignment.name)
                && assignment.value.literal().is_some_and(clients::is_test_database)
    }) || call.literals().any(|text| match text.split_once("_ENV=") {
        Some((_, environment)) => clients::names_tests(environment),
        None => text == "--local" || !text.starts_with('-') && clients::is_for_tests(text),
    }) || clients::values(call.arguments(), "--settings --env --environment --schema")
        .iter()
        .any(|value| clients::names_tests(value))
}

/// `DATABASE_URL`, `PGDATABASE` and the like.
fn names_database(variable: &str) -> bool {
    variable.ends_with("DATABASE_URL") || variable.ends_with("DATABASE") || variable.ends_with("DB_NAME")
}

/// A cloud, a server or a cluster that runs on this machine, and what is named for tests in one.
fn is_stand_in(line: &ProgramLine<'_>) -> bool {
    let any = |options: &str, is: &dyn Fn(&str) -> bool| {
        clients::values(line.arguments, options).iter().any(|value| is(value))
    };
    let set = |variable: &str, is: &dyn Fn(&str) -> bool| {
        let mut set = line.call.command.assignments.iter().filter(|each| each.name == variable);
        set.any(|each| each.value.literal().is_some_and(is))
    };
    let local = |url: &str| host_of(url).is_some_and(|host| is_local(&host));
    match line.program {
        "awslocal" => true,
        "aws" => {
            any("--endpoint-url", &local)
                || any("--profile", &|name| name == "localstack")
                || set("AWS_ENDPOINT_URL", &local)
        }
        "kubectl" => any("-n --namespace", &clients::names_tests),
        "kind" | "k3d" | "minikube" => {
            any("-n --name -p --profile", &clients::names_tests)
                || line.words("").any(clients::names_tests)
                || is_default_cluster(line)
        }
        "colima" | "limactl" | "multipass" | "vagrant" | "tart" | "ctlptl" => {
            line.words("").skip(1).any(clients::names_tests)
        }
        "docker" | "podman" | "nerdctl" => match line.words("").next() {
            Some("volume") => {
                let mut names = line.words("").skip(2).peekable();
                line.begins_with("volume rm|remove", "", "")
                    && names.peek().is_some()
                    && names.all(clients::names_tests)
            }
            _ => line.words("").any(|word| word == "compose") && is_test_project(&any, &set),
        },
        "docker-compose" | "podman-compose" => is_test_project(&any, &set),
        "kafka-topics" | "kafka-topics.sh" => {
            any("--bootstrap-server --zookeeper", &local) && any("--topic", &clients::names_tests)
        }
        _ => false,
    }
}

type AnyValue<'a> = dyn Fn(&str, &dyn Fn(&str) -> bool) -> bool + 'a;

/// A project of compose whose name or file says that it is there to be thrown away.
fn is_test_project(any: &AnyValue<'_>, set: &AnyValue<'_>) -> bool {
    any("-f --file -p --project-name", &clients::names_tests)
        || set("COMPOSE_PROJECT_NAME", &clients::names_tests)
        || set("COMPOSE_FILE", &clients::names_tests)
}

/// The cluster without a name, which such a program makes and deletes for a try.
fn is_default_cluster(line: &ProgramLine<'_>) -> bool {
    let words: Vec<&str> = line.words("").collect();
    let whole = matches!(
        (line.program, words.as_slice()),
        ("minikube", ["delete"]) | ("kind", ["delete", "cluster"]) | ("k3d", ["cluster", "delete"])
    );
    whole && line.arguments.len() == words.len()
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
            places.put(TABLES[table][tool].names, (table as u8, tool as u8));
            tool += 1;
        }
        table += 1;
    }
    places
};

/// The tool of that name.
pub(crate) fn tool(program: &str) -> Option<&'static ProgramTable> {
    let (table, tool) = WHERE.find(program)?;
    TABLES.get(usize::from(table))?.get(usize::from(tool))
}

/// The options that rows about a program need.
pub(crate) fn needed(program: &str) -> impl Iterator<Item = &'static str> {
    let rows = tool(program).map(|tool| tool.rows).unwrap_or_default().iter();
    let needed = rows.flat_map(|row| row.needs.split_ascii_whitespace());
    needed.map(|option| option.trim_end_matches('*')).filter(|option| option.starts_with('-'))
}

/// The words that rows about a program begin with.
pub(crate) fn verbs(program: &str) -> impl Iterator<Item = &'static str> {
    let rows = tool(program).map(|tool| tool.rows).unwrap_or_default().iter();
    let verbs = rows.flat_map(|row| row.verbs.split([' ', '|']));
    verbs.filter(|verb| !verb.is_empty() && !verb.contains(['*', '?']))
}

fn find(line: &ProgramLine<'_>) -> Option<&'static Row> {
    let tool = tool(line.program)?;
    let row = tool.rows.iter().find(|row| row.matches(line, tool)).or_else(|| behind_option(line, tool))?;
    let options = line.before_operands();
    let asks_for_help = || options.arguments.iter().any(|word| word.literal() == Some("-h"));
    let explains = || line.program == "aws" && line.words("").last() == Some("help");
    let inert = options.has(INERT) || (!tool.valued.contains("-h ") && asks_for_help()) || explains();
    (!inert).then_some(row)
}

/// The effect of a verb that no row of the tool names, but that destroys everywhere.
fn unnamed(line: &ProgramLine<'_>) -> Option<Effect> {
    /// They delete what is made again, or their words are no verbs.
    const OTHERS: &str = "npm yarn pnpm bun pip pip3 cargo gem brew apt apt-get git go dotnet mix rails rake php \
        artisan pm2 gpg gpg2 security docker podman nerdctl make psql mysql sqlite3 redis-cli mongosh";
    let tool = tool(line.program).filter(|_| !lists(OTHERS, line.program))?;
    const LOOKS: &str = "auth can-i explain help diff list ls show get describe status search man completion";
    let looks =
        |word: &str| lists(LOOKS, word) || tool.reads.split_ascii_whitespace().any(|read| read == word);
    let reads = || line.words(tool.valued).take(4).any(looks);
    let named = || tool.rows.iter().any(|row| row.is_named(line, tool));
    unlisted::by_verb(line).filter(|_| !named() && !reads() && !line.has(INERT))
}

/// Options that may stand before the verbs beyond this many are not tried.
const MAX_OPTIONS: usize = 6;

/// The row that matches if an option which the table does not know takes the word behind it: `restic --compression max
/// forget`, `aws --prof x …`.
fn behind_option(line: &ProgramLine<'_>, tool: &ProgramTable) -> Option<&'static Row> {
    let is_option =
        |word: &Word| word.starts_with("-") && word.literal().is_none_or(|text| !text.contains('='));
    let options = line.arguments.iter().enumerate().filter(|(_, word)| is_option(word)).take(MAX_OPTIONS);
    options.map(|(at, _)| at).find_map(|at| {
        let value = line.arguments.get(at + 1)?;
        let is_verb = |text| verbs(line.program).any(|verb| verb == text);
        if is_option(value) || value.literal().is_some_and(is_verb) {
            return None;
        }
        let mut arguments = line.arguments.to_vec();
        arguments.drain(at..at + 2);
        let without = ProgramLine { arguments: &arguments, ..*line };
        tool.rows
            .iter()
            .find(|row| !row.verbs.is_empty() && row.is_named(&without, tool) && row.applies(line))
    })
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

    fn matches(&self, line: &ProgramLine<'_>, tool: &ProgramTable) -> bool {
        self.is_named(line, tool) && self.applies(line)
    }

    fn is_named(&self, line: &ProgramLine<'_>, tool: &ProgramTable) -> bool {
        line.begins_with(self.verbs, tool.valued, tool.reads)
    }

    fn applies(&self, line: &ProgramLine<'_>) -> bool {
        (self.needs.is_empty() || line.has(self.needs)) && !line.has(self.unless)
    }

    fn effect(&self, line: &ProgramLine<'_>) -> Effect {
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
    use crate::pure::shell::{Budget, parse};
    use crate::pure::step::sample::{place, program_examples};

    /// The row that a command is about.
    fn found(text: &str) -> Option<&'static Row> {
        let (place, graph) = (place(), Default::default());
        let others = &parse(text, &mut Budget::default()).commands;
        others.iter().find_map(|command| {
            let call = ShellCall {
                command,
                listed: command,
                text: "",
                others,
                graph: &graph,
                directory: None,
                place: &place,
                alone: true,
            };
            find(&ProgramLine::of(command.program()?, &call))
        })
    }

    #[test]
    fn every_row_has_an_example_that_no_row_above_it_takes() {
        let found: Vec<_> = program_examples()
            .into_iter()
            .map(|(hit, _)| found(hit).unwrap_or_else(|| panic!("`{hit}` is about no row")))
            .collect();
        for row in TABLES.iter().flat_map(|tools| tools.iter()).flat_map(|tool| tool.rows) {
            assert!(found.iter().any(|found| std::ptr::eq(*found, row)), "no hit in examples.txt: {row:?}");
        }
    }

    #[test]
    fn what_only_looks_like_a_dry_run_is_none() {
        for command in ["docker volume rm pgdata help", "docker volume rm pgdata -- --dry-run"] {
            assert!(
                crate::pure::step::sample::shell(command).decision >= crate::pure::step::Decision::Ask,
                "{command}"
            );
        }
    }

    #[test]
    fn every_message_is_short_enough_to_be_read() {
        for (hit, _) in program_examples() {
            for finding in crate::pure::step::sample::shell(hit).findings {
                let said = format!("Plimsoll [{}]: {}", finding.rule.as_str(), finding.reason);
                assert!(said.chars().count() <= 290, "{said}");
            }
        }
    }

    #[test]
    fn every_program_stands_in_one_table_only() {
        let mut names: Vec<&str> =
            TABLES.iter().flat_map(|tools| tools.iter()).flat_map(|tool| tool.names.split(' ')).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
