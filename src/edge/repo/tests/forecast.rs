//! Command lines of `git push` and the refs they would change.

use crate::edge::repo::fixture::Fixture;
use crate::edge::repo::{PushRequest, predict};

fn pushed() -> Fixture {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "-u", "origin", "main"]);
    fixture.git(&["branch", "side"]);
    fixture.git(&["tag", "v1"]);
    fixture.write("b.txt", "b");
    fixture.commit("second");
    fixture
}

fn request(arguments: &str) -> PushRequest {
    let mut request = PushRequest::default();
    for word in arguments.split_whitespace() {
        match word {
            "--all" => request.all = true,
            "--tags" => request.tags = true,
            "--mirror" => request.mirror = true,
            "--delete" => request.delete = true,
            _ if request.remote.is_none() => request.remote = Some(word.to_owned()),
            _ => request.refspecs.push(word.to_owned()),
        }
    }
    request
}

fn forecast(fixture: &Fixture, arguments: &str) -> Option<Vec<String>> {
    let lines = predict(&fixture.open(), &request(arguments)).unwrap()?.lines;
    let text = lines.iter().map(|line| {
        let local = line.local.as_ref().map_or("-", |_| line.local_ref.as_str());
        let kind = if line.remote.is_some() { "known" } else { "new" };
        format!("{local} {} {kind}", line.remote_ref)
    });
    Some(text.collect())
}

#[test]
fn each_form_of_push_names_its_refs() {
    let fixture = pushed();
    let main = "refs/heads/main refs/heads/main known";
    let side = "refs/heads/side refs/heads/side new";
    let tag = "refs/tags/v1 refs/tags/v1 new";
    for (arguments, expected) in [
        ("", vec![main]),
        ("origin", vec![main]),
        ("origin main", vec![main]),
        ("origin HEAD", vec![main]),
        ("origin +main", vec![main]),
        ("origin main side", vec![main, side]),
        ("origin side:main", vec!["refs/heads/side refs/heads/main known"]),
        ("origin HEAD:refs/heads/other", vec!["refs/heads/main refs/heads/other new"]),
        ("origin HEAD~1:main", vec!["HEAD~1 refs/heads/main known"]),
        (
            "origin refs/heads/*:refs/heads/x/*",
            vec!["refs/heads/main refs/heads/x/main new", "refs/heads/side refs/heads/x/side new"],
        ),
        ("origin v1", vec![tag]),
        ("origin tag v1", vec![tag]),
        ("origin --tags", vec![tag]),
        ("origin --all", vec![main, side]),
        ("origin :main", vec!["- refs/heads/main known"]),
        ("origin --delete main", vec!["- refs/heads/main known"]),
        ("../elsewhere.git main", vec!["refs/heads/main refs/heads/main new"]),
    ] {
        assert_eq!(forecast(&fixture, arguments).unwrap(), expected, "{arguments}");
    }
    assert!(forecast(&fixture, "origin --mirror").unwrap().contains(&tag.to_owned()));
}

#[test]
fn what_is_not_sure_is_left_open() {
    let fixture = pushed();
    for arguments in ["origin :", "origin nope", "origin ^main", "origin HEAD~1:new-name", "origin HEAD~1"] {
        assert_eq!(forecast(&fixture, arguments), None, "{arguments}");
    }
    fixture.git(&["config", "remote.origin.push", "refs/heads/*:refs/review/*"]);
    assert_eq!(forecast(&fixture, "origin main"), None);
    assert_eq!(forecast(&fixture, ""), None);
    assert_eq!(forecast(&Fixture::with_commit(), ""), None);
}

#[test]
fn configuration_says_where_a_bare_push_goes() {
    let fixture = pushed();
    fixture.git(&["checkout", "-q", "side"]);
    assert_eq!(forecast(&fixture, ""), None, "no upstream");
    fixture.git(&["config", "push.autoSetupRemote", "true"]);
    assert_eq!(forecast(&fixture, "").unwrap(), ["refs/heads/side refs/heads/side new"]);
    fixture.git(&["branch", "-q", "-u", "origin/main"]);
    fixture.git(&["config", "push.default", "upstream"]);
    assert_eq!(forecast(&fixture, "").unwrap(), ["refs/heads/side refs/heads/main known"]);
    fixture.git(&["config", "push.default", "matching"]);
    assert_eq!(forecast(&fixture, ""), None);
    fixture.git(&["config", "push.default", "current"]);
    fixture.git(&["config", "branch.side.pushRemote", "fork"]);
    let found = predict(&fixture.open(), &PushRequest::default()).unwrap().unwrap();
    assert_eq!((found.remote.as_str(), found.lines.len()), ("fork", 1));
}
