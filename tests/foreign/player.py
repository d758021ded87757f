"""A player written from the table's documentation and schema, without its program."""

import hashlib
import json
import random
import secrets
import time

from websocket import Closed, Silence, WebSocket

OPENING_BALANCE = 1000
# Number of cards; loss if both fold; loss by a fold; stake of a showdown.
STAKES = {"single-card-game": (1, 1, 3, 10), "double-card-game": (2, 2, 5, 20)}
RANKS = "23456789TJQKA"

# Messages allowed in each stage of a game, with the next stage.
COURSE = {
    "free": {},
    "choosing": {"waiting": "waiting", "started": "started"},
    "waiting": {"started": "started", "cancelled": "free", "draining": "free"},
    "started": {"seeded": "seeded", "clock": "started"},
    "seeded": {"dealt": "dealt", "clock": "seeded"},
    "dealt": {"decided": "decided", "clock": "dealt", "opponent_decided": "dealt"},
    "decided": {
        **{"result": "free", "redealt": "dealt"},
        **{"clock": "decided", "opponent_decided": "decided"},
    },
}
ANSWERS = {
    "choose": ("waiting", "started"),
    "cancel": ("cancelled", "draining"),
    "seed": ("seeded",),
    "decide": ("decided",),
}
SILENCE, OUTAGE = 30, 60
# Seconds of silence from one of several nodes after which the others are tried.
NODE_SILENCE = 1.5


class Player:
    """Player over any number of connections, to any of the table's nodes."""

    def __init__(self, addresses, name, game, schema):
        self.addresses, self.name, self.game, self.schema = addresses, name, game, schema
        self.token = secrets.token_hex(32)
        self.socket, self.number, self.ids = None, None, 0
        self.history, self.balance = [], OPENING_BALANCE
        self.stage, self.pending, self.start, self.hands = "free", None, None, []
        self.games, self.mine = [], None
        self.lost, self.repeated, self.clocks = -1, 0, 0
        # Time at which the connection was opened.
        self.since = 0
        # Ids of the requests to stop waiting.
        self.wishes = set()

    def play(self, over):
        """Plays one game after the other until that is over."""
        heard = time.monotonic()
        while not (over() and self.stage == "free" and self.pending is None):
            try:
                if self.socket is None:
                    self._connect()
                self._act(over())
                self._take(self._receive(0.1))
                heard = time.monotonic()
            except Silence:
                now = time.monotonic()
                assert self.stage == "waiting" or now - heard < SILENCE, self.stage
                if len(self.addresses) > 1 and now - max(heard, self.since) > NODE_SILENCE:
                    self._leave()
            except (Closed, OSError):
                self._leave()

    def compare(self):
        """Reconnects and receives all messages again: they must be the same and match the balance."""
        since, told = time.monotonic(), None
        while told is None:
            self._leave()
            try:
                self._connect()
                told = self._replayed()
            except (Closed, OSError):
                # Others play on, and their table has its outages.
                assert time.monotonic() - since < OUTAGE, f"{self.name} is never told all"
        assert told == self.history, f"{self.name} hears something else than before"
        deltas = (message["delta"] for message in told if message["type"] == "result")
        assert self.balance == OPENING_BALANCE + sum(deltas)

    def _replayed(self):
        """All messages to the player, requested again."""
        self._send({"type": "resume", "id": self._id(), "after": 0})
        return [self._receive(10) for _ in self.history]

    def summary(self):
        """Summary of the player and of the faults they met."""
        return {
            **{"player": self.number, "name": self.name, "balance": self.balance},
            **{"seq": len(self.history), "games": self.games, "lost": self.lost},
            **{"repeated": self.repeated, "clocks": self.clocks},
        }

    def _leave(self):
        if self.socket:
            self.socket.close()
            # Another node may serve.
            self.addresses = self.addresses[1:] + self.addresses[:1]
        self.socket = None

    def _connect(self):
        """Connects: receives missed messages, and repeats an unanswered request."""
        since = time.monotonic()
        patience = 10 if len(self.addresses) == 1 else NODE_SILENCE
        while self.socket is None:
            try:
                self.socket = WebSocket(self.addresses[0], patience)
            except (OSError, Closed):
                assert time.monotonic() - since < OUTAGE, "the table is gone"
                self.addresses = self.addresses[1:] + self.addresses[:1]
                time.sleep(0.05)
        name, token, hello = self.name, self.token, self._id()
        self._send({"type": "hello", "id": hello, "name": name, "token": token, "protocol": 4})
        welcome = self._receive(patience)
        if welcome.get("code") == "unavailable":
            raise Closed("the table can't do this now")
        assert (welcome["type"], welcome["in_reply_to"]) == ("welcome", hello), welcome
        assert self.number in (None, welcome["player"]), "another player"
        self.number, self.since = welcome["player"], time.monotonic()
        self.lost += 1
        assert welcome["seq"] >= len(self.history), f"{self.name} has heard more than was kept"
        # Nothing is sent to a returning player before they ask.
        self._send({"type": "resume", "id": self._id(), "after": len(self.history)})
        while len(self.history) < welcome["seq"]:
            self._take(self._receive(patience))
        assert welcome["balance"] == self.balance, f"{self.name} has {self.balance}: {welcome}"
        if self.pending:
            self._send(self.pending)

    def _act(self, over):
        """Sends the request for this stage."""
        if self.pending:
            return
        if self.stage == "free":
            self.seed = secrets.token_bytes(32)
            seed_hash = hashlib.sha256(self.seed).hexdigest()
            self.stage = "choosing"
            self._ask({"type": "choose", "game": self.game, "seed_hash": seed_hash})
        elif self.stage == "waiting" and over:
            self._ask({"type": "cancel", "game": self.game})
        elif self.stage == "started":
            self._ask({"type": "seed", "game_id": self.games[-1], "value": self.seed.hex()})
        elif self.stage == "dealt":
            time.sleep(random.choice((0, 0.02, 0.2)))
            self.mine = random.choice(("play", "play", "fold"))
            about = {"game_id": self.games[-1], "deal": len(self.hands)}
            self._ask({"type": "decide", "decision": self.mine, **about})

    def _ask(self, request):
        self.pending = {"id": self._id(), **request}
        if request["type"] == "cancel":
            self.wishes.add(self.pending["id"])
        self._send(self.pending)
        # A request that is sent twice takes effect once, and gets the same answer twice.
        if random.random() < 0.25:
            self._send(self.pending)

    def _id(self):
        self.ids += 1
        return f"r{self.ids}"

    def _send(self, request):
        self.schema.check(request, "Request")
        self.socket.send(json.dumps(request))

    def _receive(self, patience):
        try:
            message = json.loads(self.socket.receive(patience))
        except Silence:
            if patience < 1:
                raise
            raise Closed("no answer") from None
        self.schema.check(message, "Sent")
        return message

    def _take(self, message):
        kind, seq = message["type"], message["seq"]
        if kind == "error":
            if message["code"] == "unavailable":
                # The request is sent again on the next connection.
                raise Closed("the table can't do this now")
            # The opponent chose just before the cancellation arrived.
            assert message["in_reply_to"] in self.wishes, message
            assert message["code"] == "not_waiting", message
            if self.pending and self.pending["type"] == "cancel":
                self.pending = None
            return
        if seq <= len(self.history):
            assert message == self.history[seq - 1], f"{message} was another one"
            self.repeated += 1
            return
        assert seq == len(self.history) + 1, f"{self.name} missed something before {message}"
        self.history.append(message)
        assert kind in COURSE[self.stage], f"{self.name} is {self.stage}: {message}"
        if kind != "started" and "game_id" in message:
            assert message["game_id"] == self.games[-1], message
        getattr(self, f"_{kind}", lambda _: None)(message)
        self.stage = COURSE[self.stage][kind]
        if self.pending and kind in ANSWERS[self.pending["type"]]:
            self.pending = None

    def _started(self, message):
        assert message["game_id"] not in self.games, "a number comes twice"
        self.games.append(message["game_id"])
        own = message["seed_hashes"][message["seat"] - 1]
        assert own == hashlib.sha256(self.seed).hexdigest(), "another seed"
        # The game started before the cancellation arrived.
        if self.pending and self.pending["type"] == "cancel":
            self.pending = None
        self.start, self.hands = message, []

    def _clock(self, message):
        assert message["left_ms"] > 0, message
        self.clocks += 1

    def _dealt(self, message):
        assert message["deal"] == len(self.hands) + 1, message
        assert len(message["cards"]) == STAKES[self.game][0], message
        self.hands.append(message["cards"])

    _redealt = _dealt

    def _decided(self, message):
        assert not message["timed_out"], f"{self.name} was folded: {message}"
        assert (message["deal"], message["decision"]) == (len(self.hands), self.mine), message

    def _result(self, message):
        seat, reveal = self.start["seat"] - 1, message["reveal"]
        assert "forfeited" not in message, f"a seed was not opened in time: {message}"
        assert digest(reveal["seed"]) == self.start["commitment"], message
        assert reveal["client_seeds"][seat] == self.seed.hex(), message
        assert [digest(seed) for seed in reveal["client_seeds"]] == self.start["seed_hashes"]
        assert reveal["deals"] == len(self.hands), message
        yours, theirs = message["decisions"]["yours"], message["decisions"]["theirs"]
        assert yours == self.mine, message
        assert message["delta"] == self._delta(yours, theirs, message), message
        self.balance += message["delta"]
        assert message["balance"] == self.balance, message

    def _delta(self, yours, theirs, message):
        _, both, one, showdown = STAKES[self.game]
        if yours == "fold":
            return -both if theirs == "fold" else -one
        if theirs == "fold":
            return one
        cards = message["cards"]
        assert cards["yours"] == self.hands[-1], message
        mine, other = (strength(cards[side]) for side in ("yours", "theirs"))
        assert mine != other, "a tie was settled"
        return showdown if mine > other else -showdown


def digest(digits):
    """SHA-256 of the bytes of a seed."""
    return hashlib.sha256(bytes.fromhex(digits)).hexdigest()


def strength(hand):
    """Ranks of a hand, highest first."""
    return sorted((RANKS.index(card[0]) for card in hand), reverse=True)
