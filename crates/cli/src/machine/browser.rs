//! Browsers that open a page: those named by the variable `BROWSER`, else the system's own.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Separator of the commands in `BROWSER`: that of lists of paths.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Commands that open a page in the default browser of the system, written as in `BROWSER`.
const SYSTEM_BROWSERS: &str = if cfg!(windows) {
    "rundll32 url.dll,FileProtocolHandler"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    // The first one is that of Linux on Windows, the last one Debian's where no desktop is.
    "wslview:xdg-open:x-www-browser"
};

/// Error for a browser that does not open a page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BrowserError {
    /// Command with quotes that don't match.
    #[error("the quotes of `{0}` don't match")]
    Quotes(String),
    /// Command that can't be started.
    #[error("`{command}` can't be started")]
    NotStarted { command: String, source: io::Error },
    /// Command that failed.
    #[error("`{command}` failed with {code}")]
    Failed { command: String, code: i32 },
}

/// Starts browsers, one after the other, until one does not fail.
#[derive(Debug)]
pub(crate) struct BrowserLauncher {
    address: String,
    /// Commands that were not tried yet.
    commands: VecDeque<String>,
    /// True if the commands are those of the system, most of which are not installed.
    is_system: bool,
    started: Option<(String, Child)>,
    errors: Vec<BrowserError>,
}

impl BrowserLauncher {
    /// Prepares the browsers for a page. `variable` is the value of `BROWSER`: commands with
    /// arguments, in which `%s` stands for the page's address and `%%` for a percent sign.
    pub(crate) fn new(address: &str, variable: Option<&str>) -> Self {
        let of_user = split_list(variable.unwrap_or_default());
        let is_system = of_user.is_empty();
        Self {
            address: address.to_owned(),
            commands: if is_system {
                split_list(SYSTEM_BROWSERS)
            } else {
                of_user
            },
            is_system,
            started: None,
            errors: Vec::new(),
        }
    }

    /// Starts the next browser unless one was started and has not failed. Returns false once all of
    /// them have failed.
    pub(crate) fn keep_one_started(&mut self) -> bool {
        loop {
            if let Some((command, child)) = &mut self.started {
                let Some(code) = failure_code(child) else {
                    return true;
                };
                let command = command.clone();
                self.started = None;
                self.errors.push(BrowserError::Failed { command, code });
            }
            let Some(command) = self.commands.pop_front() else {
                return false;
            };
            match start(&command, &self.address) {
                Ok(child) => self.started = Some((command, child)),
                Err(BrowserError::NotStarted { source, .. })
                    if self.is_system && source.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.errors.push(error),
            }
        }
    }

    /// Errors of the browsers that were tried, in this order.
    pub(crate) fn errors(&self) -> &[BrowserError] {
        &self.errors
    }
}

/// Splits a list of commands.
fn split_list(list: &str) -> VecDeque<String> {
    let commands = list.split(SEPARATOR).map(str::trim);
    let commands = commands.filter(|command| !command.is_empty());
    commands.map(str::to_owned).collect()
}

/// Starts a browser with this address.
fn start(command: &str, address: &str) -> Result<Child, BrowserError> {
    let words = to_words(command, address).ok_or_else(|| BrowserError::Quotes(command.into()))?;
    let (program, arguments) = words.split_first().unzip();
    let mut started = Command::new(program.map_or("", String::as_str));
    started.args(arguments.unwrap_or_default());
    // The terminal stays with this program, which ends while the browser runs.
    started
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    started.spawn().map_err(|source| BrowserError::NotStarted {
        command: command.to_owned(),
        source,
    })
}

/// Splits a command as a shell does, and puts in the address: for `%s`, else at the end. `None` if
/// the quotes don't match.
fn to_words(command: &str, address: &str) -> Option<Vec<String>> {
    // The name of a program may contain spaces, and backslashes on Windows.
    if Path::new(command).is_file() {
        return Some(vec![command.to_owned(), address.to_owned()]);
    }
    // Every browser is started in the background.
    let words = shlex::split(command.trim_end_matches('&'))?;
    let mut has_address = false;
    let mut expanded: Vec<String> = Vec::new();
    for word in words {
        let (word, with_address) = expand(&word, address);
        has_address |= with_address;
        expanded.push(word);
    }
    if !has_address {
        expanded.push(address.to_owned());
    }
    Some(expanded)
}

/// Replaces `%s` by the address and `%%` by a percent sign. Also returns true if there was a `%s`.
fn expand(word: &str, address: &str) -> (String, bool) {
    let (mut expanded, mut has_address) = (String::new(), false);
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('%') {
        expanded.push_str(before);
        rest = if let Some(after) = after.strip_prefix('s') {
            expanded.push_str(address);
            has_address = true;
            after
        } else {
            expanded.push('%');
            after.strip_prefix('%').unwrap_or(after)
        };
    }
    expanded.push_str(rest);
    (expanded, has_address)
}

/// Exit code of a browser that has failed. One that has succeeded may have passed the address on to
/// a browser that runs already.
fn failure_code(child: &mut Child) -> Option<i32> {
    let ended = child.try_wait().ok().flatten();
    ended.filter(|status| !status.success()).map(exit_code)
}

/// Exit code of a process, as shells count it.
fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::BrowserError;
    use super::{BrowserLauncher, SEPARATOR, to_words};

    const ADDRESS: &str = "http://127.0.0.1:1/a/";

    #[test]
    fn a_command_gets_the_address_where_it_says_so() {
        for (command, expected) in [
            ("firefox", &["firefox", ADDRESS][..]),
            (
                "firefox --new-tab %s",
                &["firefox", "--new-tab", ADDRESS][..],
            ),
            ("firefox --new-tab", &["firefox", "--new-tab", ADDRESS]),
            (
                "chromium --app=%s --x",
                &["chromium", "--app=http://127.0.0.1:1/a/", "--x"],
            ),
            (
                "'my browser' \"a b\" %s",
                &["my browser", "a b", "http://127.0.0.1:1/a/"],
            ),
            ("b 100%% %s", &["b", "100%", ADDRESS]),
            ("b %%s", &["b", "%s", ADDRESS]),
            ("b %d 5%", &["b", "%d", "5%", ADDRESS]),
            ("firefox %s &", &["firefox", ADDRESS]),
        ] {
            let words = to_words(command, ADDRESS).expect("matching quotes");
            assert_eq!(words, expected, "{command}");
        }
        assert_eq!(to_words("b 'c", ADDRESS), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_with_spaces_is_one_program() {
        let place = tempfile::tempdir().expect("a directory");
        let browser = place.path().join("my browser %s");
        std::fs::write(&browser, "").expect("a file");
        let browser = browser.to_str().expect("a name");
        assert_eq!(
            to_words(browser, ADDRESS),
            Some(vec![browser.into(), ADDRESS.into()])
        );
    }

    /// Tries all browsers until none is left or one has not failed for a tenth of a second.
    #[cfg(unix)]
    fn try_all(variable: &str) -> (bool, BrowserLauncher) {
        let mut launcher = BrowserLauncher::new(ADDRESS, Some(variable));
        let mut is_started = true;
        for _ in 0..10 {
            is_started = launcher.keep_one_started();
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        (is_started, launcher)
    }

    #[cfg(unix)]
    #[test]
    fn the_next_browser_follows_one_that_fails() {
        let (is_started, launcher) = try_all("/none/a: :sh -c 'exit 3' %s:'b:sh -c 'kill -9 $$'");
        assert!(!is_started);
        let [not_started, failed, quotes, killed] = launcher.errors() else {
            panic!("{launcher:?}");
        };
        assert!(matches!(
            not_started,
            BrowserError::NotStarted { command, .. } if command == "/none/a"
        ));
        assert!(matches!(failed, BrowserError::Failed { code: 3, .. }));
        assert!(matches!(quotes, BrowserError::Quotes(command) if command == "'b"));
        assert!(matches!(killed, BrowserError::Failed { code: 137, .. }));
        // One that ends well has passed the page on.
        let (is_started, launcher) = try_all("false:true:/none/a");
        assert!(is_started);
        assert_eq!(launcher.errors().len(), 1);
    }

    #[test]
    fn without_the_variable_the_system_decides() {
        let separator = SEPARATOR.to_string();
        for variable in [None, Some(""), Some(" "), Some(&separator)] {
            let launcher = BrowserLauncher::new(ADDRESS, variable);
            assert!(launcher.is_system, "{variable:?}");
        }
    }
}
