//! What the system knows of this process, for Prometheus.
#![expect(
    clippy::disallowed_methods,
    reason = "the process says of itself what metrics show"
)]

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use std::fmt;
use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The figures that Prometheus expects of every process, by the names that it has for them.
///
/// Those that the system does not tell, as Linux does, are left out.
#[derive(Debug)]
pub(super) struct Process {
    started: Duration,
}

impl Process {
    /// This process, as if it had been started now.
    pub(super) fn started() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            started: now.unwrap_or_default(),
        }
    }
}

impl Collector for Process {
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

/// A figure of any type.
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

/// A number from the status of the process.
fn status(name: &str) -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A size from the status of the process, in bytes.
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

/// How long the processor worked, for the program and for the system.
#[expect(clippy::cast_precision_loss, reason = "a time is rounded anyway")]
fn processor_seconds() -> Option<f64> {
    /// As Linux counts for programs, whatever it counts itself.
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may have spaces and brackets.
    let (_, after_name) = stat.rsplit_once(')')?;
    let ticks = after_name.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<u64>> = ticks.map(|ticks| ticks.parse().ok()).collect();
    Some(ticks?.iter().sum::<u64>() as f64 / TICKS_A_SECOND)
}
