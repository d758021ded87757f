//! Pages other than the table itself: addresses, navigation, and the settings, where players manage
//! their name and their key.

use super::driver::Driver;
use super::table::{Player, Table, with_browser, with_two};

/// Pages with their addresses, and their titles in English and Polish.
const PAGES: [(&str, &str, &str); 4] = [
    ("/how-to-play", "How to play", "Jak grać"),
    ("/fair", "Why we can't cheat", "Dlaczego nie możemy oszukać"),
    ("/settings", "Settings", "Ustawienia"),
    ("/", "War: the card table", "Wojna: stół karciany"),
];

/// Follows the link to a page.
#[track_caller]
fn follow_link(player: &Player, path: &str) {
    let page = path.strip_prefix('/').filter(|page| !page.is_empty());
    let page = page.unwrap_or(".");
    player.click(&format!(":is(header, footer) a[href=\"{page}\"]"));
}

/// Waits until only this page is shown.
#[track_caller]
fn assert_shown(player: &Player, path: &str, section: &str) {
    player.wait(&format!(
        "location.pathname === '{path}'
            && document.querySelector('main > section:not([hidden])')?.dataset.stage === '{section}'"
    ));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_page_has_an_address_a_title_and_a_back_link() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        for player in [ann, ola] {
            for (path, english, polish) in PAGES {
                follow_link(player, path);
                let title = player.value("document.title");
                assert_eq!(title, player.lang(english, polish), "{path}");
                player.wait("document.activeElement.matches('section:not([hidden]) h1')");
                player.check_layout(
                    &player
                        .lang("page-en", "page-pl")
                        .replace("page", &path.replace('/', "page-")),
                );
            }
            // The pages can also be reached by address, and with the browser's own buttons.
            player.go(&format!("http://{}/fair", table.host()));
            assert_shown(player, "/fair", "fair");
            follow_link(player, "/settings");
            assert_shown(player, "/settings", "settings");
            player.run("history.back()");
            assert_shown(player, "/fair", "fair");
            player.run("history.forward()");
            assert_shown(player, "/settings", "settings");
            player.reload();
            assert_shown(player, "/settings", "settings");
            follow_link(player, "/");
            assert_shown(player, "/", "lobby");
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_running_game_calls_the_player_and_can_be_reopened() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.choose("single");
        assert_shown(ann, "/table", "waiting");
        follow_link(ann, "/how-to-play");
        ann.wait_for_text("#away-text", "You are at a table.");
        ola.choose("single");
        assert_shown(ola, "/table", "game");
        // The page takes Ann back to the table: her time to decide runs, whatever she reads.
        assert_shown(ann, "/table", "game");
        ann.wait_until_ready();
        // Players who go elsewhere see that the game goes on, and can return to it.
        ann.run("history.back()");
        assert_shown(ann, "/how-to-play", "how-to-play");
        ann.wait_for_text("#away-text", "It is your turn to decide.");
        assert_eq!(
            ann.value("document.title"),
            "Your turn! War: the card table"
        );
        ann.run("history.go(-2)");
        assert_shown(ann, "/", "lobby");
        assert_eq!(
            ann.value("document.querySelector('[data-game]').disabled"),
            true
        );
        ann.check_layout("away-en");
        ann.click("#away-back");
        assert_shown(ann, "/table", "game");
        // The table's commitment can be copied before the game is over.
        follow_link(ann, "/");
        follow_link(ann, "/fair");
        let committed = ann.text("#held-commitment");
        assert_eq!(committed.len(), 64);
        ann.check_layout("held-en");
        ann.click("#away-back");
        for player in [ann, ola] {
            player.click("#fold");
        }
        ann.wait("document.body.dataset.stage === 'result'");
        assert_eq!(ann.text("#fair-commitment"), "");
        ann.run("document.querySelector('#fair').open = true");
        ann.wait_for_text("#fair-commitment", &committed);
        // Going back does not close the result. Without a game, the address of the table shows the
        // lobby.
        ann.run("history.back()");
        ann.wait("document.body.dataset.stage === 'result'");
        ann.go(&format!("http://{}/table", table.host()));
        assert_shown(ann, "/table", "result");
        ann.click("#another");
        assert_shown(ann, "/", "lobby");
        ann.go(&format!("http://{}/table", table.host()));
        assert_shown(ann, "/", "lobby");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn going_back_stops_waiting() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, _| {
        ann.choose("single");
        assert_shown(ann, "/table", "waiting");
        ann.wait("!document.querySelector('#cancel').disabled");
        ann.run("history.back()");
        ann.wait("document.body.dataset.stage === 'lobby'");
        assert_shown(ann, "/", "lobby");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_name_changes_once_the_table_accepts_it() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        let rename = |name: &str| {
            follow_link(ann, "/settings");
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
        follow_link(ann, "/");
        ann.wait_for_text("#greeting", "Welcome, Anna. You are player 1.");
        ann.meet(ola, "single");
        ola.wait_for_text("#opponent", "Przeciwnik: Anna, gracz 1");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_account_key_gives_access_to_the_account() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = Player::open(&driver, &table.address, "en", "Ann");
    table.operate(&["adjust", "1", "50", "--reason", "a test"]);
    ann.wait("document.querySelector('#balance-tokens').innerText === '1,050'");
    follow_link(&ann, "/settings");
    assert_eq!(ann.text("#key-value"), "");
    ann.click("#key-show");
    let key = ann.text("#key-value");
    assert_eq!(
        ann.value("JSON.parse(localStorage['war-table']).token"),
        key
    );
    ann.check_layout("settings-en");
    // A change of the fragment alone would not load the page again.
    let link = ann.text("#key-link").replace("/#", "/?#");
    ann.click("#key-show");
    ann.wait("document.querySelector('#key-shown').hidden");
    // Another device: the link asks for confirmation. A file without a key is refused, and then the
    // key is accepted.
    with_browser(&table, "pl", "Ola", |ola| {
        let opens = |button: &str| {
            ola.go(&link);
            ola.wait("document.querySelector('#offered').open");
            assert_eq!(ola.value("location.hash"), "");
            ola.wait_for_text("#offered-lead", "Otwarty link zawiera klucz konta „Ann”.");
            ola.click(button);
        };
        opens("#offered-leave");
        ola.wait("!document.querySelector('#offered').open");
        ola.wait_for_text("#greeting", "Witaj, Ola. Twój numer gracza to 2.");
        opens("#offered-take");
        ola.wait_for_text("#greeting", "Witaj, Ann. Twój numer gracza to 1.");
        follow_link(ola, "/settings");
        for wrong in ["", "{}", "{\"name\":\"Ann\",\"token\":\"00\"}"] {
            ola.choose_file("#key-file", &table.sandbox.write("key.json", wrong));
            ola.wait_for_text("#error-text", "W tym pliku nie ma klucza konta.");
            ola.click("#dismiss");
        }
        let file = format!("{{\"name\":\"Ann\",\"token\":\"{key}\"}}");
        ola.choose_file("#key-file", &table.sandbox.write("key.json", file));
        ola.wait_for_text("#greeting", "Witaj, Ann. Twój numer gracza to 1.");
        ola.wait("document.querySelector('#balance-tokens').innerText === '1050'");
        assert_eq!(ola.value("document.querySelector('#alarm').hidden"), true);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn motion_is_reduced_on_request() {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "en", "Ann", |ann| {
        let moves = "getComputedStyle(document.querySelector('.dealing .card')).animationDuration";
        let features = serde_json::json!({
            "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }],
        });
        ann.command("Emulation.setEmulatedMedia", &features);
        assert_eq!(ann.value(moves), "1.8s");
        follow_link(ann, "/settings");
        ann.click("#settings-calm");
        assert_eq!(ann.value(moves), "1e-05s");
        ann.reload();
        ann.wait("document.querySelector('#settings-calm').checked");
        assert_eq!(ann.value(moves), "1e-05s");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn players_are_forgotten_once_they_have_confirmed_it() {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.click("footer [data-go=settings]");
        ann.click("#forget");
        ann.check_layout("forget-en");
        ann.click("#forget-no");
        ann.wait("document.querySelector('#forget-sure').hidden");
        ann.click("#forget");
        ann.click("#forget-yes");
        ann.wait("location.pathname === '/' && document.body.dataset.stage === 'join'");
        ann.wait(
            "Object.keys(localStorage).filter((key) => /table|seeds|held/.test(key)).length === 0",
        );
        ann.sit_down("Ann");
        ann.wait_for_text("#greeting", "Welcome, Ann. You are player 2.");
    });
}
