//! Words of the tree to arguments: quotes removed, constants filled in, substitutions followed.

use super::brace;
use super::command::{Directory, Stdin, Wrapper};
use super::fields::{Fields, Quoting, decode};
use super::parsed::Opaque;
use super::scope::Value;
use super::source::{Origin, Source};
use super::walk::Walker;
use super::word::{Part, Word};
use shuck_ast::{self as ast, CommandSubstitutionSyntax, LiteralText, Span, StmtSeq, WordPart, WordPartNode};
use shuck_parser::parser::Parser;

impl Walker<'_> {
    /// The arguments that a word becomes: none, one or several.
    pub(super) fn fields(&mut self, source: &Source<'_>, word: &ast::Word) -> Vec<Word> {
        if word.span.start == word.span.end {
            return Vec::new();
        }
        self.check(source, word);
        if word.has_active_brace_expansion() {
            let raw = word.span.slice(source.text);
            // Reading the word again per choice would follow a substitution in it again as well.
            let choices = if has_substitution(raw) { None } else { brace::expand(raw) };
            match choices {
                Some(choices) => {
                    return choices.iter().flat_map(|text| self.reread(source, text, word.span)).collect();
                }
                None => {
                    self.collect(source, word);
                    return vec![Word::unknown()];
                }
            }
        }
        self.collect(source, word).finish()
    }

    /// The word where the shell does not split: assignments, redirects.
    pub(super) fn as_one(&mut self, source: &Source<'_>, word: &ast::Word) -> Word {
        self.collect(source, word).finish_as_one()
    }

    /// The parser takes an unclosed brace and all that follows it for one word, and lets an unclosed expansion
    /// pass; a shell would not.
    pub(super) fn check(&mut self, source: &Source<'_>, word: &ast::Word) {
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

    fn collect(&mut self, source: &Source<'_>, word: &ast::Word) -> Fields {
        let mut fields = Fields::default();
        for part in &word.parts {
            self.part(source, part, Quoting::Bare, &mut fields);
        }
        fields
    }

    /// A text read as one word that stands at `span`.
    fn reread(&mut self, source: &Source<'_>, text: &str, span: Span) -> Vec<Word> {
        if !self.spend(text.len()) {
            return vec![Word::unknown()];
        }
        let origin = Origin::Within(source.original(span.start.offset(), span.end.offset()));
        let word = Parser::parse_word_string(text);
        self.collect(&Source { text, origin }, &word).finish()
    }

    /// Lists the substitutions in a text that is no command: arithmetic, patterns, subscripts, tests.
    pub(super) fn embedded(&mut self, source: &Source<'_>, text: &str, span: Span) {
        if has_substitution(text) {
            self.reread(source, text, span);
        }
    }

    pub(super) fn part(
        &mut self,
        source: &Source<'_>,
        node: &WordPartNode,
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
            WordPart::ProcessSubstitution { body, .. } => {
                self.inside(|walker| walker.sequence(source, body));
                fields.open().push(Part::Unknown);
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
        let words = match self.scope.get(name) {
            Some(Value::Scalar(word)) => vec![word.clone()],
            Some(Value::List(words)) if name == "@" => words.clone(),
            Some(Value::List(words)) => vec![words.first().cloned().unwrap_or_default()],
            None if name == "_" => return fields.open().push(Part::Unknown),
            None => return fields.open().push(Part::Variable(name.to_owned())),
        };
        self.fill_in(&words, quoting, fields);
    }

    /// Adds known values. Their length counts as work, since a value may double with every assignment.
    pub(super) fn fill_in(&mut self, words: &[Word], quoting: Quoting, fields: &mut Fields) {
        let length = words.iter().map(Word::known_length).sum();
        if self.spend(length) {
            fields.list(words, quoting);
        } else {
            fields.open().push(Part::Unknown);
        }
    }

    /// Follows the commands inside, then fills in what they print if that is known.
    pub(super) fn substitution(
        &mut self,
        source: &Source<'_>,
        body: &StmtSeq,
        syntax: CommandSubstitutionSyntax,
        span: Span,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        let listed = self.commands.len();
        match syntax {
            CommandSubstitutionSyntax::DollarParen => self.inside(|walker| walker.sequence(source, body)),
            // Backslashes inside backticks are resolved before the text is read, so nested ones only show then.
            CommandSubstitutionSyntax::Backtick => {
                let text = unescape_backticks(span.slice(source.text), quoting);
                let origin = Origin::Within(source.original(span.start.offset(), span.end.offset()));
                self.inside(|walker| walker.text(&text, &origin));
            }
        }
        match self.only_listed_inside(listed).map(|index| (index, self.printed_by(index))) {
            Some((_, Some(mut printed))) => {
                if let Some(Part::Literal(last)) = printed.parts.last_mut() {
                    last.truncate(last.trim_end_matches('\n').len());
                }
                fields.value(&printed, quoting);
            }
            Some((index, None)) if self.is_print_directory(index) => self.present_directory(fields, quoting),
            _ => fields.open().push(Part::Unknown),
        }
    }

    /// The one command of a substitution itself, leaving aside those of substitutions inside it.
    fn only_listed_inside(&self, listed: usize) -> Option<usize> {
        let own = self.frame.via.len() + 1;
        let mut inside =
            self.commands.iter().enumerate().skip(listed).filter(|(_, each)| each.via.len() == own);
        let (index, _) = inside.next()?;
        (inside.next().is_none() && index + 1 == self.commands.len()).then_some(index)
    }

    fn is_print_directory(&self, index: usize) -> bool {
        self.commands
            .get(index)
            .is_some_and(|command| command.program() == Some("pwd") && command.words.len() == 1)
    }

    fn present_directory(&self, fields: &mut Fields, quoting: Quoting) {
        match &self.scope.directory {
            Directory::Same => fields.open().push(Part::Variable("PWD".to_owned())),
            Directory::Known(word) => fields.value(word, quoting),
            Directory::Unknown => fields.open().push(Part::Unknown),
        }
    }

    fn inside(&mut self, body: impl FnOnce(&mut Self)) {
        let stdin = std::mem::replace(&mut self.frame.stdin, Stdin::None);
        self.frame.via.push(Wrapper::Substitution);
        self.subshell(body);
        self.frame.via.pop();
        self.frame.stdin = stdin;
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

fn literal(source: &Source<'_>, text: &LiteralText, span: Span, quoting: Quoting, fields: &mut Fields) {
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
