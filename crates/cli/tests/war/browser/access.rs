//! The page without a mouse, and in another language.

use super::driver::{Driver, ENTER, ESCAPE, MODIFIERS, TAB};
use super::polish;
use super::table::{Player, Table, with_two};
use serde_json::Value;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_keyboard_alone_is_enough() {
    // Enough time that nobody folds by running out of it.
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    let driver = Driver::start();
    let ann = &Player::visit(&driver, &table.address, "en");
    let ola = &Player::visit(&driver, &table.address, "pl");
    for (player, name) in [(ann, "Ann"), (ola, "Ola")] {
        player.fits(&player.lang("join-en", "join-pl"));
        player.tab_to("name");
        player.press(name.chars().chain([ENTER]));
        player.wait("document.body.dataset.stage === 'lobby'");
        player.wait("document.activeElement.localName === 'h1'");
        player.settled();
        // The keys for a decision do nothing where there is nothing to decide.
        player.press(['p', 'f', TAB, TAB, ENTER]);
    }
    ann.heading("Here is your card");
    ola.heading("Twoja karta jest na stole");
    ann.ready();
    ola.ready();
    ann.press(['p']);
    ann.heading("You play");
    ola.press(['p']);
    ola.heading("Tracisz 3 żetony");
    ann.heading("You win 3 tokens");
    for player in [ann, ola] {
        player.tab_to("again");
        player.press([ENTER]);
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
    ann.settled();
    ann.press([TAB, TAB, TAB, ENTER]);
    ann.heading("Waiting for an opponent");
    ann.press([ESCAPE]);
    ann.heading("Choose a game");
}

/// Checks that there still is something to decide, and nothing on its way.
#[track_caller]
fn undecided(player: &Player) {
    assert_eq!(player.value("document.body.dataset.stage"), "deciding");
    let play = "document.querySelector('#play').getAttribute('aria-disabled')";
    assert_eq!(player.value(play), "false");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn keys_decide_only_where_they_are_meant_to() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let to_heading = "document.querySelector('section:not([hidden]) h1').focus()";
        let shortcut = "document.querySelector('#play').getAttribute('aria-keyshortcuts')";
        ann.meet(ola, "single");
        for modifier in MODIFIERS {
            ann.press_with(modifier, 'f');
            undecided(ann);
        }
        let held = "new KeyboardEvent('keydown', { key: 'f', repeat: true, bubbles: true })";
        ann.run(&format!("document.body.dispatchEvent({held})"));
        undecided(ann);
        ann.shows("#game-keys + span", "Keys P (play) and F (fold)");
        ola.shows("#game-keys + span", "Klawisze: G (gram) i P (pasuję)");
        for (player, keys) in [(ann, ["P", "F"]), (ola, ["G", "P"])] {
            for (button, key) in ["#play", "#fold"].into_iter().zip(keys) {
                player.shows(&format!("{button} kbd"), key);
                // A key is the letter of its own word.
                assert!(player.text(button).starts_with(key));
            }
        }
        // The keys of English mean nothing in Polish.
        ola.press(['f']);
        undecided(ola);
        for player in [ann, ola] {
            assert_eq!(player.value(shortcut), player.lang("P", "G"));
            player.tab_to("game-keys");
            player.press(['f', 'g', 'p']);
            undecided(player);
            player.press([' ']);
            player.wait("document.querySelector('#play kbd').hidden");
            assert_eq!(player.value(shortcut), Value::Null);
            player.fits(&player.lang("keys-off-en", "keys-off-pl"));
            player.run(to_heading);
            player.press(['f', 'g', 'p']);
            undecided(player);
            player.reload();
            player.dealt();
            player.press(['f', 'g', 'p']);
            undecided(player);
            player.tab_to("game-keys");
            player.press([' ']);
            player.wait("!document.querySelector('#play kbd').hidden");
            player.run(to_heading);
        }
        ann.press(['p']);
        ann.heading("You play");
        ola.press(['p']);
        ola.heading("Tracisz 3 żetony");
        ann.heading("You win 3 tokens");
        ann.click("#another");
        // People who use speech input can switch them off before anything is at stake.
        ann.click("#lobby-keys");
        ann.wait("!document.querySelector('#game-keys').checked");
        // Where there is no keyboard, nobody speaks of keys.
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
            // They can call it up again, and it stays.
            player.click("#guide summary");
            player.click(&player.lang("[data-lang=pl]", "[data-lang=en]"));
            player.wait(open);
            player.fits(&player.lang("guide-pl", "guide-en"));
        }
    });
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
        assert_eq!(ann.value("document.title"), "Przy stole – Wojna");
        ann.wait("document.querySelector('#link').hidden");
        ann.reload();
        ann.heading("Twoja karta jest na stole");
        ann.click("#fold");
        ola.click("#play");
        ann.heading("Tracisz 3 żetony");
    });
}
