use super::seats::{
    CARDS, CardSource, LEADER, RULE, Rows, SEPARATOR, Seats, Standing, Start, TOTAL, TURN, held,
};
use crate::cards::Rank;
use crate::engine::{Event, Play, Screen, Seat, Step, Table};
use crate::i18n::{Text, text};

/// The screens of the duels edition: battles, the conclusions of duels, and the end.
pub(super) struct DuelsScreens {
    seats: Seats,
    /// The strategy in force, where it was asked for, in capitals.
    strategy: Option<String>,
    /// The header of battles.
    header: Option<Standing>,
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
            header: None,
            duel: None,
        }
    }

    fn opening(&mut self, hands: &[Vec<Rank>], table: &Table, out: &mut String) {
        self.seats.sit_down(table);
        if self.seats.corrections(out) {
            self.seats.line(out, &text!(DuelsUsage));
            out.push_str(SEPARATOR);
        }
        if self.seats.source == CardSource::Dealt {
            self.seats.dealing(hands, out);
        }
    }

    /// The line before a screen's header that names the scenario.
    fn title(&self, out: &mut String) {
        if let CardSource::Scenario(name) = &self.seats.source {
            let text = text!(DuelsScenario, title = title(name));
            self.seats.line(out, &text);
        }
    }

    fn battle(&mut self, plays: &[Play], table: &Table, out: &mut String) {
        self.title(out);
        let seats = &self.seats;
        let header = self.header.get_or_insert_with(|| {
            let strategy = self.strategy.as_ref();
            let strategy = strategy.map(|strategy| format!("{strategy}, "));
            let strategy = strategy.unwrap_or_default();
            let header = |standing: Text| {
                text!(
                    DuelsBattle,
                    players = table.places().len(),
                    battle = TURN,
                    deck = seats.deck(),
                    strategy = &strategy[..],
                    standing = standing
                )
            };
            let leads = text!(DuelsLeads, leader = LEADER, cards = CARDS, total = TOTAL);
            let draw = text!(DuelsDraw, cards = CARDS, total = TOTAL);
            Standing::new(seats.catalogue, &header(leads), &header(draw))
        });
        header.write(table, out);
        seats.rows(plays, out);
        out.push_str(SEPARATOR);
        self.duel = seats.tied(plays).map(|rows| Duel {
            rows,
            round: 1,
            begun: false,
        });
    }

    /// Adds a mark to the row of a seat in the duel.
    fn mark(&mut self, seat: Seat, mark: &Text) {
        if let Some(duel) = &mut self.duel {
            duel.rows.extend(seat, &self.seats.catalogue.text(mark));
        }
    }

    fn collected(&mut self, seat: Seat, table: &Table, out: &mut String) {
        self.mark(seat, &text!(WinnerFound));
        let Some(duel) = self.duel.take() else {
            return;
        };
        self.title(out);
        let seats = &self.seats;
        let header = text!(
            Duel,
            players = table.places().len(),
            deck = seats.deck(),
            total = table.cards()
        );
        seats.line(out, &header);
        out.push_str(RULE);
        seats.line(out, &text!(DuelBanner));
        out.push_str(RULE);
        duel.rows.write(out);
        out.push('\n');
        let rounds = duel.round + u32::from(duel.begun);
        seats.line(out, &text!(DuelLasted, rounds = rounds));
        out.push_str(SEPARATOR);
    }

    fn won(&self, seat: Seat, table: &Table, out: &mut String) {
        out.push_str(SEPARATOR);
        self.title(out);
        let seats = &self.seats;
        let won = text!(
            DuelsWon,
            players = table.places().len(),
            deck = seats.deck(),
            winner = usize::from(seat.number()),
            cards = held(table, seat),
            total = table.cards()
        );
        seats.line(out, &won);
    }

    fn stopped(&self, winner: Option<Seat>, table: &Table, out: &mut String) {
        let battles = text!(DuelsStopped, battles = table.turn());
        self.seats.catalogue.write(out, &battles);
        if let Some(winner) = winner {
            out.push(' ');
            let winner = usize::from(winner.number());
            let text = text!(DuelsStoppedWinner, winner = winner);
            self.seats.catalogue.write(out, &text);
        }
        out.push('\n');
    }
}

impl Screen<Table> for DuelsScreens {
    fn print(&mut self, event: &Event, table: &Table, out: &mut String) {
        match event {
            Event::Dealt { hands } => self.opening(hands, table, out),
            Event::Clash { plays } => self.battle(plays, table, out),
            Event::FaceDown { plays } => {
                if let Some(duel) = &mut self.duel {
                    for play in plays {
                        duel.rows.extend(play.seat, "?");
                    }
                    duel.begun = true;
                }
            }
            Event::WarRound { plays, .. } => {
                if let Some(duel) = &mut self.duel {
                    for play in plays {
                        duel.rows.put(*play);
                    }
                    duel.round += 1;
                    duel.begun = false;
                }
            }
            Event::EndOfCards { step, .. } if *step == Step::TurnEnd => {}
            Event::EndOfCards { seat, .. } => {
                self.mark(*seat, &text!(EndOfCards));
                if let Some(duel) = &mut self.duel {
                    duel.begun = true;
                }
            }
            Event::Collected { seat, .. } => self.collected(*seat, table, out),
            Event::Won { seat } => self.won(*seat, table, out),
            Event::Stopped { winner } => self.stopped(*winner, table, out),
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
