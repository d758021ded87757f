//! `war journal sign` and `war journal verify`: makes and checks signatures of journals.

use crate::context::Context;
use crate::failure::{ExitStatus, Failure, read_failure, signature_failure};
use crate::machine::journal_files::create_synced_file;
use crate::machine::keys::{ExpectedSignature, load_public_key, load_secret_key, signature_path};
use crate::machine::progress::{JournalInput, StdoutUse};
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::path_text;
use crate::verdict::{
    JournalReading, judge_unopened_journal, read_journal, report_faults_with_key, report_verdict,
};
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use war::i18n::text;
use war::journal::{Judgement, Position};
use war::replay::Replay;
use war::signing::{ContentHash, HashingReader, PublicKey, SecretKey};
use war::support::sanitize::replace_unprintable;

pub(super) const SIGN_EXAMPLES: &str = "\
Examples:
  war journal sign a.json --key war.key  verify a.json, and write a.json.minisig
  minisign -G -p war.pub -s war.key      make the keys that it takes

If a password protects the key, the terminal asks for it. A signature is never
overwritten.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  war journal verify a.json b.json --public-key war.pub
  war journal verify a.json --public-key RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3

`minisign -V -m a.json -p war.pub` checks the signature alone.";

#[derive(Debug, Args)]
pub(crate) struct SignArgs {
    /// Journals to sign
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Secret key, a file that `minisign -G` made
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Journals to verify; the signature of FILE is FILE.minisig
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Public key: the file or the key itself
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub(crate) public_key: OsString,
}

/// Signs the journals that are VERIFIED, each in a new file; the worst verdict decides the exit
/// code.
pub(crate) fn sign(options: &SignArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let prompt = context.terminal.catalogue.format_text(&text!(KeyPassword));
    let key = load_secret_key(&options.key, &prompt)?;
    let one = |path: &Path, context: &mut Context| sign_one(path, &key, context);
    Ok(for_each_journal(&options.files, context, one))
}

/// Verifies journals and their signatures, and prints a line for each; the worst verdict decides
/// the exit code.
pub(crate) fn verify(options: &VerifyArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let key = load_public_key(&options.public_key)?;
    let one = |path: &Path, context: &mut Context| verify_one(path, &key, context);
    Ok(for_each_journal(&options.files, context, one))
}

fn for_each_journal(
    files: &[PathBuf],
    context: &mut Context,
    one: impl Fn(&Path, &mut Context) -> Result<ExitStatus, Failure>,
) -> ExitStatus {
    Interruption::catch_for_reading(context.terminal.catalogue);
    let mut exit = ExitStatus::Success;
    for path in files {
        let end = one(path, context);
        let end = end.unwrap_or_else(|failure| failure.report(&mut context.terminal));
        exit = exit.worse(end);
        if is_interrupted() {
            return exit.worse(ExitStatus::Incomplete);
        }
    }
    exit
}

/// Verifies a journal; also returns a hash of the bytes read.
fn verify_and_hash(path: &Path) -> (JournalReading, ContentHash) {
    let input = match JournalInput::open(path, StdoutUse::Silent) {
        Ok(input) => HashingReader::new(input),
        Err(error) => return (judge_unopened_journal(error.into()), ContentHash::default()),
    };
    let seen = input.content_hash();
    let reading = read_journal(Replay::open(input, None), &mut ());
    (reading, seen)
}

/// Runs `act` on the bytes of a verified journal; fails if they have changed since verification.
fn reread<T>(
    path: &Path,
    seen: &ContentHash,
    act: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> Result<T, Failure> {
    let done =
        JournalInput::open(path, StdoutUse::Silent).and_then(|input| seen.reread(input, act));
    let text = text!(SignChanging, file = path_text(path));
    let done = done.map_err(|error| read_failure(path, &error))?;
    done.ok_or_else(|| Failure::new(ExitStatus::InputOutput, text))
}

fn sign_one(path: &Path, key: &SecretKey, context: &mut Context) -> Result<ExitStatus, Failure> {
    let (reading, seen) = verify_and_hash(path);
    let exit = report_verdict(path, &reading, &mut context.terminal);
    let end = reading.as_ref().ok().and_then(Judgement::end);
    let (Some(end), ExitStatus::Success) = (end, exit) else {
        if is_interrupted() {
            return Ok(exit);
        }
        let text = text!(NotSigned, file = path_text(path));
        context.terminal.report_error(&text);
        return Ok(exit);
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let comment = format!("digest:{}\tfile:{}", end.digest, replace_unprintable(&name));
    let signature = reread(path, &seen, |bytes| key.sign(bytes, &comment))?;
    let place = signature_path(path);
    create_synced_file(&place, signature.as_bytes())
        .map_err(|error| signature_failure(&place, &error))?;
    let key = key.id().to_string();
    let text = text!(Signed, file = path_text(&place), key = key);
    context.terminal.report_note(&text);
    Ok(exit)
}

fn verify_one(path: &Path, key: &PublicKey, context: &mut Context) -> Result<ExitStatus, Failure> {
    let expected = ExpectedSignature::load(path, key)?;
    let (mut reading, seen) = verify_and_hash(path);
    let mut signed = None;
    // A fault of the journal outranks a fault of its signature, so the signature is not checked
    // then.
    if matches!(&reading, Ok(judgement) if judgement.end().is_some()) {
        match reread(path, &seen, |bytes| expected.check(bytes))? {
            Ok(key) => signed = Some(key),
            Err(wrong) => {
                let file = Position::START;
                reading = reading.map(|judgement| judgement.mark_unexpected(file, wrong));
            }
        }
    }
    let (line, exit) =
        report_faults_with_key(path, &reading, signed.as_deref(), &mut context.terminal);
    context.terminal.print_line(&line);
    Ok(exit)
}
