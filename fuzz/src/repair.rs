//! Repair: the new journal keeps the proven events of the old one, and nothing else.

use super::reader::verify_journal;
use war::engine::Event;
use war::journal::{End, Header, Judgement, Verdict};
use war::repair::{Repair, RepairError};
use war::replay::{Replay, ReplayItem};
use war::tokens::TokenEvent;

/// Checks the repair of bytes as a journal, and of a part of them as a truncated file.
///
/// A repaired journal must have the header and the proven events of the old one, be VERIFIED if the
/// game was over and INCOMPLETE otherwise, and not be repairable again. A VERIFIED journal must not
/// be repaired. Its beginning, cut off anywhere after an event, must be repairable; if all events
/// are left, the repaired journal must end like the whole one.
pub fn check(bytes: &[u8]) {
    for salvage in [false, true] {
        check_repair(bytes, salvage);
    }
    let Ok(whole) = verify_journal(bytes) else {
        return;
    };
    // Any position will do, as long as it is the same each time.
    let sum: usize = bytes.iter().map(|&byte| usize::from(byte)).sum();
    let cut = &bytes[..sum % bytes.len()];
    if let Err(fault) = verify_journal(cut) {
        assert_eq!(fault.verdict(), Verdict::Incomplete, "cut off: {fault}");
        let has_all = |end: &End| (end.events, end.reason) == (whole.events, whole.reason);
        if let Some(end) = check_repair(cut, false).filter(has_all) {
            assert_eq!(end, whole, "cut off behind its last event");
        }
    }
}

fn prepare(replay: &mut Replay<'_>, salvage: bool) -> Result<Repair, RepairError> {
    if salvage {
        Repair::prepare_salvage(replay)
    } else {
        Repair::prepare(replay)
    }
}

/// Repairs a journal if possible, and returns the end of the new one.
fn check_repair(bytes: &[u8], salvage: bool) -> Option<End> {
    let before = Contents::of(bytes)?;
    let open = || Replay::open(bytes, None).expect("it was opened before");
    let verdict = before.judgement.verdict();
    let Ok(repair) = prepare(&mut open(), salvage) else {
        let is_cut = verdict == Verdict::Incomplete && before.judgement.fault().is_some();
        let is_empty = before.events.is_empty();
        assert!(!is_cut || is_empty, "cut off, and not repaired");
        return None;
    };
    match verdict {
        Verdict::Incomplete => {}
        Verdict::Damaged | Verdict::Diverged => assert!(salvage, "{}", before.judgement),
        _ => panic!("repaired: {}", before.judgement),
    }
    let mut journal = Vec::new();
    let copied = repair.copy(open(), &mut journal);
    let (end, _) = copied.expect("memory takes every byte");

    let after = Contents::of(&journal).expect("a repaired journal opens");
    assert_eq!(after.judgement.end(), Some(&end), "{}", after.judgement);
    let expected = if before.is_over() {
        Verdict::Verified
    } else {
        Verdict::Incomplete
    };
    assert_eq!(after.judgement.verdict(), expected);
    assert!(after.events == before.events, "other events");
    assert_eq!(
        after.header_without_source(),
        before.header_without_source()
    );
    for salvage in [false, true] {
        let mut again = Replay::open(&journal[..], None).expect("it was opened before");
        assert!(prepare(&mut again, salvage).is_err(), "repaired again");
    }
    Some(end)
}

/// Contents of a journal.
struct Contents {
    header: Header,
    events: Vec<ReplayItem>,
    judgement: Judgement,
}

impl Contents {
    /// Reads these bytes; `None` if they don't open as a journal.
    fn of(bytes: &[u8]) -> Option<Self> {
        let replay = Replay::open(bytes, None).ok()?;
        let header = replay.header().clone();
        let mut events = Vec::new();
        for item in replay {
            match item.expect("memory is read without errors") {
                ReplayItem::Verdict(judgement) => {
                    return Some(Self {
                        header,
                        events,
                        judgement,
                    });
                }
                event => events.push(event),
            }
        }
        panic!("a replay without a verdict");
    }

    /// Returns `true` if the last event ends the game.
    fn is_over(&self) -> bool {
        match self.events.last() {
            Some(ReplayItem::War(event)) => matches!(
                event,
                Event::Won { .. }
                    | Event::Endless { .. }
                    | Event::DrawnGame
                    | Event::Stopped { .. }
            ),
            Some(ReplayItem::Tokens(event)) => matches!(event, TokenEvent::Settled { .. }),
            _ => false,
        }
    }

    /// Header without the digest of the journal that this journal was upgraded from.
    fn header_without_source(&self) -> Header {
        let format = self.header.format.clone().without_upgraded_from();
        Header {
            format,
            ..self.header.clone()
        }
    }
}
