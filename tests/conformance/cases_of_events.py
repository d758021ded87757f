"""Changed records of events and deals, mostly with recomputed chains."""

from case import Case, fine
from changes import edit, forged, put, renumbered, scenario, swap
from forge import Draft


def cases():
    yield from fields()
    yield from deals()


def fields():
    drawn = "custom_drawn"
    clash = ("event", "clash", "plays", 0)
    for change, what in (
        (put("event", {"slapped": {"player": 1}}), "an unknown event"),
        (put("event", "paused"), "an unknown event as a text"),
        (put("event", "clash", "speed", 3), "an unknown field of an event"),
        (put(*clash, "face", "up"), "an unknown field of a play"),
        (put("time", "12:00"), "an unknown field of a record"),
    ):
        yield edit(drawn, "clash", change, "WJ003", f"{what}, recorded so")
        yield edit(drawn, "clash", change, "WJ103", f"{what}, put in later", chained=False)
    step = put("event", "end_of_cards", "step", "half_way")
    yield edit(
        "classic_scenario_all_out", "end_of_cards", step, "WJ003", "an unknown step, recorded so"
    )
    yield edit(
        "classic_scenario_all_out",
        "end_of_cards",
        step,
        "WJ103",
        "an unknown step, put in later",
        chained=False,
    )
    for change, what in (
        (put("state", "0" * 15), "a state of 15 digits"),
        (put("state", "A" * 16), "a state in capital letters"),
        (put("state", None), "no state"),
        (put("seq", -1), "a negative number"),
        (put("seq", 1.0), "a number with a point"),
        (put("turn", 2**32), "a turn that is too large"),
        (put("event", {}), "an event of no kind"),
        (put("event", "clash"), "an event without fields"),
        (put("event", {"clash": {"plays": []}, "won": {"player": 1}}), "two events in one record"),
        (put("event", ["clash", {}]), "an event as a list"),
        (put("event", "clash", {}), "a clash without plays"),
        (put("event", "clash", None), "a clash of null"),
        (put(*clash, "card", 0), "the card 0"),
        (put(*clash, "card", 65), "the card 65"),
        (put(*clash, "card", "9"), "a card as a text"),
        (put(*clash, "card", None), "a card of null"),
        (put(*clash, "player", 0), "player 0"),
        (put(*clash, "player", 256), "player 256"),
        (put(*clash, "index", 0), "the index 0, which is left out"),
        (put(*clash, "index", None), "an index of null"),
        (put(*clash, "index", 65536), "an index that is too large"),
        (put("event", "clash", "plays", [[1, 14]]), "a play as a list"),
    ):
        yield edit(drawn, "clash", change, "WJ103", what)
    yield edit("classic_4", "clash", put(*clash, "card", 15), "WJ103", "a card above the ace")
    for field in ("seq", "turn", "event", "state"):
        yield edit(drawn, "clash", lambda record: record.pop(field), "WJ103", f"without `{field}`")
    text = Draft(drawn).text()
    for found in ('"seq":1', '"turn":1'):
        yield Case(text.replace(found, f"{found},{found}", 1), "WJ103", 3, f"{found} twice")
    yield edit(drawn, "clash", put("seq", 2), "WJ201", "a number left out, recorded so")
    yield edit(drawn, "clash", put("seq", 0), "WJ201", "a number again, recorded so")
    yield edit(drawn, "clash", put("turn", 2), "WJ301", "another turn")
    yield edit(drawn, "clash", put("turn", 0), "WJ301", "no turn yet")
    yield edit(drawn, "dealt", put("turn", 1), "WJ301", "a turn before the first")
    yield edit(drawn, "clash", put("state", "0" * 16), "WJ302", "another state")
    yield edit(
        drawn,
        "clash",
        put("state", "0" * 16),
        "WJ202",
        "another state, put in later",
        chained=False,
    )
    yield edit(drawn, "clash", put("chain", "0" * 32), "WJ202", "another link", chained=False)


def deals():
    hands = ("event", "dealt", "hands")

    def other_order(record):
        hand = record["event"]["dealt"]["hands"][0]
        different = next(at for at, card in enumerate(hand) if card != hand[0])
        hand[0], hand[different] = hand[different], hand[0]

    for name in (
        "classic_4",
        "classic_simulated",
        "classic_simulated_fixed",
        "duels_default",
        "xy_shortest",
        "custom_small_fixed",
    ):
        yield forged(
            name, "dealt", other_order, "WJ303", f"other cards than the generator deals ({name})"
        )
        yield forged(
            name,
            "dealt",
            lambda record: swap(*record["event"]["dealt"]["hands"][:2]),
            "WJ303",
            f"two hands exchanged ({name})",
        )
    yield edit("classic_4", "dealt", put(*hands, []), "WJ303", "no hands")
    yield edit(
        "classic_4",
        "dealt",
        lambda record: record["event"]["dealt"]["hands"].pop(),
        "WJ303",
        "a hand too few",
    )
    yield edit(
        "classic_4",
        "dealt",
        lambda record: record["event"]["dealt"]["hands"].append([]),
        "WJ303",
        "a hand too many",
    )
    for name, field, value in (
        ("classic_4", "players", 3),
        ("classic_4", "players", 0),
        ("classic_4", "players", 6),
        ("classic_4", "deck", "large"),
        ("classic_4", "deck", "thirteen"),
        ("classic_4", "deck", "3x4"),
        ("xy_shortest", "deck", "large"),
        ("duels_default", "deck", "thirteen"),
        ("custom_drawn", "deck", "thirteen"),
    ):
        draft = Draft(name)
        draft.short().header[field] = value
        yield Case(draft.chained().text(), "WJ303", 2, f"{name} with `{field}` {value}")
    draft = Draft("custom_seat_3_players")
    draft.header["rules"]["out_of_cards"] = "loses"
    yield Case(draft.chained().text(), "WJ303", 2, "three players by rules for two")
    draft = Draft("duels_default").short()
    draft.header["players"], draft.header["rules"]["id"] = 1, "duels/1"
    draft.content("dealt")["hands"] = [sum(draft.content("dealt")["hands"], [])]
    yield Case(draft.chained().text(), "WJ303", 2, "one player in duels")
    draft = Draft("classic_4")
    draft.events.pop(0)
    yield Case(renumbered(draft).chained().text(), "WJ303", 2, "no deal")
    draft = Draft("custom_drawn")
    draft.events.insert(1, {"event": draft.events[0]["event"]})
    yield Case(draft.true_states().chained().text(), "WJ301", 3, "dealt twice")
    for deck, hands, what in (
        ("small", [[9] * 12, [14] * 11], "23 cards"),
        ("small", [[9] * 12, [14] * 13], "25 cards"),
        ("large", [[9] * 12, [14] * 12], "24 cards with the large deck"),
        ("small", [[1] * 12, [14] * 12], "a card below 2"),
        ("small", [[], []], "no cards"),
    ):
        yield Case(
            scenario("classic_scenario_endless", deck, hands).chained().text(),
            "WJ303",
            2,
            f"a classic scenario of {what}",
        )
    yield fine(
        scenario("classic_scenario_endless", "small", [[14] * 24, []]).played_on().chained().text(),
        "a classic scenario with all cards in one hand",
    )
    yield fine(
        scenario("classic_scenario_endless", "large", [[9] * 26 + [2], [14] * 25])
        .played_on()
        .chained()
        .text(),
        "a classic scenario of 52 cards",
    )
    duels = "duels_three_out"
    yield Case(
        scenario(duels, "large", [[2], [3]]).chained().text(),
        "WJ303",
        2,
        "a duel of two cards with the large deck",
    )
    yield fine(
        scenario(duels, "small", [[1], [3]]).played_on().chained().text(), "a duel of two cards"
    )
    yield fine(
        scenario(duels, "large", [[1] * 20, [3] * 5]).played_on().chained().text(),
        "a duel of 25 cards",
    )
    yield Case(
        scenario(duels, "small", [[2], [15]]).chained().text(),
        "WJ103",
        2,
        "a duel with a card above the ace",
    )
    custom = "custom_hands_high_eoc"
    yield fine(
        scenario(custom, "small", [[64], [1]]).played_on().chained().text(), "two cards of any rank"
    )
    yield Case(scenario(custom, "small", [[64], []]).chained().text(), "WJ303", 2, "one card")
    yield Case(
        scenario(custom, "large", [[64] * 200, [1] * 56]).chained().text(), "WJ303", 2, "256 cards"
    )
    draft = Draft("xy_sample")
    swap(*draft.content("dealt")["hands"])
    draft.content("dealt")["hands"][0][0] = 13 - draft.content("dealt")["hands"][0][0] + 1
    del draft.events[1:]
    yield Case(
        draft.true_states().chained().text(), "WJ303", 2, "an imported deal that is not the deck"
    )
