//! A viewer page, open in a browser.

use super::driver::{Browser, Driver};
use crate::support::{Sandbox, project};
use serde_json::{Value, json};

/// Moves the scrubber to a turn, and reads the page.
const READ: &str = "
    window.shown = async (turn) => {
        while (document.body.dataset.turn !== String(turn)) await new Promise((next) => setTimeout(next));
        return read();
    };
    window.read = () => ({
        turn: document.querySelector('#number').value,
        hands: [...document.querySelectorAll('.seat .count b')].map((hand) => Number(hand.textContent)),
        cards: [...document.querySelectorAll('.put')].map((put) =>
            [...put.querySelectorAll('svg')].map((card) => card.getAttribute('aria-label'))),
        told: document.querySelector('#headline').textContent + document.querySelector('#told').textContent,
        text: document.querySelector('#text').textContent,
    });
    window.scrub = (turn) => {
        const scrubber = document.querySelector('#scrubber');
        scrubber.value = turn;
        scrubber.dispatchEvent(new Event('input'));
        return shown(turn);
    };
";

/// Page in a browser, with its journal.
pub(super) struct ViewerPage<'a> {
    pub(super) browser: Browser<'a>,
    pub(super) sandbox: Sandbox,
    pub(super) journal: String,
    pub(super) last: u32,
}

impl<'a> ViewerPage<'a> {
    pub(super) fn open(driver: &'a Driver, name: &str, hash: &str) -> Self {
        let journal = project().join("journals").join(format!("{name}.json"));
        Self::of(driver, Sandbox::new(), &journal.display().to_string(), hash)
    }

    /// Makes the page of a journal, and opens it.
    pub(super) fn of(driver: &'a Driver, sandbox: Sandbox, journal: &str, hash: &str) -> Self {
        let run = sandbox.war(&["view", journal, "-o", "game.html"]);
        assert!([0, 3].contains(&run.code), "{run:#?}");
        let browser = Browser::open(driver, "en");
        browser.go(&format!(
            "file://{}{hash}",
            sandbox.path("game.html").display()
        ));
        browser.wait("document.body.dataset.turn !== undefined");
        browser.run(READ);
        let last = browser.value("document.querySelector('#scrubber').max");
        let last = last.as_str().and_then(|last| last.parse().ok());
        Self {
            browser,
            sandbox,
            journal: journal.to_owned(),
            last: last.expect("a number"),
        }
    }

    /// Contents of the page at each of these turns.
    pub(super) fn scrubbed(&self, turns: &[u32]) -> Vec<Value> {
        let turns = json!(turns);
        let read = self.browser.run(&format!(
            "return (async () => {{
                const all = [];
                for (const turn of {turns}) all.push(await scrub(turn));
                return all;
            }})()"
        ));
        read.as_array().expect("what was read").clone()
    }

    /// Contents of the page once this turn is shown.
    #[track_caller]
    pub(super) fn at(&self, turn: u32) -> Value {
        self.browser
            .wait(&format!("document.body.dataset.turn === '{turn}'"));
        self.browser.value("read()")
    }

    pub(super) fn quiet(&self) {
        assert_eq!(self.browser.log(), json!([]), "{}", self.journal);
    }
}
