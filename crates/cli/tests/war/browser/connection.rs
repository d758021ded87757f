//! What the page's line makes of answers that come again, or not at once: from a table that says
//! only what it is given to say, and a clock that stands still.

use super::checks::{run, with_modules};
use serde_json::{Value, json};

/// A line to a table that says the messages that it is given, in turns: whatever is due in between
/// happens between two turns. The result is what the page sent, and what it was told; `$1` in a
/// message is the `id` of the first request after `hello`.
const SAID: &str = "
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
    const line = new connection.Connection({ name: 'Ann', token: 'aa', lang: 'en' }, 0, tell);
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
fn what_is_not_kept_is_left_out_once_and_nothing_comes_twice() {
    let message = |kind: &str, seq: u64| json!({ "type": kind, "seq": seq });
    let welcome = json!({ "type": "welcome", "seq": 9, "player": 1, "balance": 1000 });
    let (clock, resync) = (|seq| message("clock", seq), |seq| message("resync", seq));
    with_modules(|page| {
        // More was removed while the rest was read; and an answer to what was asked before.
        for more in [vec![], vec![resync(3)], vec![resync(7), clock(8)]] {
            let turn = [
                vec![welcome.clone(), resync(3), clock(4), resync(7)],
                more,
                vec![clock(8), clock(9)],
            ];
            let given = json!({ "turns": [turn.concat()], "asks": { "game": "single-card-game" } });
            let said = run(page, &["protocol/connection"], &given, SAID);
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
fn what_the_table_can_t_do_now_is_asked_again_until_it_is_answered() {
    let game = "single-card-game";
    let welcome = json!({ "type": "welcome", "seq": 0, "player": 1, "balance": 1000 });
    let busy = json!({ "type": "error", "seq": 0, "code": "unavailable", "in_reply_to": "$1" });
    let waiting = json!({ "type": "waiting", "seq": 1, "game": game });
    let nothing: [Value; 0] = [];
    let turns = json!([[welcome], [busy], [busy], [waiting], nothing]);
    let given = json!({ "turns": turns, "asks": { "game": game } });
    with_modules(|page| {
        let said = run(page, &["protocol/connection"], &given, SAID);
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
