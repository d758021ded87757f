//! Arguments of the simulation commands, valid and invalid.

use crate::support::{Run, Sandbox, reviewed};

#[test]
fn invalid_input_is_reported_in_both_languages() {
    let mut told = String::new();
    for (code, arguments) in [
        (2, &["simulate", "--games", "0"][..]),
        (2, &["simulate", "--games", "-5"]),
        (2, &["simulate", "--games", "1,00,000"]),
        (2, &["simulate", "--players", "1"]),
        (2, &["simulate", "--players", "6"]),
        (2, &["simulate", "--players", "5", "--deck", "2x2"]),
        (
            2,
            &["simulate", "--players", "3", "--out-of-cards", "loses"],
        ),
        (2, &["simulate", "--players", "4", "--rules", "xy"]),
        (2, &["simulate", "--deck", "0x4"]),
        (2, &["simulate", "--deck", "65x1"]),
        (2, &["simulate", "--deck", "16x16"]),
        (2, &["simulate", "--deck", "huge"]),
        (2, &["simulate", "--face-down", "6"]),
        (2, &["simulate", "--collect", "pile"]),
        (2, &["simulate", "--piles", "three"]),
        (2, &["enumerate", "2x4", "--piles", "two"]),
        (2, &["simulate", "--collect", "seat,pile"]),
        (2, &["simulate", "--collect", "seat,random,bataille"]),
        (2, &["simulate", "--out-of-cards", "wins"]),
        (2, &["simulate", "--rules", "poker"]),
        (2, &["simulate", "--max-turns", "0"]),
        (2, &["simulate", "--jobs", "0"]),
        (2, &["simulate", "--seed", "one"]),
        (2, &["simulate", "--seed", "1", "--shard", "0/4"]),
        (2, &["simulate", "--seed", "1", "--shard", "5/4"]),
        (2, &["simulate", "--seed", "1", "--shard", "1"]),
        (
            2,
            &["simulate", "--seed", "1", "--games", "2", "--shard", "1/4"],
        ),
        (2, &["simulate", "--shard", "1/4"]),
        (2, &["simulate", "--fix", "1"]),
        (2, &["simulate", "--fix", "3:14"]),
        (2, &["simulate", "--fix", "1:14,14,14,14,14"]),
        (2, &["simulate", "--fix", "1:9", "--deck", "2x1"]),
        (2, &["simulate", "--fix", "1:13,14", "--deck", "2x1"]),
        (2, &["simulate", "--fix", "+1:14"]),
        (2, &["simulate", "--fix", "1:+14"]),
        (2, &["simulate", "--game", "1"]),
        (2, &["simulate", "--game", "1:x"]),
        (2, &["simulate", "--game", "1:2", "--seed", "3"]),
        (2, &["simulate", "--journal", "x.json"]),
        (2, &["simulate", "--journal", "x.json", "--games", "9"]),
        (2, &["simulate", "--players", "3", "--rules", "bataille"]),
        (2, &["simulate", "--players", "3", "--rules", "household"]),
        (2, &["simulate", "--plot", "run.PNG"]),
        (2, &["simulate", "--rules", "xy", "--fix", "1:14"]),
        (2, &["simulate", "--kernel", "quick"]),
        (4, &["simulate", "--deal", "missing.json"]),
        (1, &["simulate", "--deal", "one.json"]),
        (
            1,
            &[
                "simulate",
                "--deal",
                "three.json",
                "--out-of-cards",
                "loses",
            ],
        ),
        (1, &["simulate", "--deal", "high.json"]),
        (1, &["simulate", "--deal", "few.json"]),
        (
            4,
            &[
                "simulate",
                "--json",
                "missing/run.json",
                "--games",
                "1000000000",
            ],
        ),
        (
            4,
            &["simulate", "--csv-games", ".", "--games", "1000000000"],
        ),
        (4, &["simulate", "merge", "missing.json"]),
        (1, &["simulate", "merge", "one.json"]),
        #[cfg(unix)]
        (1, &["simulate", "merge", "/dev/zero"]),
        (2, &["simulate", "merge"]),
        (2, &["simulate", "--json", "x.json", "merge", "one.json"]),
        (2, &["simulate", "merge", "one.json", "--plot", "run.pdf"]),
        (2, &["enumerate", "large", "--rules", "bataille"]),
        (2, &["enumerate", "64x3", "--rules", "bataille"]),
        (2, &["enumerate", "2x4", "--collect", "shuffled"]),
        (2, &["enumerate", "2x4", "--collect", "seat,bataille,seat"]),
        (2, &["enumerate", "2x4", "--collect", "random"]),
        (2, &["enumerate", "2x4", "--rules", "xy"]),
        (2, &["enumerate", "2x4", "--rules", "household"]),
        (2, &["enumerate", "two"]),
        (2, &["literature", "--games", "0"]),
    ] {
        for lang in ["en", "pl"] {
            let sandbox = Sandbox::new();
            sandbox.write("one.json", "[[14,2]]");
            sandbox.write("three.json", "[[2],[3],[4]]");
            let values = (1000..1033).map(|value| value.to_string());
            let hand = values.collect::<Vec<_>>().join(",");
            let other = hand.replace("10", "20");
            sandbox.write("high.json", format!("[[{hand}],[{other}]]"));
            sandbox.write("few.json", "[[14],[]]");
            let run = Run::of(sandbox.command(arguments).env("WAR_LANG", lang));
            let run = run.exits_with(code);
            assert_eq!(run.stdout, "", "{arguments:?}");
            assert!(run.stderr.contains('\n'), "{arguments:?}");
            told.push_str(&format!("war {}\n{}\n", arguments.join(" "), run.stderr));
        }
    }
    reviewed("simulation_errors", &told);
}

#[test]
fn endless_games_are_stopped_unless_proven_endless() {
    let sandbox = Sandbox::new();
    sandbox.write("nines.json", "[[9],[9]]");
    for (end, arguments) in [
        ("endless", &["--deck", "1x2", "--games", "1"][..]),
        ("undecided", &["--deck", "2x2", "--games", "4"]),
        ("endless", &["--deal", "nines.json", "--games", "1"]),
        (
            "endless",
            &["--deal", "nines.json", "--games", "1", "--max-turns", "9"],
        ),
    ] {
        let run = ["simulate", "--rules", "xy", "--seed", "1"];
        let run = sandbox.war(&[&run[..], arguments].concat()).exits_with(0);
        let told = [", at most 1000000 turns\n", ", at most 9 turns\n"];
        assert!(run.stdout.contains(told[arguments.len() / 6]), "{run:#?}");
        assert!(run.stdout.contains(&format!("\n{end}: ")), "{run:#?}");
    }
    let open = ["--rules", "xy", "--deal", "nines.json", "--game", "1:0"];
    let open = sandbox
        .war(&[&["simulate"], &open[..]].concat())
        .exits_with(0);
    assert!(open.stdout.contains("ENDLESS"), "{open:#?}");
    // On its own deck, the X/Y edition has no turn limit, and the journal names the edition.
    let open = ["simulate", "--rules", "xy", "--game", "1:0", "--journal"];
    sandbox
        .war(&[&open[..], &["xy.json"]].concat())
        .exits_with(0);
    assert!(sandbox.read("xy.json").contains("\"xy/1\""));
    let small = ["small.json", "--deck", "2x4"];
    sandbox.war(&[&open[..], &small].concat()).exits_with(0);
    assert!(sandbox.read("small.json").contains("\"max_turns\":1000000"));
}

#[test]
fn an_edition_s_limit_is_not_a_requested_one() {
    let sandbox = Sandbox::new();
    let duels = [
        "simulate", "--rules", "duels", "--seed", "1", "--games", "40",
    ];
    let part = |shard: &str, name: &str, more: &[&str]| {
        let part = ["--shard", shard, "--json", name];
        sandbox
            .war(&[&duels[..], &part, more].concat())
            .exits_with(0)
    };
    part("1/2", "1.json", &[]);
    part("2/2", "2.json", &[]);
    part("2/2", "other.json", &["--max-turns", "520"]);
    let merge = ["simulate", "merge", "1.json"];
    sandbox
        .war(&[&merge[..], &["2.json"]].concat())
        .exits_with(0);
    sandbox
        .war(&[&merge[..], &["other.json"]].concat())
        .exits_with(1)
        .reports("different rules");
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_not_text_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    for (lang, told) in [
        ("en", "an argument is not valid UTF-8: `--seed \u{fffd}`"),
        (
            "pl",
            "argument nie jest poprawnym tekstem UTF-8: `--seed \u{fffd}`",
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["simulate", "--seed"]);
        command.arg(std::ffi::OsStr::from_bytes(b"\xff"));
        Run::of(command.env("WAR_LANG", lang))
            .exits_with(2)
            .reports(told);
    }
}

#[test]
fn leading_zeros_do_not_change_a_seed() {
    let open = ["simulate", "--deck", "2x4", "--game", "1:5", "--seed"];
    let sandbox = Sandbox::new();
    let same = sandbox.war(&[&open[..], &["01"]].concat()).exits_with(0);
    assert_eq!(same.stdout, sandbox.war(&open[..5]).exits_with(0).stdout);
    sandbox.war(&[&open[..], &["+1"]].concat()).exits_with(2);
}

/// A system on which no thread can be started.
#[test]
#[cfg(target_os = "linux")]
fn a_run_works_without_threads_that_cannot_be_started() {
    let sandbox = Sandbox::new();
    let alone = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        // No address space can hold a stack of 2⁵⁶ bytes.
        command.env("RUST_MIN_STACK", (1_u64 << 56).to_string());
        Run::of(&mut command).exits_with(0).stdout
    };
    for arguments in [
        &["simulate", "--seed", "1", "--games", "3000", "--jobs", "4"][..],
        &["enumerate", "3x4", "--rules", "bataille", "--jobs", "4"],
    ] {
        let stdout = sandbox.war(arguments).exits_with(0).stdout;
        assert_eq!(alone(arguments), stdout);
    }
}
