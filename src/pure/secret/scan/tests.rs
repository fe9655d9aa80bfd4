use super::*;
use crate::pure::secret::SecretSeverity;

mod values;

/// Put together at run time, so that no scanner, ours included, takes this file for a leak.
fn made_up(prefix: &str, length: usize) -> String {
    let alphabet = b"kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0vKtEqMzNb";
    let tail = alphabet.iter().cycle().take(length).map(|byte| char::from(*byte));
    prefix.chars().chain(tail).collect()
}

fn hex(prefix: &str, length: usize) -> String {
    let digits = b"9f3a7c1e5b8d2046e17b4c9d0a63f58270e9b1d4";
    prefix.chars().chain(digits.iter().cycle().take(length).map(|byte| char::from(*byte))).collect()
}

fn found_in(content: &str) -> Vec<(&'static str, SecretVerdict)> {
    scan("src/settings.rs", content.as_bytes()).into_iter().map(|found| (found.rule, found.verdict)).collect()
}

fn blocked(content: &str) -> Vec<&'static str> {
    found_in(content)
        .into_iter()
        .filter(|(_, verdict)| *verdict == SecretVerdict::Block)
        .map(|(rule, _)| rule)
        .collect()
}

#[test]
fn each_of_the_seven_patterns_hits_what_people_really_write() {
    let value = made_up("", 28);
    let upper = made_up("", 64).to_uppercase();
    let aws: String = upper.chars().take(16).collect();
    let body = made_up("MIIE", 60);
    let assignments = [
        "{} = \"@\"", "{}=@", "{}: '@'", "\"{}\": \"@\"", "{} := `@`", "{}=\"@\"", "settings['{}'] = '@'",
        "{} => '@'",
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
            assert_eq!(blocked(&text), [rule], "{text}");
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
        assert_eq!(blocked(&text), [rule], "{text}");
    }
}

#[test]
fn tokens_of_many_providers_are_known_by_their_form() {
    for (rule, text) in [
        ("stripe-secret-key", made_up("sk_live_", 24)),
        ("slack-bot-token", made_up(concat!("xoxb-", "240391857231-240391857232-"), 24)),
        ("gitlab-personal-token", made_up("glpat-", 20)),
        ("npm-access-token", made_up("npm_", 36)),
        ("digitalocean-token", hex("dop_v1_", 64)),
        ("google-oauth-secret", made_up("GOCSPX-", 28)),
        ("sendgrid-key", format!("SG.{}.{}", made_up("", 22), made_up("", 43))),
        ("telegram-bot-token", made_up(concat!("7213808860", ":AA"), 33)),
        ("discord-webhook", made_up(concat!("https://discord.com/api/webhooks/", "123019283019283012/"), 68)),
        ("azure-signature", format!("sig={}%3D", made_up("", 43))),
        ("terraform-cloud-token", format!("{}.atlasv1.{}", made_up("", 14), made_up("", 64))),
        ("encoded-private-key", format!("LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{}", made_up("", 100))),
    ] {
        assert_eq!(blocked(&text), [rule], "{text}");
    }
}

#[test]
fn a_token_is_neither_part_of_a_longer_word_nor_cut_short() {
    for text in [
        made_up("xghp_", 36),
        made_up("ghp_", 12),
        format!("{}_extra", made_up("npm_", 36)),
        made_up("task_live_", 24),
        made_up("video_box.npm_", 36),
    ] {
        assert_eq!(blocked(&text), [""; 0], "{text}");
    }
    for text in
        [format!("{{\"a\": \"x\\n{}\"}}", made_up("ghp_", 36)), format!("?q%3D{}", made_up("ghp_", 36))]
    {
        assert_eq!(blocked(&text), ["github-token"], "{text}");
    }
}

#[test]
fn a_value_under_a_telling_name_is_asked_about_in_every_language() {
    let value = made_up("", 20);
    for text in [
        "serviceToken = \"@\"",
        "service_token: @",
        "\"serviceToken\" => \"@\"",
        "$serviceToken .= \"@\"",
        "var serviceToken string = \"@\"",
        "serviceToken: &str = \"@\";",
        "val serviceToken: String = \"@\"",
        "System.setProperty(\"SERVICE_TOKEN\", \"@\")",
        "<serviceToken>\n  @\n</serviceToken>",
        "<add key=\"ServiceToken\" value=\"@\"/>",
        "- name: SERVICE_TOKEN\n  value: \"@\"",
        "{\"name\": \"SERVICE_TOKEN\", \"value\": \"@\"}",
        "service_TOKEN ::= \"@\"",
        "service_TOKEN ?= \"@\"",
        "{\"config\": \"SERVICE_TOKEN=@\\nOTHER=1\"}",
        "token = SecretStr(\"@\")",
        "--service-token @",
        "curl -H 'X-Service-Token: @'",
        "SERVICETOKEN=@",
        "${SERVICE_TOKEN:-@}",
    ] {
        let text = text.replace('@', &value);
        assert_eq!(found_in(&text), [("generic-secret", SecretVerdict::Ask)], "{text}");
    }
}

#[test]
fn other_places_for_a_credential_are_asked_about() {
    let value = made_up("", 24);
    for (rule, text) in [
        ("generic-password", "db_password = \"Tr0ub4dor&3x\"".to_owned()),
        ("generic-password", "machine api.internal login me password Tr0ub4dor3x".to_owned()),
        ("authorization-header", format!("curl -H \"Authorization: Bearer {value}\" https://api.internal")),
        ("curl-credentials", "curl -s -u admin:Tr0ub4dor3x https://api.internal".to_owned()),
        ("credential-url", "https://deploy:Tr0ub4dor@git.internal/x.git".to_owned()),
        ("datadog-api-key", format!("datadog: \"{}\"", hex("", 32))),
        ("kubernetes-secret", "kind: Secret\ndata:\n  pin: VHIwdWI0ZG9yJjN4eHg=\n".to_owned()),
        ("generic-secret", "SECRET_KEY = 'x7!k@2m#9q$v4z^w8&n*b1-j(5h)t_3r'".to_owned()),
    ] {
        assert_eq!(found_in(&text), [(rule, SecretVerdict::Ask)], "{text}");
    }
}

#[test]
fn a_key_of_something_is_asked_about_whatever_its_provider() {
    let (mixed, lower) = (made_up("", 20), hex("", 32));
    for text in [
        format!("newservice_key = \"{lower}\""),
        format!("NEWSERVICE_KEY={lower}"),
        format!("newserviceKey: '{mixed}'"),
        format!("APP_KEY=base64:{}", made_up("", 43)),
        format!("secret_key_base: {}", hex("", 128)),
    ] {
        assert_eq!(found_in(&text).len(), 1, "{text}");
    }
    for text in [
        format!("key = \"{lower}\""),
        format!("cache_key = \"{lower}\""),
        format!("public_key = \"{lower}\""),
        format!("newservice_key = \"{}\"", "0".repeat(32)),
        "translation_key = \"settings.page.title2\"".to_owned(),
        "partition_key = \"year2024month11day19\"".to_owned(),
    ] {
        assert_eq!(found_in(&text), [], "{text}");
    }
}

#[test]
fn a_key_in_an_address_is_asked_about() {
    let value = hex("", 32);
    for name in ["key", "code", "sig", "appid"] {
        let text = format!("https://api.internal/v1/run?{name}={value}&page=2");
        assert_eq!(found_in(&text), [("secret-parameter", SecretVerdict::Ask)], "{text}");
    }
    for text in ["?key=name", "?code=200", "?key=${API_KEY}", "&key=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1"] {
        assert_eq!(found_in(text), [], "{text}");
    }
}

#[test]
fn a_password_in_a_call_or_an_option_is_asked_about() {
    let password = "Tr0ub4dor&3x";
    for text in [
        "server.login(\"bot@corp.internal\", \"@\")",
        "connect(\"db.internal\", \"root\", \"@\", \"shop\")",
        "DriverManager.getConnection(url, user, '@')",
        "new NetworkCredential(\"build\", \"@\")",
        "[Net.NetworkCredential]::new('build', '@')",
        "requests.get(url, auth=(\"build\", \"@\"))",
        "client.authenticate(\"build\", \"@\")",
        "ConvertTo-SecureString -AsPlainText -Force -String '@'",
    ] {
        let text = text.replace('@', password);
        assert_eq!(found_in(&text), [("call-password", SecretVerdict::Ask)], "{text}");
    }
    for text in ["sshpass -p '@' ssh deploy@10.1.1.1", "docker login -u ci -p @ registry.internal"] {
        let text = text.replacen('@', "Tr0ub4dor3x", 1);
        assert_eq!(found_in(&text), [("command-password", SecretVerdict::Ask)], "{text}");
    }
    for text in [
        "connect(\"db.internal\", \"root\", password)",
        "connect(\"tcp://10.0.0.1:5432\", timeout)",
        "client.connect(\"wss://stream9.internal\")",
        "login(user, \"password\")",
        "useSelector(connect(mapStateToProps, \"v2\"))",
        "auth=(\"user\", token)",
        "docker login -u ci -p $TOKEN9",
    ] {
        assert_eq!(found_in(text), [], "{text}");
    }
}

#[test]
fn a_hash_or_a_ticket_that_could_be_cracked_is_asked_about() {
    for (rule, text) in [
        ("sha-crypt-hash", format!("root:{}{}${}:19000:", "$y$j9T$", made_up("", 22), made_up("", 43))),
        ("ldap-hash", format!("userPassword: {}{}", "{SSHA}", made_up("", 38))),
        (
            "scram-hash",
            format!(
                "{}4096:{}==${}=:{}=",
                "SCRAM-SHA-256$",
                made_up("", 22),
                made_up("", 43),
                made_up("", 43)
            ),
        ),
        ("grub-hash", format!("{}10000.{}.{}", "grub.pbkdf2.sha512.", hex("", 128), hex("", 128))),
        ("kerberos-ticket", format!("{}23$*svc$CORP$db01*${}${}", "$krb5tgs$", hex("", 32), hex("", 128))),
        ("ntlm-hash", format!("Administrator:500:aad3b435b51404ee{}:{}:::", "aad3b435b51404ee", hex("", 32))),
    ] {
        assert_eq!(found_in(&text), [(rule, SecretVerdict::Ask)], "{text}");
    }
}

#[test]
fn a_text_in_another_script_is_no_secret() {
    let hidden = r#""password": "\u5bc6\u78bc", "api_key": "API\u30ad\u30fc", "token": "K\u00e4ytt\u00f6oikeustunnus1""#;
    assert_eq!(found_in(hidden), []);
    let escaped = format!("\"api_key\": \"{}\\u0026{}\"", made_up("", 12), made_up("", 12));
    assert_eq!(blocked(&escaped), ["generic-api-key"]);
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
        "password: \"Please enter your password\"",
        "password_field = 'user_password'",
        "next_page_token = \"CAoQAA9f3a7c1e5b8d2046\"",
        "primaryKey=8cbXfot_Z0dvp36m66Reh4ilU5pWSc",
        "\"integrity\": \"sha512-9f3a7c1e5b8d2046e17b4c9d0a63f582\"",
        "token_url = 'https://login.internal/oauth/access_token'",
        "max_tokens = 4096",
        "key: Key::from_slice(bytes)",
        "fn token(&self) -> Token { self.token }",
        "curl -u \"$USER:$PASSWORD\" https://api.internal",
        "kind: Secret\ndata:\n  csrf: \"\"\n",
    ] {
        assert_eq!(found_in(text), [], "{text}");
    }
}

#[test]
fn a_match_names_its_line_and_never_the_secret() {
    let (secret, start) = (made_up("ghp_", 36), made_up("ghp_", 4));
    let found = scan("a.rs", format!("one\r\n\ntoken {secret}\n").as_bytes());
    let [one] = found.as_slice() else { panic!("one match: {found:?}") };
    assert_eq!((one.rule, one.severity, one.line), ("github-token", SecretSeverity::Critical, 3));
    assert_eq!(one.redacted, "ghp_…");
    assert!(!format!("{found:?}").contains(&start));
}

#[test]
fn lines_are_counted_for_every_match_of_a_long_file() {
    let expected = [7_u32, 300, 301, 4000];
    let line =
        |number: u32| if expected.contains(&number) { made_up("ghp_", 36) } else { "let a = 1;".into() };
    let text = (1..=4096).map(line).collect::<Vec<_>>().join("\n");
    let lines: Vec<u32> = scan("a.rs", text.as_bytes()).iter().map(|found| found.line).collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_database_url_is_high_and_everything_else_to_block_is_critical() {
    let severity = |text: &str| scan("a", text.as_bytes()).first().map(|found| found.severity);
    assert_eq!(
        severity(&made_up("mysql://a:@db.internal/x", 0).replace(":@", ":Tr0ub4dor3x@")),
        Some(SecretSeverity::High)
    );
    assert_eq!(severity(&made_up("ghp_", 36)), Some(SecretSeverity::Critical));
    assert_eq!(severity(&format!("api_key = '{}'", made_up("", 30))), Some(SecretSeverity::Critical));
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
fn lists_of_hashes_and_tests_are_spared_the_guesses_only() {
    let guess = format!("service_token: {}", made_up("", 32));
    let token = made_up("ghp_", 36);
    for path in ["yarn.lock", "app.min.js", "tests/login.py", "src/user_test.go", "a.spec.ts"] {
        assert_eq!(scan(path, guess.as_bytes()), [], "{path}");
        assert_eq!(scan(path, token.as_bytes()).len(), 1, "{path}");
    }
}

#[test]
fn names_of_files_count_when_they_are_new() {
    let new = |path, content: &str| {
        let change = ChangedFile { path, old: None, new: content.as_bytes() };
        scan_change(change, &Baseline::default())
            .iter()
            .map(|found| (found.rule, found.verdict))
            .collect::<Vec<_>>()
    };
    assert_eq!(new("config/master.key", &hex("", 32)), [("rails-master-key", SecretVerdict::Block)]);
    for path in [".env", "deploy/.env.production", ".netrc", "keys/id_ed25519", "cert.p12"] {
        assert_eq!(new(path, "A=1\n"), [("credential-file", SecretVerdict::Ask)], "{path}");
    }
    for path in [".env.example", "id_rsa.pub", "environment.ts", "keys.md"] {
        assert_eq!(new(path, "A=1\n"), [], "{path}");
    }
    let old = ChangedFile { path: ".env", old: Some(b"A=1\n"), new: b"A=2\n" };
    assert_eq!(scan_change(old, &Baseline::default()), []);
}

#[test]
fn what_a_file_held_before_is_not_new() {
    let (old, new) = (made_up("ghp_", 36), made_up("ghp_R", 36));
    let before = format!("a = 1\ntoken {old}\n");
    let after = format!("moved {old}\n# more\nadded {new}\n");
    let change = ChangedFile { path: "a.rs", old: Some(before.as_bytes()), new: after.as_bytes() };
    let lines: Vec<u32> = scan_change(change, &Baseline::default()).iter().map(|found| found.line).collect();
    assert_eq!(lines, [3]);
    let url = |name: &str| format!("postgres://app:{}@db.internal/{name}", made_up("", 12));
    let (one, two) = (url("one"), url("two"));
    let moved = ChangedFile { path: "a", old: Some(one.as_bytes()), new: two.as_bytes() };
    assert_eq!(scan_change(moved, &Baseline::default()), []);
}

#[test]
fn a_comment_hides_what_it_allows_unless_the_same_change_adds_it() {
    let token = format!("{} # gitleaks:allow\n", made_up("ghp_", 36));
    let guess = format!("api_key = \"{}\" # gitleaks:allow\n", made_up("", 32));
    for text in [&token, &guess] {
        assert_eq!(scan("a.py", text.as_bytes()), []);
    }
    let added = |text: &str| {
        let change = ChangedFile { path: "a.py", old: Some(b"a = 1\n"), new: text.as_bytes() };
        scan_change(change, &Baseline::default())
            .iter()
            .map(|found| (found.verdict, found.reason))
            .collect::<Vec<_>>()
    };
    assert_eq!(added(&token), [(SecretVerdict::Block, ALLOWED_JUST_NOW)]);
    assert_eq!(added(&guess), [(SecretVerdict::Ask, ALLOWED_JUST_NOW)]);
}

#[test]
fn a_list_of_known_findings_is_honoured() {
    let text = format!("\n{}\n", made_up("ghp_", 36));
    let known = Baseline::read([(".gitleaksignore", &b"a.rs:github-pat:2\n"[..])]);
    assert_eq!(scan_file("a.rs", text.as_bytes(), &known), []);
    assert_eq!(scan_file("b.rs", text.as_bytes(), &known).len(), 1);
}

#[test]
fn hostile_bytes_do_no_harm() {
    let mut bytes = b"\xff\xfe api_key = \"".to_vec();
    bytes.extend(std::iter::repeat_n(0xff, 1 << 20));
    scan("x", &bytes);
    for text in
        ["token", "token=", "token=\"", "://", "a://:@", "curl ", "kind:", "-----BEGIN PRIVATE KEY", "bearer"]
    {
        for end in 0..=text.len() {
            scan("x", text.get(..end).unwrap().as_bytes());
        }
    }
    let nested = "token=".repeat(20_000);
    assert_eq!(scan("x", nested.as_bytes()), []);
    assert_eq!(scan("x", b""), []);
}

/// The number of an account in the base 64 that Discord writes it in.
fn bot_number(digits: &str) -> String {
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    let encoded = digits.as_bytes().chunks(3).flat_map(|group| {
        let bits = group.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte))
            << (8 * (3 - group.len()));
        (0..=group.len()).map(move |place| bits >> (18 - 6 * place) & 63)
    });
    encoded.map(|value| alphabet[value]).collect()
}

#[test]
fn a_discord_bot_is_known_by_its_number() {
    let token = |number: &str| format!("{number}.{}.{}", made_up("", 6), made_up("", 38));
    for digits in ["918273645546372819", "1029481375959170012", "475829301928374650"] {
        assert_eq!(
            blocked(&format!("run('{}')", token(&bot_number(digits)))),
            ["discord-bot-token"],
            "{digits}"
        );
    }
    let almost = made_up("MTA", 23);
    assert_eq!(found_in(&token(&almost)), [("discord-bot-token", SecretVerdict::Ask)]);
    assert_eq!(found_in(&format!("{}.{}", token(&almost), made_up("", 8))), []);
    assert_eq!(found_in(&format!("a{}", token(&almost))), []);
}

#[test]
fn a_token_of_one_capital_is_asked_about_and_a_filled_gap_is_not() {
    let run = |prefix: &str, sign: &str, length: usize| format!("{prefix}{}", sign.repeat(length));
    assert_eq!(found_in(&run("AKIA", "Z", 16)), [("aws-access-key", SecretVerdict::Ask)]);
    for text in [run("AKIA", "A", 16), run("AKIA", "X", 16), run("ghp_", "a", 36), run("ghp_", "1", 36)] {
        assert_eq!(found_in(&text), [], "{text}");
    }
}

#[test]
fn a_literal_that_a_secret_is_compared_with_is_its_value() {
    let value = made_up("", 20);
    for text in ["if (\"@\" == serviceToken) {", "if '@' !== $serviceToken", "assert \"@\" === service_token"]
    {
        let text = text.replace('@', &value);
        assert_eq!(found_in(&text), [("generic-secret", SecretVerdict::Ask)], "{text}");
    }
    for text in ["if (\"@\" + serviceToken) {", "\"@\"\n == x; serviceToken", "if (\"\" == serviceToken)"] {
        assert_eq!(found_in(&text.replace('@', &value)), [], "{text}");
    }
}

#[test]
fn signs_that_hold_no_name_are_no_template() {
    let literal = ["r4{{", "q}w)", "k${", "t]m(", "z[", ">-_$#", "v9}}"].concat();
    assert_eq!(found_in(&format!("password = \"{literal}\"")), [("generic-password", SecretVerdict::Ask)]);
    assert_eq!(found_in("password = r'([a-f0-9]{48}(?![a-f0-9]))'"), []);
    for text in
        ["r4{{ vault_password9 }}", "r4${DB_PASSWORD:-9}", "r4$(pass show db/9)", "r4#{ENV['PASS9']}!"]
    {
        assert_eq!(found_in(&format!("password = \"{text}\"")), [], "{text}");
    }
}

#[test]
fn a_short_value_counts_in_a_header_that_a_command_sends() {
    let value = made_up("", 11);
    assert_eq!(
        found_in(&format!("curl -X POST --header \"Api-Token: {value}\"")),
        [("curl-header", SecretVerdict::Ask)]
    );
    assert_eq!(found_in(&format!("curl -H 'Accept: {value}'")), []);
}

#[test]
fn a_hash_beside_a_provider_is_no_key_of_it() {
    assert_eq!(found_in(&format!("gitea commit: {}", hex("", 40))), []);
    assert_eq!(found_in(&format!("gitea token: {}", hex("", 40))), [("gitea-token", SecretVerdict::Block)]);
    assert_eq!(found_in(&format!("IBMCLOUDIAM = {}", hex("", 44))), [("ibm-cloud-key", SecretVerdict::Ask)]);
}
