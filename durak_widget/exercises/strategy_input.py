"""Parses strategies of students.

They are tables of moves and probabilities, functions of a view, bots, or `gametheory.Strategy` objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis.bot_strategy_conversion import bot_name, strategy_of
from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.analysis.game_at_node import firsts, moments
from durak_widget.bots.bot import get
from durak_widget.engine.moves import Move
from durak_widget.engine.observation import View
from durak_widget.errors import ENDINGS, BotError, DurakError, nearest, quoted, tellable
from durak_widget.exercises.answer_form import as_lists, as_typed, number_typed
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree

_CROSS: Final = {"x", "×", "✓", "+", "v"}
"""The signs beside a move that is made for certain."""
_NEAR: Final = Fraction(1, 10**9)
_SIMPLE: Final = 24
"""The largest denominator of a fraction that a student may have rounded."""
_LARGEST: Final = 10**6
_ROUNDING: Final = Fraction(1, 10**14)
"""The largest distance of a float from the fraction it was computed from."""
_PER_CENT: Final = 0.005
"""The largest error of a number rounded to percent."""


def strategy_from(tree: Tree, seat: int | None, answer: object) -> Strategy:
    """Parse an answer as a strategy.

    At an information set that is not mentioned, all actions are equally probable.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> [strategy_from(tree, 0, one)[0] == (Fraction(1, 4), Fraction(3, 4)) for one in ({"begins": {"l": "25%", "r": 0.75}}, lambda view: {"l": "1/4", "r": "3/4"})]
    [True, True]
    >>> strategy_from(tree, 0, lambda view: 1 / 0)
    Traceback (most recent call last):
    durak_widget.errors.BotError: at information set 0, 'begins': the bot raised ZeroDivisionError: division by zero
    """
    if isinstance(answer, Strategy):
        answer.require_sets(tree.sets)
        return answer
    if isinstance(answer, Mapping):
        return _from_table(tree, seat, answer)
    if isinstance(answer, str):
        return strategy_of(tree, get(answer))
    choose = getattr(answer, "choose", answer)
    if isinstance(answer, type) or not callable(choose):
        raise DurakError(
            "a strategy is a table, as in {'label': 'move'} or {0: {'move': '1/2', …}}, a function f(view) that returns a move, "
            f"a bot or its name, or a gametheory.Strategy, not {quoted(answer)}"
        )
    if choose is answer and takes_so_many(choose) < 2:
        return _from_function(tree, seat, choose)
    return strategy_of(tree, answer)  # type: ignore[arg-type] # a bot, as was just found out


def takes_so_many(choose: Callable[..., object]) -> int:
    """Return the number of positional arguments of a function; `*args` counts as two."""
    try:
        parameters = signature(choose).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    return sum(parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters)


def _from_table(tree: Tree, seat: int | None, table: Mapping[Any, object]) -> Strategy:
    """Parse a table of moves or probabilities by numbers or labels of information sets."""
    strategy = Strategy.uniform(tree)
    rows = list(strategy.rows)
    for key, choice in table.items():
        if not isinstance(key, (int, str, tuple)):
            raise DurakError(f"an information set is named by its number or its label, not by {quoted(key)}")
        number = (
            int(key)
            if isinstance(key, str)
            and key.isdecimal()
            and len(key) < 9
            and key not in {infoset_record.label for infoset_record in tree.sets}
            else key
        )
        infoset = strategy.place(number)
        record = tree.sets[infoset]
        if seat is not None and record.seat != seat:
            raise DurakError(f"at {record.label or infoset!r} seat {record.seat} chooses, and a strategy of seat {seat} is asked for")
        rows[infoset] = row_of(record, choice)
    return Strategy(tree, rows)


def table_of(tree: Tree, seat: int | None, strategy: Strategy) -> dict[str, dict[str, str]]:
    """Return a strategy of a player, or of all, as the table that `strategy_from` reads.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> table_of(tree, 0, Strategy(tree, [(1 / 3, 2 / 3)]))
    {'0': {'l': '1/3', 'r': '2/3'}}
    """
    labels = {record.label for record in tree.sets}
    return {
        record.label if str(infoset) in labels else str(infoset): {
            move: str(_near(probability)) for move, probability in zip(record.moves, row, strict=True) if probability
        }
        for infoset, (record, row) in enumerate(zip(tree.sets, strategy.rows, strict=True))
        if seat in (None, record.seat)
    }


def _near(likely: Number) -> Fraction:
    """Return a probability exactly; a float becomes the simple fraction next to it, if any."""
    exact = Fraction(likely)
    simple = exact.limit_denominator(_LARGEST)
    return simple if abs(simple - exact) < _ROUNDING else exact


def row_of(one: InfoSet, choice: object) -> tuple[Number, ...]:
    """Parse a choice at an information set and return the probabilities of all actions.

    A choice is a move, or some moves with their probabilities.

    >>> from durak_widget.gametheory.tree import InfoSet
    >>> row_of(InfoSet(0, "begins", ("l", "r", "m")), {"l": "33%", "r": "33%", "m": "34 %"})
    (Fraction(33, 100), Fraction(33, 100), Fraction(17, 50))
    >>> row_of(InfoSet(0, "begins", ("l", "r")), {"l": "0.33"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: at 'begins' the probabilities must be at least 0 and add up to 1, not 33/100
    """
    choice = as_lists(choice)
    if isinstance(choice, Mapping):
        given = {_move(one, move): probability for move, probability in choice.items()}
    elif isinstance(choice, Sequence) and not isinstance(choice, str) and len(choice) == len(one.moves):
        given = dict(enumerate(choice))
    else:
        return pure_row(_move(one, choice), len(one.moves))
    row, slack = [Fraction(0)] * len(one.moves), _NEAR
    for action, probability in given.items():
        number = number_typed(as_typed(probability))
        if number is None:
            raise DurakError(
                f"at {one.label!r} a probability is a number from 0 to 1, such as '1/2', 0.5 or '50%', not {quoted(probability)}"
            )
        row[action] = number.value
        slack += number.open
    total = sum(row, Fraction(0))
    if min(row) < 0 or not total or abs(total - 1) > slack:
        raise DurakError(f"at {one.label!r} the probabilities must be at least 0 and add up to 1, not {total}")
    return tuple([share / total for share in row])  # rounded ones, such as three times 33 %, are scaled to add up to 1


def filled_up(moves: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Complete the probabilities that were written by hand at an information set.

    A cross stands for a move made for certain. A single move without a number has what is left of 1.

    >>> filled_up(("l", "r"), {"l": "1/3"}), filled_up(("l", "r"), {"r": "x"})
    ({'l': '1/3', 'r': '2/3'}, {'r': '1'})
    """
    if len(given) == 1 and next(iter(given.values())).casefold() in _CROSS:
        return dict.fromkeys(given, "1")
    shares: dict[str, Fraction] = {}
    for move, text in given.items():
        number = number_typed(text)
        if number is None or not 0 <= number.value <= 1:
            raise RefusedError("lesson.hand.share", text=text[:20])
        shares[move] = number.value
    left = [move for move in moves if move not in given]
    rest = 1 - sum(shares.values(), Fraction(0))
    return {**given, **({left[0]: str(rest)} if len(left) == 1 and rest > 0 else {})}


def rounded_off(tree: Tree, strategy: Strategy) -> Strategy:
    """Return the strategy with probabilities rounded to percent replaced by simple fractions.

    For example 0.33 and 0.67 become one third and two thirds.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> rounded_off(tree, Strategy(tree, [(0.333, 0.667)]))[0], rounded_off(tree, Strategy(tree, [(0.3, 0.7)]))[0]
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(3, 10), Fraction(7, 10)))
    """
    rows: list[tuple[Number, ...]] = []
    for row in strategy.rows:
        simple_row = tuple([Fraction(probability).limit_denominator(_SIMPLE) for probability in row])
        is_close = sum(simple_row) == 1 and all(
            abs(float(simple) - float(exact)) <= _PER_CENT for simple, exact in zip(simple_row, row, strict=True)
        )
        rows.append(simple_row if is_close else row)
    return Strategy(tree, rows)


def _move(one: InfoSet, move: object) -> int:
    """Return the index of a move at an information set."""
    text = str(move) if isinstance(move, (str, Move)) else ""
    if text not in one.moves:
        raise DurakError(
            f"at {one.label!r} there is no move {quoted(move)}; there are {', '.join(one.moves)}.{nearest(text[:100], one.moves)}"
        )
    return one.moves.index(text)


def _from_function(tree: Tree, seat: int | None, choose: Callable[..., object]) -> Strategy:
    """Build the strategy that a function of the view chooses; it may raise any error."""
    rows = list(Strategy.uniform(tree).rows)
    for infoset, view in _seen(tree):
        record = tree.sets[infoset]
        if seat is not None and record.seat != seat:
            continue
        try:
            chosen = choose(view)
        except ENDINGS as raised:
            reason = (
                str(raised)
                if isinstance(raised, DurakError)
                else f"{bot_name(choose)} raised {type(raised).__name__}: {quoted(str(raised), 200)[1:-1]}"
            )
            raise BotError(f"at information set {infoset}, {record.label!r}: {reason}") from tellable(raised)
        try:
            rows[infoset] = row_of(record, chosen)
        except DurakError as error:
            raise BotError(f"at information set {infoset}: {bot_name(choose)} chose what cannot be: {error}") from None
    return Strategy(tree, rows)


def _seen(tree: Tree) -> Iterator[tuple[int, object]]:
    """Yield each information set with what the player sees there.

    That is a view in a game of Durak, and the record of the information set in other games.
    """
    if not isinstance(tree.origin, Origin):
        yield from enumerate(tree.sets)
        return
    for history, moment in moments(tree, firsts(tree)):
        yield tree.info[history], View(moment.sight(tree.actor[history]))
