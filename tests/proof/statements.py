"""Statements proven for all masks: a model must agree with the reference."""

import model
import z3
from reference import Pairs, ties_at_top
from words import any_word, choose, of


class Case:
    """A pass of at most this many pairs, whose wars compare cards this many pairs apart, for any
    masks or the given ones.
    """

    def __init__(self, window, step, masks=None):
        def word(name):
            return any_word(name) if masks is None else of(masks.get(name, 0))

        self.step = step
        self.length, self.higher, same_cards = map(word, ("length", "higher", "same"))
        # As in the kernels: bits beyond the cards held have no meaning.
        self.held = (of(1) << self.length) - 1
        self.same = same_cards & self.held
        places = range(window)
        self.pairs_held = [of(pair) < self.length for pair in places]
        self.pairs_same = [same_cards.has(pair) for pair in places]
        pairs_higher = [self.higher.has(pair) for pair in places]
        self.pairs = Pairs(step, self.pairs_held, pairs_higher, self.pairs_same)

    def played(self, rust):
        return rust.play(self.step, self.held, self.higher, self.same)


def a_pass_is_its_turns(case, rust):
    """The pairs of a pass, and who wins which, are those of its turns one after the other."""
    return zip(case.played(rust), case.pairs.played())


def turns_and_wars_are_counted(case, rust):
    """Its turns, its war and how deep that was are counted as they come."""
    return zip(rust.count(case.step, case.played(rust), case.same), case.pairs.counts())


def a_pass_without_pairs_is_a_war_too_long(case, rust):
    """Only a war that all cards held do not settle leaves a pass without pairs, and it is as deep
    as that.
    """
    pairs, *_ = case.played(rust)
    deep, unsettled = ties_at_top(case.step, case.pairs_held, case.pairs_same)
    found = rust.depth(case.step, case.same)
    is_stuck = choose(pairs == 0, 1, 0)
    return [
        (is_stuck, choose(unsettled, 1, 0)),
        (choose(unsettled, found, 0), choose(unsettled, deep, 0)),
    ]


STATEMENTS = (
    a_pass_is_its_turns,
    turns_and_wars_are_counted,
    a_pass_without_pairs_is_a_war_too_long,
)


def counterexample(statement, window, step, rust=model):
    """Masks for which the statement is false, or None if it is proven."""
    case = Case(window, step)
    solver = z3.SolverFor("QF_UFBV")
    solver.add(z3.ULE(case.length.bits, window))
    solver.add(z3.Or(*[found != wanted for found, wanted in statement(case, rust)]))
    answer = solver.check()
    if answer == z3.unknown:
        raise RuntimeError(f"{statement.__name__}: {solver.reason_unknown()}")
    if answer == z3.unsat:
        return None
    found = solver.model()
    return {str(name): found[name].as_long() for name in found.decls() if name.arity() == 0}
