//! What the page says about its game beside the turns.

use super::packed::packed;
use serde::Serialize;
use std::collections::BTreeMap;
use war::journal::{Called, Header, Judgement, RecordedRules};
use war::lang::Lang;
use war::tokens::Seats;

/// What a page tells of the game that it shows.
pub struct About<'a> {
    /// The language that the page opens in, which is that of its screens.
    pub lang: Lang,
    /// The journal's header.
    pub header: &'a Header,
    /// What the journal turned out to be.
    pub judgement: &'a Judgement,
    /// Who plays a token game.
    pub seats: Option<&'a Seats>,
    /// What else is known of the journal, in lines of text by the code of their language.
    pub lines: BTreeMap<&'static str, Vec<String>>,
    /// The journal itself.
    pub journal: JournalCopy,
}

/// The journal for those who look at the page.
#[derive(Debug, Serialize)]
pub struct JournalCopy {
    /// The name of its file.
    name: String,
    bytes: usize,
    /// Whether it lies beside the page.
    beside: bool,
    /// The journal, packed, where it is in the page.
    #[serde(skip)]
    pub(super) packed: Option<String>,
}

impl JournalCopy {
    /// The most bytes of a journal that goes into a page.
    pub const MOST_WITHIN: usize = 2_000_000;

    /// The name of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A journal that the page itself carries.
    #[must_use]
    pub fn within(name: &str, journal: &[u8]) -> Self {
        Self {
            packed: Some(packed(journal)),
            ..Self::elsewhere(name, journal)
        }
    }

    /// A journal in a file of this name beside the page.
    #[must_use]
    pub fn beside(name: &str, journal: &[u8]) -> Self {
        Self {
            beside: true,
            ..Self::elsewhere(name, journal)
        }
    }

    /// A journal that does not come with the page.
    #[must_use]
    pub fn elsewhere(name: &str, journal: &[u8]) -> Self {
        Self {
            name: name.to_owned(),
            bytes: journal.len(),
            beside: false,
            packed: None,
        }
    }
}

/// All this as the page's scripts read it.
#[derive(Debug, Serialize)]
pub(super) struct AboutForm<'a> {
    lang: &'static str,
    rules: &'a str,
    deck: String,
    cards: usize,
    /// Whether 11 to 14 are called jack, queen, king and ace.
    court: bool,
    seats: Vec<Called>,
    tokens: bool,
    /// The number of the last turn.
    turns: u32,
    /// How many frames are packed together.
    block: usize,
    /// The longest line of the screens, in characters.
    widest: usize,
    verdict: &'static str,
    digest: Option<String>,
    lines: &'a BTreeMap<&'static str, Vec<String>>,
    journal: &'a JournalCopy,
}

impl<'a> AboutForm<'a> {
    /// What stands beside the frames of so many turns, in blocks of this size, with lines as long.
    pub(super) fn of(about: &'a About<'_>, turns: u32, block: usize, widest: usize) -> Self {
        let (header, judgement) = (about.header, about.judgement);
        Self {
            lang: about.lang.code(),
            rules: header.rules.id(),
            deck: header.deck.name(),
            cards: header.deck.size(),
            court: header.deck.highest() <= war::cards::Rank::ACE.get(),
            seats: header.called(about.seats),
            tokens: matches!(header.rules, RecordedRules::Tokens(_)),
            turns,
            block,
            widest,
            verdict: judgement.verdict().word(),
            digest: judgement.end().map(|end| end.chain.to_string()),
            lines: &about.lines,
            journal: &about.journal,
        }
    }
}
