"""A game to its text and back: what the headers and the moves of a record mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from durak_widget.cards import SUITS, CardSet, bits_of, card_of
from durak_widget.engine import record, state_transitions
from durak_widget.engine.pairs import Pairs
from durak_widget.engine.record import UNFINISHED, wrong
from durak_widget.engine.state import State
from durak_widget.errors import GameTextError, RulesError, nearest, quoted
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from durak_widget.engine.moves import Move
    from durak_widget.engine.record import Record, WrittenMove
    from durak_widget.rules.scoring import Outcome


_Game = TypeVar("_Game")


class Dealt(NamedTuple):
    """How a game began that was dealt."""

    deck: Sequence[int]
    """The deck as bits, first on top."""
    dealer: int
    first_attacker: int | None
    """Who attacks first, where a match says so."""


def write_game(beginning: Dealt | State | str, start: State, line: Sequence[Move], ply: int) -> str:
    """The text of a game that began so, with all its moves, of which so many are made."""
    headers = {} if isinstance(beginning, str) else {"Rules": str(start.kit.rules)}
    if isinstance(beginning, str):
        headers["Position"] = beginning
    else:
        headers |= _position_headers(beginning) if isinstance(beginning, State) else _deal_headers(beginning)
    if ply < len(line):
        headers["Ply"] = str(ply)
    state, moves = start.copy(), []
    for move in line:
        moves.append((state.bout, state.actor or 0, str(move)))
        state_transitions.play(state, move)
    return record.write(headers, moves, UNFINISHED if state.outcome is None else str(state.outcome))


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
    """What a text says of a game: how it begins, its moves, and where it stands."""

    how: Literal["dealt", "placed", "at"]
    """Whether it was dealt, begins from a position, or from one that is written as a line."""
    setting: dict[str, Any]
    """What it begins from besides, as `Game`, `Game.from_position` or `Game.at` takes it."""
    found: Record

    def begun(self, dealt: Callable[..., _Game], placed: Callable[..., _Game], at: Callable[..., _Game]) -> _Game:
        """The game at its beginning, made by one of these."""
        return {"dealt": dealt, "placed": placed, "at": at}[self.how](**self.setting)

    @property
    def moves(self) -> Sequence[WrittenMove]:
        """The moves as they are written."""
        return self.found.moves

    def ends(self, ply: int, outcome: Outcome | None) -> int:
        """At which moment the game stands, given how many moves it has and how they ended; an error where the text says otherwise."""
        said = UNFINISHED if outcome is None else str(outcome)
        if self.found.result not in (said, UNFINISHED):
            raise GameTextError(f"the text says 'Result: {self.found.result[:80]}', and its moves lead to '{said}'")
        stands = self.found.headers.get("Ply", str(ply))
        if not _is_number(stands) or int(stands) > ply:
            raise wrong(self.found.lines["Ply"], f"Ply counts the moves made, 0 to {ply}, not {quoted(stands)}")
        return int(stands)


def read_game(text: str) -> Saved:
    """What a text says, or a GameTextError that says in which line what is wrong; whether the moves are legal is for the game to say."""
    found = record.read(text)
    headers = found.headers
    dealt = [key for key in record.DEAL_KEYS if key in headers]
    placed = [key for key in record.POSITION_KEYS if key in headers]
    if dealt and placed:
        both = f"{placed[0]} is for a game from a position, and {dealt[0]} for one that was dealt; write the one or the other"
        raise wrong(found.lines[placed[0]], both)
    if not headers.keys() & {"Hands", "Deck", "Position"}:
        raise GameTextError("the text says neither 'Deck:' (a game that was dealt) nor 'Hands:' or 'Position:' (a game from a position)")
    try:
        rules = Rules.parse(headers.get("Rules", "podkidnoy"))
    except RulesError as error:
        raise wrong(found.lines["Rules"], str(error)) from None
    if dealt:
        return Saved("dealt", {"rules": rules, **_dealt(found)}, found)
    if "Position" not in headers:
        return Saved("placed", {"rules": rules, **_placed(found)}, found)
    if len(placed) > 1 or "Rules" in headers:
        also = next(key for key in (*placed, "Rules") if key in headers and key != "Position")
        raise wrong(found.lines[also], f"Position says all of a position, its rules too; leave {also} out")
    return Saved("at", {"text": headers["Position"]}, found)


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
