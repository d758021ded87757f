use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// A hash of `N` bytes, written as lower-case hexadecimal digits.
///
/// # Examples
///
/// ```
/// use war::journal::Hex;
///
/// let hash: Hex<2> = "0fa9".parse().unwrap();
/// assert_eq!(hash.to_string(), "0fa9");
/// assert!("0FA9".parse::<Hex<2>>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hex<const N: usize>([u8; N]);

/// A text that is no hash of the right length in lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {digits} lower-case hexadecimal digits")]
pub struct NotHex {
    digits: usize,
}

impl<const N: usize> Hex<N> {
    /// What stands in a record whose hash is not known yet.
    pub(super) const ZERO: Self = Self([0; N]);

    /// The first `N` bytes of a BLAKE3 hash.
    ///
    /// # Panics
    ///
    /// If `N` is above 32.
    #[must_use]
    pub fn truncated(hash: &blake3::Hash) -> Self {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&hash.as_bytes()[..N]);
        Self(bytes)
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        // Two digits a byte, for the longest hash there is.
        let mut text = [0; 64];
        for (byte, pair) in self.0.iter().zip(text.chunks_exact_mut(2)) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text[..2 * N]).unwrap_or_default())
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut bytes = [0; N];
        let pairs = text.as_bytes().chunks(2);
        let fits = text.len() == 2 * N;
        let parsed = bytes.iter_mut().zip(pairs).try_for_each(|(byte, pair)| {
            *byte = digit(pair[0])? << 4 | digit(*pair.get(1)?)?;
            Some(())
        });
        match parsed {
            Some(()) if fits => Ok(Self(bytes)),
            _ => Err(NotHex { digits: 2 * N }),
        }
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
