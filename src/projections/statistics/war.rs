use super::course::Course;
use crate::cards::Rank;
use crate::engine::{Event, Projection, Seat, Table, tied};

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
    fn project(&mut self, event: &Event, table: &Table, _: &mut String) {
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
