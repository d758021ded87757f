"""Errors in the words of the program, with arguments in place of options."""

import pickle
import re

import pytest

import war
from test_figures import options


def as_arguments(error):
    """The program's error with `--face-down` as `face_down`."""
    return re.sub("--([a-z-]+)", lambda option: option[1].replace("-", "_"), error)


@pytest.mark.parametrize(
    "arguments",
    [
        {"games": 0},
        {"games": 10**13},
        {"players": 1},
        {"players": 6},
        {"players": 300},
        {"players": -1},
        {"players": 10**30},
        {"players": 5, "deck": "2x2"},
        {"players": 3, "out_of_cards": "loses"},
        {"players": 4, "rules": "xy"},
        {"deck": "65x1"},
        {"deck": "huge"},
        {"face_down": 6},
        {"collect": "pile"},
        {"piles": "three"},
        {"out_of_cards": "wins"},
        {"rules": "poker"},
        {"max_turns": 0},
        {"jobs": 0},
        {"kernel": "quick"},
        {"shard": "5/4"},
        {"shard": "1"},
        {"shard": "1/4", "games": 2},
        {"fix": (3, [14])},
        {"fix": (1, [14] * 5)},
        {"fix": (1, [99])},
        {"fix": (1, [13, 14]), "deck": "2x1"},
    ],
    ids=str,
)
def test_bad_arguments_are_refused_as_options_are(program, arguments):
    # An option's value is shown with its placeholder; the error is the same otherwise.
    asked = {"games": 9, "seed": 1, **arguments}
    code, _, error = program("simulate", *options(asked))
    assert code == 2
    with pytest.raises(ValueError) as refused:
        war.simulate(**asked)
    [argument, *_] = arguments
    said = re.sub(" <[^>]*>", "", as_arguments(error)).replace(",", "")
    assert str(refused.value).replace(",", "").startswith(said)


@pytest.mark.parametrize("value", ["2", 2.5, [2], object()])
def test_a_value_that_is_not_a_number_is_a_type_error(value):
    with pytest.raises(TypeError):
        war.simulate(1, players=value)


def test_whole_floats_are_numbers_of_games():
    assert war.simulate(1e2, seed=1).games == 100
    with pytest.raises(ValueError, match="`-1.0` is not a valid value for `games`"):
        war.simulate(-1.0)


def test_a_seed_has_64_bits(program):
    assert war.simulate(1, seed=2**64 - 1).seed == 2**64 - 1
    with pytest.raises(ValueError, match="use a whole number from 0 to 18446744073709551615"):
        war.simulate(1, seed=2**64)


def test_a_scenario_takes_the_place_of_deck_and_players():
    with pytest.raises(ValueError, match="`deal` can't be used with `players`"):
        war.simulate(1, deal=[[2], [3]], players=2)
    with pytest.raises(ValueError, match="`hands` can't be played: "):
        war.simulate(1, deal=[[2]])
    with pytest.raises(FileNotFoundError):
        war.simulate(1, deal="missing.json")


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 2, "shard": "2/2"},
        {"games": 91, "shard": "2/2"},
        {"shard": "1/2"},
        {"shard": "1/3"},
        {"shard": "3/3"},
        {"shard": "2/2", "deck": "small"},
        {"shard": "2/2", "face_down": 2},
    ],
    ids=str,
)
def test_parts_that_do_not_fit_are_refused_as_files_are(program, tmp_path, monkeypatch, other):
    monkeypatch.chdir(tmp_path)
    run = {"games": 90, "seed": 1}
    parts = [war.simulate(**run, shard="1/2"), war.simulate(**{**run, **other})]
    for number, part in enumerate(parts):
        (tmp_path / f"part {number}").write_text(part.to_json())
    code, _, error = program("simulate", "merge", "part 0", "part 1")
    assert code == 1
    for named in (parts, ["part 0", "part 1"]):
        with pytest.raises(ValueError) as refused:
            war.merge(named)
        assert str(refused.value) == as_arguments(error)
    if other != {"shard": "3/3"}:
        with pytest.raises(ValueError) as refused:
            parts[0] + parts[1]
        said = str(refused.value).replace("left", "part 0").replace("right", "part 1")
        assert said == as_arguments(error)


def test_a_run_without_parts_is_refused():
    with pytest.raises(ValueError, match="are missing from the parts"):
        war.merge([])
    with pytest.raises(TypeError):
        war.simulate(1) + 1


def test_files_that_are_not_parts_are_refused_as_by_the_program(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = war.simulate(9, seed=1).to_json()
    for bad in (
        "",
        "[]",
        text[: len(text) // 2],
        text.replace('"drawn": 0', '"drawn": 1'),
        text.replace('"version": 2', '"version": 99'),
    ):
        assert bad != text
        (tmp_path / "bad.json").write_text(bad)
        code, _, error = program("simulate", "merge", "bad.json")
        assert code == 1
        with pytest.raises(ValueError) as refused:
            war.read("bad.json")
        assert str(refused.value) == error
    (tmp_path / "bad.json").write_bytes(b"\xff")
    with pytest.raises(ValueError, match="`bad.json` is not part of a simulation"):
        war.read("bad.json")
    with pytest.raises(FileNotFoundError):
        war.read("missing.json")


def test_columns_are_kept_only_if_all_parts_have_them():
    with_columns = war.simulate(8, seed=1, shard="1/2", columns=True)
    without = war.simulate(8, seed=1, shard="2/2")
    for run in (without, with_columns + without, pickle.loads(pickle.dumps(without))):
        with pytest.raises(ValueError, match="without `columns=True`"):
            run.columns
