use super::{Address, Allowance, Bucket};
use std::collections::BTreeMap;

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
    pub(in crate::server) fn owe(&mut self, address: Address, count: i64, now: u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::{Buckets, MOST_ADDRESSES};
    use crate::server::limits::{Address, Allowance};
    use std::net::{IpAddr, Ipv4Addr};

    fn address(number: usize) -> Address {
        let bits = u32::try_from(number).expect("a small number");
        IpAddr::from(Ipv4Addr::from_bits(bits)).into()
    }

    #[test]
    fn an_address_takes_nothing_from_others() {
        let mut buckets = Buckets::new(Allowance::per_second(1));
        for _ in 0..2 {
            assert_eq!(buckets.take(address(1), 0), Ok(()));
        }
        assert_eq!(buckets.take(address(1), 0), Err(1000));
        assert_eq!(buckets.take(address(2), 0), Ok(()));
    }

    #[test]
    fn however_many_come_only_some_are_remembered() {
        let mut buckets = Buckets::new(Allowance::per_second(1));
        for number in 0..3 * MOST_ADDRESSES {
            let now = number as u64 / 100;
            assert_eq!(buckets.take(address(number), now), Ok(()));
            assert!(buckets.known.len() <= MOST_ADDRESSES);
        }
        // Those who came last are not forgotten.
        let (last, now) = (3 * MOST_ADDRESSES - 1, 3 * MOST_ADDRESSES as u64 / 100);
        assert_eq!(buckets.take(address(last), now), Ok(()));
        assert!(buckets.take(address(last), now).is_err());
    }
}
