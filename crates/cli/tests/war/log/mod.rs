//! The log of the card table.

pub(crate) mod made;
mod page;
mod proofs;
mod read;
mod tampered;
mod texts;
mod tls;
