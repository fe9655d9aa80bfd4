//! Runs the rules over one file's bytes.

use super::rule::{RULES, Rule, Severity};
use memchr::{memchr, memchr_iter, memmem};

/// Git's own rule of thumb for binary content.
const LOOKED_AT_FOR_NUL: usize = 8 * 1024;

/// A secret that was found. It never holds more of it than four characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub rule: &'static str,
    pub severity: Severity,
    /// Counted from 1.
    pub line: u32,
    pub redacted: String,
}

/// The secrets in `content`, by line. Binary content and templates of `.env` files have none.
pub fn scan(path: &str, content: &[u8]) -> Vec<Match> {
    let head = content.get(..LOOKED_AT_FOR_NUL).unwrap_or(content);
    if memchr(0, head).is_some() || is_template(path) {
        return Vec::new();
    }
    let mut matches: Vec<_> = concerned(content).flat_map(|rule| matches_of(rule, content)).collect();
    matches.sort_by_key(|found| found.line);
    matches
}

/// The rules whose words occur in the content.
pub(super) fn concerned(content: &[u8]) -> impl Iterator<Item = &'static Rule> {
    let lower = content.to_ascii_lowercase();
    let occurs = move |literal: &&str| memmem::find(&lower, literal.as_bytes()).is_some();
    RULES.iter().filter(move |rule| rule.literals.iter().any(&occurs))
}

fn is_template(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with(".env")
        && [".example", ".sample", ".template"].iter().any(|ending| name.ends_with(ending))
}

fn matches_of(rule: &Rule, content: &[u8]) -> Vec<Match> {
    let Some(pattern) = rule.pattern.as_ref() else { return Vec::new() };
    let found = pattern.captures_iter(content).filter_map(|captures| {
        let start = captures.get(0)?.start();
        let secret = captures.iter().skip(1).flatten().next()?.as_bytes();
        (!(rule.placeholder)(secret)).then(|| Match {
            rule: rule.name,
            severity: rule.severity,
            line: line_at(content, start),
            redacted: redacted(secret),
        })
    });
    found.collect()
}

fn line_at(content: &[u8], offset: usize) -> u32 {
    let before = content.get(..offset).unwrap_or(content);
    u32::try_from(memchr_iter(b'\n', before).count()).unwrap_or(u32::MAX).saturating_add(1)
}

pub(super) fn redacted(secret: &[u8]) -> String {
    let mut text: String = String::from_utf8_lossy(secret).chars().take(4).collect();
    text.push('…');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together at run time, so that no scanner, ours included, takes this file for a leak.
    fn made_up(prefix: &str, length: usize) -> String {
        let alphabet = b"kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0vKtEqMzNb";
        let tail = alphabet.iter().cycle().take(length).map(|byte| char::from(*byte));
        prefix.chars().chain(tail).collect()
    }

    fn rules_in(content: &str) -> Vec<&'static str> {
        scan("src/settings.rs", content.as_bytes()).into_iter().map(|found| found.rule).collect()
    }

    #[test]
    fn every_pattern_compiles() {
        for rule in &RULES {
            assert!(rule.pattern.is_some(), "{}", rule.name);
            assert!(
                rule.literals.iter().all(|literal| literal.to_ascii_lowercase() == **literal),
                "{}",
                rule.name
            );
        }
    }

    #[test]
    fn each_rule_hits_what_people_really_write() {
        let value = made_up("", 28);
        let upper = made_up("", 64).to_uppercase();
        let aws: String = upper.chars().take(16).collect();
        let body = made_up("MIIE", 60);
        let assignments = [
            "{} = \"@\"", "{}=@", "{}: '@'", "\"{}\": \"@\"", "{} := `@`", "{}=\"@\"",
            "settings['{}'] = '@'", "{} => '@'",
        ];
        for (rule, names) in [
            ("generic-api-key", ["api_key", "API_SECRET", "serviceApiKey"]),
            ("jwt-secret", ["jwt_secret", "JWT-SECRET", "jwtSecretKey"]),
            ("oauth-client-secret", ["client_secret", "OAUTH_SECRET", "clientSecret"]),
        ] {
            for text in names
                .iter()
                .flat_map(|name| assignments.map(|form| form.replace("{}", name).replace('@', &value)))
            {
                assert_eq!(rules_in(&text), [rule], "{text}");
            }
        }
        let begin = |kind: &str| format!("-----BEGIN {kind}PRIVATE KEY-----");
        for (rule, text) in [
            ("private-key", format!("{}\n{body}\n", begin("RSA "))),
            ("private-key", format!("{}\r\n{body}\r\n", begin(""))),
            ("private-key", format!("key = \"{}\\n{body}\\n\"", begin("EC "))),
            ("private-key", format!("{}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n{body}", begin("DSA "))),
            ("aws-access-key", format!("id = AKIA{aws}")),
            ("aws-access-key", format!("'ASIA{aws}'")),
            ("github-token", made_up("ghp_", 36)),
            ("github-token", made_up("github_pat_", 60)),
            ("database-url", format!("postgres://app:{value}@db.prod.internal:5432/app")),
            ("database-url", format!("postgresql+psycopg2://app:{value}@10.0.0.5/app")),
            ("database-url", format!("mongodb+srv://app:{value}@cluster0.mongodb.net")),
            ("database-url", format!("MYSQL://app:p@ss{value}@db.prod.internal/app")),
        ] {
            assert_eq!(rules_in(&text), [rule], "{text}");
        }
    }

    #[test]
    fn near_misses_are_left_alone() {
        let value = made_up("", 28);
        let local = format!("postgres://app:{value}@localhost:5432/app");
        let begin = "-----BEGIN RSA PRIVATE KEY-----";
        for text in [
            "api_key = \"YOUR_API_KEY_GOES_HERE_12345\"",
            "api_key=settings_provider_get_api_key",
            "api_key = os.environ[\"SERVICE_API_KEY_2\"]",
            "apiKey: process.env.SERVICE_API_KEY_V2",
            "api_key: ${{ secrets.SERVICE_API_KEY_2 }}",
            "api_key = \"<insert-your-key-number-1-here>\"",
            "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx1",
            "api_key = \"tooshort1\"",
            "client_secret = \"aaaaaaaaaaaaaaaaaaaaaaaa1\"",
            "jwt_secret = \"${JWT_SECRET_FROM_VAULT_2}\"",
            begin,
            &format!("if line == \"{begin}\" {{ parse(rest_of_the_lines_in_the_file) }}"),
            &format!("{begin}\n...\n-----END RSA PRIVATE KEY-----"),
            "AKIAIOSFODNN7EXAMPLE",
            "AKIA_NOT_A_KEY_AT_ALL",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_short",
            "postgres://localhost/mydb",
            "postgres://${user}:${password}@${host}/app",
            "postgres://postgres:postgres@db:5432/app",
            "mysql://user:password@db.internal/app",
            "mongodb://db.internal/app?x=a:b",
            &local,
        ] {
            assert_eq!(rules_in(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_match_names_its_line_and_never_the_secret() {
        let (secret, start) = (made_up("ghp_", 36), made_up("ghp_", 4));
        let found = scan("a.rs", format!("one\r\n\ntoken {secret}\n").as_bytes());
        let expected =
            Match { rule: "github-token", severity: Severity::Critical, line: 3, redacted: "ghp_…".into() };
        assert_eq!(found, [expected]);
        assert!(!format!("{found:?}").contains(&start));
    }

    #[test]
    fn only_a_database_url_is_less_than_critical() {
        let high = RULES.iter().filter(|rule| rule.severity == Severity::High).map(|rule| rule.name);
        assert_eq!(high.collect::<Vec<_>>(), ["database-url"]);
    }

    #[test]
    fn binary_content_and_env_templates_are_skipped() {
        let secret = made_up("ghp_", 36);
        assert_eq!(scan("a.bin", format!("\0{secret}").as_bytes()), []);
        for path in [".env.example", "deploy/.env.sample", ".env.production.template"] {
            assert_eq!(scan(path, secret.as_bytes()), [], "{path}");
        }
        for path in [".env", "example.rs", ".env.example.bak", "env.example/x"] {
            assert_eq!(scan(path, secret.as_bytes()).len(), 1, "{path}");
        }
    }

    #[test]
    fn hostile_bytes_do_no_harm() {
        let mut bytes = b"\xff\xfe api_key = \"".to_vec();
        bytes.extend(std::iter::repeat_n(0xff, 1 << 20));
        scan("x", &bytes);
        assert_eq!(scan("x", b""), []);
    }
}
