from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from war import _war


class Histogram(NamedTuple):
    """Number of finished games by number of turns."""

    turns: np.ndarray
    """Turns, in ascending order (``uint32``)."""
    games: np.ndarray
    """Number of games for each number of turns (``uint64``)."""


class Columns(NamedTuple):
    """Results of games: a number for each game in each column, in the order of the games."""

    game: np.ndarray
    """Number of the game (``uint64``)."""
    verdict: np.ndarray
    """Outcome, as an index in ``war.VERDICTS`` (``uint8``)."""
    winner: np.ndarray
    """Number of the player who won, or 0 (``uint8``)."""
    turns: np.ndarray
    """Number of turns; of an endless game, up to the first repetition (``uint32``)."""
    wars: np.ndarray
    """Number of turns whose highest card was shared (``uint32``)."""
    period: np.ndarray
    """Number of turns after which the hands of an endless game are repeated, or 0 (``uint32``)."""


class Run:
    """Games that were played: a whole run, or parts of one.

    ``+`` joins parts of one run, in any order, exactly as the program's ``war simulate merge``
    does. Runs can be pickled, so that other processes and machines can play them.
    """

    __slots__ = ("_columns", "_parts", "kernel")

    #: Kernel that played, or None if parts were joined or read.
    kernel: Optional[str]

    def __init__(self, parts: Any, columns: Optional[Columns], kernel: Optional[str]) -> None:
        self._parts = parts
        self._columns = columns
        self.kernel = kernel

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> Run:
        """Returns the run in a JSON document, as written by ``--json`` and ``to_json``.

        Raises ValueError, with the reason, if the text is not such a document.
        """
        return _from_json(text, "text")

    def to_json(self) -> str:
        """Returns the run's JSON document, as the program writes it with ``--json``, to the byte.

        Raises ValueError if games are missing between parts of the run, and names these games.
        """
        return self._parts.to_json()

    def summary(self) -> dict:
        """Returns all figures of the run: its JSON document as a dictionary.

        Raises ValueError if games are missing between parts of the run, and names these games.
        """
        return json.loads(self.to_json())

    @property
    def histogram(self) -> Histogram:
        """Number of finished games by number of turns."""
        turns, games = self._parts.histogram()
        return Histogram(np.array(turns, np.uint32), np.array(games, np.uint64))

    @property
    def columns(self) -> Columns:
        """Results of the games, if they were played with ``columns=True``."""
        if self._columns is None:
            raise ValueError("the games were played or joined without `columns=True`")
        return self._columns

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self._parts.seed()

    @property
    def games(self) -> int:
        """The number of games of the whole run."""
        return self._parts.games()

    @property
    def parts(self) -> List[range]:
        """Ranges of the games that were played."""
        return [range(start, end) for start, end in self._parts.spans()]

    @property
    def is_whole(self) -> bool:
        """True if all games of the run were played."""
        return self.parts == [range(self.games)]

    def __add__(self, other: Run) -> Run:
        if not isinstance(other, Run):
            return NotImplemented
        return _join([(self, "left"), (other, "right")])

    def __radd__(self, other: object) -> Run:
        # `sum` begins with 0.
        return self if other == 0 and isinstance(other, int) else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Returns true if the same games were played with the same figures; columns don't count."""
        return self._parts == other._parts if isinstance(other, Run) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = ", ".join(f"{part.start} to {part.stop - 1}" for part in self.parts)
        return f"<war.Run of {self.games} games with seed {self.seed}: {parts}>"

    def __reduce__(self) -> tuple:
        return _unpickled, (self._parts.documents(), self._columns, self.kernel)


Deal = Union[str, "os.PathLike[str]", Sequence[Sequence[int]]]


def simulate(
    games: float = 1_000_000,
    *,
    seed: Optional[int] = None,
    rules: Optional[str] = None,
    players: Optional[int] = None,
    deck: Optional[str] = None,
    face_down: Optional[int] = None,
    collect: Optional[str] = None,
    piles: Optional[str] = None,
    out_of_cards: Optional[str] = None,
    max_turns: Optional[int] = None,
    deal: Optional[Deal] = None,
    fix: Union[str, Tuple[int, Iterable[int]], None] = None,
    shard: Union[str, Tuple[int, int], None] = None,
    jobs: Optional[int] = None,
    kernel: str = "fastest",
    columns: bool = False,
) -> Run:
    """Plays many games. Other threads of Python go on meanwhile, and Ctrl-C ends the run.

    The arguments are the options of ``war simulate``, and may be left out in the same way:

    games: the number of games of the whole run.
    seed: the seed of the run; a random one, if it is left out.
    rules: rules to start from: ``"classic"``, ``"duels"``, ``"xy"``, ``"bataille"`` or
        ``"household"``.
    players: the number of players, 2 to 5.
    deck: ``"small"``, ``"large"``, ``"thirteen"``, or ranks and suits such as ``"13x4"``.
    face_down: cards each player puts face down in a war before the next one face up, 0 to 5.
    collect: the order in which won cards go under the winner's hand.
    piles: the piles that won cards go to: ``"one"``, ``"two"`` or ``"two-turned"``.
    out_of_cards: the rule for players who run out of cards in a war.
    max_turns: turns after which a game counts as undecided.
    deal: the hands that start every game, top card first, or the name of a scenario file.
    fix: a player and the cards that they start with, such as ``(1, [14, 14])``.
    shard: play only this part of the run: ``(3, 8)`` or ``"3/8"`` for part 3 of 8.
    jobs: threads to use; one for each processor, if it is left out.
    kernel: the simulation engine to use; the results are the same.
    columns: also keep the result of each game: see ``Run.columns``.

    Raises ValueError, with the message of the program, if an argument is not valid.
    """
    arguments = {
        "games": games,
        "seed": secrets.randbits(64) if seed is None else seed,
        "rules": rules,
        "players": players,
        "deck": deck,
        "face_down": face_down,
        "collect": collect,
        "piles": piles,
        "out_of_cards": out_of_cards,
        "max_turns": max_turns,
        "deal": None if deal is None else _scenario(deal),
        "fix": fix if fix is None or isinstance(fix, str) else _hand(fix),
        "shard": shard if shard is None or isinstance(shard, str) else "{}/{}".format(*shard),
        "jobs": jobs,
        "kernel": kernel,
    }
    if deal is not None:
        for argument in ("fix", "deck", "players"):
            if arguments[argument] is not None:
                raise ValueError(f"`deal` can't be used with `{argument}`")
    parts, kernel, memory = _war.play(arguments, columns)
    run = Run(parts, None, kernel)
    if memory is not None:
        types = (np.uint8, np.uint8, np.uint32, np.uint32, np.uint32)
        figures = (np.frombuffer(column, kind) for column, kind in zip(memory, types))
        [played] = run.parts
        run._columns = Columns(np.arange(played.start, played.stop, dtype=np.uint64), *figures)
    return run


def read(file: Union[str, "os.PathLike[str]"]) -> Run:
    """Reads a run, or a part of one, that the program wrote with ``--json``.

    Raises ValueError, with the reason, if the file has no such run, and OSError if the file can't
    be read.
    """
    return _from_json(Path(file).read_bytes(), os.fspath(file))


def merge(parts: Iterable[Union[Run, str, "os.PathLike[str]"]]) -> Run:
    """Joins the parts of a run, or the files that contain them, into the whole run.

    Raises ValueError, with the message of ``war simulate merge``, if games are missing, if parts
    overlap, or if they belong to different runs.
    """
    named = []
    for number, part in enumerate(parts):
        if isinstance(part, Run):
            named.append((part, f"part {number}"))
        else:
            named.append((read(part), os.fspath(part)))
    run = _join(named)
    missing = range(run.games)
    for played in run.parts:
        if played.start > missing.start:
            missing = range(missing.start, played.start)
            break
        missing = range(played.stop, run.games)
    if missing or not named:
        last = max(missing.stop - 1, 0)
        raise ValueError(f"games {missing.start} to {last} are missing from the parts")
    return run


def _join(named: List[Tuple[Run, str]]) -> Run:
    joined = Run(_war.join([(run._parts, name) for run, name in named]), None, None)
    columns = [run._columns for run, _ in named]
    if columns and all(known is not None for known in columns):
        figures = [np.concatenate(column) for column in zip(*columns)]
        order = np.argsort(figures[0], kind="stable")
        joined._columns = Columns(*(column[order] for column in figures))
    return joined


def _from_json(text: Union[str, bytes], name: str) -> Run:
    data = text.encode() if isinstance(text, str) else text
    return Run(_war.Parts.from_json(data, name), None, None)


def _unpickled(documents: List[str], columns: Optional[Columns], kernel: Optional[str]) -> Run:
    parts = [(_war.Parts.from_json(text.encode(), "pickle"), "pickle") for text in documents]
    return Run(_war.join(parts), columns, kernel)


def _scenario(deal: Deal) -> Tuple[str, bytes]:
    if isinstance(deal, (str, os.PathLike)):
        path = Path(deal)
        return path.name, path.read_bytes()
    return "hands", json.dumps([[int(card) for card in hand] for hand in deal]).encode()


def _hand(fix: Tuple[int, Iterable[int]]) -> str:
    player, cards = fix
    return f"{player}:{','.join(str(int(card)) for card in cards)}"
