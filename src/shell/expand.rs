//! Words of the tree to arguments: quotes removed, constants filled in, substitutions followed.

use super::brace;
use super::budget::Budget;
use super::command::{Stdin, Wrapper};
use super::fields::{Fields, Quoting, decode};
use super::parsed::Opaque;
use super::place::{directory_word, path_printed_by};
use super::scope::Value;
use super::source::{Origin, Source};
use super::walk::{Walker, kept, kept_node};
use super::word::{Origins, Part, Word};
use shuck_ast::{self as ast, CommandSubstitutionSyntax, LiteralText, Span, StmtSeq, WordPart, WordPartNode};
use shuck_parser::parser::Parser;

impl<'t> Walker<'t> {
    /// The arguments that all these words become.
    pub(super) fn all_fields(
        &mut self,
        source: &Source<'t>,
        words: impl IntoIterator<Item = &'t ast::Word>,
    ) -> Vec<Word> {
        let mut fields = Vec::new();
        for word in words {
            self.fields(source, word, &mut fields);
        }
        fields
    }

    /// Adds the arguments that a word becomes: none, one or several.
    pub(super) fn fields(&mut self, source: &Source<'t>, word: &'t ast::Word, done: &mut Vec<Word>) {
        if word.span.start == word.span.end {
            return;
        }
        if let Some(text) = plain(source, word) {
            self.spend(1);
            return done.push(Word::plain(text));
        }
        self.check(source, word);
        if word.has_active_brace_expansion() {
            let raw = word.span.slice(source.text);
            // Reading the word again per choice would follow a substitution in it again as well.
            let choices = if has_substitution(raw) { None } else { brace::expand(raw) };
            match choices {
                Some(choices) => {
                    for text in &choices {
                        self.reread(source, kept(text), word.span).finish(done);
                    }
                }
                None => {
                    self.collect(source, word);
                    done.push(Word::unknown());
                }
            }
            return;
        }
        self.collect(source, word).finish(done);
    }

    /// The word where the shell does not split: assignments, redirects.
    pub(super) fn as_one(&mut self, source: &Source<'t>, word: &'t ast::Word) -> Word {
        self.collect(source, word).finish_as_one()
    }

    /// The parser takes an unclosed brace and all that follows it for one word, and lets an unclosed expansion
    /// pass; a shell would not.
    pub(super) fn check(&mut self, source: &Source<'t>, word: &'t ast::Word) {
        let broken = word.parts.iter().any(|part| {
            let raw = part.span.slice(source.text);
            match &part.kind {
                WordPart::Literal(_) => runs_on(raw),
                WordPart::Parameter(_) => raw.starts_with("${") && !raw.ends_with('}'),
                WordPart::CommandSubstitution { .. } => !raw.ends_with([')', '`', '}']),
                WordPart::DoubleQuoted { .. } => !raw.ends_with('"'),
                _ => false,
            }
        });
        if broken {
            self.note(Opaque::Syntax);
        }
    }

    fn collect(&mut self, source: &Source<'t>, word: &'t ast::Word) -> Fields {
        let mut fields = Fields::default();
        for part in &word.parts {
            self.part(source, part, Quoting::Bare, &mut fields);
        }
        fields
    }

    /// A text read as one word that stands at `span`.
    fn reread(&mut self, source: &Source<'t>, text: &'t str, span: Span) -> Fields {
        // What is unclosed may hold itself, as far as the parser goes.
        if !self.spend(text.len()) || !self.enter() {
            return Fields::unknown();
        }
        let origin = Origin::Within(source.original(span.start.offset(), span.end.offset()));
        let word = kept_node(Parser::parse_word_string(text));
        let fields = self.collect(&Source { text, origin }, word);
        self.leave();
        fields
    }

    /// Lists the substitutions in a text that is no command: arithmetic, patterns, subscripts, tests.
    pub(super) fn embedded(&mut self, source: &Source<'t>, text: &'t str, span: Span) {
        if has_substitution(text) {
            self.reread(source, text, span);
        }
    }

    pub(super) fn part(
        &mut self,
        source: &Source<'t>,
        node: &'t WordPartNode,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        if !self.spend(1) {
            return fields.open().push(Part::Unknown);
        }
        match &node.kind {
            WordPart::Literal(text) => literal(source, text, node.span, quoting, fields),
            WordPart::SingleQuoted { value, .. } => fields.open().push_text(value.slice(source.text)),
            WordPart::DoubleQuoted { parts, .. } => {
                if !matches!(parts.as_slice(), [only] if is_list(only)) {
                    fields.open();
                }
                for part in parts {
                    self.part(source, part, Quoting::Double, fields);
                }
            }
            WordPart::Variable(name) => self.variable(name.as_str(), quoting, fields),
            WordPart::Parameter(parameter) => self.parameter(source, parameter, quoting, fields),
            WordPart::CommandSubstitution { body, syntax } => {
                self.substitution(source, body, *syntax, node.span, quoting, fields);
            }
            WordPart::ProcessSubstitution { body, is_input } => {
                let (listed, printing) = self.inside(|walker| walker.sequence(source, body));
                let word = fields.open();
                if *is_input && !printing.is_empty() {
                    word.parts.extend(printing.into_iter().map(Part::Stream));
                } else {
                    self.sinks.extend(listed..self.commands.len());
                    word.push(Part::Unknown);
                }
            }
            WordPart::ZshQualifiedGlob(_) => {
                fields.open().push(Part::Glob(node.span.slice(source.text).to_owned()));
            }
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
            | WordPart::Transformation { .. } => {
                let text = node.span.slice(source.text);
                let inner = text.strip_prefix('$').unwrap_or(text);
                self.embedded(source, inner, node.span);
                fields.open().push(Part::Unknown);
            }
        }
    }

    pub(super) fn variable(&mut self, name: &str, quoting: Quoting, fields: &mut Fields) {
        let name = if name == "*" { "@" } else { name };
        match self.scope.get(name) {
            Some(Value::List(words)) if name != "@" => {
                let first = words.get(..1).unwrap_or_default();
                fill_in(self.budget, &mut self.opaque, first, quoting, fields)
            }
            Some(value) => fill_in(self.budget, &mut self.opaque, value.words(), quoting, fields),
            None => self.unset_variable(name, quoting, fields),
        }
    }

    /// A variable that nothing in the text sets.
    fn unset_variable(&self, name: &str, quoting: Quoting, fields: &mut Fields) {
        match name {
            "_" => fields.open().push(Part::Unknown),
            "PWD" => self.present_directory(fields, quoting),
            // Blanks, unless somebody changed it: `rm${IFS}-rf` is two words.
            "IFS" if quoting == Quoting::Bare => fields.cut(),
            _ => {
                let origin = Part::of_origin_name(name).filter(|_| self.origins() == Origins::Named);
                fields.open().push(origin.unwrap_or_else(|| Part::Variable(name.to_owned())));
            }
        }
    }

    /// Follows the commands inside, then fills in what they print if that is known.
    pub(super) fn substitution(
        &mut self,
        source: &Source<'t>,
        body: &'t StmtSeq,
        syntax: CommandSubstitutionSyntax,
        span: Span,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        let (_, printing) = match syntax {
            CommandSubstitutionSyntax::DollarParen => self.inside(|walker| walker.sequence(source, body)),
            // Backslashes inside backticks are resolved before the text is read, so nested ones only show then.
            CommandSubstitutionSyntax::Backtick => {
                let text = unescape_backticks(span.slice(source.text), quoting);
                let origin = Origin::Within(source.original(span.start.offset(), span.end.offset()));
                self.inside(|walker| walker.derived(&text, &origin))
            }
        };
        match printing.as_slice() {
            [] => fields.open().push(Part::Unknown),
            [only] => self.output(*only, quoting, fields),
            several => {
                let word = fields.open();
                word.parts.extend(several.iter().copied().map(Part::Output));
            }
        }
    }

    /// What a substitution by this one command becomes.
    fn output(&mut self, index: usize, quoting: Quoting, fields: &mut Fields) {
        if let Some(printed) = self.printed_by(index) {
            return fields.value(&printed.trimmed(), quoting);
        }
        let Some(command) = self.commands.get(index) else { return fields.open().push(Part::Unknown) };
        match path_printed_by(command) {
            Some(word) => fields.value(&word, Quoting::Double),
            None => fields.open().push(Part::Output(index)),
        }
    }

    fn present_directory(&self, fields: &mut Fields, quoting: Quoting) {
        let word = directory_word(self.scope.directory());
        fields.value(&word.unwrap_or_else(Word::unknown), quoting);
    }

    fn inside(&mut self, body: impl FnOnce(&mut Self)) -> (usize, Vec<usize>) {
        let outer = self.feed(Stdin::None, Vec::new());
        let sinks = std::mem::take(&mut self.sinks);
        self.frame.via.push(Wrapper::Substitution);
        let captured = self.captured(body);
        self.frame.via.pop();
        self.sinks = sinks;
        self.feed(outer.0, outer.1);
        captured
    }
}

/// The text of a word without anything that the shell would interpret.
fn plain<'s>(source: &Source<'s>, word: &ast::Word) -> Option<&'s str> {
    match word.parts.as_slice() {
        [WordPartNode { kind: WordPart::Literal(LiteralText::Source), span }] => {
            let raw = source.text.get(span.start.offset()..span.end.offset())?;
            raw.bytes().all(is_plain).then_some(raw)
        }
        _ => None,
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'/' | b'.' | b'_' | b'=' | b':' | b',' | b'+' | b'%' | b'@')
        || byte >= 0x80
}

/// Adds known values. Their length counts as work, since a value may double with every assignment.
pub(super) fn fill_in(
    budget: &mut Budget,
    opaque: &mut Option<Opaque>,
    words: &[Word],
    quoting: Quoting,
    fields: &mut Fields,
) {
    if budget.spend(words.iter().map(Word::known_length).sum()) {
        fields.list(words, quoting);
    } else {
        opaque.get_or_insert(Opaque::BudgetSpent);
        fields.open().push(Part::Unknown);
    }
}

fn has_substitution(text: &str) -> bool {
    text.contains('`') || ["$(", "<(", ">("].iter().any(|opening| text.contains(opening))
}

/// `"$@"` alone may become no argument at all, unlike other quoted words.
fn is_list(node: &WordPartNode) -> bool {
    match &node.kind {
        WordPart::Variable(name) => name.as_str() == "@",
        WordPart::Parameter(parameter) => matches!(
            parameter.bourne(),
            Some(ast::BourneParameterExpansion::Access { reference }) if reference.has_array_selector()
        ),
        _ => false,
    }
}

pub(super) fn literal(
    source: &Source<'_>,
    text: &LiteralText,
    span: Span,
    quoting: Quoting,
    fields: &mut Fields,
) {
    let raw = span.slice(source.text);
    let raw = match text {
        LiteralText::Owned(owned) if **owned != *raw => {
            return fields.open().push_text(owned);
        }
        _ => raw,
    };
    if quoting == Quoting::Bare
        && fields.at_start()
        && let Some(after) = raw.strip_prefix('~')
    {
        let (user, rest) = after.split_at(after.find('/').unwrap_or(after.len()));
        if user.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            fields.open().push(Part::Tilde(user.to_owned()));
            return decode(rest, quoting, fields.open());
        }
    }
    decode(raw, quoting, fields.open());
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

fn unescape_backticks(raw: &str, quoting: Quoting) -> String {
    let inner = raw.strip_prefix('`').unwrap_or(raw);
    let inner = inner.strip_suffix('`').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = characters.peek().copied().filter(|next| {
            c == '\\' && (matches!(next, '`' | '\\' | '$') || (*next == '"' && quoting == Quoting::Double))
        });
        match escaped {
            Some(next) => {
                characters.next();
                text.push(next);
            }
            None => text.push(c),
        }
    }
    text
}
