//! Where a server tells its operator how it is.

use super::listen::{ListenAddress, ParseAddressError};
use serde::{Deserialize, Deserializer, de};
use std::str::FromStr;

/// How far the port for the operator is from the one for players, unless another one is chosen.
const DISTANCE: u16 = 1000;
/// How it is written that there is none.
const OFF: &str = "off";

/// An address for the operator, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AdminAddress {
    /// None.
    Off,
    /// There.
    At(ListenAddress),
}

impl AdminAddress {
    /// The address for the operator of a server that listens there: the port 1000 above on this
    /// machine alone, or any port where there is none.
    pub(crate) fn beside(listen: &ListenAddress) -> Self {
        let above = match listen.port() {
            0 => None,
            port => port.checked_add(DISTANCE),
        };
        Self::At(ListenAddress::loopback(above.unwrap_or(0)))
    }
}

impl FromStr for AdminAddress {
    type Err = ParseAddressError;

    fn from_str(typed: &str) -> Result<Self, ParseAddressError> {
        if typed.eq_ignore_ascii_case(OFF) {
            return Ok(Self::Off);
        }
        typed.parse().map(Self::At)
    }
}

impl<'de> Deserialize<'de> for AdminAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let typed = String::deserialize(deserializer)?;
        let unfit = |_| de::Error::invalid_value(de::Unexpected::Str(&typed), &"an address");
        typed.parse().map_err(unfit)
    }
}

#[cfg(test)]
mod tests {
    use super::AdminAddress;

    #[test]
    fn tables_at_different_ports_have_different_ones_for_their_operators() {
        for (listen, admin) in [
            ("127.0.0.1:8080", "127.0.0.1:9080"),
            ("0.0.0.0:8081", "127.0.0.1:9081"),
            ("[::]:64535", "127.0.0.1:65535"),
            ("war.example:64536", "127.0.0.1:0"),
            ("127.0.0.1:0", "127.0.0.1:0"),
        ] {
            let beside = AdminAddress::beside(&listen.parse().expect("an address"));
            assert_eq!(Ok(beside), admin.parse(), "{listen}");
        }
        assert_eq!("Off".parse(), Ok(AdminAddress::Off));
    }
}
