"""The generators, and chance as a journal recorded it."""

import hashlib
import hmac

M32, M64 = 2**32 - 1, 2**64 - 1


def rotl(word, by, bits):
    return (word << by | word >> (bits - by)) & (2**bits - 1)


class Chance:
    """Something that gives numbers below a bound, and so shuffles."""

    def shuffle(self, cards):
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


class ChaCha8(Chance):
    def __init__(self, key):
        self.key = [int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)]
        self.counter, self.words = 0, []

    def block(self):
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *self.key]
        start += [self.counter & M32, self.counter >> 32, 0, 0]
        state = start.copy()

        def quarter(a, b, c, d):
            for to, add, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[to] = (state[to] + state[add]) & M32
                state[turned] = rotl(state[turned] ^ state[to], by, 32)

        for _ in range(4):
            for column in range(4):
                quarter(column, column + 4, column + 8, column + 12)
            for at in range(4):
                quarter(at, (at + 1) % 4 + 4, (at + 2) % 4 + 8, (at + 3) % 4 + 12)
        self.counter += 1
        return [(a + b) & M32 for a, b in zip(start, state)]

    def word(self):
        self.words = self.words or self.block()
        return self.words.pop(0)

    def below(self, bound):
        while (word := self.word()) >= 2**32 // bound * bound:
            pass
        return word % bound


class JavaRandom(Chance):
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def draw(self):
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> 17

    def below(self, bound):
        draw = self.draw()
        if bound & (bound - 1) == 0:
            return bound * draw >> 31
        while draw - draw % bound + bound - 1 >= 2**31:
            draw = self.draw()
        return draw % bound


class Xoshiro(Chance):
    def __init__(self, seed, game):
        start = self.split_mix(seed, 0)
        self.state = [self.split_mix(start, 4 * game + at) for at in range(4)]

    @staticmethod
    def split_mix(seed, number):
        """An output of SplitMix64, counted from 0."""
        z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & M64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        return z ^ z >> 31

    def word(self):
        a, b, c, d = self.state
        word = (rotl((a + d) & M64, 23, 64) + a) & M64
        c, d, shifted = c ^ a, d ^ b, b << 17 & M64
        self.state = [a ^ d, b ^ c, c ^ shifted, rotl(d, 45, 64)]
        return word

    def fair(self, product):
        while (word := self.word()) * product & M64 < 2**64 % product:
            pass
        return word

    def below(self, bound):
        return self.fair(bound) * bound >> 64

    def shuffle(self, cards):
        bounds = list(range(len(cards), 1, -1))
        while bounds:
            product, shared = bounds[0], 1
            while shared < len(bounds) and product * bounds[shared] < 2**56:
                product, shared = product * bounds[shared], shared + 1
            word = self.fair(product)
            for bound in bounds[:shared]:
                other, word = word * bound >> 64, word * bound & M64
                cards[bound - 1], cards[other] = cards[other], cards[bound - 1]
            bounds = bounds[shared:]


class Recorded(Chance):
    """What an event says came of chance, where that is possible."""

    def __init__(self, event):
        [(_, content)] = event.items()
        takes = [take["cards"] for take in content.get("takes", [])]
        self.orders = [content["cards"]] if "cards" in content else content.get("hands", takes)
        self.indices = [play.get("index", 0) for play in content.get("plays", [])]

    def below(self, bound):
        index = self.indices.pop(0) if self.indices else 0
        return index if index < bound else 0

    def shuffle(self, cards):
        if self.orders and sorted(cards) == sorted(self.orders[0]):
            cards[:] = self.orders[0]
            self.orders = self.orders[1:]


def is_decimal(text, low, high):
    digits = text.removeprefix("-")
    return (
        digits.isascii()
        and digits.isdigit()
        and len(text) < 25
        and str(int(text)) == text
        and low <= int(text) <= high
    )


def generator(name, seed):
    """The generator at the start of its stream; ValueError if the seed is none."""
    parts = seed.split(":")
    if name == "chacha8-fisher-yates/1" and is_decimal(seed, 0, M64):
        return ChaCha8(int(seed).to_bytes(32, "little"))
    if name == "java-util-random/1" and is_decimal(seed, -(2**63), 2**63 - 1):
        return JavaRandom(int(seed))
    if name == "xoshiro256++-fisher-yates/1" and len(parts) == 2:
        if all(is_decimal(part, 0, M64) for part in parts):
            return Xoshiro(*map(int, parts))
    raise ValueError(f"{seed!r} is not a seed of {name}")


TOKEN_DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]


def token_hands(rules, deal, number, seeds, cards):
    """The two hands of a deal of a token game."""
    lines = [rules, deal["game"], number, *(seed.encode().hex() for seed in seeds)]
    message = "".join(f"{line}\n" for line in lines).encode()
    key = hmac.new(bytes.fromhex(deal["seed"]), message, hashlib.sha256).digest()
    deck = TOKEN_DECK.copy()
    ChaCha8(key).shuffle(deck)
    return [deck[:cards], deck[cards : 2 * cards]]
