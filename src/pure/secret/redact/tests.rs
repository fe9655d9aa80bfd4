use super::*;

/// Put together at run time, so that no scanner takes this file for a leak.
fn made_up(prefix: &str, length: usize) -> String {
    let alphabet = b"kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0vKtEqMzNb";
    let tail = alphabet.iter().cycle().take(length).map(|byte| char::from(*byte));
    prefix.chars().chain(tail).collect()
}

#[test]
fn secrets_are_cut_and_everything_else_stays() {
    let key = format!("sk_{}_{}", "live", "kQ7xZ2mV9rT4wB8nL3sD6fH1");
    let command = format!("curl -H 'é' -d api_key=\"{key}\" https://example.invalid # {key}");
    let shown = redact(&command);
    assert!(!shown.contains(&key), "{shown}");
    assert!(shown.starts_with("curl -H 'é' -d api_key=\"sk_l…"), "{shown}");
    assert_eq!(redact("git status"), "git status");
    assert_eq!(redact(""), "");
}

/// Texts in which `@` stands for the secret.
const NAMED: &[&str] = &[
    "PGPASSWORD=@ psql -h db",
    "export DB_PASSWORD=@",
    "TOKEN=@ ./deploy.sh --now",
    "env API_KEY=@ make release",
    "mysql -uroot -p@ shop",
    "mysql -uroot -p'@' shop",
    "mysqldump --password=@ shop",
    "sshpass -p @ ssh host",
    "sshpass -p '@' ssh host",
    "docker login -u ada -p @ registry.internal",
    "redis-cli -h cache -a @ ping",
    "ldapsearch -x -w @ -b dc=x",
    "mongosh --host db -u ada -p @",
    "curl -u ada:@ https://ci.internal/build",
    "curl --user \"ada:@\" https://ci.internal/build",
    "curl -s https://ada:@@ci.internal/build",
    "psql postgres://ada:@@localhost:5432/app",
    "git clone https://x-access-token:@@git.internal/a/b.git",
    "curl -H 'Authorization: Bearer @' https://api.internal",
    "curl -H \"authorization: token @\" https://api.internal",
    "curl -H 'X-Api-Key: @' https://api.internal",
    "curl -b 'x' -H 'Cookie: sid=@; theme=dark' https://api.internal",
    "wget --header='Authorization: Basic @' https://api.internal",
    "gpg --batch --passphrase @ -d file",
    "keytool -storepass @ -list",
    "cat > .env <<'END'\nDB_HOST=db\nDB_PASSWORD=@\nEND",
    "cat > .env <<END\nSTRIPE_SECRET=\"@\"\nEND",
    "{\"user\": \"ada\", \"password\": \"@\"}",
    "{\\\"user\\\": \\\"ada\\\", \\\"password\\\": \\\"@\\\"}",
    "{\"tool\":{\"headers\":{\"x-auth-token\":\"@\"}}}",
    "my password is @ and the host is db",
    "Please use the token @ for the upload",
    "the password: @",
    "password:\n  @\n",
    "<password>@</password>",
    "machine db login ada password @",
    "https://api.internal/v1?access_token=@&page=2",
    "https%3A%2F%2Fapi.internal%2F%3Faccess_token%3D@%26page%3D2",
    "Server=db;User Id=ada;Password=@;Encrypt=yes",
    "kind: Secret\ndata:\n  first: YWJjZGVmZ2hpamtsbW5v\n  second: @\n",
    "kubectl create secret generic x --from-literal=password=@",
    "error: access denied for user 'ada' (using password: '@')",
    "password=\\\n@",
    "\u{0}password=@",
];

#[test]
fn a_secret_is_cut_wherever_its_name_or_its_place_gives_it_away() {
    for secret in
        ["Tr0ub4dor&3x".replace('&', ""), made_up("", 32), "hunter22".into(), "S3cr3tPassw0rd".into()]
    {
        for text in NAMED {
            let text = text.replacen('@', &secret, 1);
            let shown = redact(&text);
            assert!(!shown.contains(&secret), "{text:?} → {shown:?}");
            assert_eq!(redact(&shown), shown, "{text:?} is cut down once");
        }
    }
}

fn forms() -> Vec<String> {
    let jwt = concat!("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.");
    vec![
        made_up("ghp_", 36),
        made_up("github_pat_", 60),
        format!("AKIA{}", made_up("", 16).to_uppercase()),
        made_up("sk_live_", 24),
        made_up("xoxb-240391857231-240391857232-", 24),
        made_up("glpat-", 20),
        made_up("npm_", 36),
        format!("SG.{}.{}", made_up("", 22), made_up("", 43)),
        made_up(jwt, 43),
        made_up("AIza", 35),
    ]
}

#[test]
fn a_form_of_its_own_is_cut_in_every_surrounding() {
    for secret in forms() {
        let (head, tail) = secret.split_at(secret.len() / 2);
        for text in [
            secret.clone(),
            format!("echo {secret}"),
            format!("/srv/backup/{secret}.txt"),
            format!("/srv/backup.{secret}/file"),
            format!("prefix_{secret}-suffix"),
            format!("{{\"x\":\"a\\n{secret}\"}}"),
            format!("?q%3D{secret}%26"),
            format!("git commit -m 'Use {secret}'"),
            format!("é{secret}é"),
            format!("one\u{0}two {secret}"),
        ] {
            let shown = redact(&text);
            assert!(!shown.contains(&secret) && !shown.contains(tail), "{text:?} → {shown:?}");
            assert_eq!(redact(&shown), shown, "{text:?} is cut down once");
        }
        for text in [format!("echo {head}\\\n{tail}"), format!("say {head}\n   {tail} end")] {
            let shown = redact(&text);
            assert!(!shown.contains(tail), "{text:?} → {shown:?}");
        }
        let escaped: String = secret.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        let shown = redact(&format!("{{\"x\":\"{escaped}\"}}"));
        assert!(!shown.contains(&escaped), "{secret} → {shown}");
    }
}

#[test]
fn a_key_is_cut_to_its_last_line_in_every_spelling() {
    let lines: Vec<String> = (0..20).map(|line| made_up(&format!("MII{line:02}"), 59)).collect();
    let (begin, end) =
        (format!("-----BEGIN RSA {} KEY-----", "PRIVATE"), format!("-----END RSA {} KEY-----", "PRIVATE"));
    for newline in ["\n", "\r\n", "\\n", "\\\\n"] {
        let whole =
            [[begin.as_str()].as_slice(), &lines.iter().map(String::as_str).collect::<Vec<_>>(), &[&end]]
                .concat()
                .join(newline);
        for text in [
            format!("before {whole} after"),
            format!("echo \"{whole}\" > key"),
            whole.get(..900).unwrap().to_owned(),
        ] {
            for shown in [redact(&text), redact_code(&text)] {
                let left = lines.iter().find(|line| shown.contains(line.get(5..30).unwrap()));
                assert_eq!(left, None, "{text} → {shown}");
            }
        }
    }
}

#[test]
fn what_is_no_secret_stays_as_it_is() {
    for text in [
        "cargo test --locked && git push",
        "Add a password field to the login form and make the token refresh work",
        "Rename `token` to `session_token`, and keep the public key as it is",
        "the password: should be at least 8 characters",
        "grep -rn password src | head -5",
        "let password = read_password()?;",
        "token = os.environ['TOKEN']",
        "curl -H \"Authorization: Bearer $TOKEN\" https://api.internal",
        "PGPASSWORD=$PW psql",
        "mysql -p shop < dump.sql",
        "docker run -p 8080:80 -it image",
        "git log --author=ada --since=2.weeks",
        "https://example.org/a/b?page=2#key",
        "postgres://postgres:postgres@localhost/app",
        "all 12 tests pass in 3.4 seconds",
        "error[E0425]: cannot find value `key` in this scope",
        "/home/ada/projects/key-value/src/token.rs",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "toolu_01A09q90qw90lq917835lq9",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_piece_is_read_with_what_stands_around_it() {
    let secret = made_up("ghp_", 36);
    let text = format!("{} {secret} {}", "word ".repeat(2_000), "more ".repeat(2_000));
    let at = text.find(&secret).unwrap();
    let cut = |piece: Range<usize>| Redacted::piece(&text, piece, str::to_owned).to_string();
    assert_eq!(cut(at + 20..at + 45), "… more");
    assert_eq!(cut(at - 5..at + 12), "ord  ghp_…");
    let start = Redacted::beginning(&format!("x {secret}"), 10, |text| text.chars().take(10).collect());
    assert_eq!(start.as_str(), "x ghp_…");
}
