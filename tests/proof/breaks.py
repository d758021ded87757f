"""Mutations of the model. z3 must find masks that reveal each, or its proofs mean nothing."""

import ast
import inspect
import types

import model
from statements import STATEMENTS, Case, counterexample

# Mutations without an effect on play, with the reason.
NO_DIFFERENCE = {
    "in play, 64: one more": "no war begins with a pair that there is not",
    "in count, 63: one more": "no pass has cards that far apart",
    "in depth, 64: one more": "behind the last bit there is no pair",
}

OTHERS = {
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.RShift: ast.LShift,
    ast.Mult: ast.Add,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Gt: ast.Lt,
}
CHANGED = ("play", "count", "depth")


class Change(ast.NodeTransformer):
    """Mutates the model at one of all possible places."""

    def __init__(self, place):
        self.place, self.seen, self.function, self.what = place, 0, None, None

    def is_here(self, node, what):
        self.seen += 1
        if self.seen - 1 == self.place:
            self.what = f"in {self.function}, {ast.unparse(node)}: {what}"
            return True
        return False

    def visit_FunctionDef(self, node):
        self.function = node.name
        return self.generic_visit(node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        other = OTHERS[type(node.op)]
        if self.is_here(node, other.__name__):
            node.op = other()
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        other = OTHERS[type(node.ops[0])]
        if self.is_here(node, other.__name__):
            node.ops = [other()]
        return node

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return node.operand if self.is_here(node, "left out") else node

    def visit_Constant(self, node):
        if isinstance(node.value, int) and self.is_here(node, "one more"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node


def changed_model(place):
    """Mutated model with a description of the mutation, or None if there is no such place."""
    tree = ast.parse(inspect.getsource(model))
    change = Change(place)
    for part in tree.body:
        if isinstance(part, ast.FunctionDef) and part.name in CHANGED:
            change.visit(part)
    module = types.ModuleType("changed")
    exec(compile(ast.fix_missing_locations(tree), "model.py", "exec"), module.__dict__)
    return change.what and (change.what, module)


def shown(changed, window, step):
    """Masks that reveal the mutation, found by z3 and confirmed by playing them, if any."""
    for statement in STATEMENTS:
        masks = counterexample(statement, window, step, changed)
        if masks is not None:
            both = list(statement(Case(window, step, masks), changed))
            assert any(found != wanted for found, wanted in both), f"{masks} shows nothing"
            return f"{statement.__name__}: step {step}, {masks}"
    return None
