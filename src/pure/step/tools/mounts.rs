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

/// Folders of a host from which a program takes over all of it.
const WHOLE: [&str; 5] = ["/", "/etc", "/boot", "/root", "/usr"];

/// Whether `/:/host` or its like gives a container such a folder to write to.
pub(super) fn is_whole(mount: &str) -> bool {
    let (from, inside) = mount.split_once(':').unwrap_or((mount, ""));
    let from = if from == "/" { from } else { from.trim_end_matches('/') };
    inside.starts_with('/') && WHOLE.contains(&from) && !is_read_only(inside)
}

fn mounts_root(text: &str) -> bool {
    let mut host_path = false;
    text.lines().enumerate().any(|(at, line)| {
        let entry = line.trim().trim_start_matches("- ").trim().replace(['"', '\''], "");
        let is_source = |path: &str| WHOLE.contains(&path);
        let long = entry.strip_prefix("source: ").is_some_and(is_source)
            || (host_path && entry.strip_prefix("path: ").is_some_and(is_source));
        let inline = entry.split_once("hostPath:").and_then(|(_, rest)| rest.split_once("path: "));
        let inline = inline.is_some_and(|(_, path)| path.split([',', '}']).next().is_some_and(is_source));
        host_path = entry == "hostPath:";
        let listed = entry.strip_prefix("volumes:").map(|list| list.trim().trim_matches(['[', ']']));
        let short = listed.unwrap_or(&entry).split(',').any(|mount| is_whole(mount.trim()));
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
            "volumes:\n- name: r\n  hostPath: {path: /etc, type: Directory}\n",
            "volumes: [\"/etc:/host/etc\", \"./a:/b\"]\n",
        ] {
            assert!(exposures(Utf8Path::new("/p/compose.yml"), text).is_some(), "{text}");
        }
        for text in [
            "volumes:\n  - /:/rootfs:ro\n",
            "volumes:\n  - /etc/localtime:/etc/localtime\n  - /etc:/host/etc:ro\n",
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
