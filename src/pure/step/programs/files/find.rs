//! `find` and `fd`: what they would find, so far as their starting points and filters say.

use super::super::ShellCall;
use super::delete::is_of_find;
use super::operands_without;
use crate::pure::shell::{Command, Word, WordPart};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::generated::is_always_generated;
use crate::pure::step::place::Place;
use crate::pure::step::zone::{Zone, lies_below, zone};
use camino::Utf8Path;

/// The files that a search finds.
pub(crate) struct FindAction {
    starts: Vec<Target>,
    filter: Filter,
}

impl FindAction {
    /// The starting points, where everything below them is found.
    pub fn whole_trees(self) -> Vec<Target> {
        if self.filter == Filter::Everything { self.starts } else { Vec::new() }
    }
}

/// Which part of what lies below its starting points a search finds.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Filter {
    /// All of it, or a part that may be nearly all of it.
    Everything,
    /// Files with one of these names, which may be patterns.
    Named(Vec<String>),
    /// Only empty files and directories.
    Empty,
    /// Single files that only the run knows: one inode, an extension in a variable, what nobody has touched for days.
    Some,
    Nothing,
}

pub(crate) fn survey(call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    let mut arguments = call.arguments().iter();
    while let Some(word) = arguments.next() {
        if matches!(word.literal(), Some("-fprint" | "-fprint0" | "-fls" | "-fprintf"))
            && let Some(file) = arguments.next()
        {
            super::overwrite(call, file, effects);
        }
    }
    let deletes = expression(call.arguments()).any(|word| word.literal() == Some("-delete"));
    if deletes {
        effects.extend(FindAction::by_find(call).effects(call.place));
    }
}

/// The search that runs a command by `-exec`, if this word is a file that the search finds.
pub(crate) fn of_exec(call: &ShellCall<'_>, word: &Word) -> Option<FindAction> {
    if !is_of_find(call.command) {
        return None;
    }
    let own = call.position()?;
    let is_search =
        |command: &&Command| matches!(command.program(), Some("find" | "gfind" | "fd" | "fdfind"));
    let search = call.others.get(..own)?.iter().rfind(is_search)?;
    let inner = ShellCall { command: search, ..*call };
    let has = |is_found: &dyn Fn(&WordPart) -> bool| word.parts.iter().any(is_found);
    match search.program()? {
        "fd" | "fdfind" => has(&|part| *part == WordPart::Unknown).then(|| FindAction::by_fd(&inner)),
        _ => has(&|part| matches!(part, WordPart::Glob(glob) if glob == "**/"))
            .then(|| FindAction::by_find(&inner)),
    }
}

impl FindAction {
    pub fn by_find(call: &ShellCall<'_>) -> Self {
        let starting = |word: &&Word| {
            !word.literal_prefix().starts_with(['-', '(', '!']) || matches!(word.literal(), Some("-"))
        };
        let options = |word: &&Word| {
            matches!(word.literal(), Some("-H" | "-L" | "-P"))
                || word.literal().is_some_and(|text| text.starts_with("-O"))
        };
        let starts = call.arguments().iter().skip_while(options).take_while(starting);
        let mut starts = or_here(starts.map(|word| call.target(word)).collect(), call);
        let mut filter = filter(call.arguments());
        if filter == Filter::Empty {
            // Nothing is lost with what is empty; in some places it is nobody's business all the same.
            let minds = |start: &Target| {
                start.path().is_none_or(|path| matches!(zone(path, call.place), Zone::System | Zone::Home))
            };
            starts.retain(minds);
            filter = Filter::Everything;
        }
        Self { starts, filter }
    }

    pub fn by_fd(call: &ShellCall<'_>) -> Self {
        const VALUED: &str = "-e --extension -t --type -d --max-depth -E --exclude -S --size \
            --changed-within --changed-before -j --threads";
        let before_exec =
            |word: &&Word| !matches!(word.literal(), Some("-x" | "-X" | "--exec" | "--exec-batch"));
        let shown: Vec<Word> = call.arguments().iter().take_while(before_exec).cloned().collect();
        let command =
            Command { words: [Word::plain("fd")].into_iter().chain(shown).collect(), ..call.command.clone() };
        let own = ShellCall { command: &command, ..*call };
        let mut operands = operands_without(&own, VALUED);
        let pattern = operands.next().and_then(Word::literal).unwrap_or_default().to_owned();
        let starts = operands.map(|word| call.target(word)).collect();
        let literals: Vec<&str> = own.literals().collect();
        let endings = literals.windows(2).filter_map(|pair| match pair {
            ["-e" | "--extension", ending] => Some(format!("*.{ending}")),
            _ => None,
        });
        let endings: Vec<String> = endings.collect();
        let filter = if !endings.is_empty() {
            Filter::Named(endings)
        } else if literals.iter().any(|text| matches!(*text, "-g" | "--glob")) && !pattern.is_empty() {
            Filter::Named(vec![pattern])
        } else {
            // A regular expression: a whole name, or one that only fd can tell.
            let name = pattern.strip_prefix('^').and_then(|name| name.strip_suffix('$')).unwrap_or(&pattern);
            let plain = name.replace("\\.", ".");
            match !plain.is_empty()
                && plain != "."
                && !plain.contains(['*', '+', '?', '[', '(', '|', '\\', '^', '$'])
            {
                true => Filter::Named(vec![plain]),
                false => Filter::Everything,
            }
        };
        Self { starts: or_here(starts, call), filter }
    }

    /// The same, of which only names are left that match one of these patterns.
    pub fn with_names(mut self, names: Option<Vec<String>>) -> Self {
        if let (Filter::Everything, Some(names)) = (&self.filter, names) {
            self.filter = Filter::Named(names);
        }
        self
    }

    /// The deletions if everything found is deleted.
    pub fn effects(&self, place: &Place) -> Vec<Effect> {
        let delete = |target| Effect::Delete { target, recursive: true };
        let some_files = |start: &&Target| {
            let in_project = |path: &Utf8Path| lies_below(path, place.project.as_str());
            self.filter == Filter::Some && start.path().is_some_and(in_project)
        };
        let starts = self.starts.iter().filter(|start| !some_files(start));
        starts.flat_map(|start| self.below(start)).map(delete).collect()
    }

    fn below(&self, start: &Target) -> Vec<Target> {
        let named = |path: &Utf8Path, name: &String| {
            let front = globset::escape(path.as_str());
            Target::Matching(format!("{}/**/{name}", front.trim_end_matches('/')))
        };
        match (&self.filter, start) {
            (Filter::Nothing, _) => Vec::new(),
            (Filter::Named(names), Target::Path(path) | Target::Inside(path)) => {
                names.iter().map(|name| named(path, name)).collect()
            }
            (Filter::Everything | Filter::Named(_) | Filter::Empty | Filter::Some, start) => {
                vec![start.clone()]
            }
        }
    }
}

fn or_here(starts: Vec<Target>, call: &ShellCall<'_>) -> Vec<Target> {
    match (starts.is_empty(), call.directory) {
        (false, _) => starts,
        (true, Some(directory)) => vec![Target::Path(directory.to_owned())],
        (true, None) => vec![Target::Unknown],
    }
}

/// The words of the expression itself: what `-exec` runs is none of its own.
fn expression(arguments: &[Word]) -> impl Iterator<Item = &Word> {
    let mut inside = false;
    arguments.iter().filter(move |word| match word.literal() {
        Some("-exec" | "-execdir" | "-ok" | "-okdir") => {
            inside = true;
            true
        }
        Some(";" | "+") if inside => {
            inside = false;
            false
        }
        _ => !inside,
    })
}

/// Which tests stand in front of what is done with what is found. Alternatives add up; a test that is turned round, or
/// one that only the file system can answer, narrows nothing down.
fn filter(arguments: &[Word]) -> Filter {
    let words: Vec<&Word> = expression(arguments).collect();
    let (mut names, mut empty_only, mut some) = (Vec::new(), true, false);
    for branch in words.split(|word| matches!(word.literal(), Some("-o" | "-or" | ","))) {
        let texts: Vec<Option<String>> = branch.iter().map(|word| as_pattern(word)).collect();
        let literals: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let acts =
            |text: &Option<&str>| matches!(text, Some("-delete" | "-exec" | "-execdir" | "-ok" | "-okdir"));
        let action = literals.iter().position(acts);
        if action.is_none() && literals.contains(&Some("-prune")) {
            continue;
        }
        let end = action.unwrap_or(literals.len());
        let tests = literals.get(..end).unwrap_or_default();
        let here = names_in(tests);
        let empty = asks_for_empty(tests);
        let negated = tests.iter().any(is_negation);
        empty_only &= empty && !negated;
        if here.is_empty() && !empty {
            if negated || !finds_single_files(branch.get(..end).unwrap_or_default()) {
                return Filter::Everything;
            }
            some = true;
        }
        names.extend(here);
    }
    match (empty_only, names.is_empty(), some) {
        (true, ..) => Filter::Empty,
        (false, false, _) => Filter::Named(names),
        (false, true, true) => Filter::Some,
        (false, true, false) => Filter::Nothing,
    }
}

/// `-inum 7`, `-samefile x`, `-name "*.$extension"`, or an age of at least a day: not today's work.
fn finds_single_files(tests: &[&Word]) -> bool {
    tests.windows(2).any(|pair| {
        let [test, value] = pair else { return false };
        let days = |day: u64| {
            let older = value.literal().and_then(|text| text.strip_prefix('+')?.parse::<u64>().ok());
            older.is_some_and(|age| age >= day)
        };
        match test.literal() {
            Some("-inum" | "-samefile") => true,
            Some("-mtime" | "-ctime" | "-atime") => days(1),
            Some("-mmin" | "-cmin" | "-amin") => days(24 * 60),
            Some("-name" | "-iname") => {
                let text = value.known_text();
                value.literal().is_none() && text.len() > 1 && text.ends_with('.')
            }
            _ => false,
        }
    })
}

/// `-empty`, `-size 0`
fn asks_for_empty(tests: &[Option<&str>]) -> bool {
    tests.contains(&Some("-empty"))
        || tests.windows(2).any(|pair| matches!(pair, [Some("-size"), Some("0" | "0c" | "0b" | "0k")]))
}

/// A word as the pattern that `find` gets to see: what only the run knows may be anything.
fn as_pattern(word: &Word) -> Option<String> {
    if let Some(text) = word.literal() {
        return Some(text.to_owned());
    }
    let is_spelled = |part: &WordPart| matches!(part, WordPart::Literal(_) | WordPart::Glob(_));
    let piece = |part: &WordPart| match part {
        WordPart::Literal(text) | WordPart::Glob(text) => text.clone(),
        _ => "*".to_owned(),
    };
    word.parts.iter().any(is_spelled).then(|| word.parts.iter().map(piece).collect())
}

/// Patterns for the names that a regular expression matches, one for each alternative; nothing if it may match any name.
pub(super) fn names_matching(expression: &str) -> Option<Vec<String>> {
    let whole = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let whole = whole.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(expression);
    let basic = whole.strip_prefix("\\(").and_then(|rest| rest.strip_suffix("\\)"));
    let plain = basic.filter(|inner| !inner.contains("\\(")).unwrap_or(whole).replace("\\|", "|");
    let alternatives = match plain.contains('(') && plain.contains('|') {
        true => unfolded(&plain)?,
        false if plain.contains('(') => vec![plain],
        false => plain.split('|').map(str::to_owned).collect(),
    };
    alternatives.iter().map(|one| name_matching(one)).collect()
}

/// `\.(o|a)$` as `\.o$` and `\.a$`.
fn unfolded(expression: &str) -> Option<Vec<String>> {
    let (front, rest) = expression.split_once('(')?;
    let (inner, back) = rest.split_once(')')?;
    let front = front.strip_suffix('\\').unwrap_or(front);
    let inner = inner.strip_suffix('\\').unwrap_or(inner);
    let is_one_group =
        !front.contains('|') && !inner.contains('(') && !back.contains(['|', '(', '*', '?', '{', '+']);
    is_one_group.then(|| inner.split('|').map(|one| format!("{front}{one}{back}")).collect())
}

/// Whatever stands between the plain pieces may be any text, also one that names directories.
fn name_matching(expression: &str) -> Option<String> {
    const ANYTHING: &str = "{*,*/**/*}";
    let mut pieces = vec![String::new()];
    let (mut signs, mut depth, mut ends_there) = (expression.chars().peekable(), 0_usize, false);
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => match signs.next() {
                Some(escaped)
                    if !escaped.is_ascii_alphanumeric() && depth == 0 && !"(){}+?".contains(escaped) =>
                {
                    pieces.last_mut()?.push(escaped);
                }
                _ => begin_next(&mut pieces),
            },
            '[' | '(' | '{' => {
                depth += 1;
                begin_next(&mut pieces);
            }
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            '*' | '?' => {
                pieces.last_mut()?.pop();
                begin_next(&mut pieces);
            }
            '$' if signs.peek().is_none() => ends_there = true,
            '.' | '+' | '^' | '$' | '/' => begin_next(&mut pieces),
            _ if depth == 0 => pieces.last_mut()?.push(sign),
            _ => {}
        }
    }
    let open_end = if ends_there && pieces.last().is_some_and(|piece| !piece.is_empty()) { "" } else { "*" };
    let pieces: Vec<String> =
        pieces.iter().filter(|piece| !piece.is_empty()).map(|piece| globset::escape(piece)).collect();
    (!pieces.is_empty()).then(|| format!("*{}{open_end}", pieces.join(ANYTHING)))
}

fn begin_next(pieces: &mut Vec<String>) {
    if pieces.last().is_some_and(|piece| !piece.is_empty()) {
        pieces.push(String::new());
    }
}

fn is_negation(text: &Option<&str>) -> bool {
    matches!(text, Some("!" | "-not"))
}

/// The names that tests ask for: by name, or by a path that ends in one.
fn names_in(tests: &[Option<&str>]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, pair) in tests.windows(2).enumerate() {
        let [Some(test), Some(value)] = pair else { continue };
        let turned_round = at.checked_sub(1).and_then(|before| tests.get(before)).is_some_and(is_negation);
        if turned_round {
            continue;
        }
        match *test {
            "-iname" if !value.chars().all(|one| "*?.".contains(one)) && !is_always_generated(value) => {
                names.push(in_either_case(value))
            }
            "-name" | "-iname" if !value.chars().all(|one| "*?.".contains(one)) => {
                names.push((*value).to_owned())
            }
            "-path" | "-ipath" | "-wholename" => names.extend(made_again_in(value)),
            "-regex" | "-iregex" => {
                let found = names_matching(value).unwrap_or_default();
                names.extend(found.iter().map(|name| in_either_case(name)));
            }
            _ => {}
        }
    }
    names
}

/// `*.c` as `*.[cC]`.
pub(super) fn in_either_case(pattern: &str) -> String {
    let mut either = String::with_capacity(pattern.len() * 4);
    for one in pattern.chars() {
        match one.is_ascii_alphabetic() && !pattern.contains('[') {
            true => either.extend(['[', one.to_ascii_lowercase(), one.to_ascii_uppercase(), ']']),
            false => either.push(one),
        }
    }
    either
}

/// `*/node_modules/*`: everything in a directory of that name, which is as good as the directory.
fn made_again_in(pattern: &str) -> Option<String> {
    let name = pattern.trim_end_matches('*').trim_end_matches('/').rsplit('/').next()?;
    is_always_generated(name).then(|| name.to_owned())
}
