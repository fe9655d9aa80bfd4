//! Reads the options of a command line, given which of them take a value.

use super::word::Word;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flag {
    pub(super) name: String,
    pub(super) value: Option<Word>,
}

/// The flags seen so far and the index of the first word that is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Options {
    pub(super) flags: Vec<Flag>,
    /// Where the operands stand that come before the command.
    pub(super) operands: Vec<usize>,
    pub(super) rest: usize,
}

impl Options {
    pub(super) fn has(&self, names: &str) -> bool {
        self.flags.iter().any(|flag| lists(names, &flag.name))
    }

    pub(super) fn value<'a>(&'a self, names: &'a str) -> Option<&'a Word> {
        self.values(names).next()
    }

    pub(super) fn values<'a>(&'a self, names: &'a str) -> impl Iterator<Item = &'a Word> {
        self.flags.iter().filter(move |flag| lists(names, &flag.name)).filter_map(|flag| flag.value.as_ref())
    }

    /// Reads options from `rest` on. `valued` are those that take a value: `-u`, `--user`.
    pub(super) fn read(&mut self, words: &[Word], valued: &str) {
        while let Some(word) = words.get(self.rest) {
            let text = word.literal_prefix();
            if !text.starts_with('-') || word.literal() == Some("-") {
                return;
            }
            self.rest += 1;
            if word.literal() == Some("--") {
                return;
            }
            if text.starts_with("--") {
                self.read_long(word, words, valued);
            } else {
                self.read_cluster(word, words, valued);
            }
        }
    }

    fn read_long(&mut self, word: &Word, words: &[Word], valued: &str) {
        let text = word.literal_prefix();
        if let Some((name, attached)) = text.split_once('=') {
            let value = remainder(word, attached);
            self.flags.push(Flag { name: name.to_owned(), value: Some(value) });
            return;
        }
        let value = lists(valued, text).then(|| self.take(words));
        self.flags.push(Flag { name: text.to_owned(), value: value.flatten() });
    }

    fn read_cluster(&mut self, word: &Word, words: &[Word], valued: &str) {
        let mut letters = word.literal_prefix().chars();
        letters.next();
        while let Some(letter) = letters.next() {
            let name = format!("-{letter}");
            if !lists(valued, &name) {
                self.flags.push(Flag { name, value: None });
                continue;
            }
            let attached = remainder(word, letters.as_str());
            let value = if attached.parts.is_empty() { self.take(words) } else { Some(attached) };
            self.flags.push(Flag { name, value });
            return;
        }
    }

    fn take(&mut self, words: &[Word]) -> Option<Word> {
        let value = words.get(self.rest).cloned();
        self.rest += usize::from(value.is_some());
        value
    }
}

/// Whether `name` is one of the names in a list with blanks between them.
pub(super) fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|each| each == name)
}

/// What follows in a word whose first part ends with `attached`.
fn remainder(word: &Word, attached: &str) -> Word {
    let mut value = Word::default();
    value.push_text(attached);
    for part in word.parts.iter().skip(1) {
        value.push(part.clone());
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, valued: &str) -> (Vec<String>, usize) {
        let words: Vec<_> = line.split(' ').map(Word::plain).collect();
        let mut options = Options { rest: 1, ..Options::default() };
        options.read(&words, valued);
        let shown = |flag: &Flag| match &flag.value {
            Some(value) => format!("{}={}", flag.name, value.text_lossy()),
            None => flag.name.clone(),
        };
        (options.flags.iter().map(shown).collect(), options.rest)
    }

    #[test]
    fn values_are_found_attached_and_apart() {
        assert_eq!(read("sudo -u root -nE ls", "-u"), (vec!["-u=root".into(), "-n".into(), "-E".into()], 4));
        assert_eq!(read("sudo -uroot ls", "-u"), (vec!["-u=root".into()], 2));
        assert_eq!(read("sudo --user=root ls", ""), (vec!["--user=root".into()], 2));
        assert_eq!(read("sudo --user root ls", "--user"), (vec!["--user=root".into()], 3));
        assert_eq!(read("sudo -nu root ls", "-u"), (vec!["-n".into(), "-u=root".into()], 3));
    }

    #[test]
    fn options_end_at_the_first_operand_and_at_two_dashes() {
        assert_eq!(read("x -a b -c", ""), (vec!["-a".into()], 2));
        assert_eq!(read("x -- -c", ""), (vec![], 2));
        assert_eq!(read("x - -c", ""), (vec![], 1));
        assert_eq!(read("x -u", "-u"), (vec!["-u".into()], 2));
    }
}
