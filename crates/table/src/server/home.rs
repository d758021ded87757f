use super::directory::Directory;
use super::node::Node;
use super::peers::LinkSecret;
use super::rooms::{NodeAddress, People};
use super::store::{
    Inbox, Inspector, PostgresTable, Reader, SqliteStore, Store, StoreError, TableStore,
};
use super::writer::{Opening, WAITING_COMMANDS, Writer, WriterCommand};
use crate::log::TableId;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

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

/// What serves a table, in a thread of its own, as long as its server may.
///
/// A table of its own has one room, for which it lets a writer work. Of a table that several nodes
/// share it looks after those rooms that are its node's to serve.
pub(super) struct Keeper {
    pub(super) opening: Opening,
    pub(super) directory: watch::Sender<Directory>,
    /// Whether the server is to end.
    pub(super) draining: watch::Receiver<bool>,
}

/// What a keeper does next.
pub(super) enum Post {
    /// To serve what is its own.
    Own(Box<OwnPost>),
    /// To serve the rooms of a table that are its node's.
    Shared(Box<dyn TableStore>, NodeAddress),
}

/// What a node of several needs besides its rooms.
pub(super) struct Neighbours {
    /// The table, to look where players are.
    pub(super) whereabouts: Box<dyn TableStore>,
    /// What all nodes know.
    pub(super) secret: LinkSecret,
}

/// A table of its own that is open.
pub(super) struct OwnPost {
    writer: Writer,
    waiting: mpsc::Receiver<WriterCommand>,
}

impl Keeper {
    /// Opens what is this server's own; what is shared is opened when it may be, and is looked at
    /// besides.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub(super) fn prepare(&self, source: Source) -> Result<(Post, Option<Neighbours>), StoreError> {
        Ok(match source {
            Source::Own(store) => {
                let writer = self.opening.open(store)?;
                let (commands, waiting) = mpsc::channel(WAITING_COMMANDS);
                self.directory.send_replace(Directory::own(commands));
                (Post::Own(Box::new(OwnPost { writer, waiting })), None)
            }
            Source::Shared {
                table,
                whereabouts,
                node,
                secret,
            } => {
                table.beat(&node, People::default())?;
                let neighbours = Neighbours {
                    whereabouts,
                    secret,
                };
                (Post::Shared(table, node), Some(neighbours))
            }
        })
    }

    /// Works until the server is drained, or the store fails for good.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where it fails.
    pub(super) fn work(self, post: Post, runtime: &Handle) -> Result<(), StoreError> {
        let Self {
            opening,
            directory,
            draining,
        } = self;
        match post {
            Post::Own(own) => {
                let OwnPost {
                    writer,
                    mut waiting,
                } = *own;
                writer.work(&mut waiting, runtime)
            }
            Post::Shared(table, node) => {
                let node = Node::new(opening, &*table, node, directory, runtime.clone());
                node.serve(draining)
            }
        }
    }
}
