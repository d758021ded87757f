"""Events and end records that were changed, mostly with the chain made anew."""

from case import Case, fine
from forge import NOTHING, Draft, compact


def cases():
    yield from fields()
    yield from deals()
    yield from turns()
    yield from wars()
    yield from chance()
    yield from ends()
    yield from end_records()


def line(at):
    """The line of an event in a journal of version 1, as it is written."""
    return at + 2


def edit(name, kind, change, code, what, number=0, chained=True):
    """A journal in which one event was changed, and nothing else but the chain."""
    draft = Draft(name)
    at = draft.where(kind, number)
    change(draft.events[at])
    draft.short(at + 3)
    if chained:
        draft.chained()
    return Case(draft.text(), code, line(at), what)


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(record):
        place = record
        for key in path:
            place = place[key]
        place[last] = value

    return change


def fields():
    drawn = "custom_drawn"
    clash = ("event", "clash", "plays", 0)
    for change, what in (
        (put("event", {"slapped": {"player": 1}}), "an unknown event"),
        (put("event", "clash", "speed", 3), "an unknown field of an event"),
        (put(*clash, "face", "up"), "an unknown field of a play"),
        (put("time", "12:00"), "an unknown field of a record"),
    ):
        yield edit(drawn, "clash", change, "WJ003", f"{what}, recorded so")
        yield edit(drawn, "clash", change, "WJ103", f"{what}, put in later", chained=False)
    step = put("event", "end_of_cards", "step", "half_way")
    yield edit("classic_scenario_all_out", "end_of_cards", step, "WJ003", "an unknown step, recorded so")
    yield edit("classic_scenario_all_out", "end_of_cards", step, "WJ103", "an unknown step, put in later", chained=False)
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
    yield edit(drawn, "clash", put("state", "0" * 16), "WJ202", "another state, put in later", chained=False)
    yield edit(drawn, "clash", put("chain", "0" * 32), "WJ202", "another link", chained=False)


def forged(name, kind, change, code, what, number=0):
    """A journal in which one event was changed, with all states and links made anew.

    What follows is left as it is if it can still happen; otherwise the game ends there.
    """
    draft = Draft(name)
    at = draft.where(kind, number)
    change(draft.events[at])
    whole = draft.short(at + 3).copy()
    try:
        whole.true_states()
    except (IndexError, ValueError):
        whole = draft.copy()
        del whole.events[at + 1 :]
        try:
            whole.true_states()
        except (IndexError, ValueError):
            # The event itself can't happen.
            whole = draft
            del whole.events[at + 1 :]
    return Case(whole.chained().text(), code, line(at), what)


def swap(first, second):
    first[:], second[:] = second[:], first[:]


def deals():
    hands = ("event", "dealt", "hands")

    def other_order(record):
        hand = record["event"]["dealt"]["hands"][0]
        different = next(at for at, card in enumerate(hand) if card != hand[0])
        hand[0], hand[different] = hand[different], hand[0]

    for name in ("classic_4", "classic_simulated", "classic_simulated_fixed", "duels_default", "xy_shortest", "custom_small_fixed"):
        yield forged(name, "dealt", other_order, "WJ303", f"other cards than the generator deals ({name})")
        yield forged(name, "dealt", lambda record: swap(*record["event"]["dealt"]["hands"][:2]), "WJ303", f"two hands exchanged ({name})")
    yield edit("classic_4", "dealt", put(*hands, []), "WJ303", "no hands")
    yield edit("classic_4", "dealt", lambda record: record["event"]["dealt"]["hands"].pop(), "WJ303", "a hand too few")
    yield edit("classic_4", "dealt", lambda record: record["event"]["dealt"]["hands"].append([]), "WJ303", "a hand too many")
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
        yield Case(scenario("classic_scenario_endless", deck, hands).chained().text(), "WJ303", 2, f"a classic scenario of {what}")
    yield fine(scenario("classic_scenario_endless", "small", [[14] * 24, []]).played_on().chained().text(), "a classic scenario with all cards in one hand")
    yield fine(scenario("classic_scenario_endless", "large", [[9] * 26 + [2], [14] * 25]).played_on().chained().text(), "a classic scenario of 52 cards")
    duels = "duels_three_out"
    yield Case(scenario(duels, "large", [[2], [3]]).chained().text(), "WJ303", 2, "a duel of two cards with the large deck")
    yield fine(scenario(duels, "small", [[1], [3]]).played_on().chained().text(), "a duel of two cards")
    yield fine(scenario(duels, "large", [[1] * 20, [3] * 5]).played_on().chained().text(), "a duel of 25 cards")
    yield Case(scenario(duels, "small", [[2], [15]]).chained().text(), "WJ103", 2, "a duel with a card above the ace")
    custom = "custom_hands_high_eoc"
    yield fine(scenario(custom, "small", [[64], [1]]).played_on().chained().text(), "two cards of any rank")
    yield Case(scenario(custom, "small", [[64], []]).chained().text(), "WJ303", 2, "one card")
    yield Case(scenario(custom, "large", [[64] * 200, [1] * 56]).chained().text(), "WJ303", 2, "256 cards")
    draft = Draft("xy_sample")
    swap(*draft.content("dealt")["hands"])
    draft.content("dealt")["hands"][0][0] = 13 - draft.content("dealt")["hands"][0][0] + 1
    del draft.events[1:]
    yield Case(draft.true_states().chained().text(), "WJ303", 2, "an imported deal that is not the deck")


def scenario(name, deck, hands):
    """The deal of a scenario alone."""
    draft = Draft(name)
    draft.header.update(deck=deck, players=len(hands))
    draft.header["rules"].pop("max_turns", None)
    draft.header["console"]["corrections"] = []
    draft.content("dealt")["hands"] = hands
    del draft.events[1:]
    draft.silent()
    draft.end.update(reason="cut_off", winner=None)
    return draft.true_states()


def renumbered(draft):
    for at, record in enumerate(draft.events):
        record["seq"] = at
    draft.end["events"] = len(draft.events)
    return draft


def turns():
    name = "classic_4"

    def reverse(*path):
        def change(record):
            place = record["event"]
            for key in path:
                place = place[key]
            place.reverse()

        return change

    def other_card(record):
        play = record["event"]["clash"]["plays"][0]
        play["card"] = 14 if play["card"] != 14 else 13

    yield forged(name, "clash", other_card, "WJ301", "another card than the top one", 1)
    yield forged(name, "clash", reverse("clash", "plays"), "WJ301", "plays in another order")
    yield forged(name, "clash", lambda record: record["event"]["clash"]["plays"].pop(), "WJ301", "a player who doesn't play")
    yield forged(name, "clash", put("event", "clash", "plays", 0, "index", 1), "WJ301", "a card drawn where none is")
    yield forged(name, "clash", put("event", "clash", "plays", 0, "player", 9), "WJ301", "a player who isn't there")
    yield forged(name, "collected", reverse("collected", "cards"), "WJ301", "cards taken in another order")
    yield forged(name, "collected", lambda record: record["event"]["collected"]["cards"].pop(), "WJ301", "a card left on the table")

    def other_winner(record):
        content = record["event"]["collected"]
        content["player"] = content["player"] % 4 + 1

    yield forged(name, "collected", other_winner, "WJ301", "cards taken by another player")
    yield forged(name, "collected", put("event", {"drawn": {"takes": []}}), "WJ301", "a turn drawn where it was won")
    yield forged(name, "collected", put("event", {"end_of_cards": {"player": 1, "step": "turn_end"}}), "WJ301", "the end of cards of a player who holds some")
    draft = Draft(name)
    at = draft.where("end_of_cards")
    del draft.events[at]
    yield Case(draft.true_states().chained().text(), "WJ301", line(at), "a player who doesn't leave")
    draft = Draft(name)
    at = draft.where("collected", 2)
    del draft.events[at]
    yield Case(renumbered(draft.short(at + 2)).chained().text(), "WJ301", line(at), "cards that nobody takes")
    for collect in ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille"):
        for other in ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille"):
            draft = Draft(f"custom_{collect}_4_players")
            draft.header["rules"]["collect"] = other
            at = first_difference(draft)
            if at is not None:
                yield Case(draft.short(at + 1).chained().text(), "WJ301", line(at), f"taken as {collect}, recorded as {other}")
                break


def first_difference(draft):
    """The first event that these rules don't decide."""
    from games import Diverged, War

    game = War(draft.header)
    for at, record in enumerate(draft.events):
        try:
            game.check(record["event"])
        except Diverged:
            return at
    return None


def wars():
    for out in ("loses", "last-card", "shrink", "eoc"):
        for other in ("loses", "last-card", "shrink", "eoc"):
            draft = Draft("custom_hands_one_rank_last-card" if out == "last-card" else "custom_hands_one_rank_" + ("shrink" if out == "shrink" else "eoc"))
            draft.header["rules"]["out_of_cards"] = other
            at = first_difference(draft)
            if at is not None:
                yield Case(draft.chained().text(), "WJ301", line(at), f"a war by {other}, played otherwise")
    name = "classic_scenario_all_out"
    yield forged(name, "war_round", put("event", "war_round", "round", 3), "WJ301", "another round")
    yield forged(name, "end_of_cards", put("event", "end_of_cards", "step", "face_down"), "WJ301", "another step")
    yield forged(name, "end_of_cards", put("event", "end_of_cards", "player", 4), "WJ301", "another player out of cards")

    def face_up(record):
        record["event"] = {"war_round": {"round": 2, **record["event"]["face_down"]}}

    yield forged(name, "face_down", face_up, "WJ301", "a card face up that goes face down")


def chance():
    def other_order(record):
        content = record["event"]["collected"]
        content["cards"] = content["cards"][1:] + content["cards"][:1]

    shuffled = "xy_shortest"
    draft = Draft(shuffled)
    number = next(at for at in range(9) if len(set(draft.content("collected", at)["cards"])) > 1)
    yield forged(shuffled, "collected", other_order, "WJ303", "another order than the generator gives", number)
    imported = Draft("xy_sample")
    del imported.events[4:]
    imported.end.update(reason="cut_off", winner=None)
    at = imported.where("collected")
    other_order(imported.events[at])
    imported.silent().true_states().chained()
    yield Case(imported.text(), "-", None, "another order where no generator is named", verdict="INCOMPLETE")
    imported.content("collected")["cards"][0] = imported.content("collected")["cards"][0] % 13 + 1
    yield Case(imported.chained().text(), "WJ301", line(at), "other cards where no generator is named")
    draft = Draft("duels_random")
    play = draft.content("clash")["plays"][0]
    index = 1 if play.get("index", 0) != 1 else 2
    hand = draft.content("dealt")["hands"][play["player"] - 1]

    def other_draw(record):
        record["event"]["clash"]["plays"][0] = {"player": play["player"], "card": hand[index], "index": index}

    yield forged("duels_random", "clash", other_draw, "WJ303", "another card than the generator draws")
    draft = Draft("duels_scenario_random")
    play = draft.content("clash")["plays"][0]
    hand = draft.content("dealt")["hands"][play["player"] - 1]
    index = next(at for at in range(len(hand)) if at != play.get("index", 0))
    draft.content("clash")["plays"][0] = {"player": play["player"], "card": hand[index]} | ({"index": index} if index else {})
    del draft.events[draft.where("clash") + 1 :]
    yield fine(draft.played_on().chained().text(), "another card drawn where no generator is named")
    impossible = draft.copy()
    impossible.short(3).content("clash")["plays"][0] = {"player": play["player"], "card": hand[0], "index": len(hand)}
    yield Case(impossible.chained().text(), "WJ303", line(draft.where("clash")), "a card drawn from behind the hand")
    wrong = draft.copy()
    other = next(at for at in range(len(hand)) if hand[at] != hand[index])
    wrong.content("clash")["plays"][0]["card"] = hand[other]
    yield Case(wrong.chained().text(), "WJ303", line(draft.where("clash")), "a card that is not at the place drawn")
    draft = Draft("duels_scenario_shuffled")
    at = draft.where("reshuffled")
    del draft.events[at + 1 :]
    played = draft.copy()
    for hand in played.content("reshuffled")["hands"]:
        hand.reverse()
    yield fine(played.played_on().chained().text(), "reshuffled in another way where no generator is named")
    hands = draft.content("reshuffled")["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    yield Case(draft.chained().text(), "WJ301", line(at), "reshuffled with other hands")
    draft = Draft("duels_scenario_shuffled")
    del draft.events[at]
    yield Case(draft.true_states().chained().text(), "WJ301", line(at), "not reshuffled")


def ends():
    draft = Draft("custom_two_ranks_endless")
    at = draft.where("won")
    other = draft.copy()
    other.content("won")["player"] = other.content("won")["player"] % 2 + 1
    other.end["winner"] = other.content("won")["player"]
    yield Case(other.chained().text(), "WJ301", line(at), "won by another player")
    for events, what in (
        ({"won": {"player": 1}}, "won twice"),
        ({"clash": {"plays": []}}, "a turn after the end"),
    ):
        longer = draft.copy()
        longer.events.append(longer.events[-1] | {"seq": at + 1, "event": events})
        longer.end["events"] += 1
        yield Case(longer.chained().text(), "WJ301", line(at + 1), what)
    early = draft.copy()
    early.events[3:] = [{"event": {"won": {"player": 1}}}]
    early.end.update(reason="won", winner=1)
    yield Case(early.true_states().chained().text(), "WJ301", 5, "won too early")
    endless = Draft("classic_scenario_endless")
    at = endless.where("endless")
    for field in ("from", "to"):
        other = endless.copy()
        other.content("endless")[field] += 1
        yield Case(other.chained().text(), "WJ301", line(at), f"endless, with another `{field}`")
    other = endless.copy()
    other.events[at] = {"event": {"stopped": {"winner": None}}}
    other.end.update(reason="stopped", winner=None)
    yield Case(other.true_states().chained().text(), "WJ301", line(at), "stopped where it is endless")
    other = endless.copy()
    first = other.where("clash")
    other.events[at] = {"event": other.events[first]["event"]}
    other.end.update(reason="cut_off", winner=None)
    try:
        other.true_states()
    except (IndexError, ValueError):
        other = renumbered(other)
        other.events[at].update(seq=at, turn=1, state="0" * 16)
    yield Case(other.chained().text(), "WJ301", line(at), "played on where it is endless")
    for name, repetition in (("custom_hands_one_rank_eoc", "goes-on"),):
        other = Draft(name)
        other.header["rules"]["repetition"] = repetition
        if (place := first_difference(other)) is not None:
            yield Case(other.chained().text(), "WJ301", line(place), "endless where the game goes on")
    stopped = Draft("custom_undecided")
    at = stopped.where("stopped")
    for turns in (-1, 1):
        other = stopped.copy()
        other.header["rules"]["max_turns"] += turns
        place = first_difference(other)
        yield Case(other.chained().text(), "WJ301", line(place), f"a limit of {turns:+} turns")
    other = stopped.copy()
    other.content("stopped")["winner"] = 1
    other.end["winner"] = 1
    yield Case(other.chained().text(), "WJ301", line(at), "stopped by `max_turns` with a winner")
    other = stopped.copy()
    other.header["rules"]["max_turns"] = 0
    other.events[1:] = [{"event": {"stopped": {"winner": None}}}]
    yield fine(other.silent().true_states().chained().text(), "stopped before the first turn")
    duels = Draft("duels_stopped")
    other = duels.copy()
    winner = other.content("stopped")["winner"]
    other.content("stopped")["winner"] = other.end["winner"] = None if winner else 1
    yield Case(other.chained().text(), "WJ301", line(duels.where("stopped")), "stopped with another winner")


def end_records():
    draft = Draft("custom_two_ranks_endless")
    last = len(draft.events) + 2
    winner = draft.end["winner"]
    for change, code, what in (
        ({"reason": "drawn", "winner": None}, "WJ203", "another reason"),
        ({"reason": "stopped"}, "WJ203", "stopped with the winner"),
        ({"reason": "folded", "winner": None}, "WJ203", "folded"),
        ({"reason": "endless", "winner": None}, "WJ203", "endless"),
        ({"winner": winner % 2 + 1}, "WJ203", "another winner"),
        ({"winner": None}, "WJ203", "won by nobody"),
        ({"reason": "endless"}, "WJ203", "endless with a winner"),
        ({"reason": "cut_off"}, "WJ203", "cut off with a winner"),
        ({"turns": draft.end["turns"] + 1}, "WJ203", "a turn more"),
        ({"turns": 0}, "WJ203", "no turns"),
        ({"events": draft.end["events"] - 1}, "WJ203", "an event less"),
        ({"reason": "abandoned"}, "WJ003", "an unknown reason, recorded so"),
        ({"mood": "good"}, "WJ003", "an unknown field, recorded so"),
        ({"console": draft.end["console"] | {"lines": 3}}, "WJ003", "an unknown field of the console, recorded so"),
        ({"winner": 0}, "WJ103", "player 0"),
        ({"winner": "1"}, "WJ103", "a winner as a text"),
        ({"turns": -1}, "WJ103", "a negative number of turns"),
        ({"turns": None}, "WJ103", "no number of turns"),
        ({"reason": None}, "WJ103", "no reason"),
        ({"console": {"bytes": 1}}, "WJ103", "no digest"),
        ({"console": draft.end["console"] | {"blake3": "0" * 63}}, "WJ103", "a digest that is too short"),
    ):
        other = draft.copy()
        other.end.update(change)
        yield Case(other.chained().text(), code, last, f"the end record: {what}")
    for change, code, what in (
        ({"turns": 2}, "WJ202", "another number of turns"),
        ({"reason": "abandoned"}, "WJ103", "an unknown reason"),
        ({"mood": "good"}, "WJ103", "an unknown field"),
        ({"chain": "0" * 32}, "WJ202", "another link"),
        ({"console": NOTHING}, "WJ202", "another digest"),
    ):
        other = draft.copy()
        other.end.update(change)
        yield Case(other.text(), code, last, f"the end record: {what}, put in later")
    for field in ("reason", "winner", "turns", "events", "console", "chain"):
        other = draft.copy()
        del other.end[field]
        if field != "chain":
            other.chained()
        yield Case(other.text(), "WJ103", last, f"the end record without `{field}`")
    other = draft.copy()
    other.end.update(reason="cut_off", winner=None)
    yield Case(other.chained().text(), "-", None, "the end record says cut_off, though the game is over", verdict="INCOMPLETE")
    for events in (1, 2, 4):
        other = draft.copy()
        del other.events[events:]
        other.end.update(reason="cut_off", winner=None)
        other.silent().true_states().chained()
        yield Case(other.text(), "-", None, f"interrupted after {events} events", verdict="INCOMPLETE")
        other.end.update(reason="won", winner=1)
        yield Case(other.chained().text(), "WJ203", events + 2, f"an end after {events} events that says won")
    other = draft.copy()
    other.events = []
    other.end.update(reason="cut_off", winner=None, turns=0, events=0)
    yield Case(other.silent().chained().text(), "-", None, "interrupted before the first event", verdict="INCOMPLETE")
    other = draft.copy()
    other.end["console"]["bytes"] += 1
    yield Case(other.chained().text(), "WJ304", last, "a byte more than was printed", "screens")
    other = draft.copy()
    other.end["console"]["blake3"] = "0" * 64
    yield Case(other.chained().text(), "WJ304", last, "another digest of what was printed", "screens")
    text = draft.text()
    yield Case(text.replace('],"end":', '],"finish":'), "WJ103", last, "the end under another name")
    chain = compact(draft.end["chain"])
    yield Case(text.replace(f'"chain":{chain}', f'"chain":{chain},"chain":{chain}'), "WJ103", last, "the last link twice")
