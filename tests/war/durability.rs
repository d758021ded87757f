//! Times at which the journal writer syncs its medium.

use crate::shared::{dealt, record};
use std::io::{self, Write};
use war::cards::{Deck, Generator};
use war::engine::{Event, Projection, Table};
use war::i18n::Lang;
use war::journal::{Deal, Medium};
use war::recording::{NewGame, Recorder};
use war::rules::CLASSIC;

/// Simulated disk that knows its contents after a power cut.
#[derive(Default)]
struct Disk {
    written: usize,
    synced: usize,
    syncs: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Medium for Disk {
    fn sync(&mut self) -> io::Result<()> {
        self.synced = self.written;
        self.syncs += 1;
        Ok(())
    }
}

/// Plays a game; after every event, calls `look` with the length of the journal before the event
/// and the disk after it.
fn after_each_event(durable: bool, mut look: impl FnMut(usize, &Disk)) -> Disk {
    let generator = Generator::ChaCha8 { seed: 1 };
    let opening = NewGame::shuffled(CLASSIC, Deck::Small, 4, generator);
    // The recorder owns the disk until its end, so a cell lets the test inspect it.
    let disk = std::cell::RefCell::new(Disk::default());
    let mut before = 0;
    let callback = EventCallback(|| {
        let disk = disk.borrow();
        look(std::mem::replace(&mut before, disk.written), &disk);
    });
    let mut recorder =
        Recorder::new("test", opening.expect("a deal"), Lang::En).write_to(SharedDisk(&disk));
    if durable {
        recorder = recorder.sync_every_event();
    }
    recorder
        .with_projection(callback)
        .play()
        .expect("a sound disk");
    disk.into_inner()
}

/// Calls a function after an event is recorded.
struct EventCallback<F>(F);

impl<F: FnMut()> Projection<Table> for EventCallback<F> {
    fn project(&mut self, _: &Event, _: &Table) {
        self.0();
    }
}

struct SharedDisk<'a>(&'a std::cell::RefCell<Disk>);

impl Write for SharedDisk<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Medium for SharedDisk<'_> {
    fn sync(&mut self) -> io::Result<()> {
        self.0.borrow_mut().sync()
    }
}

#[test]
fn a_durable_event_is_synced_before_anyone_may_see_it() {
    let mut events = 0;
    let disk = after_each_event(true, |before, disk| {
        events += 1;
        assert!(disk.written > before, "event {events} is not written");
        assert_eq!(disk.synced, disk.written, "event {events} is not synced");
    });
    assert!(events > 10, "{events} events");
    assert_eq!((disk.synced, disk.syncs), (disk.written, events + 1));
}

#[test]
fn without_durability_events_are_written_at_once_and_the_end_is_synced() {
    let disk = after_each_event(false, |before, disk| {
        assert!(disk.written > before, "an event waits in memory");
        assert_eq!(disk.syncs, 0, "it costs the time of a sync");
    });
    assert_eq!((disk.synced, disk.syncs), (disk.written, 1));
}

#[test]
fn a_borrowed_medium_is_synced_too() {
    let mut disk = Disk::default();
    let generator = Generator::ChaCha8 { seed: 1 };
    let (hands, deal) = (dealt(Deck::Small, 4, 1), Deal::Shuffled { generator });
    let recorded = record(&mut disk, Deck::Small, hands, deal, &mut String::new());
    recorded.expect("a sound disk");
    assert!(disk.synced > 0 && disk.synced == disk.written);
}
