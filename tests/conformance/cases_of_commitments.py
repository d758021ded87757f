"""Token games by version 2 of their rules: every order of openings and moves, and forged ones.

A few lines here play the games, so that neither the program nor the verifier judges its own
results.
"""

import hashlib
import hmac
from itertools import permutations

from blake3 import blake3
from case import Case, fine
from forge import Draft, compact

RANKS = "23456789TJQKA"
STAKES = {"single-card-game/2": (1, 1, 3, 10), "double-card-game/2": (2, 2, 5, 20)}
SEEDS = ["01" * 32, "02" * 32]
PLAY, FOLD, LATE, OPEN, FORFEIT = "play", "fold", "late", "open", "forfeit"


def cases():
    yield from games()
    yield from forged()
    yield from fields()


def sha256(seed):
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def words(key):
    """Words of the ChaCha8 key stream."""
    key = [int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)]
    for counter in range(2**32):
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, counter, 0, 0, 0]
        x = start.copy()
        for number in range(32):
            # Four columns, then four diagonals, repeated.
            at, slant = number % 4, number // 4 % 2
            a, b, c, d = (4 * row + (at + slant * row) % 4 for row in range(4))
            for to, add, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = (x[to] + x[add]) % 2**32
                mixed = x[turned] ^ x[to]
                x[turned] = (mixed << by | mixed >> (32 - by)) % 2**32
        yield from ((one + two) % 2**32 for one, two in zip(x, start))


def dealt(header, number, seeds):
    """Hands of a deal."""
    id, deal = header["rules"]["id"], header["deal"]["committed"]
    message = "".join(f"{line}\n" for line in [id, deal["game"], number, *seeds])
    key = hmac.digest(bytes.fromhex(deal["seed"]), message.encode(), "sha256")
    deck, stream = [rank + suit for suit in "cdhs" for rank in RANKS], words(key)
    for last in range(51, 0, -1):
        largest = 2**32 // (last + 1) * (last + 1)
        other = next(word for word in stream if word < largest) % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    cards = STAKES[id][0]
    return {"dealt": {"hands": [deck[:cards], deck[cards : 2 * cards]]}}


def settled(header, folds, hands):
    """Outcome of a game in which these players fold."""
    _, both, one, showdown = STAKES[header["rules"]["id"]]
    ranks = [sorted((RANKS.index(card[0]) for card in hand), reverse=True) for hand in hands]
    if not any(folds) and ranks[0] == ranks[1]:
        return {"tied": {}}
    if all(folds):
        return {"settled": {"deltas": [-both, -both]}}
    stake = one if any(folds) else showdown
    first_wins = folds[1] if any(folds) else ranks[0] > ranks[1]
    return {"settled": {"deltas": [stake, -stake] if first_wins else [-stake, stake]}}


def start(players=(12, 7)):
    return {"committed": {"players": list(players), "seed_hashes": [sha256(seed) for seed in SEEDS]}}


def of_player(player, what, seed=None):
    if what == OPEN:
        return {"opened": {"player": player, "seed": seed or SEEDS[player - 1]}}
    if what == FORFEIT:
        return {"forfeited": {"player": player}}
    late = what == LATE
    return {"decided": {"player": player, "decision": FOLD if late else what, "timed_out": late}}


def played(name, moves, players=(12, 7)):
    """Game with these moves (player, move), followed by plays until the hands differ."""
    draft = Draft(name)
    events, seeds, number = [start(players)], {}, 0
    while len(seeds) < 2:
        player, what = moves[len(seeds)]
        seeds[player] = what == OPEN
        events.append(of_player(player, what))
    moves = moves[2:]
    if not all(seeds.values()):
        events.append(settled(draft.header, [not seeds[1], not seeds[2]], [[], []]))
    while "settled" not in events[-1]:
        number += 1
        events.append(dealt(draft.header, number, SEEDS))
        hands = events[-1]["dealt"]["hands"]
        moves = moves or [(1, PLAY), (2, PLAY)]
        folds = [what != PLAY for _, what in sorted(moves)]
        events += [of_player(*move) for move in moves]
        events.append(settled(draft.header, folds, hands))
        moves = []
    deltas = events[-1]["settled"]["deltas"]
    won = max(deltas) > 0
    draft.end.update(reason="won" if won else "folded")
    draft.end["winner"] = deltas.index(max(deltas)) + 1 if won else None
    return of_events(draft, events)


def of_events(draft, events):
    """Journal of these events, with matching states and no printed output."""
    state = {"deal": 0, "seeds": [None, None], "forfeited": [False, False], "hands": None}
    state |= {"decisions": [None, None], "deltas": None}
    draft.events = []
    for seq, event in enumerate(events):
        [(kind, content)] = event.items()
        at = content.get("player", 1) - 1
        if at < 2:
            if kind == "opened":
                state["seeds"][at] = content["seed"]
            if kind == "forfeited":
                state["seeds"][at], state["forfeited"][at] = None, True
            if kind == "decided":
                state["decisions"][at] = content["decision"]
        if kind == "dealt":
            state |= {"deal": state["deal"] + 1, "hands": content["hands"]}
            state["decisions"] = [None, None]
        if kind == "tied":
            state["hands"] = None
        if kind == "settled":
            state["deltas"] = content["deltas"]
        found = blake3(compact(state).encode()).hexdigest()[:16]
        draft.events.append({"seq": seq, "turn": state["deal"], "event": event, "state": found})
    draft.end.update(turns=state["deal"], events=len(events))
    return draft.silent()


GAMES = ("single_card_2_showdown", "single_card_2_tied", "double_card_2_tied")


def games():
    openings = [[(one, OPEN), (3 - one, other)] for one in (1, 2) for other in (OPEN, FORFEIT)]
    openings += [[(one, FORFEIT), (3 - one, other)] for one in (1, 2) for other in (OPEN, FORFEIT)]
    for name in GAMES:
        for opening in openings:
            moves = [[]]
            if opening[0][1] == opening[1][1] == OPEN:
                pairs = ((PLAY, PLAY), (PLAY, FOLD), (LATE, PLAY), (FOLD, LATE))
                moves = [order for a, b in pairs for order in permutations([(1, a), (2, b)])]
            for move in moves:
                draft = played(name, [*opening, *move])
                what = f"a token game of version 2: {compact([*opening, *move])}"
                yield fine(draft.chained().text(), what)
    draft = played("double_card_2_tied", [(2, OPEN), (1, OPEN)])
    yield fine(draft.version_2().text(), "a token game of version 2, in lines")
    yield fine(draft.version_2(upgraded=True).text(), "a token game of version 2, upgraded")
    yield fine(draft.version_2().compact_text(), "a token game of version 2, compact")
    for players in ((2**53 - 1, 1), (1, 2), (10, 100)):
        draft = played(GAMES[0], [(1, OPEN), (2, FORFEIT)], players)
        yield fine(draft.chained().text(), f"players {players[0]} and {players[1]}")


def forged():
    draft = Draft(GAMES[0])
    one, two = of_player(1, OPEN), of_player(2, OPEN)
    late, cards = of_player(2, FORFEIT), dealt(draft.header, 1, SEEDS)
    plays = [of_player(1, PLAY), of_player(2, PLAY)]

    def settle(*deltas):
        return {"settled": {"deltas": list(deltas)}}

    exchanged = start()
    exchanged["committed"]["seed_hashes"].reverse()
    other_cards = {"dealt": {"hands": cards["dealt"]["hands"][::-1]}}
    for events, code, what in (
        ([start(), of_player(1, OPEN, SEEDS[1])], "WJ303", "the seed of the other player"),
        ([start(), one, of_player(2, OPEN, "00" * 32)], "WJ303", "another seed than the hash says"),
        ([exchanged, one], "WJ303", "the seed hashes exchanged"),
        ([one], "WJ303", "no start"),
        ([{"started": {"players": ["Ann", "Bob"]}}], "WJ303", "started as in version 1"),
        ([start(), {"seeded": {"player": 1, "value": "x"}}], "WJ301", "seeded as in version 1"),
        ([start(), start()], "WJ301", "committed twice"),
        ([start(), one, one], "WJ301", "opened twice"),
        ([start(), late, two], "WJ301", "opened after a forfeit"),
        ([start(), two, late], "WJ301", "forfeited after opening"),
        ([start(), late, late], "WJ301", "forfeited twice"),
        ([start(), of_player(3, FORFEIT)], "WJ301", "a third player forfeits"),
        ([start(), {"opened": {"player": 3, "seed": SEEDS[0]}}], "WJ301", "a third player opens"),
        ([start(), cards], "WJ301", "dealt before any seed"),
        ([start(), one, cards], "WJ301", "dealt with one seed"),
        ([start(), one, late, cards], "WJ301", "dealt after a forfeit"),
        ([start(), one, plays[0]], "WJ301", "decided before the deal"),
        ([start(), one, of_player(2, LATE)], "WJ301", "out of time to decide before the deal"),
        ([start(), one, settle(3, -3)], "WJ301", "settled while a seed is awaited"),
        ([start(), one, two, settle(-1, -1)], "WJ301", "settled without a deal"),
        ([start(), one, two, late], "WJ301", "forfeited when both opened"),
        ([start(), one, two, other_cards], "WJ303", "the hands exchanged"),
        ([start(), one, two, cards, two], "WJ301", "opened after the deal"),
        ([start(), one, two, cards, late], "WJ301", "forfeited after the deal"),
        ([start(), one, two, cards, *plays, settle(-10, 10)], "WJ301", "the lower hand wins"),
        ([start(), one, late, settle(-3, 3)], "WJ301", "who forfeited wins"),
        ([start(), one, late, settle(10, -10)], "WJ301", "a forfeit at the stakes of a showdown"),
        ([start(), one, late, settle(-1, -1)], "WJ301", "one forfeited, both fold"),
        ([start(), late, of_player(1, FORFEIT), settle(3, -3)], "WJ301", "both forfeited, one wins"),
        ([start(), late, of_player(1, FORFEIT), {"tied": {}}], "WJ301", "both forfeited: tied"),
    ):
        forgery = of_events(draft.copy(), events)
        yield Case(forgery.chained().text(), code, len(events) + 1, what)
        yield Case(forgery.version_2().text(), code, len(events) + 1, f"{what}, in lines")
    for path, value, line in (("commitment", "0" * 64, 2), ("seed", "1" * 64, 2), ("game", 8, 5)):
        forgery = played(GAMES[0], [(1, OPEN), (2, OPEN)])
        forgery.header["deal"]["committed"][path] = value
        yield Case(forgery.chained().text(), "WJ303", line, f"another {path}")
    for id, code, line in (
        ("single-card-game/1", "WJ303", 2),
        ("double-card-game/2", "WJ303", 5),
        ("single-card-game/3", "WJ003", 1),
    ):
        forgery = played(GAMES[0], [(1, OPEN), (2, OPEN)])
        forgery.header["rules"]["id"] = id
        yield Case(forgery.chained().text(), code, line, f"rules {id}")
    first = Draft("single_card_showdown")
    first.events[0]["event"] = start()
    yield Case(first.chained().text(), "WJ303", 2, "version 1 starts with commitments")
    first = Draft("single_card_showdown")
    first.events[1]["event"] = one
    yield Case(first.chained().text(), "WJ301", 3, "a seed is opened in version 1")


def fields():
    whole = played(GAMES[0], [(1, OPEN), (2, OPEN)])
    hashes = start()["committed"]["seed_hashes"]
    for at, field, values in (
        (0, "players", ([0, 7], [12, 12], [12, 2**53], [12, 2**64], [-1, 7], [12.5, 7], [12])),
        (0, "players", ([12, 7, 1], ["12", 7], ["Ann", "Bob"], [None, 7], None, 12)),
        (0, "seed_hashes", (hashes[:1], [*hashes, hashes[0]], [hashes[0], None], None)),
        (0, "seed_hashes", ([hashes[0].upper(), hashes[1]], [hashes[0][1:], hashes[1]])),
        (1, "seed", ("", SEEDS[0][1:], SEEDS[0] + "0", "0A" * 32, "0g" * 32, None, 1)),
        (1, "player", (0, 256, -1, "1", None)),
    ):
        for value in values:
            draft = whole.copy()
            [content] = draft.events[at]["event"].values()
            content[field] = value
            what = f"`{field}` is {compact(value)}"
            yield Case(draft.chained().text(), "WJ103", at + 2, what)
    for at, field in ((0, "players"), (0, "seed_hashes"), (1, "player"), (1, "seed")):
        draft = whole.copy()
        [content] = draft.events[at]["event"].values()
        del content[field]
        yield Case(draft.chained().text(), "WJ103", at + 2, f"no `{field}`")
    draft = whole.copy()
    draft.events[1]["event"]["opened"]["salt"] = "x"
    yield Case(draft.chained().text(), "WJ003", 3, "a field of a newer version, recorded so")
