//! Long commands that had nothing to them a moment ago need not be parsed again. Only silence is remembered, and only where
//! nothing but the text decided: no question to git or the file system, no rule of the user's own.

use super::clock;
use super::scene::Scene;
use super::serve::Failure;
use super::weigh::{Weighed, weigh};
use crate::config::StepPolicy;
use crate::hook::Tool;
use crate::state::{Key, Remembered, ReviewCache};
use crate::step::{Action, Nature, Survey};

/// Shorter ones are parsed faster than a file is read.
const LONG: usize = 512;

/// What the cache did for a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheUse {
    NotAsked,
    Hit,
    Miss,
}

/// As `weigh`, from the cache where that can serve.
pub fn weigh_or_remember<'a>(
    scene: &Scene,
    cwd: &str,
    tool: &'a Tool,
    raw_input: &'a str,
    policy: &StepPolicy,
) -> Result<(Weighed<'a>, CacheUse), Failure> {
    let Some((cache, name)) = cache(scene, cwd, tool, raw_input, policy) else {
        return Ok((weigh(scene, cwd, tool, raw_input)?, CacheUse::NotAsked));
    };
    let now = clock::milliseconds();
    let known =
        cache.get(name.as_bytes(), now).and_then(|known| Some((Nature::from_number(known.nature)?, known)));
    if let Some((nature, Remembered { family, .. })) = known {
        // Whether it names all that it overwrites is not remembered.
        let rewrites = !matches!(nature, Nature::Read | Nature::Creation);
        let survey = Survey { nature, rewrites, ..Survey::default() };
        let action = Action::known(tool, raw_input, family);
        return Ok((Weighed::of(scene, cwd, action, survey), CacheUse::Hit));
    }
    let weighed = weigh(scene, cwd, tool, raw_input)?;
    if weighed.survey.found.is_empty() && !weighed.asked {
        let family = weighed.action.family_mark();
        let nature = weighed.survey.nature.number();
        // What cannot be remembered is looked at again.
        let _ = cache.put(name.as_bytes(), Remembered { family, nature }, now);
    }
    Ok((weighed, CacheUse::Miss))
}

fn cache(
    scene: &Scene,
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
    let key = Key::load_or_create(&scene.homes.seal_key()).ok()?;
    let cache = ReviewCache::new(&scene.layout, key, settings.ttl_minutes, settings.max_size);
    let version = env!("CARGO_PKG_VERSION");
    let name = [version, &policy.hash, scene.project.as_str(), cwd, raw_input].join("\0");
    Some((cache, name))
}
