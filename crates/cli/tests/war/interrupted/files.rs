//! Journals made of files that are already there.

use super::running::Running;
use crate::support::Place;
use std::fs;
use std::process::Stdio;

#[test]
fn an_interrupted_import_leaves_no_half_of_a_journal() {
    let place = Place::new();
    let table = place.war(&["xy", "42"]).ends_with(0).stdout;
    let names: Vec<_> = (0..400).map(|number| format!("{number:03}.txt")).collect();
    for name in &names {
        place.write(name, &table);
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let import = [&["import", "xy", "--journal-dir", "out"], &names[..]].concat();
    for (number, lang) in [(3, "en"), (40, "pl")] {
        fs::create_dir(place.path("out")).expect("a directory");
        let mut command = place.command(&[&["--lang", lang], &import[..]].concat());
        let mut running = Running::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
        running.wait_for(&place, &format!("out/{number:03}.json"), 1);
        running.signal("INT");
        running.ends().ends_with(3);
        let mut journals: Vec<_> = fs::read_dir(place.path("out"))
            .expect("journals")
            .map(|entry| format!("out/{}", entry.expect("a file").file_name().display()))
            .collect();
        journals.sort();
        assert!(
            (number..400).contains(&journals.len()),
            "{}",
            journals.len()
        );
        let check: Vec<_> = journals.iter().map(String::as_str).collect();
        place
            .war(&[&["journal", "check"], &check[..]].concat())
            .ends_with(0);
        fs::remove_dir_all(place.path("out")).expect("the directory");
    }
}
