"""A game to its text and back: what the headers and the moves of a record mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.cards import SUITS, CardSet, bits_of, card_of
from durak_widget.errors import GameTextError, PositionError, RulesError, nearest, quoted
from durak_widget.game import engine, record
from durak_widget.game.pairs import Pairs
from durak_widget.game.record import UNFINISHED, Record, wrong
from durak_widget.game.refusal import IllegalMove
from durak_widget.game.state import State
from durak_widget.rules.book import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.game.game import Game
    from durak_widget.game.moves import Move


class Deal(NamedTuple):
    """How a game began that was dealt."""

    deck: Sequence[int]
    """The deck as bits, first on top."""
    dealer: int
    first_attacker: int | None
    """Who attacks first, where a match says so."""


def write_game(beginning: Deal | State, start: State, line: Sequence[Move], ply: int) -> str:
    """The text of a game that began so, with all its moves, of which so many are made."""
    headers = {"Rules": str(start.kit.rules)}
    headers |= _position_headers(beginning) if isinstance(beginning, State) else _deal_headers(beginning)
    if ply < len(line):
        headers["Ply"] = str(ply)
    state, moves = start.copy(), []
    for move in line:
        moves.append((state.bout, state.actor or 0, str(move)))
        engine.play(state, move)
    return record.write(headers, moves, UNFINISHED if state.outcome is None else str(state.outcome))


def _deal_headers(deal: Deal) -> dict[str, str]:
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


def read_game(kind: type[Game], text: str) -> Game:
    """The game that a text says, whole, or a GameTextError that says in which line what is wrong."""
    found = record.read(text)
    game = _begun(kind, found)
    for written in found.moves:
        _play(game, written)
    outcome = UNFINISHED if game.outcome is None else str(game.outcome)
    if found.result not in (outcome, UNFINISHED):
        raise GameTextError(f"the text says 'Result: {found.result[:80]}', and its moves lead to '{outcome}'")
    ply = found.headers.get("Ply")
    if ply is not None:
        if not _is_number(ply) or int(ply) > game.ply:
            raise wrong(found.lines["Ply"], f"Ply counts the moves made, 0 to {game.ply}, not {quoted(ply)}")
        game.goto(int(ply))
    return game


def _play(game: Game, written: record.Written) -> None:
    if game.actor is None:
        raise wrong(written.line, f"{quoted(written.move)} stands after the end of the game ({game.outcome})")
    if written.bout != game.bout:
        raise wrong(written.line, f"{quoted(written.move)} stands in bout {written.bout}, and bout {game.bout} is being played")
    if written.seat not in (None, game.actor):
        raise wrong(written.line, f"{quoted(written.move)} is written for seat {written.seat}, and seat {game.actor} is to act")
    try:
        game.play(written.move)
    except IllegalMove as error:
        raise wrong(written.line, str(error)) from None


def _begun(kind: type[Game], found: Record) -> Game:
    """The game that the headers begin."""
    headers = found.headers
    dealt = [key for key in record.DEAL_KEYS if key in headers]
    placed = [key for key in record.POSITION_KEYS if key in headers]
    if dealt and placed:
        both = f"{placed[0]} is for a game from a position, and {dealt[0]} for one that was dealt; write the one or the other"
        raise wrong(found.lines[placed[0]], both)
    if not ("Hands" in headers or "Deck" in headers):
        raise GameTextError("the text says neither 'Deck:' (a game that was dealt) nor 'Hands:' (a game from a position)")
    try:
        rules = Rules.parse(headers.get("Rules", "podkidnoy"))
    except RulesError as error:
        raise wrong(found.lines["Rules"], str(error)) from None
    try:
        return _dealt(kind, rules, found) if dealt else _placed(kind, rules, found)
    except PositionError as error:  # which says itself what is wrong where: the deck, the talon, a hand
        raise GameTextError(str(error)) from None


def _dealt(kind: type[Game], rules: Rules, found: Record) -> Game:
    if "Deck" not in found.headers:
        raise GameTextError("the text has no 'Deck:', the cards of a game that was dealt")
    return kind(rules, deck=found.headers["Deck"], dealer=_number(found, "Dealer") or 0, first_attacker=_number(found, "First"))


def _placed(kind: type[Game], rules: Rules, found: Record) -> Game:
    headers = found.headers
    trump = _none(headers.get("Trump", "none"))
    if trump is not None and trump not in tuple(SUITS):
        raise wrong(found.lines["Trump"], f"Trump is c, d, h, s or none, not {quoted(trump)}")
    passed = headers.get("Passed", "").split()
    if not all(map(_is_number, passed)):
        raise wrong(found.lines["Passed"], f"Passed is a list of seats with spaces between, not {quoted(headers['Passed'])}")
    return kind.from_position(
        rules,
        hands=headers["Hands"].split("|"),
        trump=trump,
        attacker=_number(found, "Attacker") or 0,
        talon=headers.get("Talon", ""),
        turn_up=_none(headers.get("Turn-up", "none")),
        table=headers.get("Table", ""),
        discard=headers.get("Discard", ""),
        throwers_passed=map(int, passed),
        taking=_yes(found, "Taking"),
        bout=2 if "Bout" not in headers else _number(found, "Bout") or 0,
    )


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
