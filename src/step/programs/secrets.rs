//! Keys, passwords and certificates, and where they are kept.

use super::table::{Tool, destroys, disrupts, exposes};

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["gpg", "gpg2"],
        valued: "",
        reads: "",
        rows: &[destroys("", "deletes keys", "gpg --delete-secret-keys x", "gpg --list-secret-keys")
            .needs("--delete-secret-* --delete-key --delete-keys")],
    },
    Tool {
        names: &["security"],
        valued: "",
        reads: "",
        rows: &[
            destroys(
                "delete-*",
                "deletes keys or passwords from the keychain",
                "security delete-generic-password -s x",
                "security find-generic-password -s x",
            ),
            exposes(
                "add-trusted-cert|authorizationdb",
                "change what this machine trusts",
                "security add-trusted-cert x.pem",
                "security verify-cert -c x.pem",
            )
            .unless("read"),
        ],
    },
    Tool {
        names: &["vault", "bao"],
        valued: "-address -namespace -ca-cert -format",
        reads: "",
        rows: &[
            destroys("delete", "deletes secrets", "vault delete secret/x", "vault read secret/x"),
            destroys(
                "kv delete|destroy|metadata",
                "deletes secrets",
                "vault kv destroy -versions=1 secret/x",
                "vault kv metadata get secret/x",
            )
            .unless("get put"),
            destroys(
                "secrets|auth|audit|policy|namespace disable|delete",
                "deletes secrets or who may read them",
                "vault secrets disable kv",
                "vault secrets list",
            ),
            disrupts(
                "operator|token|lease seal|step-down|rekey|rotate|revoke",
                "lock the vault or take away what others sign in with",
                "vault operator seal",
                "vault operator members",
            ),
        ],
    },
    Tool {
        names: &["consul"],
        valued: "-http-addr -token -datacenter -namespace",
        reads: "",
        rows: &[
            destroys(
                "kv|config delete",
                "deletes keys",
                "consul kv delete -recurse app/",
                "consul kv get app/x",
            ),
            destroys(
                "snapshot restore",
                "overwrites everything",
                "consul snapshot restore x",
                "consul snapshot inspect x",
            ),
            disrupts("leave|force-leave", "take a node out", "consul force-leave n1", "consul members"),
        ],
    },
    Tool {
        names: &["pass", "gopass", "op", "bw", "lpass", "secret-tool", "doppler", "infisical"],
        valued: "--vault --account --session -p --project -c --config",
        reads: "show get list ls read",
        rows: &[destroys(
            "* rm|remove|delete|clear|unset",
            "deletes secrets",
            "op item delete x",
            "op item get x",
        )],
    },
    Tool {
        names: &["certbot"],
        valued: "",
        reads: "",
        rows: &[destroys(
            "delete|revoke",
            "deletes or revokes a certificate",
            "certbot delete --cert-name x",
            "certbot certificates",
        )],
    },
];
