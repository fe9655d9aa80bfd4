//! Forges and registries: pull requests and publishing.

use super::super::effect::Effect;
use super::super::known::Leaving;
use super::{Call, Meaning};

pub fn survey(program: &str, call: &Call<'_>, meaning: &mut Meaning) {
    let words: Vec<&str> = call.literals().filter(|text| !text.starts_with('-')).collect();
    let dry = call.literals().any(|text| matches!(text, "--dry-run" | "--help" | "-h"));
    let starts = |prefix: &[&str]| {
        words.len() >= prefix.len() && words.iter().zip(prefix).all(|(word, part)| word == part)
    };
    let repository = call.repository();
    let branch = match program {
        "gh" => [["pr", "create"], ["pr", "merge"], ["repo", "sync"], ["release", "create"]]
            .iter()
            .any(|prefix| starts(prefix)),
        "glab" => [["mr", "create"], ["mr", "merge"], ["mr", "accept"], ["release", "create"]]
            .iter()
            .any(|prefix| starts(prefix)),
        "hub" => starts(&["pull-request"]) || starts(&["push"]),
        _ => false,
    };
    let content = match program {
        "npm" | "pnpm" | "bun" | "cargo" | "poetry" | "uv" => starts(&["publish"]),
        "yarn" => starts(&["publish"]) || starts(&["npm", "publish"]),
        "twine" => starts(&["upload"]),
        "gem" => starts(&["push"]),
        "mvn" | "gradle" => words.iter().any(|word| matches!(*word, "deploy" | "publish")),
        _ => false,
    };
    if dry {
        return;
    }
    if branch {
        meaning.effects.push(Effect::Leave { what: Leaving::Branch { repository }, alone: call.alone });
    } else if content {
        meaning.effects.push(Effect::Leave { what: Leaving::Content { repository }, alone: call.alone });
    }
}
