use super::head::MOST;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::str::FromStr;

/// A whole number, in text where some readers of JSON would round it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
#[serde(
    into = "Written",
    try_from = "Written",
    bound(
        serialize = "N: Copy + Display + Into<u128>",
        deserialize = "N: FromStr + From<u64>, N::Err: Display"
    )
)]
pub(super) struct Whole<N = u64>(pub(super) N);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl<N: Copy + Display + Into<u128>> From<Whole<N>> for Written {
    fn from(Whole(number): Whole<N>) -> Self {
        match u64::try_from(number.into()) {
            Ok(few) if few <= MOST => Self::Number(few),
            _ => Self::Text(number.to_string()),
        }
    }
}

impl<N: FromStr + From<u64>> TryFrom<Written> for Whole<N> {
    type Error = N::Err;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written::Number(number) => Ok(Self(number.into())),
            Written::Text(text) => text.parse().map(Self),
        }
    }
}
