//! Files that are written.

use super::unfinished;
use crate::support::{Place, Run};
use std::io::Read;
use std::process::Stdio;

#[test]
fn an_output_is_replaced_only_when_it_is_whole() {
    let place = Place::new();
    place.write("run.json", "old");
    let refused = ["simulate", "--json", "run.json", "--csv", "missing/run.csv"];
    place.war(&refused).ends_with(4);
    assert_eq!(place.read("run.json"), "old");
    assert_eq!(unfinished(&place, "run.json"), None);
    place
        .war(&[
            "simulate",
            "--games",
            "10",
            "--json",
            "run.json",
            "--csv",
            "/dev/null",
        ])
        .ends_with(0);
    assert!(
        place
            .read("run.json")
            .starts_with("{\n  \"format\": \"war-simulation\"")
    );
    assert_eq!(unfinished(&place, "run.json"), None);
}

#[test]
fn what_another_run_is_writing_is_left_alone() {
    let place = Place::new();
    place.write("run.json.part", "another's");
    place.write("run.json.abcdef.part", "another's");
    let run = ["simulate", "--games", "10", "--json", "run.json"];
    place.war(&run).ends_with(0);
    assert!(place.read("run.json").ends_with("\n}\n"));
    for other in ["run.json.part", "run.json.abcdef.part"] {
        assert_eq!(place.read(other), "another's");
        std::fs::remove_file(place.path(other)).expect("the file");
    }
    assert_eq!(unfinished(&place, "run.json"), None);
}

#[test]
#[cfg(unix)]
fn an_output_has_the_permissions_of_every_new_file() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new();
    let run = ["simulate", "--games", "10", "--json", "run.json"];
    place.war(&run).ends_with(0);
    place.write("other", "");
    let mode = |name: &str| place.path(name).metadata().expect("a file").mode();
    assert_eq!(mode("run.json"), mode("other"));
}

#[test]
fn one_file_is_one_output() {
    let place = Place::new();
    for (lang, told) in [("en", "two outputs"), ("pl", "dwa wyniki")] {
        let run = ["--lang", lang, "simulate", "--games", "1000000000000"];
        let twice = ["--json", "run.out", "--csv-games", "./run.out"];
        let run = place.war(&[&run[..], &twice].concat()).ends_with(2);
        run.tells(told);
        assert!(!place.path("run.out").exists());
        assert_eq!(unfinished(&place, "run.out"), None);
    }
}

#[test]
#[cfg(unix)]
fn an_output_is_put_where_its_link_leads() {
    let place = Place::new();
    place.write("run.json", "old");
    std::os::unix::fs::symlink("run.json", place.path("link.json")).expect("a link");
    let run = ["simulate", "--games", "10", "--json", "link.json"];
    place.war(&run).ends_with(0);
    assert!(place.path("link.json").is_symlink(), "the link is gone");
    assert!(place.read("run.json").contains("war-simulation"));
    // Two names of one file are one output.
    let both = ["--json", "link.json", "--csv", "run.json"];
    let both = [&["simulate", "--games", "10"], &both[..]].concat();
    place.war(&both).ends_with(2);
}

#[test]
fn rows_into_a_pipe_that_is_closed_end_quietly() {
    let place = Place::new();
    let rows = [
        "--deck",
        "small",
        "--games",
        "30000",
        "--csv-games",
        "/dev/stdout",
    ];
    let mut child = place
        .command(&[&["simulate", "--rules", "bataille"], &rows[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut first = [0; 5];
    let mut stdout = child.stdout.take().expect("its output");
    stdout.read_exact(&mut first).expect("a beginning");
    drop(stdout);
    let run = Run::from(child.wait_with_output().expect("its end")).ends_with(0);
    assert_eq!((&first[..], run.stderr.as_str()), (&b"game,"[..], ""));
}
