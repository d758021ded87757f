"""Masks with the model's results, for the test of the kernel's own code."""

import random

import model
from words import of

COLUMNS = "step length higher same pairs won span start turns wars depth".split()
LINES = 3_000


def some_bits(chance):
    """Word with few ones, many, or about as many as zeros."""
    bits = chance.getrandbits(64)
    for _ in range(chance.getrandbits(2)):
        other = chance.getrandbits(64)
        bits = bits & other if chance.getrandbits(2) else bits | other
    return bits


def masks(chance):
    """Step and masks of a pass. Most of them are possible by the rules."""
    step = 1 + chance.getrandbits(6) if chance.getrandbits(4) == 0 else 1 + chance.getrandbits(8) % 6
    most = 63 if chance.getrandbits(3) == 0 else 32
    length = chance.getrandbits(6) % (most + 1)
    same = some_bits(chance)
    if chance.getrandbits(1):
        # A deep war.
        first, deep = chance.getrandbits(4), chance.getrandbits(3)
        same &= -1 << first
        same |= sum(1 << first + place * step for place in range(deep)) % (1 << 64)
        if chance.getrandbits(1):
            same &= ~(1 << first + deep * step)
    return step, length, some_bits(chance) & ~same, same


def line(step, length, higher, same):
    """Line for these masks."""
    held = (of(1) << length) - 1
    same = held & same
    played = model.play(step, held, of(higher), same)
    turns, wars, deeper, deep = (word.bits for word in model.count(step, played, same))
    words = [of(word).bits for word in (higher, same, *played)]
    counts = turns, wars, deep or wars + deeper
    return "\t".join([str(step), str(length), *map("{:x}".format, words), *map(str, counts)])


def vectors():
    """Contents of the file."""
    chance = random.Random(52)
    lines = (line(*masks(chance)) for _ in range(LINES))
    return "".join(f"{text}\n" for text in ("\t".join(COLUMNS), *lines))
