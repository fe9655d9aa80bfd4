//! The lines that git feeds to its pre-push hook.

use super::error::{Error, Result};
use crate::pure::review::ObjectId;

/// One ref that a push would change. Without a local id it is deleted, without a remote one it is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PushLine {
    pub local_ref: String,
    pub local: Option<ObjectId>,
    pub remote_ref: String,
    pub remote: Option<ObjectId>,
}

impl PushLine {
    /// All lines of the hook's standard input; one that cannot be read spoils them all.
    pub fn parse_all(input: &[u8]) -> Result<Vec<Self>> {
        let lines = input.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let parsed = lines.map(|line| {
            let text = String::from_utf8_lossy(line);
            Self::parse(&text).ok_or_else(|| Error::PushLine { line: text.chars().take(200).collect() })
        });
        parsed.collect()
    }

    fn parse(line: &str) -> Option<Self> {
        // From the right: the local side is repeated as it was typed and may contain spaces.
        let mut words = line.rsplitn(4, ' ');
        let remote = ObjectId::parse(words.next()?)?;
        let remote_ref = words.next()?.to_owned();
        let local = ObjectId::parse(words.next()?)?;
        let local_ref = words.next()?.to_owned();
        let some = |id: ObjectId| (!id.is_zero()).then_some(id);
        Some(Self { local_ref, local: some(local), remote_ref, remote: some(remote) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_even_if_the_local_side_has_spaces() {
        let (one, zero) = ("1".repeat(40), "0".repeat(40));
        let input =
            format!("HEAD@{{1 day ago}} {one} refs/heads/x {zero}\n(delete) {zero} refs/heads/y {one}\n");
        let lines = PushLine::parse_all(input.as_bytes()).unwrap();
        assert_eq!(lines[0].local_ref, "HEAD@{1 day ago}");
        assert!(lines[0].remote.is_none() && lines[1].local.is_none());
        assert_eq!(lines[1].remote_ref, "refs/heads/y");
    }

    #[test]
    fn a_line_that_cannot_be_read_is_an_error() {
        let one = "1".repeat(40);
        for line in
            ["rubbish".to_owned(), format!("a {one} b"), format!("a {one} b xyz"), format!("{one} {one}")]
        {
            assert!(matches!(PushLine::parse_all(line.as_bytes()), Err(Error::PushLine { .. })), "{line}");
        }
        assert_eq!(PushLine::parse_all(b"").unwrap(), []);
    }
}
