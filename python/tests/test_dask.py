"""Runs that Dask spreads over processes: their sum is the run of one machine."""

import os

import pytest
from dask import delayed
from dask.distributed import Client, LocalCluster, as_completed

import war

RUN = {"games": 2_000, "seed": 7, "rules": "bataille", "jobs": 1}


@pytest.fixture(scope="module")
def client():
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    )
    with cluster, Client(cluster) as client:
        yield client


def part(number):
    return os.getpid(), war.simulate(**RUN, shard=(number, 8), columns=True)


def test_parts_that_other_processes_play_add_up(client):
    played = client.gather(client.map(part, range(1, 9)))
    assert os.getpid() not in {process for process, _ in played}
    joined = sum(run for _, run in played)
    whole = war.simulate(**RUN, columns=True)
    assert joined == whole and joined.to_json() == whole.to_json()
    assert (joined.columns.turns == whole.columns.turns).all()


def test_parts_add_up_as_they_come(client):
    futures = client.map(lambda number: part(number)[1], range(1, 9))
    assert sum(future.result() for future in as_completed(futures)) == war.simulate(**RUN)


def test_a_sum_is_a_task_too(client):
    parts = [delayed(war.simulate)(**RUN, shard=(number, 4)) for number in range(1, 5)]
    assert delayed(sum)(parts).compute() == war.simulate(**RUN)


def test_errors_come_back(client):
    with pytest.raises(ValueError, match="`poker` is not a valid value for `rules`"):
        client.submit(war.simulate, 9, rules="poker").result()
