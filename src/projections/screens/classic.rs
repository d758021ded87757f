use super::layout::{RULE, SEPARATOR};
use super::leader::Leader;
use super::seats::{Rows, Seats, held};
use super::start::{CardSource, Start};
use crate::cards::Rank;
use crate::engine::{Event, Outcome, Play, Projection, Seat, Step, Table};
use crate::i18n::{Hole, Template, Text, text};

/// The screens of the classic edition: dealing, turns, wars and the end.
pub(super) struct ClassicScreens {
    seats: Seats,
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
    rows: Rows,
    round: u32,
    /// The rows as they were right after the last reveal.
    at_reveal: Rows,
}

impl ClassicScreens {
    pub(super) fn new(start: Start) -> Self {
        Self {
            seats: Seats::new(start),
            headers: None,
            war: None,
        }
    }

    fn opening(&mut self, hands: &[Vec<Rank>], table: &Table, out: &mut String) {
        self.seats.sit_down(table);
        self.seats.corrections(out);
        match &self.seats.source {
            CardSource::Dealt => self.seats.dealing(hands, out),
            CardSource::Scenario(name) => {
                let code = name.to_uppercase().replace('_', " ");
                let text = text!(ScenarioCode, code = code);
                self.seats.line(out, &text);
            }
        }
    }

    fn header(&mut self, players: usize, table: &Table) -> String {
        let seats = &self.seats;
        let headers = self.headers.take();
        let headers = headers.filter(|headers| headers.players == players);
        let headers = headers.unwrap_or_else(|| Headers {
            players,
            leads: seats.catalogue.template(&text!(
                TurnLeads,
                players = players,
                deck = seats.deck(),
                turn = Hole(0),
                leader = Hole(1),
                cards = Hole(2),
                total = Hole(3)
            )),
            draw: seats.catalogue.template(&text!(
                TurnDraw,
                players = players,
                deck = seats.deck(),
                turn = Hole(0),
                cards = Hole(1),
                total = Hole(2)
            )),
        });
        let mut header = String::new();
        let (turn, total) = (table.turn().to_string(), table.cards().to_string());
        match Leader::of(table) {
            Leader::One(seat, cards) => {
                let (leader, cards) = (seat.to_string(), cards.to_string());
                let values = [&turn[..], &leader, &cards, &total];
                headers.leads.fill(&mut header, values);
            }
            Leader::Draw(cards) => {
                let cards = cards.to_string();
                headers.draw.fill(&mut header, [&turn, &cards, &total]);
            }
        }
        self.headers = Some(headers);
        header
    }

    fn clash(&mut self, plays: &[Play], table: &Table, out: &mut String) {
        let header = self.header(plays.len(), table);
        match self.seats.tied(plays) {
            None => {
                out.push_str(&header);
                out.push('\n');
                self.seats.rows(plays, out);
                out.push_str(SEPARATOR);
            }
            Some(rows) => {
                self.war = Some(War {
                    header,
                    at_reveal: rows.clone(),
                    rows,
                    round: 1,
                });
            }
        }
    }

    fn war_round(&mut self, plays: &[Play], out: &mut String) {
        if let Some(war) = &self.war {
            self.war_screen(war, &war.at_reveal, out);
        }
        if let Some(war) = &mut self.war {
            for play in plays {
                war.rows.extend(play.seat, &play.card.to_string());
            }
            war.round += 1;
            war.at_reveal.clone_from(&war.rows);
        }
    }

    fn war_screen(&self, war: &War, rows: &Rows, out: &mut String) {
        out.push_str(&war.header);
        out.push('\n');
        out.push_str(RULE);
        self.seats.line(out, &text!(WarBanner));
        out.push_str(RULE);
        rows.write(out);
        out.push('\n');
        let lasted = text!(WarLasted, rounds = war.round);
        self.seats.line(out, &lasted);
        out.push_str(SEPARATOR);
    }

    /// Adds a mark to the row of a seat in the war.
    fn mark(&mut self, seat: Seat, mark: &Text) {
        if let Some(war) = &mut self.war {
            war.rows.extend(seat, &self.seats.catalogue.text(mark));
        }
    }

    fn collected(&mut self, seat: Seat, out: &mut String) {
        self.mark(seat, &text!(WinnerFound));
        self.end_war(out);
    }

    /// Shows the last screen of a war, if there is one.
    fn end_war(&mut self, out: &mut String) {
        if let Some(war) = self.war.take() {
            self.war_screen(&war, &war.rows, out);
        }
    }

    /// Shows how the game ended.
    fn end(&self, outcome: Outcome, table: &Table, out: &mut String) {
        out.push_str(SEPARATOR);
        let deck = self.seats.deck();
        let (players, turn) = (table.places().len(), table.turn().max(1));
        let text = match outcome {
            Outcome::Won(seat) => text!(
                Won,
                players = players,
                deck = deck,
                turn = turn,
                winner = usize::from(seat.number()),
                cards = held(table, seat),
                total = table.cards()
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
        self.seats.line(out, &text);
    }
}

impl Projection<Table> for ClassicScreens {
    fn project(&mut self, event: &Event, table: &Table, out: &mut String) {
        match event {
            Event::Dealt { hands } => self.opening(hands, table, out),
            Event::Clash { plays } => self.clash(plays, table, out),
            Event::FaceDown { plays } => {
                if let Some(war) = &mut self.war {
                    for play in plays {
                        war.rows.extend(play.seat, "?");
                    }
                }
            }
            Event::WarRound { plays, .. } => self.war_round(plays, out),
            Event::EndOfCards { step, .. } if *step == Step::TurnEnd => {}
            Event::EndOfCards { seat, .. } => self.mark(*seat, &text!(EndOfCards)),
            Event::Collected { seat, .. } => self.collected(*seat, out),
            Event::Drawn { .. } => self.end_war(out),
            Event::Won { seat } => self.end(Outcome::Won(*seat), table, out),
            Event::Endless { from, to } => {
                let (from, to) = (*from, *to);
                self.end(Outcome::Endless { from, to }, table, out);
            }
            Event::DrawnGame => {
                self.end_war(out);
                self.end(Outcome::Drawn, table, out);
            }
            Event::Stopped { winner } => self.end(Outcome::Stopped(*winner), table, out),
            Event::Reshuffled { .. } => {}
        }
    }
}
