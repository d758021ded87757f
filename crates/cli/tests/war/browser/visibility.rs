//! Things that players must see before they decide: the whole bet, also beside a notice, cards that
//! have just come, and buttons that stay in place.

use super::driver::Driver;
use super::table::{DECISION, Player, Table, with_two};
use serde_json::json;
use war::tokens::{Kind, Stakes};

/// Bets of a game, as both buttons show them, in English and Polish.
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
            format!("Pasuję P strata {one_folds} lub tylko {both_fold}, gdy rywal też pasuje"),
        ],
    ]
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn each_button_shows_the_whole_bet() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for (game, kind) in [("single", Kind::Single), ("double", Kind::Double)] {
            ann.meet(ola, game);
            for (player, [play, fold]) in [ann, ola].into_iter().zip(bets(kind)) {
                player.wait_for_text("#play", &play);
                player.wait_for_text("#fold", &fold);
                player.click("#fold");
                player.wait("document.body.dataset.stage !== 'deciding'");
            }
            for player in [ann, ola] {
                player.wait("document.body.dataset.stage === 'result'");
                player.click("#another");
            }
        }
        // Players who know the rules see both games on a phone.
        for player in [ann, ola] {
            player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
            player.resize(360, 640);
            let lowest = "Math.max(...[...document.querySelectorAll('article button')]
                .map((button) => button.getBoundingClientRect().bottom)) <= innerHeight";
            assert_eq!(player.value(lowest), true);
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_notice_hides_no_part_of_the_decision() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "double");
        // A reason of a whole sentence takes two or three lines on a phone.
        let reason = "you found a bug in the rules, and told us of it";
        for (seat, player) in [("1", ann), ("2", ola)] {
            table.operate(&["adjust", seat, "50", "--reason", reason]);
            player.wait("!document.querySelector('#error').hidden");
            player.check_visible(&player.lang("notice-en", "notice-pl"), DECISION);
        }
    });
}

/// Clock for the page that a script can stop, with timers that wait while the clock is stopped. On
/// a busy machine scripts are slow and timers late, but these tests must act at exact times.
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

/// Decides in every way as soon as there are cards, and again shortly before a decision counts.
/// Records what a screen reader finds at these times.
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
fn new_cards_are_seen_before_a_decision_counts() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        for player in [ann, ola] {
            player.run(&format!("{CLOCK}{HASTY}"));
        }
        ann.meet(ola, "double");
        for player in [ann, ola] {
            player.wait("hasty.length === 2");
            assert_eq!(player.value("hasty"), json!(["true", "true"]));
            player.wait_until_ready();
            assert_eq!(player.value("document.body.dataset.stage"), "deciding");
            // Now a decision counts.
            player.click("#play");
            player.wait("document.body.dataset.stage !== 'deciding' || document.querySelector('#game-lead').innerText.includes('2:')");
        }
    });
}

/// Taps every new control as soon as it appears, and again shortly before a tap counts.
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
fn a_second_tap_does_nothing_to_a_control_that_moved_under_the_finger() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        ola.click("#fold");
        ola.wait_for_heading("Pasujesz");
        let next = |click: &str, stage: &str, asks: &str| {
            ann.wait_until_settled();
            ann.run(&format!("{CLOCK}{TAPS}"));
            ann.run(&format!("document.querySelector('{click}').click()"));
            ann.wait("window.taps === 2");
            assert_eq!(ann.value("document.body.dataset.stage"), stage);
            let asked = format!("document.querySelector('{asks}').disabled");
            assert_eq!(ann.value(&asked), false, "{stage}");
        };
        next("#play", "result", "#again");
        assert_eq!(ann.value("document.querySelector('#fair').open"), false);
        // In the lobby only the second click of a double click is ignored: the first click on a
        // button that is read already counts at once.
        ann.wait_until_settled();
        let taps = ann.run(&format!(
            "{CLOCK}
            performance.now();
            held = true;
            document.querySelector('#another').click();
            const choice = document.querySelector('[data-game]');
            const taps = [2, 1].map((detail) => {{
                choice.dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true, detail }}));
                return [document.body.dataset.early, choice.disabled];
            }});
            held = false;
            return taps;"
        ));
        assert_eq!(taps, json!([["true", false], ["true", true]]));
        ann.wait("document.body.dataset.stage === 'waiting'");
    });
}

/// Makes the page visible or hidden, as switching between tabs does.
fn set_visible(player: &Player, there: bool) {
    player.run(&format!(
        "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }});
        document.dispatchEvent(new Event('visibilitychange'));",
        !there
    ));
}

/// Records the page's use of its icon badge.
const BADGES: &str = "
    window.badges = [];
    navigator.setAppBadge = async () => badges.push('set');
    navigator.clearAppBadge = async () => badges.push('clear');
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn players_in_another_tab_are_called_when_it_is_their_turn() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let title = |player: &Player, text: &str| {
            player.wait(&format!("document.title === '{text}'"));
        };
        ann.run(BADGES);
        for player in [ann, ola] {
            set_visible(player, false);
        }
        title(ann, "War: the card table");
        ann.meet(ola, "single");
        title(ann, "Your turn! War: the card table");
        title(ola, "Twoja kolej! Wojna: stół karciany");
        assert_eq!(ann.value("badges"), json!(["set"]));
        // Once Ann looks at the page, title and badge stop calling her.
        set_visible(ann, true);
        title(ann, "At the table – War");
        set_visible(ann, false);
        title(ann, "Your turn! War: the card table");
        // After her decision, nothing calls Ann any more.
        ann.click("#play");
        title(ann, "At the table – War");
        assert_eq!(ann.value("badges"), json!(["set", "clear", "set", "clear"]));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_large_screen_is_used() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        let share = |player: &Player, part: &str| {
            player.resize(1920, 1080);
            let share = format!(
                "(() => {{
                    const {{ width, height }} = document.querySelector('{part}').getBoundingClientRect();
                    return [width / innerWidth, height / innerHeight];
                }})()"
            );
            let share = player.value(&share);
            [0, 1].map(|side| share[side].as_f64().expect("a share"))
        };
        assert!(share(ann, "main")[0] > 0.8);
        ann.meet(ola, "double");
        assert!(share(ann, "main")[0] > 0.8);
        // A card takes more than a third of the height, as on a smaller screen.
        assert!(share(ann, "#game-yours li")[1] > 0.34);
        ann.check_visible("large-en", DECISION);
    });
}

/// Positions of the buttons for a decision.
const PLACES: &str = "return ['play', 'fold'].map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return [x, y, width, height];
});";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn buttons_stay_in_place_when_content_appears_above_them() {
    let mut table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    let driver = Driver::start();
    let [ann, ola] = [("en", "Ann"), ("pl", "Ola")]
        .map(|(lang, name)| Player::open(&driver, &table.address, lang, name));
    ola.resize(390, 664);
    ann.meet(&ola, "double");
    let places = [&ann, &ola].map(|player| player.run(PLACES));
    ann.click("#play");
    ola.wait_for_text("#opponent-did", "Przeciwnik już zdecydował.");
    table.operate(&["adjust", "2", "50", "--reason", "a notice"]);
    ola.wait("!document.querySelector('#error').hidden");
    assert_eq!(ola.run(PLACES), places[1]);
    // Ann has decided, and her buttons are still there.
    ann.wait_for_heading("You play");
    assert_eq!(ann.run(PLACES), places[0]);
    table.kill();
    for (player, place) in [&ann, &ola].into_iter().zip(&places) {
        player.wait("document.querySelector('#link').offsetHeight > 0");
        assert_eq!(player.run(PLACES), *place);
    }
}
