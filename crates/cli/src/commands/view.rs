//! `war view`: makes a page that plays a recorded game.

use super::games::ENGINE;
use super::journal::show::header_texts;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, read_failure, write_failure};
use crate::machine::audit_log::AuditLog;
use crate::machine::browser::{BrowserError, BrowserLauncher};
use crate::machine::environment::read_browser_variable;
use crate::machine::input::{STANDARD_INPUT_NAME, is_standard_stream};
use crate::machine::output_files::{OutputError, OutputFile, OutputFiles, find_overwritten};
use crate::machine::page_server::PageServer;
use crate::machine::signals::{Interruption, clean_up_on_signal, is_interrupted};
use crate::machine::terminal::Terminal;
use crate::machine::text::{io_text, path_text};
use crate::verdict::{judge_unopened_journal, open_journal, report_verdict, verdict_text};
use clap::{Args, ValueHint};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use war::i18n::{Catalogue, Lang, Text, text};
use war::journal::Judgement;
use war::projections::audit::AuditProjection;
use war::projections::frames::Frames;
use war::recording::{NewGame, Recorder};
use war::replay::Replay;
use war::support::hex::Hex;
use war::support::sanitize::replace_unprintable;
use war_viewer::{JournalCopy, PageFacts, Viewer};

pub(crate) const VIEW_EXAMPLES: &str = "\
Examples:
  war view game.json                   open the game in the browser
  war view game.json -o game.html      write the page, to keep it or to send it
  war view game.json --lang pl         make it in Polish
  war 4 small --journal - 2>/dev/null | war view -
                                       watch a game that is not kept

The journal is verified first, and the verdict goes to standard error. A page is
made only if the journal is VERIFIED or INCOMPLETE. It opens from disk, needs no
network, and carries the journal; one above 2 MB is written beside it.

Without `--output`, your browser gets the page once, from this program. The variable
BROWSER names other browsers than the system's.";

/// Time in which a browser must ask for the page.
const BROWSER_TIME: Duration = Duration::from_secs(30);

/// Time between two looks at the browser.
const BROWSER_POLL: Duration = Duration::from_millis(50);

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Journal to show, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// File for the page, or - for standard output [default: the page opens in the browser]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Verifies a journal, and makes a page that plays it.
pub(crate) fn view(options: &ViewArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let path = &options.file;
    let outputs = OutputFiles::default();
    let unfinished = outputs.clone();
    clean_up_on_signal(move || unfinished.discard_all());
    let destination = PageDestination::open(path, options.output.as_deref(), &outputs)?;
    let mut journal = Vec::new();
    let read = open_journal(path)?.read_to_end(&mut journal);
    read.map_err(|error| read_failure(path, &error))?;
    write_page(path, &journal, destination, &outputs, context)
}

/// Plays a game, and opens a page of it in the browser; `name` is the file name of its journal.
pub(crate) fn view_game(
    opening: NewGame,
    name: &Path,
    log: &AuditLog,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let mut journal = Vec::new();
    let recorder = Recorder::new(ENGINE, opening, context.terminal.catalogue.lang());
    log.log_game(recorder.header());
    Interruption::catch_for_recording();
    let played = recorder
        .write_to(&mut journal)
        .with_projection(AuditProjection::new(log.logger().clone()))
        .play_while(|| !is_interrupted());
    played.map_err(|error| write_failure(name, &error))?;
    let outputs = OutputFiles::default();
    let destination = PageDestination::open(name, None, &outputs)?;
    write_page(name, &journal, destination, &outputs, context)
}

/// Verifies a journal, and writes the page of its game.
fn write_page(
    path: &Path,
    journal: &[u8],
    destination: PageDestination<'_>,
    outputs: &OutputFiles,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let terminal = &mut context.terminal;
    let mut replay = match Replay::open(journal, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => {
            return Ok(report_verdict(
                path,
                &judge_unopened_journal(error),
                terminal,
            ));
        }
    };
    let mut viewer = Viewer::default();
    let mut frames = Frames::new(|frame| viewer.add(&frame));
    let found = replay.read_to_end(&mut frames);
    frames.finish();
    let reading = replay.judge(found);
    let exit = report_verdict(path, &reading, terminal);
    let (Ok(judgement), ExitStatus::Success | ExitStatus::Incomplete) = (&reading, exit) else {
        terminal.report_error(&text!(ViewRefused, file = path_text(path)));
        return Ok(exit);
    };
    if judgement.end().is_some() && !replay.reproduces_live_output() {
        terminal.report_note(&text!(RenderedAnew));
    }
    let lang = context.lang_flag.unwrap_or(replay.header().lang);
    let digest = judgement.end().map(|end| end.digest.to_string());
    let written = destination.write(journal, digest, outputs, |journal| {
        viewer.build_page(&PageFacts {
            lang,
            header: replay.header(),
            judgement,
            seats: replay.seats(),
            lines: view_lines(journal.name(), judgement),
            journal,
            home: None,
        })
    });
    if let Some(page) = written? {
        open_in_browser(page, terminal)?;
    }
    Ok(exit)
}

/// Serves a page until a browser has got it.
fn open_in_browser(page: String, terminal: &mut Terminal) -> Result<(), Failure> {
    let failure = |text| Failure::new(ExitStatus::InputOutput, text);
    let server = PageServer::start(page);
    let server = server.map_err(|error| failure(text!(ViewNotServed, reason = io_text(&error))))?;
    let address = server.address();
    terminal.report_note(&text!(ViewOpening, address = address));
    let mut browsers = BrowserLauncher::new(address, read_browser_variable().as_deref());
    let until = Instant::now() + BROWSER_TIME;
    loop {
        if !browsers.keep_one_started() {
            for error in browsers.errors() {
                terminal.report_note(&browser_text(error));
            }
            return Err(failure(text!(ViewNoBrowser)));
        }
        if server.is_fetched_within(BROWSER_POLL) {
            return Ok(());
        }
        if is_interrupted() {
            return Err(Failure::new(ExitStatus::Incomplete, text!(Interrupted)));
        }
        if Instant::now() > until {
            let seconds = BROWSER_TIME.as_secs();
            return Err(failure(text!(ViewNotFetched, seconds = seconds)));
        }
    }
}

fn browser_text(error: &BrowserError) -> Text {
    match error {
        BrowserError::Quotes(command) => {
            text!(BrowserQuotes, command = replace_unprintable(command))
        }
        BrowserError::NotStarted { command, source } => text!(
            BrowserNotStarted,
            command = replace_unprintable(command),
            reason = io_text(source)
        ),
        BrowserError::Failed { command, code } => text!(
            BrowserFailed,
            command = replace_unprintable(command),
            code = code.to_string()
        ),
    }
}

/// Error for a page that can't be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ViewFileError {
    /// Page that would overwrite its journal.
    #[error("`{}` is the journal itself", .0.display())]
    OverwritesJournal(PathBuf),
    /// File that can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Destination of a page. If a file was given, it is already open.
pub(crate) struct PageDestination<'a> {
    journal: &'a Path,
    output: Option<(&'a Path, OutputFile)>,
}

impl<'a> PageDestination<'a> {
    /// Opens the destination of a journal's page: this file, standard output for `-`, or the
    /// browser.
    pub(crate) fn open(
        journal: &'a Path,
        output: Option<&'a Path>,
        outputs: &OutputFiles,
    ) -> Result<Self, ViewFileError> {
        if let Some(output) = find_overwritten([output], &[journal.to_owned()]) {
            return Err(ViewFileError::OverwritesJournal(output.to_owned()));
        }
        let opened = outputs.open_optional(output)?;
        Ok(Self {
            journal,
            output: output.zip(opened),
        })
    }

    /// Writes the page. If the journal is too large to embed, writes a copy of the journal first.
    /// `digest` is the journal's final digest. Returns a page for the browser instead of writing it.
    pub(crate) fn write(
        self,
        journal: &[u8],
        digest: Option<String>,
        outputs: &OutputFiles,
        page: impl FnOnce(JournalCopy) -> String,
    ) -> Result<Option<String>, ViewFileError> {
        let name = self.name();
        let Some((path, mut output)) = self.output else {
            // The browser gets one file, whatever its size.
            return Ok(Some(page(JournalCopy::embedded(&name, journal))));
        };
        let copy = if journal.len() <= JournalCopy::MAX_EMBEDDED_BYTES {
            JournalCopy::embedded(&name, journal)
        } else if is_standard_stream(path) {
            JournalCopy::not_included(&name, journal)
        } else {
            let beside = with_digest(&name, &digest.unwrap_or_else(|| digest_of(journal)));
            let mut copy = outputs.open(&path.with_file_name(&beside))?;
            copy.write(journal)?;
            copy.finish()?;
            JournalCopy::beside_page(&beside, journal)
        };
        output.write(page(copy))?;
        output.finish()?;
        Ok(None)
    }

    /// File name of the journal.
    fn name(&self) -> String {
        if is_standard_stream(self.journal) {
            return format!("{STANDARD_INPUT_NAME}.json");
        }
        let name = self.journal.file_name().unwrap_or(OsStr::new("game.json"));
        name.to_string_lossy().into_owned()
    }
}

/// Inserts a digest before the extension of a name.
fn with_digest(name: &str, digest: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, end)) => format!("{stem}.{digest}.{end}"),
        None => format!("{name}.{digest}"),
    }
}

/// Digest of the bytes of a journal without a final digest.
fn digest_of(journal: &[u8]) -> String {
    Hex::<16>::from_hash(&blake3::hash(journal)).to_string()
}

impl From<ViewFileError> for Failure {
    fn from(error: ViewFileError) -> Self {
        match error {
            ViewFileError::OverwritesJournal(file) => {
                Self::usage(text!(ViewOverJournal, file = path_text(&file)))
            }
            ViewFileError::Output(error) => error.into(),
        }
    }
}

/// Describes the verdict and header of a journal in each language, keyed by language code.
fn view_lines(file: &str, judgement: &Judgement) -> BTreeMap<&'static str, Vec<String>> {
    let lines = |lang: Lang| (lang.code(), text_lines(file, judgement, lang));
    Lang::ALL.into_iter().map(lines).collect()
}

fn text_lines(file: &str, judgement: &Judgement, lang: Lang) -> Vec<String> {
    let (file, catalogue) = (&replace_unprintable(file), Catalogue::built_in(lang));
    let header = judgement.header().map(|header| header_texts(file, header));
    let verdict = verdict_text(file, judgement);
    let texts = [verdict].into_iter().chain(header.unwrap_or_default());
    texts.map(|text| catalogue.format_text(&text)).collect()
}
