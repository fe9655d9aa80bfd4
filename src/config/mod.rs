//! Edge: finds, reads, merges and compiles the configuration; the environment.

mod compiled;
mod document;
mod environment;
mod error;
mod files;
mod load;
mod own_file;
mod parse;
#[cfg(test)]
mod place;
mod problem;
mod prompts;
mod rules;
mod source;
mod template;
mod trust;

pub use crate::report::printable;
pub use compiled::{StepPolicy, load_compiled, load_step};
pub use environment::{Environment, Invocation};
pub use error::Error;
pub use files::{Files, project_file};
pub use load::{Loaded, load, load_with_base, project_root, prompts_path, rules_path};
pub use parse::{LIMIT, parse};
pub use problem::Problem;
pub use prompts::{parse_prompts, read_prompts};
pub use rules::{parse_rules, read_rules};
pub use source::{FileState, Source, SourceStamp};
pub use template::{create, template};
pub use trust::Trust;
