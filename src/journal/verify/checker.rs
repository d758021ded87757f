use crate::journal::fault::{Fault, ReadError};
use crate::journal::header::Header;
use crate::journal::kind::Journaled;
use crate::journal::reader::{Entry, Reader};
use crate::tokens::Seats;
use std::io::Read;

/// An event as a checker reads it.
pub(super) type EntryOf<C> = Entry<<<C as Checker>::State as crate::engine::State>::Event>;

/// A game that is played along with its journal.
pub trait Checker {
    /// The state of the game.
    type State: Journaled;

    /// The state after the events checked so far.
    fn state(&self) -> &Self::State;

    /// Who plays a token game, once it has started; `None` in every other game.
    fn seats(&self) -> Option<&Seats> {
        None
    }

    /// Reads the next event, or `None` where the events end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, or the event is not as it was recorded.
    fn read<R: Read>(&self, reader: &mut Reader<R>) -> Result<Option<EntryOf<Self>>, ReadError>;

    /// Takes the next event, which must be the one that the rules decide.
    ///
    /// # Errors
    ///
    /// [`Fault`] where it is another one.
    fn check(&mut self, header: &Header, entry: &EntryOf<Self>) -> Result<(), Fault>;
}
