//! A store in memory, which fails when asked to, and shows what was committed.
//!
//! A transaction is a list of writes, which are applied when it is committed.

mod fault;
mod kept;
mod memory_table;
mod shared;
mod transaction;

pub use fault::{Fault, StoreCall};
pub use kept::{Committed, Write};
pub use memory_table::{MemoryRoom, MemoryStore, MemoryTable};
