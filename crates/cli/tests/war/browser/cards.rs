//! Card drawings: each exists, is unique, and has the pips of its rank.

use super::checks::{run, with_modules};
use super::table::Player;
use crate::support::project;
use serde_json::{Value, json};

/// Script that draws the given cards, and inspects each drawing and the symbols that the page
/// keeps.
const DRAWN: &str = "
    const list = document.createElement('div');
    document.body.append(list);
    return given.map((card) => {
        const picture = { back: cards.back, empty: cards.empty }[card] ?? ((label) => cards.face(card, label));
        const drawn = picture(`it is ${card}`);
        list.append(drawn);
        const [use] = drawn.children;
        const { x, y, width, height } = use.getBBox();
        const symbol = document.querySelector(use.getAttribute('href'));
        return {
            card,
            label: drawn.getAttribute('aria-label'),
            role: drawn.getAttribute('role'),
            parts: drawn.children.length,
            drawing: symbol.innerHTML,
            signs: symbol.querySelectorAll('use').length,
            within: x >= 0 && y >= 0 && x + width <= 100 && y + height <= 140,
            area: width * height,
        };
    });
";

fn drawn(page: &Player, cards: &[String]) -> Vec<Value> {
    let drawn = run(page, &["cards"], &json!(cards), DRAWN);
    drawn.as_array().expect("drawings").clone()
}

/// Every card of every deck, with and without suits.
fn all_cards() -> Vec<String> {
    let suited = "23456789TJQKA".chars().flat_map(|rank| {
        let suits = "cdhs".chars();
        suits.map(move |suit| format!("{rank}{suit}"))
    });
    let numbers = (1..=64).map(|number: u8| number.to_string());
    let others = ["J", "Q", "K", "A", "back", "empty"].map(String::from);
    suited.chain(numbers).chain(others).collect()
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_card_has_its_own_drawing() {
    with_modules(|page| {
        let cards = all_cards();
        let drawn = drawn(page, &cards);
        assert_eq!(drawn.len(), 52 + 64 + 6);
        for (at, one) in drawn.iter().enumerate() {
            let card = &one["card"];
            assert_eq!(one["within"], true, "{card}");
            assert!(one["area"].as_f64() > Some(90.0 * 130.0), "{card}");
            assert_eq!(one["role"], "img", "{card}");
            assert_eq!(one["label"], format!("it is {}", cards[at]));
            // A drawing only refers to a symbol that all drawings of the card share.
            assert_eq!(one["parts"], 1, "{card}");
            for other in &drawn[..at] {
                assert_ne!(one["drawing"], other["drawing"], "{card} {}", other["card"]);
            }
        }
        let ids = page.value("[...document.querySelectorAll('[id]')].map((part) => part.id)");
        let ids = ids.as_array().expect("ids");
        for (at, id) in ids.iter().enumerate() {
            assert!(!ids[..at].contains(id), "{id} is there twice");
        }
        // A strict content security policy refuses inline styles in the drawing.
        let styled = page.value("document.querySelectorAll('#card-sheet [style]').length");
        assert_eq!(styled, 0);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_number_card_has_as_many_pips_as_its_rank_and_two_corner_pips() {
    with_modules(|page| {
        let ranks = "23456789T".chars().zip(2..);
        for (rank, number) in ranks {
            let cards = ["c", "d", "h", "s"].map(|suit| format!("{rank}{suit}"));
            for one in drawn(page, &cards) {
                assert_eq!(one["signs"], number + 2, "{}", one["card"]);
            }
        }
        // Pips in the lower half are upside down.
        let turned = "
            return given.map((card) => {
                cards.face(card);
                const signs = [...document.querySelectorAll(`#card-${card} > g > use`)];
                return signs.filter((sign) => sign.getAttribute('transform').includes(' -')).length;
            });
        ";
        let given = json!(["2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Ah"]);
        let turned = run(page, &["cards"], &given, turned);
        assert_eq!(turned, json!([1, 1, 2, 2, 2, 2, 3, 4, 5, 0]));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_card_without_a_label_is_hidden_from_screen_readers() {
    with_modules(|page| {
        let hidden = "
            const pictures = [cards.face('Kh'), cards.back(), cards.empty()];
            return pictures.map((picture) => [picture.ariaHidden, picture.getAttribute('role')]);
        ";
        let hidden = run(page, &["cards"], &json!(null), hidden);
        assert_eq!(
            hidden,
            json!([["true", null], ["true", null], ["true", null]])
        );
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_hand_shows_its_highest_card_first() {
    with_modules(|page| {
        let shown = "
            store.store.words.catalogues.en = given.texts;
            const list = document.createElement('ul');
            list.id = 'hand';
            document.body.append(list);
            return given.hands.map((cards) => {
                hands.renderHand('hand', cards);
                return [...list.querySelectorAll('svg')].map((card) => card.getAttribute('aria-label'));
            });
        ";
        let dealt = json!([
            ["9c", "Ts"],
            ["Ah", "Kd"],
            ["Qs", "Ad"],
            ["5h", "5c"],
            ["back", "back"]
        ]);
        let texts = std::fs::read_to_string(project().join("i18n/page.en.json"));
        let texts: Value = serde_json::from_str(&texts.expect("the texts")).expect("JSON");
        let given = json!({ "texts": texts, "hands": dealt });
        let shown = run(page, &["state/store", "widgets/hands"], &given, shown);
        let expected = [
            ["ten of spades", "nine of clubs"],
            ["ace of hearts", "king of diamonds"],
            ["ace of diamonds", "queen of spades"],
            ["five of hearts", "five of clubs"],
            ["a face-down card", "a face-down card"],
        ];
        assert_eq!(shown, json!(expected));
    });
}
