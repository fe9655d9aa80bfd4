//! Keys, passwords and certificates, and where they are kept.

use super::table::{ProgramTable, destroys, disrupts, exposes, programs};

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("gpg gpg2")
        .rows(&[destroys("", "deletes keys").needs("--delete-secret-* --delete-key --delete-keys")]),
    programs("security").rows(&[
        destroys("delete-*", "deletes keys or passwords from the keychain"),
        exposes("add-trusted-cert|authorizationdb", "change what this machine trusts").unless("read"),
    ]),
    programs("vault bao").valued("-address -namespace -ca-cert -format").rows(&[
        destroys("delete", "deletes secrets"),
        destroys("kv delete|destroy|metadata", "deletes secrets").unless("get put"),
        destroys(
            "secrets|auth|audit|policy|namespace disable|delete",
            "deletes secrets or who may read them",
        ),
        disrupts(
            "operator|token|lease seal|step-down|rekey|rotate|revoke",
            "lock the vault or take away what others sign in with",
        ),
    ]),
    programs("consul").valued("-http-addr -token -datacenter -namespace").rows(&[
        destroys("kv|config delete", "deletes keys"),
        destroys("snapshot restore", "overwrites everything"),
        disrupts("leave|force-leave", "take a node out"),
    ]),
    programs("pass gopass op bw lpass secret-tool doppler infisical")
        .valued("--vault --account --session -p --project -c --config")
        .reads("show get list ls read")
        .rows(&[destroys("* rm|remove|delete|clear|unset", "deletes secrets")]),
    programs("certbot").rows(&[destroys("delete|revoke", "deletes or revokes a certificate")]),
];
