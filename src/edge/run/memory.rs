//! How much memory a process and everything that it started hold. Linux says so; elsewhere nothing is known.

use std::fs;

/// A runaway tree is counted as far as this.
const MOST: usize = 4_096;
const PAGE_KB: u64 = 4;

/// Resident megabytes of the process that started this one and of all its descendants.
pub fn memory_of_parent_mb() -> Option<u64> {
    let parent = rustix::process::getppid()?.as_raw_nonzero().get();
    memory_mb(u32::try_from(parent).ok()?)
}

fn memory_mb(process: u32) -> Option<u64> {
    let mut waiting = vec![process];
    let mut pages = resident_pages(process)?;
    let mut seen = 0;
    while let Some(process) = waiting.pop() {
        seen += 1;
        if seen > MOST {
            break;
        }
        for child in children(process) {
            pages += resident_pages(child).unwrap_or_default();
            waiting.push(child);
        }
    }
    Some(pages * PAGE_KB / 1024)
}

fn resident_pages(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let texts = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    texts
        .flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_child_that_holds_much_counts_for_its_parent() {
        let before = memory_mb(std::process::id()).unwrap();
        let hold = "x=$(head -c 60000000 /dev/zero | tr '\\0' a); echo held; read y";
        let mut child = Command::new("sh")
            .args(["-c", hold])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line)
            .unwrap();
        let with_child = memory_mb(std::process::id()).unwrap();
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(with_child >= before + 40, "{before} {with_child}");
        assert_eq!(memory_mb(u32::MAX), None);
    }
}
