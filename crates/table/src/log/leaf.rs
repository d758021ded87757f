use super::tree::TreeHash;
use crate::daily::DayCommitment;
use crate::time::WallTime;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use std::fmt::{self, Display, Write};
use std::str::{FromStr, Lines};
use war::support::hex::Hex;
use war::tokens::TokenRules;

/// A table's ID: generated at random when its store is created or restored from a backup.
pub type TableId = Hex<16>;

/// A leaf of the log.
///
/// The bytes of a leaf are lines, each ended by a line feed. The book's page on the log describes
/// the lines.
///
/// # Examples
///
/// ```
/// use war::support::hex::Hex;
/// use war_table::log::{GameEnd, Leaf};
///
/// let end = Leaf::End(GameEnd { game: 7, digest: Hex::new([0xab; 16]), time_ms: 1_790_000_000_000 });
/// let text = "war-table end/1\n7\nabababababababababababababababab\n1790000000000\n";
/// assert_eq!(end.to_string(), text);
/// assert_eq!(text.parse(), Ok(end));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leaf {
    /// The start of a game.
    Start(GameStart),
    /// The end of a game.
    End(GameEnd),
    /// The continuation of the table from a backup.
    Restored(Continuation),
    /// The commitment to the seed of a daily duel.
    Day(DayCommitment),
}

/// The start of a game: every choice to which its players and the table are bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStart {
    /// The number of the game.
    pub game: u64,
    /// The ID of the game's rules, such as `single-card-game/2`.
    pub rules: String,
    /// The public numbers of the players, by seat.
    pub players: [u64; 2],
    /// The SHA-256 of the table's seed.
    pub commitment: Hex<32>,
    /// The SHA-256 of the players' seeds, by seat.
    pub seed_hashes: [Hex<32>; 2],
    /// Start time in milliseconds since 1970.
    pub time_ms: u64,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// The number of the game.
    pub game: u64,
    /// The final digest of the game's journal.
    pub digest: Hex<16>,
    /// End time in milliseconds since 1970.
    pub time_ms: u64,
}

/// The continuation of a table from a backup, under a new ID and after all leaves of the backup.
/// Games without an end among those leaves are void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation {
    /// The table's previous ID.
    pub table: TableId,
    /// Number of leaves before this one: those of the last checkpoint under the previous ID.
    pub size: u64,
    /// The root of the tree of those leaves.
    pub root: TreeHash,
    /// Time of the continuation, in milliseconds since 1970.
    pub time_ms: u64,
}

/// Reason why bytes are not a leaf.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeafError {
    /// Leaf of an unknown version, with the leaf's first line.
    #[error("a leaf of another version: {0}")]
    Unknown(String),
    /// Bytes that are not a leaf of any version.
    #[error("not a leaf of a card table's log")]
    Malformed,
}

const START: &str = "war-table start/1";
const END: &str = "war-table end/1";
const RESTORED: &str = "war-table restored/1";
/// First line of the commitment to the seed of a daily duel.
pub const DAY_LEAF: &str = "war-table day/1";

/// Beginning of every leaf, in any version.
const PREFIX: &str = "war-table ";

impl Leaf {
    /// Parses the bytes of a leaf.
    ///
    /// # Errors
    ///
    /// [`LeafError`] if the bytes are not exactly those of a leaf.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LeafError> {
        let text = str::from_utf8(bytes).map_err(|_| LeafError::Malformed)?;
        text.parse()
    }

    /// Number of the game, from 1; 0 for a leaf that is not about a game.
    #[must_use]
    pub const fn game(&self) -> u64 {
        match self {
            Self::Start(start) => start.game,
            Self::End(end) => end.game,
            Self::Restored(_) | Self::Day(_) => 0,
        }
    }

    /// Time that the leaf states.
    #[must_use]
    pub const fn time(&self) -> WallTime {
        let milliseconds = match self {
            Self::Start(start) => start.time_ms,
            Self::End(end) => end.time_ms,
            Self::Restored(restored) => restored.time_ms,
            Self::Day(day) => day.time_ms,
        };
        WallTime::from_millis(milliseconds)
    }
}

impl Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(start) => start.fmt(f),
            Self::End(end) => end.fmt(f),
            Self::Restored(restored) => restored.fmt(f),
            Self::Day(day) => day.fmt(f),
        }
    }
}

impl Display for GameStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([first, second], [one, other]) = (self.players, self.seed_hashes);
        let (game, rules, commitment) = (self.game, &self.rules, self.commitment);
        write!(f, "{START}\n{game}\n{rules}\n{first} {second}\n")?;
        write!(f, "{commitment}\n{one}\n{other}\n{}\n", self.time_ms)
    }
}

impl Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{END}\n{}\n{}\n{}\n",
            self.game, self.digest, self.time_ms
        )
    }
}

impl Display for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (table, size, root) = (self.table, self.size, self.root);
        write!(f, "{RESTORED}\n{table}\n{size}\n{root}\n{}\n", self.time_ms)
    }
}

impl Display for DayCommitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, rules, commitment) = (self.day, TokenRules::DAILY.id(), self.commitment);
        write!(
            f,
            "{DAY_LEAF}\n{day}\n{rules}\n{commitment}\n{}\n",
            self.time_ms
        )
    }
}

impl FromStr for Leaf {
    type Err = LeafError;

    fn from_str(text: &str) -> Result<Self, LeafError> {
        let mut lines = text.lines();
        let leaf = match lines.next().unwrap_or_default() {
            START => parse_start(&mut lines).map(Self::Start),
            END => parse_end(&mut lines).map(Self::End),
            RESTORED => parse_restored(&mut lines).map(Self::Restored),
            DAY_LEAF => parse_day(&mut lines).map(Self::Day),
            other if other.starts_with(PREFIX) => {
                return Err(LeafError::Unknown(other.to_owned()));
            }
            _ => None,
        };
        // Each leaf has a single text: no leading zeros, and the same line endings throughout.
        let exact = leaf.filter(|leaf| leaf.to_string() == text);
        exact.ok_or(LeafError::Malformed)
    }
}

fn parse_start(lines: &mut Lines<'_>) -> Option<GameStart> {
    let game = parse_line(lines)?;
    let rules = lines.next().filter(|rules| is_rules_id(rules))?.to_owned();
    let (first, second) = lines.next()?.split_once(' ')?;
    Some(GameStart {
        game,
        rules,
        players: [first.parse().ok()?, second.parse().ok()?],
        commitment: parse_line(lines)?,
        seed_hashes: [parse_line(lines)?, parse_line(lines)?],
        time_ms: parse_line(lines)?,
    })
}

fn parse_end(lines: &mut Lines<'_>) -> Option<GameEnd> {
    Some(GameEnd {
        game: parse_line(lines)?,
        digest: parse_line(lines)?,
        time_ms: parse_line(lines)?,
    })
}

fn parse_restored(lines: &mut Lines<'_>) -> Option<Continuation> {
    Some(Continuation {
        table: parse_line(lines)?,
        size: parse_line(lines)?,
        root: parse_line(lines)?,
        time_ms: parse_line(lines)?,
    })
}

fn parse_day(lines: &mut Lines<'_>) -> Option<DayCommitment> {
    let day = parse_line(lines)?;
    // The line with the rules is compared with the one of the parsed leaf.
    lines.next()?;
    Some(DayCommitment {
        day,
        commitment: parse_line(lines)?,
        time_ms: parse_line(lines)?,
    })
}

fn parse_line<T: FromStr>(lines: &mut Lines<'_>) -> Option<T> {
    lines.next()?.parse().ok()
}

/// Returns true if a text has the syntax of a rules ID: a name, a slash and a number.
fn is_rules_id(text: &str) -> bool {
    let Some((name, version)) = text.split_once('/') else {
        return false;
    };
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let number = version.parse::<u32>();
    !name.is_empty()
        && name.bytes().all(fits)
        && number.is_ok_and(|number| number > 0 && number.to_string() == version)
}

/// Returns the text that the table signs when a game starts: the ID of the table and the leaf.
///
/// # Examples
///
/// ```
/// use war::support::hex::Hex;
/// use war_table::log::{GameStart, start_signature_text};
///
/// let start = GameStart {
///     game: 7,
///     rules: "single-card-game/2".to_owned(),
///     players: [12, 7],
///     commitment: Hex::new([1; 32]),
///     seed_hashes: [Hex::new([2; 32]), Hex::new([3; 32])],
///     time_ms: 1_790_000_000_000,
/// };
/// let text = start_signature_text(&Hex::new([0xab; 16]), &start);
/// let first = "war-table started/1\nabababababababababababababababab\nwar-table start/1\n7\n";
/// assert!(text.starts_with(first));
/// assert!(text.ends_with(&start.to_string()));
/// ```
#[must_use]
pub fn start_signature_text(table: &TableId, start: &GameStart) -> String {
    format!("war-table started/1\n{table}\n{start}")
}

/// Signs the start of a game with the table's key. Returns the signature as 128 hexadecimal digits.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use war::support::hex::Hex;
/// use war_table::log::{GameStart, sign_start, is_start_signature};
///
/// let start = GameStart {
///     game: 7,
///     rules: "single-card-game/2".to_owned(),
///     players: [12, 7],
///     commitment: Hex::new([1; 32]),
///     seed_hashes: [Hex::new([2; 32]), Hex::new([3; 32])],
///     time_ms: 1_790_000_000_000,
/// };
/// let (table, key) = (Hex::new([0xab; 16]), SigningKey::from_bytes(&[1; 32]));
/// let signature = sign_start(&table, &start, &key);
/// assert!(is_start_signature(&table, &start, &signature, &key.verifying_key()));
///
/// let other = GameStart { players: [12, 8], ..start };
/// assert!(!is_start_signature(&table, &other, &signature, &key.verifying_key()));
/// ```
#[must_use]
pub fn sign_start(table: &TableId, start: &GameStart, key: &SigningKey) -> String {
    let signature = key.sign(start_signature_text(table, start).as_bytes());
    let digits = |mut text: String, byte: &u8| {
        let written = write!(text, "{byte:02x}");
        written.map_or_else(|_| String::new(), |()| text)
    };
    signature.to_bytes().iter().fold(String::new(), digits)
}

/// Returns true if this is the signature of a game's start with the table's key.
#[must_use]
pub fn is_start_signature(
    table: &TableId,
    start: &GameStart,
    signature: &str,
    key: &VerifyingKey,
) -> bool {
    let halves = signature.split_at_checked(64);
    let bytes = halves.and_then(|(first, second)| {
        let halves = [first, second].map(|half| half.parse::<super::TreeHash>().ok());
        let [first, second] = halves;
        Some(Signature::from_components(
            *first?.bytes(),
            *second?.bytes(),
        ))
    });
    let text = start_signature_text(table, start);
    bytes.is_some_and(|signature| key.verify_strict(text.as_bytes(), &signature).is_ok())
}
