//! Games that are over: their journals, and the pages that play them.

use super::page;
use super::said::{Asked, said};
use crate::server::played::Played;
use crate::server::shared::Shared;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::sync::Arc;
use war::i18n::{Lang, text};
use war::projections::frames::Frames;
use war::replay::Replay;
use war_viewer::view::{About, JournalCopy, Viewer};

/// What a page of a game may not do beside what its own policy forbids.
const FRAMED_NOWHERE: HeaderValue = HeaderValue::from_static("frame-ancestors 'none'");

/// The journal of a game that is over.
pub(super) async fn journal(
    State(shared): State<Arc<Shared>>,
    Path(game): Path<u64>,
    Query(asked): Query<Asked>,
) -> Response {
    match recorded(&shared, game, asked.lang()).await {
        Ok(journal) => page::typed("application/json", journal),
        Err(refused) => refused,
    }
}

/// The page that plays a game that is over.
pub(super) async fn view(
    State(shared): State<Arc<Shared>>,
    Path(game): Path<u64>,
    Query(asked): Query<Asked>,
) -> Response {
    let lang = asked.lang();
    let journal = match recorded(&shared, game, lang).await {
        Ok(journal) => journal,
        Err(refused) => return refused,
    };
    let Some(shown) = shown(game, &journal, lang) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = page::typed("text/html; charset=utf-8", shown);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, FRAMED_NOWHERE);
    response
}

/// The journal of a game, or why there is none.
async fn recorded(shared: &Arc<Shared>, game: u64, lang: Lang) -> Result<Vec<u8>, Response> {
    let engine = shared.identity.engine;
    let read = shared.read(move |reader| {
        let Some(played) = Played::of(&reader.game(game)?) else {
            return Ok(None);
        };
        let kept = reader.settlement(game)?;
        Ok(played.journal(kept.as_ref(), engine, lang))
    });
    let journal = read.await.ok_or(StatusCode::INTERNAL_SERVER_ERROR);
    let journal = journal.map_err(IntoResponse::into_response)?;
    journal.ok_or_else(|| said(StatusCode::NOT_FOUND, &text!(NoSuchGame), lang))
}

/// The page of a journal that is intact.
fn shown(game: u64, journal: &[u8], lang: Lang) -> Option<String> {
    let mut viewer = Viewer::default();
    let mut frames = Frames::new(|frame| viewer.add(&frame));
    let mut replay = Replay::open(journal, Some(lang)).ok()?;
    let found = replay.read_to_end(&mut frames);
    frames.finish();
    let judgement = replay.judged(found).ok()?;
    judgement.end()?;
    Some(viewer.page(&About {
        lang,
        header: replay.header(),
        judgement: &judgement,
        seats: replay.seats(),
        lines: BTreeMap::new(),
        journal: JournalCopy::within(&format!("game-{game}.json"), journal),
    }))
}
