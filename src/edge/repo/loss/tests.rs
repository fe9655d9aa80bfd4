//! Real repositories: what is really gone, and what is not.

use super::super::fixture::Fixture;
use super::super::{Git, Repo};
use super::{ChangedFiles, Copies, Losses, MOST, answer};
use crate::pure::step::{Addressed, IgnoredFiles, Losing, Loss};
use camino::Utf8PathBuf;
use std::fs;

/// Larger files are not copied here.
const LIMIT: u64 = 1024 * 1024;

/// Names of what would be gone, `nothing`, or `?` with the reason.
fn said(fixture: &Fixture, losing: Losing) -> String {
    let open = |repo: Repo| Fixture::hermetic(Git::with_environment(repo, fixture.environment()));
    let project = fixture.path("");
    match answer(&losing, &project, Copies::UpTo(LIMIT), &ChangedFiles::default(), open) {
        Loss::Nothing => "nothing".into(),
        Loss::Copies(paths) => {
            let names = paths.iter().map(|path| path.strip_prefix(&project).unwrap_or(path).as_str());
            format!("copies of {}", names.collect::<Vec<_>>().join(" "))
        }
        Loss::Unkept => "unkept".into(),
        Loss::TooLarge(what) => format!("too large: {what}"),
        Loss::Matters(what) => what,
        Loss::Unknown(why) => format!("? {why}"),
    }
}

fn here(fixture: &Fixture) -> Addressed {
    Addressed::Directory(fixture.path(""))
}

fn path(fixture: &Fixture, path: &str, recursive: bool) -> String {
    said(fixture, Losing::Path { path: fixture.path(path), recursive })
}

fn changes(fixture: &Fixture, paths: &[&str]) -> String {
    let paths = paths.iter().map(|path| fixture.path(path)).collect();
    said(fixture, Losing::Changes { repository: here(fixture), paths })
}

fn matching(fixture: &Fixture, pattern: &str, recursive: bool) -> String {
    said(fixture, Losing::Matching { pattern: fixture.path(pattern).into_string(), recursive })
}

fn untracked(fixture: &Fixture, ignored: IgnoredFiles) -> String {
    cleaned(fixture, ignored, &[])
}

fn cleaned(fixture: &Fixture, ignored: IgnoredFiles, except: &[&str]) -> String {
    let except = except.iter().map(ToString::to_string).collect();
    said(fixture, Losing::Untracked { repository: here(fixture), paths: Vec::new(), ignored, except })
}

/// Tracked `src/a.rs`; ignored `target/`, `.env`, `data/`, `*.bin`; nothing changed.
fn project() -> Fixture {
    let fixture = Fixture::new();
    fixture.write(".gitignore", "target/\nnode_modules/\n.env\ndata/\n*.bin\n");
    fixture.write("src/a.rs", "one\n");
    fixture.write("src/b.rs", "one\n");
    fixture.commit("first");
    fixture
}

#[test]
fn what_is_in_a_commit_or_not_there_is_no_loss() {
    let fixture = project();
    for (name, recursive) in [("src", true), ("missing", true), ("missing", false), ("src/a.rs/x", true)] {
        assert_eq!(path(&fixture, name, recursive), "nothing", "{name}");
    }
    // A copy costs less than asking git whether it tracks the file.
    assert_eq!(path(&fixture, "src/a.rs", false), "copies of src/a.rs");
    assert_eq!(said(&fixture, Losing::Inside(fixture.path("src"))), "nothing");
    assert_eq!(changes(&fixture, &[]), "nothing");
}

#[test]
fn a_changed_file_is_a_loss_and_a_staged_one_only_where_the_index_goes_too() {
    let fixture = project();
    fixture.write("src/a.rs", "two\n");
    assert_eq!(path(&fixture, "src", true), "src/a.rs");
    assert_eq!(path(&fixture, "src/a.rs", false), "uncommitted changes in a.rs");
    assert_eq!(path(&fixture, "src/b.rs", false), "copies of src/b.rs");
    assert_eq!(changes(&fixture, &["src/b.rs"]), "nothing");
    assert_eq!(changes(&fixture, &["src"]), "uncommitted changes in src/a.rs");
    fixture.git(&["add", "-A"]);
    assert_eq!(path(&fixture, "src", true), "nothing");
    assert_eq!(changes(&fixture, &[]), "uncommitted changes in src/a.rs");
}

#[test]
fn what_was_only_deleted_comes_back() {
    let fixture = project();
    fs::remove_file(fixture.path("src/a.rs")).unwrap();
    assert_eq!(changes(&fixture, &[]), "nothing");
    assert_eq!(changes(&fixture, &["src/a.rs"]), "nothing");
}

#[test]
fn untracked_files_are_a_loss_together_and_copied_alone() {
    let fixture = project();
    fixture.write("notes/a.md", "x");
    fixture.write("notes/b.md", "x");
    assert_eq!(path(&fixture, "notes", true), "notes");
    assert_eq!(path(&fixture, "notes/a.md", false), "copies of notes/a.md");
    assert_eq!(matching(&fixture, "notes/*.md", false), "notes/a.md, notes/b.md");
    assert_eq!(matching(&fixture, "**/*.txt", true), "nothing");
    assert_eq!(matching(&fixture, "no*", true), "notes/a.md, notes/b.md");
    assert_eq!(untracked(&fixture, IgnoredFiles::Spared), "untracked notes");
}

#[test]
fn what_a_build_makes_is_no_loss_unless_git_has_a_hand_in_it() {
    let fixture = project();
    fixture.write("target/debug/x", "x");
    fixture.write("target/debug/.env", "x");
    fixture.write("node_modules/m/index.js", "x");
    fixture.write("dist/x.js", "x");
    for name in ["target", "target/debug", "node_modules/m", "dist"] {
        assert_eq!(path(&fixture, name, true), "nothing", "{name}");
    }
    assert_eq!(untracked(&fixture, IgnoredFiles::Too), "nothing");
    assert_eq!(matching(&fixture, "**/dist", true), "nothing");
    fixture.git(&["add", "-f", "dist/x.js"]);
    fixture.commit("dist");
    fixture.write("dist/x.js", "changed");
    assert_eq!(path(&fixture, "dist", true), "dist/x.js");
}

#[test]
fn what_is_ignored_and_cannot_be_made_again_is_a_loss() {
    let fixture = project();
    fixture.write(".env", "KEY=x");
    fixture.write("data/cache.txt", "x");
    fixture.write("x.bin", "x");
    assert_eq!(path(&fixture, ".env", false), ".env");
    assert_eq!(path(&fixture, "x.bin", false), "copies of x.bin");
    assert_eq!(path(&fixture, "data", true), "copies of data/cache.txt");
    assert_eq!(path(&fixture, "data/cache.txt", false), "copies of data/cache.txt");
    assert_eq!(matching(&fixture, "data/*.txt", false), "copies of data/cache.txt");
    assert_eq!(matching(&fixture, "**/*.txt", true), "copies of data/cache.txt");
    assert_eq!(said(&fixture, Losing::Inside(fixture.path("data"))), "copies of data/cache.txt");
    assert_eq!(cleaned(&fixture, IgnoredFiles::Only, &[".env"]), "copies of data/cache.txt x.bin");
    fixture.write("data/deep/app.sqlite3", "x");
    assert_eq!(path(&fixture, "data", true), "data");
    assert_eq!(path(&fixture, "data/deep", true), "data");
    assert_eq!(untracked(&fixture, IgnoredFiles::Only), "untracked .env, data");
    assert_eq!(untracked(&fixture, IgnoredFiles::Spared), "nothing");
    assert_eq!(cleaned(&fixture, IgnoredFiles::Too, &[".env"]), "untracked data");
    assert_eq!(cleaned(&fixture, IgnoredFiles::Too, &[".e*", "/data/"]), "copies of x.bin");
    assert_eq!(matching(&fixture, "**/*.sqlite3", true), "data");
}

#[test]
fn a_repository_goes_with_its_history() {
    let fixture = project();
    assert!(path(&fixture, "", true).starts_with("the repository"));
    assert_eq!(said(&fixture, Losing::Inside(fixture.path(""))), "nothing");
    let history = |directory: Utf8PathBuf| {
        said(&fixture, Losing::History { repository: Addressed::Directory(directory) })
    };
    assert_eq!(history(fixture.path("")), "commits, or the means to get them back");
    assert_eq!(history(fixture.beside("missing")), "nothing");
    let empty = Fixture::new();
    assert_eq!(said(&empty, Losing::History { repository: here(&empty) }), "nothing");
}

#[test]
fn outside_of_any_repository_a_directory_matters_and_a_single_file_hardly() {
    let fixture = Fixture::new();
    let folder = fixture.beside("folder");
    fs::create_dir_all(folder.join("sub")).unwrap();
    let asked_at =
        |path: &str, recursive| said(&fixture, Losing::Path { path: folder.join(path), recursive });
    assert_eq!(asked_at("sub", true), "nothing");
    for name in ["sub/a.txt", "sub/.env"] {
        fs::write(folder.join(name), "x").unwrap();
    }
    assert!(asked_at("sub", true).contains("a.txt"));
    assert_eq!(asked_at("sub/.env", false), ".env");
    assert_eq!(asked_at("sub/a.txt", false), "a.txt", "it lies outside the project");
}

#[test]
fn a_branch_that_others_contain_is_no_loss() {
    let fixture = project();
    let branch =
        |name: &str| said(&fixture, Losing::Branch { repository: here(&fixture), name: name.into() });
    fixture.git(&["branch", "merged"]);
    fixture.git(&["checkout", "-q", "-b", "side"]);
    fixture.write("c.rs", "x");
    fixture.commit("second");
    fixture.git(&["checkout", "-q", "main"]);
    fixture.git(&["tag", "v1", "side"]);
    assert_eq!(branch("merged"), "nothing");
    assert_eq!(branch("missing"), "nothing");
    assert_eq!(branch("main"), "nothing");
    assert_eq!(branch("side"), "nothing", "the tag holds it");
    fixture.git(&["tag", "-d", "v1"]);
    assert_eq!(branch("side"), "1 commit that only side holds");
    fixture.git(&["tag", "v1", "side"]);
    fixture.git(&["branch", "-D", "side"]);
    assert_eq!(branch("refs/tags/v1"), "1 commit that only refs/tags/v1 holds");
}

#[test]
fn a_stash_is_a_loss_where_there_is_one() {
    let fixture = project();
    let stash = || said(&fixture, Losing::Stash { repository: here(&fixture) });
    assert_eq!(stash(), "nothing");
    fixture.write("src/a.rs", "two\n");
    fixture.git(&["stash"]);
    assert_eq!(stash(), "stashed work");
}

#[test]
fn a_word_is_a_branch_before_it_is_a_path() {
    let fixture = project();
    fixture.write("src/a.rs", "two\n");
    let named = |word: &str| {
        said(
            &fixture,
            Losing::Named { repository: here(&fixture), word: word.into(), path: fixture.path(word) },
        )
    };
    assert_eq!(named("main"), "nothing");
    assert_eq!(named("src"), "uncommitted changes in src/a.rs");
    assert_eq!(named("--help"), "nothing");
}

#[test]
fn a_worktree_of_the_same_repository_loses_only_what_is_not_committed() {
    let fixture = project();
    fixture.git(&["worktree", "add", "-q", "../side"]);
    let side = fixture.beside("side");
    let worktree = |path: &Utf8PathBuf| {
        said(&fixture, Losing::Worktree { repository: here(&fixture), path: path.clone() })
    };
    assert_eq!(worktree(&side), "nothing");
    fs::write(side.join("src/a.rs"), "two").unwrap();
    assert_eq!(worktree(&side), "src/a.rs");
    assert!(worktree(&fixture.beside("missing")).starts_with("? "), "it may be made by then");
    assert!(worktree(&fixture.beside("")).starts_with("? "));
    assert!(worktree(&fixture.path("")).starts_with("? "), "the main one is no linked worktree");
}

#[test]
fn what_cannot_be_looked_at_is_unknown() {
    let fixture = project();
    let changes = |repository| said(&fixture, Losing::Changes { repository, paths: Vec::new() });
    assert!(changes(Addressed::Unknown).starts_with("? "));
    assert!(changes(Addressed::Directory(fixture.path("missing"))).starts_with("? there is no "));
    assert!(changes(Addressed::Directory("/".into())).starts_with("? "));
}

#[test]
fn a_link_goes_and_what_it_points_to_stays() {
    let fixture = project();
    fixture.write("notes/a.md", "x");
    std::os::unix::fs::symlink(fixture.path("notes"), fixture.path("link")).unwrap();
    assert_eq!(path(&fixture, "link", true), "copies of link");
    assert_eq!(path(&fixture, "link/a.md", false), "copies of notes/a.md");
}

#[test]
fn an_action_asks_so_many_questions_and_no_more() {
    let fixture = project();
    let mut losses = Losses::new(&fixture.path(""), Copies::UpTo(LIMIT));
    for number in 0..MOST {
        let path = fixture.path(&format!("missing-{number}"));
        assert_eq!(losses.of(&Losing::Path { path, recursive: true }), Loss::Nothing);
    }
    let path = fixture.path("missing");
    assert_eq!(losses.of(&Losing::Path { path: path.clone(), recursive: false }), Loss::Nothing);
    assert!(matches!(losses.of(&Losing::Path { path, recursive: true }), Loss::Unknown(_)));
}

#[test]
fn many_names_are_counted_and_long_ones_cut() {
    let fixture = project();
    for name in ["src/a.rs", "src/b.rs"] {
        fixture.write(name, "two\n");
    }
    fixture.write(&format!("{}/c.rs", "long".repeat(30)), "x");
    let all = said(&fixture, Losing::Inside(fixture.path("")));
    assert!(all.ends_with(" and 1 more"), "{all}");
    assert_eq!(path(&fixture, &"long".repeat(30), true).chars().count(), 49);
}

fn content(fixture: &Fixture, name: &str) -> String {
    said(fixture, Losing::Content(fixture.path(name)))
}

fn sized(fixture: &Fixture, name: &str, bytes: u64) {
    fixture.write(name, "");
    fs::OpenOptions::new().write(true).open(fixture.path(name)).unwrap().set_len(bytes).unwrap();
}

#[test]
fn what_is_too_large_for_a_copy_is_a_loss_unless_git_or_a_build_has_it() {
    let fixture = project();
    sized(&fixture, "src/large.dat", LIMIT + 1);
    fixture.commit("large");
    for name in ["thesis.pdf", "x.bin", "data/deep/video.mp4", "target/large", "lib.so", "run.log"] {
        sized(&fixture, name, LIMIT + 1);
    }
    fixture.write("data/small.txt", "x");
    for (name, expected) in [
        ("thesis.pdf", "too large: thesis.pdf (2 MiB)"),
        ("x.bin", "too large: x.bin (2 MiB)"),
        ("data/deep/video.mp4", "too large: video.mp4 (2 MiB)"),
        ("src/large.dat", "nothing"),
        ("target/large", "nothing"),
        ("lib.so", "nothing"),
        ("run.log", "nothing"),
        ("missing", "nothing"),
    ] {
        assert_eq!(path(&fixture, name, false), expected, "deleting {name}");
        assert_eq!(content(&fixture, name), expected, "overwriting {name}");
    }
    assert_eq!(path(&fixture, "data", true), "too large: video.mp4 (2 MiB)");
    assert_eq!(
        said(&fixture, Losing::Contents(fixture.path("*.pdf").into_string())),
        "too large: thesis.pdf (2 MiB)"
    );
    // Changed, it is in no commit.
    sized(&fixture, "src/large.dat", LIMIT + 2);
    assert_eq!(content(&fixture, "src/large.dat"), "too large: large.dat (2 MiB)");
}

#[test]
fn what_is_overwritten_is_copied_through_links_and_below_folders() {
    let fixture = project();
    fixture.write("notes/a.md", "x");
    fixture.write("new/src/a.rs", "two");
    fixture.write("new/src/c.rs", "two");
    std::os::unix::fs::symlink("notes/a.md", fixture.path("link")).unwrap();
    std::os::unix::fs::symlink(fixture.path("notes"), fixture.path("folder")).unwrap();
    assert_eq!(content(&fixture, "link"), "copies of link notes/a.md");
    assert_eq!(content(&fixture, "folder/a.md"), "copies of notes/a.md");
    assert_eq!(content(&fixture, "notes"), "nothing");
    assert_eq!(content(&fixture, "notes/a.md/x"), "nothing");
    assert_eq!(
        said(&fixture, Losing::Contents(fixture.path("src/*.rs").into_string())),
        "copies of src/a.rs src/b.rs"
    );
    let merged = |from: &str, into: &str, deep| {
        said(&fixture, Losing::Merged { from: fixture.path(from), into: fixture.path(into), deep })
    };
    assert_eq!(merged("new", "", true), "copies of src/a.rs");
    assert_eq!(merged("new", "", false), "nothing");
    assert_eq!(merged("new/src", "src", false), "copies of src/a.rs");
    assert_eq!(merged("missing", "src", true), "nothing");
}

#[test]
fn what_a_folder_says_it_can_fill_again_is_no_loss() {
    let fixture = project();
    fixture.write("data/one/pyvenv.cfg", "home = /usr\n");
    fixture.write("data/one/lib/x.py", "x");
    fixture.write("data/two/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    fixture.write("data/two/x", "x");
    assert_eq!(path(&fixture, "data", true), "nothing");
}

#[test]
fn where_no_copies_are_taken_nothing_is_promised() {
    let fixture = project();
    fixture.write("notes/a.md", "x");
    let mut losses = Losses::new(&fixture.path(""), Copies::Off);
    assert_eq!(losses.of(&Losing::Content(fixture.path("notes/a.md"))), Loss::Unkept);
    assert_eq!(losses.of(&Losing::Content(fixture.path("missing"))), Loss::Nothing);
}
