//! `war man`: manual pages.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::cli::{Cli, pages};
use crate::machine::text::display;
use crate::machine::text::io_text;
use clap::CommandFactory;
use std::fs;
use std::path::Path;
use war::i18n::text;

/// Writes a page for each command and each topic into a directory, and tells how many.
pub(crate) fn man(directory: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let pages = pages(&mut Cli::command()).expect("memory takes every byte");
    let written = fs::create_dir_all(directory).map_err(|error| (directory.to_owned(), error));
    let written = written.and_then(|()| {
        pages.iter().try_for_each(|(name, page)| {
            let path = directory.join(name);
            fs::write(&path, page).map_err(|error| (path, error))
        })
    });
    written.map_err(|(path, error)| {
        let text = text!(
            SimUnwritable,
            file = display(&path),
            reason = io_text(&error)
        );
        Failure::new(Exit::InputOutput, text)
    })?;
    let text = text!(
        PagesWritten,
        pages = pages.len(),
        directory = display(directory)
    );
    context.terminal.note(&text);
    Ok(Exit::Success)
}
