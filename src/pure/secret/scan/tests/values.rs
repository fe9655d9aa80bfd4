//! Values of telling names and of services, and the ways to write them.

use super::{found_in, hex, made_up};
use crate::pure::secret::rule::SecretVerdict;

#[test]
fn a_value_that_nothing_but_a_generator_writes_blocks_under_a_telling_name() {
    let (drawn, key) = (made_up("", 32), hex("", 64));
    for text in [format!("service_token = \"{drawn}\""), format!("session_secret: {key}")] {
        assert_eq!(found_in(&text), [("generic-secret", SecretVerdict::Block)], "{text}");
    }
    for text in [format!("page_token = \"{drawn}\""), format!("content_digest: {key}")] {
        assert_eq!(found_in(&text), [], "{text}");
    }
}

#[test]
fn a_key_of_a_service_is_known_by_the_name_of_the_service() {
    let (drawn, key) = (made_up("", 32), hex("", 32));
    for text in [
        format!("apify: {drawn}"),
        format!("mailsac = '{key}'"),
        format!("tiingo api key {key}"),
        format!("<secret>{{abuseipdb x {drawn}}}</secret>"),
    ] {
        assert!(
            found_in(&text).iter().any(|(rule, _)| *rule == "provider-key"),
            "{text}: {:?}",
            found_in(&text)
        );
    }
    for text in [
        format!("mailsac_template_id = '{key}'"),
        format!("tiingo since {key}"),
        "pushover = 'a2b3-some-words-here'".to_owned(),
    ] {
        assert_eq!(found_in(&text), [], "{text}");
    }
}

#[test]
fn a_default_and_the_argument_of_a_setter_are_values_of_their_name() {
    let value = made_up("", 20);
    for text in [
        "process.env.SERVICE_TOKEN || '@'",
        "ENV['SERVICE_TOKEN'] or \"@\"",
        "options.setServiceToken(\"@\")",
    ] {
        let text = text.replace('@', &value);
        assert_eq!(found_in(&text), [("generic-secret", SecretVerdict::Ask)], "{text}");
    }
    for text in ["getServiceToken(\"@\")", "setServiceToken(\"@\", 3)", "serviceToken || other"] {
        assert_eq!(found_in(&text.replace('@', &value)), [], "{text}");
    }
    let statement = format!("ALTER USER a IDENTIFIED BY '{}9!'", made_up("", 10));
    assert_eq!(found_in(&statement), [("call-password", SecretVerdict::Ask)]);
    assert_eq!(found_in("ALTER USER a IDENTIFIED BY 'password'"), []);
}

#[test]
fn keys_of_other_programs_are_private_keys() {
    let body = made_up("", 62);
    for text in [
        format!("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{body}\n"),
        format!("-----BEGIN OpenVPN Static key V1-----\n{}\n", hex("", 32)),
    ] {
        assert_eq!(found_in(&text), [("private-key", SecretVerdict::Block)], "{text}");
    }
    assert_eq!(found_in(&format!("# OpenVPN Static key V1\n{}\n", hex("", 32))), []);
}

#[test]
fn the_password_of_a_connection_to_another_machine_blocks() {
    let password = made_up("", 14);
    let text =
        |server: &str| format!("Server=tcp:{server},1433;User ID=app;Password={password};Encrypt=True;");
    assert_eq!(found_in(&text("sql.harbour.io")), [("generic-password", SecretVerdict::Block)]);
    for server in ["localhost", "127.0.0.1", "db"] {
        assert_eq!(found_in(&text(server)), [("generic-password", SecretVerdict::Ask)], "{server}");
    }
}

#[test]
fn elements_and_words_in_a_row_give_a_name_its_value() {
    let value = made_up("", 39);
    for text in [
        "<key>APIKey</key>\n<string>@</string>",
        "<string name=\"api_key\">@</string>",
        "configure set aws_secret_access_key @",
    ] {
        assert_eq!(found_in(&text.replace('@', &value)).len(), 1, "{text}");
    }
    for text in [
        "<label for=\"api_key\">The key of your account</label>",
        "the api_key that you got",
        "<key>APIKey</key>\n<true/>",
    ] {
        assert_eq!(found_in(text), [], "{text}");
    }
    assert_eq!(found_in(&format!("example_site_key: {value}")), []);
}
