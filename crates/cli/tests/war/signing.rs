//! `war journal sign` and `war journal verify`, with keys and a signature that Debian's
//! `minisign` made.

use super::journal_faults::edited;
use super::support::{Place, Run, project};
use std::fs;
use std::process::Command;

/// A journal that minisign has signed with the key `signer`.
const JOURNAL: &str = "classic_dealt_won.json";

/// Which key that is.
const KEY: &str = "D0EDDE00A8917FD7";

/// The journal, the keys, and the signature beside the journal.
fn place() -> Place {
    let place = Place::new();
    let journal = fs::read(project().join("journals").join(JOURNAL));
    place.write(JOURNAL, journal.expect("a journal"));
    let keys = fs::read_dir(project().join("tests/keys")).expect("the keys");
    for key in keys {
        let path = key.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        place.write(&name, fs::read(&path).expect("a key"));
    }
    place
}

/// The journal and the keys alone.
fn unsigned() -> Place {
    let place = place();
    fs::remove_file(place.path(&signature(JOURNAL))).expect("the signature");
    place
}

fn signature(journal: &str) -> String {
    format!("{journal}.minisig")
}

fn sign(place: &Place, files: &[&str]) -> Run {
    place.war(&[&["journal", "sign", "--key", "signer.key"], files].concat())
}

fn verify(place: &Place, files: &[&str]) -> Run {
    place.war(&[&["journal", "verify", "--public-key", "signer.pub"], files].concat())
}

#[test]
fn a_signature_that_minisign_made_is_verified() {
    let place = place();
    let run = verify(&place, &[JOURNAL]).ends_with(0);
    let line = format!("VERIFIED {JOURNAL}: 53 events, ");
    assert!(run.stdout.starts_with(&line), "{run:#?}");
    assert!(
        run.stdout.ends_with(&format!(", signed with key {KEY}\n")),
        "{run:#?}"
    );
    assert_eq!(run.stderr, "");
    // The key itself stands for its file.
    let file = place.read("signer.pub");
    let key = file.lines().nth(1).expect("a key");
    let alone = place.war(&["journal", "verify", "--public-key", key, JOURNAL]);
    assert_eq!(alone.ends_with(0).stdout, run.stdout);
    let polish = ["--lang", "pl", "journal", "verify", JOURNAL];
    let polish = place.war(&[&polish, &["--public-key", key][..]].concat());
    let end = format!(", podpisano kluczem {KEY}\n");
    assert!(polish.ends_with(0).stdout.ends_with(&end));
}

#[test]
fn a_replay_says_of_a_signature_that_it_did_not_check_it() {
    let place = place();
    let replay = ["replay", JOURNAL, "--quiet"];
    let told = place.war(&replay).ends_with(0);
    let key = format!(
        "`{}` says that it is a signature with key {KEY}",
        signature(JOURNAL)
    );
    assert!(told.stderr.contains(&key), "{told:#?}");
    assert!(!told.stderr.contains("signed with"), "{told:#?}");
    let how = "which was not checked: `--public-key FILE` checks it";
    assert!(told.stderr.contains(how), "{told:#?}");
    // What comes from standard input has no file beside it.
    place.write("-.minisig", place.read(&signature(JOURNAL)));
    let piped = place.war_reading(place.read(JOURNAL).as_bytes(), &["replay", "--quiet", "-"]);
    let piped = piped.ends_with(0);
    assert!(!piped.stderr.contains("minisig"), "{piped:#?}");
    place.write(&signature(JOURNAL), "no signature");
    assert!(!place.war(&replay).ends_with(0).stderr.contains("minisig"));
    fs::remove_file(place.path(&signature(JOURNAL))).expect("the signature");
    assert!(!place.war(&replay).ends_with(0).stderr.contains("minisig"));
}

#[test]
fn a_replay_checks_the_signature_with_the_key_that_it_is_given() {
    let place = place();
    let printed = place.war(&["replay", JOURNAL]).ends_with(0);
    let key = place.read("signer.pub");
    let key = key.lines().nth(1).expect("a key");
    for key in ["signer.pub", key] {
        let run = place.war(&["replay", JOURNAL, "--public-key", key]);
        let run = run.ends_with(0);
        assert_eq!(run.stdout, printed.stdout);
        let run = run.tells(&format!(", signed with key {KEY}\n"));
        assert!(!run.stderr.contains("not checked"), "{run:#?}");
    }
    let polish = ["--lang", "pl", "replay", JOURNAL, "--public-key", key];
    let polish = place.war(&polish).ends_with(0);
    polish.tells(&format!(", podpisano kluczem {KEY}\n"));
}

#[test]
fn a_replay_prints_nothing_of_what_was_not_signed_with_the_key() {
    let place = place();
    let journal = place.read(JOURNAL);
    let signed = place.read(&signature(JOURNAL));
    place.write("changed.json", format!("{journal}\n"));
    place.write(
        "damaged.json",
        journal.replace("\"turn\":1,", "\"turn\":2,"),
    );
    for name in ["changed.json", "damaged.json"] {
        place.write(&signature(name), &signed);
    }
    for (name, key, verdict, told) in [
        (
            JOURNAL,
            "protected.pub",
            "UNEXPECTED",
            "WJ205 the detached signature was made with",
        ),
        (
            "changed.json",
            "signer.pub",
            "UNEXPECTED",
            "WJ205 the detached signature doesn't match",
        ),
        ("damaged.json", "signer.pub", "DAMAGED", "WJ202"),
    ] {
        let verified = place.war(&["journal", "verify", name, "--public-key", key]);
        let run = place.war(&["replay", name, "--public-key", key]);
        let run = run.ends_with(verified.code).ends_with(1).tells(told);
        let run = run.tells(&format!("{verdict} {name}: "));
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.contains("signed with key"), "{run:#?}");
    }
    let result = [
        "replay",
        "changed.json",
        "--result",
        "json",
        "--public-key",
        "signer.pub",
    ];
    let result = place.war(&result).ends_with(1);
    assert!(result.stdout.contains("\"WJ205\""), "{result:#?}");
}

#[test]
fn a_replay_says_why_it_can_not_check_a_signature() {
    let place = place();
    let replay = ["replay", JOURNAL, "--public-key", "signer.pub"];
    place.write(&signature(JOURNAL), "no signature");
    let run = place.war(&replay).ends_with(2).tells("is not a signature");
    assert_eq!(run.stdout, "");
    fs::remove_file(place.path(&signature(JOURNAL))).expect("the signature");
    let missing = format!("can't read `{JOURNAL}.minisig`");
    let run = place.war(&replay).ends_with(4).tells(&missing);
    assert_eq!(run.stdout, "");
    let run = place.war(&["replay", JOURNAL, "--public-key", "signer.key"]);
    run.ends_with(2).tells("`signer.key` is not a public key");
    // A file has a signature beside it, and what is still written has none.
    let journal = place.read(JOURNAL);
    let piped = ["replay", "-", "--public-key", "signer.pub"];
    let piped = place.war_reading(journal.as_bytes(), &piped).ends_with(2);
    piped.tells("`FILE` needs a file and can't be `-`");
    let follow = [&replay[..], &["--follow"]].concat();
    place.war(&follow).ends_with(2);
}

#[test]
fn what_is_signed_is_verified_and_never_overwritten() {
    let place = unsigned();
    let run = sign(&place, &[JOURNAL])
        .ends_with(0)
        .tells(&format!("VERIFIED {JOURNAL}"));
    let run = run.tells(&format!("{JOURNAL}.minisig: signed with key {KEY}"));
    assert_eq!(run.stdout, "");
    let signed = place.read(&signature(JOURNAL));
    let comment = signed.lines().nth(2).expect("the trusted comment");
    let digest = "65beb305410a611f291a47ef8b561854";
    let expected = format!("trusted comment: digest:{digest}\tfile:{JOURNAL}");
    assert_eq!(comment, expected);
    verify(&place, &[JOURNAL]).ends_with(0);
    sign(&place, &[JOURNAL])
        .ends_with(4)
        .tells("already exists, and signatures are never overwritten");
    assert_eq!(place.read(&signature(JOURNAL)), signed);
    let secret = place.read("signer.key");
    let secret = secret.lines().nth(1).expect("a key");
    assert!(!run.stderr.contains(secret), "{run:#?}");
}

#[test]
fn only_what_is_verified_is_signed() {
    let place = unsigned();
    let whole = place.read(JOURNAL);
    place.write("cut.json", &whole[..3000]);
    place
        .war(&["journal", "repair", "cut.json", "repaired.json"])
        .ends_with(0);
    let damaged = whole.replace("\"turn\":1,", "\"turn\":2,");
    place.write("damaged.json", damaged);
    place.write("diverged.json", edited(4, "[11,10,12,13]", "[13,12,11,10]"));
    place.write("new.json", whole.replace("classic/1", "classic/99"));
    for (name, verdict, code) in [
        ("cut.json", "INCOMPLETE", 3),
        ("repaired.json", "INCOMPLETE", 3),
        ("damaged.json", "DAMAGED", 1),
        ("diverged.json", "DIVERGED", 1),
        ("new.json", "UNSUPPORTED", 5),
    ] {
        let run = sign(&place, &[name]).ends_with(code);
        let run = run.tells(&format!("{verdict} {name}"));
        run.tells(&format!("{name} was not signed"));
        assert!(!place.path(&signature(name)).exists(), "{name}");
    }
    // The others of a list are signed all the same.
    sign(&place, &["damaged.json", JOURNAL]).ends_with(1);
    verify(&place, &[JOURNAL]).ends_with(0);
}

#[test]
fn a_signature_that_does_not_match_is_unexpected() {
    let place = place();
    let journal = place.read(JOURNAL);
    let signed = place.read(&signature(JOURNAL));
    // White space is not in the chain, but it is in the file.
    place.write("changed.json", format!("{journal}\n"));
    place.write(&signature("changed.json"), &signed);
    // The trusted comment is signed too.
    let comment = signed.replace("minisign 0.11", "minisign 0.12");
    place.write("comment.json", &journal);
    place.write(&signature("comment.json"), comment);
    for name in ["changed.json", "comment.json"] {
        let run = verify(&place, &[name]).ends_with(1);
        let run = run.tells(&format!(
            "{name}:1:1: WJ205 the detached signature doesn't match the file; "
        ));
        let line = format!("UNEXPECTED {name}: 53 events");
        assert!(run.stdout.starts_with(&line), "{run:#?}");
        assert!(!run.stdout.contains("signed with"), "{run:#?}");
    }
    let run = verify(&place, &["changed.json", JOURNAL]).ends_with(1);
    let verdicts: Vec<_> = run.stdout.lines().map(|line| &line[..8]).collect();
    assert_eq!(verdicts, ["UNEXPECT", "VERIFIED"], "{run:#?}");
}

#[test]
fn a_signature_of_another_key_is_unexpected() {
    let place = place();
    let args = ["journal", "verify", JOURNAL, "--public-key"];
    let run = place.war(&[&args[..], &["protected.pub"]].concat());
    run.ends_with(1).tells(&format!(
        "{JOURNAL}:1:1: WJ205 the detached signature was made with another key, {KEY}; "
    ));
}

#[test]
fn damage_to_the_journal_weighs_more_than_its_signature() {
    let place = place();
    let damaged = place.read(JOURNAL).replace("\"turn\":1,", "\"turn\":2,");
    place.write(JOURNAL, damaged);
    let run = verify(&place, &[JOURNAL]).ends_with(1).tells("WJ202");
    assert!(run.stdout.starts_with("DAMAGED"), "{run:#?}");
    assert!(!run.stderr.contains("WJ205"), "{run:#?}");
    place.write(JOURNAL, &place.read(JOURNAL)[..3000]);
    verify(&place, &[JOURNAL]).ends_with(1);
}

#[test]
fn what_is_not_a_signature_is_told() {
    let place = place();
    let signed = place.read(&signature(JOURNAL));
    let lines: Vec<_> = signed.lines().collect();
    let without_last = format!("{}\n", lines[..3].join("\n"));
    let short = signed.replace(lines[3], "AAAA");
    let legacy = signed.replace("\nRUT", "\nRWT");
    for (text, told) in [
        ("", "is not a signature"),
        ("signed\n", "is not a signature"),
        (&without_last, "is not a signature"),
        (&short, "is not a signature"),
        (&place.read("signer.pub"), "is not a signature"),
        (&legacy, "legacy kind"),
    ] {
        place.write(&signature(JOURNAL), text);
        let run = verify(&place, &[JOURNAL]).ends_with(2).tells(told);
        assert_eq!(run.stdout, "", "{run:#?}");
    }
    fs::remove_file(place.path(&signature(JOURNAL))).expect("the signature");
    verify(&place, &[JOURNAL])
        .ends_with(4)
        .tells(&format!("can't read `{JOURNAL}.minisig`"));
}

#[test]
fn a_journal_that_can_not_be_read_is_told() {
    let place = place();
    place.write("missing.json.minisig", place.read(&signature(JOURNAL)));
    let run = verify(&place, &["missing.json", JOURNAL]).ends_with(4);
    let run = run.tells("can't read `missing.json`");
    assert!(
        run.stdout.starts_with("UNREADABLE missing.json\nVERIFIED "),
        "{run:#?}"
    );
    let run = sign(&place, &["missing.json"]).ends_with(4);
    run.tells("can't read `missing.json`")
        .tells("was not signed");
}

#[test]
fn what_is_not_a_key_is_told() {
    let place = unsigned();
    place.write("zeros.key", [0; 300]);
    let secret = place.read("signer.key");
    // A letter of the key itself, which has no checksum here.
    place.write("bent.key", secret.replace("EPWD2be4", "EPWD2be5"));
    for (key, code, told) in [
        ("missing.key", 4, "can't read `missing.key`"),
        ("signer.pub", 2, "`signer.pub` is not a secret key"),
        ("zeros.key", 2, "`zeros.key` is not a secret key"),
        ("bent.key", 2, "`bent.key` is not a secret key"),
        (JOURNAL, 2, "is not a secret key"),
    ] {
        let run = place.war(&["journal", "sign", JOURNAL, "--key", key]);
        run.ends_with(code).tells(told);
    }
    for (key, code, told) in [
        ("missing.pub", 4, "can't read `missing.pub`"),
        ("signer.key", 2, "`signer.key` is not a public key"),
        ("zeros.key", 2, "`zeros.key` is not a public key"),
    ] {
        let run = place.war(&["journal", "verify", JOURNAL, "--public-key", key]);
        run.ends_with(code).tells(told);
    }
    assert!(!place.path(&signature(JOURNAL)).exists());
}

#[test]
fn a_key_may_come_from_standard_input_and_a_journal_may_not() {
    let place = unsigned();
    let key = place.read("signer.key");
    let run = place.war_reading(key.as_bytes(), &["journal", "sign", JOURNAL, "--key", "-"]);
    run.ends_with(0);
    let key = place.read("signer.pub");
    let args = ["journal", "verify", JOURNAL, "--public-key", "-"];
    place.war_reading(key.as_bytes(), &args).ends_with(0);
    let told = "`FILE` needs a file and can't be `-`";
    sign(&place, &["-"]).ends_with(2).tells(told);
    verify(&place, &["-"]).ends_with(2).tells(told);
}

#[test]
fn a_password_needs_a_terminal() {
    let place = unsigned();
    let program = place.command(&["journal", "sign", JOURNAL, "--key", "protected.key"]);
    // In a session of its own, so that there is no terminal.
    let mut alone = Command::new("setsid");
    alone.arg("--wait").arg(program.get_program());
    alone.args(program.get_args());
    alone.current_dir(place.path("")).env_clear();
    let told = "the key `protected.key` is protected by a password, but there is no terminal";
    Run::of(&mut alone).ends_with(4).tells(told);
    assert!(!place.path(&signature(JOURNAL)).exists());
}

fn minisign(place: &Place, arguments: &[&str]) -> Run {
    let mut minisign = Command::new("minisign");
    Run::of(minisign.args(arguments).current_dir(place.path("")))
}

#[test]
#[ignore = "needs minisign; `.ci/deep` installs it"]
fn minisign_and_the_program_verify_what_the_other_signs() {
    let place = place();
    minisign(&place, &["-G", "-W", "-p", "new.pub", "-s", "new.key"]).ends_with(0);
    let journals = [".json", ".jsonl"].map(|suffix| super::support::files("journals", suffix));
    for path in journals.concat() {
        let name = path.file_name().expect("a name").to_string_lossy();
        place.write(&name, fs::read(&path).expect("a journal"));
        let _ = fs::remove_file(place.path(&signature(&name)));
        let signed = place.war(&["journal", "sign", &name, "--key", "new.key"]);
        if signed.code != 3 {
            signed.ends_with(0);
            let run = minisign(&place, &["-V", "-m", &name, "-p", "new.pub"]).ends_with(0);
            assert!(
                run.stdout.contains("Trusted comment: digest:"),
                "{name}: {run:#?}"
            );
            fs::remove_file(place.path(&signature(&name))).expect("the signature");
        }
        minisign(&place, &["-S", "-m", &name, "-s", "new.key"]).ends_with(0);
        let run = place.war(&["journal", "verify", &name, "--public-key", "new.pub"]);
        // Of a file that ends too early it says where, and nothing of a signature.
        let is_torn = run.stderr.contains("WJ101");
        assert!(
            is_torn != run.stdout.contains(", signed with key "),
            "{name}: {run:#?}"
        );
        // What was cut off is intact, and may be signed by those who know what they do.
        let code = if run.stdout.starts_with("INCOMPLETE") {
            3
        } else {
            0
        };
        run.ends_with(code);
    }
}

#[test]
#[ignore = "needs minisign and expect; `.ci/deep` installs them"]
fn a_password_is_asked_for_on_the_terminal() {
    let place = unsigned();
    let program = env!("CARGO_BIN_EXE_war");
    let types = |password: &str, shown: &str| {
        // A person needs a moment to type, and the terminal to stop showing what is typed.
        let script = format!(
            "set timeout 300; spawn {program} journal sign {JOURNAL} --key protected.key; \
             expect -ex {{Password of the key: }} {{}} timeout {{exit 1}} eof {{exit 1}}; \
             sleep 1; send \"{password}\\r\"; \
             expect -ex {{{shown}}} {{}} timeout {{exit 1}} eof {{exit 1}}; expect eof"
        );
        let mut terminal = Command::new("expect");
        terminal
            .args(["-c", &script])
            .current_dir(place.path(""))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", place.path(""))
            .env("TERM", "xterm");
        let run = Run::of(&mut terminal).ends_with(0);
        assert!(!run.stdout.contains(password), "{run:#?}");
    };
    types("open barley", "this is not the password of the key");
    assert!(!place.path(&signature(JOURNAL)).exists());
    types("open sesame", ": signed with key");
    minisign(&place, &["-V", "-m", JOURNAL, "-p", "protected.pub"]).ends_with(0);
}

#[cfg(feature = "table")]
#[test]
#[ignore = "needs minisign; `.ci/deep` installs it"]
fn minisign_takes_the_key_of_a_table() {
    let place = unsigned();
    let file = war::signing::TableKey::generate().expect("randomness");
    let key = war::signing::TableKey::from_file(&file).expect("a key");
    place.write("table.key", &file);
    place.write("table.pub", key.public_file());
    let digest = "65beb305410a611f291a47ef8b561854".parse().expect("digits");
    let journal = fs::read(place.path(JOURNAL)).expect("a journal");
    let signed = key.sign_journal(&journal, &digest);
    place.write(&signature(JOURNAL), signed);
    minisign(&place, &["-V", "-m", JOURNAL, "-p", "table.pub"]).ends_with(0);
    let verified = ["journal", "verify", JOURNAL, "--public-key", "table.pub"];
    place.war(&verified).ends_with(0);
    // And minisign signs with the table's key itself.
    fs::remove_file(place.path(&signature(JOURNAL))).expect("the signature");
    minisign(&place, &["-S", "-m", JOURNAL, "-s", "table.key"]).ends_with(0);
    let run = place.war(&verified).ends_with(0);
    assert!(run.stdout.contains(&key.id()), "{run:#?}");
}
