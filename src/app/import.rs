use super::cli::Import;
use super::exit::{Exit, Failure, io_text, unreadable};
use super::journal_file::JournalFile;
use super::session::{ENGINE, cannot_create};
use super::{Context, display};
use crate::cards::Deck;
use crate::engine::Game;
use crate::i18n::{Catalogue, Lang, Message, Text};
use crate::import::{Imported, import_xy};
use crate::journal::{Code, ConsoleDigest, Deal, End, Header, Reason, Rules, WriteFailed, Writer};
use crate::projections::screens::{Edition, Origin, RENDERER, Start};
use crate::rules::{Flow, XY};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest table that is read, in bytes.
const LARGEST: u64 = 1 << 26;

/// Makes journals of tables printed elsewhere; one that is refused is told, and the next
/// one read.
pub(super) fn import(options: &Import, context: &mut Context) -> Exit {
    let Import::Xy { files, journal_dir } = options;
    let mut exit = Exit::Success;
    for path in files {
        let one = import_one(path, journal_dir, context);
        let one = one.unwrap_or_else(|failure| context.terminal.failure(&failure));
        exit = exit.worse(one);
    }
    exit
}

fn import_one(path: &Path, directory: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut text));
    read.map_err(|error| unreadable(path, &error))?;
    let text = String::from_utf8_lossy(&text);
    // Tables are printed in English, unless the player says otherwise.
    let words = super::words(context.lang_flag.unwrap_or(Lang::En));
    let game = import_xy(&text, words).map_err(|refused| {
        let text = Text::new(Message::IMPORT_REFUSED)
            .with("file", display(path))
            .with("line", refused.line.to_string())
            .with("reason", refused.reason);
        Failure::new(Exit::Bad, text)
    })?;
    let name = path.file_stem().unwrap_or_default();
    let journal = directory.join(name).with_extension("json");
    let end = record(game, &journal, words)?;
    let text = Text::new(Message::RECORDED)
        .with("file", display(&journal))
        .with("events", end.events)
        .with("digest", end.chain.to_string());
    context.terminal.note(&text);
    Ok(Exit::Success)
}

/// Plays the game into a journal.
fn record(game: Imported, journal: &Path, words: &'static Catalogue) -> Result<End, Failure> {
    let edition = Edition::of(&XY);
    let header = Header {
        engine: ENGINE.to_owned(),
        rules: Rules::War(XY),
        players: XY.players.1,
        deck: Deck::Thirteen,
        deal: Deal::Imported,
        renderer: RENDERER,
        lang: words.lang(),
        corrections: Vec::new(),
    };
    let file = JournalFile::create(journal).map_err(|error| cannot_create(journal, &error))?;
    let failed = |error: WriteFailed| {
        let text = Text::new(Message::JOURNAL_NEW_NOT_WRITTEN)
            .with("code", Code::Write.to_string())
            .with("file", display(journal))
            .with("reason", io_text(&error.source));
        Failure::new(Exit::InputOutput, text)
    };
    let mut writer = Writer::new(file, &header, false);
    let mut screens = edition.screens(Start {
        words,
        origin: Origin::Dealt,
        corrections: Vec::new(),
    });
    let (mut digest, mut text) = (ConsoleDigest::default(), String::new());
    let rules = Box::new(Flow::new(XY.parameters));
    let mut game = Game::new(rules, game.hands.clone()).with_chance(Box::new(game));
    while let Some(event) = game.next() {
        writer.record((&event, game.table())).map_err(failed)?;
        text.clear();
        screens.show(&event, &mut text);
        digest.update(&text);
    }
    let reason = Reason::of(game.table());
    writer.finish(reason, digest.printed()).map_err(failed)
}
