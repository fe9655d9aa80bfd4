//! The languages: how to recognise each, and its checks.

mod cargo;
mod deno;
mod dotnet;
mod elixir;
mod go;
mod jvm;
mod node;
mod node_tools;
mod php;
mod python;
mod python_tools;
mod ruby;
mod workspaces;

use super::folder::ProjectFolder;
use super::{CheckKind, CheckPlan};

pub(super) struct Ecosystem {
    pub(super) word: &'static str,
    pub(super) present: fn(&ProjectFolder<'_>) -> bool,
    pub(super) plan: fn(CheckKind, &ProjectFolder<'_>) -> CheckPlan,
}

pub(super) const ALL: [Ecosystem; 11] = [
    Ecosystem { word: "node", present: node::present, plan: node::plan },
    Ecosystem { word: "deno", present: deno::present, plan: deno::plan },
    Ecosystem { word: "cargo", present: cargo::present, plan: cargo::plan },
    Ecosystem { word: "go", present: go::present, plan: go::plan },
    Ecosystem { word: "python", present: python::present, plan: python::plan },
    Ecosystem { word: "maven", present: jvm::maven_present, plan: jvm::maven },
    Ecosystem { word: "gradle", present: jvm::gradle_present, plan: jvm::gradle },
    Ecosystem { word: "ruby", present: ruby::present, plan: ruby::plan },
    Ecosystem { word: "php", present: php::present, plan: php::plan },
    Ecosystem { word: "dotnet", present: dotnet::present, plan: dotnet::plan },
    Ecosystem { word: "elixir", present: elixir::present, plan: elixir::plan },
];
