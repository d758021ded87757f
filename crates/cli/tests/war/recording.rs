//! Recording under bad conditions: nothing is overwritten, lost or only half reported.

use super::support::{Run, Sandbox, dealt, record, replayed};
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use war::cards::{Deck, Generator};
use war::journal::{Deal, FaultCode, Medium};

/// Failure of a disk.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Failure {
    Error(io::ErrorKind),
    Short,
    Sync,
}

/// Disk that fails at one operation, once or permanently.
struct Disk {
    content: Vec<u8>,
    operation: usize,
    fails_at: usize,
    for_good: bool,
    failure: Failure,
}

impl Disk {
    fn fails_now(&mut self) -> bool {
        self.operation += 1;
        self.operation == self.fails_at || (self.for_good && self.operation > self.fails_at)
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fails = self.failure != Failure::Sync && self.fails_now();
        match self.failure {
            Failure::Error(kind) if fails => Err(kind.into()),
            Failure::Short if fails => {
                let half = bytes.len().div_ceil(2);
                self.content.extend_from_slice(&bytes[..half]);
                Ok(half)
            }
            _ => {
                self.content.extend_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Medium for Disk {
    fn sync(&mut self) -> io::Result<()> {
        if self.failure == Failure::Sync && self.fails_now() {
            return Err(io::ErrorKind::Other.into());
        }
        Ok(())
    }
}

#[test]
fn a_failing_disk_never_makes_a_false_journal() {
    for failure in [
        Failure::Error(io::ErrorKind::StorageFull),
        Failure::Error(io::ErrorKind::Other),
        Failure::Short,
        Failure::Sync,
    ] {
        for (for_good, fails_at) in [false, true]
            .into_iter()
            .flat_map(|good| (1..60).map(move |at| (good, at)))
        {
            let mut disk = Disk {
                content: Vec::new(),
                operation: 0,
                fails_at,
                for_good,
                failure,
            };
            let mut printed = String::new();
            let (hands, deal) = (
                dealt(Deck::Small, 4, 1),
                Deal::Shuffled {
                    generator: Generator::ChaCha8 { seed: 1 },
                },
            );
            let result = record(&mut disk, Deck::Small, hands, deal, &mut printed);
            let failed = disk.operation >= fails_at && failure != Failure::Short;
            assert_eq!(result.is_err(), failed, "{failure:?} at {fails_at}");
            let (code, text) = replayed(&disk.content[..]);
            assert!(
                text.starts_with(&printed),
                "{failure:?} at {fails_at}: more was printed"
            );
            match code {
                None | Some(FaultCode::CutOff | FaultCode::NoEnd) => {}
                Some(FaultCode::NotJson) => assert!(disk.content.is_empty()),
                Some(other) => panic!("{failure:?} at {fails_at}: {other}"),
            }
            if let Err(error) = result {
                let turn = format!("turn #{} ", error.turn);
                let later = format!("turn #{} ", error.turn + 1);
                assert!(
                    error.turn == 0 || text.is_empty() || !printed.contains(&later),
                    "{turn}"
                );
            }
        }
    }
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.json", "mine");
    std::fs::create_dir(sandbox.path("directory.json")).expect("a directory");
    for name in ["mine.json", "directory.json", "/dev/full", "/dev/null"] {
        let run = sandbox
            .war(&["4", "small", "--journal", name])
            .exits_with(4)
            .reports("WJ401");
        assert_eq!(run.stdout, "", "printed before the journal was there");
    }
    assert_eq!(sandbox.read("mine.json"), "mine");
    sandbox
        .war(&["4", "small", "--journal", "no/such/place.json"])
        .exits_with(4)
        .reports("WJ401");
}

#[test]
fn a_fifo_does_not_block() {
    let sandbox = Sandbox::new();
    let fifo = sandbox.path("fifo.json");
    let made = Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
    assert!(made.success());
    sandbox
        .war(&["4", "small", "--journal", "fifo.json"])
        .exits_with(4)
        .reports("WJ401");
}

/// Runs the program as a user who may read the sandbox, but not write to it.
#[cfg(unix)]
fn as_nobody(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let binary = sandbox.path("war");
    std::fs::copy(env!("CARGO_BIN_EXE_war"), &binary).expect("a copy of the program");
    let mode = |path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode));
    mode(sandbox.path("."), 0o755).expect("a readable place");
    let mut command = Command::new(&binary);
    command
        .args(arguments)
        .current_dir(sandbox.path("."))
        .env_clear();
    command
        .env("WAR_SCENARIOS", "no_scenarios")
        .stdin(Stdio::null());
    let is_root = std::fs::metadata("/proc/self")
        .is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if is_root {
        command.uid(65534).gid(65534);
    } else {
        mode(sandbox.path("."), 0o555).expect("a read-only place");
    }
    // A child process of another test may still have the copy open for writing for a moment.
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            output => break output.expect("the program runs"),
        }
    };
    let run = Run::from(output);
    mode(sandbox.path("."), 0o755).expect("a writable place");
    run
}

#[test]
#[cfg(unix)]
fn a_read_only_directory_is_reported() {
    let sandbox = Sandbox::new();
    let run = as_nobody(&sandbox, &["4", "small", "--journal", "game.json"]).exits_with(4);
    assert!(
        run.stderr.contains("WJ401") && run.stderr.contains("permission denied"),
        "{run:#?}"
    );
    let run = as_nobody(&sandbox, &["4", "small", "--seed", "1"]).exits_with(0);
    assert_eq!(run.stderr.matches("warning: ").count(), 1, "{run:#?}");
}

#[test]
#[cfg(unix)]
fn a_file_without_permission_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    for name in ["secret.json", "war.toml"] {
        let path = sandbox.write(name, "[[9]]");
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o000)).expect("no rights");
    }
    let run = as_nobody(&sandbox, &["4", "small"]).exits_with(2);
    assert!(
        run.stderr
            .contains("can't read the configuration file `war.toml`: permission denied"),
        "{run:#?}"
    );
    std::fs::remove_file(sandbox.path("war.toml")).expect("removed");
    for (arguments, code) in [
        (["--scenario", "secret.json"], 1),
        (["replay", "secret.json"], 4),
    ] {
        let run = as_nobody(&sandbox, &arguments).exits_with(code);
        assert!(run.stderr.contains("permission denied"), "{run:#?}");
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn a_full_disk_is_reported_and_the_game_is_still_recorded() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let mut command = sandbox.command(&["2", "large", "--seed", "1", "--journal", "game.json"]);
    let run = Run::of(command.stdout(full)).exits_with(4);
    assert!(
        run.stderr.contains("no space left on the device"),
        "{run:#?}"
    );
    sandbox
        .war(&["replay", "-q", "game.json"])
        .exits_with(0)
        .reports("VERIFIED");
}

#[test]
fn a_closed_pipe_is_quiet_and_the_game_is_recorded_to_its_end() {
    let sandbox = Sandbox::new();
    let mut command =
        sandbox.command(&["--scenario", "five_players_large", "--journal", "game.json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let mut start = [0; 20];
    child
        .stdout
        .take()
        .expect("its output")
        .read_exact(&mut start)
        .expect("a start");
    let output = child.wait_with_output().expect("an end");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(!stderr.contains("error"), "{stderr}");
    sandbox
        .war(&["replay", "-q", "game.json"])
        .exits_with(0)
        .reports("4,141 events");
}

#[test]
fn a_killed_game_s_screens_are_in_its_journal() {
    let mut cut_off = 0;
    // A long game is killed when its journal reaches lengths spread over the whole.
    for length in [0, 1, 100_000, 1_000_000, 5_000_000, 20_000_000, 40_000_000] {
        let sandbox = Sandbox::new();
        let arguments = ["2", "large", "--seed", "2215", "--journal", "game.json"];
        let mut command = sandbox.command(&arguments);
        let out = std::fs::File::create(sandbox.path("shown.txt")).expect("a file");
        let mut child = command
            .stdout(out)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let written = || std::fs::metadata(sandbox.path("game.json")).map_or(0, |file| file.len());
        while written() < length && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().expect("killed");
        child.wait().expect("an end");
        let shown = sandbox.read("shown.txt");
        if written() == 0 {
            assert_eq!(shown, "");
            continue;
        }
        let run = sandbox.war(&["replay", "game.json"]);
        assert!(run.code == 0 || run.code == 3, "{}", run.stderr);
        assert!(
            run.stdout.starts_with(&shown),
            "more was shown than recorded"
        );
        cut_off += i32::from(run.code == 3 && !shown.is_empty());
    }
    assert!(cut_off > 0, "no game was killed in the middle");
}

#[test]
fn a_disk_that_fills_up_ends_the_game_after_the_turn() {
    let sandbox = Sandbox::new();
    // A limit on file sizes, 8 blocks of 512 bytes, simulates a full disk.
    let line = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} 4 small --seed 1 --journal game.json",
        env!("CARGO_BIN_EXE_war")
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", &line])
        .current_dir(sandbox.path("."))
        .env_clear();
    let run = Run::of(command.env("WAR_SCENARIOS", "no_scenarios")).exits_with(4);
    assert!(
        run.stderr.contains("WJ402") && run.stderr.contains(" in turn "),
        "{run:#?}"
    );
    let replay = sandbox
        .war(&["replay", "game.json"])
        .exits_with(3)
        .reports("INCOMPLETE");
    assert!(
        replay.stdout.starts_with(&run.stdout),
        "more was shown than recorded"
    );
    let log = sandbox.logs().remove(0);
    assert!(
        log.lines()
            .last()
            .is_some_and(|line| line.contains("CRIT error, text: WJ402"))
    );
    sandbox
        .war(&["journal", "repair", "game.json", "whole.json"])
        .exits_with(0);
    sandbox.war(&["replay", "-q", "whole.json"]).exits_with(3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_size_limit_ends_the_game_after_the_turn() {
    for (bytes, turn, hint) in [
        (3000, "in turn 5", "`war journal repair`"),
        (100, "in turn 0", "nothing was recorded"),
        (0, "in turn 0", "nothing was recorded"),
    ] {
        let sandbox = Sandbox::new();
        let game = ["4", "small", "--seed", "1", "--journal", "game.json"];
        let run = Run::of(&mut sandbox.limited(bytes, &game)).exits_with(4);
        let run = run.reports("WJ402").reports(hint);
        assert!(run.stderr.contains(turn), "{run:#?}");
        let repaired = sandbox.war(&["journal", "repair", "game.json", "new.json"]);
        repaired.exits_with(i32::from(bytes < 3000));
    }
}

#[test]
fn each_scenario_game_has_its_own_journal() {
    let sandbox = Sandbox::new();
    let example = super::support::project().join("scenarios/examples/ssc_one_player.json");
    let example = std::fs::read(example).expect("an example");
    for name in ["ssc_a.json", "ssc_c.json"] {
        sandbox.write(&format!("scenarios/{name}"), &example);
    }
    sandbox.write("scenarios/ssc_b.json", "[[9]]");
    std::fs::create_dir(sandbox.path("out")).expect("a directory");
    let war = |arguments: &[&str]| Run::of(sandbox.command(arguments).env_remove("WAR_SCENARIOS"));
    let live = war(&["9", "small", "--journal-dir", "out"]).exits_with(1);
    let games =
        ["out/ssc_a.json", "out/ssc_c.json"].map(|path| war(&["replay", path]).exits_with(0));
    assert_eq!(
        games.map(|game| game.stdout).join("=========\n\n\n"),
        live.stdout
    );
    assert!(!sandbox.path("out/ssc_b.json").exists());
    war(&["4", "small", "--journal", "one.json"])
        .exits_with(2)
        .reports("--journal-dir");
    sandbox
        .war(&["4", "small", "--journal-dir", "out"])
        .exits_with(2)
        .reports("--journal FILE");
    war(&["4", "small", "--journal-dir", "out"])
        .exits_with(4)
        .reports("WJ401");
}

#[test]
fn durable_recording_gives_the_same_journal() {
    let sandbox = Sandbox::new();
    sandbox
        .war(&["4", "small", "--seed", "1", "--journal", "a.json"])
        .exits_with(0);
    sandbox
        .war(&[
            "4",
            "small",
            "--seed",
            "1",
            "--journal",
            "b.json",
            "--durable",
        ])
        .exits_with(0);
    assert_eq!(sandbox.read("a.json"), sandbox.read("b.json"));
    sandbox
        .war(&["4", "small", "--durable"])
        .exits_with(2)
        .reports("--journal");
}

#[test]
fn the_longest_games_are_recorded_and_replayed_in_bounded_memory() {
    let sandbox = Sandbox::new();
    let limited = |arguments: &str| {
        // Limit on the address space in KiB, which counts mapped memory even if it is not touched.
        let line = format!(
            "ulimit -v 262144; exec {} {arguments}",
            env!("CARGO_BIN_EXE_war")
        );
        let mut command = Command::new("sh");
        command
            .args(["-c", &line])
            .current_dir(sandbox.path("."))
            .env_clear();
        command
            .env("WAR_SCENARIOS", "no_scenarios")
            .stdout(Stdio::null());
        Run::of(&mut command)
    };
    limited("2 large --seed 2215 --journal game.json")
        .exits_with(0)
        .reports("427,788 events");
    let length = std::fs::metadata(sandbox.path("game.json"))
        .expect("a journal")
        .len();
    assert!(length > 60_000_000, "{length} bytes");
    limited("replay -q game.json")
        .exits_with(0)
        .reports("211,816 turns");
}
