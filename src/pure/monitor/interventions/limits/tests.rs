//! Limits: how they shrink, when they are reached, and what a yes does.

use super::*;
use crate::pure::step::Nature;

fn limits() -> SessionLimits {
    let of_settings = SessionLimits::of(&Interventions::default(), 50);
    SessionLimits { tokens: 1_000_000, seconds: 3600, memory_mb: 4096, ..of_settings }
}

fn growing(file_operations: f64, memory: f64, tokens: f64, time: f64) -> Growth {
    Growth { file_operations, memory, tokens, time }
}

#[test]
fn each_rate_of_growth_leaves_its_share_of_the_limit() {
    let factors = ReductionFactors::default();
    for (growth, left) in [
        (0.1, 1000),
        (1.0, 1000),
        (1.2, 1000),
        (1.21, 850),
        (1.5, 850),
        (1.51, 700),
        (2.0, 700),
        (2.01, 500),
        (f64::INFINITY, 500),
        (f64::NAN, 1000),
    ] {
        let before = SessionLimits { tokens: 1000, ..limits() };
        assert_eq!(before.throttled(&growing(1.0, 1.0, growth, 1.0), &factors).tokens, left, "{growth}");
    }
}

#[test]
fn every_resource_shrinks_by_its_own_growth_and_the_batch_is_halved() {
    let before = limits();
    let after = before.throttled(&growing(2.5, 1.6, 1.3, 1.0), &ReductionFactors::default());
    let expected = SessionLimits {
        file_operations: 25,
        commands: 150,
        tokens: 850_000,
        seconds: 3600,
        batch_size: 10,
        memory_mb: 2867,
        added: AddedLimits::default(),
    };
    assert_eq!(after, expected);
    let nothing_grows = before.throttled(&Growth::default(), &ReductionFactors::default());
    assert_eq!(nothing_grows, SessionLimits { batch_size: 10, ..before });
}

#[test]
fn other_reduction_factors_leave_other_limits() {
    let factors = ReductionFactors { moderate: 0.9, aggressive: 0.6, severe: 0.25 };
    let tokens = |growth| limits().throttled(&growing(1.0, 1.0, growth, 1.0), &factors).tokens;
    assert_eq!((tokens(1.3), tokens(1.6), tokens(3.0)), (900_000, 600_000, 250_000));
}

#[test]
fn no_limit_shrinks_to_nothing() {
    let mut least = limits();
    for _ in 0..100 {
        least = least.throttled(&growing(9.0, 9.0, 9.0, 9.0), &ReductionFactors::default()).strict();
    }
    let SessionLimits { file_operations, commands, tokens, seconds, batch_size, memory_mb, .. } = least;
    assert_eq!([file_operations, commands, tokens, seconds, batch_size, memory_mb], [1; 6]);
    let zero = ReductionFactors { moderate: 0.0, aggressive: 0.0, severe: 0.0 };
    assert_eq!(limits().throttled(&growing(9.0, 1.0, 1.0, 1.0), &zero).file_operations, 1);
}

/// For each key: usage that reaches the limit exactly when the key is set to 10.
#[test]
fn each_limit_is_reached_where_it_is_set() {
    type Set = fn(&mut Interventions);
    type Spend = fn(&mut Usage, u64);
    let rows: [(Resource, bool, Set, Spend); 8] = [
        (Resource::Commands, false, |p| p.limits.max_commands = 10, |u, n| u.prompt.commands = n),
        (Resource::Tokens, false, |p| p.limits.max_tokens = 10, |u, n| u.prompt.tokens = n),
        (Resource::Seconds, false, |p| p.limits.max_execution_seconds = 10, |u, n| u.prompt.seconds = n),
        (Resource::Memory, false, |p| p.limits.max_memory_mb = 10, |u, n| u.memory_mb = n),
        (
            Resource::FileOperations,
            true,
            |p| p.session_limits.max_file_operations = 10,
            |u, n| u.session.file_operations = n,
        ),
        (Resource::Commands, true, |p| p.session_limits.max_commands = 10, |u, n| u.session.commands = n),
        (Resource::Tokens, true, |p| p.session_limits.max_tokens = 10, |u, n| u.session.tokens = n),
        (
            Resource::Seconds,
            true,
            |p| p.session_limits.max_execution_seconds = 10,
            |u, n| u.session.seconds = n,
        ),
    ];
    for (resource, per_session, set, spend) in rows {
        let mut policy = Interventions::default();
        let reached = |policy: &Interventions, used| {
            let mut usage = Usage::default();
            spend(&mut usage, used);
            SessionLimits::of(policy, 50).reached(&usage, policy)
        };
        assert_eq!(reached(&policy, 10), [], "{resource:?} by default");
        set(&mut policy);
        assert_eq!(reached(&policy, 9), [], "{resource:?}");
        let expected = ReachedLimit { resource, used: 10, limit: 10, per_session };
        assert_eq!(reached(&policy, 10), [expected], "{resource:?}");

        let mut usage = Usage::default();
        spend(&mut usage, 10);
        let limits = SessionLimits::of(&policy, 50).extended(&expected);
        assert_eq!(limits.reached(&usage, &policy), [], "{resource:?} after a yes");
        spend(&mut usage, 12);
        assert_eq!(limits.reached(&usage, &policy).len(), 1, "{resource:?} a quarter later");
    }
    let mut usage = Usage::default();
    usage.prompt.file_operations = 7;
    let policy = Interventions::default();
    assert_eq!(SessionLimits::of(&policy, 7).reached(&usage, &policy).len(), 1);
    assert_eq!(SessionLimits::of(&policy, 8).reached(&usage, &policy), []);
}

#[test]
fn batch_size_limits_the_calls_of_one_batch() {
    let mut policy = Interventions::default();
    assert_eq!(SessionLimits::of(&policy, 50).batch_exceeded(20), None);
    assert_eq!(SessionLimits::of(&policy, 50).batch_exceeded(21).map(|reached| reached.limit), Some(20));
    policy.limits.batch_size = 3;
    let over = SessionLimits::of(&policy, 50).batch_exceeded(4).unwrap();
    assert_eq!((over.resource, over.used, over.limit), (Resource::BatchSize, 4, 3));
    assert_eq!(SessionLimits::of(&policy, 50).extended(&over).batch_exceeded(5), None);
}

#[test]
fn a_yes_after_heavy_use_lasts_for_a_while() {
    let reached = ReachedLimit { resource: Resource::Tokens, used: 900, limit: 500, per_session: false };
    let limits = SessionLimits { tokens: 500, ..limits() };
    assert_eq!(limits.extended(&reached).tokens, 1025);
    let huge = ReachedLimit { used: u64::MAX, limit: u64::MAX, ..reached };
    assert_eq!(limits.extended(&huge).tokens, u64::MAX);
}

#[test]
fn a_reached_limit_concerns_only_calls_that_use_more_of_it() {
    let concerns = |resource, tool, nature| {
        ReachedLimit { resource, used: 1, limit: 1, per_session: false }.concerns(tool, nature)
    };
    for (resource, tool, nature, expected) in [
        (Resource::FileOperations, "Write", Nature::Creation, true),
        (Resource::FileOperations, "Bash", Nature::Deletion, true),
        (Resource::FileOperations, "Bash", Nature::Read, false),
        (Resource::Commands, "Bash", Nature::Read, true),
        (Resource::Commands, "Write", Nature::Creation, false),
        (Resource::Tokens, "Read", Nature::Read, true),
        (Resource::Seconds, "AskUserQuestion", Nature::Read, false),
        (Resource::Memory, "Read", Nature::Read, false),
        (Resource::Memory, "Agent", Nature::System, true),
        (Resource::BatchSize, "Read", Nature::Read, true),
    ] {
        assert_eq!(concerns(resource, tool, nature), expected, "{resource:?} {tool} {nature:?}");
    }
}

#[test]
fn the_words_say_what_how_much_and_what_a_yes_means() {
    let reached = ReachedLimit { resource: Resource::Commands, used: 300, limit: 300, per_session: false };
    let words = reached.message();
    for part in ["300 commands", "since your last message", "375", "limit_reached"] {
        assert!(words.contains(part), "{words}");
    }
}
