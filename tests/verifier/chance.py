"""The generators, and random results as a journal recorded them."""

import itertools
import re

from forms import CHACHA, I64, JAVA, U64, XOSHIRO, demand

M32, M64 = 2**32 - 1, 2**64 - 1


def rotl(word, by, bits):
    return (word << by | word >> (bits - by)) & (2**bits - 1)


class Chance:
    """Source of numbers below a bound, and thereby of shuffles and coin tosses."""

    def either(self, heads, tails):
        return tails if self.below(2) else heads

    def shuffle(self, cards):
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    def leave(self):
        """Leaves the cards of a hand as they are."""


class ChaCha8(Chance):
    def __init__(self, key):
        self.words = self.stream([key >> 32 * at & M32 for at in range(8)])

    def stream(self, key):
        columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
        diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
        for block in itertools.count():
            counter = [block & M32, block >> 32, 0, 0]
            start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, *counter]
            x = start.copy()
            for a, b, c, d in (columns + diagonals) * 4:
                for i, j, k, bits in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
                    x[i] = (x[i] + x[j]) & M32
                    x[k] = rotl(x[k] ^ x[i], bits, 32)
            yield from ((one + other) & M32 for one, other in zip(start, x))

    def below(self, bound):
        return next(word for word in self.words if word < 2**32 // bound * bound) % bound


class JavaRandom(Chance):
    def __init__(self, seed):
        self.words = self.stream((seed ^ 0x5DEECE66D) % 2**48)

    def stream(self, state):
        while True:
            state = (state * 0x5DEECE66D + 0xB) % 2**48
            yield state >> 17

    def below(self, bound):
        if bound & (bound - 1) == 0:
            return bound * next(self.words) >> 31
        return next(n for n in self.words if n - n % bound + bound - 1 < 2**31) % bound


class Xoshiro(Chance):
    def __init__(self, seed, game):
        start = self.split_mix(seed, 0)
        self.words = self.stream(*(self.split_mix(start, 4 * game + at) for at in range(4)))

    def split_mix(self, seed, number):
        """Output of SplitMix64 with this index, from 0."""
        z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & M64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        return z ^ z >> 31

    def stream(self, s0, s1, s2, s3):
        while True:
            yield (rotl((s0 + s3) & M64, 23, 64) + s0) & M64
            t = s1 << 17 & M64
            s2, s3 = s2 ^ s0, s3 ^ s1
            s1, s0 = s1 ^ s2, s0 ^ s3
            s2, s3 = s2 ^ t, rotl(s3, 45, 64)

    def fair(self, bound):
        return next(word for word in self.words if word * bound & M64 >= 2**64 % bound)

    def below(self, bound):
        return self.fair(bound) * bound >> 64

    def shuffle(self, cards):
        bound = len(cards)
        while bound > 1:
            # Bounds from this one down to the last share a word.
            last = product = bound
            while last > 2 and product * (last - 1) < 2**56:
                last, product = last - 1, product * (last - 1)
            word = self.fair(product)
            while bound >= last:
                other, word = divmod(word * bound, 2**64)
                bound -= 1
                cards[bound], cards[other] = cards[other], cards[bound]


class Recorded(Chance):
    """Random results recorded in an event, if they are possible."""

    def __init__(self, event):
        [content] = event.values()
        cards = [each["cards"] for each in content.get("takes", [content]) if "cards" in each]
        self.orders = [*content.get("hands", cards)]
        self.indices = iter(play.get("index", 0) for play in content.get("plays", []))

    def below(self, bound):
        index = next(self.indices, 0)
        return index if index < bound else 0

    def shuffle(self, cards):
        if self.orders and sorted(cards) == sorted(self.orders[0]):
            cards[:] = self.orders.pop(0)

    def either(self, heads, tails):
        return tails if tails in self.orders[:1] else heads

    def leave(self):
        del self.orders[:1]


def generator(name, seed):
    """Generator at the start of its stream."""
    kind = {CHACHA: ChaCha8, JAVA: JavaRandom, XOSHIRO: Xoshiro}[name]
    numbers, bounds = seed.split(":"), I64 if name == JAVA else U64
    fits = len(numbers) == (2 if name == XOSHIRO else 1)
    for number in numbers:
        fits = fits and re.fullmatch("0|-?[1-9][0-9]{0,19}", number) and int(number) in bounds
    demand(fits, f"{seed!r} is no seed of {name}")
    return kind(*map(int, numbers))
