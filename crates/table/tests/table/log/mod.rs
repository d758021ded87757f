//! The log of the card table.

mod page;
mod proofs;
mod texts;
