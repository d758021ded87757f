//! Enumerations in parts: shards, checkpoints, forecasts.

use crate::support::{Run, Sandbox};
#[cfg(unix)]
use std::process::{Command, Stdio};

const BATAILLE: [&str; 4] = ["enumerate", "3x4", "--rules", "bataille"];

fn enumerate(sandbox: &Sandbox, more: &[&str]) -> Run {
    sandbox.war(&[&BATAILLE, more].concat())
}

#[test]
fn joined_shards_equal_the_whole() {
    let sandbox = Sandbox::new();
    for (shard, file) in [("1/2", "1.json"), ("2/2", "2.json")] {
        let run = enumerate(&sandbox, &["--shard", shard, "--json", file]).exits_with(0);
        assert!(run.stdout.contains("\nshard:    parts "), "{run:#?}");
    }
    let merge = ["enumerate", "merge", "2.json", "1.json"];
    let files = ["--json", "joined.json", "--csv", "joined.csv"];
    let joined = sandbox.war(&[&merge[..], &files].concat()).exits_with(0);
    let files = ["--json", "whole.json", "--csv", "whole.csv"];
    let whole = enumerate(&sandbox, &files).exits_with(0);
    assert_eq!(sandbox.read("joined.json"), sandbox.read("whole.json"));
    assert_eq!(sandbox.read("joined.csv"), sandbox.read("whole.csv"));
    assert!(
        sandbox
            .read("whole.csv")
            .starts_with("turns,deals,ending\n1,")
    );
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
        let run = sandbox.war(&[&["enumerate", "merge"], arguments].concat());
        assert_ne!(run.code, 0);
        run.reports(file);
    }
    let json = enumerate(&sandbox, &["--json", "-"]).exits_with(0);
    assert_eq!(json.stdout, sandbox.read("whole.json"));
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let sandbox = Sandbox::new();
    enumerate(&sandbox, &["--resume", "kept.json"]).exits_with(0);
    let again = enumerate(&sandbox, &["--resume", "kept.json"]).exits_with(0);
    assert!(again.stdout.contains("endless 360"), "{again:#?}");
    let last_card = ["--out-of-cards", "last-card", "--resume", "kept.json"];
    let run = enumerate(&sandbox, &last_card).exits_with(1);
    run.reports("`--out-of-cards` differs");
    let shard = ["--shard", "1/2", "--resume", "kept.json"];
    enumerate(&sandbox, &shard)
        .exits_with(1)
        .reports("other parts");
    let kept = sandbox.read("kept.json");
    for changed in [
        kept.replace("\"endless\": 360", "\"endless\": 361"),
        kept[..kept.len() / 2].to_owned(),
        String::new(),
    ] {
        sandbox.write("kept.json", &changed);
        let run = enumerate(&sandbox, &["--resume", "kept.json"]).exits_with(1);
        run.reports("`kept.json` is not part of an enumeration");
        assert_eq!(sandbox.read("kept.json"), changed);
    }
    enumerate(&sandbox, &["--resume", "-"]).exits_with(2);
    enumerate(&sandbox, &["--resume", "no/kept.json"]).exits_with(4);
    let both = ["--resume", "new.json", "--json", "new.json"];
    enumerate(&sandbox, &both)
        .exits_with(2)
        .reports("two outputs");
}

#[test]
fn long_enumerations_require_confirmation() {
    // 10^15 deals that can't be merged.
    let sandbox = Sandbox::new();
    let run = sandbox.war(&["enumerate", "10x2", "--rules", "bataille"]);
    run.exits_with(2).reports("`--yes`");
    let shard = ["enumerate", "3x4", "--shard", "99999/99999"];
    sandbox.war(&shard).exits_with(0);
    let shard = ["enumerate", "2x1", "--shard", "1/9"];
    sandbox.war(&shard).exits_with(2).reports("is empty");
}

#[test]
#[cfg(unix)]
fn an_interrupted_enumeration_resumes_from_its_checkpoint() {
    let sandbox = Sandbox::new();
    // 1,814,400 deals, played one by one.
    let rules = ["enumerate", "10x1", "--collect", "winner-first"];
    let all = [&rules[..], &["--out-of-cards", "loses", "--face-down", "0"]].concat();
    let resumed = [&all[..], &["--resume", "kept.json"]].concat();
    let mut command = sandbox.command(&resumed);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    while !sandbox.path("kept.json").exists() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("its output")).exits_with(3);
    let run = run
        .reports("interrupted: ")
        .reports("run the same command again");
    assert!(run.stdout.contains("\nplayed:   "), "{run:#?}");
    let merged = sandbox
        .war(&["enumerate", "merge", "kept.json"])
        .exits_with(1);
    merged.reports("`kept.json` was interrupted");
    let resumed = sandbox.war(&resumed).exits_with(0);
    let whole = sandbox.war(&[&all[..], &["--json", "whole.json"]].concat());
    assert_eq!(resumed.stdout, whole.exits_with(0).stdout);
    assert_eq!(sandbox.read("kept.json"), sandbox.read("whole.json"));
}
