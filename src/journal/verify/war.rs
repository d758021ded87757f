use super::checker::{Checker, EntryOf};
use super::fault::diverges;
use super::recorded::{Recorded, Watched};
use crate::cards::{Chance, deal, deal_fixed, sorted, without};
use crate::engine::{Event, Play, Rules as _, Table};
use crate::journal::fault::{Fault, ReadError};
use crate::journal::header::{Deal, Header};
use crate::journal::problem::GameError;
use crate::journal::reader::Reader;
use crate::rules::{Flow, Variant};
use std::io::Read;

/// A game of War that is played along with its journal.
pub struct WarChecker {
    variant: Variant,
    deal: Deal,
    rules: Flow,
    /// The generator that dealt, where one is named.
    generator: Option<Box<dyn Chance>>,
    table: Table,
    dealt: bool,
}

impl WarChecker {
    /// A game of this variant, whose cards come from here, before its first event.
    #[must_use]
    pub fn new(variant: Variant, deal: Deal) -> Self {
        Self {
            variant,
            deal,
            rules: Flow::new(variant.parameters),
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
        self.check_players(header, entry, hands.len())?;
        let promised = match &self.deal {
            Deal::Shuffled { generator } => {
                let mut generator = generator.start();
                let mut cards = header.deck.cards();
                generator.shuffle(&mut cards);
                Some((deal(&cards, hands.len()), generator))
            }
            Deal::Fixed {
                generator,
                seat,
                cards,
            } => {
                let players = hands.len();
                let mut generator = generator.start();
                let fixed = (seat.index(), cards.clone());
                let rest = without(header.deck.cards(), cards);
                let hands =
                    rest.and_then(|rest| deal_fixed(fixed, rest, players, generator.as_mut()));
                let hands = hands.ok_or_else(|| Fault::new(entry.at, GameError::NoDeck))?;
                Some((hands, generator))
            }
            Deal::Imported if sorted(&hands.concat()) == sorted(&header.deck.cards()) => None,
            Deal::Scenario { .. } if self.variant.scenarios.deck(hands) == Some(header.deck) => {
                None
            }
            Deal::Imported | Deal::Scenario { .. } => {
                return Err(Fault::new(entry.at, GameError::NoDeck));
            }
        };
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

    /// Checks that as many play as the rules and the header say, with a deck of the rules.
    fn check_players(
        &self,
        header: &Header,
        entry: &EntryOf<Self>,
        players: usize,
    ) -> Result<(), Fault> {
        let (fewest, most) = self.variant.players;
        if !(usize::from(fewest)..=usize::from(most)).contains(&players) {
            let problem = GameError::PlayersOfRules {
                found: players,
                fewest,
                most,
            };
            return Err(Fault::new(entry.at, problem));
        }
        if !self.variant.is_played_with(header.deck) {
            return Err(Fault::new(entry.at, GameError::NoDeck));
        }
        if players != usize::from(header.players) {
            let (found, expected) = (players, header.players);
            return Err(Fault::new(entry.at, GameError::Players { found, expected }));
        }
        Ok(())
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
        // What the rules decide is possible, and so is a deal that was checked.
        let applied = self.table.apply(&entry.event);
        applied.expect("the event was found true");
        Ok(())
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
