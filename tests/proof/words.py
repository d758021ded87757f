"""Words of 64 bits like Rust's u64, with known or unknown bits. The same expressions can be
computed, and proven by z3.
"""

import z3

BITS = 64
MOST = (1 << BITS) - 1
# Proofs with an arbitrary function hold for the number of ones.
ONES = z3.Function("ones", z3.BitVecSort(BITS), z3.BitVecSort(BITS))


def of(bits):
    """Word of these bits: a number, or a bit-vector of z3."""
    return bits if isinstance(bits, Word) else Word(bits)


def any_word(name):
    """Word of unknown bits."""
    return Word(z3.BitVec(name, BITS))


class Word:
    """Word of 64 bits; sums and differences wrap."""

    def __init__(self, bits):
        self.bits = bits & MOST if isinstance(bits, int) else bits

    def __and__(self, other):
        return Word(self.bits & of(other).bits)

    def __or__(self, other):
        return Word(self.bits | of(other).bits)

    def __xor__(self, other):
        return Word(self.bits ^ of(other).bits)

    def __add__(self, other):
        return Word(self.bits + of(other).bits)

    def __sub__(self, other):
        return Word(self.bits - of(other).bits)

    def __lshift__(self, places):
        return Word(self.bits << of(places).bits)

    def __rshift__(self, places):
        if isinstance(self.bits, int) and isinstance(of(places).bits, int):
            return Word(self.bits >> of(places).bits)
        return Word(z3.LShR(self.bits, of(places).bits))

    def __invert__(self):
        return Word(~self.bits)

    def __neg__(self):
        return Word(-self.bits)

    def __eq__(self, other):
        return self.bits == of(other).bits

    def __ne__(self, other):
        return self.bits != of(other).bits

    def __lt__(self, other):
        if isinstance(self.bits, int) and isinstance(of(other).bits, int):
            return self.bits < of(other).bits
        return z3.ULT(self.bits, of(other).bits)

    def __gt__(self, other):
        return of(other) < self

    def trailing_zeros(self):
        """Number of zeros below the lowest one."""
        zeros = Word(BITS)
        for place in reversed(range(BITS)):
            zeros = choose(self.has(place), place, zeros)
        return zeros

    def count_ones(self):
        """Number of ones. Of unknown bits it is only known that equal words have as many."""
        if isinstance(self.bits, int):
            return Word(self.bits.bit_count())
        return Word(ONES(self.bits))

    def has(self, place):
        """Tests the bit at this place."""
        if isinstance(self.bits, int):
            return self.bits >> place & 1 == 1
        return z3.Extract(place, place, self.bits) == 1


def choose(condition, one, other):
    """The first word if the condition holds, or else the other."""
    if isinstance(condition, bool):
        return of(one) if condition else of(other)
    bits = [of(word).bits for word in (one, other)]
    one, other = (z3.BitVecVal(word, BITS) if isinstance(word, int) else word for word in bits)
    return Word(z3.If(condition, one, other))


def all_of(*conditions):
    """Conjunction."""
    if all(isinstance(condition, bool) for condition in conditions):
        return all(conditions)
    return z3.And(*conditions)


def any_of(*conditions):
    """Disjunction."""
    if all(isinstance(condition, bool) for condition in conditions):
        return any(conditions)
    return z3.Or(*conditions)


def none_of(*conditions):
    """Negated disjunction."""
    found = any_of(*conditions)
    return not found if isinstance(found, bool) else z3.Not(found)


def mask(conditions):
    """Word with a one for each condition that holds, the first one lowest."""
    conditions = list(conditions)
    if all(isinstance(condition, bool) for condition in conditions):
        return Word(sum(1 << place for place, holds in enumerate(conditions) if holds))
    one, zero = z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)
    bits = [z3.If(condition, one, zero) for condition in conditions]
    bits += [zero] * (BITS - len(bits))
    return Word(z3.Concat(*reversed(bits)))
