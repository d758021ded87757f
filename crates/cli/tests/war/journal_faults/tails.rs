//! File tails after a crash, as file systems leave them: missing, zeros, or anything else.

use super::{golden, verdict};
use crate::support::{files, replayed};
use std::fs;
use war::journal::{FaultCode, Verdict};

#[test]
fn trailing_zeros_count_as_truncation() {
    let golden = golden();
    for length in (1..golden.len() - 1).step_by(5) {
        let cut = &golden.as_bytes()[..length];
        let zeros = [cut, &[0; 3]].concat();
        let found = verdict(&zeros);
        assert_eq!(found.1, Verdict::Incomplete, "{length} bytes: {}", found.2);
        assert_eq!(found, verdict(cut), "{length} bytes");
    }
}

#[test]
fn trailing_zeros_count_as_truncation_in_every_journal() {
    for path in files("journals", ".json") {
        let golden = fs::read(&path).expect("a journal");
        for part in 1..16 {
            let cut = &golden[..golden.len() * part / 16];
            // More zeros than are read at once.
            let zeros = [cut, &vec![0; 200_000]].concat();
            assert_eq!(verdict(&zeros), verdict(cut), "{}: {part}", path.display());
        }
    }
}

#[test]
fn zeros_before_other_data_are_damage() {
    let golden = golden();
    for length in [golden.len() / 3, golden.len() / 2, golden.len() - 30] {
        let cut = &golden.as_bytes()[..length];
        for rest in [&b"x"[..], b"\n", &golden.as_bytes()[length..]] {
            for zeros in [1, 200_000] {
                let journal = [cut, &vec![0; zeros], rest].concat();
                let (_, verdict, told) = verdict(&journal);
                assert_eq!(verdict, Verdict::Damaged, "{length} bytes: {told}");
            }
        }
    }
    let whole = format!("{golden}\0\0");
    assert_eq!(replayed(whole.as_bytes()).0, Some(FaultCode::End));
}

#[test]
fn an_empty_file_is_incomplete() {
    let zeros = vec![0; 100_000];
    for text in [&b""[..], b" \n\t\r\n", &zeros, b"\n\0\0"] {
        let (code, verdict, told) = verdict(text);
        let found = (code, verdict);
        assert_eq!(
            found,
            (Some(FaultCode::NotJson), Verdict::Incomplete),
            "{told}"
        );
    }
    let (_, verdict, _) = verdict(b"\0\0{");
    assert_eq!(verdict, Verdict::Damaged);
}
