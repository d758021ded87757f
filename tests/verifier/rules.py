"""The rules: which event comes next, and what it does to the table."""

import hashlib
import re

from chance import Recorded, generator, token_hands
from forms import deck_of

NAMED = {"face_down": 1, "collect": "seat", "out_of_cards": "eoc"}
XY = {"face_down": 3, "collect": "shuffled", "out_of_cards": "shrink"}
DUELS = ("duels/1", "duels-default/1", "duels-shuffle/1", "duels-random/1")
WAR = {"classic/1": NAMED, **dict.fromkeys(DUELS, NAMED), "xy/1": XY, "custom/1": None}
TOKENS = {"single-card-game/1": (1, 1, 3, 10), "double-card-game/1": (2, 2, 5, 20)}

CHACHA, JAVA, XOSHIRO = (
    "chacha8-fisher-yates/1",
    "java-util-random/1",
    "xoshiro256++-fisher-yates/1",
)
SHUFFLED = {
    CHACHA: ("classic/1", *DUELS),
    JAVA: ("xy/1",),
    XOSHIRO: ("classic/1", "duels/1", "xy/1", "custom/1"),
}
IN_TURN = "the event is not the one that the rules decide: "


class Diverged(Exception):
    """The game was not played by the rules."""


class UnknownRules(Exception):
    """These parameters are not those of the rules."""


def check_header(header):
    """Raises ValueError or UnknownRules if the values of a header don't go together."""
    id = header["rules"]["id"]
    [(kind, deal)] = header["deal"].items()
    if id in TOKENS:
        if kind != "committed" or not deal["generator"].startswith("hmac"):
            raise ValueError("a token game is dealt as committed")
    else:
        parameters = {key: value for key, value in header["rules"].items() if key != "id"}
        if id != "custom/1" and parameters != WAR[id]:
            raise UnknownRules("other parameters than those of " + id)
        if id == "custom/1" and (parameters["face_down"] > 5 or "repetition" not in parameters):
            raise UnknownRules("there are no such rules")
        if kind in ("shuffled", "fixed"):
            generators = SHUFFLED if kind == "shuffled" else {XOSHIRO: SHUFFLED[XOSHIRO]}
            if id not in generators.get(deal["generator"], ()):
                raise ValueError("the rules don't allow this generator")
            generator(deal["generator"], deal["seed"])
        elif kind == "scenario":
            if id == "xy/1" or re.search("[/\0]", deal["name"]):
                raise ValueError("no scenario of these rules")
        elif kind != "imported" or id != "xy/1":
            raise ValueError("the rules don't allow this deal")
    check_corrections(id, kind, header)


def check_corrections(id, deal, header):
    """Whether what was typed, as far as the corrections tell, leads to them and to this game."""
    found = header["console"]["corrections"]
    if not found:
        return
    least, missing = {"classic/1": (1, []), **dict.fromkeys(DUELS, (2, [None]))}.get(id, (0, None))
    if missing is None:
        raise ValueError("these rules have no corrections")
    typed = {key: content for correction in found for key, content in correction.items()}
    players, deck = "2", "small"
    for key, content in typed.items():
        if key == "both":
            players, deck = content["players"], content["deck"]
        elif key.startswith("players"):
            players = content.get("provided")
        else:
            deck = content.get("provided")
    if (players is None or deck is None) and not missing:
        raise ValueError("nothing may be missing here")
    set_to, corrections = 2, []
    if players is None:
        corrections.append({"players_missing": {}})
    elif not re.fullmatch("[+-]?[0-9]+", players):
        corrections.append({"players_unparseable": {"provided": players}})
    else:
        digits = players.lstrip("+-").lstrip("0")
        number = (
            0
            if players.startswith("-") or not digits
            else int(digits[:3]) if len(digits) < 3 else 99
        )
        set_to = min(max(number, least), 5)
        if set_to != number:
            corrections.append({"players_out_of_range": {"provided": players}})
    bad_deck = deck is not None and not re.fullmatch("small|large", deck, re.IGNORECASE | re.ASCII)
    if bad_deck and players is not None and corrections:
        set_to, corrections = 2, [{"both": {"players": players, "deck": deck}}]
    elif deck is None:
        corrections.append({"deck_missing": {}})
    elif bad_deck:
        corrections.append({"deck_unrecognized": {"provided": deck}})
    if corrections != found:
        raise ValueError("these corrections were not made")
    if deal != "scenario":
        about = str(corrections)
        if "players" in about and header["players"] != set_to:
            raise ValueError("the correction leads to another number of players")
        if "deck" in about and header["deck"] != "small":
            raise ValueError("the correction leads to another deck")


class War:
    """A table of War."""

    def __init__(self, header):
        self.header, self.rules = header, header["rules"]
        self.id = self.rules["id"]
        self.hands, self.piles, self.in_game = [], [], []
        self.turn, self.outcome, self.last = 0, None, None
        self.chance = None
        self.memory = {}

    def check(self, event):
        """Raises Diverged if an event is not the next one; otherwise lets it happen."""
        if not self.hands:
            self.check_deal(event)
        elif self.outcome:
            raise Diverged("the game is over")
        else:
            expected = self.next_event(self.chance or Recorded(event))
            if event != expected:
                raise Diverged(f"{event} where the rules give {expected}")
        self.apply(event)

    def check_deal(self, event):
        if "dealt" not in event:
            raise Diverged("the first event deals no cards")
        hands, header = event["dealt"]["hands"], self.header
        [(kind, deal)] = header["deal"].items()
        least = 1 if self.id == "classic/1" else 2
        most = 5 if self.rules["out_of_cards"] == "eoc" else 2
        if len(hands) != header["players"] or not least <= len(hands) <= most:
            raise Diverged("another number of players")
        decks = {"xy/1": ["thirteen"], "custom/1": [header["deck"]]}.get(
            self.id, ["small", "large"]
        )
        cards = sum(hands, [])
        fits = header["deck"] in decks
        if kind == "scenario":
            lowest, sizes = {
                "classic/1": (2, (24, 52)),
                "custom/1": (1, range(2, 256)),
            }.get(self.id, (1, range(1, 10001)))
            fits &= len(cards) in sizes and min(cards) >= lowest
            fits &= header["deck"] == ("small" if len(cards) <= 24 else "large")
        elif kind == "imported":
            fits &= sorted(cards) == sorted(deck_of(header["deck"]))
        elif fits:
            self.chance = generator(deal["generator"], deal["seed"])
            fits = hands == self.dealt(len(hands), deal)
        if not fits:
            raise Diverged("these cards are not what the header promises")

    def dealt(self, players, deal):
        """The hands that the generator deals, or None."""
        deck, at = deck_of(self.header["deck"]), deal.get("player", 0) - 1
        if "player" not in deal:
            self.chance.shuffle(deck)
            return [deck[first::players] for first in range(players)]
        fixed = deal["cards"].copy()
        if (
            at >= players
            or players < 2
            or any(fixed.count(card) > deck.count(card) for card in fixed)
        ):
            return None
        for card in fixed:
            deck.remove(card)
        self.chance.shuffle(fixed)
        self.chance.shuffle(deck)
        hands = [deck[first :: players - 1] for first in range(players - 1)]
        return hands[:at] + [fixed] + hands[at:]

    def apply(self, event):
        [(kind, content)] = event.items()
        self.last = kind
        if kind in ("dealt", "reshuffled"):
            self.hands = [hand.copy() for hand in content["hands"]]
        if kind == "dealt":
            self.piles = [[] for _ in self.hands]
            self.in_game = [bool(hand) for hand in self.hands]
        self.turn += kind == "clash"
        for play in content.get("plays", []):
            card = self.hands[play["player"] - 1].pop(play.get("index", 0))
            self.piles[play["player"] - 1].append((card, kind != "face_down"))
        if kind == "end_of_cards":
            self.in_game[content["player"] - 1] = False
        if kind in ("collected", "drawn"):
            for take in content.get("takes", [content]):
                self.hands[take["player"] - 1] += take["cards"]
            self.piles = [[] for _ in self.hands]
        if kind in ("won", "endless", "drawn_game", "stopped"):
            self.outcome = (
                {"drawn_game": "drawn"}.get(kind, kind),
                content.get("player", content.get("winner")),
            )

    def state(self):
        table = [[card for card, _ in pile] for pile in self.piles]
        return {"turn": self.turn, "hands": self.hands, "table": table}

    def next_event(self, chance):
        if any(self.piles):
            return self.in_turn(chance)
        alive = [at for at, is_in in enumerate(self.in_game) if is_in]
        for at in alive:
            if not self.hands[at]:
                return {"end_of_cards": {"player": at + 1, "step": "turn_end"}}
        if len(alive) == 1:
            return {"won": {"player": alive[0] + 1}}
        limit = self.rules.get("max_turns", 2**32 - 1)
        if self.id in DUELS:
            limit = 10 * sum(map(len, self.hands))
        if self.turn >= limit:
            return {"stopped": {"winner": self.winner_when_stopped()}}
        return self.repeated(chance) or {"clash": {"plays": self.plays(alive, chance)}}

    def winner_when_stopped(self):
        if self.id not in DUELS:
            return None
        highest, most = max(map(max, filter(None, self.hands))), max(map(len, self.hands))
        either = [at for at, hand in enumerate(self.hands) if highest in hand or len(hand) == most]
        return either[0] + 1 if len(either) == 1 else None

    def repeated(self, chance):
        """What step 4 does: the event, if there is one."""
        ends = self.id == "classic/1" or self.rules.get("repetition") == "ends"
        if not ends and self.id != "duels-shuffle/1":
            return None
        # A card takes a byte, and 0 ends a hand.
        hands = b"".join(bytes(hand) + b"\0" for hand in self.hands)
        if hands not in self.memory:
            self.memory[hands] = self.turn + 1
        elif ends:
            return {"endless": {"from": self.memory[hands], "to": self.turn}}
        elif self.last != "reshuffled":
            shuffled = [hand.copy() for hand in self.hands]
            for hand in shuffled:
                chance.shuffle(hand)
            return {"reshuffled": {"hands": shuffled}}
        return None

    def plays(self, players, chance):
        plays = []
        for at in players:
            index = chance.below(len(self.hands[at])) if self.id == "duels-random/1" else 0
            play = {"player": at + 1, "card": self.hands[at][index]}
            plays.append(play | {"index": index} if index else play)
        return plays

    def in_turn(self, chance):
        rows = {}
        for at, pile in enumerate(self.piles):
            up = [card for card, is_up in pile if is_up]
            if up:
                rows[at] = (len(up), up[-1])
        top = max(rows.values())
        leaders = [at for at, row in rows.items() if row == top]
        if len(leaders) == 1:
            return self.collected(leaders[0], chance)
        fighters = [at for at in leaders if self.in_game[at]]
        down = {at: self.put_face_down(at) for at in fighters}
        without = [at for at in fighters if not self.hands[at]]
        size, rule = self.rules["face_down"], self.rules["out_of_cards"]
        due = "face_down" if down[fighters[0]] < size else "face_up"
        if rule == "shrink":
            if without:
                return self.drawn(chance)
            size = min(size, *(len(self.hands[at]) + down[at] - 1 for at in fighters))
            due = "face_down" if down[fighters[0]] < size else "face_up"
        elif len(fighters) == 1 and (without or rule != "eoc"):
            return self.collected(fighters[0], chance)
        elif rule != "eoc" and len(without) == len(fighters):
            return {"drawn_game": {}}
        elif without:
            return {"end_of_cards": {"player": without[0] + 1, "step": due}}
        if rule == "last-card":
            putting = [at for at in fighters if down[at] < size and len(self.hands[at]) > 1]
            due = "face_down" if putting else "face_up"
            fighters = putting or fighters
        plays = self.plays(fighters, chance)
        return (
            {"face_down": {"plays": plays}}
            if due == "face_down"
            else {"war_round": {"round": top[0] + 1, "plays": plays}}
        )

    def put_face_down(self, at):
        """How many cards a player put face down since their last card face up."""
        ups = [number for number, (_, is_up) in enumerate(self.piles[at]) if is_up]
        return len(self.piles[at]) - 1 - ups[-1]

    def drawn(self, chance):
        piles = {at: [card for card, _ in pile] for at, pile in enumerate(self.piles) if pile}
        if any(len(set(pile)) > 1 for pile in piles.values()):
            self.memory.clear()
        players, takes = list(piles), []
        for at, other in zip(players, players[1:] + players[:1]):
            chance.shuffle(piles[other])
            takes.append({"player": at + 1, "cards": piles[other]})
        return {"drawn": {"takes": takes}}

    def collected(self, winner, chance):
        rule, cards = self.rules["collect"], []
        for at, pile in enumerate(self.piles):
            ups = downs = 0
            for card, is_up in pile:
                round_ = (ups, 99 if is_up else downs)
                ups, downs = (ups + 1, 0) if is_up else (ups, downs + 1)
                cards.append((round_, at != winner, at, card))
        keys = {
            "seat-interleaved": lambda card: card[0],
            "winner-first": lambda card: card[:2],
            "bataille": lambda card: (-card[0][0], -card[0][1], card[1]),
            "winner-pile": lambda card: card[1],
            "shuffled": lambda card: card[1],
        }
        # Python's sort leaves equal ones in their order: by player, as put.
        cards.sort(key=keys.get(rule, lambda card: 0))
        order = [card for *_, card in cards]
        if rule == "shuffled":
            own = len(self.piles[winner])
            lost = order[own:]
            chance.shuffle(lost)
            order[own:] = lost
            chance.shuffle(order)
        return {"collected": {"player": winner + 1, "cards": order}}


class TokenGame:
    """A token game."""

    def __init__(self, header):
        self.header, self.id = header, header["rules"]["id"]
        self.deal = header["deal"]["committed"]
        self.players, self.turn, self.outcome = None, 0, None
        self.seeds, self.hands, self.decisions, self.deltas = [None, None], None, [None, None], None

    def check(self, event):
        [(kind, content)] = event.items()
        if self.players is None:
            seed = bytes.fromhex(self.deal["seed"])
            if (self.header["players"], self.header["deck"]) != (2, "large"):
                raise Diverged("a token game has two players and the large deck")
            if hashlib.sha256(seed).hexdigest() != self.deal["commitment"]:
                raise Diverged("the seed is not the one committed to")
            if kind != "started":
                raise Diverged("the first event does not start the game")
        elif event != (expected := self.due() or self.moved(kind, content)):
            raise Diverged(f"{event} where the rules give {expected}")
        self.apply(kind, content)

    def due(self):
        """The event that the rules bring about by themselves, if there is one."""
        if self.outcome:
            raise Diverged("the game is over")
        if self.hands is None:
            return self.dealt() if self.turn or None not in self.seeds else None
        if None in self.decisions:
            return None
        return self.settled()

    def moved(self, kind, content):
        """The event that a player brings about, or the time: this one, if it may happen."""
        at = content.get("player", 1) - 1
        if kind == "seeded" and at < 2 and not self.turn and self.seeds[at] is None:
            return {kind: content}
        if kind == "decided" and at < 2 and self.hands and self.decisions[at] is None:
            return {kind: content | {"decision": "fold"} if content["timed_out"] else content}
        return self.dealt() if kind == "dealt" and not self.turn else None

    def dealt(self):
        seeds = [seed or "" for seed in self.seeds]
        hands = token_hands(self.id, self.deal, self.turn + 1, seeds, TOKENS[self.id][0])
        return {"dealt": {"hands": hands}}

    def settled(self):
        _, both, one, showdown = TOKENS[self.id]
        ranks = [
            sorted(("23456789TJQKA".index(card[0]) for card in hand), reverse=True)
            for hand in self.hands
        ]
        if self.decisions == ["fold", "fold"]:
            deltas = [-both, -both]
        elif "fold" in self.decisions:
            deltas = [-one, one] if self.decisions[0] == "fold" else [one, -one]
        elif ranks[0] == ranks[1]:
            return {"tied": {}}
        else:
            deltas = [showdown, -showdown] if ranks[0] > ranks[1] else [-showdown, showdown]
        return {"settled": {"deltas": deltas}}

    def apply(self, kind, content):
        if kind == "started":
            self.players = content["players"]
        elif kind == "seeded":
            self.seeds[content["player"] - 1] = content["value"]
        elif kind == "dealt":
            self.turn, self.hands, self.decisions = self.turn + 1, content["hands"], [None, None]
        elif kind == "decided":
            self.decisions[content["player"] - 1] = content["decision"]
        elif kind == "tied":
            self.hands = None
        else:
            self.deltas = content["deltas"]
            winners = [at + 1 for at, delta in enumerate(self.deltas) if delta > 0]
            self.outcome = ("won", winners[0]) if winners else ("folded", None)

    def state(self):
        return {
            "deal": self.turn,
            "seeds": self.seeds,
            "hands": self.hands,
            "decisions": self.decisions,
            "deltas": self.deltas,
        }
