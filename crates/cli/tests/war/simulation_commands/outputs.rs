//! Output files of the simulation commands.

use super::unfinished;
use crate::support::{Run, Sandbox};
use std::io::Read;
use std::process::Stdio;

#[test]
fn an_output_is_replaced_only_when_complete() {
    let sandbox = Sandbox::new();
    sandbox.write("run.json", "old");
    let refused = ["simulate", "--json", "run.json", "--csv", "missing/run.csv"];
    sandbox.war(&refused).exits_with(4);
    assert_eq!(sandbox.read("run.json"), "old");
    assert_eq!(unfinished(&sandbox, "run.json"), None);
    sandbox
        .war(&[
            "simulate",
            "--games",
            "10",
            "--json",
            "run.json",
            "--csv",
            "/dev/null",
        ])
        .exits_with(0);
    assert!(
        sandbox
            .read("run.json")
            .starts_with("{\n  \"format\": \"war-simulation\"")
    );
    assert_eq!(unfinished(&sandbox, "run.json"), None);
}

#[test]
fn another_run_s_temporary_file_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("run.json.part", "another's");
    sandbox.write("run.json.abcdef.part", "another's");
    let run = ["simulate", "--games", "10", "--json", "run.json"];
    sandbox.war(&run).exits_with(0);
    assert!(sandbox.read("run.json").ends_with("\n}\n"));
    for other in ["run.json.part", "run.json.abcdef.part"] {
        assert_eq!(sandbox.read(other), "another's");
        std::fs::remove_file(sandbox.path(other)).expect("the file");
    }
    assert_eq!(unfinished(&sandbox, "run.json"), None);
}

#[test]
fn an_output_may_have_the_longest_name() {
    let sandbox = Sandbox::new();
    let name = format!("{}.json", "n".repeat(250));
    let run = ["simulate", "--games", "2", "--seed", "1", "--json", &name];
    sandbox.war(&run).exits_with(0);
    assert!(sandbox.read(&name).starts_with('{'));
}

#[test]
#[cfg(unix)]
fn an_output_has_the_default_permissions() {
    use std::os::unix::fs::MetadataExt;
    let sandbox = Sandbox::new();
    let run = ["simulate", "--games", "10", "--json", "run.json"];
    sandbox.war(&run).exits_with(0);
    sandbox.write("other", "");
    let mode = |name: &str| sandbox.path(name).metadata().expect("a file").mode();
    assert_eq!(mode("run.json"), mode("other"));
}

#[test]
fn one_file_cannot_be_two_outputs() {
    let sandbox = Sandbox::new();
    for (lang, told) in [("en", "two outputs"), ("pl", "dwa wyniki")] {
        let run = ["--lang", lang, "simulate", "--games", "1000000000000"];
        let twice = ["--json", "run.out", "--csv-games", "./run.out"];
        let run = sandbox.war(&[&run[..], &twice].concat()).exits_with(2);
        run.reports(told);
        assert!(!sandbox.path("run.out").exists());
        assert_eq!(unfinished(&sandbox, "run.out"), None);
    }
}

#[test]
#[cfg(unix)]
fn an_output_replaces_the_target_of_a_link() {
    let sandbox = Sandbox::new();
    sandbox.write("run.json", "old");
    std::os::unix::fs::symlink("run.json", sandbox.path("link.json")).expect("a link");
    let run = ["simulate", "--games", "10", "--json", "link.json"];
    sandbox.war(&run).exits_with(0);
    assert!(sandbox.path("link.json").is_symlink(), "the link is gone");
    assert!(sandbox.read("run.json").contains("war-simulation"));
    // Two names of one file are one output.
    let both = ["--json", "link.json", "--csv", "run.json"];
    let both = [&["simulate", "--games", "10"], &both[..]].concat();
    sandbox.war(&both).exits_with(2);
}

#[test]
fn rows_into_a_closed_pipe_end_quietly() {
    let sandbox = Sandbox::new();
    let rows = [
        "--deck",
        "small",
        "--games",
        "30000",
        "--csv-games",
        "/dev/stdout",
    ];
    let mut child = sandbox
        .command(&[&["simulate", "--rules", "bataille"], &rows[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut first = [0; 5];
    let mut stdout = child.stdout.take().expect("its output");
    stdout.read_exact(&mut first).expect("a beginning");
    drop(stdout);
    let run = Run::from(child.wait_with_output().expect("its end")).exits_with(0);
    assert_eq!((&first[..], run.stderr.as_str()), (&b"game,"[..], ""));
}

#[cfg(unix)]
#[test]
fn a_link_that_cannot_be_followed_is_not_replaced() {
    let sandbox = Sandbox::new();
    let link = sandbox.path("out.json");
    std::os::unix::fs::symlink("out.json", &link).expect("a link");
    let run = sandbox.war(&["simulate", "--games", "1", "--json", "out.json"]);
    run.exits_with(4).reports("can't write `out.json`");
    let found = std::fs::symlink_metadata(link).expect("a link");
    assert!(found.is_symlink());
}
