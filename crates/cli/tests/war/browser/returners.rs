//! Players who come back after a game: they find the lobby, and their result if they have missed it.
//! After their first game, they are offered sounds.

use super::table::{Player, Table, with_two};

/// Plays a game in which both fold, and waits for both results.
fn fold_both(ann: &Player, ola: &Player) {
    ann.meet(ola, "single");
    for player in [ann, ola] {
        player.click("#fold");
    }
    for player in [ann, ola] {
        player.wait("document.body.dataset.stage === 'result'");
    }
}

/// Script that returns the shown section, and whether the bar leads to a result.
const SHOWN: &str = "[document.querySelector('main > section:not([hidden])').dataset.stage,
    !document.querySelector('#away').hidden].join()";

/// Opens the home page as on the next day.
#[track_caller]
fn come_back(player: &Player, table: &Table, shown: &str) {
    player.go("about:blank");
    player.go(&table.address);
    player.wait("document.body?.dataset.stage === 'result'");
    player.wait(&format!("{SHOWN} === '{shown}'"));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn players_who_come_back_find_the_lobby() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "5"]);
    with_two(&table, |ann, ola| {
        fold_both(ann, ola);
        // Ann has seen her result: she may choose a game at once.
        come_back(ann, &table, "lobby,false");
        assert_eq!(
            ann.value("document.querySelector('[data-game]').disabled"),
            false
        );
        // Ola leaves before her next game is over.
        ola.click("#another");
        ann.meet(ola, "single");
        ola.go("about:blank");
        ann.click("#play");
        ann.wait_for_heading("You win 3 tokens");
        come_back(ola, &table, "lobby,true");
        ola.wait_for_text(
            "#away-text",
            "Twoja ostatnia gra się skończyła. Tracisz 3 żetony.",
        );
        ola.check_layout("away-result-pl");
        ola.click("#away-back");
        ola.wait_for_heading("Tracisz 3 żetony");
        come_back(ola, &table, "lobby,false");
        // The notice of a result can also be closed, for good.
        ann.click("#again");
        ola.choose("single");
        ola.wait_until_dealt();
        ola.go("about:blank");
        ann.wait_until_ready();
        ann.click("#play");
        ann.wait("document.body.dataset.stage === 'result'");
        come_back(ola, &table, "lobby,true");
        ola.click("#away-close");
        ola.wait(&format!("{SHOWN} === 'lobby,false'"));
        ola.reload();
        ola.wait("document.body?.dataset.stage === 'lobby'");
        ola.wait(&format!("{SHOWN} === 'lobby,false'"));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn sounds_are_offered_once_after_the_first_game() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let is_offered = |player: &Player| player.value("!document.querySelector('#offer').hidden");
        assert_eq!(is_offered(ann), false);
        fold_both(ann, ola);
        assert_eq!([ann, ola].map(is_offered), [true, true]);
        ann.resize(1366, 768);
        ann.click("#offer-take");
        ann.wait("JSON.parse(localStorage['war-alerts'] ?? '{}').sound === true");
        ola.resize(1366, 768);
        ola.click("#offer-leave");
        for player in [ann, ola] {
            player.wait("document.querySelector('#offer').hidden");
            player.click("#another");
        }
        fold_both(ann, ola);
        assert_eq!([ann, ola].map(is_offered), [false, false]);
        assert_eq!(ola.value("localStorage['war-alerts'] ?? 'none'"), "none");
    });
}
