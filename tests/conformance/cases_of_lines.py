"""Journals of version 2."""

import json

from blake3 import blake3
from case import Case, fine
from forge import Draft, Lines, compact

SMALL = "custom_two_ranks_endless"
GAMES = (
    SMALL,
    "custom_small_fixed",
    "classic_scenario_all_out",
    "classic_corrected_polish",
    "duels_random_scenario",
    "duels_scenario_shuffled",
    "xy_shortest",
    "double_card_tied",
    "single_card_timed_out",
)


def cases():
    yield from whole()
    yield from notes()
    yield from upgraded()
    yield from cut_off()
    yield from other_lines()
    yield from forged()


def whole():
    for name in GAMES:
        lines = Draft(name).version_2()
        if len(lines.records) < 60:
            yield fine(lines.text(), f"{name} in full")
        yield fine(lines.compact_text(), f"{name}, compact")
    lines = Draft(SMALL).version_2()
    spaced = "".join(
        json.dumps(record, separators=(" ,\t", " : ")) + " \r\n" for record in lines.records
    )
    yield fine(spaced, "with white space and carriage returns")
    turned = Lines([dict(reversed(list(record.items()))) for record in lines.records])
    yield fine(turned.text(), "with the fields of each line turned round")
    yield fine("\n \n" + lines.text(), "with white space before the header")
    yield fine(lines.text()[:-1], "without the last line feed")
    yield fine(lines.compact_text()[:-1], "compact, without the last line feed")
    cut = Draft("classic_4").interrupted(3).version_2()
    yield Case(cut.text(), "-", None, "interrupted", verdict="INCOMPLETE")
    yield Case(cut.compact_text(), "-", None, "interrupted, compact", verdict="INCOMPLETE")


def noted(meta):
    draft = Draft(SMALL)
    draft.meta = meta
    return draft.version_2()


def notes():
    long = {"a": "x" * (8192 - len('{"a":""}'))}
    many = {f"{number:02}": "" for number in range(64)}
    for meta, what in (
        ({"evening": "Łódź", "table": "3"}, "two notes"),
        ({"Z": "", "a": ""}, "capital letters before small ones"),
        ({"z": "", "é": "", "｡": "", "🂡": ""}, "names sorted by their bytes"),
        ({"\t": '\n\u2028"\\'}, "notes that need escapes"),
        (many, "64 notes"),
        (long, "8192 bytes of notes"),
        ({"a": "é" * 4092}, "8192 bytes of notes beyond ASCII"),
    ):
        yield fine(noted(meta).compact_text(), f"meta: {what}")
    for meta, what in (
        ({"b": "", "a": ""}, "names that are not sorted"),
        ({"é": "", "z": ""}, "names sorted as in a dictionary"),
        ({"🂡": "", "｡": ""}, "names sorted by UTF-16"),
        ({"": ""}, "an empty name"),
        ({"a": 1}, "a number"),
        ({"a": None}, "null"),
        ({"a": {"b": ""}}, "an object"),
        ([], "a list"),
        (None, "null instead of notes"),
        (many | {"64": ""}, "65 notes"),
        ({"a": long["a"] + "x"}, "8193 bytes of notes"),
    ):
        lines = noted(meta)
        del lines.records[2:-1]
        yield Case(lines.text(), "WJ103", 1, f"meta: {what}")
    text = noted({"a": "b"}).text()
    header, rest = text.split("\n", 1)
    before, _, after = header.partition('{"a":"b"}')
    twice = before + '{"a":"b","a":"b"}' + after
    canonical = twice[: twice.index(',"chain":"')] + "}"
    link = blake3(canonical.encode()).hexdigest()[:32]
    recorded = canonical[:-1] + f',"chain":"{link}"}}\n'
    yield Case(recorded + rest, "WJ103", 1, "meta: a name twice, recorded so")
    yield Case(
        text.replace('{"a":"b"}', '{"a":"c"}'), "WJ202", 1, "meta: another note, put in later"
    )
    lines = Draft(SMALL).version_2()
    del lines.records[0]["meta"]
    yield Case(lines.chained().text(), "WJ103", 1, "without `meta`")
    draft = Draft(SMALL)
    draft.header["meta"] = {}
    yield Case(draft.text(), "WJ103", 1, "version 1 with `meta`, put in later")
    yield Case(draft.chained().text(), "WJ003", 1, "version 1 with `meta`, recorded so")


def upgraded():
    for name in ("xy_shortest", "classic_cut_off", "double_card_tied"):
        lines = Draft(name).version_2(upgraded=True)
        if name == "classic_cut_off":
            yield Case(lines.compact_text(), "-", None, f"{name}, upgraded", verdict="INCOMPLETE")
        else:
            yield fine(lines.compact_text(), f"{name}, upgraded")
    draft = Draft(SMALL)
    draft.meta = {"a": "b"}
    yield fine(draft.version_2(upgraded=True).text(), "upgraded, with notes")
    last = len(draft.events) + 2
    draft.upgraded_from = "0" * 32
    yield Case(
        draft.version_2(upgraded=True).text(), "WJ203", last, "upgraded from another journal"
    )
    yield Case(
        draft.version_2(upgraded=True).compact_text(),
        "WJ203",
        last,
        "upgraded from another journal, compact",
    )
    for digest in ("0" * 31, "A" * 32, None, 0):
        lines = draft.version_2(upgraded=True)
        lines.records[0]["upgraded_from"] = digest
        yield Case(lines.chained().text(), "WJ103", 1, f"upgraded from {compact(digest)}")


def cut_off():
    lines = Draft(SMALL).version_2()
    for text, how in ((lines.text(), ""), (lines.compact_text(), ", compact")):
        data = text.encode()
        ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
        for at in ends[:-1:3]:
            line = data[:at].count(b"\n") + 1
            yield Case(data[:at], "WJ102", line, f"cut off after a line{how}")
            yield Case(data[:at] + bytes(600), "WJ102", line, f"zeros after a line{how}")
        for at in (30, ends[0] - 1, ends[0] + 1, ends[1] + 9, ends[3] + 20, ends[-2] - 1):
            line = data[:at].count(b"\n") + 1
            yield Case(data[:at], "WJ101", line, f"cut off in a line{how}")
            if line > 1:
                yield Case(data[:at] + bytes(600), "WJ101", line, f"zeros in a line{how}")
                yield Case(
                    data[:at] + b"\xfe{]\0x", "WJ101", line, f"garbage in the last line{how}"
                )
        for at in (ends[-2] + 9, ends[-1] - 2):
            line = data[:at].count(b"\n") + 1
            yield Case(data[:at], "WJ102", line, f"cut off in the end record{how}")
        yield Case(data + bytes(40), "WJ203", len(ends) + 1, f"zeros behind a whole journal{how}")
        changed = data[:-20] + b"0" + data[-19:-1]
        yield Case(
            changed, "WJ102", len(ends), f"an end record that is not right, without line feed{how}"
        )
        yield Case(data[: ends[2] + 5] + b"\n", "WJ001", 4, f"half a record with a line feed{how}")
        yield Case(data[: ends[2]] + b"\xfe{]\n", "WJ001", 4, f"garbage with a line feed{how}")
        yield Case(
            data[: ends[2] + 5] + bytes(9) + data[ends[2] + 14 :], "WJ001", 4, f"zeros inside{how}"
        )


def other_lines():
    lines = Draft(SMALL).version_2()
    header, *events, end = lines.text().splitlines(keepends=True)
    short = lines.compact_text().splitlines(keepends=True)[1:-1]
    last = len(events) + 2

    def text(*parts):
        return "".join(parts)

    for at in (1, 4):
        yield Case(
            text(header, *events[:at], *events[at + 1 :], end),
            "WJ201",
            at + 2,
            f"event {at} deleted",
        )
        yield Case(
            text(header, *events[: at + 1], *events[at:], end),
            "WJ201",
            at + 3,
            f"event {at} doubled",
        )
        yield Case(
            text(header, *events[:at], events[at + 1], events[at], *events[at + 2 :], end),
            "WJ201",
            at + 2,
            f"events {at} and {at + 1} swapped",
        )
        yield Case(
            text(header, *short[:at], *short[at + 1 :], end),
            "WJ301",
            at + 2,
            f"event {at} deleted, compact",
        )
        yield Case(
            text(header, *short[: at + 1], *short[at:], end),
            "WJ301",
            at + 3,
            f"event {at} doubled, compact",
        )
        yield Case(
            text(header, *events[:at], short[at], *events[at + 1 :], end),
            "WJ103",
            at + 2,
            "a short line among long ones",
        )
        yield Case(
            text(header, *short[:at], events[at], *short[at + 1 :], end),
            "WJ103",
            at + 2,
            "a long line among short ones",
        )
        yield Case(
            text(header, *events[:at], "\n", *events[at:], end), "WJ103", at + 2, "an empty line"
        )
        yield Case(
            text(
                header,
                *events[:at],
                events[at].replace(',"turn"', ',\n"turn"'),
                *events[at + 1 :],
                end,
            ),
            "WJ103",
            at + 2,
            "a record on two lines",
        )
        yield Case(
            text(header, *events[:at], events[at].rstrip("\n"), *events[at + 1 :], end),
            "WJ103",
            at + 2,
            "two records on one line",
        )
        yield Case(
            text(header, *events[:at], "[]\n", *events[at + 1 :], end),
            "WJ103",
            at + 2,
            "a list instead of a record",
        )
    yield Case(text(header, *events[:-1], end), "WJ202", last - 1, "the last event deleted")
    yield Case(text(header, *short[:-1], end), "WJ202", last - 1, "the last event deleted, compact")
    yield Case(text(header, *events, end, end), "WJ203", last + 1, "two end records")
    yield Case(text(header, *events, end, "\n"), "WJ203", last + 1, "an empty line after the end")
    yield Case(text(header, *events, end, events[-1]), "WJ203", last + 1, "an event after the end")
    yield Case(text(header, *short, end, "x\n"), "WJ203", last + 1, "a line after the end")
    yield Case(
        json.dumps(lines.records[0], indent=1) + "\n" + text(*events, end),
        "WJ103",
        1,
        "a header on several lines",
    )
    other = Draft(SMALL)
    other.header["engine"] = "another program"
    other = other.version_2().text().splitlines(keepends=True)
    yield Case(text(other[0], *events, end), "WJ202", 2, "the header of another journal")
    yield Case(text(other[0], *short, end), "WJ202", last, "the header of another journal, compact")
    yield Case(
        text(header, *short, other[-1]), "WJ202", last, "the end of another journal, compact"
    )
    yield Case(
        text(header.replace('"engine":"war', '"engine":"raw'), *short, end),
        "WJ202",
        1,
        "another engine, put in later",
    )
    yield Case(
        text(header.replace('"version":2', '"version":1'), *events, end),
        "WJ103",
        1,
        "lines that say version 1",
    )
    yield Case(
        text(header.replace('"version":2', '"version":3'), *events, end),
        "WJ003",
        1,
        "lines that say version 3",
    )
    one = Draft(SMALL)
    one.header["version"] = 2
    yield Case(one.chained().text(), "WJ103", 1, "a document that says version 2")


def forged():
    lines = Draft(SMALL).version_2()
    last = len(lines.records)

    def edit(at, change, code, what, short=False, chained=True):
        other = Lines(lines.records)
        change(other.records[at])
        if chained:
            other.chained()
        return Case(other.compact_text() if short else other.text(), code, (at % last) + 1, what)

    yield edit(
        0,
        lambda record: record.update(color="red"),
        "WJ003",
        "an unknown field of the header, recorded so",
    )
    yield edit(
        0,
        lambda record: record.update(color="red"),
        "WJ103",
        "an unknown field of the header, put in later",
        chained=False,
    )
    yield edit(
        0,
        lambda record: record["rules"].update(id="mine:house/1"),
        "WJ003",
        "rules of another program",
    )
    yield edit(
        2,
        lambda record: record.update(time="12:00"),
        "WJ003",
        "an unknown field of an event, recorded so",
    )
    yield edit(
        2,
        lambda record: record.update(event={"slapped": {}}),
        "WJ003",
        "an unknown event, recorded so",
    )
    yield edit(
        2,
        lambda record: record.update(event={"slapped": {}}),
        "WJ103",
        "an unknown event, compact",
        short=True,
    )
    yield edit(2, lambda record: record.update(state="0" * 16), "WJ302", "another state")
    yield edit(2, lambda record: record.update(turn=2), "WJ301", "another turn")
    yield edit(2, lambda record: record.update(seq=2), "WJ201", "another number")
    yield edit(
        -1,
        lambda record: record["end"].update(mood="good"),
        "WJ003",
        "an unknown field of the end, recorded so",
    )
    yield edit(
        -1,
        lambda record: record.update(mood="good"),
        "WJ003",
        "an unknown field beside the end, recorded so",
    )
    yield edit(
        -1,
        lambda record: record["end"].update(turns=7),
        "WJ203",
        "another number of turns",
        short=True,
    )
    yield edit(
        -1,
        lambda record: record["end"].update(reason="endless", winner=None),
        "WJ203",
        "another reason",
    )
    yield edit(-1, lambda record: record["end"].pop("winner"), "WJ103", "an end without `winner`")
    yield edit(
        -1,
        lambda record: record.update(chain="0" * 32),
        "WJ202",
        "another last link",
        short=True,
        chained=False,
    )
    yield edit(
        -1, lambda record: record.pop("chain"), "WJ103", "an end without its link", chained=False
    )
    at = next(
        at for at, record in enumerate(lines.records) if "collected" in record.get("event", {})
    )
    reverse = lambda record: record["event"]["collected"]["cards"].reverse()  # noqa: E731
    yield edit(at, reverse, "WJ301", "cards taken in another order")
    yield edit(at, reverse, "WJ301", "cards taken in another order, compact", short=True)
    deal = lambda record: record["event"]["dealt"]["hands"].reverse()  # noqa: E731
    yield edit(1, deal, "WJ303", "the hands exchanged, compact", short=True)
    for name in ("xy_shortest", "duels_random_scenario"):
        draft = Draft(name).silent()
        draft.end["console"]["bytes"] = 1
        yield Case(
            draft.version_2().compact_text(),
            "WJ304",
            len(draft.events) + 2,
            "renderer 0 that printed something, compact",
        )
