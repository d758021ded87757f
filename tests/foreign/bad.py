"""Sends a table every request that is invalid by the schema and the documentation.

    python3 tests/foreign/bad.py 127.0.0.1:8080

Prints `ready` when the table should close, and then the codes of all errors received, as JSON.
"""

import hashlib
import json
import secrets
import sys
import time

from schema import Schema
from websocket import BINARY, WebSocket

# Values of no valid type, or of a type that is invalid in some field.
ODD = (None, True, -1, 0, 1.5, 1 << 60, "", "?", "x" * 70, "A\nb", " ", [], ["hello"], {}, {"a": 1})
TEXTS = (
    *("", "{", "hello", "null", "7", "[]", '"hello"', "\0", "{}", "[" * 4000, '{"type":"hullo","id":"1"}'),
    *('{"type":"cancel","id":"1","id":"2","game":"single-card-game"}', '{"type":["hello"],"id":"1"}'),
    *("{'type':'cancel'}", '{"type":"cancel","id":"1","game":"single-card-game"} '[:-2] + ",}"),
)
SINGLE = "single-card-game"


class Connection:
    """Connection that can send anything."""

    codes = set()

    def __init__(self, address, schema, name):
        self.schema, self.ids, self.name = schema, 0, name
        self.socket = WebSocket(address, 10)
        self.token, self.seed = secrets.token_hex(32), secrets.token_bytes(32)

    def send_hello(self):
        """Sends the hello."""
        self.socket.send(json.dumps(self.samples()["hello"]))
        return self.until("welcome")

    def receive(self):
        """Next message."""
        message = json.loads(self.socket.receive(20))
        self.schema.check(message, "Sent")
        return message

    def until(self, kind):
        """Next message of a type."""
        while (message := self.receive())["type"] != kind:
            assert message["type"] != "error", message
        return message

    def id(self):
        """Fresh request id."""
        self.ids += 1
        return f"{self.name}-{self.ids}"

    def ask(self, kind, **fields):
        """Sends a request that the schema allows."""
        request = {"type": kind, "id": self.id(), **fields}
        self.schema.check(request, "Request")
        self.socket.send(json.dumps(request))
        return request

    def choose(self):
        """Requests a game."""
        return self.ask("choose", game=SINGLE, seed_hash=hashlib.sha256(self.seed).hexdigest())

    def refused(self, code, kind, **fields):
        """Sends a request that the schema allows and the table refuses."""
        request = self.ask(kind, **fields)
        self.error(code, request)
        return request

    def expect_error(self, code, request):
        """Sends an invalid request."""
        text = request if isinstance(request, (str, bytes)) else json.dumps(request)
        self.socket.send(text, *([BINARY] if isinstance(request, bytes) else []))
        self.error(code, request)

    def error(self, code, request):
        """Checks the code of the answer."""
        while (answer := self.receive())["type"] == "opponent_decided":
            pass
        assert (answer["type"], answer.get("code")) == ("error", code), f"{request}: {answer}"
        if isinstance(request, dict) and code not in ("bad_message", "old_protocol"):
            assert answer["in_reply_to"] == request["id"], f"{request}: {answer}"
        self.codes.add(code)

    def samples(self):
        """One request of each type, according to the schema."""
        digits = hashlib.sha256(self.seed).hexdigest()
        fields = {
            "hello": {"name": self.name, "token": self.token, "protocol": 4},
            "choose": {"game": SINGLE, "seed_hash": digits},
            "cancel": {"game": SINGLE},
            "seed": {"game_id": 1, "value": digits},
            "decide": {"game_id": 1, "deal": 1, "decision": "play"},
            "resume": {"after": 0},
            "people": {},
            "games": {"limit": 10},
            "figures": {},
            "score": {"opponent": 1},
            "ladder": {"span": "week"},
            "create_link": {"game": SINGLE, "secret_hash": digits},
            "revoke_link": {"link": "0" * 16},
            "links": {},
            "watch": {},
            "forget": {},
            "settings": {"name": self.name, "watchable": False},
        }
        assert set(fields) == set(self.schema.requests()), "the schema has other requests"
        return {kind: {"type": kind, "id": self.id(), **rest} for kind, rest in fields.items()}


def malformed(line):
    """Requests that are invalid by the schema, each in one field."""
    for kind, sample in line.samples().items():
        line.schema.check(sample, "Request")
        yield kind, None, {**sample, "more": 1}
        for field in sample:
            shorter = {key: value for key, value in sample.items() if key != field}
            if field == "type" or line.schema.fault(shorter, line.schema.definition("Request")):
                yield kind, field, shorter
            for odd in ODD:
                changed = {**sample, field: odd}
                if line.schema.fault(changed, line.schema.definition("Request")):
                    yield kind, field, changed


def check_malformed(line):
    """Checks that invalid requests are refused, and that the connection stays open."""
    sent = 0
    for kind, field, request in malformed(line):
        protocol = kind == "hello" and field == "protocol"
        line.expect_error("old_protocol" if protocol else "bad_message", request)
        sent += 1
    assert sent > 200, sent
    for text in TEXTS:
        line.expect_error("bad_message", text)
    line.expect_error("bad_message", b"\0" * 16)


def out_of_turn(address, schema):
    """Sends requests at the wrong time, or about the wrong thing. Two players stay in a game."""
    ann, bob = (Connection(address, schema, name) for name in ("Ann", "Bob"))
    for kind, request in ann.samples().items():
        if kind != "hello":
            ann.expect_error("hello_first", request)
    check_malformed(ann)
    ann.send_hello()
    check_malformed(ann)
    bob.send_hello()
    ann.expect_error("hello_again", ann.samples()["hello"])
    ann.refused("not_playing", "decide", game_id=1, deal=1, decision="play")
    ann.refused("not_playing", "seed", game_id=1, value=ann.seed.hex())
    ann.refused("bad_after", "resume", after=1)
    for code, whom in (
        ("not_invited", {"accept": "0" * 32}),
        ("no_rematch", {"rematch": 1}),
        ("no_link", {"friend": "0" * 16}),
        ("house_closed", "house"),
    ):
        ann.refused(code, "choose", **{"game": SINGLE, "seed_hash": "0" * 64, "with": whom})
    cancel = ann.refused("not_waiting", "cancel", game=SINGLE)
    ann.expect_error("id_reused", {**cancel, "game": "double-card-game"})
    ann.choose()
    ann.until("waiting")
    ann.error("waiting", ann.choose())
    ann.refused("not_waiting", "cancel", game="double-card-game")
    # The earlier refusal is repeated, although the request would now be granted.
    ann.expect_error("not_waiting", cancel)
    bob.choose()
    started = [line.until("started") for line in (ann, bob)][0]
    game = started["game_id"]
    ann.error("playing", ann.choose())
    ann.refused("not_waiting", "cancel", game=SINGLE)
    ann.refused("stale_decision", "decide", game_id=game, deal=1, decision="fold")
    ann.refused("stale_seed", "seed", game_id=game + 1, value=ann.seed.hex())
    ann.refused("wrong_seed", "seed", game_id=game, value=bob.seed.hex())
    ann.ask("seed", game_id=game, value=ann.seed.hex())
    ann.until("seeded")
    ann.refused("seeded_already", "seed", game_id=game, value=ann.seed.hex())
    bob.ask("seed", game_id=game, value=bob.seed.hex())
    for line in (ann, bob):
        line.until("dealt")
    ann.refused("seeded_already", "seed", game_id=game, value=ann.seed.hex())
    for about in ((game + 1, 1), (game, 0), (game, 2)):
        ann.refused("stale_decision", "decide", game_id=about[0], deal=about[1], decision="fold")
    ann.ask("decide", game_id=game, deal=1, decision="play")
    assert ann.until("decided")["decision"] == "play"
    ann.refused("decided_already", "decide", game_id=game, deal=1, decision="fold")
    return bob, game


def exceed_limits(address, schema):
    """Exceeds the limits on a player's requests and connections."""
    eve = Connection(address, schema, "Eve")
    eve.send_hello()
    for _ in range(10):
        requests = [eve.ask("cancel", game=SINGLE) for _ in range(100)]
        for request in requests:
            eve.error("not_waiting", request)
    eve.refused("too_fast", "cancel", game=SINGLE)
    more = []
    for _ in range(100):
        line = Connection(address, schema, "Eve")
        line.token = eve.token
        request = line.samples()["hello"]
        line.socket.send(json.dumps(request))
        answer = line.receive()
        more.append(line)
        if answer["type"] == "error":
            assert answer["code"] == "too_many_connections", answer
            line.codes.add(answer["code"])
            return
    raise AssertionError("any number of connections")


def accept_absent(address, schema):
    """Accepts an invitation from a player who is not connected."""
    ida, jan = (Connection(address, schema, name) for name in ("Ida", "Jan"))
    for line in (ida, jan):
        line.send_hello()
    choice = {"game": SINGLE, "seed_hash": "1" * 64}
    ida.ask("choose", **choice, **{"with": {"invitation": "1" * 32}})
    ida.until("waiting")
    ida.socket.close()
    # The table notices it a little later.
    time.sleep(1)
    jan.refused("inviter_away", "choose", **choice, **{"with": {"accept": "1" * 32}})


def create_links(address, schema):
    """Creates as many friend links as possible."""
    una = Connection(address, schema, "Una")
    una.send_hello()
    for _ in range(20):
        una.ask("create_link", game=SINGLE, secret_hash="0" * 64)
        una.until("links")
    una.refused("too_many_links", "create_link", game=SINGLE, secret_hash="0" * 64)


def return_after_forget(address, schema):
    """Comes back with the token of a forgotten player."""
    uma, again = (Connection(address, schema, "Uma") for _ in range(2))
    again.token = uma.token
    uma.send_hello()
    uma.ask("forget")
    uma.until("forgotten")
    again.expect_error("forgotten", again.samples()["hello"])


def main():
    """Runs all checks."""
    address = sys.argv[1]
    schema = Schema(address)
    exceed_limits(address, schema)
    accept_absent(address, schema)
    return_after_forget(address, schema)
    create_links(address, schema)
    bob, game = out_of_turn(address, schema)
    cid, dan = (Connection(address, schema, name) for name in ("Cid", "Dan"))
    for line in (cid, dan):
        line.send_hello()
    cid.choose()
    cid.until("waiting")
    print("ready", flush=True)
    cid.until("draining")
    dan.error("draining", dan.choose())
    # The game that keeps the table open ends normally.
    bob.ask("decide", game_id=game, deal=1, decision="fold")
    assert bob.until("result")["delta"] == -3
    print(json.dumps(sorted(Connection.codes)))
    never = schema.refusals() - Connection.codes
    # Seeds are closed only in games of an older version. A client can't make a table unavailable,
    # and only one of several nodes waits for requests in flight.
    assert never == {"banned", "seeds_closed", "too_late", "unavailable"}, f"{never} never came"


main()
