//! The data that a command would send.

use super::copies::put_by_script;
use crate::pure::shell::{Command, Word, WordPart};
use std::borrow::Cow;

/// The data that a command would send.
#[derive(Debug, Default)]
pub(crate) struct Parcel<'a> {
    /// Where it goes, if the words say.
    pub(crate) to: Option<Cow<'a, str>>,
    pub(crate) files: Vec<Cow<'a, Word>>,
    /// Texts whose pieces may come from other commands or from variables.
    pub(crate) texts: Vec<Cow<'a, Word>>,
    /// Texts that carry a credential to its own service: headers, users.
    pub(crate) headers: Vec<Cow<'a, Word>>,
    pub(crate) input: bool,
    /// The folder that it runs in goes as a whole.
    pub(crate) folder: bool,
    pub(crate) reach: ParcelReach,
}

/// How much of the machine is no matter of the other side.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ParcelReach {
    /// Copying files between machines: only secrets count.
    #[default]
    Copy,
    /// A request: system files count as well.
    Request,
    /// Bytes as they are: so do whole trees.
    Wire,
}

impl<'a> Parcel<'a> {
    /// Whatever the command names or reads.
    pub(super) fn of_everything(
        command: &'a Command,
        commands: &[Command],
        to: Option<Cow<'a, str>>,
        reach: ParcelReach,
    ) -> Self {
        let put = put_by_script(command, commands).into_iter().map(Cow::Owned);
        let files = command.operands().map(Cow::Borrowed).chain(put).collect();
        let texts = command.arguments().iter().map(Cow::Borrowed).collect();
        Self { to, files, texts, input: true, reach, ..Self::default() }
    }

    pub(super) fn address(&mut self, word: Cow<'a, Word>) {
        if self.to.is_none() {
            let text = match &word {
                Cow::Borrowed(word) => word.text_lossy(),
                Cow::Owned(word) => Cow::Owned(word.text_lossy().into_owned()),
            };
            self.to = Some(text).filter(|text| !text.starts_with("${"));
        }
        // An address that begins with a value is the value's purpose.
        let texts = match word.parts.first() {
            Some(WordPart::Output(_)) => &mut self.headers,
            _ => &mut self.texts,
        };
        texts.push(word);
    }

    /// A file, or `-` for what is read.
    pub(super) fn file(&mut self, word: Cow<'a, Word>) {
        match word.literal() {
            Some("-" | "/dev/stdin" | ".") => self.input = true,
            _ => self.files.push(word),
        }
    }

    pub(super) fn data(&mut self, word: Cow<'a, Word>, mark: &str) {
        let text = word.literal_prefix();
        match text.split_once(mark) {
            Some((name, _)) if name.is_empty() || !name.contains(['=', '{', ' ', '"']) => {
                self.file(Cow::Owned(word.without_first(name.len() + mark.len())))
            }
            _ => self.texts.push(word),
        }
    }

    /// `name=@file;type=…` of a form.
    pub(super) fn field(&mut self, word: Cow<'a, Word>) {
        let text = word.literal_prefix();
        let Some((name, value)) = text.split_once('=') else { return };
        if !value.starts_with(['@', '<']) {
            return self.texts.push(word);
        }
        let mut file = word.without_first(name.len() + 2);
        if let Some(WordPart::Literal(text)) = file.parts.first_mut() {
            *text = text.split(';').next().unwrap_or_default().trim_matches('"').to_owned();
        }
        self.file(Cow::Owned(file));
    }
}
