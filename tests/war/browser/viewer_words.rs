//! Both languages in the page that shows a game.

use super::driver::Driver;
use super::viewed::Viewed;
use serde_json::json;

/// Chooses a language as a person does.
fn choose(viewed: &Viewed<'_>, lang: &str) {
    viewed.browser.run(&format!(
        "const choice = document.querySelector('#lang');
         choice.value = '{lang}';
         choice.dispatchEvent(new Event('change'))"
    ));
}

/// The language of the page and of the screen, the headline with what it tells, and a name.
fn said(viewed: &Viewed<'_>) -> [String; 5] {
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
    let viewed = Viewed::open(&driver, "classic_dealt_won", "#turn=2");
    let english = viewed.at(2);
    let before = said(&viewed);
    let noted = "document.querySelector('#screen-lang').checkVisibility()";
    assert_eq!([before[0].as_str(), before[1].as_str()], ["en", "en"]);
    assert_eq!(viewed.browser.value(noted), false);
    choose(&viewed, "pl");
    assert_eq!(said(&viewed), POLISH);
    let polish = viewed.at(2);
    // What the game printed stays as it is.
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
    // All that stands still is in Polish, too.
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
    assert_eq!(viewed.browser.value(button), "Turę dalej");
    choose(&viewed, "en");
    assert_eq!(said(&viewed), before);
    assert_eq!(viewed.at(2), english);
    viewed.browser.wait("location.hash === '#turn=2'");
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_address_keeps_the_language() {
    let driver = Driver::start();
    let viewed = Viewed::open(&driver, "classic_dealt_won", "#turn=2&lang=pl");
    viewed.at(2);
    assert_eq!(said(&viewed), POLISH);
    assert_eq!(
        viewed
            .browser
            .value("document.querySelector('#lang').value"),
        "pl"
    );
    viewed.browser.press(['\u{e014}']);
    viewed.browser.wait("location.hash === '#turn=3&lang=pl'");
    // A language that the page doesn't know leaves it as it is.
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
