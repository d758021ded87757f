//! The conformance suite of good and bad journals, which a verifier in any language can run.

use super::support::{Sandbox, project};
use std::fs;

/// Row of the suite's list.
struct Case {
    file: String,
    /// Verdict, code and line, with a dash for each that is missing.
    expected: [String; 3],
    what: String,
}

fn cases() -> Vec<Case> {
    let list = fs::read_to_string(project().join("tests/conformance/expected.tsv"));
    let list = list.expect("the list");
    let case = |row: &str| {
        let columns: Vec<_> = row.split('\t').map(str::to_owned).collect();
        let [file, verdict, code, line, _, what] = columns.try_into().expect("six columns");
        Case {
            file,
            expected: [verdict, code, line],
            what,
        }
    };
    list.lines().skip(1).map(case).collect()
}

/// Verdict, code and line of each journal, according to the program.
fn verdicts(cases: &[Case]) -> Vec<[String; 3]> {
    let path = |case: &Case| {
        let path = project().join("tests/conformance").join(&case.file);
        path.to_str().expect("a path of text").to_owned()
    };
    let paths: Vec<_> = cases.iter().map(path).collect();
    let mut arguments = vec!["journal", "check"];
    arguments.extend(paths.iter().map(String::as_str));
    let run = Sandbox::new().war(&arguments);
    let verdicts: Vec<_> = run.stdout.lines().collect();
    assert_eq!(verdicts.len(), cases.len(), "{run:#?}");
    let each = verdicts.iter().zip(&paths).map(|(verdict, path)| {
        let verdict = verdict.split(' ').next().unwrap_or_default();
        let mut faults = run
            .stderr
            .lines()
            .filter_map(|line| line.strip_prefix(path));
        let fault = faults.next().unwrap_or(":-:-: -");
        let (place, fault) = fault.split_once(": ").expect("a place and a code");
        let line = place.split(':').nth(1).expect("a line");
        let code = fault.split(' ').next().unwrap_or_default();
        [verdict, code, line].map(str::to_owned)
    });
    each.collect()
}

#[test]
fn every_journal_of_the_suite_has_its_verdict_its_code_and_its_line() {
    let cases = cases();
    assert!(cases.len() > 700, "{} cases", cases.len());
    let mut differences = String::new();
    for part in cases.chunks(300) {
        for (case, found) in part.iter().zip(verdicts(part)) {
            if found != case.expected {
                let Case {
                    file,
                    expected,
                    what,
                } = case;
                differences.push_str(&format!("{file}: {found:?}, not {expected:?}: {what}\n"));
            }
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}
