"""The notebook, which must run and have the figures of the documentation."""

import json
import re
from pathlib import Path

import pytest

GAMES = 2_000
PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def names():
    """Variables that the notebook's cells define, with fewer games than in the documentation."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    notebook = json.loads((PROJECT / "python/notebooks/figures.ipynb").read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] for cell in cells)
    names = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMES", str(GAMES))
        patch.setattr(pyplot, "show", lambda: None)
        for cell in cells:
            exec("".join(cell["source"]), names)
    names["drawn"] = [figure for figure in map(pyplot.figure, pyplot.get_fignums())]
    yield names
    pyplot.close("all")


def test_it_draws(names):
    drawn = [axes for figure in names["drawn"] for axes in figure.axes]
    assert len(drawn) == 4 and all(axes.has_data() for axes in drawn)


def test_its_figures_are_those_of_the_documentation(names):
    page = (PROJECT / "docs/reference/figures.md").read_text()
    row = re.compile(r"^\| (\d) \| (24|52) \| `seat` \|.*\| ([\d.]+) ± [\d.]+ \| ([^|]+), ±", re.M)
    rows = row.findall(page)
    assert len(rows) == len(names["endless"]) == 8
    for players, cards, endless, wins in rows:
        table = int(players), {"24": "small", "52": "large"}[cards]
        published = [float(endless), *map(float, wins.split(" / "))]
        played = [names["endless"][table], *names["wins"][table]]
        assert len(published) == len(played)
        for percent, share in zip(published, played):
            # Five standard errors of these few games.
            spread = (percent / 100 * (1 - percent / 100) / GAMES) ** 0.5
            assert abs(share - percent / 100) < 5 * spread, (table, percent, share)
    assert abs(names["means"][-1] / 64**2 - 0.1245) < 0.01
