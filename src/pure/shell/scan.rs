//! Finds the calls in a program text, and what is known about the values that they are given. Tolerant: a text is read
//! once, from front to back, and what is no call of the language is passed over.

use super::code::Language;
use super::decode;
use super::token::{CodeToken, tokens};
use super::word::UNKNOWN_TEXT;
use std::collections::BTreeMap;

/// A call in a program text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Called {
    /// With its dots: `os.system`, `.unlink`. A backtick for a string that the language gives to a shell, `|` and `>` for
    /// the ends of awk's pipes and redirects.
    pub name: String,
    /// The value that the method is called on.
    pub receiver: ScannedValue,
    pub arguments: Vec<ScannedValue>,
    /// Arguments with a name or a key: `recursive` in `{recursive: true}`, `shell` in `shell=True`.
    pub options: Vec<(String, ScannedValue)>,
}

/// The known part of a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ScannedValue {
    /// With `${_}` for what is not known of it, and `${HOME}` for the home directory.
    pub text: Option<String>,
    pub list: Vec<ScannedValue>,
    /// The functions that made it, or that made how it begins, with the addresses that they were given.
    pub from: Vec<String>,
}

/// Calls beyond this many are not followed.
const MAX_CALLS: usize = 256;
/// Brackets inside brackets beyond this are not read.
const MAX_DEPTH: usize = 24;
/// Functions around functions beyond this are not remembered.
const MAX_ORIGINS: usize = 8;
/// Bytes of known values that are copied; beyond them nothing is known.
const MAX_COPIED: usize = 1 << 20;
/// Addresses beyond this length are not remembered.
const MAX_ADDRESS: usize = 200;
const HOME: &str = "${HOME}";

impl Called {
    /// The name without what it belongs to.
    pub fn last_name(&self) -> &str {
        last_of(&self.name)
    }
}

impl ScannedValue {
    fn of_text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    fn is_known(&self) -> bool {
        self.text.is_some() || !self.list.is_empty()
    }

    fn size(&self) -> usize {
        let text = self.text.as_ref().map_or(0, String::len);
        16 + text + self.list.iter().map(ScannedValue::size).sum::<usize>()
    }
}

/// The calls of a program text in the order in which they end.
pub(crate) fn calls(language: Language, text: &str) -> Vec<Called> {
    let plain = (language == Language::Python && text.contains("getattr(")).then(|| without_getattr(text));
    let text = plain.as_deref().unwrap_or(text);
    let tokens = tokens(language, text);
    let mut scan = Scan {
        language,
        tokens: &tokens,
        at: 0,
        constants: BTreeMap::new(),
        options: Vec::new(),
        found: Vec::new(),
        copies: MAX_COPIED,
    };
    while scan.at < tokens.len() && scan.found.len() < MAX_CALLS {
        scan.expression(0, Ends::WithLine);
        scan.at += 1;
        scan.options.clear();
    }
    scan.found
}

/// `getattr(os, "system")` as `os.system`.
fn without_getattr(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("getattr(") {
        plain.push_str(before);
        rest = after;
        let found = ['"', '\''].into_iter().find_map(|quote| {
            let (front, name) = after.split_once(',').map(|(front, name)| (front, name.trim_start()))?;
            let name = name.strip_prefix(quote)?;
            let (name, left) = name.split_once(quote)?;
            let left = left.trim_start().strip_prefix(')')?;
            Some((front, name, left))
        });
        match found {
            Some((module, name, left)) => {
                plain.extend([module, ".", name]);
                rest = left;
            }
            None => plain.push_str("getattr("),
        }
    }
    plain + rest
}

fn last_of(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Where an expression ends, besides at a comma, a semicolon or a closing bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    WithLine,
    WithBracket,
}

struct Scan<'a> {
    language: Language,
    tokens: &'a [CodeToken],
    at: usize,
    constants: BTreeMap<&'a str, ScannedValue>,
    /// Arguments with names, until the call that they belong to takes them.
    options: Vec<(String, ScannedValue)>,
    found: Vec<Called>,
    /// A value may double with every assignment, so copying counts.
    copies: usize,
}

impl<'a> Scan<'a> {
    /// Reads up to what ends an argument or a statement.
    fn expression(&mut self, depth: usize, ends: Ends) -> ScannedValue {
        let mut value = ScannedValue::default();
        while let Some(token) = self.tokens.get(self.at) {
            match token {
                CodeToken::Mark(',' | ')' | ']' | '}' | ';') => break,
                CodeToken::Mark('\n') if ends == Ends::WithLine => break,
                CodeToken::Mark(open @ ('[' | '(' | '{')) if depth < MAX_DEPTH => {
                    self.bracket(*open, depth, &mut value)
                }
                CodeToken::Text(piece) => {
                    self.awk_stream(piece);
                    add(&mut value, ScannedValue::of_text(piece));
                    self.at += 1;
                }
                CodeToken::Shell(text) => {
                    self.record("`", ScannedValue::default(), vec![ScannedValue::of_text(text)], Vec::new());
                    self.at += 1;
                }
                CodeToken::Name(name) => self.name(name, depth, ends, &mut value),
                CodeToken::Mark(_) => self.at += 1,
            }
        }
        value
    }

    /// A bracket that belongs to no call: a list, a group, an index, a block.
    fn bracket(&mut self, open: char, depth: usize, value: &mut ScannedValue) {
        if open == '[' && self.is_reversal() {
            value.text = value.text.as_ref().map(|text| text.chars().rev().collect());
        }
        self.at += 1;
        let mut inner = self.elements(open, depth + 1);
        match (open, inner.as_mut_slice()) {
            ('(', [only]) if !value.is_known() => {
                let only = std::mem::take(only);
                add(value, only);
            }
            ('[' | '(', _) if value.text.is_none() => value.list.append(&mut inner),
            _ => {}
        }
    }

    /// `[::-1]`
    fn is_reversal(&self) -> bool {
        "[::-1]".chars().enumerate().all(|(ahead, mark)| self.is(ahead, mark))
    }

    fn name(&mut self, name: &'a str, depth: usize, ends: Ends, value: &mut ScannedValue) {
        self.at += 1;
        if depth >= MAX_DEPTH {
            return;
        }
        if self.is(0, '=') && !self.is(1, '=') && !self.is(1, '>') && !self.is(1, '~') {
            self.at += 1;
            let assigned = self.expression(depth + 1, ends);
            *value = copied(&assigned, &mut self.copies);
            self.constants.insert(name, assigned);
            return;
        }
        if self.is(0, '(') {
            self.at += 1;
            return self.call(name, depth, value, '(');
        }
        let bare = matches!(self.language, Language::Perl | Language::Ruby | Language::Lua);
        let takes_name = matches!(
            last_of(name),
            "eval" | "system" | "exec" | "unlink" | "rm_rf" | "rmtree" | "remove_tree" | "popen"
        ) || name == "open" && self.language == Language::Perl;
        let argument = match self.tokens.get(self.at) {
            Some(CodeToken::Text(_)) => name.len() > 1 || name == "$",
            Some(CodeToken::Name(_)) => takes_name,
            _ => false,
        };
        let tagged = self.language == Language::JavaScript && last_of(name) == "$";
        if (bare || tagged) && argument {
            return self.call(name, depth, value, ' ');
        }
        let environment =
            matches!(name.trim_start_matches('.'), "os.environ" | "ENV" | "$ENV" | "process.env" | "$_ENV");
        if environment && (self.is(0, '[') || self.is(0, '{')) {
            self.at += 1;
            let inner = self.elements('[', depth + 1);
            let is_home = inner.first().and_then(|key| key.text.as_deref()) == Some("HOME");
            return add(value, ScannedValue::of_text(if is_home { HOME } else { UNKNOWN_TEXT }));
        }
        match self.constant(name) {
            Some(constant) => add(value, constant),
            None if matches!(name, "process.env.HOME" | "Dir.home") => {
                add(value, ScannedValue::of_text(HOME))
            }
            None if environment => value.from.push(name.trim_start_matches('.').to_owned()),
            // A call that only joins texts, or belongs to the known value.
            None if name.starts_with('.') || name == "new" || name == "await" => {}
            // In Ruby a name may be a call.
            None => {
                let called = self.language == Language::Ruby && name.contains('.');
                let from = called.then(|| name.to_owned()).into_iter().collect();
                add(value, ScannedValue { text: Some(UNKNOWN_TEXT.to_owned()), list: Vec::new(), from });
            }
        }
    }

    /// A call whose arguments come next. A method is called on the value so far, or on the constant that its name begins
    /// with.
    fn call(&mut self, name: &'a str, depth: usize, value: &mut ScannedValue, open: char) {
        let outer = self.options.len();
        let arguments = match open {
            '(' => self.elements('(', depth + 1),
            _ => self.bare_arguments(depth + 1),
        };
        let options = self.options.split_off(outer.min(self.options.len()));
        let chained = name.starts_with('.');
        let base = name.rsplit_once('.').map(|(base, _)| base).unwrap_or_default();
        let receiver = match chained {
            true => std::mem::take(value),
            false => self.constant(base).unwrap_or_default(),
        };
        let result = returned(name, &receiver, &arguments);
        self.record(name, receiver, arguments, options);
        add(value, result);
    }

    fn bare_arguments(&mut self, depth: usize) -> Vec<ScannedValue> {
        let mut values = vec![self.expression(depth, Ends::WithLine)];
        while self.is(0, ',') && values.len() < MAX_CALLS {
            self.at += 1;
            self.skip_line_breaks();
            self.element(&mut values, depth, Ends::WithLine);
        }
        values
    }

    /// Reads the elements of a list and its closing bracket. What has a key is no element.
    fn elements(&mut self, open: char, depth: usize) -> Vec<ScannedValue> {
        let ends = if open == '{' { Ends::WithLine } else { Ends::WithBracket };
        let mut values = Vec::new();
        while let Some(token) = self.tokens.get(self.at) {
            match token {
                CodeToken::Mark(')' | ']' | '}') => {
                    self.at += 1;
                    break;
                }
                CodeToken::Mark(',' | ';' | '\n') => self.at += 1,
                _ => {
                    let before = self.at;
                    self.element(&mut values, depth, ends);
                    // Too deep to be read: pass over it.
                    self.at = self.at.max(before + 1);
                }
            }
        }
        values
    }

    /// One value; with a key it is no element.
    fn element(&mut self, values: &mut Vec<ScannedValue>, depth: usize, ends: Ends) {
        let key = self.key();
        let value = self.expression(depth, ends);
        match key {
            Some(name) => self.options.push((name, value)),
            None => values.push(value),
        }
    }

    /// `shell=`, `recursive:` and `recursive =>` before a value.
    fn key(&mut self) -> Option<String> {
        let CodeToken::Name(name) = self.tokens.get(self.at)? else { return None };
        let assigned = self.is(1, '=') && !self.is(2, '=') && self.language == Language::Python;
        let keyed = self.is(1, ':') && !self.is(2, ':') || self.is(1, '=') && self.is(2, '>');
        if !(assigned || keyed) {
            return None;
        }
        self.at += if self.is(2, '>') { 3 } else { 2 };
        Some(name.clone())
    }

    /// `"command" | getline`, `print | "command"` and `print > "file"` in awk.
    fn awk_stream(&mut self, text: &str) {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let name = match before {
            _ if self.language != Language::Awk => return,
            _ if self.is(1, '|') && !self.is(2, '|') => "|",
            Some(CodeToken::Mark('|')) => "|",
            Some(CodeToken::Mark('>')) => ">",
            _ => return,
        };
        self.record(name, ScannedValue::default(), vec![ScannedValue::of_text(text)], Vec::new());
    }

    fn record(
        &mut self,
        name: &str,
        receiver: ScannedValue,
        arguments: Vec<ScannedValue>,
        options: Vec<(String, ScannedValue)>,
    ) {
        if self.found.len() < MAX_CALLS {
            self.found.push(Called { name: name.to_owned(), receiver, arguments, options });
        }
    }

    fn constant(&mut self, name: &str) -> Option<ScannedValue> {
        let constant = self.constants.get(name)?;
        Some(copied(constant, &mut self.copies))
    }

    fn skip_line_breaks(&mut self) {
        while self.is(0, '\n') {
            self.at += 1;
        }
    }

    fn is(&self, ahead: usize, mark: char) -> bool {
        self.tokens.get(self.at + ahead) == Some(&CodeToken::Mark(mark))
    }
}

/// The value, as long as there is room for copies.
fn copied(value: &ScannedValue, room: &mut usize) -> ScannedValue {
    let size = if *room > 0 { value.size() } else { usize::MAX };
    let fits = size <= *room;
    *room = room.saturating_sub(size);
    if fits { value.clone() } else { ScannedValue::default() }
}

/// Puts a piece behind a value: texts are joined, lists grow.
fn add(value: &mut ScannedValue, piece: ScannedValue) {
    if !value.is_known() && value.from.is_empty() {
        *value = piece;
        return;
    }
    match (&mut value.text, piece.text) {
        (Some(text), Some(more)) => text.push_str(&more),
        (Some(text), None) => text.push_str(UNKNOWN_TEXT),
        (None, Some(more)) if value.list.is_empty() => value.text = Some(format!("{UNKNOWN_TEXT}{more}")),
        (None, _) => value.list.extend(piece.list),
    }
}

/// The value that a function returns, where it is known.
fn returned(name: &str, receiver: &ScannedValue, arguments: &[ScannedValue]) -> ScannedValue {
    let last = last_of(name);
    let first = arguments.first();
    let argument = first.and_then(|value| value.text.as_deref());
    let second = arguments.get(1).and_then(|value| value.text.as_deref());
    let text = match last {
        "homedir" | "home" if arguments.is_empty() => Some(HOME.to_owned()),
        "getenv" | "get" if argument == Some("HOME") => Some(HOME.to_owned()),
        "expanduser" => argument.or(receiver.text.as_deref()).map(|text| text.replacen('~', HOME, 1)),
        "b64decode" | "decode64" | "strict_decode64" | "decode_base64" | "base64_decode" | "atob" => {
            argument.and_then(decode::base64)
        }
        "unhexlify" | "fromhex" | "hex2bin" => argument.and_then(decode::hexadecimal),
        "str_rot13" => argument.map(decode::rot13),
        "strrev" => argument.map(|text| text.chars().rev().collect()),
        "reverse" if first.is_none() => receiver.text.as_ref().map(|text| text.chars().rev().collect()),
        "from" if second == Some("base64") => argument.and_then(decode::base64),
        "from" if second == Some("hex") => argument.and_then(decode::hexadecimal),
        "decode" if second.is_some_and(|codec| codec.starts_with("rot")) => argument.map(decode::rot13),
        "join" if receiver.text.is_some() => joined(first, receiver.text.as_deref()),
        "join" if !receiver.list.is_empty() => joined(Some(receiver), argument),
        "join" | "resolve" | "Path" | "PurePath" if arguments.len() > 1 => {
            let pieces = arguments.iter().map(|value| value.text.as_deref().unwrap_or(UNKNOWN_TEXT));
            Some(pieces.collect::<Vec<_>>().join("/"))
        }
        _ => match (arguments, &receiver.text) {
            (_, Some(text)) => Some(text.clone()),
            ([only], None) => only.text.clone(),
            _ => None,
        },
    };
    let list = match (&text, arguments) {
        (Some(_), _) => Vec::new(),
        (None, [only]) if !only.list.is_empty() => only.list.clone(),
        (None, _) => receiver.list.clone(),
    };
    let made_by = arguments.iter().flat_map(|value| &value.from).chain(&receiver.from);
    let mut from: Vec<String> = made_by.take(MAX_ORIGINS).cloned().collect();
    from.push(name.to_owned());
    let is_address = |text: &&str| text.starts_with("http") && text.len() < MAX_ADDRESS;
    from.extend(argument.filter(is_address).map(str::to_owned));
    ScannedValue { text, list, from }
}

/// The elements with a separator between them.
fn joined(list: Option<&ScannedValue>, separator: Option<&str>) -> Option<String> {
    let list = list.filter(|value| !value.list.is_empty())?;
    let pieces = list.list.iter().map(|value| value.text.as_deref().unwrap_or(UNKNOWN_TEXT));
    Some(pieces.collect::<Vec<_>>().join(separator.unwrap_or_default()))
}
