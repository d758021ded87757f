//! What a batch writes of players, by column.

use super::statements::{Param, Place, Sql, Write, signed, write};
use std::collections::BTreeMap;
use war::support::hex::Hex;
use war::tokens::Kind;
use war_table::protocol::PlayerId;
use war_table::room::{Activity, Meeting, Player};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::rows::column;
use war_table::server::store::{Answer, Claim, TokenHash};

/// Players as they are left, in this room or in none.
#[derive(Default)]
struct Players {
    id: Vec<i64>,
    token: Vec<Vec<u8>>,
    name: Vec<String>,
    balance: Vec<i64>,
    seq: Vec<i64>,
    house: Vec<bool>,
    name_is_fixed: Vec<bool>,
    standing: Vec<&'static str>,
    watchable: Vec<bool>,
    room: Vec<Option<i32>>,
}

impl Players {
    /// Adds a player; those who join have a token.
    pub(super) fn push(
        &mut self,
        id: PlayerId,
        player: &Player,
        room: Option<i32>,
        token: Option<&TokenHash>,
    ) {
        self.id.push(signed(id.0));
        self.token.extend(token.map(|token| token.bytes().to_vec()));
        self.name.push(player.name.as_str().to_owned());
        self.balance.push(player.balance);
        self.seq.push(signed(player.seq));
        self.house.push(player.house);
        self.name_is_fixed.push(player.name_is_fixed);
        self.standing.push(player.standing.name());
        self.watchable.push(player.watchable);
        self.room.push(room);
    }

    /// They join.
    pub(super) fn join(self) -> Option<Write> {
        let is_empty = self.id.is_empty();
        let Self {
            id,
            token,
            name,
            balance,
            seq,
            house,
            watchable,
            room,
            ..
        } = self;
        (!is_empty).then(|| write!(Join, id, token, name, balance, seq, house, watchable, room))
    }

    /// They are changed, all of whom are of this room.
    pub(super) fn persist(self, Place { room, .. }: Place) -> Option<Write> {
        let is_empty = self.id.is_empty();
        let Self {
            id,
            name,
            balance,
            seq,
            name_is_fixed,
            standing,
            watchable,
            room: of,
            ..
        } = self;
        (!is_empty).then(|| {
            write!(
                Persist,
                room,
                id, name, balance, seq, name_is_fixed, standing, watchable, of
            )
        })
    }
}

/// Who waits.
#[derive(Default)]
pub(super) struct Waiting {
    player: Vec<i64>,
    kind: Vec<&'static str>,
    since: Vec<i64>,
    seed_hash: Vec<Option<Vec<u8>>>,
    meeting: Vec<Option<String>>,
}

impl Waiting {
    pub(super) fn push(
        &mut self,
        player: PlayerId,
        (kind, meeting): (Kind, Meeting),
        since: u64,
        seed_hash: Option<&Hex<32>>,
    ) {
        self.player.push(signed(player.0));
        self.kind.push(kind.name());
        self.since.push(signed(since));
        self.seed_hash
            .push(seed_hash.map(|hash| hash.bytes().to_vec()));
        self.meeting.push(column(meeting));
    }

    pub(super) fn write(self, Place { room, .. }: Place) -> Option<Write> {
        let is_empty = self.player.is_empty();
        let Self {
            player,
            kind,
            since,
            seed_hash,
            meeting,
        } = self;
        (!is_empty).then(|| write!(Wait, room, player, kind, since, seed_hash, meeting))
    }
}

/// Whose a player is, as far as a transaction knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// They were only looked at.
    Unknown,
    /// This room's.
    Ours,
    /// This room's since this transaction, for it was expected to ask for them.
    Expected,
    /// This room's until it is committed.
    Released,
    /// This room's until it is committed, and another room's then.
    SentOn(RoomNumber),
    /// This room's since another one has sent them on.
    Coming,
    /// Another room's.
    Theirs(RoomNumber),
}

/// A player as a transaction knows them.
pub(super) struct Known {
    pub(super) player: Player,
    pub(super) whose: Whose,
    changed: bool,
    /// The token of those who join.
    token: Option<TokenHash>,
}

impl Known {
    /// One who was found.
    pub(super) const fn found(player: Player, whose: Whose) -> Self {
        Self {
            player,
            whose,
            changed: false,
            token: None,
        }
    }

    /// One who joins.
    pub(super) fn joining(player: &Player, token: TokenHash) -> Self {
        let mut joining = Self::found(player.clone(), Whose::Ours);
        joining.persist(player);
        joining.token = Some(token);
        joining
    }

    /// Leaves them as they are now.
    pub(super) fn persist(&mut self, player: &Player) {
        self.player = Player {
            activity: Activity::Free,
            ..player.clone()
        };
        self.changed = true;
    }

    /// Puts another token in the place of theirs where they join; the result is whether they do.
    pub(super) fn join_with(&mut self, token: TokenHash) -> bool {
        let joins = self.token.is_some();
        if joins {
            self.token = Some(token);
        }
        joins
    }

    /// Lets them go into other rooms.
    pub(super) const fn release(&mut self) {
        self.whose = Whose::Released;
        self.changed = true;
    }

    /// Sends them on to another room.
    pub(super) const fn send_on(&mut self, to: RoomNumber) {
        self.whose = Whose::SentOn(to);
        self.changed = true;
    }

    /// Claims them where they are this room's; the result is nothing where that is not known.
    pub(super) fn claim(&mut self) -> Option<Claim> {
        match self.whose {
            Whose::Unknown => None,
            Whose::Theirs(room) | Whose::SentOn(room) => Some(Claim::Elsewhere(room)),
            Whose::Coming => Some(Claim::Coming),
            // Nobody else could claim them yet who are released here.
            Whose::Ours | Whose::Expected | Whose::Released => {
                self.whose = Whose::Ours;
                Some(Claim::Ours(self.player.clone()))
            }
        }
    }

    /// Whether this transaction has to write them: nobody else lets those go who were claimed
    /// and not asked for.
    fn is_written(&self) -> bool {
        self.changed || self.whose == Whose::Expected
    }
}

/// What a transaction has found so far.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) players: BTreeMap<PlayerId, Known>,
    /// Who has a token; nobody where it was looked for and not found.
    pub(super) tokens: BTreeMap<TokenHash, Option<PlayerId>>,
    /// What was answered; nothing where it was looked for and not found.
    pub(super) answers: BTreeMap<(PlayerId, String), Option<Answer>>,
}

impl Findings {
    /// Claims a player who is known to be somebody's.
    pub(super) fn claim(&mut self, id: PlayerId) -> Option<Claim> {
        self.players.get_mut(&id)?.claim()
    }

    /// Drops what is known of a player who is forgotten.
    pub(super) fn forget(&mut self, player: PlayerId) {
        for found in self.tokens.values_mut() {
            found.take_if(|id| *id == player);
        }
        for ((to, _), found) in &mut self.answers {
            found.take_if(|_| *to == player);
        }
    }

    /// Whether it is known whose a player is.
    pub(super) fn knows_whose(&self, id: PlayerId) -> bool {
        let known = self.players.get(&id);
        known.is_some_and(|known| known.whose != Whose::Unknown)
    }

    /// Whether any player is changed.
    pub(super) fn wrote(&self) -> bool {
        self.players.values().any(|known| known.changed)
    }

    /// The players who join, and those who are changed.
    pub(super) fn writes(&self, place: Place) -> [Option<Write>; 2] {
        let (mut joining, mut changed) = (Players::default(), Players::default());
        for (id, known) in self.players.iter().filter(|(_, known)| known.is_written()) {
            let room = match known.whose {
                Whose::Expected | Whose::Released => None,
                Whose::SentOn(to) => Some(i32::from(to.0)),
                _ => Some(place.room),
            };
            let token = known.token.as_ref();
            let rows = if token.is_some() {
                &mut joining
            } else {
                &mut changed
            };
            rows.push(*id, &known.player, room, token);
        }
        [joining.join(), changed.persist(place)]
    }
}
