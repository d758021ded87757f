//! `war log`: verifies the log of a card table, from a directory or the network.

use crate::arguments::journal::ResultFormat;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, encoding_text, read_failure};
use crate::machine::environment::read_certificate_variable;
use crate::machine::input;
use crate::machine::keys::load_public_key;
use crate::machine::progress::start_spinner;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::{io_text, path_text};
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
use war::support::encoding::decode_utf8;
use war::support::sanitize::replace_unprintable;
use war_table::log::{
    Checkpoint, LogFault, LogFetcher, LogFindings, LogResult, VerifyOptions, verify_log,
};
use war_table::time::WallTime;

pub(crate) const LOG_EXAMPLES: &str = "\
Examples:
  war log verify https://war.example/log          verify the log of a table
  war log verify https://war.example/log --with checkpoint.txt
                                                  and that nothing you saw is gone
  war log verify copy --key table.pub             verify a copy in a directory";

/// Long help of `--result`.
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
pub(crate) enum LogCommand {
    /// Verify the log of a card table: nothing was changed, nothing was dropped
    #[command(after_help = LOG_EXAMPLES)]
    Verify(VerifyLogArgs),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyLogArgs {
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

/// Maximum size of a key or checkpoint, in bytes.
const MAX_FILE_SIZE: usize = 1 << 16;

/// Reads a log, verifies all of it, and prints the verdict.
pub(crate) fn verify(
    options: &VerifyLogArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    Interruption::catch_for_reading(context.terminal.catalogue);
    let log = path_text(&options.log);
    let source = LogSource::open(&options.log);
    let mut source = source.map_err(|unread| log_read_failure(&unread))?;
    let key = match &options.key {
        Some(key) => load_public_key(key)?,
        None => fetch_key(&log, &mut source)?,
    };
    let verifying = key.to_verifying_key().ok_or_else(|| no_key_failure(&log))?;
    let earlier = options.with.as_deref();
    let earlier = earlier
        .map(|file| {
            let read = input::read_limited(file, MAX_FILE_SIZE as u64);
            let read = read.map_err(|error| read_failure(file, &error))?;
            let bytes = read.unwrap_or_default();
            let text = decode_utf8(&bytes);
            let text = text.map_err(|error| Failure::usage(encoding_text(file, &error)))?;
            let number = key.id().to_string();
            let bad = text!(LogBadEarlier, file = path_text(file), key = number);
            Checkpoint::parse_verified(text, &verifying).map_err(|_| Failure::usage(bad))
        })
        .transpose()?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since
        .ok()
        .and_then(|since| u64::try_from(since.as_millis()).ok())
        .map(WallTime::from_millis);
    let demand = VerifyOptions {
        key: &verifying,
        earlier,
        now: now.filter(|_| source.is_live()),
    };
    let bar = start_spinner();
    let read = verify_log(&mut source, &demand, &mut |leaves| {
        bar.set_message(HumanCount(leaves).to_string());
    });
    bar.finish_and_clear();
    let findings = read.map_err(|unread| log_read_failure(&unread))?;
    let with = earlier.map(|earlier| earlier.size);
    print_findings(&log, &key, with, &findings, options.result, context);
    Ok(findings.verdict().into())
}

/// Fetches the key that the log itself contains.
fn fetch_key(log: &str, source: &mut LogSource) -> Result<PublicKey, Failure> {
    let key = source.fetch("key", MAX_FILE_SIZE);
    let key = key.map_err(|unread| log_read_failure(&unread))?;
    let key = key.ok_or_else(|| no_key_failure(log))?;
    let text = decode_utf8(&key).map_err(|error| {
        let file = Path::new(log).join("key");
        Failure::usage(encoding_text(&file, &error))
    })?;
    PublicKey::parse_file(text).map_err(|_| no_key_failure(log))
}

fn no_key_failure(log: &str) -> Failure {
    Failure::usage(text!(LogNoKey, log = log))
}

fn log_read_failure(unread: &LogReadError) -> Failure {
    let exit = if is_interrupted() {
        ExitStatus::Incomplete
    } else {
        ExitStatus::InputOutput
    };
    Failure::new(exit, unread.text())
}

fn print_findings(
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
        terminal.report_line(&log_fault_line(log, fault, catalogue));
    }
    let more = findings.faults_found - findings.faults.len() as u64;
    if more > 0 {
        terminal.report(&text!(LogMore, faults = Count(more)));
    }
    let (number, fingerprint) = (key.id().to_string(), key.fingerprint().to_string());
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
    let worst = findings.worst_fault();
    worst.map(|fault| catalogue.format_text(&Text::from(fault)))
}

/// Line about a fault of a log.
fn log_fault_line(log: &str, fault: &LogFault, catalogue: &Catalogue) -> String {
    let text = Text::from(fault);
    let hint = catalogue.format_hint(&text);
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    let (code, words) = (fault.code(), catalogue.format_text(&text));
    format!("{log}: {code} {words}{hint}")
}

/// Verdict on a log; `key` is the number and the fingerprint of the log's key, and `with` the size
/// of the earlier checkpoint, if one was given.
fn log_texts(
    log: &str,
    [key, fingerprint]: [&str; 2],
    with: Option<u64>,
    findings: &LogFindings,
) -> Vec<Text> {
    let leaves = Count(findings.leaves);
    if findings.verdict() != Verdict::Verified {
        let verdict = findings.verdict().name();
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

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a file of certificates, in bytes: Debian's trusted certificates take 220 kB.
const MAX_CERTIFICATES_SIZE: usize = 1 << 22;

/// Log on a server, or a copy of a log in a directory.
pub(crate) enum LogSource {
    /// Directory with files named like the log's paths.
    Directory(PathBuf),
    /// Address that precedes the paths, without a trailing slash.
    Network { agent: Agent, address: String },
}

/// Failed read from a log, with the file or address.
pub(crate) struct LogReadError {
    pub(crate) location: String,
    pub(crate) error: io::Error,
}

/// Error for a file without certificates.
#[derive(Debug, thiserror::Error)]
#[error("no certificates in PEM")]
struct NoCertificates;

impl LogReadError {
    fn new(place: &Path, error: io::Error) -> Self {
        let location = place.display().to_string();
        Self { location, error }
    }

    /// Describes the failure.
    pub(crate) fn text(&self) -> Text {
        let place = replace_unprintable(&self.location);
        let cause = self.error.get_ref();
        if cause.is_some_and(<dyn std::error::Error + Send + Sync>::is::<NoCertificates>) {
            return text!(LogNoCertificates, file = place);
        }
        match cause.and_then(|cause| cause.downcast_ref()) {
            Some(rustls::Error::InvalidCertificate(reason)) => {
                text!(LogUntrusted, address = place, reason = reason.to_string())
            }
            // Any other TLS error: the server may not speak TLS at all.
            Some(other) => text!(LogNoTls, address = place, reason = other.to_string()),
            None => {
                let reason = io_text(&self.error);
                if is_address(&place) {
                    text!(LogUnreachable, address = place, reason = reason)
                } else {
                    text!(Unreadable, file = place, reason = reason)
                }
            }
        }
    }
}

impl fmt::Display for LogReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.error)
    }
}

fn is_address(log: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|scheme| log.starts_with(scheme))
}

impl LogSource {
    /// Opens the log at an address or in a directory.
    ///
    /// # Errors
    ///
    /// If there is no such directory, or the file that `SSL_CERT_FILE` names has no certificates.
    /// An address is not contacted yet.
    pub(crate) fn open(log: &Path) -> Result<Self, LogReadError> {
        let text = log.to_str().unwrap_or_default();
        if text.starts_with("https://") {
            return Ok(Self::with_roots(trusted_roots()?, text));
        }
        if is_address(text) {
            return Ok(Self::from_address(text));
        }
        match fs::metadata(log) {
            Ok(found) if found.is_dir() => Ok(Self::Directory(log.to_owned())),
            Ok(_) => Err(LogReadError::new(log, io::ErrorKind::NotADirectory.into())),
            Err(error) => Err(LogReadError::new(log, error)),
        }
    }

    /// Log on a server; with TLS, the authorities that Mozilla trusts are accepted.
    pub(crate) fn from_address(address: &str) -> Self {
        Self::with_roots(RootCerts::WebPki, address)
    }

    fn with_roots(roots: RootCerts, address: &str) -> Self {
        let agent = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .build();
        Self::Network {
            agent: agent.into(),
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    /// Returns true for a log on a server, which is current, unlike a copy.
    pub(crate) const fn is_live(&self) -> bool {
        matches!(self, Self::Network { .. })
    }
}

impl LogFetcher for LogSource {
    type Error = LogReadError;

    fn fetch(&mut self, path: &str, longest: usize) -> Result<Option<Vec<u8>>, LogReadError> {
        let (location, fetched) = match self {
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
        // After an interrupt, the result of the request doesn't matter.
        let fetched = match fetched {
            _ if is_interrupted() => Err(io::ErrorKind::TimedOut.into()),
            fetched => fetched,
        };
        fetched.map_err(|error| LogReadError { location, error })
    }
}

/// Certificate authorities to trust: those in the file that `SSL_CERT_FILE` names, else Mozilla's.
fn trusted_roots() -> Result<RootCerts, LogReadError> {
    let Some(file) = read_certificate_variable() else {
        return Ok(RootCerts::WebPki);
    };
    let unread = |error| LogReadError::new(&file, error);
    let pem = File::open(&file).and_then(|file| read_capped(file, MAX_CERTIFICATES_SIZE));
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
        Ok(file) => read_capped(file, longest).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn get(agent: &Agent, address: &str, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let answer = agent.get(address).call().map_err(ureq::Error::into_io)?;
    match answer.status().as_u16() {
        200 => read_capped(answer.into_body().into_reader(), longest).map(Some),
        404 | 410 => Ok(None),
        status => Err(io::Error::other(format!("HTTP {status}"))),
    }
}

/// Reads to the end, but at most one byte more than `longest`, which shows that there is more.
fn read_capped(input: impl Read, longest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
