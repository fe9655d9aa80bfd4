//! A bare repository that accepts only attested commits: its hook, and what the hook decides.

mod install;
mod receive;

pub use install::{Installed, install};
pub use receive::judge_push;
