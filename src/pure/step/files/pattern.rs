//! A glob pattern with an absolute path.

use camino::Utf8Path;
use globset::{GlobBuilder, GlobMatcher};
use std::cell::OnceCell;

pub struct PathPattern<'a> {
    text: &'a str,
    /// The text in front of its first star or question mark, and behind its last, where it has no other signs.
    ends: Option<(&'a str, &'a str)>,
    /// Compiled when first needed, which costs more than the rest of a review; nothing for an invalid pattern.
    matcher: OnceCell<Option<GlobMatcher>>,
}

impl<'a> PathPattern<'a> {
    pub fn new(text: &'a str) -> Self {
        let only_stars = !text.contains(['[', ']', '{', '}', '\\']);
        let ends = || {
            let (front, end) = (text.split(['*', '?']).next()?, text.rsplit(['*', '?']).next()?);
            // `**/x` also matches `x`.
            Some((front, end.trim_start_matches('/')))
        };
        Self { text, ends: only_stars.then(ends).flatten(), matcher: OnceCell::new() }
    }

    pub fn is_valid(&self) -> bool {
        self.ends.is_some() || self.matcher().is_some()
    }

    /// An invalid pattern matches everything.
    pub fn matches(&self, path: &Utf8Path) -> bool {
        let (front, end) = self.ends.unwrap_or_default();
        path.as_str().starts_with(front)
            && path.as_str().ends_with(end)
            && self.matcher().is_none_or(|matcher| matcher.is_match(path))
    }

    fn matcher(&self) -> Option<&GlobMatcher> {
        let compiled = || {
            let glob = GlobBuilder::new(self.text).literal_separator(true).build();
            glob.ok().map(|glob| glob.compile_matcher())
        };
        self.matcher.get_or_init(compiled).as_ref()
    }

    /// Whether matches lie in `directory`, by its name or by patterns for its parts. As in a shell, a star stands for no hidden
    /// name.
    pub fn may_be_below(&self, directory: &Utf8Path) -> bool {
        let mut parts = Utf8Path::new(self.text).components();
        let above = directory
            .components()
            .all(|folder| parts.next().is_some_and(|part| names_folder(part.as_str(), folder.as_str())));
        above && parts.next().is_some()
    }
}

fn names_folder(part: &str, folder: &str) -> bool {
    let is_pattern = part.contains(['*', '?', '[', '{']) && !part.contains("**");
    let may_be_hidden = !folder.starts_with('.') || part.starts_with('.');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let is_same = match folder.bytes().all(is_plain) {
        true => part == folder,
        false => part == globset::escape(folder),
    };
    is_same || is_pattern && may_be_hidden && PathPattern::new(part).matches(Utf8Path::new(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_may_lie_in_a_folder_that_its_parts_name() {
        let below = |pattern, path: &str| PathPattern::new(pattern).may_be_below(Utf8Path::new(path));
        for pattern in ["/p/.git/hooks/x", "/p/.git/hooks/*", "/p/.g*/h*/pre-p*", "/p/.gi?/hook[s]/**/x"] {
            assert!(below(pattern, "/p/.git/hooks"), "{pattern}");
        }
        for pattern in ["/p/*/h*/pre-p*", "/p/**/pre-push", "/p/.git/h*", "/p/.g*/objects/x", "/q/.g*/h*/x"] {
            assert!(!below(pattern, "/p/.git/hooks"), "{pattern}");
        }
    }

    #[test]
    fn a_star_stays_in_its_directory_and_two_do_not() {
        let matches = |pattern, path: &str| PathPattern::new(pattern).matches(Utf8Path::new(path));
        assert!(matches("/p/.claude/settings*", "/p/.claude/settings.json"));
        assert!(!matches("/p/*.json", "/p/.claude/settings.json"));
        assert!(matches("/p/**/settings.json", "/p/.claude/settings.json"));
        assert!(!matches("/p/**/target", "/p/.claude"));
        assert!(matches("/p/[", "/anything"), "what cannot be understood");
        assert!(matches("**/x", "x") && matches("/a/**/x", "/a/x") && matches("/p/?.rs", "/p/a.rs"));
        assert!(!matches("/p/*.rs", "/p/a.rst") && !matches("/q/*", "/p/a") && matches("/p/a", "/p/a"));
    }
}
