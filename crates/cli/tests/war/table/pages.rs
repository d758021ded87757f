//! The page as the server delivers it.

use super::Server;
use crate::support::{Sandbox, files_below, project};
use ct_codecs::{Base64, Encoder};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::path::Path;
use ureq::Agent;
use ureq::http::{Response, header};

/// Limit on the compressed size of the page, in bytes.
const MAX_PAGE: usize = 76_000;

#[test]
fn the_page_is_one_document_that_allows_only_its_own_script_and_style() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (head, page) = server.get("/");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("cache-control: no-cache"), "{head}");
    let policies: Vec<_> = head
        .lines()
        .filter_map(|line| line.strip_prefix("content-security-policy: "))
        .collect();
    let [policy] = policies[..] else {
        panic!("{head}");
    };
    // Browsers compare the hash of the text between the tags.
    for (directive, open, close) in [
        ("style-src", "<style>", "</style>"),
        ("script-src", "<script type=\"module\">", "</script>"),
    ] {
        let (_, rest) = page.split_once(open).expect("an element");
        let (content, rest) = rest.split_once(close).expect("its end");
        assert!(!rest.contains(open), "{open} is there twice");
        let hash = Base64::encode_to_string(Sha256::digest(content)).expect("base64");
        let allowed = format!("{directive} 'sha256-{hash}';");
        assert!(policy.contains(&allowed), "{policy}");
    }
    let others = "base-uri 'none'; form-action 'none'; connect-src 'self'; img-src 'self'; \
        manifest-src 'self'; frame-ancestors 'none'";
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(policy.ends_with(others), "{policy}");
    // The browser requests nothing else to open it, and nothing depends on where it is.
    for other in [
        "rel=\"stylesheet\"",
        "preload",
        "{{",
        " src=",
        "=\"/",
        "\nimport ",
    ] {
        assert!(!page.contains(other), "{other}");
    }
    // Each part of the page has its own address, which can be shared.
    for path in [
        "/table",
        "/watch",
        "/games",
        "/ladder",
        "/how-to-play",
        "/fair",
        "/settings",
    ] {
        let (head, same) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        assert_eq!(same, page, "{path}");
    }
    let (head, _) = server.get("/no_such_page");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

#[test]
fn the_sources_of_the_page_are_served_with_their_types() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, page) = server.get("/");
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
    assert!(files.len() > 60, "{files:?}");
    for (path, file) in &files {
        let (head, body) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        let source = fs::read_to_string(file).expect("text");
        assert_eq!(body, source, "{path}");
        let extension = file.extension().and_then(|extension| extension.to_str());
        let kind = match extension.expect("a kind") {
            "css" => "text/css",
            "js" => "text/javascript",
            "webmanifest" => "application/manifest+json",
            _ => "image/svg+xml",
        };
        assert!(
            head.contains(&format!("content-type: {kind}")),
            "{path}: {head}"
        );
        assert!(head.contains("default-src 'self'"), "{path}: {head}");
        // The longest statement stands in the document as well.
        let lines = source.lines().map(str::trim_start);
        let code = lines.filter(|line| {
            line.ends_with(';') && !line.contains("/*") && !line.starts_with(['*', '/'])
        });
        let code = code.filter(|line| !line.starts_with("import "));
        let longest = code.max_by_key(|line| line.len()).unwrap_or_default();
        let longest = longest.strip_prefix("export ").unwrap_or(longest);
        if ["css", "js"].iter().any(|end| path.ends_with(end)) {
            assert!(page.contains(longest), "{path}: {longest}");
        }
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
fn a_home_screen_gets_a_small_icon_that_is_not_a_part_of_the_page() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, page) = server.get("/");
    assert!(page.contains("<link rel=\"apple-touch-icon\" href=\"touch-icon.png\">"));
    let (_, manifest) = server.get("/manifest.webmanifest");
    assert!(manifest.contains("\"src\": \"touch-icon.png\", \"sizes\": \"192x192\""));
    let icon = response_to(
        &server,
        "/touch-icon.png",
        header::ACCEPT_ENCODING,
        "identity",
    );
    assert_eq!(icon.headers()["content-type"], "image/png");
    let icon = icon.body();
    assert!(icon.len() < 2_000, "{} bytes", icon.len());
    // The first chunk of a PNG begins with its width and height.
    let size = |at: usize| u32::from_be_bytes(icon[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((&icon[1..4], size(16), size(20)), (&b"PNG"[..], 192, 192));
}

#[test]
fn the_page_is_sent_compressed_and_once_to_each_browser() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    for path in ["/", "/table.js", "/icon.svg", "/hand-values.json"] {
        let (_, plain) = server.get(path);
        let packed = response_to(&server, path, header::ACCEPT_ENCODING, "br, GZIP;q=0.5");
        assert_eq!(packed.headers()["content-encoding"], "gzip", "{path}");
        let vary =
            ["accept-encoding", "accept-encoding, accept-language"][usize::from(path == "/")];
        assert_eq!(packed.headers()["vary"], vary, "{path}");
        let mut unpacked = String::new();
        let mut decoder = GzDecoder::new(&packed.body()[..]);
        decoder.read_to_string(&mut unpacked).expect("a text");
        assert_eq!(unpacked, plain, "{path}");
        if path == "/" {
            assert!(
                packed.body().len() < MAX_PAGE,
                "{} bytes",
                packed.body().len()
            );
        }
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
}

#[test]
fn the_page_has_the_texts_of_the_language_that_the_browser_wants() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    for (wanted, lang) in [
        ("pl", "pl"),
        ("de, pl-PL;q=0.5, en;q=0.3", "pl"),
        ("pl;q=0.2, en-GB;q=0.9", "en"),
        ("fr", "en"),
        ("pl;q=x, ;q", "en"),
    ] {
        let page = response_to(&server, "/", header::ACCEPT_LANGUAGE, wanted);
        let page = String::from_utf8_lossy(page.body());
        assert!(
            page.contains(&format!("<html lang=\"{lang}\">")),
            "{wanted}"
        );
        let texts = fs::read_to_string(project().join(format!("i18n/page.{lang}.json")));
        let texts: Value = serde_json::from_str(&texts.expect("texts")).expect("JSON");
        let (_, rest) = page.split_once("id=\"texts\">").expect("texts");
        let (shown, _) = rest.split_once("</script>").expect("an end");
        assert_eq!(
            serde_json::from_str::<Value>(shown).expect("JSON"),
            texts,
            "{wanted}"
        );
        let (_, file) = server.get(&format!("/texts/{lang}.json"));
        assert_eq!(serde_json::from_str::<Value>(&file).expect("JSON"), texts);
    }
}

#[test]
fn a_friend_link_shows_who_invites_as_long_as_it_is_valid() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut player = server.connect();
    let name = "<b>\"A&n\"";
    player.send(json!({
        "type": "hello", "id": "h", "name": name, "token": "7".repeat(64), "protocol": 4
    }));
    player.receive();
    player.send(json!({
        "type": "create_link", "id": "l", "game": "double-card-game", "secret_hash": "0".repeat(64)
    }));
    let links = player.receive();
    let link = links["links"][0]["link"].as_str().expect("an ID");
    let address = format!("/with/{link}");
    let (head, page) = server.get(&address);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("cache-control: no-store"), "{head}");
    let shown = "&lt;b&gt;&quot;A&amp;n&quot;";
    for tag in [
        format!("<meta property=\"og:title\" content=\"{shown} wants to play War with you\">"),
        format!("<meta name=\"inviter\" content=\"{shown}\" data-game=\"double-card-game\">"),
        "<meta property=\"og:image\" content=\"../touch-icon.png\">".to_owned(),
    ] {
        assert!(page.contains(&tag), "{tag}");
    }
    let (_, polish) = server.get(&format!("{address}?lang=pl"));
    assert!(polish.contains(&format!("content=\"{shown} zaprasza Cię do gry w wojnę\"")));
    // Apart from the tags about the address, it is the page.
    let packed = response_to(&server, &address, header::ACCEPT_ENCODING, "gzip");
    let mut unpacked = String::new();
    let mut decoder = GzDecoder::new(&packed.body()[..]);
    decoder.read_to_string(&mut unpacked).expect("a text");
    assert_eq!(unpacked, page);
    let (_, home) = server.get("/");
    let rest = |page: &str| page.split_once("<style>").expect("a style").1.to_owned();
    assert_eq!(rest(&page), rest(&home));
    player.send(json!({"type": "forget", "id": "f"}));
    player.receive();
    for gone in [&*address, "/with/0123456789abcdef", "/with/x"] {
        let (head, page) = server.get(gone);
        assert!(head.starts_with("HTTP/1.1 404"), "{head}");
        assert!(
            !page.contains("inviter\"") && !page.contains(shown),
            "{gone}"
        );
    }
}

// The figures come from a list of all pairs of hands, made by a program in another language.
#[test]
fn the_values_of_all_hands_are_served() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (head, values) = server.get("/hand-values.json");
    assert!(head.contains("content-type: application/json"), "{head}");
    let values: Value = serde_json::from_str(&values).expect("JSON");
    for (kind, hands, known) in [
        (
            "single-card-game",
            13,
            [
                ("9", [-2.1, -1.78]),
                ("T", [-1.28, -1.75]),
                ("A", [5.0, -1.75]),
            ],
        ),
        (
            "double-card-game",
            91,
            [
                ("22", [-3.2, -2.98]),
                ("Q9", [-2.98, -2.96]),
                ("KQ", [2.82, -2.85]),
            ],
        ),
    ] {
        let all = values[kind].as_object().expect("hands");
        assert_eq!(all.len(), hands, "{kind}");
        for (hand, tokens) in known {
            assert_eq!(all[hand], json!(tokens), "{kind} {hand}");
        }
    }
}
