//! Cheating that happens while the page is open: a script tampers with every message on its way to
//! the page. Checks the page's warnings before the decision and after the game.

use super::table::{DECISION, Player, Table, with_browser};
use serde_json::{Value, json};

/// Passes every message to the page through `lie`, which may return several messages.
const PROXY: &str = "
    window.lie = (message) => message;
    window.WebSocket = class extends WebSocket {
        set onmessage(take) {
            super.onmessage = ({ data }) => {
                for (const told of [lie(JSON.parse(data))].flat()) {
                    take({ data: JSON.stringify(told) });
                }
            };
        }
    };
";

/// Starts over as a new player, with a connection that can be tampered with.
fn somebody(player: &Player, lie: &str) {
    player.run("localStorage.clear()");
    player.reload();
    player.wait("document.body.dataset.stage === 'join'");
    player.run(&format!(
        "window.lie = (message) => {{
            if (message.type === 'started') {{ window.seat = message.seat; window.game = message; }}
            const other = '00'.repeat(32);
            {lie}
            return message;
        }};"
    ));
    player.sit_down(&player.lang("Ann", "Ola"));
}

/// Keys of the warnings that the page shows.
fn alarm_keys(player: &Player) -> String {
    let wrong = "document.querySelector('#alarm:not([hidden])')?.dataset.wrong ?? ''";
    let wrong = player.value(wrong);
    wrong.as_str().expect("keys").to_owned()
}

/// Waits for the result and the page's verdict on it.
fn verdict(player: &Player) -> Value {
    player.wait(
        "document.body.dataset.stage === 'result'
            && document.querySelector('#verdict').dataset.is !== 'pending'",
    );
    player.value("document.querySelector('#verdict').dataset.is")
}

/// Lies about a game, each with the check that catches it.
const LIES: [(&str, &str); 11] = [
    // The player's seed is replaced or missing.
    (
        "if (message.type === 'result') message.reveal.client_seeds[seat - 1] = other",
        "fair-seed",
    ),
    (
        "if (message.type === 'result') message.reveal.client_seeds[seat - 1] = null",
        "fair-seed",
    ),
    (
        "if (message.type === 'result') {
            Object.assign(message, { forfeited: [seat], outcome: 'lost', delta: -3, balance: 997 });
            message.reveal.client_seeds[seat - 1] = null;
            delete message.decisions;
            delete message.cards;
        }",
        "fair-seed",
    ),
    // The opponent's seed or the table's own is replaced.
    (
        "if (message.type === 'result') message.reveal.client_seeds[2 - seat] = other",
        "fair-their-seed",
    ),
    (
        "if (message.type === 'result') message.reveal.seed = other",
        "fair-commitment",
    ),
    // Other cards are dealt.
    (
        "if (message.type === 'dealt') message.cards = [message.cards[0] === '2c' ? '3c' : '2c']",
        "fair-cards",
    ),
    // The result is reversed, or paid wrong.
    (
        "if (message.type === 'result') {
            message.delta *= -1;
            message.balance = 1000 + message.delta;
            message.outcome = message.delta > 0 ? 'won' : 'lost';
        }",
        "fair-outcome",
    ),
    (
        "if (message.type === 'result') {
            message.delta -= 1;
            message.balance -= 1;
        }",
        "fair-outcome",
    ),
    (
        "if (message.type === 'result') message.balance -= 1",
        "fair-balance",
    ),
    // A decision is replaced.
    (
        "if (message.type === 'decided') message.decision = 'fold';
        if (message.type === 'result') {
            Object.assign(message, { outcome: 'lost', delta: -3, balance: 997 });
            message.decisions = { yours: 'fold', theirs: 'play' };
            delete message.cards;
        }",
        "fair-outcome",
    ),
    (
        "if (message.type === 'result') delete message.reveal",
        "fair-commitment",
    ),
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_lie_about_a_result_raises_an_alarm() {
    let table = Table::open(&["--bots", "2"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.prepare(PROXY);
        for (lie, caught) in [("", "")].into_iter().chain(LIES) {
            somebody(ann, lie);
            ann.choose("single");
            ann.wait_until_dealt();
            assert_eq!(alarm_keys(ann), "", "{lie}");
            ann.play_alone();
            let honest = caught.is_empty();
            assert_eq!(verdict(ann), if honest { "good" } else { "bad" }, "{lie}");
            let found = alarm_keys(ann);
            assert!(
                honest == found.is_empty() && found.contains(caught),
                "{lie}: {found}"
            );
            if !honest {
                ann.wait_for_text("#verdict", "WRONG");
                assert!(
                    ann.text("#alarm").starts_with("SOMETHING IS WRONG "),
                    "{lie}"
                );
            }
        }
    });
}

/// Lie in which cards follow the start message at once, and the player's hash in that message is
/// replaced, which also makes the table's signature wrong.
const WITHOUT_SEED: &str = "
    if (message.type === 'started') {
        message.seed_hashes[seat - 1] = other;
        const { seq, game_id } = message;
        const time = { deadline_ms: Date.now() + 30000, left_ms: 30000 };
        return [message, { type: 'dealt', seq: seq + 1, game_id, deal: 1, cards: ['2c'], ...time }];
    }
    if (message.type === 'result') return [];
    if (message.seq && window.game) message.seq += 1;";

/// Lie in which cards follow a correct start message at once. The player has not opened their seed
/// yet, so the cards can't depend on it.
const WITHOUT_OPENING: &str = "
    if (message.type === 'started') {
        const { seq, game_id } = message;
        const time = { deadline_ms: Date.now() + 30000, left_ms: 30000 };
        return [message, { type: 'dealt', seq: seq + 1, game_id, deal: 1, cards: ['2c'], ...time }];
    }
    if (message.type === 'result') return [];
    if (message.seq && window.game) message.seq += 1;";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn cards_dealt_without_the_players_seed_are_detected_before_the_decision() {
    let table = Table::open(&["--bots", "2"]);
    for (lang, lie, doubt, told) in [
        (
            "en",
            WITHOUT_SEED,
            "doubt-seed doubt-signature",
            "SOMETHING IS WRONG This game started without your seed: the table could choose your cards. \
             The table's signature of this game's start is wrong or missing.",
        ),
        (
            "pl",
            WITHOUT_OPENING,
            "doubt-unopened",
            "COŚ SIĘ NIE ZGADZA Te karty rozdano bez Twojego ziarna: stół mógł je wybrać.",
        ),
    ] {
        with_browser(&table, lang, "Zoë", |zoe| {
            zoe.prepare(PROXY);
            somebody(zoe, lie);
            zoe.choose("single");
            zoe.wait_until_dealt();
            zoe.wait(&format!(
                "document.querySelector('#alarm').dataset.wrong === '{doubt}'"
            ));
            assert_eq!(zoe.text("#alarm"), told);
            let picture = format!("{}-{lang}", doubt.replace(' ', "-"));
            zoe.check_layout(&picture);
            zoe.check_visible(&picture, DECISION);
        });
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_unsigned_start_is_rejected() {
    const SIGNING: &str = "if (message.type === 'welcome') {
        message.key = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
        message.table = '07'.repeat(16);
    }
    if (message.type === 'started') {
        message.table = '07'.repeat(16);
        message.signature = '00'.repeat(64);
    }";
    let table = Table::open(&["--bots", "2"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.prepare(PROXY);
        somebody(ann, SIGNING);
        ann.choose("single");
        ann.wait("document.querySelector('#alarm').dataset.wrong.startsWith('doubt-signature')");
        ann.check_layout("doubt-signature-en");
        // The seed stays closed, so the player folds.
        assert_eq!(verdict(ann), "bad");
        ann.wait_for_text("#result-lead", "Your seed was not opened in time.");
        assert!(alarm_keys(ann).starts_with("fair-start"));
        ann.check_layout("forfeit-en");
        // A table that stops signing is not trusted either.
        ann.prepare("addEventListener('load', () => { window.lie = (message) => message; });");
        ann.reload();
        ann.wait("document.querySelector('#alarm').dataset.wrong.includes('alarm-table')");
        ann.click("#alarm-seen");
        ann.click("#another");
        ann.wait("document.querySelector('#alarm').hidden");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_reloaded_page_remembers_the_start_of_its_game() {
    const RETOLD: &str = "
        window.lie = (message) => {
            if (message.type === 'started') message.commitment = '00'.repeat(32);
            if (message.type === 'welcome') message.balance += 1;
            return message;
        };";
    let table = Table::open(&["--bots", "2"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.choose("single");
        ann.wait_until_dealt();
        ann.prepare(&format!("{PROXY} {RETOLD}"));
        ann.reload();
        ann.wait("document.querySelector('#alarm').dataset.wrong === 'doubt-retold alarm-balance'");
        ann.check_layout("doubt-retold-en");
        ann.play_alone();
        assert_eq!(verdict(ann), "bad");
        assert_eq!(alarm_keys(ann), "fair-start alarm-balance");
        let is = ann.value("document.querySelector('#verdict').dataset.is");
        assert_eq!(is, json!("bad"));
    });
}
