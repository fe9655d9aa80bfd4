//! Resource throttling: the limits that hold from now on, and how to use less.

use super::soft::sentence;
use crate::pure::monitor::interventions::quotation::quoted;
use crate::pure::monitor::interventions::reached_limit::Resource;
use crate::pure::monitor::interventions::situation::Situation;
use crate::pure::monitor::patterns::{Growth, Issue};

pub(super) fn message(issue: &Issue, situation: &Situation<'_>) -> (String, Option<String>) {
    let seen = sentence(&quoted(&issue.description, 240));
    let (limits, spent) = (situation.limits, &situation.usage.prompt);
    let resource = fastest(&issue.details.growth);
    let model = format!(
        "{seen} These limits hold from now on, for this request:\n\
         - Max file operations: {} ({} used)\n\
         - Max commands: {} ({} used)\n\
         - Memory limit: {} MB ({} in use)\n\
         - Token limit: {} ({} used)\n\
         - Time limit: {} s ({} used)\n\
         - Batch size: {}\n\n\
         Beyond these limits, a person approves every call. To use less: {}.",
        limits.file_operations,
        spent.file_operations,
        limits.commands,
        spent.commands,
        limits.memory_mb,
        situation.usage.memory_mb,
        limits.tokens,
        spent.tokens,
        limits.seconds,
        spent.seconds,
        limits.batch_size,
        resource.advice(),
    );
    let person = format!("Plimsoll lowered the agent's limits: {seen} Beyond these limits, it asks you.");
    (model, Some(person))
}

/// The resource that grows fastest; commands where nothing grows.
fn fastest(growth: &Growth) -> Resource {
    let rates = [
        (growth.file_operations, Resource::FileOperations),
        (growth.memory, Resource::Memory),
        (growth.tokens, Resource::Tokens),
        (growth.time, Resource::Seconds),
    ];
    let growing = rates.into_iter().filter(|(rate, _)| *rate > 1.2);
    growing
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map_or(Resource::Commands, |(_, resource)| resource)
}
