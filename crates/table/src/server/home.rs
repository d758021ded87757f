use super::peers::LinkSecret;
use super::rooms::NodeAddress;
use super::store::{
    Inbox, Inspector, PostgresTable, Reader, SqliteStore, Store, StoreError, TableStore,
};
use crate::log::TableId;

/// Where a server keeps its table.
pub struct Home {
    pub(super) id: TableId,
    pub(super) source: Source,
    /// For the connections.
    pub(super) reader: Box<dyn Reader>,
    /// How operators reach the node that serves, where there are several.
    pub(super) inbox: Option<Box<dyn Inbox>>,
    /// For the ladder, which reads much once a day.
    pub(super) rater: Box<dyn Reader>,
    /// For operators, who read much.
    pub(super) inspector: Box<dyn Inspector>,
    /// For what is read once at the start: a reader that has read keeps a file beside an embedded
    /// store until it is closed.
    pub(super) first_reader: Box<dyn Reader>,
}

/// Where the rooms come from that a server serves.
pub(super) enum Source {
    /// It is this server's alone.
    Own(Box<dyn Store>),
    /// Several nodes share the table, and each owns some of its rooms.
    Shared {
        table: Box<dyn TableStore>,
        /// The same, to look where players are.
        whereabouts: Box<dyn TableStore>,
        /// Where other nodes reach this one.
        node: NodeAddress,
        /// What all nodes of the table know.
        secret: LinkSecret,
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
            inbox: None,
            rater: Box::new(store.last_reader()?),
            inspector: Box::new(store.reader()?),
            first_reader: Box::new(store.reader()?),
            source: Source::Own(Box::new(store)),
        })
    }

    /// A store that other nodes use as well; `node` is where they reach this one.
    #[must_use]
    pub fn shared(table: PostgresTable, node: String) -> Self {
        Self {
            id: table.id(),
            reader: Box::new(table.reader()),
            inbox: Some(Box::new(table.inbox())),
            rater: Box::new(table.reader()),
            inspector: Box::new(table.reader()),
            first_reader: Box::new(table.reader()),
            source: Source::Shared {
                whereabouts: Box::new(table.another()),
                secret: LinkSecret::new(*table.secret()),
                table: Box::new(table),
                node: NodeAddress(node),
            },
        }
    }
}
