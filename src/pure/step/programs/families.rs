//! Which families judge a program: those that list it, and those that look at more than its name.

use super::{Meaning, ShellCall, carried, clients, fetched, files, git, interpreters, network};
use super::{reading, recipes, sending, storage, table, unlisted};
use crate::pure::shell::{NameTable, Word};

/// A group of programs and the function that finds their effects.
struct Family {
    programs: &'static [&'static str],
    /// Other programs that it has to be asked about.
    others: Others,
    survey: fn(&str, &ShellCall<'_>, &mut Meaning),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    None,
    /// Those whose input or output goes elsewhere.
    Redirected,
    /// Those that are no plain name: a path, or a name with a version or an ending.
    Unusual,
    RedirectedOrUnusual,
}

/// In the order in which their effects are reported.
static FAMILIES: [Family; 10] = [
    Family { programs: &[git::REWRITERS], others: Others::None, survey: git::rewriters },
    Family { programs: &[files::PROGRAMS], others: Others::None, survey: files::survey },
    Family { programs: carried::PROGRAMS, others: Others::None, survey: carried::survey },
    Family {
        programs: &[interpreters::PROGRAMS, fetched::SHELLS, fetched::INTERPRETERS],
        others: Others::Unusual,
        survey: interpreters::survey,
    },
    Family { programs: &[recipes::PROGRAMS], others: Others::None, survey: recipes::survey },
    Family {
        programs: &[network::PROGRAMS, network::WIRES, fetched::SHELLS],
        others: Others::Redirected,
        survey: network::survey,
    },
    Family { programs: &[reading::PROGRAMS], others: Others::Redirected, survey: reading::survey },
    Family {
        programs: &[sending::PROGRAMS, network::WIRES],
        others: Others::RedirectedOrUnusual,
        survey: sending::survey,
    },
    Family { programs: table::PROGRAMS, others: Others::Unusual, survey: table::survey },
    Family {
        programs: &[fetched::PROGRAMS, fetched::SHELLS, fetched::INTERPRETERS],
        others: Others::Unusual,
        survey: fetched::survey,
    },
];

/// The family that lists its programs in tables of its own.
const TABLES: usize = 8;

/// The families that list a program, as a set.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static LISTED: NameTable<u16, 2048> = {
    let mut listed = NameTable::new();
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut list = 0;
        while list < FAMILIES[family].programs.len() {
            listed.add(FAMILIES[family].programs[list], family);
            list += 1;
        }
        family += 1;
    }
    let mut at = 0;
    while at < table::TABLES.len() {
        let mut tool = 0;
        while tool < table::TABLES[at].len() {
            listed.add(table::TABLES[at][tool].names, TABLES);
            tool += 1;
        }
        at += 1;
    }
    at = 0;
    while at < clients::CLIENTS.len() {
        listed.add(clients::CLIENTS[at].0, TABLES);
        at += 1;
    }
    at = 0;
    while at < storage::WRITERS.len() {
        listed.add(storage::WRITERS[at].0, TABLES);
        at += 1;
    }
    listed
};

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let asked = Asked::about(program, call);
    if asked.listed == 0 && !asked.unusual {
        unlisted::survey(program, call, meaning);
    }
    if asked.is_nobody() {
        return;
    }
    for (number, family) in FAMILIES.iter().enumerate() {
        if asked.includes(number, family) {
            (family.survey)(program, call, meaning);
        }
    }
}

/// Which families are asked.
struct Asked {
    listed: u16,
    redirected: bool,
    unusual: bool,
}

impl Asked {
    fn about(program: &str, call: &ShellCall<'_>) -> Self {
        Self {
            listed: LISTED.find(program).unwrap_or_default(),
            redirected: !call.command.redirects.is_empty(),
            unusual: is_unusual(program, call),
        }
    }

    fn is_nobody(&self) -> bool {
        self.listed == 0 && !self.redirected && !self.unusual
    }

    fn includes(&self, number: usize, family: &Family) -> bool {
        let others = match family.others {
            Others::None => false,
            Others::Redirected => self.redirected,
            Others::Unusual => self.unusual,
            Others::RedirectedOrUnusual => self.redirected || self.unusual,
        };
        others || self.listed & 1 << number != 0
    }
}

/// Started by a path, or called like a known program with something behind it: `python3.12`, `mkfs.ext4`.
fn is_unusual(program: &str, call: &ShellCall<'_>) -> bool {
    let written = call.command.words.first().and_then(Word::literal).map(str::len);
    written != Some(program.len())
        || program.ends_with(|last: char| last.is_ascii_digit() || last == '.')
        || ["python", "mkfs", "newfs_"].iter().any(|front| program.starts_with(front))
}

#[cfg(test)]
mod tests;
