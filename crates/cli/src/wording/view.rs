//! What a page that shows a game says of its journal.

use super::header::header_texts;
use super::verdict::verdict_text;
use std::collections::BTreeMap;
use war::i18n::{Catalogue, Lang};
use war::journal::Judgement;
use war::support::visible::on_one_line;

/// The verdict on the journal in this file and what its header says, in lines of text by the code of
/// their language.
pub(crate) fn view_lines(file: &str, judgement: &Judgement) -> BTreeMap<&'static str, Vec<String>> {
    let lines = |lang: Lang| (lang.code(), lines(file, judgement, lang));
    Lang::ALL.into_iter().map(lines).collect()
}

fn lines(file: &str, judgement: &Judgement, lang: Lang) -> Vec<String> {
    let (file, catalogue) = (&on_one_line(file), Catalogue::built_in(lang));
    let header = judgement.header().map(|header| header_texts(file, header));
    let verdict = verdict_text(file, judgement);
    let texts = [verdict].into_iter().chain(header.unwrap_or_default());
    texts.map(|text| catalogue.text(&text)).collect()
}
