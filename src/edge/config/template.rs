//! Edge: a new configuration file: every key with its default and what it may be, as comments.

use super::Error;
use crate::pure::policy::{KEYS, KeyKind, Settings};
use camino::Utf8Path;
use serde_json::Value;
use std::fs::Permissions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;

const HEADER: &str = "\
# Plimsoll's configuration: every key with its default, as a comment. To change one, remove the \"# \" before it
# and before its section.
#
# A project's file may make anything stricter. What would make it laxer, and every command or rule that it
# names, takes effect only after `plimsoll config trust`. `plimsoll config show --origin` says what is in force.
";

/// A file of comments alone: it changes nothing that is in force, whatever other files say.
pub(crate) fn template() -> Result<String, Error> {
    let defaults = serde_json::to_value(Settings::default())
        .map_err(|error| Error::Unmergeable(crate::pure::policy::Error::Unfit(error)))?;
    let mut text = HEADER.to_owned();
    section(&mut text, "", &defaults);
    Ok(text)
}

/// Writes a new file, whole or not at all, and never over another.
pub fn create(path: &Utf8Path) -> Result<(), Error> {
    let text = template()?;
    let attempt = || {
        let directory = path.parent().unwrap_or(path);
        std::fs::create_dir_all(directory)?;
        let readable = Permissions::from_mode(0o644);
        let mut file = tempfile::Builder::new().permissions(readable).tempfile_in(directory)?;
        file.write_all(text.as_bytes())?;
        file.persist_noclobber(path).map_err(|error| error.error)
    };
    match attempt() {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Error::Exists { path: path.to_owned() })
        }
        Err(source) => Err(Error::Unwritable { path: path.to_owned(), source }),
    }
}

fn section(text: &mut String, prefix: &str, tree: &Value) {
    let indent = "  ".repeat(prefix.matches('.').count());
    for (name, value) in tree.as_object().into_iter().flatten() {
        let dotted = format!("{prefix}{name}");
        if prefix.is_empty() {
            text.push('\n');
        }
        if value.is_object() {
            text.push_str(&format!("# {indent}{name}:\n"));
            section(text, &format!("{dotted}."), value);
        } else if let Some(key) = KEYS.iter().find(|key| key.name == dotted) {
            text.push_str(&match key.kind {
                KeyKind::Flag => format!("# {indent}{name}: {value}\n"),
                kind => format!("# {indent}{name}: {value} # {kind}\n"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::config::parse;
    use crate::pure::policy::{Layer, effective};

    #[test]
    fn a_new_file_sets_nothing() {
        let layer = parse("new.yaml", &template().unwrap()).unwrap();
        assert_eq!(layer, Layer::new("new.yaml"));
    }

    #[test]
    fn without_its_comment_signs_a_new_file_sets_every_key_to_its_default() {
        let template = template().unwrap();
        let keys = template.strip_prefix(HEADER).unwrap();
        let uncommented: String =
            keys.lines().map(|line| format!("{}\n", line.strip_prefix("# ").unwrap_or(line))).collect();
        let layer = parse("new.yaml", &uncommented).unwrap();
        assert!(KEYS.iter().all(|key| layer.get(key.name).is_some()));
        assert_eq!(effective(Some(&layer), &[]).unwrap().settings, Settings::default());
    }
}
