//! Inputs to begin with: the examples of the rules, recorded events, and one of each file that is read.

use crate::edge::config::Loaded;
use crate::edge::file::checksummed;
use crate::edge::state::{MonitorState, SessionFacts};
use crate::pure::attestation::{Envelope, Statement, sample as attested, union};
use crate::pure::monitor::interventions::{Orders, Prompts};
use crate::pure::policy::Settings;
use crate::pure::review::TreeId;
use crate::pure::step::{CustomRules, sample};
use serde_json::{Value, json};

pub(super) type Corpus = Vec<Vec<u8>>;

const CALLS: [&str; 2] =
    [include_str!("../../tests/corpus/dangerous.jsonl"), include_str!("../../tests/corpus/honest.jsonl")];
const EVENTS: &str = include_str!("../../tests/fixtures/events-2.1.325.jsonl");
const PAGES: [&str; 3] = [
    include_str!("../../docs/configuration.md"),
    include_str!("../../docs/rules.md"),
    include_str!("../../docs/interventions.md"),
];

pub(super) fn commands() -> Corpus {
    let examples = sample::examples().into_iter().filter_map(|example| example.command.map(str::to_owned));
    let programs =
        sample::program_examples().into_iter().flat_map(|(hit, miss)| [hit.to_owned(), miss.to_owned()]);
    let calls = CALLS.iter().flat_map(|calls| calls.lines()).filter_map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["command"].as_str().map(str::to_owned)
    });
    examples.chain(programs).chain(calls).map(String::into_bytes).collect()
}

pub(super) fn events() -> Corpus {
    let event = |line| serde_json::from_str::<Value>(line).unwrap()["event"].to_string();
    EVENTS.lines().map(event).map(String::into_bytes).collect()
}

/// The examples in the pages.
pub(super) fn settings() -> Corpus {
    let blocks = PAGES.iter().flat_map(|page| page.split("```yaml\n").skip(1));
    blocks.filter_map(|rest| Some(rest.split_once("```")?.0.as_bytes().to_vec())).collect()
}

pub(super) fn state() -> Corpus {
    let loaded = Loaded {
        settings: Settings::default(),
        hash: "h".into(),
        ignored: Vec::new(),
        rules: CustomRules::default(),
        prompts: Prompts::default(),
        sources: Vec::new(),
    };
    vec![
        postcard::to_stdvec(&MonitorState::default()).unwrap(),
        checksummed::encode(&MonitorState::default(), 2).unwrap(),
        postcard::to_stdvec(&loaded).unwrap(),
        serde_json::to_vec(&SessionFacts::default()).unwrap(),
        serde_json::to_vec(&Orders::default()).unwrap(),
        json!({"version": 1, "value": {"id": "r"}, "seal": "0".repeat(64)}).to_string().into_bytes(),
        vec![0; 128],
    ]
}

/// Names, addresses and blocks in which a secret may stand; the values are made up.
pub(super) fn texts() -> Corpus {
    let value = "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXa";
    let forms = [
        "api_key = \"@\"\nother = 1\n",
        "DB_PASSWORD=@ # the password\nexport DB_USER=app\n",
        "https://ada:@@db.internal:5432/shop?sslmode=off&key=@",
        "Authorization: Bearer @\r\nCookie: session=@; a=b",
        "curl -u ada:@ https://x.internal -H 'X-Api-Key: @'",
        "-----BEGIN RSA PRIVATE KEY-----\n@@\n@\n-----END RSA PRIVATE KEY-----\n",
        "apiVersion: v1\nkind: Secret\ndata:\n  token: @\n",
        "machine x login ada password @\n",
        "{\"auths\": {\"r.internal\": {\"auth\": \"@\"}}, \"token\": \"\\u0041@\"}",
        "login(\"ada\", \"@\"); mysql -p@ -u root; password: '@'",
        "<add key=\"Password\" value=\"@\"/> Server=x;User Id=a;Password=@;",
    ];
    forms.iter().map(|form| form.replace('@', value).into_bytes()).chain(commands()).collect()
}

pub(super) fn reports() -> Corpus {
    let sarif = json!({"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "scan", "rules": [{"id": "r1", "properties": {"tags": ["security"],
            "security-severity": "9.1"}, "defaultConfiguration": {"level": "error"}, "help": {"text": "h"}}]}},
        "invocations": [{"executionSuccessful": true}],
        "results": [{"ruleId": "r1", "ruleIndex": 0, "level": "warning", "message": {"text": "m {0}",
            "arguments": ["a"]}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/a%20b.rs",
            "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 3, "snippet": {"text": "let a"}}}}],
            "fixes": [{"description": {"text": "f"}}], "suppressions": [{"kind": "inSource"}],
            "baselineState": "new", "kind": "fail"}]}]});
    let answer = json!({"nonce": "n1", "marks": {"context.md": "m0"}, "verdict": "fail", "findings": [{"severity": "major",
        "category": "bug", "file": "src/a.rs", "line": 3, "quote": "let a", "message": "m", "fix": "f"}]});
    let rabbit = json!({"type": "finding", "severity": "major", "fileName": "src/a.rs", "codegenInstructions": "around \
        lines 14 - 17", "suggestions": ["x"]});
    let request = json!({"number": 3, "state": "OPEN", "isDraft": false, "reviewDecision": "APPROVED", "url": "u",
        "headRefOid": "0".repeat(40), "comments": [], "reviews": [], "statusCheckRollup": []});
    let log = "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\
               \"name\":\"Bash\",\"input\":{}}],\"usage\":{\"input_tokens\":3}},\"sessionId\":\"s\"}";
    [sarif.to_string(), format!("Well.\n```json\n{answer}\n```\n"), rabbit.to_string(), request.to_string()]
        .into_iter()
        .chain([log.to_owned(), "\u{1b}[31mred\u{1b}[0m 10%\r20%\r\nok\n".to_owned()])
        .map(String::into_bytes)
        .collect()
}

pub(super) fn attestations() -> Corpus {
    let review = attested::review(2, Some(1), &["f1"]);
    let statement = Statement::new(&attested::id(2), &TreeId(attested::id(3)), review.review);
    let envelope =
        Envelope { payload: statement.payload(), signature: b"-----BEGIN SSH SIGNATURE-----".to_vec() };
    let note = union([envelope.line().as_bytes(), b"{}\n"]);
    vec![
        statement.payload(),
        envelope.line().into_bytes(),
        note,
        b"main\nrefs/heads/release/*\n!x\n".to_vec(),
    ]
}
