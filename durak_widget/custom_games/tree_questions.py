"""Defines questions about a game's tree.

They ask for values, the equilibrium path, information sets, pure strategies, and beliefs.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.question_type import (
    GameQuestion,
    describe_infoset,
    format_profile,
    parse_infoset,
    parse_profile,
    put_rule_before_question,
)
from durak_widget.exercises.choice_exercise import Choose
from durak_widget.exercises.node_and_cell_lookup import PathReference, build_tree_wording, find_decision_nodes, format_reference
from durak_widget.exercises.node_value_question import MAX_NODES
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.best_responses import reach_probabilities
from durak_widget.gametheory.strategic_form import compute_own_paths, count_pure_strategies
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from random import Random

    from durak_widget.custom_games.game_instance import GameInstance

_PROBABILITIES: Final = (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4))
"""The probabilities that actions may have in random strategies."""


class _NodeValuesQuestion(GameQuestion):
    """A question about all nodes' values, which backward induction gives."""

    name, kind, points = "values", "tree", 4
    difficulty_labels = ("values to fill in", "ties")
    option_names = ("of",)

    def find_problem(self, game: GameInstance) -> str:
        count = sum(actor != TERMINAL for actor in game.tree.actor)
        if count > MAX_NODES:
            return f"it asks for values at no more than {MAX_NODES} nodes, and this game has {count}"
        return _find_hidden_information_problem(game)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        return sum(actor != TERMINAL for actor in game.tree.actor), len(backward_induction(game.tree).ties)

    def build_exercise(self, game: GameInstance) -> OnTree:
        player = None if self.get_option("of") is None else self.get_player(game)
        return OnTree.values(game.tree, player=player, question=self.request.question)


class _EquilibriumPathQuestion(GameQuestion):
    """A question about the actions that players choose in equilibrium, from root to end."""

    name, kind, points = "path", "tree", 2
    difficulty_labels = ("nodes to think through", "ties")
    option_names = ("whole",)

    def find_problem(self, game: GameInstance) -> str:
        return _find_hidden_information_problem(game)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        return len(find_decision_nodes(game.tree)), len(backward_induction(game.tree).ties)

    def build_exercise(self, game: GameInstance) -> OnTree:
        return OnTree.path(game.tree, whole=bool(self.get_option("whole")), question=self.request.question)


def _find_hidden_information_problem(game: GameInstance) -> str:
    """Return why a game can't be solved by backward induction, or "" if it can."""
    if game.has_perfect_information:
        return ""
    return "it needs a game with perfect information, and here a player does not know what was done before"


class _InformationSetsQuestion(GameQuestion):
    """A question about which nodes of a tree are in the same information set."""

    name, kind, points = "sets", "tree", 3
    revealed_by = dict.fromkeys(
        ("plans", "plan", "beliefs", "form", "mixing", "value", "strategy", "best-response", "equilibrium"), "tree"
    ) | dict.fromkeys(("dominance", "best-responses", "equilibria"), "pure strategies")
    difficulty_labels = ("groups to join", "nodes in them")

    def find_problem(self, game: GameInstance) -> str:
        if game.is_matrix:
            return "it needs a tree, and this game is a matrix"
        return "this game has perfect information, so there are no nodes to join" if game.has_perfect_information else ""

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        infosets = [game.tree.infoset_of[node] for node in find_decision_nodes(game.tree)]
        joined = [infoset for infoset in infosets if infosets.count(infoset) > 1]
        return len(set(joined)), len(joined)

    def build_exercise(self, game: GameInstance) -> OnTree:
        return OnTree.sets(game.tree, question=self.request.question)


class _StrategyCountQuestion(GameQuestion):
    """A question about how many pure strategies a player has."""

    name, kind, points = "plans", "number", 2
    difficulty_labels = ("pure strategies in total",)
    option_names = ("of",)

    def find_problem(self, game: GameInstance) -> str:
        if game.is_matrix:
            return "it needs a tree: a matrix already shows the pure strategies"
        return "" if self._list_action_counts(game) else f"{game.tree.names[self.get_player(game)]} has no decision in this game"

    def _list_action_counts(self, game: GameInstance) -> list[int]:
        """Return how many actions the player in the question has at each information set."""
        player = self.get_player(game, find_player_with_most_infosets(game))
        return [len(record.actions) for record in game.tree.infosets if record.player == player]

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        return (prod(self._list_action_counts(game)),)

    def build_exercise(self, game: GameInstance) -> Number:
        action_counts, player = self._list_action_counts(game), self.get_player(game, find_player_with_most_infosets(game))
        reduced = count_pure_strategies(game.tree, player) if game.has_perfect_recall else prod(action_counts)
        mistakes = {"reduced": reduced, "sum": sum(action_counts), "sets": len(action_counts), "most": max(action_counts)}
        facts = {"who": self.describe_player(game, player), "count": len(action_counts)}
        return Number(
            self.request.question or TranslatableText("class.own.plans.asked", facts),
            prod(action_counts),
            mistakes={name: (value, TranslatableText(f"class.own.plans.{name}", facts)) for name, value in mistakes.items()},
            why=TranslatableText("class.own.plans.why", {**facts, "sum": f"{' · '.join(map(str, action_counts))} = {prod(action_counts)}"}),
            beside=game.displayed_game,
        )


class _CompleteStrategyQuestion(GameQuestion):
    """A question that asks which of several answers is a complete pure strategy."""

    name, kind, points = "plan", "choose", 1
    difficulty_labels = ("answers to choose from", "information sets")
    option_names = ("of",)

    def find_problem(self, game: GameInstance) -> str:
        if game.is_matrix:
            return "it needs a tree: a matrix already shows the pure strategies"
        player = self._get_asked_player(game)
        return (
            ""
            if game.tree.infoset_counts[player] > 1
            else f"it needs a player with two or more information sets, and {game.tree.names[player]} has fewer"
        )

    def _get_asked_player(self, game: GameInstance) -> int:
        """Return the player in the question; by default, who has the most information sets."""
        return self.get_player(game, find_player_with_most_infosets(game))

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        return len(self._build_options(game)), game.tree.infoset_counts[self._get_asked_player(game)]

    def _build_options(self, game: GameInstance) -> dict[str, tuple[str, int]]:
        """Return the possible answers in random order, each with the data for its explanation.

        The data are a kind of answer and an information set, for example one that the answer omits.
        """
        rng, tree, player = game.rng(self.name), game.tree, self._get_asked_player(game)
        own = [infoset for infoset, record in enumerate(tree.infosets) if record.player == player]
        other_infosets = [infoset for infoset, record in enumerate(tree.infosets) if record.player != player]
        with_choice = [infoset for infoset in own if len(tree.infosets[infoset].actions) > 1]
        actions = [rng.choice(record.actions) for record in tree.infosets]
        omitted = rng.choice(own)
        options = {self._format_option(game, [(infoset, actions[infoset]) for infoset in own]): ("right", omitted)}
        options.setdefault(
            self._format_option(game, [(infoset, actions[infoset]) for infoset in own if infoset != omitted]), ("less", omitted)
        )
        if with_choice:
            doubled = rng.choice(with_choice)
            both_actions = " + ".join(tree.infosets[doubled].actions[:2])
            options.setdefault(
                self._format_option(game, [(infoset, both_actions if infoset == doubled else actions[infoset]) for infoset in own]),
                ("more", doubled),
            )
        if other_infosets:
            other_infoset = rng.choice(other_infosets)
            options.setdefault(
                self._format_option(game, [(infoset, actions[infoset]) for infoset in sorted([*own, other_infoset])]),
                ("other", other_infoset),
            )
        return dict(rng.sample(list(options.items()), len(options)))

    @staticmethod
    def _format_option(game: GameInstance, actions: list[tuple[int, str]]) -> str:
        """Format the actions at some information sets as one possible answer."""
        return "; ".join(f"{label_infoset(game, infoset)}: {action}" for infoset, action in actions)

    def build_exercise(self, game: GameInstance) -> Choose:
        player_name, options = self.describe_player(game, self._get_asked_player(game)), self._build_options(game)
        reasons = {
            option: TranslatableText(f"class.own.plan.{kind}", {"who": player_name, "label": label_infoset(game, infoset)})
            for option, (kind, infoset) in options.items()
        }
        right = next(option for option, (kind, _) in options.items() if kind == "right")
        return Choose(
            self.request.question or TranslatableText("class.own.plan.asked", {"who": player_name}),
            reasons,
            right,
            beside=game.displayed_game,
        )


class _BeliefQuestion(GameQuestion):
    """A question about a belief: the probability of a node if its information set is reached."""

    name, kind, points = "beliefs", "number", 3
    difficulty_labels = ("nodes that look alike", "choices and chance moves before")
    option_names = ("at", "given")
    missing_feature = "a belief between 0 and 1"

    def find_problem(self, game: GameInstance) -> str:
        if game.is_matrix:
            return "it needs a tree, and this game is a matrix"
        if not game.has_perfect_recall:
            return "it needs a game with perfect recall, and here a player forgets something"
        if self.get_option("at") is None:
            return "this game has perfect information, so every player is certain" if game.has_perfect_information else ""
        node_count = len(self._list_infoset_nodes(game, parse_infoset(game, self.get_option("at"))))
        return "" if node_count > 1 else f"at {self.get_option('at')!r} the player is certain; ask at another information set"

    @staticmethod
    def _list_infoset_nodes(game: GameInstance, infoset: int) -> list[int]:
        """Return all nodes of an information set."""
        return [node for node in find_decision_nodes(game.tree) if game.tree.infoset_of[node] == infoset]

    def _get_asked_infoset(self, game: GameInstance) -> int:
        """Return the information set in the question; by default, the first with several nodes."""
        if self.get_option("at") is not None:
            return parse_infoset(game, self.get_option("at"))
        return next(infoset for infoset in range(len(game.tree.infosets)) if len(self._list_infoset_nodes(game, infoset)) > 1)

    def _get_profile(self, game: GameInstance, rng: Random) -> Strategy:
        """Return the strategies that the teacher gives; without any, random strategies."""
        if self.get_option("given") is not None:
            return parse_profile(game, self.get_option("given"))
        return sample_profile(game, rng)

    def _sample_question(self, game: GameInstance) -> tuple[int, Strategy, list[Fraction], int]:
        """Draw the parts of a random question: an information set, strategies, and a node."""
        rng = game.rng(self.name)
        infoset, profile = self._get_asked_infoset(game), self._get_profile(game, rng)
        reach = reach_probabilities(game.tree, profile)
        node_reach = [Fraction(reach[node]) for node in self._list_infoset_nodes(game, infoset)]
        return infoset, profile, node_reach, rng.randrange(len(node_reach))

    def _find_preceding_choices(self, game: GameInstance, infoset: int) -> tuple[list[int], int]:
        """Return the information sets, and the number of chance nodes, on paths to `infoset`."""
        tree, infosets, chance_nodes = game.tree, set[int](), set[int]()
        for node in self._list_infoset_nodes(game, infoset):
            ancestor = tree.parent[node]
            while ancestor >= 0:
                if tree.actor[ancestor] == CHANCE:
                    chance_nodes.add(ancestor)
                else:
                    infosets.add(tree.infoset_of[ancestor])
                ancestor = tree.parent[ancestor]
        return sorted(infosets), len(chance_nodes)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...] | None:
        infoset, _, reach, index = self._sample_question(game)
        infosets, chance_count = self._find_preceding_choices(game, infoset)
        return (len(reach), len(infosets) + chance_count) if 0 < reach[index] < sum(reach) else None

    def build_exercise(self, game: GameInstance) -> Number:
        infoset, profile, reach, index = self._sample_question(game)
        total, node = sum(reach, Fraction(0)), self._list_infoset_nodes(game, infoset)[index]
        right, prior = reach[index] / total, compute_own_paths(game.tree)[1][node]
        infosets, _ = self._find_preceding_choices(game, infoset)
        facts = {
            "who": self.describe_player(game, game.tree.infosets[infoset].player),
            "label": describe_infoset(game, infoset),
            "way": format_reference(build_tree_wording(game.tree, "en"), PathReference(node)),
        }
        question = TranslatableText("class.own.beliefs.asked" if facts["label"] else "class.own.beliefs.asked.alone", facts)
        played = format_profile(game, profile, infosets)
        return Number(
            self.request.question
            or (put_rule_before_question(TranslatableText("class.own.played", {"played": played}), question) if played else question),
            right,
            mistakes={"joint": reach[index], "evidence": total, "prior": prior, "contrary": 1 - right},
            why=TranslatableText("class.own.beliefs.why", {"part": str(reach[index]), "whole": str(total)}),
            beside=game.displayed_game,
        )


def find_player_with_most_infosets(game: GameInstance) -> int:
    """Return the player with the most information sets; in a tie, the first of them.

    >>> from durak_widget.custom_games.game_instance import GameInstance
    >>> from durak_widget.gametheory import textbook
    >>> find_player_with_most_infosets(GameInstance(textbook("chain-store"), is_matrix=False, seed=1))
    0
    """
    return max(range(game.tree.player_count), key=lambda player: (game.tree.infoset_counts[player], -player))


def label_infoset(game: GameInstance, infoset: int) -> str:
    """Return a name for an information set: its label or, without one, its player and actions.

    The actions are those that lead to the set.

    >>> from durak_widget.custom_games.game_instance import GameInstance
    >>> from durak_widget.gametheory import textbook
    >>> label_infoset(GameInstance(textbook("entry"), is_matrix=False, seed=1), 1)
    'after an entry'
    """
    record, description = game.tree.infosets[infoset], describe_infoset(game, infoset)
    if record.label:
        return description
    return f"{game.tree.names[record.player]} ({description})" if description else game.tree.names[record.player]


def sample_profile(game: GameInstance, rng: Random) -> Strategy:
    """Draw random strategies for all players.

    At each information set two actions are played with positive probability, if there are two.

    >>> from random import Random
    >>> from durak_widget.custom_games.game_instance import GameInstance
    >>> from durak_widget.gametheory import textbook
    >>> game = GameInstance(textbook("pennies"), is_matrix=False, seed=1)
    >>> all(0 < probability < 1 for row in sample_profile(game, Random(1)) for probability in row)
    True
    """
    rows = []
    for record in game.tree.infosets:
        count = len(record.actions)
        if count == 1:
            rows.append(pure_row(0, 1))
            continue
        first, second = rng.sample(range(count), 2)
        probability = rng.choice(_PROBABILITIES)
        probabilities: dict[int, Fraction] = {first: probability, second: 1 - probability}
        rows.append(tuple([probabilities.get(action, Fraction(0)) for action in range(count)]))
    return Strategy(game.tree, rows)


TREE_QUESTIONS: Final[tuple[type[GameQuestion], ...]] = (
    _NodeValuesQuestion,
    _EquilibriumPathQuestion,
    _InformationSetsQuestion,
    _StrategyCountQuestion,
    _CompleteStrategyQuestion,
    _BeliefQuestion,
)
