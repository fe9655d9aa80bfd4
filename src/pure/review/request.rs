//! The arguments of `/review`: loops, scope and options.

use super::object::GitPath;
use super::receipt::{ReviewScope, ScopeKind};
use crate::pure::policy::LoopNumber;

pub(crate) const USAGE: &str = "/review [--free | --claude | --skip-cr | --all | --loops 1,2,…] [--staged | --ref REV] [--base REV] \
                         [--leave-out PATH]… [--yes] [PATH]…";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReviewCommand {
    pub loops: Vec<LoopNumber>,
    pub scope: ReviewScope,
    pub base: Option<String>,
    /// Files and folders for the reviewers; empty means everything.
    pub paths: Vec<String>,
    /// The person confirmed in advance.
    pub yes: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("unknown option `{0}`")]
    Unknown(String),
    #[error("`{0}` needs a value")]
    NoValue(&'static str),
    #[error("`{0}` and `{1}` contradict each other")]
    Contradiction(String, String),
    #[error("`{0}` is not a list of loops from 1 to 4")]
    BadLoops(String),
    #[error("`{0}` is not a path inside the repository")]
    Path(String),
    #[error("paths apply to loops 2 and 3, but only loops {0} run; checks always run on everything")]
    NoReader(String),
    #[error("a quote is not closed")]
    Quote,
}

impl ReviewCommand {
    /// `enabled`: the loops that the configuration enables.
    pub fn parse(arguments: &str, enabled: &[LoopNumber]) -> Result<Self, Error> {
        let mut words = words(arguments)?.into_iter();
        let mut loops: Option<(String, Vec<LoopNumber>)> = None;
        let mut kind: Option<(String, ScopeKind)> = None;
        let mut request = Self {
            loops: Vec::new(),
            scope: ReviewScope { kind: ScopeKind::All, left_out: Vec::new() },
            base: None,
            paths: Vec::new(),
            yes: false,
        };
        while let Some(word) = words.next() {
            let mut value =
                |name| words.next().filter(|value| !value.starts_with("--")).ok_or(Error::NoValue(name));
            match word.as_str() {
                "--free" => choose(&mut loops, word, vec![LoopNumber::One])?,
                "--claude" => choose(&mut loops, word, vec![LoopNumber::One, LoopNumber::Two])?,
                "--skip-cr" => choose(&mut loops, word, without(enabled, LoopNumber::Three))?,
                "--all" => choose(&mut loops, word, enabled.to_vec())?,
                "--loops" => {
                    let list = value("--loops")?;
                    let numbers = numbers(&list).ok_or(Error::BadLoops(list))?;
                    choose(&mut loops, word, numbers)?;
                }
                "--staged" => choose(&mut kind, word, ScopeKind::Staged)?,
                "--ref" => {
                    let revision = value("--ref")?;
                    choose(&mut kind, word, ScopeKind::Ref(revision))?;
                }
                "--base" => request.base = Some(value("--base")?),
                "--leave-out" => request.scope.left_out.push(GitPath::new(&value("--leave-out")?)),
                "--yes" | "-y" => request.yes = true,
                flag if flag.starts_with('-') => return Err(Error::Unknown(word)),
                _ => request.paths.push(inside(&word).ok_or(Error::Path(word))?),
            }
        }
        request.loops = loops.map_or_else(|| enabled.to_vec(), |(_, loops)| loops);
        if let Some((name, kind)) = kind {
            if !request.scope.left_out.is_empty() {
                return Err(Error::Contradiction(name, "--leave-out".into()));
            }
            request.scope.kind = kind;
        }
        if !request.paths.is_empty() && !request.loops.iter().any(|number| number.has_reviewer()) {
            let loops: Vec<String> = request.loops.iter().map(ToString::to_string).collect();
            return Err(Error::NoReader(loops.join(", ")));
        }
        Ok(request)
    }

    /// The same arguments for `plimsoll review run`.
    pub fn options(&self) -> Vec<String> {
        let mut options = Vec::new();
        match &self.scope.kind {
            ScopeKind::All => {}
            ScopeKind::Staged => options.push("--staged".into()),
            ScopeKind::Ref(revision) => options.extend(["--ref".into(), revision.clone()]),
        }
        if let Some(base) = &self.base {
            options.extend(["--base".into(), base.clone()]);
        }
        for path in &self.scope.left_out {
            options.extend(["--leave-out".into(), path.to_string()]);
        }
        options.extend(self.paths.iter().cloned());
        options
    }
}

/// The path in git's spelling, from the top of the repository: `./src/` is `src`.
fn inside(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let escapes = word.starts_with('/') || parts.contains(&"..") || word.contains(char::is_control);
    (!escapes).then(|| parts.join("/")).filter(|path| !path.is_empty())
}

/// Whether a path is one of `paths` or inside one of them; every path is, if `paths` is empty.
pub(crate) fn is_within(path: &GitPath, paths: &[String]) -> bool {
    let within = |folder: &String| {
        let rest = path.0.strip_prefix(folder.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    paths.is_empty() || paths.iter().any(within)
}

fn choose<T>(slot: &mut Option<(String, T)>, name: String, value: T) -> Result<(), Error> {
    match slot.take() {
        Some((earlier, _)) => Err(Error::Contradiction(earlier, name)),
        None => {
            *slot = Some((name, value));
            Ok(())
        }
    }
}

fn without(enabled: &[LoopNumber], number: LoopNumber) -> Vec<LoopNumber> {
    enabled.iter().copied().filter(|other| *other != number).collect()
}

fn numbers(list: &str) -> Option<Vec<LoopNumber>> {
    let mut numbers: Vec<LoopNumber> =
        list.split(',').map(|item| item.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
}

/// Splits text at blanks; quotes keep blanks together.
pub(crate) fn words(text: &str) -> Result<Vec<String>, Error> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some(inner) if inner == character => break,
                        Some(inner) => word.push(inner),
                        None => return Err(Error::Quote),
                    }
                }
            }
            // As shells write a quote: 'it'\''s'.
            '\\' if characters.as_str().starts_with('\'') => {
                word.get_or_insert_default().extend(characters.next());
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(arguments: &str) -> Vec<LoopNumber> {
        ReviewCommand::parse(arguments, &LoopNumber::ALL).unwrap().loops
    }

    #[test]
    fn flags_choose_the_loops() {
        assert_eq!(loops("--free"), [LoopNumber::One]);
        assert_eq!(loops("--claude"), [LoopNumber::One, LoopNumber::Two]);
        assert_eq!(loops("--skip-cr"), [LoopNumber::One, LoopNumber::Two, LoopNumber::Four]);
        assert_eq!(loops("--all"), LoopNumber::ALL);
        assert_eq!(loops(""), LoopNumber::ALL);
        assert_eq!(loops("--loops 4,1,4"), [LoopNumber::One, LoopNumber::Four]);
        assert_eq!(
            ReviewCommand::parse("", &[LoopNumber::One, LoopNumber::Two]).unwrap().loops,
            [LoopNumber::One, LoopNumber::Two]
        );
    }

    #[test]
    fn contradictions_and_unknown_options_are_errors_that_name_them() {
        for (arguments, message) in [
            ("--free --claude", "`--free` and `--claude` contradict each other"),
            ("--free --free", "`--free` and `--free` contradict each other"),
            ("--staged --ref main", "`--staged` and `--ref` contradict each other"),
            ("--staged --leave-out a", "`--staged` and `--leave-out` contradict each other"),
            ("--fre", "unknown option `--fre`"),
            ("--loops", "`--loops` needs a value"),
            ("--loops 5", "`5` is not a list of loops from 1 to 4"),
            ("--base --yes", "`--base` needs a value"),
            ("/etc", "`/etc` is not a path inside the repository"),
            ("src/../..", "`src/../..` is not a path inside the repository"),
            (
                "--free src",
                "paths apply to loops 2 and 3, but only loops 1 run; checks always run on everything",
            ),
            ("--leave-out \"a b", "a quote is not closed"),
        ] {
            assert_eq!(
                ReviewCommand::parse(arguments, &[LoopNumber::One, LoopNumber::Two]).unwrap_err().to_string(),
                message
            );
        }
    }

    #[test]
    fn options_say_the_same_to_the_command_line() {
        let request = ReviewCommand::parse(
            "--free --base main --leave-out 'a b' --leave-out c --yes",
            &[LoopNumber::One],
        )
        .unwrap();
        assert!(request.yes);
        assert_eq!(request.options(), ["--base", "main", "--leave-out", "a b", "--leave-out", "c"]);
        assert_eq!(ReviewCommand::parse("--ref v1", &[LoopNumber::One]).unwrap().options(), ["--ref", "v1"]);
        let request =
            ReviewCommand::parse("./src/ --claude 'a b' tests//x.rs", &[LoopNumber::One, LoopNumber::Two])
                .unwrap();
        assert_eq!(request.options(), ["src", "a b", "tests/x.rs"]);
    }

    #[test]
    fn a_path_means_itself_and_what_lies_in_it() {
        let paths = ["src".to_string(), "a.md".to_string()];
        for (path, within) in
            [("src/a.rs", true), ("src", true), ("a.md", true), ("srcs/a.rs", false), ("b/src/a.rs", false)]
        {
            assert_eq!(is_within(&GitPath::new(path), &paths), within, "{path}");
        }
        assert!(is_within(&GitPath::new("x"), &[]));
    }
}
