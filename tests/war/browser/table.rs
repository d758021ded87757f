//! A server of the card table, and players who sit down at it.

use super::driver::{Browser, Driver, TAB};
use crate::support::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::ops::Deref;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A running server with a store of its own. It ends with this value.
pub(super) struct Table {
    pub(super) place: Place,
    pub(super) address: String,
    options: Vec<String>,
    child: Child,
    /// Kept open, so that the server may print.
    output: BufReader<ChildStdout>,
}

impl Table {
    pub(super) fn open(options: &[&str]) -> Self {
        let options: Vec<_> = options.iter().map(|&option| option.to_owned()).collect();
        let place = Place::new();
        let (child, output, address) = serve(&place, "127.0.0.1:0", &options);
        Self {
            place,
            address,
            options,
            child,
            output,
        }
    }

    /// Ends the server without a warning.
    pub(super) fn kill(&mut self) {
        self.child.kill().expect("the server runs");
        self.child.wait().expect("its end");
    }

    /// Asks the server to close: no game starts then, and it ends with the last one.
    pub(super) fn drain(&self) {
        let pid = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(asked.expect("the command kill").success());
        let health = format!("{}health", self.address);
        let healthy = || ureq::get(&health).call().is_ok();
        while healthy() {
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the server has closed.
    pub(super) fn closed(&mut self) {
        let mut printed = String::new();
        self.output
            .read_to_string(&mut printed)
            .expect("its output");
        assert!(printed.ends_with("the table is closed\n"), "{printed}");
        assert!(self.child.wait().expect("its end").success());
    }

    /// Starts a server that has ended once more, at its place.
    pub(super) fn reopen(&mut self) {
        let listen = self.address["http://".len()..].trim_end_matches('/');
        let (child, output, _) = serve(&self.place, listen, &self.options);
        (self.child, self.output) = (child, output);
    }

    /// What the server has at this path.
    pub(super) fn get(&self, path: &str) -> String {
        let address = format!("{}{path}", self.address.trim_end_matches('/'));
        let mut answer = ureq::get(address).call().expect("an answer");
        answer.body_mut().read_to_string().expect("text")
    }
}

fn serve(
    place: &Place,
    listen: &str,
    options: &[String],
) -> (Child, BufReader<ChildStdout>, String) {
    let mut command = place.command(&["serve", "--listen", listen]);
    let mut child = command
        .args(options)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    output.read_line(&mut line).expect("its address");
    let address = line.find("http://").map(|at| line[at..].trim().to_owned());
    (child, output, address.expect("an address"))
}

impl Drop for Table {
    fn drop(&mut self) {
        // Where it was killed there is nothing left to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Somebody with a browser of his own.
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
        player.fits(&format!("join-{lang}"));
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

    pub(super) fn choose(&self, game: &str) {
        self.click(&format!("[data-game={game}-card-game]"));
    }

    /// Waits until there is something to decide.
    #[track_caller]
    pub(super) fn dealt(&self) {
        self.wait("document.body.dataset.stage === 'deciding'");
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
