//! The log of the card table.

pub(crate) mod made;
mod read;
mod tampered;
mod tls;
