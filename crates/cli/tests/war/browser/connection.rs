//! Repeated and delayed answers, as the page's connection handles them: the table sends scripted
//! messages, and the clock stands still.

use super::checks::{run, with_modules};
use serde_json::{Value, json};

/// Connects to a table that sends the given messages turn by turn; due timers fire between turns.
/// Returns the messages that the page sent and the calls that the connection made to the page. `$1`
/// in a message stands for the `id` of the first request after `hello`.
const SCRIPTED: &str = "
    const [network, later] = [window.WebSocket, window.setTimeout];
    const [sent, told, timers] = [[], [], new Map()];
    window.setTimeout = (act, ms) => timers.set(timers.size + 1, [act, ms]) && timers.size;
    const clear = window.clearTimeout;
    window.clearTimeout = (timer) => timers.has(timer) && timers.set(timer, [() => {}, Infinity]);
    let socket;
    window.WebSocket = class {
        static OPEN = 1;
        readyState = 1;
        constructor() { socket = this; }
        send(text) { sent.push(JSON.parse(text)); }
        close() {}
    };
    const tell = {};
    for (const name of ['status', 'welcome', 'message', 'error', 'ready', 'messagesLost', 'resync'])
        tell[name] = (message) => name === 'status' || told.push([name, message?.seq ?? null]);
    const ann = { name: 'Ann', token: 'aa', watchable: false };
    const line = new connection.Connection(() => ann, 'en', 0, tell);
    socket.onopen({});
    if (given.asks) line.request('choose', given.asks);
    for (const turn of given.turns) {
        for (const message of turn) {
            const text = JSON.stringify(message);
            const asked = sent.find(({ type }) => type === 'choose');
            socket.onmessage({ data: text.replaceAll('$1', asked?.id) });
        }
        for (const [timer, [act, ms]] of [...timers]) {
            if (ms !== 1000) continue;
            timers.delete(timer);
            act();
        }
    }
    [window.WebSocket, window.setTimeout, window.clearTimeout] = [network, later, clear];
    return [sent.map(({ type, id, after }) => [type, type === 'choose' ? id : after ?? null]), told];";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn removed_messages_are_skipped_once_and_nothing_arrives_twice() {
    let message = |kind: &str, seq: u64| json!({ "type": kind, "seq": seq });
    let welcome = json!({ "type": "welcome", "seq": 9, "player": 1, "balance": 1000 });
    let (clock, resync) = (|seq| message("clock", seq), |seq| message("resync", seq));
    with_modules(|page| {
        // The table removes messages up to 7 while the page reads on from 4. In two cases a late
        // answer to an earlier request arrives as well.
        for more in [vec![], vec![resync(3)], vec![resync(7), clock(8)]] {
            let turn = [
                vec![welcome.clone(), resync(3), clock(4), resync(7)],
                more,
                vec![clock(8), clock(9)],
            ];
            let given = json!({ "turns": [turn.concat()], "asks": { "game": "single-card-game" } });
            let said = run(page, &["protocol/connection"], &given, SCRIPTED);
            let told = json!([
                ["welcome", 9],
                ["resync", 3],
                ["message", 4],
                ["resync", 7],
                ["message", 8],
                ["message", 9],
                ["ready", null],
            ]);
            assert_eq!(said[1], told);
            let sent = said[0].as_array().expect("a list");
            let types: Vec<_> = sent.iter().map(|sent| &sent[0]).collect();
            assert_eq!(types, ["hello", "resume", "choose"], "{said}");
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_request_that_the_table_cannot_serve_now_is_repeated_until_answered() {
    let game = "single-card-game";
    let welcome = json!({ "type": "welcome", "seq": 0, "player": 1, "balance": 1000 });
    let busy = json!({ "type": "error", "seq": 0, "code": "unavailable", "in_reply_to": "$1" });
    let waiting = json!({ "type": "waiting", "seq": 1, "game": game });
    let nothing: [Value; 0] = [];
    let turns = json!([[welcome], [busy], [busy], [waiting], nothing]);
    let given = json!({ "turns": turns, "asks": { "game": game } });
    with_modules(|page| {
        let said = run(page, &["protocol/connection"], &given, SCRIPTED);
        let told = json!([
            ["welcome", 0],
            ["ready", null],
            ["error", 0],
            ["error", 0],
            ["message", 1],
        ]);
        assert_eq!(said[1], told);
        let sent = said[0].as_array().expect("a list");
        let chosen: Vec<_> = sent.iter().filter(|sent| sent[0] == "choose").collect();
        assert_eq!(chosen.len(), 3, "{said}");
        assert!(chosen.iter().all(|sent| sent[1] == chosen[0][1]), "{said}");
    });
}
