//! The card table as its players and its operator see it: real server, real connections.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod backups;
pub(crate) mod cheats;
mod company;
mod crashes;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod disks;
pub(crate) mod foreign;
mod games;
mod guard;
mod hostile;
#[path = "../../../../table/tests/table/hub.rs"]
mod hub;
mod keys;
pub(crate) mod leaving;
mod line;
pub(crate) mod logged;
pub(crate) mod looking_back;
mod old_stores;
mod operation;
mod operators;
mod pages;
pub(crate) mod rated;
mod replays;
mod requests;
pub(crate) mod restored;
#[path = "../../../../table/tests/table/said.rs"]
pub(crate) mod said;
mod server;
#[path = "../../../../table/examples/table_client/main.rs"]
#[allow(dead_code, reason = "an example has parts that no test needs")]
mod table_client;
mod time;
pub(crate) mod watched;
mod wrong_stores;

pub(crate) use line::Line;
pub(crate) use server::Server;

/// Two players with cards in their hands.
pub(crate) fn dealt(server: &Server, game: &str) -> [Line; 2] {
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| server.player(name).0);
    for (id, line) in ["c0", "c1"].into_iter().zip([&mut ann, &mut bob]) {
        line.say(said::choose(id, game));
    }
    for (id, line) in ["c0", "c1"].into_iter().zip([&mut ann, &mut bob]) {
        let heard = line.until("started");
        line.say(said::open("s", &heard[heard.len() - 1], id));
    }
    for line in [&mut ann, &mut bob] {
        line.until("dealt");
    }
    [ann, bob]
}
