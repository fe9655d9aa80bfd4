//! Finds in a program text the shell commands that it would start, where they are spelled out.

use super::code::Language;
use super::token::{Token, tokens};
use super::word::{UNKNOWN_TEXT, Word};
use std::collections::BTreeMap;

/// What a program text hands over to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Call {
    Text(String),
    Words(Vec<Word>),
}

/// How a function takes what it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A text for the shell or a list of arguments; further strings are arguments.
    Line,
    /// A program, then its arguments.
    Program,
    /// A program, then its arguments beginning with the name that the program sees.
    Named,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    List(Vec<Word>),
    Unknown,
}

/// Calls beyond this many are not followed.
const MAX_CALLS: usize = 64;
/// Lists inside lists beyond this are not read.
const MAX_DEPTH: usize = 16;

pub(super) fn calls(language: Language, text: &str) -> Vec<Call> {
    let tokens = tokens(language, text);
    // Values are read again when they are looked through for calls; the fuel keeps that linear.
    let fuel = 16 * tokens.len();
    let mut scan = Scan { language, text, tokens: &tokens, at: 0, fuel, constants: BTreeMap::new() };
    let mut calls = Vec::new();
    while calls.len() < MAX_CALLS && scan.at < tokens.len() && scan.fuel > 0 {
        calls.extend(scan.step());
    }
    calls
}

struct Scan<'a> {
    language: Language,
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    fuel: usize,
    constants: BTreeMap<&'a str, Value>,
}

impl<'a> Scan<'a> {
    fn step(&mut self) -> Option<Call> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match token {
            Token::Shell(text) => Some(Call::Text(text.clone())),
            Token::Text(text) if self.language == Language::Awk => self.piped(text),
            Token::Name(name) => {
                if self.is(0, '=') && !self.is(1, '=') {
                    let after = self.at;
                    self.at += 1;
                    let value = self.expression(0);
                    self.constants.insert(name, value);
                    // The value itself may hold a call, so it is looked through as well.
                    self.at = after;
                    return None;
                }
                let shape = self.shape(name)?;
                self.call(shape)
            }
            Token::Text(_) | Token::Mark(_) => None,
        }
    }

    /// `"command" | getline` and `print | "command"` in awk.
    fn piped(&self, text: &str) -> Option<Call> {
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        let pipe = Token::Mark('|');
        (before == Some(&pipe) || self.is(0, '|')).then(|| Call::Text(text.to_owned()))
    }

    fn shape(&self, name: &str) -> Option<Shape> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let mentions = |module| self.text.contains(module);
        match (self.language, last) {
            (
                Language::Python,
                "system" | "popen" | "getoutput" | "getstatusoutput" | "create_subprocess_shell",
            )
            | (Language::Python, "Popen" | "check_call" | "check_output") => Some(Shape::Line),
            (Language::Python, "run" | "call") if mentions("subprocess") => Some(Shape::Line),
            (Language::Python, "create_subprocess_exec") => Some(Shape::Program),
            (Language::Python, "spawn") if mentions("pty") => Some(Shape::Line),
            (Language::Python, last) if last.starts_with("execl") || last.starts_with("execv") => {
                Some(Shape::Named)
            }
            (Language::JavaScript, "exec" | "execSync") if mentions("child_process") => Some(Shape::Line),
            (
                Language::JavaScript,
                "spawn" | "spawnSync" | "execFile" | "execFileSync" | "execa" | "execaSync",
            ) => Some(Shape::Program),
            (
                Language::Perl | Language::Ruby,
                "system" | "exec" | "spawn" | "popen" | "capture2" | "capture3",
            )
            | (Language::Ruby, "capture2e")
            | (Language::Php, "system" | "exec" | "shell_exec" | "passthru" | "popen" | "proc_open")
            | (Language::Awk, "system") => Some(Shape::Line),
            (Language::Lua, "execute" | "popen") => Some(Shape::Line),
            _ => None,
        }
    }

    /// Reads the arguments of a call, in parentheses or without where the language allows that.
    fn call(&mut self, shape: Shape) -> Option<Call> {
        let bare = matches!(self.language, Language::Perl | Language::Ruby);
        if self.is(0, '(') {
            self.at += 1;
        } else if !bare || !matches!(self.tokens.get(self.at), Some(Token::Text(_))) {
            return None;
        }
        let first = self.expression(1);
        let mut others = Vec::new();
        while self.is(0, ',') && others.len() < MAX_CALLS {
            self.at += 1;
            self.skip_line_breaks();
            // `shell=True`, `{shell: true}` and block parameters are no arguments of the program.
            if self.is(1, '=') || self.is(1, ':') || self.is(0, '{') {
                self.expression(1);
                continue;
            }
            match self.expression(1) {
                Value::List(words) => others.extend(words),
                value @ (Value::Text(_) | Value::Unknown) => others.push(word(value)),
            }
        }
        let strings_follow = !others.is_empty() && matches!(self.language, Language::Perl | Language::Ruby);
        match (first, shape) {
            (Value::List(words), _) => Some(Call::Words(words)),
            (Value::Text(text), Shape::Line) if !strings_follow => Some(Call::Text(text)),
            (Value::Text(text), Shape::Program) if others.is_empty() => Some(Call::Text(text)),
            (Value::Text(program), shape) => {
                let skipped = usize::from(shape == Shape::Named);
                let words = std::iter::once(Word::plain(program)).chain(others.into_iter().skip(skipped));
                Some(Call::Words(words.collect()))
            }
            (Value::Unknown, _) => None,
        }
    }

    /// Reads up to the comma or bracket that ends an argument, or at depth 0 to the end of the line.
    fn expression(&mut self, depth: usize) -> Value {
        let mut text = String::new();
        let mut known = false;
        let mut list = None;
        while let Some(token) = self.tokens.get(self.at).filter(|_| self.fuel > 0) {
            self.fuel -= 1;
            match token {
                Token::Mark(',' | ')' | ']' | '}' | ';') => break,
                Token::Mark('\n') if depth == 0 => break,
                Token::Mark(open @ ('[' | '(' | '{')) if depth < MAX_DEPTH => {
                    self.at += 1;
                    let inner = self.elements(depth + 1);
                    let fresh = !known && text.is_empty();
                    match (open, inner.as_slice()) {
                        ('(', [Value::Text(only)]) if fresh => {
                            text.push_str(only);
                            known = true;
                        }
                        ('[' | '(', _) if fresh && list.is_none() && !inner.is_empty() => list = Some(inner),
                        _ => {}
                    }
                    continue;
                }
                Token::Text(piece) => {
                    text.push_str(piece);
                    known = true;
                }
                Token::Name(name) => match self.constants.get(name.as_str()) {
                    Some(Value::Text(piece)) => {
                        text.push_str(piece);
                        known = true;
                    }
                    Some(Value::List(words)) if !known => {
                        return self.rest_of(Value::List(words.clone()), depth);
                    }
                    // Methods on what is known (`.split()`) and the name of a function around it change little.
                    _ if name.starts_with('.') || self.is(1, '(') || name == "new" => {}
                    _ => text.push_str(UNKNOWN_TEXT),
                },
                Token::Shell(_) | Token::Mark(_) => {}
            }
            self.at += 1;
        }
        match list {
            Some(values) if !known => Value::List(values.into_iter().map(word).collect()),
            _ if known => Value::Text(text),
            _ => Value::Unknown,
        }
    }

    /// Skips what is left of an argument whose value is decided.
    fn rest_of(&mut self, value: Value, depth: usize) -> Value {
        self.at += 1;
        self.expression(depth + 1);
        value
    }

    /// Reads the elements of a list and its closing bracket.
    fn elements(&mut self, depth: usize) -> Vec<Value> {
        let mut values = Vec::new();
        while let Some(token) = self.tokens.get(self.at).filter(|_| self.fuel > 0) {
            match token {
                Token::Mark(')' | ']' | '}') => {
                    self.at += 1;
                    break;
                }
                Token::Mark(',' | ';' | '\n') => self.at += 1,
                _ => {
                    let before = self.at;
                    values.push(self.expression(depth));
                    // Too deep to be read: pass over it.
                    self.at = self.at.max(before + 1);
                }
            }
        }
        values
    }

    fn skip_line_breaks(&mut self) {
        while self.is(0, '\n') {
            self.at += 1;
        }
    }

    fn is(&self, ahead: usize, mark: char) -> bool {
        self.tokens.get(self.at + ahead) == Some(&Token::Mark(mark))
    }
}

fn word(value: Value) -> Word {
    match value {
        Value::Text(text) => Word::plain(text).with(UNKNOWN_TEXT, &Word::unknown()),
        Value::List(_) | Value::Unknown => Word::unknown(),
    }
}
