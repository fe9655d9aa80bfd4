//! Addresses of other machines, as the programs that call them read them.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The host of a URL or of `host:port/path`, in its usual spelling: lower case, addresses in dotted form.
pub fn host_of(text: &str) -> Option<String> {
    let after_scheme = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => authority.split(':').next()?,
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let plausible = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':');
    if host.is_empty() || !host.chars().all(plausible) {
        return None;
    }
    let address = host.parse::<Ipv6Addr>().map(IpAddr::V6).ok().or_else(|| numbers(&host).map(IpAddr::V4));
    let spelled = |address: IpAddr| match address {
        IpAddr::V6(address) => address.to_ipv4_mapped().map_or(address.to_string(), |v4| v4.to_string()),
        IpAddr::V4(address) => address.to_string(),
    };
    Some(address.map_or(host, spelled))
}

/// An address of one to four numbers, each decimal, octal or hexadecimal; the last fills what is left.
fn numbers(host: &str) -> Option<Ipv4Addr> {
    let parts: Option<Vec<u32>> = host.split('.').map(number).collect();
    let parts = parts.filter(|parts| parts.len() <= 4)?;
    let (last, front) = parts.split_last()?;
    if front.iter().any(|part| *part > 255) {
        return None;
    }
    let front_bits = front.iter().fold(0_u32, |bits, part| bits << 8 | part);
    let left = 8 * (4 - u32::try_from(front.len()).ok()?);
    let above = if left == 32 { 0 } else { front_bits.checked_shl(left)? };
    let fits = left == 32 || *last < 1 << left;
    fits.then(|| Ipv4Addr::from(above | last))
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u32::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Whether a host is this machine or one that only it can see.
pub fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "host.docker.internal" | "::")
        || host.starts_with("127.")
        || host.ends_with(".localhost")
        || host.ends_with(".local")
        || host.ends_with(".test")
}

/// Whether a host hands out a cloud machine's credentials.
pub fn is_metadata(host: &str) -> bool {
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
    NAMES.contains(&host)
        || matches!(host, "metadata" | "instance-data" | "instance-data.ec2.internal")
        || host.starts_with("169.254.169.254.")
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
}
