//! Commits that a push replaces or removes on the remote.

use super::super::invocation::Invocation;
use super::options::{GitOptions, GitTable};
use crate::pure::shell::Word;
use crate::pure::step::address::{host_of, is_near};
use crate::pure::step::effect::{Effect, Rewrite};

const PUSH: GitTable = GitTable {
    flags: "--force --force-with-lease --force-if-includes --mirror --delete --prune --dry-run \
        --all --branches --tags --follow-tags --set-upstream --verify --verbose --quiet --progress \
        --porcelain --atomic --thin --signed --ipv4 --ipv6",
    valued: "-o --repo --push-option --receive-pack --exec --recurse-submodules",
};
const LEASE: &str = "--force-with-lease";

pub(crate) fn survey(git: &Invocation<'_>) -> Option<Effect> {
    let options = GitOptions::parse(git.arguments, &PUSH);
    if options.has(&["dry-run", "n"]) || options.mentions(&["help", "h"]) {
        return None;
    }
    let refspecs: Vec<&str> = options.operands.iter().skip(1).filter_map(|word| word.literal()).collect();
    let effect = |how: &str, branch: Option<&str>, gentler| Effect::RewriteRemote {
        how: how.to_owned(),
        branch: branch.map(|name| name.trim_start_matches("refs/heads/").to_owned()),
        repository: git.repository.clone(),
        gentler,
    };
    let named = refspecs.len() == options.operands.len().saturating_sub(1);
    let branch = match refspecs.as_slice() {
        [only] if named => Some(remote_name(only)).filter(|name| !matches!(*name, "" | "HEAD" | "@")),
        _ => None,
    };
    let many = !named || refspecs.len() > 1 || options.mentions(&["all", "branches", "tags", "follow-tags"]);
    if options.has(&["mirror"]) {
        return Some(effect("git push --mirror", None, None));
    }
    if options.has(&["delete", "d"])
        || refspecs.iter().any(|text| text.trim_start_matches('+').starts_with(':'))
    {
        return Some(effect("git push --delete", branch, None));
    }
    if options.has(&["prune"]) {
        return Some(effect("git push --prune", None, None));
    }
    if git
        .configured
        .iter()
        .any(|(key, value)| key.starts_with("remote.") && key.ends_with(".mirror") && value != "false")
    {
        return Some(effect("git push --mirror", None, None));
    }
    let configured = |(key, value): &(String, String)| {
        key.starts_with("remote.") && key.ends_with(".push") && value.starts_with('+')
    };
    let plus = options.operands.iter().skip(1).any(|word| word.starts_with("+"))
        || git.configured.iter().any(configured);
    if options.has(&["force", "f"]) || plus {
        return Some(effect("git push --force", branch, gentler(git.arguments).filter(|_| !many)));
    }
    None
}

/// An address in the place of a remote: no remote of the project needs to be spelled out.
pub(crate) fn to_address(git: &Invocation<'_>) -> Option<Effect> {
    let options = GitOptions::parse(git.arguments, &PUSH);
    let named = options.value(&["repo"]).or_else(|| options.operands.first()?.literal())?;
    let address = named.contains("://") && !named.starts_with("file://");
    let host = host_of(named).filter(|host| address && !is_near(host))?;
    let silent = options.has(&["dry-run", "n"]) || is_forge(&host);
    (!silent).then(|| Effect::Send { what: "the project's history".into(), to: host, secret: false })
}

/// Forges where projects are at home.
fn is_forge(host: &str) -> bool {
    let known =
        ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com", "huggingface.co"];
    known.iter().any(|forge| host == *forge || host.ends_with(&format!(".{forge}")))
        || host.starts_with("git.")
        || host.starts_with("gitlab.")
        || host.starts_with("github.")
}

/// The branch as it is called on the remote.
fn remote_name(refspec: &str) -> &str {
    let refspec = refspec.trim_start_matches('+');
    refspec.rsplit_once(':').map_or(refspec, |(_, name)| name)
}

/// The same push, which refuses by itself if somebody else has pushed in between.
fn gentler(arguments: &[Word]) -> Option<Rewrite> {
    let typed: Vec<&str> = arguments.iter().filter_map(Word::literal).collect();
    let leased = typed.iter().any(|text| text.starts_with(LEASE));
    let lease = if leased { "" } else { LEASE };
    let mut replace = Vec::new();
    for text in &typed {
        let cluster = text.starts_with('-') && !text.starts_with("--") && text.contains('f');
        if *text == "-f" || (text.starts_with("--forc") && "--force".starts_with(text)) {
            replace.push(((*text).to_owned(), lease.to_owned()));
        } else if cluster {
            replace.push((
                (*text).to_owned(),
                format!("{} {lease}", text.replace('f', "")).trim_end().to_owned(),
            ));
        } else if let Some(plain) = text.strip_prefix('+') {
            replace.push(((*text).to_owned(), plain.to_owned()));
        }
    }
    let by_option = replace.iter().any(|(_, new)| new.contains(LEASE));
    if !by_option && !leased && !replace.is_empty() {
        replace.push((String::new(), LEASE.to_owned()));
    }
    (!replace.is_empty()).then_some(Rewrite { replace })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Vec<(String, String)> {
        let words: Vec<Word> = text.split(' ').map(Word::plain).collect();
        gentler(&words).map(|rewrite| rewrite.replace).unwrap_or_default()
    }

    #[test]
    fn a_forced_push_has_a_gentler_spelling() {
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(rewritten("--force origin x"), [pair("--force", LEASE)]);
        assert_eq!(rewritten("-fu origin x"), [pair("-fu", "-u --force-with-lease")]);
        assert_eq!(rewritten("origin +x"), [pair("+x", "x"), pair("", LEASE)]);
        assert_eq!(rewritten("-f --force-with-lease origin x"), [pair("-f", "")]);
    }

    #[test]
    fn the_name_on_the_remote_is_behind_the_colon() {
        assert_eq!(remote_name("+HEAD:main"), "main");
        assert_eq!(remote_name("feature"), "feature");
    }
}
