//! The keeper: the thread that serves a table as long as its server may.
//!
//! A table of its own has one room, for which it lets a writer work. Of a table that several nodes
//! share it looks after those rooms that are its node's to serve.

use super::directory::Directory;
use super::home::Source;
use super::node::Node;
use super::opening::Opening;
use super::peers::LinkSecret;
use super::rooms::{NodeAddress, People};
use super::store::{StoreError, TableStore};
use super::writer::{WAITING_COMMANDS, Writer, WriterCommand};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

/// What serves a table.
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
