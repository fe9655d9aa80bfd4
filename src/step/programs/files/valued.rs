//! An option that takes a value, in every spelling that getopt takes.

use super::super::Call;
use super::without_prefix;
use crate::shell::Word;
use std::borrow::Cow;

/// Its letter, its long name, and the letters of the program that take no value and so may stand before it.
pub struct Valued {
    pub letter: char,
    pub long: &'static str,
    pub flags: &'static str,
}

enum Given {
    Attached(Word),
    Next,
}

impl Valued {
    /// What it is given: `-t X`, `-tX`, `-vt X`, `--target-directory X`, `--target=X`.
    pub fn values<'a>(&self, call: &'a Call<'_>) -> Vec<Cow<'a, Word>> {
        let arguments = call.arguments();
        let options = arguments.iter().enumerate().take_while(|(_, word)| word.literal() != Some("--"));
        let given = options.filter_map(|(at, word)| match self.given(word)? {
            Given::Attached(value) => Some(Cow::Owned(value)),
            Given::Next => arguments.get(at + 1).map(Cow::Borrowed),
        });
        given.collect()
    }

    fn given(&self, word: &Word) -> Option<Given> {
        let text = word.literal_prefix();
        if let Some(name) = text.strip_prefix("--") {
            let (name, attached) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
            if name.is_empty() || !self.long.starts_with(name) {
                return None;
            }
            return match attached {
                true => without_prefix(word, &format!("--{name}=")).map(Given::Attached),
                false => word.literal().map(|_| Given::Next),
            };
        }
        let letters = text.strip_prefix('-')?;
        let before: String = letters.chars().take_while(|letter| *letter != self.letter).collect();
        if before.len() == letters.len() || !before.chars().all(|letter| self.flags.contains(letter)) {
            return None;
        }
        let value = without_prefix(word, &format!("-{before}{}", self.letter))?;
        Some(if value.parts.is_empty() { Given::Next } else { Given::Attached(value) })
    }
}

#[cfg(test)]
mod tests {
    use crate::step::Course;
    use crate::step::sample::shell;

    #[test]
    fn a_value_is_found_however_its_option_is_spelled() {
        for command in [
            "mv -t/tmp ~",
            "mv -ft /tmp ~",
            "mv -vt/tmp \"$HOME\"",
            "mv --target=/tmp ~",
            "mv --target-d /tmp ~",
            "cp -t/etc passwd",
            "wget -qO/dev/vda https://example.invalid/x",
            "curl -fsSLo/dev/sda https://example.invalid/x",
            "curl -so /dev/sda https://example.invalid/x",
            "tar -cf/dev/sda src",
            "tar --create --fil=/dev/sda src",
            "sort -uo/dev/sda x",
            "sort --out=/dev/sda x",
            "tar -C/etc -xf x.tar",
            "tar -xf x.tar -C/etc",
            "tar -xf x.tar --dir=/etc",
            "rm --r ~",
            "rm --re --f ~",
            "chown -R --refere=/x /",
            "chmod -R --ref=/x ~",
            "echo x > /de?/vda",
            "dd if=/dev/zero of=/d*/sda",
        ] {
            assert!(shell(command).course >= Course::Ask, "{command}");
        }
    }

    #[test]
    fn letters_inside_a_value_are_no_options() {
        for command in [
            "curl -HAccept:foo https://example.invalid/x",
            "curl -sS -d'to=/dev/null' https://example.invalid/x",
            "tar -xf archive.tar",
            "tar -czf/tmp/x.tgz src",
            "tar -xzf x.tgz -C build",
            "sort -t, -k2 x",
            "cp -at build src/main.rs",
            "mv -t build src/main.rs -v",
            "chmod -R --reference=src build",
            "echo x > /de?/null/x",
        ] {
            assert_eq!(shell(command).course, Course::Allow, "{command}");
        }
    }
}
