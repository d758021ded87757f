//! The page behind a cheating proxy, which changes messages, signs them itself, and keeps its own
//! log. The page raises an alarm for every cheat, and verifies a fair table.

use super::driver::Driver;
use super::table::{Player, Table};
use crate::table::cheats::{Cheat, Proxy, silent};
use serde_json::json;
use std::time::{Duration, Instant};

/// Time limit for the detection of a cheat, longer than the page takes for any.
const PATIENCE: Duration = Duration::from_secs(60);

/// Moves the page's calendar ahead. The clock that times a game is unaffected.
const CALENDAR: &str = "
    const calendar = Date.now;
    window.ahead = 0;
    Date.now = () => calendar() + window.ahead;
";

/// Next step of a page that plays one game after the other by itself. Returns its stage, its alarm,
/// and the verdict on the game.
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

/// Cheats that messages reveal, each with the page's alarm.
const REVEALED: [(Cheat, &str); 27] = [
    (Cheat::SwapsHash, "doubt-seed"),
    (Cheat::DropsHash, "doubt-seed"),
    (Cheat::WithholdsSeed, "fair-commitment"),
    (Cheat::SwapsSeed, "fair-seed"),
    (Cheat::EchoesSeed, "fair-cards"),
    (Cheat::DropsSeed, "fair-seed"),
    (Cheat::DealsEarly, "doubt-unopened"),
    (Cheat::GrindsSeed, "fair-commitment"),
    (Cheat::DealsOthers, "fair-cards"),
    (Cheat::Redeals, "fair-outcome"),
    (Cheat::TurnsResult, "fair-outcome"),
    (Cheat::PaysWrong, "fair-outcome"),
    (Cheat::WrongBalance, "fair-balance"),
    (Cheat::ShowsOthers, "fair-cards"),
    (Cheat::ChangesDecision, "fair-outcome"),
    (Cheat::ClaimsLate, "fair-outcome"),
    (Cheat::ClaimsForfeit, "fair-seed"),
    (Cheat::OldCommitment, "fair-commitment"),
    (Cheat::OldGame, "doubt-retold"),
    (Cheat::OtherHash, "fair-their-seed"),
    (Cheat::NoKey, "doubt-signature"),
    (Cheat::Unsigned, "doubt-signature"),
    (Cheat::OtherSignature, "doubt-signature"),
    (Cheat::OtherKey, "doubt-signature"),
    // Cheats that only the log reveals, once its deadline for a leaf is over.
    (Cheat::HidesGame, "alarm-missing"),
    (Cheat::OtherEnd, "alarm-missing"),
    (Cheat::ChangesEnd, "alarm-missing"),
];

/// Joins the table of a proxy as a new player.
fn sit_down(player: &Player, proxy: &Proxy) {
    player.go(&format!("http://{}/", proxy.address));
    player.wait("document.body?.dataset.stage === 'join'");
    player.sit_down("Ann");
}

/// Plays until the page raises an alarm, and returns its keys.
#[track_caller]
fn play_until_alarm(player: &Player, what: &str) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        let [stage, wrong, verdict] = step(player);
        if !wrong.is_empty() {
            // Any alarm about a finished game comes with a bad verdict on the game.
            let is_of_game = wrong.contains("fair-");
            assert_eq!(verdict == "bad", is_of_game, "{what}: {stage} {wrong}");
            assert!(
                player.text("#alarm").starts_with("SOMETHING IS WRONG "),
                "{what}"
            );
            return wrong;
        }
        assert_ne!(verdict, "bad", "{what}: nothing is wrong");
        assert!(Instant::now() < until, "{what} is not found");
        if stage == "result" {
            // Makes the page's next check of the log later than the deadline for the leaf.
            player.run("window.ahead = 61_000");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn step(player: &Player) -> [String; 3] {
    serde_json::from_value(player.run(STEP)).expect("three words")
}

/// Checks in one browser that the page catches each of these cheats in turn.
fn check_caught(table: &Table, cheats: impl Iterator<Item = &'static (Cheat, &'static str)>) {
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    player.prepare(CALENDAR);
    for (cheat, caught) in cheats {
        let proxy = Proxy::start(table.host(), *cheat);
        sit_down(player, &proxy);
        let found = play_until_alarm(player, &format!("{cheat:?}"));
        assert!(found.contains(caught), "{cheat:?}: {found}");
        let log = player.value("document.querySelector('#log-verdict').dataset.is");
        match cheat {
            Cheat::NoKey => assert_eq!(log, "unchecked"),
            Cheat::HidesGame | Cheat::OtherEnd | Cheat::ChangesEnd => assert_eq!(log, "bad"),
            _ => {}
        }
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_page_detects_every_cheating_table() {
    const BROWSERS: usize = 3;
    let table = &Table::open(&["--bots", "6", "--rate", "1000"]);
    std::thread::scope(|scope| {
        for browser in 0..BROWSERS {
            let cheats = REVEALED.iter().skip(browser).step_by(BROWSERS);
            scope.spawn(move || check_caught(table, cheats));
        }
    });
}

// The page can't tell these cheats from another device of the player, so it accuses nobody, but counts
// the games and verifies none.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_cheat_that_feigns_another_device_is_counted() {
    let table = Table::open(&["--bots", "4"]);
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    for cheat in [Cheat::FeignsDevice, Cheat::FeignsMove] {
        let proxy = Proxy::start(table.host(), cheat);
        sit_down(player, &proxy);
        for count in ["1 game was", "2 games were"] {
            player.choose("single");
            player.wait_until_dealt();
            player.wait("!document.querySelector('#unchecked').hidden");
            player.play_alone();
            player.wait("document.querySelector('#verdict').dataset.is === 'unchecked'");
            player.wait_for_text("#verdict", "not checked here");
            let told = player.text("#unchecked");
            assert!(told.contains("don't trust this table."), "{told}");
            assert!(
                told.ends_with(&format!("{count} not checked here.")),
                "{told}"
            );
            let hidden = "document.querySelector('#alarm').hidden";
            assert_eq!(player.value(hidden), true, "{cheat:?}");
            player.click("#another");
            player.wait("document.body.dataset.stage === 'lobby'");
        }
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_page_detects_a_hidden_forfeit() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    let proxy = Proxy::start(table.host(), Cheat::HidesForfeit);
    let _silent = silent(table.server());
    sit_down(player, &proxy);
    assert_eq!(
        play_until_alarm(player, "a hidden forfeit"),
        "fair-their-seed fair-outcome"
    );
}

/// Plays a game at this fair table, and waits for the log.
fn play_fairly(player: &Player, proxy: &Proxy) {
    sit_down(player, proxy);
    player.choose("single");
    player.wait_until_dealt();
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
fn a_fair_table_is_verified_and_two_histories_are_detected() {
    let table = Table::open(&["--bots", "4"]);
    let driver = Driver::start();
    let player = &Player::visit(&driver, &table.address, "en");
    let [one, other] = [(); 2].map(|()| Proxy::start(table.host(), Cheat::Honest));
    let [seen, _] = [&one, &other].map(|proxy| {
        play_fairly(player, proxy);
        let checkpoint = "document.querySelector('#log-checkpoint').textContent";
        let checkpoint = player.value(checkpoint);
        checkpoint.as_str().expect("a text").to_owned()
    });
    // A player who saw one history shows it to those who see the other.
    table.sandbox.write("seen", seen);
    let compare = |proxy: &Proxy| {
        let log = format!("http://{}/log", proxy.address);
        table
            .sandbox
            .war(&["log", "verify", &log, "--with", "seen"])
    };
    compare(&one).exits_with(0);
    compare(&other).exits_with(1);
    // The page itself finds a history that contradicts the one it saw.
    other.ledger.lock().expect("a log").rewrite();
    player.reload();
    player.wait("document.querySelector('#alarm').dataset.wrong === 'alarm-rewritten'");
    player.wait("document.querySelector('#log-verdict').dataset.is === 'bad'");
}
