use super::checker::{Checker, EntryOf};
use super::fault::diverges;
use super::recorded::{Recorded, Watched};
use crate::cards::{Chance, Rank};
use crate::engine::{Event, Play, Rules, Table};
use crate::journal::dealing::{Dealt, check_players};
use crate::journal::fault::{Fault, ReadError};
use crate::journal::header::{Deal, Header};
use crate::journal::problem::GameError;
use crate::journal::reader::Reader;
use crate::rules::Ruleset;
use std::io::Read;

/// A game of War that is played along with its journal.
pub struct WarChecker {
    ruleset: Ruleset,
    deal: Deal,
    rules: Box<dyn Rules>,
    /// The generator that dealt, where one is named.
    generator: Option<Box<dyn Chance>>,
    table: Table,
    dealt: bool,
}

impl WarChecker {
    /// A game of these rules, whose cards come from here, before its first event.
    #[must_use]
    pub fn new(ruleset: Ruleset, deal: Deal) -> Self {
        Self {
            rules: ruleset.start(),
            ruleset,
            deal,
            generator: None,
            table: Table::default(),
            dealt: false,
        }
    }

    fn check_decided(&mut self, entry: &EntryOf<Self>) -> Result<(), Fault> {
        let recorded = &entry.event;
        let mut as_recorded = Recorded::of(recorded);
        let mut chance = Watched::new(match &mut self.generator {
            Some(generator) => generator.as_mut(),
            None => &mut as_recorded,
        });
        let event = self.rules.decide(&self.table, &mut chance);
        if event == *recorded {
            return Ok(());
        }
        let was_asked = chance.was_asked();
        let mut fault = diverges(entry, &self.table, Some(&event), apply);
        if was_asked && self.generator.is_some() && by_chance(&event, recorded) {
            fault.problem = GameError::Chance.into();
        }
        // Whatever chance can bring was taken from the event.
        if was_asked && self.generator.is_none() && is_left_to_chance(&event, recorded) {
            let turn = fault.divergence.as_ref().map_or(0, |sides| sides.turn);
            let seq = entry.seq;
            fault.problem = GameError::Impossible { seq, turn }.into();
        }
        Err(fault)
    }

    /// Checks that the first event deals the cards that the header promises.
    fn check_deal(&mut self, header: &Header, entry: &EntryOf<Self>) -> Result<(), Fault> {
        let Event::Dealt { hands } = &entry.event else {
            return Err(Fault::new(entry.at, GameError::NotDealt));
        };
        let promised = self.promised(header, hands);
        let promised = promised.map_err(|error| Fault::new(entry.at, error))?;
        if let Some((promised, generator)) = promised {
            if *hands != promised {
                let dealt = Event::Dealt { hands: promised };
                let divergence = diverges(entry, &self.table, Some(&dealt), apply).divergence;
                let mut fault = Fault::new(entry.at, GameError::Generator);
                fault.divergence = divergence;
                return Err(fault);
            }
            self.generator = Some(generator);
        }
        Ok(())
    }

    /// What the header promises, where a generator deals; these are the hands that are dealt.
    fn promised(&self, header: &Header, hands: &[Vec<Rank>]) -> Result<Option<Dealt>, GameError> {
        check_players(header, &self.ruleset, hands.len())?;
        self.deal.check_given(&self.ruleset, header.deck, hands)?;
        self.deal.dealt(header.deck, hands.len())
    }
}

impl Checker for WarChecker {
    type State = Table;

    fn state(&self) -> &Table {
        &self.table
    }

    fn read<R: Read>(&self, reader: &mut Reader<R>) -> Result<Option<EntryOf<Self>>, ReadError> {
        reader.war_entry()
    }

    fn check(&mut self, header: &Header, entry: &EntryOf<Self>) -> Result<(), Fault> {
        if !self.dealt {
            self.check_deal(header, entry)?;
            self.dealt = true;
        } else if self.table.outcome().is_some() {
            return Err(diverges(entry, &self.table, None, apply));
        } else {
            self.check_decided(entry)?;
        }
        // What our rules decide is possible, and so is a deal that was checked. Rules of another
        // program may decide anything.
        let before = self.table.turn();
        let applied = self.table.apply(&entry.event);
        applied.map_err(|_| {
            let (seq, turn) = (entry.seq, entry.after.map_or(before, |after| after.turn));
            Fault::new(entry.at, GameError::Event { seq, turn })
        })
    }
}

/// Applies an event to a table; the result says whether it could.
fn apply(table: &mut Table, event: &Event) -> bool {
    table.apply(event).is_ok()
}

/// Whether two events differ in nothing but an order of cards.
fn by_chance(rules: &Event, journal: &Event) -> bool {
    let as_recorded = Recorded::of(journal);
    let is_order = match rules {
        Event::Collected { cards, .. } => as_recorded.has_order_of([&cards[..]]),
        Event::Drawn { takes } => {
            as_recorded.has_order_of(takes.iter().map(|take| &take.cards[..]))
        }
        Event::Reshuffled { hands } => as_recorded.has_order_of(hands.iter().map(|hand| &hand[..])),
        _ => true,
    };
    is_order && is_left_to_chance(rules, journal)
}

/// Whether two events differ in nothing but cards, of the same players.
fn is_left_to_chance(rules: &Event, journal: &Event) -> bool {
    match (rules, journal) {
        (Event::Collected { seat, .. }, Event::Collected { seat: other, .. }) => seat == other,
        (Event::Drawn { takes }, Event::Drawn { takes: others }) => {
            let seats = takes.iter().map(|take| take.seat);
            seats.eq(others.iter().map(|take| take.seat))
        }
        (Event::Reshuffled { hands }, Event::Reshuffled { hands: others }) => {
            hands.len() == others.len()
        }
        (Event::Clash { plays }, Event::Clash { plays: others })
        | (Event::FaceDown { plays }, Event::FaceDown { plays: others })
        | (Event::WarRound { plays, .. }, Event::WarRound { plays: others, .. }) => {
            let seats = |plays: &[Play]| plays.iter().map(|play| play.seat).collect::<Vec<_>>();
            seats(plays) == seats(others)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::by_chance;
    use crate::cards::Rank;
    use crate::engine::{Event, Play, Seat, Take};

    const FIRST: Seat = Seat::FIRST;
    const SECOND: Seat = Seat::SECOND;

    fn third() -> Seat {
        Seat::from_number(3).expect("a seat")
    }

    fn cards(ranks: &[u8]) -> Vec<Rank> {
        let ranks = ranks.iter().map(|rank| Rank::new(*rank));
        ranks.map(|rank| rank.expect("a rank")).collect()
    }

    fn collected(seat: Seat, ranks: &[u8]) -> Event {
        let cards = cards(ranks);
        Event::Collected { seat, cards }
    }

    fn drawn(takers: [Seat; 2], taken: [&[u8]; 2]) -> Event {
        let take = |at: usize| Take {
            seat: takers[at],
            cards: cards(taken[at]),
        };
        Event::Drawn {
            takes: [0, 1].map(take).to_vec(),
        }
    }

    fn reshuffled(hands: [&[u8]; 2]) -> Event {
        let hands = hands.map(cards).to_vec();
        Event::Reshuffled { hands }
    }

    fn plays(seats: [Seat; 2], ranks: [u8; 2]) -> Vec<Play> {
        let play = |at: usize| Play {
            seat: seats[at],
            card: cards(&ranks)[at],
            index: 0,
        };
        [0, 1].map(play).to_vec()
    }

    #[test]
    fn the_same_cards_in_another_order_may_be_chance() {
        for (rules, journal) in [
            (collected(FIRST, &[9, 10]), collected(FIRST, &[10, 9])),
            (
                drawn([FIRST, SECOND], [&[9, 10], &[11]]),
                drawn([FIRST, SECOND], [&[10, 9], &[11]]),
            ),
            (reshuffled([&[9, 10], &[11]]), reshuffled([&[10, 9], &[11]])),
        ] {
            assert!(by_chance(&rules, &journal), "{rules:?} {journal:?}");
        }
    }

    #[test]
    fn other_cards_of_the_same_hands_may_be_chance() {
        let (rules, journal) = (
            plays([FIRST, SECOND], [9, 10]),
            plays([FIRST, SECOND], [11, 12]),
        );
        let others = plays([FIRST, third()], [9, 10]);
        let kinds: [fn(Vec<Play>) -> Event; 3] = [
            |plays| Event::Clash { plays },
            |plays| Event::FaceDown { plays },
            |plays| Event::WarRound { round: 2, plays },
        ];
        for kind in kinds {
            assert!(by_chance(&kind(rules.clone()), &kind(journal.clone())));
            assert!(!by_chance(&kind(rules.clone()), &kind(others.clone())));
        }
        assert!(!by_chance(&kinds[0](rules.clone()), &kinds[1](rules)));
    }

    #[test]
    fn other_players_and_other_cards_are_no_chance() {
        let (one, other) = (
            collected(FIRST, &[9, 10]),
            drawn([FIRST, SECOND], [&[9, 10], &[11]]),
        );
        for (rules, journal) in [
            (&one, collected(SECOND, &[10, 9])),
            (&one, collected(FIRST, &[9, 11])),
            (&one, collected(FIRST, &[9])),
            (&other, drawn([FIRST, third()], [&[9, 10], &[11]])),
            (&other, drawn([FIRST, SECOND], [&[9, 10], &[12]])),
            (&other, drawn([FIRST, SECOND], [&[11], &[9, 10]])),
            (&reshuffled([&[9], &[10]]), reshuffled([&[10], &[9]])),
            (&one, other.clone()),
        ] {
            assert!(!by_chance(rules, &journal), "{rules:?} {journal:?}");
        }
    }
}
