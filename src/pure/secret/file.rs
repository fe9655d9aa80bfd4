//! Files that hold credentials by convention.

use super::file_role::FileRole;
use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};

const NAMES: [&str; 16] = [
    ".env", ".netrc", "_netrc", ".pgpass", ".htpasswd", ".git-credentials", ".pypirc", ".dockercfg",
    "id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "secring.gpg",
    "master.key",
];
const ENDINGS: [&str; 6] = [".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];
const PATHS: [&str; 4] =
    [".aws/credentials", ".kube/config", ".docker/config.json", "config/credentials.yml.key"];
const REASON: &str = "a file that holds credentials by convention";
const MASTER_KEY: &str = "the key that opens the credentials of a Rails application";

/// The finding for the name of a file that is not empty.
pub(super) fn named(path: &str, content: &[u8]) -> Option<FoundSecretSpan> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let text = content.trim_ascii();
    if text.is_empty() || FileRole::of(path) == FileRole::Template {
        return None;
    }
    let key = name.ends_with(".key") && text.len() == 32 && text.iter().all(u8::is_ascii_hexdigit);
    let conventional = NAMES.contains(&name.as_str())
        || name.starts_with(".env.")
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || PATHS.iter().any(|ending| path.ends_with(ending));
    let (rule, verdict, reason) = match (key, conventional) {
        (true, _) => ("rails-master-key", SecretVerdict::Block, MASTER_KEY),
        (false, true) => ("credential-file", SecretVerdict::Ask, REASON),
        (false, false) => return None,
    };
    Some(FoundSecretSpan::new(rule, verdict, MatchStrength::Name, reason, 0..text.len().min(32)))
}
