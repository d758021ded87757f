"""The arithmetic of passes, with the same expressions as
crates/simulate/src/kernel/passes/masks.rs. Change both together: vectors from this model test the
other one.
"""

from functools import cache

from words import choose, of


@cache
def skipped(step, first):
    """Places at which the cards of a war are not compared, given the place of its first pair."""
    compared = [place >= first and (place - first) % step == 0 for place in range(64)]
    return sum(1 << place for place in range(64) if not compared[place])


def looked_up(table, index):
    """Entry of a table at this index."""
    found = of(table[0])
    for number, entry in enumerate(table):
        found = choose(index == number, entry, found)
    return found


def play(step, held, higher, same):
    """Plays a pass: pairs played, pairs player 1 wins, pairs of the war, and its first pair."""
    table = [skipped(step, first) for first in range(64)]
    start = same & -same
    unsettled = same | looked_up(table, same.trailing_zeros() & 63)
    carried = unsettled + start
    span = unsettled ^ carried
    settles = carried & span
    in_time = span & ~held == 0
    pairs = choose(in_time, held, held & start - 1)
    won = choose(higher & settles == 0, higher & ~span, higher | span)
    left = same & ~span & pairs
    pairs = pairs & (left & -left) - 1
    return pairs, won & pairs, span & pairs, start & pairs


def count(step, played, same):
    """Turns, wars and deeper wars of a pass, and the depth of a war deeper than 2."""
    pairs, _, span, start = played
    again = start & same >> step
    wars = choose(start == 0, 0, 1)
    turns = (pairs & ~span).count_ones() + wars
    deeper = choose(again == 0, 0, 1)
    is_deep = again & same >> min(63, 2 * step) != 0
    deep = depth(step, same >> start.trailing_zeros())
    return turns, wars, deeper, choose(is_deep, deep, 0)


def depth(step, same):
    """Number of successive equal cards in the war that begins with the first pair."""
    deep, goes_on = of(0), of(1)
    for place in range(0, 64, step):
        goes_on = goes_on & same >> place
        deep = deep + (goes_on & 1)
    return deep
