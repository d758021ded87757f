//! Tests of what only several nodes need, without the program; those on PostgreSQL start their own.

#![allow(
    clippy::too_many_lines,
    reason = "tests build short texts and long tables, and say so plainly"
)]

#[path = "../../../../tests/war/crowd.rs"]
mod crowd;
#[path = "../../../table/tests/table/hub.rs"]
mod hub;
mod nodes;
mod ownership;
mod postgres;
mod rated_anew;
mod rooms;
#[path = "../../../table/tests/table/said.rs"]
mod said;
mod stores;
