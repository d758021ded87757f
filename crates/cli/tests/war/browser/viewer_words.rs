//! The viewer's page in both languages.

use super::driver::{Browser, Driver};
use super::viewer_page::ViewerPage;
use crate::support::{Sandbox, project};
use serde_json::json;

/// Selects a language as a person does.
fn choose(viewed: &ViewerPage<'_>, lang: &str) {
    viewed.browser.run(&format!(
        "const choice = document.querySelector('#lang');
         choice.value = '{lang}';
         choice.dispatchEvent(new Event('change'))"
    ));
}

/// Language of the page and of the screen, the headline with its details, and a name.
fn read_texts(viewed: &ViewerPage<'_>) -> [String; 5] {
    let value = |expression| {
        let value = viewed.browser.value(expression);
        value.as_str().expect("a text").to_owned()
    };
    [
        value("document.documentElement.lang"),
        value("document.querySelector('#text').lang"),
        value("read().told"),
        value("document.querySelector('.seat .name').textContent"),
        value("document.title"),
    ]
}

const POLISH: [&str; 5] = [
    "pl",
    "en",
    "Tura 2: wojna!Gracz 2 bierze 12 kart. Gracz 1 nie ma już kart. Gracz 2 obejmuje prowadzenie.",
    "Gracz 1",
    "Wojna: Wojna klasyczna · 4 gracze · 24 karty",
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_language_of_a_page_can_be_changed() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "#turn=2");
    let english = viewed.at(2);
    let before = read_texts(&viewed);
    let noted = "document.querySelector('#screen-lang').checkVisibility()";
    assert_eq!([before[0].as_str(), before[1].as_str()], ["en", "en"]);
    assert_eq!(viewed.browser.value(noted), false);
    choose(&viewed, "pl");
    assert_eq!(read_texts(&viewed), POLISH);
    let polish = viewed.at(2);
    // The game's printed text stays as it is.
    assert_eq!(
        [&english["text"], &english["hands"]],
        [&polish["text"], &polish["hands"]]
    );
    assert_eq!(polish["cards"][0][0], "as (14)");
    assert_eq!(viewed.browser.value(noted), true);
    assert_eq!(
        viewed.browser.text("#screen-lang"),
        "Ten ekran jest po angielsku: w tym języku utworzono stronę."
    );
    viewed.browser.wait("location.hash === '#turn=2&lang=pl'");
    // All fixed text is in Polish, too.
    let texts = viewed.browser.text("body");
    for text in [
        "Tempo",
        "O tym dzienniku",
        "Zweryfikuj dziennik z tej strony",
        "19 tur, wygrał gracz2",
    ] {
        assert!(texts.contains(text), "{text}: {texts}");
    }
    let button = "document.querySelector('#step').getAttribute('aria-label')";
    assert_eq!(viewed.browser.value(button), "Tura naprzód");
    choose(&viewed, "en");
    assert_eq!(read_texts(&viewed), before);
    assert_eq!(viewed.at(2), english);
    viewed.browser.wait("location.hash === '#turn=2'");
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_address_preserves_the_language() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "#turn=2&lang=pl");
    viewed.at(2);
    assert_eq!(read_texts(&viewed), POLISH);
    assert_eq!(
        viewed
            .browser
            .value("document.querySelector('#lang').value"),
        "pl"
    );
    viewed.browser.press(['\u{e014}']);
    viewed.browser.wait("location.hash === '#turn=3&lang=pl'");
    // An unknown language changes nothing.
    viewed.browser.run("location.hash = '#turn=4&lang=xx'");
    viewed.at(4);
    assert_eq!(
        viewed.browser.value("document.documentElement.lang"),
        json!("pl")
    );
    viewed.browser.run("location.hash = '#turn=5&lang=en'");
    viewed.at(5);
    assert_eq!(
        viewed.browser.value("document.documentElement.lang"),
        json!("en")
    );
    viewed.quiet();
}

/// Journal, turn, and the page's text there in English and Polish.
type Headline = (&'static str, u32, [&'static str; 2]);

const HEADLINES: [Headline; 15] = [
    (
        "duels_scenario_shuffled",
        6,
        [
            "Turn 6 Player 2 takes 2 cards. All hands are shuffled.",
            "Tura 6 Gracz 2 bierze 2 karty. Wszystkie karty na rękach zostają potasowane.",
        ],
    ),
    (
        "classic_one_player",
        0,
        [
            "The deal 24 cards are dealt. Player 1 wins the game.",
            "Rozdanie Rozdano 24 karty. Gracz 1 wygrywa grę.",
        ],
    ),
    (
        "classic_scenario_endless",
        109,
        [
            "Turn 109 Player 1 takes 2 cards. The hands are as they were in turn 38: the game would never end.",
            "Tura 109 Gracz 1 bierze 2 karty. Karty są takie jak w turze 38: gra nigdy by się nie skończyła.",
        ],
    ),
    (
        "classic_scenario_all_out",
        1,
        [
            "Turn 1: war! Player 3 takes 24 cards. Player 1 is out of cards. Player 2 is out of cards. Player 3 wins the game.",
            "Tura 1: wojna! Gracz 3 bierze 24 karty. Gracz 1 nie ma już kart. Gracz 2 nie ma już kart. Gracz 3 wygrywa grę.",
        ],
    ),
    (
        "classic_cut_off",
        5,
        [
            "Turn 5 The recording ends here.",
            "Tura 5 Tu kończy się zapis.",
        ],
    ),
    (
        "custom_drawn",
        5,
        [
            "Turn 5: war! The game is drawn.",
            "Tura 5: wojna! Gra kończy się remisem.",
        ],
    ),
    (
        "custom_undecided",
        12,
        [
            "Turn 12 Player 1 takes 2 cards. The game is stopped, and nobody wins.",
            "Tura 12 Gracz 1 bierze 2 karty. Gra zostaje przerwana i nikt nie wygrywa.",
        ],
    ),
    (
        "xy_sample",
        6,
        [
            "Turn 6: war! Y takes 10 cards. Y takes the lead.",
            "Tura 6: wojna! Y bierze 10 kart. Y obejmuje prowadzenie.",
        ],
    ),
    (
        "double_card_2_tied",
        0,
        [
            "Before the deal Both players are committed to a seed, and so is the table.",
            "Przed rozdaniem Obaj gracze i stół zobowiązali się do swoich ziaren.",
        ],
    ),
    (
        "double_card_folded",
        0,
        [
            "Before the deal The table is committed to its seed.",
            "Przed rozdaniem Stół zobowiązał się do swojego ziarna.",
        ],
    ),
    (
        "double_card_folded",
        1,
        [
            "Deal 1 Ann folds. Zoë O'Hara folds.",
            "Rozdanie 1 Ann pasuje. Zoë O'Hara pasuje.",
        ],
    ),
    (
        "double_card_2_timed_out",
        1,
        [
            "Deal 1 Player 12 runs out of time and folds. Player 7 plays.",
            "Rozdanie 1 Gracz 12 pasuje, bo skończył się czas. Gracz 7 gra.",
        ],
    ),
    (
        "double_card_2_tied",
        1,
        [
            "Deal 1: a tie Player 12 plays. Player 7 plays. The hands are equal: new cards are dealt.",
            "Rozdanie 1: remis Gracz 12 gra. Gracz 7 gra. Karty są równe: następuje nowe rozdanie.",
        ],
    ),
    (
        "single_card_2_forfeited",
        0,
        [
            "Before the deal Player 7 does not open their seed in time and forfeits the game.",
            "Przed rozdaniem Gracz 7 nie ujawnia ziarna na czas i oddaje grę.",
        ],
    ),
    (
        "duels_random",
        28,
        [
            "Turn 28: war! Player 3 takes 8 cards. Player 1 is out of cards. Player 3 wins the game.",
            "Tura 28: wojna! Gracz 3 bierze 8 kart. Gracz 1 nie ma już kart. Gracz 3 wygrywa grę.",
        ],
    ),
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_kind_of_turn_and_end_is_described_in_both_languages() {
    let (driver, sandbox) = (Driver::start(), Sandbox::new());
    let browser = Browser::open(&driver, "en");
    for (name, turn, told) in HEADLINES {
        let journal = project().join("journals").join(format!("{name}.json"));
        sandbox.war(&[
            "view",
            &journal.display().to_string(),
            "-o",
            &format!("{name}.html"),
        ]);
        let page = sandbox.path(&format!("{name}.html"));
        for (lang, told) in ["en", "pl"].into_iter().zip(told) {
            browser.go("about:blank");
            browser.go(&format!(
                "file://{}#turn={turn}&lang={lang}",
                page.display()
            ));
            browser.wait(&format!("document.body.dataset.turn === '{turn}'"));
            let texts = format!("{} {}", browser.text("#headline"), browser.text("#told"));
            assert_eq!(texts, told, "{name}");
            let noticed = browser.value("document.querySelector('#notice').checkVisibility()");
            assert_eq!(noticed, name == "classic_cut_off", "{name}");
        }
    }
}
