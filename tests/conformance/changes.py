"""Changes to one event of a journal."""

from case import Case
from forge import Draft


def line(at):
    """Line of an event in a journal of version 1."""
    return at + 2


def edit(name, kind, change, code, what, number=0, chained=True):
    """Case of a journal in which only one event and the chain were changed."""
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


def forged(name, kind, change, code, what, number=0):
    """Case of a journal in which one event was changed, with recomputed states and links.

    Later events stay as they are if they are still possible. Otherwise the game ends there.
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
            # The changed event is impossible.
            whole = draft
            del whole.events[at + 1 :]
    return Case(whole.chained().text(), code, line(at), what)


def renumbered(draft):
    for at, record in enumerate(draft.events):
        record["seq"] = at
    draft.end["events"] = len(draft.events)
    return draft


def scenario(name, deck, hands):
    """Case of a scenario's deal alone."""
    draft = Draft(name)
    draft.header.update(deck=deck, players=len(hands))
    draft.header["rules"].pop("max_turns", None)
    draft.header["console"]["corrections"] = []
    draft.content("dealt")["hands"] = hands
    del draft.events[1:]
    draft.silent()
    draft.end.update(reason="cut_off", winner=None)
    return draft.true_states()


def swap(first, second):
    first[:], second[:] = second[:], first[:]


def first_difference(draft):
    """Index of the first event that contradicts the rules."""
    from forms import Fault
    from rules import GAMES

    game = GAMES[draft.header["rules"]["id"]](draft.header)
    for at, record in enumerate(draft.events):
        try:
            game.check(record["event"])
        except Fault:
            return at
    return None
