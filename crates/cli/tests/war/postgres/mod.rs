//! The store shared by several nodes, on a real PostgreSQL.

mod chaos;
#[path = "../../../../table-cluster/tests/cluster/postgres/cluster.rs"]
mod cluster;
mod daily;
mod distance;
#[path = "../../../../table-cluster/tests/cluster/postgres/fake_server.rs"]
mod fake_server;
mod history;
mod laws;
mod moves;
mod nodes;
mod old_tables;
mod operators;
mod outages;
mod people;
mod proxy;
mod refused;
mod restores;
mod rooms;
#[path = "../../../../table-cluster/tests/cluster/postgres/rooms.rs"]
mod taken;

pub(crate) use cluster::{Cluster, Database};
pub(crate) use taken::{begin, open, open_one, take};
