"""Finds the equilibria of a game that a class plays, and describes them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.matrix_view_model import MatrixWording
from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError
from durak_widget.gametheory.best_responses import compute_player_values, reach_probabilities
from durak_widget.gametheory.bimatrix_equilibria import equilibria as find_matrix_equilibria
from durak_widget.gametheory.equilibrium_list import list_played_actions
from durak_widget.gametheory.game_properties import is_zero_sum
from durak_widget.gametheory.mixed_to_behaviour import find_own_unreached_infosets
from durak_widget.gametheory.solver_selection import GameAnswer, list_equilibria, solve
from durak_widget.i18n import Translator
from durak_widget.live.game_preparation import rename_strategies
from durak_widget.live.question import LANGUAGES
from durak_widget.live.texts import format_payoff, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.live.game_specs import LoadedGame
    from durak_widget.live.question import JsonObject

MAX_LISTED: Final = 3
"""The maximum number of equilibria that are described; the others are only counted."""
_MAX_NAMED_CHOICES: Final = 6
"""The maximum number of information sets whose actions the description of an equilibrium names."""
_MAX_LISTED_NODES: Final = 200
"""The maximum number of nodes of a two-player game whose equilibria are listed although one solution would be enough."""


class _FoundEquilibrium(NamedTuple):
    """An equilibrium of a tree, with the keys of what is proved about it."""

    strategy: Strategy
    payoffs: tuple[Number, ...]
    status: str
    failed_status: str | None = None


def solve_game(game: LoadedGame, prepared: JsonObject) -> JsonObject:
    """Return the equilibria in words, and the actions that they play.

    The words are by language, and the actions by information set.

    >>> from durak_widget.live.game_question import GameQuestion
    >>> spec = {"kind": "game", "textbook": "entry"}
    >>> solution = GameQuestion(spec, GameQuestion.prepare(spec)).solve()
    >>> solution["equilibria"]["en"][0], solution["actions"]
    ('Subgame-perfect equilibrium. Entrant: enter; Chain store: share. Payoffs: 2; 2.', {'0': [0], '1': [0]})
    """
    try:
        return _solve_matrix(game.matrix, prepared) if game.matrix is not None else _solve_tree(game.tree, prepared)
    except DurakError:  # The game is too large for the installed solvers
        return {
            "equilibria": {language: [translate(language, "live.game.unsolved")] for language in LANGUAGES},
            "actions": {},
            "value": None,
        }


def _solve_matrix(matrix: Matrix, prepared: JsonObject) -> JsonObject:
    """Return the equilibria of a matrix."""
    found = find_matrix_equilibria(matrix)
    sentences: dict[str, list[str]] = {}
    for language in LANGUAGES:
        actions = [infosets[0]["actions"][language] for infosets in prepared["infosets"]]
        wording = MatrixWording(rename_strategies(matrix, actions), Translator(language), names=prepared["names"][language])
        lines = [wording.describe_equilibrium(equilibrium) for equilibrium in found.equilibria[:MAX_LISTED]]
        sentences[language] = [
            *lines,
            *_describe_rest(len(found.equilibria) - len(lines), language, complete=found.complete and not found.is_infinite),
            *_describe_value(found.value, prepared, language),
        ]
    return {
        "equilibria": sentences,
        "actions": {
            str(player): _list_positive(
                mixture for equilibrium in found.equilibria for mixture in [(equilibrium.row, equilibrium.column)[player]]
            )
            for player in (0, 1)
        },
        "value": None if found.value is None else str(found.value),
    }


def _list_positive(mixtures: Iterable[Sequence[Number]]) -> list[int]:
    """Return the strategies that at least one of the mixtures plays."""
    return sorted({index for mixture in mixtures for index, probability in enumerate(mixture) if probability})


def _solve_tree(tree: Tree, prepared: JsonObject) -> JsonObject:
    """Return the equilibria of a tree."""
    found, is_complete = _find_equilibria(tree)
    actions: dict[int, set[int]] = {}
    # An equilibrium that fails a refinement, such as an empty threat, gets no marks if there is a better one
    unrefuted = [equilibrium for equilibrium in found if equilibrium.failed_status is None] or found
    for equilibrium in unrefuted:
        ignored = find_own_unreached_infosets(tree, equilibrium.strategy) if equilibrium.status in ("nash", "near") else frozenset()
        for infoset, row in enumerate(equilibrium.strategy.rows):
            if infoset not in ignored:
                actions.setdefault(infoset, set()).update(action for action, _ in list_played_actions(row))
    value = found[0].payoffs[0] if found and tree.player_count == 2 and is_zero_sum(tree) and found[0].status != "near" else None
    return {
        "equilibria": {
            language: [
                *[_describe_equilibrium(tree, equilibrium, prepared, language) for equilibrium in found[:MAX_LISTED]],
                *_describe_rest(len(found) - MAX_LISTED, language, complete=is_complete, is_empty=not found),
                *_describe_value(value, prepared, language),
            ]
            for language in LANGUAGES
        },
        "actions": {str(infoset): sorted(played) for infoset, played in sorted(actions.items())},
        "value": None if value is None else str(value),
    }


def _find_equilibria(tree: Tree) -> tuple[list[_FoundEquilibrium], bool]:
    """Return equilibria of a tree, the best proved ones first, and whether these are all."""
    answer = solve(tree)
    if not isinstance(answer, GameAnswer) and tree.player_count == 2 and tree.history_count <= _MAX_LISTED_NODES:
        answer = list_equilibria(tree)
    if isinstance(answer, GameAnswer):
        # One equilibrium of each outcome comes first, because only a few are described
        examples = {id(outcome.example): outcome.example for outcome in answer.outcomes}
        records = [*examples.values(), *[record for record in answer.equilibria if id(record) not in examples]]
        found = [_FoundEquilibrium(record.strategy, record.payoffs, record.status, record.failed_status) for record in records]
        return found, answer.complete and answer.contents in ("all", "best")
    status = "perfect" if answer.backward_induction is not None else "nash" if answer.exact else "near"
    payoffs = compute_player_values(tree, answer.strategy)
    if tree.player_count == 1:
        status = "best"
    return [_FoundEquilibrium(answer.strategy, payoffs, status)], tree.player_count == 1


def _describe_equilibrium(tree: Tree, equilibrium: _FoundEquilibrium, prepared: JsonObject, language: str) -> str:
    """Describe an equilibrium in a sentence: its name, the actions, and the payoffs."""
    say, names = partial(translate, language), prepared["names"][language]
    title = say(f"board.answer.called.{equilibrium.status}")
    if equilibrium.failed_status is not None:
        title += f", {say(f'board.answer.lacks.{equilibrium.failed_status}')}"
    reach = reach_probabilities(tree, equilibrium.strategy)
    reached = {infoset for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)) if actor >= 0 and reach[node]}
    shows_all = len(tree.infosets) <= _MAX_NAMED_CHOICES
    most = _MAX_NAMED_CHOICES if shows_all else max(_MAX_NAMED_CHOICES // len(prepared["roles"]), 1)
    parts, hidden_count = list[str](), 0
    for player, infosets in zip(prepared["roles"], prepared["infosets"], strict=True):
        shown = [infoset for infoset in infosets if shows_all or infoset["id"] in reached][:most]
        hidden_count += len(infosets) - len(shown)
        choices = [
            (f"{infoset['labels'][language]} – " if len(infosets) > 1 else "")
            + _format_mixture(equilibrium.strategy.rows[infoset["id"]], infoset["actions"][language], language)
            for infoset in shown
        ]
        if choices:
            parts.append(f"{names[player]}: {', '.join(choices)}")
    return say(
        "live.game.equilibrium",
        name=title[:1].upper() + title[1:],
        strategies="; ".join([*parts, *["…"] * (hidden_count > 0)]),
        payoffs="; ".join(_format_payoff(payoff, language) for payoff in equilibrium.payoffs),
    )


def _format_payoff(payoff: Number, language: str) -> str:
    """Format a payoff as all payoffs of the class are formatted, if it is exact."""
    return format_number_in_sentence(payoff, language) if isinstance(payoff, float) else format_payoff(str(payoff), language)


def _format_mixture(row: Sequence[Number], actions: Sequence[str], language: str) -> str:
    """Format an action that is certain, or a mixture of actions with their probabilities."""
    played = list_played_actions(row)
    if len(played) == 1:
        return actions[played[0][0]]
    return " + ".join(f"{format_number_in_sentence(probability, language)} {actions[action]}" for action, probability in played)


def _describe_rest(count: int, language: str, *, complete: bool, is_empty: bool = False) -> list[str]:
    """Say how many equilibria are not described, or that there may be others."""
    say = partial(translate, language)
    if is_empty:
        return [say("live.game.unsolved")]
    return [say("live.game.more", count=count)] * (count > 0) + [say("live.game.others")] * (not complete and count <= 0)


def _describe_value(value: Number | None, prepared: JsonObject, language: str) -> list[str]:
    """Say what a zero-sum game is worth to its first player."""
    if value is None:
        return []
    name = prepared["names"][language][0]
    return [translate(language, "live.game.value", name=name, value=_format_payoff(value, language))]
