//! Games printed by an independent program: the same bytes, live and replayed.

use super::support::{Sandbox, files};
use std::fs;

#[test]
fn classic_goldens_are_reproduced_byte_for_byte() {
    for scenario in files("tests/goldens/classic", ".json") {
        let expected = fs::read_to_string(scenario.with_extension("txt")).expect("the golden");
        let path = scenario.to_str().expect("a name");
        Sandbox::new().prints_and_replays(&["--scenario", path], &expected);
    }
}

#[test]
fn shipped_examples_match_the_goldens() {
    for scenario in files("tests/goldens/classic", ".json") {
        let expected = fs::read_to_string(scenario.with_extension("txt")).expect("the golden");
        let name = scenario
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let name = name.trim_start_matches("ssc_");
        let run = Sandbox::new().war(&["--scenario", name]).exits_with(0);
        assert!(
            run.stdout == expected,
            "the example {name} prints something else"
        );
    }
}

#[test]
fn usage_is_printed_verbatim() {
    let expected = fs::read_to_string(super::support::project().join("tests/goldens/usage.txt"));
    let expected = expected.expect("the golden");
    for arguments in [&[][..], &["4"], &["4", "small", "x"], &["--seed", "1"]] {
        let run = Sandbox::new().war(arguments).exits_with(2);
        assert_eq!(run.stdout, expected);
        assert_eq!(
            run.stderr,
            "With this build, type: war 4 small (see war --help)\n"
        );
    }
}
