//! The canonical form of a host, which rules compare.

use core::net::{Ipv4Addr, Ipv6Addr};

/// Lower case, without brackets and port; numeric addresses in dotted form.
pub(crate) fn canonical(host: &str) -> String {
    let bare = host.trim_end_matches('.').trim_start_matches('[').trim_end_matches(']');
    let plain = match bare.is_ascii() {
        true => bare.to_ascii_lowercase(),
        false => bare.chars().map(|character| half_width(character).to_ascii_lowercase()).collect(),
    };
    if let Some(address) = ipv4(&plain) {
        return address.to_string();
    }
    match plain.split('%').next().unwrap_or_default().parse::<Ipv6Addr>() {
        Ok(address) => {
            address.to_ipv4_mapped().map_or_else(|| address.to_string(), |mapped| mapped.to_string())
        }
        Err(_) => named_address(&plain).map_or(plain, |address| address.to_string()),
    }
}

fn half_width(character: char) -> char {
    match character {
        '０'..='９' | 'ａ'..='ｚ' => {
            u32::from(character).checked_sub(0xFEE0).and_then(char::from_u32).unwrap_or(character)
        }
        '①'..='⑨' => {
            u32::from(character).checked_sub(0x2460 - 0x31).and_then(char::from_u32).unwrap_or(character)
        }
        '⓪' => '0',
        '。' | '．' | '｡' => '.',
        _ => character,
    }
}

/// As `inet_aton` reads it: one to four numbers, the last one filling what is left.
fn ipv4(text: &str) -> Option<Ipv4Addr> {
    let numbers: Vec<u32> = text.split('.').map(number).collect::<Option<_>>()?;
    let (last, front) = numbers.split_last()?;
    if front.len() > 3 || front.iter().any(|part| *part > 255) {
        return None;
    }
    let left = 8 * u32::try_from(4 - front.len()).ok()?;
    if u64::from(*last) >= 1 << left {
        return None;
    }
    let shifted = front.iter().zip([24, 16, 8]).map(|(part, by)| part << by);
    Some(Ipv4Addr::from(shifted.fold(*last, |sum, part| sum | part)))
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u32::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Names that public DNS servers resolve to the address in them.
fn named_address(host: &str) -> Option<Ipv4Addr> {
    let name = [".nip.io", ".sslip.io", ".xip.io"].iter().find_map(|suffix| host.strip_suffix(suffix))?;
    let name = name.replace('-', ".");
    let parts: Vec<&str> = name.split('.').collect();
    let dotted = parts.windows(4).rev().find_map(|four| four.join(".").parse().ok());
    dotted.or_else(|| u32::from_str_radix(parts.last()?, 16).ok().map(Ipv4Addr::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_one_spelling() {
        for host in [
            "169.254.169.254",
            "2852039166",
            "0xA9FEA9FE",
            "0xa9.0xfe.0xa9.0xfe",
            "0251.0376.0251.0376",
            "169.254.43518",
            "[::ffff:169.254.169.254]",
            "[::FFFF:a9fe:a9fe]",
            "169.254.169.254.",
            "１６９.254。169.254",
            "169.254.169.254.nip.io",
            "x.169-254-169-254.sslip.io",
            "a9fea9fe.nip.io",
        ] {
            assert_eq!(canonical(host), "169.254.169.254", "{host}");
        }
        for (host, expected) in [
            ("Example.COM", "example.com"),
            ("[FD00:EC2::254]", "fd00:ec2::254"),
            ("256.1.1.1", "256.1.1.1"),
            ("1.2.3.4.5", "1.2.3.4.5"),
            ("99999999999", "99999999999"),
            ("", ""),
        ] {
            assert_eq!(canonical(host), expected);
        }
    }
}
