//! The journal: the events of a game in a hash chain, from which it replays exactly.
//!
//! [`Writer`] records a game while it is played. [`Reader`] reads a journal as a stream and checks
//! its form and its chain. [`Verifier`] also plays the game by its rules, and compares each event
//! with the recorded one. Each version of the format is frozen in its own module; the book
//! documents them for other programs.
//!
//! [`Recorder`](crate::recording::Recorder) and [`Replay`](crate::replay::Replay) handle a whole
//! game, and make sure that header, game and verdict belong together. Both are built from these
//! parts; a [`Writer`] alone doesn't check what it writes.
//!
//! # Examples
//!
//! ```
//! use war::cards::{Deck, Rank};
//! use war::engine::Game;
//! use war::journal::{ConsoleHasher, Deal, JournalFormat, Header, JournaledGame, Reader, RecordedRules, Writer};
//! use war::lang::Lang;
//! use war::rules::{DUELS, StandardRules};
//!
//! let header = Header {
//!     engine: "example".to_owned(),
//!     rules: RecordedRules::War { rules: DUELS.into(), deal: Deal::Scenario { name: "two_cards".to_owned() } },
//!     players: 2,
//!     deck: Deck::Small,
//!     // This game prints nothing.
//!     renderer: 0,
//!     lang: Lang::En,
//!     corrections: Vec::new(),
//!     format: JournalFormat::V1,
//! };
//! let hands = vec![vec![Rank::ACE], vec![Rank::new(9).unwrap()]];
//! let mut game = Game::new(Box::new(StandardRules::new(DUELS.parameters)), hands).unwrap();
//! let mut file = Vec::new();
//! let mut journal = Writer::new(&mut file, &header);
//! while let Some(event) = game.next() {
//!     journal.record(&event, game.table()).unwrap();
//! }
//! let printed = ConsoleHasher::default().digest();
//! journal.finish(game.table().reason(), printed).unwrap();
//!
//! // A reader checks the form and the chain, but not the rules.
//! let mut reader = Reader::open(&file[..]).unwrap();
//! assert_eq!(reader.header(), &header);
//! while reader.next_entry().unwrap().is_some() {}
//! assert_eq!(reader.read_end().unwrap().turns, 1);
//! ```

mod checkers;
mod cut_off;
mod dealing;
mod difference;
mod digest;
mod expected_game;
mod fault;
mod file;
mod framing;
mod header;
mod header_reader;
mod judgement;
mod kind;
mod parse;
mod problem;
mod reader;
mod splitter;
mod v1;
mod v2;
mod verifier;
mod versions;
mod writer;

pub use checkers::{TokenChecker, WarChecker};
pub use cut_off::TrailingBytes;
pub(crate) use dealing::{DealtHands, check_header, check_players};
pub use difference::{JournalDifference, JournalPart, find_differences};
pub use digest::{ConsoleDigest, ConsoleHasher};
pub use expected_game::{ExpectedGame, GameMismatch};
pub use fault::{Divergence, Fault, Position, ReadError};
pub use file::{JournalFile, sync_directory_of};
pub use header::{
    CommittedGame, Deal, Header, JournalFormat, Meta, MetaError, NO_RENDERER, PlayerLabel, Proof,
    RecordedRules, SCREEN_RENDERER,
};
pub use judgement::{End, GameEndReason, Judgement, UnreadableJournal};
pub use kind::JournaledGame;
pub use problem::{FaultCode, FileError, GameError, HeaderError, Problem, RecordError, Verdict};
pub use reader::{JournalEntry, JsonEntry, Reader, RecordedState};
pub use verifier::{Checker, Verifier};
pub use versions::{end_to_json, header_to_json};
pub use writer::{JournalCopier, Medium, WriteError, Writer};
