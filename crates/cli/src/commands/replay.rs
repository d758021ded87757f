//! `war replay`: prints a recorded game again, and verifies it.

use crate::arguments::journal::{RESULT_HELP, ResultFormat};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::audit_log::AuditLog;
use crate::machine::follow;
use crate::machine::input::is_standard_stream;
use crate::machine::keys::{
    CheckedSignature, ExpectedSignature, load_public_key, load_signature, signature_path,
};
use crate::machine::progress::{JournalInput, StdoutUse};
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::stdout::{FlushingReader, Printer};
use crate::machine::text::path_text;
use crate::verdict::{JournalReading, game_result, judge_unopened_journal, report_signed_verdict};
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use war::engine::Seat;
use war::i18n::{Text, text};
use war::journal::{ExpectedGame, Position, ReadError};
use war::projections::audit::AuditProjection;
use war::replay;
use war::result::Tally;
use war::support::digits::parse_whole_number;
use war::support::hex::Hex;

pub(crate) const REPLAY_EXAMPLES: &str = "\
Examples:
  war replay game.json                 print the game as it was printed
  war replay game.json --turn 7        print turn 7 alone
  war replay game.json --quiet         verify it, and print nothing
  war replay game.json --result json   print the result for a program
  war replay game.json --lang pl       print it in Polish
  war replay --follow game.json        watch a game while it is recorded
  cat game.json | war replay -         read standard input";

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Journal to replay, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print only this turn (0 is the dealing)
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with_all = ["from", "to"])]
    pub(crate) turn: Option<String>,
    /// First turn to print
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) from: Option<String>,
    /// Last turn to print
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) to: Option<String>,
    /// Verify, and print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print a game while it is being recorded: wait for more until the journal ends
    #[arg(long)]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) expected: ExpectationOptions,
    /// Public key of those who signed the journal, the file or the key itself: check the signature
    ///
    /// The signature of FILE is FILE.minisig. Nothing is printed of a journal that was not signed
    /// with this key.
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath, conflicts_with = "follow")]
    pub(crate) public_key: Option<OsString>,
    /// Write an audit log of the replayed game
    #[arg(long)]
    pub(crate) audit: bool,
    #[arg(long, value_name = "FORMAT", ignore_case = true, conflicts_with_all = ["turn", "from", "to", "quiet"], help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

impl ReplayArgs {
    /// Parses the range of turns to print.
    ///
    /// # Errors
    ///
    /// If a turn is not a number, or the range is empty.
    pub(crate) fn parse_turns(&self) -> Result<RangeInclusive<u32>, Text> {
        let turn = |typed: &Option<String>, default: u32| match typed {
            None => Ok(default),
            Some(typed) => {
                parse_whole_number(typed).ok_or_else(|| text!(BadTurn, value = typed.as_str()))
            }
        };
        let (from, to) = (turn(&self.from, 0)?, turn(&self.to, u32::MAX)?);
        if from > to {
            return Err(text!(BadRange));
        }
        Ok(turn(&self.turn, from)?..=turn(&self.turn, to)?)
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExpectationOptions {
    /// Final digest that the journal must have, in any letter case
    #[arg(long = "expect-digest", value_name = "HEX")]
    digest: Option<String>,
    /// Commitment of the table that the token game must have
    #[arg(long = "expect-commitment", value_name = "HEX")]
    commitment: Option<String>,
    /// Number that the token game must have
    #[arg(long = "expect-game", value_name = "N", allow_hyphen_values = true)]
    game: Option<String>,
    /// Seed that a player of the token game must have opened; can be repeated
    ///
    /// SEAT is 1 or 2, and HEX the 64 digits of the seed, in any letter case. By version 1 of the
    /// rules, players gave texts: compare those with what the replay prints.
    #[arg(long = "expect-seed", value_name = "SEAT:HEX")]
    seed: Vec<String>,
}

impl ExpectationOptions {
    /// Parses the expectations.
    ///
    /// The error names the option with an invalid value.
    pub(crate) fn parse(&self) -> Result<ExpectedGame, Text> {
        let digest = self.digest.as_deref().map(|typed| {
            let digest = parse_hex(typed);
            digest.ok_or_else(|| text!(BadDigest, value = typed))
        });
        let commitment = self.commitment.as_deref().map(|typed| {
            let commitment = parse_hex(typed);
            commitment.ok_or_else(|| text!(BadCommitment, value = typed))
        });
        let game = self.game.as_deref().map(|typed| {
            let game = parse_whole_number(typed);
            game.ok_or_else(|| text!(BadGameNumber, value = typed))
        });
        let seeds = self.seed.iter().map(|typed| {
            let seed = parse_seat_seed(typed);
            seed.ok_or_else(|| text!(BadPlayerSeed, value = typed.as_str()))
        });
        Ok(ExpectedGame {
            digest: digest.transpose()?,
            commitment: commitment.transpose()?,
            game: game.transpose()?,
            seeds: seeds.collect::<Result<_, _>>()?,
        })
    }
}

/// Parses hexadecimal digits in any letter case.
fn parse_hex<const N: usize>(typed: &str) -> Option<Hex<N>> {
    Hex::from_str(&typed.to_ascii_lowercase()).ok()
}

/// Parses seat 1 or 2 and a seed.
fn parse_seat_seed(typed: &str) -> Option<(Seat, Hex<32>)> {
    let (seat, seed) = typed.split_once(':')?;
    let seat = Seat::all().take(2).find(|s| s.to_string() == seat)?;
    Some((seat, parse_hex(seed)?))
}

/// Parsed arguments: the turns to print, and expectations of the journal.
struct ReplayRequest {
    turns: RangeInclusive<u32>,
    expected: ExpectedGame,
    signature: Option<ExpectedSignature>,
}

impl ReplayRequest {
    fn from_args(options: &ReplayArgs) -> Result<Self, Failure> {
        let turns = options.parse_turns().map_err(Failure::usage)?;
        let key = options
            .public_key
            .as_deref()
            .map(load_public_key)
            .transpose()?;
        let signature = key.map(|key| ExpectedSignature::load(&options.file, &key));
        Ok(Self {
            turns,
            expected: options.expected.parse().map_err(Failure::usage)?,
            signature: signature.transpose()?,
        })
    }
}

/// Prints a recorded game again, verifies it, and prints the verdict.
pub(crate) fn replay(options: &ReplayArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let request = ReplayRequest::from_args(options)?;
    if options.follow {
        Interruption::catch_for_recording();
    } else {
        Interruption::catch_for_reading(context.terminal.catalogue);
    }
    let output = context.terminal.out.clone();
    let mut signed = None;
    let opened = open_input(options, request.signature.as_ref()).map_err(ReadError::from);
    let opened = opened.and_then(|(input, found)| {
        signed = found;
        let input = FlushingReader::new(input, output);
        replay::Replay::open(input, context.lang_flag)
    });
    let mut replay = match opened {
        Ok(replay) => replay,
        Err(error) => {
            let reading = judge_unopened_journal(error);
            return Ok(report(&reading, &Tally::default(), None, options, context));
        }
    };
    let mut log = AuditLog::disabled();
    let wrong = signed.as_ref().and_then(CheckedSignature::fault);
    if options.audit && wrong.is_none() {
        match AuditLog::open(&context.config.log, context.clock) {
            Ok(opened) => log = opened,
            Err(error) => context.warn_of_log_failure(&error),
        }
    }
    let silent = options.quiet || options.result.is_some() || wrong.is_some();
    let nothing = RangeInclusive::new(1, 0);
    let shown = if silent {
        nothing
    } else {
        request.turns.clone()
    };
    let lang = context.lang_flag.unwrap_or(replay.header().lang);
    let printer = Printer::new(context.terminal.out.clone(), shown, replay.header(), lang);
    let mut tally = Tally::default();
    let audit = AuditProjection::new(log.logger().clone());
    let found = replay.read_to_end(&mut (audit, (&mut tally, printer)));
    if let Some(error) = log.close() {
        context.warn_of_log_failure(&error);
    }
    let reading = replay.judge(found);
    let reading = reading.map(|judgement| {
        let judgement = match wrong {
            Some(wrong) => judgement.mark_unexpected(Position::START, wrong.clone()),
            None => judgement,
        };
        replay.compare(judgement, &request.expected)
    });
    let (turns, same) = (replay.turn(), replay.reproduces_live_output());
    // The progress bar of the replay would overlap the verdict.
    drop(replay);
    let is_whole = matches!(&reading, Ok(judgement) if judgement.end().is_some());
    let signed = signed.filter(|_| is_whole);
    if signed
        .as_ref()
        .is_some_and(CheckedSignature::is_file_changed)
    {
        let text = text!(SignChanging, file = path_text(&options.file));
        return Err(Failure::new(ExitStatus::InputOutput, text));
    }
    if is_whole && !same {
        context.terminal.report_note(&text!(RenderedAnew));
    }
    let key = signed.as_ref().and_then(CheckedSignature::key);
    let exit = report(&reading, &tally, key, options, context);
    let first = *request.turns.start();
    if first <= turns {
        return Ok(exit);
    }
    let text = text!(
        NoSuchTurn,
        turn = first.to_string(),
        last = turns.to_string()
    );
    context.terminal.report_error(&text);
    // A fault of the journal outranks a turn that does not exist.
    Ok(exit.worse(ExitStatus::Usage))
}

/// Opens the journal, after checking its signature if that was requested.
fn open_input(
    options: &ReplayArgs,
    signature: Option<&ExpectedSignature>,
) -> io::Result<(Box<dyn Read>, Option<CheckedSignature>)> {
    if options.follow {
        return Ok((follow::open(&options.file)?, None));
    }
    let stdout = if options.quiet {
        StdoutUse::Silent
    } else {
        StdoutUse::Printing
    };
    let Some(signature) = signature else {
        return Ok((Box::new(JournalInput::open(&options.file, stdout)?), None));
    };
    let [first, input] =
        [StdoutUse::Silent, stdout].map(|stdout| JournalInput::open(&options.file, stdout));
    let (signed, input) = signature.check_before_reading(first?, input?)?;
    Ok((Box::new(input), Some(signed)))
}

/// Prints the result, if requested, and the verdict.
fn report(
    reading: &JournalReading,
    tally: &Tally,
    key: Option<&str>,
    options: &ReplayArgs,
    context: &mut Context,
) -> ExitStatus {
    let (path, terminal) = (&options.file, &mut context.terminal);
    if options.follow && is_interrupted() {
        terminal.report_note(&text!(FollowInterrupted));
    }
    if let Some(ResultFormat::Json) = options.result {
        terminal.print_result(
            game_result(reading, path, tally, terminal.catalogue),
            Some(path),
        );
    }
    let exit = report_signed_verdict(path, reading, key, terminal);
    let beside = signature_path(path);
    // Without a public key, only the key number that the signature claims is known.
    if options.public_key.is_none()
        && !is_standard_stream(path)
        && let Ok(signature) = load_signature(&beside)
    {
        let key = signature.key_id().to_string();
        let text = text!(SignatureBeside, file = path_text(&beside), key = key);
        terminal.report_note(&text);
    }
    exit
}
