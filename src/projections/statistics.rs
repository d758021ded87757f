//! Statistics: what a game came to, in numbers, and how many cards everybody held on the way.

use crate::cards::Rank;
use crate::engine::{Event, Projection, Seat, Table, tied};
use crate::tokens::{Decision, TokenEvent, TokenGame};

/// The statistics of a game of either kind.
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
    /// Those of a game of War.
    pub war: WarStatistics,
    /// Those of a token game.
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

/// The numbers of a game of War.
///
/// A turn counts when it is over: what lies on the table in the middle of one belongs to nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarStatistics {
    turns: u32,
    wars: u32,
    longest_war: Option<LongestWar>,
    largest_pile: Option<LargestPile>,
    leader: Option<Seat>,
    lead_changes: u32,
    players: Vec<WarPlayer>,
    course: Course,
    /// What everybody holds, after the turn that is not over yet.
    held: Vec<usize>,
    at_war: bool,
}

/// The war with most cards face up in a row; the first of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongestWar {
    /// How many cards the longest row had, that of the clash among them.
    pub cards: u32,
    /// The turn it was in.
    pub turn: u32,
}

/// The most cards that a player took at once; the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargestPile {
    /// How many.
    pub cards: usize,
    /// Who took them.
    pub seat: Seat,
    /// In which turn.
    pub turn: u32,
}

/// The numbers of a player in a game of War.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarPlayer {
    /// The cards dealt.
    pub dealt: usize,
    /// The most cards held after a turn.
    pub most: usize,
    /// The first turn after which they held so many; 0 is the dealing.
    pub most_in: u32,
    /// The cards held at the end, or so far.
    pub cards: usize,
    /// The turns whose cards they took.
    pub turns_won: u32,
    /// Those of them that were wars.
    pub wars_won: u32,
    /// The turn in which their cards ended.
    pub out_in: Option<u32>,
}

impl WarStatistics {
    /// The turns begun.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// The turns whose highest card was shared.
    #[must_use]
    pub const fn wars(&self) -> u32 {
        self.wars
    }

    /// The longest war, if there was one.
    #[must_use]
    pub const fn longest_war(&self) -> Option<LongestWar> {
        self.longest_war
    }

    /// The most cards taken at once, if any were taken.
    #[must_use]
    pub const fn largest_pile(&self) -> Option<LargestPile> {
        self.largest_pile
    }

    /// How often a player led alone after another had.
    ///
    /// The lead is looked at after the deal and after each turn; while several hold as many
    /// cards, the one who led last still does.
    #[must_use]
    pub const fn lead_changes(&self) -> u32 {
        self.lead_changes
    }

    /// The players, seat 1 first.
    #[must_use]
    pub fn players(&self) -> &[WarPlayer] {
        &self.players
    }

    /// How many cards everybody held after each turn.
    #[must_use]
    pub const fn course(&self) -> &Course {
        &self.course
    }

    fn dealt(&mut self, hands: &[Vec<Rank>]) {
        let player = |hand: &Vec<_>| WarPlayer {
            dealt: hand.len(),
            ..WarPlayer::default()
        };
        self.players = hands.iter().map(player).collect();
    }

    fn war_of(&mut self, cards: u32) {
        if self.longest_war.is_none_or(|longest| longest.cards < cards) {
            let turn = self.turns;
            self.longest_war = Some(LongestWar { cards, turn });
        }
    }

    fn collected(&mut self, seat: Seat, cards: usize) {
        if let Some(player) = self.players.get_mut(seat.index()) {
            player.turns_won += 1;
            player.wars_won += u32::from(self.at_war);
        }
        if self.largest_pile.is_none_or(|pile| pile.cards < cards) {
            let turn = self.turns;
            self.largest_pile = Some(LargestPile { cards, seat, turn });
        }
    }

    /// Counts what everybody holds after a turn, or after the dealing.
    fn turn_over(&mut self) {
        let turn = self.turns;
        self.course.add(turn, &self.held);
        for (player, &cards) in self.players.iter_mut().zip(&self.held) {
            player.cards = cards;
            if cards > player.most {
                (player.most, player.most_in) = (cards, turn);
            }
        }
    }

    /// Looks who leads now that no card lies on the table.
    fn compare(&mut self) {
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
            Event::Dealt { hands } => self.dealt(hands),
            Event::Clash { plays } => {
                self.at_war = !tied(plays).is_empty();
                if self.at_war {
                    self.wars += 1;
                    self.war_of(1);
                }
            }
            Event::WarRound { round, .. } => self.war_of(*round),
            Event::EndOfCards { seat, .. } => {
                if let Some(player) = self.players.get_mut(seat.index()) {
                    player.out_in = Some(self.turns);
                }
            }
            Event::Collected { seat, cards } => self.collected(*seat, cards.len()),
            _ => {}
        }
        let holds = table.places().iter().map(|place| place.hand().len());
        self.held.clear();
        self.held.extend(holds);
        let is_over = match event {
            Event::Dealt { .. } | Event::Collected { .. } | Event::Drawn { .. } => true,
            // A turn that nobody could finish leaves its cards on the table.
            _ => table.outcome().is_some() && !table.pot_is_empty(),
        };
        if is_over {
            self.turn_over();
        }
        if table.pot_is_empty() {
            self.compare();
        }
    }
}

/// The numbers of a token game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenStatistics {
    deals: u32,
    ties: u32,
    players: [TokenPlayer; 2],
}

/// The numbers of a player in a token game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenPlayer {
    /// The hands they played.
    pub played: u32,
    /// The hands they folded, those among them that time folded.
    pub folded: u32,
    /// The hands that time folded for them.
    pub timed_out: u32,
    /// What they won, negative for what they lost; `None` before the end.
    pub tokens: Option<i64>,
}

impl TokenStatistics {
    /// How often both were dealt a hand.
    #[must_use]
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// How often both played equal hands.
    #[must_use]
    pub const fn ties(&self) -> u32 {
        self.ties
    }

    /// Both players, seat 1 first.
    #[must_use]
    pub const fn players(&self) -> &[TokenPlayer; 2] {
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

/// The most samples that a course keeps.
const MOST: usize = 1024;

/// How many cards everybody held after each turn; of a long game, after every second, fourth,
/// eighth and so on, so that a course never grows beyond a fixed size.
///
/// # Examples
///
/// ```
/// use war::projections::statistics::Course;
///
/// let mut course = Course::default();
/// for turn in 0..=200_000 {
///     course.add(turn, &[26, 26]);
/// }
/// let points: Vec<_> = course.points().collect();
/// assert!(points.len() <= 1025);
/// // The first and the last turn are always there.
/// assert_eq!((points[0].0, points[points.len() - 1].0), (0, 200_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// How many turns lie between two samples.
    stride: u32,
    samples: Vec<(u32, Vec<usize>)>,
    /// The last turn, where it is not one of the samples.
    last: Option<(u32, Vec<usize>)>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            stride: 1,
            samples: Vec::new(),
            last: None,
        }
    }
}

impl Course {
    /// Adds what everybody holds after a turn, which must not be before the last one added.
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
        if self.samples.len() > MOST {
            self.stride = self.stride.saturating_mul(2);
            let (stride, newest) = (self.stride, turn);
            self.last = (!newest.is_multiple_of(stride)).then(|| (newest, cards.to_vec()));
            self.samples.retain(|(turn, _)| turn.is_multiple_of(stride));
        }
    }

    /// The turns with what everybody held after them, seat 1 first.
    pub fn points(&self) -> impl Iterator<Item = (u32, &[usize])> {
        let points = self.samples.iter().chain(&self.last);
        points.map(|(turn, cards)| (*turn, &cards[..]))
    }

    /// What everybody held in the end, or so far.
    #[must_use]
    pub fn end(&self) -> Option<(u32, &[usize])> {
        let (turn, cards) = self.last.as_ref().or(self.samples.last())?;
        Some((*turn, cards))
    }
}
