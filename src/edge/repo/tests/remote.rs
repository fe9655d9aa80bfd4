//! Which statements of a remote are believed, and which are not.

use super::leaving::{lines, only_tip, pair_paths};
use crate::edge::repo::fixture::Fixture;
use crate::edge::repo::{Error, RemoteIds, leaving};
use crate::pure::review::ObjectId;

#[test]
fn a_remote_that_cannot_be_asked_is_an_error() {
    let fixture = Fixture::with_remote();
    let lines = lines(&fixture, &["origin", "main"]);
    let ask = |url| leaving(&fixture.open(), &lines, RemoteIds::Ask { url });
    assert!(matches!(ask("../gone.git"), Err(Error::Git(crate::edge::git::Error::Failed { .. }))));
    assert!(matches!(ask("--upload-pack=touch x"), Err(Error::Git(crate::edge::git::Error::Failed { .. }))));
    fixture.git(&["config", "url.../other.insteadOf", "../remote"]);
    assert!(matches!(ask("../remote.git"), Err(Error::RewrittenUrl { .. })));
}

#[test]
fn a_remote_that_is_named_like_the_url_is_not_asked_instead() {
    let fixture = Fixture::with_remote();
    let lines = lines(&fixture, &["origin", "main"]);
    let ask = |url: &str| leaving(&fixture.open(), &lines, RemoteIds::Ask { url });
    let url = format!("file://{}", fixture.beside("remote.git"));
    assert!(ask(&url).is_ok());
    fixture.git(&["config", &format!("remote.{url}.url"), fixture.path("").as_str()]);
    assert!(matches!(ask(&url), Err(Error::RemoteNamedLikeUrl)));
    fixture.write(".git/remotes/host:repo", format!("URL: {}\n", fixture.path("")));
    assert!(matches!(ask("host:repo"), Err(Error::RemoteNamedLikeUrl)));
}

#[test]
fn an_old_id_that_the_remote_does_not_confirm_shrinks_nothing() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.write("b.txt", "unreviewed");
    let second = fixture.commit("second");
    fixture.write("c.txt", "c");
    fixture.commit("third");
    let mut lines = lines(&fixture, &["origin", "main"]);
    (lines[0].remote, lines[0].local) = (lines[0].local.clone(), ObjectId::parse(&second));
    let found = leaving(&fixture.open(), &lines, RemoteIds::Ask { url: "../remote.git" }).unwrap();
    let tip = only_tip(found);
    assert_eq!((tip.already_there, pair_paths(&tip)), (false, vec!["b.txt".into()]));
}
