//! Containers that a file describes and that may change every file of their host.

use crate::pure::step::effect::Effect;
use camino::Utf8Path;

/// `text` may be a whole file of Compose or Kubernetes, or a part of one.
pub(super) fn exposures(path: &Utf8Path, text: &str) -> Option<Effect> {
    let is_yaml = matches!(path.extension(), Some("yml" | "yaml"));
    if !is_yaml || !text.contains("/") || !mounts_root(text) {
        return None;
    }
    Some(Effect::Expose {
        what: "let a container change every file of its host (its root folder is mounted)".into(),
    })
}

fn mounts_root(text: &str) -> bool {
    let mut host_path = false;
    text.lines().enumerate().any(|(at, line)| {
        let entry = line.trim().trim_start_matches("- ").trim().replace(['"', '\''], "");
        let long = entry == "source: /" || (host_path && entry == "path: /");
        let inline = entry.starts_with("hostPath:") && entry.contains("path: /}");
        host_path = entry == "hostPath:";
        let short = entry.strip_prefix("/:/").is_some_and(|inside| !is_read_only(inside));
        short
            || ((long || inline)
                && !text.lines().skip(at).take(4).any(|line| line.contains("read_only: true")))
    })
}

/// `rootfs:ro`, `rootfs:ro,rslave`
fn is_read_only(inside: &str) -> bool {
    inside.split_once(':').is_some_and(|(_, mode)| mode.split(',').any(|flag| flag == "ro"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writable_root_is_found_in_every_form() {
        for text in [
            "volumes:\n  - /:/host\n",
            "volumes:\n  - \"/:/host:rw\"\n",
            "volumes:\n  - type: bind\n    source: /\n    target: /mnt\n",
            "volumes:\n- name: r\n  hostPath:\n    path: /\n",
        ] {
            assert!(exposures(Utf8Path::new("/p/compose.yml"), text).is_some(), "{text}");
        }
        for text in [
            "volumes:\n  - /:/rootfs:ro\n",
            "volumes:\n  - /:/rootfs:ro,rslave\n",
            "volumes:\n  - ./:/app\n  - /var/run/docker.sock:/var/run/docker.sock\n",
            "volumes:\n  - type: bind\n    source: /\n    target: /mnt\n    read_only: true\n",
            "path: /\n",
        ] {
            assert!(exposures(Utf8Path::new("/p/compose.yml"), text).is_none(), "{text}");
        }
        assert!(exposures(Utf8Path::new("/p/a.md"), "- /:/host\n").is_none());
    }
}
