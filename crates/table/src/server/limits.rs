//! Rate limits for clients, and for all clients of an address together.

use crate::time::{Monotonic, MonotonicClock, Time, whole_millis};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Rate limit that allows a burst at once, and more as time passes. The limit counts in fractions
/// of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) struct RateLimit {
    /// Number of fractions that make up one unit.
    one: i64,
    /// Fractions refilled per millisecond.
    refill: i64,
    /// Maximum burst, in fractions.
    burst: i64,
}

impl RateLimit {
    /// Allows this many units per second, and twice as many at once.
    pub(in crate::server) fn per_second(count: u32) -> Self {
        Self::new(count, 1000)
    }

    /// Allows this many units per minute, and twice as many at once.
    pub(in crate::server) fn per_minute(count: u32) -> Self {
        Self::new(count, 60_000)
    }

    fn new(count: u32, milliseconds: i64) -> Self {
        let refill = i64::from(count.max(1));
        Self {
            one: milliseconds,
            refill,
            burst: 2 * refill * milliseconds,
        }
    }

    /// Time to refill this many fractions.
    fn time_for(&self, fractions: i64) -> Duration {
        let missing = u64::try_from(fractions).unwrap_or(0);
        Duration::from_millis(missing.div_ceil(self.refill.unsigned_abs()))
    }
}

/// Remaining units of one client under a rate limit.
#[derive(Debug, Clone)]
pub(in crate::server) struct Bucket<C> {
    /// Remaining fractions, negative if more was taken than available.
    left: i64,
    /// Time of the last refill.
    at: Time<C>,
}

impl<C: Copy + Ord> Bucket<C> {
    pub(in crate::server) const fn new_full(limit: &RateLimit, now: Time<C>) -> Self {
        Self {
            left: limit.burst,
            at: now,
        }
    }

    /// Takes one unit. If there is none, the error is the time until there is one.
    pub(in crate::server) fn take(
        &mut self,
        limit: &RateLimit,
        now: Time<C>,
    ) -> Result<(), Duration> {
        self.take_all(1, limit, now)
    }

    /// Takes this many units, or none if there are fewer. Then the error is the time until there
    /// are enough.
    fn take_all(&mut self, count: u32, limit: &RateLimit, now: Time<C>) -> Result<(), Duration> {
        self.refill(limit, now);
        let fractions = i64::from(count).saturating_mul(limit.one);
        let missing = fractions.saturating_sub(self.left);
        if missing > 0 {
            return Err(limit.time_for(missing));
        }
        self.left -= fractions;
        Ok(())
    }

    /// Takes units even if there are not enough, or gives them back if `count` is negative. Returns
    /// the time until nothing is owed.
    fn take_on_credit(&mut self, count: i64, limit: &RateLimit, now: Time<C>) -> Duration {
        self.refill(limit, now);
        let fractions = count.saturating_mul(limit.one);
        self.left = self.left.saturating_sub(fractions).min(limit.burst);
        limit.time_for(self.left.saturating_neg())
    }

    /// Time of the last refill.
    pub(in crate::server) const fn last_refill(&self) -> Time<C> {
        self.at
    }

    fn refill(&mut self, limit: &RateLimit, now: Time<C>) {
        let passed = whole_millis(now.saturating_since(self.at));
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let refilled = self
            .left
            .saturating_add(passed.saturating_mul(limit.refill));
        self.left = refilled.min(limit.burst);
        self.at = self.at.max(now);
    }
}

/// Maximum number of addresses in memory.
const MAX_ADDRESSES: usize = 65_536;

/// Buckets of all addresses.
///
/// If there are too many addresses, the half that has been idle longest is forgotten, so that these
/// addresses start again with full buckets.
#[derive(Debug)]
pub(in crate::server) struct Buckets<C> {
    limit: RateLimit,
    known: BTreeMap<ClientAddress, Bucket<C>>,
}

impl<C: Copy + Ord> Buckets<C> {
    pub(in crate::server) const fn new(limit: RateLimit) -> Self {
        Self {
            limit,
            known: BTreeMap::new(),
        }
    }

    /// Takes one unit for an address. If there is none, the error is the time until there is one.
    pub(in crate::server) fn take(
        &mut self,
        address: ClientAddress,
        now: Time<C>,
    ) -> Result<(), Duration> {
        self.take_all(address, 1, now)
    }

    /// Takes this many units for an address, or none if there are fewer. Then the error is the time
    /// until there are enough.
    fn take_all(
        &mut self,
        address: ClientAddress,
        count: u32,
        now: Time<C>,
    ) -> Result<(), Duration> {
        let limit = self.limit;
        self.bucket(address, now).take_all(count, &limit, now)
    }

    /// Takes units for an address even if there are not enough, or gives them back if `count` is
    /// negative. Returns the time until the address owes nothing.
    fn take_on_credit(&mut self, address: ClientAddress, count: i64, now: Time<C>) -> Duration {
        let limit = self.limit;
        self.bucket(address, now).take_on_credit(count, &limit, now)
    }

    fn bucket(&mut self, address: ClientAddress, now: Time<C>) -> &mut Bucket<C> {
        if self.known.len() >= MAX_ADDRESSES && !self.known.contains_key(&address) {
            self.drop_half();
        }
        let full = Bucket::new_full(&self.limit, now);
        self.known.entry(address).or_insert(full)
    }

    fn drop_half(&mut self) {
        let mut times: Vec<_> = self.known.values().map(Bucket::last_refill).collect();
        let middle = times.len() / 2;
        let (_, middle, _) = times.select_nth_unstable(middle);
        self.known
            .retain(|_, bucket| bucket.last_refill() > *middle);
    }
}

/// Rate limit of an address, as a multiple of the limit of one connection.
pub(in crate::server) const CONNECTIONS_PER_ADDRESS: u32 = 50;
/// Bytes of replayed messages per second for an address.
const REPLAYED_PER_SECOND: u32 = 1024 * 1024;

/// Requests per second of an address whose connections may send this many messages per second.
pub(in crate::server) const fn address_rate(rate: u32) -> u32 {
    rate.saturating_mul(CONNECTIONS_PER_ADDRESS)
}

/// Rate limits for all clients of an address together.
#[derive(Debug)]
pub(in crate::server) struct AddressLimits {
    requests: Mutex<Buckets<MonotonicClock>>,
    replayed: Mutex<Buckets<MonotonicClock>>,
}

impl AddressLimits {
    /// Creates the limits for connections that may send this many messages per second.
    pub(in crate::server) fn new(rate: u32) -> Self {
        let requests = RateLimit::per_second(address_rate(rate));
        Self {
            requests: Mutex::new(Buckets::new(requests)),
            replayed: Mutex::new(Buckets::new(RateLimit::per_second(REPLAYED_PER_SECOND))),
        }
    }

    /// Counts a request of an address, over HTTP or a WebSocket. If it exceeds the limit, the error
    /// is the time until the next request is allowed.
    pub(in crate::server) fn count_request(
        &self,
        address: ClientAddress,
        now: Monotonic,
    ) -> Result<(), Duration> {
        self.count_work(address, 1, now)
    }

    /// Counts work for an address that costs as much as this many requests. If it exceeds the
    /// limit, nothing is counted, and the error is the time until the work is allowed.
    pub(in crate::server) fn count_work(
        &self,
        address: ClientAddress,
        requests: u32,
        now: Monotonic,
    ) -> Result<(), Duration> {
        let buckets = self.requests.lock();
        // The buckets are consistent even after a panic.
        let mut buckets = buckets.unwrap_or_else(PoisonError::into_inner);
        buckets.take_all(address, requests, now)
    }

    /// Counts bytes of messages replayed to an address, or takes them back if the number is
    /// negative. Returns the time that the address has to wait for these messages.
    pub(in crate::server) fn count_replayed(
        &self,
        address: ClientAddress,
        bytes: i64,
        now: Monotonic,
    ) -> Duration {
        let replayed = self.replayed.lock();
        let mut replayed = replayed.unwrap_or_else(PoisonError::into_inner);
        replayed.take_on_credit(address, bytes, now)
    }
}

/// Rate limit for new players of each address, over all rooms of a node.
#[derive(Debug)]
pub struct NewPlayerLimit(Mutex<Buckets<MonotonicClock>>);

impl NewPlayerLimit {
    /// Allows this many new players per minute.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self(Mutex::new(Buckets::new(RateLimit::per_minute(per_minute))))
    }

    /// Counts a client who may be a new player. Returns false if the limit is exceeded.
    pub fn try_count_newcomer(&self, address: ClientAddress, now: Monotonic) -> bool {
        self.buckets().take(address, now).is_ok()
    }

    /// Takes back the count of a client who turned out not to be new.
    pub fn undo_newcomer_count(&self, address: ClientAddress, now: Monotonic) {
        self.buckets().take_on_credit(address, -1, now);
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets<MonotonicClock>> {
        // The buckets are consistent even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Address of a client for rate limits: an IPv4 address, or the first half of an IPv6 address,
/// which is assigned to one household or server.
///
/// # Examples
///
/// ```
/// use war_table::server::ClientAddress;
///
/// let address = |text: &str| ClientAddress::from(text.parse::<std::net::IpAddr>().unwrap());
/// assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
/// assert_eq!(address("2001:db8::1"), address("2001:db8::2"));
/// assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClientAddress(Network);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Network {
    V4(u32),
    V6(u64),
}

impl ClientAddress {
    /// Parses the last address of a comma-separated list. Returns `None` if that address is
    /// invalid.
    ///
    /// Only the last address comes from the proxy itself; the client may have made up the others.
    pub(in crate::server) fn parse_last(addresses: &str) -> Option<Self> {
        let last = addresses.rsplit(',').next()?.trim();
        let with_port = || last.parse::<SocketAddr>().map(|address| address.ip());
        let in_brackets = last.trim_start_matches('[').trim_end_matches(']');
        let address = in_brackets.parse().or_else(|_| with_port());
        address.map(IpAddr::into).ok()
    }
}

impl From<IpAddr> for ClientAddress {
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

/// Header with the client's address from a proxy, such as `X-Forwarded-For`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyHeader(String);

/// Error for a text that is not the name of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a header such as X-Forwarded-For")]
pub struct ParseProxyHeaderError;

impl ProxyHeader {
    /// Name of the header, in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ProxyHeader {
    type Err = ParseProxyHeaderError;

    fn from_str(typed: &str) -> Result<Self, ParseProxyHeaderError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if typed.is_empty() || !typed.chars().all(is_part) {
            return Err(ParseProxyHeaderError);
        }
        Ok(Self(typed.to_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        AddressLimits, Bucket, Buckets, ClientAddress, MAX_ADDRESSES, NewPlayerLimit, RateLimit,
    };
    use crate::time::Monotonic;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    fn at(milliseconds: u64) -> Monotonic {
        Monotonic::from_millis(milliseconds)
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_bucket_refills_with_time() {
        let minute = RateLimit::per_minute(2);
        let mut bucket = Bucket::new_full(&minute, at(0));
        for _ in 0..4 {
            assert_eq!(bucket.take(&minute, at(0)), Ok(()));
        }
        assert_eq!(bucket.take(&minute, at(0)), Err(ms(30_000)));
        assert_eq!(bucket.take(&minute, at(29_999)), Err(ms(1)));
        assert_eq!(bucket.take(&minute, at(30_000)), Ok(()));
        // A bucket never holds more than at the beginning.
        for _ in 0..4 {
            assert_eq!(bucket.take(&minute, at(u64::MAX)), Ok(()));
        }
        assert!(bucket.take(&minute, at(u64::MAX)).is_err());
    }

    #[test]
    fn work_counts_as_several_requests() {
        let limits = AddressLimits::new(1);
        let here = numbered_address(1);
        // Of the 100 requests that are allowed at once.
        assert_eq!(limits.count_work(here, 60, at(0)), Ok(()));
        assert_eq!(limits.count_work(here, 50, at(0)), Err(ms(200)));
        assert_eq!(
            limits.count_work(here, 40, at(0)),
            Ok(()),
            "nothing was counted"
        );
        assert_eq!(limits.count_request(here, at(0)), Err(ms(20)));
        assert_eq!(limits.count_work(here, 50, at(999)), Err(ms(1)));
        assert_eq!(limits.count_work(here, 50, at(1000)), Ok(()));
    }

    #[test]
    fn a_debt_is_paid_with_time() {
        let second = RateLimit::per_second(1000);
        let mut bucket = Bucket::new_full(&second, at(0));
        assert_eq!(bucket.take_on_credit(2000, &second, at(0)), ms(0));
        assert_eq!(bucket.take_on_credit(500, &second, at(0)), ms(500));
        assert_eq!(bucket.take_on_credit(500, &second, at(0)), ms(1000));
        assert_eq!(bucket.take_on_credit(-500, &second, at(250)), ms(250));
        assert_eq!(bucket.take_on_credit(i64::MIN, &second, at(250)), ms(0));
        assert_eq!(
            bucket.take_on_credit(2001, &second, at(250)),
            ms(1),
            "there is no more than at first"
        );
    }

    fn numbered_address(number: usize) -> ClientAddress {
        let bits = u32::try_from(number).expect("a small number");
        IpAddr::from(Ipv4Addr::from_bits(bits)).into()
    }

    #[test]
    fn addresses_have_separate_limits() {
        let mut buckets = Buckets::new(RateLimit::per_second(1));
        for _ in 0..2 {
            assert_eq!(buckets.take(numbered_address(1), at(0)), Ok(()));
        }
        assert_eq!(buckets.take(numbered_address(1), at(0)), Err(ms(1000)));
        assert_eq!(buckets.take(numbered_address(2), at(0)), Ok(()));
    }

    #[test]
    fn the_number_of_addresses_in_memory_is_limited() {
        let mut buckets = Buckets::new(RateLimit::per_second(1));
        for number in 0..3 * MAX_ADDRESSES {
            let now = number as u64 / 100;
            assert_eq!(buckets.take(numbered_address(number), at(now)), Ok(()));
            assert!(buckets.known.len() <= MAX_ADDRESSES);
        }
        // The latest addresses are not forgotten.
        let (last, now) = (3 * MAX_ADDRESSES - 1, 3 * MAX_ADDRESSES as u64 / 100);
        assert_eq!(buckets.take(numbered_address(last), at(now)), Ok(()));
        assert!(buckets.take(numbered_address(last), at(now)).is_err());
    }

    #[test]
    fn known_players_do_not_count_as_new() {
        let here = IpAddr::from(Ipv4Addr::LOCALHOST).into();
        let newcomers = NewPlayerLimit::new(1);
        for _ in 0..10 {
            assert!(newcomers.try_count_newcomer(here, at(0)));
            newcomers.undo_newcomer_count(here, at(0));
        }
        // Twice the number per minute is allowed at once.
        let may_come =
            [0, 0, 0, 59_999, 60_000].map(|now| newcomers.try_count_newcomer(here, at(now)));
        assert_eq!(may_come, [true, true, false, false, true]);
    }

    fn address(text: &str) -> ClientAddress {
        let address: IpAddr = text.parse().expect("an address");
        address.into()
    }

    #[test]
    fn the_last_address_of_a_proxy_counts() {
        for (list, meant) in [
            ("192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("127.0.0.1,192.0.2.1 ", "192.0.2.1"),
            ("192.0.2.1:4711", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
        ] {
            assert_eq!(
                ClientAddress::parse_last(list),
                Some(address(meant)),
                "{list}"
            );
        }
        for list in ["", "192.0.2.1,", "unknown", "192.0.2.1, _hidden", "192.0.2"] {
            assert_eq!(ClientAddress::parse_last(list), None, "{list}");
        }
    }

    #[test]
    fn a_household_is_one_address_and_its_neighbours_are_others() {
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:0:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_ne!(address("0.0.0.1"), address("0:0:0:1::"));
    }
}
