//! The archive of a release, unpacked and installed on a machine without Rust.

use crate::terminal::at_a_terminal;
use crate::world::{HOOKS, World, is_one_file, told};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

fn source() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The programs of this build without what only a debugger needs.
fn programs(world: &World) -> PathBuf {
    let folder = world.path("programs");
    fs::create_dir(&folder).unwrap();
    for (name, built) in
        [("plimsoll", env!("CARGO_BIN_EXE_plimsoll")), ("plimsoll-hook", env!("CARGO_BIN_EXE_plimsoll-hook"))]
    {
        let stripped = Command::new("strip").arg("-o").arg(folder.join(name)).arg(built).status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs::copy(built, folder.join(name)).unwrap();
        }
    }
    folder
}

/// The unpacked archive.
fn unpacked(world: &World) -> PathBuf {
    let made = Command::new(source().join(".ci/archive"))
        .args(["--out".as_ref(), world.path("out").as_os_str()])
        .args(["--programs".as_ref(), programs(world).as_os_str()])
        .args(["--target", "x86_64-unknown-linux-musl"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", told(&made));
    let name = format!("plimsoll-{}-x86_64-unknown-linux-musl", env!("CARGO_PKG_VERSION"));
    let in_out = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(world.path("out")).output().unwrap();
        assert!(output.status.success(), "{}", told(&output));
    };
    in_out("sha256sum", &["--check", "--strict", &format!("{name}.tar.gz.sha256")]);
    let packages = fs::read(world.path("out").join(format!("{name}.cdx.json"))).unwrap();
    let packages: serde_json::Value = serde_json::from_slice(&packages).unwrap();
    let components = packages.get("components").and_then(serde_json::Value::as_array).unwrap();
    let is_named =
        |name: &str| components.iter().any(|one| one.get("name").is_some_and(|known| known == name));
    assert!(is_named("blake3") && !is_named("proptest"), "{packages}");
    in_out("tar", &["-xzf", &format!("{name}.tar.gz")]);
    world.path("out").join(name)
}

/// A command that finds no Rust, and in a namespace of its own no network.
fn without_rust(world: &World, program: &Path) -> Command {
    const ALONE: [&str; 4] = ["--user", "--map-root-user", "--net", "--"];
    let namespace = Command::new("unshare").args(ALONE).arg("true").output();
    let mut command = match namespace.is_ok_and(|output| output.status.success()) {
        true => {
            let mut command = world.command("unshare");
            command.args(ALONE).arg(program);
            command
        }
        false => world.command(program),
    };
    let path = format!("{}:/usr/bin:/bin", world.path("bin").display());
    let finds_rust = env::split_paths(&path).any(|folder| folder.join("cargo").exists());
    assert!(!finds_rust, "cargo is on {path}");
    command.env("PATH", path).env_remove("PLIMSOLL_BUILD_DIR");
    command
}

#[track_caller]
fn succeeds(mut command: Command) -> String {
    let output: Output = command.output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    told(&output)
}

#[test]
fn the_archive_installs_without_rust_and_goes_again() {
    let world = World::new();
    let root = unpacked(&world);
    assert!(is_one_file(&root.join("build/hooks")));
    let mut install = without_rust(&world, &root.join("build/bin/plimsoll"));
    install.args(["install", "--project"]).arg(world.project());
    succeeds(install);
    // The installation needs nothing of the archive.
    fs::remove_dir_all(&root).unwrap();
    let installed = world.share().join("bin/plimsoll");
    for arguments in [&["demo"][..], &["doctor"]] {
        let mut command = without_rust(&world, &installed);
        command.args(arguments);
        succeeds(command);
    }
    for hook in HOOKS {
        assert!(world.share().join("hooks").join(hook).is_file(), "{hook}");
    }
    let mut uninstall = world.command(&installed);
    uninstall.args(["uninstall", "--purge", "--project"]).arg(world.project());
    let output = at_a_terminal(uninstall);
    assert!(output.status.success(), "{}", told(&output));
    assert!(!world.settings().exists() && !installed.exists() && !world.is_enrolled());
}

#[test]
fn the_unpacked_archive_is_a_plugin() {
    let world = World::new();
    let root = unpacked(&world);
    let event = serde_json::json!({
        "session_id": "s", "cwd": world.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"}, "tool_use_id": "toolu_1"
    });
    let mut launch = without_rust(&world, Path::new("sh"));
    launch.arg(root.join("hooks/launch")).arg("pre-tool-use").env("CLAUDE_PLUGIN_ROOT", &root);
    let mut child = launch.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let answer = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(answer.contains("\"permissionDecision\":\"deny\""), "{answer}");
    let icon = fs::read(root.join(".claude-plugin/icon.png")).unwrap();
    let (signature, size) = (&b"\x89PNG\r\n\x1a\n"[..], 512_u32.to_be_bytes());
    assert!(icon.starts_with(signature));
    assert_eq!(icon.get(16..24), Some([size, size].concat().as_slice()));
    for part in
        ["LICENSE", "README.md", "commands/ship.md", "agents/git-agent.md", "skills/plimsoll/SKILL.md"]
    {
        assert!(root.join(part).is_file(), "{part}");
    }
}
