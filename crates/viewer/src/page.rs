//! Assembly of the page from its data, styles and scripts, with its content security policy.

use crate::assets::{PAGE_TEMPLATE, messages_to_json, page_script, style, verifier_script};
use crate::document::{embed_json, fill_template, security_policy};
use crate::frames::{Block, FrameData, OverviewData};
use ct_codecs::{Base64, Encoder};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;
use war::journal::{Header, Judgement, PlayerLabel, RecordedRules};
use war::lang::Lang;
use war::projections::frames::{Frame, FrameContent, Overview};
use war::tokens::Seats;

/// Number of frames in a block. To show a frame, the page inflates its whole block.
const FRAMES_PER_BLOCK: usize = 256;

/// Collects the frames of a game, and builds the page from them.
#[derive(Debug, Default)]
pub struct Viewer {
    /// Full blocks of frames, packed.
    blocks: Vec<String>,
    block: Block,
    overview: Overview,
    frames: u32,
    /// Length of the longest line of the screens, in characters.
    widest: usize,
}

impl Viewer {
    /// Adds the next frame.
    pub fn add(&mut self, frame: &Frame) {
        if self.block.frames.len() == FRAMES_PER_BLOCK {
            self.blocks.push(pack(json(&self.block).as_bytes()));
            self.block = Block::default();
        }
        if let (true, FrameContent::Turn(turn)) = (self.block.frames.is_empty(), &frame.content) {
            self.block.before = turn.seats.iter().map(|held| held.before).collect();
        }
        self.overview.add(frame);
        let lines = frame.text.lines().map(|line| line.chars().count());
        self.widest = self.widest.max(lines.max().unwrap_or_default());
        self.block.frames.push(FrameData::from(frame));
        self.block.texts.push(frame.text.clone());
        self.frames = self.frames.saturating_add(1);
    }

    /// Builds the page, which is self-contained except for a journal beside it.
    #[must_use]
    pub fn build_page(&self, about: &PageFacts<'_>) -> String {
        let turns = self.frames.saturating_sub(1);
        let page_data = PageData::new(about, turns, FRAMES_PER_BLOCK, self.widest);
        let assets = &*ASSETS;
        let mut data = String::new();
        data_element(&mut data, "words", &assets.words);
        data_element(&mut data, "verifier", &assets.verifier);
        data_element(&mut data, "about", &embed_json(&json(&page_data)));
        let overview = pack(json(&OverviewData::from(&self.overview)).as_bytes());
        data_element(&mut data, "overview", &overview);
        let last = pack(json(&self.block).as_bytes());
        for (number, block) in self.blocks.iter().chain([&last]).enumerate() {
            data_element(&mut data, &format!("block-{number}"), block);
        }
        if let Some(journal) = &about.journal.packed {
            data_element(&mut data, "journal", journal);
        }
        fill_template(
            PAGE_TEMPLATE,
            &[
                ("lang", about.lang.code()),
                ("policy", &assets.policy),
                ("style", &assets.style),
                ("script", &assets.script),
                ("data", &data),
            ],
        )
    }
}

/// Parts that all pages have in common.
struct PageAssets {
    style: String,
    script: String,
    /// Content security policy.
    policy: String,
    /// Messages, packed.
    words: String,
    /// Script of the verifier, packed.
    verifier: String,
}

/// Parts of all pages, packed once: packing takes ten times as long as the rest of a short game.
static ASSETS: LazyLock<PageAssets> = LazyLock::new(|| {
    let (style, script, verifier) = (style(), page_script(), verifier_script());
    PageAssets {
        policy: security_policy(&style, &[&script, &verifier]),
        words: pack(messages_to_json().as_bytes()),
        verifier: pack(verifier.as_bytes()),
        style,
        script,
    }
});

/// Facts about the game that a page shows.
pub struct PageFacts<'a> {
    /// Language of the screens, in which the page opens.
    pub lang: Lang,
    /// Header of the journal.
    pub header: &'a Header,
    /// Verdict on the journal.
    pub judgement: &'a Judgement,
    /// Players of a token game.
    pub seats: Option<&'a Seats>,
    /// Further lines of text about the journal, by language code.
    pub lines: BTreeMap<&'static str, Vec<String>>,
    /// The journal itself.
    pub journal: JournalCopy,
    /// Address of the card table where the game was played, if that table serves the page.
    pub home: Option<&'static str>,
}

/// Copy of the journal that a page offers: embedded, in a file beside the page, or none.
#[derive(Debug, Serialize)]
pub struct JournalCopy {
    /// File name of the journal.
    name: String,
    bytes: usize,
    /// True if the journal's file is beside the page.
    beside: bool,
    /// The packed journal, if it is embedded in the page.
    #[serde(skip)]
    packed: Option<String>,
}

impl JournalCopy {
    /// Maximum size of a journal to embed in a page, in bytes.
    pub const MAX_EMBEDDED_BYTES: usize = 2_000_000;

    /// Returns the file name of the journal.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Embeds the journal in the page.
    #[must_use]
    pub fn embedded(name: &str, journal: &[u8]) -> Self {
        Self {
            packed: Some(pack(journal)),
            ..Self::not_included(name, journal)
        }
    }

    /// Refers to the journal in a file with this name beside the page.
    #[must_use]
    pub fn beside_page(name: &str, journal: &[u8]) -> Self {
        Self {
            beside: true,
            ..Self::not_included(name, journal)
        }
    }

    /// Names a journal that does not come with the page.
    #[must_use]
    pub fn not_included(name: &str, journal: &[u8]) -> Self {
        Self {
            name: name.to_owned(),
            bytes: journal.len(),
            beside: false,
            packed: None,
        }
    }
}

/// JSON data about the game as a whole.
#[derive(Debug, Serialize)]
struct PageData<'a> {
    lang: &'static str,
    rules: &'a str,
    deck: String,
    cards: usize,
    /// True if ranks 11 to 14 are shown as jack, queen, king and ace.
    court: bool,
    seats: Vec<PlayerLabel>,
    tokens: bool,
    /// Number of the last turn.
    turns: u32,
    /// Number of frames in a block.
    block: usize,
    /// Length of the longest line of the screens, in characters.
    widest: usize,
    verdict: &'static str,
    digest: Option<String>,
    lines: &'a BTreeMap<&'static str, Vec<String>>,
    journal: &'a JournalCopy,
    home: Option<&'static str>,
}

impl<'a> PageData<'a> {
    fn new(about: &'a PageFacts<'_>, turns: u32, block: usize, widest: usize) -> Self {
        let (header, judgement) = (about.header, about.judgement);
        Self {
            lang: about.lang.code(),
            rules: header.rules.id(),
            deck: header.deck.name(),
            cards: header.deck.size(),
            court: header.deck.highest_rank() <= war::cards::Rank::ACE.get(),
            seats: header.player_labels(about.seats),
            tokens: matches!(header.rules, RecordedRules::Tokens(_)),
            turns,
            block,
            widest,
            verdict: judgement.verdict().name(),
            digest: judgement.end().map(|end| end.digest.to_string()),
            lines: &about.lines,
            journal: &about.journal,
            home: about.home,
        }
    }
}

/// Adds a `script` element with data, which browsers don't run.
fn data_element(out: &mut String, id: &str, content: &str) {
    // Writing to a string never fails.
    let _ = writeln!(
        out,
        "<script type=\"text/plain\" id=\"{id}\">{content}</script>"
    );
}

/// Deflates bytes and encodes them in base64; browsers can inflate them natively.
fn pack(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory never fails.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    Base64::encode_to_string(written.unwrap_or_default()).unwrap_or_default()
}

fn json(value: &impl Serialize) -> String {
    // The types of this module have plain keys, so serialization never fails.
    serde_json::to_string(value).unwrap_or_default()
}
