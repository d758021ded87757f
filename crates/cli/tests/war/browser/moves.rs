//! What moves at the end of a game: cards turn over, tokens change hands, and the balance counts, for
//! those who like movement, and as long as they like.

use super::table::{Player, Table, with_two};
use serde_json::{Value, json};

/// Notes how many tokens and cards were on their way when the result came, and what the balance
/// showed then.
const SEEN: &str = "
    window.seen = null;
    new MutationObserver((_, watch) => {
        if (document.body.dataset.stage !== 'result') return;
        watch.disconnect();
        requestAnimationFrame(() => {
            const count = (parts) => document.querySelectorAll(parts).length;
            seen = [count('.token'), count('.turning .reverse'), document.querySelector('#balance-tokens').innerText];
        });
    }).observe(document.body, { attributeFilter: ['data-stage'] });
";

/// Plays until both have compared cards; the result is who won.
fn showdown<'a>(ann: &'a Player<'a>, ola: &'a Player<'a>) -> [&'a Player<'a>; 2] {
    for player in [ann, ola] {
        player.run(SEEN);
    }
    let won = ann.play_out(ola);
    for player in [ann, ola] {
        player.wait("window.seen !== null");
    }
    if won { [ann, ola] } else { [ola, ann] }
}

/// Waits until nothing moves any more, and the balance is this one.
#[track_caller]
fn rests(player: &Player, balance: i64) {
    player.wait("document.querySelectorAll('.token, .reverse').length === 0");
    player.wait(&format!(
        "document.querySelector('#balance-tokens').innerText.replace(/\\D/g, '') === '{balance}'"
    ));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn cards_turn_over_tokens_move_and_the_balance_counts() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let moving = json!({
            "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }],
        });
        for player in [ann, ola] {
            player.command("Emulation.setEmulatedMedia", &moving);
        }
        ann.meet(ola, "double");
        ann.shows("#pot", "At stake: 20 each · deal 1");
        ola.shows("#pot", "Stawka: po 20 · rozdanie 1");
        ann.shows("#game-you", "Ann (player 1) · 1,000 tokens");
        let players = showdown(ann, ola);
        for (player, balance) in players.into_iter().zip([1020, 980]) {
            let seen = player.value("window.seen");
            assert_eq!([&seen[0], &seen[1]], [&json!(5), &json!(2)], "{seen}");
            assert_ne!(
                seen[2].as_str(),
                Some(balance.to_string().as_str()),
                "{seen}"
            );
            rests(player, balance);
            assert_eq!(player.cards("#result-theirs").len(), 2);
            // It is over once: another language moves nothing again.
            player.click(&player.lang("[data-lang=pl]", "[data-lang=en]"));
            assert_eq!(
                player.value("document.querySelectorAll('.token, .reverse').length"),
                0
            );
            player.click(&player.lang("[data-lang=en]", "[data-lang=pl]"));
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_key_ends_what_moves_and_some_want_none_of_it() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let moving = json!({
            "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }],
        });
        ann.command("Emulation.setEmulatedMedia", &moving);
        // As soon as it begins, a key is pressed.
        ann.run(
            "new MutationObserver((_, watch) => {
                if (!document.querySelector('.token')) return;
                watch.disconnect();
                document.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }));
                requestAnimationFrame(() => requestAnimationFrame(() => {
                    window.after = [document.querySelectorAll('.token, .reverse').length,
                        document.querySelector('#balance-tokens').innerText];
                }));
            }).observe(document.body, { childList: true });",
        );
        ann.meet(ola, "double");
        ann.shows("#pot", "At stake: 20 each · deal 1");
        let [winner, loser] = showdown(ann, ola);
        ann.wait("window.after !== undefined");
        let balance = ann.number("#balance-tokens");
        let shown = if balance > 1000 { "1,020" } else { "980" };
        assert_eq!(ann.value("window.after"), json!([0, shown]));
        // Ola's browser asks for less movement.
        let seen = ola.value("window.seen");
        assert_eq!([&seen[0], &seen[1]], [&json!(0), &json!(0)], "{seen}");
        rests(winner, 1020);
        rests(loser, 980);
    });
}

/// Where the seats are: the places and sizes of both hands and of the name at the other seat.
const SEATS: &str = "['theirs', 'yours'].map((whose) => {
        const hand = document.querySelector(`section:not([hidden]) .${whose === 'theirs' ? 'seat' : 'own'} .hand`);
        const { top, height, left, width } = hand.getBoundingClientRect();
        return [left + width / 2, top + height / 2].map(Math.round);
    })";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn seats_stay_where_they_are_from_the_deal_to_the_result() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for (width, height) in [(360, 640), (390, 664), (740, 360), (1366, 657)] {
            ann.resize(width, height);
            ann.meet(ola, "single");
            ann.settled();
            let before = ann.value(SEATS);
            // Nobody shows cards, so that no tie comes between.
            ann.click("#fold");
            ola.click("#play");
            ann.wait("document.body.dataset.stage === 'result'");
            ann.settled();
            let after = ann.value(SEATS);
            let place =
                |seats: &Value, at: [usize; 2]| seats[at[0]][at[1]].as_i64().expect("a place");
            for at in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                // What is below the player's own hand is not as high.
                let most = if at == [1, 1] { 30 } else { 3 };
                let moved = (place(&after, at) - place(&before, at)).abs();
                assert!(moved <= most, "{width}x{height}: {before} {after}");
            }
            for player in [ann, ola] {
                player.click("#another");
                player.wait("!document.querySelector('[data-stage=lobby]').hidden");
            }
        }
    });
}
