//! Files that hold secrets, recognised by their names: private keys, stored credentials, environment files.

use crate::pure::step::effect::Target;
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::place::Place;
use camino::Utf8Path;

/// The kind of secret that a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secret {
    PrivateKey,
    Credentials,
    /// The project's own settings: the agent may read them, but not send them away.
    Environment,
}

impl Secret {
    pub fn what(self) -> &'static str {
        match self {
            Self::PrivateKey => "a private key",
            Self::Credentials => "stored credentials",
            Self::Environment => "an environment file",
        }
    }

    /// Whether reading it into the conversation already reveals it.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::PrivateKey | Self::Credentials)
    }
}

/// Ends of paths of credential files, in any home directory.
const CREDENTIALS: [&str; 36] = [
    "kubernetes.io/serviceaccount/token",
    ".config/solana/id.json",
    ".aws/credentials",
    ".azure/accessTokens.json",
    ".azure/msal_token_cache.json",
    ".config/gcloud/access_tokens.db",
    ".config/gcloud/application_default_credentials.json",
    ".config/gcloud/credentials.db",
    ".kube/config",
    ".docker/config.json",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".pypirc",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".config/hub",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".composer/auth.json",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".s3cfg",
    ".boto",
    ".config/rclone/rclone.conf",
    "etc/shadow",
    "etc/shadow-",
    "etc/gshadow",
    "etc/master.passwd",
    "wallet.dat",
];
/// Folders in which nearly everything is secret.
const FOLDERS: [&str; 11] = [
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".config/gh", ".password-store",
    ".local/share/keyrings", "Library/Keychains", ".mozilla/firefox",
];
const ENVIRONMENT: [&str; 12] = [
    ".env", ".envrc", ".npmrc", "credentials.json", "secrets.yml", "secrets.yaml", "secrets.json",
    "secrets.toml", ".bash_history", ".zsh_history", ".psql_history", ".python_history",
];

/// The secret in a file, judged by its path.
pub(crate) fn secret_at(path: &Utf8Path) -> Option<Secret> {
    let (text, name, among) = (path.as_str(), path.file_name()?, Among::folders_of(path));
    if among.packages {
        return None;
    }
    if ends_with_any(text, &CREDENTIALS) || is_process_environment(text) || is_browser_store(name) {
        return Some(Secret::Credentials);
    }
    if is_private_key(text, name, among) {
        return Some(Secret::PrivateKey);
    }
    if among.credentials {
        return Some(Secret::Credentials);
    }
    is_environment(name).then_some(Secret::Environment)
}

/// Facts about a file from its parent folders.
#[derive(Debug, Default, Clone, Copy)]
struct Among {
    packages: bool,
    credentials: bool,
    ssh: bool,
    private_keys: bool,
}

impl Among {
    fn folders_of(path: &Utf8Path) -> Self {
        let mut among = Self::default();
        for part in path.as_str().as_bytes().split(|byte| *byte == b'/') {
            match part {
                b"node_modules" => among.packages = true,
                b".password-store" | b"Keychains" | b"keyrings" => among.credentials = true,
                b".ssh" => among.ssh = true,
                b"private-keys-v1.d" => among.private_keys = true,
                _ => {}
            }
        }
        among
    }
}

/// The secret that reading a target would reveal. A folder counts as its content.
pub(crate) fn secret_in(target: &Target) -> Option<Secret> {
    match target {
        Target::Path(path) => secret_at(path).or_else(|| folder(path)),
        Target::Inside(path) => folder(path).or_else(|| {
            let among_keys = has_part(path.as_str(), ".ssh") || has_part(path.as_str(), ".gnupg");
            among_keys.then_some(Secret::PrivateKey)
        }),
        // The rules about names hold for patterns as well: `~/.ssh/id_*`, `.env*`.
        Target::Matching(pattern) => secret_at(Utf8Path::new(&pattern.replace("**/", "")))
            .or_else(|| matched(pattern))
            .or_else(|| folder(Utf8Path::new(pattern))),
        Target::Below(_) | Target::Unknown => None,
    }
}

/// A secret whose folder is itself only a pattern: `~/.s?h/id_*`, `~/.a[w]s/cred*`.
fn matched(pattern: &str) -> Option<Secret> {
    const KEYS: [&str; 3] = [".ssh/id_rsa", ".ssh/id_ed25519", ".ssh/id_ecdsa"];
    let (front, name) = pattern.rsplit_once('/')?;
    let folder = front.rsplit('/').next()?;
    if !folder.starts_with('.') || !folder.contains(['*', '?', '[']) {
        return None;
    }
    let tail = format!("/{folder}/{name}");
    let pattern = PathPattern::new(&tail);
    let hits = |known: &&str| pattern.matches(Utf8Path::new(&format!("/{known}")));
    match KEYS.iter().any(&hits) {
        true => Some(Secret::PrivateKey),
        false => CREDENTIALS.iter().any(hits).then_some(Secret::Credentials),
    }
}

/// The file whose content says whether it holds a secret: an environment file, or any other in the project.
pub(crate) fn by_content<'t>(target: &'t Target, place: &Place) -> Option<&'t Utf8Path> {
    let Target::Path(path) = target else { return None };
    let secret = secret_at(path)?;
    (secret == Secret::Environment || path.starts_with(&place.project)).then_some(path)
}

fn folder(path: &Utf8Path) -> Option<Secret> {
    let keys = ends_with_any(path.as_str(), &[".ssh", ".gnupg"]);
    ends_with_any(path.as_str(), &FOLDERS).then_some(if keys {
        Secret::PrivateKey
    } else {
        Secret::Credentials
    })
}

fn is_private_key(text: &str, name: &str, among: Among) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let named_so = match extension {
        "pub" | "conf" | "md" | "txt" | "go" | "rs" | "py" | "ts" | "js" | "d" => false,
        "key" | "p12" | "pfx" | "jks" | "keystore" | "kdbx" | "ppk" | "p8" => !stem.is_empty(),
        "pem" => true,
        "gpg" | "asc" => stem.contains("secret") || stem.contains("private") || stem == "secring",
        _ => {
            (name.starts_with("id_") && is_key_kind(name))
                || (among.ssh && !is_open_ssh_file(name))
                || (name.starts_with("ssh_host_") && name.ends_with("_key"))
                || among.private_keys
        }
    };
    named_so && !is_public(name) && (among.ssh || !is_sample(text))
}

/// Files in `.ssh` that are not secret.
fn is_open_ssh_file(name: &str) -> bool {
    let open = [
        "config", "known_hosts", "authorized_keys", "environment", "rc", "agent", "control", "sockets",
        "cm-", ".ssh",
    ];
    open.iter().any(|start| name.starts_with(start))
}

fn is_key_kind(name: &str) -> bool {
    let kind = name.trim_start_matches("id_").trim_end_matches("_sk");
    matches!(kind, "rsa" | "dsa" | "ecdsa" | "ed25519") || kind.starts_with('*')
}

/// Certificates and the public halves of keys.
fn is_public(name: &str) -> bool {
    const WORDS: [&str; 17] = [
        "ca", "cert", "certs", "chain", "fullchain", "pub", "public", "csr", "crl", "bundle", "root",
        "dhparam", "cacert", "pubkey", "certificate", "client", "dhparams",
    ];
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.split(['-', '_', '.']).any(|word| WORDS.contains(&word))
        && !stem.contains("priv")
        && !stem.contains("-key")
        && !stem.contains("_key")
}

/// Keys that are public on purpose: test data and examples.
fn is_sample(text: &str) -> bool {
    const SAMPLES: [&str; 10] = [
        "test", "tests", "testdata", "fixtures", "__tests__", "spec", "examples", "example", "mocks",
        "vendor",
    ];
    SAMPLES.iter().any(|part| has_part(text, part))
}

fn is_process_environment(text: &str) -> bool {
    let process = text.strip_prefix("/proc/").and_then(|rest| rest.strip_suffix("/environ"));
    let memory = || {
        text.starts_with("/proc/") && (text.ends_with("/mem") || text == "/proc/kcore")
            || matches!(text, "/dev/mem" | "/dev/kmem")
    };
    process.is_some_and(|process| process != "self") || memory()
}

fn is_browser_store(name: &str) -> bool {
    matches!(name, "Login Data" | "logins.json" | "key4.db" | "Cookies" | "cookies.sqlite")
}

fn is_environment(name: &str) -> bool {
    const PUBLIC: [&str; 10] =
        ["example", "sample", "template", "dist", "test", "defaults", "default", "schema", "d", "tpl"];
    let shown = name.split('.').any(|word| PUBLIC.contains(&word));
    if shown {
        return false;
    }
    ENVIRONMENT.contains(&name)
        || name.starts_with(".env")
        || name.strip_suffix(".env").is_some_and(|stem| !stem.contains('*'))
        || (name.ends_with(".json") && (name.contains("service-account") || name.contains("service_account")))
}

fn ends_with_any(text: &str, ends: &[&str]) -> bool {
    let last = text.as_bytes().last();
    ends.iter()
        .filter(|end| end.as_bytes().last() == last)
        .any(|end| text.strip_suffix(end).is_some_and(|front| front.is_empty() || front.ends_with('/')))
}

fn has_part(text: &str, part: &str) -> bool {
    text.split('/').any(|each| each == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Option<Secret> {
        secret_at(Utf8Path::new(path))
    }

    #[test]
    fn keys_and_credentials_are_told_by_their_names() {
        for key in [
            "/home/u/.ssh/id_rsa",
            "/root/.ssh/id_work",
            "/root/.ssh/deploy",
            "/p/server.key",
            "/p/privkey.pem",
            "/p/client-key.pem",
            "/etc/ssh/ssh_host_ed25519_key",
            "/home/u/.gnupg/private-keys-v1.d/x.key",
            "/p/release.p12",
        ] {
            assert_eq!(at(key), Some(Secret::PrivateKey), "{key}");
        }
        for stored in ["/home/u/.aws/credentials", "/etc/shadow", "/proc/1/environ", "/home/u/.netrc"] {
            assert_eq!(at(stored), Some(Secret::Credentials), "{stored}");
        }
        for environment in ["/p/.env", "/p/.env.production", "/p/prod.env"] {
            assert_eq!(at(environment), Some(Secret::Environment), "{environment}");
        }
    }

    #[test]
    fn what_is_public_is_no_secret() {
        for path in [
            "/home/u/.ssh/id_rsa.pub",
            "/home/u/.ssh/config",
            "/home/u/.ssh/known_hosts",
            "/home/u/.ssh/config.d",
            "/p/cert.pem",
            "/p/ca.pem",
            "/p/fullchain.pem",
            "/p/.env.example",
            "/p/tests/fixtures/server.key",
            "/p/src/id_map.rs",
            "/p/src/id_generator",
            "/proc/self/environ",
            "/p/config.json",
        ] {
            assert_eq!(at(path), None, "{path}");
        }
    }
}
