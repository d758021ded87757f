"""Passes played pair by pair from the top, by the rules and without arithmetic on masks."""

from words import all_of, any_of, choose, mask, none_of, of


class Pairs:
    """Pairs of a pass, and their outcomes."""

    def __init__(self, step, held, higher, same):
        """Plays the pairs. `held`, `higher` and `same` are lists with an entry for each pair."""
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
            # A pass settles at most one war. The next war is for another pass.
            ties = all_of(plays, same[pair], none_of(*self.starts[:pair]))
            for last, deep, settled in self.settlements(step, pair, ties):
                self.take_war(pair, last, deep, settled)
                is_next[last + 1] = any_of(is_next[last + 1], settled)

    def settlements(self, step, first, ties):
        """Possible ends of a war that begins with this pair: the last pair, the depth of the war,
        and the condition. All cards before must be held.
        """
        deep = 0
        for last in range(first + step, len(self.held), step):
            deep += 1
            ties = all_of(ties, self.held[last])
            yield last, deep, all_of(ties, none_of(self.same[last]))
            ties = all_of(ties, self.same[last])

    def take_war(self, first, last, deep, settled):
        """Gives all pairs of the war to the winner of its last pair."""
        for pair in range(first, last + 1):
            self.in_war[pair] = any_of(self.in_war[pair], settled)
            self.won[pair] = any_of(self.won[pair], all_of(settled, self.higher[last]))
        self.starts[first] = any_of(self.starts[first], settled)
        self.depth = choose(settled, deep, self.depth)

    def played(self):
        """Masks of a pass."""
        taken = [any_of(*both) for both in zip(self.single, self.in_war)]
        return tuple(map(mask, (taken, self.won, self.in_war, self.starts)))

    def counts(self):
        """Turns, wars and deeper wars, and the depth of a war deeper than 2."""
        wars = choose(any_of(*self.starts), 1, 0)
        deeper = choose(self.depth > 1, 1, 0)
        return mask(self.single).count_ones() + wars, wars, deeper, choose(self.depth > 2, self.depth, 0)


def ties_at_top(step, held, same):
    """Depth of a war that begins with the first pair and is not settled by the cards held, and the
    condition that it is not.
    """
    deep, goes_on = of(0), True
    for pair in range(0, len(held), step):
        settles = all_of(goes_on, held[pair], none_of(same[pair]))
        goes_on = all_of(goes_on, none_of(settles))
        deep = choose(all_of(goes_on, held[pair]), deep + 1, deep)
    return deep, goes_on
