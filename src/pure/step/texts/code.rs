//! Programs in other languages: the effects of their calls on files and other machines, and code that they evaluate.
//!
//! `shell` lists the commands that such a program starts; this module covers its own effects.

use crate::pure::shell::{Called, Code, Language, ScannedValue, Word, WordPart, named_calls, starts_program};
use crate::pure::step::address::{host_of, is_local, is_metadata};
use crate::pure::step::code_calls::{Deed, deed, deletes_unnamed, listed};
use crate::pure::step::effect::{Effect, TextSource};
use crate::pure::step::generated::is_always_generated;
use crate::pure::step::path::target;
use crate::pure::step::place::Place;
use crate::pure::step::programs::{is_open_shell, lost_by_overwriting};
use crate::pure::step::secret_file::secret_in;
use crate::pure::step::sql::losses;
use camino::Utf8Path;
use std::borrow::Cow;

/// At most so many effects of one text count.
const MAX_EFFECTS: usize = 32;

/// The effects of a program itself.
pub(crate) fn effects(code: &Code, directory: Option<&Utf8Path>, place: &Place) -> Vec<Effect> {
    let mut effects: Vec<Effect> = own_files(&code.text, place).into_iter().collect();
    if forks_endlessly(code) {
        effects.push(Effect::ForkBomb);
    }
    if ends_everything(&code.text) {
        effects.push(Effect::Disrupt { what: "end every process that the user may end".into() });
    }
    if !may_matter(&code.text) {
        return effects;
    }
    let code = &with_home(code, place);
    let calls = named_calls(code.language, &code.text);
    let at = |text: &str| target(&path_word(text), directory, place);
    let at_pattern = |text: &str| {
        let (front, name) = text.rsplit_once('/').unwrap_or((".", text));
        let mut parts = path_word(&format!("{front}/")).parts;
        parts.push(WordPart::Glob(name.to_owned()));
        target(&Word { parts }, directory, place)
    };
    let looped = deleted_in_a_loop(code, &calls);
    // `rmtree(p) for p in Path('.').rglob('__pycache__')`: the listing says what `p` is.
    let is_listed = |path: &str| {
        let name = looped.as_deref().map(|listed| listed.rsplit('/').next().unwrap_or(listed));
        path == "${_}" && name.is_some_and(is_always_generated)
    };
    let mut secret = None;
    let mut read_too: Vec<&str> = Vec::new();
    for called in &calls {
        effects.extend(running(code, called).map(|source| Effect::RunFetched { source }));
        // Shorter than the text around it, so this comes to an end.
        if let Some(text) = evaluated(code, called) {
            let inner = Code { language: code.language, text: text.to_owned() };
            effects.extend(self::effects(&inner, directory, place));
        }
        for (deed, path) in deed(code.language, called) {
            let target = at(path);
            let read = matches!(deed, Deed::Read).then(|| secret_in(&target)).flatten();
            match deed {
                _ if effects.len() >= MAX_EFFECTS => break,
                Deed::Delete { .. } if is_listed(path) => {}
                Deed::Delete { recursive } => {
                    let target = if path.contains('*') { at_pattern(path) } else { target };
                    effects.push(Effect::Delete { target, recursive });
                }
                Deed::Move => effects.push(Effect::Write { target, recursive: true }),
                Deed::Write => {
                    // A file that is also read is edited, not replaced.
                    let replaces = !read_too.contains(&path) && !called.last_name().starts_with("append");
                    effects.extend(replaces.then(|| lost_by_overwriting(&target, place)).flatten());
                    if !called.last_name().starts_with("append") {
                        effects.push(Effect::Replace { target: target.clone() });
                    }
                    effects.push(Effect::Write { target, recursive: false });
                }
                Deed::Read => {
                    read_too.push(path);
                    if let Some(found) = read {
                        secret = Some(format!("{} ({})", found.what(), name_of(path)));
                        effects.push(Effect::Read { target });
                    }
                }
            }
        }
        let addresses = called.arguments.iter().filter_map(|value| value.text.as_deref());
        let hosts = addresses.filter(|text| text.contains("://")).filter_map(host_of);
        effects.extend(hosts.filter(|host| is_metadata(host)).map(|host| Effect::Network { host }));
    }
    effects.extend(looped.iter().map(|path| Effect::Delete { target: at_pattern(path), recursive: true }));
    effects.extend(
        calls.iter().find_map(|called| lost_by_sql(code, called)).map(|what| Effect::Destroy { what }),
    );
    effects.extend(sending(code, &calls, secret));
    effects.extend(network_shell(code, &calls));
    effects.extend(
        evaluates_answer(code).then(|| Effect::RunFetched { source: TextSource::Downloaded("fetch".into()) }),
    );
    effects
}

/// The functions that name the home directory, as the path that they name.
fn with_home<'a>(code: &'a Code, place: &Place) -> Cow<'a, Code> {
    const NAMES: [(&str, bool); 27] = [
        ("os.environ[\"HOME\"]", false),
        ("os.environ['HOME']", false),
        ("os.environ.get(\"HOME\")", false),
        ("os.environ.get('HOME')", false),
        ("os.getenv(\"HOME\")", false),
        ("os.getenv('HOME')", false),
        ("getenv(\"HOME\")", false),
        ("getenv('HOME')", false),
        ("$_SERVER[\"HOME\"]", false),
        ("$_SERVER['HOME']", false),
        ("$_ENV[\"HOME\"]", false),
        ("$_ENV['HOME']", false),
        ("ENV.fetch(\"HOME\")", false),
        ("ENV.fetch('HOME')", false),
        ("process.env[\"HOME\"]", false),
        ("process.env['HOME']", false),
        ("require(\"os\").homedir()", false),
        ("require('os').homedir()", false),
        ("require(\"node:os\").homedir()", false),
        ("require('node:os').homedir()", false),
        ("pathlib.Path.home()", true),
        ("Path.home()", true),
        ("os.homedir()", false),
        ("homedir()", false),
        ("Dir.home", false),
        ("Deno.env.get(\"HOME\")", false),
        ("Deno.env.get('HOME')", false),
    ];
    let named = NAMES.iter().any(|(name, _)| code.text.contains(name))
        || code.language == Language::Perl && code.text.contains(PERL_HOME);
    if !named {
        return Cow::Borrowed(code);
    }
    let path = format!("{:?}", place.home.as_str());
    if code.language == Language::Perl {
        return Cow::Owned(Code { language: code.language, text: with_home_in_perl(&code.text, place) });
    }
    let text = NAMES.iter().fold(code.text.clone(), |text, (name, is_path)| match is_path {
        true => text.replace(name, &format!("Path({path})")),
        false => text.replace(name, &path),
    });
    Cow::Owned(Code { language: code.language, text })
}

const PERL_HOME: &str = "$ENV{HOME}";

/// Perl puts the variable into double-quoted texts as well.
fn with_home_in_perl(text: &str, place: &Place) -> String {
    let mut pieces = text.split(PERL_HOME);
    let mut whole = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match whole.matches('"').count() % 2 {
            0 => whole.push_str(&format!("{:?}", place.home.as_str())),
            _ => whole.push_str(place.home.as_str()),
        }
        whole.push_str(piece);
    }
    whole
}

/// A call that signals every process: `os.kill(-1, 9)`, `kill 9, -1`, each entry of `psutil.process_iter()`.
fn ends_everything(text: &str) -> bool {
    if !text.contains("kill") && !text.contains("process_iter") {
        return false;
    }
    let dense: String = text.chars().filter(|each| !each.is_whitespace()).collect();
    let each = dense.contains("process_iter()") && !text.contains(" if ");
    let signals = |rest: &str| {
        let arguments = rest.trim_start_matches("pg").trim_start_matches('(');
        let arguments = arguments.split([')', ';', '}', '\n']).next().unwrap_or_default();
        arguments.split(',').take(3).any(|argument| argument == "-1")
    };
    each && (dense.contains(".kill()") || dense.contains(".terminate()"))
        || dense.match_indices("kill").any(|(at, _)| dense.get(at + 4..).is_some_and(signals))
}

/// The files that a program lists and then deletes one by one.
fn deleted_in_a_loop(code: &Code, calls: &[Called]) -> Option<String> {
    let handed_over =
        ["map(os.remove", "map(os.unlink", "map(shutil.rmtree"].iter().any(|each| code.text.contains(each));
    let deletes = handed_over || calls.iter().any(|called| deletes_unnamed(code.language, called));
    calls.iter().filter(|_| deletes).find_map(|called| listed(code.language, called))
}

/// A destructive statement for a database other than one in memory or for tests.
fn lost_by_sql(code: &Code, called: &Called) -> Option<String> {
    let runs = matches!(
        called.last_name(),
        "execute" | "executescript" | "query" | "exec_query" | "executeRawUnsafe"
    );
    let spared = [":memory:", "/tmp/", "test"].iter().any(|word| code.text.contains(word));
    let statement = called.arguments.first().filter(|_| runs && !spared)?.text.as_deref()?;
    let lost = losses(statement).into_iter().next()?;
    Some(format!("SQL in a program that would {lost}"))
}

/// A cheap test before a text is scanned in full.
fn may_matter(text: &str) -> bool {
    text.contains(['(', '`', '>', '|']) || text.contains("unlink") || text.contains("rm")
}

/// A short text that is little more than a loop that starts processes.
fn forks_endlessly(code: &Code) -> bool {
    const ENDLESS: [&str; 11] = [
        "while1", "while(1)", "whileTrue", "whiletrue", "while(true)", "loop{", "loopdo", "for(;;)",
        "iter(int", "whilefork", "setInterval(",
    ];
    let starts = ["fork", "spawn", "Popen", "&\"", "&'"];
    if code.text.len() > 160 || !starts.iter().any(|word| code.text.contains(word)) {
        return false;
    }
    let dense: String = code.text.chars().filter(|each| !each.is_whitespace()).collect();
    let forks = match code.language {
        Language::Python => dense.contains(".fork()") || dense.contains("Popen([sys.executable"),
        Language::Perl | Language::Ruby => {
            ["fork;", "fork}", "fork{", "fork()", "forkwhile"].iter().any(|form| dense.contains(form))
                && !dense.contains("wait")
        }
        Language::JavaScript => {
            ["fork(__filename", "spawn(process.execPath", "spawn(process.argv", "fork(process.argv"]
                .iter()
                .any(|form| dense.contains(form))
        }
        Language::Php => dense.contains("pcntl_fork()") && !dense.contains("pcntl_wait"),
        Language::Lua => dense.contains("os.execute(") && (dense.contains("&\")") || dense.contains("&')")),
        Language::Awk => dense.contains("system(") && dense.contains("&\")"),
    };
    forks && ENDLESS.iter().any(|form| dense.contains(form))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A literal path of a program, with the home directory expanded.
fn path_word(text: &str) -> Word {
    let (first, rest) = match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            (Some(WordPart::Tilde(String::new())), rest)
        }
        _ => (None, text),
    };
    let mut parts: Vec<WordPart> = first.into_iter().collect();
    for (index, known) in rest.split("${_}").enumerate() {
        if index > 0 {
            parts.push(WordPart::Unknown);
        }
        for (index, literal) in known.split("${HOME}").enumerate() {
            if index > 0 {
                parts.push(WordPart::Variable("HOME".to_owned()));
            }
            if !literal.is_empty() {
                parts.push(WordPart::Literal(literal.to_owned()));
            }
        }
    }
    Word { parts }
}

/// Refused if the text names a protected file and writes.
pub(crate) fn own_files(text: &str, place: &Place) -> Option<Effect> {
    const WRITES: [&str; 14] = [
        "write", "'w'", "\"w\"", "'a'", "\"a\"", "unlink", "remove", "rmtree", "rename", "replace(",
        "truncate", "chmod", "copy", "dump",
    ];
    /// They only print.
    const PRINTS: [&str; 3] = ["stdout.write", "stderr.write", "json.dumps("];
    let roots = [place.project.as_path(), place.home.as_path()];
    let words = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
    let writes = words(&WRITES, text)
        && (!words(&PRINTS, text)
            || words(&WRITES, &PRINTS.iter().fold(text.to_owned(), |text, prints| text.replace(prints, ""))));
    let protected = &place.protected;
    let named =
        if writes { protected.named_in(text, &roots) } else { protected.secret_named_in(text, &roots) };
    let verb = if writes { "change" } else { "read" };
    named.map(|what| Effect::Impersonate { how: format!("code that would {verb} {what}") })
}

/// A program text in the same language that a call evaluates.
fn evaluated<'a>(code: &Code, called: &'a Called) -> Option<&'a str> {
    let evaluates = matches!(called.name.as_str(), "exec" | "eval")
        && !matches!(code.language, Language::Awk | Language::Lua)
        && !starts_program(code.language, &code.text, called);
    let text = called.arguments.first().filter(|_| evaluates)?.text.as_deref()?;
    (text.len() < code.text.len() && text.contains('(')).then_some(text)
}

/// Whether a call runs a text that was fetched or decoded.
fn running(code: &Code, called: &Called) -> Option<TextSource> {
    let evaluates = match called.last_name() {
        "exec" | "eval" => called.name == called.last_name() || code.language != Language::JavaScript,
        "Function" | "runInThisContext" | "runInNewContext" | "loadstring" | "instance_eval" | "assert" => {
            true
        }
        "load" => loads_code(&called.name),
        _ => false,
    };
    if !evaluates && !starts_program(code.language, &code.text, called) {
        return None;
    }
    let first = called.arguments.first()?;
    let origins = || all(first).into_iter().flat_map(|value| &value.from);
    let downloaded = |name: &&String| {
        name.starts_with("http://") || name.starts_with("https://") || fetches(name.as_str())
    };
    if let Some(from) = origins().rfind(downloaded) {
        return Some(TextSource::Downloaded(from.chars().take(60).collect()));
    }
    origins().find(|name| decodes(name)).map(|name| TextSource::Decoded(name.clone()))
}

/// `load`, `pickle.load`, but not `json.load`, which makes nothing but data.
fn loads_code(name: &str) -> bool {
    const DATA: [&str; 11] = [
        "json", "simplejson", "ujson", "orjson", "toml", "tomllib", "tomli", "tomlkit", "JSON", "plistlib",
        "csv",
    ];
    !name.rsplit_once('.').is_some_and(|(base, _)| DATA.contains(&base))
}

/// `fetch(…).then(r => r.text()).then(eval)`, and the same in the handler of a request.
fn evaluates_answer(code: &Code) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| code.text.contains(word));
    code.language == Language::JavaScript
        && has(&["://"])
        && has(&["fetch(", ".get("])
        && has(&[".then(eval)", "=>eval(", "=> eval(", "new Function("])
}

fn fetches(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    matches!(last, "urlopen" | "fetch")
        || matches!(name, "requests.get" | "httpx.get" | "axios.get" | "URI.open")
}

fn decodes(name: &str) -> bool {
    const DECODERS: [&str; 24] = [
        "b64decode", "b32decode", "b85decode", "a85decode", "decodebytes", "decode64", "strict_decode64",
        "decode_base64", "base64_decode", "atob", "unhexlify", "fromhex", "hex2bin", "str_rot13",
        "decompress", "gzinflate", "gzuncompress", "inflateSync", "gunzipSync", "fromCharCode", "unpack",
        "unpack1", "pack", "chr",
    ];
    let last = name.rsplit('.').next().unwrap_or(name);
    DECODERS.contains(&last) || matches!(name, "Buffer.from" | "codecs.decode" | "marshal.loads")
}

/// A secret that was read, or the whole environment, in a text that sends something.
fn sending(code: &Code, calls: &[Called], secret: Option<String>) -> Option<Effect> {
    const ENVIRONMENT: [&str; 4] =
        ["str(os.environ)", "dict(os.environ)", "JSON.stringify(process.env)", "ENV.to_h"];
    let whole_environment = ENVIRONMENT.iter().any(|word| code.text.contains(word));
    calls.iter().filter(|called| sends(called)).find_map(|called| {
        let to = called
            .arguments
            .iter()
            .filter_map(|value| value.text.as_deref())
            .find(|text| text.contains("://"));
        let host = to.and_then(host_of);
        if host.as_deref().is_some_and(is_local) {
            return None;
        }
        let values = called.arguments.iter().chain(called.options.iter().map(|(_, value)| value));
        let environment = values.flat_map(all).any(|value| {
            value.from.iter().any(|name| matches!(name.as_str(), "os.environ" | "process.env" | "ENV"))
        });
        let environment = environment || whole_environment;
        let what = secret.clone().or_else(|| environment.then(|| "the whole environment".to_owned()))?;
        Some(Effect::Send { what, to: host.unwrap_or_else(|| "another machine".to_owned()), secret: true })
    })
}

fn sends(called: &Called) -> bool {
    const SENDERS: [&str; 14] = [
        "post", "put", "patch", "post_form", "urlopen", "fetch", "axios", "sendall", "sendto", "sendmail",
        "send_message", "storbinary", "upload_file", "put_object",
    ];
    const REQUESTS: [&str; 6] =
        ["https.request", "http.request", "curl_exec", "requests.request", "https.get", "http.get"];
    SENDERS.contains(&called.last_name())
        || REQUESTS.contains(&called.name.as_str())
        || (called.last_name() == "request" && (called.arguments.len() > 2 || names_address(called)))
        || (matches!(called.last_name(), "get" | "file_get_contents") && asks(called))
}

fn names_address(called: &Called) -> bool {
    called.arguments.first().and_then(|value| value.text.as_deref()).is_some_and(|text| text.contains("://"))
}

/// Whether the first argument is an address that goes on in something else.
fn asks(called: &Called) -> bool {
    let address = called.arguments.first().and_then(|value| value.text.as_deref()).unwrap_or_default();
    address.contains("://") && address.contains("${_}")
}

fn all(value: &ScannedValue) -> Vec<&ScannedValue> {
    std::iter::once(value).chain(&value.list).collect()
}

/// A shell on a network connection.
fn network_shell(code: &Code, calls: &[Called]) -> Option<Effect> {
    const CONNECTORS: [&str; 12] = [
        "connect", "create_connection", "open", "fsockopen", "Socket", "socket", "createConnection", "bind",
        "new", "createServer", "pfsockopen", "tcp",
    ];
    const CONNECTS: [&str; 7] =
        ["socket", "Socket", "fsockopen", "/inet/tcp", "net.connect", "\"net\"", "'net'"];
    if !CONNECTS.iter().any(|word| code.text.contains(word)) {
        return None;
    }
    let gives_shell = |called: &Called| {
        let starts = starts_program(code.language, &code.text, called);
        let texts = called.arguments.iter().flat_map(all).filter_map(|value| value.text.as_deref());
        let mut texts = texts.take(4);
        let from_there = called.arguments.iter().flat_map(|value| &value.from).any(|name| {
            matches!(name.rsplit('.').next(), Some("gets" | "recv" | "readline" | "receive" | "readpartial"))
        });
        called.last_name() == "dup2"
            || (starts && from_there)
            || texts.any(|text| is_open_shell(text) && (starts || text.contains("<&")))
    };
    let awk =
        code.language == Language::Awk && code.text.contains("/inet/tcp") && code.text.contains("getline");
    let has = |words: &[&str]| words.iter().all(|word| code.text.contains(word));
    let by_lines = match code.language {
        Language::Perl => has(&["IO::Socket", "fdopen"]) && code.text.contains("system"),
        Language::Ruby => has(&["TCPSocket", ".gets", "IO.popen"]),
        Language::Lua => has(&["socket", "receive", "io.popen"]) || has(&["socket", "os.execute", "sh -i"]),
        Language::Python | Language::JavaScript | Language::Php | Language::Awk => false,
    };
    if by_lines {
        return Some(Effect::NetworkShell { how: "a shell on a socket".to_owned() });
    }
    let connected = calls.iter().any(|called| CONNECTORS.contains(&called.last_name())) || awk;
    let found = connected && (awk || calls.iter().any(gives_shell));
    found.then(|| Effect::NetworkShell { how: "a shell on a socket".to_owned() })
}
