use super::marks;
use super::open::{self, StoreFiles, copy_snapshot};
use super::reader::SqliteReader;
use super::rows::{parse_event, read_player, read_secret};
use super::transaction::SqliteTransaction;
use crate::log::TableId;
use crate::protocol::PlayerId;
use crate::room::{Match, NumberPool, Room, RoomEvent, Timeouts};
use crate::server::store::opponent_column::decode_opponent;
use crate::server::store::{Damage, Sequence, Store, StoreError, StoreSecret, Transaction};
use crate::time::TableTime;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use war::support::hex::Hex;
use war::tokens::Kind;

/// Store of a card table in a file, opened by its only writer.
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    files: StoreFiles,
    /// `true` if others had access to the file before it was opened.
    was_open: bool,
    /// The file, locked while the store is open, so that no other server opens it. The file is
    /// closed last, since closing it also releases the locks of the database.
    lock: File,
}

impl SqliteStore {
    /// Opens a store, creating it if necessary.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file is in use, or is not a store that this program can read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = open::lock_or_create_file(path)?;
        let path = path.canonicalize().map_err(StoreError::Lock)?;
        let open = || open::diagnose_locks(&path, || open::open_writer(&path));
        let (connection, was_open) = open::open_private(&lock, open)?;
        Ok(Self {
            connection,
            files: StoreFiles::new(&path)?,
            path,
            was_open,
            lock,
        })
    }

    /// Copies a snapshot of a store, even while a table writes to the store, and syncs the copy.
    /// Only the owner of the copy can read it.
    ///
    /// `goes_on` is called with the number of bytes copied and their total, and returns false to
    /// stop. The copy can't be served until [`prepare_restored`](Self::prepare_restored) or
    /// [`confirm_copy`](Self::confirm_copy) was called for it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if reading or writing fails, if this program can't read the store, or if the
    /// file `to` exists already, which is not changed.
    pub fn back_up(
        path: &Path,
        to: &Path,
        mut goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<(), StoreError> {
        open::diagnose_locks(path, || {
            let store = open::open_reader(path)?;
            match open::read_version(&store)? {
                // Version 0 means an empty file.
                0 => Err(StoreError::Foreign),
                _ => copy_snapshot(&store, to, true, &mut goes_on),
            }
        })
    }

    /// Reads the public part of the table's key, as noted when the table was moved here; `None` if
    /// it was not moved.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    pub fn read_public_key(&self) -> Result<Option<[u8; 32]>, StoreError> {
        marks::read_public_key(&self.connection)
    }

    /// Reads the same key as [`read_public_key`](Self::read_public_key), for a store that is not
    /// open.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file can't be read or is not a store that this program can read, if its
    /// table has moved, or if it is an unconfirmed copy.
    pub fn read_public_key_in(path: &Path) -> Result<Option<[u8; 32]>, StoreError> {
        if path.is_dir() {
            return Err(StoreError::Lock(io::ErrorKind::IsADirectory.into()));
        }
        open::diagnose_locks(path, || {
            let store = open::open_reader(path)?;
            open::read_version(&store)?;
            if marks::is_unconfirmed_copy(&store)? {
                return Err(StoreError::UnconfirmedCopy);
            }
            marks::read_public_key(&store)
        })
    }

    /// Returns true if users other than the owner had access to the file before it was opened.
    #[must_use]
    pub const fn was_open_to_others(&self) -> bool {
        self.was_open
    }

    /// Opens a separate reader.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file can't be opened.
    pub fn open_reader(&self) -> Result<SqliteReader, StoreError> {
        Ok(SqliteReader::new(open::open_reader(&self.path)?))
    }

    /// Opens a separate reader that may be closed after the store, and then removes the extra files
    /// next to the store.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file can't be opened.
    pub fn open_cleanup_reader(&self) -> Result<SqliteReader, StoreError> {
        Ok(SqliteReader::new(open::open_cleanup_reader(&self.path)?))
    }

    /// Loads a player into the room.
    fn admit(&self, room: &mut Room, id: PlayerId) -> Result<(), StoreError> {
        room.admit(id, read_player(&self.connection, id)?);
        Ok(())
    }

    fn admit_house_players(&self, room: &mut Room) -> Result<(), StoreError> {
        let sql = "SELECT id FROM player WHERE house";
        let mut statement = self.connection.prepare(sql)?;
        for id in statement.query_map([], |row| row.get(0))? {
            self.admit(room, PlayerId(id?))?;
        }
        Ok(())
    }

    fn admit_waiting(&self, room: &mut Room) -> Result<(), StoreError> {
        let sql = "SELECT player, kind, since, seed_hash, meeting FROM waiting \
                   ORDER BY since, player";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (player, at) = (PlayerId(row.get(0)?), TableTime::from_millis(row.get(2)?));
            let kind: String = row.get(1)?;
            let kind = Kind::from_name(&kind).ok_or(Damage::Kind)?;
            self.admit(room, player)?;
            let seed_hash: Option<[u8; 32]> = row.get(3)?;
            let with: Option<String> = row.get(4)?;
            let chose = RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash: seed_hash.map(Hex::new),
                with: decode_opponent(with.as_deref())?,
            };
            room.apply(&chose).map_err(Damage::from)?;
        }
        Ok(())
    }

    fn resume_games(&self, room: &mut Room) -> Result<(), StoreError> {
        let sql = "SELECT body FROM event WHERE game IN (SELECT game FROM seat) ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        for body in statement.query_map([], |row| row.get::<_, String>(0))? {
            let event = parse_event(&body?)?;
            if let RoomEvent::Matched(Match { seats, .. }) = &event {
                for seat in seats {
                    self.admit(room, *seat)?;
                }
            }
            room.apply(&event).map_err(Damage::from)?;
        }
        Ok(())
    }

    /// Returns the secret of the store.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    pub fn secret(&self) -> Result<StoreSecret, StoreError> {
        read_secret(&self.connection)
    }
}

impl Store for SqliteStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let numbers = |of| self.reserve_numbers(of).map(NumberPool::from_block);
        let (players, games) = (numbers(Sequence::Players)?, numbers(Sequence::Games)?);
        let mut room = Room::new(timeouts, players, games);
        self.admit_house_players(&mut room)?;
        self.admit_waiting(&mut room)?;
        self.resume_games(&mut room)?;
        Ok(room)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        let sql = "SELECT id FROM about";
        let id: String = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(id.parse().map_err(|_| Damage::Leaf)?)
    }

    fn time(&self) -> Result<TableTime, StoreError> {
        let sql = "SELECT time FROM about";
        let time = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(TableTime::from_millis(time))
    }

    fn is_shared(&self) -> bool {
        false
    }

    /// Reserves all free numbers, since there is no other room.
    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError> {
        Ok(marks::read_next_number(&self.connection, of)?..u64::MAX)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        // A deferred transaction can't write if another program has written since its first read.
        let behavior = TransactionBehavior::Immediate;
        match rusqlite::Transaction::new_unchecked(&self.connection, behavior) {
            Ok(transaction) => {
                self.files.check()?;
                let transaction = SqliteTransaction::new(transaction, &self.files);
                Ok(Some(Box::new(transaction)))
            }
            Err(error) => {
                let is_busy = match error.sqlite_error_code() {
                    Some(ErrorCode::DatabaseBusy) => true,
                    Some(ErrorCode::FileLockingProtocolFailed) => false,
                    _ => return Err(error.into()),
                };
                // A lock that the file system refuses is "busy" for SQLite as well. It then also
                // refuses the lock of the file, which otherwise stays as it is.
                open::lock(&self.lock)?;
                if is_busy { Ok(None) } else { Err(error.into()) }
            }
        }
    }

    /// Moves the content of the write-ahead log into the database file.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }
}

#[cfg(test)]
mod tests {
    use super::SqliteStore;
    use crate::protocol::{AccessToken, PlayerId, RequestId};
    use crate::room::{Activity, OpponentChoice, Player, PlayerStatus, RoomEvent, Timeouts};
    use crate::server::store::{
        Answer, AnswerRecord, Claim, MessageRange, Registration, Store, StoreReader, SweepPosition,
        TokenHash, Transaction,
    };
    use crate::time::{TableTime, WallTime};
    use rusqlite::{Connection, StatementStatus};
    use std::collections::BTreeSet;
    use std::fs;
    use std::time::Duration;
    use war::support::hex::Hex;
    use war::tokens::{Kind, Name, TokenEvent};

    fn player(name: &str) -> Player {
        Player {
            name: Name::new(name).expect("a name"),
            balance: 1000,
            seq: 0,
            house: false,
            name_is_fixed: false,
            status: PlayerStatus::Welcome,
            watchable: false,
            activity: Activity::Free,
        }
    }

    /// Saves an answer to a request, always with the same `id`.
    fn save_answer(transaction: &mut dyn Transaction, player: u64, at: u64) {
        let request = RequestId::new("r").expect("an id");
        let answer = Answer {
            digest: Hex::new([1; 16]),
            messages: MessageRange::new(1, 1),
            refusal: None,
        };
        let kept = transaction.save_answer(&AnswerRecord {
            player: PlayerId(player),
            request: &request,
            answer,
            at: TableTime::from_millis(at),
        });
        kept.expect("a store");
    }

    fn is_answered(transaction: &dyn Transaction, player: u64) -> bool {
        let request = RequestId::new("r").expect("an id");
        let answer = transaction.answer(PlayerId(player), &request);
        answer.expect("a store").is_some()
    }

    #[test]
    fn commits_are_synced() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let pragma = |name: &str| -> String {
            let value = store
                .connection
                .pragma_query_value(None, name, |row| row.get(0));
            let value: rusqlite::types::Value = value.expect("a setting");
            format!("{value:?}")
        };
        // In SQLite, 0 is OFF, 1 NORMAL and 2 FULL.
        assert_eq!(pragma("synchronous"), "Integer(2)");
        assert_eq!(pragma("journal_mode"), "Text(\"wal\")");
        // A negative number means kilobytes: 64 megabytes.
        assert_eq!(pragma("cache_size"), format!("Integer(-{})", 64 * 1024));
        // In pages of 4 kilobytes: 64 megabytes too.
        assert_eq!(pragma("page_size"), "Integer(4096)");
        assert_eq!(
            pragma("wal_autocheckpoint"),
            format!("Integer({})", 16 * 1024)
        );
    }

    #[test]
    fn events_of_games_are_found_by_index_with_one_plan() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let sql = "SELECT body FROM event WHERE game = ?1 ORDER BY id";
        let explained = format!("EXPLAIN QUERY PLAN {sql}");
        let plan = store
            .connection
            .query_row(&explained, [1], |row| row.get(3));
        let plan: String = plan.expect("a plan");
        assert!(plan.contains("USING INDEX event_of_game"), "{plan}");
        let mut statement = store.connection.prepare(sql).expect("a statement");
        for game in 1..=3 {
            let mut rows = statement.query([game]).expect("a store");
            assert!(rows.next().expect("a store").is_none());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn access_tokens_are_not_in_the_files() {
        let place = tempfile::tempdir().expect("a directory");
        let bytes: [u8; 32] = std::array::from_fn(|at| 200 - u8::try_from(at).expect("small"));
        let token = AccessToken::new(Hex::new(bytes));
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        let (id, ann) = (PlayerId(1), player("Ann"));
        transaction
            .register(&Registration {
                id,
                player: &ann,
                token: TokenHash::from_token(&token),
            })
            .expect("a new player");
        transaction.commit().expect("a store");
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        let found = transaction.player_with_token(&TokenHash::from_token(&token));
        assert_eq!(found.expect("a store"), Some(id));
        let claimed = transaction.claim(&BTreeSet::from([id]));
        assert_eq!(claimed.expect("a store"), [(id, Claim::Granted(ann))]);
        let mut read = Vec::new();
        for file in fs::read_dir(place.path()).expect("a directory") {
            read.extend(fs::read(file.expect("a file").path()).expect("its bytes"));
        }
        let holds = |part: &[u8]| read.windows(part.len()).any(|window| window == part);
        assert!(holds(b"Ann"), "the player is in the files");
        assert!(!holds(&bytes));
        assert!(!holds(Hex::new(bytes).to_string().as_bytes()));
    }

    #[test]
    fn old_answers_are_deleted_except_those_to_players_who_wait_or_play() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        for (id, at) in [(1, 99), (2, 100), (3, 99)] {
            save_answer(&mut *transaction, id, at);
        }
        let waits = RoomEvent::Chose {
            player: PlayerId(3),
            kind: Kind::Single,
            at: TableTime::ZERO,
            seed_hash: None,
            with: OpponentChoice::Anyone,
        };
        transaction.record(&waits, WallTime::ZERO).expect("a store");
        let next = transaction
            .prune_answers(TableTime::from_millis(100), None)
            .expect("a store");
        assert_eq!(next, None::<SweepPosition>, "all were looked at");
        let left = [1, 2, 3].map(|id| is_answered(&*transaction, id));
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn sweeps_for_old_answers_stop_at_a_newer_one() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        for (id, at) in [(1, 98), (2, 99), (3, 100)] {
            save_answer(&mut *transaction, id, at);
        }
        transaction.commit().expect("a store");
        let sql = "UPDATE request SET number = 20001 * number WHERE player > 1";
        store.connection.execute(sql, []).expect("a store");
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        let next = transaction
            .prune_answers(TableTime::from_millis(99), None)
            .expect("a store");
        assert_eq!(next, None, "the next one is not old");
        assert!(!is_answered(&*transaction, 1));
        let next = transaction
            .prune_answers(TableTime::from_millis(100), None)
            .expect("a store");
        assert_eq!(next, None, "it was looked at");
        assert!(!is_answered(&*transaction, 2));
        save_answer(&mut *transaction, 4, 0);
        let next = transaction.prune_answers(TableTime::from_millis(101), Some(SweepPosition(0)));
        assert_eq!(next.expect("a store"), Some(SweepPosition(20_000)));
        assert!(is_answered(&*transaction, 3));
        let next =
            transaction.prune_answers(TableTime::from_millis(101), Some(SweepPosition(60_000)));
        assert_eq!(next.expect("a store"), None);
        let left = [3, 4].map(|id| is_answered(&*transaction, id));
        assert_eq!(left, [false, false]);
    }

    #[test]
    fn balances_follow_from_the_ledger() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        let seats = [1, 2].map(PlayerId);
        for id in seats {
            let joined = RoomEvent::Joined {
                player: id,
                name: None,
                house: false,
            };
            transaction
                .record(&joined, WallTime::ZERO)
                .expect("a store");
        }
        for deltas in [[3, -3], [-20, 20], [-1, -1]] {
            let played = RoomEvent::Played {
                game: 1,
                seats,
                event: TokenEvent::Settled { deltas },
                due: None,
            };
            transaction
                .record(&played, WallTime::ZERO)
                .expect("a store");
        }
        transaction.commit().expect("a store");
        let sql = "SELECT coalesce(sum(iif(credit = ?1, tokens, -tokens)), 0) FROM ledger \
                   WHERE ?1 IN (credit, debit)";
        let balance = |account: u64| -> i64 {
            let sum = store.connection.query_row(sql, [account], |row| row.get(0));
            sum.expect("a sum")
        };
        // The bank gave 1000 tokens to each player, and got one from each.
        assert_eq!([0, 1, 2].map(balance), [-1998, 982, 1016]);
    }

    #[test]
    fn a_closed_store_is_a_single_file_even_while_it_is_read() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("table.db");
        let store = SqliteStore::open(&path).expect("a store");
        let reader = store.open_reader().expect("a reader");
        assert_eq!(reader.messages(PlayerId(1), 0).expect("a store"), []);
        let mut transaction = store.begin().expect("a store").expect("nobody else");
        let renamed = RoomEvent::Renamed {
            player: PlayerId(1),
            name: player("Zoë O'Hara").name,
        };
        transaction
            .record(&renamed, WallTime::ZERO)
            .expect("a store");
        transaction.commit().expect("a store");
        Box::new(store).close().expect("a store");
        let bytes = fs::read(&path).expect("a file");
        assert!(bytes.windows(6).any(|window| window == b"O'Hara"));
    }

    #[test]
    fn a_transaction_waits_only_for_another_program() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let begun = store.begin().expect("a store").expect("nobody else");
        assert!(store.begin().is_err(), "it waits for itself");
        drop(begun);
        assert!(matches!(store.begin(), Ok(Some(_))));
    }

    #[test]
    fn a_damaged_store_is_not_filled_with_empty_tables() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("table.db");
        let file = Connection::open(&path).expect("a database");
        let sql = "PRAGMA application_id = 0x57617254; CREATE TABLE other (id INTEGER);";
        file.execute_batch(sql).expect("a table");
        drop(file);
        let timeouts = Timeouts {
            decide: Duration::from_millis(1),
            seeds: Duration::from_millis(1),
        };
        let store = SqliteStore::open(&path);
        assert!(store.and_then(|store| store.room(timeouts)).is_err());
    }
}
