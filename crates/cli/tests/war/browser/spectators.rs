//! Games of others: spectators and the players' consent.

use super::driver::Driver;
use super::table::{Player, Table};

/// Allows spectators, in the settings.
fn allow_watching(player: &Player) {
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
        allow_watching(player);
        player.choose("double");
    }
    ann.wait_until_dealt();
    ola.wait_until_dealt();
    zoe.wait("document.querySelectorAll('#open-list > li').length === 1");
    zoe.wait_for_text(
        "#open-list li > span",
        "Ann (player 1) against Ola (player 2) – Double-card game",
    );
    zoe.check_layout("watch-list-en");
    // The page of the game opens at its top, wherever the list was.
    zoe.resize(360, 640);
    zoe.run("document.querySelector('#open-list a').scrollIntoView({ block: 'start' })");
    assert_ne!(zoe.value("scrollY"), 0);
    zoe.click("#open-list a");
    zoe.wait("document.activeElement.id === 'watch-title'");
    assert_eq!(zoe.value("scrollY"), 0);
    zoe.wait_for_heading("Watching game 1");
    zoe.wait_for_text(
        "#watch-lead",
        "Neither has decided yet. You see the cards if both play.",
    );
    zoe.wait_for_text("#watch-did-1", "no decision yet");
    // Before the showdown, all four cards are face down.
    zoe.wait("document.querySelectorAll('#watch-seats .card').length === 4");
    zoe.wait("document.querySelector('#watch-hand-1-names').textContent === ''");
    zoe.check_layout("watch-en");
    // The address names the game, so that a reload shows it again.
    zoe.wait("location.pathname + location.search === '/watch?game=1'");
    ann.play_out(&ola);
    zoe.wait("!document.querySelector('#watch-replay').hidden");
    zoe.wait("/^(Ann|Ola) \\(player \\d\\) wins 20 tokens\\.$/.test(document.querySelector('#watch-lead').textContent)");
    zoe.wait("document.querySelector('#watch-hand-1-names').textContent !== ''");
    zoe.check_layout("watch-result-en");
    let cards = "document.querySelector('#watch-hand-1-names').textContent";
    let own = "document.querySelector('#result-yours-names').textContent";
    assert_eq!(zoe.value(cards), ann.value(own));
    zoe.click("[data-stage=watch] [data-go=home]");
    zoe.wait("document.querySelector('#open').hidden");
    zoe.run("history.back()");
    zoe.wait_for_heading("Watching game 1");
    zoe.wait("!document.querySelector('#watch-replay').hidden");
}
