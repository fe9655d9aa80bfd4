//! How much of a long test a plain run does. `PLIMSOLL_ALL_CASES`, which `.ci/run` sets, asks for all of it.

fn is_whole() -> bool {
    std::env::var_os("PLIMSOLL_ALL_CASES").is_some()
}

/// `all`, or `some` in a plain run.
pub(crate) fn cases<T>(some: T, all: T) -> T {
    if is_whole() { all } else { some }
}

/// A number from the environment.
pub(crate) fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Every item, or each `step`th in a plain run: the same ones every time, from all parts of the list.
pub(crate) fn sampled<T>(items: impl IntoIterator<Item = T>, step: usize) -> Vec<T> {
    items.into_iter().step_by(cases(step, 1)).collect()
}
