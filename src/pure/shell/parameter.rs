//! `${…}` with an operator, as far as constants carry it.

use super::expand::fill_in;
use super::fields::{Fields, Quoting};
use super::scope::{VariableValue, is_always_set};
use super::source::ShellSource;
use super::syntax::tree::{Change, Fallback, Parameter, ParameterKind, Span};
use super::walk::Walker;
use super::word::{Word, WordPart};

impl<'t> Walker<'t> {
    pub(super) fn parameter(
        &mut self,
        source: &ShellSource<'t>,
        parameter: &'t Parameter<'t>,
        span: Span,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        let value = match &parameter.kind {
            ParameterKind::Element { name, index } => {
                self.embedded(source, parameter.raw, span);
                return self.element(name, Some(index), quoting, fields);
            }
            ParameterKind::AllElements { name } => {
                self.embedded(source, parameter.raw, span);
                return self.element(name, None, quoting, fields);
            }
            ParameterKind::Indirect { name } => {
                return match self.known(name) {
                    Some(name) => self.variable(&name, quoting, fields),
                    None => fields.open().push(WordPart::Unknown),
                };
            }
            ParameterKind::Default { name, operator, operand } => {
                let operand = operand.as_deref().map(|word| self.as_one(source, word)).unwrap_or_default();
                return self.defaulted(name, *operator, operand, quoting, fields);
            }
            ParameterKind::Changed { name, change } => {
                self.known(name).and_then(|value| changed(&value, change))
            }
            ParameterKind::Slice { name: "@" | "*", offset, length } => {
                let words = self.arguments_from(offset, *length);
                self.embedded(source, parameter.raw, span);
                return match words {
                    Some(words) => fill_in(self.budget, &mut self.opaque, &words, quoting, fields),
                    None => fields.open().push(WordPart::Unknown),
                };
            }
            ParameterKind::Slice { name, offset, length } => {
                self.known(name).and_then(|value| sliced(&value, offset, *length))
            }
            ParameterKind::Other => None,
        };
        self.embedded(source, parameter.raw, span);
        match value {
            Some(text) => fields.value(&Word::plain(text), quoting),
            None => fields.open().push(WordPart::Unknown),
        }
    }

    /// The positional parameters of `${@:offset:length}`; the first of them has the number 1.
    fn arguments_from(&self, offset: &str, length: Option<&str>) -> Option<Vec<Word>> {
        let words = self.scope.get("@")?.words();
        let skipped = offset.trim().parse::<usize>().ok()?.checked_sub(1)?;
        let length = length.map_or(Some(usize::MAX), |length| length.trim().parse().ok())?;
        Some(words.iter().skip(skipped).take(length).cloned().collect())
    }

    fn known(&self, name: &str) -> Option<String> {
        self.scope.get(name)?.literal().map(str::to_owned)
    }

    /// One element of an array, or all of them.
    fn element(&mut self, name: &str, index: Option<&str>, quoting: Quoting, fields: &mut Fields) {
        let Some(words) = self.scope.get(name).map(VariableValue::words) else {
            return fields.open().push(WordPart::Variable(name.to_owned()));
        };
        let Some(index) = index else {
            return fill_in(self.budget, &mut self.opaque, words, quoting, fields);
        };
        // An open word before it may stand for several elements, or none.
        let place = index.parse::<usize>().ok();
        let counted =
            place.and_then(|place| words.get(..place)).is_some_and(|before| before.iter().all(is_one));
        match place.and_then(|place| words.get(place)) {
            // What a coprocess reads stands behind what it prints, which is one descriptor.
            Some(word) if counted || matches!(word.parts.as_slice(), [WordPart::Stream(_)]) => {
                fields.value(word, quoting);
            }
            Some(_) | None => fields.open().push(WordPart::Unknown),
        }
    }

    /// An unset variable is taken to be unset: a default is what the author expects to run.
    fn defaulted(
        &mut self,
        name: &str,
        operator: Fallback,
        operand: Word,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        // A value that was read may be anything, also empty.
        let is_open = self.scope.get(name) == Some(&VariableValue::open(name));
        let set = match self.scope.get(name) {
            Some(value) => value.literal() != Some("") && !is_open,
            None => is_always_set(name),
        };
        match operator {
            Fallback::Use | Fallback::Assign if is_open => self.variable(name, quoting, fields),
            Fallback::Replace if set => fields.value(&operand, quoting),
            Fallback::Replace => fields.open().push(WordPart::Unknown),
            Fallback::Assign if !set => {
                self.scope.set(name, VariableValue::Scalar(operand.clone()));
                fields.value(&operand, quoting);
            }
            Fallback::Use if !set => fields.value(&operand, quoting),
            Fallback::Fail if !set => fields.open().push(WordPart::set_variable(name)),
            Fallback::Use | Fallback::Assign | Fallback::Fail => self.variable(name, quoting, fields),
        }
    }
}

/// Whether it stays one argument when the run fills it in, as a literal, a home, a file of ours or a descriptor does.
fn is_one(word: &Word) -> bool {
    word.parts.iter().all(|part| match part {
        WordPart::Literal(_) | WordPart::Tilde(_) | WordPart::Stream(_) | WordPart::Temporary => true,
        WordPart::Variable(_) | WordPart::Glob(_) | WordPart::Output(_) | WordPart::Unknown => false,
    })
}

/// The value after a change whose pattern is plain text.
fn changed(value: &str, change: &Change<'_>) -> Option<String> {
    let plain = |pattern| -> Option<&str> { plain_but(pattern, &['*', '?', '[', '(']) };
    let result = match change {
        Change::WithoutPrefix(pattern) => value.strip_prefix(plain(pattern)?).unwrap_or(value).to_owned(),
        Change::WithoutSuffix(pattern) => value.strip_suffix(plain(pattern)?).unwrap_or(value).to_owned(),
        Change::ReplaceFirst(pattern, with) => value.replacen(plain(pattern)?, plain_but(with, &['&'])?, 1),
        Change::ReplaceAll(pattern, with) => value.replace(plain(pattern)?, plain_but(with, &['&'])?),
        Change::Upper => value.to_uppercase(),
        Change::Lower => value.to_lowercase(),
        Change::Other => return None,
    };
    Some(result)
}

/// The text, if the shell would take it as it stands, and none of these is in it.
fn plain_but<'t>(text: &'t str, special: &[char]) -> Option<&'t str> {
    (!text.contains(['$', '\\', '"', '\'', '`']) && !text.contains(special)).then_some(text)
}

fn sliced(value: &str, offset: &str, length: Option<&str>) -> Option<String> {
    let offset = offset.trim().parse().ok()?;
    let rest = value.chars().skip(offset);
    match length {
        Some(length) => Some(rest.take(length.trim().parse().ok()?).collect()),
        None => Some(rest.collect()),
    }
}
