//! The keeper: the thread that serves a table as long as its server may.
//!
//! It opens the hub of a room and lets a writer work. Where several nodes share the table, it
//! stands by until it may take the room, and again after it has lost it.

use super::clock::Clock;
use super::desk::Desk;
use super::home::Source;
use super::hub::{Hub, HubSettings, Now};
use super::identity::Identity;
use super::metrics::Metrics;
use super::randomness::SystemRandomness;
use super::rooms::{LOOK, NodeAddress};
use super::standby::Standby;
use super::store::{Store, StoreError, TableStore};
use super::writer::{Writer, WriterCommand};
use slog::{Logger, info, warn};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

/// Commands that may wait for the writer.
const WAITING_COMMANDS: usize = 8192;

/// How commands reach the writer; nobody takes any while this node stands by.
pub(super) type Commands = Option<mpsc::Sender<WriterCommand>>;

/// What is needed to open the hub of a room, again and again.
pub(super) struct Keeper {
    pub(super) settings: HubSettings,
    pub(super) identity: Identity,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
    pub(super) commands: watch::Sender<Commands>,
    /// Whether the server is to end.
    pub(super) draining: watch::Receiver<bool>,
}

/// A writer that takes commands.
struct Opened {
    writer: Writer,
    waiting: mpsc::Receiver<WriterCommand>,
}

/// What a keeper does next.
pub(super) enum Post {
    /// To serve what is its own.
    Own(Box<OwnPost>),
    /// To serve, or stand by.
    Shared(Box<dyn TableStore>, NodeAddress),
}

/// A table of its own that is open.
pub(super) struct OwnPost(Opened);

impl Keeper {
    /// Opens what is this server's own; what is shared is opened when it may be.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub(super) fn prepare(&self, source: Source) -> Result<Post, StoreError> {
        Ok(match source {
            Source::Own(store) => Post::Own(Box::new(OwnPost(self.open(store)?))),
            Source::Shared { table, node } => {
                table.beat(&node)?;
                Post::Shared(table, node)
            }
        })
    }

    /// Works until the server is drained, or the store fails for good.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where it fails.
    pub(super) fn work(self, post: Post, runtime: &Handle) -> Result<(), StoreError> {
        match post {
            Post::Own(own) => self.serve(own.0, runtime),
            Post::Shared(table, node) => self.share(&*table, &node, runtime),
        }
    }

    /// Serves the room when it may, and stands by otherwise.
    fn share(
        &self,
        table: &dyn TableStore,
        node: &NodeAddress,
        runtime: &Handle,
    ) -> Result<(), StoreError> {
        let mut standby = Standby::new(node.clone());
        info!(self.log, "standing by"; "node" => %node);
        while !*self.draining.borrow() {
            match self.turn(table, &mut standby, runtime) {
                Ok(()) => {}
                Err(error) if Standby::outlasts(&error) => {
                    self.metrics.store_error(&error);
                    let cause = error.source().map(ToString::to_string);
                    warn!(self.log, "standing by"; "reason" => %error, "cause" => cause);
                }
                Err(error) => return Err(error),
            }
            std::thread::sleep(Duration::from_millis(LOOK));
        }
        standby.leave(table)
    }

    /// Looks once, and serves the room if it may be taken, until the server is to end.
    fn turn(
        &self,
        table: &dyn TableStore,
        standby: &mut Standby,
        runtime: &Handle,
    ) -> Result<(), StoreError> {
        let seen = standby.look(table, self.clock.now())?;
        self.metrics.store_works();
        let Some(seen) = seen else {
            return Ok(());
        };
        let Some(store) = standby.take(table, &seen)? else {
            return Ok(());
        };
        info!(self.log, "took the room"; "room" => seen.room.0, "after" => seen.epoch.0);
        let mut opened = self.open(store)?;
        if *self.draining.borrow() {
            // Nobody could take commands yet when it was said.
            opened.writer.hand_over();
        }
        self.serve(opened, runtime)
    }

    /// Opens the hub of a room: from here on its commands are taken.
    fn open(&self, store: Box<dyn Store>) -> Result<Opened, StoreError> {
        let (table, wall, opened) = (store.time()?, self.clock.wall(), self.clock.now());
        let hub = Hub::open(
            &*store,
            self.settings,
            Box::new(SystemRandomness),
            self.identity.clone(),
            Arc::clone(&self.metrics),
            self.log.clone(),
            Now { table, wall },
        )?;
        let (clock, metrics) = (self.clock.clone(), Arc::clone(&self.metrics));
        let desk = Desk::new(hub, table, opened);
        let writer = Writer::new(store, desk, clock, metrics, self.log.clone());
        let (commands, waiting) = mpsc::channel(WAITING_COMMANDS);
        self.commands.send_replace(Some(commands));
        Ok(Opened { writer, waiting })
    }

    /// Lets the writer work. When it ends, its clients lose their connection.
    fn serve(&self, opened: Opened, runtime: &Handle) -> Result<(), StoreError> {
        let Opened {
            writer,
            mut waiting,
        } = opened;
        let ended = writer.work(&mut waiting, runtime);
        self.commands.send_replace(None);
        self.metrics.stands_by();
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::{Keeper, Post};
    use crate::room::{PlayerId, Timeouts};
    use crate::server::Metrics;
    use crate::server::clock::Clock;
    use crate::server::hub::HubSettings;
    use crate::server::identity::Identity;
    use crate::server::rooms::{Beat, Census, Epoch, NodeAddress, RoomNumber, RoomSight, Rooms};
    use crate::server::store::{MemoryStore, Store, StoreError, TableStore, Whereabouts};
    use slog::Logger;
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::watch;

    /// A table whose room is free, and whose node hears that it is to end while it takes it.
    struct Late(watch::Sender<bool>);

    impl TableStore for Late {
        fn rooms(&self) -> Rooms {
            Rooms::ONE
        }

        fn census(&self) -> Result<Census, StoreError> {
            let room = RoomSight {
                room: RoomNumber(0),
                owner: None,
                epoch: Epoch(1),
                beat: Beat(1),
            };
            Ok(Census {
                rooms: vec![room],
                nodes: Vec::new(),
            })
        }

        fn beat(&self, _: &NodeAddress) -> Result<(), StoreError> {
            Ok(())
        }

        fn forget(&self, _: &NodeAddress) -> Result<(), StoreError> {
            Ok(())
        }

        fn take(
            &self,
            _: &RoomSight,
            _: &NodeAddress,
        ) -> Result<Option<Box<dyn Store>>, StoreError> {
            self.0.send_replace(true);
            Ok(Some(Box::new(MemoryStore::new())))
        }

        fn whereabouts(&self, _: &[PlayerId]) -> Result<Vec<Whereabouts>, StoreError> {
            Ok(Vec::new())
        }
    }

    // Nobody can send the writer a word before it is there.
    #[test]
    fn a_node_that_is_to_end_while_it_takes_the_room_hands_it_over() {
        let (drain, draining) = watch::channel(false);
        let (commands, _taken) = watch::channel(None);
        let timeouts = Timeouts {
            decide: 30_000,
            seeds: 1_000,
        };
        let keeper = Keeper {
            settings: HubSettings {
                timeouts,
                house_players: 0,
                new_players: 60,
            },
            identity: Identity::fixed(),
            clock: Clock::start(),
            metrics: Arc::new(Metrics::new()),
            log: Logger::root(slog::Discard, slog::o!()),
            commands,
            draining,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_time()
            .build();
        let runtime = runtime.expect("a runtime");
        let handle = runtime.handle().clone();
        let (end, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let post = Post::Shared(Box::new(Late(drain)), NodeAddress("a".to_owned()));
            end.send(keeper.work(post, &handle).is_ok())
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(10)), Ok(true));
    }
}
