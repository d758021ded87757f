//! Animations at the end of a game: cards turn over, tokens change hands, and the balance counts up
//! or down. They can be cut short or turned off.

use super::table::{Player, Table, with_two};
use serde_json::{Value, json};

/// Records how many tokens and cards were moving when the result came, and the balance shown at
/// that time.
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

/// Plays until both players have compared cards. Returns the winner first.
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

/// Waits until nothing moves any more and the balance is this one.
#[track_caller]
fn wait_until_still(player: &Player, balance: i64) {
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
        ann.wait_for_text("#pot", "At stake: 20 each · deal 1");
        ola.wait_for_text("#pot", "Stawka: po 20 · rozdanie 1");
        ann.wait_for_text("#game-you", "Ann (player 1) · 1,000 tokens");
        let players = showdown(ann, ola);
        for (player, balance) in players.into_iter().zip([1020, 980]) {
            let seen = player.value("window.seen");
            assert_eq!([&seen[0], &seen[1]], [&json!(5), &json!(2)], "{seen}");
            assert_ne!(
                seen[2].as_str(),
                Some(balance.to_string().as_str()),
                "{seen}"
            );
            wait_until_still(player, balance);
            assert_eq!(player.cards("#result-theirs").len(), 2);
            // A change of the language does not repeat the animation.
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
fn a_key_skips_animations_and_reduced_motion_has_none() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let moving = json!({
            "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }],
        });
        ann.command("Emulation.setEmulatedMedia", &moving);
        // A key is pressed as soon as the animation begins.
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
        ann.wait_for_text("#pot", "At stake: 20 each · deal 1");
        let [winner, loser] = showdown(ann, ola);
        ann.wait("window.after !== undefined");
        let balance = ann.number("#balance-tokens");
        let shown = if balance > 1000 { "1,020" } else { "980" };
        assert_eq!(ann.value("window.after"), json!([0, shown]));
        // Ola's browser prefers reduced motion.
        let seen = ola.value("window.seen");
        assert_eq!([&seen[0], &seen[1]], [&json!(0), &json!(0)], "{seen}");
        wait_until_still(winner, 1020);
        wait_until_still(loser, 980);
    });
}

/// Script that returns the centre of each hand, the opponent's first.
const SEATS: &str = "['theirs', 'yours'].map((whose) => {
        const hand = document.querySelector(`section:not([hidden]) .${whose === 'theirs' ? 'seat' : 'own'} .hand`);
        const { top, height, left, width } = hand.getBoundingClientRect();
        return [left + width / 2, top + height / 2].map(Math.round);
    })";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn seats_keep_their_positions_from_the_deal_to_the_result() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for (width, height) in [(360, 640), (390, 664), (740, 360), (1366, 657)] {
            ann.resize(width, height);
            ann.meet(ola, "single");
            ann.wait_until_settled();
            let before = ann.value(SEATS);
            // Ann folds, so that the hands are not compared and no tie can follow.
            ann.click("#fold");
            ola.click("#play");
            ann.wait("document.body.dataset.stage === 'result'");
            ann.wait_until_settled();
            let after = ann.value(SEATS);
            let place =
                |seats: &Value, at: [usize; 2]| seats[at[0]][at[1]].as_i64().expect("a place");
            for at in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                // The part below the player's own hand has a different height in the result, so
                // this hand may move more.
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
