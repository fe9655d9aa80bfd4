//! The processes that started this one.

pub(crate) use super::process_table::{namespace, parent_writes_stdin, process, start_time};
use crate::pure::client::Process;
use rustix::process::getppid;

/// No real chain of processes is longer.
const LONGEST: usize = 256;

/// The process that started this one.
pub(crate) fn parent_id() -> u32 {
    getppid().map_or(0, |id| u32::try_from(id.as_raw_pid()).unwrap_or_default())
}

/// This process and those above it, without the first one of the system.
pub(crate) fn chain() -> Vec<Process> {
    chain_from(std::process::id())
}

/// The chain that begins with the process of that id.
pub(crate) fn chain_from(id: u32) -> Vec<Process> {
    let above = |process: &Process| self::process(process.parent).filter(|parent| parent.id > 1);
    std::iter::successors(process(id), above).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_begins_here_and_each_process_is_older_than_its_child() {
        let chain = chain();
        assert_eq!(chain.first().map(|process| process.id), Some(std::process::id()));
        assert_eq!(chain.get(1).map_or(1, |process| process.id), parent_id());
        assert!(
            chain.windows(2).all(|pair| pair[0].parent == pair[1].id && pair[0].started >= pair[1].started)
        );
        assert!(chain[0].program.contains("plimsoll"), "{:?}", chain[0]);
        assert_eq!(start_time(0), None);
    }
}
