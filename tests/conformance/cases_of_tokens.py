"""Token games: every order of moves, and forged ones."""

from case import Case, fine
from forge import Draft, compact


def cases():
    yield from games()
    yield from texts()
    yield from forged()
    yield from duels()


PLAY, FOLD, LATE = "play", "fold", "late"


def moved(name, moves):
    """Token game with these moves: seeds as (player, text), decisions as (player, decision)."""
    from rules import TokenGame

    draft = Draft(name)
    draft.events = []
    game = TokenGame(draft.header)

    def add(event):
        game.apply(event)
        draft.events.append({"event": event})

    add({"started": {"players": ["Ann", "Bob"]}})
    decided = False
    for move in [*moves, None]:
        while not game.outcome and (event := due(game)):
            add(event)
        if move is None or game.outcome:
            break
        player, what = move
        if what in (PLAY, FOLD, LATE):
            if not game.turn:
                add(game.next_event({"dealt": {}}))
            decided = True
            decision = FOLD if what == LATE else what
            add({"decided": {"player": player, "decision": decision, "timed_out": what == LATE}})
        else:
            assert not decided
            add({"seeded": {"player": player, "value": what}})
    draft.end["reason"], draft.end["winner"] = game.outcome or ("cut_off", None)
    return draft.silent().true_states()


def due(game):
    """Event that follows by the rules alone, if there is one."""
    if game.hands:
        return None if None in game.decisions else game.next_event({"settled": {}})
    is_due = game.turn or None not in game.seeds
    return game.next_event({"dealt": {}}) if is_due else None


def games():
    for name in ("single_card_showdown", "double_card_tied"):
        for seeds in (
            [],
            [(1, "heads")],
            [(2, "tails")],
            [(2, "b"), (1, "a")],
            [(1, ""), (2, "ſ é")],
        ):
            for one, two in ((PLAY, PLAY), (PLAY, FOLD), (LATE, PLAY), (FOLD, LATE)):
                moves = [*seeds, (1, one), (2, two)]
                if one == LATE:
                    moves[-2:] = [(2, two), (1, one)]
                # Tied hands are played again until they differ.
                moves += [(1, PLAY), (2, PLAY)] * 9
                yield fine(
                    moved(name, moves).chained().text(),
                    f"a token game: {compact(moves[: len(seeds) + 2])}",
                )


def texts():
    ok = ("A", "x" * 32, "🂡" * 32, "Ann Bob", "♠\ufe0f", "Łódź", 'q"\\/')
    bad = (
        "",
        " ",
        " Ann",
        "Ann ",
        "\u00a0A",
        "x" * 33,
        "🂡" * 33,
        "a\nb",
        "a\x7fb",
        "a\x85b",
        "\ufe0f",
        "a\u200db",
    )
    bad += (
        "a\u202eb",
        "\u2800",
        "\u3164",
        "a\u00adb",
        "a\ue000",
        "a\U000e0041",
        "a\ufeff",
        "a\ufffe",
        "a\u2066b",
    )
    for value in (*ok, *bad):
        draft = moved("single_card_showdown", [(1, FOLD), (2, FOLD)])
        draft.content("started")["players"] = ["Ann", value]
        text = draft.true_states().chained().text()
        what = f"the name {ascii(value)}"
        yield fine(text, what) if value in ok else Case(text, "WJ103", 2, what)
    for value, fits in (
        ("x" * 64, True),
        ("é" * 32, True),
        (" ", True),
        ("x" * 65, False),
        ("é" * 33, False),
        ("\t", False),
        ("a\u200bb", False),
    ):
        if fits:
            draft = moved("single_card_showdown", [(1, value), (1, FOLD), (2, FOLD)])
            yield fine(draft.chained().text(), f"the seed {ascii(value)}")
        else:
            draft = moved("single_card_showdown", [(1, "s"), (1, FOLD), (2, FOLD)])
            draft.content("seeded")["value"] = value
            yield Case(draft.chained().text(), "WJ103", 3, f"the seed {ascii(value)}")


def forged():
    seeds = [(1, "a"), (2, "b")]
    base = moved("double_card_tied", [*seeds, (2, PLAY), (1, FOLD)])
    places = {kind: base.where(kind) for record in base.events for kind in record["event"]}

    def edit(kind, change, code, what, number=0, states=True, faulty=None):
        draft = base.copy()
        at = draft.where(kind, number)
        change(draft.events[at])
        if states:
            draft.true_states()
        return Case(draft.chained().text(), code, (faulty or at) + 2, what)

    def put(*path_and_value):
        *path, last, value = path_and_value

        def change(record):
            place = record["event"]
            for key in path:
                place = place[key]
            place[last] = value

        return change

    hands = base.content("dealt")["hands"]
    yield edit("dealt", put("dealt", "hands", hands[::-1]), "WJ303", "the hands exchanged")
    yield edit("dealt", put("dealt", "hands", [["Ac", "Ad"], ["2c", "2d"]]), "WJ303", "other cards")
    yield edit("dealt", put("dealt", "hands", [hands[0], hands[1][:1]]), "WJ303", "a card too few")
    yield edit(
        "seeded",
        put("seeded", "value", "c"),
        "WJ303",
        "another seed than the cards follow from",
        faulty=places["dealt"],
    )
    yield edit(
        "settled", put("settled", "deltas", [5, -5]), "WJ301", "the stakes the other way round"
    )
    yield edit(
        "settled", put("settled", "deltas", [-3, 3]), "WJ301", "the stakes of the other game"
    )
    yield edit(
        "decided",
        put("decided", "timed_out", True),
        "WJ301",
        "a player who ran out of time and plays",
    )
    yield edit("decided", put("decided", "player", 3), "WJ301", "a third player", states=False)
    yield edit(
        "seeded", put("seeded", "player", 3), "WJ301", "a seed of a third player", states=False
    )
    yield edit("started", lambda record: record.update(event={"tied": {}}), "WJ303", "no start")
    for kind, path, value in (
        ("started", ("started", "players"), ["Ann"]),
        ("started", ("started", "players"), ["Ann", "Bob", "Cid"]),
        ("dealt", ("dealt", "hands"), [["Ac", "Ad"]]),
        ("dealt", ("dealt", "hands"), [["Ac", "1d"], ["2c", "2d"]]),
        ("dealt", ("dealt", "hands"), [["Ac", "aD"], ["2c", "2d"]]),
        ("dealt", ("dealt", "hands"), [["Ac", 14], ["2c", "2d"]]),
        ("decided", ("decided", "timed_out"), None),
        ("decided", ("decided", "timed_out"), 0),
        ("decided", ("decided", "player"), 0),
        ("settled", ("settled", "deltas"), [1]),
        ("settled", ("settled", "deltas"), [1.0, -1.0]),
        ("settled", ("settled", "deltas"), [2**63, -1]),
    ):
        yield edit(
            kind, put(*path, value), "WJ103", f"{'.'.join(path)} is {compact(value)}", states=False
        )
    yield edit(
        "decided",
        put("decided", "decision", "raise"),
        "WJ003",
        "an unknown decision, recorded so",
        states=False,
    )
    yield edit("decided", put("decided", "decision", None), "WJ103", "no decision", states=False)

    def without(kind, code, line_of, what, number=0):
        draft = base.copy()
        del draft.events[draft.where(kind, number)]
        return Case(draft.true_states().chained().text(), code, line_of, what)

    yield without("dealt", "WJ301", places["dealt"] + 2, "no deal though both gave seeds")
    yield without("decided", "WJ301", places["decided"] + 3, "settled before both decided", 1)

    def inserted(at, event, code, what):
        draft = base.copy()
        draft.events.insert(at, {"event": event})
        return Case(draft.true_states().chained().text(), code, at + 2, what)

    seeded = {"seeded": {"player": 1, "value": "late"}}
    yield inserted(places["dealt"], seeded, "WJ301", "a second seed of a player")
    yield inserted(places["dealt"] + 1, seeded, "WJ301", "a seed after the deal")
    yield inserted(1, {"started": {"players": ["Ann", "Bob"]}}, "WJ301", "started twice")
    yield inserted(places["dealt"] + 1, {"dealt": {"hands": hands}}, "WJ301", "dealt twice")
    decided = base.events[places["decided"]]["event"]
    yield inserted(places["decided"] + 1, decided, "WJ301", "decided twice")
    yield inserted(places["settled"], {"tied": {}}, "WJ301", "tied where nobody is")
    over = base.copy()
    over.events.append(over.events[-1] | {"seq": len(over.events)})
    over.end["events"] += 1
    yield Case(over.chained().text(), "WJ301", len(base.events) + 2, "settled twice")
    for field, value in (("players", 3), ("players", 1), ("deck", "small")):
        draft = base.copy()
        draft.header[field] = value
        yield Case(draft.chained().text(), "WJ303", 2, f"a token game with `{field}` {value}")
    for field, value in (("commitment", "0" * 64), ("seed", "1" * 64)):
        draft = base.copy()
        draft.header["deal"]["committed"][field] = value
        yield Case(draft.chained().text(), "WJ303", 2, f"another {field}")
    draft = base.copy()
    draft.header["deal"]["committed"]["game"] += 1
    yield Case(draft.chained().text(), "WJ303", places["dealt"] + 2, "another number of the game")
    draft = base.copy()
    draft.header["rules"]["face_down"] = 1
    yield Case(draft.chained().text(), "WJ103", 1, "a token game with a parameter")
    tied = Draft("double_card_tied")
    at = tied.where("tied")
    draft = tied.copy().silent()
    draft.events[at] = {"event": {"settled": {"deltas": [20, -20]}}}
    del draft.events[at + 1 :]
    draft.end.update(reason="won", winner=1)
    yield Case(
        draft.true_states().chained().text(), "WJ301", at + 2, "settled where hands are equal"
    )
    for change, what in (
        ({"reason": "folded", "winner": None}, "folded"),
        ({"winner": 1}, "won by the other player"),
        ({"reason": "drawn", "winner": None}, "drawn"),
    ):
        draft = base.copy()
        draft.end.update(change)
        yield Case(
            draft.chained().text(),
            "WJ203",
            len(draft.events) + 2,
            f"the end record of a token game: {what}",
        )


def duels():
    """Hands of the daily duel."""
    yield fine(Draft("daily_folded").text(), "a hand of the daily duel")
    yield fine(Draft("daily_tied").text(), "a tie in the daily duel")

    def edit(name, change, code, line, what):
        draft = Draft(name)
        change(draft)
        return Case(draft.chained().text(), code, line, what)

    def start(event):
        return lambda draft: draft.events[0].update(event=event)

    def settle(deltas):
        return lambda draft: draft.events[-1].update(event={"settled": {"deltas": deltas}})

    def rename(id):
        return lambda draft: draft.header["rules"].update(id=id)

    def deal_again(draft):
        hands = draft.content("dealt")["hands"]
        draft.events[-1].update(event={"dealt": {"hands": hands}})

    names = {"started": {"players": ["Ann", "Bob"]}}
    yield edit("daily_folded", start(names), "WJ303", 2, "a duel that starts with names")
    yield edit("daily_folded", rename("double-card-game/1"), "WJ303", 2, "a start of the duel in a game")
    yield edit("daily_folded", rename("daily/2"), "WJ003", 1, "a duel by later rules")
    yield edit("daily_folded", settle([-2, -2]), "WJ301", 6, "other stakes than those of the duel")
    yield edit("daily_tied", settle([20, -20]), "WJ301", 7, "a tie that somebody wins")
    yield edit("daily_tied", deal_again, "WJ301", 7, "new cards after a tie in the daily duel")
    seed = {"seeded": {"player": 1, "value": "a"}}
    yield edit(
        "daily_folded",
        lambda draft: draft.events[1].update(event=seed),
        "WJ301",
        3,
        "a seed of a player in the daily duel",
    )
