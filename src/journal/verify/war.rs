use super::super::{self as journal, Deal, Entry, Header, Rules, v1};
use super::recorded::{Recorded, Watched};
use super::{divergence, diverges};
use crate::cards::{Chance, Rank, deal, deal_fixed, sorted, without};
use crate::engine::{Event, Play, Rules as _, Table};
use crate::hex::Hex;
use crate::journal::{Divergence, Fault, GameError};
use crate::rules::{Flow, Parameters};

/// A game of War that is played along with its journal.
pub(super) struct WarChecker {
    rules: Flow,
    /// The generator that dealt, where one is named.
    generator: Option<Box<dyn Chance>>,
    table: Table,
    dealt: bool,
    state: Vec<u8>,
}

impl WarChecker {
    pub(super) fn new(parameters: Parameters) -> Self {
        Self {
            rules: Flow::new(parameters),
            generator: None,
            table: Table::default(),
            dealt: false,
            state: Vec::new(),
        }
    }

    pub(super) const fn table(&self) -> &Table {
        &self.table
    }

    /// The hash of the table.
    pub(super) fn state(&mut self) -> Hex<8> {
        v1::state(&self.table, &mut self.state)
    }

    /// Takes the next event, which must be the one that the rules decide.
    pub(super) fn check(
        &mut self,
        header: &Header,
        entry: &Entry,
        event: &Event,
    ) -> Result<(), Fault> {
        if !self.dealt {
            self.check_deal(header, entry, event)?;
            self.dealt = true;
        } else if self.table.outcome().is_some() {
            return Err(diverges(entry, self.divergence(entry, None)));
        } else {
            self.check_decided(entry, event)?;
        }
        // What the rules decide is possible, and a deal that was checked is.
        let applied = self.table.apply(event);
        applied.expect("the event was found true");
        Ok(())
    }

    fn check_decided(&mut self, entry: &Entry, recorded: &Event) -> Result<(), Fault> {
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
        let event = journal::Event::War(event);
        let mut fault = diverges(entry, self.divergence(entry, Some(&event)));
        if by_chance {
            fault.problem = GameError::Chance.into();
        }
        Err(fault)
    }

    /// Sees that the first event deals the cards that the header promises.
    fn check_deal(&mut self, header: &Header, entry: &Entry, event: &Event) -> Result<(), Fault> {
        let (Event::Dealt { hands }, Rules::War(variant)) = (event, header.rules) else {
            return Err(Fault::new(entry.at, GameError::NotDealt));
        };
        let (fewest, most) = variant.players;
        let fits = (usize::from(fewest)..=usize::from(most)).contains(&hands.len());
        if !fits {
            let found = hands.len();
            let problem = GameError::PlayersOfRules {
                found,
                fewest,
                most,
            };
            return Err(Fault::new(entry.at, problem));
        }
        if !variant.is_played_with(header.deck) {
            return Err(Fault::new(entry.at, GameError::NoDeck));
        }
        if hands.len() != usize::from(header.players) {
            let (found, expected) = (hands.len(), header.players);
            return Err(Fault::new(entry.at, GameError::Players { found, expected }));
        }
        match &header.deal {
            Deal::Shuffled { generator } | Deal::Fixed { generator, .. } => {
                let mut cards = header.deck.cards();
                let mut generator = generator.start();
                let expected = if let Deal::Fixed {
                    seat, cards: fixed, ..
                } = &header.deal
                {
                    let players = hands.len();
                    let rest = without(cards, fixed);
                    let rest = rest.filter(|_| seat.index() < players && players > 1);
                    let rest = rest.ok_or_else(|| Fault::new(entry.at, GameError::NoDeck))?;
                    let fixed = (seat.index(), fixed.clone());
                    deal_fixed(fixed, rest, players, generator.as_mut())
                } else {
                    generator.shuffle(&mut cards);
                    deal(&cards, hands.len())
                };
                if *hands != expected {
                    let hands = expected;
                    let dealt = journal::Event::War(Event::Dealt { hands });
                    let divergence = self.divergence(entry, Some(&dealt));
                    let mut fault = Fault::new(entry.at, GameError::Generator);
                    fault.divergence = Some(Box::new(divergence));
                    return Err(fault);
                }
                self.generator = Some(generator);
            }
            Deal::Committed | Deal::Imported => {
                if sorted(&hands.concat()) != sorted(&header.deck.cards()) {
                    return Err(Fault::new(entry.at, GameError::NoDeck));
                }
            }
            Deal::Scenario { .. } => {
                if variant.scenarios.deck(hands) != Some(header.deck) {
                    return Err(Fault::new(entry.at, GameError::NoDeck));
                }
            }
        }
        Ok(())
    }

    fn divergence(&self, entry: &Entry, rules: Option<&journal::Event>) -> Divergence {
        divergence(entry, rules, |event| {
            let mut table = self.table.clone();
            match event {
                journal::Event::War(event) if table.apply(event).is_ok() => hands(&table),
                _ => String::new(),
            }
        })
    }
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

/// All hands, top card first, as a list of lists.
pub(super) fn hands(table: &Table) -> String {
    let hand = |hand: Vec<String>| format!("[{}]", hand.join(","));
    let cards = |place: &crate::engine::Place| place.hand().iter().map(Rank::to_string).collect();
    hand(
        table
            .places()
            .iter()
            .map(|place| hand(cards(place)))
            .collect(),
    )
}
