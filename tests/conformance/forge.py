"""Parses journals, and writes changed ones with recomputed or old hashes."""

import copy
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "verifier"))

from blake3 import blake3  # noqa: E402
from forms import compact  # noqa: E402

from rules import GAMES  # noqa: E402

NOTHING = {"bytes": 0, "blake3": blake3(b"").hexdigest()}


class Draft:
    """Editable journal of version 1: header, event records, and end.

    It is loaded from a file, or by its name in the suite or among the project's journals.
    """

    def __init__(self, name):
        folders = (HERE / "good", HERE.parent.parent / "journals")
        files = [name, *(folder / f"{name}.json" for folder in folders)]
        file = next(file for file in map(Path, files) if file.exists())
        journal = json.loads(file.read_text())
        self.events, self.end = journal.pop("events"), journal.pop("end")
        self.header = journal
        self.meta, self.upgraded_from = {}, None

    def copy(self):
        return copy.deepcopy(self)

    def where(self, kind, number=0):
        """Index of an event of this kind."""
        places = [at for at, record in enumerate(self.events) if kind in record["event"]]
        return places[number]

    def content(self, kind, number=0):
        """Contents of an event of this kind."""
        return self.events[self.where(kind, number)]["event"][kind]

    def short(self, events=1):
        """Keeps only the first events, for a reader that stops before the rest."""
        del self.events[events:]
        return self

    def interrupted(self, events):
        """Interrupts the game after some events, without printed output."""
        self.short(events).silent().end.update(reason="cut_off", winner=None)
        return self.true_states()

    def silent(self):
        """Removes the printed output."""
        self.header["console"]["renderer"] = 0
        self.end["console"] = NOTHING.copy()
        return self

    def true_states(self):
        """Recomputes numbers, turns and states from the events, whatever the rules say."""
        game = GAMES[self.header["rules"]["id"]](self.header)
        for at, record in enumerate(self.events):
            game.apply(record["event"])
            state = blake3(compact(game.state()).encode()).hexdigest()[:16]
            record.update(seq=at, turn=game.turn, state=state)
        self.end.update(turns=game.turn, events=len(self.events))
        return self

    def played_on(self):
        """Plays the game on by the rules after its events, without a generator."""
        game = GAMES[self.header["rules"]["id"]](self.header)
        game.chance = Untouched()
        for record in self.events:
            game.apply(record["event"])
        while not game.outcome:
            event = game.next_event(None)
            game.apply(event)
            self.events.append({"event": event})
        self.end["reason"], self.end["winner"] = game.outcome
        return self.silent().true_states()

    def chained(self):
        """Recomputes the links."""
        chain = ""

        def link(record):
            nonlocal chain
            found = {key: value for key, value in record.items() if key != "chain"}
            chain = blake3((chain + compact(found)).encode()).hexdigest()[:32]
            record["chain"] = chain

        link(self.header)
        for at, record in enumerate(self.events):
            self.events[at] = record = ordered(record)
            link(record)
        link(self.end)
        return self

    def text(self):
        """Text of the file."""
        header = compact(self.header)[:-1]
        events = "\n,".join(map(compact, self.events))
        return f'{header},"events":[\n{events}\n],"end":{compact(self.end)}}}\n'

    def version_2(self, upgraded=False):
        """The same game as chained lines of version 2: header, events, end record."""
        before = self.copy().chained()
        header = {key: value for key, value in self.header.items() if key != "chain"}
        header["version"], header["meta"] = 2, self.meta
        if upgraded:
            header["upgraded_from"] = self.upgraded_from or before.end["chain"]
        end = {key: value for key, value in self.end.items() if key != "chain"}
        events = [ordered(record) for record in self.events]
        return Lines([header, *events, {"end": end}]).chained()


class Lines:
    """Records of a journal of version 2."""

    def __init__(self, records):
        self.records = copy.deepcopy(records)

    def chained(self):
        chain = ""
        for record in self.records:
            record.pop("chain", None)
            chain = blake3((chain + compact(record)).encode()).hexdigest()[:32]
            record["chain"] = chain
        return self

    def text(self):
        return "".join(compact(record) + "\n" for record in self.records)

    def compact_text(self):
        """Text in compact form, with only the event in each event record."""
        header, *events, end = self.records
        events = [{"event": record["event"]} for record in events]
        return "".join(compact(record) + "\n" for record in [header, *events, end])


class Untouched:
    """Generator that leaves everything in place."""

    def below(self, bound):
        return 0

    def shuffle(self, cards):
        pass

    def leave(self):
        pass


def ordered(record):
    """Record with its known fields in canonical order, followed by the others."""
    known = [key for key in ("seq", "turn", "event", "state") if key in record]
    return {key: record[key] for key in [*known, *(key for key in record if key not in known)]}
