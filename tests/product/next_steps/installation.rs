//! Steps of `install.sh`, `plimsoll install`, `upgrade` and `uninstall`.

use super::{Walk, ends, named, run};
use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::installed_files::install as install_by_script;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;

pub(super) const WALKS: [Walk; 8] = [
    ("install.sh", install_script),
    ("install.sh --shared", install_shared),
    ("install.sh --upgrade", upgrade),
    ("plimsoll install", install),
    ("plimsoll install --project {}", install_project),
    ("plimsoll install --managed", install_managed),
    ("plimsoll uninstall", uninstall),
    ("chmod u+w", chmod_settings),
];

fn install_script() {
    let context = TestContext::new();
    let hook = binary("stop").with_file_name("another-name");
    let _ = fs::remove_file(&hook);
    fs::hard_link(binary("stop"), &hook).unwrap();
    let answer =
        context.feed(context.command(&hook), context.event("Stop", json!({})).to_string().as_bytes());
    assert!(answer.json.to_string().contains("install.sh"), "{}", answer.json);
    install_by_script(&context, &[]);
    assert!(context.home().join(".local/share/plimsoll/hooks/stop").is_file());
}

/// A colleague has the committed files, and no programs.
fn install_shared() {
    let context = TestContext::new();
    named(&install_by_script(&context, &["--shared"]), "install.sh --shared");
    fs::remove_dir_all(context.home().join(".local/share/plimsoll/hooks")).unwrap();
    install_by_script(&context, &["--shared"]);
    ends(&run(&context, "plimsoll doctor"), 0);
}

fn upgrade() {
    let context = TestContext::new();
    install_by_script(&context, &[]);
    named(&told(&run(&context, "plimsoll upgrade --help")), "install.sh --upgrade");
    let agent = context.path(".claude/agents/git-agent.md");
    fs::write(&agent, "mine\n").unwrap();
    let upgraded = install_by_script(&context, &["--upgrade"]);
    assert!(upgraded.contains("checked: 1 installation"), "{upgraded}");
    assert_eq!(fs::read_to_string(agent).unwrap(), "mine\n");
}

fn install() {
    let context = TestContext::new();
    install_by_script(&context, &[]);
    context.write(".claude/settings.json", "{}");
    let skipped = ends(&run(&context, "plimsoll upgrade"), 0);
    ends(&run(&context, &format!("{} --no-link", named(&skipped, "plimsoll install"))), 0);
    ends(&run(&context, "plimsoll doctor"), 0);
}

fn install_project() {
    let context = TestContext::new();
    let fix = named(&told(&context.plimsoll(&["doctor"])), "plimsoll install --project {}");
    assert_eq!(fix, format!("plimsoll install --project {}", context.project()));
    ends(&run(&context, &format!("{fix} --no-link")), 0);
    ends(&run(&context, "plimsoll doctor"), 0);
}

/// Into the image of a system: the machine that runs the tests keeps its own settings.
fn install_managed() {
    let context = TestContext::new();
    let image = context.home().join("image");
    fs::create_dir(&image).unwrap();
    let step = named(&told(&context.plimsoll(&["install", "--help"])), "plimsoll install --managed");
    ends(&run(&context, &format!("{step} --root {image}")), 0);
    let settings =
        fs::read_to_string(image.join("etc/claude-code/managed-settings.d/50-plimsoll.json")).unwrap();
    assert!(settings.contains("allowManagedHooksOnly"), "{settings}");
    ends(&run(&context, &format!("plimsoll uninstall --managed --root {image}")), 0);
}

fn uninstall() {
    let context = TestContext::new();
    install_by_script(&context, &[]);
    context.write(".claude/settings.json", "{}");
    let change = json!({"source": "project_settings", "file_path": context.path(".claude/settings.json")});
    let kept = context.hook("config-change", "ConfigChange", change);
    ends(&run(&context, &named(&kept.json.to_string(), "plimsoll uninstall")), 0);
    assert!(!context.path(".claude/commands").exists());
}

fn chmod_settings() {
    let context = TestContext::enrolled();
    context.write(".claude/settings.json", "{}");
    fs::set_permissions(context.path(".claude/settings.json"), fs::Permissions::from_mode(0o444)).unwrap();
    let refused = ends(&run(&context, "plimsoll install --no-link"), 2);
    ends(&run(&context, &format!("{} .claude/settings.json", named(&refused, "chmod u+w"))), 0);
    ends(&run(&context, "plimsoll install --no-link"), 0);
}
