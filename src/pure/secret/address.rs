//! Passwords in addresses: `scheme://user:password@host`.

use super::generic::is_generated;
use super::placeholder::{is_default_password, is_documented_host, is_own_host};
use super::rule::{FoundSecretSpan, MatchStrength, SecretSeverity, SecretVerdict};
use memchr::{memchr, memrchr};

const LONGEST: usize = 600;
const DATABASES: [&str; 24] = [
    "postgres", "postgresql", "mysql", "mysql2", "mariadb", "mongodb", "redis", "rediss", "amqp", "amqps",
    "mssql", "sqlserver", "oracle", "clickhouse", "cockroachdb", "cassandra", "couchdb", "neo4j", "bolt",
    "influxdb", "kafka", "nats", "snowflake", "redshift",
];
const REASON: &str = "an address with a password that is no default, to a machine that is not this one";

/// User information and host of the address whose authority begins at `start`.
pub(super) fn authority(content: &[u8], start: usize, longest: usize) -> Option<(&[u8], &[u8])> {
    let rest = content.get(start..content.len().min(start + longest))?;
    let length =
        rest.iter().take_while(|byte| byte.is_ascii_graphic() && !b"\"'`<>\\".contains(byte)).count();
    let text = rest.get(..length)?;
    // A password may hold `@`, a slash or a question mark; the last `@` before the path begins the host.
    let authority =
        text.get(..memchr(b'/', text).unwrap_or(length)).filter(|part| memchr(b'@', part).is_some());
    let authority = authority.or_else(|| text.get(..memchr(b'?', text).unwrap_or(length)))?;
    let sign = memrchr(b'@', authority)?;
    Some((authority.get(..sign)?, authority.get(sign + 1..)?))
}

pub(super) fn address(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let before = content.get(place.saturating_sub(24)..place)?;
    let scheme =
        before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    let start = place - scheme;
    let (user_info, host) = authority(content, place + 3, LONGEST)?;
    let sign = user_info.len();
    let colon = memchr(b':', user_info)?;
    let (user, password) = (user_info.get(..colon)?, user_info.get(colon + 1..)?);
    // `wss://host:9443/ws/btcusdt@trade`: a port and a path.
    let digits = password.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..=5).contains(&digits) && password.get(digits) == Some(&b'/') {
        return None;
    }
    let host = host.split(|byte| b"/?,;)".contains(byte)).next().unwrap_or_default();
    let token = password == b"x-oauth-basic" && user.len() >= 20;
    let literal = !is_default_password(password) && password != user && scheme > 0;
    let plain = password.iter().chain(host).all(|byte| !b"{}()$,;|".contains(byte)) && !host.is_empty();
    let generated = is_generated(password) && password.len() >= 12;
    let documented = is_documented_host(host);
    if !(token || literal && plain && !is_own_host(host) && (!documented || generated)) {
        return None;
    }
    let name = content.get(start..place)?.to_ascii_lowercase();
    let database = DATABASES.iter().any(|known| {
        name.split(|byte| *byte == b'+').next().is_some_and(|first| first.ends_with(known.as_bytes()))
    });
    // In documentation a chosen password is probably an example; a generated one is not.
    let certain = token || !documented && (database || generated);
    let verdict = if certain { SecretVerdict::Block } else { SecretVerdict::Ask };
    let rule = if database { "database-url" } else { "credential-url" };
    let span = start..place + 3 + sign + 1 + host.len();
    let found = FoundSecretSpan::new(rule, verdict, MatchStrength::Address, REASON, span);
    Some(found.with_severity(SecretSeverity::High))
}
