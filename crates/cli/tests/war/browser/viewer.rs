//! The viewer's page, opened from disk: its text is the output of `war replay`.

use super::driver::{Browser, Driver};
use super::viewer_page::ViewerPage;
use crate::shared::expected_of;
use crate::support::{Sandbox, project};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use war::cards::{ChaCha8, Chance};

/// Journals of every edition and of both token games, each with turns that need checking: wars,
/// ties, players who run out of cards in a war, and shuffled hands.
const JOURNALS: [(&str, &[u32]); 11] = [
    ("classic_dealt_won", &[2, 8, 12]),
    ("classic_scenario_all_out", &[1]),
    ("classic_scenario_endless", &[]),
    ("classic_corrected_polish", &[]),
    ("custom_drawn", &[]),
    ("custom_shrink", &[]),
    ("duels_random", &[3]),
    ("duels_scenario_shuffled", &[]),
    ("xy_sample", &[6, 40, 51]),
    ("double_card_2_tied", &[1]),
    ("single_card_timed_out", &[]),
];

/// Number of turns sought in each journal.
const SEEKS: usize = 100;

/// Number of turns in each journal for which the page is also compared with `war replay`.
const REPLAYED: usize = 6;

/// Turns chosen at random with this seed, plus the first, the last and the `wanted` ones.
fn turns(seed: u64, last: u32, wanted: &[u32]) -> Vec<u32> {
    let mut chance = ChaCha8::new(seed);
    let mut turns = [&[0, last], wanted].concat();
    while turns.len() < SEEKS {
        turns.push(chance.draw_below(last + 1));
    }
    turns
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_hundred_turns_of_every_edition_match_the_replay() {
    let driver = Driver::start();
    for (seed, (name, wanted)) in (1..).zip(JOURNALS) {
        let viewed = ViewerPage::open(&driver, name, "");
        let turns = turns(seed, viewed.last, wanted);
        let expected = expected_of(&fs::read(&viewed.journal).expect("a journal"));
        let shown = viewed.scrubbed(&turns);
        let mut replayed = BTreeSet::new();
        for (turn, shown) in turns.iter().zip(&shown) {
            let text = shown["text"].as_str().expect("a text");
            assert_eq!(
                Some(text),
                expected.texts.get(turn).map(String::as_str),
                "{name}: turn {turn}"
            );
            // The program itself prints only a few of the turns, as each takes a run.
            if replayed.len() < REPLAYED && replayed.insert(*turn) {
                let number = turn.to_string();
                let run = viewed
                    .sandbox
                    .war(&["replay", &viewed.journal, "--turn", &number]);
                assert_eq!(text, run.exits_with(0).stdout, "{name}: turn {turn}");
            }
            assert_eq!(shown["turn"], turn.to_string(), "{name}");
            if let Some(held) = expected.held.get(turn) {
                assert_eq!(shown["hands"], json!(held), "{name}: turn {turn}");
            } else {
                hands_are_in_the_text(shown, text);
            }
        }
        viewed.quiet();
    }
}

/// Checks that the page of a token game shows as many cards for each player as the text lists.
#[track_caller]
fn hands_are_in_the_text(shown: &Value, text: &str) {
    for line in text.lines() {
        let Some((_, cards)) = line.split_once(" holds ") else {
            continue;
        };
        let held = cards.split(' ').count();
        let shown = shown["cards"].as_array().expect("hands");
        assert!(
            shown
                .iter()
                .all(|cards| cards.as_array().map(Vec::len) == Some(held))
        );
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_war_shows_face_up_cards_and_hides_face_down_ones() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "#turn=2");
    let shown = viewed.at(2);
    let war = [
        "ace (14)",
        "face-down card",
        "king (13)",
        "face-down card",
        "9",
    ];
    assert_eq!(shown["cards"], json!([war, war, ["9"], ["king (13)"]]));
    assert_eq!(
        shown["told"],
        "Turn 2: war!Player 2 takes 12 cards. Player 1 is out of cards. Player 2 takes the lead."
    );
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn stepping_and_scrubbing_show_the_same() {
    let driver = Driver::start();
    for name in ["classic_dealt_won", "xy_sample", "double_card_2_tied"] {
        let viewed = ViewerPage::open(&driver, name, "");
        let all: Vec<_> = (0..=viewed.last).collect();
        let scrubbed = viewed.scrubbed(&all);
        viewed.scrubbed(&[0]);
        for (turn, scrubbed) in all.iter().zip(&scrubbed) {
            assert_eq!(viewed.at(*turn), *scrubbed, "{name}: turn {turn}");
            viewed.browser.press(['\u{e014}']);
        }
        for (turn, scrubbed) in all.iter().zip(&scrubbed).rev() {
            assert_eq!(viewed.at(*turn), *scrubbed, "{name}: turn {turn}");
            viewed.browser.press(['\u{e012}']);
        }
        viewed.quiet();
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn keys_and_the_address_select_turns() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "#turn=7");
    let browser = &viewed.browser;
    viewed.at(7);
    let [end, home, page_up, page_down] = ['\u{e010}', '\u{e011}', '\u{e00e}', '\u{e00f}'];
    for (key, turn) in [
        (home, 0),
        (page_down, 10),
        (end, 19),
        (page_up, 9),
        (home, 0),
        ('n', 2),
        ('n', 8),
        (end, 19),
    ] {
        browser.press([key]);
        viewed.at(turn);
    }
    browser.wait("location.hash === '#turn=19'");
    browser.run("location.hash = '#turn=12'");
    viewed.at(12);
    browser.press(['/']);
    browser.press(['4', '\u{e007}']);
    viewed.at(4);
    browser.press(['\u{e014}']);
    viewed.at(5);
    browser.press(['/', '9', '\u{e00c}', '\u{e012}']);
    viewed.at(4);
    browser.press(['?']);
    browser.wait("document.querySelector('#keys').open");
    // While the help is open, keys do nothing.
    browser.press([end, '\u{e00c}']);
    browser.wait("!document.querySelector('#keys').open");
    viewed.at(4);
    for _ in 0..8 {
        browser.press(['+']);
    }
    browser.press([' ']);
    viewed.at(19);
    browser.wait("!document.body.classList.contains('playing')");
    // A click hits the middle of the chart.
    browser.click("#chart");
    let turn = browser.value("Number(document.body.dataset.turn)");
    assert!((9..=10).contains(&turn.as_u64().expect("a turn")), "{turn}");
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_longest_game_is_loaded_block_by_block() {
    let driver = Driver::start();
    let sandbox = Sandbox::new();
    let game = ["2", "large", "--seed", "2215", "--journal", "long.json"];
    let printed = sandbox.war(&game).exits_with(0).stdout;
    let viewed = ViewerPage::of(&driver, sandbox, "long.json", "#turn=105000");
    assert_eq!(viewed.last, 211_816);
    viewed.at(105_000);
    let turns = turns(2215, viewed.last, &[255, 256, 257, 211_815]);
    for (turn, shown) in turns.iter().zip(viewed.scrubbed(&turns)) {
        let text = shown["text"].as_str().expect("a text");
        let marked = *turn == 0 || text.contains(&format!(", turn #{turn} - "));
        assert!(marked && printed.contains(text), "turn {turn}: {text}");
    }
    // The turn number fits its field, on a phone too.
    for (width, height) in [(1366, 657), (360, 640)] {
        viewed.browser.resize(width, height);
        let fits = "
            const field = document.querySelector('#number');
            const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
            const pen = document.createElement('canvas').getContext('2d');
            pen.font = `${fontSize} ${fontFamily}`;
            return pen.measureText('211816').width
                <= field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);";
        assert_eq!(viewed.browser.run(fits), true, "at {width}");
    }
    // If a seek comes before another is complete, the later one wins, even if its block loads
    // first.
    let last = "(async () => { await scrub(5); scrub(200000); await scrub(6); await new Promise((next) => setTimeout(next, 300)); return read().turn })()";
    assert_eq!(viewed.browser.value(last), "6");
    // Changes in the first turn of a block follow from the last turn of the block before.
    let read = viewed.scrubbed(&[255, 256]);
    let change = |seat: usize| {
        read[1]["hands"][seat]
            .as_i64()
            .zip(read[0]["hands"][seat].as_i64())
    };
    let change = change(0).map(|(after, before)| after - before);
    let delta = viewed
        .browser
        .value("document.querySelector('.delta').textContent.replace('−', '-')");
    assert_eq!(delta.as_str().and_then(|delta| delta.parse().ok()), change);
    viewed.browser.run("location.hash = '#turn=256&lang=pl'");
    viewed
        .browser
        .wait("document.querySelector('#of').textContent.replace(/\\s/g, ' ') === 'z 211 816'");
    // The slowest seek is only printed: its duration depends on the machine.
    let took = viewed.browser.run(
        "return (async () => {
            const times = [];
            for (let turn = 500; turn < 200000; turn += 5003) {
                const start = performance.now();
                await scrub(turn);
                times.push(performance.now() - start);
            }
            return Math.max(...times);
        })()",
    );
    println!("the slowest seek took {took} ms");
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_fits_on_low_screens() {
    let driver = Driver::start();
    for (name, turn) in [
        ("classic_dealt_won", 2),
        ("xy_sample", 40),
        ("double_card_2_tied", 2),
        ("classic_cut_off", 5),
    ] {
        for lang in ["en", "pl"] {
            let sandbox = Sandbox::new();
            let journal = project().join("journals").join(format!("{name}.json"));
            let journal = journal.display().to_string();
            let run = sandbox.war(&["view", &journal, "-o", "game.html", "--lang", lang]);
            assert!([0, 3].contains(&run.code), "{run:#?}");
            let browser = Browser::open(&driver, lang);
            let page = sandbox.path("game.html");
            browser.go(&format!("file://{}#turn={turn}", page.display()));
            browser.wait(&format!("document.body.dataset.turn === '{turn}'"));
            browser.check_visible(
                &format!("view-{name}-{lang}"),
                "#headline, #told, .plate, .waits .pile, .put > li:last-child, #scrubber, .buttons > button, \
                 #number, #speed",
            );
            browser.check_layout(&format!("view-{name}-{lang}"));
        }
    }
}
