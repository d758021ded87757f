//! The scripts that draw cards. The module `browser` tests the drawings themselves.

use super::support::project;
use std::collections::BTreeSet;
use std::fs;
use war_viewer::drawings::DRAWING_MODULES;

/// Limit on the total size of the scripts, in bytes: a page loads them all before it shows a card.
const MAX_BYTES: usize = 30_000;

#[test]
fn each_drawing_imports_only_what_comes_before() {
    let mut before = BTreeSet::new();
    for module in DRAWING_MODULES {
        let imports = module
            .code
            .lines()
            .filter(|line| line.starts_with("import "));
        for import in imports {
            let from = import
                .split_once(" from \"./")
                .expect("a module beside it")
                .1;
            let name = from.strip_suffix(".js\";").expect("the end of a line");
            assert!(before.contains(name), "{}: {import}", module.name);
        }
        assert!(before.insert(module.name), "{} comes twice", module.name);
    }
}

#[test]
fn every_script_of_the_drawings_is_listed() {
    let files = fs::read_dir(project().join("crates/viewer/src/drawings")).expect("the drawings");
    let paths = files.map(|file| file.expect("a file").path());
    let scripts = paths.filter(|path| path.extension().is_some_and(|end| end == "js"));
    let scripts: BTreeSet<_> = scripts
        .map(|path| fs::read_to_string(path).expect("a text"))
        .collect();
    let listed = DRAWING_MODULES
        .iter()
        .map(|module| module.code.to_owned())
        .collect();
    assert_eq!(scripts, listed);
}

#[test]
fn the_drawings_are_small() {
    let bytes: usize = DRAWING_MODULES.iter().map(|module| module.code.len()).sum();
    assert!(bytes < MAX_BYTES, "{bytes} bytes");
}
