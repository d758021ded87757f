//! Token games: their stakes, their deals, and journals that show who cheated.

mod fair;
mod games;
mod journals;

use Decision::{Fold, Play};
use war::engine::Seat;
use war::hex::Hex;
use war::i18n::Lang;
use war::journal::Committed;
use war::recording::token_journal;
use war::tokens::{
    ClientSeed, Decision, Fairness, Hand, Kind, Move, Name, Secret, TokenEvent, TokenGame,
    TokenRules,
};

const SEATS: fn(usize) -> Seat = |index| Seat::all().nth(index).expect("a seat");

/// The secret whose bytes count from 0 to 31.
fn secret() -> Secret {
    Secret::new(Hex::new(std::array::from_fn(|at| {
        u8::try_from(at).expect("a byte")
    })))
}

/// The rules of version 1.
const fn first(kind: Kind) -> TokenRules {
    TokenRules::by(kind, Fairness::Added)
}

fn client_seed(text: &str) -> ClientSeed {
    ClientSeed::new(text).expect("a seed")
}

/// Plays these moves and what follows from them; the result is every event.
fn played(kind: Kind, number: u64, secret: Secret, moves: &[Move]) -> Vec<TokenEvent> {
    let mut game = TokenGame::new(first(kind), number, secret);
    let players = ["Ann", "Zoë O'Hara"].map(|name| Name::new(name).expect("a name"));
    let mut events = vec![TokenEvent::Started { players }];
    game.apply(&events[0]).expect("a start");
    for made in moves {
        let mut next = Some(game.decide(made).expect("a legal move"));
        while let Some(event) = next {
            game.apply(&event).expect("a possible event");
            events.push(event);
            next = game.follows();
        }
    }
    events
}

fn journal(
    kind: Kind,
    number: u64,
    commitment: Hex<32>,
    lang: Lang,
    events: &[TokenEvent],
) -> String {
    let committed = Committed {
        rules: first(kind),
        game: number,
        commitment,
        secret: secret(),
    };
    let journal = token_journal("war test", committed, lang, events).expect("a game");
    String::from_utf8(journal).expect("text")
}

fn hand(cards: &str) -> Hand {
    let card = |card: &str| card.parse().expect("a card");
    cards.split(' ').map(card).collect()
}

/// The games whose journals are golden, by the name of their file.
fn golden_games() -> Vec<(&'static str, String)> {
    let decide = |seat, decision| Move::Decide(SEATS(seat), decision);
    let commitment = secret().commitment();
    let seeds = [
        Move::Seed(SEATS(1), client_seed("ab 12")),
        Move::Seed(SEATS(0), client_seed("ż")),
    ];
    let both_play = [decide(0, Play), decide(1, Play)];
    let tied = [vec![Move::Deal], both_play.to_vec(), both_play.to_vec()].concat();
    let showdown = [&seeds[..], &both_play].concat();
    let late = [Move::Deal, decide(1, Play), Move::TimeOut(SEATS(0))];
    let folded = [
        seeds[0].clone(),
        Move::Deal,
        decide(0, Fold),
        decide(1, Fold),
    ];
    let game = |kind, number, lang, moves: &[Move]| {
        let events = played(kind, number, secret(), moves);
        journal(kind, number, commitment, lang, &events)
    };
    vec![
        (
            "single_card_showdown.json",
            game(Kind::Single, 7, Lang::En, &showdown),
        ),
        (
            "single_card_tied.json",
            game(Kind::Single, 2, Lang::En, &tied),
        ),
        (
            "single_card_timed_out.json",
            game(Kind::Single, 3, Lang::Pl, &late),
        ),
        (
            "double_card_tied.json",
            game(Kind::Double, 126, Lang::Pl, &tied),
        ),
        (
            "double_card_folded.json",
            game(Kind::Double, 1, Lang::En, &folded),
        ),
    ]
}
