use super::fault::{Code, Divergence, Fault, Position, ReadError};
use super::recorded::{Recorded, Watched};
use super::{Deal, End, Entry, Header, Printed, Reader, Reason, event_json, v1};
use crate::cards::{Chance, Rank, deal, deal_fixed, sorted, without};
use crate::engine::{Event, Play, Rules, Table};
use crate::i18n::{Message, Text};
use crate::rules::Flow;
use std::io::Read;

/// Reads a journal and plays the rules along: each event must be the one they decide.
///
/// Events come out only after they were found true, so whatever is folded from them is
/// an exact prefix of the game as it was played.
pub struct Verifier<R> {
    reader: Reader<R>,
    rules: Box<dyn Rules>,
    /// The generator that dealt, where one is named.
    generator: Option<Box<dyn Chance>>,
    table: Table,
    state: Vec<u8>,
    events: u64,
}

impl<R: Read> Verifier<R> {
    /// Opens a journal: reads and checks its header.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn open(input: R) -> Result<Self, ReadError> {
        let reader = Reader::open(input)?;
        let rules = Box::new(Flow::new(reader.header().rules.parameters));
        Ok(Self {
            reader,
            rules,
            generator: None,
            table: Table::default(),
            state: Vec::new(),
            events: 0,
        })
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The table after the event last handed out.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The number of events found true so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The next event, found true, or `None` where the events end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] at the first event that is damaged or diverges from the rules.
    ///
    /// # Panics
    ///
    /// If the rules decide an event that their table can't do: never.
    pub fn event(&mut self) -> Result<Option<Event>, ReadError> {
        let Some(entry) = self.reader.entry()? else {
            return Ok(None);
        };
        if self.events == 0 {
            self.check_deal(&entry)?;
        } else if self.table.outcome().is_some() {
            return Err(self.diverges(&entry, None).into());
        } else {
            let mut recorded = Recorded::of(&entry.event);
            let mut chance = Watched::new(match &mut self.generator {
                Some(generator) => generator.as_mut(),
                None => &mut recorded,
            });
            let event = self.rules.decide(&self.table, &mut chance);
            if event != entry.event {
                let by_chance = chance.was_asked() && by_chance(&event, &entry.event);
                let mut fault = self.diverges(&entry, Some(&event));
                if by_chance {
                    fault.code = Code::Deal;
                    fault.text = Text::new(Message::JOURNAL_CHANCE);
                }
                return Err(fault.into());
            }
        }
        let turn = self.table.turn() + u32::from(matches!(entry.event, Event::Clash { .. }));
        if entry.turn != turn {
            let text = Text::new(Message::JOURNAL_TURN)
                .with("seq", entry.seq.to_string())
                .with("found", entry.turn)
                .with("expected", turn);
            return Err(Fault::new(Code::Event, entry.at, text).into());
        }
        // What the rules decide is possible, and a deal that was checked is.
        let applied = self.table.apply(&entry.event);
        applied.expect("the event was found true");
        let state = v1::state(&self.table, &mut self.state);
        if state != entry.state {
            let text = Text::new(Message::JOURNAL_STATE)
                .with("seq", entry.seq.to_string())
                .with("turn", entry.turn)
                .with("found", entry.state.to_string())
                .with("expected", state.to_string());
            return Err(Fault::new(Code::State, entry.at, text).into());
        }
        self.events += 1;
        Ok(Some(entry.event))
    }

    /// The end record, found true; to be called once, after the last event.
    ///
    /// `console` is the digest of what the events print, or `None` where it can't be
    /// compared because the game was printed by another renderer or in another language.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the end record is missing or says what is not true.
    pub fn end(&mut self, console: Option<Printed>) -> Result<End, ReadError> {
        let end = self.reader.end()?;
        let at = self.reader.position();
        let cut_off = end.reason == Reason::CutOff;
        let wrong = |field: &'static str, found: String, expected: String| {
            let text = Text::new(Message::JOURNAL_END)
                .with("field", field)
                .with("found", found)
                .with("expected", expected);
            Err(Fault::new(Code::End, at, text).into())
        };
        let reason = Reason::of(&self.table);
        if end.reason != reason && !cut_off {
            return wrong("reason", reason_name(end.reason), reason_name(reason));
        }
        if end.turns != self.table.turn() {
            return wrong(
                "turns",
                end.turns.to_string(),
                self.table.turn().to_string(),
            );
        }
        if end.events != self.events {
            return wrong("events", end.events.to_string(), self.events.to_string());
        }
        match console {
            Some(console) if console != end.console => {
                let text = Text::new(Message::JOURNAL_CONSOLE)
                    .with("found", end.console.blake3.to_string())
                    .with("found_bytes", end.console.bytes.to_string())
                    .with("expected", console.blake3.to_string())
                    .with("expected_bytes", console.bytes.to_string());
                Err(Fault::new(Code::Console, at, text).into())
            }
            _ => Ok(end),
        }
    }

    /// Sees that the first event deals the cards that the header promises.
    fn check_deal(&mut self, entry: &Entry) -> Result<(), Fault> {
        let header = self.reader.header();
        let Event::Dealt { hands } = &entry.event else {
            return Err(wrong_deal(entry.at, Message::JOURNAL_NOT_DEALT));
        };
        let (fewest, most) = header.rules.players;
        let fits = (usize::from(fewest)..=usize::from(most)).contains(&hands.len());
        if !fits || !header.rules.is_played_with(header.deck) {
            return Err(wrong_deal(entry.at, Message::JOURNAL_NO_DECK));
        }
        if hands.len() != usize::from(header.players) {
            let text = Text::new(Message::JOURNAL_DEAL_PLAYERS)
                .with("found", hands.len())
                .with("expected", usize::from(header.players));
            return Err(Fault::new(Code::Deal, entry.at, text));
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
                    let rest =
                        rest.ok_or_else(|| wrong_deal(entry.at, Message::JOURNAL_NO_DECK))?;
                    let fixed = (seat.index(), fixed.clone());
                    deal_fixed(fixed, rest, players, generator.as_mut())
                } else {
                    generator.shuffle(&mut cards);
                    deal(&cards, hands.len())
                };
                if *hands != expected {
                    let hands = expected;
                    let divergence = self.divergence(entry, Some(&Event::Dealt { hands }));
                    let mut fault = wrong_deal(entry.at, Message::JOURNAL_GENERATOR);
                    fault.divergence = Some(Box::new(divergence));
                    return Err(fault);
                }
                self.generator = Some(generator);
            }
            Deal::Imported => {
                if sorted(&hands.concat()) != sorted(&header.deck.cards()) {
                    return Err(wrong_deal(entry.at, Message::JOURNAL_NO_DECK));
                }
            }
            Deal::Scenario { .. } => {
                if header.rules.scenarios.deck(hands) != Some(header.deck) {
                    return Err(wrong_deal(entry.at, Message::JOURNAL_NO_DECK));
                }
            }
        }
        Ok(())
    }

    fn diverges(&self, entry: &Entry, rules: Option<&Event>) -> Fault {
        let text = Text::new(Message::JOURNAL_DIVERGES)
            .with("seq", entry.seq.to_string())
            .with("turn", entry.turn);
        let mut fault = Fault::new(Code::Event, entry.at, text);
        fault.divergence = Some(Box::new(self.divergence(entry, rules)));
        fault
    }

    fn divergence(&self, entry: &Entry, rules: Option<&Event>) -> Divergence {
        let after = |event: &Event| {
            let mut table = self.table.clone();
            let applied = table.apply(event);
            applied.map(|()| hands(&table)).unwrap_or_default()
        };
        Divergence {
            seq: entry.seq,
            turn: entry.turn,
            journal: event_json(&entry.event),
            rules: rules.map(event_json).unwrap_or_default(),
            journal_hands: after(&entry.event),
            rules_hands: rules.map(after).unwrap_or_default(),
        }
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

fn wrong_deal(at: Position, message: Message) -> Fault {
    Fault::new(Code::Deal, at, Text::new(message))
}

fn reason_name(reason: Reason) -> String {
    match reason {
        Reason::Won(seat) => format!("won {seat}"),
        Reason::Endless => "endless".to_owned(),
        Reason::Drawn => "drawn".to_owned(),
        Reason::Stopped(Some(seat)) => format!("stopped {seat}"),
        Reason::Stopped(None) => "stopped".to_owned(),
        Reason::CutOff => "cut_off".to_owned(),
    }
}

/// All hands, top card first, as a list of lists.
fn hands(table: &Table) -> String {
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
