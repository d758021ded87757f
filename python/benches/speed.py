"""Compares the processor time of the package with that of the program.

    cargo build --release && pip install ./python
    python python/benches/speed.py target/release/war 3000000

Python's startup time is not counted, but the program's startup time is. The package is as fast as
the program if the last line is at least 0.97.
"""

import os
import resource
import statistics
import subprocess
import sys

ROUNDS = 7


def processor_time(*command):
    """Returns the processor time of a command in seconds, for the user and for the system."""

    def seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = seconds()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return seconds() - before


def main(program, games):
    options = ("--rules", "bataille", "--face-down", "1", "--collect", "winner-first")
    run = (program, "--no-log", "simulate", "--seed", "1", "--jobs", "1", *options)
    code = (
        f"import war; war.simulate({games}, seed=1, jobs=1, rules='bataille', face_down=1, "
        "collect='winner-first').to_json()"
    )
    ratios = []
    for _ in range(ROUNDS):
        by_program = processor_time(*run, "--games", games, "--json", "-")
        by_package = processor_time(sys.executable, "-c", code)
        by_package -= processor_time(sys.executable, "-c", "import war")
        ratios.append(by_program / by_package)
        print(f"program {by_program:.2f} s, package {by_package:.2f} s")
    print(f"speed of the package, where the program's is 1: {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
