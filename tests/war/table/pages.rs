//! The page as it is served.

use super::Server;
use crate::support::{Place, project};
use std::fs;

#[test]
fn every_file_of_the_page_is_served_as_what_it_is() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let page = project().join("src/server/page");
    let files = fs::read_dir(&page).expect("the page");
    let names = files.map(|file| file.expect("a file").file_name().into_string());
    let mut files: Vec<_> = names
        .map(|name| name.expect("a plain name"))
        .map(|name| (format!("/{name}"), page.join(name)))
        .collect();
    for lang in ["en", "pl"] {
        let words = project().join(format!("i18n/page.{lang}.json"));
        files.push((format!("/words/{lang}.json"), words));
    }
    for (path, file) in files {
        let (head, body) = server.get(path.strip_suffix("index.html").unwrap_or(&path));
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        assert_eq!(body, fs::read_to_string(&file).expect("text"), "{path}");
        let extension = file.extension().and_then(|extension| extension.to_str());
        let kind = match extension.expect("a kind") {
            "html" => "text/html",
            "css" => "text/css",
            "js" => "text/javascript",
            "json" => "application/json",
            _ => "image/svg+xml",
        };
        assert!(
            head.contains(&format!("content-type: {kind}")),
            "{path}: {head}"
        );
        assert!(head.contains("default-src 'self'"), "{path}: {head}");
    }
    let (head, _) = server.get("/no_such_page");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}
