//! Completions in the real shells: Tab is pressed on a terminal.

use crate::support::{Run, Sandbox, project};
use std::process::Command;

/// Types into a shell, and checks the terminal's contents after each part.
///
/// In the shell, `war` is a program that only prints its arguments, with the completions of the
/// real one.
#[track_caller]
fn types(shell: &str, setup: &str, typed: &[(&str, &str)]) {
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_war");
    sandbox.write(
        "bin/war",
        format!(
            "#!/bin/sh\n\
             if [ -n \"$WAR_COMPLETE\" ] || [ \"$1\" = completions ]; then exec {program} \"$@\"; fi\n\
             printf '<%s>' \"$@\"; echo\n"
        ),
    );
    let chmod = Command::new("chmod")
        .arg("+x")
        .arg(sandbox.path("bin/war"))
        .status();
    assert!(chmod.expect("chmod").success());
    sandbox.write("game.json", "");
    let mut terminal = Command::new("expect");
    terminal
        .arg("-f")
        .arg(project().join("crates/cli/tests/war/completions/terminal.exp"))
        .arg(shell)
        .arg(format!("{setup}; echo rea\"\"dy\\n"))
        .arg("ready\r")
        .args(typed.iter().flat_map(|(send, expected)| [send, expected]))
        .current_dir(sandbox.path(""))
        .env_clear()
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", sandbox.path("bin").display()),
        )
        .env("HOME", sandbox.path(""))
        .env("LANG", "C.UTF-8")
        .env("TERM", "xterm")
        .env("PS1", "> ");
    Run::of(&mut terminal).exits_with(0);
}

/// Texts typed in every shell, and the expected results.
const TYPED: [(&str, &str); 12] = [
    ("war simulate --collect winner-f\\t", "winner-first"),
    ("\\n", "<simulate><--collect><winner-first>"),
    ("war simulate --collect=shu\\t", "shuffled"),
    ("\\n", "<simulate><--collect=shuffled>"),
    ("war jour\\t", "journal"),
    ("che\\t", "check"),
    ("ga\\t", "game.json"),
    ("\\n", "<journal><check><game.json>"),
    ("war 4 l\\t", "large"),
    ("\\n", "<4><large>"),
    ("war help journal c\\t", "check"),
    ("\\n", "<help><journal><check>"),
];

#[test]
#[ignore = "needs bash and expect; `.ci/deep` installs them"]
fn bash_completes_with_a_tab() {
    let setup = "source <(war completions bash)";
    types("bash --norc --noprofile -i", setup, &TYPED);
}

#[test]
#[ignore = "needs zsh and expect; `.ci/deep` installs them"]
fn zsh_completes_with_a_tab() {
    let setup = "mkdir functions; war completions zsh >functions/_war; fpath=(functions \\$fpath); \
                 autoload -U compinit; compinit -u -D";
    types("zsh -f -i", setup, &TYPED);
}

#[test]
#[ignore = "needs fish and expect; `.ci/deep` installs them"]
fn fish_completes_with_a_tab() {
    let setup = "war completions fish | source";
    types("fish --no-config --private -i", setup, &TYPED);
}

#[test]
#[ignore = "needs fish; `.ci/deep` installs it"]
fn fish_describes_each_value() {
    let script = format!(
        "{} completions fish | source; complete -C 'war simulate --out-of-cards e'",
        env!("CARGO_BIN_EXE_war")
    );
    let directory = std::path::Path::new(env!("CARGO_BIN_EXE_war")).parent();
    let mut fish = Command::new("fish");
    fish.args(["--no-config", "-c", &script]).env(
        "PATH",
        format!(
            "{}:/usr/bin:/bin",
            directory.expect("a directory").display()
        ),
    );
    let run = Run::of(&mut fish).exits_with(0);
    let line = "eoc\tThey drop out and forfeit their cards (End of Cards)\n";
    assert_eq!(run.stdout, line);
}
