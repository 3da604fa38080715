"""Whole games as text that people can read, like PGN: formatting and parsing.

    Durak 1
    Rules: transfer, players=3
    Dealer: 0
    Deck: 6c Td …

    1. 1 attack 7c; 2 beat 7c 9c; 1 pass
    2. 2 attack Jh; 0 take
    Result: *

After the headers, each bout has one line with the seat before each move. The result comes last (`*` for an
unfinished game), so a truncated text is noticed. Lines that begin with `#` are comments. The grammar is
in `docs/notation.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from durak_widget.cards import SUITS, CardSet, bits_of, card_of
from durak_widget.engine import state_transitions
from durak_widget.engine.history import Pairs
from durak_widget.engine.state import State
from durak_widget.errors import GameTextError, RulesError, nearest, quoted
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.engine.moves import Move
    from durak_widget.rules.scoring import Outcome

VERSION: Final = 1
MOST_CHARACTERS: Final = 2_000_000
UNFINISHED: Final = "*"
_FIRST_WORD: Final = "Durak"
DEAL_KEYS: Final = ("Dealer", "First", "Deck")
"""The headers of a dealt game: the dealer, the first attacker if a match sets it, and the deck from the top."""
POSITION_KEYS: Final = ("Position", "Hands", "Trump", "Attacker", "Talon", "Turn-up", "Table", "Discard", "Passed", "Taking", "Bout")
"""The headers of a game from a position: the whole position as a line, or its parts."""
KEYS: Final = ("Rules", *DEAL_KEYS, *POSITION_KEYS, "Ply")
_Game = TypeVar("_Game")


class Dealt(NamedTuple):
    """The beginning of a dealt game."""

    deck: Sequence[int]
    """The deck as bits, first on top."""
    dealer: int
    first_attacker: int | None
    """The seat that attacks first, if a match sets it."""


def write_game(beginning: Dealt | State | str, start: State, line: Sequence[Move], ply: int) -> str:
    """Return the text of a game with all its moves, of which the first `ply` are made."""
    headers = {} if isinstance(beginning, str) else {"Rules": str(start.kit.rules)}
    if isinstance(beginning, str):
        headers["Position"] = beginning
    else:
        headers |= _position_headers(beginning) if isinstance(beginning, State) else _deal_headers(beginning)
    if ply < len(line):
        headers["Ply"] = str(ply)
    state, written_moves = start.copy(), []
    for move in line:
        written_moves.append((state.bout, state.actor or 0, str(move)))
        state_transitions.play(state, move)
    return write(headers, written_moves, UNFINISHED if state.outcome is None else str(state.outcome))


def _deal_headers(deal: Dealt) -> dict[str, str]:
    first = {} if deal.first_attacker is None else {"First": str(deal.first_attacker)}
    return {"Dealer": str(deal.dealer), **first, "Deck": _named(deal.deck)}


def _position_headers(placed: State) -> dict[str, str]:
    return {
        "Hands": " | ".join(str(CardSet.of(hand)) for hand in placed.hands),
        "Trump": "none" if placed.suit is None else SUITS[placed.suit],
        "Attacker": str(placed.attacker),
        "Talon": _named(placed.talon),
        "Turn-up": _named([placed.turn_up]) if placed.turn_up else "none",
        "Table": str(Pairs.of(placed.attacks, placed.beats)),
        "Discard": str(CardSet.of(placed.discard)),
        "Passed": " ".join(map(str, bits_of(placed.passed))),
        "Taking": "yes" if placed.taking else "no",
        "Bout": str(placed.bout),
    }


def _named(bits: Iterable[int]) -> str:
    return " ".join(str(card_of(bit)) for bit in bits)


class Saved(NamedTuple):
    """The content of a game's text: how it begins, its moves, and the current moment."""

    how: Literal["dealt", "placed", "at"]
    """The kind of beginning: a deal, a position in parts, or a position as a line."""
    setting: dict[str, Any]
    """The arguments for `Game`, `Game.from_position` or `Game.at`."""
    found: Record

    def begun(self, dealt: Callable[..., _Game], placed: Callable[..., _Game], at: Callable[..., _Game]) -> _Game:
        """Build the game at its beginning with one of these functions."""
        return {"dealt": dealt, "placed": placed, "at": at}[self.how](**self.setting)

    @property
    def moves(self) -> Sequence[WrittenMove]:
        """Return the moves as they are written."""
        return self.found.moves

    def ends(self, ply: int, outcome: Outcome | None) -> int:
        """Return the current ply, given the number of moves and the outcome.

        If the text contradicts them, a `GameTextError` is raised.
        """
        result = UNFINISHED if outcome is None else str(outcome)
        if self.found.result not in (result, UNFINISHED):
            raise GameTextError(f"the text says 'Result: {self.found.result[:80]}', and its moves lead to '{result}'")
        ply_text = self.found.headers.get("Ply", str(ply))
        if not _is_number(ply_text) or int(ply_text) > ply:
            raise wrong(self.found.lines["Ply"], f"Ply counts the moves made, 0 to {ply}, not {quoted(ply_text)}")
        return int(ply_text)


def read_game(text: str) -> Saved:
    """Parse the text of a game, without checking that the moves are legal.

    A `GameTextError` says in which line the problem is.
    """
    record = read(text)
    headers = record.headers
    deal_keys = [key for key in DEAL_KEYS if key in headers]
    position_keys = [key for key in POSITION_KEYS if key in headers]
    if deal_keys and position_keys:
        problem = f"{position_keys[0]} is for a game from a position, and {deal_keys[0]} for one that was dealt; write the one or the other"
        raise wrong(record.lines[position_keys[0]], problem)
    if not headers.keys() & {"Hands", "Deck", "Position"}:
        raise GameTextError("the text says neither 'Deck:' (a game that was dealt) nor 'Hands:' or 'Position:' (a game from a position)")
    try:
        rules = Rules.parse(headers.get("Rules", "podkidnoy"))
    except RulesError as error:
        raise wrong(record.lines["Rules"], str(error)) from None
    if deal_keys:
        return Saved("dealt", {"rules": rules, **_dealt(record)}, record)
    if "Position" not in headers:
        return Saved("placed", {"rules": rules, **_placed(record)}, record)
    if len(position_keys) > 1 or "Rules" in headers:
        extra_key = next(key for key in (*position_keys, "Rules") if key in headers and key != "Position")
        raise wrong(record.lines[extra_key], f"Position says all of a position, its rules too; leave {extra_key} out")
    return Saved("at", {"text": headers["Position"]}, record)


def _dealt(found: Record) -> dict[str, Any]:
    if "Deck" not in found.headers:
        raise GameTextError("the text has no 'Deck:', the cards of a game that was dealt")
    return {"deck": found.headers["Deck"], "dealer": _number(found, "Dealer") or 0, "first_attacker": _number(found, "First")}


def _placed(found: Record) -> dict[str, Any]:
    headers = found.headers
    trump = _none(headers.get("Trump", "none"))
    if trump is not None and trump not in tuple(SUITS):
        raise wrong(found.lines["Trump"], f"Trump is c, d, h, s or none, not {quoted(trump)}")
    passed = headers.get("Passed", "").split()
    if not all(map(_is_number, passed)):
        raise wrong(found.lines["Passed"], f"Passed is a list of seats with spaces between, not {quoted(headers['Passed'])}")
    return {
        "hands": headers["Hands"].split("|"),
        "trump": trump,
        "attacker": _number(found, "Attacker") or 0,
        "talon": headers.get("Talon", ""),
        "turn_up": _none(headers.get("Turn-up", "none")),
        "table": headers.get("Table", ""),
        "discard": headers.get("Discard", ""),
        "throwers_passed": list(map(int, passed)),
        "taking": _yes(found, "Taking"),
        "bout": 2 if "Bout" not in headers else _number(found, "Bout") or 0,
    }


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _number(found: Record, key: str) -> int | None:
    text = found.headers.get(key)
    if text is None:
        return None
    if not _is_number(text):
        raise wrong(found.lines[key], f"{key} is a whole number, not {quoted(text)}")
    return int(text)


def _yes(found: Record, key: str) -> bool:
    text = found.headers.get(key, "no")
    if text not in ("yes", "no"):
        raise wrong(found.lines[key], f"{key} is yes or no, not {quoted(text)}.{nearest(text, ('yes', 'no'))}")
    return text == "yes"


def _none(text: str) -> str | None:
    return None if text in ("none", "", "-") else text


class WrittenMove(NamedTuple):
    """A move as it is written in a text."""

    line: int
    bout: int
    seat: int | None
    move: str

    def wrong(self, what: str) -> GameTextError:
        """Return the error for a problem of this move."""
        return wrong(self.line, what)

    def require_turn(self, actor: int | None, bout: int, outcome: object) -> None:
        """Refuse a move that is written for another seat or bout than the current ones."""
        if actor is None:
            raise self.wrong(f"{quoted(self.move)} stands after the end of the game ({outcome})")
        if self.bout != bout:
            raise self.wrong(f"{quoted(self.move)} stands in bout {self.bout}, and bout {bout} is being played")
        if self.seat not in (None, actor):
            raise self.wrong(f"{quoted(self.move)} is written for seat {self.seat}, and seat {actor} is to act")


@dataclass(frozen=True)
class Record:
    """The parts of a game's text."""

    headers: Mapping[str, str]
    moves: tuple[WrittenMove, ...] = ()
    result: str = UNFINISHED
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line number of each header."""


def write(headers: Mapping[str, str], moves: Iterable[tuple[int, int, str]], result: str) -> str:
    """Format the text of a game: its headers, its moves as (bout, seat, move), and its result."""
    lines = [f"{_FIRST_WORD} {VERSION}", *(f"{key}: {headers[key]}".rstrip() for key in KEYS if key in headers), ""]
    bouts: dict[int, list[str]] = {}
    for bout, seat, move in moves:
        bouts.setdefault(bout, []).append(f"{seat} {move}")
    lines += [f"{bout}. {'; '.join(bout_moves)}" for bout, bout_moves in bouts.items()]
    return "\n".join([*lines, f"Result: {result}", ""])


def wrong(line: int, what: str) -> GameTextError:
    """Return the error for a problem in a line of a text."""
    return GameTextError(f"line {line}: {what}")


def read(text: str) -> Record:
    """Parse a text into its parts, without checking that the moves are legal."""
    if not isinstance(text, str):
        raise GameTextError(f"a game is read from a text, not from {quoted(text)}")
    if len(text) > MOST_CHARACTERS:
        raise GameTextError(f"the text has {len(text)} characters; a game has at most {MOST_CHARACTERS}")
    lines = _lines(text)
    if not lines:
        raise GameTextError(f"the text is empty; a game begins with the line '{_FIRST_WORD} {VERSION}'")
    _check_first_line(*lines[0])
    headers: dict[str, str] = {}
    header_lines: dict[str, int] = {}
    moves: list[WrittenMove] = []
    for next_index, (number, line) in enumerate(lines[1:], 2):
        if line.startswith("Result:"):
            if next_index < len(lines):
                raise wrong(lines[next_index][0], f"the result ends a game, and {quoted(lines[next_index][1])} stands after it")
            return Record(headers, tuple(moves), line.removeprefix("Result:").strip(), header_lines)
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
        headers[key], header_lines[key] = value.strip(), number
    raise GameTextError("the text ends before its result: it was cut short, or needs a last line 'Result: *' if the game goes on")


def position_in(text: str) -> str | None:
    """Return the position in a text, joined to one line; None if the text is a game.

    >>> position_in("6c 7c | 9h Ts; trump h"), position_in("Durak 1")
    ('6c 7c | 9h Ts; trump h', None)
    """
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        return None
    lines = [line for _, line in _lines(text)]
    is_game = not lines or lines[0].split()[0] == _FIRST_WORD or not any("|" in line for line in lines)
    return None if is_game else " ".join(lines)


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that are neither empty nor comments, with their numbers."""
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
    """Parse the moves of a line such as `3. 1 attack 7c; 2 take`."""
    digits, dot, rest = line.partition(".")
    if not dot or not (digits.isascii() and digits.isdigit()) or len(digits) > 7:
        raise wrong(number, f"{quoted(line)} is not a bout: write its number, a dot and its moves, such as '1. 0 attack 7c; 1 take'")
    bout = int(digits)
    if bout <= before:
        raise wrong(number, f"bout {bout} stands after bout {before}; a bout has one line, and they go up")
    moves = []
    for part in rest.split(";"):
        seat, _, move_text = part.strip().partition(" ")
        has_seat = seat.isascii() and seat.isdigit() and len(seat) == 1
        text = move_text.strip() if has_seat else part.strip()
        if not text:
            raise wrong(number, f"a move is missing in bout {bout}; moves stand between semicolons, such as '0 attack 7c; 1 take'")
        moves.append(WrittenMove(number, bout, int(seat) if has_seat else None, text))
    return moves
