//! Secrets of every form, put together at run time, so that no scanner takes this file for a leak. Each holds a mark that is
//! looked for afterwards.

/// Beyond the few characters of a secret that may be shown.
pub(super) const MARK: &str = "vX9kQ7xZ2m";
pub(super) const HEX_MARK: &str = "9f3a7c1e5b";

fn drawn(length: usize) -> String {
    let alphabet = "T4w8nB".chars().chain(MARK.chars()).chain("R5cYgXaWeUiRo0vKtEqMzNbL3sD6fH1jPp".chars());
    alphabet.cycle().take(length).collect()
}

fn lower(length: usize) -> String {
    drawn(length).to_lowercase()
}

fn upper(length: usize) -> String {
    drawn(length).to_uppercase()
}

fn hex(length: usize) -> String {
    "d20"
        .chars()
        .chain(format!("4{HEX_MARK}8d2046e17b4c9d0a63f58270e9b1d4").chars())
        .cycle()
        .take(length)
        .collect()
}

/// Tokens that a provider makes.
fn tokens() -> Vec<String> {
    let jwt = concat!("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.", "eyJzdWIiOiIxIn0.");
    vec![
        format!("ghp_{}", drawn(36)),
        format!("gho_{}", drawn(36)),
        format!("github_pat_{}", drawn(60)),
        format!("glpat-{}", drawn(20)),
        format!("glrt-{}", drawn(20)),
        format!("AKIA{}", upper(16)),
        format!("ASIA{}", upper(16)),
        format!("AIza{}", drawn(35)),
        format!("GOCSPX-{}", drawn(28)),
        format!("ya29.{}", drawn(60)),
        format!("LTAI{}", drawn(20)),
        format!("sk_live_{}", drawn(24)),
        format!("rk_live_{}", drawn(24)),
        format!("sq0atp-{}", drawn(22)),
        format!("shpca_{}", hex(32)),
        format!("xoxb-240391857231-{}", drawn(24)),
        format!("https://hooks.slack.com/services/T{}/B{}/{}", upper(8), upper(8), drawn(24)),
        format!("https://discord.com/api/webhooks/123019283019283012/{}", drawn(68)),
        format!("7213808860:AA{}", drawn(33)),
        format!("SG.{}.{}", drawn(22), drawn(43)),
        format!("npm_{}", drawn(36)),
        format!("pypi-AgEIcHlwaS5vcmc{}", drawn(80)),
        format!("dckr_oat_{}", drawn(32)),
        format!("dop_v1_{}", hex(64)),
        format!("sk-ant-api03-{}AA", drawn(93)),
        format!("tgp_v1_{}", drawn(43)),
        format!("r8_{}", drawn(38)),
        format!("lsv2_pt_{}_{}", hex(32), hex(10)),
        format!("PMAK-{}-{}", hex(24), hex(34)),
        format!("bkua_{}", lower(40)),
        format!("squ_{}", drawn(40)),
        format!("{}.atlasv1.{}", drawn(14), drawn(64)),
        format!("{jwt}{}", drawn(43)),
        format!("AccountKey={}==", drawn(86)),
    ]
}

/// Texts around a value that nothing but its place gives away.
const PLACES: [&str; 34] = [
    "PGPASSWORD=@ psql -h db -c 'select 1'",
    "TOKEN=@ ./deploy.sh",
    "export API_KEY=@",
    "DB_PASSWORD=\"@\"",
    "mysql -uroot -p'@' shop",
    "mysql -uroot -p@ shop",
    "sshpass -p @ ssh host",
    "docker login -u ada -p @ registry.internal",
    "redis-cli -a @ ping",
    "curl -u ada:@ https://ci.internal/build",
    "curl -H 'Authorization: Bearer @' https://api.internal",
    "curl -H 'X-Api-Key: @' https://api.internal",
    "curl -H 'Cookie: sid=@; theme=dark' https://api.internal",
    "Authorization: Basic @",
    "postgres://ada:@@db.internal:5432/app",
    "https://ada:@@git.internal/a/b.git",
    "amqp://ada:@@localhost/vhost",
    "https://api.internal/v1?access_token=@&page=2",
    "https%3A%2F%2Fapi.internal%2F%3Faccess_token%3D@%26page%3D2",
    "cat > .env <<'END'\nDB_HOST=db\nDB_PASSWORD=@\nEND",
    "{\"user\": \"ada\", \"password\": \"@\"}",
    "{\\\"user\\\": \\\"ada\\\", \\\"client_secret\\\": \\\"@\\\"}",
    "my password is @ by the way",
    "use the token @ for it",
    "password:\n  @",
    "password=\\\n@",
    "<password>@</password>",
    "machine db login ada password @",
    "Server=db;User Id=ada;Password=@;Encrypt=yes",
    "kind: Secret\ndata:\n  first: YWJjZGVmZ2hpamtsbW5v\n  second: @\n",
    "gpg --batch --passphrase @ -d file",
    "keytool -storepass @ -list",
    "access denied for user 'ada' (using password: '@')",
    "aws_secret_access_key = @",
];

/// Every form, as it stands in a text.
pub(super) fn all() -> Vec<String> {
    let mut all = tokens();
    all.extend(PLACES.iter().map(|place| place.replacen('@', &drawn(20), 1)));
    let token = format!("ghp_{}", drawn(36));
    let (head, tail) = token.split_at(8);
    all.push(format!("echo {head}\\\n{tail}"));
    all.push(format!("echo {head}\n  {tail}"));
    all.push(format!("/srv/backup.{token}/dump.sql"));
    all.push(format!("git commit -m 'Use {token} for now'"));
    all.push(format!("{}{token}", "so many words before it ".repeat(90)));
    all.push(format!("{}password={}", "x".repeat(150), drawn(16)));
    for newline in ["\n", "\\n"] {
        let lines: Vec<String> = (0..24).map(|line| format!("MII{line:02}{}", drawn(59))).collect();
        let key = |word: &str| format!("-----{word} RSA {} KEY-----", "PRIVATE");
        all.push([key("BEGIN"), lines.join(newline), key("END")].join(newline));
        all.push([key("BEGIN"), lines.join(newline)].join(newline));
    }
    all.push(format!("{} {}", format_args!("AKIA{}", upper(16)), drawn(40)));
    all
}
