//! Files that are written.

use crate::support::{Place, Run};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

#[test]
fn an_output_is_replaced_only_when_it_is_whole() {
    let place = Place::new();
    place.write("run.json", "old");
    let refused = ["simulate", "--json", "run.json", "--csv", "missing/run.csv"];
    place.war(&refused).ends_with(4);
    assert_eq!(place.read("run.json"), "old");
    assert!(!place.path("run.json.part").exists(), "a leftover");
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
    assert!(!place.path("run.json.part").exists(), "a leftover");
}

#[test]
fn what_another_run_is_writing_is_left_alone() {
    let place = Place::new();
    for lang in ["en", "pl"] {
        let run = ["--lang", lang, "simulate", "--games", "1000000000000"];
        let run = |files: &[&str]| place.war(&[&run[..], files].concat()).ends_with(4);
        let other = place.write("run.json.part", "another's");
        let other = File::options().append(true).open(other).expect("the file");
        other.try_lock().expect("a lock");
        run(&["--json", "run.json"]).tells("run.json.part`");
        assert_eq!(place.read("run.json.part"), "another's");
        assert!(!place.path("run.json").exists());
    }
    std::fs::remove_file(place.path("run.json.part")).expect("the file");
    std::fs::create_dir(place.path("run.json.part")).expect("a directory");
    let run = ["simulate", "--games", "1000000000000", "--json", "run.json"];
    place.war(&run).ends_with(4).tells("run.json.part`");
}

#[test]
fn what_a_run_has_left_that_was_killed_is_in_nobodys_way() {
    let place = Place::new();
    place.write("run.json.part", "{".repeat(100_000));
    let run = ["simulate", "--games", "10", "--json", "run.json"];
    place.war(&run).ends_with(0);
    assert!(place.read("run.json").ends_with("\n}\n"));
    assert!(!place.path("run.json.part").exists(), "a leftover");
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
        assert!(!place.path("run.out.part").exists(), "a leftover");
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
