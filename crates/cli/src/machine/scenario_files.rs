//! Scenario files, and their lookup by name.

use super::input::{self, STANDARD_INPUT_NAME, is_directory, is_standard_stream};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use war::scenario::{MAX_SCENARIO_BYTES, SCENARIO_SUFFIX, scenario_name};

/// Scenario file embedded in the program when it was built.
#[derive(Debug)]
pub(crate) struct EmbeddedScenario {
    name: &'static str,
    bytes: &'static [u8],
}

mod embedded {
    use super::EmbeddedScenario;
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

const DEFAULT_DIRECTORY: &str = "scenarios";
const EXAMPLES_DIRECTORY: &str = "examples";

/// Error for a scenario that can't be found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScenarioLibraryError {
    /// Given directory that does not exist.
    #[error("there is no directory `{}`", .0.display())]
    NoDirectory(PathBuf),
    /// Failure to read a directory.
    #[error("`{}` can't be read", directory.display())]
    Unreadable {
        directory: PathBuf,
        source: io::Error,
    },
    /// Unknown name of a scenario; `known` lists the known names.
    #[error("there is no scenario `{name}`")]
    NoScenario { name: String, known: Vec<String> },
}

/// Scenario in a file, in the program, or on the command line.
#[derive(Debug, Clone)]
pub(crate) enum ScenarioSource {
    File(PathBuf),
    Embedded(&'static EmbeddedScenario),
    /// Hands in place of a file name.
    Given(String),
}

impl ScenarioSource {
    /// Source named by the option `--deal`: a file, or hands such as `[[14],[13]]`.
    pub(crate) fn from_deal(deal: &Path) -> Self {
        match deal.to_str().filter(|text| text.starts_with('[')) {
            Some(hands) => Self::Given(hands.to_owned()),
            None => Self::File(deal.to_owned()),
        }
    }

    pub(crate) fn file_name(&self) -> Cow<'_, str> {
        match self {
            Self::File(path) if is_standard_stream(path) => {
                Cow::Owned(format!("{STANDARD_INPUT_NAME}{SCENARIO_SUFFIX}"))
            }
            Self::File(path) => path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy(),
            Self::Embedded(embedded) => Cow::Borrowed(embedded.name),
            Self::Given(_) => Cow::Borrowed("deal.json"),
        }
    }

    /// Path of the file, as it was given or found; the option if there is no file.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Embedded(embedded) => Path::new(embedded.name),
            Self::Given(_) => Path::new("--deal"),
        }
    }

    pub(crate) const fn is_embedded(&self) -> bool {
        matches!(self, Self::Embedded(_))
    }

    /// Reads the content, up to one byte more than the largest valid scenario.
    pub(crate) fn read(&self) -> io::Result<Cow<'static, [u8]>> {
        match self {
            Self::Embedded(embedded) => Ok(Cow::Borrowed(embedded.bytes)),
            Self::Given(hands) => Ok(Cow::Owned(hands.clone().into_bytes())),
            Self::File(path) => {
                let mut content = Vec::new();
                input::open(path)?
                    .take(MAX_SCENARIO_BYTES + 1)
                    .read_to_end(&mut content)?;
                Ok(Cow::Owned(content))
            }
        }
    }

    fn is_scenario(&self, prefix: &str) -> bool {
        let name = self.file_name();
        name.starts_with(prefix) && name.ends_with(SCENARIO_SUFFIX)
    }

    fn is_named(&self, wanted: &str, prefix: &str) -> bool {
        let file_name = self.file_name().to_lowercase();
        let wanted = wanted.to_lowercase();
        scenario_name(&file_name, prefix) == wanted
            || file_name.strip_suffix(SCENARIO_SUFFIX) == Some(&wanted)
    }
}

/// Scenarios of an edition, in a directory and in the program.
#[derive(Debug)]
pub(crate) struct ScenarioLibrary {
    /// Prefix of the edition's file names.
    prefix: &'static str,
    /// Directory of scenarios; `None` to use the embedded ones.
    directory: Option<PathBuf>,
}

impl ScenarioLibrary {
    /// Opens the `asked` directory, which must exist, or else the default one if it exists.
    ///
    /// # Errors
    ///
    /// If the `asked` directory does not exist, or if it can't be told whether the directory does.
    pub(crate) fn open(
        prefix: &'static str,
        asked: Option<&Path>,
        default: Option<&Path>,
    ) -> Result<Self, ScenarioLibraryError> {
        let path = asked.or(default).unwrap_or(Path::new(DEFAULT_DIRECTORY));
        let is_there = is_directory(path).map_err(|source| unreadable(path, source))?;
        if !is_there && asked.is_some() {
            return Err(ScenarioLibraryError::NoDirectory(path.to_owned()));
        }
        let directory = is_there.then(|| path.to_owned());
        Ok(Self { prefix, directory })
    }

    /// Finds the scenarios that replace dealing, in byte order of their file names.
    pub(crate) fn find_dealing_scenarios(
        &self,
    ) -> Result<Vec<ScenarioSource>, ScenarioLibraryError> {
        match &self.directory {
            Some(directory) => self.read_directory(directory),
            None => Ok(self.filter_embedded(embedded::SCENARIOS)),
        }
    }

    /// Finds a scenario by path, by name in any letter case, or `-` for standard input.
    pub(crate) fn find(&self, wanted: &OsStr) -> Result<ScenarioSource, ScenarioLibraryError> {
        let name = wanted.to_string_lossy();
        if name.contains('/')
            || name.ends_with(SCENARIO_SUFFIX)
            || is_standard_stream(Path::new(wanted))
        {
            return Ok(ScenarioSource::File(PathBuf::from(wanted)));
        }
        let groups = self.lookup_groups()?;
        let name_in =
            |source: &ScenarioSource| scenario_name(&source.file_name(), self.prefix).to_owned();
        for group in &groups {
            let exact = group.iter().find(|source| name_in(source) == name);
            let loose = || {
                let mut sources = group.iter();
                sources.find(|source| source.is_named(&name, self.prefix))
            };
            if let Some(source) = exact.or_else(loose) {
                return Ok(source.clone());
            }
        }
        let mut names: Vec<_> = groups.iter().flatten().map(name_in).collect();
        names.sort();
        names.dedup();
        Err(ScenarioLibraryError::NoScenario {
            name: name.into_owned(),
            known: names,
        })
    }

    /// Groups of all named scenarios, in the order in which a name is looked up.
    fn lookup_groups(&self) -> Result<Vec<Vec<ScenarioSource>>, ScenarioLibraryError> {
        let mut groups = Vec::new();
        if let Some(directory) = &self.directory {
            groups.push(self.read_directory(directory)?);
            let examples = directory.join(EXAMPLES_DIRECTORY);
            if is_directory(&examples).map_err(|source| unreadable(&examples, source))? {
                groups.push(self.read_directory(&examples)?);
            }
        }
        groups.push(self.filter_embedded(embedded::EXAMPLES));
        groups.push(self.filter_embedded(embedded::SCENARIOS));
        Ok(groups)
    }

    fn read_directory(
        &self,
        directory: &Path,
    ) -> Result<Vec<ScenarioSource>, ScenarioLibraryError> {
        let failed = |source| unreadable(directory, source);
        let mut paths = Vec::new();
        for entry in fs::read_dir(directory).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
        Ok(self.filter_by_prefix(paths.into_iter().map(ScenarioSource::File)))
    }

    fn filter_embedded(&self, files: &'static [EmbeddedScenario]) -> Vec<ScenarioSource> {
        self.filter_by_prefix(files.iter().map(ScenarioSource::Embedded))
    }

    fn filter_by_prefix(
        &self,
        sources: impl Iterator<Item = ScenarioSource>,
    ) -> Vec<ScenarioSource> {
        sources
            .filter(|source| source.is_scenario(self.prefix))
            .collect()
    }
}

fn unreadable(directory: &Path, source: io::Error) -> ScenarioLibraryError {
    let directory = directory.to_owned();
    ScenarioLibraryError::Unreadable { directory, source }
}
