//! Metrics for Prometheus.
#![expect(
    clippy::disallowed_methods,
    reason = "the process says of itself what metrics show"
)]

use super::attendance::Attendance;
use crate::protocol::Refusal;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, fs};

/// Counters by the value of one label.
type Counters<V> = Family<[(&'static str, V); 1], Counter>;

/// Counters and gauges, updated from any thread.
pub struct Metrics {
    registry: Registry,
    published: Mutex<String>,
    connections: Gauge,
    refused_connections: Counter,
    refused_hosts: Counter,
    refused_origins: Counter,
    responses: Counters<u16>,
    waiting: Gauge,
    waiting_for: [Gauge; 2],
    running: Gauge,
    rooms: Gauge,
    requests: Counter,
    refusals: Counters<String>,
    games: Counter,
    timeouts: Counter,
    store_busy: Counter,
    store_errors: Counter,
    batches: Histogram,
    attendance: Attendance,
}

/// Creates a registry with the metrics of the process, which are not prefixed with the table's
/// name.
fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(ProcessMetrics::new()));
    registry
}

/// Registers a metric of the table, and returns it.
fn register<M: Metric + Clone>(table: &mut Registry, name: &str, help: &str, metric: M) -> M {
    table.register(name, help, metric.clone());
    metric
}

impl Metrics {
    /// Creates metrics that are all zero.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = registry();
        let table = registry.sub_registry_with_prefix("war_table");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        table.register("build", "The program", version);
        let mut counter = |name, help| register(table, name, help, Counter::default());
        let refused_connections = counter("connections_refused", "Connections over the limit");
        let refused_hosts = counter("hosts_refused", "Requests for hosts that this is not");
        let refused_origins = counter("origins_refused", "Connections from pages of other origins");
        let requests = counter("requests", "Requests of players");
        let games = counter("games", "Games settled");
        let timeouts = counter("timeouts", "Decisions and seeds that did not come in time");
        let store_busy = counter(
            "store_busy",
            "Times another program was writing into the store",
        );
        let store_errors = counter("store_errors", "Failures of the store");
        let mut gauge = |name, help| register(table, name, help, Gauge::default());
        let connections = gauge("connections", "Open connections");
        let waiting = gauge("players_waiting", "Players who wait");
        let running = gauge("games_running", "Games that run");
        let rooms = gauge("rooms", "Rooms that this server serves");
        let responses = "Responses over HTTP, by their status";
        // From a quarter of a millisecond to two seconds.
        let batches = Histogram::new(exponential_buckets(0.000_25, 2.0, 14));
        Self {
            published: Mutex::default(),
            connections,
            refused_connections,
            refused_hosts,
            refused_origins,
            responses: register(table, "http_responses", responses, Family::default()),
            waiting,
            waiting_for: Default::default(),
            running,
            rooms,
            requests,
            refusals: register(table, "refusals", "Requests not granted", Family::default()),
            games,
            timeouts,
            store_busy,
            store_errors,
            batches: register(
                table,
                "batch_seconds",
                "Time to do and commit a batch of requests",
                batches,
            ),
            attendance: Attendance::default(),
            registry,
        }
    }

    /// Publishes the current values of the metrics and the current attendance.
    pub(super) fn publish(&self) {
        let now = self.to_string();
        *self.latest() = now;
        let waiting = self.waiting_for.each_ref().map(Gauge::get);
        self.attendance.publish(self.running.get(), waiting);
    }

    /// Last published values, in the format OpenMetrics.
    pub(super) fn published_text(&self) -> String {
        self.latest().clone()
    }

    /// People at the table who are connected to this server.
    #[must_use]
    pub const fn attendance(&self) -> &Attendance {
        &self.attendance
    }

    fn latest(&self) -> MutexGuard<'_, String> {
        let latest = self.published.lock();
        latest.unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_connection(&self) {
        self.connections.inc();
    }

    pub(super) fn remove_connection(&self) {
        self.connections.dec();
    }

    pub(super) fn count_refused_connection(&self) {
        self.refused_connections.inc();
    }

    pub(super) fn count_refused_host(&self) {
        self.refused_hosts.inc();
    }

    pub(super) fn count_refused_origin(&self) {
        self.refused_origins.inc();
    }

    pub(super) fn count_response(&self, status: u16) {
        self.responses.get_or_create(&[("status", status)]).inc();
    }

    pub(super) fn count_request(&self) {
        self.requests.inc();
    }

    pub(super) fn count_refusal(&self, refusal: Refusal) {
        let code = [("code", refusal.to_string())];
        self.refusals.get_or_create(&code).inc();
    }

    pub(super) fn count_game(&self) {
        self.games.inc();
    }

    pub(super) fn count_timeout(&self) {
        self.timeouts.inc();
    }

    pub(super) fn count_store_busy(&self) {
        self.store_busy.inc();
    }

    /// Counts an error of the store.
    pub fn count_store_error(&self) {
        self.store_errors.inc();
    }

    pub(super) fn observe_batch(&self, took: Duration) {
        self.batches.observe(took.as_secs_f64());
    }

    /// Adds a room to the metrics of its server.
    pub(super) fn add_room(metrics: &Arc<Self>) -> RoomGauges {
        metrics.rooms.inc();
        RoomGauges {
            metrics: Arc::clone(metrics),
            waiting: 0,
            waiting_for: [0; 2],
            running: 0,
        }
    }
}

/// Share of one room in the gauges of all rooms. The share is subtracted when the value is dropped.
pub(super) struct RoomGauges {
    metrics: Arc<Metrics>,
    waiting: i64,
    waiting_for: [i64; 2],
    running: i64,
}

impl RoomGauges {
    /// Sets the room's numbers of all waiting players, of players who wait for any opponent by kind
    /// of game, and of running games.
    pub(super) fn set(&mut self, waiting: usize, for_anyone: [usize; 2], running: usize) {
        let count = |gauge: &Gauge, counted: &mut i64, now: usize| {
            let now = i64::try_from(now).unwrap_or(i64::MAX);
            gauge.inc_by(now - *counted);
            *counted = now;
        };
        let metrics = &self.metrics;
        count(&metrics.waiting, &mut self.waiting, waiting);
        count(&metrics.running, &mut self.running, running);
        let counted = metrics.waiting_for.iter().zip(&mut self.waiting_for);
        for ((gauge, counted), now) in counted.zip(for_anyone) {
            count(gauge, counted, now);
        }
    }
}

impl Drop for RoomGauges {
    fn drop(&mut self) {
        self.set(0, [0; 2], 0);
        self.metrics.rooms.dec();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Metrics {
    /// Writes the current values in the format OpenMetrics.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(f, &self.registry)
    }
}

/// Standard metrics of a process, with the names that Prometheus has for them.
///
/// Metrics that the system does not provide are left out; Linux provides all.
#[derive(Debug)]
struct ProcessMetrics {
    started: Duration,
}

impl ProcessMetrics {
    /// Creates the metrics of a process that has just been started.
    pub(super) fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            started: now.unwrap_or_default(),
        }
    }
}

impl Collector for ProcessMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let started = ConstGauge::new(self.started.as_secs_f64());
        let gauges = [
            ("resident_memory_bytes", "Resident memory", memory("VmRSS:")),
            ("virtual_memory_bytes", "Virtual memory", memory("VmSize:")),
            ("threads", "Threads", status("Threads:")),
            ("open_fds", "Open files and connections", open_files()),
            (
                "max_fds",
                "The most of these that are possible",
                most_files(),
            ),
        ];
        let mut put = |name: &str, help, metric: &dyn Encode| metric.put(&mut encoder, name, help);
        put(
            "start_time_seconds",
            "When it was started, since 1970",
            &started,
        )?;
        for (name, help, value) in gauges {
            if let Some(value) = value {
                put(name, help, &ConstGauge::new(value))?;
            }
        }
        match processor_seconds() {
            Some(seconds) => put(
                "cpu_seconds",
                "Time of the processor",
                &ConstCounter::new(seconds),
            ),
            None => Ok(()),
        }
    }
}

/// Metric of any type that can be encoded under a name.
trait Encode {
    fn put(&self, encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str) -> fmt::Result;
}

impl<M: EncodeMetric> Encode for M {
    fn put(&self, encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str) -> fmt::Result {
        let name = format!("process_{name}");
        let metric = encoder.encode_descriptor(&name, help, None, self.metric_type())?;
        self.encode(metric)
    }
}

/// Reads a number from the status of the process.
fn status(name: &str) -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Reads a size from the status of the process, in bytes.
fn memory(name: &str) -> Option<i64> {
    status(name)?.checked_mul(1024)
}

fn open_files() -> Option<i64> {
    let open = fs::read_dir("/proc/self/fd").ok()?.count();
    i64::try_from(open).ok()
}

fn most_files() -> Option<i64> {
    let most = rlimit::Resource::NOFILE.get_soft().ok()?;
    i64::try_from(most).ok()
}

/// Reads the processor time of the process, in user and kernel mode.
#[expect(clippy::cast_precision_loss, reason = "a time is rounded anyway")]
fn processor_seconds() -> Option<f64> {
    /// `USER_HZ` of Linux, which does not depend on the kernel's own timer.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain spaces and parentheses.
    let (_, after_name) = stat.rsplit_once(')')?;
    let ticks = after_name.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<u64>> = ticks.map(|ticks| ticks.parse().ok()).collect();
    Some(ticks?.iter().sum::<u64>() as f64 / TICKS_PER_SECOND)
}
