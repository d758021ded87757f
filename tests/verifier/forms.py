"""Tables of the fields of a journal's records, and a reader for them.

A form is one of these:

    range       number in this range
    pattern     text that matches it
    set         a name, or a number used like one; other values are unknown names
    tuple       value that matches both forms
    list        list: with one form, of any number of such values; with more, of exactly these
    dict        object with these fields, in canonical order; those with a `?` are optional
    Kind        object with one of these fields, which determines its kind
    function    returns the value, or raises its fault
"""

import json
import re


class Fault(Exception):
    """Verdict on a journal, the reason, and the line if the record begins on another one."""

    def __init__(self, verdict, why, line=None):
        self.verdict, self.why, self.line = verdict, why, line


class UnknownName(Exception):
    """Name that only a newer program may write."""


class Kind(dict):
    pass


def demand(holds, why, verdict="DAMAGED", line=None):
    if not holds:
        raise Fault(verdict, why, line)


def demand_name(name, names):
    if name not in names:
        raise UnknownName(name)


def read(form, value):
    """Value with its fields in canonical order. The first fault is raised."""
    match form:
        case range():
            demand(type(value) is int and value in form, f"{value!r} is no number of {form}")
        case re.Pattern():
            demand(type(value) is str and form.fullmatch(value), f"{value!r} is no such text")
        case set():
            demand(type(value) in map(type, form), f"{value!r} is no name")
            demand_name(value, form)
        case tuple():
            for each in form:
                value = read(each, value)
        case list():
            demand(type(value) is list and len(form) in (1, len(value)), "no such list")
            forms = form * len(value) if len(form) == 1 else form
            return [read(form, part) for form, part in zip(forms, value)]
        case dict():
            is_kind, found = type(form) is Kind, {}
            fields = {name.rstrip("?"): form[name] for name in form}
            if is_kind and type(value) is str:
                demand_name(value, form)
            demand(type(value) is dict and (len(value) == 1 or not is_kind), "no such object")
            for name in value:
                demand_name(name, fields)
                found[name] = read(fields[name], value[name])
            missing = [name for name in form if name not in found and "?" not in name]
            demand(is_kind or not missing, f"without {missing}")
            return {name: found[name] for name in fields if name in found}
        case _:
            value = form(value)
    return value


def compact(value):
    """Compact JSON: the canonical form of a value whose fields are in canonical order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without(record, *names):
    return {name: value for name, value in record.items() if name not in names}


def deck_of(name):
    """Cards of a deck in ascending order, once for each suit."""
    known = {"small": (9, 14, 4), "large": (2, 14, 4), "thirteen": (1, 13, 4)}
    if re.fullmatch("[1-9][0-9]?x[1-9][0-9]{0,2}", name) and name not in ("6x4", "13x4"):
        ranks, suits = map(int, name.split("x"))
        if ranks <= 64 and 2 <= ranks * suits <= 255:
            known[name] = max(ranks, 14) - ranks + 1, max(ranks, 14), suits
    demand_name(name, known)
    lowest, highest, suits = known[name]
    return list(range(lowest, highest + 1)) * suits


def deck(name):
    return deck_of(name) and name


def player_or_null(value):
    return value if value is None else read(PLAYER, value)


def up_to_64_bytes(value):
    demand(len(value.encode()) <= 64, "a text of more than 64 bytes")
    return value


def different(value):
    demand(value[0] != value[1], "the same number twice")
    return value


def meta(value):
    demand(type(value) is dict and len(value) <= 64, "meta: no object of up to 64 notes")
    demand(list(value) == sorted(value, key=str.encode), "meta: the names are not sorted")
    demand(len(compact(value).encode()) <= 8192, "meta: more than 8192 bytes")
    return {read(NOT_EMPTY, name): read(TEXT, note) for name, note in value.items()}


U8, U32, U64, I64 = range(2**8), range(2**32), range(2**64), range(-(2**63), 2**63)
PLAYER, PUBLIC, CARD, ANY_CARD = range(1, 256), range(1, 2**53), range(1, 15), range(1, 65)
TEXT, NOT_EMPTY = re.compile("(?s:.*)"), re.compile("(?s:.+)")
DIGITS_16, DIGITS_32, DIGITS_64 = (re.compile(f"[0-9a-f]{{{count}}}") for count in (16, 32, 64))
VISIBLE = (
    "[^\0-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U0010ffff]"
)
NAME = re.compile(rf"(?!\s)(?=.*[^\ufe00-\ufe0f]){VISIBLE}{{1,32}}(?<!\s)")
SEED = (re.compile(f"{VISIBLE}*"), up_to_64_bytes)
HANDS = [[re.compile("[2-9TJQKA][cdhs]")]] * 2
CHACHA, JAVA = "chacha8-fisher-yates/1", "java-util-random/1"
XOSHIRO, HMAC = "xoshiro256++-fisher-yates/1", "hmac-sha256-chacha8-fisher-yates/1"

COLLECT = {
    *("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille", "shuffled"),
    *("highest-first", "reversed-pile", "random"),
}


def orders(value):
    """Collecting order, or one for each player with commas between."""
    for name in value.split(","):
        demand_name(name, COLLECT)
    return value


# Records, as in the tables of the page.
GENERATOR = {CHACHA, JAVA, XOSHIRO, HMAC}
GENERATED = {"generator": GENERATOR, "seed": TEXT}
RULES = {
    "id": TEXT,
    "face_down?": U8,
    "collect?": (TEXT, orders),
    "out_of_cards?": {"eoc", "loses", "last-card", "shrink"},
    "repetition?": {"ends", "goes-on"},
    "max_turns?": U32,
}
DEAL = Kind(
    shuffled=GENERATED,
    fixed=GENERATED | {"player": PLAYER, "cards": [ANY_CARD]},
    scenario={"name": TEXT},
    imported={},
    committed={"generator": GENERATOR, "game": U64, "commitment": DIGITS_64, "seed": DIGITS_64},
)
CORRECTION = Kind(
    both={"players": TEXT, "deck": TEXT},
    players_out_of_range={"provided": TEXT},
    players_unparseable={"provided": TEXT},
    players_missing={},
    deck_unrecognized={"provided": TEXT},
    deck_missing={},
)
CONSOLE = {"renderer": (U32, {0, 1}), "lang": {"en", "pl"}, "corrections": [CORRECTION]}
HEADER = {"format": TEXT, "version": U32, "engine": TEXT, "rules": RULES, "players": U8}
HEADER |= {"deck": (TEXT, deck), "deal": DEAL, "console": CONSOLE}
CHAIN = {"chain": DIGITS_32}
HEADERS = {1: HEADER | CHAIN, 2: HEADER | {"meta": meta, "upgraded_from?": DIGITS_32} | CHAIN}
EVENT = {"seq": U64, "turn": U32, "event": {}, "state": DIGITS_16} | CHAIN
REASON = {"won", "endless", "drawn", "stopped", "folded", "cut_off"}
PRINTED = {"bytes": U64, "blake3": DIGITS_64}
END = {"reason": REASON, "winner": player_or_null, "turns": U32, "events": U64, "console": PRINTED}
ENDS = {1: END | CHAIN, 2: {"end": END} | CHAIN}


def war_events(card):
    plays = {"plays": [{"player": PLAYER, "card": card, "index?": range(1, 2**16)}]}
    taken = {"player": PLAYER, "cards": [card]}
    return Kind(
        dealt={"hands": [[card]]},
        reshuffled={"hands": [[card]]},
        clash=plays,
        face_down=plays,
        war_round={"round": U32} | plays,
        end_of_cards={"player": PLAYER, "step": {"face_down", "face_up", "turn_end"}},
        collected=taken,
        drawn={"takes": [taken]},
        won={"player": PLAYER},
        endless={"from": U32, "to": U32},
        drawn_game={},
        stopped={"winner": player_or_null},
    )


TOKEN_EVENTS = Kind(
    started={"players": [NAME, NAME]},
    seeded={"player": PLAYER, "value": SEED},
    committed={"players": ([PUBLIC] * 2, different), "seed_hashes": [DIGITS_64] * 2},
    duel_started={},
    opened={"player": PLAYER, "seed": DIGITS_64},
    forfeited={"player": PLAYER},
    dealt={"hands": HANDS},
    decided={"player": PLAYER, "decision": {"play", "fold"}, "timed_out": {False, True}},
    tied={},
    settled={"deltas": [I64, I64]},
)
