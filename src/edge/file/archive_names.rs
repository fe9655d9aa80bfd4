//! The names in an archive that is not compressed as a whole: zip and its relatives, tar. It reads, and decides nothing.

use super::read;
use camino::Utf8Path;

/// A larger archive is not looked into.
const LARGEST: u64 = 32 * 1024 * 1024;
/// More names than these are not reported.
const MOST: usize = 256;

/// The names of hidden files, and of files in hidden folders. Empty if the file is no archive that can be read.
pub(crate) fn hidden_names(path: &Utf8Path) -> Vec<String> {
    let Ok(bytes) = read(path, LARGEST) else { return Vec::new() };
    let names = if bytes.starts_with(b"PK") { in_zip(&bytes) } else { in_tar(&bytes) };
    let is_hidden = |name: &String| name.split('/').any(|part| part.starts_with('.') && part != ".");
    names.into_iter().filter(is_hidden).take(MOST).collect()
}

/// From the central directory, where every entry has its name.
fn in_zip(bytes: &[u8]) -> Vec<String> {
    const ENTRY: &[u8] = b"PK\x01\x02";
    const FIXED: usize = 46;
    let entry = |at: usize| {
        let length = usize::from(u16::from_le_bytes([*bytes.get(at + 28)?, *bytes.get(at + 29)?]));
        Some(String::from_utf8_lossy(bytes.get(at + FIXED..at + FIXED + length)?).into_owned())
    };
    memchr::memmem::find_iter(bytes, ENTRY).filter_map(entry).collect()
}

/// From the header of every member.
fn in_tar(bytes: &[u8]) -> Vec<String> {
    const BLOCK: usize = 512;
    let text = |block: &[u8], range: std::ops::Range<usize>| {
        let field = block.get(range).unwrap_or_default();
        let end = memchr::memchr(0, field).unwrap_or(field.len());
        String::from_utf8_lossy(field.get(..end).unwrap_or_default()).into_owned()
    };
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(block) = bytes.get(at..at + BLOCK) {
        if block.get(257..262) != Some(b"ustar") {
            break;
        }
        let (prefix, name) = (text(block, 345..500), text(block, 0..100));
        names.push(if prefix.is_empty() || !prefix.is_ascii() { name } else { format!("{prefix}/{name}") });
        let size = usize::from_str_radix(text(block, 124..136).trim(), 8).unwrap_or(0);
        at += BLOCK + size.div_ceil(BLOCK) * BLOCK;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_hidden_folders_are_found_and_others_left_out() {
        let mut tar = Vec::new();
        for name in ["src/main.rs", "./.claude/settings.json"] {
            let mut header = [0_u8; 512];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[124..135].copy_from_slice(b"00000000002");
            header[257..262].copy_from_slice(b"ustar");
            tar.extend(header);
            tar.extend([b'x'; 512]);
        }
        assert_eq!(in_tar(&tar), ["src/main.rs", "./.claude/settings.json"]);
        let folder = tempfile::tempdir().unwrap();
        let path = camino::Utf8PathBuf::from_path_buf(folder.path().join("a.tar")).unwrap();
        std::fs::write(&path, &tar).unwrap();
        assert_eq!(hidden_names(&path), ["./.claude/settings.json"]);
        std::fs::write(&path, "no archive").unwrap();
        assert!(hidden_names(&path).is_empty());
    }

    #[test]
    fn names_of_a_zip_come_from_its_directory() {
        let mut zip = b"PK\x01\x02".to_vec();
        zip.resize(46, 0);
        zip[28] = 6;
        zip.extend(b".git/x");
        assert_eq!(in_zip(&zip), [".git/x"]);
        assert!(in_zip(b"PK\x01\x02").is_empty());
    }
}
