//! Situations that nobody may be stuck in: a request that did not arrive, and a lost network.

use super::driver::Driver;
use super::table::{Player, Table, with_two};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_request_withdrawn_while_disconnected_starts_no_game() {
    let mut table = Table::open(&["--bots", "1"]);
    let (driver, address) = (Driver::start(), table.address.clone());
    let ann = &Player::open(&driver, &address, "en", "Ann");
    let ola = &Player::open(&driver, &address, "pl", "Ola");
    // Ola waits, and the table has recorded her request. The house would soon play with her.
    ola.choose("single");
    ola.wait("document.body.dataset.stage === 'waiting'");
    table.kill();
    for player in [ann, ola] {
        player.wait("!document.querySelector('#link').hidden");
    }
    ann.choose("double");
    ann.wait_for_heading("Waiting for an opponent");
    ann.wait_for_text(
        "#waiting-lead",
        "Double-card game. The table will hear of it when the connection is back.",
    );
    ann.check_layout("unheard-en");
    ola.wait_for_text(
        "#waiting-lead",
        "Gra na jedną kartę. Karty zostaną rozdane, gdy tylko ktoś się dosiądzie.",
    );
    for player in [ann, ola] {
        player.click("#cancel");
    }
    ann.wait_for_heading("Choose a game");
    table.reopen();
    for player in [ann, ola] {
        player.reconnect();
    }
    ola.wait_for_heading("Wybierz grę");
    // Nobody waits any more, so the house starts no game.
    let health = table.wait_for_health(r#""waiting":0}"#);
    assert!(health.contains(r#""running":0,"#), "{health}");
    for player in [ann, ola] {
        assert_eq!(player.value("document.body.dataset.stage"), "lobby");
        assert_eq!(
            player.value("document.querySelector('#error').hidden"),
            true
        );
    }
    // A request that was not withdrawn is sent once the connection is back.
    table.kill();
    ann.wait("!document.querySelector('#link').hidden");
    ann.choose("double");
    ann.wait_for_heading("Waiting for an opponent");
    table.reopen();
    ann.reconnect();
    ann.wait_until_dealt();
}

/// Connects or disconnects the network between a player and the table.
fn network(player: &Player, there: bool) {
    player.command("Network.enable", &json!({}));
    let rates = json!({
        "offline": !there, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    player.command("Network.emulateNetworkConditions", &rates);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_lost_network_is_noticed_at_once() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        for (player, told) in [(ann, "You are offline."), (ola, "Brak internetu.")] {
            network(player, false);
            let gone = Instant::now();
            let text = "document.querySelector('#link-text').innerText";
            player.wait(&format!("{text}.startsWith('{told}')"));
            assert!(gone.elapsed() < Duration::from_secs(3), "{gone:?}");
            network(player, true);
            player.wait("document.querySelector('#link').hidden");
            player.click("#fold");
            player.wait("document.body.dataset.stage !== 'deciding'");
        }
        ann.wait_for_heading("You lose 1 token");
    });
}

/// Moves the page's calendar ahead, and records the messages that the page sends.
const LATER: &str = "
    const calendar = Date.now;
    window.ahead = 0;
    Date.now = () => calendar() + window.ahead;
    window.sent = [];
    window.WebSocket = class extends WebSocket {
        send(text) {
            sent.push(JSON.parse(text).type);
            super.send(text);
        }
    };
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_expired_request_is_never_sent() {
    let mut table = Table::open(&["--bots", "2"]);
    let (driver, address) = (Driver::start(), table.address.clone());
    for (lang, name, told) in [
        (
            "en",
            "Ann",
            "The connection was lost for a while, so you no longer wait for a game. Choose again.",
        ),
        (
            "pl",
            "Ola",
            "Połączenia nie było przez dłuższą chwilę, więc nie czekasz już na grę. Wybierz ją jeszcze raz.",
        ),
    ] {
        let player = &Player::open(&driver, &address, lang, name);
        player.prepare(LATER);
        player.reload();
        player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
        table.kill();
        player.wait("!document.querySelector('#link').hidden");
        player.choose("double");
        player.wait("document.body.dataset.stage === 'waiting'");
        // The connection stays lost for long, or the computer sleeps and wakes up.
        player.run("window.ahead = 31_000");
        player.wait_for_text("#error-text", told);
        player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
        player.check_layout(&format!("expired-{lang}"));
        table.reopen();
        player.wait("document.querySelector('#link').hidden");
        assert_eq!(player.value("sent.includes('choose')"), false);
        player.choose("double");
        player.wait_until_dealt();
    }
}
