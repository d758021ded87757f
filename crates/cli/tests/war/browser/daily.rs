//! The daily duel on the page: ten decisions, their score, and the check of an earlier duel.

use super::driver::Driver;
use super::table::{Player, Table};
use crate::table::daily::{wait_for_leaves, with_duels};
use serde_json::{Value, json};

/// What a player must see to decide on a hand.
const DECISION: &str =
    "#daily-lead, #daily-hand li, #daily-play, #daily-fold, #daily-play-bet, #daily-fold-bet";

/// Table with the duels of the day before yesterday and of today.
pub(super) fn open() -> Table {
    let mut table = Table::open(&["--bots", "0"]);
    table.kill();
    with_duels(&table.sandbox);
    table.reopen();
    wait_for_leaves(&table.sandbox, 3);
    table
}

/// Opens the page of the duel.
pub(super) fn visit<'a>(driver: &'a Driver, table: &Table, lang: &str) -> Player<'a> {
    let player = Player::visit(driver, &table.address, lang);
    player.go(&format!("{}daily", table.address));
    player.wait("!document.querySelector('#daily-game').hidden");
    player
}

/// Decides on the next hand.
pub(super) fn decide(player: &Player, decision: &str) {
    player.wait("document.querySelector('#daily-play').ariaDisabled === 'false'");
    player.click(&format!("#daily-{decision}"));
}

/// A file that the table serves.
fn served(table: &Table, path: &str) -> Value {
    serde_json::from_str(&table.get(path)).expect("JSON")
}

/// Expected tokens of playing and of folding a hand, in hundredths.
fn values(table: &Table, hand: &Value) -> [f64; 2] {
    let mut ranks: Vec<_> = hand.as_array().expect("cards").iter().collect();
    let rank = |card: &&Value| {
        card.as_str()
            .expect("a card")
            .chars()
            .next()
            .expect("a rank")
    };
    ranks.sort_by_key(|card| std::cmp::Reverse("23456789TJQKA".find(rank(card))));
    let ranks: String = ranks.iter().map(rank).collect();
    let known = &served(table, "/hand-values.json")["double-card-game"][&ranks];
    [0, 1].map(|choice| (100.0 * known[choice].as_f64().expect("a number")).round())
}

/// Tokens as the page writes them in English, with a sign.
fn tokens(hundredths: f64) -> String {
    let text = format!("{:+}", hundredths / 100.0);
    text.replace('-', "−")
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn ten_hands_a_day_are_scored_by_the_coach() {
    let (driver, table) = (Driver::start(), open());
    let ann = visit(&driver, &table, "en");
    ann.check_visible("daily", DECISION);
    let hands = served(&table, "/daily.json")["hands"].clone();
    let (mut score, mut best, mut marks) = (0.0, 0.0, String::new());
    for (at, hand) in hands.as_array().expect("hands").iter().enumerate() {
        ann.wait_for_text("#daily-lead", &format!("Hand {} of 10", at + 1));
        ann.wait("document.querySelector('#daily-today').hidden");
        let [play, fold] = values(&table, hand);
        let (decision, value) = if at % 3 == 0 {
            ("play", play)
        } else {
            ("fold", fold)
        };
        score += value;
        best += play.max(fold);
        marks.push(if value < play.max(fold) { '✗' } else { '✓' });
        if at == 4 {
            // A player who comes back goes on where they were, and may use the keyboard.
            ann.reload();
            ann.wait_for_text("#daily-lead", "Hand 5 of 10");
            ann.wait("document.querySelector('#daily-play').ariaDisabled === 'false'");
            ann.press(['f']);
        } else {
            decide(&ann, decision);
        }
    }
    let (score, best) = (tokens(score), tokens(best));
    let told = format!("Your score: {score}. The best possible: {best}.");
    ann.wait_for_text("#daily-today-score", &told);
    let day = served(&table, "/daily.json")["day"].clone();
    let day = day.as_str().expect("a day");
    let address = format!("{}daily", table.address);
    let line = format!("War, daily duel of {day}: {score} (best {best}) {marks} {address}");
    ann.wait_for_text("#daily-line", &line);
    ann.wait("document.querySelector('#daily-today-verdict').textContent === 'not yet'");
    ann.wait("document.querySelector('#daily-game').hidden");
    ann.check_layout("daily-score-en");
    ann.reload();
    ann.wait_for_text("#daily-line", &line);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_earlier_duel_is_verified_once_it_is_opened() {
    let (driver, table) = (Driver::start(), open());
    let ola = visit(&driver, &table, "pl");
    let day = ola.value("new Date(Date.now() - 2 * 864e5).toISOString().slice(0, 10)");
    let day = day.as_str().expect("a day");
    let opened = served(&table, &format!("/daily/{day}.json"));
    let stored = |commitment: &Value| {
        let decisions: Vec<_> = ["play", "fold"].into_iter().cycle().take(10).collect();
        let record = json!([{
            "day": day, "commitment": commitment, "hands": opened["hands"], "decisions": decisions,
        }]);
        format!("localStorage.setItem('war-duels', JSON.stringify({record}))")
    };
    ola.run(&stored(&opened["commitment"]));
    ola.reload();
    // The log has not been checked before somebody sits down.
    ola.wait_for_text("#daily-last-verdict", "nie da się sprawdzić");
    ola.click("header a");
    ola.sit_down("Ola");
    ola.click("footer a[href=daily]");
    ola.wait_for_text("#daily-last-verdict", "zweryfikowane");
    ola.wait("document.querySelectorAll('#daily-last td a').length === 10");
    ola.check_layout("daily-opened-pl");
    ola.check_focus_stays("#daily-last td a");
    let journal = ola.value("document.querySelectorAll('#daily-last td a')[1].href");
    let journal = journal
        .as_str()
        .expect("an address")
        .replacen(&table.address, "/", 1);
    assert_eq!(journal, format!("/daily/{day}/2/fold/journal.json"));
    table.sandbox.write("journal.json", table.get(&journal));
    let commitment = opened["commitment"].as_str().expect("digits");
    let command = ola.value("document.querySelector('#daily-last-command').textContent");
    let command = command.as_str().expect("a command");
    assert_eq!(
        command,
        format!("war replay journal.json --expect-commitment {commitment}")
    );
    let arguments: Vec<_> = command.split(' ').skip(1).collect();
    table.sandbox.war(&arguments).exits_with(0);
    // This browser saw another commitment.
    ola.run(&stored(&json!("ab".repeat(32))));
    ola.reload();
    ola.wait_for_text("#daily-last-verdict", "NIE ZGADZA SIĘ");
    ola.wait("!document.querySelector('#alarm').hidden");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_that_was_closed_yesterday_has_no_duel() {
    let (driver, table) = (Driver::start(), Table::open(&["--bots", "0"]));
    let ann = Player::visit(&driver, &table.address, "en");
    ann.click("footer a[href=daily]");
    ann.wait(
        "document.querySelector('#daily-lead').textContent.startsWith('There is no duel today')",
    );
    ann.check_layout("daily-none-en");
}
