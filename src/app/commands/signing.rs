//! `war journal sign` and `war journal verify`.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{no_signature, unreadable};
use crate::app::text::{display, on_one_line};
use crate::app::verdict::{conclude, judge, open, tell_fault, whole};
use crate::cli::{Sign, Verify};
use crate::host::journal_file::{JournalFile, abandon};
use crate::host::keys::{public_key, secret_key, signature, signature_of};
use crate::i18n::{Text, text};
use crate::journal::{Fault, Medium, Position, RecordError, Verdict};
use crate::signing::{Bytes, PublicKey, Replayed, SecretKey};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Signs the journals that are VERIFIED, each in a new file; the worst verdict decides the exit
/// code.
pub(crate) fn sign(options: &Sign, context: &mut Context) -> Result<Exit, Failure> {
    let prompt = context.terminal.catalogue.text(&text!(KeyPassword));
    let key = secret_key(&options.key, &prompt)?;
    let one = |path: &Path, context: &mut Context| sign_one(path, &key, context);
    Ok(each(&options.files, context, one))
}

/// Verifies journals and their signatures, and prints a line for each; the worst verdict
/// decides the exit code.
pub(crate) fn verify(options: &Verify, context: &mut Context) -> Result<Exit, Failure> {
    let key = public_key(&options.public_key)?;
    let one = |path: &Path, context: &mut Context| {
        let (line, verdict) = verify_one(path, &key, context)?;
        context.terminal.print_line(&line);
        Ok(verdict.into())
    };
    Ok(each(&options.files, context, one))
}

fn each(
    files: &[PathBuf],
    context: &mut Context,
    one: impl Fn(&Path, &mut Context) -> Result<Exit, Failure>,
) -> Exit {
    let ends = files.iter().map(|path| {
        let end = one(path, context);
        end.unwrap_or_else(|failure| context.terminal.failure(&failure))
    });
    ends.fold(Exit::Success, Exit::worse)
}

/// Does this with the bytes of a journal that was replayed.
fn again<T>(
    path: &Path,
    verified: Bytes,
    act: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> Result<T, Failure> {
    let done = verified.again(open(path, true)?, act);
    let done = done.map_err(|error| unreadable(path, &error))?;
    let text = text!(SignChanging, file = display(path));
    done.ok_or_else(|| Failure::new(Exit::InputOutput, text))
}

fn sign_one(path: &Path, key: &SecretKey, context: &mut Context) -> Result<Exit, Failure> {
    let replayed = Replayed::of(open(path, true)?);
    let end = replayed.result.as_ref().ok().copied();
    let exit = conclude(
        path,
        replayed.result,
        replayed.events,
        &mut context.terminal,
    )?;
    let (Some(end), Exit::Success) = (end, exit) else {
        let text = text!(NotSigned, file = display(path));
        context.terminal.error(&text);
        return Ok(exit);
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let comment = format!("digest:{}\tfile:{}", end.chain, on_one_line(&name));
    let signature = again(path, replayed.bytes, |bytes| key.sign(bytes, &comment))?;
    let place = signature_of(path);
    let mut file = JournalFile::create(&place).map_err(|error| no_signature(&place, &error))?;
    let written = file.write_all(signature.as_bytes());
    written.and_then(|()| file.sync()).map_err(|error| {
        abandon(&place);
        no_signature(&place, &error)
    })?;
    let key = key.id().to_string();
    let text = text!(Signed, file = display(&place), key = key);
    context.terminal.note(&text);
    Ok(exit)
}

fn verify_one(
    path: &Path,
    key: &PublicKey,
    context: &mut Context,
) -> Result<(Text, Verdict), Failure> {
    let place = signature_of(path);
    let signature = signature(&place)?;
    let replayed = Replayed::of(open(path, true)?);
    let end = replayed.result.as_ref().ok().copied();
    let (line, verdict) = judge(
        path,
        replayed.result,
        replayed.events,
        &mut context.terminal,
    )?;
    // What is wrong with the journal weighs more than what is wrong with its signature.
    let Some(end) = end else {
        return Ok((line, verdict));
    };
    let (expected, found) = (key.id().to_string(), signature.key().to_string());
    let problem = if found != expected {
        RecordError::OtherKey { expected, found }
    } else if again(path, replayed.bytes, |bytes| key.verify(&signature, bytes))? {
        let line = text!(VerdictSigned, line = line, key = expected);
        return Ok((line, verdict));
    } else {
        RecordError::Signature
    };
    // Where in its file a signature is.
    let fault = Fault::new(Position { line: 2, column: 1 }, problem);
    tell_fault(&place, &fault, &mut context.terminal);
    Ok((whole(path, &end, fault.verdict()), fault.verdict()))
}
