//! How a journal is written: `--durable`, `--journal-version`, `--compact` and `--meta`.

use clap::{Args, ValueEnum};
use war::i18n::{Text, text};
use war::journal::{Format, Meta};

/// The form of a game's journal.
#[derive(Debug, Default, Args)]
pub(crate) struct JournalForm {
    /// Sync each recorded event to disk before it is printed
    #[arg(long)]
    pub(crate) durable: bool,
    /// Version of the journal's format: 1, a JSON document, or 2, JSON Lines [default: 1]
    #[arg(long, value_name = "N")]
    journal_version: Option<JournalVersion>,
    #[command(flatten)]
    additions: Additions,
}

/// What version 2 of the format can add.
#[derive(Debug, Default, Args)]
pub(crate) struct Additions {
    /// Leave out of the journal what follows from the events (version 2)
    #[arg(long)]
    compact: bool,
    /// Note to keep in the journal, such as `table=7`; can be given several times (version 2)
    #[arg(long, value_name = "KEY=VALUE")]
    meta: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum JournalVersion {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
}

impl JournalForm {
    /// The first of these options that was typed.
    pub(crate) fn typed(&self) -> Option<&'static str> {
        let durable = self.durable.then_some("--durable");
        let version = self.journal_version.map(|_| "--journal-version");
        durable.or(version).or_else(|| self.additions.typed())
    }

    /// The format of a game's journal.
    ///
    /// # Errors
    ///
    /// What is wrong with these options; `recorded` says whether there is a journal at all.
    pub(crate) fn format(&self, recorded: bool) -> Result<Format, Text> {
        if self.durable && !recorded {
            return Err(text!(DurableWithoutJournal));
        }
        if let Some(option) = self.typed().filter(|_| !recorded) {
            return Err(text!(OptionWithoutJournal, option = option));
        }
        if self.journal_version == Some(JournalVersion::Two) {
            return self.additions.format();
        }
        match self.additions.typed() {
            Some(option) => Err(text!(OptionOfVersionTwo, option = option)),
            None => Ok(Format::V1),
        }
    }
}

impl Additions {
    fn typed(&self) -> Option<&'static str> {
        if self.compact {
            return Some("--compact");
        }
        (!self.meta.is_empty()).then_some("--meta")
    }

    /// The format with them.
    ///
    /// # Errors
    ///
    /// What is wrong with a note.
    pub(crate) fn format(&self) -> Result<Format, Text> {
        let mut meta = Meta::default();
        for typed in &self.meta {
            let Some((key, value)) = typed.split_once('=') else {
                return Err(text!(BadMeta, value = typed.as_str()));
            };
            let added = meta.insert(key, value);
            added.map_err(|error| text!(RefusedMeta, reason = Text::from(&error)))?;
        }
        Ok(Format::V2 {
            compact: self.compact,
            meta,
            upgraded_from: None,
        })
    }
}
