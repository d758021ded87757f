//! Token games: stakes, deals, and journals that reveal cheating.

mod fair;
mod forged;
mod games;
mod goldens;
mod journals;
mod noted;

use goldens::golden_games;
use war::engine::Seat;
use war::i18n::Lang;
use war::journal::CommittedGame;
use war::recording::write_token_journal;
use war::support::hex::Hex;
use war::tokens::{
    ClientSeed, Fairness, Hand, Kind, Move, Name, Secret, TokenEvent, TokenGame, TokenRules,
    commitment,
};

const SEATS: fn(usize) -> Seat = |index| Seat::all().nth(index).expect("a seat");

/// Secret whose bytes count from 0 to 31.
fn secret() -> Secret {
    Secret::new(Hex::new(std::array::from_fn(|at| {
        u8::try_from(at).expect("a byte")
    })))
}

/// Rules of version 1.
const fn first(kind: Kind) -> TokenRules {
    TokenRules::first_version(kind)
}

fn client_seed(text: &str) -> ClientSeed {
    ClientSeed::new(text).expect("a seed")
}

/// Seeds of the players in version 2.
const SEEDS: [Hex<32>; 2] = [Hex::new([1; 32]), Hex::new([2; 32])];

/// First event of a game by these rules.
fn opening(rules: TokenRules) -> TokenEvent {
    match rules.fairness() {
        Fairness::OptionalSeeds => TokenEvent::Started {
            players: ["Ann", "Zoë O'Hara"].map(|name| Name::new(name).expect("a name")),
        },
        Fairness::CommittedSeeds => TokenEvent::Committed {
            players: [12, 7],
            seed_hashes: SEEDS.each_ref().map(commitment),
        },
        Fairness::TableSeed => TokenEvent::DuelStarted,
    }
}

/// Plays these moves and their consequences. Returns all events.
fn played(rules: TokenRules, number: u64, secret: Secret, moves: &[Move]) -> Vec<TokenEvent> {
    let mut game = TokenGame::new(rules, number, secret);
    let (mut events, mut moves) = (Vec::new(), moves.iter());
    let mut next = Some(opening(rules));
    while let Some(event) = next {
        game.apply(&event).expect("a possible event");
        events.push(event);
        let decide = |made| game.decide(made).expect("a legal move");
        next = game.due_event().or_else(|| moves.next().map(decide));
    }
    events
}

fn journal(
    rules: TokenRules,
    number: u64,
    commitment: Hex<32>,
    lang: Lang,
    events: &[TokenEvent],
) -> String {
    let committed = CommittedGame {
        rules,
        game: number,
        commitment,
        secret: secret(),
    };
    let journal = write_token_journal("war test", committed, lang, events).expect("a game");
    String::from_utf8(journal).expect("text")
}

fn hand(cards: &str) -> Hand {
    let card = |card: &str| card.parse().expect("a card");
    cards.split(' ').map(card).collect()
}
