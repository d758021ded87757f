use std::io::Read;
use std::time::{Duration, Instant};
use war_table::log::LogFetcher;

/// Maximum time for which the table may be unreachable.
pub(super) const MAX_OUTAGE: Duration = Duration::from_secs(30);

/// Fetcher of paths below this address of the table.
pub(super) struct WebFetcher(pub(super) String);

impl LogFetcher for WebFetcher {
    type Error = std::io::Error;

    fn fetch(&mut self, path: &str, longest: usize) -> std::io::Result<Option<Vec<u8>>> {
        let since = Instant::now();
        let answer = loop {
            match ureq::get(format!("{}/{path}", self.0)).call() {
                Ok(answer) => break answer,
                Err(ureq::Error::StatusCode(404)) => return Ok(None),
                Err(error) if since.elapsed() > MAX_OUTAGE => return Err(error.into_io()),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        let mut bytes = Vec::new();
        let body = answer.into_body().into_reader();
        body.take(longest as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}
