//! The page without a mouse, and in the other language.

use super::driver::{Driver, ENTER, ESCAPE, MODIFIERS, TAB};
use super::polish;
use super::table::{Player, Table, with_two};
use serde_json::Value;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_keyboard_alone_is_sufficient() {
    // Enough time that nobody runs out of it and folds.
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    let driver = Driver::start();
    let ann = &Player::visit(&driver, &table.address, "en");
    let ola = &Player::visit(&driver, &table.address, "pl");
    for (player, name) in [(ann, "Ann"), (ola, "Ola")] {
        player.check_layout(&player.lang("join-en", "join-pl"));
        player.tab_to("name");
        player.press(name.chars().chain([ENTER]));
        player.wait("document.body.dataset.stage === 'lobby'");
        player.wait("document.activeElement.localName === 'h1'");
        player.wait_until_settled();
        // Decision keys do nothing while there is nothing to decide.
        player.press(['p', 'f', TAB, TAB, ENTER]);
    }
    ann.wait_for_heading("Here is your card");
    ola.wait_for_heading("Twoja karta jest na stole");
    ann.wait_until_ready();
    ola.wait_until_ready();
    ann.press(['p']);
    ann.wait_for_heading("You play");
    ola.press(['p']);
    ola.wait_for_heading("Tracisz 3 żetony");
    ann.wait_for_heading("You win 3 tokens");
    for player in [ann, ola] {
        player.tab_to("again");
        player.press([ENTER]);
    }
    ann.wait_until_dealt();
    ola.wait_until_dealt();
    ann.tab_to("fold");
    ann.press([ENTER]);
    ann.wait_for_heading("You fold");
    ola.tab_to("play");
    ola.press([' ']);
    ola.wait_for_heading("Wygrywasz 3 żetony");
    ann.wait_for_heading("You lose 3 tokens");
    ann.tab_to("another");
    ann.press([ENTER]);
    ann.wait_for_heading("Choose a game");
    ann.wait_until_settled();
    ann.press([TAB, TAB, TAB, ENTER]);
    ann.wait_for_heading("Waiting for an opponent");
    ann.press([ESCAPE]);
    ann.wait_for_heading("Choose a game");
}

/// Checks that a decision is still open and none has been sent.
#[track_caller]
fn assert_undecided(player: &Player) {
    assert_eq!(player.value("document.body.dataset.stage"), "deciding");
    let play = "document.querySelector('#play').getAttribute('aria-disabled')";
    assert_eq!(player.value(play), "false");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn keys_decide_only_while_a_decision_is_open() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let to_heading = "document.querySelector('section:not([hidden]) h1').focus()";
        let shortcut = "document.querySelector('#play').getAttribute('aria-keyshortcuts')";
        ann.meet(ola, "single");
        for modifier in MODIFIERS {
            ann.press_with(modifier, 'f');
            assert_undecided(ann);
        }
        let held = "new KeyboardEvent('keydown', { key: 'f', repeat: true, bubbles: true })";
        ann.run(&format!("document.body.dispatchEvent({held})"));
        assert_undecided(ann);
        ann.wait_for_text("#game-keys + span", "Keys P (play) and F (fold)");
        ola.wait_for_text("#game-keys + span", "Klawisze: G (gram) i P (pasuję)");
        for (player, keys) in [(ann, ["P", "F"]), (ola, ["G", "P"])] {
            for (button, key) in ["#play", "#fold"].into_iter().zip(keys) {
                player.wait_for_text(&format!("{button} kbd"), key);
                // Each key is the first letter of its button's text.
                assert!(player.text(button).starts_with(key));
            }
        }
        // The keys for English do nothing in Polish.
        ola.press(['f']);
        assert_undecided(ola);
        // On a keyboard of another alphabet, the place of the key counts.
        let cyrillic = |key: &str, code: &str| {
            format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', code: '{code}', bubbles: true }}))"
            )
        };
        ann.run(&cyrillic("r", "KeyP"));
        assert_undecided(ann);
        for player in [ann, ola] {
            assert_eq!(player.value(shortcut), player.lang("P", "G"));
            player.tab_to("game-keys");
            player.press(['f', 'g', 'p']);
            assert_undecided(player);
            player.press([' ']);
            player.wait("document.querySelector('#play kbd').hidden");
            assert_eq!(player.value(shortcut), Value::Null);
            player.check_layout(&player.lang("keys-off-en", "keys-off-pl"));
            player.run(to_heading);
            player.press(['f', 'g', 'p']);
            assert_undecided(player);
            player.reload();
            player.wait_until_dealt();
            player.press(['f', 'g', 'p']);
            assert_undecided(player);
            player.tab_to("game-keys");
            player.press([' ']);
            player.wait("!document.querySelector('#play kbd').hidden");
            player.run(to_heading);
        }
        ann.run(&cyrillic("з", "KeyP"));
        ann.wait_for_heading("You play");
        ola.press(['p']);
        ola.wait_for_heading("Tracisz 3 żetony");
        ann.wait_for_heading("You win 3 tokens");
        ann.click("#another");
        // Speech input users can turn the keys off before anything is at stake.
        ann.click("#lobby-keys");
        ann.wait("!document.querySelector('#game-keys').checked");
        // Without a keyboard, the page mentions no keys.
        let spoken_of = "[...document.querySelectorAll('.keyboard')]
            .filter((part) => part.checkVisibility()).length";
        assert_eq!(ann.value(spoken_of), 1);
        ann.touch();
        ann.wait(&format!("{spoken_of} === 0"));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn newcomers_are_guided_until_they_have_finished_a_game() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        let lines = |player: &Player| player.text("#guide ol");
        assert!(lines(ann).contains("The same happens when time runs out."));
        assert!(lines(ola).contains("Tak samo, gdy skończy się czas."));
        let open = "document.querySelector('#guide').open";
        ann.meet(ola, "single");
        for player in [ann, ola] {
            player.click("#fold");
        }
        for player in [ann, ola] {
            player.wait("document.body.dataset.stage === 'result'");
            player.click("#another");
            player.wait("document.body.dataset.stage === 'lobby'");
            assert_eq!(player.value(open), false);
            player.reload();
            player.wait("document.body.dataset.stage === 'lobby'");
            assert_eq!(player.value(open), false);
            // The guide can be opened again, and stays open when the language changes.
            player.click("#guide summary");
            player.click(&player.lang("[data-lang=pl]", "[data-lang=en]"));
            player.wait(open);
            player.check_layout(&player.lang("guide-pl", "guide-en"));
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_language_can_be_changed_in_the_middle_of_a_game() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        assert_eq!(ola.value("document.documentElement.lang"), "pl");
        ann.wait_for_text(".war", "War");
        ola.wait_for_text(".war", "Wojna");
        ann.meet(ola, "single");
        let english = ann.cards("#game-yours");
        ann.click("[data-lang=pl]");
        ann.wait_for_heading("Twoja karta jest na stole");
        assert_eq!(ann.cards("#game-yours"), [polish(&english[0])]);
        assert_eq!(ann.value("document.documentElement.lang"), "pl");
        assert_eq!(ann.value("document.title"), "Przy stole – Wojna");
        ann.wait("document.querySelector('#link').hidden");
        ann.reload();
        ann.wait_for_heading("Twoja karta jest na stole");
        ann.click("#fold");
        ola.click("#play");
        ann.wait_for_heading("Tracisz 3 żetony");
    });
}
