#!/usr/bin/env python3
"""Checks docs/reference/simulation.schema.json with documents that the program has written.

The schema must accept every one of them, and refuse it where anything is left out, added or of
another type.
"""

import copy
import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).parent.parent.parent
SCHEMA = ROOT / "docs/reference/simulation.schema.json"
DOCUMENTS = ROOT / "tests/goldens/simulate"


def places(value, place=()):
    """Paths of all keys in a document, except in lists, whose entries are alike."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*place, key)
            yield from places(inner, (*place, key))


def edited(document, place, edit):
    document = copy.deepcopy(document)
    inner = document
    for key in place[:-1]:
        inner = inner[key]
    edit(inner, place[-1])
    return document


def renamed(inner, key):
    inner[key + "_"] = inner.pop(key)


def of_another_type(inner, key):
    inner[key] = {"": inner[key]}


def added(inner, key):
    inner[key + "_"] = 0


def main():
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    failures = refused = 0
    documents = sorted(DOCUMENTS.glob("*.json"))
    for path in documents:
        document = json.loads(path.read_text())
        for error in validator.iter_errors(document):
            failures += 1
            print(f"{path.name}: {error.message}")
        for place in places(document):
            for edit in (renamed, of_another_type, added):
                if validator.is_valid(edited(document, place, edit)):
                    failures += 1
                    print(f"{path.name}: {'.'.join(place)} is accepted {edit.__name__}")
                refused += 1
    print(f"{len(documents)} documents of figures, {refused} edits of them refused by the schema")
    return failures + (len(documents) < 15)


if __name__ == "__main__":
    sys.exit(main() > 0)
