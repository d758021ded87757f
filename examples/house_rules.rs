//! House rules: a variant made of parameters, and a rule of your own on top of it.
//!
//! ```sh
//! cargo run --example house_rules
//! ```

use war::cards::{ChaCha8, Chance, deal};
use war::engine::{DealError, Outcome, Rules};
use war::rules::{CollectOrder, OutOfCards, Parameters, StandardRules};
use war::{CLASSIC, Deck, Event, Game, Table};

/// House rules: three cards face down in a war, the winner's cards collected first, and the last
/// card put face up by a player who is short of cards.
const HOUSE: Parameters = Parameters {
    face_down: 3,
    collect: CollectOrder::WinnerFirst,
    out_of_cards: OutOfCards::LastCard,
    ..CLASSIC.parameters
};

/// Mercy rule: a player who holds four fifths of the cards between two turns wins.
///
/// Rules decide the next event from the table. `Mercy` leaves every other decision to `R`.
struct Mercy<R>(R);

impl<R: Rules> Rules for Mercy<R> {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let cards = table.card_count();
        let mut seated = table.places_by_seat();
        let far_ahead = seated.find(|(_, place)| place.hand().len() * 5 >= cards * 4);
        match far_ahead {
            // `Stopped` ends a game before one player holds all cards.
            Some((seat, _)) if table.turn() > 0 => Event::Stopped { winner: Some(seat) },
            _ => self.0.decide(table, chance),
        }
    }
}

/// Plays the game with this seed, and describes its outcome.
fn play(name: &str, rules: Box<dyn Rules>, seed: u64) -> Result<String, DealError> {
    let mut cards = Deck::Large.cards();
    ChaCha8::new(seed).shuffle(&mut cards);
    let mut game = Game::new(rules, deal(&cards, 2))?;
    game.by_ref().for_each(drop);
    let turn = game.table().turn();
    Ok(match game.table().outcome() {
        Some(Outcome::Won(seat) | Outcome::Stopped(Some(seat))) => {
            format!("{name}: player {seat} wins in turn {turn}\n")
        }
        other => format!("{name}: nobody wins in {turn} turns: {other:?}\n"),
    })
}

pub(crate) fn report() -> Result<String, DealError> {
    let seed = 7;
    Ok([
        play("classic", Box::new(StandardRules::classic()), seed)?,
        play("house rules", Box::new(StandardRules::new(HOUSE)), seed)?,
        play(
            "with mercy",
            Box::new(Mercy(StandardRules::new(HOUSE))),
            seed,
        )?,
    ]
    .concat())
}

fn main() -> Result<(), DealError> {
    print!("{}", report()?);
    Ok(())
}
