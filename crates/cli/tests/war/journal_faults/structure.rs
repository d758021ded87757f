//! Faults of the structure around the records.

use super::{assert_fault, edited, golden, last_line, verdict};
use crate::support::Sandbox;
use std::collections::BTreeMap;
use war::journal::{FaultCode, Reader, Verdict};

#[test]
fn records_are_separated_by_one_comma_each() {
    let golden = golden();
    let before_the_first = golden.replacen("{\"seq\":0", ",{\"seq\":0", 1);
    assert_fault(before_the_first, FaultCode::NotJson);
    let missing = golden.replacen(",{\"seq\":1,", " {\"seq\":1,", 1);
    assert_fault(missing, FaultCode::NotJson);
    let doubled = golden.replacen(",{\"seq\":1,", ",,{\"seq\":1,", 1);
    assert_fault(doubled, FaultCode::NotJson);
}

#[test]
fn a_journal_damaged_before_it_was_cut_off_is_damaged() {
    let golden = golden();
    let at = golden.find("\"turn\":1").expect("a turn");
    let (sound, _) = golden.split_at(at);
    assert_fault(format!("{sound}\"tur"), FaultCode::CutOff);
    assert_fault(format!("{sound}\"turn\":\"one\",\"eve"), FaultCode::Field);
    assert_fault(
        format!("{sound}\"turn\":1,\"turn\":1,\"eve"),
        FaultCode::Field,
    );
}

#[test]
fn sorted_names_are_reported_as_such() {
    let golden: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&golden()).expect("JSON");
    for sorted in [
        serde_json::to_string(&golden),
        serde_json::to_string_pretty(&golden),
    ] {
        let (code, verdict, told) = verdict(sorted.expect("JSON"));
        let found = (code, verdict);
        assert_eq!(found, (Some(FaultCode::Field), Verdict::Damaged), "{told}");
        assert!(told.contains("sorted"), "{told}");
    }
}

#[test]
fn a_reader_counts_the_events_it_has_read() {
    let golden = golden();
    let mut reader = Reader::open(golden.as_bytes()).expect("a journal");
    let mut read = 0;
    while let Some(entry) = reader.next_entry().expect("a sound journal") {
        assert_eq!(entry.seq, read);
        read += 1;
        assert_eq!(reader.events(), read);
    }
    assert_eq!(read, 53);
}

#[test]
fn a_fault_has_a_location() {
    let journal = golden().replacen("\"turn\":1", "\"turn\":x", 1);
    let line = journal.lines().nth(2).expect("a record");
    let column = line.find(":x").expect("the fault") + 2;
    let mut reader = Reader::open(journal.as_bytes()).expect("a header");
    assert!(matches!(reader.next_entry(), Ok(Some(_))));
    let fault = reader.next_entry().expect_err("a fault").to_string();
    assert!(fault.starts_with(&format!("3:{column}: ")), "{fault}");
}

#[test]
fn rules_without_parameters_are_missing_the_first_one() {
    let known =
        "\"id\":\"classic/1\",\"face_down\":1,\"collect\":\"seat\",\"out_of_cards\":\"eoc\"";
    let sandbox = Sandbox::new();
    sandbox.write("game.json", edited(1, known, "\"id\":\"classic/1\""));
    let run = sandbox.war(&["replay", "-q", "game.json"]);
    run.exits_with(1).reports("face_down");
}

#[test]
fn both_reasons_are_reported_if_a_game_ended_differently() {
    let sandbox = Sandbox::new();
    let (won, endless) = (
        "\"reason\":\"won\",\"winner\":2",
        "\"reason\":\"endless\",\"winner\":null",
    );
    sandbox.write("game.json", edited(last_line(), won, endless));
    let run = sandbox.war(&["replay", "-q", "game.json"]);
    run.exits_with(1).reports("endless").reports("won 2");
}
