//! What a transaction looks for in the database: all that was announced at once.

use super::known::{Known, Whose};
use super::statements::Sql;
use super::transaction::PostgresTransaction;
use super::values::{self, number, player, signed};
use crate::room::{PlayerId, Refusal, RequestId};
use crate::server::store::{Answer, Damage, MessageRange, StoreError, TokenHash};
use std::collections::BTreeSet;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use war::support::hex::Hex;

/// Requests, by player and their own name.
type Requests = BTreeSet<(PlayerId, String)>;

impl PostgresTransaction<'_> {
    pub(super) fn rows(
        &self,
        sql: Sql,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.room.statements.of(sql);
        let asked = self.room.session.client().query(statement, params);
        Ok(self.room.session.wait(asked)?)
    }

    /// Finds the players of these numbers, unless they are known.
    pub(super) fn find(&self, ids: &[i64]) -> Result<(), StoreError> {
        for row in self.rows(Sql::Players, &[&ids])? {
            let (id, player) = player(&row)?;
            let known = Known::found(player, Whose::Unknown);
            self.found.borrow_mut().players.entry(id).or_insert(known);
        }
        Ok(())
    }

    /// Does something with a player, who is found first.
    pub(super) fn with<T>(
        &self,
        id: PlayerId,
        act: impl FnOnce(&mut Known) -> T,
    ) -> Result<T, StoreError> {
        if !self.found.borrow().players.contains_key(&id) {
            self.find(&[signed(id.0)])?;
        }
        let mut found = self.found.borrow_mut();
        let known = found.players.get_mut(&id).ok_or(Damage::Player)?;
        Ok(act(known))
    }

    /// The players who will be asked for, besides these: they are claimed at once, in the order of
    /// their numbers, so that no two rooms wait for each other.
    pub(super) fn expected(&self, players: &BTreeSet<PlayerId>) -> BTreeSet<PlayerId> {
        let found = self.found.borrow();
        let tokens = self.wanted.tokens.iter();
        let returning = tokens.filter_map(|token| *found.tokens.get(token)?);
        let expected = returning.chain(self.wanted.players.iter().copied());
        let all = expected.chain(players.iter().copied());
        all.filter(|id| !found.knows_whose(*id)).collect()
    }

    /// Claims those of these players who are of no room, and notes in which room each of them is
    /// then, and what they were answered to the requests that were announced.
    pub(super) fn claim_free(&self, players: &BTreeSet<PlayerId>) -> Result<(), StoreError> {
        let ids: Vec<i64> = players.iter().map(|id| signed(id.0)).collect();
        let requests: Requests = self.announced().collect();
        let (client, room) = (self.room.session.client(), self.room.id());
        let of = |sql| self.room.statements.of(sql);
        let claimed = async {
            // One after the other: the second sees what others have committed until then.
            let claim: [&(dyn ToSql + Sync); 2] = [&room, &ids];
            let claim = client.query(of(Sql::Claim), &claim);
            let ids: [&(dyn ToSql + Sync); 1] = [&ids];
            let players = client.query(of(Sql::Players), &ids);
            let answers = self.query_answers(&requests);
            let (claimed, players, answers) = tokio::join!(biased; claim, players, answers);
            Ok::<_, Error>((claimed?, players?, answers?))
        };
        let (claimed, rows, answers) = self.room.session.wait(claimed)?;
        self.note_answers(&answers, requests)?;
        let claimed: BTreeSet<i64> = claimed.iter().map(|row| row.get(0)).collect();
        for row in rows {
            let (id, player) = player(&row)?;
            let whose = match row.get::<_, Option<i32>>(8) {
                // They were let go after the claim.
                None => Whose::Unknown,
                Some(_) if claimed.contains(&signed(id.0)) => Whose::Expected,
                Some(of) if of == room && row.get(9) => Whose::Coming,
                Some(of) if of == room => Whose::Ours,
                Some(of) => Whose::Theirs(values::room(of)?),
            };
            let known = Known::found(player, whose);
            self.found.borrow_mut().players.insert(id, known);
        }
        Ok(())
    }

    /// Looks for all tokens that were announced, and for this one.
    pub(super) fn find_tokens(&self, token: &TokenHash) -> Result<(), StoreError> {
        let mut wanted = self.wanted.tokens.clone();
        wanted.insert(*token);
        let hashes: Vec<&[u8]> = wanted.iter().map(|token| &token.bytes()[..]).collect();
        let rows = self.rows(Sql::Tokens, &[&hashes])?;
        let mut found = self.found.borrow_mut();
        for row in rows {
            let (hash, id): (&[u8], _) = (row.get(0), number(row.get(1))?);
            let token = wanted.iter().find(|token| token.bytes() == hash);
            let token = *token.ok_or(Damage::Layout)?;
            found.tokens.insert(token, Some(PlayerId(id)));
        }
        for token in wanted {
            found.tokens.entry(token).or_insert(None);
        }
        Ok(())
    }

    /// Looks for the answers to all requests that were announced, and to this one.
    pub(super) fn find_answers(&self, player: PlayerId, id: &RequestId) -> Result<(), StoreError> {
        let is_here = |player: PlayerId| {
            !self.wanted.players.contains(&player) || self.found.borrow().knows_whose(player)
        };
        // Until a player is claimed another room may answer them.
        let wanted = self.announced().filter(|(player, _)| is_here(*player));
        let wanted: Requests = wanted.chain([(player, id.as_str().to_owned())]).collect();
        let rows = self.room.session.wait(self.query_answers(&wanted))?;
        self.note_answers(&rows, wanted)
    }

    /// The requests that were announced.
    fn announced(&self) -> impl Iterator<Item = (PlayerId, String)> {
        let requests = self.wanted.requests.iter();
        requests.map(|(player, id)| (*player, id.as_str().to_owned()))
    }

    async fn query_answers(&self, requests: &Requests) -> Result<Vec<Row>, Error> {
        let (players, ids): (Vec<_>, Vec<_>) = requests
            .iter()
            .map(|(id, request)| (signed(id.0), request))
            .unzip();
        let statement = self.room.statements.of(Sql::Answers);
        let client = self.room.session.client();
        client.query(statement, &[&players, &ids]).await
    }

    fn note_answers(&self, rows: &[Row], requests: Requests) -> Result<(), StoreError> {
        let mut found = self.found.borrow_mut();
        for row in rows {
            let key = (PlayerId(number(row.get(0))?), row.get(1));
            found.answers.insert(key, Some(answer(row)?));
        }
        for key in requests {
            found.answers.entry(key).or_insert(None);
        }
        Ok(())
    }
}

/// The answer of a row.
fn answer(row: &Row) -> Result<Answer, StoreError> {
    let digest: [u8; 16] = row
        .get::<_, &[u8]>(2)
        .try_into()
        .map_err(|_| Damage::Layout)?;
    let refusal: Option<&str> = row.get(5);
    Ok(Answer {
        digest: Hex::new(digest),
        messages: MessageRange::new(number(row.get(3))?, number(row.get(4))?),
        refusal: refusal.and_then(Refusal::named),
    })
}
