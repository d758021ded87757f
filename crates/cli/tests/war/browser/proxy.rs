//! The page behind a server that cheats: a proxy that changes messages, signs them itself, and
//! shows a log of its own. It says loudly what is wrong; a fair one is right.

use super::driver::Driver;
use super::table::{Player, Table};
use crate::table::cheats::{Proxy, Way, silent};
use serde_json::json;
use std::time::{Duration, Instant};

/// Longer than any cheat takes that is found at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lets the page's calendar go ahead; what counts seconds in a game goes on as it did.
const CALENDAR: &str = "
    const calendar = Date.now;
    window.ahead = 0;
    Date.now = () => calendar() + window.ahead;
";

/// What the page does next, by itself, to play one game after the other; the result is its stage,
/// what it says is wrong, and the verdict on the game.
const STEP: &str = "
    const shown = (selector) => document.querySelector(`${selector}:not([hidden])`);
    const { stage } = document.body.dataset;
    const wrong = shown('#alarm')?.dataset.wrong ?? '';
    const verdict = stage === 'result' ? shown('#verdict').dataset.is : 'pending';
    const steps = {
        lobby: () => shown('[data-game=single-card-game]').click(),
        deciding: () => shown('#play').click(),
        result: () => verdict === 'good' && shown('#again').click(),
    };
    if (wrong === '') steps[stage]?.();
    return [stage, wrong, verdict];
";

/// Ways to cheat that messages show, and what the page calls each.
const TOLD: [(Way, &str); 25] = [
    (Way::SwapsHash, "doubt-seed"),
    (Way::SwapsSeed, "fair-seed"),
    (Way::EchoesSeed, "fair-cards"),
    (Way::DropsSeed, "fair-seed"),
    (Way::DealsEarly, "doubt-unopened"),
    (Way::GrindsSeed, "fair-commitment"),
    (Way::DealsOthers, "fair-cards"),
    (Way::Redeals, "fair-outcome"),
    (Way::TurnsResult, "fair-outcome"),
    (Way::PaysWrong, "fair-outcome"),
    (Way::WrongBalance, "fair-balance"),
    (Way::ShowsOthers, "fair-cards"),
    (Way::ChangesDecision, "fair-outcome"),
    (Way::ClaimsLate, "fair-outcome"),
    (Way::ClaimsForfeit, "fair-seed"),
    (Way::OldCommitment, "fair-commitment"),
    (Way::OldGame, "doubt-retold"),
    (Way::OtherHash, "fair-their-seed"),
    (Way::NoKey, "doubt-signature"),
    (Way::Unsigned, "doubt-signature"),
    (Way::OtherSignature, "doubt-signature"),
    (Way::OtherKey, "doubt-signature"),
    // And what only the log shows, when its time is up.
    (Way::HidesGame, "alarm-missing"),
    (Way::OtherEnd, "alarm-missing"),
    (Way::ChangesEnd, "alarm-missing"),
];

/// Sits down at the table of a proxy, as somebody whom it never saw.
fn sit_down(player: &Player, proxy: &Proxy) {
    player.go(&format!("http://{}/", proxy.address));
    player.wait("document.body?.dataset.stage === 'join'");
    player.sit_down("Ann");
}

/// Plays until something is wrong: the keys of its words.
#[track_caller]
fn wrong(player: &Player, what: &str) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        let [stage, wrong, verdict] = step(player);
        if !wrong.is_empty() {
            // Whatever is wrong with a game that is over is wrong with its verdict.
            let is_of_game = wrong.contains("fair-");
            assert_eq!(verdict == "bad", is_of_game, "{what}: {stage} {wrong}");
            assert!(player.text("#alarm").starts_with("NOT VERIFIED "), "{what}");
            return wrong;
        }
        assert_ne!(verdict, "bad", "{what}: nothing is wrong");
        assert!(Instant::now() < until, "{what} is not found");
        if stage == "result" {
            // The next time at the log is later than what must be in it.
            player.run("window.ahead = 61_000");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn step(player: &Player) -> [String; 3] {
    serde_json::from_value(player.run(STEP)).expect("three words")
}

/// Lets these ways to cheat be found one after the other, in a browser.
fn catches(table: &Table, ways: impl Iterator<Item = &'static (Way, &'static str)>) {
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    player.prepare(CALENDAR);
    for (way, caught) in ways {
        let proxy = Proxy::start(table.host(), *way);
        sit_down(player, &proxy);
        let found = wrong(player, &format!("{way:?}"));
        assert!(found.contains(caught), "{way:?}: {found}");
        let log = player.value("document.querySelector('#log-verdict').dataset.is");
        match way {
            Way::NoKey => assert_eq!(log, "unchecked"),
            Way::HidesGame | Way::OtherEnd | Way::ChangesEnd => assert_eq!(log, "bad"),
            _ => {}
        }
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_that_cheats_is_found_by_the_page() {
    const BROWSERS: usize = 3;
    let table = &Table::open(&["--bots", "6", "--rate", "1000"]);
    std::thread::scope(|scope| {
        for browser in 0..BROWSERS {
            let ways = TOLD.iter().skip(browser).step_by(BROWSERS);
            scope.spawn(move || catches(table, ways));
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_forfeit_that_is_hidden_is_found_by_the_page() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    let proxy = Proxy::start(table.host(), Way::HidesForfeit);
    let _silent = silent(table.server());
    sit_down(player, &proxy);
    assert_eq!(
        wrong(player, "a hidden forfeit"),
        "fair-their-seed fair-outcome"
    );
}

/// Plays a game at this table, which is fair, and waits for the log.
fn play_fairly(player: &Player, proxy: &Proxy) {
    sit_down(player, proxy);
    player.choose("single");
    player.dealt();
    player.play_alone();
    player.wait("document.querySelector('#verdict').dataset.is === 'good'");
    player.wait("document.querySelector('#log-verdict').dataset.is === 'good'");
    assert_eq!(
        player.value("document.querySelector('#alarm').hidden"),
        json!(true)
    );
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_fair_table_is_right_and_two_histories_are_found() {
    let table = Table::open(&["--bots", "4"]);
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    let [one, other] = [(); 2].map(|()| Proxy::start(table.host(), Way::Honest));
    let [seen, _] = [&one, &other].map(|proxy| {
        play_fairly(player, proxy);
        let checkpoint = "document.querySelector('#log-checkpoint').textContent";
        let checkpoint = player.value(checkpoint);
        checkpoint.as_str().expect("a text").to_owned()
    });
    // Who saw the one history shows it to those who see the other.
    table.place.write("seen", seen);
    let compare = |proxy: &Proxy| {
        let log = format!("http://{}/log", proxy.address);
        table.place.war(&["log", "verify", &log, "--with", "seen"])
    };
    compare(&one).ends_with(0);
    compare(&other).ends_with(1);
    // The page itself finds another one than it saw.
    other.ledger.lock().expect("a log").rewrite();
    player.reload();
    player.wait("document.querySelector('#alarm').dataset.wrong === 'alarm-rewritten'");
    player.wait("document.querySelector('#log-verdict').dataset.is === 'bad'");
}
