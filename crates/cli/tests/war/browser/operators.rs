//! An operator's actions, as the page shows them to the player.

use super::table::{Table, with_two};
use rusqlite::Connection;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_page_shows_what_the_operator_did() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        table.operate(&["adjust", "1", "50", "--reason", "found a bug"]);
        ann.wait_for_text(
            "#error-text",
            "The operator of the table gave you 50 tokens: found a bug",
        );
        assert_eq!(ann.number("#balance-tokens"), 1050);
        ann.meet(ola, "single");
        // The result is right even after an adjustment and a reload in the middle of a game.
        table.operate(&["adjust", "2", "-2", "--reason", "za dużo"]);
        ola.wait_for_text(
            "#error-text",
            "Operator stołu odjął Ci 2 żetony. Powód: za dużo",
        );
        ola.reload();
        ola.wait_for_heading("Twoja karta jest na stole");
        ann.play_out(ola);
        for player in [ann, ola] {
            player.wait_for_text("#verdict", &player.lang("verified", "zweryfikowane"));
        }
        let tokens = ann.number("#balance-tokens") + ola.number("#balance-tokens");
        assert_eq!(tokens, 2048);
        // The messages of the game are removed, and the page goes on without them.
        let store = Connection::open(table.sandbox.path("table.db")).expect("the store");
        let aged = "UPDATE outbox SET at = at - 40 * 86400000";
        store.execute_batch(aged).expect("messages");
        table.operate(&["retain", "--messages", "30d", "--events", "forever"]);
        let before = ann.number("#balance-tokens");
        ann.reload();
        ann.wait_for_heading("Choose a game");
        ann.wait("document.querySelector('#link').hidden");
        assert_eq!(ann.number("#balance-tokens"), before);
        assert_eq!(ann.value("document.querySelector('#alarm').hidden"), true);
        table.operate(&["rename", "2", "Aleksandra"]);
        ola.click("#another");
        ola.reload();
        ola.wait_for_heading("Wybierz grę");
        ola.wait_for_text("#greeting", "Witaj, Aleksandra. Twój numer gracza to 2.");
        table.operate(&["ban", "1"]);
        ann.wait_for_heading("Take a seat");
        ann.wait_for_text("#error-text", "you are banned from this table");
        table.operate(&["forget", "2"]);
        ola.wait_for_text(
            "#error-text",
            "to konto usunięto, a jego klucz już nie działa",
        );
    });
}
