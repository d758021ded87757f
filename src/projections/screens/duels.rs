use super::leader::Leader;
use super::seats::{Rows, Seats};
use super::{Origin, RULE, SEPARATOR, Screens, Start};
use crate::cards::Rank;
use crate::engine::{Event, Play, Seat, Step};
use crate::i18n::{Message, Text};

/// The screens of the duels edition: battles, the conclusions of duels, and the end.
pub(super) struct DuelsScreens {
    seats: Seats,
    /// The strategy in force, where it was asked for, in capitals.
    strategy: Option<String>,
    duel: Option<Duel>,
}

/// A duel whose screen waits for its conclusion.
struct Duel {
    rows: Rows,
    round: u32,
    /// Whether a round has begun that has no reveal yet: it counts.
    begun: bool,
}

impl DuelsScreens {
    pub(super) fn new(start: Start, strategy: Option<&str>) -> Self {
        Self {
            seats: Seats::new(start),
            strategy: strategy.map(str::to_uppercase),
            duel: None,
        }
    }

    fn opening(&mut self, hands: &[Vec<Rank>], out: &mut String) {
        self.seats.sit_down(hands);
        if self.seats.corrections(out) {
            self.seats.line(out, &Text::new(Message::DUELS_USAGE));
            out.push_str(SEPARATOR);
        }
        if self.seats.origin == Origin::Dealt {
            self.seats.dealing(hands, out);
        }
    }

    /// The line before a screen's header that names the scenario.
    fn title(&self, out: &mut String) {
        if let Origin::Scenario(name) = &self.seats.origin {
            let text = Text::new(Message::DUELS_SCENARIO).with("title", title(name));
            self.seats.line(out, &text);
        }
    }

    fn battle(&mut self, plays: &[Play], out: &mut String) {
        self.seats.turn += 1;
        self.title(out);
        let seats = &self.seats;
        let standing = match Leader::of(&seats.held) {
            Leader::One(seat, cards) => Text::new(Message::DUELS_LEADS)
                .with("leader", seat + 1)
                .with("cards", cards)
                .with("total", seats.total),
            Leader::Draw(cards) => Text::new(Message::DUELS_DRAW)
                .with("cards", cards)
                .with("total", seats.total),
        };
        let strategy = self
            .strategy
            .as_ref()
            .map(|strategy| format!("{strategy}, "));
        let header = seats
            .game(Text::new(Message::DUELS_BATTLE), seats.held.len())
            .with("battle", seats.turn)
            .with("strategy", strategy.unwrap_or_default())
            .with("standing", standing);
        seats.line(out, &header);
        seats.rows(plays, out);
        out.push_str(SEPARATOR);
        self.duel = seats.tied(plays).map(|rows| Duel {
            rows,
            round: 1,
            begun: false,
        });
        self.seats.put(plays);
    }

    /// Adds a mark to the row of a seat in the duel.
    fn mark(&mut self, seat: Seat, mark: Message) {
        if let Some(duel) = &mut self.duel {
            duel.rows
                .extend(seat, &self.seats.catalogue.text(&Text::new(mark)));
        }
    }

    fn collected(&mut self, seat: Seat, cards: usize, out: &mut String) {
        self.seats.take(seat, cards);
        self.mark(seat, Message::WINNER_FOUND);
        let Some(duel) = self.duel.take() else {
            return;
        };
        self.title(out);
        let seats = &self.seats;
        let header = seats.game(Text::new(Message::DUEL), seats.held.len());
        seats.line(out, &header.with("total", seats.total));
        out.push_str(RULE);
        seats.line(out, &Text::new(Message::DUEL_BANNER));
        out.push_str(RULE);
        duel.rows.write(out);
        out.push('\n');
        let rounds = duel.round + u32::from(duel.begun);
        seats.line(out, &Text::new(Message::DUEL_LASTED).with("rounds", rounds));
        out.push_str(SEPARATOR);
    }

    fn won(&self, seat: Seat, out: &mut String) {
        out.push_str(SEPARATOR);
        self.title(out);
        let seats = &self.seats;
        let won = seats
            .game(Text::new(Message::DUELS_WON), seats.held.len())
            .with("winner", usize::from(seat.number()))
            .with("cards", seats.held[seat.index()])
            .with("total", seats.total);
        seats.line(out, &won);
    }

    fn stopped(&self, winner: Option<Seat>, out: &mut String) {
        let battles = Text::new(Message::DUELS_STOPPED).with("battles", self.seats.turn);
        self.seats.catalogue.write(out, &battles);
        if let Some(winner) = winner {
            out.push(' ');
            let winner = usize::from(winner.number());
            let text = Text::new(Message::DUELS_STOPPED_WINNER).with("winner", winner);
            self.seats.catalogue.write(out, &text);
        }
        out.push('\n');
    }
}

impl Screens for DuelsScreens {
    fn show(&mut self, event: &Event, out: &mut String) {
        match event {
            Event::Dealt { hands } => self.opening(hands, out),
            Event::Clash { plays } => self.battle(plays, out),
            Event::FaceDown { plays } => {
                if let Some(duel) = &mut self.duel {
                    for play in plays {
                        duel.rows.extend(play.seat, "?");
                    }
                    duel.begun = true;
                }
                self.seats.put(plays);
            }
            Event::WarRound { plays, .. } => {
                if let Some(duel) = &mut self.duel {
                    for play in plays {
                        duel.rows.extend(play.seat, &play.card.to_string());
                    }
                    duel.round += 1;
                    duel.begun = false;
                }
                self.seats.put(plays);
            }
            Event::EndOfCards { step, .. } if *step == Step::TurnEnd => {}
            Event::EndOfCards { seat, .. } => {
                self.mark(*seat, Message::END_OF_CARDS);
                if let Some(duel) = &mut self.duel {
                    duel.begun = true;
                }
            }
            Event::Collected { seat, cards } => self.collected(*seat, cards.len(), out),
            Event::Won { seat } => self.won(*seat, out),
            Event::Stopped { winner } => self.stopped(*winner, out),
            Event::Reshuffled { .. }
            | Event::Drawn { .. }
            | Event::Endless { .. }
            | Event::DrawnGame => {}
        }
    }
}

/// The title of a scenario: its name in words, each with an initial capital.
///
/// Words end at `_`, and before a capital that follows a small letter or a digit.
fn title(name: &str) -> String {
    let mut title = String::new();
    let mut before = '_';
    for character in name.chars() {
        let begins = character.is_uppercase() && (before.is_lowercase() || before.is_numeric());
        if character != '_' && (begins || before == '_') {
            if !title.is_empty() {
                title.push(' ');
            }
            title.extend(character.to_uppercase());
        } else if character != '_' {
            title.push(character);
        }
        before = character;
    }
    title
}
