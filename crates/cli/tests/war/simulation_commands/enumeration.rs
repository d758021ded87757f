//! Enumerations in parts: shards, checkpoints, forecasts.

use crate::support::{Place, Run};
#[cfg(unix)]
use std::process::{Command, Stdio};

const BATAILLE: [&str; 4] = ["enumerate", "3x4", "--rules", "bataille"];

fn enumerate(place: &Place, more: &[&str]) -> Run {
    place.war(&[&BATAILLE, more].concat())
}

#[test]
fn shards_join_to_the_whole() {
    let place = Place::new();
    for (shard, file) in [("1/2", "1.json"), ("2/2", "2.json")] {
        let run = enumerate(&place, &["--shard", shard, "--json", file]).ends_with(0);
        assert!(run.stdout.contains("\nshard:    parts "), "{run:#?}");
    }
    let merge = ["enumerate", "merge", "2.json", "1.json"];
    let files = ["--json", "joined.json", "--csv", "joined.csv"];
    let joined = place.war(&[&merge[..], &files].concat()).ends_with(0);
    let files = ["--json", "whole.json", "--csv", "whole.csv"];
    let whole = enumerate(&place, &files).ends_with(0);
    assert_eq!(place.read("joined.json"), place.read("whole.json"));
    assert_eq!(place.read("joined.csv"), place.read("whole.csv"));
    assert!(place.read("whole.csv").starts_with("turns,deals\n1,"));
    let without_kernel = |stdout: &str| -> String {
        let lines = stdout.lines().filter(|line| !line.starts_with("kernel:"));
        lines.map(|line| format!("{line}\n")).collect()
    };
    assert_eq!(joined.stdout, without_kernel(&whole.stdout));
    for (file, arguments) in [
        ("`1.json` and `1.json` overlap", &["1.json", "1.json"][..]),
        ("are missing", &["1.json"]),
        (
            "is one of the parts",
            &["1.json", "2.json", "--csv", "2.json"],
        ),
    ] {
        let run = place.war(&[&["enumerate", "merge"], arguments].concat());
        assert_ne!(run.code, 0);
        run.tells(file);
    }
    let json = enumerate(&place, &["--json", "-"]).ends_with(0);
    assert_eq!(json.stdout, place.read("whole.json"));
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let place = Place::new();
    enumerate(&place, &["--resume", "kept.json"]).ends_with(0);
    let again = enumerate(&place, &["--resume", "kept.json"]).ends_with(0);
    assert!(again.stdout.contains("endless 360"), "{again:#?}");
    let last_card = ["--out-of-cards", "last-card", "--resume", "kept.json"];
    let run = enumerate(&place, &last_card).ends_with(1);
    run.tells("`--out-of-cards` differs");
    let shard = ["--shard", "1/2", "--resume", "kept.json"];
    enumerate(&place, &shard).ends_with(1).tells("other parts");
    let kept = place.read("kept.json");
    for changed in [
        kept.replace("\"endless\": 360", "\"endless\": 361"),
        kept[..kept.len() / 2].to_owned(),
        String::new(),
    ] {
        place.write("kept.json", &changed);
        let run = enumerate(&place, &["--resume", "kept.json"]).ends_with(1);
        run.tells("`kept.json` is not part of an enumeration");
        assert_eq!(place.read("kept.json"), changed);
    }
    enumerate(&place, &["--resume", "-"]).ends_with(2);
    enumerate(&place, &["--resume", "no/kept.json"]).ends_with(4);
    let both = ["--resume", "new.json", "--json", "new.json"];
    enumerate(&place, &both).ends_with(2).tells("two outputs");
}

#[test]
fn long_enumerations_have_to_be_asked_for_twice() {
    // 10^15 deals that can't be merged.
    let place = Place::new();
    let run = place.war(&["enumerate", "10x2", "--rules", "bataille"]);
    run.ends_with(2).tells("`--yes`");
    let shard = ["enumerate", "3x4", "--shard", "99999/99999"];
    place.war(&shard).ends_with(0);
    let shard = ["enumerate", "2x1", "--shard", "1/9"];
    place.war(&shard).ends_with(2).tells("is empty");
}

#[test]
#[cfg(unix)]
fn an_interrupted_enumeration_goes_on_from_its_checkpoint() {
    let place = Place::new();
    // 1,814,400 deals, one by one.
    let rules = ["enumerate", "10x1", "--collect", "winner-first"];
    let all = [&rules[..], &["--out-of-cards", "loses", "--face-down", "0"]].concat();
    let resumed = [&all[..], &["--resume", "kept.json"]].concat();
    let mut command = place.command(&resumed);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    while !place.path("kept.json").exists() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("its output")).ends_with(3);
    let run = run
        .tells("interrupted: ")
        .tells("run the same command again");
    assert!(run.stdout.contains("\nplayed:   "), "{run:#?}");
    let merged = place.war(&["enumerate", "merge", "kept.json"]).ends_with(1);
    merged.tells("`kept.json` was interrupted");
    let resumed = place.war(&resumed).ends_with(0);
    let whole = place.war(&[&all[..], &["--json", "whole.json"]].concat());
    assert_eq!(resumed.stdout, whole.ends_with(0).stdout);
    assert_eq!(place.read("kept.json"), place.read("whole.json"));
}
