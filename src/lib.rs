//! Plimsoll: reviews what a coding agent does, and ships only what was reviewed.
//!
//! `pure` takes values and returns values; `edge` reads or writes one resource and decides nothing; `app` connects
//! them, one folder for each thing that the user knows. `docs/architecture.md` has the picture.

#![cfg_attr(
    not(feature = "cli"),
    expect(dead_code, unused_imports, reason = "hooks use a part of what the command uses")
)]

pub mod app;
pub mod edge;
#[cfg(all(test, feature = "cli"))]
mod fuzz;
pub mod pure;
