"""A strategy as somebody gives it: a table of moves and probabilities, a function of what a seat sees, a bot, or a `gametheory.Strategy`."""

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
"""What is put beside a move that is made for certain."""
_NEAR: Final = Fraction(1, 10**9)
_SIMPLE: Final = 24
"""A fraction that somebody rounds has no larger denominator."""
_LARGEST: Final = 10**6
_ROUNDING: Final = Fraction(1, 10**14)
"""A float so near to a fraction of no larger denominator was made of it."""
_PER_CENT: Final = 0.005
"""By so much a number rounded to per cents may be off."""


def strategy_from(tree: Tree, seat: int | None, answer: object) -> Strategy:
    """What somebody gave, as a strategy; where nothing is said of an information set, every move is as likely as the others.

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
    """How many arguments a function takes by their places; any number counts as two."""
    try:
        those = signature(choose).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(one.kind is Parameter.VAR_POSITIONAL for one in those):
        return 2
    return sum(one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for one in those)


def _from_table(tree: Tree, seat: int | None, table: Mapping[Any, object]) -> Strategy:
    """Moves or probabilities, by the numbers or the labels of information sets."""
    strategy = Strategy.uniform(tree)
    rows = list(strategy.rows)
    for key, choice in table.items():
        if not isinstance(key, (int, str, tuple)):
            raise DurakError(f"an information set is named by its number or its label, not by {quoted(key)}")
        number = (
            int(key) if isinstance(key, str) and key.isdecimal() and len(key) < 9 and key not in {one.label for one in tree.sets} else key
        )
        place = strategy.place(number)
        one = tree.sets[place]
        if seat is not None and one.seat != seat:
            raise DurakError(f"at {one.label or place!r} seat {one.seat} chooses, and a strategy of seat {seat} is asked for")
        rows[place] = row_of(one, choice)
    return Strategy(tree, rows)


def table_of(tree: Tree, seat: int | None, strategy: Strategy) -> dict[str, dict[str, str]]:
    """A strategy of a seat, or of all, as plain values, which `strategy_from` reads: how likely each move is, by information sets.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> table_of(tree, 0, Strategy(tree, [(1 / 3, 2 / 3)]))
    {'0': {'l': '1/3', 'r': '2/3'}}
    """
    labels = {one.label for one in tree.sets}
    return {
        one.label if str(place) in labels else str(place): {
            move: str(_near(likely)) for move, likely in zip(one.moves, row, strict=True) if likely
        }
        for place, (one, row) in enumerate(zip(tree.sets, strategy.rows, strict=True))
        if seat in (None, one.seat)
    }


def _near(likely: Number) -> Fraction:
    """A probability exactly: of a float the simple fraction that it was made of, where there is one."""
    exact = Fraction(likely)
    simple = exact.limit_denominator(_LARGEST)
    return simple if abs(simple - exact) < _ROUNDING else exact


def row_of(one: InfoSet, choice: object) -> tuple[Number, ...]:
    """The probabilities of a choice at an information set: a move, or some moves with how likely each is.

    >>> from durak_widget.gametheory.tree import InfoSet
    >>> row_of(InfoSet(0, "begins", ("l", "r", "m")), {"l": "33%", "r": "33%", "m": "34 %"})
    (Fraction(33, 100), Fraction(33, 100), Fraction(17, 50))
    >>> row_of(InfoSet(0, "begins", ("l", "r")), {"l": "0.33"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: at 'begins' the probabilities must be at least 0 and add up to 1, not 33/100
    """
    choice = as_lists(choice)
    if isinstance(choice, Mapping):
        given = {_move(one, move): likely for move, likely in choice.items()}
    elif isinstance(choice, Sequence) and not isinstance(choice, str) and len(choice) == len(one.moves):
        given = dict(enumerate(choice))
    else:
        return pure_row(_move(one, choice), len(one.moves))
    row, slack = [Fraction(0)] * len(one.moves), _NEAR
    for place, likely in given.items():
        number = number_typed(as_typed(likely))
        if number is None:
            raise DurakError(f"at {one.label!r} a probability is a number from 0 to 1, such as '1/2', 0.5 or '50%', not {quoted(likely)}")
        row[place] = number.value
        slack += number.open
    total = sum(row, Fraction(0))
    if min(row) < 0 or not total or abs(total - 1) > slack:
        raise DurakError(f"at {one.label!r} the probabilities must be at least 0 and add up to 1, not {total}")
    return tuple([share / total for share in row])  # rounded ones, such as three of 33 %, are made to add up


def filled_up(moves: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """How likely each move is, as somebody wrote it by hand: a cross is a move that is made for certain, and one that nothing stands at has what is left of 1.

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
    """The strategy that was meant, where its probabilities are rounded to per cents: 0.33 and 0.67 are one third and two thirds.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> rounded_off(tree, Strategy(tree, [(0.333, 0.667)]))[0], rounded_off(tree, Strategy(tree, [(0.3, 0.7)]))[0]
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(3, 10), Fraction(7, 10)))
    """
    rows: list[tuple[Number, ...]] = []
    for row in strategy.rows:
        near = tuple([Fraction(one).limit_denominator(_SIMPLE) for one in row])
        close = sum(near) == 1 and all(abs(float(one) - float(two)) <= _PER_CENT for one, two in zip(near, row, strict=True))
        rows.append(near if close else row)
    return Strategy(tree, rows)


def _move(one: InfoSet, move: object) -> int:
    """The place of a move at an information set."""
    text = str(move) if isinstance(move, (str, Move)) else ""
    if text not in one.moves:
        raise DurakError(
            f"at {one.label!r} there is no move {quoted(move)}; there are {', '.join(one.moves)}.{nearest(text[:100], one.moves)}"
        )
    return one.moves.index(text)


def _from_function(tree: Tree, seat: int | None, choose: Callable[..., object]) -> Strategy:
    """What a function of what a seat sees chooses everywhere; it may raise whatever it likes."""
    rows = list(Strategy.uniform(tree).rows)
    for place, view in _seen(tree):
        one = tree.sets[place]
        if seat is not None and one.seat != seat:
            continue
        try:
            chosen = choose(view)
        except ENDINGS as raised:
            said = (
                str(raised)
                if isinstance(raised, DurakError)
                else f"{bot_name(choose)} raised {type(raised).__name__}: {quoted(str(raised), 200)[1:-1]}"
            )
            raise BotError(f"at information set {place}, {one.label!r}: {said}") from tellable(raised)
        try:
            rows[place] = row_of(one, chosen)
        except DurakError as error:
            raise BotError(f"at information set {place}: {bot_name(choose)} chose what cannot be: {error}") from None
    return Strategy(tree, rows)


def _seen(tree: Tree) -> Iterator[tuple[int, object]]:
    """What a seat sees at each information set: its view of a game of Durak, of any other game the information set itself."""
    if not isinstance(tree.origin, Origin):
        yield from enumerate(tree.sets)
        return
    for history, moment in moments(tree, firsts(tree)):
        yield tree.info[history], View(moment.sight(tree.actor[history]))
