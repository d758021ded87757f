//! The page as one document: what a browser requests to open it, below any path, and what it shows
//! of a document that is cut off.

use super::driver::Driver;
use super::table::{Player, Table, with_browser};
use serde_json::json;
use std::io::{Read, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::spawn;

/// Proxy that serves a table below `/war/`, and reports the paths that browsers request.
fn start_proxy(table: String) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (report, requested) = channel();
    spawn(move || {
        for browser in listener.incoming().map_while(Result::ok) {
            let (table, report) = (table.clone(), report.clone());
            spawn(move || serve(browser, &table, &report));
        }
    });
    (address, requested)
}

/// Serves the single request of a connection.
fn serve(mut browser: TcpStream, table: &str, report: &Sender<String>) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        browser.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let path = head.split(' ').nth(1)?;
    report.send(path.to_owned()).ok()?;
    let Some(inner) = path.strip_prefix("/war/") else {
        let missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return browser.write_all(missing).ok();
    };
    let is_socket = head.to_lowercase().contains("upgrade: websocket");
    let kept = if is_socket {
        ""
    } else {
        "\r\nConnection: close"
    };
    let (_, headers) = head.split_once("\r\n")?;
    let headers = headers.replace("Connection: keep-alive\r\n", "");
    let mut server = TcpStream::connect(table).ok()?;
    let request = format!("GET /{inner} HTTP/1.1{kept}\r\n{headers}");
    server.write_all(request.as_bytes()).ok()?;
    let mut back = (server.try_clone().ok()?, browser.try_clone().ok()?);
    spawn(move || {
        // Either side may leave at any time.
        let _ = copy(&mut back.0, &mut back.1);
        let _ = back.1.shutdown(Shutdown::Both);
    });
    let _ = copy(&mut browser, &mut server);
    Some(())
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_below_a_path_is_opened_by_one_request_and_played_at() {
    let table = Table::open(&["--bots", "2"]);
    let (address, requested) = start_proxy(table.host().to_owned());
    let driver = Driver::start();
    let ann = &Player::open(&driver, &format!("http://{address}/war/"), "en", "Ann");
    let mut paths: Vec<_> = requested.try_iter().collect();
    assert_eq!(paths.remove(0), "/war/");
    // Whatever comes later, the page does not wait for it.
    paths.retain(|path| !path.starts_with("/war/ws?lang="));
    paths.sort_unstable();
    let idle = [
        "/war/icon.svg",
        "/war/log/checkpoint",
        "/war/manifest.webmanifest",
    ];
    assert!(
        paths.iter().all(|path| idle.contains(&&**path)),
        "{paths:?}"
    );
    ann.choose("single");
    ann.wait("location.pathname === '/war/table'");
    ann.play_alone();
    // Every page and file is found below the path, from each page.
    for page in ["games", "ladder", "how-to-play", "fair", "settings"] {
        ann.click(&format!("footer a[href='{page}']"));
        ann.wait(&format!("location.pathname === '/war/{page}'"));
        ann.reload();
        ann.wait(&format!("location.pathname === '/war/{page}'"));
    }
    ann.click("header a[href='.']");
    ann.wait("location.pathname === '/war/'");
    ann.click("footer a[href='games']");
    for kind in ["view?lang=en", "journal.json"] {
        let found = format!("document.querySelector('main a[href$=\"/{kind}\"]')?.href");
        ann.wait(&format!("{found} !== undefined"));
        let link = ann.value(&found);
        let link = link.as_str().expect("a link").to_owned();
        assert!(
            link.starts_with(&format!("http://{address}/war/games/")),
            "{link}"
        );
        assert_eq!(
            ann.value(&format!("fetch('{link}').then((found) => found.status)")),
            200
        );
    }
    let outside: Vec<_> = requested
        .try_iter()
        .filter(|path| !path.starts_with("/war/"))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

/// Serves the first half of a page once, and then sends browsers to the table.
fn start_cutting_server(table: String, page: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    spawn(move || {
        let mut pages = vec![
            format!("HTTP/1.1 302 Found\r\nLocation: {table}\r\nContent-Length: 0\r\n\r\n"),
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{}",
                &page[..page.len() / 2]
            ),
        ];
        for mut browser in listener.incoming().map_while(Result::ok) {
            let mut request = [0; 4096];
            let length = browser.read(&mut request).unwrap_or_default();
            if request[..length].starts_with(b"GET / ")
                && let Some(answer) = pages.pop()
            {
                // The whole answer arrives only if the connection is closed in order.
                let _ = browser.write_all(answer.as_bytes());
                let _ = browser.shutdown(Shutdown::Write);
                let _ = copy(&mut browser, &mut std::io::sink());
            }
        }
    });
    address
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_that_is_cut_off_says_so_and_can_be_loaded_again() {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "pl", "Ola", |ola| {
        let address = start_cutting_server(table.address.clone(), table.get("/"));
        ola.go(&format!("http://{address}/"));
        let left = "(document.querySelector('#loading')?.innerText ?? '')";
        ola.wait(&format!("{left}.includes('Stół karciany się otwiera…')"));
        ola.wait(&format!(
            "{left}.includes('check your connection and load it again')"
        ));
        ola.wait(&format!(
            "{left}.includes('sprawdź połączenie i załaduj stronę ponownie')"
        ));
        ola.check_layout("not-loaded");
        ola.click("#loading [lang=pl] a");
        ola.wait_for_heading("Wybierz grę");
        assert_eq!(ola.value("document.querySelector('#loading')"), json!(null));
    });
}
