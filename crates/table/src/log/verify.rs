use super::checkpoint::{Checkpoint, CheckpointError, SignatureError};
use super::fault::LogFault;
use super::leaf::{Continuation, Leaf, LeafError};
use super::tile::{Tile, TileLevel, decode_bundle};
use super::tree::{LogTree, TreeHash, hash_leaf};
use crate::daily::{Day, DayCommitment};
use crate::time::WallTime;
use ed25519_dalek::VerifyingKey;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use war::journal::Verdict;
use war::support::hex::Hex;

/// A source from which a log is read.
pub trait LogFetcher {
    /// Error of a failed read. A missing file is not an error.
    type Error;

    /// Reads the file at a path of the log: `checkpoint`, or the path of a [`Tile`]. Returns `None`
    /// if there is no such file. A file longer than `max_length` may be cut off one byte beyond
    /// that length.
    ///
    /// # Errors
    ///
    /// [`Self::Error`] if the file can't be read.
    fn fetch(&mut self, path: &str, max_length: usize) -> Result<Option<Vec<u8>>, Self::Error>;
}

/// Options for verifying a log.
#[derive(Debug, Clone, Copy)]
pub struct VerifyOptions<'a> {
    /// The table's key.
    pub key: &'a VerifyingKey,
    /// An earlier checkpoint, which the log must contain.
    pub earlier: Option<Checkpoint>,
    /// The current time; `None` for a copy of a log, which may be old.
    pub now: Option<WallTime>,
}

/// Result of verifying a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFindings {
    /// The checkpoint, if it was signed with the table's key.
    pub checkpoint: Option<Checkpoint>,
    /// Number of leaves that were read and match the tree.
    pub leaves: u64,
    /// Number of games that began in these leaves.
    pub games: u64,
    /// Number of those games that ended.
    pub ended: u64,
    /// The first [`LogFindings::MAX_FAULTS`] faults, in the order in which they were found.
    pub faults: Vec<LogFault>,
    /// Number of all faults, including those not kept in `faults`.
    pub faults_found: u64,
}

/// A part of the log, or the fault found in this part.
type FaultResult<T> = Result<T, LogFault>;

/// Maximum length of a checkpoint with all its signatures, in bytes.
const MAX_CHECKPOINT: usize = 1 << 16;

/// Maximum length of an entry, in bytes: more than twice the length of any leaf.
const MAX_ENTRY: usize = 1 << 10;

/// Length of a hash, in bytes.
const HASH_LENGTH: usize = 32;

impl LogFindings {
    /// Maximum number of faults that are kept.
    pub const MAX_FAULTS: usize = 100;

    /// Verdict on the log: that of its worst fault.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let worst = self.worst_fault().map(|fault| fault.code().verdict());
        worst.unwrap_or(Verdict::Verified)
    }

    /// The worst fault, the first one if several are equally bad. Deviations from the signed tree
    /// are worse than an unexpected key, table or history. Next comes a leaf of an unknown version:
    /// it may be the leaf that another fault reports as missing.
    #[must_use]
    pub fn worst_fault(&self) -> Option<&LogFault> {
        let weight = |fault: &&LogFault| match fault.code().verdict() {
            Verdict::Damaged => 0,
            Verdict::Unexpected => 1,
            Verdict::Unsupported => 2,
            _ => 3,
        };
        self.faults.iter().min_by_key(weight)
    }

    fn add(&mut self, fault: LogFault) {
        self.faults_found += 1;
        if self.faults.len() < Self::MAX_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// Reads and verifies a whole log: checks the signature of the checkpoint, all tiles and leaves,
/// that the log contains the earlier checkpoint, and that every game begins once and ends once.
///
/// `progress` is called with the number of leaves read so far.
///
/// # Errors
///
/// The error of the source.
pub fn verify_log<S: LogFetcher>(
    source: &mut S,
    demand: &VerifyOptions<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<LogFindings, S::Error> {
    let mut findings = LogFindings::default();
    let checkpoint = match read_checkpoint(source, demand.key)? {
        Ok(checkpoint) => checkpoint,
        Err(fault) => {
            findings.add(fault);
            return Ok(findings);
        }
    };
    findings.checkpoint = Some(checkpoint);
    let earlier = demand.earlier.filter(|earlier| {
        let fault = earlier_fault(earlier, &checkpoint);
        let is_comparable = fault.is_none();
        if let Some(fault) = fault {
            findings.add(fault);
        }
        is_comparable
    });
    let mut verification = Verification {
        source,
        size: checkpoint.size,
        tree: LogTree::default(),
        audit: GameAudit::default(),
        earlier,
        findings,
    };
    let fault = match verification.read_leaves(progress)? {
        Some(fault) => Some(fault),
        None => verification.check_tiles()?,
    };
    let Verification {
        audit,
        tree,
        mut findings,
        ..
    } = verification;
    (findings.games, findings.ended) = (audit.game_count(), audit.ended_count());
    match fault {
        Some(fault) => findings.add(fault),
        None if tree.root() != checkpoint.root => {
            let size = checkpoint.size;
            findings.add(LogFault::Root { size });
        }
        None => audit
            .overdue_faults(demand.now)
            .for_each(|fault| findings.add(fault)),
    }
    Ok(findings)
}

/// Reads and verifies the checkpoint of a log.
fn read_checkpoint<S: LogFetcher>(
    source: &mut S,
    key: &VerifyingKey,
) -> Result<FaultResult<Checkpoint>, S::Error> {
    const NAME: &str = "checkpoint";
    let Some(bytes) = source.fetch(NAME, MAX_CHECKPOINT)? else {
        return Ok(Err(LogFault::Missing(NAME.to_owned())));
    };
    let text = String::from_utf8_lossy(&bytes);
    let verified = Checkpoint::parse_verified(&text, key);
    Ok(verified.map_err(|error| match error {
        CheckpointError::Malformed => LogFault::Checkpoint,
        CheckpointError::Signature(SignatureError::OtherKey) => LogFault::OtherKey,
        CheckpointError::Signature(SignatureError::Wrong) => LogFault::Signature,
    }))
}

/// Returns the fault that the two checkpoints alone reveal, if any.
fn earlier_fault(earlier: &Checkpoint, now: &Checkpoint) -> Option<LogFault> {
    if earlier.table != now.table {
        let (earlier, found) = (earlier.origin(), now.origin());
        return Some(LogFault::OtherTable { earlier, found });
    }
    let (earlier, found) = (earlier.size, now.size);
    (earlier > found).then_some(LogFault::Shorter { earlier, found })
}

/// State of the verification of a log.
struct Verification<'a, S> {
    source: &'a mut S,
    size: u64,
    tree: LogTree,
    audit: GameAudit,
    earlier: Option<Checkpoint>,
    findings: LogFindings,
}

impl<S: LogFetcher> Verification<'_, S> {
    /// Reads all leaves, up to the first fault that makes further reading pointless.
    fn read_leaves(&mut self, progress: &mut dyn FnMut(u64)) -> Result<Option<LogFault>, S::Error> {
        self.check_earlier();
        for index in 0.. {
            let Some(bundle) = Tile::new(TileLevel::Entries, index, self.size) else {
                break;
            };
            if let Err(fault) = self.read_bundle(bundle)? {
                return Ok(Some(fault));
            }
            progress(self.tree.size());
        }
        Ok(None)
    }

    fn read_bundle(&mut self, bundle: Tile) -> Result<FaultResult<()>, S::Error> {
        let Some(hashes) = Tile::new(TileLevel::Hashes(0), bundle.index(), self.size) else {
            return Ok(Ok(()));
        };
        let (bundle, leaves) = match self.fetch(bundle, MAX_ENTRY)? {
            Ok((found, bytes)) => (found, bytes),
            Err(fault) => return Ok(Err(fault)),
        };
        let hashes = match self.read_hashes(hashes)? {
            Ok(hashes) => hashes,
            Err(fault) => return Ok(Err(fault)),
        };
        let leaves = decode_bundle(&leaves).ok();
        let leaves = leaves.filter(|leaves| leaves.len() == usize::from(bundle.width()));
        let Some(leaves) = leaves else {
            return Ok(Err(LogFault::Length(bundle.to_string())));
        };
        let each = leaves.iter().zip(hashes);
        Ok(each
            .into_iter()
            .try_for_each(|(leaf, hash)| self.check_leaf(leaf, hash)))
    }

    /// Reads a tile or bundle, and returns its bytes with the tile found: a log that has grown may
    /// have only the full tile.
    fn fetch(
        &mut self,
        tile: Tile,
        entry_length: usize,
    ) -> Result<FaultResult<(Tile, Vec<u8>)>, S::Error> {
        for tile in [tile, tile.full_tile()] {
            let max_length = entry_length * usize::from(tile.width());
            if let Some(bytes) = self.source.fetch(&tile.to_string(), max_length)? {
                return Ok(Ok((tile, bytes)));
            }
        }
        Ok(Err(LogFault::Missing(tile.to_string())))
    }

    /// Reads the hashes of a tile, as many as its width.
    fn read_hashes(&mut self, tile: Tile) -> Result<FaultResult<Vec<TreeHash>>, S::Error> {
        Ok(self.fetch(tile, HASH_LENGTH)?.and_then(|(found, bytes)| {
            let (hashes, rest) = bytes.as_chunks::<HASH_LENGTH>();
            if hashes.len() != usize::from(found.width()) || !rest.is_empty() {
                return Err(LogFault::Length(found.to_string()));
            }
            let hashes = hashes.iter().take(tile.width().into());
            Ok(hashes.map(|hash| TreeHash::new(*hash)).collect())
        }))
    }

    fn check_leaf(&mut self, bytes: &[u8], expected: TreeHash) -> Result<(), LogFault> {
        let leaf = self.tree.size();
        let hash = hash_leaf(bytes);
        if hash != expected {
            return Err(LogFault::LeafHash(leaf));
        }
        let fault = match Leaf::from_bytes(bytes) {
            Ok(Leaf::Restored(restored)) if !self.continues_from(&restored) => {
                return Err(LogFault::Leaf(leaf));
            }
            Ok(leaf) => self.audit.add_leaf(&leaf),
            Err(LeafError::Unknown(first_line)) => {
                self.audit.add_unknown_leaf();
                Some(LogFault::UnknownLeaf { leaf, first_line })
            }
            Err(LeafError::Malformed) => return Err(LogFault::Leaf(leaf)),
        };
        if let Some(fault) = fault {
            self.findings.add(fault);
        }
        self.tree.append(hash);
        self.findings.leaves += 1;
        self.check_earlier();
        Ok(())
    }

    /// Returns true if the continuation follows exactly the leaves read so far.
    fn continues_from(&self, last: &Continuation) -> bool {
        (last.size, last.root) == (self.tree.size(), self.tree.root())
    }

    /// Compares the tree with the earlier checkpoint once both have the same size.
    fn check_earlier(&mut self) {
        let size = self.tree.size();
        let earlier = self.earlier.filter(|earlier| earlier.size == size);
        if earlier.is_some_and(|earlier| earlier.root != self.tree.root()) {
            self.findings.add(LogFault::Forked { earlier: size });
        }
    }

    /// Compares the tiles above the leaves with those computed from the leaves.
    fn check_tiles(&mut self) -> Result<Option<LogFault>, S::Error> {
        let size = self.size;
        let levels = (1..).map(TileLevel::Hashes);
        for level in levels.take_while(|level| level.count(size) > 0) {
            for index in 0.. {
                let Some(tile) = Tile::new(level, index, size) else {
                    break;
                };
                let found = match self.read_hashes(tile)? {
                    Ok(found) => found,
                    Err(fault) => return Ok(Some(fault)),
                };
                let stored = |_: Range<u64>| Ok::<_, S::Error>(Vec::new());
                let computed = self.tree.read_tile(tile, stored)?;
                let found = found.iter().flat_map(TreeHash::bytes);
                if computed.is_none_or(|computed| !found.eq(&computed)) {
                    return Ok(Some(LogFault::Tile(tile.to_string())));
                }
            }
        }
        Ok(None)
    }
}

/// Checks the games in a log: each game must begin once and then end once, unless it is void
/// because the table continued from a backup.
#[derive(Debug, Default)]
struct GameAudit {
    /// Positions of the leaves of each game, by number.
    games: BTreeMap<u64, GameLeaves>,
    ended: u64,
    /// First commitment for each day, and the position of its leaf.
    days: BTreeMap<Day, (Hex<32>, u64)>,
    /// Times stated in the leaves, in order of the leaves.
    times: Vec<WallTime>,
}

#[derive(Debug, Clone, Copy)]
struct GameLeaves {
    start: u64,
    end: Option<u64>,
}

/// Maximum duration of a game: far longer than any game takes, because the table may be closed for
/// hours during a game.
const MAX_DURATION: Duration = HOUR.saturating_mul(24);

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Placeholder for the time of a leaf of an unknown version.
const UNKNOWN_TIME: WallTime = WallTime::from_millis(u64::MAX);

impl GameAudit {
    /// Number of games that began.
    pub(super) fn game_count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Number of games that ended.
    pub(super) const fn ended_count(&self) -> u64 {
        self.ended
    }

    /// Counts a leaf of an unknown version.
    pub(super) fn add_unknown_leaf(&mut self) {
        self.times.push(UNKNOWN_TIME);
    }

    /// Adds the next leaf and returns the fault in it, if any.
    pub(super) fn add_leaf(&mut self, leaf: &Leaf) -> Option<LogFault> {
        let at = self.times.len() as u64;
        self.times.push(leaf.time());
        let game = leaf.game();
        match (leaf, self.games.get_mut(&game)) {
            (Leaf::Restored(_), _) => {
                let open = self.games.values_mut().filter(|game| game.end.is_none());
                for game in open {
                    game.end = Some(at);
                    self.ended += 1;
                }
                None
            }
            (Leaf::Day(committed), _) => self.add_day(committed, at),
            (Leaf::Start(_), None) => {
                let (start, end) = (at, None);
                self.games.insert(game, GameLeaves { start, end });
                None
            }
            (Leaf::Start(_), Some(known)) => Some(LogFault::StartedTwice {
                game,
                leaf: at,
                before: known.start,
            }),
            (Leaf::End(_), None) => Some(LogFault::NoStart { game, leaf: at }),
            (Leaf::End(_), Some(known)) => {
                let before = known.end.replace(at);
                self.ended += u64::from(before.is_none());
                before.map(|before| LogFault::EndedTwice {
                    game,
                    leaf: at,
                    before,
                })
            }
        }
    }

    /// Adds a commitment for a day. A table may repeat a commitment, but not change it.
    fn add_day(&mut self, committed: &DayCommitment, leaf: u64) -> Option<LogFault> {
        let (day, commitment) = (committed.day, committed.commitment);
        let first = self.days.entry(day).or_insert((commitment, leaf));
        let (known, before) = *first;
        if known != commitment {
            return Some(LogFault::OtherDay { day, leaf, before });
        }
        let is_late = before == leaf && !committed.is_in_time();
        is_late.then_some(LogFault::LateDay { day, leaf })
    }

    /// Faults for games that should have ended by `now` or by the time of the last leaf, whichever
    /// is later. For a copy of a log, `now` is `None`.
    fn overdue_faults(&self, now: Option<WallTime>) -> impl Iterator<Item = LogFault> {
        let last = self.times.iter().rev().find(|time| **time != UNKNOWN_TIME);
        let now = now.max(last.copied()).unwrap_or_default();
        let open = self.games.iter().filter(|(_, game)| game.end.is_none());
        let mut open: Vec<_> = open.map(|(number, game)| (game.start, *number)).collect();
        open.sort_unstable();
        // A leaf is at least as old as those that follow it, whatever time it states.
        let mut written = self.times.clone();
        for at in (1..written.len()).rev() {
            written[at - 1] = written[at - 1].min(written[at]);
        }
        open.into_iter().filter_map(move |(leaf, game)| {
            let began = usize::try_from(leaf).ok().and_then(|at| written.get(at))?;
            let age = now.saturating_since(*began);
            let hours = age.as_secs() / HOUR.as_secs();
            (age >= MAX_DURATION).then_some(LogFault::NoEnd { game, leaf, hours })
        })
    }
}

/// Result of verifying a log as a JSON object, with the fields listed at [`LogResult::to_json`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogResult<'a> {
    /// Address or directory of the log.
    pub log: &'a str,
    /// ID of the table's key.
    pub key: &'a str,
    /// SHA-256 of that key.
    pub fingerprint: &'a str,
    /// Number of leaves at the earlier checkpoint, if one was given.
    pub with: Option<u64>,
    /// The findings.
    pub findings: &'a LogFindings,
    /// The worst fault in words.
    pub message: Option<String>,
}

#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    version: u32,
    log: &'a str,
    table: Option<String>,
    size: Option<u64>,
    root: Option<String>,
    key: &'a str,
    fingerprint: &'a str,
    with: Option<u64>,
    leaves: u64,
    games: u64,
    ended: u64,
    verdict: &'static str,
    code: Option<String>,
    leaf: Option<u64>,
    message: Option<&'a str>,
    faults: u64,
}

impl LogResult<'_> {
    /// Serializes the result as JSON, on one line without a line feed.
    ///
    /// | field | content |
    /// |---|---|
    /// | `format`, `version` | `"war-log-result"` and 1 |
    /// | `log` | the address or the directory |
    /// | `table`, `size`, `root` | content of the checkpoint, if it was signed with the key; else null |
    /// | `key`, `fingerprint` | the ID of the key and its SHA-256 |
    /// | `with` | number of leaves at the earlier checkpoint; null without one |
    /// | `leaves` | leaves that were read and match the tree |
    /// | `games`, `ended` | number of games that began in those leaves, and how many of these games ended |
    /// | `verdict` | `"VERIFIED"`, `"DAMAGED"`, `"DIVERGED"`, `"UNEXPECTED"` or `"UNSUPPORTED"` |
    /// | `code`, `leaf`, `message` | the worst fault: its code, its leaf, and its text; null without one |
    /// | `faults` | number of faults |
    ///
    /// # Panics
    ///
    /// Never: writing to memory does not fail.
    #[must_use]
    pub fn to_json(&self) -> String {
        let (findings, worst) = (self.findings, self.findings.worst_fault());
        let json = Json {
            format: "war-log-result",
            version: 1,
            log: self.log,
            table: findings.checkpoint.map(|it| it.table.to_string()),
            size: findings.checkpoint.map(|it| it.size),
            root: findings.checkpoint.map(|it| it.root.to_string()),
            key: self.key,
            fingerprint: self.fingerprint,
            with: self.with,
            leaves: findings.leaves,
            games: findings.games,
            ended: findings.ended,
            verdict: findings.verdict().name(),
            code: worst.map(|fault| fault.code().to_string()),
            leaf: worst.and_then(super::fault::LogFault::leaf_position),
            message: self.message.as_deref(),
            faults: findings.faults_found,
        };
        serde_json::to_string(&json).expect("memory takes every byte")
    }
}
