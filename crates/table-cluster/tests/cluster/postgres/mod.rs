//! The store shared by several nodes, on a real PostgreSQL.

mod cluster;
mod encryption;
mod fake_server;
mod figures;
mod logins;
mod opening;
mod ownership;
mod poolers;
mod rooms;
mod settings;
mod verification;

pub(crate) use cluster::{Cluster, Database};
pub(crate) use rooms::{
    begin, expect_room_lost, join, node, open, open_one, player, room_record, take, token,
};
