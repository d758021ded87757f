//! `war view`: what is in the page, and what never gets into one.

use super::support::{Place, project};
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
use war_viewer::{About, JournalCopy, Viewer};

/// What is between two marks, the first of each.
#[track_caller]
pub(crate) fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect("the start");
    rest.split_once(end).expect("the end").0
}

/// What an element of data holds.
#[track_caller]
pub(crate) fn data<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("<script type=\"text/plain\" id=\"{id}\">");
    between(page, &start, "</script>")
}

/// The bytes that an element of data carries, inflated.
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

/// The texts of all turns, one after the other.
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

/// The journals of the project.
fn journals() -> Vec<String> {
    let files = fs::read_dir(project().join("journals")).expect("the journals");
    let paths = files.map(|file| file.expect("a file").path());
    let paths = paths.filter(|path| path.is_file());
    paths.map(|path| path.display().to_string()).collect()
}

fn journal(name: &str) -> String {
    project().join("journals").join(name).display().to_string()
}

/// The page of a journal, where the program ends with this code.
#[track_caller]
fn page(journal: &str, code: i32) -> String {
    let place = Place::new();
    place
        .war(&["view", journal, "-o", "page.html"])
        .ends_with(code);
    place.read("page.html")
}

#[test]
fn a_page_has_every_screen_and_the_journal_itself() {
    let all = journals();
    assert!(all.len() > 30);
    for path in all {
        let place = Place::new();
        let replayed = place.war(&["replay", &path]);
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
fn nothing_but_its_own_style_and_scripts_runs_in_a_page() {
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

/// A text that would be dangerous if it were anything but text.
const HOSTILE: &str = "</script><img src=x onerror=alert(1)>{{data}}";

/// The page of a token game in whose names, screens and lines such texts are, with the one that is
/// not a name.
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
    let page = viewer.page(&About {
        lang: Lang::Pl,
        header: judgement.header().expect("a header"),
        judgement: &judgement,
        seats: Some(&Seats::Added {
            names: names.map(|name| Name::new(name).expect("a name")),
            seeds: [None, None],
        }),
        lines: BTreeMap::from([("pl", vec![HOSTILE.to_owned()])]),
        journal: JournalCopy::within(HOSTILE, &bytes),
    });
    (page, HOSTILE)
}

#[test]
fn texts_with_html_stay_texts() {
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
    let place = Place::new();
    let text = fs::read_to_string(journal("classic_dealt_won.json")).expect("a journal");
    let (start, rest) = text.split_once("\"turns\"").expect("an end record");
    place.write("bad.json", format!("{start}\"turnz\"{rest}"));
    for output in [&["-o", "page.html"][..], &["-o", "-"], &[]] {
        let run = place
            .war(&[&["view", "bad.json"], output].concat())
            .ends_with(1);
        assert_eq!(run.stdout, "");
        run.tells("DAMAGED bad.json")
            .tells("no page of `bad.json` was made");
    }
    assert!(!place.path("page.html").exists());
    place.write("none.json", "{}");
    place
        .war(&["view", "none.json", "-o", "page.html"])
        .ends_with(1)
        .tells("WJ002");
    place
        .war(&["view", "missing.json", "-o", "page.html"])
        .ends_with(4)
        .tells("missing.json");
    let left = fs::read_dir(place.path(".")).expect("a directory").count();
    assert_eq!(
        left, 3,
        "two journals, the directory of no scenarios, and nothing else"
    );
}

#[test]
fn a_journal_that_was_cut_off_shows_what_is_intact_and_says_so() {
    let page = page(&journal("classic_cut_off.json"), 3);
    let about = about(&page);
    assert_eq!(about["verdict"], "INCOMPLETE");
    assert!(about["turns"].as_u64() > Some(0));
    // Without its end record it has no final digest.
    let bytes = fs::read(journal("classic_dealt_won.json")).expect("a journal");
    let place = Place::new();
    place.write("cut.json", &bytes[..bytes.len() / 2]);
    place
        .war(&["view", "cut.json", "-o", "cut.html"])
        .ends_with(3)
        .tells("INCOMPLETE");
    let page = place.read("cut.html");
    let about = self::about(&page);
    assert_eq!(
        (&about["verdict"], &about["digest"]),
        (&"INCOMPLETE".into(), &Value::Null)
    );
    assert_eq!(unpacked(&page, "journal"), &bytes[..bytes.len() / 2]);
}

#[test]
fn a_page_can_be_printed_and_made_of_standard_input() {
    let place = Place::new();
    let bytes = fs::read(journal("xy_sample.json")).expect("a journal");
    let run = place
        .war_reading(&bytes, &["view", "-", "-o", "-", "--lang", "pl"])
        .ends_with(0);
    assert!(
        run.stdout
            .starts_with("<!doctype html>\n<html lang=\"pl\">")
    );
    assert_eq!(about(&run.stdout)["journal"]["name"], "stdin.json");
    place.write("game.json", &bytes);
    let run = place
        .war(&["view", "game.json", "-o", "game.json"])
        .ends_with(2);
    run.tells("would be written over the journal `game.json`");
    assert_eq!(
        fs::read(place.path("game.json")).expect("the journal"),
        bytes
    );
}

#[cfg(unix)]
/// The page that the browser opens, in a temporary directory, for this command.
fn opened(place: &Place, arguments: &[&str]) -> String {
    use std::os::unix::fs::PermissionsExt;
    let browser = place.write(
        "browser",
        "#!/bin/sh\necho \"$1\" >seen.new && mv seen.new seen\n",
    );
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o700)).expect("its mode");
    let temporary = place.path("tmp");
    fs::create_dir(&temporary).expect("a directory");
    let mut command = place.command(arguments);
    command
        .env("BROWSER", &browser)
        .env("TMPDIR", &temporary)
        .env("PATH", "/usr/bin:/bin");
    let run = super::support::Run::of(&mut command).ends_with(0);
    assert_eq!(run.stdout, "");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !place.path("seen").exists() {
        assert!(
            std::time::Instant::now() < until,
            "no browser was opened: {run:#?}"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let seen = place.read("seen");
    let seen = seen.trim_end();
    run.tells(&format!("the page is `{seen}`"));
    assert!(seen.starts_with(&temporary.display().to_string()), "{seen}");
    fs::read_to_string(seen).expect("the page")
}

#[test]
fn without_a_file_the_page_opens_in_the_browser() {
    let page = opened(&Place::new(), &["view", &journal("duels_random.json")]);
    assert_eq!(about(&page)["rules"], "duels-random/1");
}

#[test]
fn a_simulated_game_opens_as_a_page() {
    let place = Place::new();
    let game = ["simulate", "--rules", "bataille", "--game", "1:5"];
    let printed = place.war(&game).ends_with(0).stdout;
    let page = opened(&place, &[&game[..], &["--view"]].concat());
    assert_eq!(about(&page)["journal"]["name"], "1-5.json");
    assert_eq!(texts(&page), printed);
    for other in [&["--journal", "a.json"][..], &["--result", "json"]] {
        let refused = [&game[..], &["--view"], other].concat();
        place.war(&refused).ends_with(2).tells("--view");
    }
    place
        .war(&["simulate", "--view"])
        .ends_with(2)
        .tells("--game");
}

#[test]
fn a_long_game_makes_a_page_of_megabytes_with_its_journal_beside() {
    let place = Place::new();
    let game = ["2", "large", "--seed", "2215", "--journal", "long.json"];
    let recorded = place.war(&game).ends_with(0);
    let run = place
        .war(&["view", "long.json", "-o", "pages.html"])
        .ends_with(0);
    let digest = run.stderr.trim_end().rsplit(' ').next().expect("a digest");
    let beside = format!("long.{digest}.json");
    let journal = fs::read(place.path("long.json")).expect("the journal");
    assert!(fs::read(place.path(&beside)).expect("its copy") == journal);
    let page = place.read("pages.html");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    let about = about(&page);
    assert_eq!(about["turns"], 211_816);
    assert_eq!(
        (&about["journal"]["name"], &about["journal"]["beside"]),
        (&beside.into(), &true.into())
    );
    assert!(!page.contains("id=\"journal\""));
    assert!(texts(&page) == recorded.stdout);
    // A seek inflates one block, and none is long.
    let longest = (0..=827).map(|block| unpacked(&page, &format!("block-{block}")).len());
    assert!(longest.max() < Some(150_000));
}

#[test]
fn two_thousand_turns_are_a_small_page() {
    let place = Place::new();
    let game = ["2", "large", "--seed", "46", "--journal", "game.json"];
    place.war(&game).ends_with(0);
    place
        .war(&["view", "game.json", "-o", "game.html"])
        .ends_with(0);
    let page = place.read("game.html");
    assert!(
        about(&page)["turns"].as_u64() >= Some(2_000),
        "{}",
        about(&page)["turns"]
    );
    let without = page.len() - data(&page, "journal").len();
    assert!(without < 150_000, "{without} bytes");
}
