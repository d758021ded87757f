//! The verifier of the page: modules that read a journal, play its game by the rules and compare
//! every event, written from the book's page on the journal format.

use super::modules::joined;
use crate::drawings::Module;

/// SHA-256 and HMAC, for this and other pages.
pub const SHA256: Module = Module {
    name: "sha256",
    code: include_str!("verify/sha256.js"),
};

/// The modules, each after those that it imports.
const MODULES: &[Module] = &[
    SHA256,
    Module {
        name: "blake3",
        code: include_str!("verify/blake3.js"),
    },
    Module {
        name: "fault",
        code: include_str!("verify/fault.js"),
    },
    Module {
        name: "text",
        code: include_str!("verify/text.js"),
    },
    Module {
        name: "records",
        code: include_str!("verify/records.js"),
    },
    Module {
        name: "forms",
        code: include_str!("verify/forms.js"),
    },
    Module {
        name: "fields",
        code: include_str!("verify/fields.js"),
    },
    Module {
        name: "chance",
        code: include_str!("verify/chance.js"),
    },
    Module {
        name: "corrections",
        code: include_str!("verify/corrections.js"),
    },
    Module {
        name: "editions",
        code: include_str!("verify/editions.js"),
    },
    Module {
        name: "holder",
        code: include_str!("verify/holder.js"),
    },
    Module {
        name: "war-game",
        code: include_str!("verify/war-game.js"),
    },
    Module {
        name: "token-game",
        code: include_str!("verify/token-game.js"),
    },
    Module {
        name: "journal",
        code: include_str!("verify/journal.js"),
    },
    Module {
        name: "hand-over",
        code: include_str!("verify/hand-over.js"),
    },
];

/// The verifier as one script, which gives the page a function `verifyJournal`.
pub(super) fn verifier() -> String {
    joined(MODULES)
}
