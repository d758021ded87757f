//! The journal: a game's events in one JSON document, chained, that replays exactly.
//!
//! [`Writer`] records a game while it is played, [`Reader`] reads a journal as a
//! stream and checks its form and its chain, [`Verifier`] plays the rules along and
//! compares. The format's version 1 is frozen in a module of its own; the book
//! documents it for other programs.

mod chain;
mod code;
mod cut;
mod digest;
mod end;
mod fault;
mod header;
mod kind;
mod opening;
mod parse;
mod problem;
mod reader;
mod splitter;
mod v1;
mod verify;
mod writer;

pub use code::{Code, Verdict};
pub use digest::{ConsoleDigest, Printed};
pub use end::{End, Reason};
pub use fault::{Divergence, Fault, Position, ReadError};
pub use header::{Committed, Deal, Header, Rules};
pub use kind::Journaled;
pub use problem::{FileError, GameError, HeaderError, Problem, RecordError};
pub use reader::{Entry, EntryForm, Reader};
pub use v1::{end_json, header_json};
pub use verify::{Checker, TokenChecker, Verifier, WarChecker};
pub use writer::{Medium, WriteFailed, Writer};
