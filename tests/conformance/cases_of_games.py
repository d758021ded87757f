"""Turns, wars, random results and ends that contradict the rules, with recomputed hashes."""

from case import Case, fine
from changes import first_difference, forged, line, put, renumbered, scenario
from forge import GAMES, Draft


def cases():
    yield from turns()
    yield from wars()
    yield from chance()
    yield from ends()
    yield from piles()


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
    yield forged(
        name,
        "clash",
        lambda record: record["event"]["clash"]["plays"].pop(),
        "WJ301",
        "a player who doesn't play",
    )
    yield forged(
        name,
        "clash",
        put("event", "clash", "plays", 0, "index", 1),
        "WJ301",
        "a card drawn where none is",
    )
    yield forged(
        name,
        "clash",
        put("event", "clash", "plays", 0, "player", 9),
        "WJ301",
        "a player who isn't there",
    )
    yield forged(
        name, "collected", reverse("collected", "cards"), "WJ301", "cards taken in another order"
    )
    yield forged(
        name,
        "collected",
        lambda record: record["event"]["collected"]["cards"].pop(),
        "WJ301",
        "a card left on the table",
    )

    def other_winner(record):
        content = record["event"]["collected"]
        content["player"] = content["player"] % 4 + 1

    yield forged(name, "collected", other_winner, "WJ301", "cards taken by another player")
    yield forged(
        name,
        "collected",
        put("event", {"drawn": {"takes": []}}),
        "WJ301",
        "a turn drawn where it was won",
    )
    yield forged(
        name,
        "collected",
        put("event", {"end_of_cards": {"player": 1, "step": "turn_end"}}),
        "WJ301",
        "the end of cards of a player who holds some",
    )
    draft = Draft(name)
    at = draft.where("end_of_cards")
    del draft.events[at]
    yield Case(
        draft.true_states().chained().text(), "WJ301", line(at), "a player who doesn't leave"
    )
    draft = Draft(name)
    at = draft.where("collected", 2)
    del draft.events[at]
    yield Case(
        renumbered(draft.short(at + 2)).chained().text(),
        "WJ301",
        line(at),
        "cards that nobody takes",
    )
    for collect in ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille"):
        for other in ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille"):
            draft = Draft(f"custom_{collect}_4_players")
            draft.header["rules"]["collect"] = other
            at = first_difference(draft)
            if at is not None:
                yield Case(
                    draft.short(at + 1).chained().text(),
                    "WJ301",
                    line(at),
                    f"taken as {collect}, recorded as {other}",
                )
                break


def wars():
    for out in ("loses", "last-card", "shrink", "eoc"):
        for other in ("loses", "last-card", "shrink", "eoc"):
            draft = Draft(
                "custom_hands_one_rank_last-card"
                if out == "last-card"
                else "custom_hands_one_rank_" + ("shrink" if out == "shrink" else "eoc")
            )
            draft.header["rules"]["out_of_cards"] = other
            at = first_difference(draft)
            if at is not None:
                yield Case(
                    draft.chained().text(), "WJ301", line(at), f"a war by {other}, played otherwise"
                )
    name = "classic_scenario_all_out"
    yield forged(name, "war_round", put("event", "war_round", "round", 3), "WJ301", "another round")
    yield forged(
        name,
        "end_of_cards",
        put("event", "end_of_cards", "step", "face_down"),
        "WJ301",
        "another step",
    )
    yield forged(
        name,
        "end_of_cards",
        put("event", "end_of_cards", "player", 4),
        "WJ301",
        "another player out of cards",
    )

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
    yield forged(
        shuffled,
        "collected",
        other_order,
        "WJ303",
        "another order than the generator gives",
        number,
    )
    imported = Draft("xy_sample")
    del imported.events[4:]
    imported.end.update(reason="cut_off", winner=None)
    at = imported.where("collected")
    other_order(imported.events[at])
    imported.silent().true_states().chained()
    yield Case(
        imported.text(),
        "-",
        None,
        "another order where no generator is named",
        verdict="INCOMPLETE",
    )
    imported.content("collected")["cards"][0] = imported.content("collected")["cards"][0] % 13 + 1
    yield Case(
        imported.chained().text(), "WJ303", line(at), "other cards where no generator is named"
    )
    draft = Draft("duels_random")
    play = draft.content("clash")["plays"][0]
    index = 1 if play.get("index", 0) != 1 else 2
    hand = draft.content("dealt")["hands"][play["player"] - 1]

    def other_draw(record):
        record["event"]["clash"]["plays"][0] = {
            "player": play["player"],
            "card": hand[index],
            "index": index,
        }

    yield forged(
        "duels_random", "clash", other_draw, "WJ303", "another card than the generator draws"
    )
    draft = Draft("duels_scenario_random")
    play = draft.content("clash")["plays"][0]
    hand = draft.content("dealt")["hands"][play["player"] - 1]
    index = next(at for at in range(len(hand)) if at != play.get("index", 0))
    draft.content("clash")["plays"][0] = {"player": play["player"], "card": hand[index]} | (
        {"index": index} if index else {}
    )
    del draft.events[draft.where("clash") + 1 :]
    yield fine(draft.played_on().chained().text(), "another card drawn where no generator is named")
    impossible = draft.copy()
    impossible.short(3).content("clash")["plays"][0] = {
        "player": play["player"],
        "card": hand[0],
        "index": len(hand),
    }
    yield Case(
        impossible.chained().text(),
        "WJ303",
        line(draft.where("clash")),
        "a card drawn from behind the hand",
    )
    wrong = draft.copy()
    other = next(at for at in range(len(hand)) if hand[at] != hand[index])
    wrong.content("clash")["plays"][0]["card"] = hand[other]
    yield Case(
        wrong.chained().text(),
        "WJ303",
        line(draft.where("clash")),
        "a card that is not at the place drawn",
    )
    draft = Draft("duels_scenario_shuffled")
    at = draft.where("reshuffled")
    del draft.events[at + 1 :]
    played = draft.copy()
    for hand in played.content("reshuffled")["hands"]:
        hand.reverse()
    yield fine(
        played.played_on().chained().text(), "reshuffled in another way where no generator is named"
    )
    hands = draft.content("reshuffled")["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    yield Case(draft.chained().text(), "WJ303", line(at), "reshuffled with other hands")
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
    yield Case(
        other.true_states().chained().text(), "WJ301", line(at), "stopped where it is endless"
    )
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
            yield Case(
                other.chained().text(), "WJ301", line(place), "endless where the game goes on"
            )
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
    yield Case(
        other.chained().text(), "WJ301", line(duels.where("stopped")), "stopped with another winner"
    )
    other = scenario("duels_three_out", "small", [[14], [3, 3, 9]]).played_on()
    yield fine(
        other.chained().text(), f"{other.end['reason']}, won by player {other.end['winner']}"
    )


def piles():
    """Second piles, taken up against the rules."""
    # A journal with its id, and another id.
    for name, other in (
        ("custom_two_2", "two-piles-turned/1"),
        ("custom_two_2", "custom/1"),
        ("custom_two-turned_2", "two-piles/1"),
        ("custom_two-turned_4", "custom/1"),
        ("custom_bataille", "two-piles/1"),
        ("custom_many_ranks", "two-piles-turned/1"),
    ):
        draft = Draft(name)
        id, draft.header["rules"]["id"] = draft.header["rules"]["id"], other
        at = first_difference(draft)
        assert at is not None, f"{name} by {other}"
        code = "WJ303" if other == "two-piles/1" and id == "two-piles-turned/1" else "WJ301"
        yield Case(
            draft.short(at + 1).chained().text(), code, line(at), f"played by {id}, not by {other}"
        )

    def taken_up(draft):
        """Event and player of the first hand that is made of a second pile with different cards."""
        game = None
        for at, record in enumerate(draft.events):
            if "reshuffled" in record["event"]:
                for player in game.players:
                    if player.is_used_up() and len(set(player.hand)) > 1:
                        return at, player.number - 1
            game = played(draft, at + 1)
        raise ValueError("no pile")

    for name, code in (("custom_two_2", "WJ303"), ("custom_two-turned_2", "WJ301")):
        draft = Draft(name)
        at, player = taken_up(draft)
        hand = draft.events[at]["event"]["reshuffled"]["hands"][player]
        hand[:] = hand[1:] + hand[:1]
        yield Case(
            draft.short(at + 1).true_states().chained().text(),
            code,
            line(at),
            "a second pile taken up in another order",
        )
        draft = Draft(name)
        del draft.events[at]
        draft.short(at + 1)
        yield Case(
            renumbered(draft).chained().text(), "WJ301", line(at), "a second pile not taken up"
        )
    draft = Draft("custom_hands_three_out_two")
    at, player = taken_up(draft)
    draft.short(at + 1)
    other = draft.copy()
    hand = other.events[at]["event"]["reshuffled"]["hands"][player]
    hand[:] = hand[1:] + hand[:1]
    yield fine(
        other.played_on().chained().text(),
        "a second pile taken up in another order where no generator is named",
    )
    other = draft.copy()
    hands = other.events[at]["event"]["reshuffled"]["hands"]
    hands[player][0] = hands[player][0] % 14 + 1
    yield Case(
        other.chained().text(), "WJ303", line(at), "other cards than those of the second pile"
    )
    for index, hand in enumerate(hands := draft.events[at]["event"]["reshuffled"]["hands"]):
        if index != player and len(set(hand)) > 1 and not played(draft, at).players[index].is_used_up():
            hands[index] = hand[1:] + hand[:1]
            yield Case(
                draft.true_states().chained().text(),
                "WJ303",
                line(at),
                "a hand in another order whose player has cards to put",
            )
            break


def played(draft, events):
    """The game after some events."""
    game = GAMES[draft.header["rules"]["id"]](draft.header)
    for record in draft.events[:events]:
        game.apply(record["event"])
    return game
