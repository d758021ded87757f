//! The pages beside the table: their addresses, the way back and forward, and settings.

use super::driver::Driver;
use super::table::{Player, Table, with_browser, with_two};

/// The pages with their addresses, and their titles in English and Polish.
const PAGES: [(&str, &str, &str); 4] = [
    ("/how-to-play", "How to play", "Jak grać"),
    ("/fair", "Why we can't cheat", "Dlaczego nie możemy oszukać"),
    ("/settings", "Settings", "Ustawienia"),
    ("/", "War: the card table", "Wojna: stół karciany"),
];

/// Follows the link to a page.
#[track_caller]
fn goes(player: &Player, path: &str) {
    player.click(&format!(":is(header, footer) a[href=\"{path}\"]"));
}

/// Waits until this page is shown, and nothing else.
#[track_caller]
fn is_at(player: &Player, path: &str, section: &str) {
    player.wait(&format!(
        "location.pathname === '{path}'
            && document.querySelector('main > section:not([hidden])')?.dataset.stage === '{section}'"
    ));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_page_has_an_address_a_title_and_a_way_back() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        for player in [ann, ola] {
            for (path, english, polish) in PAGES {
                goes(player, path);
                let title = player.value("document.title");
                assert_eq!(title, player.lang(english, polish), "{path}");
                player.wait("document.activeElement.matches('section:not([hidden]) h1')");
                player.fits(
                    &player
                        .lang("page-en", "page-pl")
                        .replace("page", &path.replace('/', "page-")),
                );
            }
            // The same by its address, and by the browser's own buttons.
            player.go(&format!("http://{}/fair", table.host()));
            is_at(player, "/fair", "fair");
            goes(player, "/settings");
            is_at(player, "/settings", "settings");
            player.run("history.back()");
            is_at(player, "/fair", "fair");
            player.run("history.forward()");
            is_at(player, "/settings", "settings");
            player.reload();
            is_at(player, "/settings", "settings");
            goes(player, "/");
            is_at(player, "/", "lobby");
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_calls_the_player_and_is_found_again() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.choose("single");
        is_at(ann, "/table", "waiting");
        goes(ann, "/how-to-play");
        ann.shows("#away-text", "You are at a table.");
        ola.choose("single");
        is_at(ola, "/table", "game");
        // Whatever Ann reads: the time to decide is running.
        is_at(ann, "/table", "game");
        ann.ready();
        // Those who go elsewhere see that it goes on, and find back.
        ann.run("history.back()");
        is_at(ann, "/how-to-play", "how-to-play");
        ann.shows("#away-text", "It is your turn to decide.");
        assert_eq!(
            ann.value("document.title"),
            "Your turn! War: the card table"
        );
        ann.run("history.go(-2)");
        is_at(ann, "/", "lobby");
        assert_eq!(
            ann.value("document.querySelector('[data-game]').disabled"),
            true
        );
        ann.fits("away-en");
        ann.click("#away-back");
        is_at(ann, "/table", "game");
        // What the table is committed to can be copied before the game is over.
        goes(ann, "/");
        goes(ann, "/fair");
        let committed = ann.text("#held-commitment");
        assert_eq!(committed.len(), 64);
        ann.fits("held-en");
        ann.click("#away-back");
        for player in [ann, ola] {
            player.click("#fold");
        }
        ann.wait("document.body.dataset.stage === 'result'");
        assert_eq!(ann.text("#fair-commitment"), "");
        ann.run("document.querySelector('#fair').open = true");
        ann.shows("#fair-commitment", &committed);
        // Going back leaves the result behind; a table without a game is the lobby.
        ann.run("history.back()");
        ann.wait("document.body.dataset.stage === 'result'");
        ann.go(&format!("http://{}/table", table.host()));
        is_at(ann, "/table", "result");
        ann.click("#another");
        is_at(ann, "/", "lobby");
        ann.go(&format!("http://{}/table", table.host()));
        is_at(ann, "/", "lobby");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn going_back_stops_waiting() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, _| {
        ann.choose("single");
        is_at(ann, "/table", "waiting");
        ann.wait("!document.querySelector('#cancel').disabled");
        ann.run("history.back()");
        ann.wait("document.body.dataset.stage === 'lobby'");
        is_at(ann, "/", "lobby");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_name_is_changed_where_the_table_agrees() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        let rename = |name: &str| {
            goes(ann, "/settings");
            ann.run(&format!(
                "document.querySelector('#settings-name').value = '{name}'"
            ));
            ann.click("#settings-form button");
        };
        rename("Anna");
        ann.wait("JSON.parse(localStorage['war-table']).name === 'Anna'");
        // The house's names are refused, and nothing changes.
        rename("House 1");
        ann.wait(
            "document.querySelector('#error-text').innerText.includes('that is the computer')",
        );
        ann.wait("document.querySelector('#link').hidden");
        goes(ann, "/");
        ann.shows("#greeting", "Welcome, Anna. You are player 1.");
        ann.meet(ola, "single");
        ola.shows("#opponent", "Przeciwnik: Anna, gracz 1");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_key_of_an_account_is_the_account() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = Player::open(&driver, &table.address, "en", "Ann");
    table.operate(&["adjust", "1", "50", "--reason", "a test"]);
    ann.wait("document.querySelector('#balance-tokens').innerText === '1,050'");
    goes(&ann, "/settings");
    assert_eq!(ann.text("#key-value"), "");
    ann.click("#key-show");
    let key = ann.text("#key-value");
    assert_eq!(
        ann.value("JSON.parse(localStorage['war-table']).token"),
        key
    );
    ann.fits("settings-en");
    // What is behind # loads nothing by itself.
    let link = ann.text("#key-link").replace("/#", "/?#");
    ann.click("#key-show");
    ann.wait("document.querySelector('#key-shown').hidden");
    // Another device: the link asks first; what is in no file of a key is refused, and the key is taken.
    with_browser(&table, "pl", "Ola", |ola| {
        let opens = |button: &str| {
            ola.go(&link);
            ola.wait("document.querySelector('#offered').open");
            assert_eq!(ola.value("location.hash"), "");
            ola.shows("#offered-lead", "Otwarty link zawiera klucz konta „Ann”.");
            ola.click(button);
        };
        opens("#offered-leave");
        ola.wait("!document.querySelector('#offered').open");
        ola.shows("#greeting", "Witaj, Ola. Twój numer gracza to 2.");
        opens("#offered-take");
        ola.shows("#greeting", "Witaj, Ann. Twój numer gracza to 1.");
        goes(ola, "/settings");
        for wrong in ["", "{}", "{\"name\":\"Ann\",\"token\":\"00\"}"] {
            ola.choose_file("#key-file", &table.place.write("key.json", wrong));
            ola.shows("#error-text", "W tym pliku nie ma klucza konta.");
            ola.click("#dismiss");
        }
        let file = format!("{{\"name\":\"Ann\",\"token\":\"{key}\"}}");
        ola.choose_file("#key-file", &table.place.write("key.json", file));
        ola.shows("#greeting", "Witaj, Ann. Twój numer gracza to 1.");
        ola.wait("document.querySelector('#balance-tokens').innerText === '1050'");
        assert_eq!(ola.value("document.querySelector('#alarm').hidden"), true);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn motion_is_less_for_those_who_want_it_so() {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "en", "Ann", |ann| {
        let moves = "getComputedStyle(document.querySelector('.dealing .card')).animationDuration";
        let features = serde_json::json!({
            "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }],
        });
        ann.command("Emulation.setEmulatedMedia", &features);
        assert_eq!(ann.value(moves), "1.8s");
        goes(ann, "/settings");
        ann.click("#settings-calm");
        assert_eq!(ann.value(moves), "1e-05s");
        ann.reload();
        ann.wait("document.querySelector('#settings-calm').checked");
        assert_eq!(ann.value(moves), "1e-05s");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn players_are_forgotten_when_they_have_said_so_twice() {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.click("footer [data-go=settings]");
        ann.click("#forget");
        ann.fits("forget-en");
        ann.click("#forget-no");
        ann.wait("document.querySelector('#forget-sure').hidden");
        ann.click("#forget");
        ann.click("#forget-yes");
        ann.wait("location.pathname === '/' && document.body.dataset.stage === 'join'");
        ann.wait(
            "Object.keys(localStorage).filter((key) => /table|seeds|held/.test(key)).length === 0",
        );
        ann.sit_down("Ann");
        ann.shows("#greeting", "Welcome, Ann. You are player 2.");
    });
}
