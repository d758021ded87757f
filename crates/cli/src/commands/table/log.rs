//! `war log`: verifies the log of a card table, read from a directory or the network.

use crate::arguments::journal::ResultFormat;
use crate::context::Context;
use crate::failure::{Exit, Failure, unreadable};
use crate::machine::environment::certificates;
use crate::machine::input;
use crate::machine::keys::public_key;
use crate::machine::progress::spinner;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::{display, io_text};
use clap::{Args, Subcommand, ValueHint};
use indicatif::HumanCount;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use ureq::Agent;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use war::i18n::{Catalogue, Count, Text, text};
use war::journal::Verdict;
use war::signing::PublicKey;
use war::support::visible::on_one_line;
use war_table::log::{
    Checkpoint, LogFault, LogFetcher, LogFindings, LogResult, VerifyOptions, verify as verify_log,
};

pub(crate) const LOG_EXAMPLES: &str = "\
Examples:
  war log verify https://war.example/log          verify the log of a table
  war log verify https://war.example/log --with checkpoint.txt
                                                  and that nothing you saw is gone
  war log verify copy --key table.pub             verify a copy in a directory";

/// What the long help says of `--result`.
const RESULT_HELP: &str = "\
Print the result as JSON instead of the verdict

Standard output is then one line, a JSON object with these fields:

  format, version    \"war-log-result\", 1
  log                address or directory of the log
  table, size, root  number of the table, leaves and root, as the checkpoint says if it
                     was signed with the key; else null
  key, fingerprint   number of the key, and its SHA-256
  with               leaves of the earlier checkpoint; null without one
  leaves             leaves that were read and are in the tree
  games, ended       games that began in them, and how many of those ended
  verdict            \"VERIFIED\", \"DAMAGED\", \"DIVERGED\", \"UNEXPECTED\" or \"UNSUPPORTED\"
  code, leaf         code of the worst fault, such as \"WL301\", and the leaf it is about;
                     else null
  message            the worst fault in words; null without one
  faults             number of faults";

#[derive(Debug, Subcommand)]
pub(crate) enum Log {
    /// Verify the log of a card table: nothing was changed, nothing was dropped
    #[command(after_help = LOG_EXAMPLES)]
    Verify(VerifyLog),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyLog {
    /// Address of the log, or a directory with a copy of it
    #[arg(value_name = "URL|DIR", value_hint = ValueHint::DirPath)]
    pub(crate) log: PathBuf,
    /// Checkpoint that you saved earlier: the log must contain everything it stands for
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Option<PathBuf>,
    /// Public key of the table, a file or the key itself [default: the one in the log]
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub(crate) key: Option<OsString>,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the verdict", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

/// The longest key or checkpoint that is read.
const LARGEST: usize = 1 << 16;

/// Reads a log, checks all of it, and prints what it is.
pub(crate) fn verify(options: &VerifyLog, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::of_readers(context.terminal.catalogue);
    let log = display(&options.log);
    let source = LogSource::open(&options.log);
    let mut source = source.map_err(|unread| unread_failure(&unread))?;
    let key = match &options.key {
        Some(key) => public_key(key)?,
        None => key_of(&log, &mut source)?,
    };
    let verifying = key.verifying().ok_or_else(|| no_key(&log))?;
    let earlier = options.with.as_deref();
    let earlier = earlier
        .map(|file| {
            let read = input::read(file, LARGEST as u64);
            let read = read.map_err(|error| unreadable(file, &error))?;
            let text = String::from_utf8_lossy(&read.unwrap_or_default()).into_owned();
            let number = key.id().to_string();
            let bad = text!(LogBadEarlier, file = display(file), key = number);
            Checkpoint::verified(&text, &verifying).map_err(|_| Failure::usage(bad))
        })
        .transpose()?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since
        .ok()
        .and_then(|since| u64::try_from(since.as_millis()).ok());
    let demand = VerifyOptions {
        key: &verifying,
        earlier,
        now_ms: now.filter(|_| source.is_live()),
    };
    let bar = spinner();
    let read = verify_log(&mut source, &demand, &mut |leaves| {
        bar.set_message(HumanCount(leaves).to_string());
    });
    bar.finish_and_clear();
    let findings = read.map_err(|unread| unread_failure(&unread))?;
    let with = earlier.map(|earlier| earlier.size);
    tell(&log, &key, with, &findings, options.result, context);
    Ok(findings.verdict().into())
}

/// The key that a log has of itself.
fn key_of(log: &str, source: &mut LogSource) -> Result<PublicKey, Failure> {
    let key = source.fetch("key", LARGEST);
    let key = key.map_err(|unread| unread_failure(&unread))?;
    let key = key.and_then(|key| PublicKey::from_file(&String::from_utf8_lossy(&key)).ok());
    key.ok_or_else(|| no_key(log))
}

fn no_key(log: &str) -> Failure {
    Failure::usage(text!(LogNoKey, log = log))
}

fn unread_failure(unread: &Unread) -> Failure {
    let exit = if is_interrupted() {
        Exit::Incomplete
    } else {
        Exit::InputOutput
    };
    Failure::new(exit, unread.text())
}

fn tell(
    log: &str,
    key: &PublicKey,
    with: Option<u64>,
    findings: &LogFindings,
    format: Option<ResultFormat>,
    context: &mut Context,
) {
    let catalogue = context.terminal.catalogue;
    let terminal = &mut context.terminal;
    for fault in &findings.faults {
        terminal.say(&log_fault_line(log, fault, catalogue));
    }
    let more = findings.faults_found - findings.faults.len() as u64;
    if more > 0 {
        terminal.tell(&text!(LogMore, faults = Count(more)));
    }
    let (number, fingerprint) = (key.id().to_string(), key.sha256().to_string());
    if format.is_some() {
        let result = LogResult {
            log,
            key: &number,
            fingerprint: &fingerprint,
            with,
            findings,
            message: message(findings, catalogue),
        };
        terminal.print(&result.to_json());
        terminal.print("\n");
        return;
    }
    for text in log_texts(log, [&number, &fingerprint], with, findings) {
        terminal.print_line(&text);
    }
}

fn message(findings: &LogFindings, catalogue: &Catalogue) -> Option<String> {
    let worst = findings.worst();
    worst.map(|fault| catalogue.text(&Text::from(fault)))
}

/// The line about a fault of this log.
fn log_fault_line(log: &str, fault: &LogFault, catalogue: &Catalogue) -> String {
    let text = Text::from(fault);
    let hint = catalogue.hint(&text);
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    let (code, words) = (fault.code(), catalogue.text(&text));
    format!("{log}: {code} {words}{hint}")
}

/// What a log turned out to be; `key` is the number of its key and the fingerprint, and `with` how
/// long it was before, where that was demanded.
fn log_texts(
    log: &str,
    [key, fingerprint]: [&str; 2],
    with: Option<u64>,
    findings: &LogFindings,
) -> Vec<Text> {
    let leaves = Count(findings.leaves);
    if findings.verdict() != Verdict::Verified {
        let verdict = findings.verdict().word();
        let faulty = text!(LogFaulty, verdict = verdict, log = log, leaves = leaves);
        return vec![faulty];
    }
    let verified = text!(
        LogVerified,
        log = log,
        leaves = leaves,
        games = Count(findings.games),
        running = Count(findings.games - findings.ended),
        key = key,
        fingerprint = fingerprint
    );
    let contains = with.map(|with| text!(LogContains, leaves = Count(with)));
    [verified].into_iter().chain(contains).collect()
}

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest file of certificates that is read: all that Debian trusts take 220 kB.
const LARGEST_FILE: usize = 1 << 22;

/// A log that is served, or a copy of one.
pub(crate) enum LogSource {
    /// Files named as the log's paths.
    Directory(PathBuf),
    /// The address before those paths, without a slash at its end.
    Network { agent: Agent, address: String },
}

/// What could not be read, and why.
pub(crate) struct Unread {
    pub(crate) place: String,
    pub(crate) error: io::Error,
}

/// A file that should have certificates has none.
#[derive(Debug, thiserror::Error)]
#[error("no certificates in PEM")]
struct NoCertificates;

impl Unread {
    fn new(place: &Path, error: io::Error) -> Self {
        let place = place.display().to_string();
        Self { place, error }
    }

    /// What could not be read, why, and what helps.
    pub(crate) fn text(&self) -> Text {
        let place = on_one_line(&self.place);
        let cause = self.error.get_ref();
        if cause.is_some_and(<dyn std::error::Error + Send + Sync>::is::<NoCertificates>) {
            return text!(LogNoCertificates, file = place);
        }
        match cause.and_then(|cause| cause.downcast_ref()) {
            Some(rustls::Error::InvalidCertificate(reason)) => {
                text!(LogUntrusted, address = place, reason = reason.to_string())
            }
            // Whatever it is that the server speaks.
            Some(other) => text!(LogNoTls, address = place, reason = other.to_string()),
            None => text!(Unreadable, file = place, reason = io_text(&self.error)),
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.error)
    }
}

impl LogSource {
    /// The log at this address, if it is one, or in this directory.
    ///
    /// # Errors
    ///
    /// Where there is no such directory, or no certificates in the file that `SSL_CERT_FILE`
    /// names; whether an address answers is not known before it is asked.
    pub(crate) fn open(log: &Path) -> Result<Self, Unread> {
        let text = log.to_str().unwrap_or_default();
        if text.starts_with("https://") {
            return Ok(Self::trusting(roots()?, text));
        }
        if text.starts_with("http://") {
            return Ok(Self::network(text));
        }
        match fs::metadata(log) {
            Ok(found) if found.is_dir() => Ok(Self::Directory(log.to_owned())),
            Ok(_) => Err(Unread::new(log, io::ErrorKind::NotADirectory.into())),
            Err(error) => Err(Unread::new(log, error)),
        }
    }

    /// What is served under this address.
    pub(crate) fn network(address: &str) -> Self {
        Self::trusting(RootCerts::WebPki, address)
    }

    fn trusting(roots: RootCerts, address: &str) -> Self {
        let agent = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Self::Network {
            agent: agent.into(),
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    /// Whether it is the log as it is now, and not a copy.
    pub(crate) const fn is_live(&self) -> bool {
        matches!(self, Self::Network { .. })
    }
}

impl LogFetcher for LogSource {
    type Error = Unread;

    fn fetch(&mut self, path: &str, longest: usize) -> Result<Option<Vec<u8>>, Unread> {
        let (place, fetched) = match self {
            Self::Directory(directory) => {
                let file = directory.join(path);
                (file.display().to_string(), read(&file, longest))
            }
            Self::Network { agent, address } => {
                let place = format!("{address}/{path}");
                let fetched = get(agent, &place, longest);
                (place, fetched)
            }
        };
        // What was waited for in vain is not why it ends.
        let fetched = match fetched {
            _ if is_interrupted() => Err(io::ErrorKind::TimedOut.into()),
            fetched => fetched,
        };
        fetched.map_err(|error| Unread { place, error })
    }
}

/// Who may issue the certificate of a server: the authorities in the file that `SSL_CERT_FILE`
/// names, or else those that Mozilla trusts.
fn roots() -> Result<RootCerts, Unread> {
    let Some(file) = certificates() else {
        return Ok(RootCerts::WebPki);
    };
    let unread = |error| Unread::new(&file, error);
    let pem = File::open(&file).and_then(|file| all(file, LARGEST_FILE));
    let pem = pem.map_err(unread)?;
    let found = parse_pem(&pem).map_while(Result::ok);
    let found: Vec<_> = found
        .filter_map(|item| match item {
            PemItem::Certificate(certificate) => Some(certificate),
            _ => None,
        })
        .collect();
    if found.is_empty() {
        return Err(unread(io::Error::other(NoCertificates)));
    }
    Ok(found.into())
}

fn read(file: &Path, longest: usize) -> io::Result<Option<Vec<u8>>> {
    match File::open(file) {
        Ok(file) => all(file, longest).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn get(agent: &Agent, address: &str, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let answer = agent.get(address).call().map_err(ureq::Error::into_io)?;
    match answer.status().as_u16() {
        200 => all(answer.into_body().into_reader(), longest).map(Some),
        404 | 410 => Ok(None),
        status => Err(io::Error::other(format!("HTTP {status}"))),
    }
}

/// All that there is, or one byte more than the longest.
fn all(input: impl Read, longest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
