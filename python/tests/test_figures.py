"""Figures of the package, which equal those of the program to the byte."""

import csv
import io
import json
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import war

RULES = [
    {},
    {"rules": "bataille", "deck": "13x4"},
    {"rules": "XY"},
    {"rules": "household"},
    {"players": 4, "deck": "small", "face_down": 2, "collect": "winner-first"},
    {"out_of_cards": "last-card", "max_turns": 90, "kernel": "general"},
    {"piles": "Two", "deck": "small", "players": 3},
    {"fix": (1, [14, 14, 14, 14]), "collect": "shuffled", "out_of_cards": "loses"},
]


def options(arguments):
    """The arguments as options of the command line."""
    for name, value in arguments.items():
        if name == "fix":
            value = f"{value[0]}:{','.join(map(str, value[1]))}"
        yield from ("--" + name.replace("_", "-"), value)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_run_is_that_of_the_program(program, tmp_path, rules):
    code, summary, _ = program(
        "simulate", "--games", 400, "--seed", 3, *options(rules), "--json", "run.json"
    )
    assert code == 0
    run = war.simulate(400, seed=3, **rules)
    assert run.to_json() == (tmp_path / "run.json").read_text()
    assert run.summary() == json.loads(run.to_json())
    assert f"kernel:     {run.kernel}\n" in summary
    assert war.simulate(400, seed=3, jobs=3, **rules) == run
    assert war.read(tmp_path / "run.json") == run
    assert war.Run.from_json(run.to_json()) == run


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_columns_are_the_rows_of_the_program(program, rules):
    _, rows, _ = program(
        "simulate", "--games", 300, "--seed", 5, *options(rules), "--csv-games", "-"
    )
    columns = war.simulate(300, seed=5, columns=True, **rules).columns
    made = zip(*(column.tolist() for column in columns))
    for row in csv.DictReader(io.StringIO(rows)):
        game, verdict, winner, turns, wars, period = next(made)
        assert row == {
            "game": str(game),
            "verdict": war.VERDICTS[verdict],
            "winner": str(winner or ""),
            "turns": str(turns),
            "wars": str(wars),
            "period": str(period or ""),
        }
    assert next(made, None) is None


def test_columns_are_numpy_arrays_that_can_be_written():
    columns = war.simulate(50, seed=1, columns=True, shard="2/2").columns
    assert [column.dtype for column in columns] == [
        np.dtype(kind) for kind in ("u8", "u1", "u1", "u4", "u4", "u4")
    ]
    assert columns.game.tolist() == list(range(25, 50))
    columns.turns[0] = 7


def test_the_histogram_counts_finished_games():
    run = war.simulate(500, seed=1, rules="bataille", columns=True)
    turns, games = run.histogram
    finished = run.columns.turns[run.columns.verdict < 2]
    expected = np.unique(finished, return_counts=True)
    assert (turns.dtype, games.dtype) == (np.uint32, np.uint64)
    assert turns.tolist() == expected[0].tolist()
    assert games.tolist() == expected[1].tolist()


def test_parts_add_up_to_the_run_in_any_order(program, tmp_path):
    whole = war.simulate(100, seed=2, deck="small", columns=True)
    parts = [
        war.simulate(100, seed=2, deck="small", shard=(part, 7), columns=True)
        for part in range(1, 8)
    ]
    for order in (parts, parts[::-1], parts[::2] + parts[1::2]):
        joined = sum(order)
        assert joined == whole and joined.is_whole
        assert joined.to_json() == whole.to_json()
        for column, expected in zip(joined.columns, whole.columns):
            assert np.array_equal(column, expected)
        assert war.merge(order) == whole
    # The program joins these parts too, with a part that it played itself.
    for number, part in enumerate(parts[1:], 2):
        (tmp_path / f"{number}.json").write_text(part.to_json())
    code, _, _ = program(
        *("simulate", "--games", 100, "--seed", 2, "--deck", "small"),
        *("--shard", "1/7", "--json", "1.json"),
    )
    assert code == 0
    files = sorted(tmp_path.glob("*.json"))
    assert war.merge(files) == whole
    assert program("simulate", "merge", ".", "--json", "joined.json")[0] == 0
    assert (tmp_path / "joined.json").read_text() == whole.to_json()


def test_parts_with_a_gap_wait_for_the_missing_games():
    first, last = (war.simulate(9, seed=2, shard=shard) for shard in ("1/3", "3/3"))
    both = last + first
    assert both.parts == [range(0, 3), range(6, 9)] and not both.is_whole
    assert (both.games, both.seed) == (9, 2)
    assert repr(both) == "<war.Run of 9 games with seed 2: 0 to 2, 6 to 8>"
    for figures in (both.to_json, both.summary, lambda: both.histogram):
        with pytest.raises(ValueError, match="games 3 to 5 are missing from the parts"):
            figures()
    assert both + war.simulate(9, seed=2, shard="2/3") == war.simulate(9, seed=2)


def test_runs_can_be_sent_elsewhere():
    for run in (
        war.simulate(50, seed=1, columns=True),
        war.simulate(9, seed=1, shard="1/3") + war.simulate(9, seed=1, shard="3/3"),
    ):
        sent = pickle.loads(pickle.dumps(run))
        assert sent == run and sent.kernel == run.kernel
        if run.kernel:
            assert np.array_equal(sent.columns.turns, run.columns.turns)


def test_hands_are_those_of_a_scenario(program, tmp_path):
    hands = [[14, 2, 3], [5, 9, 10]]
    (tmp_path / "ssc_mine.json").write_text(json.dumps(hands))
    program("simulate", "--games", 9, "--seed", 1, "--deal", "ssc_mine.json", "--json", "run.json")
    run = war.simulate(9, seed=1, deal=tmp_path / "ssc_mine.json")
    assert run.to_json() == (tmp_path / "run.json").read_text()
    same = war.simulate(9, seed=1, deal=hands).summary()
    assert same["outcomes"] == run.summary()["outcomes"]


def test_a_random_seed_is_drawn_by_default():
    assert war.simulate(1).seed != war.simulate(1).seed


def test_other_threads_go_on_while_games_are_played():
    done = threading.Event()
    player = threading.Thread(target=lambda: (war.simulate(3e5, seed=1, jobs=1), done.set()))
    player.start()
    counted = 0
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    player.join()
    # A player that kept the interpreter's lock would let this thread count only once or twice.
    assert counted > 10


def test_ctrl_c_ends_a_run():
    # A shell that starts the tests in the background may make them ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        war.simulate(1e12, seed=1)
    signal.signal(signal.SIGINT, before)


def test_no_warning_is_raised():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        war.simulate(10, seed=1, columns=True).histogram
