use super::{
    ClientSeed, DealResult, Decision, Fairness, Hand, Kind, Seats, Secret, SeedStatus, TokenEvent,
    TokenRules, commitment,
};
use crate::engine::{Seat, State};
use crate::support::hex::Hex;

/// State of a token game, built by applying its events, with the rules that turn moves into events.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
/// use war::support::hex::Hex;
/// use war::tokens::{Decision, Kind, Move, Secret, TokenEvent, TokenGame, TokenRules, commitment};
///
/// let secret = Secret::new(Hex::new([7; 32]));
/// let mut game = TokenGame::new(TokenRules::current(Kind::Single), 1, secret);
/// let seeds = [Hex::new([1; 32]), Hex::new([2; 32])];
/// let seed_hashes = seeds.each_ref().map(commitment);
/// let players = [12, 7];
/// game.apply(&TokenEvent::Committed { players, seed_hashes }).unwrap();
/// for step in [
///     Move::Open(Seat::FIRST, seeds[0]),
///     Move::Open(Seat::SECOND, seeds[1]),
///     Move::Decide(Seat::FIRST, Decision::Play),
///     Move::Decide(Seat::SECOND, Decision::Fold),
/// ] {
///     let event = game.decide(&step).unwrap();
///     game.apply(&event).unwrap();
///     while let Some(event) = game.due_event() {
///         game.apply(&event).unwrap();
///     }
/// }
/// assert_eq!(game.deltas(), Some([3, -3]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenGame {
    rules: TokenRules,
    number: u64,
    secret: Secret,
    /// Players and their seeds; `None` before the first event.
    seats: Option<Seats>,
    deals: u32,
    /// Hands in play; `None` before the first deal and after a tie.
    hands: Option<[Hand; 2]>,
    decisions: [Option<Decision>; 2],
    deltas: Option<[i64; 2]>,
}

/// Error for an event that can't happen in this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the event can't happen to this game")]
pub struct TokenApplyError;

impl TokenGame {
    /// A game with these rules before its first event.
    ///
    /// Its number and secret determine its cards, together with the players' seeds.
    #[must_use]
    pub const fn new(rules: TokenRules, number: u64, secret: Secret) -> Self {
        Self {
            rules,
            number,
            secret,
            seats: None,
            deals: 0,
            hands: None,
            decisions: [None; 2],
            deltas: None,
        }
    }

    /// Rules of the game.
    #[must_use]
    pub const fn rules(&self) -> TokenRules {
        self.rules
    }

    /// Kind of the game.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.rules.kind()
    }

    /// Number of the game at its table.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Secret of the table, which players must not learn before the game is over.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Players and their seeds, once the game has started.
    #[must_use]
    pub const fn seats(&self) -> Option<&Seats> {
        self.seats.as_ref()
    }

    /// Number of deals so far.
    #[must_use]
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// Hands in play, by seat.
    #[must_use]
    pub const fn hands(&self) -> Option<&[Hand; 2]> {
        self.hands.as_ref()
    }

    /// Decisions on the hands in play, by seat.
    #[must_use]
    pub const fn decisions(&self) -> [Option<Decision>; 2] {
        self.decisions
    }

    /// Tokens that each player wins, by seat, once the game is over.
    #[must_use]
    pub const fn deltas(&self) -> Option<[i64; 2]> {
        self.deltas
    }

    /// Winner; `None` before the end, and if both folded.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        let mut won = Seat::all().zip(self.deltas?);
        won.find_map(|(seat, delta)| (delta > 0).then_some(seat))
    }

    /// Decides the event that results from a move.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if the move can't be made now, or not from that seat.
    pub fn decide(&self, made: &Move) -> Result<TokenEvent, MoveError> {
        match *made {
            Move::Seed(seat, _)
            | Move::Open(seat, _)
            | Move::Decide(seat, _)
            | Move::TimeOut(seat)
                if seat.index() >= self.decisions.len() =>
            {
                Err(MoveError::NoSuchSeat)
            }
            _ if self.deltas.is_some() => Err(MoveError::Over),
            Move::Seed(seat, ref value) => self.seed_event(seat, value),
            Move::Deal => self.first_deal(),
            Move::Open(seat, seed) => self.open_event(seat, seed),
            Move::Decide(seat, decision) => self.decision_event(seat, decision, false),
            Move::TimeOut(seat) if self.is_awaited(seat) => Ok(TokenEvent::Forfeited { seat }),
            Move::TimeOut(seat) => self.decision_event(seat, Decision::Fold, true),
        }
    }

    /// Event that the rules add without a move, if one is due.
    #[must_use]
    pub fn due_event(&self) -> Option<TokenEvent> {
        let seats = self.seats.as_ref()?;
        if self.deltas.is_some() {
            return None;
        }
        let Some(hands) = &self.hands else {
            // Anybody may play the duel at any time of the day, so that a tie ends the hand.
            if self.deals > 0 && *seats == Seats::TableSeed {
                let deltas = [0; 2];
                return Some(TokenEvent::Settled { deltas });
            }
            let forfeited = seats.have_forfeited();
            return match self.deals > 0 || seats.awaits_seeds() == [false; 2] {
                false => None,
                true if forfeited.contains(&true) => Some(self.settle_forfeit(forfeited)),
                true => self.deal(),
            };
        };
        let [Some(one), Some(two)] = self.decisions else {
            return None;
        };
        Some(self.settle([one, two], hands))
    }

    /// Applies an event, which the rules need not have decided; see [`TokenGame::decide`] and
    /// [`TokenGame::due_event`].
    ///
    /// # Errors
    ///
    /// [`TokenApplyError`] if the event refers to something that does not exist; the game is
    /// unchanged then.
    pub fn apply(&mut self, event: &TokenEvent) -> Result<(), TokenApplyError> {
        if self.deltas.is_some() {
            return Err(TokenApplyError);
        }
        let fairness = self.rules.fairness();
        match event {
            TokenEvent::Started { .. } if fairness != Fairness::OptionalSeeds => {
                return Err(TokenApplyError);
            }
            TokenEvent::DuelStarted if fairness != Fairness::TableSeed => {
                return Err(TokenApplyError);
            }
            TokenEvent::Committed { players, .. }
                if fairness != Fairness::CommittedSeeds || !Seats::are_valid_numbers(*players) =>
            {
                return Err(TokenApplyError);
            }
            TokenEvent::Started { players } => {
                self.seats = Some(Seats::OptionalSeeds {
                    names: players.clone(),
                    seeds: [None, None],
                });
            }
            TokenEvent::Committed {
                players,
                seed_hashes,
            } => {
                self.seats = Some(Seats::CommittedSeeds {
                    players: *players,
                    seed_hashes: *seed_hashes,
                    seeds: [SeedStatus::Awaited; 2],
                });
            }
            TokenEvent::DuelStarted => self.seats = Some(Seats::TableSeed),
            TokenEvent::Seeded { seat, value } => {
                let Some(Seats::OptionalSeeds { seeds, .. }) = &mut self.seats else {
                    return Err(TokenApplyError);
                };
                *seeds.get_mut(seat.index()).ok_or(TokenApplyError)? = Some(value.clone());
            }
            TokenEvent::Opened { seat, seed } => {
                self.set_status(*seat, SeedStatus::Opened(*seed))?;
            }
            TokenEvent::Forfeited { seat } => self.set_status(*seat, SeedStatus::Forfeited)?,
            TokenEvent::Dealt { hands } => {
                self.deals = self.deals.checked_add(1).ok_or(TokenApplyError)?;
                self.hands = Some(hands.clone());
                self.decisions = [None; 2];
            }
            TokenEvent::Decided { seat, decision, .. } => {
                let decided = self
                    .decisions
                    .get_mut(seat.index())
                    .ok_or(TokenApplyError)?;
                *decided = Some(*decision);
            }
            TokenEvent::Tied => self.hands = None,
            TokenEvent::Settled { deltas } => self.deltas = Some(*deltas),
        }
        Ok(())
    }

    fn set_status(&mut self, seat: Seat, status: SeedStatus) -> Result<(), TokenApplyError> {
        let seats = self.seats.as_mut().ok_or(TokenApplyError)?;
        seats.set_status(seat, status).ok_or(TokenApplyError)
    }

    /// Returns `true` if this player's seed is due.
    fn is_awaited(&self, seat: Seat) -> bool {
        matches!(&self.seats, Some(Seats::CommittedSeeds { seeds, .. })
            if seeds[seat.index()] == SeedStatus::Awaited)
    }

    fn seed_event(&self, seat: Seat, value: &ClientSeed) -> Result<TokenEvent, MoveError> {
        match &self.seats {
            Some(Seats::OptionalSeeds { seeds, .. }) if self.deals == 0 => {
                match seeds[seat.index()] {
                    Some(_) => Err(MoveError::SeededAlready),
                    None => Ok(TokenEvent::Seeded {
                        seat,
                        value: value.clone(),
                    }),
                }
            }
            _ => Err(MoveError::SeedsClosed),
        }
    }

    fn open_event(&self, seat: Seat, seed: Hex<32>) -> Result<TokenEvent, MoveError> {
        let Some(Seats::CommittedSeeds {
            seed_hashes, seeds, ..
        }) = &self.seats
        else {
            return Err(MoveError::SeedsClosed);
        };
        match seeds[seat.index()] {
            SeedStatus::Opened(_) => Err(MoveError::SeededAlready),
            SeedStatus::Forfeited => Err(MoveError::SeedsClosed),
            SeedStatus::Awaited if commitment(&seed) != seed_hashes[seat.index()] => {
                Err(MoveError::WrongSeed)
            }
            SeedStatus::Awaited => Ok(TokenEvent::Opened { seat, seed }),
        }
    }

    /// First deal once the time for seeds is up, whether or not the players gave any.
    fn first_deal(&self) -> Result<TokenEvent, MoveError> {
        let dealt = match &self.seats {
            Some(Seats::OptionalSeeds { .. }) if self.deals == 0 => self.deal(),
            _ => None,
        };
        dealt.ok_or(MoveError::SeedsClosed)
    }

    /// Next hands; `None` before the game has started.
    fn deal(&self) -> Option<TokenEvent> {
        let digits = self.seats.as_ref()?.seeds_to_hex();
        let seeds = digits.each_ref().map(String::as_str);
        let deal = self.deals.saturating_add(1);
        let hands = self.secret.deal(self.rules, self.number, seeds, deal);
        Some(TokenEvent::Dealt { hands })
    }

    /// End of a game that at least one player forfeited.
    fn settle_forfeit(&self, forfeited: [bool; 2]) -> TokenEvent {
        let decisions = forfeited.map(|folds| {
            if folds {
                Decision::Fold
            } else {
                Decision::Play
            }
        });
        self.settle(decisions, &[Hand::new(), Hand::new()])
    }

    fn settle(&self, decisions: [Decision; 2], hands: &[Hand; 2]) -> TokenEvent {
        match DealResult::settle(self.kind(), decisions, hands) {
            DealResult::Tied => TokenEvent::Tied,
            DealResult::Deltas(deltas) => TokenEvent::Settled { deltas },
        }
    }

    fn decision_event(
        &self,
        seat: Seat,
        decision: Decision,
        timed_out: bool,
    ) -> Result<TokenEvent, MoveError> {
        if self.hands.is_none() {
            return Err(MoveError::NotDealt);
        }
        if self.decisions[seat.index()].is_some() {
            return Err(MoveError::DecidedAlready);
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

    /// Number of the deal.
    fn turn(&self) -> u32 {
        self.deals
    }
}

/// A move of a player, or the end of a time limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Seed added by a player, in version 1.
    Seed(Seat, ClientSeed),
    /// End of the time for seeds, in version 1.
    Deal,
    /// Seed opened by the player who is committed to it, in version 2.
    Open(Seat, Hex<32>),
    /// Decision of a player.
    Decide(Seat, Decision),
    /// End of a player's time: to open a seed before the first deal, to decide after it.
    TimeOut(Seat),
}

/// Reason why a move can't be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Seed after the deal, after the time for it, or of a kind that these rules don't take.
    #[error("no seed is taken any more")]
    SeedsClosed,
    /// Seed other than the one that the player is committed to.
    #[error("the seed is not the one that the player is committed to")]
    WrongSeed,
    /// Second seed of a player.
    #[error("a seed was already given")]
    SeededAlready,
    /// Decision before any cards are dealt.
    #[error("no cards are dealt")]
    NotDealt,
    /// Second decision of a player.
    #[error("the decision was already made")]
    DecidedAlready,
    /// Move after the end of the game.
    #[error("the game is over")]
    Over,
    /// Seat of neither of the two players.
    #[error("nobody plays at this seat")]
    NoSuchSeat,
}
