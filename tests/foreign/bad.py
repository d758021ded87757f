"""Sends a table all that the schema and the documentation call wrong.

    python3 tests/foreign/bad.py 127.0.0.1:8080

Prints `ready` when the table has to close, and then the codes of all errors that came, as JSON.
"""

import hashlib
import json
import secrets
import sys
import time

from schema import Schema
from websocket import BINARY, WebSocket

# What is of no type, or of a type that is wrong somewhere.
ODD = (None, True, -1, 0, 1.5, 1 << 60, "", "?", "x" * 70, "A\nb", " ", [], ["hello"], {}, {"a": 1})
TEXTS = (
    *("", "{", "hello", "null", "7", "[]", '"hello"', "\0", "{}", "[" * 4000, '{"type":"hullo","id":"1"}'),
    *('{"type":"cancel","id":"1","id":"2","game":"single-card-game"}', '{"type":["hello"],"id":"1"}'),
    *("{'type':'cancel'}", '{"type":"cancel","id":"1","game":"single-card-game"} '[:-2] + ",}"),
)
SINGLE = "single-card-game"


class Line:
    """A connection that says what it likes."""

    codes = set()

    def __init__(self, address, schema, name):
        self.schema, self.ids, self.name = schema, 0, name
        self.socket = WebSocket(address, 10)
        self.token, self.seed = secrets.token_hex(32), secrets.token_bytes(32)

    def greet(self):
        """Says who is there."""
        self.socket.send(json.dumps(self.samples()["hello"]))
        return self.until("welcome")

    def hear(self):
        """The next message."""
        message = json.loads(self.socket.receive(20))
        self.schema.check(message, "Sent")
        return message

    def until(self, kind):
        """The next message of a type."""
        while (message := self.hear())["type"] != kind:
            assert message["type"] != "error", message
        return message

    def id(self):
        """A name that no request had."""
        self.ids += 1
        return f"{self.name}-{self.ids}"

    def ask(self, kind, **fields):
        """Sends a request that the schema allows."""
        request = {"type": kind, "id": self.id(), **fields}
        self.schema.check(request, "Request")
        self.socket.send(json.dumps(request))
        return request

    def choose(self):
        """Asks for a game."""
        return self.ask("choose", game=SINGLE, seed_hash=hashlib.sha256(self.seed).hexdigest())

    def refused(self, code, kind, **fields):
        """Sends a request that the schema allows and the table doesn't."""
        request = self.ask(kind, **fields)
        self.error(code, request)
        return request

    def wrong(self, code, request):
        """Sends what is no request."""
        text = request if isinstance(request, (str, bytes)) else json.dumps(request)
        self.socket.send(text, *([BINARY] if isinstance(request, bytes) else []))
        self.error(code, request)

    def error(self, code, request):
        """The answer has to be this one."""
        while (answer := self.hear())["type"] == "opponent_decided":
            pass
        assert (answer["type"], answer.get("code")) == ("error", code), f"{request}: {answer}"
        if isinstance(request, dict) and code not in ("bad_message", "old_protocol"):
            assert answer["in_reply_to"] == request["id"], f"{request}: {answer}"
        self.codes.add(code)

    def samples(self):
        """A request of each type, as the schema has it."""
        digits = hashlib.sha256(self.seed).hexdigest()
        fields = {
            "hello": {"name": self.name, "token": self.token, "protocol": 2},
            "choose": {"game": SINGLE, "seed_hash": digits},
            "cancel": {"game": SINGLE},
            "seed": {"game_id": 1, "value": digits},
            "decide": {"game_id": 1, "deal": 1, "decision": "play"},
            "resume": {"after": 0},
            "people": {},
            "games": {"limit": 10},
            "figures": {},
            "ladder": {"span": "week"},
            "watch": {},
            "forget": {},
        }
        assert set(fields) == set(self.schema.requests()), "the schema has other requests"
        return {kind: {"type": kind, "id": self.id(), **rest} for kind, rest in fields.items()}


def malformed(line):
    """Every way in which a request can be none, by the schema: one field at a time."""
    for kind, sample in line.samples().items():
        line.schema.check(sample, "Request")
        yield kind, None, {**sample, "more": 1}
        for field in sample:
            yield kind, field, {key: value for key, value in sample.items() if key != field}
            for odd in ODD:
                changed = {**sample, field: odd}
                if line.schema.wrong(changed, line.schema.definition("Request")):
                    yield kind, field, changed


def without_sense(line):
    """What is no request is refused; the connection lives on."""
    sent = 0
    for kind, field, request in malformed(line):
        protocol = kind == "hello" and field == "protocol"
        line.wrong("old_protocol" if protocol else "bad_message", request)
        sent += 1
    assert sent > 200, sent
    for text in TEXTS:
        line.wrong("bad_message", text)
    line.wrong("bad_message", b"\0" * 16)


def out_of_turn(address, schema):
    """Requests at the wrong time, and about the wrong thing; two players stay in a game."""
    ann, bob = (Line(address, schema, name) for name in ("Ann", "Bob"))
    for kind, request in ann.samples().items():
        if kind != "hello":
            ann.wrong("hello_first", request)
    without_sense(ann)
    ann.greet()
    without_sense(ann)
    bob.greet()
    ann.wrong("hello_again", ann.samples()["hello"])
    ann.refused("not_playing", "decide", game_id=1, deal=1, decision="play")
    ann.refused("not_playing", "seed", game_id=1, value=ann.seed.hex())
    ann.refused("bad_after", "resume", after=1)
    for code, whom in (
        ("not_invited", {"accept": "0" * 32}),
        ("no_rematch", {"rematch": 1}),
        ("house_closed", "house"),
    ):
        ann.refused(code, "choose", **{"game": SINGLE, "seed_hash": "0" * 64, "with": whom})
    cancel = ann.refused("not_waiting", "cancel", game=SINGLE)
    ann.wrong("id_reused", {**cancel, "game": "double-card-game"})
    ann.choose()
    ann.until("waiting")
    ann.error("waiting", ann.choose())
    ann.refused("not_waiting", "cancel", game="double-card-game")
    # The refusal of before is the answer for good, though it would be granted now.
    ann.wrong("not_waiting", cancel)
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


def too_much(address, schema):
    """More requests, and more connections, than a player may have."""
    eve = Line(address, schema, "Eve")
    eve.greet()
    for _ in range(10):
        requests = [eve.ask("cancel", game=SINGLE) for _ in range(100)]
        for request in requests:
            eve.error("not_waiting", request)
    eve.refused("too_fast", "cancel", game=SINGLE)
    more = []
    for _ in range(100):
        line = Line(address, schema, "Eve")
        line.token = eve.token
        request = line.samples()["hello"]
        line.socket.send(json.dumps(request))
        answer = line.hear()
        more.append(line)
        if answer["type"] == "error":
            assert answer["code"] == "too_many_connections", answer
            line.codes.add(answer["code"])
            return
    raise AssertionError("any number of connections")


def away(address, schema):
    """Accepts an invitation of somebody who is not connected."""
    ida, jan = (Line(address, schema, name) for name in ("Ida", "Jan"))
    for line in (ida, jan):
        line.greet()
    choice = {"game": SINGLE, "seed_hash": "1" * 64}
    ida.ask("choose", **choice, **{"with": {"invitation": "1" * 32}})
    ida.until("waiting")
    ida.socket.close()
    # The table learns of it a little later.
    time.sleep(1)
    jan.refused("inviter_away", "choose", **choice, **{"with": {"accept": "1" * 32}})


def main():
    """Goes through all of it."""
    address = sys.argv[1]
    schema = Schema(address)
    too_much(address, schema)
    away(address, schema)
    bob, game = out_of_turn(address, schema)
    cid, dan = (Line(address, schema, name) for name in ("Cid", "Dan"))
    for line in (cid, dan):
        line.greet()
    cid.choose()
    cid.until("waiting")
    print("ready", flush=True)
    cid.until("draining")
    dan.error("draining", dan.choose())
    # The game that holds the table open ends as it would have.
    bob.ask("decide", game_id=game, deal=1, decision="fold")
    assert bob.until("result")["delta"] == -3
    print(json.dumps(sorted(Line.codes)))
    never = schema.refusals() - Line.codes
    # Seeds are closed in games of an older version; nobody can make a table unavailable, and only one
    # of several nodes waits for what is on its way.
    assert never == {"banned", "seeds_closed", "too_late", "unavailable"}, f"{never} never came"


main()
