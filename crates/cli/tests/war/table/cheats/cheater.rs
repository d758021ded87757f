//! Tampering of a cheating table with the messages of one player.

use super::cheat::Cheat;
use super::ledger::Ledger;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use war::cards::Card;
use war::support::hex::Hex;
use war::tokens::{DealResult, Decision, Kind, Secret, TokenRules, commitment, compare_hands};

/// Messages to forward, to either side.
#[derive(Debug, Default)]
pub(super) struct Forwarded {
    pub(super) to_client: Vec<Value>,
    pub(super) to_server: Vec<Value>,
}

/// Seed that the table uses in place of the player's.
const SWAPPED: Hex<32> = Hex::new([3; 32]);

pub(super) struct Cheater {
    ledger: Arc<Mutex<Ledger>>,
    cheat: Cheat,
    /// Number of the player.
    own: u64,
    balance: Value,
    /// Hash that the player sent, and the seed.
    hash: Value,
    seed: Value,
    /// Start of the running game, as the server sent it.
    started: Value,
    dealt: Value,
    /// Number of messages to the player that the server did not send.
    added: u64,
    /// The server's result, held back while the player plays on.
    held: Option<Value>,
    /// Number of the first game.
    first: Option<Value>,
}

impl Cheater {
    pub(super) const fn new(ledger: Arc<Mutex<Ledger>>, cheat: Cheat) -> Self {
        Self {
            ledger,
            cheat,
            own: 0,
            balance: Value::Null,
            hash: Value::Null,
            seed: Value::Null,
            started: Value::Null,
            dealt: Value::Null,
            added: 0,
            held: None,
            first: None,
        }
    }

    const fn swaps(&self) -> bool {
        matches!(
            self.cheat,
            Cheat::SwapsHash | Cheat::SwapsSeed | Cheat::EchoesSeed
        ) || self.feigns()
    }

    /// Returns true if the player is made to believe that another device plays for them.
    const fn feigns(&self) -> bool {
        matches!(self.cheat, Cheat::FeignsDevice | Cheat::FeignsMove)
    }

    /// Tampers with a request.
    pub(super) fn request(&mut self, mut request: Value) -> Forwarded {
        let mut said = Forwarded::default();
        match request["type"].as_str() {
            Some("choose") => {
                self.hash = request["seed_hash"].clone();
                if self.swaps() {
                    request["seed_hash"] = json!(commitment(&SWAPPED).to_string());
                }
            }
            Some("seed") => {
                self.seed = request["value"].clone();
                if self.cheat == Cheat::ClaimsForfeit || self.feigns() {
                    return said;
                }
                if self.swaps() {
                    request["value"] = json!(SWAPPED.to_string());
                }
            }
            Some("decide") if self.held.is_some() => {
                said.to_client = self.second_result(&request);
                return said;
            }
            Some("decide") if self.cheat == Cheat::ChangesDecision => {
                let folds = request["decision"] == "fold";
                request["decision"] = json!(if folds { "play" } else { "fold" });
            }
            _ => {}
        }
        if self.cheat == Cheat::OldGame && request.get("game_id").is_some() {
            request["game_id"] = self.started["game_id"].clone();
        }
        said.to_server.push(request);
        said
    }

    /// Tampers with a message.
    pub(super) fn message(&mut self, mut message: Value) -> Forwarded {
        let (mut after, mut to_server) = (Vec::new(), Vec::new());
        if self.is_late(&message) {
            self.ledger().late = true;
        }
        match message["type"].as_str() {
            Some("welcome") => {
                self.own = message["player"].as_u64().expect("a number");
                self.balance = message["balance"].clone();
                self.ledger().welcome(&mut message);
            }
            Some("waiting") if self.feigns() => self.feign_request(&mut message),
            Some("started") => {
                after = self.start(&mut message);
                if self.feigns() {
                    self.feign_request(&mut message);
                    // Nobody else opens the seed that the player doesn't have.
                    to_server.push(
                        json!({"type": "seed", "id": format!("feigned-{}", self.game()),
                        "game_id": self.game(), "value": SWAPPED.to_string()}),
                    );
                }
            }
            Some("dealt" | "redealt") => {
                self.dealt = message.clone();
                if self.cheat == Cheat::DealsOthers {
                    message["cards"][0] = json!(other_card(&message["cards"]));
                }
            }
            Some("decided") if self.cheat == Cheat::ClaimsLate => {
                message["decision"] = json!("fold");
                message["timed_out"] = json!(true);
            }
            Some("result") => self.result(&mut message),
            _ => {}
        }
        if message["type"] == "result" {
            self.balance = message["balance"].clone();
        }
        // A player who reconnects may be in a game that began on an earlier connection.
        if let Some(first) = &self.first
            && self.cheat == Cheat::OldGame
            && message.get("game_id").is_some()
        {
            message["game_id"] = first.clone();
        }
        let mut to_client = vec![message];
        to_client.append(&mut after);
        for message in &mut to_client {
            let seq = message["seq"].as_u64().expect("a number");
            message["seq"] = json!(seq + self.added);
        }
        self.added += to_client.len() as u64 - 1;
        Forwarded {
            to_client,
            to_server,
        }
    }

    /// Returns true if the server itself counts the player as too late, which is not part of the
    /// cheat.
    fn is_late(&self, message: &Value) -> bool {
        let seats = message["forfeited"].as_array();
        let forfeits = seats.is_some_and(|seats| seats.contains(&json!(self.seat() + 1)));
        let folds = message["type"] == "decided" && message["timed_out"] == true;
        folds || forfeits && self.cheat != Cheat::ClaimsForfeit
    }

    /// Tampers with a start. Returns additional messages after it.
    fn start(&mut self, message: &mut Value) -> Vec<Value> {
        (self.started, self.dealt) = (message.clone(), Value::Null);
        self.first.get_or_insert_with(|| message["game_id"].clone());
        let seat = self.seat();
        match self.cheat {
            Cheat::SwapsSeed | Cheat::EchoesSeed => {
                message["seed_hashes"][seat] = self.hash.clone();
            }
            Cheat::OtherHash => {
                let other = commitment(&SWAPPED).to_string();
                message["seed_hashes"][1 - seat] = json!(other);
            }
            Cheat::OldCommitment => {
                let mut ledger = self.ledger();
                let old = &mut ledger.commitment;
                message["commitment"] = old
                    .get_or_insert_with(|| message["commitment"].clone())
                    .clone();
            }
            _ => {}
        }
        let own = self.own;
        self.ledger().start(message, own);
        match self.cheat {
            Cheat::Unsigned => {
                message["signature"].take();
            }
            Cheat::OtherSignature => message["time_ms"] = json!(1),
            Cheat::DropsHash => {
                message["seed_hashes"][seat].take();
            }
            Cheat::DealsEarly => {
                let mut dealt = json!({"type": "dealt", "game_id": message["game_id"], "deal": 1,
                    "cards": ["2c"], "deadline_ms": 0, "left_ms": 30_000});
                dealt["seq"] = json!(message["seq"].as_u64().expect("a number") + 1);
                return vec![dealt];
            }
            _ => {}
        }
        Vec::new()
    }

    /// Makes a message the answer to a request of another device, or makes the wait vanish.
    fn feign_request(&self, message: &mut Value) {
        if self.cheat == Cheat::FeignsMove && message["type"] == "waiting" {
            let seq = message["seq"].as_u64().expect("a number");
            *message = json!({"type": "resync", "seq": seq, "first_seq": seq + 1,
                "balance": self.balance, "place": "free", "cards": []});
        } else if self.cheat == Cheat::FeignsDevice {
            message["in_reply_to"] = json!("feigned");
        } else {
            let fields = message.as_object_mut().expect("fields");
            fields.remove("in_reply_to");
        }
    }

    fn result(&mut self, message: &mut Value) {
        self.ledger().end(message);
        let (seat, cheat) = (self.seat(), self.cheat);
        let has_cards = !self.dealt.is_null();
        let hashes = &mut message["reveal"]["seed_hashes"];
        match cheat {
            Cheat::SwapsSeed => hashes[seat] = self.hash.clone(),
            Cheat::EchoesSeed => {
                hashes[seat] = self.hash.clone();
                message["reveal"]["client_seeds"][seat] = self.seed.clone();
            }
            Cheat::DropsSeed => {
                message["reveal"]["client_seeds"][seat].take();
            }
            Cheat::WithholdsSeed => {
                message["reveal"]["seed"].take();
            }
            Cheat::OtherHash => hashes[1 - seat] = json!(commitment(&SWAPPED).to_string()),
            Cheat::GrindsSeed if has_cards => self.grind(message),
            Cheat::TurnsResult if message["outcome"] != "both_folded" => {
                let won = message["outcome"] == "won";
                message["outcome"] = json!(if won { "lost" } else { "won" });
                pay(message, |delta| -delta);
            }
            Cheat::PaysWrong => pay(message, |delta| delta - 1),
            Cheat::WrongBalance => add(&mut message["balance"], -1),
            Cheat::ShowsOthers if message.get("cards").is_some() => {
                message["cards"]["theirs"][0] = json!(other_card(&message["cards"]["theirs"]));
            }
            Cheat::HidesForfeit => {
                message.as_object_mut().expect("fields").remove("forfeited");
            }
            Cheat::NoEnd => {
                message.as_object_mut().expect("fields").remove("time_ms");
            }
            Cheat::Redeals if has_cards => self.redeal(message),
            _ => {}
        }
    }

    /// Finds a table's seed with which the player has the same card and loses.
    fn grind(&self, message: &mut Value) {
        let shown: Vec<Card> = parsed(&self.dealt["cards"]);
        let seeds = [0, 1].map(|seat| message["reveal"]["client_seeds"][seat].clone());
        let rules = self.rules();
        let ground = (0_u64..).find_map(|number| {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&number.to_be_bytes());
            let digits = seeds
                .each_ref()
                .map(|seed| seed.as_str().unwrap_or_default());
            let secret = Secret::new(Hex::new(seed));
            let hands = secret.deal(rules, self.game(), digits, 1);
            let loses = hands[self.seat()][0].rank() <= hands[1 - self.seat()][0].rank();
            (hands[self.seat()] == shown && loses).then_some(Hex::<32>::new(seed))
        });
        message["reveal"]["seed"] = json!(ground.expect("some seed").to_string());
    }

    /// Holds the result back, and deals again with the seeds known by then.
    fn redeal(&mut self, message: &mut Value) {
        let [first, hands] = [1, 2].map(|deal| self.hands(message, deal));
        let ties = |hands: &[Vec<Card>; 2]| compare_hands(&hands[0], &hands[1]).is_eq();
        // After a tie, even one that a fold settled, new cards are fair. A second tie would have to
        // be dealt yet again.
        if self.dealt["deal"] != 1 || ties(&first) || ties(&hands) {
            return;
        }
        self.held = Some(message.clone());
        let cards = hands[self.seat()].clone();
        let mut redealt = self.dealt.clone();
        redealt["type"] = json!("redealt");
        redealt["deal"] = json!(2);
        redealt["cards"] = json!(cards);
        redealt["seq"] = message["seq"].clone();
        *message = redealt;
    }

    /// Hands of this deal of a finished game, by seat.
    fn hands(&self, result: &Value, deal: u32) -> [Vec<Card>; 2] {
        let reveal = &result["reveal"];
        let digits = [0, 1].map(|seat| reveal["client_seeds"][seat].as_str().expect("a seed"));
        let secret = Secret::new(
            reveal["seed"]
                .as_str()
                .expect("a seed")
                .parse()
                .expect("digits"),
        );
        secret.deal(self.rules(), self.game(), digits, deal)
    }

    /// Result after a second deal.
    fn second_result(&mut self, request: &Value) -> Vec<Value> {
        let mut result = self.held.take().expect("it was held back");
        let (seat, hands) = (self.seat(), self.hands(&result, 2));
        let mut decided: [Decision; 2] = [parsed(&result["decisions"]["theirs"]); 2];
        decided[seat] = parsed(&request["decision"]);
        let settled = DealResult::settle(self.rules().kind(), decided, &hands);
        let DealResult::Deltas(deltas) = settled else {
            return Vec::new();
        };
        let before = result["balance"].as_i64().unwrap_or_default()
            - result["delta"].as_i64().unwrap_or_default();
        result["decisions"]["yours"] = request["decision"].clone();
        result["delta"] = json!(deltas[seat]);
        result["balance"] = json!(before + deltas[seat]);
        result["outcome"] = json!(match deltas[seat] {
            1.. => "won",
            _ if deltas[1 - seat] > 0 => "lost",
            _ => "both_folded",
        });
        result["reveal"]["deals"] = json!(2);
        let fields = result.as_object_mut().expect("fields");
        fields.remove("cards");
        if decided == [Decision::Play; 2] {
            let cards = json!({"yours": hands[seat], "theirs": hands[1 - seat]});
            fields.insert("cards".to_owned(), cards);
        }
        let seq = result["seq"].as_u64().expect("a number") + self.added;
        let decided = json!({"type": "decided", "seq": seq + 1, "game_id": self.game(), "deal": 2,
            "decision": request["decision"], "timed_out": false});
        result["seq"] = json!(seq + 2);
        self.added += 2;
        vec![decided, result]
    }

    fn seat(&self) -> usize {
        usize::from(self.started["seat"] == 2)
    }

    fn game(&self) -> u64 {
        self.started["game_id"].as_u64().expect("a number")
    }

    fn rules(&self) -> TokenRules {
        let kind = self.started["game"].as_str().and_then(Kind::from_name);
        TokenRules::current(kind.expect("a game"))
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parsed<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("a value of this kind")
}

/// A card that is not the first of these.
fn other_card(cards: &Value) -> &'static str {
    if cards[0] == "2c" { "Ah" } else { "2c" }
}

/// Changes the winnings, and the balance with it.
fn pay(message: &mut Value, change: impl Fn(i64) -> i64) {
    let delta = message["delta"].as_i64().expect("tokens");
    add(&mut message["balance"], change(delta) - delta);
    message["delta"] = json!(change(delta));
}

fn add(value: &mut Value, tokens: i64) {
    *value = json!(value.as_i64().expect("tokens") + tokens);
}
