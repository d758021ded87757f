//! All integration tests in one binary; `support` runs the program hermetically.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    reason = "tests build short texts and long tables, and say so plainly"
)]
#![cfg_attr(
    windows,
    allow(
        dead_code,
        unused_imports,
        reason = "only tests for Unix need some of them"
    )
)]

mod architecture;
mod arguments;
mod audit_log;
#[cfg(feature = "table")]
mod browser;
mod catalogues;
#[cfg(target_os = "linux")]
mod cluster;
mod command_line;
mod completions;
mod conformance;
#[cfg(feature = "table")]
#[path = "../../../../tests/war/crowd.rs"]
mod crowd;
mod dependencies;
#[cfg(unix)]
mod documentation;
mod drawings;
mod duels;
mod durability;
mod encodings;
mod examples;
mod export;
mod false_messages;
mod false_messages_of_files;
mod follow;
mod goldens;
mod help;
mod hints;
mod import;
mod interrupted;
mod journal_commands;
mod journal_faults;
mod journal_lines;
mod journal_repair;
mod journal_stream;
mod library;
#[cfg(feature = "table")]
mod log;
mod own_rules;
mod page_words;
#[cfg(feature = "table")]
mod postgres;
mod recording;
mod replay;
mod results;
mod scenarios;
mod screens;
mod seeds;
mod settings;
#[path = "../../../../tests/war/shared.rs"]
mod shared;
mod signing;
mod simulation_commands;
mod standard_errors;
mod standard_streams;
mod stats;
mod support;
mod surface;
#[cfg(feature = "table")]
mod table;
#[cfg(target_os = "linux")]
mod terminals;
mod tokens;
mod two_piles;
mod typed;
mod view;
#[cfg(all(feature = "watch", target_os = "linux"))]
mod watch;
mod windows;
mod xy;
