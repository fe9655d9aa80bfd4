//! Hashes of passwords, and tickets, that somebody could crack or replay. Often public examples, so each is a guess.

use super::row::{Token, around, token};

pub(super) const TOKENS: &[Token] = &[
    token("bcrypt-hash", "$2a$", r"\d\d\$[A-Za-z0-9./]{53}").also(&["$2b$", "$2y$"]).uncertain(),
    token("md5-crypt-hash", "$1$", r"[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}").uncertain(),
    token("apache-hash", "$apr1$", r"[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}").uncertain(),
    token("sha-crypt-hash", "$5$", r"(?:rounds=\d+\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{43}").uncertain(),
    token("sha-crypt-hash", "$6$", r"(?:rounds=\d+\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{86}").uncertain(),
    token(
        "argon2-hash",
        "$argon2",
        r"(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,86}",
    )
    .uncertain(),
    token("sha-crypt-hash", "$y$", r"[A-Za-z0-9./]{3,8}\$[A-Za-z0-9./]{1,86}\$[A-Za-z0-9./]{43}")
        .also(&["$gy$"])
        .uncertain(),
    token("sha-crypt-hash", "$sha1$", r"\d+\$[A-Za-z0-9./]{1,64}\$[A-Za-z0-9./]{28}").uncertain(),
    token("scrypt-hash", "$scrypt$", r"ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,88}")
        .uncertain(),
    token(
        "scram-hash",
        "SCRAM-SHA-",
        r"(?:1|256)\$\d+:[A-Za-z0-9+/]{20,44}={0,2}\$[A-Za-z0-9+/]{27,44}={0,2}:[A-Za-z0-9+/]{27,44}={0,2}",
    )
    .uncertain(),
    token("grub-hash", "grub.pbkdf2.sha512.", r"\d+\.[0-9A-Fa-f]{64,}\.[0-9A-Fa-f]{128}").uncertain(),
    token("phpass-hash", "$P$", r"[A-Za-z0-9./]{31}").also(&["$H$"]).uncertain(),
    token(
        "pbkdf2-hash",
        "pbkdf2_sha",
        r"(?:1|256|512)\$\d+\$[A-Za-z0-9./]{6,64}\$[A-Za-z0-9+/]{27,88}={0,2}",
    )
    .uncertain(),
    token(
        "pbkdf2-hash",
        "$pbkdf2",
        r"(?:-sha1|-sha256|-sha512)?\$\d+\$[A-Za-z0-9./]{6,64}\$[A-Za-z0-9./]{27,88}",
    )
    .uncertain(),
    token("ldap-hash", "{SSHA", r"(?:256|384|512)?\}[A-Za-z0-9+/]{30,140}={0,2}")
        .also(&["{SMD5"])
        .uncertain(),
    token("kerberos-ticket", "$krb5tgs$", r"\d{2}\$[^\s]{0,200}\$[0-9a-fA-F]{64,}").uncertain(),
    token(
        "kerberos-ticket",
        "$krb5asrep$",
        r"(?:\d{2}\$)?[^\s$]{1,120}[:$][0-9a-fA-F]{24,64}\$[0-9a-fA-F]{64,}",
    )
    .uncertain(),
    token("kerberos-ticket", "$krb5pa$", r"\d{2}\$[^\s]{1,160}\$[0-9a-fA-F]{80,}").uncertain(),
    around("ntlm-response", r"[0-9a-fA-F]{32}", ":01010000", r"[0-9a-fA-F]{32,}").uncertain(),
    token("ntlm-hash", "aad3b435b51404eeaad3b435b51404ee:", r"[0-9a-fA-F]{32}").uncertain(),
    token("domain-cached-credentials", "$DCC2$", r"\d+#[^#\s]{1,64}#[0-9a-fA-F]{32}").uncertain(),
    token("cisco-hash", "$8$", r"[A-Za-z0-9./]{14}\$[A-Za-z0-9./]{43}").also(&["$9$"]).uncertain(),
    token("cisco-password", "password 7 ", r"[0-9A-F]{12,60}").uncertain(),
    token("jenkins-encrypted", "{AQAAABAAAA", r"[A-Za-z0-9+/]{20,400}={0,2}\}").uncertain(),
    around("postgres-password-file", r"[\w.*-]{2,100}", ":5432:", r"[\w*-]{1,64}:[\w.-]{1,64}:[^\s:]{6,64}")
        .uncertain(),
    token("oracle-address", "jdbc:oracle:thin:", r#"[\w$#]{1,40}/[^@\s/"']*\d[^@\s/"']*@"#).uncertain(),
];
