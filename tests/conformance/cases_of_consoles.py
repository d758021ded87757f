"""Corrections and screens in headers."""

from case import Case, fine
from forge import NOTHING, Draft, compact


def cases():
    yield from corrections()
    yield from renderers()


def corrections():
    def provided(kind, value):
        return {kind: {"provided": value}}

    high, low = provided("players_out_of_range", "7"), provided("players_out_of_range", "-3")
    word, deck = provided("players_unparseable", "two"), provided("deck_unrecognized", "huge")
    no_players, no_deck = {"players_missing": {}}, {"deck_missing": {}}
    both = {"both": {"players": "0", "deck": "huge"}}
    # Journals of one player and the small deck, and of two players and the small deck.
    for name, found, what in (
        ("classic_1", [low], "a negative number of players"),
        ("classic_1", [provided("players_out_of_range", "-" + "0" * 50 + "9")], "many digits"),
        ("classic_5", [high], "too many players"),
        ("classic_5", [provided("players_out_of_range", "+9" + "9" * 40)], "far too many players"),
        ("classic_2", [word], "a word for the players"),
        ("classic_2", [provided("players_unparseable", "")], "an empty text for the players"),
        ("classic_2", [provided("players_unparseable", "٢")], "digits beyond ASCII"),
        ("classic_3", [deck], "another deck"),
        (
            "classic_3",
            [provided("deck_unrecognized", "ſmall")],
            "a letter that only looks like another",
        ),
        ("classic_2", [both], "both values"),
        ("duels_missing", [no_deck], "no deck"),
        ("classic_scenario_endless", [high], "before a scenario"),
    ):
        draft = Draft(name).interrupted(1)
        draft.header["console"]["corrections"] = found
        yield Case(draft.chained().text(), "-", None, f"corrected: {what}", verdict="INCOMPLETE")
    for name, found, what in (
        ("classic_1", [high], "seven players, who become five, in a game of one"),
        ("classic_2", [low], "a number below the fewest, in a game of two"),
        ("classic_3", [word], "no number, in a game of three"),
        ("classic_3", [both], "both values, in a game of three"),
        (
            "classic_5",
            [provided("players_out_of_range", "5")],
            "five players, who are not too many",
        ),
        ("classic_5", [provided("players_out_of_range", "six")], "a word that is out of range"),
        ("classic_2", [provided("players_unparseable", "2")], "a number that is none"),
        ("classic_2", [provided("deck_unrecognized", "SMALL")], "a deck that is known"),
        ("classic_2", [word, deck], "both values, one by one"),
        ("classic_3", [deck, deck], "the deck twice"),
        ("classic_5", [high, high], "the players twice"),
        ("classic_2", [both, both], "both values twice"),
        (
            "classic_5",
            [{"both": {"players": "5", "deck": "huge"}}],
            "both values, of which one was right",
        ),
        ("classic_2", [no_deck], "no deck in classic/1"),
        ("classic_2", [no_players], "no number of players in classic/1"),
        ("duels_missing", [no_players, no_deck], "neither value"),
        ("duels_missing", [no_players], "no number of players, in a game of four"),
        ("custom_drawn", [word], "a word for the players of custom/1"),
        ("xy_shortest", [word], "a word for the players of xy/1"),
        ("double_card_tied", [word], "a word for the players of a token game"),
    ):
        draft = Draft(name).interrupted(1)
        draft.header["console"]["corrections"] = found
        yield Case(draft.chained().text(), "WJ103", 1, f"corrected falsely: {what}")
    draft = Draft("classic_simulated").interrupted(1)
    draft.header["deck"] = "large"
    draft.header["console"]["corrections"] = [deck]
    yield Case(draft.chained().text(), "WJ103", 1, "corrected falsely: the large deck")
    for correction in (
        {"both": {"players": "0"}},
        {"players_missing": {"provided": "1"}},
        {"players_missing": None},
        "deck_missing",
    ):
        draft = Draft("duels_missing").short()
        draft.header["console"]["corrections"] = [correction]
        code, verdict = "WJ103", "DAMAGED"
        if correction == {"players_missing": {"provided": "1"}}:
            code, verdict = "WJ003", "UNSUPPORTED"
        yield Case(
            draft.chained().text(),
            code,
            1,
            f"the correction {compact(correction)}",
            verdict=verdict,
        )


def renderers():
    for name in ("classic_1", "double_card_tied", "xy_shortest"):
        draft = Draft(name)
        line = len(draft.events) + 2
        yield fine(draft.copy().silent().chained().text(), "printed nothing, with renderer 0")
        loud = draft.copy().silent()
        loud.end["console"] = draft.end["console"]
        yield Case(loud.chained().text(), "WJ304", line, "renderer 0 with a digest of something")
        for console in (NOTHING | {"bytes": 1}, NOTHING | {"blake3": "0" * 64}):
            loud.end["console"] = console
            yield Case(
                loud.chained().text(), "WJ304", line, f"renderer 0 with {compact(console)[:16]}"
            )
        quiet = draft.copy()
        quiet.end["console"] = NOTHING
        yield Case(
            quiet.chained().text(),
            "WJ304",
            line,
            "renderer 1 with the digest of nothing",
            "screens",
        )
    draft = Draft("classic_1")
    draft.header["console"]["lang"] = "pl"
    yield Case(
        draft.chained().text(), "WJ304", 4, "another language than it was printed in", "screens"
    )
