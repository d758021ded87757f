//! Interrupted imports of printed games.

use super::running::RunningProgram;
use crate::support::Sandbox;
use std::fs;
use std::process::Stdio;

#[test]
fn an_interrupted_import_leaves_no_partial_journal() {
    let sandbox = Sandbox::new();
    let table = sandbox.war(&["xy", "42"]).exits_with(0).stdout;
    let names: Vec<_> = (0..400).map(|number| format!("{number:03}.txt")).collect();
    for name in &names {
        sandbox.write(name, &table);
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let import = [&["import", "xy", "--journal-dir", "out"], &names[..]].concat();
    for (number, lang) in [(3, "en"), (40, "pl")] {
        fs::create_dir(sandbox.path("out")).expect("a directory");
        let mut command = sandbox.command(&[&["--lang", lang], &import[..]].concat());
        let mut running =
            RunningProgram::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
        running.wait_for(&sandbox, &format!("out/{number:03}.json"), 1);
        running.signal("INT");
        running.wait().exits_with(3);
        let mut journals: Vec<_> = fs::read_dir(sandbox.path("out"))
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
        sandbox
            .war(&[&["journal", "check"], &check[..]].concat())
            .exits_with(0);
        fs::remove_dir_all(sandbox.path("out")).expect("the directory");
    }
}
