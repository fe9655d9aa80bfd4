//! Edge below the other edges: the one door to files that are read whole or appended to. Whatever lies at a path, opening
//! it takes no time: a pipe would wait for its other end, and a device has no end.

pub(crate) mod archive_names;
pub(crate) mod checksummed;
pub(crate) mod folder;
#[cfg(feature = "cli")]
pub(crate) mod lines;
pub(crate) mod metadata;
pub(crate) mod real_paths;

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
#[cfg(feature = "cli")]
use std::{fs::Permissions, os::unix::fs::PermissionsExt};

/// Opens with these options, at once, and only a regular file.
pub(crate) fn open(options: &mut OpenOptions, path: impl AsRef<Path>) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    let file = options.custom_flags(i32::try_from(flags).unwrap_or_default()).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

pub fn open_to_read(path: impl AsRef<Path>) -> io::Result<File> {
    open(OpenOptions::new().read(true), path)
}

/// Made where it is missing, for its owner alone.
pub(crate) fn open_to_append(path: impl AsRef<Path>) -> io::Result<File> {
    open(OpenOptions::new().create(true).append(true).mode(0o600), path)
}

/// A folder and those above it, for their owner alone.
pub(crate) fn create_private_folder(path: impl AsRef<Path>) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Replaces the file at one stroke, for its owner alone: a crash at any point leaves the old file or the new one.
pub(crate) fn replace(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new("."));
    create_private_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Replaces the content of somebody else's file at one stroke: it stays as readable as it was, and a link stays a link.
#[cfg(feature = "cli")]
pub(crate) fn rewrite(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    if let Ok(found) = real.metadata() {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.write_all(bytes)?;
    file.persist(&real).map(drop).map_err(|error| error.error)
}

/// Adds whole lines in one write, so that lines of two processes never mix.
pub(crate) fn append(path: impl AsRef<Path>, lines: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let file = match open_to_append(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_private_folder(path.parent().unwrap_or(path))?;
            open_to_append(path)
        }
        opened => opened,
    };
    file?.write_all(lines)
}

/// The whole of it; an error if that is more than `limit` bytes.
pub(crate) fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_to_read(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= limit {
        true => Ok(bytes),
        false => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {limit} bytes"))),
    }
}

/// The same as text.
pub fn read_text(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mkfifoat, mknodat};
    use std::fs;

    /// Everything that can lie at a path and is no file.
    fn others() -> (tempfile::TempDir, Vec<std::path::PathBuf>) {
        let directory = tempfile::tempdir().unwrap();
        let [pipe, folder, socket, link] =
            ["pipe", "folder", "socket", "link"].map(|name| directory.path().join(name));
        mkfifoat(CWD, &pipe, Mode::RWXU).unwrap();
        fs::create_dir(&folder).unwrap();
        mknodat(CWD, &socket, FileType::Socket, Mode::RWXU, 0).unwrap();
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        (directory, vec![pipe, folder, socket, link, "/dev/zero".into(), "/dev/null".into()])
    }

    #[test]
    fn only_a_regular_file_is_opened_and_nothing_is_waited_for() {
        let (_directory, others) = others();
        for path in others {
            assert!(read(&path, 100).is_err(), "{}", path.display());
            assert!(open_to_append(&path).is_err(), "{}", path.display());
            assert!(open(OpenOptions::new().read(true).write(true), &path).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn a_pipe_that_somebody_holds_open_is_no_file_either() {
        let (_directory, others) = others();
        let pipe = others.first().unwrap();
        let _both_ends = OpenOptions::new().read(true).write(true).open(pipe).unwrap();
        for opened in [open_to_read(pipe), open_to_append(pipe)] {
            assert_eq!(opened.unwrap_err().to_string(), "it is not a regular file");
        }
    }

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::io::Write::write_all(&mut open_to_append(&path).unwrap(), b"text").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "text");
        assert_eq!(read(&path, 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(read(directory.path().join("none"), 4).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
