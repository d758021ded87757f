//! Statistics of a game, and everyone's number of cards over time.

use crate::cards::Rank;
use crate::engine::{Event, Projection, Seat, Table, tied_plays};
use crate::tokens::{Decision, TokenEvent, TokenGame};

/// Statistics of a game of either kind.
///
/// # Examples
///
/// ```
/// use war::projections::statistics::Statistics;
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut statistics = Statistics::default();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let judgement = replay.verify(&mut statistics).unwrap();
/// assert!(judgement.fault().is_none());
/// assert_eq!((statistics.war.turns(), statistics.war.wars()), (19, 4));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Statistics of a game of War.
    pub war: WarStatistics,
    /// Statistics of a token game.
    pub tokens: TokenStatistics,
}

impl Projection<Table> for Statistics {
    fn project(&mut self, event: &Event, table: &Table) {
        self.war.project(event, table);
    }
}

impl Projection<TokenGame> for Statistics {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame) {
        self.tokens.project(event, game);
    }
}

/// Statistics of a game of War.
///
/// A turn counts once it is over, as cards on the table during a turn belong to nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarStatistics {
    turns: u32,
    wars: u32,
    longest_war: Option<LongestWar>,
    largest_pile: Option<LargestPile>,
    leader: Option<Seat>,
    lead_changes: u32,
    players: Vec<WarPlayerStatistics>,
    card_counts: CardCountHistory,
    /// Everyone's current number of cards.
    held: Vec<usize>,
    at_war: bool,
}

/// The first war with the most face-up cards per player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongestWar {
    /// Number of face-up cards in the longest row, including the clash.
    pub cards: u32,
    /// Turn of the war.
    pub turn: u32,
}

/// The largest pile that a player took at once; the first one if several are equally large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargestPile {
    /// Number of cards in the pile.
    pub cards: usize,
    /// Player who took the cards.
    pub seat: Seat,
    /// Turn in which the player took the cards.
    pub turn: u32,
}

/// Statistics of a player in a game of War.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarPlayerStatistics {
    /// Number of cards dealt.
    pub dealt: usize,
    /// Maximum number of cards held after a turn.
    pub max_cards: usize,
    /// First turn after which the player held `max_cards`; 0 for the deal.
    pub max_cards_turn: u32,
    /// Number of cards held at the end, or so far.
    pub cards: usize,
    /// Number of turns won.
    pub turns_won: u32,
    /// Number of wars won.
    pub wars_won: u32,
    /// Turn in which the player ran out of cards.
    pub out_turn: Option<u32>,
}

impl WarStatistics {
    /// Number of turns begun.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Number of turns with a war.
    #[must_use]
    pub const fn wars(&self) -> u32 {
        self.wars
    }

    /// Longest war, if there was one.
    #[must_use]
    pub const fn longest_war(&self) -> Option<LongestWar> {
        self.longest_war
    }

    /// Largest pile taken at once, if any pile was taken.
    #[must_use]
    pub const fn largest_pile(&self) -> Option<LargestPile> {
        self.largest_pile
    }

    /// Number of times the lead passed from one player to another.
    ///
    /// The lead is determined after the deal and after each turn; while several players share it,
    /// the last single leader still counts as leading.
    #[must_use]
    pub const fn lead_changes(&self) -> u32 {
        self.lead_changes
    }

    /// Statistics of the players, seat 1 first.
    #[must_use]
    pub fn players(&self) -> &[WarPlayerStatistics] {
        &self.players
    }

    /// Everyone's number of cards after each turn.
    #[must_use]
    pub const fn card_counts(&self) -> &CardCountHistory {
        &self.card_counts
    }

    fn deal(&mut self, hands: &[Vec<Rank>]) {
        let player = |hand: &Vec<_>| WarPlayerStatistics {
            dealt: hand.len(),
            ..WarPlayerStatistics::default()
        };
        self.players = hands.iter().map(player).collect();
    }

    fn add_war(&mut self, cards: u32) {
        if self.longest_war.is_none_or(|longest| longest.cards < cards) {
            let turn = self.turns;
            self.longest_war = Some(LongestWar { cards, turn });
        }
    }

    fn collect(&mut self, seat: Seat, cards: usize) {
        if let Some(player) = self.players.get_mut(seat.index()) {
            player.turns_won += 1;
            player.wars_won += u32::from(self.at_war);
        }
        if self.largest_pile.is_none_or(|pile| pile.cards < cards) {
            let turn = self.turns;
            self.largest_pile = Some(LargestPile { cards, seat, turn });
        }
    }

    /// Records everyone's number of cards after a turn, or after the deal.
    fn end_turn(&mut self) {
        let turn = self.turns;
        self.card_counts.add(turn, &self.held);
        for (player, &cards) in self.players.iter_mut().zip(&self.held) {
            player.cards = cards;
            if cards > player.max_cards {
                (player.max_cards, player.max_cards_turn) = (cards, turn);
            }
        }
    }

    /// Updates the leader. Called only while no cards are on the table, since those belong to
    /// nobody.
    fn update_leader(&mut self) {
        if let Some(leader) = leader(&self.held) {
            let before = self.leader.replace(leader);
            self.lead_changes += u32::from(before.is_some_and(|before| before != leader));
        }
    }
}

/// The player who holds more cards than any other.
fn leader(held: &[usize]) -> Option<Seat> {
    let most = held.iter().max()?;
    let mut leaders = Seat::all().zip(held).filter(|(_, cards)| *cards == most);
    let (leader, _) = leaders.next()?;
    leaders.next().is_none().then_some(leader)
}

impl Projection<Table> for WarStatistics {
    fn project(&mut self, event: &Event, table: &Table) {
        self.turns = table.turn();
        match event {
            Event::Dealt { hands } => self.deal(hands),
            Event::Clash { plays } => {
                self.at_war = !tied_plays(plays).is_empty();
                if self.at_war {
                    self.wars += 1;
                    self.add_war(1);
                }
            }
            Event::WarRound { round, .. } => self.add_war(*round),
            Event::EndOfCards { seat, .. } => {
                if let Some(player) = self.players.get_mut(seat.index()) {
                    player.out_turn = Some(self.turns);
                }
            }
            Event::Collected { seat, cards } => self.collect(*seat, cards.len()),
            _ => {}
        }
        let holds = table.places().iter().map(|place| place.hand().len());
        self.held.clear();
        self.held.extend(holds);
        let is_over = match event {
            Event::Dealt { .. } | Event::Collected { .. } | Event::Drawn { .. } => true,
            // A turn that nobody could finish leaves its cards on the table.
            _ => table.outcome().is_some() && !table.is_pot_empty(),
        };
        if is_over {
            self.end_turn();
        }
        if table.is_pot_empty() {
            self.update_leader();
        }
    }
}

/// Statistics of a token game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenStatistics {
    deals: u32,
    ties: u32,
    players: [TokenPlayerStatistics; 2],
}

/// Statistics of a player in a token game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenPlayerStatistics {
    /// Number of hands played.
    pub played: u32,
    /// Number of hands folded, including by timeout.
    pub folded: u32,
    /// Number of hands folded by timeout.
    pub timed_out: u32,
    /// Tokens won, negative for a loss; `None` before the end.
    pub tokens: Option<i64>,
}

impl TokenStatistics {
    /// Number of deals.
    #[must_use]
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// Number of tied deals.
    #[must_use]
    pub const fn ties(&self) -> u32 {
        self.ties
    }

    /// Statistics of both players, seat 1 first.
    #[must_use]
    pub const fn players(&self) -> &[TokenPlayerStatistics; 2] {
        &self.players
    }
}

impl Projection<TokenGame> for TokenStatistics {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame) {
        self.deals = game.deals();
        match event {
            TokenEvent::Tied => self.ties += 1,
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                if let Some(player) = self.players.get_mut(seat.index()) {
                    match decision {
                        Decision::Play => player.played += 1,
                        Decision::Fold => player.folded += 1,
                    }
                    player.timed_out += u32::from(*timed_out);
                }
            }
            TokenEvent::Settled { deltas } => {
                for (player, delta) in self.players.iter_mut().zip(deltas) {
                    player.tokens = Some(*delta);
                }
            }
            _ => {}
        }
    }
}

/// Maximum number of turns of a game whose card counts are kept.
const MAX_SAMPLES: usize = 1024;

/// Everyone's number of cards after each turn; in a long game, after every second, fourth or eighth
/// turn and so on, so that the size stays bounded.
///
/// # Examples
///
/// ```
/// use war::projections::statistics::CardCountHistory;
///
/// let mut course = CardCountHistory::default();
/// for turn in 0..=200_000 {
///     course.add(turn, &[26, 26]);
/// }
/// let points: Vec<_> = course.points().collect();
/// assert!(points.len() <= 1025);
/// // The first and the last turn are always there.
/// assert_eq!((points[0].0, points[points.len() - 1].0), (0, 200_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCountHistory {
    /// Number of turns between two samples.
    stride: u32,
    samples: Vec<(u32, Vec<usize>)>,
    /// Last turn, unless it is one of the samples.
    last: Option<(u32, Vec<usize>)>,
}

impl Default for CardCountHistory {
    fn default() -> Self {
        Self {
            stride: 1,
            samples: Vec::new(),
            last: None,
        }
    }
}

impl CardCountHistory {
    /// Adds everyone's number of cards after a turn, which must not be before the last turn added.
    pub fn add(&mut self, turn: u32, cards: &[usize]) {
        if self.samples.last().is_some_and(|(last, _)| *last == turn) {
            self.samples.pop();
        }
        if !turn.is_multiple_of(self.stride) {
            let (at, held) = self.last.get_or_insert_default();
            *at = turn;
            held.clear();
            held.extend_from_slice(cards);
            return;
        }
        self.last = None;
        self.samples.push((turn, cards.to_vec()));
        if self.samples.len() > MAX_SAMPLES {
            self.stride = self.stride.saturating_mul(2);
            let (stride, newest) = (self.stride, turn);
            self.last = (!newest.is_multiple_of(stride)).then(|| (newest, cards.to_vec()));
            self.samples.retain(|(turn, _)| turn.is_multiple_of(stride));
        }
    }

    /// Turns with everyone's number of cards after them, seat 1 first.
    pub fn points(&self) -> impl Iterator<Item = (u32, &[usize])> {
        let points = self.samples.iter().chain(&self.last);
        points.map(|(turn, cards)| (*turn, &cards[..]))
    }

    /// Last turn with everyone's number of cards after it.
    #[must_use]
    pub fn last_point(&self) -> Option<(u32, &[usize])> {
        let (turn, cards) = self.last.as_ref().or(self.samples.last())?;
        Some((*turn, cards))
    }
}
