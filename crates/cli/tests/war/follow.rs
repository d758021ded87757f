//! `war replay` of a game while it is recorded: from a growing file, and from a pipe.

use super::support::{Run, Sandbox, project};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use war::engine::{Event, Projection, Table};
use war::journal::Verdict;
use war::replay::{Replay, WarObserver};

/// Journal of many events, with the screens shown after each of them.
struct RecordedGame {
    journal: Vec<u8>,
    /// Length of the journal up to the end of each event, in bytes, with all that is printed by
    /// then.
    shown: Vec<(usize, String)>,
}

/// Journal of a game recorded with these options for its format.
fn recorded_as(form: &[&str]) -> RecordedGame {
    let sandbox = Sandbox::new();
    let game = ["4", "small", "--seed", "1", "--journal", "game.json"];
    sandbox.war(&[&game, form].concat()).exits_with(0);
    let journal = fs::read(sandbox.path("game.json")).expect("a journal");
    // A line of version 2 is complete only with its line feed.
    let last = usize::from(!form.is_empty());
    let bytes = journal.iter().enumerate();
    let line_ends = bytes.filter(|(_, byte)| **byte == b'\n');
    let mut ends = line_ends.map(|(at, _)| at + last).skip(1);
    let replay = Replay::open(&journal[..], None).expect("a header");
    let mut screens = Screens::default();
    let judgement = replay.verify(&mut WarObserver(&mut screens));
    assert_eq!(judgement.expect("a file").verdict(), Verdict::Verified);
    let shown = screens.0.into_iter();
    let shown = shown.map(|text| (ends.next().expect("a line"), text));
    let shown = shown.collect();
    RecordedGame { journal, shown }
}

fn recorded() -> (Vec<u8>, Vec<(usize, String)>) {
    let RecordedGame { journal, shown } = recorded_as(&[]);
    (journal, shown)
}

/// Everything printed up to each event.
#[derive(Default)]
struct Screens(Vec<String>);

impl Projection<Table> for Screens {
    fn project(&mut self, _: &Event, _: &Table) {}

    fn project_text(&mut self, text: &str, _: &Table) {
        let before = self.0.last().map_or("", String::as_str);
        self.0.push(format!("{before}{text}"));
    }
}

/// Program that does not outlive the test.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Fails if the program has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Running program, with its output so far.
struct RunningReplay {
    program: KillOnDrop,
    printed: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl RunningReplay {
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
            program: KillOnDrop(child),
            printed,
            reader,
        }
    }

    fn printed(&self) -> String {
        self.printed.lock().expect("the text").clone()
    }

    /// Waits until exactly this has been printed.
    #[track_caller]
    fn wait_for_output(&mut self, expected: &str) {
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

    /// Waits until the program exits, and checks its exit code.
    #[track_caller]
    fn exits_with(mut self, code: i32) -> Run {
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
        run.exits_with(code)
    }
}

fn append(file: &mut File, bytes: &[u8]) {
    file.write_all(bytes).expect("written");
}

/// Follows a journal with these options for its format while the file is written in pieces.
#[track_caller]
fn assert_shown_event_by_event(form: &[&str]) {
    let RecordedGame { journal, shown } = recorded_as(form);
    let sandbox = Sandbox::new();
    sandbox.write("game.json", "");
    let appending = OpenOptions::new()
        .append(true)
        .open(sandbox.path("game.json"));
    let mut file = appending.expect("the file");
    let mut replay =
        RunningReplay::start(&mut sandbox.command(&["replay", "--follow", "game.json"]));
    let (mut written, mut screens) = (0, "");
    // Header and lines come in pieces, and nothing is shown before a line is complete.
    let header = journal.iter().position(|&byte| byte == b'\n');
    for cut in [1, 50, header.expect("a line")] {
        append(&mut file, &journal[written..cut]);
        written = cut;
        sleep(Duration::from_millis(130));
        replay.wait_for_output("");
    }
    for (index, (end, after)) in shown.iter().enumerate() {
        if index < 4 {
            for cut in [written + 1, written + 20, end - 1] {
                append(&mut file, &journal[written..cut]);
                written = cut;
            }
            sleep(Duration::from_millis(130));
            replay.wait_for_output(screens);
        }
        append(&mut file, &journal[written..*end]);
        written = *end;
        if index < 8 || index + 1 == shown.len() {
            replay.wait_for_output(after);
        }
        screens = after;
    }
    // The end record comes in pieces, too.
    for cut in [written + 2, journal.len() - 100, journal.len() - 3] {
        append(&mut file, &journal[written..cut]);
        written = cut;
        sleep(Duration::from_millis(130));
        replay.wait_for_output(screens);
    }
    append(&mut file, &journal[written..]);
    let run = replay
        .exits_with(0)
        .reports("VERIFIED game.json: 53 events");
    assert_eq!(run.stdout, screens);
}

#[test]
fn a_game_is_shown_event_by_event_while_its_file_grows() {
    assert_shown_event_by_event(&[]);
}

#[test]
fn a_game_of_version_2_is_shown_line_by_line_while_its_file_grows() {
    assert_shown_event_by_event(&["--journal-version", "2"]);
    assert_shown_event_by_event(&["--journal-version", "2", "--compact"]);
}

#[test]
fn a_finished_game_is_not_waited_for() {
    let (journal, shown) = recorded();
    let sandbox = Sandbox::new();
    sandbox.write("game.json", &journal);
    let follow = |options: &[&str]| {
        let follow = [&["replay", "--follow", "game.json"], options].concat();
        RunningReplay::start(&mut sandbox.command(&follow))
    };
    let run = follow(&[]).exits_with(0).reports("VERIFIED");
    assert_eq!(run.stdout, shown.last().expect("an event").1);
    let run = follow(&["--result", "json"]).exits_with(0);
    assert!(run.stdout.contains("\"verdict\":\"VERIFIED\""), "{run:#?}");
    // Data after the end record is noticed.
    sandbox.write("game.json", [&journal[..], b"\n\n x"].concat());
    follow(&[]).exits_with(1).reports("WJ203");
    sandbox.write("game.json", &journal[..journal.len() - 2]);
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
        sandbox.write("game.json", bytes);
        follow(&[]).exits_with(1).reports(code);
    }
    sandbox
        .war(&["replay", "--follow", "missing.json"])
        .exits_with(4);
    sandbox.war(&["replay", "--follow", "."]).exits_with(4);
}

#[test]
fn an_interrupted_follower_reports_how_far_it_read() {
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
            let sandbox = Sandbox::new();
            sandbox.write("game.json", &journal[..end + torn]);
            let mut command = sandbox.command(&["replay", "--follow", "game.json"]);
            let mut replay = RunningReplay::start(command.env("WAR_LANG", lang));
            replay.wait_for_output(screens);
            replay.signal("-INT");
            let run = replay
                .exits_with(3)
                .reports(told)
                .reports("INCOMPLETE game.json: 15 ");
            assert_eq!(run.stdout, *screens);
        }
    }
    let sandbox = Sandbox::new();
    let (mut reader, writer) = pipe();
    let mut command = sandbox.command(&["replay", "--follow", "-"]);
    let mut replay = RunningReplay::start(command.stdin(reader.take().expect("a pipe")));
    let mut writer = writer.expect("a pipe");
    writer.write_all(&journal[..*end]).expect("a reader");
    replay.wait_for_output(screens);
    replay.signal("-INT");
    replay.exits_with(3).reports("INCOMPLETE -: 15 events");
}

/// Pipe whose reading end goes to the program.
fn pipe() -> (Option<std::io::PipeReader>, Option<std::io::PipeWriter>) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    (Some(reader), Some(writer))
}

/// Change to a file, with the message about it in English and in Polish.
type Change<'a> = (&'a dyn Fn(&Sandbox), &'a str, &'a str);

#[test]
fn a_file_that_shrinks_or_is_replaced_is_no_longer_followed() {
    let (journal, shown) = recorded();
    let (end, screens) = &shown[14];
    let shorter = |sandbox: &Sandbox| {
        let file = OpenOptions::new()
            .write(true)
            .open(sandbox.path("game.json"));
        file.expect("the file").set_len(1000).expect("cut");
    };
    let replaced = |sandbox: &Sandbox| {
        let new = sandbox.write("new.json", &journal);
        fs::rename(new, sandbox.path("game.json")).expect("another file");
    };
    let removed = |sandbox: &Sandbox| fs::remove_file(sandbox.path("game.json")).expect("the file");
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
            let sandbox = Sandbox::new();
            sandbox.write("game.json", &journal[..*end]);
            let mut command = sandbox.command(&["replay", "--follow", "game.json"]);
            let mut replay = RunningReplay::start(command.env("WAR_LANG", lang));
            replay.wait_for_output(screens);
            change(&sandbox);
            replay.exits_with(4).reports(told);
        }
    }
}

#[test]
fn a_pipe_is_shown_event_by_event() {
    let (journal, shown) = recorded();
    let sandbox = Sandbox::new();
    for (arguments, ends) in [
        (&["replay", "-"][..], false),
        (&["replay", "--follow", "-"], true),
    ] {
        let (mut reader, writer) = pipe();
        let mut command = sandbox.command(arguments);
        let mut replay = RunningReplay::start(command.stdin(reader.take().expect("a pipe")));
        let mut writer = writer.expect("a pipe");
        let mut written = 0;
        for (end, screens) in &shown {
            writer.write_all(&journal[written..*end]).expect("a reader");
            written = *end;
            replay.wait_for_output(screens);
        }
        writer.write_all(&journal[written..]).expect("a reader");
        if ends {
            // After the end record, the program ends even if the pipe is still open.
            replay.exits_with(0).reports("VERIFIED -: 53 events");
        } else {
            drop(writer);
            replay.exits_with(0).reports("VERIFIED -: 53 events");
        }
    }
}

#[test]
fn tail_can_follow_the_file() {
    let (journal, shown) = recorded();
    let sandbox = Sandbox::new();
    sandbox.write("game.json", &journal[..100]);
    let appending = OpenOptions::new()
        .append(true)
        .open(sandbox.path("game.json"));
    let mut file = appending.expect("the file");
    let tail = Command::new("tail")
        .args(["-c", "+1", "-s", "0.05", "-f", "game.json"])
        .current_dir(sandbox.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .expect("tail");
    let mut tail = KillOnDrop(tail);
    let mut command = sandbox.command(&["replay", "-"]);
    let piped = tail.0.stdout.take().expect("its output");
    let mut replay = RunningReplay::start(command.stdin(piped));
    let mut written = 100;
    for (end, screens) in shown.iter().step_by(5) {
        append(&mut file, &journal[written..*end]);
        written = *end;
        replay.wait_for_output(screens);
    }
    append(&mut file, &journal[written..]);
    replay.wait_for_output(&shown.last().expect("an event").1);
    drop(tail);
    replay.exits_with(0).reports("VERIFIED -: 53 events");
}

#[test]
fn a_live_recording_is_followed_to_its_end() {
    let sandbox = Sandbox::new();
    let live = [
        "4",
        "small",
        "--seed",
        "1",
        "--durable",
        "--journal",
        "game.json",
    ];
    let mut game = sandbox
        .command(&live)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a game");
    while !sandbox.path("game.json").exists() {
        sleep(Duration::from_millis(1));
    }
    let replay = RunningReplay::start(&mut sandbox.command(&["replay", "--follow", "game.json"]));
    let mut printed = String::new();
    let stdout = game.stdout.as_mut().expect("its output");
    stdout.read_to_string(&mut printed).expect("the screens");
    assert!(game.wait().expect("the game").success());
    let run = replay.exits_with(0).reports("VERIFIED game.json");
    assert!(run.stdout == printed, "other screens");
}
