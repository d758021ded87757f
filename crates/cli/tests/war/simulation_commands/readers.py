"""Compares CSV files read by DuckDB, pandas and polars with the same rows read by Python's csv."""

import csv
import sys

import duckdb
import pandas as pd
import polars as pl

# The columns with gaps, and what the guide says they are.
INTEGERS = ["winner", "period", "turns"]
TEXTS = ["verdict", "ending"]


def columns_of(rows):
    """The columns of rows of text, where empty is null and whatever is no text an integer."""
    names, *rows = rows
    return {
        name: [value if name in TEXTS else int(value) if value else None for value in column]
        for name, column in zip(names, zip(*rows))
    }


def typed(columns, integer):
    return {column: integer for column in INTEGERS if column in columns}


wrong = 0
for name in sys.argv[1:]:
    with open(name) as file:
        rows = columns_of(csv.reader(file))
    readers = {
        "duckdb": duckdb.read_csv(name, dtype=typed(rows, "BIGINT")).to_arrow_table().to_pydict(),
        "pandas": {
            column: [None if value is pd.NA else value for value in values.tolist()]
            for column, values in pd.read_csv(name, dtype=typed(rows, "Int64")).items()
        },
        "polars": pl.read_csv(name, schema_overrides=typed(rows, pl.Int64)).to_dict(as_series=False),
    }
    for reader, columns in readers.items():
        # The texts differ also where only the types do, as in `1.0` and `1`.
        for column in rows:
            if repr(columns.get(column)) != repr(rows[column]):
                print(reader, name, column, columns.get(column)[:3], rows[column][:3])
                wrong += 1
    print(name, len(rows), "columns")
sys.exit(wrong)
