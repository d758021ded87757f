"""Examples of the documentation, which must run, and scripts, which it must show unchanged."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import war

DOCS = Path(__file__).parents[2] / "docs"


def test_the_examples_of_the_reference_run():
    page = str(DOCS / "reference/python.md")
    done = doctest.testfile(page, module_relative=False)
    assert done.attempted > 15 and done.failed == 0


def test_the_example_of_the_module_runs():
    done = doctest.testmod(war)
    assert done.attempted > 2 and done.failed == 0


def test_the_guide_shows_the_scripts():
    guide = (DOCS / "guides/cluster.md").read_text()
    for language, name in (("sh", "slurm.sh"), ("sh", "parallel.sh"), ("python", "with_dask.py")):
        assert f"```{language}\n{(DOCS / 'files' / name).read_text()}```\n" in guide, name


def test_the_script_with_dask_plays_a_run(tmp_path):
    environment = {**os.environ, "GAMES": "2000", "DASK_DISTRIBUTED__DASHBOARD__LINK": ""}
    script = [sys.executable, DOCS / "files/with_dask.py"]
    subprocess.run(script, cwd=tmp_path, env=environment, check=True, timeout=300)
    assert (tmp_path / "run.json").read_text() == war.simulate(2_000, seed=1).to_json()
