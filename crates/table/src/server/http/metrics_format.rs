//! Formats of the metrics, and the choice between them by the `Accept` header of a scraper.

use super::page::elements;
use axum::http::{HeaderMap, header};

/// Format in which a scraper gets the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetricsFormat {
    /// OpenMetrics 1.0.0.
    OpenMetrics,
    /// Text format 0.0.4 of Prometheus, which every scraper reads.
    Text,
}

impl MetricsFormat {
    /// Chooses OpenMetrics for clients that name it and don't prefer plain text.
    pub(super) fn from_accept(request: &HeaderMap) -> Self {
        let weight = |media_types: &[&str], version| {
            let accepted = elements(request, &header::ACCEPT).map(MediaRange::parse);
            let accepted = accepted.filter(|range| {
                media_types.contains(&range.media_type.as_str())
                    && range.version.is_none_or(|accepted| accepted == version)
            });
            accepted.map(|range| range.weight).fold(0.0, f32::max)
        };
        let open_metrics = weight(&["application/openmetrics-text"], "1.0.0");
        let text = weight(&["text/plain", "text/*", "*/*"], "0.0.4");
        if open_metrics > 0.0 && open_metrics >= text {
            Self::OpenMetrics
        } else {
            Self::Text
        }
    }

    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Text => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    /// Converts metrics in the format OpenMetrics to this format.
    pub(super) fn convert(self, open_metrics: String) -> String {
        match self {
            Self::OpenMetrics => open_metrics,
            Self::Text => to_text(&open_metrics),
        }
    }
}

/// Element of an `Accept` header.
struct MediaRange<'a> {
    /// Type and subtype in lower case.
    media_type: String,
    version: Option<&'a str>,
    weight: f32,
}

impl<'a> MediaRange<'a> {
    fn parse(element: &'a str) -> Self {
        let mut parts = element.split(';').map(str::trim);
        let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
        let mut range = Self {
            media_type,
            version: None,
            weight: 1.0,
        };
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            match name {
                "version" => range.version = Some(value.trim_matches('"')),
                "q" => range.weight = value.parse().unwrap_or(0.0),
                _ => {}
            }
        }
        range
    }
}

/// Converts metrics to the text format.
///
/// The samples are the same. The text format names a counter with its suffix, and has neither the
/// type `info` nor an end.
fn to_text(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len());
    let mut help = None;
    for line in open_metrics.lines() {
        if let Some(described) = line.strip_prefix("# HELP ") {
            help = described.split_once(' ');
        } else if let Some((name, kind)) = line
            .strip_prefix("# TYPE ")
            .and_then(|typed| typed.split_once(' '))
        {
            let (suffix, kind) = match kind {
                "counter" => ("_total", "counter"),
                "info" => ("_info", "gauge"),
                "unknown" => ("", "untyped"),
                kind => ("", kind),
            };
            if let Some((_, help)) = help.take().filter(|(described, _)| *described == name) {
                text.extend(["# HELP ", name, suffix, " ", help, "\n"]);
            }
            text.extend(["# TYPE ", name, suffix, " ", kind, "\n"]);
        } else if !line.starts_with('#') {
            text += line;
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{MetricsFormat, to_text};
    use axum::http::{HeaderMap, HeaderValue, header};

    #[test]
    fn scrapers_get_the_format_that_they_prefer() {
        for (accept, format) in [
            (None, MetricsFormat::Text),
            (Some("*/*"), MetricsFormat::Text),
            (Some("text/html,*/*;q=0.8"), MetricsFormat::Text),
            (Some("application/json"), MetricsFormat::Text),
            (Some("text/plain;version=0.0.4"), MetricsFormat::Text),
            // Prometheus 2.42 and 3.0, by default.
            (
                Some(
                    "application/openmetrics-text;version=1.0.0,\
                     application/openmetrics-text;version=0.0.1;q=0.75,\
                     text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                ),
                MetricsFormat::OpenMetrics,
            ),
            (
                Some(
                    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,\
                     application/openmetrics-text;version=0.0.1;q=0.4,\
                     text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,\
                     text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
                ),
                MetricsFormat::OpenMetrics,
            ),
            (
                Some("Application/OpenMetrics-Text; version=\"1.0.0\"; q=0.9, */*; q=0.9"),
                MetricsFormat::OpenMetrics,
            ),
            (
                Some("application/openmetrics-text"),
                MetricsFormat::OpenMetrics,
            ),
            (
                Some("application/openmetrics-text;version=0.0.1"),
                MetricsFormat::Text,
            ),
            (
                Some("application/openmetrics-text;q=0, text/plain"),
                MetricsFormat::Text,
            ),
            (
                Some("application/openmetrics-text;q=0.2, text/plain;q=0.7"),
                MetricsFormat::Text,
            ),
        ] {
            let mut request = HeaderMap::new();
            if let Some(accept) = accept {
                request.insert(header::ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(MetricsFormat::from_accept(&request), format, "{accept:?}");
        }
    }

    #[test]
    fn the_text_format_names_counters_and_information_in_full() {
        let open_metrics = "\
# HELP requests Requests so far.
# TYPE requests counter
requests_total{code=\"200\"} 7
# HELP build The program.
# TYPE build info
build_info{version=\"1.2\"} 1
# TYPE memory_bytes gauge
# UNIT memory_bytes bytes
memory_bytes 8.5
# HELP seconds Time.
# TYPE seconds histogram
seconds_sum 0.5
seconds_count 1
seconds_bucket{le=\"1.0\"} 1
seconds_bucket{le=\"+Inf\"} 1
# EOF
";
        let text = "\
# HELP requests_total Requests so far.
# TYPE requests_total counter
requests_total{code=\"200\"} 7
# HELP build_info The program.
# TYPE build_info gauge
build_info{version=\"1.2\"} 1
# TYPE memory_bytes gauge
memory_bytes 8.5
# HELP seconds Time.
# TYPE seconds histogram
seconds_sum 0.5
seconds_count 1
seconds_bucket{le=\"1.0\"} 1
seconds_bucket{le=\"+Inf\"} 1
";
        assert_eq!(to_text(open_metrics), text);
    }
}
