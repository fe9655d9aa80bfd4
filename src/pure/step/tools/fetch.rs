//! Requests to the web: the host, and secrets in the address.

use super::{absolute, nature, read, secrets};
use crate::pure::step::address::{is_inside, is_local, is_near};
use crate::pure::step::assessment::Nature;
use crate::pure::step::effect::Effect;
use crate::pure::step::host;
use crate::pure::step::survey::Surveyor;
use crate::pure::step::zone::{Zone, zone};
use crate::pure::text;

/// The tool that fetches: a browser shows pages of the local network all day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Machine,
    Browser,
}

pub(crate) fn survey(url: &str, reach: Reach, surveyor: &mut Surveyor<'_>) {
    nature(surveyor, Nature::Network);
    let plain = plain(url);
    let Some((scheme, rest)) = plain.split_once(':') else { return };
    let rest = rest.trim_start_matches('/');
    if scheme.eq_ignore_ascii_case("file") {
        return local_file(&format!("/{}", decoded(rest)), surveyor);
    }
    if !["http", "https", "ws", "wss", "ftp"].iter().any(|one| scheme.eq_ignore_ascii_case(one)) {
        return;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let (user, server) = authority.rsplit_once('@').unwrap_or(("", authority));
    let host = host::canonical(&decoded(without_port(server)));
    if host.is_empty() || (is_local(&host) && !is_inside(&host)) {
        if let Some(host) = control_port(server, &host) {
            surveyor.effect(Effect::Network { host });
        }
        return;
    }
    if let Some(what) = password(user).or_else(|| carried(path)) {
        surveyor.effect(Effect::Send { what: what.into(), to: host.clone(), secret: true });
    }
    if !is_near(&host) || (is_inside(&host) && reach == Reach::Machine) {
        surveyor.effect(Effect::Network { host });
    }
}

/// An address of a file goes around the client's own rules for reading files.
fn local_file(path: &str, surveyor: &mut Surveyor<'_>) {
    let zone = zone(&absolute(path, surveyor.place), surveyor.place);
    if !matches!(zone, Zone::Project | Zone::Temporary | Zone::Cache) {
        let what = format!("read {path} as a page, around the rules for files");
        surveyor.effect(Effect::Expose { what });
    }
    read::file(path, surveyor);
}

/// Ports of this machine behind which a program takes orders from everybody: Docker, a kubelet, etcd, Redis.
fn control_port(server: &str, host: &str) -> Option<String> {
    const PORTS: [&str; 7] = ["2375", "2376", "10250", "10255", "2379", "6379", "11211"];
    let (_, port) = server.rsplit_once(':')?;
    PORTS.contains(&port).then(|| format!("{host}:{port}"))
}

/// A question to a search engine.
pub(crate) fn search(query: &str, surveyor: &mut Surveyor<'_>) {
    nature(surveyor, Nature::Network);
    if let Some(what) = secrets::first(query) {
        surveyor.effect(Effect::Send { what: what.into(), to: "a search engine".into(), secret: true });
    }
}

/// As browsers read it: without line ends, with either slash.
fn plain(url: &str) -> String {
    url.trim().chars().filter(|c| !c.is_control()).map(|c| if c == '\\' { '/' } else { c }).collect()
}

fn without_port(server: &str) -> &str {
    match server.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => host,
        Some(_) | None => server,
    }
}

fn password(user: &str) -> Option<&'static str> {
    let (_, password) = user.split_once(':')?;
    secrets::is_generated(&decoded(password)).then_some("a password")
}

/// A secret in the path, or under a telling name in the query. Signed links are no secrets.
fn carried(path: &str) -> Option<&'static str> {
    const TELLING: [&str; 16] = [
        "token", "access_token", "auth_token", "id_token", "refresh_token", "api_key", "apikey", "api-key",
        "key", "secret", "client_secret", "password", "passwd", "pwd", "auth", "credential",
    ];
    let (place, query) = path.split_once('?').unwrap_or((path, ""));
    let mut pairs = query.split(['&', ';', '#']).map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let in_query = pairs.find_map(|(name, value)| {
        let (name, value) = (decoded(name).to_ascii_lowercase(), decoded(value));
        if name.starts_with("x-amz-") || name.starts_with("x-goog-") {
            return None;
        }
        let telling = TELLING.contains(&name.as_str()) && secrets::is_generated(&value);
        secrets::first(&value).or(telling.then_some("a secret"))
    });
    in_query.or_else(|| secrets::first(&decoded(place))).or_else(|| encoded(path))
}

/// A secret that stands in the address as base64.
fn encoded(path: &str) -> Option<&'static str> {
    const SHORTEST: usize = 40;
    let pieces = path.split(['/', '?', '&', '=', '#', '.']).filter(|piece| piece.len() >= SHORTEST);
    let texts = pieces.filter_map(|piece| {
        let padded = format!("{piece}{}", "=".repeat((4 - piece.len() % 4) % 4));
        String::from_utf8(text::from_base64(&padded)?).ok()
    });
    texts.filter(|text| text.is_ascii()).find_map(|text| secrets::first(&text))
}

/// `%41` is `A`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::secrets::made_up;
    use crate::pure::step::sample::called;
    use serde_json::json;

    fn rules(url: &str) -> Vec<String> {
        called("WebFetch", &json!({"url": url, "prompt": "x"}))
    }

    #[test]
    fn a_metadata_address_is_refused_in_every_spelling() {
        for url in [
            "http://169.254.169.254/latest/meta-data/",
            "HTTP://2852039166/",
            "http://0xa9fea9fe:80/x",
            "http://[::ffff:169.254.169.254]:80/",
            "http://user@169.254.169.254#x",
            "http:\\\\169.254.169.254\\x",
            "http://169.254.169%2e254/",
            "http://example.com@169.254.169.254/",
            "http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/",
        ] {
            assert_eq!(rules(url), ["metadata_address"], "{url}");
        }
        assert_eq!(rules("https://example.com/?about=169.254.169.254"), ["warn_external_network"]);
    }

    #[test]
    fn pages_of_the_local_network_and_of_other_files_are_asked_about() {
        for url in ["http://10.0.0.5/admin", "http://kubernetes.default.svc/api", "http://localhost:2375/x"] {
            assert_eq!(rules(url), ["metadata_address"], "{url}");
        }
        assert_eq!(rules("file:///etc/passwd"), ["expose"]);
        for url in ["http://localhost:8080/", "file:///tmp/report.html", "file:///home/user/project/a.html"] {
            assert_eq!(rules(url), [""; 0], "{url}");
        }
        let browser = |url: &str| called("mcp__playwright__browser_navigate", &json!({"url": url}));
        assert_eq!(browser("http://192.168.1.20:3000/"), [""; 0]);
    }

    #[test]
    fn a_secret_in_an_address_is_refused() {
        let (token, value) = (made_up("ghp_"), made_up(""));
        for url in [
            format!("https://example.com/?q={token}"),
            format!("https://example.com/{token}/x"),
            format!("https://example.com/?access_token={value}"),
            format!("https://user:{value}@example.com/"),
            format!("https://example.com/?q=%67hp_{value}"),
            format!("https://example.com/{}", crate::pure::text::base64(token.as_bytes())),
        ] {
            assert!(rules(&url).contains(&"send_secret".into()), "{url}: {:?}", rules(&url));
        }
        for url in [
            "https://example.com/docs?token=your_token_here".into(),
            "https://example.com/?key=value".into(),
            "https://example.com/search?q=api_key+rotation".into(),
            format!(
                "https://bucket.s3.amazonaws.com/x?X-Amz-Signature={value}&X-Amz-Credential={}",
                "AKIA2QWERTYUIOPASDFG"
            ),
            format!("https://example.com/commit/{}", "3f2a9c".repeat(6)),
        ] {
            assert_eq!(rules(&url), ["warn_external_network"], "{url}");
        }
        for url in ["http://localhost:3000/?token=x", "http://127.0.0.1/x", "about:blank", ""] {
            assert_eq!(rules(url), [""; 0], "{url}");
        }
    }

    #[test]
    fn a_question_with_a_secret_in_it_is_refused() {
        assert_eq!(called("WebSearch", &json!({"query": made_up("ghp_")})), ["send_secret"]);
        assert_eq!(called("WebSearch", &json!({"query": "how to rotate an api_key"})), [""; 0]);
    }
}
