//! Options for recording a game and for printing its result.

use clap::{Args, ValueEnum};
use war::i18n::{Text, text};
use war::journal::{JournalFormat, Meta};

/// Options for the format of a game's journal.
#[derive(Debug, Default, Args)]
pub(crate) struct JournalOptions {
    /// Sync each recorded event to disk before it is printed
    #[arg(long)]
    pub(crate) durable: bool,
    /// Version of the journal's format: 1, a JSON document, or 2, JSON Lines [default: 1]
    #[arg(long, value_name = "N")]
    journal_version: Option<FormatVersion>,
    #[command(flatten)]
    additions: VersionTwoOptions,
}

/// Options for features of version 2 of the format.
#[derive(Debug, Default, Args)]
pub(crate) struct VersionTwoOptions {
    /// Leave out of the journal what follows from the events (version 2)
    #[arg(long)]
    compact: bool,
    /// Note to keep in the journal, such as `table=7`; can be given several times (version 2)
    #[arg(long, value_name = "KEY=VALUE")]
    meta: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatVersion {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
}

impl JournalOptions {
    /// Returns the first of these options that was given.
    pub(crate) fn first_given_option(&self) -> Option<&'static str> {
        let durable = self.durable.then_some("--durable");
        let version = self.journal_version.map(|_| "--journal-version");
        durable
            .or(version)
            .or_else(|| self.additions.first_given_option())
    }

    /// Returns the journal's format; `recorded` is false if the game has no journal.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, or one was given without a journal.
    pub(crate) fn to_format(&self, recorded: bool) -> Result<JournalFormat, Text> {
        if self.durable && !recorded {
            return Err(text!(DurableWithoutJournal));
        }
        if let Some(option) = self.first_given_option().filter(|_| !recorded) {
            return Err(text!(OptionWithoutJournal, option = option));
        }
        if self.journal_version == Some(FormatVersion::Two) {
            return self.additions.to_format();
        }
        match self.additions.first_given_option() {
            Some(option) => Err(text!(OptionOfVersionTwo, option = option)),
            None => Ok(JournalFormat::V1),
        }
    }
}

impl VersionTwoOptions {
    fn first_given_option(&self) -> Option<&'static str> {
        if self.compact {
            return Some("--compact");
        }
        (!self.meta.is_empty()).then_some("--meta")
    }

    /// Returns version 2 of the format with these options.
    ///
    /// # Errors
    ///
    /// If a note is not of the form `KEY=VALUE`, or the journal can't hold it.
    pub(crate) fn to_format(&self) -> Result<JournalFormat, Text> {
        let mut meta = Meta::default();
        for typed in &self.meta {
            let Some((key, value)) = typed.split_once('=') else {
                return Err(text!(BadMeta, value = typed.as_str()));
            };
            let added = meta.insert(key, value);
            added.map_err(|error| text!(RefusedMeta, reason = Text::from(&error)))?;
        }
        Ok(JournalFormat::V2 {
            compact: self.compact,
            meta,
            upgraded_from: None,
        })
    }
}

/// Format of a game's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    Json,
}

/// Long help of `--result`.
pub(crate) const RESULT_HELP: &str = "\
Print the result as JSON instead of the screens

Works for a single game. Standard output is then one line, a JSON object with these fields:

  format, version  \"war-result\", 1
  engine           program that played the game
  rules            name and version of the rules, such as \"classic/1\"
  deck             \"small\", \"large\", \"thirteen\" or a shape such as \"13x4\"
  dealt            \"shuffled\", \"fixed\", \"scenario\", \"imported\" or \"committed\"
  generator, seed  what shuffled the cards, and its seed as text; else null
  scenario         name of the scenario; else null
  players          for each player: player (from 1) and cards (held at the end);
                   in a token game: player, name or number (the public
                   number), and tokens (won or lost)
  outcome          \"won\", \"endless\", \"drawn\", \"stopped\", \"folded\" or \"cut_off\"
  winner           number of the winner; else null
  turns            turns played (battles, rounds, or deals of a token game)
  repeats_from     turn from which an endless game repeats; else null
  wars             turns with a war; null in a token game
  longest_war      most face-up cards of one player in a war, 0 without one
  events           events of the game; of a journal with a fault, those before it
  lang             language of the screens
  console          bytes and blake3 (hash) of what the screens print
  digest           final digest of the game's journal, recorded or not
  journal          file with the game's journal; else null
  verdict          what a journal that was read is: \"VERIFIED\", \"INCOMPLETE\",
                   \"DAMAGED\", \"DIVERGED\", \"UNEXPECTED\", \"UNSUPPORTED\", or
                   \"UNREADABLE\" if the file can't be read; null for a live game
  code             code of the fault, such as \"WJ202\"; null without one
  line, column     where the fault is in the file, from 1; null without one
  message          the fault in words; null without one
  proof            what is proven of the cards: \"seed\" (dealt from the seed),
                   \"commitment\" (dealt as committed before the game) or
                   \"journal\" (they are what the journal says); else null

If a journal can't be read to its end, the fields of the game that are not known are null.";

/// Long help of `--result` in `war journal check`.
pub(crate) const CHECK_RESULT_HELP: &str = "\
Print a JSON object for each file instead of the verdict

Standard output is then one line for each file, an object like that of `war replay --result json`. \
`war help replay` lists its fields; verdict, code, line, column, message and proof are among them.";
