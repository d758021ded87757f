use super::StoreError;
use super::interface::{Sequence, Store, Transaction};
use super::sqlite::SqliteStore;
use crate::log::TableId;
use crate::room::{Room, Timeouts};
use crate::time::TableTime;
use std::ops::Range;
use tempfile::TempDir;

/// Store for tests in a temporary file, which lets the test decide if a transaction can begin.
pub(crate) struct TestStore {
    store: SqliteStore,
    begins: Box<dyn Fn() -> Result<bool, StoreError> + Send>,
    _directory: TempDir,
}

impl TestStore {
    /// Creates an empty store. Each transaction calls `begins`, which lets it begin, be busy or
    /// fail.
    pub(crate) fn new(begins: impl Fn() -> Result<bool, StoreError> + Send + 'static) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&directory.path().join("table.db")).expect("a store");
        Self {
            store,
            begins: Box::new(begins),
            _directory: directory,
        }
    }
}

impl Store for TestStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        self.store.room(timeouts)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        self.store.id()
    }

    fn time(&self) -> Result<TableTime, StoreError> {
        self.store.time()
    }

    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError> {
        self.store.reserve_numbers(of)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        if (self.begins)()? {
            self.store.begin()
        } else {
            Ok(None)
        }
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Box::new(self.store).close()
    }
}
