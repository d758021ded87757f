"""Compares tables read by DuckDB, pandas and polars with the same rows read by Python's own JSON.

Argument: the name of the tables without suffix. Of a long table, a part is compared.
"""

import json
import sys

import duckdb
import export_types as types
import pandas as pd
import polars as pl
import pyarrow.json as pj

csv, ndjson, parquet = (f"{sys.argv[1]}.{suffix}" for suffix in ["csv", "ndjson", "parquet"])
with open(ndjson) as lines:
    rows = lines.readlines()
count = len(rows)
compared = [at for at in range(count) if at < 200 or at % 997 == 0 or at >= count - 800]
rows = [json.loads(rows[at]) for at in compared]


def of_arrow(table):
    return len(table), table.take(compared).to_pylist()


def of_duckdb(relation):
    return of_arrow(relation.to_arrow_table())


def of_pandas(table):
    # Every value on its own, since rows of mixed types would be converted.
    columns = {name: list(table[name].iloc[compared]) for name in table.columns}
    return len(table), [dict(zip(columns, row)) for row in zip(*columns.values())]


def of_polars(table):
    return len(table), table[compared].to_dicts()


def plain(value):
    """The value without the types of a tool."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is pd.NA or value != value:
        return None
    return value


def in_csv(name, value):
    """The value as CSV has it: lists are texts, and an empty one is null."""
    if isinstance(value, list):
        separator = "\t" if types.TYPES[name] == "list of texts" else " "
        return separator.join(map(str, value)) or None
    return value


rows_of_csv = [{name: in_csv(name, value) for name, value in row.items()} for row in rows]
arrow = pj.ParseOptions(explicit_schema=types.arrow_ndjson())
readers = {
    "duckdb csv": lambda: of_duckdb(
        duckdb.read_csv(csv, header=True, auto_detect=False, columns=types.duckdb_csv())
    ),
    "pandas csv": lambda: of_pandas(
        pd.read_csv(csv, dtype=types.pandas_csv(), keep_default_na=False, na_values="")
    ),
    "polars csv": lambda: of_polars(pl.read_csv(csv, schema=types.polars_csv())),
    "duckdb ndjson": lambda: of_duckdb(
        duckdb.read_json(ndjson, format="newline_delimited", columns=types.duckdb_ndjson())
    ),
    "pandas ndjson": lambda: of_pandas(
        pj.read_json(ndjson, parse_options=arrow).to_pandas(types_mapper=pd.ArrowDtype)
    ),
    "polars ndjson": lambda: of_polars(pl.read_ndjson(ndjson, schema=types.polars_ndjson())),
    "duckdb parquet": lambda: of_duckdb(duckdb.read_parquet(parquet)),
    "pandas parquet": lambda: of_pandas(pd.read_parquet(parquet, dtype_backend="pyarrow")),
    "polars parquet": lambda: of_polars(pl.read_parquet(parquet)),
}
wrong = 0
for reader, read in readers.items():
    length, table = read()
    wanted = rows_of_csv if reader.endswith("csv") else rows
    if length != count:
        print(reader, "has", length, "of", count, "rows")
        wrong += 1
    for at, got, row in zip(compared, table, wanted):
        got = {name: plain(value) for name, value in got.items()}
        # The texts differ also where only the types do, as in `1.0` and `True`.
        if repr(got) != repr(row):
            print(reader, "row", at, [(got.get(name), value) for name, value in row.items() if repr(got.get(name)) != repr(value)])
            wrong += 1
            break
print(len(readers), "readers,", count, "rows")
sys.exit(wrong)
