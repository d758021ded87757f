use super::{Address, Allowance, Buckets};
use std::sync::{Mutex, PoisonError};

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
