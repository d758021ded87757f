//! The packages used in the build.

use super::support::project;
use serde_json::Value;
use std::process::Command;

/// Parses a version of Rust, such as `1.89` or `1.89.0`.
fn version(text: &str) -> Vec<u32> {
    let number = |part: &str| part.parse().expect("a number");
    let mut parts: Vec<_> = text.split('.').map(number).collect();
    parts.resize(3, 0);
    parts
}

#[test]
fn no_package_needs_a_newer_rust_than_stated() {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--all-features"])
        .args(["--format-version", "1", "--filter-platform", "host-tuple"])
        .current_dir(project())
        .output()
        .expect("cargo");
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let stated = version(env!("CARGO_PKG_RUST_VERSION"));
    let asks = |package: &&Value| {
        let asked = package["rust_version"].as_str();
        asked.is_some_and(|asked| version(asked) > stated)
    };
    let newer: Vec<_> = packages
        .iter()
        .filter(asks)
        .map(|found| &found["id"])
        .collect();
    assert!(newer.is_empty(), "{newer:#?}");
    assert!(
        packages.len() > 100,
        "{} packages were found",
        packages.len()
    );
}
