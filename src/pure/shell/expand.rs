//! Words of the tree to arguments: quotes removed, constants filled in, substitutions followed.

use super::brace;
use super::budget::Budget;
use super::command::{Stdin, Wrapper};
use super::fields::{Fields, Quoting, decode};
use super::parsed::Opaque;
use super::place::{directory_word, path_printed_by};
use super::scope::VariableValue;
use super::source::{ShellSource, TextOrigin};
use super::syntax;
use super::syntax::tree::{self, Form, ParameterKind, Piece, PieceKind, Span};
use super::walk::{Walker, kept, kept_node};
use super::word::{Origins, Word, WordPart};

impl<'t> Walker<'t> {
    /// The arguments that all these words become.
    pub(super) fn all_fields(
        &mut self,
        source: &ShellSource<'t>,
        words: impl IntoIterator<Item = &'t tree::Word<'t>, IntoIter: ExactSizeIterator>,
    ) -> Vec<Word> {
        let words = words.into_iter();
        let mut fields = Vec::with_capacity(words.len());
        for word in words {
            self.fields(source, word, &mut fields);
        }
        fields
    }

    /// Adds the arguments that a word becomes: none, one or several.
    pub(super) fn fields(
        &mut self,
        source: &ShellSource<'t>,
        word: &'t tree::Word<'t>,
        done: &mut Vec<Word>,
    ) {
        match &word.form {
            Form::Plain(text) => {
                self.spend(1);
                done.push(Word::plain(*text));
            }
            Form::Pieces(pieces) => self.collect(source, pieces).finish(done),
            Form::Braces(pieces) => {
                let raw = word.span.of(source.text);
                // Reading the word again per choice would follow a substitution in it again as well.
                let choices = if has_substitution(raw) { None } else { brace::expand(raw) };
                match choices {
                    Some(choices) => {
                        for text in &choices {
                            self.reread(source, kept(text), word.span).finish(done);
                        }
                    }
                    None => {
                        self.collect(source, pieces);
                        done.push(Word::unknown());
                    }
                }
            }
        }
    }

    /// The word where the shell does not split: assignments, redirects.
    pub(super) fn as_one(&mut self, source: &ShellSource<'t>, word: &'t tree::Word<'t>) -> Word {
        self.whole(source, word).finish_as_one()
    }

    /// The word as it stands, whatever its braces would make of it.
    fn whole(&mut self, source: &ShellSource<'t>, word: &'t tree::Word<'t>) -> Fields {
        match &word.form {
            Form::Plain(text) => {
                self.spend(1);
                Fields::of(Word::plain(*text))
            }
            Form::Pieces(pieces) | Form::Braces(pieces) => self.collect(source, pieces),
        }
    }

    fn collect(&mut self, source: &ShellSource<'t>, pieces: &'t [Piece<'t>]) -> Fields {
        let mut fields = Fields::default();
        for piece in pieces {
            self.piece(source, piece, Quoting::Bare, &mut fields);
        }
        fields
    }

    /// A text read as one word that stands at `span`.
    fn reread(&mut self, source: &ShellSource<'t>, text: &'t str, span: Span) -> Fields {
        // An unclosed text may contain itself, as far as the parser goes.
        if !self.spend(text.len()) || !self.enter() {
            return Fields::of(Word::unknown());
        }
        let origin = TextOrigin::Within(source.original(span.start, span.end));
        let fields = match syntax::word(text, self.budget.reading()) {
            Some(word) => self.whole(&ShellSource { text, origin }, kept_node(word)),
            None => {
                self.give_up();
                Fields::of(Word::unknown())
            }
        };
        self.leave();
        fields
    }

    /// Lists the substitutions in a text that is no command: arithmetic, patterns, subscripts, tests.
    pub(super) fn embedded(&mut self, source: &ShellSource<'t>, text: &'t str, span: Span) {
        if has_substitution(text) {
            self.reread(source, text, span);
        }
    }

    pub(super) fn piece(
        &mut self,
        source: &ShellSource<'t>,
        piece: &'t Piece<'t>,
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        if !self.spend(1) {
            return fields.open().push(WordPart::Unknown);
        }
        match &piece.kind {
            PieceKind::Raw => raw(piece.span.of(source.text), quoting, fields),
            PieceKind::Exact(text) => fields.open().push_text(text),
            PieceKind::Double(pieces) => {
                if !matches!(pieces.as_slice(), [only] if is_list(only)) {
                    fields.open();
                }
                for piece in pieces {
                    self.piece(source, piece, Quoting::Double, fields);
                }
            }
            PieceKind::Variable(name) => self.variable(name, quoting, fields),
            PieceKind::Parameter(parameter) => self.parameter(source, parameter, piece.span, quoting, fields),
            PieceKind::Substitution(body) => {
                let (_, printing) = self.inside(|walker| walker.sequence(source, body));
                self.substituted(&printing, quoting, fields);
            }
            // Backslashes inside backticks are resolved before the text is read, so nested ones only show then.
            PieceKind::Backticks => {
                let text = unescape_backticks(piece.span.of(source.text), quoting);
                let origin = TextOrigin::Within(source.original(piece.span.start, piece.span.end));
                let (_, printing) = self.inside(|walker| walker.derived(&text, &origin));
                self.substituted(&printing, quoting, fields);
            }
            PieceKind::ReadFrom(body) => {
                let (listed, printing) = self.inside(|walker| walker.sequence(source, body));
                if printing.is_empty() {
                    self.sinks.extend(listed..self.commands.len());
                    fields.open().push(WordPart::Unknown);
                } else {
                    fields.open().parts.extend(printing.into_iter().map(WordPart::Stream));
                }
            }
            PieceKind::WriteTo(body) => {
                let (listed, _) = self.inside(|walker| walker.sequence(source, body));
                self.sinks.extend(listed..self.commands.len());
                fields.open().push(WordPart::Unknown);
            }
            PieceKind::Glob => fields.open().push(WordPart::Glob(piece.span.of(source.text).to_owned())),
            PieceKind::Unknown(text) => {
                self.embedded(source, text, piece.span);
                fields.open().push(WordPart::Unknown);
            }
        }
    }

    pub(super) fn variable(&mut self, name: &str, quoting: Quoting, fields: &mut Fields) {
        let name = if name == "*" { "@" } else { name };
        match self.scope.get(name) {
            Some(VariableValue::List(words)) if name != "@" => {
                let first = words.get(..1).unwrap_or_default();
                fill_in(self.budget, &mut self.opaque, first, quoting, fields)
            }
            Some(value) => match self.separators().filter(|_| quoting == Quoting::Bare) {
                Some(separators) => {
                    let words: Vec<Word> =
                        value.words().iter().map(|word| word.split_by(&separators)).collect();
                    fill_in(self.budget, &mut self.opaque, &words, quoting, fields)
                }
                None => fill_in(self.budget, &mut self.opaque, value.words(), quoting, fields),
            },
            None => self.unset_variable(name, quoting, fields),
        }
    }

    /// The separators of unquoted values, where the text sets them.
    fn separators(&self) -> Option<String> {
        let separators = self.scope.get("IFS")?.literal()?;
        separators.contains(|sign: char| !sign.is_whitespace()).then(|| separators.to_owned())
    }

    /// A variable that nothing in the text sets.
    fn unset_variable(&self, name: &str, quoting: Quoting, fields: &mut Fields) {
        match name {
            "_" => fields.open().push(WordPart::Unknown),
            "PWD" => self.present_directory(fields, quoting),
            // Blanks, unless somebody changed it: `rm${IFS}-rf` is two words.
            "IFS" if quoting == Quoting::Bare => fields.cut(),
            _ => {
                let origin = WordPart::of_origin_name(name).filter(|_| self.origins() == Origins::Named);
                fields.open().push(origin.unwrap_or_else(|| WordPart::Variable(name.to_owned())));
            }
        }
    }

    /// Fills in what the commands of a substitution print, if that is known.
    fn substituted(&mut self, printing: &[usize], quoting: Quoting, fields: &mut Fields) {
        match printing {
            [] => fields.open().push(WordPart::Unknown),
            [only] => self.output(*only, quoting, fields),
            several => {
                let word = fields.open();
                word.parts.extend(several.iter().copied().map(WordPart::Output));
            }
        }
    }

    /// Appends the output of a substitution by this one command.
    fn output(&mut self, index: usize, quoting: Quoting, fields: &mut Fields) {
        if let Some(printed) = self.printed_by(index) {
            return fields.value(&printed.trimmed(), quoting);
        }
        let Some(command) = self.commands.get(index) else { return fields.open().push(WordPart::Unknown) };
        match path_printed_by(command) {
            Some(word) => fields.value(&word, Quoting::Double),
            None => fields.open().push(WordPart::Output(index)),
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
        fields.open().push(WordPart::Unknown);
    }
}

fn has_substitution(text: &str) -> bool {
    text.contains('`') || ["$(", "<(", ">("].iter().any(|opening| text.contains(opening))
}

/// `"$@"` alone may become no argument at all, unlike other quoted words.
fn is_list(piece: &Piece<'_>) -> bool {
    match &piece.kind {
        PieceKind::Variable(name) => *name == "@",
        PieceKind::Parameter(parameter) => matches!(parameter.kind, ParameterKind::AllElements { .. }),
        _ => false,
    }
}

/// Adds text as it stands in the source.
fn raw(text: &str, quoting: Quoting, fields: &mut Fields) {
    if quoting == Quoting::Bare && fields.at_start() {
        // `dd of=~/x` and `--output=~/x` mean the home directory as well.
        let (name, value) = match text.find("=~") {
            Some(at) => text.split_at(at + 1),
            None => ("", text),
        };
        if let Some(after) = value.strip_prefix('~') {
            let (user, rest) = after.split_at(after.find('/').unwrap_or(after.len()));
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
            if user.bytes().all(is_plain) && (name.is_empty() || user.is_empty()) {
                decode(name, quoting, fields.open());
                fields.open().push(WordPart::Tilde(user.to_owned()));
                return decode(rest, quoting, fields.open());
            }
        }
    }
    decode(text, quoting, fields.open());
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
