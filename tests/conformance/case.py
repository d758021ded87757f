"""A journal with its expected verdict."""

from dataclasses import dataclass

VERDICTS = {
    "WJ001": "DAMAGED",
    "WJ002": "DAMAGED",
    "WJ003": "UNSUPPORTED",
    "WJ101": "INCOMPLETE",
    "WJ102": "INCOMPLETE",
    "WJ103": "DAMAGED",
    "WJ201": "DAMAGED",
    "WJ202": "DAMAGED",
    "WJ203": "DAMAGED",
    "WJ301": "DIVERGED",
    "WJ302": "DIVERGED",
    "WJ303": "DIVERGED",
    "WJ304": "DIVERGED",
}


@dataclass
class Case:
    data: bytes
    code: str
    line: int | None
    what: str
    needs: str = "-"
    verdict: str = ""

    def __post_init__(self):
        self.data = self.data if isinstance(self.data, bytes) else self.data.encode()
        self.verdict = self.verdict or VERDICTS[self.code]


def fine(data, what):
    """Case of a journal that verifies."""
    return Case(data, "-", None, what, verdict="VERIFIED")
