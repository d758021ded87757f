//! The daily duel: its hands and, once the day is over, its seed, the house's cards and journals.

use super::games::count_lookup;
use super::page::{self, LanguageQuery, build_text_response, build_wait_response};
use crate::daily::{DailyDuel, Day, DayCommitment, HandNumber};
use crate::server::hub::EQUILIBRIA;
use crate::server::limits::ClientAddress;
use crate::server::rating::RATING_DELAY;
use crate::server::shared_state::SharedState;
use crate::time::WallTime;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::Serialize;
use std::sync::Arc;
use war::i18n::{Lang, text};
use war::support::hex::Hex;
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Kind, TokenRules};

/// Strategy of the house in the daily duel.
fn house() -> &'static Strategy {
    let [_, double] = &*EQUILIBRIA;
    debug_assert_eq!(TokenRules::DAILY.kind(), Kind::Double);
    double
}

pub(super) fn build_routes() -> Router<Arc<SharedState>> {
    Router::new()
        .route("/daily.json", get(today))
        .route("/daily/{file}", get(duel))
        .route("/daily/{day}/{hand}/{decision}/journal.json", get(journal))
}

/// Duel of a day as served: in the log, with its hands.
#[derive(Serialize)]
struct ServedDuel {
    day: String,
    rules: &'static str,
    /// Number of the leaf that commits to the seed.
    leaf: u64,
    time_ms: u64,
    commitment: Hex<32>,
    /// Hands of the player.
    hands: Vec<Hand>,
    /// What opens after the day.
    #[serde(flatten)]
    opened: Option<OpenedDuel>,
}

/// Part of a duel that is secret until the day is over.
#[derive(Serialize)]
struct OpenedDuel {
    seed: Hex<32>,
    house: Vec<HouseHand>,
}

#[derive(Serialize)]
struct HouseHand {
    cards: Hand,
    decision: Decision,
}

impl ServedDuel {
    fn new(found: &FoundDuel) -> Self {
        let FoundDuel {
            duel,
            leaf,
            committed,
            ..
        } = found;
        let opened = found.is_over.then(|| OpenedDuel {
            seed: duel.seed.reveal(),
            house: HandNumber::all()
                .map(|hand| {
                    let [_, cards] = duel.hands(hand);
                    let decision = duel.house_decision(hand, house());
                    HouseHand { cards, decision }
                })
                .collect(),
        });
        Self {
            day: duel.day.to_string(),
            rules: TokenRules::DAILY.id(),
            leaf: *leaf,
            time_ms: committed.time_ms,
            commitment: committed.commitment,
            hands: HandNumber::all()
                .map(|hand| {
                    let [cards, _] = duel.hands(hand);
                    cards
                })
                .collect(),
            opened,
        }
    }
}

/// Returns the duel of the present day.
async fn today(
    State(shared): State<Arc<SharedState>>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
) -> Response {
    let today = Day::of(shared.clock.wall_time());
    serve(&shared, Some(today), address, asked.lang()).await
}

/// Returns the duel of a day.
async fn duel(
    State(shared): State<Arc<SharedState>>,
    Path(file): Path<String>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
) -> Response {
    let day = file.strip_suffix(".json").and_then(|day| day.parse().ok());
    serve(&shared, day, address, asked.lang()).await
}

async fn serve(
    shared: &Arc<SharedState>,
    day: Option<Day>,
    address: ClientAddress,
    lang: Lang,
) -> Response {
    match find_duel(shared, day, address, lang).await {
        Err(refused) => refused,
        Ok(found) => match serde_json::to_vec(&ServedDuel::new(&found)) {
            Ok(json) => page::build_response("application/json", json),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
    }
}

/// Returns the journal of a hand for a player with this decision.
async fn journal(
    State(shared): State<Arc<SharedState>>,
    Path((day, hand, decision)): Path<(String, String, String)>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
) -> Response {
    let lang = asked.lang();
    let found = match find_duel(&shared, day.parse().ok(), address, lang).await {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let decision = match decision.as_str() {
        "play" => Some(Decision::Play),
        "fold" => Some(Decision::Fold),
        _ => None,
    };
    let asked = hand.parse().ok().zip(decision).filter(|_| found.is_over);
    let written = asked.and_then(|(hand, decision)| {
        let engine = shared.identity.engine;
        found.duel.write_journal(hand, decision, house(), engine)
    });
    match written {
        Some(journal) => page::build_response("application/json", journal),
        None => no_such_duel(lang),
    }
}

/// Duel to whose seed the table committed before the day.
struct FoundDuel {
    duel: DailyDuel,
    /// Number of the leaf with the commitment.
    leaf: u64,
    committed: DayCommitment,
    /// `true` if the seed may be opened.
    is_over: bool,
}

/// Finds the duel of a day that has begun, for an address. The error is the response.
async fn find_duel(
    shared: &Arc<SharedState>,
    day: Option<Day>,
    address: ClientAddress,
    lang: Lang,
) -> Result<FoundDuel, Response> {
    count_lookup(shared, address).map_err(|wait| build_wait_response(wait, lang))?;
    let now = shared.clock.wall_time();
    let day = day.filter(|day| *day <= Day::of(now));
    let day = day.ok_or_else(|| no_such_duel(lang))?;
    let read = shared.read(move |reader| Ok((reader.day_commitment(day)?, reader.rated_day()?)));
    let (found, rated) = read
        .await
        .ok_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())?;
    let duel = shared.identity.secret.daily_duel(day);
    let found = found.filter(|(_, committed)| {
        committed.is_in_time() && committed.commitment == duel.seed.commitment()
    });
    let (leaf, committed) = found.ok_or_else(|| no_such_duel(lang))?;
    Ok(FoundDuel {
        duel,
        leaf,
        committed,
        is_over: is_over(day, now, rated.map(Day::from_number)),
    })
}

/// Returns true if a day is over by the clock of this node, and is rated. What is rated is stored, so
/// a fast clock opens nothing unless it is that of the node that rates. A table without games, or
/// whose ladder is to be computed again, has rated no day: then the clock decides alone.
fn is_over(day: Day, now: WallTime, rated: Option<Day>) -> bool {
    day < Day::of(now.saturating_sub(RATING_DELAY)) && rated.is_none_or(|rated| day <= rated)
}

fn no_such_duel(lang: Lang) -> Response {
    build_text_response(StatusCode::NOT_FOUND, &text!(NoSuchDuel), lang)
}

#[cfg(test)]
mod tests {
    use super::is_over;
    use crate::daily::Day;
    use std::time::Duration;

    #[test]
    fn a_day_is_over_by_the_clock_and_by_the_ladder() {
        let [before, day, after] = [19, 20, 21].map(Day::from_number);
        let now = after.start().saturating_add(Duration::from_secs(600));
        for rated in [None, Some(day), Some(after)] {
            assert!(is_over(day, now, rated), "{rated:?}");
            let early = now.saturating_sub(Duration::from_millis(1));
            assert!(!is_over(day, early, rated), "{rated:?}");
        }
        assert!(!is_over(day, now, Some(before)), "a fast clock");
    }
}
