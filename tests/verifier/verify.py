#!/usr/bin/env python3
"""Verifies journals of the card game War: versions 1 and 2 of the format war-journal.

    verify.py FILE...          prints a verdict for each file
    verify.py --suite FOLDER   compares the verdicts with those in FOLDER/expected.tsv

It is written from docs/reference/journal-format.md alone, to be copied from. The rules of every
game are played again, and every event, state and link is compared. Only what a game printed is
not checked. It needs Python 3.11 and the package blake3.
"""

import json
import re
import sys
from pathlib import Path

import forms
from blake3 import blake3

from rules import TOKENS, WAR, Diverged, TokenGame, UnknownRules, War, check_header

NOTHING_PRINTED = {"bytes": 0, "blake3": blake3(b"").hexdigest()}
LONGEST, LONGEST_HEADER, DEEPEST = 2**20, 2**21, 64


class Verdict(Exception):
    """What a journal is, in which line that shows, and why."""


def damaged(line, why):
    return Verdict("DAMAGED", line, str(why))


def link(before, record):
    """The link of a record, canonical or as found, after the link before it."""
    return blake3((before + forms.compact(record)).encode()).hexdigest()[:32]


def without(record, *names):
    return {key: value for key, value in record.items() if key not in names}


def no_duplicates(fields):
    if len(dict(fields)) < len(fields):
        raise ValueError("a field is there twice")
    return dict(fields)


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def whole(digits):
    return float(digits) if digits == "-0" or len(digits) > 30 else int(digits)


DECODER = json.JSONDecoder(object_pairs_hook=no_duplicates, parse_constant=refuse, parse_int=whole)


def goes_on(text):
    """Whether a text that ends inside a JSON value is JSON as far as it goes."""
    text = re.sub(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$", r"\1", text)
    quote, closing = "", ""
    for token in re.finditer(r'"(?:[^"\\]|\\.)*("|$)|[][{}]', text, re.DOTALL):
        if token[0] in "{[":
            closing = "}]"["{[".index(token[0])] + closing
        elif token[0] in "}]":
            closing = closing[1:]
        elif token[1] == "":
            quote = '"'
    if not quote:
        text = re.sub(r"(?<![a-z])(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-)$", "", text)
    for end in ("", "null", ":null", '"":null'):
        try:
            json.loads(text + quote + end + closing)
            return True
        except ValueError:
            pass
    return False


class Document:
    """Version 1: one JSON document. Records come with the lines in which they begin."""

    def __init__(self, text):
        self.text, self.at, self.first, self.longest = text, 0, True, LONGEST_HEADER

    def line(self):
        return self.text.count("\n", 0, self.at) + 1

    def cut(self):
        self.at = len(self.text)
        return Verdict("INCOMPLETE", self.line(), "the file is cut off")

    def peek(self):
        """The next character that is not white space; raises the verdict if there is none."""
        while self.text[self.at : self.at + 1] in tuple(" \t\r\n"):
            self.at += 1
        if self.at == len(self.text):
            raise self.cut()
        return self.text[self.at]

    def take(self, *expected):
        found = self.peek()
        if found not in expected:
            raise damaged(self.line(), f"{found!r} where {expected} should be")
        self.at += 1
        return found

    def value(self):
        """The next JSON value, with its line."""
        self.peek()
        line, start = self.line(), self.at
        try:
            value, self.at = DECODER.raw_decode(self.text, start)
        except (ValueError, RecursionError) as error:
            if goes_on(self.text[start:]):
                raise self.cut() from None
            raise damaged(line, error) from None
        check_text(self.text[start : self.at], self.longest, line)
        return value, line

    def header(self):
        """The fields up to `events`. If the file ends in them, the verdict comes with them."""
        self.peek()
        fields, name, line = {}, None, self.line()
        try:
            self.take("{")
            while self.peek() != "}":
                name, _ = self.value()
                if type(name) is not str or name in fields:
                    raise damaged(line, f"the field {name!r}")
                self.take(":")
                if name == "events":
                    self.take("[")
                    break
                fields[name], _ = self.value()
                if self.take(",", "}") == "}":
                    break
        except Verdict as verdict:
            begin = re.sub(r"\s", "", self.text)
            if not (
                '{"format":"war-journal"'.startswith(begin)
                or begin.startswith('{"format":"war-journal"')
            ):
                raise damaged(1, "not a journal") from None
            return fields, line, verdict
        self.longest = LONGEST
        missing = None if name == "events" else damaged(line, "events are missing")
        return fields, line, missing

    def event(self):
        """The next event's record, or None."""
        if self.peek() == "]":
            self.at += 1
            return None
        if not self.first:
            self.take(",")
        self.first = False
        return self.value()

    def end(self):
        """The end record."""
        if self.peek() == "}":
            raise self.cut()
        self.take(",")
        name, line = self.value()
        if name != "end":
            raise damaged(line, f"{name!r} where the end should be")
        self.take(":")
        record, line = self.value()
        return record, line

    def close(self):
        self.take("}")
        while self.text[self.at : self.at + 1] in tuple(" \t\r\n"):
            self.at += 1
        if self.at < len(self.text):
            raise damaged(self.line(), "something follows the end")


class Lines:
    """Version 2: a record a line."""

    def __init__(self, text):
        *self.lines, self.rest = text.split("\n")
        # White space may stand before the header.
        self.number = text[: len(text) - len(text.lstrip(" \t\r\n"))].count("\n")
        self.last = None
        self.is_at_rest = False

    def record(self):
        """The next line's record."""
        self.number += 1
        if self.number > len(self.lines):
            raise Verdict("INCOMPLETE", self.number, "the file is cut off")
        line = self.lines[self.number - 1]
        check_text(line, self.longest, self.number)
        return parsed(line, self.number)

    def header(self):
        self.longest = LONGEST_HEADER
        record = self.record()
        self.longest = LONGEST
        return record, self.number, None

    def event(self):
        if self.number == len(self.lines) and self.rest:
            # A right end record lacks nothing but its line feed, or the file is cut off.
            try:
                self.last = parsed(self.rest, self.number + 1)
            except Verdict:
                self.last = None
            if type(self.last) is dict and "end" in self.last:
                self.number += 1
                self.is_at_rest = True
                return None
        self.last = self.record()
        is_end = type(self.last) is dict and "end" in self.last
        return None if is_end else (self.last, self.number)

    def end(self):
        return self.last, self.number

    def close(self):
        if not self.is_at_rest and (self.rest or self.number < len(self.lines)):
            raise damaged(self.number + 1, "something follows the end")


def parsed(line, number):
    try:
        return DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        raise damaged(number, error) from None


def check_text(text, longest, line):
    try:
        length = len(text.encode())
    except ValueError as error:
        raise damaged(line, error) from None
    brackets = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    depth = deepest = 0
    for bracket in re.findall(r"[][{}]", brackets):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    if length > longest or deepest > DEEPEST:
        raise damaged(line, "the record is too long or too deep")


class Journal:
    """A journal being verified, with the last link of its chain."""

    def __init__(self, data):
        length, data = len(data), data.rstrip(b"\0")
        self.zeros = length - len(data)
        # What is not UTF-8 can't be encoded again, and so is found where it stands.
        self.text = text = data.decode(errors="surrogateescape")
        try:
            header = DECODER.decode(text.lstrip(" \t\r\n").partition("\n")[0])
        except (ValueError, RecursionError):
            header = None
        is_lines = type(header) is dict and header.get("version") == 2
        self.input = Lines(text) if is_lines else Document(text)
        self.chain, self.old_chain, self.events = "", "", 0

    def proven(self, found, form, line):
        """A record in canonical form, whose fields and chain hold."""
        try:
            try:
                record = form(found)
            except forms.UnknownName as name:
                if link(self.chain, without(found, "chain")) == found.get("chain"):
                    raise Verdict("UNSUPPORTED", line, f"unknown: {name}") from None
                raise damaged(line, f"unknown: {name}") from None
            chain = link(self.chain, without(record, "chain"))
        except ValueError as error:
            raise damaged(line, error) from None
        if chain != record["chain"]:
            raise damaged(line, "the chain does not hold")
        self.chain = chain
        return record

    def read_header(self):
        if not self.text.strip(" \t\r\n"):
            raise Verdict("INCOMPLETE", 1, "there is nothing in the file")
        found, line, failed = self.input.header()
        if type(found) is not dict or found.get("format") != "war-journal":
            raise failed or damaged(line, "not a journal")
        version, rules = found.get("version"), found.get("rules")
        id = rules.get("id") if type(rules) is dict else None
        if type(version) is int and version >= 0 and version not in forms.HEADERS:
            raise Verdict("UNSUPPORTED", line, f"version {version}")
        if type(id) is str and id not in TOKENS and id not in WAR:
            raise Verdict("UNSUPPORTED", line, f"the rules {id}")
        if failed:
            raise failed
        expected = 2 if type(self.input) is Lines else 1
        if version != expected:
            raise damaged(line, f"version {version!r} in a file of version {expected}")
        self.version = version
        self.header = self.proven(found, forms.HEADERS[version], line)
        try:
            check_header(self.header)
        except UnknownRules as error:
            raise Verdict("UNSUPPORTED", line, str(error)) from None
        except ValueError as error:
            raise damaged(line, error) from None
        old = without(self.header, "chain", "meta", "upgraded_from") | {"version": 1}
        self.old_chain = link("", old)
        self.game = (TokenGame if id in TOKENS else War)(self.header)

    def read_events(self):
        highest = forms.ANY_CARD if self.header["rules"]["id"] == "custom/1" else forms.CARD
        is_tokens = type(self.game) is TokenGame
        event_form = forms.TOKEN_EVENT if is_tokens else forms.war_event(highest)
        compacted = None
        while next_one := self.input.event():
            found, line = next_one
            if compacted is None:
                compacted = self.version == 2 and type(found) is dict and list(found) == ["event"]
            form = forms.record(event_form, compacted)
            record = (
                self.compact(found, form, line) if compacted else self.proven(found, form, line)
            )
            if not compacted and record["seq"] != self.events:
                raise damaged(line, f"event {record['seq']} where {self.events} should be")
            try:
                self.game.check(record["event"])
            except Diverged as error:
                raise Verdict("DIVERGED", line, str(error)) from None
            state = blake3(forms.compact(self.game.state()).encode()).hexdigest()[:16]
            full = {
                "seq": self.events,
                "turn": self.game.turn,
                "event": record["event"],
                "state": state,
            }
            if not compacted and without(record, "chain") != full:
                raise Verdict("DIVERGED", line, f"the turn is {self.game.turn}, the state {state}")
            if compacted:
                self.chain = link(self.chain, full)
            self.old_chain = link(self.old_chain, full)
            self.events += 1

    def compact(self, found, form, line):
        try:
            return form(found)
        except (ValueError, forms.UnknownName) as error:
            raise damaged(line, error) from None

    def read_end(self):
        found, line = self.input.end()
        record = self.proven(found, forms.ENDS[self.version], line)
        end = record["end"] if self.version == 2 else without(record, "chain")
        reason, winner = end["reason"], end["winner"]
        may_be_null, may_be_set = reason != "won", reason in ("won", "stopped")
        if not (may_be_null if winner is None else may_be_set):
            raise damaged(line, "reason and winner don't go together")
        self.input.close()
        if self.zeros:
            self.input.is_at_rest = False
            raise damaged(self.text.count("\n") + 1, "zeros behind the end")
        true = self.game.outcome or ("cut_off", None)
        if (reason, winner) not in (true, ("cut_off", None)):
            raise damaged(line, f"the game ended with {true}")
        if (end["turns"], end["events"]) != (self.game.turn, self.events):
            raise damaged(line, f"{self.game.turn} turns, {self.events} events")
        if self.header.get("upgraded_from", old := link(self.old_chain, end)) != old:
            raise damaged(line, f"it was upgraded from {old}")
        if self.header["console"]["renderer"] == 0 and end["console"] != NOTHING_PRINTED:
            raise Verdict("DIVERGED", line, "renderer 0 prints nothing")
        if reason == "cut_off":
            raise Verdict("INCOMPLETE", None, "the recording was interrupted")


def verify(data):
    """The verdict on a journal, its line or None, and a reason."""
    journal = Journal(data)
    try:
        journal.read_header()
        journal.read_events()
        journal.read_end()
    except Verdict as verdict:
        if verdict.args[1] and type(journal.input) is Lines and journal.input.is_at_rest:
            return "INCOMPLETE", journal.input.number, "the file is cut off in its end record"
        return verdict.args
    return "VERIFIED", None, f"{journal.events} events, final digest {journal.chain}"


def run_suite(folder):
    """Compares verdicts and lines with the expected ones; the result is how many differ."""
    names, *cases = [
        line.split("\t") for line in (folder / "expected.tsv").read_text().splitlines()
    ]
    failures = skipped = 0
    for case in cases:
        case = dict(zip(names, case))
        if case["needs"] != "-":
            skipped += 1
            continue
        verdict, line, why = verify((folder / case["file"]).read_bytes())
        found = (verdict, "-" if line is None else str(line))
        if found != (case["verdict"], case["line"]):
            failures += 1
            print(
                f"{case['file']}: {found}, expected {case['verdict']} in line {case['line']}: {why}"
            )
    print(f"{len(cases)} journals, {failures} failed, {skipped} skipped: they need the screens")
    return failures


def main():
    match sys.argv[1:]:
        case ["--suite", folder]:
            sys.exit(run_suite(Path(folder)) > 0)
        case [*files]:
            verdicts = set()
            for file in files:
                verdict, line, why = verify(Path(file).read_bytes())
                verdicts.add(verdict)
                print(f"{verdict} {file}{f':{line}' if line else ''}: {why}")
            sys.exit(verdicts != {"VERIFIED"})


if __name__ == "__main__":
    main()
