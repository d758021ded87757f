//! The page without a mouse, and in another language.

use super::driver::{Driver, ENTER, ESCAPE, TAB};
use super::polish;
use super::table::{Player, Table, with_two};

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_keyboard_alone_is_enough() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = &Player::visit(&driver, &table.address, "en");
    let ola = &Player::visit(&driver, &table.address, "pl");
    for (player, name) in [(ann, "Ann"), (ola, "Ola")] {
        player.tab_to("name");
        player.press(name.chars().chain([ENTER]));
        player.wait("document.body.dataset.stage === 'lobby'");
        player.wait("document.activeElement.localName === 'h1'");
        // The keys for a decision do nothing where there is nothing to decide.
        player.press(['p', 'f', TAB, ENTER]);
    }
    ann.heading("Your card is dealt");
    ola.heading("Twoja karta jest na stole");
    ann.press(['p']);
    ann.heading("You play");
    ola.press(['F']);
    ola.heading("Tracisz 3 żetony");
    ann.heading("You win 3 tokens");
    for player in [ann, ola] {
        player.press([TAB, ENTER]);
    }
    ann.dealt();
    ola.dealt();
    ann.tab_to("fold");
    ann.press([ENTER]);
    ann.heading("You fold");
    ola.tab_to("play");
    ola.press([' ']);
    ola.heading("Wygrywasz 3 żetony");
    ann.heading("You lose 3 tokens");
    ann.tab_to("another");
    ann.press([ENTER]);
    ann.heading("Choose a game");
    ann.press([TAB, TAB, ENTER]);
    ann.heading("Waiting for an opponent");
    ann.press([ESCAPE]);
    ann.heading("Choose a game");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_language_can_be_changed_in_the_middle_of_a_game() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        assert_eq!(ola.value("document.documentElement.lang"), "pl");
        ann.meet(ola, "single");
        let english = ann.cards("#game-yours");
        ann.click("[data-lang=pl]");
        ann.heading("Twoja karta jest na stole");
        assert_eq!(ann.cards("#game-yours"), [polish(&english[0])]);
        assert_eq!(ann.value("document.documentElement.lang"), "pl");
        assert_eq!(ann.value("document.title"), "Wojna: stół karciany");
        ann.wait("document.querySelector('#link').hidden");
        ann.reload();
        ann.heading("Twoja karta jest na stole");
        ann.click("#fold");
        ola.click("#play");
        ann.heading("Tracisz 3 żetony");
    });
}
