//! Escaped processes on systems that do not list what a job started: only its group is ended.

pub(super) struct ProcessMark;

impl ProcessMark {
    pub(super) fn new() -> Self {
        Self
    }

    pub(super) fn variable(&self) -> (&'static str, &str) {
        ("PLIMSOLL_RUN", "")
    }

    pub(super) fn end_all(&mut self) {}
}
