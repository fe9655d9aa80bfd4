//! One option that takes a value, in every spelling that getopt takes.

use super::super::ShellCall;
use crate::pure::shell::{Piece, Pieces, Takes, Word};
use std::borrow::Cow;

/// Its letter, its long name, and the letters of the program that take no value and so may stand before it.
pub(crate) struct ValuedOption {
    pub letter: &'static str,
    pub long: &'static str,
    pub flags: &'static str,
}

impl ValuedOption {
    /// The values that a call gives it: `-t X`, `-tX`, `-vt X`, `--target-directory X`, `--target=X`.
    pub fn values<'a>(&self, call: &'a ShellCall<'_>) -> Vec<Cow<'a, Word>> {
        let pieces = Pieces::new(call.arguments(), Word::literal_prefix, |name| self.takes(name));
        let options = pieces.take_while(|piece| !matches!(piece, Piece::Separator));
        let values = options.filter_map(|piece| match piece {
            Piece::Option(name, value) if self.takes(name) == Takes::Value => value,
            Piece::Option(..) | Piece::Separator | Piece::Operand(_) => None,
        });
        values.map(|value| value.word()).collect()
    }

    fn takes(&self, name: &str) -> Takes {
        match name.strip_prefix("--") {
            Some(name) if !name.is_empty() && self.long.starts_with(name) => Takes::Value,
            Some(_) => Takes::Nothing,
            None if name == self.letter => Takes::Value,
            None if self.flags.contains(name) => Takes::Nothing,
            None => Takes::Rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

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
            assert!(shell(command).decision >= Decision::Ask, "{command}");
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
            assert_eq!(shell(command).decision, Decision::Silent, "{command}");
        }
    }
}
