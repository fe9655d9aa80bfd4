//! ssh signatures: the text form that ssh-keygen reads and writes, and the key inside.

use crate::pure::text::{base64, from_base64};

/// The namespace that ssh mixes into the signature, so that a signature made for another purpose cannot be used here.
pub const NAMESPACE: &str = "plimsoll-attestation";

const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";
const WIDTH: usize = 70;

pub fn armored(signature: &[u8]) -> String {
    let body = base64(signature);
    let lines = body.as_bytes().chunks(WIDTH).map(String::from_utf8_lossy);
    let body: String = lines.map(|line| format!("{line}\n")).collect();
    format!("{BEGIN}\n{body}{END}\n")
}

/// The signature in the text, which may have other text around it.
pub fn unarmored(text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once(BEGIN)?;
    let (body, _) = rest.split_once(END)?;
    from_base64(&body.split_whitespace().collect::<String>())
}

/// The public key that the signature says it was made with. Only a check of the signature makes that true.
pub fn public_key(signature: &[u8]) -> Option<&[u8]> {
    let rest = signature.strip_prefix(b"SSHSIG")?;
    let (_version, rest) = rest.split_at_checked(4)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    rest.get(..usize::try_from(u32::from_be_bytes(*length)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_comes_back_with_lines_that_ssh_reads() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = armored(&bytes);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(unarmored(&format!("Signing…\n{text}")), Some(bytes));
        assert_eq!(unarmored("no signature"), None);
    }

    #[test]
    fn the_key_is_found_and_a_short_signature_has_none() {
        let signature = [&b"SSHSIG\0\0\0\x01\0\0\0\x03key"[..], b"rest"].concat();
        assert_eq!(public_key(&signature), Some(&b"key"[..]));
        for cut in 0..17 {
            assert_eq!(public_key(&signature[..cut]), None, "{cut}");
        }
    }
}
