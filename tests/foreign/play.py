"""Pairs of players play at a table until standard input ends.

    python3 tests/foreign/play.py 127.0.0.1:8080[,ANOTHER NODE...] [PAIRS] [GAMES]

Each plays at least this many games, whatever happens to the table. At the end they reconnect
and compare. Each line of the output describes one player, as JSON.
"""

import json
import sys
import threading

from player import Player
from schema import Schema


def turned(addresses, by):
    """Addresses rotated by a number, to spread the players."""
    by %= len(addresses)
    return addresses[by:] + addresses[:by]


def main():
    """Runs the players, and exits with an error if one of them failed."""
    addresses = sys.argv[1].split(",")
    pairs, least = int((sys.argv + ["1"])[2]), int((sys.argv + ["", "3"])[3])
    schema, ended, failures = Schema(addresses[0]), threading.Event(), []
    games = ("single-card-game", "double-card-game")
    players = [
        Player(turned(addresses, index), f"Guest {index + 1}", games[index // 2 % 2], schema)
        for index in range(2 * pairs)
    ]

    def over():
        enough = all(len(player.games) >= least for player in players)
        return bool(failures) or (ended.is_set() and enough)

    def run(player):
        try:
            player.play(over)
            player.compare()
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=run, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    ended.set()
    for thread in threads:
        thread.join()
    for player in players:
        print(json.dumps(player.summary()))
    sys.exit(1 if failures else 0)


main()
