"""The simulator of the card game War: many games, exact and fast.

    >>> import war
    >>> run = war.simulate(games=1_000, seed=1, rules="bataille")
    >>> run.summary()["outcomes"]["won"]
    [477, 523]

Game I of seed S depends on S, I and the rules alone. So parts of a run may be played anywhere,
and added: ``sum(parts)`` is the run that one machine would have played, bit for bit, and the
program's ``war simulate merge`` joins the same parts.
"""

from war._run import Columns, Histogram, Run, merge, read, simulate

__all__ = ["Columns", "Histogram", "Run", "VERDICTS", "merge", "read", "simulate"]

#: Outcomes of a game, by the number in the column ``verdict``.
VERDICTS = ("won", "drawn", "endless", "undecided")
