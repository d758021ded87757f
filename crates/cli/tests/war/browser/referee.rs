//! The page's referee, which checks a whole game with the table's signature and log.

use super::checks::{run, with_modules};
use super::lies::game;
use super::logbook::{files, grown};
use crate::log::test_log::BEGINNING;
use serde_json::{Value, json};
use war::support::hex::Hex;
use war::tokens::Kind;
use war_table::log::{GameEnd, GameStart, Leaf};

/// Passes the messages of a game to a referee, which sees the log at the end. Returns the failed
/// checks and the state of the log.
const REFEREED: &str = "
    localStorage.clear();
    storage.saveSeeds([given.seed]);
    const network = window.fetch;
    window.fetch = async (path) => {
        const digits = given.files[path.slice('log/'.length)];
        if (digits === undefined) return new Response('', { status: 404 });
        return new Response(sha256.fromHex(digits));
    };
    let changed = () => {};
    const watched = new referee.Referee(() => changed());
    watched.handleWelcome(given.welcome);
    watched.handleReady(given.welcome, 990);
    const me = { player: 12, balance: 990, balanceSeq: 0 };
    const [started, ...others] = given.messages;
    watched.handleMessage(started, me);
    const seed = await watched.seedToReveal();
    if (seed !== null) watched.recordReveal(1);
    watched.recordDecision(1, 'play', 'a');
    others.forEach((message) => watched.handleMessage(message, me));
    await new Promise((resume) => {
        changed = () => {
            const { outcome, log } = watched.verdict;
            if (![outcome, log].some((each) => ['pending', 'waiting'].includes(each))) resume();
        };
    });
    window.fetch = network;
    const { checks, log } = watched.verdict;
    const wrong = checks.filter(({ right }) => right !== true).map(({ key, right }) => [key, right]);
    return [seed === given.seed, wrong, log];";

/// Game that was signed when it started and is in the log, as the page receives it.
fn signed() -> Value {
    const DIGEST: [u8; 16] = [0xcd; 16];
    let played = game(Kind::Single, 0);
    let (held, result) = (&played["game"], &played["result"]);
    let digits = |value: &Value| value.as_str().expect("digits").parse().expect("32 bytes");
    let begins = GameStart {
        game: held["id"].as_u64().expect("a number"),
        rules: "single-card-game/2".to_owned(),
        players: [12, 7],
        commitment: digits(&held["commitment"]),
        seed_hashes: [0, 1].map(|seat| digits(&held["seedHashes"][seat])),
        time_ms: BEGINNING,
    };
    let ends = GameEnd {
        game: begins.game,
        digest: Hex::new(DIGEST),
        time_ms: BEGINNING + 1000,
    };
    let log = grown(3).with(|leaves| {
        leaves.push(Leaf::Start(begins.clone()).to_string().into_bytes());
        leaves.push(Leaf::End(ends).to_string().into_bytes());
    });
    let started = json!({
        "type": "started", "seq": 1, "game_id": held["id"], "game": held["kind"], "seat": 1, "in_reply_to": "a",
        "opponent": { "player": 7, "name": "Ola", "house": false },
        "seed_hashes": held["seedHashes"], "commitment": held["commitment"],
        "time_ms": BEGINNING, "table": log.table.to_string(), "signature": log.signature(&begins),
    });
    let about = |kind: &str, fields: Value| {
        let mut message = json!({ "type": kind, "game_id": held["id"], "deal": 1 });
        let all = message.as_object_mut().expect("a message");
        all.extend(fields.as_object().expect("fields").clone());
        message
    };
    let mut over = about("result", result.clone());
    over["time_ms"] = json!(BEGINNING + 1000);
    over["digest"] = json!(Hex::new(DIGEST).to_string());
    json!({
        "welcome": { "player": 12, "balance": 990, "table": log.table.to_string(), "key": log.public_key() },
        "seed": held["seed"], "files": files(&log),
        "messages": [
            started, about("seeded", json!({})), about("dealt", json!({ "cards": held["hands"][0] })),
            about("decided", json!({ "decision": "play", "timed_out": false })), over,
        ],
    })
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_is_signed_and_its_leaves_are_found() {
    let given = signed();
    let modules = ["fairness/referee", "state/storage", "sha256"];
    with_modules(|page| {
        let answer = run(page, &modules, &given, REFEREED);
        assert_eq!(answer, json!([true, [], "good"]));
        // A start that differs from the signed one is detected before the seed is opened.
        for change in [
            "messages[0].game_id += 1",
            "messages[0].seat = 2",
            "messages[0].opponent.player = 8",
            "messages[0].commitment = '00'.repeat(32)",
            "messages[0].seed_hashes[1] = '00'.repeat(32)",
            "messages[0].time_ms += 1",
            "messages[0].table = '00'.repeat(16)",
            "messages[0].signature = undefined",
            "welcome.key = undefined",
        ] {
            let script = format!(
                "given.{change};
                localStorage.clear();
                storage.saveSeeds([given.seed]);
                const request = {{ game: given.messages[0].game, whom: null, opponent: null, logSize: 0 }};
                storage.saveMatchRequest({{ hash: sha256.sha256OfHex(given.seed), id: 'a', ...request }});
                const watched = new referee.Referee(() => {{}});
                watched.handleWelcome(given.welcome);
                watched.handleMessage(given.messages[0], {{ player: 12 }});
                return [await watched.seedToReveal(), watched.problems('starting').game.length > 0];"
            );
            let answer = run(page, &modules, &given, &script);
            assert_eq!(answer, json!([null, true]), "{change}");
        }
    });
}
