//! Appearance of the viewer: hands, marks, names, print, colours, animations.

use super::driver::{Browser, Driver};
use super::viewer_page::ViewerPage;
use crate::shared::expected_of;
use crate::support::Sandbox;
use crate::view::hostile_page;
use serde_json::{Value, json};
use std::fs;

/// Number of card backs beside each player's name and on the table, and whether an empty place is
/// shown instead.
const PILES: &str = "[...document.querySelectorAll('.seat')].map((seat) =>
    ['.stack', '.pile'].map((pile) => {
        const part = seat.querySelector(pile);
        if (!part.checkVisibility()) return null;
        return part.querySelector('.empty') ? 'empty' : part.querySelectorAll('.back').length;
    }))";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_height_of_a_stack_shows_the_player_s_share_of_the_cards() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    viewed.browser.resize(1280, 900);
    let piles = |turn: u32| {
        viewed.scrubbed(&[turn]);
        viewed.browser.value(PILES)
    };
    // Each player holds 6 of 24 cards after the deal.
    assert_eq!(piles(0), json!([[2, 3], [2, 3], [2, 3], [2, 3]]));
    // The hands hold 0, 12, 4 and 8 cards. Player 1 put some on the table.
    assert_eq!(
        piles(2),
        json!([["empty", null], [3, null], [1, null], [2, null]])
    );
    // The hands hold 0, 24, 0 and 0 cards. Players 1 and 3 put none on the table.
    assert_eq!(
        piles(19),
        json!([
            ["empty", "empty"],
            [6, null],
            ["empty", "empty"],
            ["empty", null]
        ])
    );
    viewed.browser.resize(360, 640);
    // On a phone, a bar under the name shows the share of the cards.
    let bars = "[...document.querySelectorAll('.seat')].map((seat) => {
        const { backgroundSize } = getComputedStyle(seat.querySelector('.plate'), '::after');
        return [seat.querySelector('.stack').checkVisibility(), seat.style.getPropertyValue('--part'), backgroundSize];
    })";
    let shown = viewed.browser.value(bars);
    assert_eq!(shown[1][0], false, "{shown}");
    assert_eq!([&shown[1][1], &shown[2][1]], ["1", "0"], "{shown}");
    let full = shown[1][2].as_str().expect("a size");
    assert!(full.starts_with("100%"), "{shown}");
    viewed.quiet();
}

/// Marks of each kind above the scrubber, by turn, and the kinds in the legend.
const MARKS: &str = "(() => {
    const last = Number(document.querySelector('#scrubber').max);
    const turns = (kind) => [...document.querySelectorAll(`#marks .mark.${kind}`)]
        .flatMap((path) => path.getAttribute('d').match(/M[0-9.]+/g))
        .map((move) => Math.round(Number(move.slice(1)) / 1000 * last))
        .sort((one, other) => one - other);
    const explained = [...document.querySelectorAll('#mark-legend li')].filter((item) => item.checkVisibility());
    return [turns('war'), turns('lead'), turns('gone'), explained.map((item) => item.innerText.trim())];
})()";

/// Turns of wars, of lead changes, and of players running out, computed from the numbers of cards
/// held.
fn marked(journal: &[u8]) -> [Vec<u32>; 3] {
    let expected = expected_of(journal);
    let mut leader = None;
    let mut marked = [const { Vec::new() }; 3];
    let mut before: Option<&Vec<usize>> = None;
    for (turn, held) in &expected.held {
        if expected.texts[turn].contains("WE HAVE A WAR") {
            marked[0].push(*turn);
        }
        let most = held.iter().max().expect("a player");
        let ahead: Vec<_> = (0..held.len())
            .filter(|seat| held[*seat] == *most)
            .collect();
        if let [ahead] = ahead[..] {
            // The first leader takes the lead from nobody.
            if leader.replace(ahead).is_some_and(|leader| leader != ahead) {
                marked[1].push(*turn);
            }
        }
        let ran_out =
            |seat: usize| before.is_some_and(|before| before[seat] > 0) && held[seat] == 0;
        if (0..held.len()).any(ran_out) {
            marked[2].push(*turn);
        }
        before = Some(held);
    }
    marked
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn marks_show_wars_lead_changes_and_eliminated_players() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    viewed
        .browser
        .wait("document.querySelector('#marks path') !== null");
    let marked = marked(&fs::read(&viewed.journal).expect("a journal"));
    assert!(marked.iter().all(|turns| !turns.is_empty()), "{marked:?}");
    let kinds = json!(["war", "new leader", "out of cards"]);
    let found = viewed.browser.value(MARKS);
    assert_eq!(found, json!([marked[0], marked[1], marked[2], kinds]));
    // Slider and line follow the turn.
    viewed.browser.press(['n', 'n']);
    viewed.at(8);
    let place = "[document.querySelector('#scrubber').value, document.querySelector('#game').style.getPropertyValue('--at')]";
    assert_eq!(
        viewed.browser.value(place),
        json!(["8", (8.0 / 19.0).to_string()])
    );
    // After the last turn player 2 holds all cards, so this player's area fills the chart.
    let areas = viewed.browser.value(
        "[...document.querySelectorAll('#areas path')].map((path) => path.getAttribute('d').match(/L1000 [0-9]+/g))",
    );
    let (empty, full) = ("L1000 100", "L1000 0");
    assert_eq!(
        areas,
        json!([[empty, empty], [full, empty], [full, full], [full, full]])
    );
    let viewed = ViewerPage::open(&driver, "double_card_2_tied", "");
    viewed
        .browser
        .wait("document.querySelector('#marks path') !== null");
    assert_eq!(viewed.browser.value(MARKS), json!([[1], [], [], ["tie"]]));
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn html_in_names_and_texts_stays_text_in_the_page() {
    let driver = Driver::start();
    let sandbox = Sandbox::new();
    let (page, hostile) = hostile_page();
    let page = sandbox.write("game.html", page);
    let browser = Browser::open(&driver, "en");
    browser.go(&format!("file://{}#turn=2&lang=pl", page.display()));
    browser.wait("document.body.dataset.turn === '2'");
    assert_eq!(browser.value("document.images.length"), 0);
    let name = "document.querySelector('.seat .name').textContent";
    assert_eq!(browser.value(name), "<img src=x onerror=alert(1)>");
    assert!(
        browser
            .text("#told")
            .starts_with("<img src=x onerror=alert(1)> gra.")
    );
    for part in ["#text", "#lines", "#download"] {
        let text = browser.value(&format!("document.querySelector('{part}').textContent"));
        assert!(
            text.as_str().expect("a text").contains(hostile),
            "{part}: {text}"
        );
    }
    assert_eq!(browser.log(), json!([]));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn print_has_the_turn_its_text_and_the_facts_but_no_controls() {
    let driver = Driver::start();
    for (name, turn, players) in [("xy_sample", 40, 2), ("classic_dealt_won", 2, 4)] {
        let viewed = ViewerPage::open(&driver, name, &format!("#turn={turn}"));
        viewed.at(turn);
        viewed.browser.resize(700, 900);
        let print = json!({ "media": "print" });
        viewed.browser.command("Emulation.setEmulatedMedia", &print);
        let seen = |parts: &str| {
            viewed.browser.value(&format!(
                "[...document.querySelectorAll('{parts}')].filter((part) => part.checkVisibility()).length"
            ))
        };
        assert_eq!(seen("#headline, #chart, #text, #digest, #verdict"), 5);
        assert_eq!(seen(".put"), players);
        assert_eq!(
            seen("button, input, select, #download, #journal-note, #check"),
            0
        );
        // No part of a long line is lost.
        let fits = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('#text'))";
        assert_eq!(viewed.browser.value(fits), true, "{name}");
    }
}

/// Colours of the page's background and text.
const COLOURS: &str =
    "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))";

/// Brightness of a colour such as `rgb(1, 2, 3)`.
fn light(colour: &Value) -> u32 {
    let numbers = colour
        .as_str()
        .expect("a colour")
        .split(|letter: char| !letter.is_ascii_digit());
    numbers
        .filter_map(|number| number.parse::<u32>().ok())
        .sum()
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_respects_dark_mode_and_reduced_motion() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let [day, night] = ["light", "dark"].map(|scheme| {
        viewed.browser.prefer(scheme);
        viewed.browser.value(COLOURS)
    });
    assert!(light(&day[0]) > light(&day[1]) + 300, "{day}");
    assert!(light(&night[0]) + 300 < light(&night[1]), "{night}");
    let moves = |preference: &str| {
        let feature = json!({ "name": "prefers-reduced-motion", "value": preference });
        viewed.browser.command(
            "Emulation.setEmulatedMedia",
            &json!({ "features": [feature] }),
        );
        viewed.scrubbed(&[1]);
        viewed.browser.press(['\u{e014}']);
        viewed.at(2);
        viewed.browser.value("[...document.querySelectorAll('.put li')].map((card) => getComputedStyle(card).animationName)")
    };
    for (preference, movement) in [("no-preference", "put"), ("reduce", "none")] {
        assert_eq!(moves(preference), json!(vec![movement; 12]));
    }
    // After a jump, all cards are there at once.
    viewed.scrubbed(&[3, 2]);
    assert_eq!(
        viewed.browser.value("document.querySelector('.comes')"),
        Value::Null
    );
}
