//! Link targets of README and book.

use super::page::{Page, is_there, resolved};

/// Targets of a page's links and pictures.
fn targets(page: &Page) -> Vec<String> {
    let prose = page.prose().join("\n");
    // Code can't contain links.
    let prose: String = prose.split('`').step_by(2).collect();
    let links = prose.split("](").skip(1);
    let targets = links.filter_map(|rest| rest.split([')', ' ']).next());
    targets.map(str::to_owned).collect()
}

/// Anchor of a heading on GitHub.
fn anchor(heading: &str) -> String {
    let kept = |character: &char| character.is_alphanumeric() || " -_".contains(*character);
    let kept = heading
        .to_lowercase()
        .chars()
        .filter(kept)
        .collect::<String>();
    kept.replace(' ', "-")
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for page in Page::all_with_links() {
        for target in targets(&page) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
            let path = match path {
                "" => page.name.clone(),
                path => resolved(&page.name, path),
            };
            assert!(is_there(&path), "{}: {target} is not there", page.name);
            let has = |linked: &Page| {
                linked
                    .headings()
                    .iter()
                    .any(|known| anchor(known) == heading)
            };
            assert!(
                heading.is_empty() || has(&Page::read(&path)),
                "{}: no heading for {target}",
                page.name
            );
            count += 1;
        }
    }
    assert!(count > 50, "{count} links were found");
}

// MkDocs can't link to files outside the book.
#[test]
fn pages_of_the_book_link_within_the_book() {
    for page in Page::all().iter().skip(1) {
        for target in targets(page)
            .iter()
            .filter(|target| !target.contains("://"))
        {
            let path = target.split('#').next().unwrap_or_default();
            let path = resolved(&page.name, path);
            assert!(path.starts_with("docs"), "{}: {target}", page.name);
        }
    }
}

// GitHub and MkDocs make different anchors of two hyphens in a row.
#[test]
fn headings_have_the_same_anchor_everywhere() {
    for page in Page::all() {
        let mut anchors: Vec<_> = page.headings().into_iter().map(anchor).collect();
        let odd = |anchor: &&String| anchor.contains("--") || !anchor.is_ascii();
        assert_eq!(anchors.iter().find(odd), None, "{}", page.name);
        anchors.sort();
        let count = anchors.len();
        anchors.dedup();
        assert_eq!(anchors.len(), count, "{}: a heading comes twice", page.name);
    }
}

#[test]
fn every_page_is_in_the_contents_and_on_the_first_page() {
    let contents = Page::read("mkdocs.yml").text();
    let front = Page::read("docs/index.md").text();
    for page in Page::all().iter().skip(1) {
        let name = page.name.trim_start_matches("docs/");
        assert!(contents.contains(&format!(": {name}\n")), "{name}");
        assert!(
            name == "index.md" || front.contains(&format!("]({name})")),
            "{name}"
        );
    }
}
