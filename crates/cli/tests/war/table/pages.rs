//! The page as the server delivers it.

use super::Server;
use crate::support::{Sandbox, files_below, project};
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::path::Path;
use ureq::Agent;
use ureq::http::{Response, header};

/// Limit on the number of bytes that a browser loads on its first visit.
const FIRST_VISIT: usize = 120_000;

#[test]
fn every_file_of_the_page_is_served_with_its_type() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut files = Vec::new();
    for folder in ["crates/table/src/server/page", "crates/viewer/src/drawings"] {
        let folder = project().join(folder);
        for path in files_below(&folder) {
            let name = path.strip_prefix(&folder).ok().and_then(Path::to_str);
            files.push((format!("/{}", name.expect("a plain name")), path));
        }
    }
    let is_shipped = |path: &Path| {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["css", "js", "svg", "webmanifest"].contains(&end))
    };
    files.retain(|(_, path)| is_shipped(path));
    for lang in ["en", "pl"] {
        let words = project().join(format!("i18n/page.{lang}.json"));
        files.push((format!("/words/{lang}.json"), words));
    }
    for (path, file) in &files {
        let (head, body) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        assert_eq!(body, fs::read_to_string(file).expect("text"), "{path}");
        let extension = file.extension().and_then(|extension| extension.to_str());
        let kind = match extension.expect("a kind") {
            "css" => "text/css",
            "js" => "text/javascript",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            _ => "image/svg+xml",
        };
        assert!(
            head.contains(&format!("content-type: {kind}")),
            "{path}: {head}"
        );
        assert!(head.contains("default-src 'self'"), "{path}: {head}");
    }
    // Modules import one another: the page requests all of them at once, beginning with the one
    // that imports the others.
    let (_, page) = server.get("/");
    let (_, version) = page.split_once("/v/").expect("a version");
    let (version, _) = version.split_once('/').expect("a folder");
    // Except for the folder of the version, the page is served as written.
    let written = fs::read_to_string(project().join("crates/table/src/server/page/index.html"));
    assert_eq!(
        page.replace(&format!("/v/{version}"), ""),
        written.expect("text")
    );
    let is_module = |file: &Path| file.extension().is_some_and(|end| end == "js");
    for (path, _) in files.iter().filter(|(_, file)| is_module(file)) {
        let early = match path.as_str() {
            "/table.js" => format!("<script type=\"module\" src=\"/v/{version}/table.js\">"),
            module => format!("<link rel=\"modulepreload\" href=\"/v/{version}{module}\">"),
        };
        assert!(page.contains(&early), "{early}");
    }
    // Each part of the page has its own address, which can be shared.
    for path in ["/table", "/how-to-play", "/fair", "/settings"] {
        let (head, same) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        assert_eq!(same, page, "{path}");
    }
    let (head, _) = server.get("/no_such_page");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

#[test]
fn versioned_files_are_cached_forever_and_others_are_revalidated() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (head, page) = server.get("/");
    assert!(head.contains("cache-control: no-cache"), "{head}");
    let named = page.split('"').filter(|part| part.starts_with("/v/"));
    let files: Vec<_> = named.collect();
    assert!(files.len() > 40, "{files:?}");
    for file in files {
        let (head, body) = server.get(file);
        assert!(head.starts_with("HTTP/1.1 200"), "{file}: {head}");
        let kept = "cache-control: public, max-age=31536000, immutable";
        assert!(head.contains(kept), "{file}: {head}");
        // Without a version, and with a different version, the address leads to the current file.
        let name = file.splitn(4, '/').last().expect("a name");
        for other in [format!("/{name}"), format!("/v/0123456789abcdef/{name}")] {
            let (head, same) = server.get(&other);
            assert!(head.contains("cache-control: no-cache"), "{other}: {head}");
            assert_eq!(same, body, "{other}");
        }
    }
    for path in ["/v/", "/v/0123456789abcdef", "/v/0123456789abcdef/other.js"] {
        let (head, _) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
    }
}

/// Response for a browser that sends this header. The body is not decompressed.
fn response_to(
    server: &Server,
    path: &str,
    header: header::HeaderName,
    value: &str,
) -> Response<Vec<u8>> {
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .into();
    let address = format!("http://{}{path}", server.address);
    let answer = agent.get(address).header(header, value).call();
    let (head, mut body) = answer.expect("an answer").into_parts();
    Response::from_parts(head, body.read_to_vec().expect("bytes"))
}

#[test]
fn the_page_is_sent_compressed_and_once_to_each_browser() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, page) = server.get("/");
    let linked = page.split('"').filter(|part| {
        let ends = [".js", ".css", ".svg"];
        part.starts_with('/') && ends.iter().any(|end| part.ends_with(end))
    });
    let mut paths: Vec<_> = linked.collect();
    paths.sort_unstable();
    paths.dedup();
    paths.extend(["/", "/words/en.json", "/words/pl.json"]);
    assert!(paths.len() > 30, "{paths:?}");
    let mut sent = 0;
    for path in paths {
        let (_, plain) = server.get(path);
        let packed = response_to(&server, path, header::ACCEPT_ENCODING, "br, GZIP;q=0.5");
        assert_eq!(packed.headers()["content-encoding"], "gzip", "{path}");
        assert_eq!(packed.headers()["vary"], "accept-encoding", "{path}");
        let mut unpacked = String::new();
        let mut decoder = GzDecoder::new(&packed.body()[..]);
        decoder.read_to_string(&mut unpacked).expect("a text");
        assert_eq!(unpacked, plain, "{path}");
        sent += packed.body().len();
        // A browser that refuses compression gets the plain file.
        let refused = response_to(&server, path, header::ACCEPT_ENCODING, "gzip;q=0.0, br");
        assert!(
            !refused.headers().contains_key("content-encoding"),
            "{path}"
        );
        assert_eq!(refused.body(), plain.as_bytes(), "{path}");
        // A browser that has the current version gets an empty response, and one that has another
        // version gets the current one.
        let tag = packed.headers()["etag"].to_str().expect("a text");
        let again = response_to(
            &server,
            path,
            header::IF_NONE_MATCH,
            &format!("\"old\", {tag}"),
        );
        assert_eq!(
            (again.status().as_u16(), again.body().len()),
            (304, 0),
            "{path}"
        );
        let other = response_to(&server, path, header::IF_NONE_MATCH, "\"old\"");
        assert_eq!(other.status(), 200, "{path}");
    }
    assert!(sent < FIRST_VISIT, "{sent} bytes");
}
