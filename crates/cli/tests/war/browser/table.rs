//! A card table server, and players who join it.

use super::driver::{Browser, Driver, PATIENCE, TAB};
use crate::support::Sandbox;
use crate::table::Server;
use serde_json::Value;
use std::ops::Deref;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Elements that a player must see to decide: the opponent, each card, the clock, and both buttons
/// with their stakes.
pub(super) const DECISION: &str = "#opponent, #game-title, #game-lead, #game-yours li, #clock, #time-left, #play, #fold, #play-bet, #fold-bet";

/// Elements that a player must see of a result: both hands, the verdict on the deal, and the
/// buttons for another game.
pub(super) const RESULT: &str =
    "#result-title, #result-yours li, #result-theirs li, #verdict, #again, #another";

/// Server with its own store. Can be ended and started again.
pub(super) struct Table {
    pub(super) sandbox: Sandbox,
    /// Address of the table's page.
    pub(super) address: String,
    options: Vec<&'static str>,
    server: Server,
}

impl Table {
    pub(super) fn open(options: &[&'static str]) -> Self {
        let sandbox = Sandbox::new();
        let server = Server::start(&sandbox, options);
        Self {
            sandbox,
            address: format!("http://{}/", server.address),
            options: options.to_vec(),
            server,
        }
    }

    /// Ends the server without a warning.
    pub(super) fn kill(&mut self) {
        self.server.kill();
    }

    /// Asks the server to close: no more games start, and the server ends after the last running
    /// game.
    pub(super) fn drain(&self) {
        self.server.signal("TERM");
        while self.server.admin("/health").0.starts_with("HTTP/1.1 200") {
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the server's health contains this text, and returns the health.
    #[track_caller]
    pub(super) fn wait_for_health(&self, text: &str) -> String {
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
    pub(super) fn wait_until_closed(&mut self) {
        let (code, errors) = self.server.end();
        assert_eq!(code, 0, "{errors}");
    }

    /// Restarts a server that has ended, in the same sandbox.
    pub(super) fn reopen(&mut self) {
        let address = self.server.address.clone();
        self.server = Server::start_at(&self.sandbox, &address, &self.options);
    }

    /// Runs an operator's command on the players.
    pub(super) fn operate(&self, arguments: &[&str]) {
        let admin = ["--admin", &self.server.admin];
        let run = self.sandbox.war(&[&["table"], arguments, &admin].concat());
        run.exits_with(0);
    }

    /// List of players, as an operator sees it.
    pub(super) fn players(&self) -> String {
        let run = self
            .sandbox
            .war(&["table", "players", "--admin", &self.server.admin]);
        run.exits_with(0).stdout
    }

    /// Host and port of the server.
    pub(super) fn host(&self) -> &str {
        &self.server.address
    }

    pub(super) const fn server(&self) -> &Server {
        &self.server
    }

    /// Body that the server serves at this path.
    pub(super) fn get(&self, path: &str) -> String {
        self.server.get(path).1
    }
}

/// Person with their own browser.
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
        player.wait_for_heading(&player.lang("Take a seat", "Zajmij miejsce"));
        player
    }

    /// Opens the page and joins.
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

    /// Joins as a new player.
    #[track_caller]
    pub(super) fn sit_down(&self, name: &str) {
        self.fill_in(name);
        self.wait_for_heading(&self.lang("Choose a game", "Wybierz grę"));
        assert_eq!(self.number("#balance-tokens"), 1000);
    }

    /// Text in the player's language.
    pub(super) fn lang(&self, english: &str, polish: &str) -> String {
        if self.lang == "pl" { polish } else { english }.to_owned()
    }

    /// Waits for this heading.
    #[track_caller]
    pub(super) fn wait_for_heading(&self, text: &str) {
        self.wait_for_text("section:not([hidden]) h1", text);
    }

    /// Number in the text of an element.
    pub(super) fn number(&self, selector: &str) -> i64 {
        let text = self.text(selector).replace('−', "-");
        let digits = text.chars().filter(|c| c.is_ascii_digit() || *c == '-');
        let number = digits.collect::<String>().parse();
        number.unwrap_or_else(|_| panic!("a number in `{text}`"))
    }

    /// Names of the cards in a hand.
    pub(super) fn cards(&self, selector: &str) -> Vec<String> {
        let labels = self.value(&format!(
            "[...document.querySelectorAll('{selector} svg')]
                .map((card) => card.getAttribute('aria-label'))"
        ));
        let labels = labels.as_array().expect("labels").iter();
        let label = |label: &Value| label.as_str().expect("a label").to_owned();
        labels.map(label).collect()
    }

    /// Reconnects to a table that is open again, without the delay that grew while it was closed.
    #[track_caller]
    pub(super) fn reconnect(&self) {
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

    /// Waits until there is a decision to make and the cards have been shown for a moment.
    #[track_caller]
    pub(super) fn wait_until_dealt(&self) {
        self.wait("document.body.dataset.stage === 'deciding'");
        self.wait_until_ready();
    }

    /// Waits until the page accepts a decision.
    #[track_caller]
    pub(super) fn wait_until_ready(&self) {
        self.wait("document.querySelector('#play').ariaDisabled === 'false'");
    }

    /// Starts a game with another player.
    #[track_caller]
    pub(super) fn meet(&self, other: &Self, game: &str) {
        self.choose(game);
        self.wait("document.body.dataset.stage === 'waiting'");
        other.choose(game);
        self.wait_until_dealt();
        other.wait_until_dealt();
    }

    /// Plays against another player, and goes on after ties. Returns true if this player won.
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

    /// Plays a game against the house to its end.
    pub(super) fn play_alone(&self) {
        while self.value("document.body.dataset.stage") != "result" {
            self.run("document.querySelector('#play').click()");
        }
    }

    /// Presses Tab until the element with this id has the focus.
    #[track_caller]
    pub(super) fn tab_to(&self, id: &str) {
        self.wait_until_settled();
        for _ in 0..20 {
            if self.value("document.activeElement.id") == id {
                return;
            }
            self.press([TAB]);
        }
        panic!("the tabulator does not get to {id}");
    }

    /// Focuses an element, and checks that it keeps the focus when the page renders everything.
    #[track_caller]
    pub(super) fn check_focus_stays(&self, selector: &str) {
        self.run(&format!("document.querySelector('{selector}').focus()"));
        // Another tab that has stored something is a reason to render everything at once.
        self.run("dispatchEvent(new Event('storage'))");
        let is_focused = format!("document.activeElement.matches('{selector}')");
        assert_eq!(self.value(&is_focused), true, "{selector} lost the focus");
    }
}

/// Lets one player join alone.
pub(super) fn with_browser(table: &Table, lang: &str, name: &str, play: impl FnOnce(&Player)) {
    let driver = Driver::start();
    play(&Player::open(&driver, &table.address, lang, name));
}

/// Lets Ann, who reads English, and Ola, who reads Polish, join.
pub(super) fn with_two(table: &Table, play: impl FnOnce(&Player, &Player)) {
    let driver = Driver::start();
    let ann = Player::open(&driver, &table.address, "en", "Ann");
    let ola = Player::open(&driver, &table.address, "pl", "Ola");
    play(&ann, &ola);
}
