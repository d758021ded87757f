"""What a pass is, pair by pair from the top, as the rules have it; nothing here is arithmetic on
masks.
"""

from words import all_of, any_of, choose, mask, none_of, of


class Pairs:
    """The pairs of a pass, and what became of each of them."""

    def __init__(self, step, held, higher, same):
        """Plays them. Held, higher and same are lists, with an entry for each pair."""
        self.held, self.higher, self.same = held, higher, same
        window = len(held)
        self.single = [False] * window  # won as a turn without a war
        self.in_war = [False] * window  # taken in the war
        self.starts = [False] * window  # the war begins with it
        self.won = [False] * window  # player 1 takes it
        self.depth = of(0)
        is_next = [True] + [False] * (2 * window + step)
        for pair in range(window):
            plays = all_of(is_next[pair], held[pair])
            self.single[pair] = all_of(plays, none_of(same[pair]))
            self.won[pair] = any_of(self.won[pair], all_of(self.single[pair], higher[pair]))
            is_next[pair + 1] = any_of(is_next[pair + 1], self.single[pair])
            # One war is settled at most: the next one is for another pass.
            ties = all_of(plays, same[pair], none_of(*self.starts[:pair]))
            for last, deep, settled in self.ways(step, pair, ties):
                self.take_war(pair, last, deep, settled)
                is_next[last + 1] = any_of(is_next[last + 1], settled)

    def ways(self, step, first, ties):
        """The ways in which a war can be settled that begins with this pair: by which pair, how
        deep the war is then, and whether that is so. The cards of all pairs before must be held.
        """
        deep = 0
        for last in range(first + step, len(self.held), step):
            deep += 1
            ties = all_of(ties, self.held[last])
            yield last, deep, all_of(ties, none_of(self.same[last]))
            ties = all_of(ties, self.same[last])

    def take_war(self, first, last, deep, settled):
        """The winner of the last pair takes all pairs of the war."""
        for pair in range(first, last + 1):
            self.in_war[pair] = any_of(self.in_war[pair], settled)
            self.won[pair] = any_of(self.won[pair], all_of(settled, self.higher[last]))
        self.starts[first] = any_of(self.starts[first], settled)
        self.depth = choose(settled, deep, self.depth)

    def played(self):
        """The masks of a pass."""
        taken = [any_of(*both) for both in zip(self.single, self.in_war)]
        return tuple(map(mask, (taken, self.won, self.in_war, self.starts)))

    def counts(self):
        """The turns, wars and deeper wars, and the depth of a war deeper than 2."""
        wars = choose(any_of(*self.starts), 1, 0)
        deeper = choose(self.depth > 1, 1, 0)
        return mask(self.single).count_ones() + wars, wars, deeper, choose(self.depth > 2, self.depth, 0)


def ties_at_top(step, held, same):
    """How deep a war is that begins with the first pair, if the cards held do not settle it; and
    whether they don't.
    """
    deep, goes_on = of(0), True
    for pair in range(0, len(held), step):
        settles = all_of(goes_on, held[pair], none_of(same[pair]))
        goes_on = all_of(goes_on, none_of(settles))
        deep = choose(all_of(goes_on, held[pair]), deep + 1, deep)
    return deep, goes_on
