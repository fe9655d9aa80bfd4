//! What the rest of the product asks about a session's task.

use super::{Tasking, begun, result};
use crate::context::{SESSION, TestContext};
use plimsoll::app::tasks::{block_of_session, contract};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::repo::Repo;
use serde_json::json;

fn workspace(context: &TestContext) -> Workspace {
    let home = context.home();
    let environment = Environment::from_lookup(|name| match name {
        "HOME" => Some(home.as_os_str().to_owned()),
        "XDG_DATA_HOME" => Some(home.join(".local/share").into_os_string()),
        "XDG_CONFIG_HOME" => Some(home.join(".config").into_os_string()),
        _ => None,
    });
    Workspace {
        environment: environment.unwrap(),
        project: context.project(),
        repo: Repo::discover(&context.project()).unwrap(),
        layout: context.layout(),
        homes: context.homes(),
    }
}

#[test]
fn the_scope_of_a_task_binds_the_session_that_works_on_it_until_it_ends() {
    let context = begun();
    let scope = |session: &str| contract(&workspace(&context), session).unwrap();
    assert_eq!(scope(SESSION), Some(vec!["*.md".to_owned()]));
    assert_eq!(scope("another"), None);
    context.task(&["add", "Anything goes"]);
    context.start_as("free", "T-2");
    assert_eq!(scope("free"), None, "nothing was declared");
    context.task(&["start", "T-1", "--session", "another", "--take-over"]);
    assert_eq!((scope(SESSION), scope("another").is_some()), (None, true));
    context.reviewed(result("APPROVED", json!([])));
    assert_eq!(scope("another"), None);
}

#[test]
fn what_a_session_works_on_can_be_blocked_and_its_next_prompt_is_its_own() {
    let context = begun();
    assert!(block_of_session(&workspace(&context), "another", "stopped").unwrap().is_none());
    assert!(block_of_session(&workspace(&context), SESSION, "stopped").unwrap().is_some());
    assert_eq!(context.show()["blocked"], "stopped");
    assert!(context.prompt("user-prompt-start", "go on", "p1").is_silent(), "no review has spoken");
}
