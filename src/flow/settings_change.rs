//! The client's settings changed under a running session: keep the old ones alive if the new ones would take us out.

use super::serve::{Failure, Reply};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Event, Input, objection, registers_us};
use crate::repo::read_text;
use camino::Utf8Path;

const SETTINGS_LIMIT: u64 = 1024 * 1024;

pub fn changed(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let Event::ConfigChange { source, file } = &input.event else {
        return Ok(Reply::new(input.name, Answer::silent()));
    };
    if !source.ends_with("_settings") {
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let scene = Scene::of_event(&input.cwd)?;
    let text = |path: &Utf8Path| read_text(path, SETTINGS_LIMIT);
    let objection =
        file.as_deref().and_then(|file| text(Utf8Path::new(file))).and_then(|text| objection(&text));
    let places = [scene.project.join(".claude"), scene.environment.home.join(".claude")];
    let files =
        places.iter().flat_map(|folder| [folder.join("settings.json"), folder.join("settings.local.json")]);
    let registered = scene.environment.plugin_root.is_some()
        || files.into_iter().filter_map(|path| text(&path)).any(|text| registers_us(&text));
    let objection = objection.or_else(|| (!registered).then(|| "it no longer registers Plimsoll".into()));
    let answer = match objection {
        None => Answer::silent(),
        Some(why) => Answer::block(format!(
            "Plimsoll keeps the settings that this session started with: {why}. To take Plimsoll out, run install.sh --uninstall and start a new session."
        )),
    };
    Ok(Reply::new(input.name, answer))
}
