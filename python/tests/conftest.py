"""Fixtures of the tests: the program, whose figures and messages the package shares."""

import os
import re
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(os.environ.get("WAR_PROGRAM", Path(__file__).parents[2] / "target/debug/war"))


@pytest.fixture
def program(tmp_path):
    """Function that runs the program and returns its exit code, output and first error."""

    def run(*arguments):
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        command = [PROGRAM, "--no-log", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        error = re.search("^error: (.*)$", done.stderr, re.MULTILINE)
        return done.returncode, done.stdout, error and error[1]

    return run
