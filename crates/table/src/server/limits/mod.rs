//! Limits: how much a client, and all clients of an address together, may ask for.

mod address;
mod bucket;
mod buckets;
mod crowds;
mod newcomers;
mod proxy_header;

pub use address::Address;
pub(super) use bucket::{Allowance, Bucket};
pub(super) use buckets::Buckets;
pub(super) use crowds::Crowds;
pub(super) use newcomers::Newcomers;
pub use proxy_header::{ParseProxyHeaderError, ProxyHeader};
