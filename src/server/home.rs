use super::rooms::NodeAddress;
use super::store::{PostgresTable, Reader, SqliteStore, Store, StoreError, TableStore};
use crate::log::TableId;

/// Where a server keeps its table.
pub struct Home {
    pub(super) id: TableId,
    pub(super) source: Source,
    /// For the connections.
    pub(super) reader: Box<dyn Reader>,
    /// For what is read once at the start: a reader that has read keeps a file beside an embedded
    /// store until it is closed.
    pub(super) first_reader: Box<dyn Reader>,
}

/// Where the room comes from that a server serves.
pub(super) enum Source {
    /// It is this server's alone.
    Own(Box<dyn Store>),
    /// Several nodes share the table: one of them owns the room, and the others stand by.
    Shared {
        table: Box<dyn TableStore>,
        /// Who this node is.
        node: NodeAddress,
    },
}

impl Home {
    /// A store that no other server uses.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn own(store: SqliteStore) -> Result<Self, StoreError> {
        Ok(Self {
            id: store.id()?,
            reader: Box::new(store.reader()?),
            first_reader: Box::new(store.reader()?),
            source: Source::Own(Box::new(store)),
        })
    }

    /// A store that other nodes use as well; `node` is what this one is called among them.
    #[must_use]
    pub fn shared(table: PostgresTable, node: String) -> Self {
        Self {
            id: table.id(),
            reader: Box::new(table.reader()),
            first_reader: Box::new(table.reader()),
            source: Source::Shared {
                table: Box::new(table),
                node: NodeAddress(node),
            },
        }
    }
}
