//! Version 1 of the format, frozen: its own types, field for field.
//!
//! The order of the fields is the canonical order. A `chain` is read and checked but
//! never part of the form that is hashed, so it is not serialized. Whatever changes
//! elsewhere in the program, these types and [`state`] stay as they are.

use super::{Deal, Header, Hex, Printed, Reason};
use crate::cards::{self, Rank, shuffle};
use crate::engine::{self, Seat, Table};
use crate::rules::{self, VARIANTS, Variant, setup};
use serde::{Deserialize, Deserializer, Serialize};
use std::io::Write;

pub(super) const FORMAT: &str = "war-journal";
pub(super) const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderRecord {
    format: String,
    version: u32,
    engine: String,
    rules: Rules,
    players: u8,
    deck: Deck,
    deal: DealRecord,
    console: Console,
    #[serde(skip_serializing)]
    pub(super) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    id: String,
    face_down: u8,
    collect: String,
    out_of_cards: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Deck {
    Small,
    Large,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum DealRecord {
    Shuffled { generator: String, seed: String },
    Scenario { name: String },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Console {
    renderer: u32,
    lang: String,
    corrections: Vec<Correction>,
}

/// What was typed wrong; what it became follows from it.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Correction {
    Both { players: String, deck: String },
    PlayersOutOfRange { provided: String },
    PlayersUnparseable { provided: String },
    DeckUnrecognized { provided: String },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) seq: u64,
    pub(super) turn: u32,
    pub(super) event: Event,
    pub(super) state: Hex<8>,
    #[serde(skip_serializing)]
    pub(super) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Event {
    Dealt { hands: Vec<Vec<Card>> },
    Clash { plays: Vec<Play> },
    FaceDown { plays: Vec<Play> },
    WarRound { round: u32, plays: Vec<Play> },
    EndOfCards { player: Player, step: Step },
    Collected { player: Player, cards: Vec<Card> },
    Won { player: Player },
    Endless { from: u32, to: u32 },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    player: Player,
    card: Card,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    FaceDown,
    FaceUp,
    TurnEnd,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub(super) struct Card(Rank);

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub(super) struct Player(Seat);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndRecord {
    reason: EndReason,
    #[serde(deserialize_with = "required")]
    winner: Option<Player>,
    turns: u32,
    events: u64,
    console: Printed,
    #[serde(skip_serializing)]
    pub(super) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EndReason {
    Won,
    Endless,
    CutOff,
}

/// Why a header or an end record that reads well cannot be understood.
pub(super) enum Unliftable {
    /// These rules are not known here.
    UnknownRules(String),
    /// This generator is not known here.
    UnknownGenerator(String),
    /// The seed is no unsigned 64-bit decimal number.
    BadSeed(String),
    /// A correction of something that needs none.
    BadCorrection,
}

impl HeaderRecord {
    pub(super) fn new(header: &Header) -> Self {
        let parameters = header.rules.parameters;
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: header.engine.clone(),
            rules: Rules {
                id: header.rules.id.to_owned(),
                face_down: parameters.face_down,
                collect: collect_name(parameters.collect).to_owned(),
                out_of_cards: out_of_cards_name(parameters.out_of_cards).to_owned(),
            },
            players: header.players,
            deck: match header.deck {
                cards::Deck::Small => Deck::Small,
                cards::Deck::Large => Deck::Large,
            },
            deal: match &header.deal {
                Deal::Shuffled { seed } => DealRecord::Shuffled {
                    generator: shuffle::GENERATOR.to_owned(),
                    seed: seed.to_string(),
                },
                Deal::Scenario { name } => DealRecord::Scenario { name: name.clone() },
            },
            console: Console {
                renderer: header.renderer,
                lang: header.lang.clone(),
                corrections: header.corrections.iter().map(Correction::new).collect(),
            },
            chain: Hex::ZERO,
        }
    }

    pub(super) fn lift(self) -> Result<Header, Unliftable> {
        let corrections = self.console.corrections.into_iter();
        Ok(Header {
            engine: self.engine,
            rules: self.rules.lift()?,
            players: self.players,
            deck: match self.deck {
                Deck::Small => cards::Deck::Small,
                Deck::Large => cards::Deck::Large,
            },
            deal: match self.deal {
                DealRecord::Shuffled { generator, .. } if generator != shuffle::GENERATOR => {
                    return Err(Unliftable::UnknownGenerator(generator));
                }
                DealRecord::Shuffled { seed, .. } => match seed.parse::<u64>() {
                    Ok(number) if number.to_string() == seed => Deal::Shuffled { seed: number },
                    _ => return Err(Unliftable::BadSeed(seed)),
                },
                DealRecord::Scenario { name } => Deal::Scenario { name },
            },
            renderer: self.console.renderer,
            lang: self.console.lang,
            corrections: corrections
                .map(Correction::lift)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Rules {
    fn lift(self) -> Result<Variant, Unliftable> {
        let known = VARIANTS.iter().find(|variant| {
            let parameters = variant.parameters;
            self.id == variant.id
                && self.face_down == parameters.face_down
                && self.collect == collect_name(parameters.collect)
                && self.out_of_cards == out_of_cards_name(parameters.out_of_cards)
        });
        known.copied().ok_or(Unliftable::UnknownRules(self.id))
    }
}

const fn collect_name(collect: rules::Collect) -> &'static str {
    match collect {
        rules::Collect::Seat => "seat",
    }
}

const fn out_of_cards_name(out_of_cards: rules::OutOfCards) -> &'static str {
    match out_of_cards {
        rules::OutOfCards::EndOfCards => "eoc",
    }
}

impl Correction {
    fn new(correction: &setup::Correction) -> Self {
        match correction.clone() {
            setup::Correction::Both { players, deck } => Self::Both { players, deck },
            setup::Correction::PlayersOutOfRange { provided, .. } => {
                Self::PlayersOutOfRange { provided }
            }
            setup::Correction::PlayersUnparseable { provided } => {
                Self::PlayersUnparseable { provided }
            }
            setup::Correction::DeckUnrecognized { provided } => Self::DeckUnrecognized { provided },
        }
    }

    fn lift(self) -> Result<setup::Correction, Unliftable> {
        let (players, deck) = match &self {
            Self::Both { players, deck } => (players.as_str(), deck.as_str()),
            Self::PlayersOutOfRange { provided } | Self::PlayersUnparseable { provided } => {
                (provided.as_str(), cards::Deck::Small.name())
            }
            Self::DeckUnrecognized { provided } => ("2", provided.as_str()),
        };
        let mut corrections = setup::Setup::from_typed(players, deck).corrections;
        corrections.retain(|correction| Self::new(correction) == self);
        corrections.pop().ok_or(Unliftable::BadCorrection)
    }
}

impl Event {
    pub(super) fn new(event: &engine::Event) -> Self {
        let cards = |cards: &[Rank]| cards.iter().copied().map(Card).collect();
        let plays = |plays: &[engine::Play]| plays.iter().copied().map(Play::new).collect();
        match event {
            engine::Event::Dealt { hands } => Self::Dealt {
                hands: hands.iter().map(|hand| cards(hand)).collect(),
            },
            engine::Event::Clash { plays: put } => Self::Clash { plays: plays(put) },
            engine::Event::FaceDown { plays: put } => Self::FaceDown { plays: plays(put) },
            engine::Event::WarRound { round, plays: put } => Self::WarRound {
                round: *round,
                plays: plays(put),
            },
            engine::Event::EndOfCards { seat, step } => Self::EndOfCards {
                player: Player(*seat),
                step: match step {
                    engine::Step::FaceDown => Step::FaceDown,
                    engine::Step::FaceUp => Step::FaceUp,
                    engine::Step::TurnEnd => Step::TurnEnd,
                },
            },
            engine::Event::Collected { seat, cards: pot } => Self::Collected {
                player: Player(*seat),
                cards: cards(pot),
            },
            engine::Event::Won { seat } => Self::Won {
                player: Player(*seat),
            },
            engine::Event::Endless { from, to } => Self::Endless {
                from: *from,
                to: *to,
            },
        }
    }

    pub(super) fn lift(self) -> engine::Event {
        let cards = |cards: Vec<Card>| cards.into_iter().map(|card| card.0).collect();
        let plays = |plays: Vec<Play>| plays.into_iter().map(Play::lift).collect();
        match self {
            Self::Dealt { hands } => engine::Event::Dealt {
                hands: hands.into_iter().map(cards).collect(),
            },
            Self::Clash { plays: put } => engine::Event::Clash { plays: plays(put) },
            Self::FaceDown { plays: put } => engine::Event::FaceDown { plays: plays(put) },
            Self::WarRound { round, plays: put } => engine::Event::WarRound {
                round,
                plays: plays(put),
            },
            Self::EndOfCards { player, step } => engine::Event::EndOfCards {
                seat: player.0,
                step: match step {
                    Step::FaceDown => engine::Step::FaceDown,
                    Step::FaceUp => engine::Step::FaceUp,
                    Step::TurnEnd => engine::Step::TurnEnd,
                },
            },
            Self::Collected { player, cards: pot } => engine::Event::Collected {
                seat: player.0,
                cards: cards(pot),
            },
            Self::Won { player } => engine::Event::Won { seat: player.0 },
            Self::Endless { from, to } => engine::Event::Endless { from, to },
        }
    }
}

impl Play {
    const fn new(play: engine::Play) -> Self {
        Self {
            player: Player(play.seat),
            card: Card(play.card),
        }
    }

    const fn lift(self) -> engine::Play {
        engine::Play {
            seat: self.player.0,
            card: self.card.0,
        }
    }
}

impl EndRecord {
    pub(super) fn new(reason: Reason, turns: u32, events: u64, console: Printed) -> Self {
        let (reason, winner) = match reason {
            Reason::Won(seat) => (EndReason::Won, Some(Player(seat))),
            Reason::Endless => (EndReason::Endless, None),
            Reason::CutOff => (EndReason::CutOff, None),
        };
        Self {
            reason,
            winner,
            turns,
            events,
            console,
            chain: Hex::ZERO,
        }
    }

    /// The end, or `None` where reason and winner do not go together.
    pub(super) fn lift(self) -> Option<super::End> {
        let reason = match (self.reason, self.winner) {
            (EndReason::Won, Some(winner)) => Reason::Won(winner.0),
            (EndReason::Endless, None) => Reason::Endless,
            (EndReason::CutOff, None) => Reason::CutOff,
            _ => return None,
        };
        Some(super::End {
            reason,
            turns: self.turns,
            events: self.events,
            console: self.console,
            chain: self.chain,
        })
    }
}

/// The hash of a table: the turn, all hands from the top, and the cards put by each seat.
///
/// `buffer` is room to write in, kept from call to call.
pub(super) fn state(table: &Table, buffer: &mut Vec<u8>) -> Hex<8> {
    let places = table.places().iter();
    buffer.clear();
    buffer.extend_from_slice(b"{\"turn\":");
    // Writing to memory never fails.
    let _ = write!(buffer, "{}", table.turn());
    buffer.extend_from_slice(b",\"hands\":[");
    lists(buffer, places.clone().map(|place| place.hand().iter()));
    buffer.extend_from_slice(b"],\"table\":[");
    lists(
        buffer,
        places.map(|place| place.pile().iter().map(|put| &put.card)),
    );
    buffer.extend_from_slice(b"]}");
    Hex::truncated(&blake3::hash(buffer))
}

fn lists<'a>(out: &mut Vec<u8>, lists: impl Iterator<Item = impl Iterator<Item = &'a Rank>>) {
    for (index, cards) in lists.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.push(b'[');
        for (index, card) in cards.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            // A rank has two digits at most.
            if card.get() >= 10 {
                out.push(b'1');
            }
            out.push(b'0' + card.get() % 10);
        }
        out.push(b']');
    }
}

/// An event as it stands in a journal.
#[must_use]
pub fn event_json(event: &engine::Event) -> String {
    json(&Event::new(event))
}

/// A header as it stands in a journal, without its link.
#[must_use]
pub fn header_json(header: &Header) -> String {
    json(&HeaderRecord::new(header))
}

/// An end record as it stands in a journal, without its link.
#[must_use]
pub fn end_json(end: &super::End) -> String {
    json(&EndRecord::new(
        end.reason,
        end.turns,
        end.events,
        end.console,
    ))
}

fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records are plain values")
}

/// A field that may be null but must be there.
fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Player>, D::Error> {
    Option::deserialize(deserializer)
}

impl TryFrom<u8> for Card {
    type Error = &'static str;

    fn try_from(value: u8) -> Result<Self, Self::Error> {
        Rank::new(value)
            .map(Self)
            .ok_or("expected a card from 1 to 14")
    }
}

impl From<Card> for u8 {
    fn from(card: Card) -> Self {
        card.0.get()
    }
}

impl TryFrom<u8> for Player {
    type Error = &'static str;

    fn try_from(value: u8) -> Result<Self, Self::Error> {
        Seat::from_number(value)
            .map(Self)
            .ok_or("expected a player from 1")
    }
}

impl From<Player> for u8 {
    fn from(player: Player) -> Self {
        player.0.number()
    }
}
