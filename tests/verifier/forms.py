"""The forms of a journal's records: which fields they have, with which values.

A form is a function of a value. It returns the value with its fields in canonical order. It raises
UnknownName for a name that it does not know, and ValueError for anything else that is wrong,
whichever comes first.
"""

import json
import re
import unicodedata

HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ue000-\uf8ff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U0010ffff]"
)


class UnknownName(Exception):
    """A name that only a newer program may write."""


def number(low, high):
    def form(value):
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{value!r} is not a number from {low} to {high}")
        return value

    return form


def text(fits=lambda value: True):
    def form(value):
        if type(value) is not str or not fits(value):
            raise ValueError(f"{value!r} does not fit")
        return value

    return form


def digits(count):
    return text(re.compile(f"[0-9a-f]{{{count}}}").fullmatch)


def name(known):
    """One of some names, or any text of which a function knows whether it is one."""

    def form(value):
        text()(value)
        if not (known(value) if callable(known) else value in known):
            raise UnknownName(value)
        return value

    return form


def either(form, other):
    """A value of one type, or the one other value."""
    return lambda value: value if value is other else form(value)


def many(item, length=None):
    def form(value):
        if type(value) is not list or length not in (None, len(value)):
            raise ValueError("not a list, or not as long as it must be")
        return [item(each) for each in value]

    return form


def fields(**forms):
    """An object. A field whose name ends in `_or_none` may be left out."""
    forms = {key.removesuffix("_or_none").strip("_"): (key, form) for key, form in forms.items()}

    def form(value):
        if type(value) is not dict:
            raise ValueError("not an object")
        found = {}
        for key in value:
            if key not in forms:
                raise UnknownName(key)
            found[key] = forms[key][1](value[key])
        for key, (name, _) in forms.items():
            if key not in found and not name.endswith("_or_none"):
                raise ValueError(f"{key} is missing")
        return {key: found[key] for key in forms if key in found}

    return form


def kind(**forms):
    """An object of one field, whose name says what it is."""

    def form(value):
        if type(value) is str and value not in forms:
            raise UnknownName(value)
        if type(value) is not dict or len(value) != 1:
            raise ValueError("not an object of one field")
        [(key, content)] = value.items()
        if key not in forms:
            raise UnknownName(key)
        return {key: forms[key](content)}

    return form


def visible(value):
    """Whether a text of a player's holds visible characters only."""
    return not HIDDEN.search(value) and all(unicodedata.category(c) != "Cc" for c in value)


def is_name(value):
    shown = value.strip("".join(map(chr, range(0xFE00, 0xFE10))))
    return visible(value) and value == value.strip() and shown != "" and len(value) <= 32


def deck_of(value):
    """The cards of a deck in ascending order, once for each suit, or None."""
    named = {"small": (9, 14, 4), "large": (2, 14, 4), "thirteen": (1, 13, 4)}
    if value in named:
        lowest, highest, suits = named[value]
    elif re.fullmatch("[1-9][0-9]?x[1-9][0-9]{0,2}", value) and value not in ("6x4", "13x4"):
        ranks, suits = map(int, value.split("x"))
        highest = max(ranks, 14)
        lowest = highest - ranks + 1
        if ranks > 64 or not 2 <= ranks * suits <= 255:
            return None
    else:
        return None
    return list(range(lowest, highest + 1)) * suits


U8, U32, U64 = number(0, 2**8 - 1), number(0, 2**32 - 1), number(0, 2**64 - 1)
PLAYER = number(1, 255)
CARD = number(1, 14)
ANY_CARD = number(1, 64)
NOTHING = fields()

GENERATORS = (
    "chacha8-fisher-yates/1",
    "java-util-random/1",
    "xoshiro256++-fisher-yates/1",
    "hmac-sha256-chacha8-fisher-yates/1",
)
SEED = {"generator": name(GENERATORS), "seed": text()}
DEAL = kind(
    shuffled=fields(**SEED),
    fixed=fields(**SEED, player=PLAYER, cards=many(ANY_CARD)),
    scenario=fields(name=text()),
    imported=NOTHING,
    committed=fields(generator=name(GENERATORS), game=U64, commitment=digits(64), seed=digits(64)),
)
CORRECTION = kind(
    both=fields(players=text(), deck=text()),
    players_out_of_range=fields(provided=text()),
    players_unparseable=fields(provided=text()),
    players_missing=NOTHING,
    deck_unrecognized=fields(provided=text()),
    deck_missing=NOTHING,
)
COLLECT = ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille", "shuffled")
RULES = fields(
    id=text(),
    face_down_or_none=U8,
    collect_or_none=name(COLLECT),
    out_of_cards_or_none=name(("eoc", "loses", "last-card", "shrink")),
    repetition_or_none=name(("ends", "goes-on")),
    max_turns_or_none=U32,
)


def rules(value):
    """Token games have their id alone; all others must have three parameters."""
    value = RULES(value)
    if value["id"] not in ("single-card-game/1", "double-card-game/1") or len(value) > 1:
        for parameter in ("face_down", "collect", "out_of_cards"):
            if parameter not in value:
                raise ValueError(f"{parameter} is missing")
    return value


def renderer(value):
    if U32(value) > 1:
        raise UnknownName(f"renderer {value}")
    return value


def meta(value):
    """Notes: texts by name, sorted by the bytes of the names."""
    if type(value) is not dict or len(value) > 64 or "" in value:
        raise ValueError("meta is not an object of up to 64 named texts")
    if any(type(note) is not str for note in value.values()):
        raise ValueError("a note is not a text")
    if list(value) != sorted(value, key=str.encode) or len(compact(value).encode()) > 8192:
        raise ValueError("meta is not sorted, or too long")
    return value


CHAIN = {"chain": digits(32)}
HEADER = {
    "format": text(),
    "version": U32,
    "engine": text(),
    "rules": rules,
    "players": U8,
    "deck": name(deck_of),
    "deal": DEAL,
    "console": fields(renderer=renderer, lang=name(("en", "pl")), corrections=many(CORRECTION)),
}
HEADERS = {
    1: fields(**HEADER, **CHAIN),
    2: fields(**HEADER, meta=meta, upgraded_from_or_none=digits(32), **CHAIN),
}


def war_event(card):
    plays = many(fields(player=PLAYER, card=card, index_or_none=number(1, 2**16 - 1)))
    cards = many(card)
    return kind(
        dealt=fields(hands=many(cards)),
        reshuffled=fields(hands=many(cards)),
        clash=fields(plays=plays),
        face_down=fields(plays=plays),
        war_round=fields(round=U32, plays=plays),
        end_of_cards=fields(player=PLAYER, step=name(("face_down", "face_up", "turn_end"))),
        collected=fields(player=PLAYER, cards=cards),
        drawn=fields(takes=many(fields(player=PLAYER, cards=cards))),
        won=fields(player=PLAYER),
        endless=fields(from_=U32, to=U32),
        drawn_game=NOTHING,
        stopped=fields(winner=either(PLAYER, None)),
    )


def boolean(value):
    if type(value) is not bool:
        raise ValueError("not true or false")
    return value


TOKEN_EVENT = kind(
    started=fields(players=many(text(is_name), 2)),
    seeded=fields(
        player=PLAYER, value=text(lambda value: visible(value) and len(value.encode()) <= 64)
    ),
    dealt=fields(hands=many(many(text(re.compile("[2-9TJQKA][cdhs]").fullmatch)), 2)),
    decided=fields(player=PLAYER, decision=name(("play", "fold")), timed_out=boolean),
    tied=NOTHING,
    settled=fields(deltas=many(number(-(2**63), 2**63 - 1), 2)),
)


def record(event, compacted):
    """The record of an event."""
    if compacted:
        return fields(event=event)
    return fields(seq=U64, turn=U32, event=event, state=digits(16), **CHAIN)


END = {
    "reason": name(("won", "endless", "drawn", "stopped", "folded", "cut_off")),
    "winner": either(PLAYER, None),
    "turns": U32,
    "events": U64,
    "console": fields(bytes=U64, blake3=digits(64)),
}
ENDS = {1: fields(**END, **CHAIN), 2: fields(end=fields(**END), **CHAIN)}


def compact(value):
    """Compact JSON: the canonical form of what is in canonical order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
