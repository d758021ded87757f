//! Browsers that did not see a whole game: after an account was moved, on a second device, after a
//! page slept or lost its storage. None of them accuses the table, and none verifies the game.

use super::driver::Driver;
use super::table::{DECISION, Player, RESULT, Table, with_browser};
use serde_json::json;

/// Link that moves this player's account to another browser.
fn account_link(table: &Table, player: &Player) -> String {
    let key = player.value(
        "(() => {
            const { name, token } = JSON.parse(localStorage.getItem('war-table'));
            return btoa(JSON.stringify({ name, token })).replaceAll('=', '');
        })()",
    );
    format!("{}#key={}", table.address, key.as_str().expect("letters"))
}

/// Opens the account of a player in another browser, which may know the table already.
fn move_account(player: &Player, link: &str) {
    player.go("about:blank");
    player.go(link);
    player.wait("document.querySelector('#offered')?.open");
    player.click("#offered-take");
    player.wait("document.querySelector('#offered')?.open === false");
}

/// Checks that the page accuses nobody of anything.
#[track_caller]
fn assert_no_alarm(player: &Player) {
    let wrong = player.value("document.querySelector('#alarm').dataset.wrong");
    assert_eq!(wrong, json!(""));
}

/// Waits for the result of a game that the page did not check, and counted with those before.
#[track_caller]
fn wait_until_counted(player: &Player, count: &str) {
    player.wait("document.body.dataset.stage === 'result'");
    player.wait("document.querySelector('#verdict').dataset.is === 'unchecked'");
    assert_no_alarm(player);
    let told = player.text("#unchecked");
    assert!(told.ends_with(count), "{told}");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_moved_account_and_a_second_device_accuse_nobody() {
    let table = Table::open(&["--bots", "4", "--decide-seconds", "300"]);
    let driver = Driver::start();
    let ann = &Player::open(&driver, &table.address, "en", "Ann");
    let other = &Player::visit(&driver, &table.address, "pl");
    // This browser knows the table's log already.
    other.sit_down("Ola");
    other.choose("single");
    other.wait_until_dealt();
    other.play_alone();
    other.wait("document.querySelector('#log-verdict').dataset.is === 'good'");
    ann.choose("single");
    ann.wait_until_dealt();
    ann.play_alone();
    ann.wait("document.querySelector('#verdict').dataset.is === 'good'");
    move_account(other, &account_link(&table, ann));
    // Players who come back find the lobby, with a way to the result that this browser has not seen.
    other.wait("!document.querySelector('#away').hidden");
    other.click("#away-back");
    wait_until_counted(other, "Nie sprawdzono tutaj 1 gry.");
    other.wait_for_text("#verdict", "nie sprawdzono tutaj");
    other.check_layout("unchecked-result-pl");
    other.check_visible("unchecked-result-pl", RESULT);
    // The first device begins a game, and the second one decides.
    ann.click("#again");
    ann.wait_until_dealt();
    other.wait_until_dealt();
    assert_no_alarm(other);
    other.wait("!document.querySelector('#unchecked').hidden");
    other.check_layout("unchecked-game-pl");
    other.check_visible("unchecked-game-pl", DECISION);
    other.reload();
    other.wait_until_dealt();
    assert_no_alarm(other);
    other.play_alone();
    wait_until_counted(other, "Nie sprawdzono tutaj 2 gier.");
    wait_until_counted(ann, "1 game was not checked here.");
    ann.check_layout("unchecked-result-en");
    ann.run("document.querySelector('#fair').open = true");
    ann.check_layout("unchecked-open-en");
    // A game that a device plays alone is verified there.
    ann.click("#again");
    ann.wait_until_dealt();
    ann.play_alone();
    ann.wait("document.querySelector('#verdict').dataset.is === 'good'");
    ann.run("document.querySelector('#fair').open = true");
    ann.check_layout("verified-open-en");
}

/// Holds messages back while `asleep` is true, as a browser does for a page that is suspended.
const SLEEP: &str = "
    window.asleep = false;
    window.held = [];
    window.WebSocket = class extends WebSocket {
        set onmessage(take) {
            super.onmessage = (event) => {
                if (window.asleep) held.push([event.data, () => take(event)]);
                else take(event);
            };
        }
    };
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_that_slept_through_a_game_accuses_nobody() {
    let table = Table::open(&["--bots", "4"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.prepare(SLEEP);
        ann.reload();
        ann.wait("document.body?.dataset.stage === 'lobby'");
        // The page wakes up once the game is over.
        ann.run("window.asleep = true;");
        ann.choose("single");
        ann.wait("held.some(([text]) => JSON.parse(text).type === 'result')");
        ann.run("window.asleep = false; for (const [, deliver] of held) deliver();");
        wait_until_counted(ann, "1 game was not checked here.");
        ann.wait_for_text("#result-lead", "Your seed was not opened in time.");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_reload_in_any_phase_and_a_restored_backup_accuse_nobody() {
    let table = Table::open(&["--bots", "4", "--decide-seconds", "300"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.run("window.name = JSON.stringify({ ...localStorage })");
        ann.choose("single");
        // The page is loaded again before it has seen the start, with the cards, and at the end.
        ann.reload();
        ann.wait_until_dealt();
        ann.reload();
        ann.wait_until_dealt();
        ann.play_alone();
        for _ in 0..2 {
            ann.wait("document.querySelector('#verdict').dataset.is === 'good'");
            assert_no_alarm(ann);
            ann.reload();
            ann.wait("document.body?.dataset.stage === 'result'");
        }
        ann.run(
            "localStorage.clear();
            Object.assign(localStorage, JSON.parse(window.name));",
        );
        ann.reload();
        wait_until_counted(ann, "1 game was not checked here.");
    });
}
