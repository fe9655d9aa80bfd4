//! Which secrets that a command shows are asked about: by content, and only where somebody reads them.

use crate::pure::step::sample::with_files;
use crate::pure::step::{Decision, StepDecision};

fn asks(command: &str, files: &[(&str, &str)]) -> bool {
    let StepDecision { decision, findings, .. } = with_files(command, files);
    let secret = findings.iter().any(|finding| finding.rule.as_str() == "read_secret");
    assert_eq!(secret, decision == Decision::Ask, "{command}: {findings:?}");
    secret
}

fn with_key() -> String {
    format!("PORT=8080\nGITHUB_TOKEN=ghp_{}\n", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi")
}

#[test]
fn an_environment_file_is_asked_about_by_its_content() {
    let secret = with_key();
    for command in ["cat .env", "grep TOKEN .env", "cat .env | sort", "git show HEAD:.env", "head -3 ./.env"]
    {
        assert!(asks(command, &[(".env", &secret)]), "{command}");
        assert!(!asks(command, &[(".env", "PORT=8080\nDEBUG=1\n")]), "{command}");
    }
    assert!(!asks("cat .env.example", &[(".env.example", &secret)]));
}

#[test]
fn values_that_nobody_reads_are_silent() {
    let secret = with_key();
    for command in [
        "source .env && npm test",
        "grep -c TOKEN .env",
        "wc -l .env",
        "cut -d= -f1 .env",
        "cat .env | sed 's/=.*//'",
        "sed 's/=.*/=x/' .env",
        "cat .env > .env.backup",
        "export $(grep -v '^#' .env | xargs)",
        "TOKEN=$(grep TOKEN .env | cut -d= -f2) npm test",
    ] {
        assert!(!asks(command, &[(".env", &secret)]), "{command}");
    }
}

#[test]
fn a_store_is_asked_about_where_its_value_is_shown() {
    for command in [
        "gh auth token",
        "kubectl get secret db -o yaml",
        "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d",
        "vault kv get secret/db",
        "aws secretsmanager get-secret-value --secret-id db",
        "op read op://a/b/c",
        "echo $(gh auth token)",
        "pass show mail",
    ] {
        assert!(asks(command, &[]), "{command}");
    }
    for command in [
        "kubectl get secret",
        "kubectl get secret db -o name",
        "TOKEN=$(gh auth token) npm publish --dry-run",
        "gh auth token | docker login ghcr.io -u me --password-stdin",
        "aws secretsmanager list-secrets",
        "vault kv get secret/db > /tmp/db.json",
        "vault read sys/health",
        "pass show -c mail",
        "doppler secrets --only-names",
    ] {
        assert!(!asks(command, &[]), "{command}");
    }
}

#[test]
fn sops_is_asked_about_where_the_file_is_encrypted() {
    let encrypted = [("a.yaml", "password: ENC[AES256_GCM,data:x]\n")];
    assert!(asks("sops -d a.yaml", &encrypted));
    assert!(!asks("sops -d a.yaml | kubectl apply -f -", &encrypted));
    assert!(!asks("sops -d a.yaml", &[("a.yaml", "port: 1\n")]));
    assert!(!asks("sops -d a.yaml", &[]));
}

#[test]
fn a_key_in_the_project_counts_by_content_and_one_of_the_person_by_name() {
    assert!(asks("cat server.key", &[]), "unknown content");
    assert!(!asks("cat server.key", &[("server.key", "placeholder\n")]));
    assert!(asks("cat ~/.ssh/id_rsa", &[]));
    assert!(asks("pwsh -Command 'Get-Content ~/.ssh/id_rsa'", &[]));
}
