//! Addresses of other machines, as the programs that call them read them.

use crate::pure::step::host::canonical;
use core::net::{IpAddr, Ipv4Addr};

/// The host of a URL or of `host:port/path`, in its usual spelling: lower case, addresses in dotted form.
pub(crate) fn host_of(text: &str) -> Option<String> {
    let after_scheme = after_scheme(text);
    let authority = after_scheme.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => authority.split(':').next()?,
    };
    let plausible = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '。' | '．');
    (!host.is_empty() && host.chars().all(plausible)).then(|| canonical(host))
}

/// Searches for colons, which are rare: this runs often.
fn after_scheme(text: &str) -> &str {
    let mut colons = memchr::memchr_iter(b':', text.as_bytes());
    colons.find_map(|colon| text.get(colon..)?.strip_prefix("://")).unwrap_or(text)
}

/// Whether a host is this machine or one that only it can see.
pub(crate) fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "host.docker.internal" | "::")
        || host.starts_with("127.")
        || host.ends_with(".localhost")
        || host.ends_with(".local")
        || host.ends_with(".test")
}

/// Whether a host is this machine or in its local network.
pub(crate) fn is_near(host: &str) -> bool {
    is_local(host) || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_private())
}

/// Whether a host is inside a private network or a cluster, whose services trust every caller.
pub(crate) fn is_inside(host: &str) -> bool {
    let private = match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => address.is_unique_local() || address.is_unicast_link_local(),
        Err(_) => false,
    };
    private
        || host.ends_with(".svc")
        || host.ends_with(".cluster.local")
        || host.starts_with("kubernetes.default")
}

/// Whether a host hands out a cloud machine's credentials.
pub(crate) fn is_metadata(host: &str) -> bool {
    const NAMES: [&str; 8] = [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "fd00:ec2::254",
        "fd20:ce::254",
        "metadata.google.internal",
        "metadata.azure.internal",
    ];
    NAMES.contains(&host) || matches!(host, "metadata" | "instance-data" | "instance-data.ec2.internal")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_same_in_every_spelling() {
        for spelling in [
            "http://169.254.169.254/latest/meta-data/",
            "http://2852039166/",
            "http://0xa9fea9fe/x",
            "http://0251.0376.0251.0376",
            "http://0xa9.254.43518",
            "http://user@169.254.169.254:80/x",
            "http://[::ffff:169.254.169.254]/",
            "169.254.169.254/x",
        ] {
            assert_eq!(host_of(spelling).as_deref(), Some("169.254.169.254"), "{spelling}");
        }
        assert_eq!(host_of("http://[fd00:ec2::254]/x").as_deref(), Some("fd00:ec2::254"));
    }

    #[test]
    fn names_stay_names() {
        for (text, host) in [
            ("https://API.example.com:8443/v1?x=y", Some("api.example.com")),
            ("example.com", Some("example.com")),
            ("http://localhost:3000", Some("localhost")),
            ("--flag=x", None),
            ("{\"a\": 1}", None),
            ("", None),
        ] {
            assert_eq!(host_of(text).as_deref(), host, "{text}");
        }
        assert!(is_local("127.0.0.1") && !is_local("example.com"));
    }

    #[test]
    fn near_is_this_machine_and_its_network() {
        for host in ["localhost", "127.1", "[::1]", "0.0.0.0", "app.localhost", "192.168.1.4"] {
            assert!(is_near(&canonical(host)), "{host}");
        }
        for host in ["example.com", "169.254.169.254", "8.8.8.8", "localhost.example.com"] {
            assert!(!is_near(&canonical(host)), "{host}");
        }
    }
}
