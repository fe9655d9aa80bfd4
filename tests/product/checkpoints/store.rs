//! The store by itself: what happens to the repository does not reach it, and damage is told.

use super::disk::files;
use super::mistakes::store_of;
use crate::answer::told;
use crate::context::{TestContext, binary};
use plimsoll::app::checkpoints::{self, CheckpointReason, RestoreOptions};
use plimsoll::edge::state::Lock;
use std::fs;

#[test]
fn a_gc_and_the_loss_of_git_break_no_checkpoint() {
    let context = TestContext::new();
    context.write("src/a.txt", "a\n");
    context.write(".env", "KEY=1\n");
    context.commit("second");
    let before = files(context.project().as_std_path());
    let id = context.checkpoint();
    context.git(&["reset", "-q", "--hard", "HEAD~1"]);
    context.git(&["reflog", "expire", "--expire=now", "--all"]);
    context.git(&["gc", "-q", "--prune=now"]);
    fs::remove_dir_all(context.path(".git")).unwrap();
    fs::create_dir_all(context.path("src/deep")).unwrap();
    // Without a repository the top of the project is known from the checkpoints.
    let mut command = context.command(binary("plimsoll"));
    let listed = command.current_dir(context.path("src/deep")).args(["checkpoint", "list"]).output().unwrap();
    assert!(told(&listed).contains(&id), "{}", told(&listed));
    context.restore(&id, &[], 0);
    assert!(files(context.project().as_std_path()) == before);
}

#[test]
fn filters_line_ends_and_encodings_have_no_say() {
    let context = TestContext::new();
    context.git(&["config", "core.autocrlf", "true"]);
    context.git(&["config", "filter.upper.clean", "tr a-z A-Z"]);
    context.git(&["config", "filter.upper.smudge", "tr A-Z a-z"]);
    context.write(
        ".gitattributes",
        "* text=auto eol=crlf\n*.up filter=upper\n*.w working-tree-encoding=UTF-16\n*.i ident\n",
    );
    let contents: [(&str, &[u8]); 4] = [
        ("a.txt", b"one\r\ntwo\nthree\r\n"),
        ("b.up", b"mixed Case\n"),
        ("c.w", b"\xff\xfea\0"),
        ("d.i", b"$Id: x $\n"),
    ];
    for (name, bytes) in contents {
        context.write(name, bytes);
    }
    let id = context.checkpoint();
    for (name, _) in contents {
        context.write(name, "ruined");
    }
    context.restore(&id, &[], 0);
    for (name, bytes) in contents {
        assert_eq!(fs::read(context.path(name)).unwrap(), bytes, "{name}");
    }
}

#[test]
fn hooks_monitors_and_aliases_of_the_repository_do_not_run() {
    let context = TestContext::new();
    let mark = context.beside("ran");
    context.script("evil.sh", &format!("touch {mark}"));
    let evil = context.path("evil.sh");
    for key in
        ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "core.sshCommand", "diff.external"]
    {
        context.git(&["config", key, evil.as_str()]);
    }
    for hook in ["post-index-change", "reference-transaction", "pre-commit", "post-checkout"] {
        fs::copy(&evil, context.path(".git/hooks").join(hook)).unwrap();
    }
    context.write(".gitattributes", "* filter=evil\n");
    let id = context.checkpoint();
    context.write("readme.md", "changed\n");
    context.restore(&id, &[], 0);
    assert!(!mark.exists());
}

#[test]
fn worktrees_of_one_repository_share_the_store_and_not_the_list() {
    let context = TestContext::new();
    context.git(&["worktree", "add", "-q", "../linked"]);
    let id = context.checkpoint();
    let mut command = context.command(binary("plimsoll"));
    let output = command
        .current_dir(context.beside("linked"))
        .args(["checkpoint", "create", "-m", "x"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let linked = checkpoints::list(&super::workspace(&context.home(), &context.beside("linked"))).unwrap();
    assert_eq!(linked.len(), 1);
    assert_ne!(linked[0].id, id);
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    let stores =
        folder.read_dir_utf8().unwrap().filter(|entry| entry.as_ref().unwrap().file_name().ends_with(".git"));
    assert_eq!(stores.count(), 1);
    fs::write(context.beside("linked").join("readme.md"), "theirs\n").unwrap();
    context.write("readme.md", "ruined\n");
    context.restore(&id, &[], 0);
    assert_eq!(fs::read_to_string(context.beside("linked").join("readme.md")).unwrap(), "theirs\n");
}

#[test]
fn links_are_put_back_as_links_and_never_followed() {
    let context = TestContext::new();
    let outside = context.beside("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("precious.txt"), "precious\n").unwrap();
    context.write("folder/precious.txt", "ours\n");
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, context.path(name)).unwrap();
    link(outside.as_str(), "link");
    let id = context.checkpoint();
    fs::remove_file(context.path("link")).unwrap();
    fs::remove_dir_all(context.path("folder")).unwrap();
    link(outside.as_str(), "folder");
    context.restore(&id, &[], 0);
    assert_eq!(fs::read_link(context.path("link")).unwrap(), outside.as_std_path());
    assert_eq!(context.read("folder/precious.txt").as_deref(), Some("ours\n"));
    assert_eq!(fs::read_to_string(outside.join("precious.txt")).unwrap(), "precious\n");
}

#[test]
fn a_damaged_manifest_is_told_and_the_others_stay_usable() {
    let context = TestContext::new();
    let good = context.checkpoint();
    context.write("readme.md", "changed\n");
    let bad = context.checkpoint();
    let manifest =
        store_of(&context).as_str().trim_end_matches(".git").to_owned() + &format!("/checkpoints/{bad}.json");
    fs::write(&manifest, "{\"version\":1,").unwrap();
    let output = context.plimsoll(&["checkpoint", "list"]);
    assert!(told(&output).contains(&good) && told(&output).contains("cannot be read"), "{}", told(&output));
    assert_eq!(context.plimsoll(&["checkpoint", "restore", &bad, "--yes"]).status.code(), Some(2));
    context.restore(&good, &[], 0);
    assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
    assert!(fs::exists(&manifest).unwrap());
}

#[test]
fn a_lost_or_damaged_cache_costs_only_time() {
    let context = TestContext::new();
    let first = context.checkpoint();
    let seen = store_of(&context).as_str().trim_end_matches(".git").to_owned() + "/seen";
    for content in [None, Some("garbage")] {
        for entry in fs::read_dir(&seen).unwrap().map(Result::unwrap) {
            match content {
                None => fs::remove_file(entry.path()).unwrap(),
                Some(text) => fs::write(entry.path(), text).unwrap(),
            }
        }
        let workspace = context.workspace();
        let taken = checkpoints::take(&workspace, "", CheckpointReason::Person(None)).unwrap();
        assert_eq!((taken.id.as_str(), taken.reused), (first.as_str(), true));
    }
}

#[test]
fn a_file_changed_without_a_new_size_or_time_is_seen() {
    let context = TestContext::new();
    context.write("a.txt", "aaaa\n");
    let id = context.checkpoint();
    let time = fs::metadata(context.path("a.txt")).unwrap().modified().unwrap();
    context.write("a.txt", "bbbb\n");
    fs::File::options().write(true).open(context.path("a.txt")).unwrap().set_modified(time).unwrap();
    context.restore(&id, &[], 0);
    assert_eq!(context.read("a.txt").as_deref(), Some("aaaa\n"));
}

#[test]
fn somebody_who_holds_the_store_for_too_long_is_named_and_nothing_is_lost() {
    let context = TestContext::new();
    let id = context.checkpoint();
    let lock = store_of(&context).as_str().trim_end_matches(".git").to_owned() + "/lock";
    let held = Lock::acquire(camino::Utf8Path::new(&lock)).unwrap();
    let output = context.plimsoll(&["checkpoint", "create", "-m", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("another Plimsoll process"), "{}", told(&output));
    drop(held);
    context.restore(&id, &[], 0);
}

#[test]
fn empty_folders_and_permissions_come_back() {
    use std::os::unix::fs::PermissionsExt;
    let context = TestContext::new();
    let mode = |name: &str| fs::metadata(context.path(name)).unwrap().permissions().mode() & 0o7777;
    let set =
        |name: &str, mode| fs::set_permissions(context.path(name), fs::Permissions::from_mode(mode)).unwrap();
    context.write("run.sh", "#!/bin/sh\n");
    context.write("secret.txt", "s\n");
    fs::create_dir_all(context.path("empty/deep")).unwrap();
    context.write("closed/file", "x\n");
    set("run.sh", 0o755);
    set("secret.txt", 0o600);
    set("closed", 0o555);
    let id = context.checkpoint();
    set("closed", 0o755);
    fs::remove_dir_all(context.path("empty")).unwrap();
    fs::remove_dir_all(context.path("closed")).unwrap();
    fs::create_dir_all(context.path("new/empty")).unwrap();
    set("run.sh", 0o644);
    set("secret.txt", 0o644);
    context.restore(&id, &[], 0);
    assert_eq!(["run.sh", "secret.txt", "closed"].map(mode), [0o755, 0o600, 0o555]);
    assert!(context.path("empty/deep").is_dir() && !context.path("new").exists());
    assert_eq!(context.read("closed/file").as_deref(), Some("x\n"));
    let plan = RestoreOptions::default().plan(&context.workspace(), None, &id).unwrap();
    assert!(plan.items.is_empty() && plan.folders.is_empty(), "{plan:?}");
    set("closed", 0o755);
}

#[test]
fn sockets_and_pipes_are_left_out_and_nobody_waits_for_them() {
    let context = TestContext::new();
    let _socket = std::os::unix::net::UnixListener::bind(context.path("socket")).unwrap();
    assert!(context.bash("mkfifo pipe").status.success());
    let id = context.checkpoint();
    let (_, around) = checkpoints::surroundings(&context.workspace(), &id).unwrap();
    assert_eq!(
        around.left_out.iter().map(|one| one.path.to_string()).collect::<Vec<_>>(),
        ["pipe", "socket"]
    );
    context.write("readme.md", "changed\n");
    context.restore(&id, &[], 0);
    assert!(context.path("socket").exists() && context.path("pipe").exists());
}

#[test]
fn a_project_without_git_is_the_same() {
    let context = TestContext::new();
    fs::remove_dir_all(context.path(".git")).unwrap();
    context.write("node_modules/left/out.js", "made again\n");
    context.write("src/a.txt", "a\n");
    context.write(".gitignore", "*.log\n");
    context.write("x.log", "log\n");
    let before = files(context.project().as_std_path());
    let id = context.checkpoint();
    let checkpoint = checkpoints::list(&context.workspace()).unwrap().remove(0);
    assert_eq!((checkpoint.files, checkpoint.left_out, checkpoint.head), (3, 1, None));
    fs::remove_dir_all(context.path("src")).unwrap();
    context.write("new.txt", "new\n");
    context.restore(&id, &[], 0);
    assert!(files(context.project().as_std_path()) == before);
}

#[test]
fn a_tracked_file_is_captured_although_a_rule_ignores_it() {
    let context = TestContext::new();
    context.write(".gitignore", "dist/\n*.log\n");
    context.write("dist/kept/tracked.js", "tracked\n");
    context.write("dist/other.js", "ignored\n");
    let first = context.checkpoint();
    context.git(&["add", "-f", "dist/kept/tracked.js"]);
    let second = context.checkpoint();
    let count = |id: &str| checkpoints::surroundings(&context.workspace(), id).unwrap().0.files;
    assert_eq!(count(&second), count(&first) + 1);
    context.write("dist/kept/tracked.js", "ruined\n");
    context.write("dist/other.js", "changed\n");
    context.restore(&second, &[], 0);
    assert_eq!(context.read("dist/kept/tracked.js").as_deref(), Some("tracked\n"));
    assert_eq!(context.read("dist/other.js").as_deref(), Some("changed\n"));
}
