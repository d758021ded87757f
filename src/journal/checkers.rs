use super::dealing::{DealtHands, check_players};
use super::fault::{Fault, ReadError};
use super::header::{CommittedGame, Deal, Header};
use super::problem::GameError;
use super::reader::Reader;
use super::verifier::{Checker, CheckerEntry, divergence_fault};
use crate::cards::{Chance, Deck, Rank, reorder_if_same_cards, sort_cards};
use crate::engine::{Event, Play, Rules, Table};
use crate::rules::Ruleset;
use crate::tokens::{Fairness, Move, MoveError, Seats, TokenEvent, TokenGame};

/// Checker of a game of War.
pub struct WarChecker {
    ruleset: Ruleset,
    deal: Deal,
    rules: Box<dyn Rules>,
    /// The generator that dealt, if the header names one.
    generator: Option<Box<dyn Chance>>,
    table: Table,
    dealt: bool,
}

impl WarChecker {
    /// A checker before the first event of a game.
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

    fn check_event(&mut self, entry: &CheckerEntry<Self>) -> Result<(), Fault> {
        let recorded = &entry.event;
        let mut as_recorded = RecordedChance::new(recorded);
        let mut chance = ChanceProbe::new(match &mut self.generator {
            Some(generator) => generator.as_mut(),
            None => &mut as_recorded,
        });
        let event = self.rules.decide(&self.table, &mut chance);
        if event == *recorded {
            return Ok(());
        }
        let was_asked = chance.was_used();
        let mut fault = divergence_fault(entry, &self.table, Some(&event), apply);
        if was_asked && self.generator.is_some() && differs_in_order(&event, recorded) {
            fault.problem = GameError::Chance.into();
        }
        // Without a generator, the rules took every result of chance from the recorded event.
        if was_asked && self.generator.is_none() && differs_only_in_cards(&event, recorded) {
            let turn = fault.divergence.as_ref().map_or(0, |sides| sides.turn);
            let seq = entry.seq;
            fault.problem = GameError::Impossible { seq, turn }.into();
        }
        Err(fault)
    }

    /// Checks that the first event deals the cards that the header promises.
    fn check_deal(&mut self, header: &Header, entry: &CheckerEntry<Self>) -> Result<(), Fault> {
        let Event::Dealt { hands } = &entry.event else {
            return Err(Fault::new(entry.at, GameError::NotDealt));
        };
        let promised = self.promised_hands(header, hands);
        let promised = promised.map_err(|error| Fault::new(entry.at, error))?;
        if let Some((promised, generator)) = promised {
            if *hands != promised {
                let dealt = Event::Dealt { hands: promised };
                let divergence =
                    divergence_fault(entry, &self.table, Some(&dealt), apply).divergence;
                let mut fault = Fault::new(entry.at, GameError::Generator);
                fault.divergence = divergence;
                return Err(fault);
            }
            self.generator = Some(generator);
        }
        Ok(())
    }

    /// Checks the dealt hands against the header, and repeats the deal if a generator made it.
    fn promised_hands(
        &self,
        header: &Header,
        hands: &[Vec<Rank>],
    ) -> Result<Option<DealtHands>, GameError> {
        check_players(header, &self.ruleset, hands.len())?;
        self.deal.check_hands(&self.ruleset, header.deck, hands)?;
        self.deal.generate_hands(header.deck, hands.len())
    }
}

impl Checker for WarChecker {
    type State = Table;

    fn state(&self) -> &Table {
        &self.table
    }

    fn read(&self, reader: &mut Reader<'_>) -> Result<Option<CheckerEntry<Self>>, ReadError> {
        reader.next_war_entry()
    }

    fn check(&mut self, header: &Header, entry: &CheckerEntry<Self>) -> Result<(), Fault> {
        if !self.dealt {
            self.check_deal(header, entry)?;
            self.dealt = true;
        } else if self.table.outcome().is_some() {
            return Err(divergence_fault(entry, &self.table, None, apply));
        } else {
            self.check_event(entry)?;
        }
        // Only a program's own rules can decide on an impossible event.
        let before = self.table.turn();
        let applied = self.table.apply(&entry.event);
        applied.map_err(|_| {
            let (seq, turn) = (entry.seq, entry.after.map_or(before, |after| after.turn));
            Fault::new(entry.at, GameError::Event { seq, turn })
        })
    }
}

/// Applies an event to a table; returns false if the event is impossible.
fn apply(table: &mut Table, event: &Event) -> bool {
    table.apply(event).is_ok()
}

/// Returns true if two events differ only in the order of cards, or in cards drawn from a hand.
fn differs_in_order(rules: &Event, journal: &Event) -> bool {
    let as_recorded = RecordedChance::new(journal);
    let is_order = match rules {
        Event::Collected { cards, .. } => as_recorded.has_same_cards([&cards[..]]),
        Event::Drawn { takes } => {
            as_recorded.has_same_cards(takes.iter().map(|take| &take.cards[..]))
        }
        Event::Reshuffled { hands } => {
            as_recorded.has_same_cards(hands.iter().map(|hand| &hand[..]))
        }
        _ => true,
    };
    is_order && differs_only_in_cards(rules, journal)
}

/// Returns true if two events differ only in cards, and not in their players.
fn differs_only_in_cards(rules: &Event, journal: &Event) -> bool {
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

/// Chance taken from a recorded event.
///
/// The rules ask for an order of cards or for a card of a hand, and get the recorded one if it is
/// possible. Otherwise the cards keep their order or the top card is drawn, and the rules decide an
/// event other than the recorded one.
struct RecordedChance<'a> {
    event: &'a Event,
    /// Number of orders returned.
    orders: usize,
    /// Number of cards drawn from hands.
    draws: usize,
}

impl<'a> RecordedChance<'a> {
    const fn new(event: &'a Event) -> Self {
        Self {
            event,
            orders: 0,
            draws: 0,
        }
    }

    fn order(&self, number: usize) -> Option<&'a [Rank]> {
        match self.event {
            Event::Collected { cards, .. } if number == 0 => Some(cards),
            Event::Drawn { takes } => takes.get(number).map(|take| &take.cards[..]),
            Event::Reshuffled { hands } => hands.get(number).map(|hand| &hand[..]),
            _ => None,
        }
    }

    /// Returns true if the event records an order for each of these groups of cards, and for no
    /// others.
    fn has_same_cards<'b>(&self, cards: impl IntoIterator<Item = &'b [Rank]>) -> bool {
        let orders = (0..).map_while(|number| self.order(number));
        orders.map(sort_cards).eq(cards.into_iter().map(sort_cards))
    }
}

impl Chance for RecordedChance<'_> {
    fn draw_below(&mut self, bound: u32) -> u32 {
        let play = match self.event {
            Event::Clash { plays } | Event::FaceDown { plays } | Event::WarRound { plays, .. } => {
                plays.get(self.draws)
            }
            _ => None,
        };
        self.draws += 1;
        let index = play.map(|play| u32::from(play.index));
        index.filter(|&index| index < bound).unwrap_or(0)
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        if let Some(order) = self.order(self.orders)
            && reorder_if_same_cards(cards, order)
        {
            self.orders += 1;
        }
    }

    fn choose(&mut self, first: Vec<Rank>, second: Vec<Rank>) -> Vec<Rank> {
        let is_second = self.order(self.orders) == Some(&second);
        if is_second { second } else { first }
    }

    fn skip_order(&mut self) {
        self.orders += 1;
    }
}

/// Source of chance that records whether it was used.
struct ChanceProbe<'a> {
    chance: &'a mut dyn Chance,
    used: bool,
}

impl<'a> ChanceProbe<'a> {
    const fn new(chance: &'a mut dyn Chance) -> Self {
        let used = false;
        Self { chance, used }
    }

    const fn was_used(&self) -> bool {
        self.used
    }
}

impl Chance for ChanceProbe<'_> {
    fn draw_below(&mut self, bound: u32) -> u32 {
        self.used = true;
        self.chance.draw_below(bound)
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        self.used = true;
        self.chance.shuffle(cards);
    }

    fn choose(&mut self, first: Vec<Rank>, second: Vec<Rank>) -> Vec<Rank> {
        self.used = true;
        self.chance.choose(first, second)
    }

    fn skip_order(&mut self) {
        self.chance.skip_order();
    }
}

/// Checker of a token game.
///
/// The moves of the players are taken from the journal. Cards and results must follow from the
/// moves, the secret and the rules.
#[derive(Debug)]
pub struct TokenChecker {
    game: TokenGame,
    committed: CommittedGame,
}

impl TokenChecker {
    /// A checker before the first event of a game.
    #[must_use]
    pub const fn new(committed: CommittedGame) -> Self {
        let game = TokenGame::new(committed.rules, committed.game, committed.secret);
        Self { game, committed }
    }

    /// Checks that the first event starts the game, and that the revealed seed matches the
    /// commitment.
    fn check_start(&self, header: &Header, entry: &CheckerEntry<Self>) -> Result<(), Fault> {
        let error = if (header.players, header.deck) != (2, Deck::Large) {
            GameError::NotDeck
        } else if self.committed.secret.commitment() != self.committed.commitment {
            GameError::Commitment
        } else if !self.is_start(&entry.event) {
            GameError::NotStarted
        } else {
            return Ok(());
        };
        Err(Fault::new(entry.at, error))
    }

    /// Returns true if games by these rules start with this event.
    const fn is_start(&self, event: &TokenEvent) -> bool {
        match self.committed.rules.fairness() {
            Fairness::OptionalSeeds => matches!(event, TokenEvent::Started { .. }),
            Fairness::CommittedSeeds => matches!(event, TokenEvent::Committed { .. }),
            Fairness::TableSeed => matches!(event, TokenEvent::DuelStarted),
        }
    }

    fn check_event(&self, entry: &CheckerEntry<Self>) -> Result<(), Fault> {
        let recorded = &entry.event;
        let decided = self.decide(recorded);
        if let (Err(MoveError::WrongSeed), TokenEvent::Opened { seat, .. }) = (&decided, recorded) {
            return Err(Fault::new(entry.at, GameError::OpenedSeed(*seat)));
        }
        let decided = decided.ok();
        if decided.as_ref() == Some(recorded) {
            return Ok(());
        }
        let deals_other_cards = matches!(
            (&decided, recorded),
            (Some(TokenEvent::Dealt { .. }), TokenEvent::Dealt { .. })
        );
        let apply = |game: &mut TokenGame, event: &TokenEvent| game.apply(event).is_ok();
        let mut fault = divergence_fault(entry, &self.game, decided.as_ref(), apply);
        if deals_other_cards {
            fault.problem = GameError::Generator.into();
        }
        Err(fault)
    }

    /// The event that is due by the rules, or else the one that results from the recorded move.
    fn decide(&self, recorded: &TokenEvent) -> Result<TokenEvent, MoveError> {
        if let Some(event) = self.game.due_event() {
            return Ok(event);
        }
        let player_move = match recorded {
            TokenEvent::Seeded { seat, value } => Move::Seed(*seat, value.clone()),
            TokenEvent::Opened { seat, seed } => Move::Open(*seat, *seed),
            TokenEvent::Forfeited { seat } => Move::TimeOut(*seat),
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => match timed_out {
                true => Move::TimeOut(*seat),
                false => Move::Decide(*seat, *decision),
            },
            // A time limit may have started the first deal.
            _ => Move::Deal,
        };
        self.game.decide(&player_move)
    }
}

impl Checker for TokenChecker {
    type State = TokenGame;

    fn state(&self) -> &TokenGame {
        &self.game
    }

    fn seats(&self) -> Option<&Seats> {
        self.game.seats()
    }

    fn read(&self, reader: &mut Reader<'_>) -> Result<Option<CheckerEntry<Self>>, ReadError> {
        reader.next_token_entry()
    }

    /// Checks that the event follows from the moves, the secret and the rules, and applies it.
    fn check(&mut self, header: &Header, entry: &CheckerEntry<Self>) -> Result<(), Fault> {
        if self.game.seats().is_none() {
            self.check_start(header, entry)?;
        } else {
            self.check_event(entry)?;
        }
        let applied = self.game.apply(&entry.event);
        applied.expect("the event was found true");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{RecordedChance, differs_in_order};
    use crate::cards::{Chance, Rank};
    use crate::engine::{Event, Play, Seat, TakenCards};

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
        let take = |at: usize| TakenCards {
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
    fn the_same_cards_in_another_order_can_be_chance() {
        for (rules, journal) in [
            (collected(FIRST, &[9, 10]), collected(FIRST, &[10, 9])),
            (
                drawn([FIRST, SECOND], [&[9, 10], &[11]]),
                drawn([FIRST, SECOND], [&[10, 9], &[11]]),
            ),
            (reshuffled([&[9, 10], &[11]]), reshuffled([&[10, 9], &[11]])),
        ] {
            assert!(differs_in_order(&rules, &journal), "{rules:?} {journal:?}");
        }
    }

    #[test]
    fn other_cards_from_the_same_hands_can_be_chance() {
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
            assert!(differs_in_order(
                &kind(rules.clone()),
                &kind(journal.clone())
            ));
            assert!(!differs_in_order(
                &kind(rules.clone()),
                &kind(others.clone())
            ));
        }
        assert!(!differs_in_order(
            &kinds[0](rules.clone()),
            &kinds[1](rules)
        ));
    }

    #[test]
    fn other_players_and_other_cards_are_not_chance() {
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
            assert!(!differs_in_order(rules, &journal), "{rules:?} {journal:?}");
        }
    }

    #[test]
    fn a_missing_card_is_replaced_by_the_top_card() {
        let play = |index| Play {
            seat: Seat::FIRST,
            card: Rank::ACE,
            index,
        };
        let plays = vec![play(3), play(4)];
        let event = Event::Clash { plays };
        let mut chance = RecordedChance::new(&event);
        let drawn = [4, 4, 4].map(|bound| chance.draw_below(bound));
        assert_eq!(drawn, [3, 0, 0]);
    }
}
