//! The log of the card table.

mod made;
mod page;
mod proofs;
mod read;
mod tampered;
mod texts;
