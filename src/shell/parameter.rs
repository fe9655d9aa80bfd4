//! `${…}` with an operator, as far as constants carry it.

use super::expand::fill_in;
use super::fields::{Fields, Quoting};
use super::scope::Value;
use super::source::Source;
use super::walk::Walker;
use super::word::{Part, Word};
use shuck_ast::{self as ast, BourneParameterExpansion as Bourne, ParameterOp, VarRef};

/// Variables that every process has, so that a default for them never takes effect.
const ALWAYS_SET: &[&str] =
    &["HOME", "PATH", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "HOSTNAME", "UID", "EUID"];

impl<'t> Walker<'t> {
    pub(super) fn parameter(
        &mut self,
        source: &Source<'t>,
        parameter: &'t ast::ParameterExpansion,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        let value = match parameter.bourne() {
            Some(Bourne::Access { reference }) if reference.subscript.is_none() => {
                return self.variable(reference.name.as_str(), quoting, fields);
            }
            Some(Bourne::Access { reference }) => {
                self.embedded(source, parameter.raw_body.slice(source.text), parameter.span);
                return self.element(source, reference, quoting, fields);
            }
            Some(Bourne::Indirect { reference, operator: None, .. }) => {
                let name = self.known(reference.name.as_str());
                return match name {
                    Some(name) => self.variable(&name, quoting, fields),
                    None => fields.open().push(Part::Unknown),
                };
            }
            Some(Bourne::Operation { reference, operator, operand_word_ast, .. })
                if reference.subscript.is_none() && is_default(operator) =>
            {
                let operand =
                    operand_word_ast.as_deref().map(|word| self.as_one(source, word)).unwrap_or_default();
                return self.defaulted(reference.name.as_str(), operator, operand, quoting, fields);
            }
            Some(Bourne::Operation { reference, operator, .. }) => self
                .known(reference.name.as_str())
                .and_then(|value| transformed(&value, operator, source.text)),
            Some(Bourne::Slice { reference, offset, length, .. }) => {
                let length = length.as_ref().map(|length| length.slice(source.text));
                self.known(reference.name.as_str())
                    .and_then(|value| sliced(&value, offset.slice(source.text), length))
            }
            _ => None,
        };
        self.embedded(source, parameter.raw_body.slice(source.text), parameter.span);
        match value {
            Some(text) => fields.value(&Word::plain(text), quoting),
            None => fields.open().push(Part::Unknown),
        }
    }

    fn known(&self, name: &str) -> Option<String> {
        self.scope.get(name)?.literal().map(str::to_owned)
    }

    fn element(&mut self, source: &Source<'t>, reference: &'t VarRef, quoting: Quoting, fields: &mut Fields) {
        let Some(words) = self.scope.get(reference.name.as_str()).map(Value::words) else {
            return fields.open().push(Part::Variable(reference.name.as_str().to_owned()));
        };
        if reference.has_array_selector() {
            return fill_in(self.budget, &mut self.opaque, words, quoting, fields);
        }
        let index =
            reference.subscript.as_ref().and_then(|each| each.text.slice(source.text).parse::<usize>().ok());
        match index.and_then(|index| words.get(index)) {
            Some(word) => fields.value(word, quoting),
            None => fields.open().push(Part::Unknown),
        }
    }

    /// An unset variable is taken to be unset: a default is what the author expects to run.
    fn defaulted(
        &mut self,
        name: &str,
        operator: &ParameterOp,
        operand: Word,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        let set = match self.scope.get(name) {
            Some(value) => value.literal() != Some(""),
            None => ALWAYS_SET.contains(&name),
        };
        match operator {
            ParameterOp::UseReplacement if set => fields.value(&operand, quoting),
            ParameterOp::UseReplacement => fields.open().push(Part::Unknown),
            ParameterOp::AssignDefault if !set => {
                self.scope.set(name, Value::Scalar(operand.clone()));
                fields.value(&operand, quoting);
            }
            ParameterOp::UseDefault if !set => fields.value(&operand, quoting),
            _ => self.variable(name, quoting, fields),
        }
    }
}

fn is_default(operator: &ParameterOp) -> bool {
    matches!(
        operator,
        ParameterOp::UseDefault
            | ParameterOp::AssignDefault
            | ParameterOp::UseReplacement
            | ParameterOp::Error
    )
}

/// The value after an operator whose pattern is plain text.
fn transformed(value: &str, operator: &ParameterOp, source: &str) -> Option<String> {
    let plain = |pattern: &ast::Pattern| {
        let text = pattern.render(source);
        (!text.contains(['*', '?', '[', '$', '\\', '(', '"', '\'', '`'])).then_some(text)
    };
    let result = match operator {
        ParameterOp::RemovePrefixShort { pattern } | ParameterOp::RemovePrefixLong { pattern } => {
            let pattern = plain(pattern)?;
            value.strip_prefix(pattern.as_str()).unwrap_or(value).to_owned()
        }
        ParameterOp::RemoveSuffixShort { pattern } | ParameterOp::RemoveSuffixLong { pattern } => {
            let pattern = plain(pattern)?;
            value.strip_suffix(pattern.as_str()).unwrap_or(value).to_owned()
        }
        ParameterOp::ReplaceFirst { pattern, replacement, .. } => {
            value.replacen(&plain(pattern)?, plain_text(replacement.slice(source))?, 1)
        }
        ParameterOp::ReplaceAll { pattern, replacement, .. } => {
            value.replace(&plain(pattern)?, plain_text(replacement.slice(source))?)
        }
        ParameterOp::UpperAll => value.to_uppercase(),
        ParameterOp::LowerAll => value.to_lowercase(),
        ParameterOp::UpperFirst
        | ParameterOp::LowerFirst
        | ParameterOp::UseDefault
        | ParameterOp::AssignDefault
        | ParameterOp::UseReplacement
        | ParameterOp::Error => return None,
    };
    Some(result)
}

fn plain_text(text: &str) -> Option<&str> {
    (!text.contains(['$', '\\', '"', '\'', '`', '&'])).then_some(text)
}

fn sliced(value: &str, offset: &str, length: Option<&str>) -> Option<String> {
    let offset = offset.trim().parse().ok()?;
    let rest = value.chars().skip(offset);
    match length {
        Some(length) => Some(rest.take(length.trim().parse().ok()?).collect()),
        None => Some(rest.collect()),
    }
}
