//! Long commands that had nothing to them a moment ago need not be parsed again. Only silence is remembered, and only where
//! nothing but the text decided: no question to git or the file system, no rule of the user's own.

use super::assessment::{AssessedCall, assess};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::StepPolicy;
use crate::edge::state::{Remembered, ReviewCache, SealKey};
use crate::pure::client::Tool;
use crate::pure::step::{Action, Nature, Survey};

/// Shorter ones are parsed faster than a file is read.
const LONG: usize = 512;

/// The effect of the cache on a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CacheUse {
    NotAsked,
    Hit,
    Miss,
}

/// As `weigh`, from the cache where that can serve.
pub(crate) fn assess_or_recall<'a>(
    workspace: &Workspace,
    cwd: &str,
    tool: &'a Tool,
    raw_input: &'a str,
    policy: &StepPolicy,
) -> Result<(AssessedCall<'a>, CacheUse), Failure> {
    let Some((cache, name)) = cache(workspace, cwd, tool, raw_input, policy) else {
        return Ok((assess(workspace, cwd, tool, raw_input)?, CacheUse::NotAsked));
    };
    let now = clock::milliseconds();
    let known =
        cache.get(name.as_bytes(), now).and_then(|known| Some((Nature::from_number(known.nature)?, known)));
    if let Some((nature, Remembered { family, .. })) = known {
        // Whether it names all that it overwrites is not remembered.
        let rewrites = !matches!(nature, Nature::Read | Nature::Creation);
        let survey = Survey { nature, rewrites, ..Survey::default() };
        let action = Action::from_cache(tool, raw_input, family);
        return Ok((AssessedCall::of(workspace, cwd, action, survey), CacheUse::Hit));
    }
    let weighed = assess(workspace, cwd, tool, raw_input)?;
    if weighed.survey.found.is_empty() && weighed.survey.sweeps.is_empty() && !weighed.asked {
        let family = weighed.action.family_fingerprint();
        let nature = weighed.survey.nature.number();
        // Without a record the call is reviewed again.
        let _ = cache.put(name.as_bytes(), Remembered { family, nature }, now);
    }
    Ok((weighed, CacheUse::Miss))
}

fn cache(
    workspace: &Workspace,
    cwd: &str,
    tool: &Tool,
    raw_input: &str,
    policy: &StepPolicy,
) -> Option<(ReviewCache, String)> {
    let settings = &policy.settings.cache;
    let serves = settings.enabled
        && matches!(tool, Tool::Bash { .. })
        && raw_input.len() >= LONG
        && policy.rules.rules.is_empty()
        && policy.rules.unreadable.is_none();
    if !serves {
        return None;
    }
    let key = SealKey::load_or_create(&workspace.homes.seal_key()).ok()?;
    let cache = ReviewCache::new(&workspace.layout, key, settings.ttl_minutes, settings.max_size);
    let version = env!("CARGO_PKG_VERSION");
    let name = [version, &policy.hash, workspace.project.as_str(), cwd, raw_input].join("\0");
    Some((cache, name))
}
