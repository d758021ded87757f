//! Where the page of a game goes, with the journal that it does not carry itself.

use crate::machine::input::{STANDARD_INPUT_NAME, is_standard};
use crate::machine::outputs::{Output, OutputError, Outputs, overwriting};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use war::support::hex::Hex;
use war_viewer::view::JournalCopy;

/// Why a page can't be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ViewFileError {
    /// It would be written over its journal.
    #[error("`{}` is the journal itself", .0.display())]
    OverJournal(PathBuf),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// There is no room for a temporary page.
    #[error("a temporary directory can't be created")]
    NoDirectory(#[source] io::Error),
}

/// The place of a page, seen to be writable where it was named.
pub(crate) struct PagePlace<'a> {
    journal: &'a Path,
    named: Option<(&'a Path, Output)>,
}

impl<'a> PagePlace<'a> {
    /// The place for the page of this journal: this file, standard output for `-`, or a temporary
    /// one.
    pub(crate) fn open(
        journal: &'a Path,
        output: Option<&'a Path>,
        outputs: &Outputs,
    ) -> Result<Self, ViewFileError> {
        if let Some(output) = overwriting([output], &[journal.to_owned()]) {
            return Err(ViewFileError::OverJournal(output.to_owned()));
        }
        let opened = outputs.create(output)?;
        Ok(Self {
            journal,
            named: output.zip(opened),
        })
    }

    /// Writes the page that is made for a copy of the journal, and before it that copy, where the
    /// page does not carry it; `digest` is the journal's final one. The result is the page's file
    /// where nobody named it.
    pub(crate) fn write(
        self,
        journal: &[u8],
        digest: Option<String>,
        outputs: &Outputs,
        page: impl FnOnce(JournalCopy) -> String,
    ) -> Result<Option<PathBuf>, ViewFileError> {
        let name = self.name();
        if journal.len() <= JournalCopy::MOST_WITHIN {
            return self.finish(outputs, &page(JournalCopy::within(&name, journal)));
        }
        let Some(directory) = self.directory()? else {
            return self.finish(outputs, &page(JournalCopy::elsewhere(&name, journal)));
        };
        let beside = with_digest(&name, &digest.unwrap_or_else(|| digest_of(journal)));
        let mut copy = outputs.open(&directory.join(&beside))?;
        copy.write(journal)?;
        copy.finish()?;
        let page = page(JournalCopy::beside(&beside, journal));
        match self.named {
            Some(_) => self.finish(outputs, &page),
            None => temporary(&directory, &name, outputs, &page).map(Some),
        }
    }

    /// What the journal's file is called.
    fn name(&self) -> String {
        if is_standard(self.journal) {
            return format!("{STANDARD_INPUT_NAME}.json");
        }
        let name = self.journal.file_name().unwrap_or(OsStr::new("game.json"));
        name.to_string_lossy().into_owned()
    }

    /// The directory of the page; none for standard output.
    fn directory(&self) -> Result<Option<PathBuf>, ViewFileError> {
        match &self.named {
            Some((path, _)) if is_standard(path) => Ok(None),
            Some((path, _)) => Ok(Some(path.parent().unwrap_or(Path::new("")).to_owned())),
            None => temporary_directory().map(Some),
        }
    }

    fn finish(self, outputs: &Outputs, page: &str) -> Result<Option<PathBuf>, ViewFileError> {
        let name = self.name();
        let Some((_, mut output)) = self.named else {
            let directory = temporary_directory()?;
            return temporary(&directory, &name, outputs, page).map(Some);
        };
        output.write(page)?;
        output.finish()?;
        Ok(None)
    }
}

/// A directory that outlives the program: a browser reads it.
fn temporary_directory() -> Result<PathBuf, ViewFileError> {
    let directory = tempfile::Builder::new().prefix("war-view-").tempdir();
    let directory = directory.map_err(ViewFileError::NoDirectory)?;
    Ok(directory.keep())
}

/// Writes a page named like its journal.
fn temporary(
    directory: &Path,
    name: &str,
    outputs: &Outputs,
    page: &str,
) -> Result<PathBuf, ViewFileError> {
    let path = directory.join(name).with_extension("html");
    let mut output = outputs.open(&path)?;
    output.write(page)?;
    output.finish()?;
    Ok(path)
}

/// A name with a digest in front of what it ends with.
fn with_digest(name: &str, digest: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, end)) => format!("{stem}.{digest}.{end}"),
        None => format!("{name}.{digest}"),
    }
}

/// The digest of a journal that has no final one.
fn digest_of(journal: &[u8]) -> String {
    Hex::<16>::truncated(&blake3::hash(journal)).to_string()
}

/// Opens a page in the browser that the variable `BROWSER` names, else in the system's.
pub(crate) fn open_in_browser(page: &Path) -> Result<(), opener::OpenError> {
    opener::open_browser(page)
}
