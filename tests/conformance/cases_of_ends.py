"""Changed end records."""

from case import Case
from forge import NOTHING, Draft, compact


def cases():
    yield from end_records()


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
        (
            {"console": draft.end["console"] | {"lines": 3}},
            "WJ003",
            "an unknown field of the console, recorded so",
        ),
        ({"winner": 0}, "WJ103", "player 0"),
        ({"winner": "1"}, "WJ103", "a winner as a text"),
        ({"turns": -1}, "WJ103", "a negative number of turns"),
        ({"turns": None}, "WJ103", "no number of turns"),
        ({"reason": None}, "WJ103", "no reason"),
        ({"console": {"bytes": 1}}, "WJ103", "no digest"),
        (
            {"console": draft.end["console"] | {"blake3": "0" * 63}},
            "WJ103",
            "a digest that is too short",
        ),
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
    yield Case(
        other.chained().text(),
        "-",
        None,
        "the end record says cut_off, though the game is over",
        verdict="INCOMPLETE",
    )
    for events in (1, 2, 4):
        other = draft.copy()
        del other.events[events:]
        other.end.update(reason="cut_off", winner=None)
        other.silent().true_states().chained()
        yield Case(
            other.text(), "-", None, f"interrupted after {events} events", verdict="INCOMPLETE"
        )
        other.end.update(reason="won", winner=1)
        yield Case(
            other.chained().text(),
            "WJ203",
            events + 2,
            f"an end after {events} events that says won",
        )
    other = draft.copy()
    other.events = []
    other.end.update(reason="cut_off", winner=None, turns=0, events=0)
    yield Case(
        other.silent().chained().text(),
        "-",
        None,
        "interrupted before the first event",
        verdict="INCOMPLETE",
    )
    other = draft.copy()
    other.end["console"]["bytes"] += 1
    yield Case(other.chained().text(), "WJ304", last, "a byte more than was printed", "screens")
    other = draft.copy()
    other.end["console"]["blake3"] = "0" * 64
    yield Case(
        other.chained().text(), "WJ304", last, "another digest of what was printed", "screens"
    )
    text = draft.text()
    yield Case(text.replace('],"end":', '],"finish":'), "WJ103", last, "the end under another name")
    chain = compact(draft.end["chain"])
    yield Case(
        text.replace(f'"chain":{chain}', f'"chain":{chain},"chain":{chain}'),
        "WJ103",
        last,
        "the last link twice",
    )
