//! A store in memory.
//!
//! A transaction is a list of writes, which are applied when it is committed.

mod busy;
mod committed;
mod fault;
mod kept;
mod memory_room;
mod memory_store;
mod memory_table;
mod old_messages;
mod row;
mod shared;
mod tenure;
mod transaction;
mod write;

pub use committed::Committed;
pub use fault::{Fault, StoreCall};
pub use memory_room::MemoryRoom;
pub use memory_store::MemoryStore;
pub use memory_table::MemoryTable;
pub use write::Write;
