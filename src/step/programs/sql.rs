//! SQL as far as it loses data: what drops, truncates, or deletes and updates without a condition.

/// A piece of SQL. Strings and comments are data; names in quotes are names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Name,
    Text,
    Sign(char),
    End,
}

/// The first statement that loses data, as far as a message has room for it.
pub fn losing_statement(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let mut statements = tokens.split(|(token, _)| *token == Token::End).filter(|one| !one.is_empty());
    let undone = statements.clone().next_back().is_some_and(|last| is(words(last).first(), &["rollback"]))
        && statements.clone().any(|one| is(words(one).first(), &["begin", "start"]));
    let found = statements.find(|statement| loses(&words(statement), 0)).filter(|_| !undone)?;
    let start = found.first().map(|(_, at)| *at)?;
    let shown = text.get(start..)?.split(';').next().unwrap_or_default();
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let mut shown = shown.join(" ");
    if shown.chars().count() > 60 {
        shown = shown.chars().take(60).chain(['…']).collect();
    }
    Some(shown)
}

fn words<'a>(statement: &[(Token<'a>, usize)]) -> Vec<Token<'a>> {
    statement.iter().map(|(token, _)| *token).collect()
}

fn is(token: Option<&Token<'_>>, words: &[&str]) -> bool {
    matches!(token, Some(Token::Word(word)) if words.iter().any(|one| one.eq_ignore_ascii_case(word)))
}

fn loses(statement: &[Token<'_>], depth: usize) -> bool {
    const DATA: [&str; 19] = [
        "table",
        "database",
        "schema",
        "tablespace",
        "user",
        "role",
        "keyspace",
        "owned",
        "column",
        "collection",
        "foreign",
        "partition",
        "warehouse",
        "stage",
        "catalog",
        "space",
        "graph",
        "topic",
        "stream",
    ];
    const STARTS: [&str; 6] = ["drop", "truncate", "delete", "update", "alter", "purge"];
    let Some((Token::Word(first), rest)) = statement.split_first() else { return false };
    let has = |words: &[&str]| rest.iter().any(|token| is(Some(token), words));
    let inside = || {
        let at = rest.iter().position(|token| is(Some(token), &STARTS));
        depth < 4 && at.and_then(|at| rest.get(at..)).is_some_and(|inner| loses(inner, depth + 1))
    };
    match first.to_ascii_lowercase().as_str() {
        "drop" => is(rest.first(), &DATA),
        "truncate" | "shutdown" => !matches!(rest.first(), Some(Token::Sign('('))),
        "delete" => !has_condition(rest),
        "update" => has(&["set"]) && !has_condition(rest),
        "alter" => has(&["table", "keyspace"]) && alteration_loses(rest),
        "purge" => has(&["logs", "binary", "recyclebin", "table"]),
        "reset" => is(rest.first(), &["master"]),
        "insert" => is(rest.first(), &["overwrite"]),
        "match" => has(&["delete"]) && !has(&["where"]),
        "explain" => has(&["analyze"]) && inside(),
        "with" | "if" | "begin" | "do" | "exec" | "execute" | "declare" | "for" | "foreach" => inside(),
        _ => false,
    }
}

/// A `where` that spares something.
fn has_condition(statement: &[Token<'_>]) -> bool {
    let Some(at) = statement.iter().position(|token| is(Some(token), &["where"])) else { return false };
    let condition = statement.get(at + 1..).unwrap_or_default();
    match condition {
        [] => false,
        [one] => !is(Some(one), &["true", "1"]),
        [Token::Word(left), Token::Sign('='), Token::Word(right)] => left != right,
        [Token::Text, Token::Sign('='), Token::Text] => false,
        _ => true,
    }
}

/// `alter table … drop column x`, but not a constraint, an index or a default.
fn alteration_loses(statement: &[Token<'_>]) -> bool {
    const SPARED: [&str; 14] = [
        "constraint",
        "index",
        "key",
        "foreign",
        "primary",
        "default",
        "not",
        "check",
        "expression",
        "identity",
        "unique",
        "trigger",
        "statistics",
        "projection",
    ];
    statement.windows(2).any(|pair| {
        let drops = is(pair.first(), &["drop"]) && !is(pair.get(1), &SPARED);
        drops || is(pair.first(), &["delete"]) && is(pair.get(1), &["where"]) && !has_condition(statement)
    })
}

fn tokens(text: &str) -> Vec<(Token<'_>, usize)> {
    let mut tokens = Vec::new();
    let mut scanner = Scanner { text, at: 0, runs_texts: false, fresh: true };
    while let Some((token, at)) = scanner.next_token() {
        tokens.push((token, at));
    }
    tokens
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The statement at hand runs the texts in it: `do`, `execute`.
    runs_texts: bool,
    /// Nothing of the statement at hand has been seen yet.
    fresh: bool,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next_token(&mut self) -> Option<(Token<'a>, usize)> {
        loop {
            let rest = self.rest();
            let start = self.at;
            let character = rest.chars().next()?;
            if character.is_whitespace() {
                self.at += character.len_utf8();
            } else if rest.starts_with("--") || character == '#' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*!") {
                // MySQL runs what such a comment holds.
                self.at += 3;
                self.at += self.rest().bytes().take_while(u8::is_ascii_digit).count();
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if rest.starts_with("*/") {
                self.at += 2;
            } else {
                match self.piece(character, rest) {
                    Some(token) => return Some((token, start)),
                    None => continue,
                }
            }
        }
    }

    /// What stands here; nothing for a quote that is opened around a text that runs.
    fn piece(&mut self, character: char, rest: &'a str) -> Option<Token<'a>> {
        let token = match character {
            ';' | '\\' => {
                self.at += if character == ';' { 1 } else { rest.chars().take(2).map(char::len_utf8).sum() };
                (self.runs_texts, self.fresh) = (false, true);
                return Some(Token::End);
            }
            '\'' | '$' if self.runs_texts => {
                self.at += 1;
                return None;
            }
            '\'' => self.quoted('\'', Token::Text),
            '"' | '`' => self.quoted(character, Token::Name),
            '$' => self.dollars(rest),
            _ if character.is_alphanumeric() || character == '_' => {
                let end =
                    rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
                self.at += end;
                Token::Word(rest.get(..end).unwrap_or_default())
            }
            _ => {
                self.at += character.len_utf8();
                Token::Sign(character)
            }
        };
        if self.fresh {
            self.fresh = false;
            self.runs_texts = is(Some(&token), &["do", "exec", "execute"]);
        }
        Some(token)
    }

    fn quoted(&mut self, quote: char, token: Token<'a>) -> Token<'a> {
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, character)) = characters.next() {
            if character == '\\' {
                characters.next();
            } else if character == quote {
                self.at += offset + 1;
                return token;
            }
        }
        self.at = self.text.len();
        token
    }

    /// `$$…$$` or `$tag$…$tag$`; a lone dollar is a parameter.
    fn dollars(&mut self, rest: &'a str) -> Token<'a> {
        let tag = rest.get(1..).and_then(|after| after.split_once('$')).map(|(tag, _)| tag);
        let is_tag = |tag: &&str| tag.chars().all(|c| c.is_alphanumeric() || c == '_');
        let Some(tag) = tag.filter(is_tag) else {
            self.at += 1;
            return Token::Sign('$');
        };
        let opening = tag.len() + 2;
        let marker = rest.get(..opening).unwrap_or_default();
        let body = rest.get(opening..).unwrap_or_default();
        self.at += body.find(marker).map_or(rest.len(), |end| opening + end + marker.len());
        Token::Text
    }
}

#[cfg(test)]
mod tests {
    use super::losing_statement;

    #[test]
    fn what_loses_rows_tables_or_columns_is_seen() {
        for text in [
            "DROP TABLE users",
            "drop table if exists \"users\" cascade;",
            "SELECT 1; DROP DATABASE prod",
            "TRUNCATE users",
            "DELETE FROM users",
            "delete from users where 1=1",
            "DELETE FROM users WHERE true;",
            "UPDATE users SET admin = true",
            "ALTER TABLE users DROP COLUMN email",
            "ALTER TABLE users DROP email",
            "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone",
            "EXPLAIN ANALYZE DELETE FROM users",
            "/* tidy */ DROP /* really */ TABLE users",
            "/*!50000 DROP TABLE users */",
            "-- note\nDROP SCHEMA public CASCADE",
            "DO $$ BEGIN DROP TABLE users; END $$",
            "EXEC('DROP TABLE users')",
            "BEGIN; DELETE FROM users; COMMIT",
            "MATCH (n) DETACH DELETE n",
        ] {
            assert!(losing_statement(text).is_some(), "{text}");
        }
    }

    #[test]
    fn reads_conditions_and_mentions_are_none() {
        for text in [
            "SELECT * FROM users",
            "SELECT 'DROP TABLE users'",
            "SELECT $$DROP TABLE users$$",
            "SELECT 1 -- ; DROP TABLE users",
            "SELECT 1 /* ; DROP TABLE users; */",
            "SELECT \"drop\" FROM log WHERE text LIKE '%; delete from x%'",
            "EXPLAIN DELETE FROM users",
            "DELETE FROM users WHERE id = 3",
            "UPDATE users SET name = 'x' WHERE id = 3",
            "ALTER TABLE users DROP CONSTRAINT c",
            "ALTER TABLE users ALTER COLUMN a DROP NOT NULL",
            "ALTER TABLE users ADD COLUMN drop_date date",
            "DROP INDEX users_email",
            "INSERT INTO log VALUES ('it''s; drop table users')",
            "BEGIN; DELETE FROM users; ROLLBACK",
            "SELECT truncate(1.5, 1)",
            "",
            "'",
        ] {
            assert_eq!(losing_statement(text), None, "{text}");
        }
    }

    #[test]
    fn the_statement_is_shown_in_short() {
        assert_eq!(losing_statement("SELECT 1;\n DROP\n TABLE users;").as_deref(), Some("DROP TABLE users"));
    }
}
