use serde::{Deserialize, Serialize};
use std::net::{IpAddr, SocketAddr};

/// Where a client comes from, as far as limits go: an address of IP version 4, or the first
/// half of one of version 6, which is what one household or one server is given.
///
/// # Examples
///
/// ```
/// use war_table::server::Address;
///
/// let address = |text: &str| Address::from(text.parse::<std::net::IpAddr>().unwrap());
/// assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
/// assert_eq!(address("2001:db8::1"), address("2001:db8::2"));
/// assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Address(Network);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Network {
    V4(u32),
    V6(u64),
}

impl Address {
    /// The address that a proxy has put at the end of a list, separated by commas; `None` where
    /// there is none.
    ///
    /// Only the last one comes from the proxy itself: what stands before it may be made up.
    pub(in crate::server) fn last_of(addresses: &str) -> Option<Self> {
        let last = addresses.rsplit(',').next()?.trim();
        let with_port = || last.parse::<SocketAddr>().map(|address| address.ip());
        let in_brackets = last.trim_start_matches('[').trim_end_matches(']');
        let address = in_brackets.parse().or_else(|_| with_port());
        address.map(IpAddr::into).ok()
    }
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => Network::V4(address.to_bits()),
            IpAddr::V6(address) => {
                let half = address.to_bits() >> 64;
                Network::V6(u64::try_from(half).unwrap_or(u64::MAX))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Address;
    use std::net::IpAddr;

    fn address(text: &str) -> Address {
        let address: IpAddr = text.parse().expect("an address");
        address.into()
    }

    #[test]
    fn what_the_proxy_put_last_counts() {
        for (list, meant) in [
            ("192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("127.0.0.1,192.0.2.1 ", "192.0.2.1"),
            ("192.0.2.1:4711", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
        ] {
            assert_eq!(Address::last_of(list), Some(address(meant)), "{list}");
        }
        for list in ["", "192.0.2.1,", "unknown", "192.0.2.1, _hidden", "192.0.2"] {
            assert_eq!(Address::last_of(list), None, "{list}");
        }
    }

    #[test]
    fn a_household_is_one_address_and_its_neighbours_are_others() {
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:0:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_ne!(address("0.0.0.1"), address("0:0:0:1::"));
    }
}
