//! Programs whose meaning is a table: program × subcommand × options → effect.

use super::{Call, Meaning, cloud, containers, databases, infrastructure, packages, storage, system};
use crate::step::effect::Effect;

/// One line of knowledge about a program.
#[derive(Debug)]
pub struct Row {
    pub programs: &'static [&'static str],
    /// The words after the program, options left out; each with its alternatives, separated by `|`.
    pub verbs: &'static [&'static str],
    /// Options or words of which at least one must be there; none listed, none needed.
    pub needs: &'static [&'static str],
    /// Options with which nothing happens.
    pub unless: &'static [&'static str],
    pub does: Does,
    /// What happens, in words that a person understands; follows the command in the message.
    pub what: &'static str,
    pub hit: &'static str,
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

/// Every table there is.
pub const TABLES: [&[Row]; 7] = [
    cloud::ROWS,
    containers::ROWS,
    databases::ROWS,
    infrastructure::ROWS,
    packages::ROWS,
    storage::ROWS,
    system::ROWS,
];

pub fn survey(program: &str, call: &Call<'_>, meaning: &mut Meaning) {
    let row = TABLES.iter().flat_map(|rows| rows.iter()).find(|row| row.matches(program, call));
    meaning.effects.extend(row.map(Row::effect));
}

impl Row {
    fn matches(&self, program: &str, call: &Call<'_>) -> bool {
        if !self.programs.contains(&program) {
            return false;
        }
        let has = |names: &[&str]| call.literals().any(|text| names.contains(&text));
        let mut words = call.literals().filter(|text| !text.starts_with('-'));
        self.verbs.iter().all(|verb| words.next().is_some_and(|word| verb.split('|').any(|one| one == word)))
            && (self.needs.is_empty() || has(self.needs))
            && !has(self.unless)
            && !has(&["--help", "-h", "--dry-run"])
    }

    fn effect(&self) -> Effect {
        let what = self.what.to_owned();
        match self.does {
            Does::Destroy => Effect::Destroy { what },
            Does::Disrupt => Effect::Disrupt { what },
            Does::Expose => Effect::Expose { what },
            Does::Publish => Effect::Publish { what },
            Does::ForgeWrite => Effect::ForgeWrite { what },
            Does::Format => Effect::Format { device: what },
        }
    }
}
