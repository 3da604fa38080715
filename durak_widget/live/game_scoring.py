"""Scores the answers to a question about a game, each against the whole class."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from durak_widget.gametheory.game_properties import find_player_recalls
from durak_widget.gametheory.solver_selection import list_equilibria
from durak_widget.live.game_pictures import MAX_BOARD_NODES
from durak_widget.live.game_preparation import draw_game
from durak_widget.live.game_specs import MAX_NAMED_CHOICES
from durak_widget.live.strategy_pool import StrategyPool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.gametheory.tree import Tree
    from durak_widget.live.game_specs import LoadedGame
    from durak_widget.live.question import JsonObject

    Rows = dict[int, tuple[Fraction, ...]]
    """The strategy of one student: the probability of each action at each information set of their role."""


def score_game(
    game: LoadedGame,
    prepared: JsonObject,
    rows_of_seat: Mapping[int, Rows],
    role_of: Callable[[int], int],
    language: str,
    *,
    mix: bool,
) -> JsonObject:
    """Compare each answer with the whole class of the other roles.

    All numbers in the result are exact, as text. It is quicker if equal strategies are the same object.
    """
    tree, roles = game.tree, prepared["roles"]
    seats_of_role = [[seat for seat in rows_of_seat if role_of(seat) == role] for role in range(len(roles))]
    strategies: list[list[Rows]] = [[] for _ in range(tree.player_count)]
    for player, seats in zip(roles, seats_of_role, strict=True):
        strategies[player] = [rows_of_seat[seat] for seat in seats]
    pool = StrategyPool(tree, strategies)
    role_facts: list[JsonObject] = []
    seat_facts: dict[str, JsonObject] = {}
    for player, seats in zip(roles, seats_of_role, strict=True):
        facts = _score_role(pool, player, mix=mix)
        role_facts.append(facts)
        scores: dict[int, JsonObject] = {}
        for seat in seats:
            rows = rows_of_seat[seat]
            if id(rows) not in scores:
                scores[id(rows)] = _score_strategy(pool, player, rows, facts)
            seat_facts[str(seat)] = scores[id(rows)]
    strategy, shares = pool.to_strategy(), pool.average_rows()
    return {
        "seats": seat_facts,
        "roles": role_facts,
        "shares": {str(infoset): list(map(str, row)) for infoset, row in enumerate(shares) if row is not None},
        "is_weighted": any(share is not None and share != row for share, row in zip(shares, strategy.rows, strict=True)),
        "picture": draw_game(game, prepared["names"][language], _list_actions(prepared, tree, language), language, shares)
        if tree.history_count <= MAX_BOARD_NODES
        else None,
    }


def _score_role(pool: StrategyPool, player: int, *, mix: bool) -> JsonObject:
    """Return what a role earned on average, and the best responses to the class.

    `best_actions` has all best actions at each information set, `played` lists the information sets that a best response reaches,
    and `best_mix` has the probabilities of a best response if it must mix.
    """
    facts: JsonObject = {
        "player": player,
        "count": len(pool.strategies[player]),
        "missing": [other for other in pool.missing_players if other != player],
        "points": None,
        "best": None,
        "best_actions": {},
        "played": [],
        "best_mix": {},
    }
    if facts["missing"]:
        return facts
    if pool.strategies[player]:
        facts["points"] = str(pool.average_payoff(player))
    if mix and find_player_recalls(pool.tree)[player].recall != "perfect":
        return facts | _find_best_mix(pool.tree)
    response = pool.best_response(player)
    if response is not None:
        facts |= {
            "best": str(response.value),
            "best_actions": {str(infoset): list(actions) for infoset, actions in response.best_actions.items()},
            "played": list(response.played_infosets),
        }
    return facts


def _score_strategy(pool: StrategyPool, player: int, rows: Rows, facts: JsonObject) -> JsonObject:
    """Return what a student with a strategy earns, and where another choice would earn more."""
    if facts["missing"]:
        return {"points": None, "is_best": False, "changes": [], "choices": {}}
    payoff = pool.payoff(player, rows)
    is_best = facts["best"] is not None and payoff >= Fraction(facts["best"])
    return {
        "points": str(payoff),
        "is_best": is_best,
        "changes": [] if is_best else _find_changes(rows, facts),
        "choices": {str(infoset): list(map(str, row)) for infoset, row in islice(rows.items(), MAX_NAMED_CHOICES + 1)},
    }


def _find_changes(rows: Rows, facts: JsonObject) -> list[int]:
    """Return where a student would have to choose otherwise to play a best response.

    The list has one information set more than a sentence names, so that it shows whether there are more.
    """
    changes = (
        infoset
        for infoset in facts["played"]
        if any(
            probability and action not in facts["best_actions"].get(str(infoset), ()) for action, probability in enumerate(rows[infoset])
        )
    )
    return list(islice(changes, MAX_NAMED_CHOICES + 1))


def _find_best_mix(tree: Tree) -> JsonObject:
    """Return the best behaviour strategy of a player with imperfect recall who decides alone.

    Such a player may earn more by a mix than by each pure strategy. The result is empty if the strategy is not proved to be best.
    """
    if tree.player_count > 1:
        return {}
    answer = list_equilibria(tree)
    if answer.contents != "best" or not answer.complete or not answer.exact or not answer.strategy.exact:
        return {}
    rows = answer.equilibria[0].strategy.rows
    return {
        "best": str(answer.equilibria[0].payoffs[0]),
        "played": list(range(len(rows))),
        "best_mix": {str(infoset): [str(probability) for probability in row] for infoset, row in enumerate(rows)},
    }


def _list_actions(prepared: JsonObject, tree: Tree, language: str) -> list[list[str]]:
    """Return the names of the actions at each information set."""
    names: list[list[str]] = [[] for _ in tree.infosets]
    for infosets in prepared["infosets"]:
        for infoset in infosets:
            names[infoset["id"]] = infoset["actions"][language]
    return names
