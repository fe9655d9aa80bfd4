//! What `install.sh` asks of cargo, with a cargo that only writes down how it was called.

use crate::world::{World, is_one_file, told};
use std::{fs, path::Path, process::Output};

const CARGO: &str = r#"
echo "$* [${RUSTFLAGS-}]" >>"$LOG"
triple=
while [ $# -gt 0 ]; do
    case $1 in --target) triple=$2/ ;; --target-dir) target=$2 ;; esac
    shift
done
case $FAILING in "$triple") exit 101 ;; esac
mkdir -p "$target/${triple}release"
for name in plimsoll plimsoll-hook; do
    echo built >"$target/${triple}release/$name"
done
"#;

fn world(musl: bool) -> World {
    let world = World::new();
    let sysroot = world.path("sysroot");
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    if musl {
        fs::create_dir_all(sysroot.join("lib/rustlib").join(triple).join("lib")).unwrap();
    }
    let rustc =
        format!("case $1 in -vV) echo 'host: here-linux-gnu' ;; *) echo '{}' ;; esac", sysroot.display());
    world.script("bin/rustc", &rustc);
    world.script("bin/rustup", "exit 1");
    world.script("bin/cargo", CARGO);
    world
}

fn build(world: &World, failing: &str) -> (Output, String) {
    run(world, &["--plugin"], failing)
}

/// What the script said, and how it called cargo.
fn run(world: &World, arguments: &[&str], failing: &str) -> (Output, String) {
    let _ = fs::remove_file(world.path("log"));
    let output = world
        .command("sh")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh"))
        .args(arguments)
        .env("PLIMSOLL_BUILD_DIR", world.path("out"))
        .env("CARGO_TARGET_DIR", world.path("target"))
        .env("LOG", world.path("log"))
        .env("FAILING", failing)
        .output()
        .unwrap();
    (output, fs::read_to_string(world.path("log")).unwrap_or_default())
}

#[cfg(target_os = "linux")]
#[test]
fn hooks_are_built_for_musl_and_a_second_run_builds_nothing() {
    let world = world(true);
    let (output, log) = build(&world, "none");
    assert!(output.status.success(), "{}", told(&output));
    assert!(
        log.lines().any(|line| line.contains("-linux-musl") && line.contains("--no-default-features")),
        "{log}"
    );
    assert!(is_one_file(&world.path("out/hooks")));
    assert!(world.path("out/bin/plimsoll").is_file());
    let (output, log) = build(&world, "none");
    assert_eq!(log, "", "{}", told(&output));
    assert!(!world.share().exists(), "building installs nothing");
}

#[cfg(target_os = "linux")]
#[test]
fn without_musl_the_host_build_is_static() {
    let world = world(false);
    let (output, log) = build(&world, "none");
    assert!(output.status.success(), "{}", told(&output));
    let hooks = log.lines().find(|line| line.contains("--no-default-features")).unwrap();
    assert!(hooks.contains("--target here-linux-gnu") && hooks.contains("+crt-static"), "{log}");
    assert!(log.lines().any(|line| line.contains("--bin plimsoll") && line.ends_with("[]")), "{log}");
}

#[test]
fn a_mistyped_option_or_folder_is_named_before_anything_is_built() {
    let world = world(false);
    for (arguments, word) in [
        (&["--shred"][..], "unknown option: --shred"),
        (&["--project", "/no/such/place"], "/no/such/place is not a directory"),
        (&["--project=/no/such/place"], "/no/such/place is not a directory"),
    ] {
        let (output, log) = run(&world, arguments, "none");
        assert_eq!((output.status.code(), log.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(told(&output).contains(word), "{}", told(&output));
    }
    let (_, log) = run(&world, &["--user", "--no-link", "--root", "anywhere", "-v"], "none");
    assert!(log.contains("--bin plimsoll"), "{log}");
}

#[test]
fn a_failed_build_is_named() {
    let world = world(false);
    let (output, _) = build(&world, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("could not build the command"), "{}", told(&output));
}
