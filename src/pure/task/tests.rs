//! Every state that the flow can reach, by trying every move in every state.

use super::*;
use crate::pure::review::{ObjectId, TreeId};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Who may make a move: commands are the worker's, results the reviewer's alone, and what was blocked a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Owner {
    Worker,
    Reviewer,
    Person,
}

/// The name of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Move {
    Start,
    Release,
    Submit,
    Withdraw,
    BeginReview,
    GiveReview,
    Conclude,
    Block,
    Reopen,
}

/// An action with its states before and after, its owner, and the actions that undo it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    by: Move,
    from: &'static [TaskStatus],
    to: &'static [TaskStatus],
    owner: Owner,
    inverse: &'static [Move],
}

use TaskStatus::{AwaitingReview, Blocked, Complete, InProgress, NeedsRevision, Pending};

/// Every action; the tests compare `transition` with this table.
const EDGES: [Edge; 9] = [
    Edge {
        by: Move::Start,
        from: &[Pending, InProgress, NeedsRevision],
        to: &[InProgress],
        owner: Owner::Worker,
        inverse: &[Move::Release],
    },
    Edge {
        by: Move::Release,
        from: &[InProgress, NeedsRevision],
        to: &[Pending],
        owner: Owner::Worker,
        inverse: &[Move::Start],
    },
    Edge {
        by: Move::Submit,
        from: &[InProgress, NeedsRevision, AwaitingReview],
        to: &[AwaitingReview, Complete],
        owner: Owner::Worker,
        inverse: &[Move::Withdraw, Move::Reopen],
    },
    Edge {
        by: Move::Withdraw,
        from: &[AwaitingReview],
        to: &[InProgress],
        owner: Owner::Worker,
        inverse: &[Move::Submit],
    },
    Edge {
        by: Move::BeginReview,
        from: &[AwaitingReview],
        to: &[AwaitingReview],
        owner: Owner::Reviewer,
        inverse: &[Move::Conclude, Move::Withdraw],
    },
    Edge {
        by: Move::GiveReview,
        from: &[AwaitingReview],
        to: &[AwaitingReview],
        owner: Owner::Reviewer,
        inverse: &[Move::Conclude],
    },
    Edge {
        by: Move::Conclude,
        from: &[AwaitingReview],
        to: &[Complete, NeedsRevision, InProgress, Blocked],
        owner: Owner::Reviewer,
        inverse: &[Move::Submit, Move::Reopen],
    },
    Edge {
        by: Move::Block,
        from: &[Pending, InProgress, NeedsRevision, AwaitingReview],
        to: &[Blocked],
        owner: Owner::Worker,
        inverse: &[Move::Reopen],
    },
    Edge {
        by: Move::Reopen,
        from: &[InProgress, NeedsRevision, AwaitingReview, Complete, Blocked],
        to: &[Pending],
        owner: Owner::Person,
        inverse: &[Move::Start],
    },
];

fn name(action: &TaskAction) -> Move {
    match action {
        TaskAction::Start { .. } => Move::Start,
        TaskAction::Release => Move::Release,
        TaskAction::Submit { .. } => Move::Submit,
        TaskAction::Withdraw => Move::Withdraw,
        TaskAction::BeginReview { .. } => Move::BeginReview,
        TaskAction::GiveReview { .. } => Move::GiveReview,
        TaskAction::Conclude(_) => Move::Conclude,
        TaskAction::Block { .. } => Move::Block,
        TaskAction::Reopen { .. } => Move::Reopen,
    }
}

const ENABLED: TaskRules = TaskRules { enabled: true, max_revisions: 3 };

/// A task, and the content as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    state: State,
    content: char,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Step {
    by: Option<Move>,
    to: World,
}

fn tree(content: char) -> TreeId {
    TreeId(ObjectId::parse(&content.to_string().repeat(40)).unwrap())
}

fn conclusion(world: &World, id: &str, result: TaskVerdict, blocking: bool, malformed: bool) -> TaskAction {
    // The flow compares the content at this moment with what was reviewed.
    let reviewed = world.state.review.as_ref().map(|review| review.tree.clone());
    let changed = (reviewed != Some(tree(world.content))).then(|| "a.rs".to_owned());
    TaskAction::Conclude(Box::new(Conclusion {
        review: id.into(),
        result,
        issues: Vec::new(),
        summary: "s".into(),
        blocking,
        raw: None,
        malformed: malformed.then(|| "m".to_owned()),
        changed,
    }))
}

fn actions(world: &World) -> Vec<TaskAction> {
    let worker =
        |session: &str, worktree: &str| Worker { session: Some(session.into()), worktree: worktree.into() };
    let mut actions = vec![
        TaskAction::Start { worker: worker("s", "/w"), take_over: false },
        TaskAction::Start { worker: worker("other", "/v"), take_over: false },
        TaskAction::Start { worker: worker("other", "/v"), take_over: true },
        TaskAction::Release,
        TaskAction::Withdraw,
        TaskAction::Block { reason: "why".into() },
        TaskAction::Reopen { reason: "why".into() },
    ];
    for worktree in ["/w", "/v"] {
        for content in [Some(world.content), None] {
            actions.push(TaskAction::Submit { tree: content.map(tree), worktree: worktree.into() });
        }
        for review in ["r1", "r2"] {
            actions.push(TaskAction::BeginReview {
                review: review.into(),
                tree: tree(world.content),
                worktree: worktree.into(),
                command: "c".into(),
                model: String::new(),
            });
        }
    }
    for review in ["r1", "r2"] {
        actions.push(TaskAction::GiveReview { review: review.into(), raw: "f".into(), digest: "d".into() });
        for result in [TaskVerdict::Approved, TaskVerdict::NeedsRevision, TaskVerdict::Rejected] {
            for (blocking, malformed) in [(false, false), (true, false), (false, true)] {
                actions.push(conclusion(world, review, result, blocking, malformed));
            }
        }
    }
    actions
}

/// Every step out of a world, with somebody editing the files as one of them.
fn steps(world: &World, rules: TaskRules) -> Vec<(Option<(TaskAction, TaskChange)>, World)> {
    let edited = World { content: if world.content == 'a' { 'b' } else { 'a' }, ..world.clone() };
    let mut steps = vec![(None, edited)];
    for action in actions(world) {
        if let Ok(what) = transition(&world.state, action.clone(), rules) {
            let to = World { state: world.state.clone().after(&what), ..world.clone() };
            steps.push((Some((action, what)), to));
        }
    }
    steps
}

/// All reachable worlds, each with its steps.
fn explored(rules: TaskRules) -> HashMap<World, Vec<Step>> {
    let start = World { state: State::new(), content: 'a' };
    let mut found: HashMap<World, Vec<Step>> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(world) = waiting.pop_front() {
        if found.contains_key(&world) {
            continue;
        }
        let steps: Vec<Step> = steps(&world, rules)
            .into_iter()
            .map(|(did, to)| Step { by: did.map(|(action, _)| name(&action)), to })
            .collect();
        waiting.extend(steps.iter().map(|step| step.to.clone()).filter(|to| !found.contains_key(to)));
        found.insert(world, steps);
    }
    found
}

/// Worlds from which one of these is reached by moves of these owners and by edits.
fn leading_to(
    worlds: &HashMap<World, Vec<Step>>,
    goal: impl Fn(&World) -> bool,
    owners: &[Owner],
) -> HashSet<World> {
    let owned = |by: Move| EDGES.iter().any(|edge| edge.by == by && owners.contains(&edge.owner));
    let mut leading: HashSet<World> = worlds.keys().filter(|world| goal(world)).cloned().collect();
    loop {
        let more: Vec<World> = worlds
            .iter()
            .filter(|(world, _)| !leading.contains(*world))
            .filter(|(_, steps)| {
                steps.iter().any(|step| step.by.is_none_or(owned) && leading.contains(&step.to))
            })
            .map(|(world, _)| world.clone())
            .collect();
        if more.is_empty() {
            return leading;
        }
        leading.extend(more);
    }
}

#[test]
fn nothing_is_complete_without_an_approval_of_the_content_as_it_is() {
    let worlds = explored(ENABLED);
    assert!(worlds.len() > 500, "only {} worlds were reached", worlds.len());
    let mut completed = 0;
    for world in worlds.keys().filter(|world| world.state.status != TaskStatus::Complete) {
        for (did, to) in steps(world, ENABLED) {
            if to.state.status != TaskStatus::Complete {
                continue;
            }
            completed += 1;
            let Some((TaskAction::Conclude(conclusion), TaskChange::Reviewed(record))) = did else {
                panic!("complete by {did:?}")
            };
            let review = world.state.review.as_ref().unwrap();
            assert_eq!(
                (conclusion.result, conclusion.malformed, record.shortfall),
                (TaskVerdict::Approved, None, None)
            );
            assert_eq!(review.tree, tree(world.content), "another content was reviewed");
            assert_eq!(record.review, review.id);
        }
    }
    assert!(completed > 0);
}

#[test]
fn the_worker_alone_reaches_no_end_but_blocked() {
    let worlds = explored(ENABLED);
    let by_worker = leading_to(&worlds, |world| world.state.status == TaskStatus::Complete, &[Owner::Worker]);
    let outside = by_worker.iter().find(|world| world.state.status != TaskStatus::Complete);
    assert_eq!(outside, None);
}

#[test]
fn every_state_has_a_way_to_complete_and_only_what_is_blocked_needs_a_person() {
    let worlds = explored(ENABLED);
    let complete = |world: &World| world.state.status == TaskStatus::Complete;
    let all = leading_to(&worlds, complete, &[Owner::Worker, Owner::Reviewer, Owner::Person]);
    assert_eq!(all.len(), worlds.len(), "a state without a way out");
    let alone = leading_to(&worlds, complete, &[Owner::Worker, Owner::Reviewer]);
    for world in worlds.keys().filter(|world| !alone.contains(*world)) {
        assert_eq!(world.state.status, TaskStatus::Blocked, "stuck without a person: {world:?}");
    }
    for world in worlds.keys().filter(|world| world.state.status == TaskStatus::Blocked) {
        assert!(!alone.contains(world) && world.state.reason.is_some(), "{world:?}");
    }
}

#[test]
fn the_third_failed_review_blocks_and_nobody_shops_for_another_reviewer() {
    for (world, steps) in explored(ENABLED) {
        let failed = world.state.revisions;
        assert!(failed <= 3, "{world:?}");
        assert!(failed < 3 || world.state.status == TaskStatus::Blocked, "{world:?}");
        let given = world.state.review.as_ref().is_some_and(|review| review.given.is_some());
        for step in steps.iter().filter(|_| given) {
            assert!(
                matches!(step.by, None | Some(Move::Conclude | Move::Block | Move::Reopen)),
                "{:?} out of {world:?}",
                step.by
            );
        }
    }
}

#[test]
fn content_that_failed_a_review_is_not_reviewed_again() {
    for world in explored(ENABLED).keys() {
        for (did, _) in steps(world, ENABLED) {
            if let Some((_, TaskChange::Submitted { tree, .. })) = did {
                assert_ne!(Some(tree), world.state.failed_tree);
            }
        }
    }
}

#[test]
fn the_table_of_edges_is_exactly_what_happens() {
    let mut seen: BTreeSet<(Move, TaskStatus, TaskStatus)> = BTreeSet::new();
    for rules in [ENABLED, TaskRules { enabled: false, ..ENABLED }] {
        for (world, steps) in explored(rules) {
            for step in steps {
                seen.extend(step.by.map(|by| (by, world.state.status, step.to.state.status)));
            }
        }
    }
    for (by, from, to) in &seen {
        let edge = EDGES.iter().find(|edge| edge.by == *by).unwrap();
        assert!(edge.from.contains(from) && edge.to.contains(to), "{by:?}: {from:?} to {to:?}");
    }
    for edge in EDGES {
        assert_eq!(
            EDGES.iter().filter(|other| other.by == edge.by).count(),
            1,
            "{:?} has two owners",
            edge.by
        );
        for from in edge.from {
            assert!(
                seen.iter().any(|(by, before, _)| (by, before) == (&edge.by, from)),
                "{:?} {from:?}",
                edge.by
            );
        }
        for to in edge.to {
            assert!(seen.iter().any(|(by, _, after)| (by, after) == (&edge.by, to)), "{:?} {to:?}", edge.by);
            let back = EDGES.iter().filter(|other| edge.inverse.contains(&other.by));
            assert!(
                back.into_iter().any(|inverse| inverse.from.contains(to)),
                "no way back from {:?}",
                edge.by
            );
        }
    }
}

#[test]
fn with_reviews_switched_off_a_task_completes_directly_and_from_every_state_that_can_be_handed_in() {
    let off = TaskRules { enabled: false, ..ENABLED };
    let mut completed = 0;
    for world in explored(ENABLED).keys() {
        let submit = TaskAction::Submit { tree: None, worktree: "/w".into() };
        match transition(&world.state, submit, off) {
            Ok(what) => {
                assert_eq!(what, TaskChange::Completed);
                completed += 1;
            }
            Err(refusal) => assert_eq!(refusal, TaskRefusal::Status(world.state.status)),
        }
    }
    assert!(completed > 0);
}

#[test]
fn one_failed_review_is_enough_where_the_settings_say_so() {
    let once = TaskRules { max_revisions: 1, ..ENABLED };
    assert!(explored(once).keys().all(|world| world.state.status != TaskStatus::NeedsRevision));
}
