use super::{ClientSeed, Decision, Hand, Kind, Name, Secret, Settlement, TokenEvent};
use crate::engine::{Seat, State};

/// A token game: the fold of its events, and what the rules make of a move.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
/// use war::hex::Hex;
/// use war::tokens::{Decision, TokenEvent, TokenGame, Kind, Move, Name, Secret};
///
/// let mut game = TokenGame::new(Kind::Single, 1, Secret::new(Hex::new([7; 32])));
/// let players = ["Ann", "Bob"].map(|name| Name::new(name).unwrap());
/// game.apply(&TokenEvent::Started { players }).unwrap();
/// for step in [
///     Move::Deal,
///     Move::Decide(Seat::FIRST, Decision::Play),
///     Move::Decide(Seat::SECOND, Decision::Fold),
/// ] {
///     let event = game.decide(&step).unwrap();
///     game.apply(&event).unwrap();
///     while let Some(event) = game.follows() {
///         game.apply(&event).unwrap();
///     }
/// }
/// assert_eq!(game.deltas(), Some([3, -3]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenGame {
    kind: Kind,
    number: u64,
    secret: Secret,
    players: Option<[Name; 2]>,
    seeds: [Option<ClientSeed>; 2],
    deals: u32,
    /// The hands in play; none before the first deal and after a tie.
    hands: Option<[Hand; 2]>,
    decisions: [Option<Decision>; 2],
    deltas: Option<[i64; 2]>,
}

/// What moves a game on from outside of its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// A player adds a seed.
    Seed(Seat, ClientSeed),
    /// The time for seeds is over.
    Deal,
    /// A player decides.
    Decide(Seat, Decision),
    /// The time to decide is over for this player.
    TimeOut(Seat),
}

/// Why a move can't be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The cards are dealt, and a seed comes too late.
    #[error("the cards were already dealt")]
    SeedsClosed,
    /// The player gave a seed before.
    #[error("a seed was already given")]
    SeededAlready,
    /// No cards are dealt.
    #[error("no cards are dealt")]
    NotDealt,
    /// The player decided before.
    #[error("the decision was already made")]
    DecidedAlready,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Two play, and this is a seat of neither.
    #[error("nobody plays at this seat")]
    NoSuchSeat,
}

/// An event that can't happen to this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the event can't happen to this game")]
pub struct ApplyError;

impl TokenGame {
    /// A game of this kind before its first event; its number and secret decide its cards.
    #[must_use]
    pub const fn new(kind: Kind, number: u64, secret: Secret) -> Self {
        Self {
            kind,
            number,
            secret,
            players: None,
            seeds: [None, None],
            deals: 0,
            hands: None,
            decisions: [None; 2],
            deltas: None,
        }
    }

    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of the game at its table.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The secret; the players may not know it before the game is over.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The names, by seat, once the game has started.
    #[must_use]
    pub const fn players(&self) -> Option<&[Name; 2]> {
        self.players.as_ref()
    }

    /// The seeds that the players gave, by seat.
    #[must_use]
    pub const fn seeds(&self) -> &[Option<ClientSeed>; 2] {
        &self.seeds
    }

    /// How many times cards were dealt.
    #[must_use]
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// The hands in play, by seat.
    #[must_use]
    pub const fn hands(&self) -> Option<&[Hand; 2]> {
        self.hands.as_ref()
    }

    /// The decisions on the hands in play, by seat.
    #[must_use]
    pub const fn decisions(&self) -> [Option<Decision>; 2] {
        self.decisions
    }

    /// What each player wins, by seat, once the game is over.
    #[must_use]
    pub const fn deltas(&self) -> Option<[i64; 2]> {
        self.deltas
    }

    /// The winner; `None` before the end, and where both folded.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        let mut won = Seat::all().zip(self.deltas?);
        won.find_map(|(seat, delta)| (delta > 0).then_some(seat))
    }

    /// The event that a move brings about.
    ///
    /// # Errors
    ///
    /// [`Refused`] where the move can't be made now, or not from that seat.
    pub fn decide(&self, made: &Move) -> Result<TokenEvent, Refused> {
        match *made {
            Move::Seed(seat, _) | Move::Decide(seat, _) | Move::TimeOut(seat)
                if seat.index() >= self.seeds.len() =>
            {
                Err(Refused::NoSuchSeat)
            }
            _ if self.deltas.is_some() => Err(Refused::Over),
            Move::Seed(..) | Move::Deal if self.deals > 0 => Err(Refused::SeedsClosed),
            Move::Deal => Ok(self.deal()),
            Move::Seed(seat, _) if self.seeds[seat.index()].is_some() => {
                Err(Refused::SeededAlready)
            }
            Move::Seed(seat, ref value) => {
                let value = value.clone();
                Ok(TokenEvent::Seeded { seat, value })
            }
            Move::Decide(seat, decision) => self.decided(seat, decision, false),
            Move::TimeOut(seat) => self.decided(seat, Decision::Fold, true),
        }
    }

    /// The event that the rules add by themselves, if any is due.
    #[must_use]
    pub fn follows(&self) -> Option<TokenEvent> {
        if self.deltas.is_some() || self.players.is_none() {
            return None;
        }
        let Some(hands) = &self.hands else {
            let all_seeded = self.seeds.iter().all(Option::is_some);
            return (self.deals > 0 || all_seeded).then(|| self.deal());
        };
        let [Some(one), Some(two)] = self.decisions else {
            return None;
        };
        Some(match Settlement::of(self.kind, [one, two], hands) {
            Settlement::Tied => TokenEvent::Tied,
            Settlement::Deltas(deltas) => TokenEvent::Settled { deltas },
        })
    }

    /// Changes the game by an event.
    ///
    /// # Errors
    ///
    /// [`ApplyError`] where the event names what is not there: the game is unchanged then.
    /// Whether the rules bring it about is for [`TokenGame::decide`] and [`TokenGame::follows`].
    pub fn apply(&mut self, event: &TokenEvent) -> Result<(), ApplyError> {
        let seat = match event {
            TokenEvent::Seeded { seat, .. } | TokenEvent::Decided { seat, .. } => seat.index(),
            _ => 0,
        };
        if seat > 1 || self.deltas.is_some() {
            return Err(ApplyError);
        }
        match event {
            TokenEvent::Started { players } => self.players = Some(players.clone()),
            TokenEvent::Seeded { value, .. } => self.seeds[seat] = Some(value.clone()),
            TokenEvent::Dealt { hands } => {
                self.deals = self.deals.checked_add(1).ok_or(ApplyError)?;
                self.hands = Some(hands.clone());
                self.decisions = [None; 2];
            }
            TokenEvent::Decided { decision, .. } => self.decisions[seat] = Some(*decision),
            TokenEvent::Tied => self.hands = None,
            TokenEvent::Settled { deltas } => self.deltas = Some(*deltas),
        }
        Ok(())
    }

    fn deal(&self) -> TokenEvent {
        let none = ClientSeed::default();
        let seeds = self
            .seeds
            .each_ref()
            .map(|seed| seed.as_ref().unwrap_or(&none));
        let hands = self
            .secret
            .hands(self.kind, self.number, seeds, self.deals.saturating_add(1));
        TokenEvent::Dealt { hands }
    }

    fn decided(
        &self,
        seat: Seat,
        decision: Decision,
        timed_out: bool,
    ) -> Result<TokenEvent, Refused> {
        if self.hands.is_none() {
            return Err(Refused::NotDealt);
        }
        if self.decisions[seat.index()].is_some() {
            return Err(Refused::DecidedAlready);
        }
        Ok(TokenEvent::Decided {
            seat,
            decision,
            timed_out,
        })
    }
}

impl State for TokenGame {
    type Event = TokenEvent;

    /// The number of the deal.
    fn turn(&self) -> u32 {
        self.deals
    }
}
