//! Two sessions, interleaved at random in one folder: each command is read as the review reads it, and a small world of
//! lines says whether it took a line of the other session that no commit holds.

use super::{Claim, Claims, FileState, Files, Taking, Takings, Tracking, added, after, at_risk, takings};
use crate::pure::client::Tool;
use crate::pure::step::effect::Addressed;
use crate::pure::step::{Action, Known, Survey, sample, survey};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

const PROJECT: &str = "/home/user/project";
const INTERLEAVINGS: u64 = 1_000;
const CALLS: usize = 16;
const NAMES: [&str; 4] = ["a.txt", "b.txt", "src/c.txt", "src/d.txt"];

type Tree = BTreeMap<Utf8PathBuf, Vec<String>>;

fn absolute(name: &str) -> Utf8PathBuf {
    Utf8Path::new(PROJECT).join(name)
}

/// Lines that a session put into a file.
type Put = BTreeSet<(Utf8PathBuf, String)>;

/// Files as lines, and what the last commit and the index have of them.
#[derive(Default, Clone)]
struct World {
    files: Tree,
    head: Tree,
    index: BTreeSet<Utf8PathBuf>,
    stash: Vec<Tree>,
}

impl World {
    fn bytes(lines: Option<&Vec<String>>) -> Vec<u8> {
        lines
            .map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>())
            .unwrap_or_default()
            .into()
    }

    fn is_tracked(&self, path: &Utf8Path) -> bool {
        self.head.contains_key(path) || self.index.contains(path)
    }

    fn write(&mut self, path: &Utf8Path, text: &str) {
        self.files.insert(path.to_owned(), text.lines().map(ToOwned::to_owned).collect());
    }

    fn has(&self, path: &Utf8Path, line: &str) -> bool {
        self.files.get(path).is_some_and(|lines| lines.iter().any(|one| one == line))
    }

    /// Those of these lines that lie where their session put them, and in no commit.
    fn uncommitted(&self, put: &Put) -> Put {
        let held =
            |path: &Utf8Path, line: &String| self.head.get(path).is_some_and(|held| held.contains(line));
        put.iter().filter(|(path, line)| self.has(path, line) && !held(path, line)).cloned().collect()
    }

    fn restore(&mut self, within: impl Fn(&Utf8Path) -> bool) {
        let tracked: Vec<_> = self.files.keys().filter(|path| self.is_tracked(path)).cloned().collect();
        let gone = tracked.iter().filter(|path| within(path));
        gone.for_each(|path| drop(self.files.remove(path)));
        let back = self.head.iter().filter(|(path, _)| within(path));
        self.files.extend(back.map(|(path, lines)| (path.clone(), lines.clone())));
        self.index.retain(|path| !within(path));
    }
}

impl Files for World {
    fn worktree(&mut self, _: &Addressed) -> Option<Utf8PathBuf> {
        Some(PROJECT.into())
    }

    fn state(&mut self, path: &Utf8Path) -> Option<FileState> {
        let (now, held) = (self.files.get(path), self.head.get(path));
        let tracking = if self.is_tracked(path) { Tracking::Tracked } else { Tracking::Untracked };
        (now != held).then(|| FileState { tracking, now: Some(Self::bytes(now)), held: Self::bytes(held) })
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        self.files.contains_key(path)
    }

    fn below(&mut self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        self.files.keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    fn real(&mut self, path: &Utf8Path) -> Utf8PathBuf {
        path.to_owned()
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

fn bash(command: impl Into<String>) -> Tool {
    Tool::Bash { command: command.into() }
}

/// The change of the world by a call.
type Run = Box<dyn FnOnce(&mut World)>;

/// A call at random.
fn call(dice: &mut Dice, world: &World, author: char, line: &str) -> (Tool, Run) {
    let (name, other) = (dice.pick(&NAMES), dice.pick(&NAMES));
    let (path, target) = (absolute(name), absolute(other));
    let now = world.files.get(&path).cloned();
    let text = |lines: &[String]| lines.join("\n") + "\n";
    let new = line.to_owned();
    let put =
        |path: Utf8PathBuf, lines: String| Box::new(move |world: &mut World| world.write(&path, &lines));
    match (dice.roll(15), now) {
        (0..=2, Some(lines)) if !lines.is_empty() => {
            // An edit: it adds a line behind another one, or takes that one's place.
            let old = lines[dice.roll(lines.len())].clone();
            let replaced = if dice.roll(2) == 0 { new } else { format!("{old}\n{new}") };
            let edited = text(&lines).replace(&old, &replaced);
            let path_text = path.to_string();
            (Tool::Write { path: path_text, text: replaced, replaced: Some(old) }, put(path, edited))
        }
        (0..=3, now) => {
            let kept = now.filter(|_| dice.roll(2) == 0).unwrap_or_default();
            let lines = text(&[kept, vec![new]].concat());
            (Tool::Write { path: path.to_string(), text: lines.clone(), replaced: None }, put(path, lines))
        }
        (4, now) => {
            let lines = text(&[now.unwrap_or_default(), vec![new.clone()]].concat());
            (bash(format!("echo {new} >> {name}")), put(path, lines))
        }
        (5, _) => (bash(format!("echo {new} > {name}")), put(path, text(&[new]))),
        (6, Some(lines)) => {
            let lines = text(&lines);
            (bash(format!("cp {name} {other}")), put(target, lines))
        }
        (7, Some(lines)) if path != target => (
            bash(format!("mv {name} {other}")),
            Box::new(move |world| {
                world.files.remove(&path);
                world.files.insert(target, lines);
            }),
        ),
        (8, Some(_)) => (bash(format!("rm {name}")), Box::new(move |world| drop(world.files.remove(&path)))),
        (9, _) => {
            let command = dice.pick(&["git checkout -- .", "git reset --hard", "git restore ."]);
            (bash(command), Box::new(|world| world.restore(|_| true)))
        }
        (10, _) => {
            let command = format!("git {} {name}", dice.pick(&["checkout --", "restore"]));
            // git knows no such file, and does nothing.
            (
                bash(command),
                Box::new(move |world| {
                    if world.is_tracked(&path) {
                        world.restore(|one| one == path);
                    }
                }),
            )
        }
        (11, _) => (
            bash(dice.pick(&["git clean -fd", "git clean -f"])),
            Box::new(|world| {
                let tracked = world.clone();
                world.files.retain(|path, _| tracked.is_tracked(path));
            }),
        ),
        (12, _) => (
            bash("git stash"),
            Box::new(|world| {
                world.stash.push(world.files.clone());
                world.restore(|_| true);
            }),
        ),
        (13, _) => (
            bash(format!("git commit -qam {author}")),
            Box::new(|world| {
                let tracked = world.clone();
                world.head = world.files.clone();
                world.head.retain(|path, _| tracked.is_tracked(path));
            }),
        ),
        _ => (
            bash(format!("git add {name} && git commit -qm {author} {name}")),
            Box::new(move |world| match world.files.get(&path) {
                Some(lines) => drop(world.head.insert(path.clone(), lines.clone())),
                None => drop(world.head.remove(&path)),
            }),
        ),
    }
}

/// As the app records a call.
fn claims(tool: &Tool, looked: &Survey, world: &World) -> Vec<Claim> {
    if let Tool::Write { path, .. } = tool {
        let now = World::bytes(world.files.get(Utf8Path::new(path)));
        let lines = after(tool, &now).map(|after| added(&now, &after)).unwrap_or_default();
        return vec![Claim::of_lines(path.into(), lines)];
    }
    Claim::of_survey(looked)
}

fn surveyed(tool: &Tool) -> Survey {
    survey(&Action::read(tool, "{}"), &sample::place(), &Known::default())
}

/// The files of which a call takes lines of the other session, as the review would say.
fn asked(
    tool: &Tool,
    looked: &Survey,
    world: &mut World,
    [ours, theirs]: [&Claims; 2],
) -> BTreeSet<Utf8PathBuf> {
    let Takings { effects, sweeps } = takings(looked, &Known::default());
    let all: Vec<Taking<'_>> = effects.into_iter().chain(sweeps).map(|(_, taking)| taking).collect();
    let after = |now: &[u8]| after(tool, now);
    all.iter().flat_map(|taking| at_risk(taking, theirs, ours, world, &after)).collect()
}

/// Runs one interleaving; the number of questions.
fn replay(seed: u64) -> usize {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut world = World::default();
    for name in NAMES.iter().take(3) {
        world.write(&absolute(name), &format!("first of {name}\nsecond of {name}\n"));
    }
    world.head = world.files.clone();
    let mut written = Vec::new();
    // Files that a command wrote: all in them that no commit holds and the other has not typed is its session's.
    let mut by_command: [BTreeSet<Utf8PathBuf>; 2] = Default::default();
    let mut put = [Put::new(), Put::new()];
    let mut questions = 0;
    for number in 0..CALLS {
        let own = dice.roll(2);
        let author = ['A', 'B'][own];
        let (tool, run) = call(&mut dice, &world, author, &format!("{author}{number}."));
        let looked = surveyed(&tool);
        let new = claims(&tool, &looked, &world);
        let claimed = Claims::of_sessions(2, written.clone());
        let asked = asked(&tool, &looked, &mut world, [&claimed[own], &claimed[1 - own]]);
        let before = world.uncommitted(&put[1 - own]);
        let mut next = world.clone();
        run(&mut next);
        let sweeps = matches!(&tool, Tool::Bash { command } if command.contains("commit -qam"));
        let left: BTreeSet<String> = match sweeps {
            // Lines in somebody else's commit count as taken.
            true => next.uncommitted(&put[1 - own]).into_iter().map(|(_, line)| line).collect(),
            false => next.files.values().flatten().cloned().collect(),
        };
        let moved = matches!(&tool, Tool::Bash { command } if command.starts_with("mv "));
        let lost: BTreeSet<_> = before.iter().filter(|(_, line)| !left.contains(line)).collect();
        assert!(lost.is_empty() || !asked.is_empty(), "seed {seed}: {tool:?} loses {lost:?}");
        let touched = |path: &Utf8PathBuf| before.iter().any(|(file, _)| file == path);
        for path in asked.iter().filter(|path| !by_command[1 - own].contains(*path)) {
            assert!(
                touched(path),
                "seed {seed}: {tool:?} is asked about {path}, where nothing of the other is"
            );
            let gone = lost.iter().any(|(file, _)| file == path);
            let copied = before.iter().any(|(file, line)| file == path && left.contains(line));
            assert!(gone || copied || moved, "seed {seed}: {tool:?} takes nothing of {path}");
        }
        questions += usize::from(!asked.is_empty());
        // A person says no to half of the questions; the record was made before.
        for claim in new {
            if let Claim::File(path) | Claim::Moved(_, path) = &claim {
                by_command[own].insert(path.clone());
            }
            if let Claim::Moved(from, to) = &claim {
                for lines in &mut put {
                    let moved = lines
                        .iter()
                        .filter(|(path, _)| path == from)
                        .map(|(_, line)| (to.clone(), line.clone()));
                    lines.extend(moved.collect::<Vec<_>>());
                }
                for who in &mut by_command {
                    if who.contains(from) {
                        who.insert(to.clone());
                    }
                }
            }
            written.push((number as u64, own, claim));
        }
        if asked.is_empty() || dice.roll(2) == 0 {
            for (path, lines) in &next.files {
                let new = lines.iter().filter(|line| line.starts_with(author) && !world.has(path, line));
                put[own].extend(new.map(|line| (path.clone(), line.clone())));
            }
            world = next;
        }
    }
    questions
}

#[test]
fn two_sessions_at_random_lose_nothing_unasked_and_hear_no_question_where_they_do_not_touch() {
    let questions: usize = (0..INTERLEAVINGS).map(replay).sum();
    assert!(questions > 1_000, "{questions} questions: too few to show anything");
}

#[test]
fn sessions_that_keep_to_their_own_files_hear_no_question() {
    let mut world = World::default();
    let mut written = Vec::new();
    let commands = |name: &str| {
        [
            format!("echo x > {name}"),
            format!("sed -i s/x/y/ {name}"),
            format!("git add {name}"),
            format!("git checkout -- {name}"),
            format!("rm -rf {name}"),
            format!("git stash push {name}"),
        ]
    };
    for (own, name) in [(0, "a.txt"), (1, "src/c.txt")] {
        for command in commands(name) {
            let tool = bash(command.clone());
            let claimed = Claims::of_sessions(2, written.clone());
            let looked = surveyed(&tool);
            let asked = asked(&tool, &looked, &mut world, [&claimed[own], &claimed[1 - own]]);
            assert_eq!(asked, BTreeSet::new(), "{command}");
            written.extend(claims(&tool, &looked, &world).into_iter().map(|claim| (0, own, claim)));
            world.write(&absolute(name), "x\n");
        }
    }
    for command in ["git stash", "git checkout .", "rm -rf src", "echo x > src/c.txt", "cp a.txt src/c.txt"] {
        world.index.insert(absolute("src/c.txt"));
        let claimed = Claims::of_sessions(2, written.clone());
        let tool = bash(command);
        let asked = asked(&tool, &surveyed(&tool), &mut world, [&claimed[0], &claimed[1]]);
        assert!(!asked.is_empty(), "{command}");
    }
}
