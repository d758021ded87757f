//! A store in memory that can fail on request and shows what was committed.
//!
//! A transaction is a list of writes, which are applied on commit.

mod contents;
mod data;
mod fault;
mod memory_table;
mod transaction;

pub use contents::{StoreSnapshot, StoreWrite};
pub use fault::{CommitOutcome, Fault, StoreCall};
pub use memory_table::{MemoryRoom, MemoryStore, MemoryTable};
