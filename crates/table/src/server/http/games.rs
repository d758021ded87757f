//! Routes of finished games: journals, their signatures, and pages.
//!
//! A game is found by the address of its journal, which only its players learn, or by its number if
//! all of its players let others watch.
//!
//! Journals are written, and pages rendered, off the threads that serve connections.

use super::page::{self, File, LanguageQuery, build_text_response, build_wait_response};
use crate::protocol::JournalAddress;
use crate::server::completed_game::CompletedGame;
use crate::server::limits::{CONNECTIONS_PER_ADDRESS, ClientAddress};
use crate::server::queries::read_watchable_players;
use crate::server::shared_state::SharedState;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use lru::LruCache;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;
use war::i18n::{Lang, text};
use war::projections::frames::Frames;
use war::recording::RecordingMetadata;
use war::replay::Replay;
use war_viewer::{JournalCopy, PageFacts, Viewer};

/// Cost of rendering a page, in requests: an address gets as many pages in a second as one
/// connection may send messages.
const PAGE_COST: u32 = CONNECTIONS_PER_ADDRESS;
/// Cost of a journal or its signature, in requests.
const JOURNAL_COST: u32 = 3;
/// Cost of finding out whether a game is public, or who made a link, in requests.
const LOOKUP_COST: u32 = 2;
/// Maximum number of pages in memory, each with some 110 KB.
const MAX_PAGES: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// Content security policy in addition to the one in the page of a game.
const FRAMED_NOWHERE: HeaderValue = HeaderValue::from_static("frame-ancestors 'none'");

pub(super) fn build_routes() -> Router<Arc<SharedState>> {
    Router::new()
        .route("/games/{game}/journal.json", get(journal))
        .route("/games/{game}/journal.json.minisig", get(signature))
        .route("/games/{game}/view", get(view))
        .layer(Extension(Arc::new(GamePages::new())))
}

/// Pages of the finished games that were viewed last. These pages never change.
struct GamePages {
    latest: Mutex<LruCache<(u64, &'static str), Arc<File>>>,
    /// Held by the thread that renders a page. Rendering one page at a time leaves the other
    /// processors to the players.
    renderer: Arc<tokio::sync::Mutex<()>>,
}

impl GamePages {
    fn new() -> Self {
        Self {
            latest: Mutex::new(LruCache::new(MAX_PAGES)),
            renderer: Arc::default(),
        }
    }

    fn get(&self, game: u64, lang: Lang) -> Option<Arc<File>> {
        self.latest().get(&(game, lang.code())).cloned()
    }

    fn insert(&self, game: u64, lang: Lang, page: Arc<File>) {
        self.latest().put((game, lang.code()), page);
    }

    fn latest(&self) -> MutexGuard<'_, LruCache<(u64, &'static str), Arc<File>>> {
        // No panic can leave the cache half updated.
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the table's signature of the journal of a finished game.
async fn signature(
    State(shared): State<Arc<SharedState>>,
    Path(asked_game): Path<String>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
) -> Response {
    let lang = asked.lang();
    let found = match find_game(&shared, &asked_game, lang, (address, JOURNAL_COST)).await {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let identity = shared.identity.clone();
    let signed = spawn_blocking(move || {
        let settled = found.settlement?;
        let journal = found
            .game
            .write_journal(Some(&settled), identity.engine, settled.lang)?;
        Some(identity.key.sign_journal(&journal, &settled.digest))
    });
    match signed.await {
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Ok(None) => no_such_game(lang),
        Ok(Some(signed)) => page::build_response("text/plain; charset=utf-8", signed),
    }
}

/// Returns the journal of a finished game.
async fn journal(
    State(shared): State<Arc<SharedState>>,
    Path(asked_game): Path<String>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
) -> Response {
    let lang = asked.lang();
    let found = match find_game(&shared, &asked_game, lang, (address, JOURNAL_COST)).await {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let engine = shared.identity.engine;
    match spawn_blocking(move || found.write_journal(engine, lang)).await {
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Ok(None) => no_such_game(lang),
        Ok(Some(journal)) => page::build_response("application/json", journal),
    }
}

/// Returns the viewer page of a finished game.
async fn view(
    State(shared): State<Arc<SharedState>>,
    Extension(pages): Extension<Arc<GamePages>>,
    Path(asked_game): Path<String>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Response {
    match load_page(shared, pages, (&asked_game, asked.lang()), address).await {
        Ok(page) => {
            let mut response = page.answer(&headers);
            // A browser that already has the page takes the policy from this response, too.
            response
                .headers_mut()
                .insert(header::CONTENT_SECURITY_POLICY, FRAMED_NOWHERE);
            response
        }
        Err(refused) => refused,
    }
}

/// Returns the page of a game from memory, or renders it.
async fn load_page(
    shared: Arc<SharedState>,
    pages: Arc<GamePages>,
    (asked, lang): (&str, Lang),
    address: ClientAddress,
) -> Result<Arc<File>, Response> {
    let game = authorize(&shared, asked, lang, address).await?;
    if let Some(page) = pages.get(game, lang) {
        return Ok(page);
    }
    let found = read_game(&shared, game, lang, (address, PAGE_COST)).await?;
    let turn = Arc::clone(&pages.renderer).lock_owned().await;
    if let Some(page) = pages.get(game, lang) {
        return Ok(page);
    }
    let rendered = spawn_blocking(move || {
        // Held here because a client that leaves ends only the request.
        let _turn = turn;
        let journal = found.write_journal(shared.identity.engine, lang)?;
        let page = render_view(game, &journal, lang)?;
        // Most of the page is packed already.
        let page = File::new_uncompressed("text/html; charset=utf-8", page.into());
        let page = Arc::new(page);
        pages.insert(game, lang, Arc::clone(&page));
        Some(page)
    });
    let page = rendered.await.ok().flatten();
    page.ok_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// Finished game, and the settlement that was stored when it ended.
struct StoredGame {
    game: CompletedGame,
    settlement: Option<RecordingMetadata>,
}

impl StoredGame {
    fn write_journal(&self, engine: &str, lang: Lang) -> Option<Vec<u8>> {
        self.game
            .write_journal(self.settlement.as_ref(), engine, lang)
    }
}

/// Finds and reads a finished game for an address, which pays this number of requests. The error is
/// the response.
async fn find_game(
    shared: &Arc<SharedState>,
    asked: &str,
    lang: Lang,
    (address, cost): (ClientAddress, u32),
) -> Result<StoredGame, Response> {
    let game = authorize(shared, asked, lang, address).await?;
    read_game(shared, game, lang, (address, cost)).await
}

/// Returns the number of a game that anybody may see who asks for it in this way. The error is the
/// response, which is the same for a wrong key, a game that is not public, and no game at all.
async fn authorize(
    shared: &Arc<SharedState>,
    asked: &str,
    lang: Lang,
    address: ClientAddress,
) -> Result<u64, Response> {
    if let Ok(journal) = asked.parse::<JournalAddress>() {
        let is_right = shared.identity.secret.is_journal_address(&journal);
        return is_right
            .then_some(journal.game)
            .ok_or_else(|| no_such_game(lang));
    }
    let game: u64 = asked.parse().map_err(|_| no_such_game(lang))?;
    count_lookup(shared, address).map_err(|wait| build_wait_response(wait, lang))?;
    let read = shared.read(move |reader| {
        let events = reader.game_events(game)?;
        Ok(read_watchable_players(reader, &events)?.is_some())
    });
    match read.await {
        None => Err(StatusCode::INTERNAL_SERVER_ERROR.into_response()),
        Some(false) => Err(no_such_game(lang)),
        Some(true) => Ok(game),
    }
}

/// Counts a lookup for an address. The error is the time to wait.
pub(super) fn count_lookup(shared: &SharedState, address: ClientAddress) -> Result<(), Duration> {
    count_work(shared, address, LOOKUP_COST)
}

/// Counts work for an address that costs this number of requests. The error is the time to wait.
fn count_work(shared: &SharedState, address: ClientAddress, cost: u32) -> Result<(), Duration> {
    // The request itself has been counted.
    let limits = &shared.address_limits;
    limits.count_work(address, cost - 1, shared.clock.now())
}

/// Reads a finished game for an address, which pays this number of requests. The error is the
/// response.
async fn read_game(
    shared: &Arc<SharedState>,
    game: u64,
    lang: Lang,
    (address, cost): (ClientAddress, u32),
) -> Result<StoredGame, Response> {
    let allowed = count_work(shared, address, cost);
    allowed.map_err(|wait| build_wait_response(wait, lang))?;
    let read = shared.read(move |reader| {
        let Some(played) = CompletedGame::from_events(&reader.game_events(game)?) else {
            return Ok(None);
        };
        Ok(Some(StoredGame {
            game: played,
            settlement: reader.settlement(game)?,
        }))
    });
    let found = read.await.ok_or(StatusCode::INTERNAL_SERVER_ERROR);
    let found = found.map_err(IntoResponse::into_response)?;
    found.ok_or_else(|| no_such_game(lang))
}

fn no_such_game(lang: Lang) -> Response {
    build_text_response(StatusCode::NOT_FOUND, &text!(NoSuchGame), lang)
}

/// Renders the viewer page of a journal; `None` if the journal is not intact.
fn render_view(game: u64, journal: &[u8], lang: Lang) -> Option<String> {
    let mut viewer = Viewer::default();
    let mut frames = Frames::new(|frame| viewer.add(&frame));
    let mut replay = Replay::open(journal, Some(lang)).ok()?;
    let found = replay.read_to_end(&mut frames);
    frames.finish();
    let judgement = replay.judge(found).ok()?;
    judgement.end()?;
    Some(viewer.build_page(&PageFacts {
        lang,
        header: replay.header(),
        judgement: &judgement,
        seats: replay.seats(),
        lines: BTreeMap::new(),
        journal: JournalCopy::embedded(&format!("game-{game}.json"), journal),
        // A proxy may keep the table below a path of its own.
        home: Some("../../"),
    }))
}
