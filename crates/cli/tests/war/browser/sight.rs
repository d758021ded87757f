//! What people must see before they decide: the whole bet, also beside a notice, cards that have
//! just come, and buttons that stay where they are.

use super::driver::Driver;
use super::table::{DECISION, Player, Table, with_two};
use serde_json::json;
use war::tokens::{Kind, Stakes};

/// The bets of a game as both buttons tell them, in English and in Polish.
fn bets(kind: Kind) -> [[String; 2]; 2] {
    let Stakes {
        both_fold,
        one_folds,
        showdown,
    } = kind.stakes();
    [
        [
            format!("Play P win or lose {showdown}; win {one_folds} if they fold"),
            format!("Fold F lose {one_folds}; lose {both_fold} if both fold"),
        ],
        [
            format!("Gram G zysk lub strata {showdown}; +{one_folds}, gdy rywal pasuje"),
            format!("Pasuję P strata {one_folds}; {both_fold}, gdy rywal też"),
        ],
    ]
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn each_button_tells_the_whole_bet() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for (game, kind) in [("single", Kind::Single), ("double", Kind::Double)] {
            ann.meet(ola, game);
            for (player, [play, fold]) in [ann, ola].into_iter().zip(bets(kind)) {
                player.shows("#play", &play);
                player.shows("#fold", &fold);
                player.click("#fold");
                player.wait("document.body.dataset.stage !== 'deciding'");
            }
            for player in [ann, ola] {
                player.wait("document.body.dataset.stage === 'result'");
                player.click("#another");
            }
        }
        // Those who know the games have both before them on a phone.
        for player in [ann, ola] {
            player.heading(&player.lang("Choose a game", "Wybierz grę"));
            player.resize(360, 640);
            let lowest = "Math.max(...[...document.querySelectorAll('article button')]
                .map((button) => button.getBoundingClientRect().bottom)) <= innerHeight";
            assert_eq!(player.value(lowest), true);
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_notice_takes_nothing_of_the_decision_out_of_sight() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "double");
        // A reason as long as a sentence takes two lines on a phone, or three.
        let reason = "you found a bug in the rules, and told us of it";
        for (seat, player) in [("1", ann), ("2", ola)] {
            table.operate(&["adjust", seat, "50", "--reason", reason]);
            player.wait("!document.querySelector('#error').hidden");
            player.in_sight(&player.lang("notice-en", "notice-pl"), DECISION);
        }
    });
}

/// The clock of the page, which stands still while a script runs, and with its timers where it is
/// held: on a busy machine a script takes long and a timer comes late, and what these tests do is to
/// be in time.
const CLOCK: &str = "
    const [clock, timer] = [performance.now.bind(performance), window.setTimeout.bind(window)];
    let [held, stands, read] = [false, false, 0];
    performance.now = () => {
        if (!held && !stands) {
            [stands, read] = [true, clock()];
            queueMicrotask(() => (stands = false));
        }
        return read;
    };
    window.setTimeout = (act, ms) => timer(function due() {
        if (held) timer(due, 10);
        else act();
    }, ms);
    const soon = (act) => {
        held = true;
        act();
        timer(() => {
            read += 300;
            act();
            held = false;
        });
    };
";

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
        if (stage === 'deciding') soon(decide);
    }).observe(document.body, { attributeFilter: ['data-stage'] });
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn new_cards_are_seen_before_they_are_decided() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for player in [ann, ola] {
            player.run(&format!("{CLOCK}{HASTY}"));
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

/// Taps whatever comes next as soon as it is there, and once more shortly before it counts.
const TAPS: &str = "
    window.taps = 0;
    const tap = () => {
        window.taps += 1;
        const parts = 'section:not([hidden]) :is(button, summary, a[href])';
        for (const part of document.querySelectorAll(parts)) part.click();
    };
    const before = document.body.dataset.stage;
    new MutationObserver((_, watch) => {
        if ([before, 'decided'].includes(document.body.dataset.stage)) return;
        watch.disconnect();
        soon(tap);
    }).observe(document.body, { attributeFilter: ['data-stage'] });
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_second_tap_does_nothing_to_what_came_under_the_finger() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        ola.click("#fold");
        ola.heading("Pasujesz");
        let next = |click: &str, stage: &str, asks: &str| {
            ann.settled();
            ann.run(&format!("{CLOCK}{TAPS}"));
            ann.run(&format!("document.querySelector('{click}').click()"));
            ann.wait("window.taps === 2");
            assert_eq!(ann.value("document.body.dataset.stage"), stage);
            let asked = format!("document.querySelector('{asks}').disabled");
            assert_eq!(ann.value(&asked), false, "{stage}");
        };
        next("#play", "result", "#again");
        assert_eq!(ann.value("document.querySelector('#fair').open"), false);
        next("#another", "lobby", "[data-game]");
        // It is taken now.
        ann.choose("single");
        ann.wait("document.body.dataset.stage === 'waiting'");
    });
}

/// Lets the page be in sight or not, as a tab is.
fn looks(player: &Player, there: bool) {
    player.run(&format!(
        "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }});
        document.dispatchEvent(new Event('visibilitychange'));",
        !there
    ));
}

/// Notes what the page does with the badge of an icon.
const BADGES: &str = "
    window.badges = [];
    navigator.setAppBadge = async () => badges.push('set');
    navigator.clearAppBadge = async () => badges.push('clear');
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn those_who_look_elsewhere_are_called_when_it_is_their_turn() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let title = |player: &Player, text: &str| {
            player.wait(&format!("document.title === '{text}'"));
        };
        ann.run(BADGES);
        for player in [ann, ola] {
            looks(player, false);
        }
        title(ann, "War: the card table");
        ann.meet(ola, "single");
        title(ann, "Your turn! War: the card table");
        title(ola, "Twoja kolej! Wojna: stół karciany");
        assert_eq!(ann.value("badges"), json!(["set"]));
        // Those who look see it.
        looks(ann, true);
        title(ann, "At the table – War");
        looks(ann, false);
        title(ann, "Your turn! War: the card table");
        // And nothing is left to decide then.
        ann.click("#play");
        title(ann, "At the table – War");
        assert_eq!(ann.value("badges"), json!(["set", "clear", "set", "clear"]));
    });
}

/// Where the buttons for a decision are.
const PLACES: &str = "return ['play', 'fold'].map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return [x, y, width, height];
});";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn buttons_stay_where_they_are_whatever_comes_above_them() {
    let mut table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    let driver = Driver::start();
    let [ann, ola] = [("en", "Ann"), ("pl", "Ola")]
        .map(|(lang, name)| Player::open(&driver, &table.address, lang, name));
    ola.resize(390, 664);
    ann.meet(&ola, "double");
    let places = [&ann, &ola].map(|player| player.run(PLACES));
    ann.click("#play");
    ola.shows("#opponent-did", "Przeciwnik już zdecydował.");
    table.operate(&["adjust", "2", "50", "--reason", "a notice"]);
    ola.wait("!document.querySelector('#error').hidden");
    assert_eq!(ola.run(PLACES), places[1]);
    // Ann has decided, and her buttons are still there.
    ann.heading("You play");
    assert_eq!(ann.run(PLACES), places[0]);
    table.kill();
    for (player, place) in [&ann, &ola].into_iter().zip(&places) {
        player.wait("document.querySelector('#link').offsetHeight > 0");
        assert_eq!(player.run(PLACES), *place);
    }
}
