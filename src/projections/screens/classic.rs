use super::leader::Leader;
use super::{Origin, SEPARATOR, Screens, Start};
use crate::cards::{Deck, Rank};
use crate::engine::{Event, Play, Seat, Step};
use crate::i18n::{Catalogue, Message, Template, Text};
use crate::rules::setup::Correction;
use std::fmt::Write;

/// The screens of the classic edition: dealing, turns, wars and the end.
pub(super) struct ClassicScreens {
    words: &'static Catalogue,
    corrections: Vec<Correction>,
    origin: Origin,
    /// How many cards each seat holds, those on the table not counted.
    held: Vec<usize>,
    /// The number of cards in the game.
    total: usize,
    /// The name of the deck.
    deck: String,
    /// What the rows of each seat begin with.
    row_starts: Vec<String>,
    turn: u32,
    headers: Option<Headers>,
    war: Option<War>,
}

/// The headers of turns, as long as this many players hold cards.
struct Headers {
    players: usize,
    leads: Template<4>,
    draw: Template<3>,
}

/// A war whose next screen waits until it is known whether another reveal follows.
struct War {
    header: String,
    rows: Vec<(Seat, String)>,
    round: u32,
    /// The rows as they were right after the last reveal.
    at_reveal: Vec<(Seat, String)>,
}

impl ClassicScreens {
    pub(super) fn new(start: Start) -> Self {
        Self {
            words: start.words,
            corrections: start.corrections,
            origin: start.origin,
            held: Vec::new(),
            total: 0,
            deck: String::new(),
            row_starts: Vec::new(),
            turn: 0,
            headers: None,
            war: None,
        }
    }

    fn line(&self, out: &mut String, text: &Text) {
        self.words.write(out, text);
        out.push('\n');
    }

    fn opening(&mut self, hands: &[Vec<Rank>], out: &mut String) {
        self.held = hands.iter().map(Vec::len).collect();
        self.total = self.held.iter().sum();
        self.deck = match Deck::of_size(self.total) {
            Some(Deck::Large) => self.words.text(&Text::new(Message::DECK_LARGE)),
            _ => self.words.text(&Text::new(Message::DECK_SMALL)),
        };
        self.row_starts = (1..=hands.len())
            .map(|seat| self.words.text(&Text::new(Message::ROW).with("seat", seat)))
            .collect();
        for correction in &self.corrections {
            self.line(out, &correction_text(correction));
        }
        match &self.origin {
            Origin::Dealt => self.dealing(hands, out),
            Origin::Scenario(name) => {
                let code = name.to_uppercase().replace('_', " ");
                self.line(out, &Text::new(Message::SCENARIO_CODE).with("code", code));
            }
        }
    }

    fn dealing(&self, hands: &[Vec<Rank>], out: &mut String) {
        let header = Text::new(Message::DEALING);
        self.line(out, &self.game(header, hands.len()));
        for (index, hand) in hands.iter().enumerate() {
            let mut sorted = hand.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let hand = Text::new(Message::DEALT_HAND)
                .with("seat", index + 1)
                .with("cards", list(&sorted));
            self.line(out, &hand);
        }
        let even = self.total / hands.len();
        let lucky: Vec<_> = (0..hands.len())
            .filter(|&index| hands[index].len() > even)
            .map(|index| Text::new(Message::LUCKY_PLAYER).with("seat", index + 1))
            .map(|text| self.words.text(&text))
            .collect();
        out.push('\n');
        if lucky.is_empty() {
            self.line(out, &Text::new(Message::LUCKY_NONE));
        } else {
            let lucky = Text::new(Message::LUCKY).with("players", lucky.join(", "));
            self.line(out, &lucky);
        }
        out.push_str(SEPARATOR);
    }

    /// Adds what every header says: the number of players and the deck.
    fn game(&self, text: Text, players: usize) -> Text {
        text.with("players", players)
            .with("deck", self.deck.as_str())
    }

    fn header(&mut self, players: usize) -> String {
        if self
            .headers
            .as_ref()
            .is_none_or(|headers| headers.players != players)
        {
            self.headers = Some(Headers {
                players,
                leads: self.words.template(
                    self.game(Text::new(Message::TURN_LEADS), players),
                    ["turn", "leader", "cards", "total"],
                ),
                draw: self.words.template(
                    self.game(Text::new(Message::TURN_DRAW), players),
                    ["turn", "cards", "total"],
                ),
            });
        }
        let mut header = String::new();
        let (turn, total) = (self.turn.to_string(), self.total.to_string());
        match (&self.headers, Leader::of(&self.held)) {
            (None, _) => {}
            (Some(headers), Leader::One(seat, cards)) => {
                let (leader, cards) = ((seat + 1).to_string(), cards.to_string());
                headers
                    .leads
                    .fill(&mut header, [&turn, &leader, &cards, &total]);
            }
            (Some(headers), Leader::Draw(cards)) => {
                headers
                    .draw
                    .fill(&mut header, [&turn, &cards.to_string(), &total]);
            }
        }
        header
    }

    fn clash(&mut self, plays: &[Play], out: &mut String) {
        self.turn += 1;
        let header = self.header(plays.len());
        let highest = plays.iter().map(|play| play.card).max();
        let is_highest = |play: &&Play| Some(play.card) == highest;
        if plays.iter().filter(is_highest).count() == 1 {
            out.push_str(&header);
            out.push('\n');
            for play in plays {
                let row_start = &self.row_starts[play.seat.index()];
                // Writing to a string never fails.
                let _ = writeln!(out, "{row_start} {}", play.card);
            }
            out.push_str(SEPARATOR);
        } else {
            let row = |play: &Play| {
                let row_start = &self.row_starts[play.seat.index()];
                (play.seat, format!("{row_start} {}", play.card))
            };
            let rows: Vec<_> = plays.iter().filter(is_highest).map(row).collect();
            self.war = Some(War {
                header,
                at_reveal: rows.clone(),
                rows,
                round: 1,
            });
        }
        self.put(plays);
    }

    fn war_round(&mut self, plays: &[Play], out: &mut String) {
        if let Some(war) = &self.war {
            self.war_screen(war, &war.at_reveal, out);
        }
        if let Some(war) = &mut self.war {
            for play in plays {
                war.extend(play.seat, &play.card.to_string());
            }
            war.round += 1;
            war.at_reveal.clone_from(&war.rows);
        }
        self.put(plays);
    }

    fn war_screen(&self, war: &War, rows: &[(Seat, String)], out: &mut String) {
        out.push_str(&war.header);
        out.push_str("\n================================================================\n");
        self.line(out, &Text::new(Message::WAR_BANNER));
        out.push_str("================================================================\n");
        for (_, row) in rows {
            out.push_str(row);
            out.push('\n');
        }
        out.push('\n');
        let lasted = Text::new(Message::WAR_LASTED).with("rounds", war.round);
        self.line(out, &lasted);
        out.push_str(SEPARATOR);
    }

    fn extend(&mut self, seat: Seat, text: &str) {
        if let Some(war) = &mut self.war {
            war.extend(seat, text);
        }
    }

    fn collected(&mut self, seat: Seat, cards: usize, out: &mut String) {
        self.held[seat.index()] += cards;
        if let Some(mut war) = self.war.take() {
            war.extend(seat, &self.words.text(&Text::new(Message::WINNER_FOUND)));
            self.war_screen(&war, &war.rows, out);
        }
    }

    fn end(&self, text: Text, out: &mut String) {
        out.push_str(SEPARATOR);
        let text = self.game(text, self.held.len());
        self.line(out, &text.with("turn", self.turn.max(1)));
    }

    fn put(&mut self, plays: &[Play]) {
        for play in plays {
            self.held[play.seat.index()] -= 1;
        }
    }
}

impl Screens for ClassicScreens {
    fn show(&mut self, event: &Event, out: &mut String) {
        match event {
            Event::Dealt { hands } => self.opening(hands, out),
            Event::Clash { plays } => self.clash(plays, out),
            Event::FaceDown { plays } => {
                for play in plays {
                    self.extend(play.seat, "?");
                }
                self.put(plays);
            }
            Event::WarRound { plays, .. } => self.war_round(plays, out),
            Event::EndOfCards { seat, step } => {
                if *step != Step::TurnEnd {
                    let mark = self.words.text(&Text::new(Message::END_OF_CARDS));
                    self.extend(*seat, &mark);
                }
            }
            Event::Collected { seat, cards } => self.collected(*seat, cards.len(), out),
            Event::Drawn { takes } => {
                for take in takes {
                    self.held[take.seat.index()] += take.cards.len();
                }
                self.war = None;
            }
            Event::Won { seat } => {
                let won = Text::new(Message::WON)
                    .with("winner", usize::from(seat.number()))
                    .with("cards", self.held[seat.index()])
                    .with("total", self.total);
                self.end(won, out);
            }
            Event::Endless { from, to } => {
                let endless = Text::new(Message::ENDLESS).with("from", *from);
                self.end(endless.with("to", *to), out);
            }
        }
    }
}

impl War {
    fn extend(&mut self, seat: Seat, text: &str) {
        if let Some((_, row)) = self.rows.iter_mut().find(|(of, _)| *of == seat) {
            row.push(' ');
            row.push_str(text);
        }
    }
}

/// The line that tells of a correction.
#[must_use]
pub fn correction_text(correction: &Correction) -> Text {
    match correction {
        Correction::Both { .. } => Text::new(Message::CORRECTED_BOTH),
        Correction::PlayersOutOfRange { set_to, provided } => {
            Text::new(Message::CORRECTED_PLAYERS_RANGE)
                .with("players", usize::from(*set_to))
                .with("provided", provided.as_str())
        }
        Correction::PlayersUnparseable { provided } => {
            Text::new(Message::CORRECTED_PLAYERS_UNPARSEABLE).with("provided", provided.as_str())
        }
        Correction::DeckUnrecognized { provided } => {
            Text::new(Message::CORRECTED_DECK).with("provided", provided.as_str())
        }
    }
}

/// Cards as they stand in brackets: `[14, 13, 9]`.
fn list(cards: &[Rank]) -> String {
    let cards: Vec<_> = cards.iter().map(Rank::to_string).collect();
    format!("[{}]", cards.join(", "))
}
