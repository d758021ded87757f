//! Tests of the cluster crate that don't run the `war` program. Tests on PostgreSQL start their own
//! server.

#![allow(
    clippy::too_many_lines,
    reason = "tests build short texts and long tables, and say so plainly"
)]

#[path = "../../../table/tests/table/client_requests.rs"]
mod client_requests;
#[path = "../../../../tests/war/crowd.rs"]
mod crowd;
#[path = "../../../table/tests/table/hub.rs"]
mod hub;
mod hubs;
mod late_games;
mod ownership;
mod postgres;
mod rooms;
mod stores;
