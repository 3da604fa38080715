"""Parsing of strategies that students give as tables, functions, bots or handwriting.

An answer is a table of moves and probabilities, a function of an observation, a bot, or a `gametheory.Strategy`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis.bot_strategy_conversion import convert_bot_to_strategy, get_bot_name
from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.analysis.game_at_node import first_histories, replay_nodes
from durak_widget.bots.bot import get
from durak_widget.engine.moves import Move
from durak_widget.engine.observation import Observation
from durak_widget.errors import USER_CODE_EXCEPTIONS, BotError, DurakError, short_repr, suggest_nearest, to_reportable_error
from durak_widget.exercises.answer_form import convert_to_lists, format_as_typed, parse_number
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree

_CROSS_SIGNS: Final = {"x", "×", "✓", "+", "v"}
"""The symbols with which a student marks a move that has probability 1."""
_SUM_TOLERANCE: Final = Fraction(1, 10**9)
_MAX_SIMPLE_DENOMINATOR: Final = 24
"""The largest denominator of the fractions that replace probabilities rounded to percent."""
_MAX_DENOMINATOR: Final = 10**6
_FLOAT_TOLERANCE: Final = Fraction(1, 10**14)
"""The largest rounding error of a float that stands for a simple fraction."""
_PERCENT_TOLERANCE: Final = 0.005
"""The largest rounding error of a probability that is rounded to percent."""


def parse_strategy(tree: Tree, player: int | None, answer: object) -> Strategy:
    """Convert a student's answer to a strategy.

    At an information set that the answer does not mention, all actions are equally probable.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> [parse_strategy(tree, 0, one)[0] == (Fraction(1, 4), Fraction(3, 4)) for one in ({"begins": {"l": "25%", "r": 0.75}}, lambda view: {"l": "1/4", "r": "3/4"})]
    [True, True]
    >>> parse_strategy(tree, 0, lambda view: 1 / 0)
    Traceback (most recent call last):
    durak_widget.errors.BotError: at information set 0, 'begins': the bot raised ZeroDivisionError: division by zero
    """
    if isinstance(answer, Strategy):
        answer.require_same_infosets(tree.infosets)
        return answer
    if isinstance(answer, Mapping):
        return _parse_table(tree, player, answer)
    if isinstance(answer, str):
        return convert_bot_to_strategy(tree, get(answer))
    choose = getattr(answer, "choose", answer)
    if isinstance(answer, type) or not callable(choose):
        raise DurakError(
            f"a strategy must be a table, as in {{'label': 'move'}} or {{0: {{'move': '1/2', …}}}}, a function f(view) that returns a move, a bot or its name, or a gametheory.Strategy, not {short_repr(answer)}"
        )
    if choose is answer and count_positional_parameters(choose) < 2:
        return _evaluate_function(tree, player, choose)
    return convert_bot_to_strategy(tree, answer)  # type: ignore[arg-type] # a bot, as checked above


def count_positional_parameters(choose: Callable[..., object]) -> int:
    """Return the number of positional arguments of a function; `*args` counts as two."""
    try:
        parameters = signature(choose).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    return sum(parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters)


def _parse_table(tree: Tree, player: int | None, table: Mapping[Any, object]) -> Strategy:
    """Parse a table of moves or probabilities at information sets.

    The keys are numbers or labels of information sets.
    """
    strategy = Strategy.uniform(tree)
    rows = list(strategy.rows)
    for key, choice in table.items():
        if not isinstance(key, (int, str, tuple)):
            raise DurakError(f"an information set must be given by its number or its label, not {short_repr(key)}")
        number = (
            int(key)
            if isinstance(key, str)
            and key.isdecimal()
            and len(key) < 9
            and key not in {infoset_record.label for infoset_record in tree.infosets}
            else key
        )
        infoset = strategy.find_infoset(number)
        record = tree.infosets[infoset]
        if player is not None and record.player != player:
            raise DurakError(
                f"at {record.label or infoset!r} player {record.player} chooses, but the exercise asks for a strategy of player {player}"
            )
        rows[infoset] = parse_row(record, choice)
    return Strategy(tree, rows)


def strategy_to_table(tree: Tree, player: int | None, strategy: Strategy) -> dict[str, dict[str, str]]:
    """Convert a strategy or strategy profile to a table that `parse_strategy` can read.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> strategy_to_table(tree, 0, Strategy(tree, [(1 / 3, 2 / 3)]))
    {'0': {'l': '1/3', 'r': '2/3'}}
    """
    labels = {record.label for record in tree.infosets}
    return {
        record.label if str(infoset) in labels else str(infoset): {
            move: str(_to_simple_fraction(probability)) for move, probability in zip(record.actions, row, strict=True) if probability
        }
        for infoset, (record, row) in enumerate(zip(tree.infosets, strategy.rows, strict=True))
        if player in (None, record.player)
    }


def _to_simple_fraction(probability: Number) -> Fraction:
    """Convert a probability to a fraction; convert a float to a simple fraction close to it."""
    exact = Fraction(probability)
    simple = exact.limit_denominator(_MAX_DENOMINATOR)
    return simple if abs(simple - exact) < _FLOAT_TOLERANCE else exact


def parse_row(record: InfoSet, choice: object) -> tuple[Number, ...]:
    """Parse the choice at an information set as the probability of each action.

    A choice is a move, or some moves with their probabilities.

    >>> from durak_widget.gametheory.tree import InfoSet
    >>> parse_row(InfoSet(0, "begins", ("l", "r", "m")), {"l": "33%", "r": "33%", "m": "34 %"})
    (Fraction(33, 100), Fraction(33, 100), Fraction(17, 50))
    >>> parse_row(InfoSet(0, "begins", ("l", "r")), {"l": "0.33"})
    Traceback (most recent call last):
    durak_widget.errors.DurakError: at 'begins' the probabilities must be at least 0 and add up to 1, not 33/100
    """
    choice = convert_to_lists(choice)
    if isinstance(choice, Mapping):
        probability_of_action = {_parse_action(record, move): probability for move, probability in choice.items()}
    elif isinstance(choice, Sequence) and not isinstance(choice, str) and len(choice) == len(record.actions):
        probability_of_action = dict(enumerate(choice))
    else:
        return pure_row(_parse_action(record, choice), len(record.actions))
    row, slack = [Fraction(0)] * len(record.actions), _SUM_TOLERANCE
    for action, probability in probability_of_action.items():
        number = parse_number(format_as_typed(probability))
        if number is None:
            raise DurakError(
                f"at {record.label!r} a probability must be a number from 0 to 1, such as '1/2', 0.5 or '50%', not {short_repr(probability)}"
            )
        row[action] = number.value
        slack += number.tolerance
    total = sum(row, Fraction(0))
    if min(row) < 0 or not total or abs(total - 1) > slack:
        raise DurakError(f"at {record.label!r} the probabilities must be at least 0 and add up to 1, not {total}")
    return tuple([share / total for share in row])  # Scale rounded probabilities, such as three times 33 %, so that they add up to 1


def complete_row(actions: Sequence[str], typed: Mapping[str, str]) -> dict[str, str]:
    """Complete a handwritten row of probabilities: a cross means 1, a gap means the rest.

    If exactly one move has no number, this move gets the remaining probability.

    >>> complete_row(("l", "r"), {"l": "1/3"}), complete_row(("l", "r"), {"r": "x"})
    ({'l': '1/3', 'r': '2/3'}, {'r': '1'})
    """
    if len(typed) == 1 and next(iter(typed.values())).casefold() in _CROSS_SIGNS:
        return dict.fromkeys(typed, "1")
    shares: dict[str, Fraction] = {}
    for move, text in typed.items():
        number = parse_number(text)
        if number is None or not 0 <= number.value <= 1:
            raise RefusedError("lesson.hand.share", text=text[:20])
        shares[move] = number.value
    missing_moves = [move for move in actions if move not in typed]
    remaining_probability = 1 - sum(shares.values(), Fraction(0))
    return {**typed, **({missing_moves[0]: str(remaining_probability)} if len(missing_moves) == 1 and remaining_probability > 0 else {})}


def undo_percent_rounding(tree: Tree, strategy: Strategy) -> Strategy:
    """Replace probabilities that are rounded to percent by simple fractions.

    For example, 0.33 and 0.67 become one third and two thirds.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> undo_percent_rounding(tree, Strategy(tree, [(0.333, 0.667)]))[0], undo_percent_rounding(tree, Strategy(tree, [(0.3, 0.7)]))[0]
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(3, 10), Fraction(7, 10)))
    """
    rows: list[tuple[Number, ...]] = []
    for row in strategy.rows:
        simple_row = tuple([Fraction(probability).limit_denominator(_MAX_SIMPLE_DENOMINATOR) for probability in row])
        is_close = sum(simple_row) == 1 and all(
            abs(float(simple) - float(exact)) <= _PERCENT_TOLERANCE for simple, exact in zip(simple_row, row, strict=True)
        )
        rows.append(simple_row if is_close else row)
    return Strategy(tree, rows)


def _parse_action(record: InfoSet, action: object) -> int:
    """Return the index of an action at an information set, given its name."""
    text = str(action) if isinstance(action, (str, Move)) else ""
    if text not in record.actions:
        raise DurakError(
            f"at {record.label!r} there is no move {short_repr(action)}; the moves are {', '.join(record.actions)}.{suggest_nearest(text[:100], record.actions)}"
        )
    return record.actions.index(text)


def _evaluate_function(tree: Tree, player: int | None, choose: Callable[..., object]) -> Strategy:
    """Build a strategy from the choices of a student's function at each information set."""
    rows = list(Strategy.uniform(tree).rows)
    for infoset, view in _iterate_observations(tree):
        record = tree.infosets[infoset]
        if player is not None and record.player != player:
            continue
        try:
            choice = choose(view)
        except USER_CODE_EXCEPTIONS as raised:
            reason = (
                str(raised)
                if isinstance(raised, DurakError)
                else f"{get_bot_name(choose)} raised {type(raised).__name__}: {short_repr(str(raised), 200)[1:-1]}"
            )
            raise BotError(f"at information set {infoset}, {record.label!r}: {reason}") from to_reportable_error(raised)
        try:
            rows[infoset] = parse_row(record, choice)
        except DurakError as error:
            raise BotError(f"at information set {infoset}: {get_bot_name(choose)} chose something impossible: {error}") from None
    return Strategy(tree, rows)


def _iterate_observations(tree: Tree) -> Iterator[tuple[int, object]]:
    """Yield each information set with what the acting player observes there.

    That is an `Observation` in a game of Durak, and the record of the information set in other games.
    """
    if not isinstance(tree.origin, TreeOrigin):
        yield from enumerate(tree.infosets)
        return
    for history, moment in replay_nodes(tree, first_histories(tree)):
        yield tree.infoset_of[history], Observation(moment.make_sight(tree.actor[history]))
