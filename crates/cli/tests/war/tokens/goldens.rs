//! Games of the golden journals.

use super::{SEATS, SEEDS, client_seed, first, hand, journal, played, secret};
use Decision::{Fold, Play};
use war::i18n::Lang;
use war::tokens::{Decision, Kind, Move, TokenEvent, TokenRules};

/// Journal of the game with these moves.
fn game(rules: TokenRules, number: u64, lang: Lang, moves: &[Move]) -> String {
    let events = played(rules, number, secret(), moves);
    journal(rules, number, secret().commitment(), lang, &events)
}

/// Games of the golden journals, by file name.
pub(super) fn golden_games() -> Vec<(&'static str, String)> {
    let decide = |seat, decision| Move::Decide(SEATS(seat), decision);
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
    let game = |kind, number, lang, moves: &[Move]| game(first(kind), number, lang, moves);
    let mut games = vec![
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
    ];
    games.extend(games_of_version_2());
    let duel = |number, lang, decision| {
        let moves = [decide(0, decision), decide(1, Play)];
        self::game(TokenRules::DAILY, number, lang, &moves)
    };
    games.extend([
        ("daily_folded.json", duel(2_026_112_803, Lang::En, Fold)),
        ("daily_tied.json", duel(TIED_DUEL, Lang::Pl, Play)),
    ]);
    games
}

/// Number of a game of the daily duel in which both hold the same ranks, found by trying.
const TIED_DUEL: u64 = 2_026_121_710;

/// Games by version 2 of the rules: players 12 and 7, with the seeds of [`SEEDS`].
fn games_of_version_2() -> Vec<(&'static str, String)> {
    let decide = |seat, decision| Move::Decide(SEATS(seat), decision);
    let open = |seat| Move::Open(SEATS(seat), SEEDS[seat]);
    let late = |seat| Move::TimeOut(SEATS(seat));
    let both_play = [decide(0, Play), decide(1, Play)];
    let showdown = [&[open(0), open(1)][..], &both_play].concat();
    let tied = [&[open(1), open(0)][..], &both_play, &both_play].concat();
    let folded = [open(1), open(0), decide(1, Play), late(0)];
    let game =
        |kind, number, lang, moves: &[Move]| game(TokenRules::current(kind), number, lang, moves);
    vec![
        (
            "single_card_2_showdown.json",
            game(Kind::Single, 7, Lang::En, &showdown),
        ),
        (
            "single_card_2_tied.json",
            game(Kind::Single, 25, Lang::Pl, &tied),
        ),
        (
            "single_card_2_forfeited.json",
            game(Kind::Single, 3, Lang::Pl, &[open(0), late(1)]),
        ),
        (
            "double_card_2_tied.json",
            game(Kind::Double, 176, Lang::En, &tied),
        ),
        (
            "double_card_2_timed_out.json",
            game(Kind::Double, 3, Lang::Pl, &folded),
        ),
        (
            "double_card_2_both_forfeited.json",
            game(Kind::Double, 1, Lang::En, &[late(1), late(0)]),
        ),
    ]
}

// The hands were computed in Python with its own `hmac` and `hashlib` and the ChaCha8 of
// tests/verifier/chance.py. The key is the HMAC-SHA256, under the secret, of the lines
// `single-card-game/2`, the game, the deal, and both seeds in 64 digits.
#[test]
fn deals_of_version_2_are_pinned() {
    let digits = SEEDS.map(|seed| seed.to_string());
    let digits = digits.each_ref().map(String::as_str);
    for (kind, game, deal, hands) in [
        (Kind::Single, 7, 1, ["6c", "4s"]),
        (Kind::Single, 7, 2, ["2s", "7h"]),
        (Kind::Single, 25, 1, ["9d", "9c"]),
        (Kind::Single, 25, 2, ["As", "7c"]),
        (Kind::Double, 3, 1, ["Tc Ks", "6s Kh"]),
        (Kind::Double, 176, 1, ["Ac Jh", "As Jd"]),
        (Kind::Double, 176, 2, ["9s 8s", "5d Kh"]),
    ] {
        let rules = TokenRules::current(kind);
        let dealt = secret().deal(rules, game, digits, deal);
        assert_eq!(dealt, hands.map(hand), "{kind:?} {game} {deal}");
    }
}

// The hashes were computed with Python's `hashlib`.
#[test]
fn seed_hashes_are_pinned() {
    let TokenEvent::Committed { seed_hashes, .. } =
        super::opening(TokenRules::current(Kind::Single))
    else {
        panic!("a game begins with its commitments");
    };
    let expected = [
        "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793",
        "75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a",
    ];
    assert_eq!(seed_hashes.map(|hash| hash.to_string()), expected);
}
