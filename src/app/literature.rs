use super::Context;
use super::cli::Literature;
use super::exit::{Exit, Failure};

pub(super) fn literature(_options: &Literature, _context: &mut Context) -> Result<Exit, Failure> {
    Ok(Exit::Success)
}
