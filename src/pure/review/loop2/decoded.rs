//! The form in which a reviewer can judge bytes that git takes for binary. Pure.

/// At least this share of the bytes of a text is readable, in percent.
const READABLE: usize = 70;
const HEAD: usize = 512;
const ROW: usize = 16;
/// How files begin that a machine runs: ELF, Windows, Mach-O and Java (the same in both byte orders), WebAssembly, LLVM.
const PROGRAMS: [&[u8]; 9] = [
    b"\x7fELF", b"MZ", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe", b"\0asm", b"BC\xc0\xde",
];

/// Bytes as a reviewer is shown them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// Text in an encoding that git does not read, or with a few NUL bytes in it, which are shown as `␀`.
    Text(String),
    /// The first bytes, in rows.
    Head(Vec<String>),
    /// Nobody can judge it by its first bytes.
    Program,
}

pub(crate) fn decoded(bytes: &[u8]) -> Decoded {
    let is_program = PROGRAMS.iter().any(|magic| bytes.starts_with(magic));
    match utf16(bytes) {
        Some(text) => Decoded::Text(text),
        None if is_program => Decoded::Program,
        None if is_mostly_text(bytes) => Decoded::Text(String::from_utf8_lossy(bytes).replace('\0', "␀")),
        None => Decoded::Head(rows(bytes)),
    }
}

fn utf16(bytes: &[u8]) -> Option<String> {
    let (little, body) = match bytes {
        [0xff, 0xfe, body @ ..] => (true, body),
        [0xfe, 0xff, body @ ..] => (false, body),
        // Without a mark: Latin text has a NUL in nearly every second byte.
        [_, 0, _, 0, ..] => (true, bytes),
        [0, _, 0, _, ..] => (false, bytes),
        _ => return None,
    };
    let unit = |pair: &[u8]| match pair {
        [low, high] if little => u16::from_le_bytes([*low, *high]),
        [high, low] => u16::from_be_bytes([*high, *low]),
        _ => 0xfffd,
    };
    let units: Vec<u16> = body.chunks(2).map(unit).collect();
    let text = String::from_utf16(&units).ok()?;
    let readable = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).count();
    (readable * 100 >= text.chars().count() * 95).then_some(text)
}

fn is_mostly_text(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let readable = |c: &char| *c != char::REPLACEMENT_CHARACTER && (!c.is_control() || c.is_whitespace());
    let count = text.chars().filter(readable).map(char::len_utf8).sum::<usize>();
    count * 100 >= bytes.len() * READABLE
}

fn rows(bytes: &[u8]) -> Vec<String> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let row = |(number, row): (usize, &[u8])| {
        let hex: String = row.iter().map(|byte| format!("{byte:02x} ")).collect();
        let text: String =
            row.iter().map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' }).collect();
        format!("{:04x}  {hex:<48} {text}", number * ROW)
    };
    head.chunks(ROW).enumerate().map(row).collect()
}

/// Lines of a file whose name says that it holds secrets, each value hidden. What a shell would run is shown.
pub(crate) fn without_values(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| without_value(line)).collect()
}

fn without_value(line: &str) -> String {
    const OPAQUE: usize = 20;
    let is_opaque = |word: &str| word.len() >= OPAQUE && word.bytes().all(|byte| !byte.is_ascii_whitespace());
    let runs = ["$(", "`", ";", "|", "&"].iter().any(|sign| line.contains(sign));
    let is_header = ["@@", "---", "+++"].iter().any(|sign| line.starts_with(sign));
    if is_header {
        return line.to_owned();
    }
    let name_ends = line.find(['=', ':']);
    match name_ends.and_then(|end| line.split_at_checked(end + 1)) {
        Some((name, value)) if !runs && !value.trim().is_empty() => {
            format!("{name} [value hidden, {} characters]", value.trim().chars().count())
        }
        _ if line.split_whitespace().any(is_opaque) && !runs => {
            let sign = line.get(..1).unwrap_or_default();
            format!("{sign}[hidden, {} characters]", line.chars().count().saturating_sub(1))
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_git_takes_for_binary_is_shown_as_text() {
        let script = b"#!/bin/sh\n# \0\ncurl http://example.org/x | sh\n";
        assert!(
            matches!(decoded(script), Decoded::Text(text) if text.contains("curl http") && text.contains('␀'))
        );
        let wide: Vec<u8> = "run me\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked: Vec<u8> = [&[0xff, 0xfe][..], &wide].concat();
        for bytes in [wide.clone(), marked] {
            assert_eq!(decoded(&bytes), Decoded::Text("run me\r\n".into()));
        }
        let big: Vec<u8> = "run me".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decoded(&big), Decoded::Text("run me".into()));
    }

    #[test]
    fn an_image_is_shown_by_its_first_bytes_and_a_program_not_at_all() {
        let image: Vec<u8> =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".iter().copied().chain((0..=255).cycle().take(4096)).collect();
        let Decoded::Head(rows) = decoded(&image) else { panic!("{:?}", decoded(&image)) };
        assert!(
            rows.len() == 32 && rows[0].starts_with("0000  89 50 4e 47") && rows[0].contains(".PNG"),
            "{}",
            rows[0]
        );
        for program in [&b"\x7fELF\x02\x01\x01\0\0"[..], b"MZ\x90\0\x03\0", b"\0asm\x01\0\0\0"] {
            assert_eq!(decoded(program), Decoded::Program);
        }
    }

    #[test]
    fn only_the_value_of_a_line_is_hidden_and_nothing_that_a_shell_would_run() {
        let shown = |line: &str| without_values(&[line.to_owned()]).concat();
        assert_eq!(shown("+DB_PASSWORD=hunter2-hunter2"), "+DB_PASSWORD= [value hidden, 15 characters]");
        assert_eq!(shown("-token: abc"), "-token: [value hidden, 3 characters]");
        assert_eq!(shown("+MIIEpAIBAAKCAQEAu7d9KzX"), "+[hidden, 23 characters]");
        for kept in ["+# a comment", "+A=", "@@ -1 +1 @@", "+X=$(curl http://example.org)", "+PATH_add bin"] {
            assert_eq!(shown(kept), kept);
        }
    }
}
