use super::ClientId;
use crate::protocol::PlayerId;
use crate::server::limits::{Buckets, ClientAddress, RateLimit};
use crate::time::{TableClock, TableTime};
use std::collections::BTreeMap;
use war::i18n::Catalogue;

/// Maximum number of connections of one player. Each connection gets all messages.
pub const MAX_CONNECTIONS_PER_PLAYER: usize = 16;

/// Clients connected to a room, and the players they belong to.
pub(super) struct Connections {
    clients: BTreeMap<ClientId, Client>,
    by_player: BTreeMap<PlayerId, Vec<ClientId>>,
    /// Rate limit on the new players of each address; unused if gateways count new players.
    newcomers: Buckets<TableClock>,
}

/// A connected client.
pub(super) struct Client {
    pub(super) address: ClientAddress,
    /// `true` if the client's gateway counted it as a possible new player.
    pub(super) may_join: bool,
    pub(super) catalogue: &'static Catalogue,
    /// Player of the client; `None` until the client's `hello` is granted.
    pub(super) player: Option<PlayerId>,
}

impl Connections {
    /// Creates an empty set of connections. An address may bring `new_players` new players a
    /// minute.
    pub(super) fn new(new_players: u32) -> Self {
        Self {
            clients: BTreeMap::new(),
            by_player: BTreeMap::new(),
            newcomers: Buckets::new(RateLimit::per_minute(new_players)),
        }
    }

    /// Adds a client, which may have a player already.
    pub(super) fn add(&mut self, id: ClientId, client: Client) {
        if let Some(player) = client.player {
            let clients = self.by_player.entry(player).or_default();
            if !clients.contains(&id) {
                clients.push(id);
            }
        }
        self.clients.insert(id, client);
    }

    /// Sets the player of a client.
    pub(super) fn set_player(&mut self, id: ClientId, player: PlayerId) {
        self.by_player.entry(player).or_default().push(id);
        if let Some(client) = self.clients.get_mut(&id) {
            client.player = Some(player);
        }
    }

    /// Removes a client. Returns its player if this was their last connection.
    pub(super) fn remove(&mut self, id: ClientId) -> Option<PlayerId> {
        let player = self.clients.remove(&id)?.player?;
        let clients = self.by_player.get_mut(&player)?;
        clients.retain(|known| *known != id);
        if !clients.is_empty() {
            return None;
        }
        self.by_player.remove(&player);
        Some(player)
    }

    /// Removes all clients of a player, and returns them in the order in which they came.
    pub(super) fn remove_player(&mut self, player: PlayerId) -> Vec<(ClientId, Client)> {
        let ids = self.by_player.remove(&player).unwrap_or_default();
        let clients = ids.into_iter();
        clients
            .filter_map(|id| Some((id, self.clients.remove(&id)?)))
            .collect()
    }

    pub(super) fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(&id)
    }

    /// Player of a client, once known.
    pub(super) fn player_of(&self, id: ClientId) -> Option<PlayerId> {
        self.client(id)?.player
    }

    /// Clients of a player, in the order in which they came.
    pub(super) fn clients_of(&self, player: PlayerId) -> &[ClientId] {
        self.by_player.get(&player).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_connected(&self, player: PlayerId) -> bool {
        self.by_player.contains_key(&player)
    }

    /// Number of connected players.
    pub(super) fn player_count(&self) -> usize {
        self.by_player.len()
    }

    /// Counts a new player of an address. Returns `false` if there were too many.
    pub(super) fn try_count_newcomer(&mut self, address: ClientAddress, now: TableTime) -> bool {
        self.newcomers.take(address, now).is_ok()
    }
}
