//! `war view`: makes a page that plays a recorded game.

use super::games::ENGINE;
use super::journal::show::header_texts;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, read_failure, write_failure};
use crate::machine::audit_log::AuditLog;
use crate::machine::input::{STANDARD_INPUT_NAME, is_standard_stream};
use crate::machine::output_files::{OutputError, OutputFile, OutputFiles, find_overwritten};
use crate::machine::signals::{Interruption, clean_up_on_signal, is_interrupted};
use crate::machine::text::{io_text, path_text};
use crate::verdict::{judge_unopened_journal, open_journal, report_verdict, verdict_text};
use clap::{Args, ValueHint};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use war::i18n::{Catalogue, Lang, text};
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
network, and carries the journal; one above 2 MB is written beside it.";

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Journal to show, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// File for the page, or - for standard output [default: a temporary file, which is opened in
    /// the browser]
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

/// Plays a game, and opens a page of it; `name` is the file name of its journal.
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
        })
    });
    if let Some(page) = written? {
        terminal.report_note(&text!(ViewPage, file = path_text(&page)));
        let opened = open_in_browser(&page);
        opened.map_err(|error| {
            Failure::new(
                ExitStatus::InputOutput,
                text!(ViewNoBrowser, reason = error.to_string()),
            )
        })?;
    }
    Ok(exit)
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
    /// Temporary directory that can't be created.
    #[error("a temporary directory can't be created")]
    NoDirectory(#[source] io::Error),
}

/// Destination of a page. If a file was given, it is already open.
pub(crate) struct PageDestination<'a> {
    journal: &'a Path,
    output: Option<(&'a Path, OutputFile)>,
}

impl<'a> PageDestination<'a> {
    /// Opens the destination of a journal's page: this file, standard output for `-`, or a
    /// temporary file.
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
    /// `digest` is the journal's final digest. Returns the page's file if this file is temporary.
    pub(crate) fn write(
        self,
        journal: &[u8],
        digest: Option<String>,
        outputs: &OutputFiles,
        page: impl FnOnce(JournalCopy) -> String,
    ) -> Result<Option<PathBuf>, ViewFileError> {
        let name = self.name();
        if journal.len() <= JournalCopy::MAX_EMBEDDED_BYTES {
            return self.finish(outputs, &page(JournalCopy::embedded(&name, journal)));
        }
        let Some(directory) = self.directory()? else {
            return self.finish(outputs, &page(JournalCopy::not_included(&name, journal)));
        };
        let beside = with_digest(&name, &digest.unwrap_or_else(|| digest_of(journal)));
        let mut copy = outputs.open(&directory.join(&beside))?;
        copy.write(journal)?;
        copy.finish()?;
        let page = page(JournalCopy::beside_page(&beside, journal));
        match self.output {
            Some(_) => self.finish(outputs, &page),
            None => write_temporary_page(&directory, &name, outputs, &page).map(Some),
        }
    }

    /// File name of the journal.
    fn name(&self) -> String {
        if is_standard_stream(self.journal) {
            return format!("{STANDARD_INPUT_NAME}.json");
        }
        let name = self.journal.file_name().unwrap_or(OsStr::new("game.json"));
        name.to_string_lossy().into_owned()
    }

    /// Directory of the page; `None` for standard output.
    fn directory(&self) -> Result<Option<PathBuf>, ViewFileError> {
        match &self.output {
            Some((path, _)) if is_standard_stream(path) => Ok(None),
            Some((path, _)) => Ok(Some(path.parent().unwrap_or(Path::new("")).to_owned())),
            None => temporary_directory().map(Some),
        }
    }

    fn finish(self, outputs: &OutputFiles, page: &str) -> Result<Option<PathBuf>, ViewFileError> {
        let name = self.name();
        let Some((_, mut output)) = self.output else {
            let directory = temporary_directory()?;
            return write_temporary_page(&directory, &name, outputs, page).map(Some);
        };
        output.write(page)?;
        output.finish()?;
        Ok(None)
    }
}

/// Creates a directory that outlives the program, since a browser reads it later.
fn temporary_directory() -> Result<PathBuf, ViewFileError> {
    let directory = tempfile::Builder::new().prefix("war-view-").tempdir();
    let directory = directory.map_err(ViewFileError::NoDirectory)?;
    Ok(directory.keep())
}

/// Writes a page that is named after its journal.
fn write_temporary_page(
    directory: &Path,
    name: &str,
    outputs: &OutputFiles,
    page: &str,
) -> Result<PathBuf, ViewFileError> {
    let path = directory.join(name).with_extension("html");
    let mut output = outputs.open(&path)?;
    output.write(page)?;
    output.finish()?;
    Ok(path)
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

/// Opens a page in the browser named by the variable `BROWSER`, else in the system's default
/// browser.
fn open_in_browser(page: &Path) -> Result<(), opener::OpenError> {
    opener::open_browser(page)
}

impl From<ViewFileError> for Failure {
    fn from(error: ViewFileError) -> Self {
        match error {
            ViewFileError::OverwritesJournal(file) => {
                Self::usage(text!(ViewOverJournal, file = path_text(&file)))
            }
            ViewFileError::Output(error) => error.into(),
            ViewFileError::NoDirectory(source) => {
                let reason = io_text(&source);
                Self::new(
                    ExitStatus::InputOutput,
                    text!(ViewNoDirectory, reason = reason),
                )
            }
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
