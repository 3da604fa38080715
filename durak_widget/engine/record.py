"""A whole game as text that a person can read and write, like a PGN.

    Durak 1
    Rules: transfer, players=3
    Dealer: 0
    Deck: 6c Td …

    1. 1 attack 7c; 2 beat 7c 9c; 1 pass
    2. 2 attack Jh; 0 take
    Result: *

First line, headers, one line a bout with the seat before each move, and the result (`*` for a game that goes on), so
that a text which was cut short is found out. Lines that begin with `#` say nothing. The grammar is in `docs/notation.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import GameTextError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VERSION: Final = 1
MOST_CHARACTERS: Final = 2_000_000
UNFINISHED: Final = "*"
_FIRST_WORD: Final = "Durak"

DEAL_KEYS: Final = ("Dealer", "First", "Deck")
"""The headers of a game that was dealt: who dealt, who attacks first if a match says so, and the deck from the top."""
POSITION_KEYS: Final = ("Position", "Hands", "Trump", "Attacker", "Talon", "Turn-up", "Table", "Discard", "Passed", "Taking", "Bout")
"""The headers of a game that begins from a position: the line that says it all, or its parts."""
KEYS: Final = ("Rules", *DEAL_KEYS, *POSITION_KEYS, "Ply")


class WrittenMove(NamedTuple):
    """A move as it stands in a text."""

    line: int
    bout: int
    seat: int | None
    move: str

    def wrong(self, what: str) -> GameTextError:
        """The error for something about this move."""
        return wrong(self.line, what)

    def require_turn(self, actor: int | None, bout: int, outcome: object) -> None:
        """Refuse a move that is written for another seat or bout than those of the game."""
        if actor is None:
            raise self.wrong(f"{quoted(self.move)} stands after the end of the game ({outcome})")
        if self.bout != bout:
            raise self.wrong(f"{quoted(self.move)} stands in bout {self.bout}, and bout {bout} is being played")
        if self.seat not in (None, actor):
            raise self.wrong(f"{quoted(self.move)} is written for seat {self.seat}, and seat {actor} is to act")


@dataclass(frozen=True)
class Record:
    """The parts of such a text."""

    headers: Mapping[str, str]
    moves: tuple[WrittenMove, ...] = ()
    result: str = UNFINISHED
    lines: Mapping[str, int] = field(default_factory=dict)
    """Which line each header stands in."""


def write(headers: Mapping[str, str], moves: Iterable[tuple[int, int, str]], result: str) -> str:
    """The text of a game: its headers, its moves as (bout, seat, move), and its result."""
    lines = [f"{_FIRST_WORD} {VERSION}", *(f"{key}: {headers[key]}".rstrip() for key in KEYS if key in headers), ""]
    bouts: dict[int, list[str]] = {}
    for bout, seat, move in moves:
        bouts.setdefault(bout, []).append(f"{seat} {move}")
    lines += [f"{bout}. {'; '.join(played)}" for bout, played in bouts.items()]
    return "\n".join([*lines, f"Result: {result}", ""])


def wrong(line: int, what: str) -> GameTextError:
    """The error for something in a line of a text."""
    return GameTextError(f"line {line}: {what}")


def read(text: str) -> Record:
    """The parts of a text; whether the moves are legal is for the game to say."""
    if not isinstance(text, str):
        raise GameTextError(f"a game is read from a text, not from {quoted(text)}")
    if len(text) > MOST_CHARACTERS:
        raise GameTextError(f"the text has {len(text)} characters; a game has at most {MOST_CHARACTERS}")
    lines = _lines(text)
    if not lines:
        raise GameTextError(f"the text is empty; a game begins with the line '{_FIRST_WORD} {VERSION}'")
    _check_first_line(*lines[0])
    headers: dict[str, str] = {}
    where: dict[str, int] = {}
    moves: list[WrittenMove] = []
    for place, (number, line) in enumerate(lines[1:], 2):
        if line.startswith("Result:"):
            if place < len(lines):
                raise wrong(lines[place][0], f"the result ends a game, and {quoted(lines[place][1])} stands after it")
            return Record(headers, tuple(moves), line.removeprefix("Result:").strip(), where)
        if line[0].isdigit():
            moves += _bout(number, line, moves[-1].bout if moves else 0)
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in KEYS:
            raise wrong(number, f"{quoted(line)} is not a header, a bout or the result.{nearest(key, (*KEYS, 'Result'))}")
        if moves or key in headers:
            raise wrong(
                number, f"{key} {'stands here for the second time' if key in headers else 'stands after the moves, where no header may'}"
            )
        headers[key], where[key] = value.strip(), number
    raise GameTextError("the text ends before its result: it was cut short, or needs a last line 'Result: *' if the game goes on")


def position_in(text: str) -> str | None:
    """The position that a text says, perhaps wrapped into several lines; None where it is to be read as a game.

    >>> position_in("6c 7c | 9h Ts; trump h"), position_in("Durak 1")
    ('6c 7c | 9h Ts; trump h', None)
    """
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        return None
    lines = [line for _, line in _lines(text)]
    game = not lines or lines[0].split()[0] == _FIRST_WORD or not any("|" in line for line in lines)
    return None if game else " ".join(lines)


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    lines = [(number, line.strip()) for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _check_first_line(number: int, line: str) -> None:
    word, *rest = line.split()
    version = " ".join(rest)
    if word != _FIRST_WORD:
        raise wrong(
            number,
            f"a game begins with '{_FIRST_WORD} {VERSION}', not with {quoted(line)}; a position is one line such as '6c 7c | 9h Ts; trump h'",
        )
    if version != str(VERSION):
        raise wrong(number, f"this is version {quoted(version)} of the form, and version {VERSION} is the one known here")


def _bout(number: int, line: str, before: int) -> list[WrittenMove]:
    """The moves of a line such as `3. 1 attack 7c; 2 take`."""
    digits, dot, rest = line.partition(".")
    if not dot or not (digits.isascii() and digits.isdigit()) or len(digits) > 7:
        raise wrong(number, f"{quoted(line)} is not a bout: write its number, a dot and its moves, such as '1. 0 attack 7c; 1 take'")
    bout = int(digits)
    if bout <= before:
        raise wrong(number, f"bout {bout} stands after bout {before}; a bout has one line, and they go up")
    found = []
    for part in rest.split(";"):
        seat, _, move = part.strip().partition(" ")
        named = seat.isascii() and seat.isdigit() and len(seat) == 1
        text = move.strip() if named else part.strip()
        if not text:
            raise wrong(number, f"a move is missing in bout {bout}; moves stand between semicolons, such as '0 attack 7c; 1 take'")
        found.append(WrittenMove(number, bout, int(seat) if named else None, text))
    return found
