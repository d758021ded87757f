use super::seats::{
    BANNER_LINE, CARDS_PLACEHOLDER, CardSource, LEADER_PLACEHOLDER, SCREEN_SEPARATOR, ScoreHeader,
    ScreenOptions, SeatScreens, TOTAL_PLACEHOLDER, TURN_PLACEHOLDER, WarRows, hand_size,
};
use crate::cards::Rank;
use crate::engine::{Event, Play, Screen, Seat, Table, TurnStep};
use crate::i18n::{Text, text};

/// The screens of the duels edition: battles, the conclusions of duels, and the end.
pub(super) struct DuelsScreens {
    seats: SeatScreens,
    /// Strategy in capitals, if it was requested by name.
    strategy: Option<String>,
    /// Header of battles.
    header: Option<ScoreHeader>,
    duel: Option<PendingDuel>,
}

/// A duel whose screen is delayed until its conclusion.
struct PendingDuel {
    rows: WarRows,
    round: u32,
    /// Set if another round has begun without a reveal yet; that round counts, too.
    has_begun_round: bool,
}

impl DuelsScreens {
    pub(super) fn new(start: ScreenOptions, strategy: Option<&str>) -> Self {
        Self {
            seats: SeatScreens::new(start),
            strategy: strategy.map(str::to_uppercase),
            header: None,
            duel: None,
        }
    }

    fn print_opening(&mut self, hands: &[Vec<Rank>], table: &Table, out: &mut String) {
        self.seats.set_table(table);
        if self.seats.print_corrections(out) {
            self.seats.print_line(out, &text!(DuelsUsage));
            out.push_str(SCREEN_SEPARATOR);
        }
        if self.seats.source == CardSource::Dealt {
            self.seats.print_dealing(hands, out);
        }
    }

    /// Prints the line that names the scenario, above the header of a screen.
    fn print_title(&self, out: &mut String) {
        if let CardSource::Scenario(name) = &self.seats.source {
            let text = text!(DuelsScenario, title = scenario_title(name));
            self.seats.print_line(out, &text);
        }
    }

    fn print_battle(&mut self, plays: &[Play], table: &Table, out: &mut String) {
        self.print_title(out);
        let seats = &self.seats;
        let header = self.header.get_or_insert_with(|| {
            let strategy = self.strategy.as_ref();
            let strategy = strategy.map(|strategy| format!("{strategy}, "));
            let strategy = strategy.unwrap_or_default();
            let header = |standing: Text| {
                text!(
                    DuelsBattle,
                    players = table.places().len(),
                    battle = TURN_PLACEHOLDER,
                    deck = seats.deck(),
                    strategy = &strategy[..],
                    standing = standing
                )
            };
            let leads = text!(
                DuelsLeads,
                leader = LEADER_PLACEHOLDER,
                cards = CARDS_PLACEHOLDER,
                total = TOTAL_PLACEHOLDER
            );
            let draw = text!(
                DuelsDraw,
                cards = CARDS_PLACEHOLDER,
                total = TOTAL_PLACEHOLDER
            );
            ScoreHeader::new(seats.catalogue, &header(leads), &header(draw))
        });
        header.write(table, out);
        seats.print_rows(plays, out);
        out.push_str(SCREEN_SEPARATOR);
        self.duel = seats.war_rows(plays).map(|rows| PendingDuel {
            rows,
            round: 1,
            has_begun_round: false,
        });
    }

    /// Adds a mark to the row of a seat in the duel.
    fn mark(&mut self, seat: Seat, mark: &Text) {
        if let Some(duel) = &mut self.duel {
            duel.rows
                .append_mark(seat, &self.seats.catalogue.format_text(mark));
        }
    }

    fn end_battle(&mut self, seat: Seat, table: &Table, out: &mut String) {
        self.mark(seat, &text!(WinnerFound));
        let Some(duel) = self.duel.take() else {
            return;
        };
        self.print_title(out);
        let seats = &self.seats;
        let header = text!(
            Duel,
            players = table.places().len(),
            deck = seats.deck(),
            total = table.card_count()
        );
        seats.print_line(out, &header);
        out.push_str(BANNER_LINE);
        seats.print_line(out, &text!(DuelBanner));
        out.push_str(BANNER_LINE);
        duel.rows.write(out);
        out.push('\n');
        let rounds = duel.round + u32::from(duel.has_begun_round);
        seats.print_line(out, &text!(DuelLasted, rounds = rounds));
        out.push_str(SCREEN_SEPARATOR);
    }

    fn print_winner(&self, seat: Seat, table: &Table, out: &mut String) {
        out.push_str(SCREEN_SEPARATOR);
        self.print_title(out);
        let seats = &self.seats;
        let won = text!(
            DuelsWon,
            players = table.places().len(),
            deck = seats.deck(),
            winner = usize::from(seat.number()),
            cards = hand_size(table, seat),
            total = table.card_count()
        );
        seats.print_line(out, &won);
    }

    fn print_stop(&self, winner: Option<Seat>, table: &Table, out: &mut String) {
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
            Event::Dealt { hands } => self.print_opening(hands, table, out),
            Event::Clash { plays } => self.print_battle(plays, table, out),
            Event::FaceDown { plays } => {
                if let Some(duel) = &mut self.duel {
                    for play in plays {
                        duel.rows.append_mark(play.seat, "?");
                    }
                    duel.has_begun_round = true;
                }
            }
            Event::WarRound { plays, .. } => {
                if let Some(duel) = &mut self.duel {
                    for play in plays {
                        duel.rows.put(*play);
                    }
                    duel.round += 1;
                    duel.has_begun_round = false;
                }
            }
            Event::EndOfCards { step, .. } if *step == TurnStep::TurnEnd => {}
            Event::EndOfCards { seat, .. } => {
                self.mark(*seat, &text!(EndOfCards));
                if let Some(duel) = &mut self.duel {
                    duel.has_begun_round = true;
                }
            }
            Event::Collected { seat, .. } => self.end_battle(*seat, table, out),
            Event::Won { seat } => self.print_winner(*seat, table, out),
            Event::Stopped { winner } => self.print_stop(*winner, table, out),
            Event::Reshuffled { .. }
            | Event::Drawn { .. }
            | Event::Endless { .. }
            | Event::DrawnGame => {}
        }
    }
}

/// Title of a scenario: its name split into capitalized words.
///
/// Words end at `_`, and before a capital that follows a lower-case letter or a digit.
fn scenario_title(name: &str) -> String {
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
