//! SQL: the data that statements would destroy. Works on tokens; strings, comments and quoted names are data.

mod token;

use token::{Backslash, SqlToken, tokens};

/// Nested texts (`DO $$ … $$`, `EXECUTE '…'`) are read to this depth.
const DEPTH: usize = 3;

/// The most words of one clause, and the most losses in a message.
const CLAUSE: usize = 12;
const NAMED: usize = 16;

/// Words that a statement begins with.
const HEADS: [&str; 37] = [
    "select", "with", "insert", "update", "delete", "drop", "truncate", "alter", "create", "replace",
    "merge", "explain", "begin", "start", "commit", "rollback", "savepoint", "set", "use", "show",
    "describe", "pragma", "vacuum", "analyze", "call", "exec", "execute", "do", "declare", "if", "grant",
    "revoke", "copy", "purge", "match", "optional", "detach",
];

/// The losses, in words that follow "would": `drop table users`.
pub(crate) fn losses(text: &str) -> Vec<String> {
    let mut lost = losses_at(text, Backslash::Plain, DEPTH);
    if text.contains("\\'") || text.contains("\\\"") {
        lost.extend(losses_at(text, Backslash::Escapes, DEPTH));
    }
    lost.sort();
    lost.dedup();
    lost
}

/// Whether a text looks like a statement.
pub(crate) fn is_sql(text: &str) -> bool {
    let tokens = tokens(text, Backslash::Plain);
    tokens.len() > 1
        && tokens.first().is_some_and(|first| first.is_any(&HEADS) || *first == SqlToken::Symbol('('))
}

fn losses_at(text: &str, backslash: Backslash, depth: usize) -> Vec<String> {
    let tokens = tokens(text, backslash);
    let mut lost = Vec::new();
    if is_undone(&tokens) {
        return lost;
    }
    let mut statements = tokens.split(|token| *token == SqlToken::Symbol(';')).map(trimmed);
    while let Some(statement) = statements.next() {
        match kind(statement) {
            Kind::Harmless => {}
            Kind::Body => {
                statements.find(|statement| statement.first().is_some_and(|first| first.is("end")));
            }
            Kind::Runs => {
                lost.extend(statement_losses(statement));
                for inner in inner_texts(statement) {
                    match depth.checked_sub(1) {
                        Some(depth) => lost.extend(losses_at(inner, backslash, depth)),
                        None => lost.push("run SQL that is nested too deep to be read".into()),
                    }
                }
            }
        }
    }
    lost
}

/// `BEGIN; DELETE …; ROLLBACK`: rows come back as long as nothing commits, which with some servers every `DROP` does.
fn is_undone(tokens: &[SqlToken<'_>]) -> bool {
    const OPENS: [&str; 2] = ["begin", "start"];
    const MODES: [&str; 7] =
        ["transaction", "tran", "work", "isolation", "deferred", "immediate", "exclusive"];
    const CHANGES_ROWS: [&str; 7] = ["delete", "update", "insert", "select", "with", "explain", "savepoint"];
    let mut statements = tokens.split(|token| *token == SqlToken::Symbol(';')).filter(|one| !one.is_empty());
    let first_is =
        |statement: &[SqlToken<'_>], words: &[&str]| statement.first().is_some_and(|one| one.is_any(words));
    let opens = statements.next().is_some_and(|statement| {
        first_is(statement, &OPENS) && statement.get(1).is_none_or(|mode| mode.is_any(&MODES))
    });
    let closes = statements.next_back().is_some_and(|statement| first_is(statement, &["rollback"]));
    opens
        && closes
        && statements.all(|statement| first_is(statement, &CHANGES_ROWS))
        && !tokens.iter().any(|token| token.is("commit"))
}

/// How a statement is read.
enum Kind {
    /// Only says or grants what could be done.
    Harmless,
    /// Defines something whose body holds statements of its own, up to `END`.
    Body,
    Runs,
}

fn kind(statement: &[SqlToken<'_>]) -> Kind {
    const DEFINED: [&str; 6] = ["trigger", "procedure", "proc", "function", "event", "package"];
    let Some(first) = statement.first() else { return Kind::Harmless };
    let begins = || statement.iter().any(|token| token.is("begin"));
    if first.is_any(&["create", "alter"]) && statement.iter().take(6).any(|token| token.is_any(&DEFINED)) {
        return if begins() { Kind::Body } else { Kind::Harmless };
    }
    let explains = first.is_any(&["explain", "describe", "desc"]);
    let analyses = statement.iter().take(4).any(|token| token.is_any(&["analyze", "analyse"]));
    match first.is_any(&["grant", "revoke", "comment"]) || (explains && !analyses) {
        true => Kind::Harmless,
        false => Kind::Runs,
    }
}

/// Without a leading `BEGIN` or `GO`.
fn trimmed<'t, 'a>(statement: &'t [SqlToken<'a>]) -> &'t [SqlToken<'a>] {
    let skipped = statement.iter().take_while(|token| token.is_any(&["begin", "go"])).count();
    statement.get(skipped..).unwrap_or_default()
}

/// Strings that the statement itself runs.
fn inner_texts<'t>(statement: &'t [SqlToken<'_>]) -> impl Iterator<Item = &'t str> {
    const RUNNERS: [&str; 6] = ["do", "execute", "exec", "immediate", "sp_executesql", "prepare"];
    let runs = statement.iter().any(|token| token.is_any(&RUNNERS));
    statement.iter().filter(move |_| runs).filter_map(|token| match token {
        SqlToken::Text(text) => Some(*text),
        SqlToken::Word(_) | SqlToken::Name(_) | SqlToken::Symbol(_) => None,
    })
}

fn statement_losses(statement: &[SqlToken<'_>]) -> Vec<String> {
    let alters = statement.first().is_some_and(|first| first.is("alter"));
    let mut lost = Vec::new();
    for (at, token) in statement.iter().enumerate() {
        let SqlToken::Word(word) = token else { continue };
        let before = at.checked_sub(1).and_then(|before| statement.get(before));
        let after = statement.get(at + 1..).unwrap_or_default();
        if before == Some(&SqlToken::Symbol('.')) {
            continue;
        }
        if lost.len() == NAMED {
            break;
        }
        lost.extend(match word.to_ascii_lowercase().as_str() {
            "drop" if alters => dropped_part(statement, after),
            "drop" => dropped(after),
            "truncate" => truncated(after),
            "delete" if alters => emptied_part(statement, after),
            "delete" => deleted(before, after).or_else(|| unmatched(statement)),
            "update" => updated(before, after),
            "replace" if before.is_some_and(|before| before.is("or")) => replaced(after),
            "overwrite" if before.is_some_and(|before| before.is("insert")) => overwritten(after),
            "purge" | "reset" if before.is_none() => logs(word, after),
            "shutdown" if before.is_none() => Some("shut the server down".into()),
            _ => None,
        });
    }
    lost
}

fn dropped(after: &[SqlToken<'_>]) -> Option<String> {
    const HOLD_DATA: [&str; 21] = [
        "table", "dataset", "bucket", "collection", "stage", "catalog", "space", "graph", "topic", "stream",
        "database", "schema", "keyspace", "tablespace", "owned", "user", "role", "login", "type",
        "extension", "warehouse",
    ];
    const IN_FRONT: [&str; 6] = ["foreign", "external", "pluggable", "virtual", "transient", "materialized"];
    let skipped = after.iter().take_while(|token| token.is_any(&IN_FRONT)).count();
    let (what, after) = after.get(skipped..)?.split_first()?;
    let SqlToken::Word(word) = what else { return None };
    let kind = word.to_ascii_lowercase();
    let cascades = || after.iter().take(CLAUSE).any(|token| token.is("cascade"));
    if !HOLD_DATA.contains(&kind.as_str()) || (matches!(kind.as_str(), "type" | "extension") && !cascades()) {
        return None;
    }
    let after = without(after, &["if", "exists", "by"]);
    let name = name(after)?;
    (!is_temporary(&name, after)).then(|| format!("drop {kind} {name}"))
}

/// `#x` of one server, `pg_temp.x` of another.
fn is_temporary(name: &str, after: &[SqlToken<'_>]) -> bool {
    after.first() == Some(&SqlToken::Symbol('#')) || name.to_ascii_lowercase().starts_with("pg_temp.")
}

/// `ALTER TABLE t DROP …`: a column or a partition takes its data along, a constraint or an index does not.
fn dropped_part(statement: &[SqlToken<'_>], after: &[SqlToken<'_>]) -> Option<String> {
    const NO_DATA: [&str; 16] = [
        "unique", "statistics", "projection", "constraint", "default", "not", "index", "key", "primary",
        "foreign", "check", "identity", "expression", "trigger", "member", "attribute",
    ];
    let table = without(statement.get(1..)?, &["table", "foreign", "if", "exists", "only"]);
    let about_table = statement.get(1..3)?.iter().any(|token| token.is("table"));
    let first = after.first()?;
    if !about_table || first.is_any(&NO_DATA) {
        return None;
    }
    let part = if first.is("partition") { "partition" } else { "column" };
    let gone = name(without(after, &["column", "partition", "if", "exists", "("])).unwrap_or_default();
    Some(format!("drop {part} {gone} of {}", name(table)?))
}

/// `ALTER TABLE t DELETE WHERE true`, as one server spells it.
fn emptied_part(statement: &[SqlToken<'_>], after: &[SqlToken<'_>]) -> Option<String> {
    let names_rows = after.first()?.is("where") && !is_restricted(after);
    let table = name(without(statement.get(1..)?, &["table"]))?;
    names_rows.then(|| format!("delete every row of {table}"))
}

/// `MATCH (n) DETACH DELETE n`: a graph's nodes, none of them chosen.
fn unmatched(statement: &[SqlToken<'_>]) -> Option<String> {
    let chosen = statement.iter().any(|token| token.is("where") || *token == SqlToken::Symbol('{'));
    (statement.first()?.is("match") && !chosen).then(|| "delete every node that matches".into())
}

fn truncated(after: &[SqlToken<'_>]) -> Option<String> {
    let after = without(after, &["table", "only", "if", "exists"]);
    // `TRUNCATE(x, 2)` is a function.
    (after.first()? != &SqlToken::Symbol('('))
        .then(|| name(after).map(|name| format!("empty table {name}")))?
}

fn deleted(before: Option<&SqlToken<'_>>, after: &[SqlToken<'_>]) -> Option<String> {
    const NO_VERB: [&str; 8] = ["on", "before", "after", "or", "of", "then", "for", "as"];
    if before.is_some_and(|before| before.is_any(&NO_VERB) || *before == SqlToken::Symbol(',')) {
        return None;
    }
    let names_table =
        after.iter().take(3).any(|token| token.is("from")) || (before.is_none() && after.len() == 1);
    let table = name(without(after, &["low_priority", "quick", "ignore", "from", "only"]))?;
    (names_table && !is_restricted(after)).then(|| format!("delete every row of {table}"))
}

fn updated(before: Option<&SqlToken<'_>>, after: &[SqlToken<'_>]) -> Option<String> {
    const NO_VERB: [&str; 8] = ["on", "before", "after", "or", "of", "then", "for", "key"];
    if before.is_some_and(|before| before.is_any(&NO_VERB)) {
        return None;
    }
    let after = without(after, &["low_priority", "ignore", "only"]);
    let table = name(after)?;
    let sets = after.iter().take(8).any(|token| token.is("set")) && !after.first()?.is("set");
    (sets && !is_restricted(after)).then(|| format!("change every row of {table}"))
}

fn replaced(after: &[SqlToken<'_>]) -> Option<String> {
    let after = without(after, &["transient"]);
    let table = after.first()?.is("table").then(|| name(after.get(1..)?))??;
    Some(format!("replace table {table}"))
}

fn overwritten(after: &[SqlToken<'_>]) -> Option<String> {
    let partly = after.iter().take(6).any(|token| token.is("partition"));
    let table = name(without(after, &["table", "into"]))?;
    (!partly).then(|| format!("overwrite table {table}"))
}

fn logs(word: &str, after: &[SqlToken<'_>]) -> Option<String> {
    let rest = after.first()?;
    if rest.is_any(&["recyclebin", "dba_recyclebin", "table", "tablespace"]) {
        return Some(format!("{} what was dropped", word.to_ascii_lowercase()));
    }
    rest.is_any(&["master", "binary", "logs"])
        .then(|| format!("{} the server's logs", word.to_ascii_lowercase()))
}

/// Whether a condition says which rows, up to the end of the statement or of the parenthesis it stands in.
fn is_restricted(after: &[SqlToken<'_>]) -> bool {
    let mut open = 0_usize;
    for (at, token) in after.iter().enumerate() {
        match token {
            SqlToken::Symbol('(') => open += 1,
            SqlToken::Symbol(')') if open == 0 => return false,
            SqlToken::Symbol(')') => open -= 1,
            _ if open > 0 => {}
            _ if token.is("where") => return !is_always_true(after.get(at + 1..).unwrap_or_default()),
            _ if token.is_any(&["join", "limit", "top"]) => return true,
            _ if begins_another(token, after.get(at + 1..).unwrap_or_default()) => return false,
            _ => {}
        }
    }
    false
}

/// Some servers need no semicolon between statements.
fn begins_another(token: &SqlToken<'_>, after: &[SqlToken<'_>]) -> bool {
    match after.first() {
        Some(_) if token.is("delete") => after.iter().take(3).any(|next| next.is("from")),
        Some(next) if token.is("update") => *next != SqlToken::Symbol('='),
        Some(_) | None => false,
    }
}

/// `WHERE 1 = 1`, `WHERE true`.
fn is_always_true(condition: &[SqlToken<'_>]) -> bool {
    let ends = |rest: &[SqlToken<'_>]| {
        rest.first().is_none_or(|next| *next == SqlToken::Symbol(')') || next.is_any(&["returning", "or"]))
    };
    match condition {
        [SqlToken::Word(left), SqlToken::Symbol('='), SqlToken::Word(right), rest @ ..] => {
            left == right && ends(rest)
        }
        [SqlToken::Text(left), SqlToken::Symbol('='), SqlToken::Text(right), rest @ ..] => {
            left == right && ends(rest)
        }
        [only, rest @ ..] => only.is_any(&["true", "1"]) && ends(rest),
        [] => true,
    }
}

fn without<'t, 'a>(tokens: &'t [SqlToken<'a>], skipped: &[&str]) -> &'t [SqlToken<'a>] {
    let count = tokens.iter().take_while(|token| token.is_any(skipped)).count();
    tokens.get(count..).unwrap_or_default()
}

/// A name with the names that qualify it.
fn name(tokens: &[SqlToken<'_>]) -> Option<String> {
    let tokens = if tokens.first() == Some(&SqlToken::Symbol('#')) { tokens.get(1..)? } else { tokens };
    let mut name = String::new();
    for pair in tokens.chunks(2) {
        match pair.first()? {
            SqlToken::Word(part) | SqlToken::Name(part) | SqlToken::Text(part) => name.push_str(part),
            SqlToken::Symbol(_) => break,
        }
        if pair.get(1) != Some(&SqlToken::Symbol('.')) {
            break;
        }
        name.push('.');
    }
    let name: String = name.chars().take(60).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_would_be_lost() {
        for (text, lost) in [
            ("DROP TABLE users", "drop table users"),
            ("drop table if exists public.\"Users\" cascade;", "drop table public.Users"),
            ("DROP/**/DATABASE `shop`", "drop database shop"),
            ("/*!50000 DROP TABLE users */", "drop table users"),
            ("SELECT 1; TRUNCATE users, orders", "empty table users"),
            ("TRUNCATE TABLE ONLY app.users", "empty table app.users"),
            ("DELETE FROM users", "delete every row of users"),
            ("DELETE FROM users WHERE 1=1", "delete every row of users"),
            ("DELETE FROM users WHERE true OR x = 1", "delete every row of users"),
            ("delete users", "delete every row of users"),
            (
                "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone WHERE id = 1",
                "delete every row of users",
            ),
            ("UPDATE users SET admin = true", "change every row of users"),
            ("UPDATE users SET a = (SELECT b FROM c WHERE d = 1)", "change every row of users"),
            ("ALTER TABLE users DROP COLUMN email", "drop column email of users"),
            ("ALTER TABLE users DROP email", "drop column email of users"),
            ("ALTER TABLE logs DROP PARTITION p2020", "drop partition p2020 of logs"),
            ("CREATE OR REPLACE TABLE users AS SELECT 1", "replace table users"),
            ("INSERT OVERWRITE TABLE users SELECT 1", "overwrite table users"),
            ("DO $$ BEGIN DROP SCHEMA app CASCADE; END $$", "drop schema app"),
            ("EXECUTE IMMEDIATE 'DROP TABLE users'", "drop table users"),
            ("IF OBJECT_ID('x') IS NOT NULL DROP TABLE x", "drop table x"),
            ("EXPLAIN ANALYZE DELETE FROM users", "delete every row of users"),
            ("SELECT 'it\\'; DROP TABLE users; --'", "drop table users"),
            ("CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; DROP TABLE a", "drop table a"),
            ("DROP USER app", "drop user app"),
            ("DELETE FROM a DELETE FROM b WHERE id = 1", "delete every row of a"),
            ("PURGE BINARY LOGS BEFORE '2020-01-01'", "purge the server's logs"),
            ("PURGE RECYCLEBIN", "purge what was dropped"),
            ("-- note\nDROP SCHEMA public CASCADE", "drop schema public"),
            ("/* tidy */ DROP /* really */ TABLE users", "drop table users"),
            ("EXEC('DROP TABLE users')", "drop table users"),
            ("DROP COLLECTION orders", "drop collection orders"),
            ("ALTER TABLE hits DELETE WHERE 1", "delete every row of hits"),
            ("MATCH (n) DETACH DELETE n", "delete every node that matches"),
            ("SHUTDOWN IMMEDIATE", "shut the server down"),
            ("BEGIN; DELETE FROM users; COMMIT", "delete every row of users"),
            ("BEGIN; DELETE FROM users; COMMIT; ROLLBACK", "delete every row of users"),
            ("BEGIN; DROP TABLE users; ROLLBACK", "drop table users"),
            ("BEGIN DELETE FROM users; ROLLBACK", "delete every row of users"),
        ] {
            assert_eq!(losses(text), [lost], "{text}");
        }
    }

    #[test]
    fn leaves_alone_what_loses_nothing() {
        for text in [
            "",
            "SELECT * FROM users WHERE note = 'DROP TABLE users; DELETE FROM x'",
            "SELECT 1 -- DROP TABLE users",
            "SELECT 1 /* DELETE FROM users */",
            "DELETE FROM users WHERE id = 1",
            "DELETE FROM users WHERE 1 = 1 AND id = 5",
            "DELETE u FROM users u JOIN gone g ON g.id = u.id",
            "UPDATE users SET a = 1 WHERE id = 2",
            "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1",
            "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1",
            "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE",
            "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = 1",
            "SELECT * FROM t FOR UPDATE",
            "SELECT TRUNCATE(price, 2) FROM t",
            "CREATE TABLE a (id int REFERENCES b ON DELETE CASCADE ON UPDATE SET NULL)",
            "CREATE TRIGGER t BEFORE DELETE ON a FOR EACH ROW EXECUTE FUNCTION f()",
            "CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM users $$ LANGUAGE sql",
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; UPDATE c SET d = 1; END",
            "ALTER TABLE users DROP CONSTRAINT users_email_key",
            "ALTER TABLE users ALTER COLUMN a DROP NOT NULL",
            "ALTER ROLE app SET search_path = x",
            "DROP INDEX users_email_idx",
            "DROP VIEW IF EXISTS report",
            "DROP TABLE #work",
            "GRANT SELECT, DELETE, DROP ON db.* TO 'app'",
            "EXPLAIN DELETE FROM users",
            "SELECT deleted, \"drop\" FROM t ORDER BY updated",
            "SELECT t.delete FROM t",
            "CREATE OR REPLACE VIEW v AS SELECT 1",
            "COMMENT ON TABLE t IS 'drop table t'",
            "SELECT $$DROP TABLE users$$",
            "SELECT \"drop\" FROM log WHERE text LIKE '%; delete from x%'",
            "INSERT INTO log VALUES ('it''s; drop table users')",
            "ALTER TABLE users ADD COLUMN drop_date date",
            "ALTER TABLE hits DELETE WHERE id = 3",
            "MATCH (n:User {id: 3}) DETACH DELETE n",
            "MATCH (n) WHERE n.id = 3 DELETE n",
            "BEGIN; DELETE FROM users; SELECT count(*) FROM users; ROLLBACK;",
            "START TRANSACTION; UPDATE users SET a = 1; ROLLBACK",
            "'",
        ] {
            assert_eq!(losses(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn tells_statements_from_questions() {
        assert!(is_sql("select 1"));
        assert!(is_sql("-- x\nDROP TABLE y"));
        assert!(!is_sql("how do I drop table x"));
        assert!(!is_sql("drop"));
    }

    #[test]
    fn nothing_is_looked_into_without_end() {
        let deep = "do $a$ do $b$ do $c$ do $d$ do $e$ drop table x $e$ $d$ $c$ $b$ $a$";
        assert_eq!(losses(deep), ["run SQL that is nested too deep to be read"]);
        losses(&"(".repeat(100_000));
    }
}
