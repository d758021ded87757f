#!/usr/bin/env python3
"""Proves the arithmetic of passes for all masks: prove.py [--pairs N] [--steps N] [--vectors]

Without an option it proves every statement for passes of 32 pairs at most, as long as any machine
has them, and for wars whose cards are 1 to 6 pairs apart, as the rules have them. It sees z3 find
each change of the model, and that passes.tsv is what the model makes. Longer passes, up to 63
pairs, and other wars, up to 64 pairs apart, take minutes. --vectors writes passes.tsv anew.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import takewhile
from pathlib import Path

import model
from breaks import NO_DIFFERENCE, changed_model, shown
from statements import STATEMENTS, counterexample
from vectors import vectors

VECTORS = Path(__file__).with_name("passes.tsv")
# Small passes are enough to reveal a mutation.
SMALL = 8
MOST_CHANGES = 200


def proven(pairs, step):
    """First statement that is false for passes with this step, with a counterexample."""
    for statement in STATEMENTS:
        masks = counterexample(statement, pairs, step)
        if masks is not None:
            return f"step {step}: {statement.__name__}: not for {masks}"
    return None


def seen(place):
    """Description of a mutation, and the masks that reveal it."""
    change = changed_model(place)
    if change is None:
        return None
    what, changed = change
    return what, shown(changed, SMALL, 2) or shown(changed, SMALL, 1)


def faults(pairs, steps):
    """All faults found."""
    with ProcessPoolExecutor() as workers:
        found = workers.map(proven, [pairs] * steps, range(1, steps + 1))
        changes = list(takewhile(bool, workers.map(seen, range(MOST_CHANGES))))
        yield from filter(None, found)
    print(f"passes of {pairs} pairs at most, and wars up to {steps} pairs apart:")
    for statement in STATEMENTS:
        print(f"    {' '.join(statement.__doc__.split())}")
    for what, shows in changes:
        if shows is None and what not in NO_DIFFERENCE:
            yield f"{what}: nothing shows it"
        if shows is not None and what in NO_DIFFERENCE:
            yield f"{what}: {shows}"
    print(f"{len(changes)} changes of the model, each found, or known to change nothing")
    if len(changes) == MOST_CHANGES or shown(model, 64, 6) is None:
        yield "not every change was tried, or passes of 64 pairs are right, which they are not"
    if VECTORS.read_text() != vectors():
        yield f"run `{sys.argv[0]} --vectors`: {VECTORS} is not what the model makes"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pairs", type=int, default=32, help="the most pairs of a pass")
    options.add_argument("--steps", type=int, default=6, help="how far cards of a war are apart")
    options.add_argument("--vectors", action="store_true", help="write passes.tsv anew")
    options = options.parse_args()
    if options.vectors:
        VECTORS.write_text(vectors())
        return 0
    found = list(faults(options.pairs, options.steps))
    print("\n".join(found), file=sys.stderr, end="\n" * bool(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
