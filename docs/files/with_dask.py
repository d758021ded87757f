"""Plays a run on all workers of a Dask cluster, and joins its parts as they come."""

import os

from dask.distributed import Client, as_completed

import war

GAMES = float(os.environ.get("GAMES", 1e9))
PARTS = 100


def part(number):
    return war.simulate(GAMES, seed=1, shard=(number, PARTS), jobs=1)


if __name__ == "__main__":
    # Without an address, Dask starts workers on this machine.
    with Client(os.environ.get("DASK_SCHEDULER_ADDRESS")) as client:
        parts = client.map(part, range(1, PARTS + 1))
        run = sum(future.result() for future in as_completed(parts))
    with open("run.json", "w") as file:
        file.write(run.to_json())
    print(run.summary()["outcomes"])
