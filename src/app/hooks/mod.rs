//! One file per hook, of the same name: from the event on stdin to the answer on stdout.

mod agent_call;
mod command;
pub mod config_change;
mod floor;
pub mod git_pre_push;
mod outside_command;
pub mod post_tool_use;
pub mod pre_tool_use;
pub mod serve;
pub mod session_start;
mod skill_call;
pub mod stop;
pub mod unknown_name;
pub mod user_prompt_review;
pub mod user_prompt_ship;
pub mod user_prompt_start;
