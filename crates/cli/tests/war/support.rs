//! The program, run in an empty directory of its own with nothing from the environment.
//!
//! The directory is its home too: what lies in `.config/war/` there is the user's own
//! configuration, and no test has another one.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;
use war::cards::{ChaCha8, Chance, Deck, Rank, deal};
use war::engine::{Game, Projection, State};
use war::i18n::Lang;
use war::journal::{
    Code, ConsoleDigest, Deal, Fault, Format, Header, Journaled, Medium, ReadError, RecordedRules,
    WriteFailed, Writer,
};
use war::recording::{Opening, Recorder};
use war::replay::Replay;
use war::rules::{CLASSIC, Flow, Variant};

/// The project's root.
pub(crate) fn project() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        root.canonicalize().expect("the workspace")
    });
    &ROOT
}

/// The folders with the sources of all crates.
pub(crate) fn source_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(project().join("crates")).expect("the crates");
    let sources = crates.map(|entry| entry.expect("a crate").path().join("src"));
    [project().join("src")].into_iter().chain(sources).collect()
}

/// A directory to play in. No scenario lies in it.
pub(crate) struct Place {
    directory: TempDir,
}

/// What a run of the program printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Place {
    pub(crate) fn new() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        fs::create_dir(directory.path().join("no_scenarios")).expect("an empty directory");
        Self { directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file, with the directories it lies in.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its directory");
        fs::write(&path, content).expect("the file");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file")
    }

    /// The program, to be run here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_war"));
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .env("TZ", "UTC")
            .env("HOME", self.directory.path())
            .env("WAR_SCENARIOS", "no_scenarios")
            .stdin(Stdio::null());
        command
    }

    /// The program, to be run here with files no longer than this many bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn limited(&self, bytes: u64, arguments: &[&str]) -> Command {
        let command = self.command(&[]);
        let mut limited = Command::new("prlimit");
        limited
            .arg(format!("--fsize={bytes}"))
            .arg(command.get_program())
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(Stdio::null());
        limited
    }

    pub(crate) fn war(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Runs the program with this standard input.
    pub(crate) fn war_reading(&self, input: &[u8], arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut stdin = child.stdin.take().expect("its input");
        // A program that refuses early does not read all.
        let _ = stdin.write_all(input);
        drop(stdin);
        Run::from(child.wait_with_output().expect("its output"))
    }

    /// Checks that a game prints this, live and replayed from its journal.
    #[track_caller]
    pub(crate) fn prints_and_replays(&self, game: &[&str], expected: &str) {
        let recorded = [game, &["--journal", "game.json"]].concat();
        let live = self.war(&recorded).ends_with(0);
        assert!(live.stdout == expected, "{game:?} prints something else");
        let replay = self.war(&["replay", "game.json"]).ends_with(0);
        let replay = replay.tells("VERIFIED");
        assert!(
            replay.stdout == expected,
            "{game:?} replays to something else"
        );
    }

    /// The log files, in the order in which they were written.
    pub(crate) fn logs(&self) -> Vec<String> {
        let mut paths: Vec<_> = match fs::read_dir(self.path("logs")) {
            Ok(entries) => entries.map(|entry| entry.expect("a file").path()).collect(),
            Err(_) => Vec::new(),
        };
        paths.sort();
        let read = |path| fs::read_to_string(path).expect("a log");
        paths.into_iter().map(read).collect()
    }
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().expect("the program runs"))
    }

    /// Checks that the program ended with this code.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Checks that standard error says this.
    #[track_caller]
    pub(crate) fn tells(self, what: &str) -> Self {
        assert!(self.stderr.contains(what), "`{what}` in {self:#?}");
        self
    }
}

impl From<std::process::Output> for Run {
    fn from(output: std::process::Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).expect("UTF-8 output"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 errors"),
            code: output.status.code().expect("an exit code, not a signal"),
        }
    }
}

/// The hands that this seed deals.
pub(crate) fn dealt(deck: Deck, players: usize, seed: u64) -> Vec<Vec<Rank>> {
    let mut cards = deck.cards();
    ChaCha8::new(seed).shuffle(&mut cards);
    deal(&cards, players)
}

/// Plays a game of the classic edition onto a medium, and appends what it prints.
pub(crate) fn record(
    medium: impl Medium,
    deck: Deck,
    hands: Vec<Vec<Rank>>,
    deal: Deal,
    printed: &mut String,
) -> Result<(), WriteFailed> {
    record_by(CLASSIC, medium, (deck, hands, deal), Box::new(()), printed)
}

/// Plays a game of a variant onto a medium, and appends what it prints.
pub(crate) fn record_by(
    variant: Variant,
    medium: impl Medium,
    (deck, hands, deal): (Deck, Vec<Vec<Rank>>, Deal),
    chance: Box<dyn Chance>,
    printed: &mut String,
) -> Result<(), WriteFailed> {
    let players = u8::try_from(hands.len()).expect("few players");
    let opening = match deal {
        Deal::Shuffled { generator } => Opening::shuffled(variant, deck, players, generator),
        Deal::Fixed {
            generator,
            seat,
            cards,
        } => Opening::fixed(variant, deck, players, generator, (seat, cards)),
        Deal::Scenario { name } => Opening::scenario(variant, &name, hands, chance),
        Deal::Imported => Opening::imported(variant, deck, hands, chance),
    };
    Recorder::new("test", opening.expect("a deal of the rules"), Lang::En)
        .written_to(medium, true)
        .with(Transcript(printed))
        .play()
        .map(|_| ())
}

/// The journal of a game by the classic rules that printed nothing, whatever its header says of
/// rules and deck.
pub(crate) fn written(rules: RecordedRules, deck: Deck, hands: Vec<Vec<Rank>>) -> Vec<u8> {
    let header = Header {
        engine: "outsider".to_owned(),
        rules,
        players: u8::try_from(hands.len()).expect("few players"),
        deck,
        renderer: 0,
        lang: Lang::En,
        corrections: Vec::new(),
        format: Format::V1,
    };
    let mut game = Game::new(Box::new(Flow::classic()), hands).expect("a deal");
    let mut journal = Vec::new();
    let mut writer = Writer::new(&mut journal, &header, false);
    while let Some(event) = game.next() {
        writer.record(&event, game.table()).expect("memory");
    }
    let printed = ConsoleDigest::default().printed();
    let end = writer.finish(game.table().reason(), printed);
    end.expect("memory");
    journal
}

/// Keeps what a game prints.
pub(crate) struct Transcript<'a>(pub(crate) &'a mut String);

impl<S: State> Projection<S> for Transcript<'_> {
    fn project(&mut self, _: &S::Event, _: &S, out: &mut String) {
        self.0.push_str(out);
    }
}

/// The fault that a replay finds, if any, and what it printed until then.
pub(crate) fn replayed(journal: impl Read) -> (Option<Code>, String) {
    let mut text = String::new();
    let code = match Replay::open(journal, None) {
        Ok(replay) => {
            let judgement = replay.verify(&mut Transcript(&mut text));
            let judgement = judgement.expect("memory is read without errors");
            judgement.fault().map(Fault::code)
        }
        Err(ReadError::Fault(fault)) => Some(fault.code()),
        Err(ReadError::Io(error)) => panic!("memory is read without errors: {error}"),
    };
    (code, text)
}

/// The files of a directory of the project that end like this, in byte order.
pub(crate) fn files(directory: &str, suffix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project().join(directory)).expect("the directory");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> = paths
        .filter(|path| path.to_string_lossy().ends_with(suffix))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no {suffix} in {directory}");
    files
}

/// Compares a text with the one that a person has reviewed, in `snapshots/`.
#[track_caller]
pub(crate) fn reviewed(name: &str, content: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(project().join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, content));
}
