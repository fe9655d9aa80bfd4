//! The DSSE envelope around a statement, and the bytes that are signed.

use super::statement::Statement;
use crate::pure::text::{base64, from_base64};
use serde::{Deserialize, Serialize};

const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// One attestation: the statement as it was signed, and the signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    pub payload: Vec<u8>,
    /// In the binary form of ssh.
    pub signature: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    payload_type: String,
    payload: String,
    signatures: Vec<WrittenSignature>,
}

#[derive(Serialize, Deserialize)]
struct WrittenSignature {
    sig: String,
}

/// The bytes that a signature of an envelope covers: DSSE's pre-authentication encoding.
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

impl Envelope {
    /// The bytes to sign for this payload.
    pub fn message(payload: &[u8]) -> Vec<u8> {
        pae(PAYLOAD_TYPE, payload)
    }

    /// As it stands in a note: JSON on one line.
    pub fn line(&self) -> String {
        let signature = WrittenSignature { sig: base64(&self.signature) };
        let written = Written {
            payload_type: PAYLOAD_TYPE.into(),
            payload: base64(&self.payload),
            signatures: vec![signature],
        };
        serde_json::to_string(&written).unwrap_or_default()
    }

    /// From a line of a note, or why it is no envelope of ours.
    pub fn parse(line: &[u8]) -> Result<Self, String> {
        let written: Written =
            serde_json::from_slice(line).map_err(|error| format!("is not an envelope ({error})"))?;
        if written.payload_type != PAYLOAD_TYPE {
            return Err("is an envelope of another kind".into());
        }
        let [signature] = written.signatures.as_slice() else {
            return Err(format!("has {} signatures instead of one", written.signatures.len()));
        };
        let decoded = |text: &str| from_base64(text).ok_or("is not in base64");
        Ok(Self { payload: decoded(&written.payload)?, signature: decoded(&signature.sig)? })
    }

    pub fn statement(&self) -> Result<Statement, String> {
        Statement::parse(&self.payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signed_bytes_are_those_of_the_specification() {
        assert_eq!(
            pae("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
        assert_eq!(pae("", b""), b"DSSEv1 0  0 ");
        assert_ne!(pae("a", b"b c"), pae("a b", b"c"));
    }

    #[test]
    fn an_envelope_comes_back_from_its_line() {
        let envelope = Envelope { payload: b"{}\n".to_vec(), signature: vec![0, 255] };
        let line = envelope.line();
        assert!(!line.contains('\n'));
        assert_eq!(Envelope::parse(line.as_bytes()), Ok(envelope));
    }

    #[test]
    fn other_lines_are_refused_with_a_reason() {
        let good = Envelope { payload: b"{}".to_vec(), signature: vec![1] }.line();
        for (line, word) in [
            ("rubbish".to_owned(), "not an envelope"),
            (good.replace("in-toto", "other"), "another kind"),
            (good.replace(r#"[{"sig":"AQ=="}]"#, "[]"), "0 signatures"),
            (good.replace("AQ==", "!"), "base64"),
        ] {
            let error = Envelope::parse(line.as_bytes()).unwrap_err();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
