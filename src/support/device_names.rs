//! Names that Windows reserves for devices: no file can have them.

use std::io;
use std::path::Path;

/// Error for a file whose name belongs to a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Windows reserves this name for a device")]
pub struct DeviceName;

/// Refuses the path of a new file if Windows would write to a device instead.
///
/// # Errors
///
/// [`DeviceName`], on Windows only.
pub fn refuse_device_name(path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default();
    if cfg!(windows) && is_device_name(&name.to_string_lossy()) {
        return Err(io::Error::new(io::ErrorKind::InvalidFilename, DeviceName));
    }
    Ok(())
}

/// Returns true for an error of [`refuse_device_name`].
#[must_use]
pub fn is_device_name_error(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(|inner| inner.downcast_ref::<DeviceName>().is_some())
}

/// Returns true if Windows takes a file name for a device: in any letter case, and whatever follows
/// a dot, a colon or spaces.
fn is_device_name(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ').to_ascii_uppercase();
    let is_port = |number: &str| {
        let mut characters = number.chars();
        let number = characters.next();
        number.is_some_and(|number| matches!(number, '0'..='9' | '¹' | '²' | '³'))
            && characters.next().is_none()
    };
    let port = stem.strip_prefix("COM").or(stem.strip_prefix("LPT"));
    matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) || port.is_some_and(is_port)
}

#[cfg(test)]
mod tests {
    use super::is_device_name;

    // The names are those of Microsoft's page "Naming Files, Paths, and Namespaces".
    #[test]
    fn devices_are_known_by_any_spelling() {
        for device in [
            "CON",
            "con",
            "PRN",
            "Aux",
            "NUL",
            "nul.json",
            "NUL.tar.gz",
            "nul ",
            "CON .txt",
            "nul:",
            "COM1",
            "com9.csv",
            "LPT1",
            "lpt3",
            "COM0",
            "COM¹",
            "LPT²",
            "COM³",
            "CONIN$",
            "conout$",
        ] {
            assert!(is_device_name(device), "{device}");
        }
        for file in [
            "",
            "console",
            "con-1.json",
            "null",
            "nuls.json",
            "run.nul",
            "COM",
            "COM10",
            "COMA",
            "LPT.txt",
            "comet",
            "auxiliary",
            ".nul",
            "prn_1",
        ] {
            assert!(!is_device_name(file), "{file}");
        }
    }
}
