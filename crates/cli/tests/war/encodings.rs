//! Text files in other encodings than UTF-8.

use super::support::{Sandbox, project};
use std::fs;

/// UTF-16 as Windows PowerShell's `>` writes it, with a byte-order mark and carriage returns.
fn powershell(text: &str) -> Vec<u8> {
    [&[0xff, 0xfe][..], &utf16_without_mark(text)].concat()
}

fn utf16_without_mark(text: &str) -> Vec<u8> {
    let text = text.replace('\n', "\r\n");
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn every_text_file_in_utf16_is_named_and_can_be_converted() {
    let sandbox = Sandbox::new();
    let valid = |arguments: &[&str]| sandbox.war(arguments).exits_with(0).stdout;
    let table = valid(&["xy", "42"]);
    let journal = valid(&["4", "small", "--seed", "1", "--journal", "-"]);
    let part = valid(&["simulate", "--games", "9", "--seed", "1", "--json", "-"]);
    let deals = valid(&["enumerate", "2x2", "--json", "-"]);
    let hands = "[[9,10],[11,12]]".to_owned();
    let settings = "[log]\nlevel = \"info\"\n".to_owned();
    let key = fs::read_to_string(project().join("tests/keys/signer.pub")).expect("a key");
    let signature = fs::read_to_string(project().join("tests/keys/classic_dealt_won.json.minisig"));
    let signature = signature.expect("a signature");
    sandbox.write("signed.json", &journal);
    sandbox.write("signer.pub", &key);

    for (file, text, code, arguments) in [
        ("table.txt", &table, 1, &["import", "xy", "table.txt"][..]),
        ("hands.json", &hands, 1, &["--scenario", "hands.json"]),
        (
            "hands.json",
            &hands,
            1,
            &["duels", "--scenario", "hands.json"],
        ),
        (
            "hands.json",
            &hands,
            1,
            &["simulate", "--deal", "hands.json"],
        ),
        ("war.toml", &settings, 2, &["4", "small"]),
        (".config/war/war.toml", &settings, 2, &["xy", "1"]),
        (
            "set.toml",
            &settings,
            2,
            &["xy", "1", "--config", "set.toml"],
        ),
        ("part.json", &part, 1, &["simulate", "merge", "part.json"]),
        (
            "part.json",
            &part,
            1,
            &["simulate", "--resume", "part.json"],
        ),
        ("part.json", &deals, 1, &["enumerate", "merge", "part.json"]),
        ("game.json", &journal, 1, &["replay", "game.json"]),
        ("game.json", &journal, 1, &["journal", "check", "game.json"]),
        ("game.json", &journal, 1, &["journal", "show", "game.json"]),
        (
            "game.json",
            &journal,
            1,
            &["journal", "export", "game.json"],
        ),
        ("game.json", &journal, 1, &["stats", "game.json"]),
        (
            "key.pub",
            &key,
            2,
            &[
                "journal",
                "verify",
                "signed.json",
                "--public-key",
                "key.pub",
            ],
        ),
        (
            "signed.json.minisig",
            &signature,
            2,
            &[
                "journal",
                "verify",
                "signed.json",
                "--public-key",
                "signer.pub",
            ],
        ),
    ] {
        for content in [powershell(text), utf16_without_mark(text)] {
            let path = sandbox.write(file, content);
            for lang in ["en", "pl"] {
                let run = sandbox.war(&[arguments, &["--lang", lang]].concat());
                let told = format!("{}{}", run.stdout, run.stderr);
                // Windows shows the directories of a path in its own way.
                let told = told.replace('\\', "/");
                assert_eq!(run.code, code, "{arguments:?}: {told}");
                for part in [file, ":1:", "UTF-16", "UTF-8", "-Encoding"] {
                    let place = told.replace("line 1, ", ":1:").replace("wiersz 1, ", ":1:");
                    assert!(place.contains(part), "{part} of {arguments:?} in {told}");
                }
            }
            fs::remove_file(path).expect("the file");
        }
    }
}

#[test]
fn the_first_byte_that_is_not_utf8_is_located() {
    let sandbox = Sandbox::new();
    let table = sandbox
        .war(&["--lang", "pl", "xy", "42"])
        .exits_with(0)
        .stdout;
    let before = table.find(|letter: char| !letter.is_ascii());
    let before = before.expect("a Polish letter") + 1;
    // `ę` in ISO 8859-2, in place of every Polish letter.
    let byte = |letter: char| {
        if letter.is_ascii() {
            letter as u8
        } else {
            0xea
        }
    };
    let bytes: Vec<u8> = table.chars().map(byte).collect();
    sandbox.write("table.txt", &bytes);
    for run in [
        sandbox.war(&["import", "xy", "table.txt"]),
        sandbox.war_reading(&bytes, &["import", "xy", "-"]),
    ] {
        let run = run.exits_with(1).reports(&format!(":1:{before}: "));
        run.reports("hint: save it as UTF-8");
    }

    sandbox.write("war.toml", b"[log]\n# \xea\n");
    let run = sandbox.war(&["4", "small"]).exits_with(2);
    run.reports("war.toml:2:3: ")
        .reports("hint: save it as UTF-8");
}

#[test]
fn a_converted_file_is_accepted() {
    let sandbox = Sandbox::new();
    let journal = sandbox.war(&["4", "small", "--seed", "1", "--journal", "-"]);
    let journal = journal.exits_with(0).stdout.replace('\n', "\r\n");
    sandbox.write("game.json", journal);
    sandbox.war(&["replay", "game.json"]).exits_with(0);

    // `Out-File -Encoding utf8` of Windows PowerShell writes a byte-order mark.
    let table = sandbox.war(&["xy", "42"]).exits_with(0).stdout;
    let table = format!("\u{feff}{}", table.replace('\n', "\r\n"));
    sandbox.write("table.txt", table);
    sandbox.war(&["import", "xy", "table.txt"]).exits_with(0);
    sandbox.write("war.toml", "\u{feff}[log]\r\nlevel = \"off\"\r\n");
    let logs = sandbox.logs().len();
    sandbox.war(&["4", "small", "--seed", "1"]).exits_with(0);
    assert_eq!(sandbox.logs().len(), logs);
}
