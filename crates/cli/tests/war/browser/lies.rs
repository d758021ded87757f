//! A table that lies about a finished game, and the page's checks against the evidence that the
//! player holds.

use super::checks::{bytes_from, run, with_modules};
use serde_json::{Value, json};
use war::support::hex::Hex;
use war::tokens::{Hand, Kind, Secret, TokenRules, commitment, compare_hands};

/// Finished game as seat 1 holds it, with its result, after this many ties.
pub(super) fn game(kind: Kind, ties: usize) -> Value {
    let rules = TokenRules::current(kind);
    let seeds = [bytes_from("Ann"), bytes_from("Ola")];
    let digits = seeds.map(|seed| seed.to_string());
    let hands_of = |number: u64, secret: Hex<32>| {
        let digits = digits.each_ref().map(|seed| &**seed);
        let deals = 1..=u32::try_from(ties + 1).expect("a few");
        let hands = deals.map(|deal| Secret::new(secret).deal(rules, number, digits, deal));
        hands.collect::<Vec<_>>()
    };
    // First number whose deals have that many ties.
    let (number, secret, hands) = (1..100_000)
        .map(|number| (number, bytes_from(&format!("table {number}"))))
        .map(|(number, secret)| (number, secret, hands_of(number, secret)))
        .find(|(_, _, hands)| {
            let even = |[one, two]: &[Hand; 2]| compare_hands(one, two).is_eq();
            hands.iter().position(|hands| !even(hands)) == Some(ties)
        })
        .expect("there are many games");
    let [mine, theirs] = hands.last().expect("a deal");
    let won = compare_hands(mine, theirs).is_gt();
    let stake = kind.stakes().showdown;
    let delta = if won { stake } else { -stake };
    let hashes = seeds.map(|seed| commitment(&seed).to_string());
    json!({
        "game": {
            "id": number, "kind": kind.name(), "seat": 1, "before": 990,
            "commitment": commitment(&secret).to_string(), "seedHashes": hashes, "seed": digits[0],
            "hands": hands.iter().map(|[mine, _]| mine).collect::<Vec<_>>(),
            "decided": vec![json!({ "decision": "play", "timed_out": false }); ties + 1],
            "sent": vec![["play"]; ties + 1],
            "signed": true, "retold": false, "opened": true, "inTime": true,
        },
        "result": {
            "outcome": if won { "won" } else { "lost" }, "delta": delta, "balance": 990 + delta,
            "decisions": { "yours": "play", "theirs": "play" },
            "cards": { "yours": mine, "theirs": theirs },
            "reveal": {
                "seed": secret.to_string(), "client_seeds": digits,
                "seed_hashes": hashes, "deals": ties + 1,
            },
        },
    })
}

/// Script that returns the keys of the checks that fail.
const VERIFY: &str = "return verification.verifyGame(given.game, given.result)
    .filter(({ right }) => right === false).map(({ key }) => key)";

/// Games without cards: the outcome, the tokens won or lost, and the seats that fold because they
/// did not open their seeds.
const FORFEITED: [(&str, i64, &[usize]); 3] = [
    ("lost", -3, &[1]),
    ("won", 3, &[2]),
    ("both_folded", -1, &[1, 2]),
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_without_cards_is_checked_as_well() {
    with_modules(|page| {
        for (outcome, delta, seats) in FORFEITED {
            let mut given = game(Kind::Single, 0);
            for list in ["hands", "decided", "sent"] {
                given["game"][list] = json!([]);
            }
            let result = &mut given["result"];
            result["outcome"] = json!(outcome);
            result["delta"] = json!(delta);
            result["balance"] = json!(990 + delta);
            result["forfeited"] = json!(seats);
            result["reveal"]["deals"] = json!(0);
            // Players who open their seed in time do not forfeit the game.
            given["game"]["inTime"] = json!(!seats.contains(&1));
            let result = &mut given["result"];
            for seat in seats {
                result["reveal"]["client_seeds"][seat - 1] = Value::Null;
            }
            for name in ["decisions", "cards"] {
                result.as_object_mut().expect("a message").remove(name);
            }
            assert_eq!(
                run(page, &["fairness/verification"], &given, VERIFY),
                json!([]),
                "{outcome}"
            );
            for lie in [
                "delta += 1",
                "forfeited = []",
                "forfeited.push(3 - given.result.forfeited[0])",
                "reveal.client_seeds = ['00'.repeat(32), '00'.repeat(32)]",
            ] {
                // If both seats are named already, the push only repeats one, and is not a lie.
                if seats.len() < 2 || !lie.contains("push") {
                    let script = format!("given.result.{lie}; {VERIFY}");
                    assert_ne!(
                        run(page, &["fairness/verification"], &given, &script),
                        json!([]),
                        "{lie}"
                    );
                }
            }
            if seats.contains(&1) {
                let script = format!("given.game.inTime = true; {VERIFY}");
                let wrong = run(page, &["fairness/verification"], &given, &script);
                assert_eq!(wrong, json!(["fair-seed"]), "{outcome}");
            }
        }
    });
}

/// Ways to cheat, each with the checks that catch it.
const CHEATS: &[(&str, &[&str])] = &[
    ("", &[]),
    // The table uses a seed other than the one it committed to, and so deals other cards.
    (
        "result.reveal.seed = '00'.repeat(32)",
        &["fair-commitment", "fair-cards"],
    ),
    // The player's seed is swapped or dropped, with a matching echo.
    (
        "result.reveal.client_seeds[0] = '00'.repeat(32)",
        &["fair-seed", "fair-cards"],
    ),
    (
        "result.reveal.client_seeds[0] = null",
        &["fair-seed", "fair-cards"],
    ),
    ("game.swapped = true", &["fair-seed"]),
    ("game.seedHashes[0] = '00'.repeat(32)", &["fair-their-seed"]),
    // The opponent's seed was chosen after the other seeds were known.
    (
        "result.reveal.client_seeds[1] = '00'.repeat(32)",
        &["fair-their-seed", "fair-cards"],
    ),
    (
        "result.reveal.seed_hashes[1] = '00'.repeat(32)",
        &["fair-their-seed"],
    ),
    // Other cards are dealt or shown.
    (
        "game.hands[0][0] = game.hands[0][0] === '2c' ? '3c' : '2c'",
        &["fair-cards"],
    ),
    (
        "result.cards.theirs = result.cards.yours; result.cards.yours = game.hands[0]",
        &["fair-cards"],
    ),
    ("result.reveal.deals += 1", &["fair-cards", "fair-outcome"]),
    (
        "game.hands.push(game.hands[0])",
        &["fair-cards", "fair-outcome"],
    ),
    // The result is reversed, with a matching balance.
    (
        "result.delta *= -1; result.balance = 990 + result.delta; result.outcome = result.delta > 0 ? 'won' : 'lost'",
        &["fair-outcome"],
    ),
    (
        "result.outcome = result.outcome === 'won' ? 'lost' : 'won'",
        &["fair-outcome"],
    ),
    // The result is paid wrong.
    ("result.balance -= 1", &["fair-balance"]),
    ("result.delta -= 1; result.balance -= 1", &["fair-outcome"]),
    (
        "result.delta *= 2; result.balance = 990 + result.delta",
        &["fair-outcome"],
    ),
    // A decision is replaced, in the stakes too.
    (
        "Object.assign(result, { outcome: 'lost', delta: game.hands[0].length > 1 ? -5 : -3 });
         result.balance = 990 + result.delta; result.decisions.yours = 'fold'",
        &["fair-outcome"],
    ),
    // The result contains a decision that the player never sent.
    (
        "Object.assign(result, { outcome: 'won', delta: game.hands[0].length > 1 ? 5 : 3 });
         result.balance = 990 + result.delta; result.decisions.theirs = 'fold';
         game.sent[game.sent.length - 1] = ['fold']; game.requestIds = ['a'];
         game.decided[game.decided.length - 1].answers = 'a'",
        &["fair-outcome"],
    ),
    // The result claims that a player never opened their seed.
    (
        "result.forfeited = [1]; delete result.decisions",
        &["fair-outcome"],
    ),
    // The table signed a different start, or now contradicts the start.
    ("game.signed = false", &["fair-start"]),
    ("game.retold = true", &["fair-start"]),
    // Nonsensical messages.
    (
        "result.reveal.client_seeds = 7",
        &["fair-seed", "fair-their-seed", "fair-cards", "fair-outcome"],
    ),
    (
        "result.reveal.seed = 7",
        &["fair-commitment", "fair-cards", "fair-outcome"],
    ),
    ("result.balance = '1000'", &["fair-balance"]),
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn unknowable_facts_are_not_called_right() {
    with_modules(|page| {
        let given = game(Kind::Single, 0);
        let script = "given.game.signed = null; given.game.before = null; given.game.seed = null;
            return verification.verifyGame(given.game, given.result)
                .filter(({ right }) => right !== true).map(({ key, right }) => [key, right])";
        let unknown = run(page, &["fairness/verification"], &given, script);
        assert_eq!(
            unknown,
            json!([
                ["fair-start", null],
                ["fair-seed", null],
                ["fair-balance", null]
            ])
        );
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_lie_about_a_game_is_found() {
    with_modules(|page| {
        for (kind, ties) in [
            (Kind::Single, 0),
            (Kind::Single, 1),
            (Kind::Double, 0),
            (Kind::Double, 1),
        ] {
            let honest = game(kind, ties);
            for (cheat, caught) in CHEATS {
                let script = format!("{{ const {{ game, result }} = given; {cheat}; }} {VERIFY}");
                let wrong = run(page, &["fairness/verification"], &honest, &script);
                let wrong: Vec<_> = wrong
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter_map(Value::as_str)
                    .collect();
                let missed: Vec<_> = caught.iter().filter(|key| !wrong.contains(key)).collect();
                assert!(missed.is_empty(), "{kind:?} {ties} {cheat}: {wrong:?}");
                assert_eq!(
                    wrong.is_empty(),
                    caught.is_empty(),
                    "{kind:?} {ties} {cheat}: {wrong:?}"
                );
            }
        }
    });
}
