//! Text that a command would run: a script file, a git alias.

use super::error::Result;
use super::git::Git;
use crate::edge::file;
use camino::Utf8Path;

/// The whole text of a regular file of at most `limit` bytes, else nothing.
pub(crate) fn read_text(path: &Utf8Path, limit: u64) -> Option<String> {
    file::read_text(path, limit).ok()
}

/// The text of the git alias `name`, if there is one.
pub(crate) fn alias(git: &Git, name: &str) -> Result<Option<String>> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Ok(None);
    }
    git.setting(&format!("alias.{name}"))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn only_short_regular_text_files_are_read() {
        let fixture = Fixture::new();
        fixture.write("short.sh", "echo hi\n");
        fixture.write("binary", b"\xff\xfe");
        rustix::fs::mkfifoat(rustix::fs::CWD, fixture.path("pipe").as_std_path(), rustix::fs::Mode::RWXU)
            .unwrap();
        assert_eq!(read_text(&fixture.path("short.sh"), 8).as_deref(), Some("echo hi\n"));
        assert_eq!(read_text(&fixture.path("short.sh"), 7), None);
        for name in ["binary", "pipe", "missing", ""] {
            assert_eq!(read_text(&fixture.path(name), 1000), None, "{name}");
        }
    }

    #[test]
    fn an_alias_is_read_from_the_configuration() {
        let fixture = Fixture::new();
        fixture.git(&["config", "alias.send-it", "!git push\n--force"]);
        let git = fixture.open();
        assert_eq!(alias(&git, "send-it").unwrap().as_deref(), Some("!git push\n--force"));
        for name in ["push", "", "a.b", "--global", "x\ny"] {
            assert_eq!(alias(&git, name).unwrap(), None, "{name}");
        }
    }
}
