use super::{Address, Allowance, Buckets};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many new players of each address may still come to a node, whichever rooms they come to.
#[derive(Debug)]
pub(in crate::server) struct Newcomers(Mutex<Buckets>);

impl Newcomers {
    /// A limit of this many a minute.
    pub(in crate::server) fn new(per_minute: u32) -> Self {
        Self(Mutex::new(Buckets::new(Allowance::per_minute(per_minute))))
    }

    /// Counts somebody who may be new; whether one more may come.
    pub(in crate::server) fn count(&self, address: Address, now: u64) -> bool {
        self.buckets().take(address, now).is_ok()
    }

    /// Counts somebody no more who turned out not to be new.
    pub(in crate::server) fn forget(&self, address: Address, now: u64) {
        self.buckets().owe(address, -1, now);
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets> {
        // What is counted is sound even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Newcomers;
    use std::net::{IpAddr, Ipv4Addr};

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
}
