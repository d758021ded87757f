//! `war table-load` at honest tables: players who can't finish are no evidence against the table.

use super::Server;
use crate::support::{Run, Sandbox};

/// Puts a table under load.
fn load(sandbox: &Sandbox, server: &Server, options: &str) -> Run {
    let options: Vec<_> = options.split(' ').collect();
    sandbox.war(&[&["table-load", &server.address], &options[..]].concat())
}

#[test]
fn players_keep_to_the_limits_of_the_table() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let run = load(&sandbox, &server, "--players 10 --think 50 --seconds 3").exits_with(0);
    assert!(
        run.stdout.contains("the balances of 10 players"),
        "{run:#?}"
    );
    run.reports("s for the limits of the table");
}

#[test]
fn a_test_with_too_many_new_players_does_not_begin() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--new-players", "2"]);
    let run = load(&sandbox, &server, "--players 4 --idle 1 --seconds 1").exits_with(2);
    run.reports("admits 4 players of one address at once, and this test has 5")
        .reports("war serve --new-players 5");
    // Nobody has come, so the table still admits as many.
    load(&sandbox, &server, "--players 4 --seconds 1").exits_with(0);
    // Now the address has used up its new players, which the test can't know before.
    let run = load(&sandbox, &server, "--players 4 --seconds 1").exits_with(3);
    assert!(!run.stderr.contains("NOT VERIFIED"), "{run:#?}");
    run.reports("the table limits requests and new players of one address");
}

#[test]
fn players_stop_at_their_requests_of_an_hour() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--rate", "10000", "--bots", "0"]);
    let run = load(&sandbox, &server, "--players 2 --seconds 120").exits_with(0);
    assert!(run.stdout.contains("the balances of 2 players"), "{run:#?}");
    run.reports("stopped early, at the table's limit of requests");
}

#[test]
fn moves_after_the_deadline_are_those_of_a_slow_player() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--decide-seconds", "1", "--bots", "0"]);
    let run = load(&sandbox, &server, "--players 2 --think 3000 --seconds 8").exits_with(0);
    run.reports("came after the deadline");
}
