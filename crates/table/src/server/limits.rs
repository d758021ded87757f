//! Limits: how much a client, and all clients of an address together, may ask for.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much may be taken: some at once, and more as time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) struct Allowance {
    /// How many parts one has.
    one: i64,
    /// How many parts come in a millisecond.
    refill: i64,
    /// How many may be taken at once, in parts.
    most: i64,
}

impl Allowance {
    /// This many a second; twice as many may be taken at once.
    pub(in crate::server) fn per_second(count: u32) -> Self {
        Self::new(count, 1000)
    }

    /// This many a minute; twice as many may be taken at once.
    pub(in crate::server) fn per_minute(count: u32) -> Self {
        Self::new(count, 60_000)
    }

    fn new(count: u32, milliseconds: i64) -> Self {
        let refill = i64::from(count.max(1));
        Self {
            one: milliseconds,
            refill,
            most: 2 * refill * milliseconds,
        }
    }

    /// How long it takes until as many parts are there, in milliseconds.
    fn time_for(&self, parts: i64) -> u64 {
        let missing = u64::try_from(parts).unwrap_or(0);
        missing.div_ceil(self.refill.unsigned_abs())
    }
}

/// What is left of an allowance.
#[derive(Debug, Clone)]
pub(in crate::server) struct Bucket {
    /// In parts; below zero where more was taken than there was.
    left: i64,
    /// When it was counted last, in milliseconds.
    at: u64,
}

impl Bucket {
    pub(in crate::server) const fn full(allowance: &Allowance, now: u64) -> Self {
        Self {
            left: allowance.most,
            at: now,
        }
    }

    /// Takes one; where there is none, the error is the time until there is one, in
    /// milliseconds.
    pub(in crate::server) fn take(&mut self, allowance: &Allowance, now: u64) -> Result<(), u64> {
        self.refill(allowance, now);
        let missing = allowance.one - self.left;
        if missing > 0 {
            return Err(allowance.time_for(missing));
        }
        self.left -= allowance.one;
        Ok(())
    }

    /// Takes as many in any case, or gives them back where the number is negative; the result
    /// is the time until nothing is owed, in milliseconds.
    fn owe(&mut self, count: i64, allowance: &Allowance, now: u64) -> u64 {
        self.refill(allowance, now);
        let parts = count.saturating_mul(allowance.one);
        self.left = self.left.saturating_sub(parts).min(allowance.most);
        allowance.time_for(self.left.saturating_neg())
    }

    /// When it was counted last.
    pub(in crate::server) const fn at(&self) -> u64 {
        self.at
    }

    fn refill(&mut self, allowance: &Allowance, now: u64) {
        let passed = i64::try_from(now.saturating_sub(self.at)).unwrap_or(i64::MAX);
        let refilled = self
            .left
            .saturating_add(passed.saturating_mul(allowance.refill));
        self.left = refilled.min(allowance.most);
        self.at = self.at.max(now);
    }
}

/// The most addresses that are remembered.
const MOST_ADDRESSES: usize = 65_536;

/// What is left to each address of what it may take.
///
/// Where too many addresses are known, the half is forgotten that came longest ago, and may take
/// all again.
#[derive(Debug)]
pub(in crate::server) struct Buckets {
    allowance: Allowance,
    known: BTreeMap<Address, Bucket>,
}

impl Buckets {
    pub(in crate::server) const fn new(allowance: Allowance) -> Self {
        Self {
            allowance,
            known: BTreeMap::new(),
        }
    }

    /// Takes one for an address; where there is none, the error is the time until there is one,
    /// in milliseconds.
    pub(in crate::server) fn take(&mut self, address: Address, now: u64) -> Result<(), u64> {
        let allowance = self.allowance;
        self.bucket(address, now).take(&allowance, now)
    }

    /// Takes as many in any case, or gives them back where the number is negative; the result
    /// is the time until the address owes nothing, in milliseconds.
    fn owe(&mut self, address: Address, count: i64, now: u64) -> u64 {
        let allowance = self.allowance;
        self.bucket(address, now).owe(count, &allowance, now)
    }

    fn bucket(&mut self, address: Address, now: u64) -> &mut Bucket {
        if self.known.len() >= MOST_ADDRESSES && !self.known.contains_key(&address) {
            self.forget_half();
        }
        let full = Bucket::full(&self.allowance, now);
        self.known.entry(address).or_insert(full)
    }

    fn forget_half(&mut self) {
        let mut times: Vec<_> = self.known.values().map(Bucket::at).collect();
        let middle = times.len() / 2;
        let (_, middle, _) = times.select_nth_unstable(middle);
        self.known.retain(|_, bucket| bucket.at() > *middle);
    }
}

/// How many times as much as one connection all those of an address may ask for.
const CONNECTIONS: u32 = 50;
/// How many bytes of messages an address may read again in a second.
const REPLAYED: u32 = 1024 * 1024;

/// What all clients of each address together may still ask for.
#[derive(Debug)]
pub(in crate::server) struct Crowds {
    requests: Mutex<Buckets>,
    replayed: Mutex<Buckets>,
}

impl Crowds {
    /// Limits where a connection may send this many messages in a second.
    pub(in crate::server) fn new(rate: u32) -> Self {
        let requests = Allowance::per_second(rate.saturating_mul(CONNECTIONS));
        Self {
            requests: Mutex::new(Buckets::new(requests)),
            replayed: Mutex::new(Buckets::new(Allowance::per_second(REPLAYED))),
        }
    }

    /// Counts a request of an address, over HTTP or a WebSocket; where it is one too many, the
    /// error is the time until another one may come, in milliseconds.
    pub(in crate::server) fn request(&self, address: Address, now: u64) -> Result<(), u64> {
        let requests = self.requests.lock();
        // What is counted is sound even after a panic.
        let mut requests = requests.unwrap_or_else(PoisonError::into_inner);
        requests.take(address, now)
    }

    /// Counts bytes that an address reads again; with a negative number, bytes that it did not
    /// read after all. The result is how long it has to wait for them, in milliseconds.
    pub(in crate::server) fn replay(&self, address: Address, bytes: i64, now: u64) -> u64 {
        let replayed = self.replayed.lock();
        let mut replayed = replayed.unwrap_or_else(PoisonError::into_inner);
        replayed.owe(address, bytes, now)
    }
}

/// How many new players of each address may still come to a node, whichever rooms they come to.
#[derive(Debug)]
pub struct Newcomers(Mutex<Buckets>);

impl Newcomers {
    /// A limit of this many a minute.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self(Mutex::new(Buckets::new(Allowance::per_minute(per_minute))))
    }

    /// Counts somebody who may be new; whether one more may come.
    pub fn count(&self, address: Address, now: u64) -> bool {
        self.buckets().take(address, now).is_ok()
    }

    /// Counts somebody no more who turned out not to be new.
    pub fn forget(&self, address: Address, now: u64) {
        self.buckets().owe(address, -1, now);
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets> {
        // What is counted is sound even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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

/// The header in which a proxy says who asks, such as `X-Forwarded-For`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyHeader(String);

/// A text that can't be the name of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a header such as X-Forwarded-For")]
pub struct ParseProxyHeaderError;

impl ProxyHeader {
    /// Its name, in small letters.
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
    use super::{Address, Allowance, Bucket, Buckets, MOST_ADDRESSES, Newcomers};
    use std::net::{IpAddr, Ipv4Addr};

    #[test]
    fn what_is_taken_comes_back_with_time() {
        let minute = Allowance::per_minute(2);
        let mut bucket = Bucket::full(&minute, 0);
        for _ in 0..4 {
            assert_eq!(bucket.take(&minute, 0), Ok(()));
        }
        assert_eq!(bucket.take(&minute, 0), Err(30_000));
        assert_eq!(bucket.take(&minute, 29_999), Err(1));
        assert_eq!(bucket.take(&minute, 30_000), Ok(()));
        // However long it waits, there are never more than at first.
        for _ in 0..4 {
            assert_eq!(bucket.take(&minute, u64::MAX), Ok(()));
        }
        assert!(bucket.take(&minute, u64::MAX).is_err());
    }

    #[test]
    fn those_who_owe_wait_their_turn() {
        let second = Allowance::per_second(1000);
        let mut bucket = Bucket::full(&second, 0);
        assert_eq!(bucket.owe(2000, &second, 0), 0);
        assert_eq!(bucket.owe(500, &second, 0), 500);
        assert_eq!(bucket.owe(500, &second, 0), 1000);
        assert_eq!(bucket.owe(-500, &second, 250), 250);
        assert_eq!(bucket.owe(i64::MIN, &second, 250), 0);
        assert_eq!(
            bucket.owe(2001, &second, 250),
            1,
            "there is no more than at first"
        );
    }

    fn numbered(number: usize) -> Address {
        let bits = u32::try_from(number).expect("a small number");
        IpAddr::from(Ipv4Addr::from_bits(bits)).into()
    }

    #[test]
    fn an_address_takes_nothing_from_others() {
        let mut buckets = Buckets::new(Allowance::per_second(1));
        for _ in 0..2 {
            assert_eq!(buckets.take(numbered(1), 0), Ok(()));
        }
        assert_eq!(buckets.take(numbered(1), 0), Err(1000));
        assert_eq!(buckets.take(numbered(2), 0), Ok(()));
    }

    #[test]
    fn however_many_come_only_some_are_remembered() {
        let mut buckets = Buckets::new(Allowance::per_second(1));
        for number in 0..3 * MOST_ADDRESSES {
            let now = number as u64 / 100;
            assert_eq!(buckets.take(numbered(number), now), Ok(()));
            assert!(buckets.known.len() <= MOST_ADDRESSES);
        }
        // Those who came last are not forgotten.
        let (last, now) = (3 * MOST_ADDRESSES - 1, 3 * MOST_ADDRESSES as u64 / 100);
        assert_eq!(buckets.take(numbered(last), now), Ok(()));
        assert!(buckets.take(numbered(last), now).is_err());
    }

    #[test]
    fn who_turns_out_to_be_known_takes_no_place_of_new_players() {
        let here = IpAddr::from(Ipv4Addr::LOCALHOST).into();
        let newcomers = Newcomers::new(1);
        for _ in 0..10 {
            assert!(newcomers.count(here, 0));
            newcomers.forget(here, 0);
        }
        // Twice as many as in a minute may come at once.
        let may_come = [0, 0, 0, 59_999, 60_000].map(|now| newcomers.count(here, now));
        assert_eq!(may_come, [true, true, false, false, true]);
    }

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
