#!/usr/bin/env python3
"""Compares this verifier with `war` on random journals and random forgeries of them.

    compare.py target/debug/war [SEED] [GAMES] [VERSION]

Records games of random rules, seeds, players, strategies and scenarios, changes copies of them in
random ways, and prints every journal on which the two differ in verdict or line.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from verify import verify

sys.path.append(str(Path(__file__).parent.parent / "conformance"))

from forge import Draft  # noqa: E402

COLLECT = ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille", "shuffled")
COLLECT += ("highest-first", "reversed-pile", "random")
OUT_OF_CARDS = ("eoc", "loses", "last-card", "shrink")
PILES = ("one", "one", "two", "two-turned")
DECKS = ("2x2", "2x4", "3x3", "4x4", "5x3", "small", "8x2", "30x1", "20x2", "3x5", "1x9")
VALUES = (None, 0, 1, -1, 255, 256, 1.5, True, "", "1", "seat", "7:7", "2x4", [], {})


def hands(chance, players, lowest, highest, most):
    """Random hands of few ranks, to cause wars."""
    ranks = chance.sample(range(lowest, highest + 1), min(highest - lowest, chance.randint(2, 6)))
    sizes = [chance.choice((0, 1, 2, 3, chance.randint(1, most))) for _ in range(players)]
    return [[chance.choice(ranks) for _ in range(size)] for size in sizes]


def command(chance, scenario):
    """Options of a random game, with a file for a scenario."""
    seed = chance.randrange(2**63)
    out = chance.choice(OUT_OF_CARDS)
    players = chance.randint(2, 5) if out == "eoc" else 2
    rules = f"--collect {chance.choice(COLLECT)} --out-of-cards {out}"
    rules += f" --face-down {chance.randint(0, 5)} --piles {chance.choice(PILES)}"
    if out == "shrink" or chance.random() < 0.4:
        rules += f" --max-turns {chance.randint(1, 60)}"
    strategy = chance.choice(("", "--strategy default", "--strategy shuffle", "--strategy random"))
    match chance.choice(("classic", "duels", "xy", "custom", "custom", "made", "made", "made")):
        case "classic":
            return f"{chance.randint(1, 5)} small --seed {seed}"
        case "duels":
            deck = chance.choice(("small", "small", "large"))
            fewest = chance.randint(2, 5)
            return f"duels --numPlayers {fewest} --deckType {deck} --seed {seed} {strategy}"
        case "xy":
            return f"xy -- {chance.choice((seed, -seed, chance.randint(-99, 99)))}"
        case "custom":
            deck = f"--deck {chance.choice(DECKS)} --players {players}"
            return f"simulate {deck} {rules} --game {seed}:{chance.choice((0, 7, 2**62))}"
    made = chance.choice(("classic", "duels", "custom"))
    if made == "classic":
        cards = [chance.randint(9, 14) for _ in range(chance.choice((24, 24, 52)))]
        dealt = [[] for _ in range(chance.randint(1, 5))]
        for card in cards:
            chance.choice(dealt).append(card)
        scenario.write_text(json.dumps(dealt))
        return f"--scenario {scenario}"
    if made == "duels":
        scenario.write_text(json.dumps(hands(chance, chance.randint(2, 5), 1, 14, 12)))
        return f"duels --scenario {scenario} {strategy}"
    scenario.write_text(json.dumps(hands(chance, players, 1, 64, 9)))
    return f"simulate --deal {scenario} {rules} --max-turns 200 --game 1:1"


def record(war, chance, room, number, version):
    """Random journal, or None if the game was refused."""
    journal = room / f"{number}.json"
    words = command(chance, room / f"hands_{number}.json").split()
    options = ["--journal", str(journal)]
    if version == 2:
        options += ["--journal-version", "2"] + ["--compact"] * chance.randint(0, 1)
        options += ["--meta", "note=Łó"] * chance.randint(0, 1)
    at = words.index("--") if "--" in words else len(words)
    words[at:at] = options
    played = subprocess.run([war, *words], cwd=room, capture_output=True, check=False)
    return journal if played.returncode == 0 and journal.exists() else None


def changed_bytes(chance, data):
    """Copy that is truncated, torn or changed somewhere."""
    at = chance.randrange(len(data))
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randint(0, 5):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + bytes(chance.randint(1, 50))
        case 2:
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case 3:
            del lines[one]
        case 4:
            lines.insert(one, lines[other])
        case 5:
            lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def places(value, path=()):
    if path and path[-1] != "chain":
        yield path, value
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in items:
            yield from places(part, (*path, key))


def other_value(chance, value):
    if chance.random() < 0.2:
        return chance.choice(VALUES)
    if isinstance(value, dict):
        left = [key for key in value if chance.random() < 0.7]
        return {key: value[key] for key in left} | chance.choice(({}, {"more": 1}))
    if isinstance(value, list):
        return chance.choice((value[::-1], value[:-1], value + value[-1:], value[1:] + value[:1]))
    if isinstance(value, str):
        return chance.choice((value + "x", value[:-1], value.upper()))
    return not value if isinstance(value, bool) else (value or 0) + chance.choice((1, -1, 13))


def changed_value(chance, journal):
    """Copy in which one value is replaced, mostly with a recomputed chain."""
    draft = Draft(journal)
    records = [draft.header, draft.end, *draft.events]
    record = chance.choice((records[0], records[1], *[chance.choice(records[2:])] * 4))
    path, value = chance.choice(list(places(record)))
    for key in path[:-1]:
        record = record[key]
    record[path[-1]] = other_value(chance, value)
    return (draft.chained() if chance.random() < 0.85 else draft).text().encode()


def verdicts_of_war(war, files):
    """Verdict, line and code of each file, according to the program."""
    run = subprocess.run([war, "journal", "check", *files], capture_output=True, check=False)
    details = run.stderr.decode(errors="replace")
    for file, line in zip(files, run.stdout.decode(errors="replace").splitlines()):
        fault = re.search(f"^{re.escape(str(file))}:(\\d+):\\d+: (WJ\\d+)", details, re.MULTILINE)
        yield line.split(" ")[0], int(fault[1]) if fault else None, fault[2] if fault else None


def main():
    war = str(Path(sys.argv[1]).resolve())
    seed, games, version = map(int, [*sys.argv[2:], *("1", "50", "1")[len(sys.argv) - 2 :]])
    chance = random.Random(seed)
    room = Path(tempfile.mkdtemp(prefix="journals-"))
    files = []
    for number in range(games):
        if not (journal := record(war, chance, room, number, version)):
            continue
        files.append(journal)
        data = journal.read_bytes()
        for copy in range(8 if len(data) < 100_000 else 0):
            by_value = version == 1 and chance.random() < 0.6
            changed = changed_value(chance, journal) if by_value else changed_bytes(chance, data)
            files.append(journal.with_suffix(f".{copy}.json"))
            files[-1].write_bytes(changed)
    differ = 0
    for start in range(0, len(files), 100):
        part = files[start : start + 100]
        for file, (verdict, line, code) in zip(part, verdicts_of_war(war, part), strict=True):
            found, place, why = verify(file.read_bytes())
            # Invalid JSON may be reported at another line of the record.
            if verdict == found and code == "WJ001":
                continue
            # Without the screens, their digest can't be checked.
            if (verdict, line) != (found, place) and (code, found) != ("WJ304", "VERIFIED"):
                differ += 1
                print(f"{file}: {verdict} {line} {code}, here {found} {place}: {why}")
    print(f"{len(files)} journals in {room}, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
