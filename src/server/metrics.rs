//! What an operator can measure, for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::fmt;
use std::time::Duration;

/// Counters and gauges, updated from any thread.
pub struct Metrics {
    registry: Registry,
    connections: Gauge,
    refused_connections: Counter,
    refused_origins: Counter,
    waiting: Gauge,
    running: Gauge,
    requests: Counter,
    refusals: Counter,
    games: Counter,
    batches: Histogram,
}

impl Metrics {
    /// Counters that are all zero.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("war_table");
        let (connections, refused_connections, refused_origins) =
            (Gauge::default(), Counter::default(), Counter::default());
        let (waiting, running) = (Gauge::default(), Gauge::default());
        let (requests, refusals, games) =
            (Counter::default(), Counter::default(), Counter::default());
        // From a quarter of a millisecond to two seconds.
        let batches = Histogram::new(exponential_buckets(0.000_25, 2.0, 14));
        registry.register("connections", "Open connections", connections.clone());
        registry.register(
            "connections_refused",
            "Connections over the limit",
            refused_connections.clone(),
        );
        registry.register(
            "origins_refused",
            "Connections from pages of other origins",
            refused_origins.clone(),
        );
        registry.register("players_waiting", "Players who wait", waiting.clone());
        registry.register("games_running", "Games that run", running.clone());
        registry.register("requests", "Requests of players", requests.clone());
        registry.register("refusals", "Requests not granted", refusals.clone());
        registry.register("games", "Games settled", games.clone());
        registry.register(
            "batch_seconds",
            "Time to do and commit a batch of requests",
            batches.clone(),
        );
        Self {
            registry,
            connections,
            refused_connections,
            refused_origins,
            waiting,
            running,
            requests,
            refusals,
            games,
            batches,
        }
    }

    pub(super) fn connected(&self) {
        self.connections.inc();
    }

    pub(super) fn disconnected(&self) {
        self.connections.dec();
    }

    pub(super) fn refused_connection(&self) {
        self.refused_connections.inc();
    }

    pub(super) fn refused_origin(&self) {
        self.refused_origins.inc();
    }

    pub(super) fn request(&self) {
        self.requests.inc();
    }

    pub(super) fn refusal(&self) {
        self.refusals.inc();
    }

    pub(super) fn game(&self) {
        self.games.inc();
    }

    pub(super) fn batch(&self, took: Duration, waiting: usize, running: usize) {
        self.batches.observe(took.as_secs_f64());
        let gauge = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        self.waiting.set(gauge(waiting));
        self.running.set(gauge(running));
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Metrics {
    /// Writes the text format of Prometheus.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(f, &self.registry)
    }
}
