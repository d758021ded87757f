//! Records of a newer program: names that are unknown here, in a chain that holds.

use super::chain::Chain;
use super::fault::Fault;
use super::problem::{Problem, RecordError};
use crate::support::fields::{FieldError, Tree};

/// The field that links a record to the one before it.
const CHAIN: &str = "chain";

/// The fault of a record that does not fit the types of its version.
///
/// The chain of a record with an unknown name can't be checked over its canonical form, for
/// nobody here knows that form. Where the chain holds over the record as it was found, its
/// recorder wrote the name: it is a newer program's. Otherwise it is damage.
pub(super) fn judged(fault: Fault, chain: &Chain, text: &[u8]) -> Fault {
    match &fault.problem {
        Problem::Record(RecordError::Field(
            error @ (FieldError::Unknown(_) | FieldError::UnknownValue(_)),
        )) if holds(chain, text) => Fault::new(fault.at, RecordError::Newer(error.clone())),
        _ => fault,
    }
}

/// Whether the chain holds over a record as compact JSON, with its names in the order in which
/// they were found.
fn holds(chain: &Chain, text: &[u8]) -> bool {
    let Ok(Tree::Object(fields)) = serde_json::from_slice(text) else {
        return false;
    };
    let (links, fields): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(name, _)| name == CHAIN);
    let [(_, Tree::Text(link))] = &links[..] else {
        return false;
    };
    let link = link.parse().ok();
    link.is_some() && link == chain.next(&Tree::Object(fields))
}
