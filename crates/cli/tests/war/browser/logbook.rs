//! The page's checks of the table's log. The program's own core makes the logs, which the page
//! receives as files.

use super::checks::{run, with_modules};
use super::table::{Player, Table, with_two};
use crate::log::test_log::{BEGINNING, HOUR, KEY, LOG, TestLog, start};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// All files of a log by path, as hexadecimal digits.
pub(super) fn files(log: &TestLog) -> Value {
    let sandbox = Sandbox::new();
    log.write(&sandbox);
    served(&sandbox)
}

fn served(sandbox: &Sandbox) -> Value {
    let mut found = serde_json::Map::new();
    gather(&sandbox.path(LOG), "", &mut found);
    Value::Object(found)
}

fn gather(directory: &Path, before: &str, found: &mut serde_json::Map<String, Value>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let entry = entry.expect("a file");
        let name = entry.file_name().into_string().expect("a plain name");
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{before}{name}/"), found);
        } else {
            let bytes = fs::read(entry.path()).expect("a file");
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            found.insert(format!("{before}{name}"), digits.into());
        }
    }
}

/// Clears the page's log book, and checks logs in turn.
const CHECK: &str = "
    log_monitor.acknowledge();
    log_monitor.pin({ table: given.table, key: given.key });
    const get = (files) => async (path) => (files[path] ? sha256.fromHex(files[path]) : null);
    const answers = [];
    for (const { files, expect, now } of given.steps) {
        if (expect) log_monitor.expect(expect, 0);
        answers.push(await log_monitor.check(now ?? 0, get(files)).catch(() => 'unread'));
    }
    return [answers, log_monitor.read()];";

/// Answers of the log book to a series of logs, and its contents afterwards.
fn checked(page: &Player, table: &TestLog, steps: &Value) -> [Value; 2] {
    let given = json!({
        "table": table.table.to_string(), "key": table.public_key(), "steps": steps,
    });
    let answer = run(page, &["fairness/log-monitor", "sha256"], &given, CHECK);
    [answer[0].clone(), answer[1].clone()]
}

/// Log of finished games, with this many hundreds of leaves.
pub(super) fn grown(hundreds: u64) -> TestLog {
    TestLog::games(50 * hundreds)
}

fn text(log: &TestLog, leaf: usize) -> String {
    String::from_utf8(log.leaves[leaf].clone()).expect("text")
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_log_is_checked_as_it_grows() {
    with_modules(|page| {
        let logs = [1, 2, 3, 6, 12].map(grown);
        let steps: Vec<_> = logs
            .iter()
            .flat_map(|log| {
                // With each log, the page expects the leaf after its end, which only the next log
                // contains. With the last log, the page expects a leaf that is already there.
                let files = files(log);
                [
                    json!({ "files": files, "expect": text(&logs[4], log.leaves.len().min(1199)) }),
                    json!({ "files": files }),
                ]
            })
            .collect();
        let [answers, book] = checked(page, &logs[0], &json!(steps));
        let waiting = ["waiting"; 8].into_iter().chain(["good"; 2]);
        assert_eq!(answers, json!(waiting.collect::<Vec<_>>()));
        assert_eq!(book["note"], json!(logs[4].checkpoint()));
        assert_eq!(book["awaited"], json!([]));
        assert_eq!(book["found"].as_array().map(Vec::len), Some(5));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_log_that_contradicts_the_previous_one_raises_an_alarm() {
    let (before, now) = (grown(2), grown(6));
    let other = |leaves: &mut Vec<Vec<u8>>| {
        leaves[3] = start(9999, BEGINNING).to_string().into_bytes();
    };
    let lies = [
        ("rewritten", now.with(other), "alarm-rewritten"),
        ("of the same length", before.with(other), "alarm-rewritten"),
        ("shorter", grown(1), "alarm-rewritten"),
        ("signed by somebody else", now.signed_anew(), "alarm-note"),
        ("of another table", now.of_table([8; 16]), "alarm-note"),
    ];
    with_modules(|page| {
        for (what, lie, alarm) in lies {
            let steps = [&before, &lie, &now].map(|log| json!({ "files": files(log) }));
            let [answers, book] = checked(page, &before, &json!(steps));
            // After a contradiction the log stays wrong, whatever logs follow.
            assert_eq!(answers, json!(["good", "bad", "bad"]), "{what}");
            assert_eq!(book["alarms"], json!([alarm]), "{what}");
            assert_eq!(book["note"], json!(before.checkpoint()), "{what}");
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_game_missing_from_the_log_raises_an_alarm() {
    let (before, now) = (grown(2), grown(3));
    let missing = start(9999, BEGINNING).to_string();
    // The leaf is in a tile, but not in the tree that was signed.
    let sandbox = Sandbox::new();
    now.write(&sandbox);
    let with_it = now.with(|leaves| leaves[250] = missing.clone().into_bytes());
    with_it.write_tiles(&sandbox);
    with_modules(|page| {
        // A page that has seen the earlier log would miss the consistency proof.
        for (first, files) in [(&before, files(&now)), (&now, served(&sandbox))] {
            let steps = json!([
                { "files": self::files(first), "expect": missing },
                { "files": files },
                { "files": files, "now": 59_000 },
                { "files": files, "now": HOUR },
            ]);
            let [answers, book] = checked(page, &before, &steps);
            assert_eq!(answers, json!(["waiting", "waiting", "waiting", "bad"]));
            assert_eq!(book["alarms"], json!(["alarm-missing"]));
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_uncheckable_log_raises_no_alarm() {
    let log = grown(6);
    let empty = json!({});
    let garbage = json!({ "checkpoint": "3c68746d6c3e" });
    let without_tiles = json!({ "checkpoint": files(&log)["checkpoint"] });
    // Tiles are needed from the second checkpoint on.
    let steps = json!([
        { "files": empty }, { "files": garbage }, { "files": files(&grown(2)) },
        { "files": without_tiles }, { "files": files(&log) },
    ]);
    with_modules(|page| {
        let [answers, book] = checked(page, &log, &steps);
        let expected = ["log-absent", "unread", "good", "unread", "good"];
        assert_eq!(answers, json!(expected));
        assert_eq!(book["alarms"], json!([]));
        // Without https, a page can't check signatures.
        page.run("Object.defineProperty(crypto, 'subtle', { value: undefined })");
        let [answers, book] = checked(page, &log, &steps);
        let expected = [
            "log-absent",
            "unread",
            "log-browser",
            "log-browser",
            "log-browser",
        ];
        assert_eq!(answers, json!(expected));
        assert_eq!(book["alarms"], json!([]));
    });
}

/// Makes the page forget the table that it knows.
fn forget(player: &Player) {
    player.run("localStorage.removeItem('war-log')");
}

/// Serves the files of a log to the page, and puts that log's table and key into every `welcome`.
fn serve(player: &Player, log: &TestLog) {
    let (table, key) = (log.table, log.public_key());
    let files = files(log);
    player.prepare(&format!(
        "window.WebSocket = class extends WebSocket {{
            set onmessage(take) {{
                super.onmessage = ({{ data }}) => {{
                    const message = JSON.parse(data);
                    const told = message.type === 'welcome' ? {{ table: '{table}', key: '{key}' }} : {{}};
                    take({{ data: JSON.stringify({{ ...message, ...told }}) }});
                }};
            }}
        }};
        window.files = {files};
        window.network ??= window.fetch;
        window.fetch = async (path, options) => {{
            const to = new URL(path, location.href).pathname;
            if (!to.startsWith('/log/')) return network(path, options);
            const digits = files[to.slice('/log/'.length)];
            if (digits === undefined) return new Response('', {{ status: 404 }});
            return new Response(Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16)));
        }};"
    ));
    player.reload();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_log_is_shown_and_its_checkpoint_can_be_saved() {
    let table = Table::open(&["--bots", "0"]);
    let log = grown(3);
    with_two(&table, |ann, ola| {
        for (player, good) in [(ann, "checked"), (ola, "sprawdzony")] {
            // First the log of the real table.
            player.wait_for_text("#log-verdict", good);
            forget(player);
            serve(player, &log);
            player.wait_for_text("#log-verdict", good);
            player.click("#log summary");
            player.wait_for_text("#log-number", KEY);
            assert_eq!(player.text("#log-key"), log.fingerprint());
            assert_eq!(player.text("#log-table"), log.table.to_string());
            let shown = player.value("document.querySelector('#log-checkpoint').textContent");
            assert_eq!(shown, json!(log.checkpoint()));
            let save = "document.querySelector('#log-save')";
            assert_eq!(player.value(&format!("{save}.download")), "checkpoint.txt");
            let saved = player.run(&format!(
                "return network({save}.href).then((answer) => answer.text()).catch(String)"
            ));
            // The browser may forbid the page to fetch the file, but a person can still save it.
            assert!(
                saved == json!(log.checkpoint())
                    || saved.as_str().is_some_and(|e| e.contains("TypeError")),
                "{saved}"
            );
            player.click("#log-copy");
            player.check_layout(&player.lang("log-en", "log-pl"));
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_alarm_about_the_log_stays_until_the_player_dismisses_it() {
    let table = Table::open(&["--bots", "0"]);
    let log = grown(3);
    with_two(&table, |ann, ola| {
        let alarm = |player: &Player, key: &str, told: &str| {
            player.wait(&format!(
                "document.querySelector('#alarm').dataset.wrong === '{key}'"
            ));
            assert_eq!(player.text("#alarm > div"), told);
        };
        let verdict = "document.querySelector('#log-verdict').dataset.is";
        for player in [ann, ola] {
            forget(player);
            serve(player, &log);
            player.wait(&format!("{verdict} === 'good'"));
        }
        let rewritten = grown(6).with(|leaves| leaves.swap(3, 4));
        serve(ann, &rewritten);
        let told = "SOMETHING IS WRONG The table's log was changed: it no longer contains what it did before.";
        alarm(ann, "alarm-rewritten", told);
        ann.check_layout("log-rewritten-en");
        serve(ann, &log);
        alarm(ann, "alarm-rewritten", told);
        serve(ola, &log.signed_anew());
        let told = "COŚ SIĘ NIE ZGADZA Stół podpisuje innym kluczem niż wcześniej.";
        alarm(ola, "alarm-key", told);
        ola.check_layout("log-other-key-pl");
        for player in [ann, ola] {
            player.click("#alarm-seen");
            player.wait("document.querySelector('#alarm').hidden");
            player.wait(&format!("{verdict} === 'good'"));
        }
    });
}
