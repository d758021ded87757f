//! The `WebDriver` process and its open browsers.

use super::driver::PATIENCE;
use crate::crowd;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tempfile::TempDir;
use ureq::http::Response;
use ureq::{Agent, Body};

/// Option that gives the browser a mouse, which a machine without a screen lacks.
const MOUSE: &str = "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

/// `WebDriver` process with the browsers that it has opened. Opening a browser takes longer than
/// most tests, so browsers are cleared after a test, and later tests use them again.
pub(super) struct Driver {
    child: Child,
    address: String,
    agent: Agent,
    opened: Mutex<Vec<OpenBrowser>>,
}

/// Open browser.
struct OpenBrowser {
    session: String,
    lang: String,
    /// True while no test uses the browser.
    free: bool,
    _profile: TempDir,
}

impl Driver {
    /// Returns the driver shared by the tests of a process. The driver ends with the last test that
    /// uses it, and closes its browsers.
    pub(super) fn start() -> Arc<Self> {
        static SHARED: Mutex<Weak<Driver>> = Mutex::new(Weak::new());
        crowd::join();
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Self::of_its_own());
            *shared = Arc::downgrade(&started);
            started
        })
    }

    fn of_its_own() -> Self {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver: install the packages chromium and chromium-driver");
        let mut output = BufReader::new(child.stdout.take().expect("its output")).lines();
        let port = output.find_map(|line| {
            let line = line.expect("its output");
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        // The driver may print more, which nobody needs.
        std::thread::spawn(move || output.for_each(drop));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(2 * PATIENCE))
            .build();
        Self {
            child,
            address: format!("http://127.0.0.1:{}", port.expect("a port")),
            agent: config.into(),
            opened: Mutex::default(),
        }
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.agent.post(self.at(path)).send_json(body);
        let answer = value(answer.expect("an answer")).expect("JSON");
        let error = &answer["error"];
        assert!(error.is_null(), "{path} {body}: {answer:#}");
        answer
    }

    pub(super) fn get(&self, path: &str) -> Value {
        let answer = self.agent.get(self.at(path)).call();
        value(answer.expect("an answer")).expect("JSON")
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    fn opened(&self) -> MutexGuard<'_, Vec<OpenBrowser>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an unused browser.
    pub(super) fn take(&self, lang: &str) -> Option<String> {
        let mut opened = self.opened();
        let found = opened.iter_mut().find(|one| one.free && one.lang == lang)?;
        found.free = false;
        Some(found.session.clone())
    }

    /// Opens a browser with its own profile, and returns its session.
    pub(super) fn open(&self, lang: &str) -> String {
        let profile = TempDir::new().expect("a profile");
        let args = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--force-prefers-reduced-motion",
            MOUSE,
            &format!("--lang={lang}"),
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let capabilities = json!({ "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": {
                "binary": program("chromium"),
                "args": args,
                "prefs": { "intl.accept_languages": lang },
            },
        }});
        let session = self.post("/session", &json!({ "capabilities": capabilities }));
        let session = session["sessionId"].as_str().expect("a session");
        let session = format!("/session/{session}");
        self.opened().push(OpenBrowser {
            session: session.clone(),
            lang: lang.to_owned(),
            free: false,
            _profile: profile,
        });
        session
    }

    /// Replaces all tabs of a browser by a new one and clears its storage: old tabs keep the
    /// scripts, colours and size that a test gave them.
    fn clear(&self, session: &str) -> Option<()> {
        let post = |path: &str, body: Value| {
            let answer = self.agent.post(self.at(&format!("{session}{path}")));
            let answer = value(answer.send_json(body).ok()?)?;
            answer["error"].is_null().then_some(answer)
        };
        let command = |name: &str, parameters: Value| {
            let body = json!({ "cmd": name, "params": parameters });
            post("/goog/cdp/execute", body)
        };
        let handles = self.at(&format!("{session}/window/handles"));
        let old = value(self.agent.get(handles).call().ok()?)?;
        let new = post("/window/new", json!({ "type": "tab" }))?;
        for handle in old.as_array()? {
            post("/window", json!({ "handle": handle }))?;
            let window = self.at(&format!("{session}/window"));
            value(self.agent.delete(window).call().ok()?)?;
        }
        post("/window", json!({ "handle": new["handle"] }))?;
        let everywhere = json!({ "origin": "*", "storageTypes": "all" });
        command("Storage.clearDataForOrigin", everywhere)?;
        command("Network.clearBrowserCache", json!({}))?;
        command("Page.bringToFront", json!({}))?;
        post("/se/log", json!({ "type": "browser" }))?;
        Some(())
    }

    /// Releases a browser for other tests, or closes it if its test failed: it may be in any state.
    pub(super) fn give_back(&self, session: &str) {
        let free = !std::thread::panicking() && self.clear(session).is_some();
        let mut opened = self.opened();
        if let Some(at) = opened.iter().position(|one| one.session == session) {
            if free {
                opened[at].free = true;
            } else {
                self.close(&opened.swap_remove(at));
            }
        }
    }

    fn close(&self, opened: &OpenBrowser) {
        // Fails only if the browser is gone, and then nothing is left to close.
        let _ = self.agent.delete(self.at(&opened.session)).call();
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        for opened in self.opened().drain(..) {
            self.close(&opened);
        }
        // Fails if the driver has already ended, and then nothing is left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Value in an answer of the driver.
fn value(mut answer: Response<Body>) -> Option<Value> {
    let answer: Value = answer.body_mut().read_json().ok()?;
    Some(answer["value"].clone())
}

/// Path of a program.
fn program(name: &str) -> PathBuf {
    let places = std::env::var_os("PATH").expect("places of programs");
    let mut paths = std::env::split_paths(&places).map(|place| place.join(name));
    let found = paths.find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is missing: install the package {name}"))
}
