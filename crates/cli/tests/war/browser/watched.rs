//! Others watch a game whose players let them.

use super::driver::Driver;
use super::table::{Player, Table};

/// Lets others watch, in the settings.
fn lets_watch(player: &Player) {
    player.click("footer [data-go=settings]");
    player.click("#settings-watchable");
    player.click("header [data-go=home]");
    player.wait("!document.querySelector('[data-stage=lobby]').hidden");
    player.wait("document.querySelector('#link').hidden");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_is_watched_to_its_end() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "120"]);
    let driver = Driver::start();
    let ann = Player::open(&driver, &table.address, "en", "Ann");
    let ola = Player::open(&driver, &table.address, "pl", "Ola");
    let zoe = Player::open(&driver, &table.address, "en", "Zoe");
    for player in [&ann, &ola] {
        lets_watch(player);
        player.choose("double");
    }
    ann.dealt();
    ola.dealt();
    zoe.wait("document.querySelectorAll('#open-list > li').length === 1");
    zoe.shows(
        "#open-list li > span",
        "Ann (player 1) against Ola (player 2) – Double-card game",
    );
    zoe.fits("watch-list-en");
    zoe.click("#open-list a");
    zoe.heading("Watching game 1");
    zoe.shows(
        "#watch-lead",
        "Both are deciding. You see the cards if both play.",
    );
    zoe.shows("#watch-did-1", "is deciding");
    // Nobody's cards are there before they are shown.
    zoe.wait("document.querySelectorAll('#watch-seats .card').length === 4");
    zoe.wait("document.querySelector('#watch-hand-1-names').textContent === ''");
    zoe.fits("watch-en");
    // The address is that of the game, also when it is loaded again.
    zoe.wait("location.pathname + location.search === '/watch?game=1'");
    ann.play_out(&ola);
    zoe.wait("!document.querySelector('#watch-replay').hidden");
    zoe.wait("/^(Ann|Ola) \\(player \\d\\) wins 20 tokens\\.$/.test(document.querySelector('#watch-lead').textContent)");
    zoe.wait("document.querySelector('#watch-hand-1-names').textContent !== ''");
    zoe.fits("watch-result-en");
    let cards = "document.querySelector('#watch-hand-1-names').textContent";
    let own = "document.querySelector('#result-yours-names').textContent";
    assert_eq!(zoe.value(cards), ann.value(own));
    zoe.click("[data-stage=watch] [data-go=home]");
    zoe.wait("document.querySelector('#open').hidden");
    zoe.run("history.back()");
    zoe.heading("Watching game 1");
    zoe.wait("!document.querySelector('#watch-replay').hidden");
}
