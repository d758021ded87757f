use super::page;
use super::said::{asked_language, said};
use crate::server::HostName;
use crate::server::host::Hosts;
use crate::server::limits::Address;
use crate::server::shared::Shared;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use slog::debug;
use std::net::IpAddr;
use std::sync::Arc;
use war::i18n::text;

/// How much of what a stranger sent is logged, in bytes.
const LONGEST_LOGGED: usize = 100;

/// Who is at the other end of a connection: a client, or a proxy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// What every request has to pass.
pub(super) struct Guard {
    pub(super) shared: Arc<Shared>,
    pub(super) hosts: Hosts,
    /// Whether addresses may ask for so much only.
    pub(super) is_limited: bool,
}

/// Why a request is not passed on.
enum Refused {
    /// It does not say, or not clearly, which host it asks for.
    NoHost,
    /// It asks for a host that this is not.
    ForeignHost,
    /// Its address asks for too much; in milliseconds, it may ask again.
    TooMany(u64),
}

/// Passes a request on if it may come in, and gives every response the headers of a page.
pub(super) async fn admit(
    State(guard): State<Arc<Guard>>,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = guard.address(peer, request.headers());
    let mut response = match guard.check(&request, address) {
        Ok(()) => {
            request.extensions_mut().insert(address);
            next.run(request).await
        }
        Err(refused) => refusal(&refused, &request),
    };
    guard.shared.metrics.response(response.status().as_u16());
    page::protect(response.headers_mut());
    response
}

impl Guard {
    /// Where a request comes from: its peer, or what a trusted proxy says in its place.
    fn address(&self, peer: IpAddr, headers: &HeaderMap) -> Address {
        let header = self.shared.limits.proxy_header.as_ref();
        let values = header.map(|header| headers.get_all(header.as_str()).iter());
        // The proxy's own is the last one: clients may send others before it.
        let own = values.and_then(Iterator::last);
        let addresses = own.and_then(|value| value.to_str().ok());
        addresses
            .and_then(Address::last_of)
            .unwrap_or_else(|| peer.into())
    }

    fn check(&self, request: &Request, address: Address) -> Result<(), Refused> {
        for host in hosts(request).ok_or(Refused::NoHost)? {
            if !self.hosts.know(&host) {
                self.shared.metrics.refused_host();
                let host = host.to_string();
                let host = &host[..host.len().min(LONGEST_LOGGED)];
                debug!(self.shared.log, "foreign host"; "host" => host);
                return Err(Refused::ForeignHost);
            }
        }
        if !self.is_limited {
            return Ok(());
        }
        let now = self.shared.clock.now();
        let allowed = self.shared.crowds.request(address, now);
        allowed.map_err(Refused::TooMany)
    }
}

/// The hosts that a request asks for: that of its `Host`, and that of its target where it has
/// one. `None` where it does not say what it has to, or not clearly.
///
/// # Source
///
/// RFC 9112, section 3.2.
fn hosts(request: &Request) -> Option<Vec<HostName>> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => Some(host.to_str().ok()?.parse().ok()?),
        // No browser is that old.
        (None, None) if request.version() == Version::HTTP_10 => None,
        _ => return None,
    };
    let target = request.uri().authority().cloned();
    let all = host.into_iter().chain(target);
    all.map(|authority| host_name(&authority)).collect()
}

fn host_name(authority: &Authority) -> Option<HostName> {
    let has_user = authority.as_str().contains('@');
    let host = authority.host().parse().ok();
    host.filter(|_| !has_user)
}

fn refusal(refused: &Refused, request: &Request) -> Response {
    let lang = asked_language(request.uri());
    match refused {
        Refused::NoHost => said(StatusCode::BAD_REQUEST, &text!(NoHost), lang),
        Refused::ForeignHost => said(StatusCode::MISDIRECTED_REQUEST, &text!(ForeignHost), lang),
        Refused::TooMany(wait) => {
            let text = text!(TooManyRequests);
            let mut response = said(StatusCode::TOO_MANY_REQUESTS, &text, lang);
            let seconds = HeaderValue::from(wait.div_ceil(1000));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
            response
        }
    }
}
