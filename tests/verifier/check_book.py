#!/usr/bin/env python3
"""Computes the test vectors of docs/reference/journal-format.md anew, and checks the JSON Schema.

The schema must accept every journal that the suite calls VERIFIED, and refuse the suite's
journals with a wrong form.
"""

import json
import re
import sys
from pathlib import Path

from blake3 import blake3
from chance import ChaCha8, Chance, JavaRandom, Xoshiro, generator
from forms import compact, deck_of
from jsonschema import Draft202012Validator
from verify import link, without

from rules import GAMES, token_hands

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs/reference/journal-format.md"
SCHEMA = ROOT / "docs/reference/journal.schema.json"
SUITE = ROOT / "tests/conformance"


def vectors_of_chain(document):
    """Canonical forms, links and states of a journal, as the page lists them."""
    events, end = document.pop("events"), document.pop("end")
    game, chain, lines = GAMES["classic/1"](document), "", []
    for name, record in [("header", document), *(("event", each) for each in events), ("end", end)]:
        form = without(record, "chain")
        if name == "event":
            game.apply(record["event"])
            state = compact(game.state())
            lines += [state, blake3(state.encode()).hexdigest()[:16]]
        before, chain = chain, link(chain, form)
        lines += [before + compact(form), chain]
    return lines


def drawn(chance, bounds):
    return [chance.below(bound) for bound in bounds]


def shuffled(chance: Chance, cards):
    chance.shuffle(cards)
    return cards


def computed(vector):
    """Recomputed output of the generator in a vector of the page."""
    match vector:
        case {"words": _, "generator": "chacha8", "seed": seed}:
            chance = ChaCha8(seed)
            return [f"{next(chance.words):08x}" for _ in vector["words"]]
        case {"words": _, "generator": "java", "seed": seed}:
            chance = JavaRandom(seed)
            return [f"{next(chance.words):08x}" for _ in vector["words"]]
        case {"words": _, "generator": "xoshiro", "seed": seed}:
            chance = Xoshiro(*map(int, seed.split(":")))
            return [f"{next(chance.words):016x}" for _ in vector["words"]]
        case {"below": bounds, "generator": name, "seed": seed}:
            return drawn(generator(name, seed), bounds)
        case {"deck": deck, "generator": name, "seed": seed}:
            return shuffled(generator(name, seed), deck_of(deck))
        case {"rules": rules, "deal": deal, "number": number, "seeds": seeds}:
            return token_hands(rules, deal, number, seeds, len(vector["gives"][0]))
    raise ValueError(f"an unknown vector: {vector}")


def check_vectors(page):
    failures = 0
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        for line in block.splitlines():
            vector = json.loads(line)
            gives = vector.get("gives", vector.get("words"))
            if computed(vector) != gives:
                failures += 1
                print(f"{line}: {computed(vector)}")
    journal = re.search(r'^\{"format":"war-journal".*?\n\]\S*\n', page, re.MULTILINE | re.DOTALL)
    expected = vectors_of_chain(json.loads(journal[0]))
    listed = re.search(r"```text\n(# the header.*?)```", page, re.DOTALL)[1].splitlines()
    listed = [line for line in listed if not line.startswith("#")]
    if listed != expected:
        failures += 1
        print("\n".join(expected))
    return failures


def documents(data):
    """Documents for the schema: one whole document, or lines."""
    try:
        return [("", json.loads(data))]
    except ValueError:
        return [("#/$defs/line2", json.loads(line)) for line in data.splitlines()]


def check_schema():
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    names, *rows = [line.split("\t") for line in (SUITE / "expected.tsv").read_text().splitlines()]
    failures = refused = 0
    for case in (dict(zip(names, row)) for row in rows):
        try:
            parts = documents((SUITE / case["file"]).read_bytes())
        except ValueError:
            continue
        accepted = all(
            (
                Draft202012Validator(schema | {"$ref": where} if where else schema).is_valid(
                    document
                )
                if not where
                else Draft202012Validator({"$ref": where, "$defs": schema["$defs"]}).is_valid(
                    document
                )
            )
            for where, document in parts
        )
        refused += not accepted
        if case["verdict"] == "VERIFIED" and not accepted:
            failures += 1
            print(f"the schema refuses {case['file']}: {case['case']}")
    print(f"{len(rows)} journals, {refused} refused by the schema")
    return failures + (refused < 100)


if __name__ == "__main__":
    sys.exit(check_vectors(PAGE.read_text()) + check_schema() > 0)
