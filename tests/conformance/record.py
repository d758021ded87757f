#!/usr/bin/env python3
"""Records the good journals of the suite with a program: record.py target/debug/war

Existing journals are kept, since they must always verify. Of a few seeds, the one with the most
kinds of events is used.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

GOOD = Path(__file__).parent / "good"
COLLECT = ("seat", "seat-interleaved", "winner-first", "winner-pile", "bataille", "shuffled")
COLLECT += ("highest-first", "reversed-pile", "random")
HANDS = {
    # Three players run out of cards in the same war.
    "three_out": "[[14,2],[14,3],[14],[2,2,2]]",
    # Ranks above the ace, and a player without cards.
    "high": "[[64,1,1,30],[],[64,2,30,1]]",
    # Cards of one rank, which no shuffle changes.
    "one_rank": "[[5,5,5],[5,5,5]]",
}
OTHER_HANDS = {
    "circle": "[[2,3],[3,2]]",
    # Nobody wins a war, and under `shrink` hands recur although they were shuffled in between.
    "mirrored": "[[5,6],[5,6]]",
}


def custom():
    """Custom rules, as a name and the options of `war simulate`."""
    for collect in COLLECT:
        for out in ("eoc", "loses", "last-card", "shrink"):
            for down in (0, 1, 2, 3):
                # Only two of the numbers of face-down cards for each pair of names.
                if (COLLECT.index(collect) + len(out) + down) % 2:
                    yield f"{collect}_{out}_{down}", f"--deck 3x3 --collect {collect} --out-of-cards {out} --face-down {down}"
        for players in (3, 4, 5):
            yield f"{collect}_{players}_players", f"--deck 3x4 --players {players} --collect {collect}"
    for out in ("loses", "last-card", "shrink"):
        for down in (0, 2):
            yield f"two_ranks_{out}_{down}", f"--deck 2x4 --face-down {down} --out-of-cards {out} --max-turns 30"
    yield "two_ranks_endless", "--deck 2x6"
    yield "deepest", "--deck 2x15 --face-down 5 --out-of-cards loses --players 2"
    yield "many_ranks", "--deck 20x1 --collect winner-first --out-of-cards loses --max-turns 12"
    yield "one_turn", "--deck 3x2 --max-turns 1"
    yield "small_fixed", "--deck 4x2 --fix 2:14,11 --players 3"
    yield "bataille", "--rules bataille --deck 3x4"
    yield "by_seat_2", "--deck 3x4 --collect seat,winner-first --out-of-cards loses"
    for piles in ("two", "two-turned"):
        yield f"{piles}_2", f"--deck 5x4 --piles {piles} --collect winner-first --out-of-cards loses"
        yield f"{piles}_4", f"--deck 6x4 --piles {piles} --collect random,seat,shuffled,bataille --players 4"
        yield f"{piles}_last-card", f"--deck 4x3 --piles {piles} --out-of-cards last-card --face-down 2"
        yield f"{piles}_shrink", f"--deck 2x6 --piles {piles} --out-of-cards shrink --face-down 1 --max-turns 30"
        yield f"{piles}_fixed", f"--deck 4x3 --piles {piles} --fix 2:14,11 --players 3"
    yield "by_seat_3", "--deck 3x4 --collect bataille,random,reversed-pile --players 3"


def commands():
    for name, options in custom():
        yield "custom_" + name, f"simulate {options} --game SEED:3"
    for name in HANDS:
        for collect, out in (("seat", "eoc"), ("shuffled", "shrink"), ("bataille", "last-card")):
            if out == "eoc" or name == "one_rank":
                yield f"custom_hands_{name}_{out}", f"simulate --deal {name}.json --collect {collect} --out-of-cards {out} --max-turns 40 --game SEED:1"
        for piles in ("two", "two-turned"):
            yield f"custom_hands_{name}_{piles}", f"simulate --deal {name}.json --piles {piles} --max-turns 40 --game SEED:1"
    yield "custom_hands_mirrored", "simulate --deal mirrored.json --collect winner-first --out-of-cards shrink --max-turns 12 --game SEED:1"
    for players in (1, 2, 3, 4, 5):
        yield f"classic_{players}", f"{players} small --seed SEED"
    yield "classic_simulated", "simulate --deck small --players 5 --game SEED:2"
    yield "classic_simulated_fixed", "simulate --deck small --players 4 --fix 3:14,14,9 --game SEED:2"
    yield "classic_corrected", "+0 SMAL --seed SEED"
    yield "classic_one_too_many", "77 small --seed SEED --lang pl"
    yield "duels_default", "duels --numPlayers 5 --deckType small --strategy default --seed SEED"
    yield "duels_random", "duels --numPlayers 5 --deckType small --strategy random --seed SEED"
    yield "duels_missing", "duels --numPlayers 4 --seed SEED"
    yield "duels_three_out", "duels --scenario ./three_out.json --seed SEED"
    yield "duels_shuffle_scenario", "duels --scenario ./circle.json --strategy shuffle --seed SEED"
    yield "duels_random_scenario", "duels --scenario ./three_out.json --strategy random --seed SEED"
    yield "duels_stopped", "duels --scenario ./circle.json --seed SEED"
    yield "xy_shortest", "xy -- 558140"
    yield "xy_negative", "xy -- -SEED00"
    yield "xy_simulated_fixed", "simulate --rules xy --fix 2:13,13,13,12 --game SEED:0"

    lines = "--journal-version 2"
    yield "version_2_classic", f"1 small --seed SEED {lines} --meta evening=Łódź --meta table=3"
    yield "version_2_custom", f"simulate --deck 3x3 --game SEED:3 {lines}"
    yield (
        "version_2_duels",
        f"duels --scenario ./three_out.json --strategy random --seed SEED {lines} --compact",
    )
    yield "version_2_xy", f"xy {lines} --compact -- 558140"


def record(war, command):
    """Best journal of some seeds, or None if the command plays no game."""
    journals = []
    for seed in range(1, 17 if "SEED" in command else 2):
        with tempfile.TemporaryDirectory() as room:
            for name, hands in (HANDS | OTHER_HANDS).items():
                (Path(room) / f"{name}.json").write_text(hands)
            words = command.replace("SEED", str(seed)).split()
            at = words.index("--") if "--" in words else len(words)
            words[at:at] = ["--journal", "journal.json"]
            played = subprocess.run(
                [war, *words], cwd=room, capture_output=True, env={"HOME": room}, check=False
            )
            file = Path(room) / "journal.json"
            if played.returncode != 0 or not file.exists():
                print(f"{command}: {played.stderr.decode()}")
                return None
            journals.append(file.read_bytes())
    # Of the short journals, the one with the most kinds of events.
    kinds = re.compile(rb'"event":{"([a-z_]+)"|"(face_up)"')
    short = sorted(journals, key=len)[:8]
    return max(short, key=lambda journal: len(set(kinds.findall(journal))))


def main():
    war = str(Path(sys.argv[1]).resolve())
    GOOD.mkdir(exist_ok=True)
    for name, command in commands():
        file = GOOD / f"{name}.json"
        if not file.exists() and (journal := record(war, command)):
            file.write_bytes(journal)


if __name__ == "__main__":
    main()
