//! Accessibility of the card table's page, as checked by axe-core at levels A and AA, with the
//! contrast of AAA. Also enlarged text, the widest names, and forced colours, which axe-core
//! doesn't check.

use super::axe::{AAA, axe, barriers};
use super::daily;
use super::driver::Driver;
use super::table::{Player, Table, with_two};
use serde_json::json;

/// Screen sizes of phones, upright and on their side, and of a small notebook.
const SIZES: [(u64, u64); 4] = [(360, 640), (390, 664), (740, 360), (1366, 657)];

/// Runs axe-core at every size, in both colour schemes.
#[track_caller]
fn assert_no_barrier(player: &Player, axe: &str, state: &str) {
    player.wait_until_settled();
    for scheme in ["light", "dark"] {
        player.prefer(scheme);
        for (width, height) in SIZES {
            player.resize(width, height);
            let found = barriers(player, axe, AAA);
            assert_eq!(
                found,
                json!([true, []]),
                "{state}, {scheme}, {width}x{height}"
            );
        }
    }
    player.command("Emulation.clearDeviceMetricsOverride", &json!({}));
}

#[test]
#[ignore = "needs chromium, chromedriver and axe-core"]
fn no_state_of_the_daily_duel_violates_axe_rules() {
    let (axe, driver) = (axe(), Driver::start());
    let table = daily::open();
    for lang in ["en", "pl"] {
        let player = daily::visit(&driver, &table, lang);
        assert_no_barrier(&player, &axe, "daily hand");
        for _ in 0..10 {
            daily::decide(&player, "play");
        }
        player.wait("!document.querySelector('#daily-today').hidden");
        player.run("document.querySelector('#daily-today details').open = true");
        assert_no_barrier(&player, &axe, "daily score");
    }
}

#[test]
#[ignore = "needs chromium, chromedriver and axe-core"]
fn no_state_of_the_card_table_violates_axe_rules() {
    let (axe, driver) = (axe(), Driver::start());
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    let ann = &Player::visit(&driver, &table.address, "en");
    let ola = &Player::visit(&driver, &table.address, "pl");
    for (player, name) in [(ann, "Ann"), (ola, "Ola")] {
        assert_no_barrier(player, &axe, "join");
        player.sit_down(name);
        assert_no_barrier(player, &axe, "lobby");
        for page in ["how-to-play", "fair", "settings"] {
            player.click(&format!("footer a[href='{page}']"));
            player.run("document.querySelector('#key-show').click()");
            assert_no_barrier(player, &axe, page);
        }
        player.click("#settings-watchable");
        player.click("header a");
    }
    ann.run(
        "const key = JSON.stringify({ name: 'Zoe', token: 'ab'.repeat(32) });
        location.hash = `#key=${btoa(key).replaceAll('=', '')}`;",
    );
    ann.wait("document.querySelector('#offered').open");
    assert_no_barrier(ann, &axe, "the key of a link");
    ann.click("#offered-leave");
    ann.choose("double");
    ann.wait("document.body.dataset.stage === 'waiting'");
    assert_no_barrier(ann, &axe, "waiting");
    ola.choose("double");
    for player in [ann, ola] {
        player.wait_until_dealt();
        assert_no_barrier(player, &axe, "game");
    }
    ann.click("#fold");
    assert_no_barrier(ann, &axe, "decided");
    ola.click("#play");
    for player in [ann, ola] {
        player.wait("document.body.dataset.stage === 'result'");
        player.run(
            "document.querySelector('#fair').open = document.querySelector('#log').open = true",
        );
        assert_no_barrier(player, &axe, "result");
    }
    // Without its record of the game, the page can't check the game.
    ann.run("localStorage.removeItem('war-held')");
    ann.reload();
    ann.wait("document.querySelector('#verdict')?.dataset.is === 'unchecked'");
    ann.run("document.querySelector('#fair').open = true");
    assert_no_barrier(ann, &axe, "unchecked");
    ann.click("footer a[href='games']");
    ann.wait("document.querySelectorAll('#past-list > li').length === 1");
    assert_no_barrier(ann, &axe, "games");
    ola.click("footer a[href='ladder']");
    assert_no_barrier(ola, &axe, "ladder");
    ola.run("location.assign('/watch?game=1')");
    ola.wait("!document.querySelector('#watch-replay').hidden");
    assert_no_barrier(ola, &axe, "watch");
}

/// Elements that extend beyond the right edge of the screen.
const BEYOND: &str =
    "return [...document.querySelectorAll('header *, section:not([hidden]) *, footer *')]
    .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth + 1)
    .map((part) => part.id || part.className || part.localName);";

/// Cards that are not on the screen while the page is not scrolled, and a name above the text over
/// the cards.
const LOST: &str = "scrollTo(0, 0);
    const place = (part) => document.querySelector(part).getBoundingClientRect();
    const hands = [...document.querySelectorAll('section:not([hidden]) .hand li')];
    const lost = hands.filter((card) => {
        const { top, bottom } = card.getBoundingClientRect();
        return top < 0 || bottom > innerHeight;
    });
    const [name, lead] = ['.opponent', '.lead'].map((part) => place(`section:not([hidden]) ${part}`));
    const hidden = name.left < lead.right && name.top < lead.bottom - 3 && lead.top < name.bottom - 3;
    return [lost.map((card) => card.parentElement.id), hidden];";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn wide_names_and_doubled_text_are_not_cut_off() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let fits = |state: &str| {
            for player in [ann, ola] {
                for (width, height) in SIZES {
                    player.resize(width, height);
                    for size in ["100%", "200%"] {
                        player.run(&format!(
                            "document.documentElement.style.fontSize = '{size}'"
                        ));
                        assert_eq!(player.run(BEYOND), json!([]), "{state}, {size} at {width}");
                        let is_phone_upright = width < height;
                        if ["game", "result"].contains(&state)
                            && (size == "100%" || is_phone_upright)
                        {
                            let lost = player.run(LOST);
                            assert_eq!(lost, json!([[], false]), "{state}, {size} at {width}");
                        }
                    }
                }
                player.command("Emulation.clearDeviceMetricsOverride", &json!({}));
                player.run("document.documentElement.style.fontSize = ''");
            }
        };
        for player in [ann, ola] {
            player.click("footer a[href='settings']");
            player.run("document.querySelector('#settings-name').value = 'W'.repeat(32)");
            player.click("#settings-form button");
            player.wait("JSON.parse(localStorage['war-table']).name.length === 32");
            player.wait("document.querySelector('#link').hidden");
        }
        fits("settings");
        for player in [ann, ola] {
            player.click("header a");
        }
        fits("lobby");
        ann.meet(ola, "double");
        fits("game");
        for player in [ann, ola] {
            player.click("#fold");
        }
        for player in [ann, ola] {
            player.wait("document.body.dataset.stage === 'result'");
        }
        fits("result");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn few_colours_still_show_the_winner_and_the_choice() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let forced = json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
        ann.command("Emulation.setEmulatedMedia", &forced);
        let style = |part: &str, property: &str| {
            ann.value(&format!(
                "getComputedStyle(document.querySelector('{part}')).{property}"
            ))
        };
        ann.meet(ola, "single");
        assert_ne!(
            style("#fill", "backgroundColor"),
            style(".track", "backgroundColor")
        );
        ann.click("#play");
        ann.wait_for_heading("You play");
        ann.wait_until_settled();
        assert_eq!(style("#play", "outlineStyle"), "solid");
        assert_ne!(style("#fold", "outlineStyle"), "solid");
        ola.click("#fold");
        ann.wait("document.body.dataset.stage === 'result'");
        assert_eq!(style("#yours .hand li", "outlineStyle"), "solid");
        assert_ne!(style("#theirs .hand li", "outlineStyle"), "solid");
    });
}
