//! Edge: finds, reads, merges and compiles the configuration; the environment.

mod compiled;
mod document;
mod environment;
mod error;
mod files;
mod load;
mod managed;
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

pub(crate) use compiled::{DEFAULT_CONFIG_DIR, StepPolicy, load_compiled, load_step};
pub(crate) use environment::has_desktop;
pub use environment::{Environment, HookInvocation};
pub use error::Error;
pub use files::ConfigFiles;
pub(crate) use files::project_file;
pub(crate) use load::{Loaded, load_with_base};
pub use load::{load, project_root, rules_path};
pub use managed::ManagedPlaces;
pub(crate) use parse::LIMIT;
pub use parse::parse;
pub use problem::ConfigProblem;
#[cfg(test)]
pub(crate) use prompts::parse_prompts;
pub use rules::parse_rules;
pub use source::SourceText;
pub use template::create;
pub use trust::Trust;
