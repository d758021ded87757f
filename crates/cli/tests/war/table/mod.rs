//! The card table as its players and its operator see it, with real servers and connections.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod backups;
pub(crate) mod cheats;
#[path = "../../../../table/tests/table/client_requests.rs"]
pub(crate) mod client_requests;
mod crashes;
pub(crate) mod daily;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod disks;
pub(crate) mod foreign;
pub(crate) mod game_log;
mod games;
mod guard;
pub(crate) mod history;
mod hostile;
#[path = "../../../../table/tests/table/hub.rs"]
mod hub;
mod invalid_stores;
mod keys;
pub(crate) mod ladder;
pub(crate) mod leaving;
mod load;
mod logs;
mod old_stores;
mod operation;
mod operators;
mod opponents;
mod pages;
mod raw_client;
mod replays;
mod requests;
pub(crate) mod restored;
mod secrets;
mod server;
pub(crate) mod spectators;
#[path = "../../../../table/examples/table_client/main.rs"]
#[allow(dead_code, reason = "an example has parts that no test needs")]
mod table_client;
mod time;
mod versions;

pub(crate) use raw_client::RawClient;
pub(crate) use server::Server;

/// Two players who hold cards.
pub(crate) fn dealt(server: &Server, game: &str) -> [RawClient; 2] {
    dealt_in_version(server, game, 2)
}

/// Two players like those of [`dealt`], who speak this version of the protocol.
pub(crate) fn dealt_in_version(server: &Server, game: &str, version: u32) -> [RawClient; 2] {
    let player = |name| server.player_in_version(name, version).0;
    let [mut ann, mut bob] = ["Ann", "Bob"].map(player);
    for (id, line) in ["c0", "c1"].into_iter().zip([&mut ann, &mut bob]) {
        line.send(client_requests::choose(id, game));
    }
    for (id, line) in ["c0", "c1"].into_iter().zip([&mut ann, &mut bob]) {
        let heard = line.receive_until("started");
        line.send(client_requests::open("s", &heard[heard.len() - 1], id));
    }
    for line in [&mut ann, &mut bob] {
        line.receive_until("dealt");
    }
    [ann, bob]
}
