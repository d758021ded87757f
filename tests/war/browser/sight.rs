//! What people could not see, or not take back: what a decision costs, cards that have just
//! come, a request that nobody heard, and a page that did not load.

use super::driver::Driver;
use super::table::{Player, Table, with_browser, with_two};
use serde_json::json;
use std::thread::sleep;
use std::time::Duration;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_decision_says_what_it_costs_and_wins() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let told = |player: &Player, game: &str, texts: [&str; 2]| {
            player.shows("#play-stakes", texts[0]);
            player.shows("#fold-stakes", texts[1]);
            // A screen reader says it with the button.
            for id in ["play", "fold"] {
                let described = format!("document.querySelector('#{id}').ariaDescribedByElements");
                let described = player.value(&format!("{described}.map((text) => text.id)"));
                assert_eq!(described, json!([format!("{id}-stakes")]), "{game}");
            }
        };
        ann.meet(ola, "single");
        told(
            ann,
            "single",
            [
                "Wins or loses 10 tokens; wins 3 if they fold.",
                "Costs 3 tokens; 1 if they fold too.",
            ],
        );
        told(
            ola,
            "single",
            [
                "Zysk lub strata: 10 żetonów; zysk 3, gdy przeciwnik spasuje.",
                "Strata: 3 żetony; 1, gdy przeciwnik też spasuje.",
            ],
        );
        for player in [ann, ola] {
            player.click("#fold");
            player.wait("document.body.dataset.stage !== 'deciding'");
        }
        for player in [ann, ola] {
            player.wait("document.body.dataset.stage === 'result'");
            player.click("#another");
        }
        ann.meet(ola, "double");
        told(
            ann,
            "double",
            [
                "Wins or loses 20 tokens; wins 5 if they fold.",
                "Costs 5 tokens; 2 if they fold too.",
            ],
        );
        told(
            ola,
            "double",
            [
                "Zysk lub strata: 20 żetonów; zysk 5, gdy przeciwnik spasuje.",
                "Strata: 5 żetonów; 2, gdy przeciwnik też spasuje.",
            ],
        );
    });
}

/// Decides in every way as soon as there are cards, and once more shortly before it counts;
/// notes what a screen reader finds then.
const HASTY: &str = "
    window.hasty = [];
    const decide = () => {
        if (document.body.dataset.stage !== 'deciding') return;
        window.hasty.push(document.getElementById('play').ariaDisabled);
        document.getElementById('play').click();
        document.getElementById('fold').click();
        for (const key of ['p', 'f', 'g']) {
            document.dispatchEvent(new KeyboardEvent('keydown', { key }));
        }
    };
    let last = '';
    new MutationObserver(() => {
        const { stage } = document.body.dataset;
        if (stage === last) return;
        last = stage;
        if (stage === 'deciding') {
            decide();
            setTimeout(decide, 300);
        }
    }).observe(document.body, { attributeFilter: ['data-stage'] });
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn new_cards_are_seen_before_they_are_decided() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for player in [ann, ola] {
            player.run(HASTY);
        }
        ann.meet(ola, "double");
        for player in [ann, ola] {
            player.wait("hasty.length === 2");
            assert_eq!(player.value("hasty"), json!(["true", "true"]));
            player.ready();
            assert_eq!(player.value("document.body.dataset.stage"), "deciding");
            // It is taken now.
            player.click("#play");
            player.wait("document.body.dataset.stage !== 'deciding' || document.querySelector('#game-lead').innerText.includes('2:')");
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_request_withdrawn_while_the_line_is_lost_starts_no_game() {
    let mut table = Table::open(&["--bots", "1"]);
    let (driver, address) = (Driver::start(), table.address.clone());
    let ann = &Player::open(&driver, &address, "en", "Ann");
    let ola = &Player::open(&driver, &address, "pl", "Ola");
    // Ola waits, and the table knows it; the house would come soon.
    ola.choose("single");
    ola.wait("document.body.dataset.stage === 'waiting'");
    table.kill();
    for player in [ann, ola] {
        player.wait("!document.querySelector('#link').hidden");
    }
    ann.choose("double");
    ann.heading("Waiting for an opponent");
    ann.shows(
        "#waiting-lead",
        "Double-card game. The table will hear of it when the connection is back.",
    );
    ann.fits("unheard-en");
    ola.shows(
        "#waiting-lead",
        "Gra na jedną kartę. Karty zostaną rozdane, gdy tylko ktoś się dosiądzie.",
    );
    for player in [ann, ola] {
        player.click("#cancel");
    }
    ann.heading("Choose a game");
    // As long as the house would need to come.
    sleep(Duration::from_secs(2));
    table.reopen();
    for player in [ann, ola] {
        player.wait("document.querySelector('#link').hidden");
    }
    ola.heading("Wybierz grę");
    sleep(Duration::from_secs(3));
    for player in [ann, ola] {
        assert_eq!(player.value("document.body.dataset.stage"), "lobby");
        assert_eq!(
            player.value("document.querySelector('#error').hidden"),
            true
        );
    }
    // What nobody withdraws is asked for when the line is back.
    table.kill();
    ann.wait("!document.querySelector('#link').hidden");
    ann.choose("double");
    ann.heading("Waiting for an opponent");
    table.reopen();
    ann.dealt();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_that_fails_to_load_leaves_words() {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "pl", "Ola", |ola| {
        ola.command("Network.enable", &json!({}));
        let block = |urls: &[&str]| {
            ola.command("Network.setBlockedURLs", &json!({ "urls": urls }));
        };
        let left = "(document.querySelector('#loading')?.innerText ?? '')";
        for lost in ["*/view.js", "*/table.js", "*/words/pl.json"] {
            block(&[lost]);
            ola.reload();
            ola.wait(&format!(
                "{left}.includes('check your connection and load it again')"
            ));
            ola.wait(&format!(
                "{left}.includes('sprawdź połączenie i załaduj stronę ponownie')"
            ));
            ola.fits("not-loaded");
        }
        // Words that are there again are shown without another load.
        block(&[]);
        ola.heading("Wybierz grę");
        assert_eq!(ola.value("document.querySelector('#loading')"), json!(null));
        block(&["*/view.js"]);
        ola.reload();
        ola.wait(&format!("{left} !== ''"));
        block(&[]);
        ola.click("#loading [lang=pl] a");
        ola.heading("Wybierz grę");
    });
}
