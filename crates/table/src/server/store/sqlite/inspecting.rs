use super::reader::SqliteReader;
use super::{checking, export, listing, played};
use crate::operator::{LedgerPlace, Listed};
use crate::room::PlayerId;
use crate::server::store::{Booked, Inspector, PlayedGame, StoreError};
use serde_json::Value;

impl Inspector for SqliteReader {
    fn players(&self, after: u64) -> Result<Vec<Listed>, StoreError> {
        listing::players(self.connection(), after)
    }

    fn export(&self, player: PlayerId) -> Result<Option<Value>, StoreError> {
        export::export(self.connection(), player)
    }

    fn booked(
        &self,
        after: LedgerPlace,
        most: u32,
    ) -> Result<(Vec<Booked>, Option<LedgerPlace>), StoreError> {
        checking::booked(self.connection(), after, most)
    }

    fn wrong_balances(&self) -> Result<(u64, Vec<u64>), StoreError> {
        checking::wrong_balances(self.connection())
    }

    fn kept_messages(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        checking::kept_messages(self.connection(), after, most)
    }

    fn played_games(&self, after: u64, most: u32) -> Result<Vec<PlayedGame>, StoreError> {
        played::games(self.connection(), after, most)
    }

    fn records(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        played::records(self.connection(), after, most)
    }

    fn settled_games(&self, after: u64, most: u32) -> Result<Vec<u64>, StoreError> {
        checking::settled_games(self.connection(), after, most)
    }
}
