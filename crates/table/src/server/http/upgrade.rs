use crate::server::client::Socket;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::tungstenite::handshake::server::create_response;

/// Answers a request for a WebSocket, and hands the socket on once it is open.
///
/// The socket has to see the bytes that come, which the extractor of axum would not let it.
pub(super) fn upgrade<F: Future<Output = ()> + Send>(
    request: Request,
    serve: impl FnOnce(Socket<TokioIo<Upgraded>>) -> F + Send + 'static,
) -> Response {
    let mut request = request.map(|_| ());
    let Ok(response) = create_response(&request) else {
        return not_a_web_socket();
    };
    let upgraded = hyper::upgrade::on(&mut request);
    drop(tokio::spawn(async move {
        // A client that is gone before needs nothing.
        if let Ok(upgraded) = upgraded.await {
            serve(Socket::open(TokioIo::new(upgraded)).await).await;
        }
    }));
    response.map(|()| Body::empty())
}

/// The answer to a request that asks for no WebSocket, or for one of another version.
fn not_a_web_socket() -> Response {
    let headers = [
        (header::CONNECTION, "upgrade"),
        (header::UPGRADE, "websocket"),
        (header::SEC_WEBSOCKET_VERSION, "13"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (StatusCode::UPGRADE_REQUIRED, headers).into_response()
}
