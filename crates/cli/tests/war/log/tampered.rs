//! Ways to tamper with a log. Each is detected, and has its own message.

use super::test_log::{BEGINNING, HOUR, KEY, LOG, TestLog, end, start, verify};
use crate::support::Sandbox;
use std::fs;
use war::support::hex::Hex;
use war_table::daily::DayCommitment;
use war_table::log::{Continuation, Leaf, encode_bundle, hash_leaf};

/// Checks the output of `war log verify`.
#[track_caller]
fn assert_verdict(sandbox: &Sandbox, options: &[&str], exit: i32, verdict: &str, fault: &str) {
    let run = verify(sandbox, options).exits_with(exit);
    assert!(
        run.stdout.starts_with(&format!("{verdict} {LOG}: ")),
        "{run:#?}"
    );
    let line = format!("{LOG}: {fault}");
    assert!(
        run.stderr.lines().any(|told| told.starts_with(&line)),
        "{run:#?}"
    );
}

/// Log of 300 games, as the table wrote it.
fn written() -> (Sandbox, TestLog) {
    let (sandbox, log) = (Sandbox::new(), TestLog::games(300));
    log.write(&sandbox);
    verify(&sandbox, &[]).exits_with(0);
    (sandbox, log)
}

#[test]
fn a_changed_leaf() {
    let (sandbox, log) = written();
    let changed = log.with(|leaves| change_digest(&mut leaves[301]));
    changed.write_entries(&sandbox);
    let fault = "WL202 leaf 301 is not the one in the tree: it was changed, removed or moved";
    assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
    // With the tiles changed as well, the tree does not match its signature.
    changed.write_tiles(&sandbox);
    let fault = "WL204 the tree of 600 leaves is not the one that was signed";
    assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
}

/// Changes the digest in the leaf of a game's end.
fn change_digest(leaf: &mut [u8]) {
    let line = leaf
        .iter()
        .rposition(|byte| *byte == b'\n')
        .expect("a line");
    let digit = leaf[..line]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .expect("a line")
        - 1;
    leaf[digit] = if leaf[digit] == b'0' { b'1' } else { b'0' };
}

#[test]
fn a_removed_or_moved_leaf() {
    let (sandbox, log) = written();
    let dropped = log.with(|leaves| drop(leaves.drain(100..102)));
    let first = sandbox.path("log/tile/entries/000");
    let short = &dropped.leaves[..254];
    fs::write(&first, encode_bundle(short).expect("short leaves")).expect("a file");
    let fault = "WL102 `tile/entries/000` doesn't have the right length";
    assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
    // The bundle has its full length again, but the next leaves take the place of the removed ones.
    fs::write(
        &first,
        encode_bundle(&dropped.leaves[..256]).expect("short leaves"),
    )
    .expect("a file");
    assert_verdict(&sandbox, &[], 1, "DAMAGED", "WL202 leaf 100 is not the one");
    let moved = log.with(|leaves| leaves.swap(100, 102));
    moved.write_entries(&sandbox);
    assert_verdict(&sandbox, &[], 1, "DAMAGED", "WL202 leaf 100 is not the one");
    moved.write_tiles(&sandbox);
    assert_verdict(&sandbox, &[], 1, "DAMAGED", "WL204 the tree of 600 leaves");
}

#[test]
fn a_tile_that_does_not_match() {
    let (sandbox, _) = written();
    let tile = fs::read(sandbox.path("log/tile/1/000.p/2")).expect("a tile");
    let mut wrong = tile.clone();
    wrong[40] ^= 1;
    sandbox.write("log/tile/1/000.p/2", wrong);
    let fault = "WL203 `tile/1/000.p/2` doesn't match the leaves below it";
    assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
    sandbox.write("log/tile/1/000.p/2", &tile[..63]);
    let fault = "WL102 `tile/1/000.p/2` doesn't have the right length";
    assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
}

#[test]
fn missing_files() {
    for path in [
        "checkpoint",
        "tile/0/000",
        "tile/1/000.p/2",
        "tile/entries/002.p/88",
    ] {
        let (sandbox, _) = written();
        fs::remove_file(sandbox.path(LOG).join(path)).expect("a file");
        assert_verdict(
            &sandbox,
            &[],
            1,
            "DAMAGED",
            &format!("WL101 `{path}` is missing"),
        );
    }
}

#[test]
fn a_partial_tile_may_be_removed_once_full() {
    let (sandbox, log) = written();
    let old = log.with(|leaves| leaves.truncate(400));
    old.write_tiles(&sandbox);
    sandbox.write("log/checkpoint", old.checkpoint());
    // The table has gone on, and now serves only the full tile.
    fs::remove_file(sandbox.path("log/tile/0/001.p/144")).expect("a tile");
    let run = verify(&sandbox, &[]).exits_with(0);
    assert!(
        run.stdout
            .starts_with("VERIFIED log: 400 leaves, 200 games"),
        "{run:#?}"
    );
}

#[test]
fn a_changed_checkpoint() {
    let (sandbox, log) = written();
    let checkpoint = log.checkpoint();
    sandbox.write("log/checkpoint", checkpoint.replace("\n600\n", "\n599\n"));
    let fault = "WL201 the checkpoint was changed: its signature doesn't match";
    assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
    for text in [
        "",
        "600 leaves\n",
        &checkpoint.replace("war-table/", "some-log/"),
    ] {
        sandbox.write("log/checkpoint", text);
        assert_verdict(
            &sandbox,
            &[],
            1,
            "DAMAGED",
            "WL001 `checkpoint` is not a checkpoint",
        );
    }
}

#[test]
fn a_log_signed_with_another_key() {
    let (sandbox, log) = written();
    log.signed_anew().write(&sandbox);
    let key = public_key();
    let fault = "WL205 the checkpoint was not signed with this key";
    assert_verdict(&sandbox, &["--key", &key], 1, "UNEXPECTED", fault);
    // The log contains the key that it is signed with, so only those who know the right key notice.
    let run = verify(&sandbox, &[]).exits_with(0);
    assert!(!run.stdout.contains(KEY), "{run:#?}");
}

/// File with the table's public key.
fn public_key() -> String {
    let key = crate::support::project().join("tests/keys/signer.pub");
    key.to_string_lossy().into_owned()
}

#[test]
fn a_history_that_contradicts_the_one_seen_before() {
    let (sandbox, log) = written();
    let seen = log.with(|leaves| leaves.truncate(500));
    sandbox.write("seen", seen.checkpoint());
    let run = verify(&sandbox, &["--with", "seen"]).exits_with(0);
    assert!(
        run.stdout
            .ends_with("It contains the earlier log with 500 leaves.\n"),
        "{run:#?}"
    );
    // A game's result is replaced, and the table itself signs everything again.
    log.with(|leaves| change_digest(&mut leaves[7]))
        .write(&sandbox);
    verify(&sandbox, &[]).exits_with(0);
    let fault = "WL208 the beginning of the log is not the one that you saw, with 500 leaves: \
                 the table has shown two histories";
    assert_verdict(&sandbox, &["--with", "seen"], 1, "UNEXPECTED", fault);
    // A game that began is hidden.
    log.with(|leaves| drop(leaves.drain(7..9))).write(&sandbox);
    assert_verdict(&sandbox, &["--with", "seen"], 1, "UNEXPECTED", "WL208 ");
    // Two histories of the same length.
    sandbox.write("seen", log.checkpoint());
    log.with(|leaves| change_digest(&mut leaves[599]))
        .write(&sandbox);
    assert_verdict(&sandbox, &["--with", "seen"], 1, "UNEXPECTED", "WL208 ");
}

#[test]
fn a_truncated_tree() {
    let (sandbox, log) = written();
    sandbox.write("seen", log.checkpoint());
    log.with(|leaves| leaves.truncate(598)).write(&sandbox);
    verify(&sandbox, &[]).exits_with(0);
    let fault = "WL207 the log had 600 leaves, and now has 598: the end was removed";
    assert_verdict(&sandbox, &["--with", "seen"], 1, "UNEXPECTED", fault);
}

#[test]
fn a_log_of_another_table() {
    let (sandbox, log) = written();
    sandbox.write("seen", log.of_table([8; 16]).checkpoint());
    let fault = "WL206 this log belongs to another table: the earlier checkpoint is of \
                 `war-table/08080808080808080808080808080808`";
    assert_verdict(&sandbox, &["--with", "seen"], 1, "UNEXPECTED", fault);
}

#[track_caller]
fn diverges(leaves: impl IntoIterator<Item = Leaf>, fault: &str) {
    let sandbox = Sandbox::new();
    TestLog::of(leaves).write(&sandbox);
    assert_verdict(&sandbox, &[], 1, "DIVERGED", fault);
}

#[test]
fn a_number_that_is_used_twice() {
    let [one, two, three] = [1, 2, 3].map(|minutes| BEGINNING + minutes * 60_000);
    let fault = "WL301 leaf 2 begins game 5 again: leaf 0 began it";
    diverges([start(5, one), end(5, two), start(5, three)], fault);
    let fault = "WL301 leaf 1 begins game 5 again: leaf 0 began it";
    diverges([start(5, one), start(5, two), end(5, three)], fault);
    let fault = "WL301 leaf 2 ends game 5 again: leaf 1 ended it";
    diverges([start(5, one), end(5, two), end(5, three)], fault);
}

#[test]
fn an_end_without_a_beginning() {
    let fault = "WL302 leaf 1 ends game 6, which never began";
    diverges(
        [start(5, BEGINNING), end(6, BEGINNING), end(5, BEGINNING)],
        fault,
    );
}

#[test]
fn a_beginning_without_an_end() {
    let later = |ms| {
        let last = BEGINNING + ms;
        [start(5, BEGINNING), start(6, last), end(6, last)]
    };
    let sandbox = Sandbox::new();
    TestLog::of(later(24 * HOUR - 1)).write(&sandbox);
    let run = verify(&sandbox, &[]).exits_with(0);
    assert!(run.stdout.contains("2 games, 1 not ended"), "{run:#?}");
    let fault = "WL303 game 5, which began in leaf 0, has not ended for 24 hours";
    diverges(later(24 * HOUR), fault);
    // A time in the future does not make the game younger than the leaves after its start.
    let far = [
        start(5, u64::MAX - 1),
        start(6, BEGINNING),
        end(6, BEGINNING + 30 * HOUR),
    ];
    diverges(
        far,
        "WL303 game 5, which began in leaf 0, has not ended for 30 hours",
    );
}

/// Commitment to the seed of 2026-09-23, with this time.
fn day(seed: u8, time_ms: u64) -> Leaf {
    Leaf::Day(DayCommitment {
        day: "2026-09-23".parse().expect("a day"),
        commitment: Hex::new([seed; 32]),
        time_ms,
    })
}

#[test]
fn a_commitment_to_a_day_is_early_and_final() {
    // 2026-09-23T00:00:00Z
    let begins = 1_790_121_600_000;
    let sandbox = Sandbox::new();
    let games = || [start(5, BEGINNING), end(5, BEGINNING)];
    // No game ends it, however long ago it was. It may be repeated.
    let [first, last] = games();
    TestLog::of([day(1, BEGINNING), first, last, day(1, begins + 30 * HOUR)]).write(&sandbox);
    let run = verify(&sandbox, &[]).exits_with(0);
    assert!(run.stdout.contains("1 game"), "{run:#?}");
    let fault = "WL304 leaf 1 commits to another seed of 2026-09-23 than leaf 0";
    diverges(
        [day(1, begins - 1), day(2, begins - 1), start(5, begins)],
        fault,
    );
    let fault = "WL304 leaf 0 commits to the seed of 2026-09-23, which had begun by then";
    let [first, last] = games();
    diverges([day(1, begins), first, last], fault);
}

#[test]
fn every_fault_is_reported() {
    let leaves = (1..=150).map(|game| end(game, BEGINNING));
    let sandbox = Sandbox::new();
    TestLog::of(leaves).write(&sandbox);
    let run = verify(&sandbox, &[]).exits_with(1);
    assert_eq!(run.stderr.matches("WL302").count(), 100);
    assert!(run.stderr.ends_with("and 50 more faults\n"), "{run:#?}");
    assert_eq!(run.stdout, "DIVERGED log: 150 leaves were read\n");
}

#[test]
fn invalid_leaves() {
    let (sandbox, log) = (Sandbox::new(), TestLog::games(3));
    log.with(|leaves| leaves[2] = b"war-table start/2\n1\n".to_vec())
        .write(&sandbox);
    let fault = "WL002 leaf 2 begins with `war-table start/2`, which this program doesn't know";
    assert_verdict(&sandbox, &[], 5, "UNSUPPORTED", fault);
    let newer = b"war-table pause/1\n".to_vec();
    log.with(|leaves| leaves.push(newer)).write(&sandbox);
    assert_verdict(
        &sandbox,
        &[],
        5,
        "UNSUPPORTED",
        "WL002 leaf 6 begins with `war-table pause/1`",
    );
    let start = str::from_utf8(&log.leaves[2]).expect("text");
    for wrong in [
        "",
        "war-table",
        start.trim_end(),
        &format!("{start}\n"),
        &start.replace("\n2\n", "\n02\n"),
        &start.replace("\n2\n", "\n+2\n"),
        &start.replace('\n', "\r\n"),
        &start.replace("single-card-game/2", "Single-Card-Game/2"),
        &start.replace("single-card-game/2", "single-card-game/0"),
        &start.replace("5 6", "5  6"),
        &start.replace("5 6", "5"),
        &start.replace("0202", "0A0A"),
        &start.replace("war-table start/1", "card-table start/1"),
    ] {
        log.with(|leaves| leaves[2] = wrong.as_bytes().to_vec())
            .write(&sandbox);
        let fault = "WL103 leaf 2 is not a leaf of a card table's log";
        assert_verdict(&sandbox, &[], 1, "DAMAGED", fault);
    }
}

// A backup contained the first leaves. The games that ran then are void.
#[test]
fn a_log_continued_from_a_backup() {
    let first = start(1, BEGINNING);
    let root = hash_leaf(first.to_string().as_bytes());
    let restored = |table: u8, size, root| {
        let table = Hex::new([table; 16]);
        Leaf::Restored(Continuation {
            table,
            size,
            root,
            time_ms: BEGINNING + HOUR,
        })
    };
    let log = |leaf: Leaf, then: Leaf| {
        let later = start(3, BEGINNING + 26 * HOUR);
        let sandbox = Sandbox::new();
        TestLog::of([first.clone(), leaf, then, later]).write(&sandbox);
        sandbox
    };
    let text = restored(8, 1, root).to_string();
    assert_eq!(text.parse(), Ok(restored(8, 1, root)), "{text}");
    // A day and an hour later, the end of the first game is not overdue.
    let then = end(2, BEGINNING + 25 * HOUR);
    let sandbox = Sandbox::new();
    let next = start(2, BEGINNING + 25 * HOUR);
    TestLog::of([first.clone(), restored(8, 1, root), next, then]).write(&sandbox);
    let run = verify(&sandbox, &[]).exits_with(0);
    assert!(run.stdout.contains("2 games"), "{}", run.stdout);
    // The first game is void, so the log can't end it later.
    let sandbox = log(restored(8, 1, root), end(1, BEGINNING + 2 * HOUR));
    assert_verdict(&sandbox, &[], 1, "DIVERGED", "WL301");
    // A log can only continue from its own earlier state.
    for other in [
        restored(8, 2, root),
        restored(8, 1, Hex::new([1; 32])),
        restored(8, 0, root),
    ] {
        let sandbox = log(other, start(2, BEGINNING + 25 * HOUR));
        assert_verdict(&sandbox, &[], 1, "DAMAGED", "WL");
    }
}
