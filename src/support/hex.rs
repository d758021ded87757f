//! Bytes written as hexadecimal digits.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// Maximum number of digits, for 64 bytes.
pub(crate) const MAX_DIGITS: usize = 128;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// A hash or a key of `N` bytes, written as lower-case hexadecimal digits.
///
/// # Examples
///
/// ```
/// use war::support::hex::Hex;
///
/// let hash: Hex<2> = "0fa9".parse().unwrap();
/// assert_eq!(hash.to_string(), "0fa9");
/// assert!("0FA9".parse::<Hex<2>>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hex<const N: usize>([u8; N]);

/// Error for a text that is not a hash of the right length in lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {digits} lower-case hexadecimal digits")]
pub struct ParseHexError {
    digits: usize,
}

impl<const N: usize> Hex<N> {
    /// Placeholder in a record whose hash is not known yet.
    pub(crate) const ZERO: Self = Self([0; N]);

    /// Returns the hash or key with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        Self(bytes)
    }

    /// Bytes of the hash or key.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// Parses digits; `None` for a wrong number of digits, or any other character.
    pub(crate) fn from_digits(digits: &[u8]) -> Option<Self> {
        /// Value of characters other than digits.
        const NONE: u8 = 0xff;
        const VALUES: [u8; 256] = {
            let mut values = [NONE; 256];
            let mut value = 0;
            while value < 16 {
                values[DIGITS[value as usize] as usize] = value;
                value += 1;
            }
            values
        };
        if digits.len() != 2 * N {
            return None;
        }
        let (mut bytes, mut all) = ([0; N], 0);
        for (byte, pair) in bytes.iter_mut().zip(digits.as_chunks::<2>().0) {
            let [high, low] = pair.map(|digit| VALUES[usize::from(digit)]);
            *byte = high << 4 | low;
            all |= high | low;
        }
        (all != NONE).then_some(Self(bytes))
    }

    /// The first `N` bytes of a BLAKE3 hash; an `N` above the length of the hash does not compile.
    #[must_use]
    pub fn from_hash(hash: &blake3::Hash) -> Self {
        const { assert!(N <= blake3::OUT_LEN, "a hash has fewer bytes") }
        let mut bytes = [0; N];
        bytes.copy_from_slice(&hash.as_bytes()[..N]);
        Self(bytes)
    }

    /// Writes the digits into a buffer.
    pub(crate) fn write_digits<'a>(&self, buffer: &'a mut [u8; MAX_DIGITS]) -> &'a str {
        for (byte, pair) in self.0.iter().zip(buffer.chunks_exact_mut(2)) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        std::str::from_utf8(&buffer[..2 * N]).expect("digits are ASCII")
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.write_digits(&mut [0; MAX_DIGITS]))
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Self, ParseHexError> {
        let digits = 2 * N;
        Self::from_digits(text.as_bytes()).ok_or(ParseHexError { digits })
    }
}

impl de::Expected for ParseHexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.write_digits(&mut [0; MAX_DIGITS]))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let invalid =
            |error: ParseHexError| de::Error::invalid_value(de::Unexpected::Str(&text), &error);
        text.parse().map_err(invalid)
    }
}
