//! The page: what it says about its game, its frames in blocks, its policy, its parts put together.

use crate::assets::{PAGE, all_words, script, style, verifier};
use crate::frames::{Block, FrameForm, OverviewForm};
use ct_codecs::{Base64, Encoder};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use war::journal::{Called, Header, Judgement, RecordedRules};
use war::lang::Lang;
use war::projections::frames::{Frame, Overview, Shown};
use war::tokens::Seats;

/// How many frames are packed together: a page inflates so many to show one of them.
const FRAMES_OF_A_BLOCK: usize = 256;

/// Takes the frames of a game, and makes a page of them.
#[derive(Debug, Default)]
pub struct Viewer {
    /// The blocks that are full, packed.
    blocks: Vec<String>,
    block: Block,
    overview: Overview,
    frames: u32,
    /// The longest line of the screens, in characters.
    widest: usize,
}

impl Viewer {
    /// Takes the next frame.
    pub fn add(&mut self, frame: &Frame) {
        if self.block.frames.len() == FRAMES_OF_A_BLOCK {
            self.blocks.push(packed(json(&self.block).as_bytes()));
            self.block = Block::default();
        }
        if let (true, Shown::Turn(turn)) = (self.block.frames.is_empty(), &frame.shown) {
            self.block.before = turn.seats.iter().map(|held| held.before).collect();
        }
        self.overview.add(frame);
        let lines = frame.text.lines().map(|line| line.chars().count());
        self.widest = self.widest.max(lines.max().unwrap_or_default());
        self.block.frames.push(FrameForm::from(frame));
        self.block.texts.push(frame.text.clone());
        self.frames = self.frames.saturating_add(1);
    }

    /// The page, with all that it needs in it.
    #[must_use]
    pub fn page(&self, about: &About<'_>) -> String {
        let turns = self.frames.saturating_sub(1);
        let form = AboutForm::of(about, turns, FRAMES_OF_A_BLOCK, self.widest);
        let (style, script, verifier) = (style(), script(), verifier());
        let mut data = String::new();
        data_element(&mut data, "words", &packed(all_words().as_bytes()));
        data_element(&mut data, "verifier", &packed(verifier.as_bytes()));
        data_element(&mut data, "about", &embedded(&form));
        let overview = packed(json(&OverviewForm::from(&self.overview)).as_bytes());
        data_element(&mut data, "overview", &overview);
        let last = packed(json(&self.block).as_bytes());
        for (number, block) in self.blocks.iter().chain([&last]).enumerate() {
            data_element(&mut data, &format!("block-{number}"), block);
        }
        if let Some(journal) = &about.journal.packed {
            data_element(&mut data, "journal", journal);
        }
        put_together(&[
            ("lang", about.lang.code()),
            ("policy", &policy(&style, [&script, &verifier])),
            ("style", &style),
            ("script", &script),
            ("data", &data),
        ])
    }
}

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
    packed: Option<String>,
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
struct AboutForm<'a> {
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
    fn of(about: &'a About<'_>, turns: u32, block: usize, widest: usize) -> Self {
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

/// Adds an element that no browser runs.
fn data_element(out: &mut String, id: &str, content: &str) {
    // Writing to a text can't fail.
    let _ = writeln!(
        out,
        "<script type=\"text/plain\" id=\"{id}\">{content}</script>"
    );
}

/// What the page may do: nothing but this style and these scripts.
fn policy(style: &str, scripts: [&str; 2]) -> String {
    let hash = |text: &str| {
        let hash = Base64::encode_to_string(Sha256::digest(text.as_bytes()));
        format!("'sha256-{}'", hash.unwrap_or_default())
    };
    format!(
        "default-src 'none'; style-src {}; script-src {}; \
         base-uri 'none'; form-action 'none'",
        hash(style),
        scripts.map(hash).join(" ")
    )
}

/// The page with its parts where the marks are; no mark in a part counts.
fn put_together(parts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = PAGE;
    for (name, part) in parts {
        let mark = format!("{{{{{name}}}}}");
        if let Some((before, after)) = rest.split_once(&mark) {
            page.push_str(before);
            page.push_str(part);
            rest = after;
        }
    }
    page + rest
}

/// Bytes deflated, in base 64: browsers inflate them by themselves.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Neither of these can fail: what is written to is memory.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    Base64::encode_to_string(written.unwrap_or_default()).unwrap_or_default()
}

/// A value as JSON that can stand in an element of a page, whatever it says.
fn embedded(value: &impl Serialize) -> String {
    json(value).replace('<', "\\u003c")
}

/// A value as JSON.
fn json(value: &impl Serialize) -> String {
    // The forms of this part have plain keys, and nothing in them fails.
    serde_json::to_string(value).unwrap_or_default()
}
