"""Formats and parses whole games as readable text, similar to PGN for chess.

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

from durak_widget.cards import SUITS, CardSet, bit_indices, card_from_bit
from durak_widget.engine import state_transitions
from durak_widget.engine.history import Pairs
from durak_widget.engine.state import State
from durak_widget.errors import GameTextError, RulesError, short_repr, suggest_nearest
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.engine.moves import Move
    from durak_widget.rules.scoring import Outcome

VERSION: Final = 1
MAX_CHARACTERS: Final = 2_000_000
UNFINISHED: Final = "*"
_FIRST_WORD: Final = "Durak"
DEAL_KEYS: Final = ("Dealer", "First", "Deck")
"""The headers in the text of a dealt game: its dealer, its first attacker (if a match decided it), and its deck."""
POSITION_KEYS: Final = ("Position", "Hands", "Trump", "Attacker", "Talon", "Turn-up", "Table", "Discard", "Passed", "Taking", "Bout")
"""The headers in the text of a game that begins from a position: one for the whole position, or one for each part."""
HEADER_KEYS: Final = ("Rules", *DEAL_KEYS, *POSITION_KEYS, "Ply")
_Game = TypeVar("_Game")


class DealRecord(NamedTuple):
    """The deal of a game: the shuffled deck, the dealer, and the first attacker."""

    deck: Sequence[int]
    """The deck, top card first; each card is an integer with one bit set."""
    dealer: int
    first_attacker: int | None
    """The seat that attacks first, if a match decided this; otherwise None."""


def format_game(beginning: DealRecord | State | str, start: State, moves: Sequence[Move], ply: int) -> str:
    """Format a game as text with all its moves; moves after the first `ply` are undone moves."""
    headers = {} if isinstance(beginning, str) else {"Rules": str(start.compiled_rules.rules)}
    if isinstance(beginning, str):
        headers["Position"] = beginning
    else:
        headers |= _build_position_headers(beginning) if isinstance(beginning, State) else _build_deal_headers(beginning)
    if ply < len(moves):
        headers["Ply"] = str(ply)
    state, written_moves = start.copy(), []
    for move in moves:
        written_moves.append((state.bout, state.actor or 0, str(move)))
        state_transitions.apply_move(state, move)
    return format_record(headers, written_moves, UNFINISHED if state.outcome is None else str(state.outcome))


def _build_deal_headers(deal: DealRecord) -> dict[str, str]:
    first = {} if deal.first_attacker is None else {"First": str(deal.first_attacker)}
    return {"Dealer": str(deal.dealer), **first, "Deck": _format_cards(deal.deck)}


def _build_position_headers(position: State) -> dict[str, str]:
    return {
        "Hands": " | ".join(str(CardSet.from_mask(hand)) for hand in position.hands),
        "Trump": "none" if position.trump_suit is None else SUITS[position.trump_suit],
        "Attacker": str(position.attacker),
        "Talon": _format_cards(position.talon),
        "Turn-up": _format_cards([position.turn_up]) if position.turn_up else "none",
        "Table": str(Pairs.from_codes(position.attacks, position.beats)),
        "Discard": str(CardSet.from_mask(position.discard)),
        "Passed": " ".join(map(str, bit_indices(position.passed))),
        "Taking": "yes" if position.taking else "no",
        "Bout": str(position.bout),
    }


def _format_cards(bits: Iterable[int]) -> str:
    return " ".join(str(card_from_bit(bit)) for bit in bits)


class ParsedGame(NamedTuple):
    """The parsed text of a game: how the game begins, its moves, and its result."""

    origin: Literal["dealt", "placed", "at"]
    """How the game begins: with a deal, with a position in several headers, or with a position in one line."""
    arguments: dict[str, Any]
    """The keyword arguments for `Game`, `Game.from_position` or `Game.from_position_line`, depending on `origin`."""
    record: GameRecord

    def build_game(self, deal: Callable[..., _Game], from_position: Callable[..., _Game], from_line: Callable[..., _Game]) -> _Game:
        """Build the game in its first position, before any move is made.

        The arguments are the three functions that build a game: from a deal, from a position, and from a position line. `origin` selects one.
        """
        return {"dealt": deal, "placed": from_position, "at": from_line}[self.origin](**self.arguments)

    @property
    def moves(self) -> Sequence[WrittenMove]:
        """Return the moves in a game's text, without checking whether they are legal."""
        return self.record.moves

    def find_ply(self, ply: int, outcome: Outcome | None) -> int:
        """Return how many moves in a game's text count as made; the others are undone moves.

        `ply` is the number of all moves, and `outcome` the result after them. If the text contradicts them, the method raises a
        `GameTextError`.
        """
        result = UNFINISHED if outcome is None else str(outcome)
        if self.record.result not in (result, UNFINISHED):
            raise GameTextError(f"the text has 'Result: {self.record.result[:80]}', but its moves lead to '{result}'")
        ply_text = self.record.headers.get("Ply", str(ply))
        if not _is_number(ply_text) or int(ply_text) > ply:
            raise build_line_error(
                self.record.header_lines["Ply"],
                f"Ply must be a number from 0 to {ply}, the number of moves made, not {short_repr(ply_text)}",
            )
        return int(ply_text)


def parse_game(text: str) -> ParsedGame:
    """Parse the text of a game, without checking that the moves are legal.

    If the text is invalid, the function raises a `GameTextError` that names the line.
    """
    record = parse_record(text)
    headers = record.headers
    deal_keys = [key for key in DEAL_KEYS if key in headers]
    position_keys = [key for key in POSITION_KEYS if key in headers]
    if deal_keys and position_keys:
        problem = f"{position_keys[0]} is for a game from a position, and {deal_keys[0]} is for one that was dealt; write only one of them"
        raise build_line_error(record.header_lines[position_keys[0]], problem)
    if not headers.keys() & {"Hands", "Deck", "Position"}:
        raise GameTextError(
            "the text has neither 'Deck:' (for a game that was dealt) nor 'Hands:' or 'Position:' (for a game from a position)"
        )
    try:
        rules = Rules.parse(headers.get("Rules", "podkidnoy"))
    except RulesError as error:
        raise build_line_error(record.header_lines["Rules"], str(error)) from None
    if deal_keys:
        return ParsedGame("dealt", {"rules": rules, **_parse_deal_arguments(record)}, record)
    if "Position" not in headers:
        return ParsedGame("placed", {"rules": rules, **_parse_position_arguments(record)}, record)
    if len(position_keys) > 1 or "Rules" in headers:
        extra_key = next(key for key in (*position_keys, "Rules") if key in headers and key != "Position")
        raise build_line_error(record.header_lines[extra_key], f"Position already includes {extra_key}; leave {extra_key} out")
    return ParsedGame("at", {"text": headers["Position"]}, record)


def _parse_deal_arguments(record: GameRecord) -> dict[str, Any]:
    if "Deck" not in record.headers:
        raise GameTextError("the text has no 'Deck:', the cards of a game that was dealt")
    return {
        "deck": record.headers["Deck"],
        "dealer": _parse_number(record, "Dealer") or 0,
        "first_attacker": _parse_number(record, "First"),
    }


def _parse_position_arguments(record: GameRecord) -> dict[str, Any]:
    headers = record.headers
    trump = _none_if_empty(headers.get("Trump", "none"))
    if trump is not None and trump not in tuple(SUITS):
        raise build_line_error(record.header_lines["Trump"], f"Trump must be c, d, h, s or none, not {short_repr(trump)}")
    passed = headers.get("Passed", "").split()
    if not all(map(_is_number, passed)):
        raise build_line_error(
            record.header_lines["Passed"], f"Passed must be a list of seats with spaces between them, not {short_repr(headers['Passed'])}"
        )
    return {
        "hands": headers["Hands"].split("|"),
        "trump": trump,
        "attacker": _parse_number(record, "Attacker") or 0,
        "talon": headers.get("Talon", ""),
        "turn_up": _none_if_empty(headers.get("Turn-up", "none")),
        "table": headers.get("Table", ""),
        "discard": headers.get("Discard", ""),
        "throwers_passed": list(map(int, passed)),
        "taking": _parse_yes_no(record, "Taking"),
        "bout": 2 if "Bout" not in headers else _parse_number(record, "Bout") or 0,
    }


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _parse_number(record: GameRecord, key: str) -> int | None:
    text = record.headers.get(key)
    if text is None:
        return None
    if not _is_number(text):
        raise build_line_error(record.header_lines[key], f"{key} must be a whole number, not {short_repr(text)}")
    return int(text)


def _parse_yes_no(record: GameRecord, key: str) -> bool:
    text = record.headers.get(key, "no")
    if text not in ("yes", "no"):
        raise build_line_error(
            record.header_lines[key], f"{key} must be yes or no, not {short_repr(text)}.{suggest_nearest(text, ('yes', 'no'))}"
        )
    return text == "yes"


def _none_if_empty(text: str) -> str | None:
    """Return None if the value of a header is empty, `-` or `none`; otherwise the value."""
    return None if text in ("none", "", "-") else text


class WrittenMove(NamedTuple):
    """One move in the text of a game, with its line number, its bout and its seat."""

    line: int
    bout: int
    seat: int | None
    move: str

    def build_error(self, problem: str) -> GameTextError:
        """Return an error about this move that gives the move's line number in the game's text."""
        return build_line_error(self.line, problem)

    def require_turn(self, actor: int | None, bout: int, outcome: object) -> None:
        """Raise an error if the text gives this move to the wrong seat or to the wrong bout."""
        if actor is None:
            raise self.build_error(f"{short_repr(self.move)} is after the end of the game ({outcome})")
        if self.bout != bout:
            raise self.build_error(f"{short_repr(self.move)} is in bout {self.bout}, but bout {bout} is being played")
        if self.seat not in (None, actor):
            raise self.build_error(f"{short_repr(self.move)} is written for seat {self.seat}, but seat {actor} must move")


@dataclass(frozen=True)
class GameRecord:
    """The three parts of a game's text: its headers, its moves, and its result."""

    headers: Mapping[str, str]
    moves: tuple[WrittenMove, ...] = ()
    result: str = UNFINISHED
    header_lines: Mapping[str, int] = field(default_factory=dict)
    """The line number of each header in the game's text."""


def format_record(headers: Mapping[str, str], moves: Iterable[tuple[int, int, str]], result: str) -> str:
    """Format a game as text from its headers, its moves (bout, seat, move) and its result."""
    lines = [f"{_FIRST_WORD} {VERSION}", *(f"{key}: {headers[key]}".rstrip() for key in HEADER_KEYS if key in headers), ""]
    bouts: dict[int, list[str]] = {}
    for bout, seat, move in moves:
        bouts.setdefault(bout, []).append(f"{seat} {move}")
    lines += [f"{bout}. {'; '.join(bout_moves)}" for bout, bout_moves in bouts.items()]
    return "\n".join([*lines, f"Result: {result}", ""])


def build_line_error(line: int, problem: str) -> GameTextError:
    """Return an error that describes a problem and gives its line number in a game's text."""
    return GameTextError(f"line {line}: {problem}")


def parse_record(text: str) -> GameRecord:
    """Split a game's text into headers, moves and result, without checking the moves."""
    if not isinstance(text, str):
        raise GameTextError(f"a game is read from a text, not from {short_repr(text)}")
    if len(text) > MAX_CHARACTERS:
        raise GameTextError(f"the text has {len(text)} characters; a game may have at most {MAX_CHARACTERS}")
    lines = _number_lines(text)
    if not lines:
        raise GameTextError(f"the text is empty; a game begins with the line '{_FIRST_WORD} {VERSION}'")
    _require_first_line(*lines[0])
    headers: dict[str, str] = {}
    header_lines: dict[str, int] = {}
    moves: list[WrittenMove] = []
    for next_index, (number, line) in enumerate(lines[1:], 2):
        if line.startswith("Result:"):
            if next_index < len(lines):
                raise build_line_error(
                    lines[next_index][0], f"the result ends a game, but {short_repr(lines[next_index][1])} comes after it"
                )
            return GameRecord(headers, tuple(moves), line.removeprefix("Result:").strip(), header_lines)
        if line[0].isdigit():
            moves += _parse_bout(number, line, moves[-1].bout if moves else 0)
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in HEADER_KEYS:
            raise build_line_error(
                number, f"{short_repr(line)} is not a header, a bout or the result.{suggest_nearest(key, (*HEADER_KEYS, 'Result'))}"
            )
        if moves or key in headers:
            raise build_line_error(
                number,
                f"{key} {'is here for the second time' if key in headers else 'is after the moves, but headers must come before them'}",
            )
        headers[key], header_lines[key] = value.strip(), number
    raise GameTextError("the text ends before its result. Either it was cut short, or the game goes on; then add a last line 'Result: *'")


def extract_position(text: str) -> str | None:
    """Return the position that a text contains, as one line; None if the text is a whole game.

    >>> extract_position("6c 7c | 9h Ts; trump h"), extract_position("Durak 1")
    ('6c 7c | 9h Ts; trump h', None)
    """
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS:
        return None
    lines = [line for _, line in _number_lines(text)]
    is_game = not lines or lines[0].split()[0] == _FIRST_WORD or not any("|" in line for line in lines)
    return None if is_game else " ".join(lines)


def _number_lines(text: str) -> list[tuple[int, str]]:
    """Return each line of a text with its number, without empty lines and comments."""
    lines = [(number, line.strip()) for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _require_first_line(number: int, line: str) -> None:
    word, *rest = line.split()
    version = " ".join(rest)
    if word != _FIRST_WORD:
        raise build_line_error(
            number,
            f"a game must begin with '{_FIRST_WORD} {VERSION}', not with {short_repr(line)}; a position is one line, such as '6c 7c | 9h Ts; trump h'",
        )
    if version != str(VERSION):
        raise build_line_error(
            number, f"this text is in version {short_repr(version)} of the format, and only version {VERSION} can be read here"
        )


def _parse_bout(number: int, line: str, previous_bout: int) -> list[WrittenMove]:
    """Parse one line of a game's text: the moves of a bout, such as `3. 1 attack 7c; 2 take`."""
    digits, dot, moves_text = line.partition(".")
    if not dot or not (digits.isascii() and digits.isdigit()) or len(digits) > 7:
        raise build_line_error(
            number, f"{short_repr(line)} is not a bout; write its number, a dot and its moves, such as '1. 0 attack 7c; 1 take'"
        )
    bout = int(digits)
    if bout <= previous_bout:
        raise build_line_error(number, f"bout {bout} comes after bout {previous_bout}; write one line per bout, with increasing numbers")
    moves = []
    for part in moves_text.split(";"):
        seat, _, move_text = part.strip().partition(" ")
        has_seat = seat.isascii() and seat.isdigit() and len(seat) == 1
        text = move_text.strip() if has_seat else part.strip()
        if not text:
            raise build_line_error(
                number, f"a move is missing in bout {bout}; put semicolons only between moves, such as '0 attack 7c; 1 take'"
            )
        moves.append(WrittenMove(number, bout, int(seat) if has_seat else None, text))
    return moves
