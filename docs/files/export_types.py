"""The types of the columns that `war journal export` writes as CSV or as lines of JSON.

Readers guess types from the first rows, and a column that is empty there is guessed wrong.
"""

TYPES = {
    "journal": "text",
    "rules": "text",
    "seed": "unsigned integer",
    "game": "unsigned integer",
    "xy_seed": "integer",
    "table_seed": "text",
    "seq": "integer",
    "turn": "integer",
    "event": "text",
    "round": "integer",
    "player": "integer",
    "step": "text",
    "winner": "integer",
    "war": "boolean",
    "repeats_from": "integer",
    "players": "list of integers",
    "cards": "list of integers",
    "suits": "list of texts",
    "indexes": "list of integers",
    "hand_sizes": "list of integers",
    "on_table": "integer",
    "names": "list of texts",
    "numbers": "list of integers",
    "seed_hashes": "list of texts",
    "client_seed": "text",
    "decision": "text",
    "timed_out": "boolean",
    "deltas": "list of integers",
    "state": "text",
}


def _typed(text, boolean, integer, unsigned, list_of):
    """The types of all columns in the words of a tool."""
    names = {
        "text": text,
        "boolean": boolean,
        "integer": integer,
        "unsigned integer": unsigned,
        "list of texts": list_of(text),
        "list of integers": list_of(integer),
    }
    return {column: names[kind] for column, kind in TYPES.items()}


def duckdb_csv():
    return _typed("VARCHAR", "BOOLEAN", "BIGINT", "UBIGINT", lambda _: "VARCHAR")


def duckdb_ndjson():
    return _typed("VARCHAR", "BOOLEAN", "BIGINT", "UBIGINT", "{}[]".format)


def pandas_csv():
    return _typed("string", "boolean", "Int64", "UInt64", lambda _: "string")


def polars_csv():
    import polars as pl

    return _typed(pl.String, pl.Boolean, pl.Int64, pl.UInt64, lambda _: pl.String)


def polars_ndjson():
    import polars as pl

    return _typed(pl.String, pl.Boolean, pl.Int64, pl.UInt64, pl.List)


def arrow_ndjson():
    """For pandas, whose own reader turns numbers of a column with gaps into floats."""
    import pyarrow as pa

    types = _typed(pa.string(), pa.bool_(), pa.int64(), pa.uint64(), pa.list_)
    return pa.schema(types.items())
