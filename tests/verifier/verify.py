#!/usr/bin/env python3
"""Verifies journals of the card game War: versions 1 and 2 of the format war-journal.

    verify.py FILE...          prints a verdict for each file
    verify.py --suite FOLDER   compares the verdicts with those in FOLDER/expected.tsv

The verifier is written from docs/reference/journal-format.md alone, to be copied from: forms.py has
the fields of the records, rules.py has the games, and this file reads journals. Every game is
played again by its rules, and every event, state and link is compared. Only the printed output of a
game is not checked. The verifier needs Python 3.11 and the package blake3.
"""

import json
import re
import sys
from pathlib import Path

import forms
from blake3 import blake3
from forms import Fault, UnknownName, compact, demand, without

from rules import GAMES, check_header

NOTHING_PRINTED = {"bytes": 0, "blake3": blake3(b"").hexdigest()}
TEXT = r'"(?:[^"\\\0-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*'
NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
TOKEN = re.compile(rf'[][{{}},:]|{TEXT}"|{NUMBER}(?![-+.eE\d]|\Z)|true|false|null')
# Tokens that the end of the file may cut short.
CUT_TEXT = rf"{TEXT}(\\(u[0-9a-fA-F]{{0,3}})?)?"
CUT_NUMBER = r"-?((0|[1-9]\d*)(\.\d*)?([eE][-+]?\d*)?)?"
CUT_TOKEN = re.compile(rf"{CUT_TEXT}|{CUT_NUMBER}|t(ru?)?|f(a(ls?)?)?|n(ul?)?")
CONSTANTS = {"true": True, "false": False, "null": None}
WHOLE = re.compile("0|-?[1-9][0-9]{0,30}")
SPACE = re.compile("[ \t\r\n]*")


class Text:
    """JSON text, read token by token, which may be truncated."""

    def __init__(self, text):
        self.text, self.at, self.last_line = text, 0, text.count("\n") + 1

    def line(self):
        return self.text.count("\n", 0, self.at) + 1

    def demand(self, holds, why):
        demand(holds, why, line=None if holds else self.line())

    def peek(self):
        """Next character that is not white space, if there is one."""
        self.at = SPACE.match(self.text, self.at).end()
        return self.text[self.at : self.at + 1]

    def take(self, *expected):
        """Next token: one of these, or any."""
        self.peek()
        if not (token := TOKEN.match(self.text, self.at)):
            is_cut = CUT_TOKEN.fullmatch(self.text, self.at)
            demand(not is_cut, "the file is cut off", "INCOMPLETE", self.last_line)
            self.demand(False, "this is not JSON")
        self.demand(token[0] in expected or not expected, f"{token[0]}, not one of {expected}")
        self.at = token.end()
        return token[0]

    def items(self, closing):
        """Iterates over items in brackets, separated by commas."""
        if self.peek() == closing:
            self.take()
            return
        yield
        while self.take(",", closing) == ",":
            yield

    def names(self):
        """Field names of an object. The value has to be read after each."""
        names = set()
        for _ in self.items("}"):
            name = self.value()
            self.demand(type(name) is str and name not in names, f"the field {name!r}")
            names.add(name)
            self.take(":")
            yield name

    def record(self):
        """Next value, a record, with its line."""
        self.peek()
        start, line = self.at, self.line()
        value = self.value()
        length = len(self.text[start : self.at].encode(errors="surrogateescape"))
        demand(length <= 2**20, "a record that is too long", line=line)
        return value, line

    def value(self, depth=64):
        """Next value, nested at most `depth` levels."""
        token = self.take()
        self.demand(token not in "]}:,", f"{token} where a value should be")
        self.demand(depth or token not in "[{", "nested too deep")
        if token == "{":
            return {name: self.value(depth - 1) for name in self.names()}
        if token == "[":
            return [self.value(depth - 1) for _ in self.items("]")]
        if token in CONSTANTS:
            return CONSTANTS[token]
        if token[0] == '"':
            text = json.loads(token)
            # Invalid UTF-8 was decoded as lone surrogates.
            self.demand(not re.search("[\ud800-\udfff]", text), "a text that is not UTF-8")
            return text
        return int(token) if WHOLE.fullmatch(token) else float(token)


def records(data):
    """Header, events and end record, each with its kind and line."""
    text = Text(data.rstrip(b"\0").decode(errors="surrogateescape"))
    demand(text.peek(), "there is nothing in the file", "INCOMPLETE", line=1)
    header, line, names = {}, text.line(), text.names()
    try:
        text.take("{")
        for name in names:
            header[name] = None if name == "events" else text.value()
            if name == "events":
                break
        demand(len(text.text[: text.at].encode()) <= 2**21, "a header that is too long", line=line)
    except Fault:
        start, begin = '{"format":"war-journal"', "".join(text.text[:999].split())
        demand(begin.startswith(start[: len(begin)]), "not a journal", line=1)
        yield "beginning", header, line
        raise
    yield "header", header, line
    yield from document(text, names) if "events" in header else lines(text, line)
    demand(data[-1:] != b"\0", "zeros behind the end", line=text.last_line)


def document(text, names):
    """Events and end record of version 1."""
    text.take("[")
    for _ in text.items("]"):
        yield "event", *text.record()
    name = next(names, None)
    demand(name, "there is no end record", "INCOMPLETE", text.last_line)
    text.demand(name == "end", f"{name!r} where the end should be")
    yield "end", *text.record()
    text.demand(not next(names, None) and not text.peek(), "something follows the end")


def lines(text, number):
    """Events and end record of version 2, with the header on line `number`."""
    demand(text.line() == number, "a header on several lines", line=number)
    is_alone = not text.peek() or text.line() > number
    demand(is_alone, "something follows the header", line=number)
    part = "header"
    for number, line in enumerate(text.text.split("\n")[number:], number + 1):
        is_whole = number < text.last_line
        if not line and not is_whole:
            break
        demand(part != "end", "something follows the end", line=number)
        one = Text(line)
        try:
            record, _ = one.record()
            one.demand(not one.peek(), "something follows the record")
        except Fault as fault:
            raise Fault("DAMAGED" if is_whole else "INCOMPLETE", fault.why, number) from None
        part = "end" if type(record) is dict and "end" in record else "event"
        yield part, record, number
    demand(part == "end", "the file is cut off", "INCOMPLETE", text.last_line)


def link(before, record):
    """Link of a record, in canonical form or as found, chained to the link `before`."""
    return blake3((before + compact(record)).encode()).hexdigest()[:32]


class Journal:
    """Journal being verified."""

    def __init__(self):
        self.chain, self.old_chain, self.events = "", "", 0
        self.version = self.is_compact = None

    def proven(self, found, form):
        """Record in canonical form, if its fields and its chain are valid."""
        try:
            record = forms.read(form, found)
        except UnknownName as name:
            as_found = link(self.chain, without(found, "chain"))
            is_recorded = "chain" in form and found.get("chain") == as_found
            raise Fault("UNSUPPORTED" if is_recorded else "DAMAGED", f"unknown: {name}") from None
        chain = link(self.chain, without(record, "chain"))
        demand(record.get("chain", chain) == chain, "the chain does not hold")
        return record

    def read_beginning(self, found):
        """Checks that version and rules are known."""
        self.version, rules = found.get("version"), found.get("rules")
        id = rules.get("id") if type(rules) is dict else None
        is_newer = type(self.version) is int and self.version >= 0 and self.version not in (1, 2)
        demand(not is_newer, f"version {self.version}", "UNSUPPORTED")
        demand(type(id) is not str or id in GAMES, f"the rules {id}", "UNSUPPORTED")

    def read_header(self, found):
        demand(found.get("format") == "war-journal", "not a journal")
        self.read_beginning(found)
        demand(self.version in (1, 2), f"version {self.version!r}")
        self.header = self.proven(without(found, "events"), forms.HEADERS[self.version])
        check_header(self.header)
        demand((self.version == 1) == ("events" in found), "events where none should be, or none")
        self.chain = self.header["chain"]
        old_header = without(self.header, "chain", "meta", "upgraded_from") | {"version": 1}
        self.old_chain = link("", old_header)
        self.game = GAMES[self.header["rules"]["id"]](self.header)

    def read_event(self, found):
        if self.is_compact is None:
            self.is_compact = self.version == 2 and type(found) is dict and list(found) == ["event"]
        form = {"event": self.game.form}
        record = self.proven(found, form if self.is_compact else forms.EVENT | form)
        seq = record.get("seq", self.events)
        demand(seq == self.events, f"event {seq} where {self.events} should be")
        self.game.check(record["event"])
        turn = self.game.turn
        state = blake3(compact(self.game.state()).encode()).hexdigest()[:16]
        full = {"seq": seq, "turn": turn, "event": record["event"], "state": state}
        is_true = self.is_compact or full == without(record, "chain")
        demand(is_true, f"the turn is {turn}, the state {state}", "DIVERGED")
        self.chain, self.old_chain = link(self.chain, full), link(self.old_chain, full)
        self.events += 1

    def read_end(self, found):
        record = self.proven(found, forms.ENDS[self.version])
        self.chain, self.end = record["chain"], record.get("end", without(record, "chain"))

    def verdict(self):
        """Verdict after the whole file was read."""
        end, cut_off = self.end, ("cut_off", None)
        found, true = (end["reason"], end["winner"]), self.game.outcome or cut_off
        demand(found in (true, cut_off), f"the game ended with {true}")
        turns, events = self.game.turn, self.events
        demand((end["turns"], end["events"]) == (turns, events), f"{turns} turns, {events} events")
        is_silent = self.header["console"]["renderer"] == 0
        is_printed = not is_silent or end["console"] == NOTHING_PRINTED
        demand(is_printed, "renderer 0 prints nothing", "DIVERGED")
        old = link(self.old_chain, end)
        demand(self.header.get("upgraded_from", old) == old, f"it was upgraded from {old}")
        if found == cut_off:
            return "INCOMPLETE", None, "the recording was interrupted"
        return "VERIFIED", None, f"{events} events, final digest {self.chain}"


def verify(data):
    """Verdict on a journal, its line or None, and a reason."""
    journal = Journal()
    try:
        for part, record, line in records(data):
            getattr(journal, f"read_{part}")(record)
        return journal.verdict()
    except Fault as fault:
        # In version 2, data after the last line feed were cut off.
        is_rest = fault.line is None and journal.version == 2 and line > data.count(b"\n")
        return "INCOMPLETE" if is_rest else fault.verdict, fault.line or line, fault.why


def run_suite(folder):
    """Compares verdicts and lines with the expected ones. Returns true if all match."""
    _, *rows = (folder / "expected.tsv").read_text().splitlines()
    cases = [row.split("\t") for row in rows]
    judged = [case for case in cases if "screens" not in case]
    failures = 0
    for file, expected, _, place, *_ in judged:
        verdict, line, why = verify((folder / file).read_bytes())
        if (verdict, str(line or "-")) != (expected, place):
            failures += 1
            print(f"{file}: {verdict} {line}, expected {expected} {place}: {why}")
    skipped = len(cases) - len(judged)
    print(f"{len(cases)} journals, {failures} failed, {skipped} skipped: they need the screens")
    return failures == 0


def check(files):
    """Prints the verdicts. Returns true if all are VERIFIED."""
    verdicts = [(file, *verify(Path(file).read_bytes())) for file in files]
    for file, verdict, line, why in verdicts:
        print(f"{verdict} {file}{f':{line}' if line else ''}: {why}")
    return all(verdict == "VERIFIED" for _, verdict, *_ in verdicts)


if __name__ == "__main__":
    option, *rest = sys.argv[1:]
    sys.exit(not (run_suite(Path(rest[0])) if option == "--suite" else check([option, *rest])))
