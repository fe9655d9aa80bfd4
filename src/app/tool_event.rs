//! A tool call that a hook was told about.

use crate::app::workspace::Workspace;
use crate::pure::client::{Input, ToolCall};

/// The call with the event that carried it and the project that it happens in.
#[derive(Clone, Copy)]
pub(crate) struct ToolEvent<'a> {
    pub workspace: &'a Workspace,
    pub input: &'a Input<'a>,
    pub call: &'a ToolCall<'a>,
}
