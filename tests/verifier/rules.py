"""The rules: valid headers, the next event, and the effect of events on the table."""

import hashlib
import hmac
import re

from chance import ChaCha8, Recorded, generator
from forms import ANY_CARD, CARD, CHACHA, HMAC, JAVA, TOKEN_EVENTS, XOSHIRO
from forms import deck_of, demand, war_events, without

# Rules by id: parameters, players, decks, effect of a repetition, kinds of deals with their
# generators, number of cards in a scenario, and their lowest rank.
CLASSIC = {"face_down": 1, "collect": "seat", "out_of_cards": "eoc", "decks": ("small", "large")}
CLASSIC |= {"players": range(1, 6), "shuffled": [CHACHA], "scenario": [None]}
CLASSIC |= {"cards": (24, 52), "lowest": 2, "repetition": "ends"}
DUEL = CLASSIC | {"players": range(2, 6), "cards": range(1, 10001), "lowest": 1}
DUEL |= {"repetition": "goes-on"}
SIMULATED = {"shuffled": [CHACHA, XOSHIRO], "fixed": [XOSHIRO]}
XY = {"face_down": 3, "collect": "shuffled", "out_of_cards": "shrink", "decks": ("thirteen",)}
XY |= {"players": (2,), "shuffled": [JAVA, XOSHIRO], "fixed": [XOSHIRO], "imported": [None]}
CUSTOM = {"players": range(2, 6), "shuffled": [XOSHIRO], "fixed": [XOSHIRO]}
CUSTOM |= {"scenario": [None], "cards": range(2, 256), "lowest": 1}
# Rules of token games: the first event, the number of cards in a hand, and the stakes by the number
# of folds.
SINGLE = {"committed": [HMAC], "first": "started", "hand": 1, "stakes": (10, 3, 1)}
DOUBLE = {"committed": [HMAC], "first": "started", "hand": 2, "stakes": (20, 5, 2)}
RULES = {
    "classic/1": CLASSIC | SIMULATED,
    "duels/1": DUEL | SIMULATED,
    "duels-default/1": DUEL,
    "duels-shuffle/1": DUEL | {"repetition": "reshuffles"},
    "duels-random/1": DUEL,
    "xy/1": XY,
    "custom/1": CUSTOM,
    "two-piles/1": CUSTOM | {"piles": "shuffled"},
    "two-piles-turned/1": CUSTOM | {"piles": "turned"},
    "single-card-game/1": SINGLE,
    "double-card-game/1": DOUBLE,
    "single-card-game/2": SINGLE | {"first": "committed"},
    "double-card-game/2": DOUBLE | {"first": "committed"},
    "daily/1": DOUBLE | {"first": "duel_started"},
}


def is_custom(id):
    """True if the rules are built from parameters."""
    return id in ("custom/1", "two-piles/1", "two-piles-turned/1")


def check_header(header):
    """Checks that parameters, deal and corrections match the rules."""
    id, parameters = header["rules"]["id"], without(header["rules"], "id")
    [(kind, deal)] = header["deal"].items()
    rules, names = RULES[id], ("face_down", "collect", "out_of_cards")
    wanted = [] if "hand" in rules else names
    fits = all(name in parameters for name in wanted) and bool(wanted) == bool(parameters)
    demand(fits, f"the rules {id} have the parameters {wanted}")
    is_known = parameters == {name: rules[name] for name in names if name in rules}
    if is_custom(id):
        is_known = parameters["face_down"] <= 5 and "repetition" in parameters
        orders = parameters["collect"].split(",")
        if len(orders) > 1:
            most = 5 if parameters["out_of_cards"] == "eoc" else 2
            is_known = is_known and len(set(orders)) > 1 and len(orders) <= most
    demand(is_known, f"{id} with other parameters", "UNSUPPORTED")
    demand(deal.get("generator") in rules.get(kind, []), "a deal that the rules don't allow")
    if kind in ("shuffled", "fixed"):
        generator(deal["generator"], deal["seed"])
    is_name = kind != "scenario" or not re.search("[/\0]", deal["name"])
    demand(is_name, "a name that no scenario has")
    corrections = [item for each in header["console"]["corrections"] for item in each.items()]
    check_corrections(id, corrections, header, kind == "scenario")


CORRECTIONS = re.compile(
    "|both |players_(out_of_range|unparseable) (deck_missing )?"
    "|players_missing (deck_unrecognized )?|deck_(unrecognized|missing) "
)


def check_corrections(id, corrections, header, is_scenario):
    """Checks that the typed values had these errors, and were corrected to the players and deck."""
    kinds = "".join(f"{kind} " for kind, _ in corrections)
    is_allowed = not kinds or "duels" in id or id == "classic/1" and "missing" not in kinds
    demand(CORRECTIONS.fullmatch(kinds) and is_allowed, f"the corrections {kinds}")
    for kind, typed in corrections:
        text = typed.get("players", typed.get("provided", ""))
        is_number = re.fullmatch("[+-]?[0-9]+", text)
        number = float(text) if is_number else 2
        nearest = min(max(number, RULES[id]["players"][0]), 5)
        is_bad_deck = not re.fullmatch("(?ai:small|large)", typed.get("deck", text))
        is_wrong = {
            "both": is_bad_deck and not (is_number and number == nearest),
            "players_out_of_range": is_number and number != nearest,
            "players_unparseable": not is_number,
            "deck_unrecognized": is_bad_deck,
        }
        demand(is_wrong.get(kind, True), f"{kind}, though it was right")
        players = nearest if kind == "players_out_of_range" else 2
        fits = kind.startswith("deck") or header["players"] == players
        fits &= kind.startswith("players") or header["deck"] == "small"
        demand(fits or is_scenario, f"{kind} leads to another game")


class Game:
    """Game to which events are applied one after the other."""

    def __init__(self, header):
        self.header, self.id = header, header["rules"]["id"]
        self.rules = RULES[self.id] | header["rules"]
        [(self.kind_of_deal, self.deal)] = header["deal"].items()
        self.players, self.turn, self.outcome = [], 0, None

    def check(self, event):
        expected = "the end" if self.outcome else self.next_event(event)
        demand(event == expected, f"{event} where the rules give {expected}", "DIVERGED")
        self.apply(event)


class Player:
    """Player at a table of War: hand, pile, and participation in the game."""

    def __init__(self, number, hand):
        self.number, self.hand, self.in_game = number, hand.copy(), bool(hand)
        # Number of cards at the bottom of the hand that form the second pile.
        self.second = 0
        self.clear()

    def clear(self):
        """Empties the pile, which holds cards with their rounds. Its row is the number of face-up
        cards and the rank of the last of them; `down` counts the face-down cards since then."""
        self.pile, self.row, self.down = [], (0, 0), 0

    def put(self, index, is_up):
        card, up = self.hand.pop(index), self.row[0]
        self.pile.append((card, (up, 99 if is_up else self.down)))
        self.row, self.down = ((up + 1, card), 0) if is_up else (self.row, self.down + 1)

    def cards(self):
        return [card for card, _ in self.pile]

    def is_used_up(self):
        """True if all cards are in the second pile."""
        return 0 < self.second == len(self.hand)


# Sort keys of `collect` for the cards on the table, which are grouped by player in the order put:
# their round, and whether their player lost. Equal cards keep their order.
ORDERS = {
    "seat": lambda round, lost: 0,
    "seat-interleaved": lambda round, lost: round,
    "winner-first": lambda round, lost: (round, lost),
    "winner-pile": lambda round, lost: lost,
    "bataille": lambda round, lost: (-round[0], -round[1], lost),
    "shuffled": lambda round, lost: lost,
    "highest-first": lambda round, lost: 0,
    "random": lambda round, lost: lost,
    "reversed-pile": lambda round, lost: (round[0], round[1] == 99),
}


class War(Game):
    """Game of War."""

    def __init__(self, header):
        super().__init__(header)
        self.form = war_events(ANY_CARD if is_custom(self.id) else CARD)
        self.chance, self.memory, self.last = None, {}, None
        self.orders = self.rules["collect"].split(",")

    def may_be_dealt(self, hands):
        """Checks that the rules allow these hands, and that the generator, if any, deals them."""
        rules, name, players, cards = self.rules, self.header["deck"], len(hands), sum(hands, [])
        allowed = rules["players"] if rules["out_of_cards"] == "eoc" else [2]
        fits = players == self.header["players"] and players in allowed
        fits = fits and len(self.orders) in (1, players)
        if not fits or name not in rules.get("decks", [name]):
            return False
        if self.kind_of_deal == "scenario":
            fits = len(cards) in rules["cards"] and min(cards) >= rules["lowest"]
            return fits and name == ("small" if len(cards) <= 24 else "large")
        deck, fixed = deck_of(name), self.deal.get("cards", []).copy()
        if self.kind_of_deal == "imported":
            return sorted(cards) == sorted(deck)
        seat = self.deal.get("player", 0) - 1
        if seat >= players or seat >= 0 and players == 1:
            return False
        for card in fixed:
            if card not in deck:
                return False
            deck.remove(card)
        self.chance = generator(self.deal["generator"], self.deal["seed"])
        self.chance.shuffle(fixed)
        self.chance.shuffle(deck)
        others = players - (seat >= 0)
        dealt = [deck[first::others] for first in range(others)]
        return hands == (dealt if seat < 0 else [*dealt[:seat], fixed, *dealt[seat:]])

    def apply(self, event):
        [(kind, content)] = event.items()
        if kind == "dealt":
            self.players = [Player(*each) for each in enumerate(content["hands"], 1)]
        if kind == "reshuffled":
            for player, hand in zip(self.players, content["hands"]):
                player.hand = hand.copy()
                player.second *= not player.is_used_up()
        self.turn += kind == "clash"
        for play in content.get("plays", []):
            self.players[play["player"] - 1].put(play.get("index", 0), kind != "face_down")
        if kind == "end_of_cards":
            self.players[content["player"] - 1].in_game = False
        if kind in ("collected", "drawn"):
            for take in content.get("takes", [content]):
                player = self.players[take["player"] - 1]
                player.hand += take["cards"]
                player.second += len(take["cards"]) if "piles" in self.rules else 0
            for player in self.players:
                player.clear()
        if kind in ("won", "endless", "drawn_game", "stopped"):
            winner = content.get("player", content.get("winner"))
            self.outcome = kind.removesuffix("_game"), winner
        self.last = kind

    def state(self):
        hands, table = [each.hand for each in self.players], [each.cards() for each in self.players]
        return {"turn": self.turn, "hands": hands, "table": table}

    def next_event(self, event):
        """Next event. Random results come from the generator, or else from `event`."""
        if not self.players:
            is_deal = "dealt" in event and self.may_be_dealt(event["dealt"]["hands"])
            return event if is_deal else "a deal"
        self.source = self.chance or Recorded(event)
        if any(player.pile for player in self.players):
            return self.in_turn()
        in_game = [player for player in self.players if player.in_game]
        for player in in_game:
            if not player.hand:
                return {"end_of_cards": {"player": player.number, "step": "turn_end"}}
        if len(in_game) == 1:
            return {"won": {"player": in_game[0].number}}
        limit, winner = self.rules.get("max_turns", 2**32 - 1), None
        if self.id.startswith("duels"):
            limit, winner = 10 * sum(len(player.hand) for player in in_game), self.strongest()
        if self.turn >= limit:
            return {"stopped": {"winner": winner}}
        clash = {"clash": {"plays": self.plays(in_game)}}
        return self.taken_up(in_game) or self.repeated() or clash

    def taken_up(self, putting):
        """Event before these players put a card, if one of them has only a second pile."""
        if not any(player.is_used_up() for player in putting):
            return None
        hands = [player.hand.copy() for player in self.players]
        for player, hand in zip(self.players, hands):
            if not player.is_used_up():
                self.source.leave()
            elif self.rules["piles"] == "shuffled":
                self.source.shuffle(hand)
            else:
                hand.reverse()
        return {"reshuffled": {"hands": hands}}

    def strongest(self):
        """Player who alone holds all cards of the highest rank, and the most cards."""
        highest = max(max(player.hand, default=0) for player in self.players)
        most = max(len(player.hand) for player in self.players)
        either = [p.number for p in self.players if highest in p.hand or len(p.hand) == most]
        return either[0] if len(either) == 1 else None

    def repeated(self):
        """Event after a repetition, if there is one."""
        rule, hands = self.rules.get("repetition"), [player.hand.copy() for player in self.players]
        if rule in ("ends", "reshuffles"):
            key = *map(bytes, hands), *(player.second for player in self.players)
            first = self.memory.setdefault(key, self.turn + 1)
            if first <= self.turn and rule == "ends":
                return {"endless": {"from": first, "to": self.turn}}
            if first <= self.turn and self.last != "reshuffled":
                for hand in hands:
                    self.source.shuffle(hand)
                return {"reshuffled": {"hands": hands}}
        return None

    def plays(self, players):
        plays = []
        for player in players:
            index = self.source.below(len(player.hand)) if self.id == "duels-random/1" else 0
            play = {"player": player.number, "card": player.hand[index]}
            plays.append(play | ({"index": index} if index else {}))
        return plays

    def in_turn(self):
        """Next event while cards are on the table."""
        rule, size = self.rules["out_of_cards"], self.rules["face_down"]
        top = max(player.row for player in self.players)
        leaders = [player for player in self.players if player.row == top]
        fighters = [player for player in leaders if player.in_game]
        without = [player for player in fighters if not player.hand]
        if len(leaders) == 1:
            return self.collected(leaders[0])
        if rule == "shrink":
            if without:
                return self.drawn()
            size = min(size, *(len(player.hand) + player.down - 1 for player in fighters))
        if len(fighters) == 1 and (without or rule != "eoc"):
            return self.collected(fighters[0])
        if without == fighters and rule != "eoc":
            return {"drawn_game": {}}
        is_down_due = fighters[0].down < size
        if without:
            step = "face_down" if is_down_due else "face_up"
            return {"end_of_cards": {"player": without[0].number, "step": step}}
        if rule == "last-card":
            putting = [each for each in fighters if each.down < size and len(each.hand) > 1]
            fighters, is_down_due = putting or fighters, bool(putting)
        if event := self.taken_up(fighters):
            return event
        plays = {"plays": self.plays(fighters)}
        return {"face_down": plays} if is_down_due else {"war_round": {"round": top[0] + 1} | plays}

    def collected(self, winner):
        rule, own = (self.orders * winner.number)[winner.number - 1], len(winner.pile)
        table = [(*put, each is not winner) for each in self.players for put in each.pile]
        table.sort(key=lambda put: ORDERS[rule](*put[1:]))
        cards = [put[0] for put in table]
        if rule == "shuffled":
            lost = cards[own:]
            self.source.shuffle(lost)
            cards[own:] = lost
            self.source.shuffle(cards)
        if rule == "random":
            cards = self.source.either(cards, cards[own:] + cards[:own])
        if rule == "highest-first":
            cards.sort(reverse=True)
        if rule == "reversed-pile":
            cards.reverse()
        return {"collected": {"player": winner.number, "cards": cards}}

    def drawn(self):
        players, takes = [player for player in self.players if player.pile], []
        if any(len(set(player.cards())) > 1 for player in players):
            self.memory.clear()
        for player, other in zip(players, players[1:] + players[:1]):
            takes.append({"player": player.number, "cards": other.cards()})
            self.source.shuffle(takes[-1]["cards"])
        return {"drawn": {"takes": takes}}


RANKS = "23456789TJQKA"


class TokenGame(Game):
    """Token game."""

    form = TOKEN_EVENTS

    def __init__(self, header):
        super().__init__(header)
        self.is_fair = self.rules["first"] == "committed"
        self.is_daily = self.rules["first"] == "duel_started"
        self.seeds, self.hashes, self.forfeited = [None, None], None, [False, False]
        self.hands, self.decisions, self.deltas = None, [None, None], None

    def next_event(self, event):
        """The only event of this kind that may be next."""
        [(kind, content)] = event.items()
        seat, may_be = content.get("player", 1) - 1, False
        answers = [seed is not None or gone for seed, gone in zip(self.seeds, self.forfeited)]
        is_awaited = seat < 2 and not self.turn and not answers[seat] and not self.is_daily
        if not self.players:
            fits = self.header["players"] == 2 and self.header["deck"] == "large"
            fits &= hash_of(self.deal["seed"]) == self.deal["commitment"]
            may_be = kind == self.rules["first"] and fits
        elif kind == "seeded":
            may_be = is_awaited and not self.is_fair
        elif kind == "opened":
            may_be = is_awaited and self.is_fair and hash_of(content["seed"]) == self.hashes[seat]
        elif kind == "forfeited":
            may_be = is_awaited and self.is_fair
        elif kind == "decided":
            in_time = not content["timed_out"] or content["decision"] == "fold"
            may_be = seat < 2 and in_time and self.hands and self.decisions[seat] is None
        elif all(answers) and any(self.forfeited):
            return self.settled(["fold" if gone else "play" for gone in self.forfeited])
        elif self.hands and None not in self.decisions:
            return self.settled(self.decisions)
        elif self.is_daily and self.turn and not self.hands:
            return {"settled": {"deltas": [0, 0]}}
        elif kind == "dealt" and not self.hands and (all(answers) or not self.is_fair):
            hands = token_hands(self.id, self.deal, self.turn + 1, self.seeds, self.rules["hand"])
            return {"dealt": {"hands": hands}}
        return event if may_be else "another event"

    def settled(self, decisions):
        """Events after both have decided."""
        folds = decisions.count("fold")
        stake = self.rules["stakes"][folds]
        if folds == 2:
            return {"settled": {"deltas": [-stake, -stake]}}
        first_wins = decisions[1] == "fold"
        if folds == 0:
            ranks = [[RANKS.index(card[0]) for card in hand] for hand in self.hands]
            one, two = (sorted(own, reverse=True) for own in ranks)
            if one == two:
                return {"tied": {}}
            first_wins = one > two
        return {"settled": {"deltas": [stake, -stake] if first_wins else [-stake, stake]}}

    def apply(self, event):
        [(kind, content)] = event.items()
        seat = content.get("player", 1) - 1
        self.players = content.get("players", self.players) or ([1, 2] if self.is_daily else None)
        self.hashes = content.get("seed_hashes", self.hashes)
        if kind in ("seeded", "opened"):
            self.seeds[seat] = content.get("value", content.get("seed"))
        if kind == "forfeited":
            self.forfeited[seat] = True
        if kind == "decided":
            self.decisions[seat] = content["decision"]
        if kind == "dealt":
            self.turn, self.decisions = self.turn + 1, [None, None]
        if kind in ("dealt", "tied"):
            self.hands = content.get("hands")
        if kind == "settled":
            self.deltas = content["deltas"]
            best = max(self.deltas)
            reason = "drawn" if best == 0 else "folded"
            self.outcome = ("won", self.deltas.index(best) + 1) if best > 0 else (reason, None)

    def state(self):
        state = {"deal": self.turn, "seeds": self.seeds}
        state |= {"forfeited": self.forfeited} if self.is_fair else {}
        return state | {"hands": self.hands, "decisions": self.decisions, "deltas": self.deltas}


def hash_of(seed):
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def token_hands(id, deal, number, seeds, cards):
    """Both hands of a deal of a token game."""
    # In version 2 of the rules, a seed is written as the digits of its bytes.
    digits = seeds if id.endswith("/2") else [(seed or "").encode().hex() for seed in seeds]
    lines = [id, deal["game"], number, *digits]
    message = "".join(f"{line}\n" for line in lines).encode()
    key = hmac.digest(bytes.fromhex(deal["seed"]), message, "sha256")
    deck = [rank + suit for suit in "cdhs" for rank in RANKS]
    ChaCha8(int.from_bytes(key, "little")).shuffle(deck)
    return [deck[:cards], deck[cards : 2 * cards]]


GAMES = {id: TokenGame if "hand" in rules else War for id, rules in RULES.items()}
