//! The log of the card table.

mod read;
mod tampered;
pub(crate) mod test_log;
mod tls;
