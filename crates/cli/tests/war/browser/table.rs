//! A server of the card table, and players who sit down at it.

use super::driver::{Browser, Driver, PATIENCE, TAB};
use crate::support::Place;
use crate::table::Server;
use serde_json::Value;
use std::ops::Deref;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What a player must see to decide: who plays against them, each card, the clock, and both
/// buttons with what each can bring.
pub(super) const DECISION: &str = "#opponent, #game-title, #game-lead, #game-yours li, #clock, #time-left, #play, #fold, #play-bet, #fold-bet";

/// What they must see of a result: both hands, whether the deal was fair, and how to go on.
pub(super) const RESULT: &str =
    "#result-title, #result-yours li, #result-theirs li, #verdict, #again, #another";

/// A server with a store of its own, which can end and start again.
pub(super) struct Table {
    pub(super) place: Place,
    /// Where its page is.
    pub(super) address: String,
    options: Vec<&'static str>,
    server: Server,
}

impl Table {
    pub(super) fn open(options: &[&'static str]) -> Self {
        let place = Place::new();
        let server = Server::start(&place, options);
        Self {
            place,
            address: format!("http://{}/", server.address),
            options: options.to_vec(),
            server,
        }
    }

    /// Ends the server without a warning.
    pub(super) fn kill(&mut self) {
        self.server.kill();
    }

    /// Asks the server to close: no game starts then, and it ends with the last one.
    pub(super) fn drain(&self) {
        self.server.signal("TERM");
        while self.server.admin("/health").0.starts_with("HTTP/1.1 200") {
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the server says this of its health; the result is all that it says then.
    #[track_caller]
    pub(super) fn until_health(&self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let (_, health) = self.server.admin("/health");
            if health.contains(text) {
                return health;
            }
            assert!(Instant::now() < until, "{text} in {health}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the server has closed.
    pub(super) fn closed(&mut self) {
        let (code, errors) = self.server.end();
        assert_eq!(code, 0, "{errors}");
    }

    /// Starts a server that has ended once more, at its place.
    pub(super) fn reopen(&mut self) {
        let address = self.server.address.clone();
        self.server = Server::start_at(&self.place, &address, &self.options);
    }

    /// Does what an operator does with the players.
    pub(super) fn operate(&self, arguments: &[&str]) {
        let admin = ["--admin", &self.server.admin];
        let run = self.place.war(&[&["table"], arguments, &admin].concat());
        run.ends_with(0);
    }

    /// The address of the server, without the page.
    pub(super) fn host(&self) -> &str {
        &self.server.address
    }

    pub(super) const fn server(&self) -> &Server {
        &self.server
    }

    /// What the server has at this path.
    pub(super) fn get(&self, path: &str) -> String {
        self.server.get(path).1
    }
}

/// A person with a browser of their own.
pub(super) struct Player<'a> {
    browser: Browser<'a>,
    lang: String,
}

impl<'a> Deref for Player<'a> {
    type Target = Browser<'a>;

    fn deref(&self) -> &Browser<'a> {
        &self.browser
    }
}

impl<'a> Player<'a> {
    /// Opens the page.
    pub(super) fn visit(driver: &'a Driver, address: &str, lang: &str) -> Self {
        let browser = Browser::open(driver, lang);
        browser.go(address);
        let player = Self {
            browser,
            lang: lang.to_owned(),
        };
        player.heading(&player.lang("Take a seat", "Zajmij miejsce"));
        player
    }

    /// Opens the page, and sits down.
    pub(super) fn open(driver: &'a Driver, address: &str, lang: &str, name: &str) -> Self {
        let player = Self::visit(driver, address, lang);
        player.sit_down(name);
        player
    }

    /// Sends a name to the table.
    pub(super) fn fill_in(&self, name: &str) {
        let name = Value::from(name);
        self.run(&format!("document.querySelector('#name').value = {name}"));
        self.click("#join button");
    }

    /// Takes a seat as a new player.
    #[track_caller]
    pub(super) fn sit_down(&self, name: &str) {
        self.fill_in(name);
        self.heading(&self.lang("Choose a game", "Wybierz grę"));
        assert_eq!(self.number("#balance-tokens"), 1000);
    }

    /// The words in the player's language.
    pub(super) fn lang(&self, english: &str, polish: &str) -> String {
        if self.lang == "pl" { polish } else { english }.to_owned()
    }

    /// Waits until the heading of what is shown is this one.
    #[track_caller]
    pub(super) fn heading(&self, text: &str) {
        self.shows("section:not([hidden]) h1", text);
    }

    /// The number in a text.
    pub(super) fn number(&self, selector: &str) -> i64 {
        let text = self.text(selector).replace('−', "-");
        let digits = text.chars().filter(|c| c.is_ascii_digit() || *c == '-');
        let number = digits.collect::<String>().parse();
        number.unwrap_or_else(|_| panic!("a number in `{text}`"))
    }

    /// What the cards of a hand are called.
    pub(super) fn cards(&self, selector: &str) -> Vec<String> {
        let labels = self.value(&format!(
            "[...document.querySelectorAll('{selector} svg')]
                .map((card) => card.getAttribute('aria-label'))"
        ));
        let labels = labels.as_array().expect("labels").iter();
        let label = |label: &Value| label.as_str().expect("a label").to_owned();
        labels.map(label).collect()
    }

    /// Connects to a table that is open again, without the pause that grew while it was closed.
    #[track_caller]
    pub(super) fn reconnects(&self) {
        self.wait(
            "(() => {
                const lost = !document.querySelector('#link').hidden;
                const now = document.querySelector('#link-now');
                if (lost && !now.hidden) now.click();
                return !lost;
            })()",
        );
    }

    pub(super) fn choose(&self, game: &str) {
        self.click(&format!("[data-game={game}-card-game]"));
    }

    /// Waits until there is something to decide, and the cards have been there for a moment.
    #[track_caller]
    pub(super) fn dealt(&self) {
        self.wait("document.body.dataset.stage === 'deciding'");
        self.ready();
    }

    /// Waits until a decision is taken.
    #[track_caller]
    pub(super) fn ready(&self) {
        self.wait("document.querySelector('#play').ariaDisabled === 'false'");
    }

    /// Starts a game with another player.
    #[track_caller]
    pub(super) fn meet(&self, other: &Self, game: &str) {
        self.choose(game);
        self.wait("document.body.dataset.stage === 'waiting'");
        other.choose(game);
        self.dealt();
        other.dealt();
    }

    /// Plays with another player, and goes on after a tie; the result is whether this one
    /// won.
    #[track_caller]
    pub(super) fn play_out(&self, other: &Self) -> bool {
        let over = "document.body.dataset.stage === 'result'";
        loop {
            for player in [self, other] {
                let stage = "document.body.dataset.stage";
                player.run(&format!(
                    "if ({stage} === 'deciding') document.querySelector('#play').click()"
                ));
            }
            if [self, other].map(|player| player.value(over)) == [true, true] {
                return self.value("document.querySelector('#yours').matches('.winner')") == true;
            }
        }
    }

    /// Plays with the house to the end.
    pub(super) fn play_alone(&self) {
        while self.value("document.body.dataset.stage") != "result" {
            self.run("document.querySelector('#play').click()");
        }
    }

    /// Presses the tabulator until the element with this id has the focus.
    #[track_caller]
    pub(super) fn tab_to(&self, id: &str) {
        self.settled();
        for _ in 0..20 {
            if self.value("document.activeElement.id") == id {
                return;
            }
            self.press([TAB]);
        }
        panic!("the tabulator does not get to {id}");
    }
}

/// Lets somebody sit down alone.
pub(super) fn with_browser(table: &Table, lang: &str, name: &str, play: impl FnOnce(&Player)) {
    let driver = Driver::start();
    play(&Player::open(&driver, &table.address, lang, name));
}

/// Lets Ann, who reads English, and Ola, who reads Polish, sit down.
pub(super) fn with_two(table: &Table, play: impl FnOnce(&Player, &Player)) {
    let driver = Driver::start();
    let ann = Player::open(&driver, &table.address, "en", "Ann");
    let ola = Player::open(&driver, &table.address, "pl", "Ola");
    play(&ann, &ola);
}
