//! One tool call: its parsed input, and the family that it belongs to.

use super::fingerprint::fingerprint;
use super::programs;
use crate::pure::client::Tool;
use crate::pure::shell::{Budget, Command, Parsed, Reading, parse};
use std::cell::OnceCell;
use std::mem::ManuallyDrop;

/// One tool call, parsed once.
pub struct Action<'a> {
    pub(super) tool: &'a Tool,
    name: &'a str,
    raw_input: &'a str,
    /// Never dropped: a hook ends right after this, so freeing thousands of words one by one would be wasted work.
    pub(super) parsed: Option<ManuallyDrop<Parsed>>,
    /// The fingerprint of the family; also known from the cache, where the text was not parsed again.
    family: OnceCell<u64>,
    /// The fingerprint of the input.
    identity: OnceCell<u64>,
    pub(super) reading: Reading,
    /// The quick parser left something unread.
    pub(super) unread: bool,
}

impl<'a> Action<'a> {
    pub fn read(tool: &'a Tool, raw_input: &'a str) -> Self {
        Self::read_by(tool, raw_input, Reading::Thorough)
    }

    /// [`survey`](super::survey) reports texts that this way of reading left unread.
    pub fn read_by(tool: &'a Tool, raw_input: &'a str, reading: Reading) -> Self {
        let mut budget = Budget::for_reading(reading);
        let parsed = match tool {
            Tool::Bash { command } => Some(ManuallyDrop::new(parse(command, &mut budget))),
            _ => None,
        };
        let unread = budget.left_unread();
        Self {
            name: usual_name(tool),
            tool,
            raw_input,
            parsed,
            family: OnceCell::new(),
            identity: OnceCell::new(),
            reading,
            unread,
        }
    }

    /// A call whose effects and family are known; its text is not parsed.
    pub fn from_cache(tool: &'a Tool, raw_input: &'a str, family: u64) -> Self {
        let (reading, unread) = (Reading::Thorough, false);
        let (family, identity) = (OnceCell::from(family), OnceCell::new());
        Self { name: usual_name(tool), tool, raw_input, parsed: None, family, identity, reading, unread }
    }

    /// With the tool's own name: several tools share one variant of `Tool`.
    #[must_use]
    pub fn with_name(mut self, name: &'a str) -> Self {
        self.name = name;
        self
    }

    pub fn tool_name(&self) -> &str {
        self.name
    }

    pub fn raw_input(&self) -> &str {
        self.raw_input
    }

    /// The command as typed, or the whole input of another tool.
    pub fn text(&self) -> &str {
        match self.tool {
            Tool::Bash { command } => command,
            _ => self.raw_input,
        }
    }

    pub fn is_read_thoroughly(&self) -> bool {
        self.reading != Reading::Quick
    }

    /// Parses again with the thorough parser.
    pub fn read_thoroughly(&mut self) {
        *self = Self::read(self.tool, self.raw_input).with_name(self.name);
    }

    pub fn is_shell(&self) -> bool {
        matches!(self.tool, Tool::Bash { .. })
    }

    /// The commands in a shell text.
    pub fn commands(&self) -> &[Command] {
        self.parsed.as_ref().map_or(&[], |parsed| &parsed.commands)
    }

    /// The fingerprint of `family`.
    pub fn family_fingerprint(&self) -> u64 {
        *self.family.get_or_init(|| fingerprint(self.family().as_bytes()))
    }

    /// The fingerprint by which the journal recognises the same call.
    pub fn identity(&self) -> u64 {
        *self.identity.get_or_init(|| fingerprint(self.raw_input.as_bytes()))
    }

    /// The program and subcommand, such as `git push` or `cargo test`. For a
    /// command of several parts, the first program other than `cd`; for another tool, its name.
    pub fn family(&self) -> String {
        let certain = self.commands().iter().filter(|command| !command.is_possible());
        let mut named = certain.filter_map(|command| Some((command, command.program()?)));
        let Some((command, name)) = named.find(|(_, name)| *name != "cd") else {
            return self.name.to_owned();
        };
        match command.arguments().first().and_then(|word| word.literal()) {
            Some(word) if is_subcommand(word) && programs::takes_subcommands(name) => {
                format!("{name} {word}")
            }
            Some(_) | None => name.to_owned(),
        }
    }
}

/// The client's name for this kind of tool.
fn usual_name(tool: &Tool) -> &'static str {
    match tool {
        Tool::Bash { .. } => "Bash",
        Tool::Write { .. } => "Write",
        Tool::Read { .. } => "Read",
        Tool::Agent(_) => "Agent",
        Tool::Skill { .. } => "Skill",
        _ => "",
    }
}

/// A word of lower-case letters, as subcommands are; not a file, an option or a pattern.
fn is_subcommand(word: &str) -> bool {
    (1..=24).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b':'))
        && !word.starts_with('-')
}
