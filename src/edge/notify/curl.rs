//! A POST by curl whose address is in no argument list: curl reads all of it from its standard input.

/// Nothing is inherited from a file of the user's, no redirect is followed, and no other protocol is spoken.
pub(super) fn arguments() -> Vec<String> {
    ["curl", "--disable", "--config", "-"].map(str::to_owned).to_vec()
}

/// `None` for an address that curl would not take for the web.
pub(super) fn post(url: &str, body: &str) -> Option<Vec<u8>> {
    let web = url.starts_with("https://") || url.starts_with("http://");
    if !web || url.contains(char::is_control) {
        return None;
    }
    let options = [
        ("url", url),
        ("request", "POST"),
        ("header", "Content-Type: application/json"),
        ("header", "Expect:"),
        ("user-agent", "plimsoll"),
        ("proto", "=http,https"),
        ("data-binary", body),
        ("connect-timeout", "5"),
        ("max-time", "9"),
        ("output", "/dev/null"),
    ];
    let mut config = String::from("silent\nshow-error\nfail\ngloboff\n");
    for (name, value) in options {
        config += &format!("{name} = {}\n", quoted(value));
    }
    Some(config.into_bytes())
}

fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for c in value.chars() {
        match c {
            '"' => text += "\\\"",
            '\\' => text += "\\\\",
            '\n' => text += "\\n",
            '\r' => text += "\\r",
            '\t' => text += "\\t",
            c => text.push(c),
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_address_or_body_becomes_an_option() {
        let body = "{\"text\":\"a \\\"b\\\"\"}\nurl = \"http://elsewhere\"";
        let config = String::from_utf8(post("https://example.invalid/x?a=\"b", body).unwrap()).unwrap();
        assert_eq!(config.lines().filter(|line| line.starts_with("url ")).count(), 1, "{config}");
        assert!(config.contains("url = \"https://example.invalid/x?a=\\\"b\"\n"), "{config}");
        assert!(config.contains(r#"data-binary = "{\"text\":\"a \\\"b\\\"\"}\nurl = \"http://elsewhere\"""#));
    }

    #[test]
    fn only_addresses_of_the_web_are_posted_to() {
        for url in ["file:///etc/passwd", "ftp://x", "-K/etc/passwd", "", "https://x\nurl = y"] {
            assert_eq!(post(url, "{}"), None, "{url}");
        }
    }
}
