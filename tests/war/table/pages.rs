//! The page as it is served.

use super::Server;
use crate::support::{Place, project};
use std::fs;

#[test]
fn every_file_of_the_page_is_served_as_what_it_is() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut files = Vec::new();
    for folder in ["src/server/page", "src/drawings"] {
        for file in fs::read_dir(project().join(folder)).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path.file_name().and_then(|name| name.to_str());
            files.push((format!("/{}", name.expect("a plain name")), path));
        }
    }
    files.retain(|(_, path)| path.extension().is_some_and(|end| end != "rs"));
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
    // Drawings import one another: the page asks for all of them at once.
    let (_, page) = server.get("/");
    for module in war::drawings::MODULES {
        let early = format!("<link rel=\"modulepreload\" href=\"/{}.js\">", module.name);
        assert!(page.contains(&early), "{early}");
    }
    let (head, _) = server.get("/no_such_page");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}
