use crate::cards::Deck;
use crate::console::Console;
use crate::journal::{
    Committed, End, Format, Header, Journaled, Medium, Printed, RecordedRules, Writer,
};
use crate::lang::Lang;
use crate::support::hex::Hex;
use crate::tokens::{ApplyError, TokenEvent, TokenGame};
use std::io;

/// What the journal of a token game says besides the game: who recorded it, and what was
/// printed.
///
/// Kept with the events of a game that is over, it makes the same journal for ever, whatever
/// program is asked for it: its [`digest`](Self::digest) is what others hold.
///
/// # Examples
///
/// ```
/// use war::journal::Committed;
/// use war::lang::Lang;
/// use war::recording::Settlement;
/// use war::replay::verify;
/// use war::tokens::TokenEvent;
///
/// fn is_made_again(committed: Committed, events: &[TokenEvent]) -> bool {
///     let settled = Settlement::of("example 1", committed, Lang::En, events).unwrap();
///     let journal = settled.journal(committed, events).unwrap();
///     verify(&journal[..]).unwrap().end().unwrap().chain == settled.digest
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The program that recorded the game, with its version.
    pub engine: String,
    /// The language of the screens.
    pub lang: Lang,
    /// The version of the screens.
    pub renderer: u32,
    /// What was printed on them.
    pub printed: Printed,
    /// The final digest of the journal.
    pub digest: Hex<16>,
}

impl Settlement {
    /// What a program of today records of these events of a game, printed in this language.
    ///
    /// # Errors
    ///
    /// [`ApplyError`] where the events are not those of a game.
    pub fn of(
        engine: &str,
        committed: Committed,
        lang: Lang,
        events: &[TokenEvent],
    ) -> Result<Self, ApplyError> {
        let mut console = Console::of_tokens(lang);
        let mut draft = Self {
            engine: engine.to_owned(),
            lang,
            renderer: console.renderer(),
            printed: console.digest().printed(),
            digest: Hex::ZERO,
        };
        let mut writer = Writer::new(io::sink(), &draft.header(committed), false);
        let game = each(committed, events, |event, game| {
            console.show(event, game);
            record(&mut writer, event, game);
        })?;
        draft.printed = console.digest().printed();
        draft.digest = finish(writer, &game, draft.printed).chain;
        Ok(draft)
    }

    /// The journal of the game that this belongs to.
    ///
    /// # Errors
    ///
    /// [`ApplyError`] where the events are not those of a game.
    pub fn journal(
        &self,
        committed: Committed,
        events: &[TokenEvent],
    ) -> Result<Vec<u8>, ApplyError> {
        let mut journal = Vec::new();
        let mut writer = Writer::new(&mut journal, &self.header(committed), false);
        let game = each(committed, events, |event, game| {
            record(&mut writer, event, game);
        })?;
        finish(writer, &game, self.printed);
        Ok(journal)
    }

    fn header(&self, committed: Committed) -> Header {
        Header {
            engine: self.engine.clone(),
            rules: RecordedRules::Tokens(committed),
            players: 2,
            deck: Deck::Large,
            renderer: self.renderer,
            lang: self.lang,
            corrections: Vec::new(),
            format: Format::V1,
        }
    }
}

/// Writes an event into memory.
fn record(writer: &mut Writer<impl Medium>, event: &TokenEvent, game: &TokenGame) {
    let written = writer.record(event, game);
    written.expect("memory takes every byte");
}

/// Ends a journal in memory.
fn finish(writer: Writer<impl Medium>, game: &TokenGame, printed: Printed) -> End {
    let end = writer.finish(game.reason(), printed);
    end.expect("memory takes every byte")
}

/// Lets a game happen again; `seen` gets each event, with the game as it is after it.
fn each(
    committed: Committed,
    events: &[TokenEvent],
    mut seen: impl FnMut(&TokenEvent, &TokenGame),
) -> Result<TokenGame, ApplyError> {
    let mut game = TokenGame::new(committed.rules, committed.game, committed.secret);
    for event in events {
        game.apply(event)?;
        seen(event, &game);
    }
    Ok(game)
}

/// The journal of a token game whose events are all known, with all that `war replay` prints
/// of it.
///
/// `engine` is the program that played it, with its version; `lang` is the language of the
/// screens whose digest the end record holds.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
/// use war::support::hex::Hex;
/// use war::journal::Committed;
/// use war::lang::Lang;
/// use war::recording::token_journal;
/// use war::replay::verify;
/// use war::tokens::{Decision, Kind, Move, Secret, TokenEvent, TokenGame, TokenRules, commitment};
///
/// let secret = Secret::new(Hex::new([7; 32]));
/// let (rules, number) = (TokenRules::of(Kind::Single), 1);
/// let mut game = TokenGame::new(rules, number, secret);
/// let seeds = [Hex::new([1; 32]), Hex::new([2; 32])];
/// let seed_hashes = seeds.each_ref().map(commitment);
/// let mut events = vec![TokenEvent::Committed { players: [12, 7], seed_hashes }];
/// game.apply(&events[0]).unwrap();
/// for step in [
///     Move::Open(Seat::FIRST, seeds[0]),
///     Move::Open(Seat::SECOND, seeds[1]),
///     Move::Decide(Seat::FIRST, Decision::Fold),
///     Move::Decide(Seat::SECOND, Decision::Fold),
/// ] {
///     let mut due = Some(game.decide(&step).unwrap());
///     while let Some(event) = due {
///         game.apply(&event).unwrap();
///         events.push(event);
///         due = game.follows();
///     }
/// }
///
/// let commitment = secret.commitment();
/// let committed = Committed { rules, game: number, commitment, secret };
/// let journal = token_journal("example", committed, Lang::En, &events).unwrap();
/// assert_eq!(verify(&journal[..]).unwrap().end().unwrap().events, 7);
/// ```
///
/// # Errors
///
/// [`ApplyError`] where the events are not those of a game.
///
/// # Panics
///
/// Never: memory takes every byte.
pub fn token_journal(
    engine: &str,
    committed: Committed,
    lang: Lang,
    events: &[TokenEvent],
) -> Result<Vec<u8>, ApplyError> {
    Settlement::of(engine, committed, lang, events)?.journal(committed, events)
}
