//! The page: its frames in blocks, its policy, its parts put together.

use super::about::{About, AboutForm};
use super::assets::{PAGE, all_words, script, style};
use super::forms::{Block, FrameForm};
use super::overview::OverviewForm;
use super::packed::{embedded, json, packed};
use super::verifier::verifier;
use ct_codecs::{Base64, Encoder};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use war::projections::frames::{Frame, Overview, Shown};

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
