use super::seats::{
    BANNER_LINE, CARDS_PLACEHOLDER, CardSource, LEADER_PLACEHOLDER, SCREEN_SEPARATOR, ScoreHeader,
    ScreenOptions, SeatScreens, TOTAL_PLACEHOLDER, TURN_PLACEHOLDER, WarRows, hand_size,
};
use crate::cards::Rank;
use crate::engine::{Event, Outcome, Play, Screen, Seat, Table, TurnStep};
use crate::i18n::{Text, text};

/// The screens of the classic edition: dealing, turns, wars and the end.
pub(super) struct ClassicScreens {
    seats: SeatScreens,
    /// Number of players with cards, and the header of turns, reused while that number stays the
    /// same.
    header: Option<(usize, ScoreHeader)>,
    war: Option<PendingWar>,
}

/// A war whose next screen is delayed until it is known whether another reveal follows.
struct PendingWar {
    header: String,
    rows: WarRows,
    round: u32,
    /// Rows right after the last reveal.
    at_reveal: WarRows,
}

impl ClassicScreens {
    pub(super) fn new(start: ScreenOptions) -> Self {
        Self {
            seats: SeatScreens::new(start),
            header: None,
            war: None,
        }
    }

    fn print_opening(&mut self, hands: &[Vec<Rank>], table: &Table, out: &mut String) {
        self.seats.set_table(table);
        self.seats.print_corrections(out);
        match &self.seats.source {
            CardSource::Dealt => self.seats.print_dealing(hands, out),
            CardSource::Scenario(name) => {
                let code = name.to_uppercase().replace('_', " ");
                let text = text!(ScenarioCode, code = code);
                self.seats.print_line(out, &text);
            }
        }
    }

    fn print_header(&mut self, players: usize, table: &Table, out: &mut String) {
        let seats = &self.seats;
        let header = self.header.take().filter(|(of, _)| *of == players);
        let (_, header) = self.header.insert(header.unwrap_or_else(|| {
            let leads = text!(
                TurnLeads,
                players = players,
                deck = seats.deck(),
                turn = TURN_PLACEHOLDER,
                leader = LEADER_PLACEHOLDER,
                cards = CARDS_PLACEHOLDER,
                total = TOTAL_PLACEHOLDER
            );
            let draw = text!(
                TurnDraw,
                players = players,
                deck = seats.deck(),
                turn = TURN_PLACEHOLDER,
                cards = CARDS_PLACEHOLDER,
                total = TOTAL_PLACEHOLDER
            );
            (players, ScoreHeader::new(seats.catalogue, &leads, &draw))
        }));
        header.write(table, out);
    }

    fn print_clash(&mut self, plays: &[Play], table: &Table, out: &mut String) {
        match self.seats.war_rows(plays) {
            None => {
                self.print_header(plays.len(), table, out);
                self.seats.print_rows(plays, out);
                out.push_str(SCREEN_SEPARATOR);
            }
            Some(rows) => {
                let mut header = String::new();
                self.print_header(plays.len(), table, &mut header);
                self.war = Some(PendingWar {
                    header,
                    at_reveal: rows.clone(),
                    rows,
                    round: 1,
                });
            }
        }
    }

    fn print_war_round(&mut self, plays: &[Play], out: &mut String) {
        if let Some(war) = &self.war {
            self.print_war(war, &war.at_reveal, out);
        }
        if let Some(war) = &mut self.war {
            for play in plays {
                war.rows.put(*play);
            }
            war.round += 1;
            war.at_reveal.clone_from(&war.rows);
        }
    }

    fn print_war(&self, war: &PendingWar, rows: &WarRows, out: &mut String) {
        out.push_str(&war.header);
        out.push_str(BANNER_LINE);
        self.seats.print_line(out, &text!(WarBanner));
        out.push_str(BANNER_LINE);
        rows.write(out);
        out.push('\n');
        let lasted = text!(WarLasted, rounds = war.round);
        self.seats.print_line(out, &lasted);
        out.push_str(SCREEN_SEPARATOR);
    }

    /// Adds a mark to the row of a seat in the war.
    fn mark(&mut self, seat: Seat, mark: &Text) {
        if let Some(war) = &mut self.war {
            war.rows
                .append_mark(seat, &self.seats.catalogue.format_text(mark));
        }
    }

    fn end_turn(&mut self, seat: Seat, out: &mut String) {
        self.mark(seat, &text!(WinnerFound));
        self.end_war(out);
    }

    /// Prints the last screen of a war, if there is one.
    fn end_war(&mut self, out: &mut String) {
        if let Some(war) = self.war.take() {
            self.print_war(&war, &war.rows, out);
        }
    }

    /// Prints the outcome of the game.
    fn print_end(&self, outcome: Outcome, table: &Table, out: &mut String) {
        out.push_str(SCREEN_SEPARATOR);
        let deck = self.seats.deck();
        let (players, turn) = (table.places().len(), table.turn().max(1));
        let text = match outcome {
            Outcome::Won(seat) => text!(
                Won,
                players = players,
                deck = deck,
                turn = turn,
                winner = usize::from(seat.number()),
                cards = hand_size(table, seat),
                total = table.card_count()
            ),
            Outcome::Endless { from, to } => text!(
                Endless,
                players = players,
                deck = deck,
                turn = turn,
                from = from,
                to = to
            ),
            Outcome::Drawn => text!(GameDrawn, players = players, deck = deck, turn = turn),
            Outcome::Stopped(_) => text!(Undecided, players = players, deck = deck, turn = turn),
        };
        self.seats.print_line(out, &text);
    }
}

impl Screen<Table> for ClassicScreens {
    fn print(&mut self, event: &Event, table: &Table, out: &mut String) {
        match event {
            Event::Dealt { hands } => self.print_opening(hands, table, out),
            Event::Clash { plays } => self.print_clash(plays, table, out),
            Event::FaceDown { plays } => {
                if let Some(war) = &mut self.war {
                    for play in plays {
                        war.rows.append_mark(play.seat, "?");
                    }
                }
            }
            Event::WarRound { plays, .. } => self.print_war_round(plays, out),
            Event::EndOfCards { step, .. } if *step == TurnStep::TurnEnd => {}
            Event::EndOfCards { seat, .. } => self.mark(*seat, &text!(EndOfCards)),
            Event::Collected { seat, .. } => self.end_turn(*seat, out),
            Event::Drawn { .. } => self.end_war(out),
            Event::Won { seat } => self.print_end(Outcome::Won(*seat), table, out),
            Event::Endless { from, to } => {
                let (from, to) = (*from, *to);
                self.print_end(Outcome::Endless { from, to }, table, out);
            }
            Event::DrawnGame => {
                self.end_war(out);
                self.print_end(Outcome::Drawn, table, out);
            }
            Event::Stopped { winner } => self.print_end(Outcome::Stopped(*winner), table, out),
            Event::Reshuffled { .. } => {}
        }
    }
}
