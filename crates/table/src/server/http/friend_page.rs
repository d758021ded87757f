//! The page at the address of a friend link. Its head names the player who invites, for programs
//! that show a preview of the link.

use super::document::{Document, Preview};
use super::games::count_lookup;
use super::page::{
    HTML, LanguageQuery, accepts_gzip, build_wait_response, elements, preferred_language,
};
use crate::room::PlayerStatus;
use crate::server::limits::ClientAddress;
use crate::server::shared_state::SharedState;
use crate::server::store::{StoreError, StoreReader};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use flate2::{Compress, Compression, Crc, FlushCompress};
use std::sync::Arc;
use war::i18n::{Catalogue, Lang, text};
use war::support::hex::Hex;
use war::tokens::{Kind, Name};

/// Address of the home page, seen from a friend link.
const HOME: &str = "../";
/// Header of a gzip file without name and time.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

pub(super) fn build_routes(documents: &[Document]) -> Router<Arc<SharedState>> {
    let pages: Arc<[_]> = documents.iter().map(FriendPage::new).collect();
    Router::new()
        .route("/with/{link}", get(friend_page))
        .layer(Extension(pages))
}

/// Returns the page, and accepts nothing: the secret in the fragment of the link stays in the
/// browser.
async fn friend_page(
    State(shared): State<Arc<SharedState>>,
    Extension(pages): Extension<Arc<[FriendPage]>>,
    Path(link): Path<String>,
    Query(asked): Query<LanguageQuery>,
    Extension(address): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Response {
    let lang = asked.lang();
    if let Err(wait) = count_lookup(&shared, address) {
        return build_wait_response(wait, lang);
    }
    let inviter = match link.parse::<Hex<8>>() {
        Err(_) => Some(None),
        Ok(link) => shared.read(move |reader| read_inviter(reader, link)).await,
    };
    let Some(inviter) = inviter else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let catalogue = Catalogue::built_in(lang);
    let title = match &inviter {
        Some((name, _)) => catalogue.format_text(&text!(PreviewFriend, name = name.as_str())),
        None => catalogue.format_text(&text!(PreviewTitle)),
    };
    let preview = Preview {
        home: HOME,
        title: &title,
        about: &catalogue.format_text(&text!(PreviewAbout)),
        invitation: inviter.as_ref().map(|(name, game)| (name.as_str(), *game)),
    };
    let status = if inviter.is_some() {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    let wanted = preferred_language(&headers);
    match pages.iter().find(|page| page.lang == wanted) {
        Some(page) => (status, page.answer(&preview, &headers)).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Reads the name of the player who made a link, and the game; `None` if the link or the player is
/// gone.
fn read_inviter(
    reader: &dyn StoreReader,
    link: Hex<8>,
) -> Result<Option<(Name, Kind)>, StoreError> {
    let Some(link) = reader.friend_link(link)? else {
        return Ok(None);
    };
    let player = reader.player(link.player)?;
    let is_welcome = player.status == PlayerStatus::Welcome;
    Ok(is_welcome.then_some((player.name, link.kind)))
}

/// Document whose head differs from request to request. The rest is compressed once.
struct FriendPage {
    lang: Lang,
    /// Text before the head's tags about the address.
    start: String,
    /// Text after them.
    rest: String,
    /// Deflate stream of `rest`.
    compressed_rest: Vec<u8>,
    /// Checksum of `rest`.
    crc: Crc,
    policy: HeaderValue,
}

impl FriendPage {
    fn new(document: &Document) -> Self {
        let mut compressed_rest = Vec::with_capacity(document.rest.len());
        let mut encoder = Compress::new(Compression::best(), false);
        let bytes = document.rest.as_bytes();
        // Can't fail: the whole text is given, and the compressed one fits.
        let _ = encoder.compress_vec(bytes, &mut compressed_rest, FlushCompress::Finish);
        let mut crc = Crc::new();
        crc.update(bytes);
        Self {
            lang: document.lang,
            start: document.start.clone(),
            rest: document.rest.clone(),
            compressed_rest,
            crc,
            policy: document.policy.clone(),
        }
    }

    fn answer(&self, preview: &Preview<'_>, request: &HeaderMap) -> Response {
        let start = format!("{}{}", self.start, preview.to_html());
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(HTML)),
            (header::CONTENT_SECURITY_POLICY, self.policy.clone()),
            // The name must be gone once the player is.
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (
                header::VARY,
                HeaderValue::from_static("accept-encoding, accept-language"),
            ),
        ];
        if !elements(request, &header::ACCEPT_ENCODING).any(accepts_gzip) {
            return (headers, start + &self.rest).into_response();
        }
        let gzip = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        (headers, gzip, self.compress(&start)).into_response()
    }

    /// Joins the start, as a stored block, and the compressed rest to a gzip file.
    fn compress(&self, start: &str) -> Vec<u8> {
        let length = u16::try_from(start.len()).unwrap_or(u16::MAX);
        let (stored, more) = start.as_bytes().split_at(usize::from(length));
        debug_assert!(more.is_empty(), "a head is short");
        let mut crc = Crc::new();
        crc.update(stored);
        crc.combine(&self.crc);
        let mut file = GZIP_HEADER.to_vec();
        file.push(0);
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(stored);
        file.extend(&self.compressed_rest);
        file.extend(crc.sum().to_le_bytes());
        file.extend(crc.amount().to_le_bytes());
        file
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, FriendPage, Lang};
    use flate2::read::GzDecoder;
    use std::io::Read;

    #[test]
    fn a_page_with_another_head_is_a_valid_gzip_file() {
        let page = FriendPage::new(&Document::build(Lang::Pl));
        for start in ["", "<p>Ann & Bób</p>"] {
            let file = page.compress(start);
            let mut read = String::new();
            let mut decoder = GzDecoder::new(&file[..]);
            decoder.read_to_string(&mut read).expect("a gzip file");
            assert_eq!(read, format!("{start}{}", page.rest));
            assert!(file.len() < page.rest.len() / 3, "{}", file.len());
        }
    }
}
