//! The class of a name: secret, password, possibly a key, or none.

/// The meaning of a name for its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// `api_key`, `client_secret`, `jwt_secret` and the like: the floor.
    ApiKey,
    JwtSecret,
    OauthSecret,
    AwsSecret,
    /// A token or a secret of any kind.
    Secret,
    Password,
    /// A key that may also be one of a map.
    Key,
    /// The key of something, such as `shodan_key`.
    NamedKey,
}

const WORDS: usize = 12;

/// Words without meaning at the end of a name.
const TRAILING: [&str; 28] = [
    "base", "data", "value", "val", "str", "string", "text", "prod", "production", "dev", "development",
    "staging", "stage", "live", "default", "base64", "b64", "hex", "raw", "new", "old", "current", "plain",
    "plaintext", "clear", "v1", "v2", "v3",
];
const NO_TOKEN: [&str; 37] = [
    "page", "next", "previous", "prev", "continuation", "csrf", "xsrf", "cancellation", "cancel", "max",
    "min", "num", "total", "input", "output", "prompt", "completion", "stop", "pad", "eos", "bos", "unk",
    "mask", "start", "end", "sub", "public", "design", "sync", "reset", "current", "first", "last", "symbol",
    "authenticity", "of", "contract",
];
const NO_KEY: [&str; 43] = [
    "public", "site", "publishable", "primary", "foreign", "partition", "sort", "hash", "range", "cache",
    "idempotency", "schema", "sequence", "index", "idx", "object", "row", "map", "i18n", "translation",
    "message", "shortcut", "hot", "arrow", "press", "storage", "issuer", "group", "parent", "child",
    "composite", "unique", "natural", "surrogate", "lookup", "state", "event", "routing", "registry", "ha",
    "query", "mon", "don",
];
const SECRET_KEY: [&str; 51] = [
    "access", "secret", "private", "auth", "authentication", "signing", "sign", "encryption", "encrypt",
    "decryption", "master", "account", "license", "licence", "shared", "service", "admin", "app",
    "application", "consumer", "client", "hmac", "aes", "jwt", "session", "deploy", "write", "server", "sdk",
    "user", "subscription", "webhook", "project", "root", "ssh", "token", "integration", "function", "hex",
    "crypto", "cipher", "security", "secure", "wallet", "bot", "merchant", "partner", "developer", "hub",
    "provisioning", "bearer",
];

pub(super) fn class(name: &[u8]) -> Option<Class> {
    let mut storage: [&[u8]; WORDS] = [b""; WORDS];
    let words = split(name, &mut storage);
    let words = without_tail(words);
    let (last, before) = words.split_last()?;
    let previous = before.last().copied().unwrap_or_default();
    let is =
        |word: &[u8], list: &[&str]| list.iter().any(|entry| word.eq_ignore_ascii_case(entry.as_bytes()));
    let has = |list: &[&str]| before.iter().any(|word| is(word, list));
    let last = whole(without_number(last));
    if is(last, &["token", "tokens"]) {
        if is(previous, &["jwt"]) {
            return Some(Class::Secret);
        }
        return (!is(previous, &NO_TOKEN)).then(|| floor(before).unwrap_or(Class::Secret));
    }
    if is(last, &["secret", "secrets", "apisecret", "clientsecret", "jwtsecret", "oauthsecret"]) {
        let pair = if is(last, &["apisecret"]) || has(&["api"]) && is(previous, &["api"]) {
            Class::ApiKey
        } else if is(last, &["jwtsecret"]) || is(previous, &["jwt"]) {
            Class::JwtSecret
        } else if is(last, &["clientsecret", "oauthsecret"]) || is(previous, &["client", "oauth"]) {
            Class::OauthSecret
        } else {
            Class::Secret
        };
        return Some(pair);
    }
    if is(
        last,
        &["password", "passwd", "pwd", "pass", "passphrase", "passcode", "pw", "psk", "storepass", "keypass"],
    ) {
        return Some(Class::Password);
    }
    if is(last, &["apikey", "apikeys"]) {
        return Some(Class::ApiKey);
    }
    if is(
        last,
        &["secretkey", "accesskey", "privatekey", "authkey", "masterkey", "signingkey", "encryptionkey"],
    ) {
        return Some(Class::Secret);
    }
    if is(last, &["key", "keys"]) {
        if let Some(floor) = floor(before) {
            return Some(floor);
        }
        return match previous {
            _ if is(previous, &["api"]) => Some(Class::ApiKey),
            _ if has(&["secret"]) && is(previous, &["access"]) => Some(Class::AwsSecret),
            _ if is(previous, &SECRET_KEY) || has(&["secret", "private"]) => Some(Class::Secret),
            _ if is(previous, &NO_KEY) => None,
            b"" => Some(Class::Key),
            _ => Some(Class::NamedKey),
        };
    }
    // npm's `_auth` holds user and password.
    if name == b"_auth" {
        return Some(Class::Secret);
    }
    is(last, &["credential", "credentials", "login", "auth"]).then_some(Class::Key)
}

fn without_number(word: &[u8]) -> &[u8] {
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    word.get(..word.len() - digits).filter(|word| !word.is_empty()).unwrap_or(word)
}

/// `PGPASSWORD` is a password and `githubtoken` a token, though nothing separates their words.
fn whole(word: &[u8]) -> &[u8] {
    const ENDS: [&str; 6] = ["password", "passwd", "passphrase", "token", "apikey", "secret"];
    const OTHERS: [&str; 8] = [
        "csrftoken", "xsrftoken", "nexttoken", "pagetoken", "apisecret", "clientsecret", "jwtsecret",
        "oauthsecret",
    ];
    if OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other.as_bytes())) {
        return word;
    }
    let end = ENDS.iter().find_map(|end| {
        let tail = word.get(word.len().checked_sub(end.len())?..)?;
        tail.eq_ignore_ascii_case(end.as_bytes()).then_some(tail)
    });
    end.unwrap_or(word)
}

/// `jwt_secret_key` and `clientSecretToken` are still what they say before the last word.
fn floor(before: &[&[u8]]) -> Option<Class> {
    let (last, rest) = before.split_last()?;
    let previous = rest.last().copied().unwrap_or_default();
    let is = |word: &[u8], entry: &str| word.eq_ignore_ascii_case(entry.as_bytes());
    if is(last, "jwtsecret") || is(last, "secret") && is(previous, "jwt") {
        return Some(Class::JwtSecret);
    }
    if is(last, "clientsecret") || is(last, "secret") && (is(previous, "client") || is(previous, "oauth")) {
        return Some(Class::OauthSecret);
    }
    let api = is(last, "apikey")
        || is(last, "key") && is(previous, "api")
        || is(last, "secret") && is(previous, "api");
    api.then_some(Class::ApiKey)
}

fn without_tail<'a, 'b>(mut words: &'b [&'a [u8]]) -> &'b [&'a [u8]] {
    while let Some((last, before)) = words.split_last() {
        let number = last.iter().all(u8::is_ascii_digit);
        if before.is_empty()
            || !(number || TRAILING.iter().any(|word| last.eq_ignore_ascii_case(word.as_bytes())))
        {
            break;
        }
        words = before;
    }
    words
}

/// `myAPIKey_v2` → `my`, `API`, `Key`, `v2`; of a very long name the end.
fn split<'a, 'b>(name: &'a [u8], storage: &'b mut [&'a [u8]; WORDS]) -> &'b [&'a [u8]] {
    let mut count = 0;
    let mut rest = name;
    while let Some(start) = rest.iter().position(u8::is_ascii_alphanumeric) {
        let Some(tail) = rest.get(start..) else { break };
        let (word, after) = tail.split_at(word_end(tail));
        if count == WORDS {
            storage.rotate_left(1);
            count -= 1;
        }
        if let Some(slot) = storage.get_mut(count) {
            *slot = word;
        }
        count += 1;
        rest = after;
    }
    storage.get(..count).unwrap_or_default()
}

fn word_end(text: &[u8]) -> usize {
    let at = |place: usize| text.get(place).copied().unwrap_or_default();
    let mut end = 1;
    while at(end).is_ascii_alphanumeric() {
        let (last, this, next) = (at(end - 1), at(end), at(end + 1));
        let hump = this.is_ascii_uppercase()
            && (last.is_ascii_lowercase() || last.is_ascii_uppercase() && next.is_ascii_lowercase());
        if hump {
            break;
        }
        end += 1;
    }
    end.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_every_spelling() {
        for (name, expected) in [
            ("API_KEY", Some(Class::ApiKey)),
            ("serviceApiKey", Some(Class::ApiKey)),
            ("x-api-key", Some(Class::ApiKey)),
            ("jwtSecretKey", Some(Class::JwtSecret)),
            ("OAUTH_SECRET", Some(Class::OauthSecret)),
            ("clientSecret", Some(Class::OauthSecret)),
            ("AWS_SECRET_ACCESS_KEY", Some(Class::AwsSecret)),
            ("githubToken", Some(Class::Secret)),
            ("GITHUB_TOKEN_PROD", Some(Class::Secret)),
            ("dbPassword2", Some(Class::Password)),
            ("SharedAccessKey", Some(Class::Secret)),
            ("key", Some(Class::Key)),
            ("shodan_key", Some(Class::NamedKey)),
            ("secret_key_base", Some(Class::Secret)),
            ("wpa_psk", Some(Class::Password)),
            ("primaryKey", None),
            ("public_key", None),
            ("nextPageToken", None),
            ("token_url", None),
            ("keyword", None),
            ("passwordField", None),
            ("secret_name", None),
            ("", None),
        ] {
            assert_eq!(class(name.as_bytes()), expected, "{name}");
        }
    }
}
