//! Embeds the scenario files of `scenarios/` in the program.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    let scenarios = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../scenarios");
    let scenarios = scenarios.canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", scenarios.display());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("embedded.rs"), embedded(&scenarios)?)?;
    Ok(())
}

/// Source code of the tables of embedded scenario files.
fn embedded(scenarios: &Path) -> io::Result<String> {
    Ok(format!(
        "pub(super) const SCENARIOS: &[EmbeddedScenario] = &[{}];\n\
         pub(super) const EXAMPLES: &[EmbeddedScenario] = &[{}];\n",
        entries(scenarios)?,
        entries(&scenarios.join("examples"))?,
    ))
}

/// Table entries for the scenario files of a directory, in byte order of their names.
fn entries(directory: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    if directory.is_dir() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let is_json = path
                .extension()
                .is_some_and(|extension| extension == "json");
            if !is_json || !path.is_file() {
                continue;
            }
            let name = path.file_name().and_then(|name| name.to_str());
            let name =
                name.ok_or_else(|| io::Error::other(format!("{} is not UTF-8", path.display())))?;
            files.push((name.to_owned(), path));
        }
    }
    files.sort();
    let entry = |(name, path): &(String, PathBuf)| {
        let path = path.display().to_string();
        format!("EmbeddedScenario {{ name: {name:?}, bytes: include_bytes!({path:?}) }},")
    };
    Ok(files.iter().map(entry).collect())
}
