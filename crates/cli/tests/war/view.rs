//! `war view`: contents of the page, and text that must never get into it unescaped.

use super::support::{Sandbox, project};
use ct_codecs::{Base64, Decoder, Encoder};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use war::journal::Verdict;
use war::lang::Lang;
use war::projections::frames::Frames;
use war::replay::Replay;
use war::tokens::{Name, Seats};
use war_viewer::{JournalCopy, PageFacts, Viewer};

/// Text between two marks, at their first occurrence.
#[track_caller]
pub(crate) fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect("the start");
    rest.split_once(end).expect("the end").0
}

/// Contents of a data element.
#[track_caller]
pub(crate) fn data<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("<script type=\"text/plain\" id=\"{id}\">");
    between(page, &start, "</script>")
}

/// Inflated bytes of a data element.
fn unpacked(page: &str, id: &str) -> Vec<u8> {
    let deflated = Base64::decode_to_vec(data(page, id), None).expect("base 64");
    let mut bytes = Vec::new();
    let mut inflated = flate2::read::ZlibDecoder::new(&deflated[..]);
    inflated.read_to_end(&mut bytes).expect("deflated bytes");
    bytes
}

fn about(page: &str) -> Value {
    serde_json::from_str(data(page, "about")).expect("JSON")
}

/// Texts of all turns, one after the other.
fn texts(page: &str) -> String {
    let blocks = page.matches("id=\"block-").count();
    let block = |number| -> Value {
        let bytes = unpacked(page, &format!("block-{number}"));
        serde_json::from_slice(&bytes).expect("JSON")
    };
    let texts = (0..blocks).filter_map(|number| block(number)["texts"].as_array().cloned());
    let texts = texts.flatten();
    texts
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

/// Journals of the project.
fn journals() -> Vec<String> {
    let files = fs::read_dir(project().join("journals")).expect("the journals");
    let paths = files.map(|file| file.expect("a file").path());
    let paths = paths.filter(|path| path.is_file());
    paths.map(|path| path.display().to_string()).collect()
}

fn journal(name: &str) -> String {
    project().join("journals").join(name).display().to_string()
}

/// Page of a journal. Checks the exit code of the program.
#[track_caller]
fn page(journal: &str, code: i32) -> String {
    let sandbox = Sandbox::new();
    sandbox
        .war(&["view", journal, "-o", "page.html"])
        .exits_with(code);
    sandbox.read("page.html")
}

#[test]
fn a_page_has_every_screen_and_the_journal_itself() {
    let all = journals();
    assert!(all.len() > 30);
    for path in all {
        let sandbox = Sandbox::new();
        let replayed = sandbox.war(&["replay", &path]);
        let page = page(&path, replayed.code);
        assert_eq!(texts(&page), replayed.stdout, "{path}");
        assert_eq!(
            unpacked(&page, "journal"),
            fs::read(&path).expect("it"),
            "{path}"
        );
        let verdict = about(&page)["verdict"].clone();
        assert!(
            replayed.stderr.contains(verdict.as_str().expect("a word")),
            "{path}"
        );
    }
}

#[test]
fn a_page_runs_only_its_own_styles_and_scripts() {
    let page = page(&journal("classic_dealt_won.json"), 0);
    let hash = |text: &[u8]| {
        let hash = Sha256::digest(text);
        Base64::encode_to_string(hash).expect("base 64")
    };
    let style = hash(between(&page, "<style>", "</style>").as_bytes());
    let script = hash(between(&page, "<script type=\"module\">", "</script>").as_bytes());
    let verifier = hash(&unpacked(&page, "verifier"));
    let policy = between(
        &page,
        "http-equiv=\"Content-Security-Policy\" content=\"",
        "\"",
    );
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}' \
             'sha256-{verifier}'; base-uri 'none'; form-action 'none'"
        )
    );
    let elements = page.matches("<script").count();
    assert_eq!(
        elements,
        page.matches("<script type=\"text/plain\" id=").count() + 1
    );
    for named in ["http://", "https://", "style=\"", "onclick"] {
        let found = page
            .replace("http://www.w3.org/2000/svg", "")
            .contains(named);
        assert!(!found, "{named}");
    }
}

/// Text that would be dangerous if the page took it for markup, a script or a template.
const HOSTILE: &str = "</script><img src=x onerror=alert(1)>{{data}}";

/// Page of a token game with dangerous texts in its names, screens and lines, and the text that is
/// in the screens and lines.
pub(crate) fn hostile_page() -> (String, &'static str) {
    let bytes = fs::read(journal("double_card_tied.json")).expect("a journal");
    let replay = Replay::open(&bytes[..], None).expect("a header");
    let mut viewer = Viewer::default();
    let mut frames = Frames::new(|mut frame: war::projections::frames::Frame| {
        frame.text.push_str(HOSTILE);
        viewer.add(&frame);
    });
    let judgement = replay.verify(&mut frames).expect("a file");
    frames.finish();
    assert_eq!(judgement.verdict(), Verdict::Verified);
    let names = ["<img src=x onerror=alert(1)>", "</script><b>&lt;'\""];
    let page = viewer.build_page(&PageFacts {
        lang: Lang::Pl,
        header: judgement.header().expect("a header"),
        judgement: &judgement,
        seats: Some(&Seats::OptionalSeeds {
            names: names.map(|name| Name::new(name).expect("a name")),
            seeds: [None, None],
        }),
        lines: BTreeMap::from([("pl", vec![HOSTILE.to_owned()])]),
        journal: JournalCopy::embedded(HOSTILE, &bytes),
        home: None,
    });
    (page, HOSTILE)
}

#[test]
fn html_in_texts_is_escaped() {
    let (page, hostile) = hostile_page();
    assert!(!page.contains("<img") && !page.contains("<b>"));
    let about = about(&page);
    assert_eq!(about["lines"]["pl"][0], hostile);
    assert_eq!(about["journal"]["name"], hostile);
    assert_eq!(about["seats"][0], "<img src=x onerror=alert(1)>");
    assert_eq!(texts(&page).matches(hostile).count(), 3);
    assert_eq!(
        page.matches("</script>").count(),
        page.matches("<script").count()
    );
}

#[test]
fn a_damaged_journal_gets_no_page() {
    let sandbox = Sandbox::new();
    let text = fs::read_to_string(journal("classic_dealt_won.json")).expect("a journal");
    let (start, rest) = text.split_once("\"turns\"").expect("an end record");
    sandbox.write("bad.json", format!("{start}\"turnz\"{rest}"));
    for output in [&["-o", "page.html"][..], &["-o", "-"], &[]] {
        let run = sandbox
            .war(&[&["view", "bad.json"], output].concat())
            .exits_with(1);
        assert_eq!(run.stdout, "");
        run.reports("DAMAGED bad.json")
            .reports("no page of `bad.json` was made");
    }
    assert!(!sandbox.path("page.html").exists());
    sandbox.write("none.json", "{}");
    sandbox
        .war(&["view", "none.json", "-o", "page.html"])
        .exits_with(1)
        .reports("WJ002");
    sandbox
        .war(&["view", "missing.json", "-o", "page.html"])
        .exits_with(4)
        .reports("missing.json");
    let left = fs::read_dir(sandbox.path("."))
        .expect("a directory")
        .count();
    assert_eq!(
        left, 3,
        "two journals, the directory of no scenarios, and nothing else"
    );
}

#[test]
fn a_truncated_journal_shows_its_intact_part_and_a_notice() {
    let page = page(&journal("classic_cut_off.json"), 3);
    let about = about(&page);
    assert_eq!(about["verdict"], "INCOMPLETE");
    assert!(about["turns"].as_u64() > Some(0));
    // A journal without its end record has no final digest.
    let bytes = fs::read(journal("classic_dealt_won.json")).expect("a journal");
    let sandbox = Sandbox::new();
    sandbox.write("cut.json", &bytes[..bytes.len() / 2]);
    sandbox
        .war(&["view", "cut.json", "-o", "cut.html"])
        .exits_with(3)
        .reports("INCOMPLETE");
    let page = sandbox.read("cut.html");
    let about = self::about(&page);
    assert_eq!(
        (&about["verdict"], &about["digest"]),
        (&"INCOMPLETE".into(), &Value::Null)
    );
    assert_eq!(unpacked(&page, "journal"), &bytes[..bytes.len() / 2]);
}

#[test]
fn a_page_can_be_made_from_standard_input_and_written_to_standard_output() {
    let sandbox = Sandbox::new();
    let bytes = fs::read(journal("xy_sample.json")).expect("a journal");
    let run = sandbox
        .war_reading(&bytes, &["view", "-", "-o", "-", "--lang", "pl"])
        .exits_with(0);
    assert!(
        run.stdout
            .starts_with("<!doctype html>\n<html lang=\"pl\">")
    );
    assert_eq!(about(&run.stdout)["journal"]["name"], "stdin.json");
    sandbox.write("game.json", &bytes);
    let run = sandbox
        .war(&["view", "game.json", "-o", "game.json"])
        .exits_with(2);
    run.reports("would be written over the journal `game.json`");
    assert_eq!(
        fs::read(sandbox.path("game.json")).expect("the journal"),
        bytes
    );
}

/// Writes a program that notes its arguments in the file `seen`, and returns its name.
#[cfg(unix)]
fn browser(sandbox: &Sandbox, name: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >seen.new && mv seen.new seen\n";
    let browser = sandbox.write(name, script);
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o700)).expect("its mode");
    browser.display().to_string()
}

/// Page that a browser gets from this command, and the arguments of the browser. `browsers` is the
/// variable `BROWSER`.
#[cfg(unix)]
fn opened(sandbox: &Sandbox, browsers: &str, arguments: &[&str]) -> (String, Vec<String>) {
    use std::process::Stdio;
    let temporary = sandbox.path("tmp");
    fs::create_dir(&temporary).expect("a directory");
    let mut command = sandbox.command(arguments);
    command
        .env("BROWSER", browsers)
        .env("TMPDIR", &temporary)
        .env("PATH", "/usr/bin:/bin")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !sandbox.path("seen").exists() && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let seen: Vec<String> = sandbox.read("seen").lines().map(str::to_owned).collect();
    let address = seen.iter().find_map(|word| {
        let from = word.find("http://127.0.0.1:")?;
        Some(word[from..].to_owned())
    });
    let address = address.expect("an address");
    let mut answer = ureq::get(&address).call().expect("the page");
    let page = answer.body_mut().read_to_string().expect("the page");
    let run = super::support::Run::from(child.wait_with_output().expect("its output"));
    let run = run.exits_with(0).reports(&address);
    assert_eq!(run.stdout, "");
    let left = fs::read_dir(&temporary).expect("a directory").count();
    assert_eq!(left, 0, "a file that a browser in a sandbox can't read");
    (page, seen)
}

#[cfg(unix)]
#[test]
fn the_page_opens_in_the_browser_without_an_output_file() {
    let sandbox = Sandbox::new();
    let view = ["view", &journal("duels_random.json")];
    let (page, seen) = opened(&sandbox, &browser(&sandbox, "browser"), &view);
    assert_eq!(about(&page)["rules"], "duels-random/1");
    assert_eq!(seen.len(), 1);
}

#[cfg(unix)]
#[test]
fn browsers_are_commands_that_are_tried_in_turn() {
    let sandbox = Sandbox::new();
    let mine = browser(&sandbox, "my browser");
    let browsers = format!("no-such-browser:false %s:'{mine}' --new-tab --url=%s 100%%");
    let (page, seen) = opened(&sandbox, &browsers, &["view", &journal("xy_sample.json")]);
    assert_eq!(about(&page)["rules"], "xy/1");
    let [tab, address, percent] = &seen[..] else {
        panic!("{seen:?}");
    };
    assert_eq!((&tab[..], &percent[..]), ("--new-tab", "100%"));
    assert!(address.starts_with("--url=http://127.0.0.1:"), "{address}");
}

#[test]
fn a_page_that_no_browser_opens_is_an_error() {
    let sandbox = Sandbox::new();
    let journal = journal("xy_sample.json");
    let view = |browsers: &str| {
        let mut command = sandbox.command(&["view", &journal]);
        command
            .env("BROWSER", browsers)
            .env("PATH", "/usr/bin:/bin");
        super::support::Run::of(&mut command).exits_with(4)
    };
    view("no-such-browser --new-tab:sh -c 'exit 7' %s:'a")
        .reports("can't start the browser `no-such-browser --new-tab`: no such file")
        .reports("the browser `sh -c 'exit 7' %s` ended with exit code 7")
        .reports("the browser `'a` was not started: its quotes don't match")
        .reports("no browser could be opened")
        .reports("war view --output FILE");
    // The system's commands are not there either.
    let mut command = sandbox.command(&["view", &journal]);
    command.env("PATH", sandbox.path("none"));
    let run = super::support::Run::of(&mut command).exits_with(4);
    run.reports("no browser could be opened");
}

#[cfg(unix)]
#[test]
#[ignore = "waits half a minute; `.ci/deep` runs it"]
fn a_browser_that_does_not_ask_for_the_page_is_not_awaited_for_ever() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["view", &journal("xy_sample.json")]);
    command.env("BROWSER", "true").env("PATH", "/usr/bin:/bin");
    let run = super::support::Run::of(&mut command).exits_with(4);
    run.reports("no browser asked for the page within 30 seconds");
}

#[cfg(unix)]
#[test]
fn a_simulated_game_opens_as_a_page() {
    let sandbox = Sandbox::new();
    let game = ["simulate", "--rules", "bataille", "--game", "1:5"];
    let printed = sandbox.war(&game).exits_with(0).stdout;
    let browser = browser(&sandbox, "browser");
    let (page, _) = opened(&sandbox, &browser, &[&game[..], &["--view"]].concat());
    assert_eq!(about(&page)["journal"]["name"], "1-5.json");
    assert_eq!(texts(&page), printed);
    for other in [&["--journal", "a.json"][..], &["--result", "json"]] {
        let refused = [&game[..], &["--view"], other].concat();
        sandbox.war(&refused).exits_with(2).reports("--view");
    }
    sandbox
        .war(&["simulate", "--view"])
        .exits_with(2)
        .reports("--game");
}

#[test]
fn a_long_game_makes_a_page_of_megabytes_with_a_separate_journal() {
    let sandbox = Sandbox::new();
    let game = ["2", "large", "--seed", "2215", "--journal", "long.json"];
    let recorded = sandbox.war(&game).exits_with(0);
    let run = sandbox
        .war(&["view", "long.json", "-o", "pages.html"])
        .exits_with(0);
    let digest = run.stderr.trim_end().rsplit(' ').next().expect("a digest");
    let beside = format!("long.{digest}.json");
    let journal = fs::read(sandbox.path("long.json")).expect("the journal");
    assert!(fs::read(sandbox.path(&beside)).expect("its copy") == journal);
    let page = sandbox.read("pages.html");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    let about = about(&page);
    assert_eq!(about["turns"], 211_816);
    assert_eq!(
        (&about["journal"]["name"], &about["journal"]["beside"]),
        (&beside.into(), &true.into())
    );
    assert!(!page.contains("id=\"journal\""));
    assert!(texts(&page) == recorded.stdout);
    // A seek inflates one block, and no block is large.
    let longest = (0..=827).map(|block| unpacked(&page, &format!("block-{block}")).len());
    assert!(longest.max() < Some(150_000));
}

#[test]
fn a_page_of_two_thousand_turns_is_small() {
    let sandbox = Sandbox::new();
    let game = ["2", "large", "--seed", "46", "--journal", "game.json"];
    sandbox.war(&game).exits_with(0);
    sandbox
        .war(&["view", "game.json", "-o", "game.html"])
        .exits_with(0);
    let page = sandbox.read("game.html");
    assert!(
        about(&page)["turns"].as_u64() >= Some(2_000),
        "{}",
        about(&page)["turns"]
    );
    let without = page.len() - data(&page, "journal").len();
    assert!(without < 150_000, "{without} bytes");
}
