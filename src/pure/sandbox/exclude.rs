//! The names that git must not see while a sandboxed command runs, as a block in `.git/info/exclude`.

const BEGIN: &str = "# plimsoll sandbox: begin";
const END: &str = "# plimsoll sandbox: end";

/// The client mounts devices over these names where the project does not have them; `git add -A` fails on a device.
pub const MOUNT_POINTS: [&str; 11] = [
    ".bash_profile", ".bashrc", ".gitconfig", ".gitmodules", ".idea", ".mcp.json", ".profile", ".ripgreprc",
    ".vscode", ".zprofile", ".zshrc",
];
/// Settings of this user on this machine, and the text that they had before.
const OWN: &str = ".claude/settings.local.json*";

/// The text with the block in front, so that removing it gives every byte back.
pub fn with_excludes<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: String = names.chain([OWN]).map(|name| format!("/{name}\n")).collect();
    format!("{BEGIN}\n{names}{END}\n{}", without_excludes(text))
}

pub fn without_excludes(text: &str) -> String {
    let block = text.find(BEGIN).and_then(|start| {
        let (before, rest) = text.split_at(start);
        let (_, after) = rest.split_once(&format!("{END}\n"))?;
        Some(format!("{before}{after}"))
    });
    block.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_there_once_and_goes_without_a_trace() {
        for text in ["", "*.log", "*.log\n", "a\r\nb"] {
            let once = with_excludes(text, [".bashrc"].into_iter());
            assert!(once.contains("\n/.bashrc\n"), "{once}");
            assert_eq!(with_excludes(&once, [".bashrc"].into_iter()), once);
            assert_eq!(without_excludes(&once), text);
        }
    }
}
