//! The viewer's controls, the text at its seats, and its journal.

use super::driver::{Driver, ENTER};
use super::viewer_page::ViewerPage;
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Buttons that are disabled.
const DISABLED: &str =
    "[...document.querySelectorAll('.buttons [aria-disabled=true]')].map((button) => button.id)";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn each_button_does_what_it_says() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let browser = &viewed.browser;
    browser.wait("document.querySelector('#marks path') !== null");
    assert_eq!(browser.value(DISABLED), json!(["first", "back"]));
    for (button, turn) in [
        ("step", 1),
        ("next-war", 2),
        ("next-war", 8),
        ("back", 7),
        ("last", 19),
        ("last", 19),
        ("step", 19),
        ("next-war", 19),
        ("first", 0),
        ("back", 0),
    ] {
        browser.click(&format!("#{button}"));
        viewed.at(turn);
    }
    browser.click("#last");
    viewed.at(19);
    assert_eq!(browser.value(DISABLED), json!(["step", "last", "next-war"]));
    let one = ViewerPage::open(&driver, "classic_one_player", "");
    let all = json!(["first", "back", "play", "step", "last", "next-war"]);
    one.browser.wait(&format!(
        "JSON.stringify({DISABLED}) === JSON.stringify({all})"
    ));
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_plays_at_the_chosen_speed_pauses_and_restarts() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_scenario_endless", "");
    let browser = &viewed.browser;
    let playing = "document.body.classList.contains('playing')";
    let label = "document.querySelector('#play').getAttribute('aria-label')";
    let choose = |speed: &str| {
        browser.run(&format!(
            "const speed = document.querySelector('#speed');
             speed.value = '{speed}';
             speed.dispatchEvent(new Event('change'))"
        ));
    };
    assert_eq!(browser.value(label), "Play");
    choose("20");
    browser.run(
        "window.delays = [];
         const real = window.setTimeout;
         window.setTimeout = (run, time) => {
             window.delays.push(time);
             return real(run, time);
         }",
    );
    browser.click("#play");
    browser.wait("Number(document.body.dataset.turn) >= 20");
    // At 20 turns a second, a turn takes 50 ms, and the war in turn 12 twice as long. Delays of
    // 300 ms belong to updates of the address.
    let delays = "window.delays.filter((time) => time > 0 && time !== 300).slice(0, 20)";
    let mut expected = [50; 20];
    expected[12] = 100;
    assert_eq!(browser.value(delays), json!(expected));
    assert_eq!(
        [browser.value(playing), browser.value(label)],
        [json!(true), json!("Pause")]
    );
    browser.click("#play");
    assert_eq!(
        [browser.value(playing), browser.value(label)],
        [json!(false), json!("Play")]
    );
    let paused = browser.value("document.body.dataset.turn");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(browser.value("document.body.dataset.turn"), paused);
    // A step or a jump stops playback too.
    choose("0.5");
    for key in ['\u{e014}', '\u{e011}'] {
        browser.press([' ']);
        assert_eq!(browser.value(playing), true);
        browser.press([key]);
        assert_eq!(browser.value(playing), false);
    }
    // A pause that is undone at once does not speed up playback.
    browser.press([' ', ' ', ' ']);
    browser.wait("document.body.dataset.turn === '1'");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(browser.value("document.body.dataset.turn"), "1");
    browser.press([' ']);
    choose("1000");
    browser.press([' ']);
    viewed.at(109);
    browser.wait(&format!("!{playing}"));
    choose("100");
    browser.press([' ']);
    browser.wait("document.body.dataset.turn < 60");
    viewed.at(109);
    for (key, speed) in [('-', "20"), ('-', "8"), ('=', "20"), ('+', "100")] {
        browser.press([key]);
        browser.wait(&format!(
            "document.querySelector('#speed').value === '{speed}'"
        ));
    }
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_turn_can_be_typed_in_any_form_and_nonsense_changes_nothing() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_scenario_endless", "#turn=3");
    viewed.at(3);
    for (typed, turn) in [
        ("1 0", 10),
        ("0,012", 12),
        ("1.08", 108),
        ("x", 108),
        ("", 108),
        ("-5", 108),
        ("999", 109),
    ] {
        viewed.browser.press(['/']);
        viewed.browser.press(['\u{e003}']);
        viewed.browser.type_in(typed);
        viewed.browser.press([ENTER]);
        let shown = viewed.at(turn);
        assert_eq!(shown["turn"], turn.to_string(), "{typed:?}");
    }
    // A page ends where its game does, whatever the address says.
    viewed.browser.run("location.hash = '#turn=4000000000'");
    viewed.browser.run("location.hash = '#turn=7'");
    viewed.at(7);
    viewed.browser.run("location.hash = '#turn=-1'");
    viewed.browser.run("location.hash = '#turn=1e1'");
    assert_eq!(viewed.at(7)["turn"], "7");
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn keys_go_to_the_focused_element_and_a_screen_reader_announces_the_turn() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let browser = &viewed.browser;
    // Space presses the focused button, and does not start playback.
    browser.run("document.querySelector('#step').focus()");
    browser.press([' ']);
    viewed.at(1);
    assert_eq!(
        browser.value("document.body.classList.contains('playing')"),
        false
    );
    // Page Down scrolls the focused text, and does not change the turn.
    browser.run("document.querySelector('#text').focus()");
    browser.press(['\u{e00f}']);
    assert_eq!(browser.value("document.body.dataset.turn"), "1");
    // Letters typed into a field and the browser's own shortcuts don't change the turn.
    browser.press(['/', 'n', '\u{e00c}']);
    browser.press_with('\u{e009}', 'n');
    assert_eq!(browser.value("document.body.dataset.turn"), "1");
    let war =
        "Turn 2: war! Player 2 takes 12 cards. Player 1 is out of cards. Player 2 takes the lead.";
    browser.press(['n']);
    viewed.at(2);
    let said = "document.querySelector('#scrubber').getAttribute('aria-valuetext')";
    assert_eq!(browser.value(said), war);
    browser.wait_for_text("#live", war);
    // The help names every key, in the page's language.
    browser.click("#help");
    browser.wait("document.querySelector('#keys').open");
    let keys = browser.text("#key-list");
    assert!(
        keys.starts_with("← → one turn back or forward Home End the deal, the last turn"),
        "{keys}"
    );
    assert!(keys.ends_with("? these keys"), "{keys}");
    browser.press(['\u{e00c}']);
    browser.run("location.hash = '#turn=2&lang=pl'");
    browser.wait(
        "document.querySelector('#key-list').textContent.includes('Spacja odtwarzanie lub pauza')",
    );
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn each_seat_shows_its_player_s_actions_and_winnings() {
    let driver = Driver::start();
    let seats = "[...document.querySelectorAll('.seat')].map((seat) => ['.name', '.count', '.did']
        .map((part) => seat.querySelector(part).innerText.trim().replace(/\\s+/g, ' ')).concat(seat.classList.contains('winner')))";
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "#turn=2");
    viewed.browser.resize(1280, 900);
    viewed.at(2);
    assert_eq!(
        viewed.browser.value(seats),
        json!([
            ["Player 1", "0 cards −5", "out of cards", false],
            ["Player 2", "12 cards +7", "takes 12 cards", true],
            ["Player 3", "4 cards −1", "", false],
            ["Player 4", "8 cards −1", "", false],
        ])
    );
    assert_eq!(
        viewed.browser.text("#legend"),
        "Player 1 0 Player 2 12 Player 3 4 Player 4 8"
    );
    viewed.scrubbed(&[19]);
    assert_eq!(
        viewed.browser.value(seats)[1],
        json!(["Player 2", "24 cards +2", "wins the game", true])
    );
    let viewed = ViewerPage::open(&driver, "double_card_2_timed_out", "#turn=1&lang=pl");
    viewed.at(1);
    assert_eq!(
        viewed.browser.value(seats),
        json!([
            ["Gracz 12", "−5 żetonów", "pasuje, koniec czasu", false],
            ["Gracz 7", "+5 żetonów", "gra", true],
        ])
    );
    assert_eq!(viewed.browser.text(".place"), "Rozdanie z 1");
    let viewed = ViewerPage::open(&driver, "double_card_2_tied", "#turn=1");
    assert_eq!(
        viewed.at(1)["cards"],
        json!([
            ["ace of clubs", "jack of hearts"],
            ["ace of spades", "jack of diamonds"]
        ])
    );
    viewed.quiet();
}

/// Contents of a download, once complete.
fn downloaded(directory: &Path, name: &str, length: usize) -> Vec<u8> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let found = fs::read(directory.join(name)).unwrap_or_default();
        if found.len() == length {
            return found;
        }
        assert!(Instant::now() < until, "{} of {length} bytes", found.len());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_journal_can_be_downloaded_from_the_page_or_from_beside_it() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let directory = viewed.sandbox.path("downloads");
    fs::create_dir(&directory).expect("a directory");
    let to = json!({ "behavior": "allow", "downloadPath": directory });
    viewed.browser.command("Page.setDownloadBehavior", &to);
    viewed.browser.click("#download");
    let journal = fs::read(&viewed.journal).expect("the journal");
    assert!(downloaded(&directory, "classic_dealt_won.json", journal.len()) == journal);
    let digest = "65beb305410a611f291a47ef8b561854";
    assert_eq!(viewed.browser.text("#digest"), digest);
    assert_eq!(
        viewed.browser.text("#command"),
        format!("war replay classic_dealt_won.json --expect-digest {digest}")
    );
    assert_eq!(viewed.browser.text("#verdict"), "VERIFIED");
    assert_eq!(
        viewed
            .browser
            .value("document.querySelector('#verdict').dataset.is"),
        "good"
    );
    // A journal that is too large to embed stays a file beside the page.
    let sandbox = Sandbox::new();
    let game = ["2", "large", "--seed", "2215", "--journal", "a b#%.json"];
    sandbox.war(&game).exits_with(0);
    let viewed = ViewerPage::of(&driver, sandbox, "a b#%.json", "");
    let browser = &viewed.browser;
    let name = browser.value("document.querySelector('#download').download");
    let name = name.as_str().expect("a name");
    let href = browser
        .value("decodeURIComponent(new URL(document.querySelector('#download').href).pathname)");
    assert_eq!(
        href,
        Value::from(viewed.sandbox.path(name).display().to_string())
    );
    assert!(viewed.sandbox.path(name).exists(), "{name}");
    assert_eq!(
        browser.value("document.querySelector('#check-own').checkVisibility()"),
        false
    );
    viewed.quiet();
}
