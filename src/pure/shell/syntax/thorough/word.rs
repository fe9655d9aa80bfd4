//! Words, here-documents and expansions as the parser has them.

use super::{Copier, span};
use crate::pure::shell::syntax::quick;
use crate::pure::shell::syntax::tree::{
    Change, Fallback, Form, Parameter, ParameterKind, Piece, PieceKind, Word,
};
use shuck_ast::{self as ast, BourneParameterExpansion as Bourne, LiteralText, ParameterOp, WordPart};

impl<'t> Copier<'t> {
    pub(super) fn document(&mut self, document: &'static ast::Heredoc) -> Vec<Piece<'t>> {
        let (delimiter, body) = (&document.delimiter, &document.body);
        let whole = |kind| Piece { kind, span: span(body.span) };
        // The parser takes every second delimiter on a line for a quoted one.
        if delimiter.quoted && (delimiter.raw.has_quoted_parts() || self.raw(delimiter.span).contains('\\')) {
            return vec![whole(PieceKind::Exact(String::leak(body.render(self.text))))];
        }
        // It keeps some bodies as one literal although they expand; those are read once more.
        if !body.mode.expands() {
            let text: &str = String::leak(body.render(self.text));
            let expands = text.contains(['$', '`']).then(|| whole(PieceKind::Unknown(text)));
            return expands.into_iter().chain([whole(PieceKind::Exact(text))]).collect();
        }
        body.parts.iter().map(|part| self.document_piece(part)).collect()
    }

    fn document_piece(&mut self, part: &'static ast::HeredocBodyPartNode) -> Piece<'t> {
        let raw = self.raw(part.span);
        let kind = match &part.kind {
            ast::HeredocBodyPart::Literal(text) => literal(text, raw),
            ast::HeredocBodyPart::Variable(name) => PieceKind::Variable(name.as_str()),
            ast::HeredocBodyPart::CommandSubstitution { body, syntax } => self.substitution(body, *syntax),
            ast::HeredocBodyPart::ArithmeticExpansion { .. } => unknown(raw),
            ast::HeredocBodyPart::Parameter(parameter) => self.parameter(parameter),
        };
        Piece { kind, span: span(part.span) }
    }

    /// Words that are there; the parser has an empty one for the program of a bare assignment.
    pub(super) fn words(&mut self, words: impl IntoIterator<Item = &'static ast::Word>) -> Vec<Word<'t>> {
        let present = words.into_iter().filter(|word| word.span.start != word.span.end);
        present.map(|word| self.checked(word)).collect()
    }

    /// The parser takes an unclosed brace and all that follows it for one word, and lets an unclosed expansion
    /// pass; a shell would not.
    pub(super) fn checked(&mut self, word: &'static ast::Word) -> Word<'t> {
        for part in &word.parts {
            let raw = self.raw(part.span);
            self.runs_on |= match &part.kind {
                WordPart::Literal(_) => runs_on(raw),
                WordPart::Parameter(_) => raw.starts_with("${") && !raw.ends_with('}'),
                WordPart::CommandSubstitution { .. } => !raw.ends_with([')', '`', '}']),
                WordPart::DoubleQuoted { .. } => !raw.ends_with('"'),
                _ => false,
            };
        }
        self.word(word)
    }

    pub(super) fn word(&mut self, word: &'static ast::Word) -> Word<'t> {
        let form = match word.parts.as_slice() {
            [ast::WordPartNode { kind: WordPart::Literal(LiteralText::Source), span }]
                if span.start != span.end && self.raw(*span).bytes().all(is_plain) =>
            {
                Form::Plain(self.raw(*span))
            }
            parts if word.has_active_brace_expansion() => Form::Braces(self.pieces(parts)),
            parts => Form::Pieces(self.pieces(parts)),
        };
        Word { form, span: span(word.span) }
    }

    fn pieces(&mut self, parts: &'static [ast::WordPartNode]) -> Vec<Piece<'t>> {
        parts.iter().map(|part| Piece { kind: self.piece(part), span: span(part.span) }).collect()
    }

    fn piece(&mut self, part: &'static ast::WordPartNode) -> PieceKind<'t> {
        let raw = self.raw(part.span);
        match &part.kind {
            WordPart::Literal(text) => literal(text, raw),
            WordPart::SingleQuoted { value, .. } => PieceKind::Exact(self.source(value)),
            // The parser loses track of where the pieces stand once there is an escape among them.
            WordPart::DoubleQuoted { parts, .. } => {
                let again = raw.contains('\\').then(|| quick::quoted(self.text, span(part.span))).flatten();
                PieceKind::Double(again.unwrap_or_else(|| self.pieces(parts)))
            }
            WordPart::Variable(name) => PieceKind::Variable(name.as_str()),
            WordPart::Parameter(parameter) => self.parameter(parameter),
            WordPart::CommandSubstitution { body, syntax } => self.substitution(body, *syntax),
            WordPart::ProcessSubstitution { body, is_input: true } => {
                PieceKind::ReadFrom(self.sequence(body))
            }
            WordPart::ProcessSubstitution { body, is_input: false } => {
                PieceKind::WriteTo(self.sequence(body))
            }
            WordPart::ZshQualifiedGlob(_) => PieceKind::Glob,
            WordPart::ArithmeticExpansion { .. }
            | WordPart::ParameterExpansion { .. }
            | WordPart::Length(_)
            | WordPart::ArrayAccess(_)
            | WordPart::ArrayLength(_)
            | WordPart::ArrayIndices(_)
            | WordPart::Substring { .. }
            | WordPart::ArraySlice { .. }
            | WordPart::IndirectExpansion { .. }
            | WordPart::PrefixMatch { .. }
            | WordPart::Transformation { .. } => unknown(raw),
        }
    }

    fn substitution(
        &mut self,
        body: &'static ast::StmtSeq,
        syntax: ast::CommandSubstitutionSyntax,
    ) -> PieceKind<'t> {
        match syntax {
            ast::CommandSubstitutionSyntax::DollarParen => PieceKind::Substitution(self.sequence(body)),
            ast::CommandSubstitutionSyntax::Backtick => PieceKind::Backticks,
        }
    }

    fn parameter(&mut self, parameter: &'static ast::ParameterExpansion) -> PieceKind<'t> {
        let kind = match parameter.bourne() {
            Some(Bourne::Access { reference }) => match reference.subscript.as_deref() {
                None => return PieceKind::Variable(reference.name.as_str()),
                Some(_) if reference.has_array_selector() => {
                    ParameterKind::AllElements { name: reference.name.as_str() }
                }
                Some(subscript) => ParameterKind::Element {
                    name: reference.name.as_str(),
                    index: self.source(&subscript.text),
                },
            },
            Some(Bourne::Indirect { reference, operator: None, .. }) => {
                ParameterKind::Indirect { name: reference.name.as_str() }
            }
            Some(Bourne::Operation { reference, operator, operand_word_ast, .. }) => {
                let name = reference.name.as_str();
                match fallback(operator) {
                    Some(operator) if reference.subscript.is_none() => ParameterKind::Default {
                        name,
                        operator,
                        operand: operand_word_ast.as_deref().map(|word| Box::new(self.word(word))),
                    },
                    Some(_) => ParameterKind::Other,
                    None => ParameterKind::Changed { name, change: self.change(operator) },
                }
            }
            Some(Bourne::Slice { reference, offset, length, .. }) => ParameterKind::Slice {
                name: reference.name.as_str(),
                offset: self.source(offset),
                length: length.as_ref().map(|length| self.source(length)),
            },
            _ => ParameterKind::Other,
        };
        PieceKind::Parameter(Parameter { raw: self.source(&parameter.raw_body), kind })
    }

    fn change(&mut self, operator: &'static ParameterOp) -> Change<'t> {
        let text = self.text;
        let plain = |pattern: &ast::Pattern| -> &'static str { String::leak(pattern.render(text)) };
        match operator {
            ParameterOp::RemovePrefixShort { pattern } | ParameterOp::RemovePrefixLong { pattern } => {
                Change::WithoutPrefix(plain(pattern))
            }
            ParameterOp::RemoveSuffixShort { pattern } | ParameterOp::RemoveSuffixLong { pattern } => {
                Change::WithoutSuffix(plain(pattern))
            }
            ParameterOp::ReplaceFirst { pattern, replacement, .. } => {
                Change::ReplaceFirst(plain(pattern), self.source(replacement))
            }
            ParameterOp::ReplaceAll { pattern, replacement, .. } => {
                Change::ReplaceAll(plain(pattern), self.source(replacement))
            }
            ParameterOp::UpperAll => Change::Upper,
            ParameterOp::LowerAll => Change::Lower,
            ParameterOp::UpperFirst
            | ParameterOp::LowerFirst
            | ParameterOp::UseDefault
            | ParameterOp::AssignDefault
            | ParameterOp::UseReplacement
            | ParameterOp::Error => Change::Other,
        }
    }
}

fn literal<'t>(text: &'static LiteralText, raw: &str) -> PieceKind<'t> {
    match text {
        LiteralText::Owned(owned) if **owned != *raw => PieceKind::Exact(owned),
        LiteralText::Owned(_) | LiteralText::Source | LiteralText::CookedSource(_) => PieceKind::Raw,
    }
}

fn unknown(raw: &str) -> PieceKind<'_> {
    PieceKind::Unknown(raw.strip_prefix('$').unwrap_or(raw))
}

/// Whether unquoted text goes on where a word has to end.
fn runs_on(raw: &str) -> bool {
    let mut escaped = false;
    raw.bytes().any(|byte| {
        let ends = matches!(byte, b' ' | b'\t' | b'\n' | b';') && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'/' | b'.' | b'_' | b'=' | b':' | b',' | b'+' | b'%' | b'@')
        || byte >= 0x80
}

fn fallback(operator: &ParameterOp) -> Option<Fallback> {
    match operator {
        ParameterOp::UseDefault => Some(Fallback::Use),
        ParameterOp::AssignDefault => Some(Fallback::Assign),
        ParameterOp::UseReplacement => Some(Fallback::Replace),
        ParameterOp::Error => Some(Fallback::Fail),
        _ => None,
    }
}
