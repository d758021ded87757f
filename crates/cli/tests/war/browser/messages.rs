//! Messages that the page sends, and its handling of a table that closes or is newer.

use super::driver::Driver;
use super::table::{Player, Table, with_browser, with_two};
use serde_json::{Value, json};
use war::support::hex::Hex;
use war::tokens::commitment;

/// Records the messages that the page sends, with its stored data at that moment. Messages of the
/// types in `lost` never arrive.
const LISTEN: &str = "
    window.sent = [];
    window.WebSocket = class extends WebSocket {
        send(text) {
            sent.push({ ...JSON.parse(text), kept: localStorage.getItem('war-table') });
            super.send(text);
        }
        set onmessage(take) {
            super.onmessage = (event) => {
                if (!(window.lost ?? []).includes(JSON.parse(event.data).type)) take(event);
            };
        }
    };
";

/// Messages of a type that the page has sent.
fn sent(player: &Player, kind: &str) -> Vec<Value> {
    let sent = player.value(&format!("sent.filter(({{ type }}) => type === '{kind}')"));
    sent.as_array().expect("a list").clone()
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_token_is_generated_and_stored_before_it_is_sent() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = &Player::visit(&driver, &table.address, "en");
    ann.prepare(&format!("{LISTEN} window.lost = ['welcome'];"));
    ann.reload();
    ann.wait("document.body.dataset.stage === 'join'");
    ann.fill_in("Ann");
    ann.wait("sent.length > 0");
    let token = |hello: &Value| {
        assert_eq!(
            [&hello["type"], &hello["protocol"]],
            [&json!("hello"), &json!(4)]
        );
        let token = hello["token"].as_str().expect("a token").to_owned();
        assert!(token.parse::<Hex<32>>().is_ok(), "{token}");
        let kept = hello["kept"].as_str().expect("something kept");
        assert!(kept.contains(&token), "{kept}");
        token
    };
    let first = token(&sent(ann, "hello")[0]);
    // The answer never came: the same player asks again.
    ann.prepare("window.lost = [];");
    ann.reload();
    ann.wait_for_heading("Choose a game");
    assert_eq!(token(&sent(ann, "hello")[0]), first);
    ann.wait_for_text("#greeting", "Welcome, Ann. You are player 1.");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn seeds_are_fresh_and_decisions_name_their_deal() {
    let table = Table::open(&["--bots", "2"]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.prepare(LISTEN);
        ann.reload();
        for _ in 0..2 {
            ann.wait_for_heading("Choose a game");
            ann.choose("double");
            ann.wait_until_dealt();
            ann.play_alone();
            ann.wait_for_text("#verdict", "verified");
            ann.click("#another");
        }
        let (hashes, seeds) = (sent(ann, "choose"), sent(ann, "seed"));
        assert_eq!([hashes.len(), seeds.len()], [2, 2]);
        for (choose, seed) in hashes.iter().zip(&seeds) {
            let value = seed["value"].as_str().expect("a seed");
            let value: Hex<32> = value.parse().expect("32 bytes");
            assert_eq!(choose["seed_hash"], commitment(&value).to_string());
        }
        assert_ne!(seeds[0]["value"], seeds[1]["value"]);
        assert_eq!(
            json!([seeds[0]["game_id"], seeds[1]["game_id"]]),
            json!([1, 2])
        );
        let decisions = sent(ann, "decide");
        for game in [1, 2] {
            let deals = decisions.iter().filter(|it| it["game_id"] == game);
            let deals: Vec<_> = deals.map(|it| it["deal"].as_u64()).collect();
            let expected: Vec<_> = (1..=deals.len() as u64).map(Some).collect();
            assert_eq!(deals, expected, "{decisions:?}");
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_older_than_the_table_asks_to_be_reloaded() {
    const OLD: &str = "
        window.WebSocket = class extends WebSocket {
            send(text) {
                const old = !sessionStorage.getItem('new');
                super.send(old ? text.replace('\"protocol\":4', '\"protocol\":1') : text);
            }
        };";
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        for player in [ann, ola] {
            player.prepare(OLD);
            player.reload();
            let told = player.lang(
                "This page is older than the table. Load it again.",
                "Ta strona jest starsza niż stół. Załaduj ją ponownie.",
            );
            player.wait_for_text("#link-text", &told);
            player.wait_for_text("#link-now", &player.lang("Load again", "Załaduj ponownie"));
            player.wait("document.querySelector('#link').getAnimations().length === 0");
            player.check_layout(&player.lang("old-en", "old-pl"));
            player.run("sessionStorage.setItem('new', 'yes')");
            player.click("#link-now");
            player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn waiting_players_learn_that_the_table_is_closing() {
    for lang in ["en", "pl"] {
        let mut table = Table::open(&["--bots", "0"]);
        let driver = Driver::start();
        let player = &Player::open(&driver, &table.address, lang, "Eve");
        let others = [("Ann", "en"), ("Ola", "pl")];
        let others = others.map(|(name, lang)| Player::open(&driver, &table.address, lang, name));
        // A game keeps the table open for a while.
        others[0].meet(&others[1], "double");
        player.choose("single");
        player.wait("document.body.dataset.stage === 'waiting'");
        table.drain();
        player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
        let told = player.lang(
            "The table is closing: you no longer wait for a game.",
            "Stół jest zamykany: nie czekasz już na grę.",
        );
        player.wait_for_text("#error-text", &told);
        player.check_layout(&format!("draining-{lang}"));
        for other in &others {
            other.click("#fold");
        }
        table.wait_until_closed();
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_player_who_does_not_open_their_seed_folds() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        // Ann's page never receives the start of the game, so it opens no seed.
        ann.prepare(&format!("{LISTEN} window.lost = ['started'];"));
        ann.reload();
        ann.wait_for_heading("Choose a game");
        ann.choose("single");
        ann.wait_for_heading("Waiting for an opponent");
        ola.choose("single");
        ola.wait_for_heading("Wygrywasz 3 żetony");
        ola.wait_for_text(
            "#result-lead",
            "Przeciwnik (Ann, gracz 1) nie ujawnił ziarna na czas.",
        );
        ola.wait_for_text("#verdict", "zweryfikowane");
        ola.check_layout("forfeit-theirs-pl");
        ann.prepare("window.lost = [];");
        ann.reload();
        ann.wait_for_heading("You lose 3 tokens");
        let told = "Your seed was not opened in time.";
        ann.wait_for_text("#result-lead", told);
        // For all that this page knows, the table may have held the start back.
        ann.wait_for_text("#verdict", "not checked here");
        // The seed of the next game is opened.
        for player in [ann, ola] {
            player.click("#another");
        }
        ann.meet(ola, "single");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn two_windows_are_one_player_and_both_check_the_game() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        ann.run("window.second = open('/')");
        let stage = "second.document.body.dataset.stage";
        ann.wait(&format!("{stage} === 'lobby'"));
        ann.meet(ola, "single");
        let play = "second.document.getElementById('play')";
        ann.wait(&format!(
            "{stage} === 'deciding' && {play}.ariaDisabled === 'false'"
        ));
        // One window opened the seed, and the other decides.
        ann.run(&format!("{play}.click()"));
        ann.wait_for_heading("You play");
        ola.click("#fold");
        ann.wait_for_heading("You win 3 tokens");
        ann.wait_for_text("#verdict", "verified");
        ann.wait("second.document.getElementById('verdict').dataset.is === 'good'");
        for alarm in ["document", "second.document"] {
            let hidden = ann.value(&format!("{alarm}.getElementById('alarm').hidden"));
            assert_eq!(hidden, json!(true));
        }
    });
}
