//! Headless browser, driven by W3C `WebDriver`: JSON over HTTP.

pub(super) use super::pool::Driver;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest time that the page may take to show something.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Elements that the page's bars cover while the page is not scrolled.
const BARS_COVER: &str = "
    scrollTo(0, 0);
    const place = (part) => part.getBoundingClientRect();
    const bars = [...document.querySelectorAll('.bar:not([hidden])')];
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const others = [...document.querySelectorAll('header > :not([hidden]), main'), ...bars];
    return bars.flatMap((bar) => others
        .filter((other) => other !== bar && meet(place(bar), place(other)))
        .map((other) => other.id || other.className));
";

/// Screens of small notebooks and of phones, one of them on its side, without the browser's own
/// bars.
const LOW_SCREENS: [(u64, u64); 7] = [
    (1280, 657),
    (1366, 657),
    (320, 568),
    (360, 640),
    (375, 553),
    (390, 664),
    (740, 360),
];

/// Smallest width of a screen that is not a phone's.
const DESKTOP: u64 = 1000;

/// Elements that are partly out of sight, or covered by others.
const UNSEEN: &str = "
    scrollTo(0, 0);
    const covered = (part, x, y) => {
        const top = document.elementFromPoint(x, y);
        return !(top && (part.contains(top) || top.contains(part)));
    };
    return [...document.querySelectorAll('SELECTORS')].filter((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return !(bottom > top && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)
            || covered(part, left + 2, top + 2) || covered(part, right - 2, bottom - 2)
            || covered(part, (left + right) / 2, (top + bottom) / 2);
    }).map((part) => part.id);
";

/// Keys by their code points in the `WebDriver` specification.
pub(super) const TAB: char = '\u{e004}';
pub(super) const ENTER: char = '\u{e007}';
pub(super) const ESCAPE: char = '\u{e00c}';
pub(super) const MODIFIERS: [char; 4] = ['\u{e008}', '\u{e009}', '\u{e00a}', '\u{e03d}'];

/// Empty browser, which no other test uses until this value is dropped.
pub(super) struct Browser<'a> {
    driver: &'a Driver,
    session: String,
}

impl<'a> Browser<'a> {
    /// Opens a browser in this language.
    pub(super) fn open(driver: &'a Driver, lang: &str) -> Self {
        let session = driver.take(lang).unwrap_or_else(|| driver.open(lang));
        Self { driver, session }
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.driver.post(&format!("{}{path}", self.session), body)
    }

    pub(super) fn go(&self, address: &str) {
        self.post("/url", &json!({ "url": address }));
    }

    /// Opens a tab in front of the others. Returns the tab that was in front.
    pub(super) fn open_tab(&self) -> String {
        let new = self.post("/window/new", &json!({ "type": "tab" }));
        self.switch_to(new["handle"].as_str().expect("a tab"))
    }

    /// Goes on in another tab. Returns the one that was in front.
    pub(super) fn switch_to(&self, tab: &str) -> String {
        let old = self.driver.get(&format!("{}/window", self.session));
        self.post("/window", &json!({ "handle": tab }));
        old.as_str().expect("a tab").to_owned()
    }

    pub(super) fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// Result of a script.
    pub(super) fn run(&self, script: &str) -> Value {
        let body = json!({ "script": script, "args": [] });
        self.post("/execute/sync", &body)
    }

    /// Value of an expression.
    pub(super) fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    /// Text of an element, trimmed.
    pub(super) fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector('{selector}').innerText"));
        let text = text.as_str().expect("an element");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Value of an attribute of an element.
    pub(super) fn attribute(&self, selector: &str, name: &str) -> String {
        let value = self.value(&format!(
            "document.querySelector('{selector}').getAttribute('{name}')"
        ));
        value.as_str().expect("an attribute").to_owned()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(super) fn wait(&self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        while self.value(expression) != Value::Bool(true) {
            assert!(
                Instant::now() < until,
                "`{expression}` never comes true: {}\n{:#}",
                self.text("body"),
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until an element shows this text.
    #[track_caller]
    pub(super) fn wait_for_text(&self, selector: &str, text: &str) {
        let text = Value::from(text);
        self.wait(&format!(
            "document.querySelector('{selector}')?.innerText.replace(/\\s+/g, ' ').trim() === {text}"
        ));
    }

    /// Waits until the page accepts answers to its latest contents. The page ignores answers that
    /// come too soon.
    #[track_caller]
    pub(super) fn wait_until_settled(&self) {
        self.wait("document.body.dataset.early !== 'true'");
    }

    #[track_caller]
    pub(super) fn click(&self, selector: &str) {
        self.wait_until_settled();
        self.act(selector, "click", &json!({}));
    }

    /// Selects a file in a file input.
    pub(super) fn choose_file(&self, selector: &str, path: &Path) {
        let path = path.canonicalize().expect("a file");
        self.act(selector, "value", &json!({ "text": path }));
    }

    fn act(&self, selector: &str, what: &str, body: &Value) {
        let element = self.post(
            "/element",
            &json!({ "using": "css selector", "value": selector }),
        );
        let id = element
            .as_object()
            .and_then(|element| element.values().next());
        let id = id.and_then(Value::as_str).expect("an element");
        self.post(&format!("/element/{id}/{what}"), body);
    }

    /// Presses and releases these keys in turn.
    pub(super) fn press(&self, keys: impl IntoIterator<Item = char>) {
        let keys = keys
            .into_iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })));
        let keys: Vec<_> = keys.collect();
        self.type_keys(&json!(keys));
    }

    /// Presses and releases a key while another is held.
    pub(super) fn press_with(&self, held: char, key: char) {
        let steps = [
            ("keyDown", held),
            ("keyDown", key),
            ("keyUp", key),
            ("keyUp", held),
        ];
        let keys = steps.map(|(kind, value)| json!({ "type": kind, "value": value }));
        self.type_keys(&json!(keys));
    }

    fn type_keys(&self, keys: &Value) {
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": keys });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// Runs a script in every page opened from now on, before the page's own scripts.
    pub(super) fn prepare(&self, script: &str) {
        let source = json!({ "source": script });
        self.command("Page.addScriptToEvaluateOnNewDocument", &source);
    }

    /// Types a text in any alphabet into the focused element, up to the field's maximum length.
    pub(super) fn type_in(&self, text: &str) {
        self.command("Input.insertText", &json!({ "text": text }));
    }

    /// Runs a command of the browser's own protocol.
    pub(super) fn command(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.post("/goog/cdp/execute", &body)
    }

    /// Checks that nothing is cut off at the widths of a phone and of a desktop, and saves
    /// screenshots among the test files.
    #[track_caller]
    pub(super) fn check_layout(&self, name: &str) {
        for (width, height) in [(360, 740), (1280, 900)] {
            self.resize(width, height);
            let wide = self.value("document.documentElement.scrollWidth");
            assert!(
                wide.as_u64() <= Some(width),
                "{name} is {wide} wide at {width}"
            );
            let cut = self.value(
                "[...document.querySelectorAll('section:not([hidden]) *')]
                    .filter((part) => part.checkVisibility())
                    .filter((part) => part.getBoundingClientRect().right > innerWidth)
                    .map((part) => part.outerHTML.slice(0, 100))",
            );
            assert_eq!(cut, json!([]), "{name} is cut off at {width}");
            let covered = self.run(BARS_COVER);
            assert_eq!(covered, json!([]), "{name}: a bar covers it at {width}");
            self.keep_picture(&format!("{name}-{width}"), true);
        }
        self.command("Emulation.clearDeviceMetricsOverride", &json!({}));
    }

    /// Checks that these elements are visible and uncovered on low screens without scrolling, and
    /// saves screenshots. A browser resized to a phone has no mouse from then on.
    #[track_caller]
    pub(super) fn check_visible(&self, name: &str, selectors: &str) {
        for (width, height) in LOW_SCREENS {
            self.resize(width, height);
            if width < DESKTOP {
                self.touch();
            }
            self.keep_picture(&format!("{name}-{width}x{height}"), false);
            let unseen = self.run(&UNSEEN.replace("SELECTORS", selectors));
            assert_eq!(unseen, json!([]), "{name} at {width}x{height}");
        }
        self.command("Emulation.clearDeviceMetricsOverride", &json!({}));
    }

    /// Replaces the mouse by a touch screen.
    pub(super) fn touch(&self) {
        let on = json!({ "enabled": true });
        self.command("Emulation.setTouchEmulationEnabled", &on);
    }

    /// Gives the page the size of a screen.
    pub(super) fn resize(&self, width: u64, height: u64) {
        let size = json!({
            "width": width,
            "height": height,
            "deviceScaleFactor": 1,
            "mobile": width < DESKTOP,
        });
        self.command("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Makes the browser prefer this colour scheme, `light` or `dark`.
    pub(super) fn prefer(&self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.command(
            "Emulation.setEmulatedMedia",
            &json!({ "features": [feature] }),
        );
    }

    /// Saves a screenshot, of the `whole` page or its visible part, if screenshots are wanted.
    fn keep_picture(&self, name: &str, whole: bool) {
        if std::env::var_os("WAR_PICTURES").is_none() {
            return;
        }
        let format = json!({ "format": "png", "captureBeyondViewport": whole });
        let picture = self.command("Page.captureScreenshot", &format);
        let picture = picture["data"].as_str().expect("a picture");
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        fs::create_dir_all(&directory).expect("a directory");
        let file = directory.join(format!("{name}.png"));
        fs::write(file, base64(picture)).expect("a file");
    }

    /// Messages in the browser's log since the last call.
    pub(super) fn log(&self) -> Value {
        self.post("/se/log", &json!({ "type": "browser" }))
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        self.driver.give_back(&self.session);
    }
}

/// Decodes base 64.
fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&byte| byte != b'=').collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four
            .iter()
            .fold(0_u32, |bits, &byte| bits << 6 | u32::from(digit(byte)));
        let bits = bits << (6 * (4 - four.len()));
        let [_, bytes @ ..] = bits.to_be_bytes();
        bytes.into_iter().take(four.len() - 1)
    });
    bytes.collect()
}
