"""Files that are truncated, torn, damaged, or formatted differently."""

import json

from case import Case, fine
from forge import Draft, compact


def cases():
    yield from cut_off()
    yield from torn()
    yield from no_journals()
    yield from written_otherwise()
    yield from flipped()
    yield from other_lines()
    yield from cut_headers()


def cut_at(data, at, what):
    """Journal of version 1, truncated to this many bytes."""
    header = data.index(b'"events":[') + len(b'"events":[')
    ends = [header]
    rest = data[header:]
    for line in rest.split(b"\n")[:-2]:
        ends.append(ends[-1] + len(line) + 1)
    in_header = at < header
    in_end = at >= data.index(b'],"end"')
    # Between two records there is at most the line feed after the first one.
    between = at in ends or at + 1 in ends
    code = "WJ101" if in_header or not (in_end or between) else "WJ102"
    return Case(data[:at], code, data[:at].count(b"\n") + 1, what)


def cut_off():
    data = Draft("classic_one_player").text().encode()
    places = {1, 2, 8, 24, *range(30, len(data) - 2, 41)}
    places |= {at + more for at, byte in enumerate(data) if byte == 10 for more in (0, 1, 2)}
    end = data.index(b'],"end"')
    places |= {end, end + 1, end + 2, end + 5, end + 7, end + 8, len(data) - 2}
    for at in sorted(places - {len(data), len(data) + 1, len(data) - 1}):
        yield cut_at(data, at, f"cut off after {at} bytes")
    yield fine(data[:-1], "without the last line feed")
    data = Draft("double_card_tied").text().encode()
    for at in range(data.index(b'"deltas"'), data.index(b'"deltas"') + 60, 7):
        yield cut_at(data, at, f"a token game, cut off after {at} bytes")
    draft = Draft("single_card_timed_out").silent()
    draft.content("started")["players"] = ["Zoë", "Łódź ♠"]
    data = draft.true_states().chained().text().encode()
    at = data.index("ź".encode()) + 1
    yield cut_at(data, at, "cut off inside a character of a name")
    yield fine(data, "names beyond ASCII")
    document = json.loads(Draft("custom_drawn").text())
    end = document.pop("end")
    text = compact(document)
    yield Case(text, "WJ102", 1, "closed without an end record")
    yield Case(text + "\n", "WJ102", 2, "closed without an end record, with a line feed")


def torn():
    yield Case(b"", "WJ001", 1, "an empty file", verdict="INCOMPLETE")
    yield Case(b" \r\n\t\n", "WJ001", 1, "nothing but white space", verdict="INCOMPLETE")
    yield Case(bytes(512), "WJ001", 1, "nothing but zeros", verdict="INCOMPLETE")
    data = Draft("custom_drawn").text().encode()
    third = data.index(b'\n,{"seq":2')
    for at, what in (
        (40, "inside the header"),
        (data.index(b"\n") - 4, "before the list of events"),
        (third - 30, "inside an event"),
        (third, "after an event"),
        (third + 1, "after an event and its line feed"),
        (data.index(b'],"end"') + 20, "inside the end record"),
    ):
        case = cut_at(data, at, f"zeros to the end of the file, {what}")
        case.data += bytes(700)
        yield case
        line = data[:at].count(b"\n") + 1
        yield Case(data[:at] + bytes(9) + data[at + 9 :], "WJ001", line, f"nine zeros, {what}")
    yield Case(data + bytes(30), "WJ203", data.count(b"\n") + 1, "zeros behind a whole journal")
    at = data.index(b'\n,{"seq":5') + 1
    line = data[:at].count(b"\n") + 1
    yield Case(data[:at] + b"\x93\x8a garbage \xf7", "WJ001", line, "garbage after an event")


def no_journals():
    data = Draft("classic_one_player").text()
    yield Case(b"\xef\xbb\xbf" + data.encode(), "WJ001", 1, "a byte-order mark")
    yield Case(data.encode("utf-16"), "WJ001", 1, "UTF-16")
    yield Case("WAR, 2 players\n", "WJ001", 1, "text")
    yield Case(b"\x7fELF\x02\x01\x01\x00\x00\x00\x10", "WJ001", 1, "a program")
    for other in (
        "[]",
        "{}",
        "null",
        '"war-journal"',
        "12",
        '{"format":"war-simulation","version":1}',
    ):
        yield Case(other + "\n", "WJ002", 1, f"other JSON: {other.replace(chr(9), ' ')}")
    yield Case(data.replace("war-journal", "war-journalist", 1), "WJ002", 1, "another format")
    yield Case(data.replace("{", "[", 1), "WJ001", 1, "a list where the document should be")
    engine = b'"engine":"war'
    yield Case(data.encode().replace(engine, engine + b"\xff", 1), "WJ001", 1, "bad UTF-8")
    yield Case(data.replace('"war 0', '"war\\ud8000', 1), "WJ103", 1, "a lone surrogate")


def written_otherwise():
    for name in ("classic_one_player", "double_card_tied", "custom_drawn"):
        draft = Draft(name)
        document = json.loads(draft.text())
        yield fine(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "pretty-printed")
        yield fine(draft.text().replace("\n", "\r\n"), "with carriage returns")
        yield fine(draft.text().replace("\n", ""), "on one line")
        yield Case(
            json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n",
            "WJ103",
            1,
            "with sorted keys",
        )
    draft = Draft("classic_one_player")
    yield fine("\n\n  " + draft.text() + "\n \n", "with white space around it")
    yield fine(
        draft.text().replace("events", "event\\u0073", 1).replace('"war 0', '"\\u0077ar 0', 1),
        "with escapes that nobody needs",
    )
    turned = draft.copy()
    turned.header = dict(reversed(list(turned.header.items())))
    turned.events = [dict(reversed(list(record.items()))) for record in turned.events]
    turned.end = dict(reversed(list(turned.end.items())))
    yield fine(turned.text(), "with the fields of each record turned round")
    document = json.loads(draft.text())
    end = document.pop("end")
    first = {"end": end} | document
    yield Case(compact(first), "WJ103", 1, "the end record before the events")
    yield Case(draft.text() + "{}\n", "WJ203", 5, "a value after the end")
    yield Case(draft.text() + draft.text(), "WJ203", 5, "two journals in one file")
    yield Case(draft.text()[:-2] + ',"more":1}\n', "WJ103", 4, "a field after the end record")


def flipped():
    data = Draft("custom_drawn").text().encode()
    for text, code, what in (
        (b'"engine":"w', "WJ202", "of the engine"),
        (b'"players":2', "WJ202", "of the number of players"),
        (b'"state":"', "WJ202", "of a state"),
        (b'"seq":3', "WJ201", "of a sequence number"),
        (b'"turn":1', "WJ202", "of a turn"),
        (b'"card":9', "WJ202", "of a card"),
        (b'"turns"', "WJ103", "of a field's name in the end record"),
        (b'"plays"', "WJ103", "of a field's name"),
        (b'"clash"', "WJ103", "of an event's kind"),
        (b'"events":14', "WJ202", "of the number of events"),
        (b'"reason":"d', "WJ103", "of the reason"),
    ):
        at = data.find(text)
        if at < 0:
            continue
        at += len(text) - 1
        # The last letter or digit of the text, or the first one after a text such as `"state":"`.
        while not chr(data[at]).isalnum():
            at += 1 if text.endswith((b':"', b":")) else -1
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        line = data[:at].count(b"\n") + 1
        yield Case(changed, code, line, f"one bit flipped {what}")
    at = data.index(b'"chain":"') + 9
    upper = data[:at] + b"G" + data[at + 1 :]
    yield Case(upper, "WJ103", 1, "a chain with a letter that is no digit")


def other_lines():
    draft = Draft("custom_drawn")
    first, *events, end = draft.text().splitlines(keepends=True)
    for at in (1, 3, len(events) - 2):
        left = events[:at] + events[at + 1 :]
        yield Case(first + "".join(left) + end, "WJ201", at + 2, f"event {at} deleted")
        doubled = events[: at + 1] + events[at:]
        yield Case(first + "".join(doubled) + end, "WJ201", at + 3, f"event {at} doubled")
        swapped = events[:at] + [events[at + 1], events[at]] + events[at + 2 :]
        if at + 1 < len(events):
            yield Case(
                first + "".join(swapped) + end, "WJ201", at + 2, f"events {at} and {at + 1} swapped"
            )
    last = len(events) - 1
    yield Case(first + "".join(events[:last]) + end, "WJ202", last + 2, "the last event deleted")
    other = Draft("custom_undecided").text().splitlines(keepends=True)
    for at in (0, 2, 4):
        spliced = events[:at] + [other[at + 1]] + events[at + 1 :]
        yield Case(first + "".join(spliced) + end, "WJ202", at + 2, f"event {at} of another game")
    yield Case(other[0] + "".join(events) + end, "WJ202", 2, "the header of another game")
    yield Case(
        first + "".join(events) + other[-1], "WJ202", len(events) + 2, "the end of another game"
    )


def cut_headers():
    """Truncated headers, whose remaining part decides on the verdict if it can."""
    start = '{"format":"war-journal","version":'
    for text, code, what in (
        ('{"version":1,"for', "WJ002", "that does not begin as one"),
        ('{"version":1,"format":"war-journal","en', "WJ002", "that names its format too late"),
        ('{"format":"war-simulation"', "WJ002", "of another format"),
        (f'{start}3,"events":', "WJ003", "of a newer version"),
        (f'{start}1,"rules":{{"id":"poker/1"}}', "WJ003", "of rules that nobody knows"),
        (f'{start}1,"rules":{{"id":"poker/1"', "WJ101", "whose rules are not whole"),
    ):
        yield Case(text, code, 1, f"cut off inside a header {what}")
