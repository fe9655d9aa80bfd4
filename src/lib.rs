//! Plimsoll: reviews what a coding agent does, and ships only what was reviewed.
//!
//! Pure rooms take values and return values; edges read or write once and decide nothing; `flow` strings them
//! together, one file per line of the product. `docs/architecture.md` has the picture.

// Pure: values in, values out.
pub mod gate;
pub mod hook;
pub mod intervene;
pub mod pattern;
pub mod policy;
pub mod project;
pub mod report;
pub mod restore;
pub mod review;
pub mod secret;
pub mod shell;
pub mod step;
pub mod task;

// Edges: read or write once, decide nothing. All of them open files through `file`.
pub mod checkpoint;
pub mod config;
pub mod file;
pub mod notify;
pub mod repo;
pub mod run;
pub mod state;

// Edges and rooms in order.
pub mod flow;
