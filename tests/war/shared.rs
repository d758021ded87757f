//! Helpers of all tests: the workspace's files, recorded games, reviewed texts.
//!
//! Each crate includes this file by its path, because the engine has no dependency in the
//! workspace.

#![allow(
    dead_code,
    reason = "the tests of a crate need some of them, those of another crate others"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use war::cards::{ChaCha8, Chance, Deck, Rank, deal};
use war::engine::{Event, Game, Projection, State, Table};
use war::i18n::Lang;
use war::journal::{
    ConsoleHasher, Deal, Fault, FaultCode, Header, JournalFormat, JournaledGame, Medium, ReadError,
    RecordedRules, WriteError, Writer,
};
use war::projections::frames::{Frame, Frames};
use war::recording::{NewGame, Recorder};
use war::replay::Replay;
use war::rules::{CLASSIC, StandardRules, Variant};
use war::tokens::{TokenEvent, TokenGame};

/// Root of the workspace: two levels above the crate under test, or the crate itself.
pub(crate) fn project() -> &'static Path {
    static ROOT: LazyLock<&Path> = LazyLock::new(|| {
        let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let root = above.find(|folder| folder.join("journals").is_dir());
        root.expect("the workspace")
    });
    &ROOT
}

/// Compares names that must not change with a file in `tests/surface`, which has a line for each.
///
/// The names are sorted, so that moving code does not change the file.
pub(crate) fn frozen_names(file: &str, names: BTreeSet<String>) {
    let lines: String = names.into_iter().map(|name| name + "\n").collect();
    frozen(file, &lines);
}

/// Compares a text that must not change with a file in `tests/surface`.
///
/// # Panics
///
/// If the text and the file differ. The current text is then in `target/surface`, to be reviewed
/// and copied.
pub(crate) fn frozen(name: &str, text: &str) {
    let expected = fs::read_to_string(project().join("tests/surface").join(name));
    if expected.unwrap_or_default() != text {
        let current = project().join("target/surface");
        fs::create_dir_all(&current).expect("a folder");
        fs::write(current.join(name), text).expect("a file");
        panic!("tests/surface/{name} differs from target/surface/{name}: is that meant?");
    }
}

/// Hands dealt with this seed.
pub(crate) fn dealt(deck: Deck, players: usize, seed: u64) -> Vec<Vec<Rank>> {
    let mut cards = deck.cards();
    ChaCha8::new(seed).shuffle(&mut cards);
    deal(&cards, players)
}

/// Records a game of the classic edition on a medium, and appends its output.
pub(crate) fn record(
    medium: impl Medium,
    deck: Deck,
    hands: Vec<Vec<Rank>>,
    deal: Deal,
    printed: &mut String,
) -> Result<(), WriteError> {
    record_by(CLASSIC, medium, (deck, hands, deal), Box::new(()), printed)
}

/// Records a game of a variant on a medium, and appends its output.
pub(crate) fn record_by(
    variant: Variant,
    medium: impl Medium,
    (deck, hands, deal): (Deck, Vec<Vec<Rank>>, Deal),
    chance: Box<dyn Chance>,
    printed: &mut String,
) -> Result<(), WriteError> {
    let players = u8::try_from(hands.len()).expect("few players");
    let opening = match deal {
        Deal::Shuffled { generator } => NewGame::shuffled(variant, deck, players, generator),
        Deal::Fixed {
            generator,
            seat,
            cards,
        } => NewGame::with_fixed_hand(variant, deck, players, generator, (seat, cards)),
        Deal::Scenario { name } => NewGame::from_scenario(variant, &name, hands, chance),
        Deal::Imported => NewGame::imported(variant, deck, hands, chance),
    };
    Recorder::new("test", opening.expect("a deal of the rules"), Lang::En)
        .write_to(medium)
        .sync_every_event()
        .with_projection(Transcript(printed))
        .play()
        .map(|_| ())
}

/// Journal of a game without output, played by the classic rules whatever rules and deck the header
/// names.
pub(crate) fn written(rules: RecordedRules, deck: Deck, hands: Vec<Vec<Rank>>) -> Vec<u8> {
    let header = Header {
        engine: "outsider".to_owned(),
        rules,
        players: u8::try_from(hands.len()).expect("few players"),
        deck,
        renderer: 0,
        lang: Lang::En,
        corrections: Vec::new(),
        format: JournalFormat::V1,
    };
    let mut game = Game::new(Box::new(StandardRules::classic()), hands).expect("a deal");
    let mut journal = Vec::new();
    let mut writer = Writer::new(&mut journal, &header);
    while let Some(event) = game.next() {
        writer.record(&event, game.table()).expect("memory");
    }
    let printed = ConsoleHasher::default().digest();
    let end = writer.finish(game.table().reason(), printed);
    end.expect("memory");
    journal
}

/// Collects the output of a game.
pub(crate) struct Transcript<'a>(pub(crate) &'a mut String);

impl<S: State> Projection<S> for Transcript<'_> {
    fn project(&mut self, _: &S::Event, _: &S) {}

    fn project_text(&mut self, text: &str, _: &S) {
        self.0.push_str(text);
    }
}

/// Fault found by a replay, if any, and its output.
pub(crate) fn replayed(journal: impl Read) -> (Option<FaultCode>, String) {
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

/// Files with this suffix in a directory of the project, in byte order of their names.
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

/// Compares a text with its reviewed version in `snapshots/`.
#[track_caller]
pub(crate) fn reviewed(name: &str, content: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(project().join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, content));
}

/// State of the table after each turn, and output of each turn.
#[derive(Default)]
pub(crate) struct ExpectedFrames {
    pub(crate) texts: BTreeMap<u32, String>,
    pub(crate) held: BTreeMap<u32, Vec<usize>>,
    pub(crate) wars: BTreeMap<u32, bool>,
}

impl Projection<Table> for ExpectedFrames {
    fn project(&mut self, event: &Event, table: &Table) {
        let held = table.places().iter().map(|place| place.hand().len());
        self.held.insert(table.turn(), held.collect());
        let war = matches!(event, Event::FaceDown { .. } | Event::WarRound { .. });
        *self.wars.entry(table.turn()).or_default() |= war;
    }

    fn project_text(&mut self, text: &str, table: &Table) {
        let texts = self.texts.entry(table.turn()).or_default();
        texts.push_str(text);
    }
}

impl Projection<TokenGame> for ExpectedFrames {
    fn project(&mut self, _: &TokenEvent, _: &TokenGame) {}

    fn project_text(&mut self, text: &str, game: &TokenGame) {
        let texts = self.texts.entry(game.deals()).or_default();
        texts.push_str(text);
    }
}

/// Expected frames of a journal, from its events alone.
pub(crate) fn expected_of(journal: &[u8]) -> ExpectedFrames {
    frames_of(journal).1
}

/// Frames of a journal, and the expected ones.
pub(crate) fn frames_of(journal: &[u8]) -> (Vec<Frame>, ExpectedFrames) {
    let (mut all, mut expected) = (Vec::new(), ExpectedFrames::default());
    let mut frames = Frames::new(|frame| all.push(frame));
    let replay = Replay::open(journal, None).expect("a header");
    // Truncated journals have frames too.
    let _ = replay
        .verify(&mut (&mut expected, &mut frames))
        .expect("a file");
    frames.finish();
    (all, expected)
}
