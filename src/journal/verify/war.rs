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
        let by_chance = chance.was_asked() && by_chance(&event, recorded);
        let mut fault = diverges(entry, &self.table, Some(&event), apply);
        if by_chance {
            fault.problem = GameError::Chance.into();
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
    match (rules, journal) {
        (Event::Collected { seat, cards }, Event::Collected { seat: other, .. }) => {
            seat == other && as_recorded.has_order_of([&cards[..]])
        }
        (Event::Drawn { takes }, Event::Drawn { takes: others }) => {
            let seats = takes.iter().map(|take| take.seat);
            seats.eq(others.iter().map(|take| take.seat))
                && as_recorded.has_order_of(takes.iter().map(|take| &take.cards[..]))
        }
        (Event::Reshuffled { hands }, Event::Reshuffled { .. }) => {
            as_recorded.has_order_of(hands.iter().map(|hand| &hand[..]))
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
