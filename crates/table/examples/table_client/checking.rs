use super::client::{Client, time_since};
use super::stop::{StopReason, verification_failure};
use super::web::WebFetcher;
use ed25519_dalek::VerifyingKey;
use std::time::Duration;
use war_table::fair::{FairnessViolation, LogChecks};
use war_table::log::{Leaf, LogFetcher as _};

impl Client {
    /// Opens the table's log, which must contain the checkpoint of the last visit.
    pub(super) fn open_log(&mut self) -> Result<(), StopReason> {
        let Some((table, key)) = self.checks.table_and_key() else {
            return Ok(());
        };
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| FairnessViolation::Key)?;
        let mut log = LogChecks::new(table, key);
        let kept = self.kept.as_ref();
        if let Some(kept) = kept.and_then(|file| std::fs::read_to_string(file).ok()) {
            log.set_earlier_checkpoint(&kept)
                .map_err(verification_failure)?;
        }
        self.log = Some(log);
        self.check_log()
    }

    /// Checks that the journal records the finished game as it was played, and expects the game's
    /// end in the log.
    pub(super) fn check_journal(&mut self) -> Result<(), StopReason> {
        let finished = self
            .checks
            .last_finished_game()
            .expect("a game that is over");
        let game = finished.start.game;
        let mut web = WebFetcher(format!("http://{}", self.address));
        let journal = web.fetch(&finished.journal_path(), 1 << 20)?;
        let journal =
            journal.ok_or_else(|| verification_failure(format!("game {game} has no journal")))?;
        finished
            .check_journal(&journal)
            .map_err(verification_failure)?;
        if let Some(log) = &mut self.log {
            log.expect_leaf(Leaf::End(finished.game_end()), time_since(self.began));
        }
        Ok(())
    }

    /// Reads new entries of the log, and saves the log's checkpoint.
    pub(crate) fn check_log(&mut self) -> Result<(), StopReason> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        let mut web = WebFetcher(format!("http://{}/log", self.address));
        log.read(&mut web, time_since(self.began))?
            .map_err(verification_failure)?;
        if let (Some(file), Some(checkpoint)) = (&self.kept, log.checkpoint()) {
            std::fs::write(file, checkpoint)?;
        }
        Ok(())
    }

    /// Waits until all games are in the log, which takes some seconds.
    pub(crate) fn wait_for_log(&mut self) -> Result<(), StopReason> {
        while self.log.as_ref().is_some_and(|log| !log.has_found_all()) {
            std::thread::sleep(Duration::from_millis(500));
            self.check_log()?;
        }
        Ok(())
    }
}
