//! The client's settings changed under a running session: keep the old ones alive if the new ones would take us out.

use crate::app::failure::Failure;
use crate::app::sandbox;
use crate::app::workspace::Workspace;
use crate::edge::repo::read_text;
use crate::pure::client::{Answer, Event, Input, objection, registers_us};
use camino::Utf8Path;

const SETTINGS_LIMIT: u64 = 1024 * 1024;

pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    let Event::ConfigChange { source, file } = &input.event else {
        return Ok(Answer::silent());
    };
    if !source.ends_with("_settings") {
        return Ok(Answer::silent());
    }
    let workspace = Workspace::of_event(&input.cwd)?;
    let text = |path: &Utf8Path| read_text(path, SETTINGS_LIMIT);
    let objection =
        file.as_deref().and_then(|file| text(Utf8Path::new(file))).and_then(|text| objection(&text));
    let places = [workspace.project.join(".claude"), workspace.environment.home.join(".claude")];
    let files =
        places.iter().flat_map(|folder| [folder.join("settings.json"), folder.join("settings.local.json")]);
    let registered = workspace.environment.plugin_root.is_some()
        || files.into_iter().filter_map(|path| text(&path)).any(|text| registers_us(&text));
    let objection = objection.or_else(|| (!registered).then(|| "it no longer registers Plimsoll".into()));
    let objection =
        objection.or_else(|| sandbox::is_lost(&workspace).then(|| "it switches the sandbox off".into()));
    Ok(match objection {
        None => Answer::silent(),
        Some(why) => Answer::block(format!(
            "Plimsoll keeps the settings that this session started with: {why}. To take Plimsoll out, run `plimsoll uninstall` in a terminal and start a new session."
        )),
    })
}
