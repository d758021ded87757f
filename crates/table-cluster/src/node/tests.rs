use super::Node;
use crate::directory::{Directory, Owner};
use crate::leases::{Beat, Census, Epoch, LEASE, LOOK, NodeAddress, RoomRecord};
use crate::table::{PlayerLocation, TableStore};
use slog::Logger;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use war::signing::TableKey;
use war_table::protocol::PlayerId;
use war_table::room::Timeouts;
use war_table::server::hub::{FULL, HOUSE_AFTER, HubSettings};
use war_table::server::room_actor::HubFactory;
use war_table::server::rooms::{RoomNumber, Rooms};
use war_table::server::store::{Store, StoreError};
use war_table::server::{Clock, Identity, Metrics, People};
use war_table_world::store::{Fault, MemoryStore, StoreCall};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is done when a room is taken.
type OnTake = Box<dyn Fn() -> Result<(), StoreError> + Send>;

/// A table with some rooms.
struct Shelf {
    rooms: Arc<Mutex<Vec<RoomRecord>>>,
    /// The stores of the rooms that were taken.
    stores: Arc<Mutex<Vec<MemoryStore>>>,
    on_take: OnTake,
}

impl Shelf {
    /// A table whose rooms have these owners.
    fn new(owners: &[Option<&str>], on_take: OnTake) -> Self {
        let sight = |(room, owner): (u16, Option<&str>)| RoomRecord {
            room: RoomNumber(room),
            owner: owner.map(node),
            epoch: Epoch(1),
            beat: Beat(1),
        };
        let rooms = (0..).zip(owners.iter().copied()).map(sight).collect();
        Self {
            rooms: Arc::new(Mutex::new(rooms)),
            stores: Arc::default(),
            on_take,
        }
    }
}

impl TableStore for Shelf {
    fn rooms(&self) -> Rooms {
        Rooms::new(3).expect("rooms")
    }

    fn census(&self) -> Result<Census, StoreError> {
        Ok(Census {
            rooms: self.rooms.lock().expect("rooms").clone(),
            nodes: Vec::new(),
        })
    }

    fn beat(&self, _: &NodeAddress, _: People) -> Result<(), StoreError> {
        Ok(())
    }

    fn whereabouts(&self, _: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError> {
        Ok(Vec::new())
    }

    fn forget(&self, _: &NodeAddress) -> Result<(), StoreError> {
        Ok(())
    }

    fn take(
        &self,
        seen: &RoomRecord,
        by: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        (self.on_take)()?;
        let mut rooms = self.rooms.lock().expect("rooms");
        let room = &mut rooms[usize::from(seen.room.0)];
        room.owner = Some(by.clone());
        room.epoch.0 += 1;
        let store = MemoryStore::new();
        self.stores.lock().expect("stores").push(store.clone());
        Ok(Some(Box::new(store)))
    }
}

fn node(name: &str) -> NodeAddress {
    NodeAddress(name.to_owned())
}

/// Who the table is.
fn identity() -> Identity {
    let key = TableKey::from_file(include_str!("../../../../tests/keys/signer.key"));
    Identity {
        engine: "test",
        table: MemoryStore::ID,
        key: Arc::new(key.expect("a key")),
    }
}

/// The node `a` at work, in a thread of its own.
struct Started {
    directory: watch::Receiver<Directory>,
    ended: Receiver<Result<(), StoreError>>,
    _runtime: Runtime,
}

impl Started {
    fn new(table: Shelf, draining: watch::Receiver<bool>) -> Self {
        let timeouts = Timeouts {
            decide: 30_000,
            seeds: 1_000,
        };
        let opening = HubFactory {
            settings: HubSettings {
                timeouts,
                house_players: 0,
                house_after: HOUSE_AFTER,
                new_players: 60,
                full: FULL,
            },
            identity: identity(),
            clock: Clock::start(),
            metrics: Arc::new(Metrics::new()),
            log: Logger::root(slog::Discard, slog::o!()),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_time()
            .build();
        let runtime = runtime.expect("a runtime");
        let handle = runtime.handle().clone();
        let (open, directory) = watch::channel(Directory::default());
        let (end, ended) = channel();
        std::thread::spawn(move || {
            let node = Node::new(opening, &table, node("a"), open, handle);
            end.send(node.serve(draining))
        });
        Self {
            directory,
            ended,
            _runtime: runtime,
        }
    }

    /// Waits until the rooms are so: `h`ere, `t`here, or nowhere.
    #[track_caller]
    fn until(&self, expected: &str) {
        let start = Instant::now();
        loop {
            let directory = self.directory.borrow().clone();
            let word = |room| match directory.owner(RoomNumber(room)) {
                Some(Owner::Here(commands)) if !commands.is_closed() => 'h',
                Some(Owner::There(_)) => 't',
                Some(Owner::Here(_)) | None => '-',
            };
            let found: String = (0..3).map(word).collect();
            if found == expected {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{found}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// How it ended.
    #[track_caller]
    fn end(&self) -> Result<(), StoreError> {
        self.ended.recv_timeout(PATIENCE).expect("an end")
    }
}

#[test]
fn a_node_serves_what_is_free_and_hands_all_of_it_over_at_its_end() {
    let table = Shelf::new(&[None, Some("b"), None], Box::new(|| Ok(())));
    let (drain, draining) = watch::channel(false);
    let node = Started::new(table, draining);
    node.until("hth");
    drain.send_replace(true);
    assert!(node.end().is_ok());
    node.until("-t-");
}

// Nobody can send a writer a word before it is there.
#[test]
fn a_node_that_is_to_end_while_it_takes_a_room_hands_it_over() {
    let (drain, draining) = watch::channel(false);
    let on_take = Box::new(move || {
        drain.send_replace(true);
        Ok(())
    });
    let node = Started::new(Shelf::new(&[None], on_take), draining);
    assert!(node.end().is_ok());
}

#[test]
fn a_room_that_is_lost_is_not_here_any_more_and_the_others_are() {
    let table = Shelf::new(&[None, None, None], Box::new(|| Ok(())));
    let (rooms, stores) = (Arc::clone(&table.rooms), Arc::clone(&table.stores));
    let (_drain, draining) = watch::channel(false);
    let node = Started::new(table, draining);
    node.until("hhh");
    rooms.lock().expect("rooms")[1].owner = Some(super::NodeAddress("b".to_owned()));
    let lost = stores.lock().expect("stores")[1].clone();
    lost.fail(|call| (call == StoreCall::Begin).then_some(Fault::Error));
    node.until("hth");
}

/// How long a node takes to take its only room again that it has served for so long, and can't
/// serve any more; its beat has just changed.
fn taken_again_after(milliseconds: u64) -> Duration {
    let table = Shelf::new(&[None], Box::new(|| Ok(())));
    let (rooms, stores) = (Arc::clone(&table.rooms), Arc::clone(&table.stores));
    let (_drain, draining) = watch::channel(false);
    let node = Started::new(table, draining);
    node.until("h--");
    std::thread::sleep(Duration::from_millis(milliseconds));
    rooms.lock().expect("rooms")[0].beat.0 += 1;
    let lost = stores.lock().expect("stores")[0].clone();
    lost.fail(|call| (call == StoreCall::Begin).then_some(Fault::Error));
    let start = Instant::now();
    while stores.lock().expect("stores").len() < 2 {
        assert!(start.elapsed() < PATIENCE, "the room is lost");
        std::thread::sleep(Duration::from_millis(5));
    }
    start.elapsed()
}

// The writer of the room finds out when it next beats, within a third of its lease.
#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn a_node_waits_for_no_lease_of_its_own() {
    let took = taken_again_after(LEASE);
    assert!(took < Duration::from_millis(LEASE / 2), "{took:?}");
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn others_may_take_what_a_node_loses_again_and_again() {
    let took = taken_again_after(0);
    assert!(took >= Duration::from_millis(LEASE - LOOK), "{took:?}");
}

#[test]
fn a_node_goes_on_after_what_may_pass_and_ends_with_what_does_not() {
    let failures = Mutex::new(vec![StoreError::WentBack, StoreError::Lost]);
    let fail = move || match failures.lock().expect("failures").pop() {
        Some(error) => Err(error),
        None => Ok(()),
    };
    let (_drain, draining) = watch::channel(false);
    let table = Shelf::new(&[None], Box::new(fail));
    let node = Started::new(table, draining);
    assert!(matches!(node.end(), Err(StoreError::WentBack)));
}

#[test]
fn a_node_of_a_server_that_is_gone_ends() {
    let (drain, draining) = watch::channel(false);
    let node = Started::new(Shelf::new(&[None], Box::new(|| Ok(()))), draining);
    node.until("h--");
    drop(drain);
    assert!(node.end().is_ok());
}
