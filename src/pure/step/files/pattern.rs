//! A glob pattern with an absolute path.

use camino::Utf8Path;
use globset::{GlobBuilder, GlobMatcher};

pub struct PathPattern<'a> {
    text: &'a str,
    matcher: Option<GlobMatcher>,
}

impl<'a> PathPattern<'a> {
    pub fn new(text: &'a str) -> Self {
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        Self { text, matcher: glob.ok().map(|glob| glob.compile_matcher()) }
    }

    pub fn is_valid(&self) -> bool {
        self.matcher.is_some()
    }

    /// An invalid pattern matches everything.
    pub fn matches(&self, path: &Utf8Path) -> bool {
        self.matcher.as_ref().is_none_or(|matcher| matcher.is_match(path))
    }

    /// Whether every match lies in `directory`.
    pub fn is_below(&self, directory: &Utf8Path) -> bool {
        Utf8Path::new(self.text).starts_with(globset::escape(directory.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_in_its_directory_and_two_do_not() {
        let matches = |pattern, path: &str| PathPattern::new(pattern).matches(Utf8Path::new(path));
        assert!(matches("/p/.claude/settings*", "/p/.claude/settings.json"));
        assert!(!matches("/p/*.json", "/p/.claude/settings.json"));
        assert!(matches("/p/**/settings.json", "/p/.claude/settings.json"));
        assert!(!matches("/p/**/target", "/p/.claude"));
        assert!(matches("/p/[", "/anything"), "what cannot be understood");
    }
}
