use super::store::StoreError;
use std::io;

/// Why a server can't be opened, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The store can't be used, or failed.
    #[error("the store failed")]
    Store(#[from] StoreError),
    /// The address that the server listens at can't be read back from the system.
    #[error("the address of the listener is not known")]
    Address(#[source] io::Error),
    /// The system starts no more threads.
    #[error("the thread `{name}` can't be started")]
    Thread {
        /// The name of the thread.
        name: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The thread that writes the store has panicked.
    #[error("the writer's thread is gone")]
    WriterGone,
}
