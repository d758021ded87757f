//! `war replay` of a game while it is recorded: from a file that grows, and from a pipe.

use super::support::{Place, Run, project};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use war::engine::{Event, Projection, Table};
use war::journal::Verdict;
use war::replay::{Replay, WarOnly};

/// A journal of many events, and what the screens show after each of them.
struct Recorded {
    journal: Vec<u8>,
    /// How many bytes there are up to an event, and the screens after it.
    shown: Vec<(usize, String)>,
}

/// The journal of a game in this form.
fn recorded_as(form: &[&str]) -> Recorded {
    let place = Place::new();
    let game = ["4", "small", "--seed", "1", "--journal", "game.json"];
    place.war(&[&game, form].concat()).ends_with(0);
    let journal = fs::read(place.path("game.json")).expect("a journal");
    // A line of version 2 is whole with its line end.
    let last = usize::from(!form.is_empty());
    let bytes = journal.iter().enumerate();
    let line_ends = bytes.filter(|(_, byte)| **byte == b'\n');
    let mut ends = line_ends.map(|(at, _)| at + last).skip(1);
    let replay = Replay::open(&journal[..], None).expect("a header");
    let mut screens = Screens::default();
    let judgement = replay.verify(&mut WarOnly(&mut screens));
    assert_eq!(judgement.expect("a file").verdict(), Verdict::Verified);
    let shown = screens.0.into_iter();
    let shown = shown.map(|text| (ends.next().expect("a line"), text));
    let shown = shown.collect();
    Recorded { journal, shown }
}

fn recorded() -> (Vec<u8>, Vec<(usize, String)>) {
    let Recorded { journal, shown } = recorded_as(&[]);
    (journal, shown)
}

/// All that was printed up to each event.
#[derive(Default)]
struct Screens(Vec<String>);

impl Projection<Table> for Screens {
    fn project(&mut self, _: &Event, _: &Table) {}

    fn printed(&mut self, text: &str, _: &Table) {
        let before = self.0.last().map_or("", String::as_str);
        self.0.push(format!("{before}{text}"));
    }
}

/// A program that does not outlive the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended already can't be ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program while it runs, with what it has printed so far.
struct Watched {
    program: Running,
    printed: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Watched {
    fn start(command: &mut Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut stdout: ChildStdout = child.stdout.take().expect("its output");
        let printed = Arc::new(Mutex::new(String::new()));
        let growing = Arc::clone(&printed);
        let reader = std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = stdout.read(&mut piece) {
                let text = std::str::from_utf8(&piece[..read]).expect("UTF-8");
                growing.lock().expect("the text").push_str(text);
            }
        });
        Self {
            program: Running(child),
            printed,
            reader,
        }
    }

    fn printed(&self) -> String {
        self.printed.lock().expect("the text").clone()
    }

    /// Waits until exactly this is printed.
    #[track_caller]
    fn shows(&mut self, expected: &str) {
        let start = Instant::now();
        while self.printed() != expected {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{:?} instead of {expected:?}",
                self.printed()
            );
            sleep(Duration::from_millis(5));
        }
        let ended = self.program.0.try_wait().expect("the program");
        assert_eq!(ended, None, "it does not wait");
    }

    fn signal(&self, signal: &str) {
        let id = self.program.0.id().to_string();
        let kill = Command::new("kill").args([signal, &id]).status();
        assert!(kill.expect("kill").success());
    }

    /// Waits for its end.
    #[track_caller]
    fn ends_with(mut self, code: i32) -> Run {
        let start = Instant::now();
        let child = &mut self.program.0;
        let status = loop {
            if let Some(status) = child.try_wait().expect("the program") {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it hangs");
            sleep(Duration::from_millis(5));
        };
        let mut stderr = String::new();
        let errors = child.stderr.as_mut().expect("its errors");
        errors.read_to_string(&mut stderr).expect("UTF-8");
        self.reader.join().expect("all that is printed");
        let run = Run {
            stdout: self.printed.lock().expect("the text").clone(),
            stderr,
            code: status.code().expect("an exit code, not a signal"),
        };
        run.ends_with(code)
    }
}

fn append(file: &mut File, bytes: &[u8]) {
    file.write_all(bytes).expect("written");
}

/// Follows a journal in this form while it is written in pieces.
#[track_caller]
fn is_shown_event_by_event(form: &[&str]) {
    let Recorded { journal, shown } = recorded_as(form);
    let place = Place::new();
    place.write("game.json", "");
    let appending = OpenOptions::new()
        .append(true)
        .open(place.path("game.json"));
    let mut file = appending.expect("the file");
    let mut replay = Watched::start(&mut place.command(&["replay", "--follow", "game.json"]));
    let (mut written, mut screens) = (0, "");
    // The header comes in pieces, and so does every line: nothing is shown before it is whole.
    let header = journal.iter().position(|&byte| byte == b'\n');
    for cut in [1, 50, header.expect("a line")] {
        append(&mut file, &journal[written..cut]);
        written = cut;
        sleep(Duration::from_millis(130));
        replay.shows("");
    }
    for (index, (end, after)) in shown.iter().enumerate() {
        if index < 4 {
            for cut in [written + 1, written + 20, end - 1] {
                append(&mut file, &journal[written..cut]);
                written = cut;
            }
            sleep(Duration::from_millis(130));
            replay.shows(screens);
        }
        append(&mut file, &journal[written..*end]);
        written = *end;
        if index < 8 || index + 1 == shown.len() {
            replay.shows(after);
        }
        screens = after;
    }
    // The end record is torn as well.
    for cut in [written + 2, journal.len() - 100, journal.len() - 3] {
        append(&mut file, &journal[written..cut]);
        written = cut;
        sleep(Duration::from_millis(130));
        replay.shows(screens);
    }
    append(&mut file, &journal[written..]);
    let run = replay.ends_with(0).tells("VERIFIED game.json: 53 events");
    assert_eq!(run.stdout, screens);
}

#[test]
fn a_game_is_shown_event_by_event_while_its_file_grows() {
    is_shown_event_by_event(&[]);
}

#[test]
fn a_game_of_version_2_is_shown_line_by_line_while_its_file_grows() {
    is_shown_event_by_event(&["--journal-version", "2"]);
    is_shown_event_by_event(&["--journal-version", "2", "--compact"]);
}

#[test]
fn a_game_that_is_over_is_not_waited_for() {
    let (journal, shown) = recorded();
    let place = Place::new();
    place.write("game.json", &journal);
    let follow = |options: &[&str]| {
        let follow = [&["replay", "--follow", "game.json"], options].concat();
        Watched::start(&mut place.command(&follow))
    };
    let run = follow(&[]).ends_with(0).tells("VERIFIED");
    assert_eq!(run.stdout, shown.last().expect("an event").1);
    let run = follow(&["--result", "json"]).ends_with(0);
    assert!(run.stdout.contains("\"verdict\":\"VERIFIED\""), "{run:#?}");
    // What stands behind it is seen.
    place.write("game.json", [&journal[..], b"\n\n x"].concat());
    follow(&[]).ends_with(1).tells("WJ203");
    place.write("game.json", &journal[..journal.len() - 2]);
    let other = fs::read(project().join("scenarios/examples/ssc_example.json"));
    for (bytes, code) in [
        (other.expect("a scenario"), "WJ002"),
        (b"hello".to_vec(), "WJ001"),
        (
            String::from_utf8(journal.clone()).expect("UTF-8").replacen(
                "\"card\":11",
                "\"card\":12",
                1,
            )[..2000]
                .into(),
            "WJ202",
        ),
    ] {
        place.write("game.json", bytes);
        follow(&[]).ends_with(1).tells(code);
    }
    place
        .war(&["replay", "--follow", "missing.json"])
        .ends_with(4);
    place.war(&["replay", "--follow", "."]).ends_with(4);
}

#[test]
fn an_interrupted_follower_says_what_it_has_read() {
    let (journal, shown) = recorded();
    let (end, screens) = &shown[14];
    for (lang, told) in [
        (
            "en",
            "interrupted: the verdict is about what was read so far",
        ),
        ("pl", "przerwano: werdykt dotyczy tego, co dotąd odczytano"),
    ] {
        for torn in [0, 30] {
            let place = Place::new();
            place.write("game.json", &journal[..end + torn]);
            let mut command = place.command(&["replay", "--follow", "game.json"]);
            let mut replay = Watched::start(command.env("WAR_LANG", lang));
            replay.shows(screens);
            replay.signal("-INT");
            let run = replay
                .ends_with(3)
                .tells(told)
                .tells("INCOMPLETE game.json: 15 ");
            assert_eq!(run.stdout, *screens);
        }
    }
    let place = Place::new();
    let (mut reader, writer) = pipe();
    let mut command = place.command(&["replay", "--follow", "-"]);
    let mut replay = Watched::start(command.stdin(reader.take().expect("a pipe")));
    let mut writer = writer.expect("a pipe");
    writer.write_all(&journal[..*end]).expect("a reader");
    replay.shows(screens);
    replay.signal("-INT");
    replay.ends_with(3).tells("INCOMPLETE -: 15 events");
}

/// A pipe, of which the program gets the reading end.
fn pipe() -> (Option<std::io::PipeReader>, Option<std::io::PipeWriter>) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    (Some(reader), Some(writer))
}

/// What happens to a file, and what is said about it in English and in Polish.
type Change<'a> = (&'a dyn Fn(&Place), &'a str, &'a str);

#[test]
fn a_file_that_shrinks_or_is_replaced_is_not_followed_any_longer() {
    let (journal, shown) = recorded();
    let (end, screens) = &shown[14];
    let shorter = |place: &Place| {
        let file = OpenOptions::new().write(true).open(place.path("game.json"));
        file.expect("the file").set_len(1000).expect("cut");
    };
    let replaced = |place: &Place| {
        let new = place.write("new.json", &journal);
        fs::rename(new, place.path("game.json")).expect("another file");
    };
    let removed = |place: &Place| fs::remove_file(place.path("game.json")).expect("the file");
    let changes: [Change<'_>; 3] = [
        (
            &shorter,
            "became shorter while it was followed",
            "stał się krótszy w trakcie śledzenia",
        ),
        (
            &replaced,
            "removed or replaced while it was followed",
            "usunięto lub zastąpiono w trakcie",
        ),
        (
            &removed,
            "removed or replaced while it was followed",
            "usunięto lub zastąpiono w trakcie",
        ),
    ];
    for (change, english, polish) in changes {
        for (lang, told) in [("en", english), ("pl", polish)] {
            let place = Place::new();
            place.write("game.json", &journal[..*end]);
            let mut command = place.command(&["replay", "--follow", "game.json"]);
            let mut replay = Watched::start(command.env("WAR_LANG", lang));
            replay.shows(screens);
            change(&place);
            replay.ends_with(4).tells(told);
        }
    }
}

#[test]
fn a_pipe_is_shown_event_by_event() {
    let (journal, shown) = recorded();
    let place = Place::new();
    for (arguments, ends) in [
        (&["replay", "-"][..], false),
        (&["replay", "--follow", "-"], true),
    ] {
        let (mut reader, writer) = pipe();
        let mut command = place.command(arguments);
        let mut replay = Watched::start(command.stdin(reader.take().expect("a pipe")));
        let mut writer = writer.expect("a pipe");
        let mut written = 0;
        for (end, screens) in &shown {
            writer.write_all(&journal[written..*end]).expect("a reader");
            written = *end;
            replay.shows(screens);
        }
        writer.write_all(&journal[written..]).expect("a reader");
        if ends {
            // The writer need not go away.
            replay.ends_with(0).tells("VERIFIED -: 53 events");
        } else {
            drop(writer);
            replay.ends_with(0).tells("VERIFIED -: 53 events");
        }
    }
}

#[test]
fn tail_can_follow_the_file() {
    let (journal, shown) = recorded();
    let place = Place::new();
    place.write("game.json", &journal[..100]);
    let appending = OpenOptions::new()
        .append(true)
        .open(place.path("game.json"));
    let mut file = appending.expect("the file");
    let tail = Command::new("tail")
        .args(["-c", "+1", "-s", "0.05", "-f", "game.json"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .expect("tail");
    let mut tail = Running(tail);
    let mut command = place.command(&["replay", "-"]);
    let piped = tail.0.stdout.take().expect("its output");
    let mut replay = Watched::start(command.stdin(piped));
    let mut written = 100;
    for (end, screens) in shown.iter().step_by(5) {
        append(&mut file, &journal[written..*end]);
        written = *end;
        replay.shows(screens);
    }
    append(&mut file, &journal[written..]);
    replay.shows(&shown.last().expect("an event").1);
    drop(tail);
    replay.ends_with(0).tells("VERIFIED -: 53 events");
}

#[test]
fn a_live_recording_is_followed_to_its_end() {
    let place = Place::new();
    let live = [
        "4",
        "small",
        "--seed",
        "1",
        "--durable",
        "--journal",
        "game.json",
    ];
    let mut game = place
        .command(&live)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a game");
    while !place.path("game.json").exists() {
        sleep(Duration::from_millis(1));
    }
    let replay = Watched::start(&mut place.command(&["replay", "--follow", "game.json"]));
    let mut printed = String::new();
    let stdout = game.stdout.as_mut().expect("its output");
    stdout.read_to_string(&mut printed).expect("the screens");
    assert!(game.wait().expect("the game").success());
    let run = replay.ends_with(0).tells("VERIFIED game.json");
    assert!(run.stdout == printed, "other screens");
}
