#!/usr/bin/env python3
"""Writes the bad journals of the suite, and the list of all journals: generate.py [FOLDER]

The expected verdicts follow docs/reference/journal-format.md. None is copied from the output of a
program.
"""

import sys
from pathlib import Path

import cases_of_commitments
import cases_of_consoles
import cases_of_ends
import cases_of_events
import cases_of_files
import cases_of_games
import cases_of_headers
import cases_of_lines
import cases_of_tokens
from forge import HERE

COLUMNS = ("file", "verdict", "code", "line", "needs", "case")
PARTS = (
    cases_of_files,
    cases_of_headers,
    cases_of_consoles,
    cases_of_events,
    cases_of_games,
    cases_of_ends,
    cases_of_tokens,
    cases_of_lines,
    cases_of_commitments,
)


def good():
    """The recorded journals, and the truncated ones."""
    project = HERE.parent.parent
    for folder, named in ((project / "journals", "../../journals"), (HERE / "good", "good")):
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            verdict, code, line = "VERIFIED", "-", "-"
            if "cut_off" in file.stem:
                verdict = "INCOMPLETE"
            if "torn" in file.stem:
                # The file ends inside an event.
                verdict, code, line = "INCOMPLETE", "WJ101", str(file.read_bytes().count(b"\n") + 1)
            yield f"{named}/{file.relative_to(folder)}", verdict, code, line, "-", "as recorded"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    rows = list(good())
    for part in PARTS:
        for number, case in enumerate(part.cases()):
            name = f"{part.__name__.removeprefix('cases_of_')}/{number:03}.json"
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            (folder / name).write_bytes(case.data)
            rows.append(
                (name, case.verdict, case.code, str(case.line or "-"), case.needs, case.what)
            )
    table = "".join("\t".join(row) + "\n" for row in [COLUMNS, *rows])
    (folder / "expected.tsv").write_text(table)


if __name__ == "__main__":
    main()
