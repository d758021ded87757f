//! A connection to a server.

use super::client_requests;
use serde_json::Value;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{self, Error, Message, WebSocket};

/// Maximum time to wait for a message while only pings arrive.
const SILENCE: Duration = Duration::from_secs(150);

/// Raw connection, for everything that a well-behaved client does not do.
pub(crate) struct RawClient(
    pub(super) WebSocket<TcpStream>,
    /// The last cards dealt.
    Value,
);

impl RawClient {
    pub(crate) fn open(
        address: &str,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, String> {
        use tungstenite::client::IntoClientRequest;
        let stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
        let limit = Some(Duration::from_secs(60));
        stream.set_read_timeout(limit).expect("a timeout");
        let mut request = format!("ws://{address}{path}")
            .into_client_request()
            .expect("a URL");
        for (name, value) in headers {
            request
                .headers_mut()
                .insert(*name, value.parse().expect("a value"));
        }
        let opened = tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        Ok(Self(opened.0, Value::Null))
    }

    pub(crate) fn send(&mut self, request: impl std::fmt::Display) {
        self.send_raw(Message::text(request.to_string()));
    }

    /// Sends something, unless the connection has ended.
    pub(crate) fn try_send(&mut self, request: impl std::fmt::Display) -> Result<(), String> {
        let message = Message::text(request.to_string());
        self.0.send(message).map_err(|error| error.to_string())
    }

    /// Buffers something to send together with the next message.
    pub(super) fn write(&mut self, request: &Value) {
        let message = Message::text(request.to_string());
        self.0.write(message).expect("an open connection");
    }

    pub(super) fn send_raw(&mut self, message: Message) {
        self.0.send(message).expect("an open connection");
    }

    pub(crate) fn receive(&mut self) -> Value {
        self.try_receive().expect("a message")
    }

    /// Next message, or the error that ends the connection.
    pub(crate) fn try_receive(&mut self) -> Result<Value, String> {
        let start = Instant::now();
        while start.elapsed() < SILENCE {
            let heard = match self.0.read() {
                // A signal interrupted the read: nothing was read or lost.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
                heard => heard.map_err(|error| error.to_string())?,
            };
            match heard {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if message.get("cards").is_some() && message.get("deal").is_some() {
                        self.1 = message.clone();
                    }
                    return Ok(message);
                }
                Message::Close(frame) => return Err(format!("closed {frame:?}")),
                _ => {}
            }
        }
        Err("only pings".into())
    }

    /// Messages up to one of this type.
    pub(crate) fn receive_until(&mut self, kind: &str) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            heard.push(self.receive());
            if heard[heard.len() - 1]["type"] == kind {
                return heard;
            }
        }
    }

    /// Request that decides on the cards dealt last.
    pub(crate) fn decision(&self, id: &str, decision: &str) -> Value {
        client_requests::decide(id, &self.1, decision)
    }

    pub(super) fn error(&mut self, request: impl std::fmt::Display) -> String {
        self.send(request);
        let answer = self.receive();
        assert_eq!(answer["type"], "error", "{answer}");
        answer["code"].as_str().expect("a code").to_owned()
    }
}
