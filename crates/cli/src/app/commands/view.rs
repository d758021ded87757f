use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{unreadable, write_failed};
use crate::app::verdict::{conclude, not_opened, open};
use crate::cli::View;
use crate::commands::session::ENGINE;
use crate::host::view_files::{PagePlace, open_in_browser};
use crate::machine::audit_log::AuditLog;
use crate::machine::outputs::Outputs;
use crate::machine::signals::{Interruption, clean_up_at_the_end, is_interrupted};
use crate::machine::text::display;
use crate::wording::view_lines;
use std::io::Read;
use std::path::Path;
use war::i18n::text;
use war::projections::audit::Audit;
use war::projections::frames::Frames;
use war::recording::{Opening, Recorder};
use war::replay::Replay;
use war_viewer::view::{About, Viewer};

/// Makes a page that plays a journal, which is verified first.
pub(crate) fn view(options: &View, context: &mut Context) -> Result<Exit, Failure> {
    let path = &options.file;
    let outputs = Outputs::default();
    let unfinished = outputs.clone();
    clean_up_at_the_end(move || unfinished.remove());
    let place = PagePlace::open(path, options.output.as_deref(), &outputs)?;
    let mut journal = Vec::new();
    let read = open(path, true)?.read_to_end(&mut journal);
    read.map_err(|error| unreadable(path, &error))?;
    show(path, &journal, place, &outputs, context)
}

/// Plays a game, and opens a page of it; its journal has this name.
pub(crate) fn view_game(
    opening: Opening,
    name: &Path,
    log: &AuditLog,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let mut journal = Vec::new();
    let recorder = Recorder::new(ENGINE, opening, context.terminal.catalogue.lang());
    log.begin(recorder.header());
    Interruption::of_recordings();
    let played = recorder
        .written_to(&mut journal, false)
        .with(Audit::new(log.logger().clone()))
        .play_while(|| !is_interrupted());
    played.map_err(|error| write_failed(name, &error))?;
    let outputs = Outputs::default();
    let place = PagePlace::open(name, None, &outputs)?;
    show(name, &journal, place, &outputs, context)
}

/// Verifies a journal, and writes the page of its game in this place.
fn show(
    path: &Path,
    journal: &[u8],
    place: PagePlace<'_>,
    outputs: &Outputs,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let terminal = &mut context.terminal;
    let mut replay = match Replay::open(journal, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => return Ok(conclude(path, &not_opened(error), terminal)),
    };
    let mut viewer = Viewer::default();
    let mut frames = Frames::new(|frame| viewer.add(&frame));
    let found = replay.read_to_end(&mut frames);
    frames.finish();
    let reading = replay.judged(found);
    let exit = conclude(path, &reading, terminal);
    let (Ok(judgement), Exit::Success | Exit::Incomplete) = (&reading, exit) else {
        terminal.error(&text!(ViewRefused, file = display(path)));
        return Ok(exit);
    };
    if judgement.end().is_some() && !replay.prints_the_same() {
        terminal.note(&text!(RenderedAnew));
    }
    let lang = context.lang_flag.unwrap_or(replay.header().lang);
    let digest = judgement.end().map(|end| end.chain.to_string());
    let written = place.write(journal, digest, outputs, |journal| {
        viewer.page(&About {
            lang,
            header: replay.header(),
            judgement,
            seats: replay.seats(),
            lines: view_lines(journal.name(), judgement),
            journal,
        })
    });
    if let Some(page) = written? {
        terminal.note(&text!(ViewPage, file = display(&page)));
        let opened = open_in_browser(&page);
        opened.map_err(|error| {
            Failure::new(
                Exit::InputOutput,
                text!(ViewNoBrowser, reason = error.to_string()),
            )
        })?;
    }
    Ok(exit)
}
