//! What `plimsoll` and `plimsoll doctor` say about an installation that is missing.

use crate::world::{World, told};

fn printed(world: &World, folder: &str, arguments: &[&str]) -> String {
    let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
    told(&command.args(arguments).current_dir(world.path(folder)).output().unwrap())
}

#[test]
fn a_linked_worktree_without_hooks_says_so_and_names_the_command_that_installs_them() {
    let world = World::new();
    world.git(&[
        "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--allow-empty", "-m", "first",
    ]);
    assert!(printed(&world, "my project", &[]).contains("next: plimsoll install"));
    world.installed(&[]);
    assert!(!printed(&world, "my project", &[]).contains("plimsoll install"));
    world.git(&["worktree", "add", "--quiet", "../side"]);
    let off = printed(&world, "side", &[]);
    assert!(off.contains("off in this worktree") && off.contains("next: plimsoll install"), "{off}");
    assert!(printed(&world, "side", &["doctor"]).contains("no hook is registered in this worktree, only in"));
    let mut install = world.command(world.share().join("bin/plimsoll"));
    let output = install.args(["install"]).current_dir(world.path("side")).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let on = printed(&world, "side", &[]);
    assert!(!on.contains("off in this worktree") && !on.contains("plimsoll install"), "{on}");
}
