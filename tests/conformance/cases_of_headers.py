"""Changed headers, with and without a recomputed chain."""

from case import Case, fine
from forge import Draft, compact

CHACHA, JAVA, XOSHIRO = (
    "chacha8-fisher-yates/1",
    "java-util-random/1",
    "xoshiro256++-fisher-yates/1",
)
TOKENS = "hmac-sha256-chacha8-fisher-yates/1"


def cases():
    yield from unknown_names()
    yield from versions_and_rules()
    yield from wrong_fields()
    yield from deals()
    yield from orders()


def changed(name, change, chained=True):
    draft = Draft(name).short(2)
    change(draft)
    return (draft.chained() if chained else draft).text()


def put(*path_and_value):
    """Change that puts values at paths of the header."""
    *path, last, value = path_and_value

    def change(draft):
        place = draft.header
        for key in path:
            place = place[key]
        place[last] = value

    return change


def unknown_names():
    one = "classic_1"
    for change, what in (
        (put("color", "red"), "an unknown field"),
        (put("console", "font", 1), "an unknown field of the console"),
        (put("rules", "jokers", 2), "an unknown parameter"),
        (put("rules", "collect", "sideways"), "an unknown order"),
        (put("rules", "out_of_cards", "borrows"), "an unknown rule for wars"),
        (put("deck", "tarot"), "an unknown deck"),
        (put("deal", {"drafted": {}}), "an unknown deal"),
        (put("deal", "shuffled", "generator", "dice/1"), "an unknown generator"),
        (put("deal", "shuffled", "stirred", True), "an unknown field of the deal"),
        (put("console", "lang", "de"), "an unknown language"),
        (put("console", "renderer", 2), "renderer 2"),
        (put("console", "renderer", 255), "renderer 255"),
        (put("console", "corrections", [{"too_late": {}}]), "an unknown correction"),
    ):
        yield Case(changed(one, change), "WJ003", 1, f"{what}, recorded so")
    for change, code, what in (
        (put("color", "red"), "WJ103", "an unknown field"),
        (put("console", "font", 1), "WJ103", "an unknown field of the console"),
        (put("deal", {"drafted": {}}), "WJ103", "an unknown deal"),
        (put("console", "corrections", [{"too_late": {}}]), "WJ103", "an unknown correction"),
        (put("console", "lang", "de"), "WJ202", "an unknown language"),
        (put("deal", "shuffled", "generator", "dice/1"), "WJ202", "an unknown generator"),
        (put("console", "renderer", 2), "WJ202", "renderer 2"),
    ):
        yield Case(changed(one, change, False), code, 1, f"{what}, put in later")
    yield Case(
        changed("custom_drawn", put("rules", "repetition", "rewinds")),
        "WJ003",
        1,
        "an unknown repetition, recorded so",
    )


def versions_and_rules():
    one = "classic_1"
    for chained in (True, False):
        how = "recorded so" if chained else "put in later"
        for version in (0, 3, 999):
            yield Case(
                changed(one, put("version", version), chained),
                "WJ003",
                1,
                f"version {version}, {how}",
            )
        for rules in ("classic/2", "poker/1", "classic", "mine:variant/1"):
            yield Case(
                changed(one, put("rules", "id", rules), chained),
                "WJ003",
                1,
                f"the rules {rules}, {how}",
            )
    for version in ("1", 1.5, -1, None, True):
        yield Case(changed(one, put("version", version)), "WJ103", 1, f"version {compact(version)}")
    yield Case(changed(one, put("rules", "id", 7)), "WJ103", 1, "rules that are a number")
    yield Case(
        changed(one, put("rules", {"id": "poker/1"}), False),
        "WJ003",
        1,
        "unknown rules without parameters",
    )
    for rules, what in (
        ({"face_down": 2}, "another number of cards face down than classic/1 has"),
        ({"out_of_cards": "loses"}, "another rule for wars than classic/1 has"),
    ):
        yield Case(
            changed(one, lambda draft: draft.header["rules"].update(rules)), "WJ003", 1, what
        )


def wrong_fields():
    one = "classic_1"
    fields = ("engine", "rules", "players", "deck", "deal", "console", "version", "chain")
    for field in fields:
        text = without_chain(one, field)
        yield Case(text, "WJ103", 1, f"without `{field}`")
    yield Case(without_chain(one, "format"), "WJ002", 1, "without `format`")
    for path in (
        ("rules", "id"),
        ("rules", "collect"),
        ("console", "lang"),
        ("deal", "shuffled", "seed"),
    ):

        def remove(draft):
            place = draft.header
            for key in path[:-1]:
                place = place[key]
            del place[path[-1]]

        yield Case(changed(one, remove), "WJ103", 1, f"without `{'.'.join(path)}`")
    for path, value in (
        (("players",), "1"),
        (("players",), 1.0),
        (("players",), -1),
        (("players",), 256),
        (("players",), None),
        (("players",), [1]),
        (("engine",), None),
        (("engine",), 1),
        (("deck",), 24),
        (("rules", "face_down"), 256),
        (("rules", "face_down"), -1),
        (("rules", "collect"), None),
        (("rules",), []),
        (("console", "renderer"), "1"),
        (("console", "renderer"), 2**32),
        (("console", "corrections"), None),
        (("console", "corrections"), {}),
        (("deal",), "shuffled"),
        (("deal",), {}),
        (("deal", "shuffled", "seed"), 7),
        (("deal",), {"imported": []}),
        (("deal",), {"imported": {}, "scenario": {"name": "x"}}),
    ):
        where = ".".join(path)
        yield Case(changed(one, put(*path, value)), "WJ103", 1, f"`{where}` is {compact(value)}")
    yield Case(
        changed("custom_undecided", put("rules", "max_turns", None)),
        "WJ103",
        1,
        "`max_turns` is null",
    )
    yield Case(
        changed("custom_undecided", put("rules", "max_turns", 2**32)),
        "WJ103",
        1,
        "`max_turns` is too large",
    )
    text = Draft(one).text()
    for field in ('"players":1', '"engine":"x"', '"format":"war-journal"'):
        yield Case(
            text.replace('"deck"', field + ',"deck"', 1), "WJ103", 1, f"{field} a second time"
        )
    yield Case(
        text.replace('"lang":"en"', '"lang":"en","lang":"en"', 1), "WJ103", 1, "the language twice"
    )
    chain = Draft(one).header["chain"]
    yield Case(text.replace(chain, chain.upper(), 1), "WJ103", 1, "a chain in capital letters")
    yield Case(text.replace(chain, chain[:30], 1), "WJ103", 1, "a chain that is too short")
    other = chain[:-1] + ("0" if chain[-1] != "0" else "1")
    yield Case(text.replace(chain, other, 1), "WJ202", 1, "a chain that does not match")
    deep = "[" * 64 + "]" * 64
    yield Case(
        text.replace('"deck"', f'"more":{deep},"deck"', 1), "WJ103", 1, "nested deeper than 64"
    )
    yield Case(changed(one, put("engine", "another program"), False), "WJ202", 1, "another engine")
    yield fine(
        changed("classic_1", put("engine", 'another program, Ünïcödé \u2028 "\\\x7f\x1f\t')),
        "recorded by another engine",
    )
    yield Case(text[: text.index(',"events"')] + "}\n", "WJ103", 1, "a header without events")


def without_chain(name, field):
    draft = Draft(name)
    del draft.header[field]
    if field != "chain":
        draft.chained()
    return draft.text()


def deals():
    one = "classic_1"
    for seed in ("", "07", "+7", "-7", "7 ", "x", "18446744073709551616", "7:1", "٧"):
        yield Case(
            changed(one, put("deal", "shuffled", "seed", seed)),
            "WJ103",
            1,
            f"the seed {compact(seed)}",
        )
    for seed in ("9223372036854775808", "-9223372036854775809", "-0", "1e3"):
        yield Case(
            changed("xy_shortest", put("deal", "shuffled", "seed", seed)),
            "WJ103",
            1,
            f"a seed of Java's: {compact(seed)}",
        )
    for seed in ("1", "1:", ":1", "1:2:3", "01:1", "1:18446744073709551616", "-1:1"):
        yield Case(
            changed("classic_simulated", put("deal", "shuffled", "seed", seed)),
            "WJ103",
            1,
            f"a seed of xoshiro's: {compact(seed)}",
        )
    yield Case(changed(one, put("deal", "shuffled", "seed", "8")), "WJ303", 2, "another seed")

    def shuffled(generator, seed="1"):
        return {"shuffled": {"generator": generator, "seed": seed}}

    def fixed(generator, seed="1"):
        return {"fixed": {"generator": generator, "seed": seed, "player": 1, "cards": []}}

    committed = {"generator": TOKENS, "game": 1, "commitment": "0" * 64, "seed": "0" * 64}
    scenario, imported = {"scenario": {"name": "x"}}, {"imported": {}}
    for name, deal, what in (
        (one, shuffled(JAVA), "classic/1 dealt by Java"),
        (one, shuffled(TOKENS), "classic/1 dealt as a token game"),
        (one, imported, "classic/1 imported"),
        (one, fixed(CHACHA), "classic/1 with a fixed hand by ChaCha8"),
        (one, {"committed": committed}, "classic/1 committed"),
        ("duels_default", shuffled(XOSHIRO, "1:1"), "duels-default/1 simulated"),
        ("duels_random", fixed(XOSHIRO, "1:1"), "duels-random/1 with a fixed hand"),
        ("duels_default", imported, "duels-default/1 imported"),
        ("xy_shortest", shuffled(CHACHA), "xy/1 dealt by ChaCha8"),
        ("xy_shortest", scenario, "xy/1 from a scenario"),
        ("custom_drawn", shuffled(CHACHA), "custom/1 dealt by ChaCha8"),
        ("custom_drawn", shuffled(JAVA), "custom/1 dealt by Java"),
        ("custom_drawn", imported, "custom/1 imported"),
        ("double_card_tied", shuffled(CHACHA), "a token game shuffled"),
        ("double_card_tied", scenario, "a token game from a scenario"),
        (
            "double_card_tied",
            {"committed": committed | {"generator": CHACHA}},
            "a token game dealt by ChaCha8",
        ),
    ):
        yield Case(changed(name, put("deal", deal)), "WJ103", 1, what)
    scenario = "classic_scenario_endless"
    for name in ("a/b", "/", "a\0"):
        yield Case(
            changed(scenario, put("deal", "scenario", "name", name)),
            "WJ103",
            1,
            f"a scenario named {compact(name)}",
        )
    for field, value in (
        ("seed", "0" * 63),
        ("seed", "A" * 64),
        ("commitment", "g" * 64),
        ("game", 2**64),
        ("game", "1"),
    ):
        put_in = put("deal", "committed", field, value)
        yield Case(
            changed("double_card_tied", put_in),
            "WJ103",
            1,
            f"a token game whose {field} is {compact(value)[:12]}",
        )
    for player, cards in ((0, [14]), (256, [14]), (1, [0]), (1, [65]), (1, ["14"])):
        deal = {"generator": XOSHIRO, "seed": "1:1", "player": player, "cards": cards}
        yield Case(
            changed("custom_fixed", put("deal", {"fixed": deal})),
            "WJ103",
            1,
            f"{cards} fixed for player {player}",
        )
    for player, cards in ((3, [14]), (1, [14] * 5), (1, [1])):
        deal = {"generator": XOSHIRO, "seed": "1:1", "player": player, "cards": cards}
        yield Case(
            changed("custom_fixed", put("deal", {"fixed": deal})),
            "WJ303",
            2,
            f"{cards} fixed for player {player}",
        )


def orders():
    two, three = "custom_winner-first_loses_0", "custom_winner-first_3_players"
    for name, collect, what in (
        (two, "seat,sideways", "an unknown order in a list"),
        (two, "winner-first,", "a list of orders that ends with a comma"),
        (two, "winner-first,winner-first", "the same order for both"),
        (two, "winner-first,seat,seat", "three orders where two play"),
        (three, "seat," * 5 + "random", "six orders"),
    ):
        yield Case(changed(name, put("rules", "collect", collect)), "WJ003", 1, what)
    for collect in ("seat,winner-first", "seat,seat,seat,random"):
        what = f"{collect.count(',') + 1} orders for three players"
        yield Case(changed(three, put("rules", "collect", collect)), "WJ303", 2, what)
