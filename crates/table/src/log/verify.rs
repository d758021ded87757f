use super::checkpoint::{Checkpoint, CheckpointError, SignatureError};
use super::fault::LogFault;
use super::leaf::{Leaf, LeafError, Restored};
use super::tile::{Level, Tile, entries};
use super::tree::{Hash, LogTree, leaf_hash};
use ed25519_dalek::VerifyingKey;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use war::journal::Verdict;

/// Where a log is read from.
pub trait Source {
    /// Why something can't be read, other than that it is not there.
    type Error;

    /// What is under this path of the log, `checkpoint` or that of a [`Tile`]; `None` where
    /// nothing is. Of anything longer than this only one byte more has to be read.
    ///
    /// # Errors
    ///
    /// Where it can't be read.
    fn fetch(&mut self, path: &str, longest: usize) -> Result<Option<Vec<u8>>, Self::Error>;
}

/// What a log is held against.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'a> {
    /// The key of the table.
    pub key: &'a VerifyingKey,
    /// A checkpoint of before.
    pub earlier: Option<Checkpoint>,
    /// The time in milliseconds since 1970, unless the log is a copy, which may be old.
    pub now_ms: Option<u64>,
}

/// What a log turned out to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// Its checkpoint, if it has one that was signed with the key.
    pub checkpoint: Option<Checkpoint>,
    /// How many leaves were read, and are those of the tree.
    pub leaves: u64,
    /// How many games began in them.
    pub games: u64,
    /// How many of those games ended.
    pub ended: u64,
    /// What is wrong, in the order in which it was found: the first [`Findings::MOST`].
    pub faults: Vec<LogFault>,
    /// How much is wrong.
    pub faults_found: u64,
}

/// What was read, or what is wrong with it.
type Sound<T> = Result<T, LogFault>;

/// The longest checkpoint, with all its signatures.
const LONGEST_CHECKPOINT: usize = 1 << 16;

/// The longest entry that is read: a leaf has less than half of it.
const LONGEST_ENTRY: usize = 1 << 10;

/// The bytes of a hash.
const HASH: usize = 32;

impl Findings {
    /// The most faults that are kept.
    pub const MOST: usize = 100;

    /// The verdict on the log, that of the fault that weighs most.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let worst = self.worst().map(|fault| fault.code().verdict());
        worst.unwrap_or(Verdict::Verified)
    }

    /// The first fault of those that weigh most: what is not what was signed weighs more than
    /// what was not expected. A leaf that nobody understands here may be what seems to be missing
    /// of a game, so it weighs more than that.
    #[must_use]
    pub fn worst(&self) -> Option<&LogFault> {
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
        if self.faults.len() < Self::MOST {
            self.faults.push(fault);
        }
    }
}

/// Reads a log from its beginning to its checkpoint, and checks all of it: that the checkpoint
/// was signed with the key, that tiles and leaves make its tree, that the log contains the
/// earlier one, and that every game begins once and ends once.
///
/// `progress` gets the number of leaves whenever more have been read.
///
/// # Errors
///
/// The error of the source.
pub fn verify<S: Source>(
    source: &mut S,
    demand: &Demand<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Findings, S::Error> {
    let mut findings = Findings::default();
    let checkpoint = match checkpoint(source, demand.key)? {
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
    let mut reading = Reading {
        source,
        size: checkpoint.size,
        tree: LogTree::default(),
        audit: Audit::default(),
        earlier,
        findings,
    };
    let fault = match reading.leaves(progress)? {
        Some(fault) => Some(fault),
        None => reading.tiles()?,
    };
    let Reading {
        audit,
        tree,
        mut findings,
        ..
    } = reading;
    (findings.games, findings.ended) = (audit.games(), audit.ended());
    match fault {
        Some(fault) => findings.add(fault),
        None if tree.root() != checkpoint.root => {
            let size = checkpoint.size;
            findings.add(LogFault::Root { size });
        }
        None => audit
            .overdue(demand.now_ms)
            .for_each(|fault| findings.add(fault)),
    }
    Ok(findings)
}

/// The checkpoint of a log, or what is wrong with it.
fn checkpoint<S: Source>(
    source: &mut S,
    key: &VerifyingKey,
) -> Result<Sound<Checkpoint>, S::Error> {
    const NAME: &str = "checkpoint";
    let Some(bytes) = source.fetch(NAME, LONGEST_CHECKPOINT)? else {
        return Ok(Err(LogFault::Missing(NAME.to_owned())));
    };
    let text = String::from_utf8_lossy(&bytes);
    let verified = Checkpoint::verified(&text, key);
    Ok(verified.map_err(|error| match error {
        CheckpointError::Malformed => LogFault::Checkpoint,
        CheckpointError::Signature(SignatureError::OtherKey) => LogFault::OtherKey,
        CheckpointError::Signature(SignatureError::Wrong) => LogFault::Signature,
    }))
}

/// Why a log can't contain an earlier one, as far as the checkpoints say.
fn earlier_fault(earlier: &Checkpoint, now: &Checkpoint) -> Option<LogFault> {
    if earlier.table != now.table {
        let (earlier, found) = (earlier.origin(), now.origin());
        return Some(LogFault::OtherTable { earlier, found });
    }
    let (earlier, found) = (earlier.size, now.size);
    (earlier > found).then_some(LogFault::Shorter { earlier, found })
}

struct Reading<'a, S> {
    source: &'a mut S,
    size: u64,
    tree: LogTree,
    audit: Audit,
    earlier: Option<Checkpoint>,
    findings: Findings,
}

impl<S: Source> Reading<'_, S> {
    /// Reads all leaves; the result is the fault after which it makes no sense to go on.
    fn leaves(&mut self, progress: &mut dyn FnMut(u64)) -> Result<Option<LogFault>, S::Error> {
        self.compare();
        for index in 0.. {
            let Some(bundle) = Tile::of(Level::Entries, index, self.size) else {
                break;
            };
            if let Err(fault) = self.bundle(bundle)? {
                return Ok(Some(fault));
            }
            progress(self.tree.size());
        }
        Ok(None)
    }

    fn bundle(&mut self, bundle: Tile) -> Result<Sound<()>, S::Error> {
        let Some(hashes) = Tile::of(Level::Hashes(0), bundle.index(), self.size) else {
            return Ok(Ok(()));
        };
        let (bundle, leaves) = match self.piece(bundle, LONGEST_ENTRY)? {
            Ok((found, bytes)) => (found, bytes),
            Err(fault) => return Ok(Err(fault)),
        };
        let hashes = match self.hashes(hashes)? {
            Ok(hashes) => hashes,
            Err(fault) => return Ok(Err(fault)),
        };
        let leaves = entries(&leaves).ok();
        let leaves = leaves.filter(|leaves| leaves.len() == usize::from(bundle.width()));
        let Some(leaves) = leaves else {
            return Ok(Err(LogFault::Length(bundle.to_string())));
        };
        let each = leaves.iter().zip(hashes);
        Ok(each
            .into_iter()
            .try_for_each(|(leaf, hash)| self.leaf(leaf, hash)))
    }

    /// The bytes of a tile or a bundle, with which one they are: a log that has grown may have
    /// the full one alone.
    fn piece(&mut self, tile: Tile, each: usize) -> Result<Sound<(Tile, Vec<u8>)>, S::Error> {
        for tile in [tile, tile.full()] {
            let longest = each * usize::from(tile.width());
            if let Some(bytes) = self.source.fetch(&tile.to_string(), longest)? {
                return Ok(Ok((tile, bytes)));
            }
        }
        Ok(Err(LogFault::Missing(tile.to_string())))
    }

    /// The hashes of a tile, as many as it is wide.
    fn hashes(&mut self, tile: Tile) -> Result<Sound<Vec<Hash>>, S::Error> {
        Ok(self.piece(tile, HASH)?.and_then(|(found, bytes)| {
            let (hashes, rest) = bytes.as_chunks::<HASH>();
            if hashes.len() != usize::from(found.width()) || !rest.is_empty() {
                return Err(LogFault::Length(found.to_string()));
            }
            let wanted = hashes.iter().take(tile.width().into());
            Ok(wanted.map(|hash| Hash::new(*hash)).collect())
        }))
    }

    fn leaf(&mut self, bytes: &[u8], expected: Hash) -> Result<(), LogFault> {
        let leaf = self.tree.size();
        let hash = leaf_hash(bytes);
        if hash != expected {
            return Err(LogFault::LeafHash(leaf));
        }
        let fault = match Leaf::from_bytes(bytes) {
            Ok(Leaf::Restored(restored)) if !self.goes_on_from(&restored) => {
                return Err(LogFault::Leaf(leaf));
            }
            Ok(leaf) => self.audit.leaf(&leaf),
            Err(LeafError::Unknown(first_line)) => {
                self.audit.unknown();
                Some(LogFault::UnknownLeaf { leaf, first_line })
            }
            Err(LeafError::Malformed) => return Err(LogFault::Leaf(leaf)),
        };
        if let Some(fault) = fault {
            self.findings.add(fault);
        }
        self.tree.append(hash);
        self.findings.leaves += 1;
        self.compare();
        Ok(())
    }

    /// Whether a table goes on from all leaves until now.
    fn goes_on_from(&self, last: &Restored) -> bool {
        (last.size, last.root) == (self.tree.size(), self.tree.root())
    }

    /// Compares the tree with the earlier one, once it is as long.
    fn compare(&mut self) {
        let size = self.tree.size();
        let earlier = self.earlier.filter(|earlier| earlier.size == size);
        if earlier.is_some_and(|earlier| earlier.root != self.tree.root()) {
            self.findings.add(LogFault::Forked { earlier: size });
        }
    }

    /// Compares the tiles above the leaves' with what those make.
    fn tiles(&mut self) -> Result<Option<LogFault>, S::Error> {
        let size = self.size;
        let levels = (1..).map(Level::Hashes);
        for level in levels.take_while(|level| level.count(size) > 0) {
            for index in 0.. {
                let Some(tile) = Tile::of(level, index, size) else {
                    break;
                };
                let found = match self.hashes(tile)? {
                    Ok(found) => found,
                    Err(fault) => return Ok(Some(fault)),
                };
                let stored = |_: Range<u64>| Ok::<_, S::Error>(Vec::new());
                let made = self.tree.tile(tile, stored)?;
                let found = found.iter().flat_map(Hash::bytes);
                if made.is_none_or(|made| !found.eq(&made)) {
                    return Ok(Some(LogFault::Tile(tile.to_string())));
                }
            }
        }
        Ok(None)
    }
}

/// What the leaves of a log say together: every game begins once, and ends once after that, or
/// is void where the table goes on from a backup.
#[derive(Debug, Default)]
struct Audit {
    /// Where games began and ended, by their numbers.
    games: BTreeMap<u64, Game>,
    ended: u64,
    /// When the leaves were written, by their own account.
    times: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Game {
    start: u64,
    end: Option<u64>,
}

/// How long a game may take to end, in milliseconds: far longer than any takes, so that a table
/// that was closed for hours is not blamed.
const LONGEST_GAME: u64 = 24 * HOUR;

const HOUR: u64 = 60 * 60 * 1000;

impl Audit {
    /// How many games began.
    pub(super) fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// How many of them ended.
    pub(super) const fn ended(&self) -> u64 {
        self.ended
    }

    /// Counts a leaf that nobody understands.
    pub(super) fn unknown(&mut self) {
        // It says nothing of when it was written.
        self.times.push(u64::MAX);
    }

    /// Takes in the next leaf; the result is what is wrong with it.
    pub(super) fn leaf(&mut self, leaf: &Leaf) -> Option<LogFault> {
        let at = self.times.len() as u64;
        self.times.push(leaf.time_ms());
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
            (Leaf::Start(_), None) => {
                let (start, end) = (at, None);
                self.games.insert(game, Game { start, end });
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

    /// The games that should have ended, with `now` by the clock of who reads the log, if
    /// there is one: a copy is only as new as its last leaf.
    fn overdue(&self, now: Option<u64>) -> impl Iterator<Item = LogFault> {
        let last = self.times.iter().rev().find(|time| **time != u64::MAX);
        let now = now.max(last.copied()).unwrap_or_default();
        let open = self.games.iter().filter(|(_, game)| game.end.is_none());
        let mut open: Vec<_> = open.map(|(number, game)| (game.start, *number)).collect();
        open.sort_unstable();
        // A leaf is at least as old as all that follow it, whatever it says itself.
        let mut written = self.times.clone();
        for at in (1..written.len()).rev() {
            written[at - 1] = written[at - 1].min(written[at]);
        }
        open.into_iter().filter_map(move |(leaf, game)| {
            let began = usize::try_from(leaf).ok().and_then(|at| written.get(at))?;
            let age = now.saturating_sub(*began);
            let hours = age / HOUR;
            (age >= LONGEST_GAME).then_some(LogFault::NoEnd { game, leaf, hours })
        })
    }
}

/// What a log turned out to be, with the key that it was checked with: a JSON object whose
/// fields [`LogResult::to_json`] lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogResult<'a> {
    /// Where the log was read.
    pub log: &'a str,
    /// The number of the key that it was checked with.
    pub key: &'a str,
    /// The SHA-256 of that key.
    pub fingerprint: &'a str,
    /// How long the log was that it was compared with.
    pub with: Option<u64>,
    /// What it turned out to be.
    pub findings: &'a Findings,
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
    /// The result as JSON, on one line without its end.
    ///
    /// | field | what it holds |
    /// |---|---|
    /// | `format`, `version` | `"war-log-result"` and 1 |
    /// | `log` | the address or the directory |
    /// | `table`, `size`, `root` | what the checkpoint says, if it was signed with the key; else null |
    /// | `key`, `fingerprint` | the number of the key and its SHA-256 |
    /// | `with` | how many leaves the earlier checkpoint has; null without one |
    /// | `leaves` | leaves that were read and are those of the tree |
    /// | `games`, `ended` | games that began in them, and how many of those ended |
    /// | `verdict` | `"VERIFIED"`, `"DAMAGED"`, `"DIVERGED"`, `"UNEXPECTED"` or `"UNSUPPORTED"` |
    /// | `code`, `leaf`, `message` | the worst fault: its code, the leaf that it is about, and the fault in words; null without one |
    /// | `faults` | how many faults were found |
    ///
    /// # Panics
    ///
    /// Never: memory takes every byte.
    #[must_use]
    pub fn to_json(&self) -> String {
        let (findings, worst) = (self.findings, self.findings.worst());
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
            verdict: findings.verdict().word(),
            code: worst.map(|fault| fault.code().to_string()),
            leaf: worst.and_then(super::fault::LogFault::leaf),
            message: self.message.as_deref(),
            faults: findings.faults_found,
        };
        serde_json::to_string(&json).expect("memory takes every byte")
    }
}
