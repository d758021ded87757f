//! Embeds the scenario files that lie in `scenarios/` when the program is built.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=scenarios");
    let project = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let scenarios = project.join("scenarios");
    let code = format!(
        "pub(super) const SCENARIOS: &[Embedded] = &[{}];\n\
         pub(super) const EXAMPLES: &[Embedded] = &[{}];\n",
        entries(&scenarios)?,
        entries(&scenarios.join("examples"))?,
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("embedded.rs"), code)
}

/// One entry of the table for each scenario file of a directory, in byte order.
fn entries(directory: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    if directory.is_dir() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.unwrap_or_default().to_owned();
            let is_json = path
                .extension()
                .is_some_and(|extension| extension == "json");
            if is_json && path.is_file() {
                files.push((name, path));
            }
        }
    }
    files.sort();
    let entry = |(name, path): &(String, PathBuf)| {
        let path = path.display().to_string();
        format!("Embedded {{ name: {name:?}, bytes: include_bytes!({path:?}) }},")
    };
    Ok(files.iter().map(entry).collect())
}
