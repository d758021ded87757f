//! Tests of the card table's log.

mod page;
mod proofs;
mod texts;
