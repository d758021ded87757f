//! `war journal sign` and `war journal verify`, with keys and a signature from Debian's `minisign`.

use super::journal_faults::edited;
use super::support::{Run, Sandbox, project};
use std::fs;
use std::process::Command;

/// Journal that minisign signed with the key `signer`.
const JOURNAL: &str = "classic_dealt_won.json";

/// Id of the key `signer`.
const KEY: &str = "D0EDDE00A8917FD7";

/// Sandbox with the journal, the keys, and the signature beside the journal.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let journal = fs::read(project().join("journals").join(JOURNAL));
    sandbox.write(JOURNAL, journal.expect("a journal"));
    let keys = fs::read_dir(project().join("tests/keys")).expect("the keys");
    for key in keys {
        let path = key.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        sandbox.write(&name, fs::read(&path).expect("a key"));
    }
    sandbox
}

/// Sandbox with only the journal and the keys.
fn unsigned() -> Sandbox {
    let sandbox = sandbox();
    fs::remove_file(sandbox.path(&signature(JOURNAL))).expect("the signature");
    sandbox
}

fn signature(journal: &str) -> String {
    format!("{journal}.minisig")
}

fn sign(sandbox: &Sandbox, files: &[&str]) -> Run {
    sandbox.war(&[&["journal", "sign", "--key", "signer.key"], files].concat())
}

fn verify(sandbox: &Sandbox, files: &[&str]) -> Run {
    sandbox.war(&[&["journal", "verify", "--public-key", "signer.pub"], files].concat())
}

#[test]
fn a_signature_that_minisign_made_is_verified() {
    let sandbox = sandbox();
    let run = verify(&sandbox, &[JOURNAL]).exits_with(0);
    let line = format!("VERIFIED {JOURNAL}: 53 events, ");
    assert!(run.stdout.starts_with(&line), "{run:#?}");
    assert!(
        run.stdout.ends_with(&format!(", signed with key {KEY}\n")),
        "{run:#?}"
    );
    assert_eq!(run.stderr, "");
    // The key itself can be given in place of its file.
    let file = sandbox.read("signer.pub");
    let key = file.lines().nth(1).expect("a key");
    let alone = sandbox.war(&["journal", "verify", "--public-key", key, JOURNAL]);
    assert_eq!(alone.exits_with(0).stdout, run.stdout);
    let polish = ["--lang", "pl", "journal", "verify", JOURNAL];
    let polish = sandbox.war(&[&polish, &["--public-key", key][..]].concat());
    let end = format!(", podpisano kluczem {KEY}\n");
    assert!(polish.exits_with(0).stdout.ends_with(&end));
}

#[test]
fn a_replay_mentions_a_signature_that_it_did_not_check() {
    let sandbox = sandbox();
    let replay = ["replay", JOURNAL, "--quiet"];
    let told = sandbox.war(&replay).exits_with(0);
    let key = format!(
        "`{}` says that it is a signature with key {KEY}",
        signature(JOURNAL)
    );
    assert!(told.stderr.contains(&key), "{told:#?}");
    assert!(!told.stderr.contains("signed with"), "{told:#?}");
    let how = "which was not checked: `--public-key FILE` checks it";
    assert!(told.stderr.contains(how), "{told:#?}");
    // Standard input has no file beside it.
    sandbox.write("-.minisig", sandbox.read(&signature(JOURNAL)));
    let piped = sandbox.war_reading(
        sandbox.read(JOURNAL).as_bytes(),
        &["replay", "--quiet", "-"],
    );
    let piped = piped.exits_with(0);
    assert!(!piped.stderr.contains("minisig"), "{piped:#?}");
    sandbox.write(&signature(JOURNAL), "no signature");
    assert!(
        !sandbox
            .war(&replay)
            .exits_with(0)
            .stderr
            .contains("minisig")
    );
    fs::remove_file(sandbox.path(&signature(JOURNAL))).expect("the signature");
    assert!(
        !sandbox
            .war(&replay)
            .exits_with(0)
            .stderr
            .contains("minisig")
    );
}

#[test]
fn a_replay_checks_the_signature_with_the_given_key() {
    let sandbox = sandbox();
    let printed = sandbox.war(&["replay", JOURNAL]).exits_with(0);
    let key = sandbox.read("signer.pub");
    let key = key.lines().nth(1).expect("a key");
    for key in ["signer.pub", key] {
        let run = sandbox.war(&["replay", JOURNAL, "--public-key", key]);
        let run = run.exits_with(0);
        assert_eq!(run.stdout, printed.stdout);
        let run = run.reports(&format!(", signed with key {KEY}\n"));
        assert!(!run.stderr.contains("not checked"), "{run:#?}");
    }
    let polish = ["--lang", "pl", "replay", JOURNAL, "--public-key", key];
    let polish = sandbox.war(&polish).exits_with(0);
    polish.reports(&format!(", podpisano kluczem {KEY}\n"));
}

#[test]
fn a_replay_prints_nothing_that_was_not_signed_with_the_key() {
    let sandbox = sandbox();
    let journal = sandbox.read(JOURNAL);
    let signed = sandbox.read(&signature(JOURNAL));
    sandbox.write("changed.json", format!("{journal}\n"));
    sandbox.write(
        "damaged.json",
        journal.replace("\"turn\":1,", "\"turn\":2,"),
    );
    for name in ["changed.json", "damaged.json"] {
        sandbox.write(&signature(name), &signed);
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
        let verified = sandbox.war(&["journal", "verify", name, "--public-key", key]);
        let run = sandbox.war(&["replay", name, "--public-key", key]);
        let run = run.exits_with(verified.code).exits_with(1).reports(told);
        let run = run.reports(&format!("{verdict} {name}: "));
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
    let result = sandbox.war(&result).exits_with(1);
    assert!(result.stdout.contains("\"WJ205\""), "{result:#?}");
}

#[test]
fn a_replay_says_why_it_cannot_check_a_signature() {
    let sandbox = sandbox();
    let replay = ["replay", JOURNAL, "--public-key", "signer.pub"];
    sandbox.write(&signature(JOURNAL), "no signature");
    let run = sandbox
        .war(&replay)
        .exits_with(2)
        .reports("is not a signature");
    assert_eq!(run.stdout, "");
    fs::remove_file(sandbox.path(&signature(JOURNAL))).expect("the signature");
    let missing = format!("can't read `{JOURNAL}.minisig`");
    let run = sandbox.war(&replay).exits_with(4).reports(&missing);
    assert_eq!(run.stdout, "");
    let run = sandbox.war(&["replay", JOURNAL, "--public-key", "signer.key"]);
    run.exits_with(2)
        .reports("`signer.key` is not a public key");
    // Only a file can have a signature beside it, and only a complete one.
    let journal = sandbox.read(JOURNAL);
    let piped = ["replay", "-", "--public-key", "signer.pub"];
    let piped = sandbox
        .war_reading(journal.as_bytes(), &piped)
        .exits_with(2);
    piped.reports("`FILE` needs a file and can't be `-`");
    let follow = [&replay[..], &["--follow"]].concat();
    sandbox.war(&follow).exits_with(2);
}

#[test]
fn signatures_verify_and_are_never_overwritten() {
    let sandbox = unsigned();
    let run = sign(&sandbox, &[JOURNAL])
        .exits_with(0)
        .reports(&format!("VERIFIED {JOURNAL}"));
    let run = run.reports(&format!("{JOURNAL}.minisig: signed with key {KEY}"));
    assert_eq!(run.stdout, "");
    let signed = sandbox.read(&signature(JOURNAL));
    let comment = signed.lines().nth(2).expect("the trusted comment");
    let digest = "65beb305410a611f291a47ef8b561854";
    let expected = format!("trusted comment: digest:{digest}\tfile:{JOURNAL}");
    assert_eq!(comment, expected);
    verify(&sandbox, &[JOURNAL]).exits_with(0);
    sign(&sandbox, &[JOURNAL])
        .exits_with(4)
        .reports("already exists, and signatures are never overwritten");
    assert_eq!(sandbox.read(&signature(JOURNAL)), signed);
    let secret = sandbox.read("signer.key");
    let secret = secret.lines().nth(1).expect("a key");
    assert!(!run.stderr.contains(secret), "{run:#?}");
}

#[test]
fn only_verified_journals_are_signed() {
    let sandbox = unsigned();
    let whole = sandbox.read(JOURNAL);
    sandbox.write("cut.json", &whole[..3000]);
    sandbox
        .war(&["journal", "repair", "cut.json", "repaired.json"])
        .exits_with(0);
    let damaged = whole.replace("\"turn\":1,", "\"turn\":2,");
    sandbox.write("damaged.json", damaged);
    sandbox.write("diverged.json", edited(4, "[11,10,12,13]", "[13,12,11,10]"));
    sandbox.write("new.json", whole.replace("classic/1", "classic/99"));
    for (name, verdict, code) in [
        ("cut.json", "INCOMPLETE", 3),
        ("repaired.json", "INCOMPLETE", 3),
        ("damaged.json", "DAMAGED", 1),
        ("diverged.json", "DIVERGED", 1),
        ("new.json", "UNSUPPORTED", 5),
    ] {
        let run = sign(&sandbox, &[name]).exits_with(code);
        let run = run.reports(&format!("{verdict} {name}"));
        run.reports(&format!("{name} was not signed"));
        assert!(!sandbox.path(&signature(name)).exists(), "{name}");
    }
    // The other files of the list are still signed.
    sign(&sandbox, &["damaged.json", JOURNAL]).exits_with(1);
    verify(&sandbox, &[JOURNAL]).exits_with(0);
}

#[test]
fn a_signature_that_does_not_match_is_unexpected() {
    let sandbox = sandbox();
    let journal = sandbox.read(JOURNAL);
    let signed = sandbox.read(&signature(JOURNAL));
    // White space is not in the chain, but it is in the file.
    sandbox.write("changed.json", format!("{journal}\n"));
    sandbox.write(&signature("changed.json"), &signed);
    // The trusted comment is signed too.
    let comment = signed.replace("minisign 0.11", "minisign 0.12");
    sandbox.write("comment.json", &journal);
    sandbox.write(&signature("comment.json"), comment);
    for name in ["changed.json", "comment.json"] {
        let run = verify(&sandbox, &[name]).exits_with(1);
        let run = run.reports(&format!(
            "{name}:1:1: WJ205 the detached signature doesn't match the file; "
        ));
        let line = format!("UNEXPECTED {name}: 53 events");
        assert!(run.stdout.starts_with(&line), "{run:#?}");
        assert!(!run.stdout.contains("signed with"), "{run:#?}");
    }
    let run = verify(&sandbox, &["changed.json", JOURNAL]).exits_with(1);
    let verdicts: Vec<_> = run.stdout.lines().map(|line| &line[..8]).collect();
    assert_eq!(verdicts, ["UNEXPECT", "VERIFIED"], "{run:#?}");
}

#[test]
fn a_signature_of_another_key_is_unexpected() {
    let sandbox = sandbox();
    let args = ["journal", "verify", JOURNAL, "--public-key"];
    let run = sandbox.war(&[&args[..], &["protected.pub"]].concat());
    run.exits_with(1).reports(&format!(
        "{JOURNAL}:1:1: WJ205 the detached signature was made with another key, {KEY}; "
    ));
}

#[test]
fn damage_takes_precedence_over_the_signature() {
    let sandbox = sandbox();
    let damaged = sandbox.read(JOURNAL).replace("\"turn\":1,", "\"turn\":2,");
    sandbox.write(JOURNAL, damaged);
    let run = verify(&sandbox, &[JOURNAL]).exits_with(1).reports("WJ202");
    assert!(run.stdout.starts_with("DAMAGED"), "{run:#?}");
    assert!(!run.stderr.contains("WJ205"), "{run:#?}");
    sandbox.write(JOURNAL, &sandbox.read(JOURNAL)[..3000]);
    verify(&sandbox, &[JOURNAL]).exits_with(1);
}

#[test]
fn an_invalid_signature_file_is_reported() {
    let sandbox = sandbox();
    let signed = sandbox.read(&signature(JOURNAL));
    let lines: Vec<_> = signed.lines().collect();
    let without_last = format!("{}\n", lines[..3].join("\n"));
    let short = signed.replace(lines[3], "AAAA");
    let legacy = signed.replace("\nRUT", "\nRWT");
    for (text, told) in [
        ("", "is not a signature"),
        ("signed\n", "is not a signature"),
        (&without_last, "is not a signature"),
        (&short, "is not a signature"),
        (&sandbox.read("signer.pub"), "is not a signature"),
        (&legacy, "legacy kind"),
    ] {
        sandbox.write(&signature(JOURNAL), text);
        let run = verify(&sandbox, &[JOURNAL]).exits_with(2).reports(told);
        assert_eq!(run.stdout, "", "{run:#?}");
    }
    fs::remove_file(sandbox.path(&signature(JOURNAL))).expect("the signature");
    verify(&sandbox, &[JOURNAL])
        .exits_with(4)
        .reports(&format!("can't read `{JOURNAL}.minisig`"));
}

#[test]
fn an_unreadable_journal_is_reported() {
    let sandbox = sandbox();
    sandbox.write("missing.json.minisig", sandbox.read(&signature(JOURNAL)));
    let run = verify(&sandbox, &["missing.json", JOURNAL]).exits_with(4);
    let run = run.reports("can't read `missing.json`");
    assert!(
        run.stdout.starts_with("UNREADABLE missing.json\nVERIFIED "),
        "{run:#?}"
    );
    let run = sign(&sandbox, &["missing.json"]).exits_with(4);
    run.reports("can't read `missing.json`")
        .reports("was not signed");
}

#[test]
fn an_invalid_key_is_reported() {
    let sandbox = unsigned();
    sandbox.write("zeros.key", [0; 300]);
    let secret = sandbox.read("signer.key");
    // One character of the key itself differs. This key has no checksum.
    sandbox.write("bent.key", secret.replace("EPWD2be4", "EPWD2be5"));
    for (key, code, told) in [
        ("missing.key", 4, "can't read `missing.key`"),
        ("signer.pub", 2, "`signer.pub` is not a secret key"),
        ("zeros.key", 2, "`zeros.key` is not a secret key"),
        ("bent.key", 2, "`bent.key` is not a secret key"),
        (JOURNAL, 2, "is not a secret key"),
    ] {
        let run = sandbox.war(&["journal", "sign", JOURNAL, "--key", key]);
        run.exits_with(code).reports(told);
    }
    for (key, code, told) in [
        ("missing.pub", 4, "can't read `missing.pub`"),
        ("signer.key", 2, "`signer.key` is not a public key"),
        ("zeros.key", 2, "`zeros.key` is not a public key"),
    ] {
        let run = sandbox.war(&["journal", "verify", JOURNAL, "--public-key", key]);
        run.exits_with(code).reports(told);
    }
    assert!(!sandbox.path(&signature(JOURNAL)).exists());
}

#[test]
fn a_key_may_come_from_standard_input_but_a_journal_may_not() {
    let sandbox = unsigned();
    let key = sandbox.read("signer.key");
    let run = sandbox.war_reading(key.as_bytes(), &["journal", "sign", JOURNAL, "--key", "-"]);
    run.exits_with(0);
    let key = sandbox.read("signer.pub");
    let args = ["journal", "verify", JOURNAL, "--public-key", "-"];
    sandbox.war_reading(key.as_bytes(), &args).exits_with(0);
    let told = "`FILE` needs a file and can't be `-`";
    sign(&sandbox, &["-"]).exits_with(2).reports(told);
    verify(&sandbox, &["-"]).exits_with(2).reports(told);
}

#[test]
fn a_password_needs_a_terminal() {
    let sandbox = unsigned();
    let program = sandbox.command(&["journal", "sign", JOURNAL, "--key", "protected.key"]);
    // In a new session, the program has no terminal.
    let mut alone = Command::new("setsid");
    alone.arg("--wait").arg(program.get_program());
    alone.args(program.get_args());
    alone.current_dir(sandbox.path("")).env_clear();
    let told = "the key `protected.key` is protected by a password, but the terminal can't ask for \
                it: No such device";
    Run::of(&mut alone).exits_with(4).reports(told);
    assert!(!sandbox.path(&signature(JOURNAL)).exists());
}

fn minisign(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let mut minisign = Command::new("minisign");
    Run::of(minisign.args(arguments).current_dir(sandbox.path("")))
}

#[test]
#[ignore = "needs minisign; `.ci/deep` installs it"]
fn minisign_and_the_program_verify_each_other_s_signatures() {
    let sandbox = sandbox();
    minisign(&sandbox, &["-G", "-W", "-p", "new.pub", "-s", "new.key"]).exits_with(0);
    let journals = [".json", ".jsonl"].map(|suffix| super::support::files("journals", suffix));
    for path in journals.concat() {
        let name = path.file_name().expect("a name").to_string_lossy();
        sandbox.write(&name, fs::read(&path).expect("a journal"));
        let _ = fs::remove_file(sandbox.path(&signature(&name)));
        let signed = sandbox.war(&["journal", "sign", &name, "--key", "new.key"]);
        if signed.code != 3 {
            signed.exits_with(0);
            let run = minisign(&sandbox, &["-V", "-m", &name, "-p", "new.pub"]).exits_with(0);
            assert!(
                run.stdout.contains("Trusted comment: digest:"),
                "{name}: {run:#?}"
            );
            fs::remove_file(sandbox.path(&signature(&name))).expect("the signature");
        }
        minisign(&sandbox, &["-S", "-m", &name, "-s", "new.key"]).exits_with(0);
        let run = sandbox.war(&["journal", "verify", &name, "--public-key", "new.pub"]);
        // For a file that ends too early, the location is reported, but no signature.
        let is_torn = run.stderr.contains("WJ101");
        assert!(
            is_torn != run.stdout.contains(", signed with key "),
            "{name}: {run:#?}"
        );
        // What is left of a truncated journal is intact, and may be signed on purpose.
        let code = if run.stdout.starts_with("INCOMPLETE") {
            3
        } else {
            0
        };
        run.exits_with(code);
    }
}

#[test]
#[ignore = "needs minisign and expect; `.ci/deep` installs them"]
fn a_password_is_asked_for_on_the_terminal() {
    let sandbox = unsigned();
    let program = env!("CARGO_BIN_EXE_war");
    let types = |password: &str, shown: &str| {
        // A person needs a moment to type, and the terminal to stop echoing.
        let script = format!(
            "set timeout 300; spawn {program} journal sign {JOURNAL} --key protected.key; \
             expect -ex {{Password of the key: }} {{}} timeout {{exit 1}} eof {{exit 1}}; \
             sleep 1; send \"{password}\\r\"; \
             expect -ex {{{shown}}} {{}} timeout {{exit 1}} eof {{exit 1}}; expect eof"
        );
        let mut terminal = Command::new("expect");
        terminal
            .args(["-c", &script])
            .current_dir(sandbox.path(""))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", sandbox.path(""))
            .env("TERM", "xterm");
        let run = Run::of(&mut terminal).exits_with(0);
        assert!(!run.stdout.contains(password), "{run:#?}");
    };
    types("open barley", "this is not the password of the key");
    assert!(!sandbox.path(&signature(JOURNAL)).exists());
    types("open sesame", ": signed with key");
    minisign(&sandbox, &["-V", "-m", JOURNAL, "-p", "protected.pub"]).exits_with(0);
}

#[cfg(feature = "table")]
#[test]
#[ignore = "needs minisign; `.ci/deep` installs it"]
fn minisign_accepts_a_table_s_key() {
    let sandbox = unsigned();
    let file = war::signing::TableKey::generate_file().expect("randomness");
    let key = war::signing::TableKey::parse_file(&file).expect("a key");
    sandbox.write("table.key", &file);
    sandbox.write("table.pub", key.to_public_key_file());
    let digest = "65beb305410a611f291a47ef8b561854".parse().expect("digits");
    let journal = fs::read(sandbox.path(JOURNAL)).expect("a journal");
    let signed = key.sign_journal(&journal, &digest);
    sandbox.write(&signature(JOURNAL), signed);
    minisign(&sandbox, &["-V", "-m", JOURNAL, "-p", "table.pub"]).exits_with(0);
    let verified = ["journal", "verify", JOURNAL, "--public-key", "table.pub"];
    sandbox.war(&verified).exits_with(0);
    // minisign also signs with the table's key.
    fs::remove_file(sandbox.path(&signature(JOURNAL))).expect("the signature");
    minisign(&sandbox, &["-S", "-m", JOURNAL, "-s", "table.key"]).exits_with(0);
    let run = sandbox.war(&verified).exits_with(0);
    assert!(run.stdout.contains(&key.id()), "{run:#?}");
}
