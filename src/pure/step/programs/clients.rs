//! Clients of databases: data that their SQL, commands or script would delete.

use super::line::ProgramLine;
use super::{InnerText, Meaning, ShellCall};
use crate::pure::shell::{Command, NameTable, Redirect, RedirectKind, Stdin, Word, Wrapper, option_values};
use crate::pure::step::address::{host_of, is_local, is_near};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::sql::losses;
use crate::pure::step::zone::{Zone, zone};

/// Clients that run SQL: the options that carry it, what plain words are, options that take another value.
pub(crate) const CLIENTS: &[Client] = &[
    (
        "psql pgcli usql",
        "-c --command",
        Plain::Database,
        "-d --dbname -h -p -U -f -v -o -F -R -P -L --host --port --username --file --set --variable --output",
    ),
    (
        "mysql mariadb mycli",
        "-e --execute",
        Plain::Database,
        "-D --database -h -u -P -S --host --user --port",
    ),
    ("sqlite3", "-cmd", Plain::FileThenSql, "-separator -nullvalue -newline -init -vfs -mmap -maxsize"),
    ("duckdb", "-c -s -cmd", Plain::FileThenSql, "-separator -nullvalue -newline -init"),
    ("sqlcmd mssql-cli", "-Q -q --query", Plain::Sql, "-S -d -U -P -i -o"),
    ("clickhouse-client clickhouse", "-q --query", Plain::None, ""),
    ("cqlsh hive spark-sql beeline", "-e --execute", Plain::None, ""),
    ("snowsql snow impala-shell", "-q --query", Plain::None, ""),
    ("trino presto", "--execute", Plain::None, ""),
    ("cockroach", "-e --execute", Plain::None, ""),
    ("bq cypher-shell", "", Plain::Sql, ""),
    ("turso", "", Plain::Sql, ""),
    ("wrangler", "--command", Plain::None, ""),
    ("heroku", "-c --command", Plain::None, ""),
    ("influx", "-execute", Plain::None, ""),
    ("sqlplus isql db2", "", Plain::None, ""),
    ("supabase psqldef", "", Plain::None, ""),
];

/// A client's names, its options with a text to run, the meaning of its plain words, and its options with another value.
pub(crate) type Client = (&'static str, &'static str, Plain, &'static str);

/// Where a client stands in the list.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static NAMED: NameTable<usize, 128> = {
    let (mut named, mut at) = (NameTable::new(), 0);
    while at < CLIENTS.len() {
        named.put(CLIENTS[at].0, at);
        at += 1;
    }
    named
};

/// The client of that name.
pub(crate) fn client(program: &str) -> Option<&'static Client> {
    CLIENTS.get(NAMED.find(program)?)
}

/// Clients that are read in a way of their own.
pub(crate) const PROGRAMS: &str = "redis-cli valkey-cli keydb-cli mongosh mongo curl curlie wget";

/// The meaning of a client's plain words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    None,
    Database,
    Sql,
    FileThenSql,
}

pub(crate) fn survey(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    match line.program {
        "redis-cli" | "valkey-cli" | "keydb-cli" => redis(line, call, meaning),
        "mongosh" | "mongo" => mongo(line, call, meaning),
        "curl" => {
            search_index(line, meaning);
            remote_deletion(line, meaning);
        }
        "wget" | "curlie" => remote_deletion(line, meaning),
        "rails" | "manage.py" | "artisan" | "prisma" => console(line, call, meaning),
        program => {
            if let Some((_, options, plain, valued)) = client(program) {
                sql(line, call, meaning, (options, *plain, valued));
            }
        }
    }
}

fn sql(
    line: &ProgramLine<'_>,
    call: &ShellCall<'_>,
    meaning: &mut Meaning,
    client: (&'static str, Plain, &'static str),
) {
    let (options, plain, valued) = client;
    let mut texts = values(line.arguments, options);
    let mut operands = operands(line, options, valued);
    let throw_away = match plain {
        Plain::FileThenSql => {
            let is_throw_away = operands.first().is_none_or(|file| is_temporary(file, call));
            texts.extend(operands.iter().skip(1).map(|word| word.text_lossy().into_owned()));
            is_throw_away || line.has("-readonly -safe")
        }
        Plain::Sql => {
            texts.extend(operands.iter().map(|word| word.text_lossy().into_owned()));
            false
        }
        Plain::Database => {
            operands.extend(
                line.arguments
                    .iter()
                    .filter(|word| word.starts_with("--dbname=") || word.starts_with("--database=")),
            );
            let named = values(line.arguments, "-d --dbname -D --database");
            // Behind the database stands the user.
            let first = operands.iter().find(|word| !word.text_lossy().contains(' '));
            named.iter().any(|name| is_test_database(name))
                || first.is_some_and(|word| is_test_database(&word.text_lossy()))
                || operands.iter().any(|word| is_for_tests(&word.text_lossy()))
        }
        Plain::None => line.has("--local local"),
    };
    texts.extend(standard_input(call));
    for text in texts {
        let (sql, shell) = split_client_commands(&text);
        meaning.runs.extend(shell.into_iter().map(InnerText::Text));
        let spared = |lost: &String| {
            let kinds = ["drop database ", "drop keyspace ", "drop role ", "drop user "];
            kinds.iter().find_map(|kind| lost.strip_prefix(kind)).is_some_and(is_test_database)
        };
        let lost = losses(&sql).into_iter().find(|lost| !throw_away && !spared(lost));
        if let Some(lost) = lost {
            meaning
                .effects
                .push(Effect::Destroy { what: format!("SQL in {} that would {lost}", line.program) });
            return;
        }
    }
}

/// The SQL without the lines that the client itself reads, and what those would run in a shell.
fn split_client_commands(text: &str) -> (String, Vec<String>) {
    let (mut sql, mut shell) = (String::with_capacity(text.len()), Vec::new());
    for line in text.lines() {
        let trimmed = line.trim_start();
        let runs = ["\\!", ".shell ", ".system ", "system ", "!! "]
            .iter()
            .find_map(|start| trimmed.strip_prefix(start));
        match runs {
            Some(command) => shell.push(command.trim().to_owned()),
            None if trimmed.starts_with(['\\', '.']) || trimmed.eq_ignore_ascii_case("go") => {
                sql.push_str(";\n")
            }
            None => {
                sql.push_str(line);
                sql.push('\n');
            }
        }
    }
    (sql, shell)
}

/// The values of these options, as texts.
pub(super) fn values(arguments: &[Word], options: &str) -> Vec<String> {
    option_values(arguments, options).iter().map(|word| word.text_lossy().into_owned()).collect()
}

/// Words that are no options and no option's value.
fn operands<'a>(line: &ProgramLine<'a>, options: &str, valued: &str) -> Vec<&'a Word> {
    let takes_value = |text: &str| {
        options.split_ascii_whitespace().chain(valued.split_ascii_whitespace()).any(|option| option == text)
    };
    let mut operands = Vec::new();
    let mut arguments = line.arguments.iter();
    while let Some(word) = arguments.next() {
        match word.literal() {
            Some("-lookaside" | "-pagecache") => {
                arguments.nth(1);
            }
            Some(text) if text.starts_with('-') => {
                if takes_value(text) {
                    arguments.next();
                }
            }
            Some(_) | None => operands.push(word),
        }
    }
    operands
}

/// A here-document, a here-string, or what `echo` writes into the pipe.
pub(super) fn standard_input(call: &ShellCall<'_>) -> Option<String> {
    let document =
        |redirect: &&Redirect| matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString);
    let given = |command: &Command| match &command.stdin {
        Stdin::Text(text) => Some(text.clone()),
        Stdin::Pipe(_) | Stdin::None => {
            command.redirects.iter().rfind(document).map(|redirect| redirect.target.text_lossy().into_owned())
        }
    };
    match (given(call.command), &call.command.stdin) {
        (Some(text), _) => Some(text),
        (None, Stdin::Pipe(index)) => {
            let producer = call.others.get(*index)?;
            match producer.program()? {
                "echo" | "printf" => {
                    let words: Vec<_> = producer.arguments().iter().map(|word| word.text_lossy()).collect();
                    Some(words.join(" ").replace("\\n", "\n"))
                }
                "cat" => given(producer),
                _ => None,
            }
        }
        (None, Stdin::Text(_) | Stdin::None) => None,
    }
}

/// `:memory:`, `test.db`, or a file below a temporary directory.
fn is_temporary(file: &Word, call: &ShellCall<'_>) -> bool {
    let name = file.literal().map(|path| path.rsplit('/').next().unwrap_or(path));
    if name.is_some_and(|name| matches!(name, ":memory:" | "") || names_tests(name)) {
        return true;
    }
    match call.target(file) {
        Target::Path(path) | Target::Below(path) | Target::Inside(path) => {
            zone(&path, call.place) == Zone::Temporary
        }
        Target::Matching(_) | Target::Unknown => false,
    }
}

/// A database that its name says is there to be thrown away: `app_test`, `postgres://host/test_app`.
pub(super) fn is_for_tests(text: &str) -> bool {
    let parts: Vec<&str> = database_name(text).split(['_', '-']).collect();
    parts.len() > 1
        && parts.iter().any(|part| matches!(*part, "test" | "tests" | "testing" | "tmp" | "scratch"))
}

/// The same, and `test` itself, of what is certainly a database: its name, a file, or an address with its name.
pub(super) fn is_test_database(text: &str) -> bool {
    names_tests(database_name(text)) || is_for_tests(text)
}

/// The database of an address, a file or a name.
fn database_name(text: &str) -> &str {
    let name = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, name)| name),
        None => text.strip_prefix("file:").unwrap_or(text),
    };
    let name = name.split('?').next().unwrap_or(name);
    name.rsplit('/').next().unwrap_or(name).trim_end_matches(';')
}

/// A word of the name says that it is for tests: `app.settings.test`, `docker-compose.test.yml`.
pub(super) fn names_tests(name: &str) -> bool {
    name.split(['_', '-', '.', '/']).any(|part| matches!(part, "test" | "tests" | "testing" | "e2e" | "ci"))
}

fn redis(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    const VALUED: &str = "-h -p -a -n -u --user --pass -s -r -i -D -d -t --cacert --cert --key";
    let words: Vec<&str> = line.words(VALUED).collect();
    let input = standard_input(call).unwrap_or_default();
    let mut commands =
        input.lines().filter_map(|command| command.split_whitespace().next()).chain(words.first().copied());
    let is = |command: &str, names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(command));
    // An option that is not known may take the word in front of the command.
    let texts = || line.arguments.iter().map(|word| word.literal().unwrap_or_default());
    let is_value = texts()
        .zip(texts().skip(1))
        .any(|(option, value)| option.starts_with("--") && words.first() == Some(&value));
    let second = words.get(1).filter(|_| is_value).copied();
    let flushes = second.is_some_and(|command| is(command, &["flushall", "flushdb"]))
        || commands.any(|command| is(command, &["flushall", "flushdb", "swapdb"]));
    let in_a_script = words.first().is_some_and(|word| is(word, &["eval"]))
        && words.iter().any(|word| word.to_ascii_lowercase().contains("flush"));
    // By convention the last one of a server's databases is for tests.
    let is_service = |host: &String| !host.contains('.') || is_local(host);
    let only_tests = values(line.arguments, "-n") == ["15"]
        && values(line.arguments, "-h").iter().all(is_service)
        && !line.has("-u")
        && !input.to_ascii_lowercase().contains("flushall")
        && words.first().is_none_or(|word| is(word, &["flushdb"]));
    let flushes = flushes && !only_tests;
    let many = call.command.via.contains(&Wrapper::Xargs)
        && words.first().is_some_and(|word| is(word, &["del", "unlink"]));
    if flushes || in_a_script || many {
        let what = format!("`{}` deletes the stored keys", line.shown());
        meaning.effects.push(Effect::Destroy { what });
    }
    // Where it saves to is how a database becomes a file of somebody's choice.
    if let [config, set, what, ..] = words.as_slice()
        && is(config, &["config"])
        && is(set, &["set"])
        && is(what, &["dir", "dbfilename"])
    {
        meaning
            .effects
            .push(Effect::Expose { what: format!("let the database write elsewhere (`{}`)", line.shown()) });
    }
    if words.first().is_some_and(|word| is(word, &["shutdown"])) {
        meaning.effects.push(Effect::Disrupt { what: format!("stop the database (`{}`)", line.shown()) });
    }
}

fn mongo(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    const LOSING: [&str; 9] = [
        "dropDatabase(", ".drop(", "dropAllUsers(", "dropUser(", ".deleteMany({})", ".deleteMany()",
        ".remove({})", ".remove()", ".updateMany({},",
    ];
    let mut texts = values(line.arguments, "--eval");
    texts.extend(standard_input(call));
    let names_database = |word: &str| is_for_tests(word) || word.contains("://") && is_test_database(word);
    if line.words("").any(names_database) {
        return;
    }
    for text in texts {
        let bare: String = without_strings(&text).split_whitespace().collect();
        if let Some(call) = LOSING.iter().find(|call| bare.contains(**call)) {
            let call = call.trim_matches(['.', '(', ')', '{', '}', ',']);
            meaning.effects.push(Effect::Destroy { what: format!("`{call}` in {}", line.program) });
            return;
        }
    }
}

/// The shell or database client of a framework: records that a text deletes, and the SQL that it reads.
fn console(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    const LOSING: [&str; 7] = [
        ".delete_all", ".destroy_all", ".all().delete()", "::truncate()", "->truncate()", "->delete()",
        ".truncate!",
    ];
    let verb = line.words("--settings --schema -e --environment").next().unwrap_or_default();
    let mut texts = values(line.arguments, "-c --command --execute");
    match verb {
        "runner" | "r" => texts.extend(line.words("").skip(1).map(str::to_owned)),
        "shell" | "shell_plus" | "tinker" => texts.extend(standard_input(call)),
        "dbshell" | "dbconsole" | "db" => {
            texts.extend(standard_input(call));
            let lost = texts.iter().find_map(|text| losses(text).into_iter().next());
            let what = lost.map(|lost| format!("SQL in {} that would {lost}", line.program));
            return meaning.effects.extend(what.map(|what| Effect::Destroy { what }));
        }
        _ => return,
    }
    let dense = |text: &String| text.split_whitespace().collect::<String>();
    let found = texts.iter().map(dense).find_map(|text| LOSING.into_iter().find(|call| text.contains(call)));
    if let Some(call) = found {
        let what = format!(
            "`{}` in {} deletes records",
            call.trim_matches(['.', ':', '(', ')', '-', '>']),
            line.program
        );
        meaning.effects.push(Effect::Destroy { what });
    }
}

/// `curl -X DELETE https://api.example.com/projects/1`: whatever another machine keeps under this address.
fn remote_deletion(line: &ProgramLine<'_>, meaning: &mut Meaning) {
    if !line.has("-X=DELETE -XDELETE --request=DELETE --method=DELETE") {
        return;
    }
    let far = |url: &&str| url.contains("://") && host_of(url).is_some_and(|host| !is_near(&host));
    if let Some(url) = line.arguments.iter().find_map(|word| Some(word.literal_prefix()).filter(far)) {
        let url: String = url.chars().take(80).collect();
        meaning.effects.push(Effect::Destroy { what: format!("a request that deletes `{url}`") });
    }
}

/// `curl -X DELETE localhost:9200/orders`: Elasticsearch or Meilisearch at its usual port. One document is no index.
fn search_index(line: &ProgramLine<'_>, meaning: &mut Meaning) {
    let spared = |path: &str| {
        path.is_empty()
            || path.contains("/_doc/")
            || path.contains("/documents/")
            || path.starts_with("_search")
    };
    let ports = [":9200/", ":7700/indexes/"];
    let index = line.words("").find_map(|url| ports.iter().find_map(|port| url.split_once(port)));
    let index = index.map(|(_, path)| path);
    let local = || line.words("").filter_map(host_of).any(|host| is_local(&host));
    let for_tests = |path: &str| names_tests(path) && local();
    let Some(index) = index.filter(|path| !spared(path) && !for_tests(path)) else { return };
    let deletes = line.has("-X=DELETE -XDELETE --request=DELETE") || index.contains("_delete_by_query");
    if deletes {
        meaning.effects.push(Effect::Destroy { what: format!("deletes `{index}` from the search index") });
    }
}

fn without_strings(text: &str) -> String {
    let mut quote = None;
    let keep = |character: &char| match (quote, *character) {
        (None, '\'' | '"' | '`') => {
            quote = Some(*character);
            false
        }
        (Some(open), character) if open == character => {
            quote = None;
            false
        }
        (Some(_), _) => false,
        (None, _) => true,
    };
    text.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn losing_data_is_asked_however_the_client_is_told() {
        for command in [
            "psql -c 'DROP TABLE users'",
            "psql -Atc \"TRUNCATE users\" prod",
            "psql --command='DELETE FROM users' -d prod",
            "PGPASSWORD=x psql -h db prod <<'EOF'\n\\set ON_ERROR_STOP on\nDROP SCHEMA public CASCADE;\nEOF",
            "echo 'DROP DATABASE prod' | mysql -u root",
            "mysql -uroot -e'drop database prod'",
            "mysql -e 'drop database app_test; drop database prod'",
            "mysql -Nse 'DELETE FROM users' prod",
            "sqlite3 prod.sqlite 'DELETE FROM users'",
            "sqlite3 app.db <<< 'DROP TABLE users;'",
            "duckdb my.db -c 'DROP TABLE t'",
            "docker exec -i db psql -U postgres -c 'DROP DATABASE app'",
            "kubectl exec db-0 -- mysql -e 'TRUNCATE t'",
            "redis-cli -h cache FLUSHALL",
            "redis-cli -n 2 flushdb",
            "redis-cli -n 15 flushall",
            "redis-cli -h cache.example.com -n 15 flushdb",
            "echo FLUSHALL | redis-cli -n 15",
            "psql postgres://test.example.com/prod -c 'TRUNCATE users'",
            "psql postgres://test-host -c 'TRUNCATE users'",
            "psql prod test -c 'TRUNCATE users'",
            "psql -c 'DROP ROLE app'",
            "psql -c 'DROP TABLE test'",
            "curl -XDELETE https://search.example.com:9200/test-index",
            "kafka-topics --bootstrap-server localhost:9092 --delete --topic orders",
            "kafka-topics --bootstrap-server kafka.example.com:9092 --delete --topic test",
            "docker exec pg-prod psql -U postgres -c 'TRUNCATE test'",
            "docker exec app-test psql -h db.example.com -U postgres -c 'TRUNCATE users'",
            "docker exec app-test psql postgres://db.example.com/app -c 'TRUNCATE users'",
            "ssh test 'psql -c \"TRUNCATE users\"'",
            "kubectl exec test-0 -- psql -c 'TRUNCATE users'",
            "DATABASE_URL=postgres://test.example.com/app npx prisma migrate reset --force",
            "rails db:drop RAILS_ENV=production",
            "aws --profile production s3 rm s3://test --recursive",
            "redis-cli KEYS '*' | xargs redis-cli DEL",
            "echo flushall | redis-cli",
            "mongosh mongodb://h/prod --eval 'db.dropDatabase()'",
            "mongosh --eval 'db.users.deleteMany( {} )'",
            "bq query 'DELETE FROM d.t WHERE true'",
            "wrangler d1 execute db --remote --command 'DROP TABLE t'",
            "bundle exec rails db:reset",
            "curl -s -XDELETE 'http://localhost:9200/orders*'",
        ] {
            assert_eq!(shell(command).decision, Decision::Ask, "{command}");
        }
    }

    #[test]
    fn reading_conditions_and_throw_away_databases_are_silent() {
        for command in [
            "psql -l",
            "psql -c 'SELECT 1'",
            "psql -c \"SELECT 'DROP TABLE users'\"",
            "psql -d app_test -c 'DROP TABLE users'",
            "psql postgres://localhost/test_app -c 'TRUNCATE users'",
            "psql -f schema.sql",
            "psql -c 'DROP DATABASE IF EXISTS app_test'",
            "dropdb app_test",
            "mysql -e 'SHOW TABLES'",
            "sqlite3 :memory: 'DROP TABLE t'",
            "sqlite3 /tmp/x.db 'DELETE FROM t'",
            "duckdb -c 'DROP TABLE t'",
            "duckdb -readonly my.db 'DROP TABLE t'",
            "sqlite3 app.db '.tables'",
            "sqlite3 app.db .schema",
            "redis-cli -n 15 flushdb",
            "redis-cli -h redis -n 15 FLUSHDB",
            "psql -h localhost -U postgres test -c 'DELETE FROM users'",
            "psql postgresql://test:test@localhost:5432/test -c 'TRUNCATE a'",
            "psql -U postgres -c 'DROP DATABASE IF EXISTS test'",
            "psql -c 'DROP ROLE IF EXISTS test_user'",
            "mysql -uroot -e 'DROP DATABASE IF EXISTS test'",
            "mongosh mongodb://localhost:27017/test --eval 'db.dropDatabase()'",
            "dropdb --if-exists test && createdb test",
            "curl -XDELETE localhost:9200/test-index",
            "kafka-topics --bootstrap-server localhost:9092 --delete --topic test",
            "docker exec pg-test psql -U postgres -c 'TRUNCATE events'",
            "docker compose -f docker-compose.test.yml exec -T db psql -U postgres -c 'TRUNCATE users'",
            "DATABASE_URL=file:./test.db npx prisma migrate reset --force",
            "rails db:drop RAILS_ENV=test",
            "AWS_ENDPOINT_URL=http://localhost:4566 aws s3 rm s3://b --recursive",
            "aws --profile localstack s3 rm s3://b --recursive",
            "redis-cli get flushall",
            "redis-cli -h flushall ping",
            "redis-cli del one",
            "mongosh --eval 'db.users.find()'",
            "mongosh --eval 'print(\"db.dropDatabase()\")'",
            "curl -X DELETE localhost:9200/orders/_doc/1",
            "curl localhost:9200/_cat/indices",
            "curl -X DELETE localhost:3000/users/1",
            "RAILS_ENV=test bin/rails db:reset",
            "echo 'DROP TABLE users' > notes.sql",
            "grep -rn 'DROP TABLE' migrations/",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }

    #[test]
    fn what_a_client_runs_in_a_shell_is_looked_at() {
        assert_eq!(shell("psql -c '\\! rm -rf /'").decision, Decision::Deny);
        assert_eq!(shell("sqlite3 app.db '.shell rm -rf ~'").decision, Decision::Deny);
    }
}
