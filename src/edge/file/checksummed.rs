//! The one form of a binary file that is read whole: a checksum, then the value. Whatever fails the checksum is not decoded,
//! because another layout or one flipped bit could decode to another value.

use crate::pure::step::fingerprint;
use serde::{Serialize, de::DeserializeOwned};
use std::io;

/// `format` names the layout of the value and changes with it.
pub(crate) fn encode<T: Serialize>(value: &T, format: u64) -> io::Result<Vec<u8>> {
    let payload = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let mut bytes = (fingerprint(&payload) ^ format).to_le_bytes().to_vec();
    bytes.extend(payload);
    Ok(bytes)
}

/// `None` for anything that is not a whole value of this format.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8], format: u64) -> Option<T> {
    let (sum, payload) = bytes.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == fingerprint(payload) ^ format).then(|| postcard::from_bytes(payload).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_whole_and_one_flipped_bit_is_noticed() {
        let bytes = encode(&("text", 7_u32), 3).unwrap();
        assert_eq!(decode(&bytes, 3), Some(("text".to_owned(), 7_u32)));
        assert_eq!(decode::<(String, u32)>(&bytes, 4), None, "another format");
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode::<(String, u32)>(&flipped, 3), None, "bit {bit}");
        }
        assert_eq!(decode::<(String, u32)>(&bytes[..bytes.len() - 1], 3), None);
    }
}
