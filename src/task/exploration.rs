//! Every state that the flow can reach, by trying every move in every state.

use super::*;
use crate::review::{ObjectId, TreeId};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

const ENABLED: Rules = Rules { enabled: true, max_revisions: 3 };

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

fn conclusion(world: &World, id: &str, result: Verdict, blocking: bool, malformed: bool) -> Action {
    // The flow compares the content at this moment with what was reviewed.
    let reviewed = world.state.review.as_ref().map(|review| review.tree.clone());
    let changed = (reviewed != Some(tree(world.content))).then(|| "a.rs".to_owned());
    Action::Conclude(Box::new(Conclusion {
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

fn actions(world: &World) -> Vec<Action> {
    let worker =
        |session: &str, worktree: &str| Worker { session: Some(session.into()), worktree: worktree.into() };
    let mut actions = vec![
        Action::Start { worker: worker("s", "/w"), take_over: false },
        Action::Start { worker: worker("other", "/v"), take_over: false },
        Action::Start { worker: worker("other", "/v"), take_over: true },
        Action::Release,
        Action::Withdraw,
        Action::Block { reason: "why".into() },
        Action::Reopen { reason: "why".into() },
    ];
    for worktree in ["/w", "/v"] {
        for content in [Some(world.content), None] {
            actions.push(Action::Submit { tree: content.map(tree), worktree: worktree.into() });
        }
        for review in ["r1", "r2"] {
            actions.push(Action::BeginReview {
                review: review.into(),
                tree: tree(world.content),
                worktree: worktree.into(),
                command: "c".into(),
                model: String::new(),
            });
        }
    }
    for review in ["r1", "r2"] {
        actions.push(Action::GiveReview { review: review.into(), raw: "f".into(), digest: "d".into() });
        for result in [Verdict::Approved, Verdict::NeedsRevision, Verdict::Rejected] {
            for (blocking, malformed) in [(false, false), (true, false), (false, true)] {
                actions.push(conclusion(world, review, result, blocking, malformed));
            }
        }
    }
    actions
}

/// Every step out of a world, with somebody editing the files as one of them.
fn steps(world: &World, rules: Rules) -> Vec<(Option<(Action, What)>, World)> {
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
fn explored(rules: Rules) -> HashMap<World, Vec<Step>> {
    let start = World { state: State::new(), content: 'a' };
    let mut found: HashMap<World, Vec<Step>> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(world) = waiting.pop_front() {
        if found.contains_key(&world) {
            continue;
        }
        let steps: Vec<Step> = steps(&world, rules)
            .into_iter()
            .map(|(did, to)| Step { by: did.map(|(action, _)| action.name()), to })
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
    for world in worlds.keys().filter(|world| world.state.status != Status::Complete) {
        for (did, to) in steps(world, ENABLED) {
            if to.state.status != Status::Complete {
                continue;
            }
            completed += 1;
            let Some((Action::Conclude(conclusion), What::Reviewed(record))) = did else {
                panic!("complete by {did:?}")
            };
            let review = world.state.review.as_ref().unwrap();
            assert_eq!(
                (conclusion.result, conclusion.malformed, record.shortfall),
                (Verdict::Approved, None, None)
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
    let by_worker = leading_to(&worlds, |world| world.state.status == Status::Complete, &[Owner::Worker]);
    let outside = by_worker.iter().find(|world| world.state.status != Status::Complete);
    assert_eq!(outside, None);
}

#[test]
fn every_state_has_a_way_to_complete_and_only_what_is_blocked_needs_a_person() {
    let worlds = explored(ENABLED);
    let complete = |world: &World| world.state.status == Status::Complete;
    let all = leading_to(&worlds, complete, &[Owner::Worker, Owner::Reviewer, Owner::Person]);
    assert_eq!(all.len(), worlds.len(), "a state without a way out");
    let alone = leading_to(&worlds, complete, &[Owner::Worker, Owner::Reviewer]);
    for world in worlds.keys().filter(|world| !alone.contains(*world)) {
        assert_eq!(world.state.status, Status::Blocked, "stuck without a person: {world:?}");
    }
    for world in worlds.keys().filter(|world| world.state.status == Status::Blocked) {
        assert!(!alone.contains(world) && world.state.reason.is_some(), "{world:?}");
    }
}

#[test]
fn the_third_failed_review_blocks_and_nobody_shops_for_another_reviewer() {
    for (world, steps) in explored(ENABLED) {
        let failed = world.state.revisions;
        assert!(failed <= 3, "{world:?}");
        assert!(failed < 3 || world.state.status == Status::Blocked, "{world:?}");
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
fn content_that_was_found_wanting_is_not_reviewed_again() {
    for world in explored(ENABLED).keys() {
        for (did, _) in steps(world, ENABLED) {
            if let Some((_, What::Submitted { tree, .. })) = did {
                assert_ne!(Some(tree), world.state.wanting);
            }
        }
    }
}

#[test]
fn the_table_of_edges_is_exactly_what_happens() {
    let mut seen: BTreeSet<(Move, Status, Status)> = BTreeSet::new();
    for rules in [ENABLED, Rules { enabled: false, ..ENABLED }] {
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
    let off = Rules { enabled: false, ..ENABLED };
    let mut completed = 0;
    for world in explored(ENABLED).keys() {
        let submit = Action::Submit { tree: None, worktree: "/w".into() };
        match transition(&world.state, submit, off) {
            Ok(what) => {
                assert_eq!(what, What::Completed);
                completed += 1;
            }
            Err(refusal) => assert_eq!(refusal, Refusal::Status(world.state.status)),
        }
    }
    assert!(completed > 0);
}

#[test]
fn one_failed_review_is_enough_where_the_settings_say_so() {
    let once = Rules { max_revisions: 1, ..ENABLED };
    assert!(explored(once).keys().all(|world| world.state.status != Status::NeedsRevision));
}
