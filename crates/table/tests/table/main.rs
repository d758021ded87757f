//! Tests of the card table without a network, a database or a clock.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    reason = "tests build short texts and long tables, and say so plainly"
)]

mod client_requests;
mod daily;
mod house;
mod hub;
mod ladder;
mod log;
mod meetings;
mod names;
mod orders;
mod policies;
mod protocol;
mod room;
mod room_meetings;
mod sessions;
#[path = "../../../../tests/war/shared.rs"]
mod shared;
mod surface;
mod unread;
