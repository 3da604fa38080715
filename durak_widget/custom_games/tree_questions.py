"""Questions about the tree of a game.

They ask for values, the equilibrium path, information sets, pure strategies, and beliefs.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.question_type import AskedByName, play_given, play_said, set_called, told_place, under
from durak_widget.exercises.choice_exercise import Choose
from durak_widget.exercises.node_and_cell_lookup import Way, deciding_places, names_of, place_name
from durak_widget.exercises.node_value_question import MOST
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.best_responses import reaches
from durak_widget.gametheory.strategic_form import how_many, own_paths
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from random import Random

    from durak_widget.custom_games.game_instance import DrawnGame

_SHARES: Final = (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4))
"""The probabilities that random play can have."""


class _Values(AskedByName):
    """Asks for the value of each node, by backward induction."""

    name, kind, points = "values", "tree", 4
    counted = ("values to be filled in", "ties")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        count = sum(actor != OVER for actor in game.tree.actor)
        if count > MOST:
            return f"values are asked for at {MOST} places at most, and this game has {count}"
        return _hidden(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return sum(actor != OVER for actor in game.tree.actor), len(backward_induction(game.tree).ties)

    def make(self, game: DrawnGame) -> OnTree:
        player = None if self.option("of") is None else self.seat(game)
        return OnTree.values(game.tree, seat=player, question=self.asked.question)


class _Path(AskedByName):
    """Asks for the actions that are played if all play well."""

    name, kind, points = "path", "tree", 2
    counted = ("places to think through", "ties")
    takes = ("whole",)

    def unfit(self, game: DrawnGame) -> str:
        return _hidden(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return len(deciding_places(game.tree)), len(backward_induction(game.tree).ties)

    def make(self, game: DrawnGame) -> OnTree:
        return OnTree.path(game.tree, whole=bool(self.option("whole")), question=self.asked.question)


def _hidden(game: DrawnGame) -> str:
    """Return why backward induction is not asked for; empty if nothing is hidden."""
    if game.seen:
        return ""
    return "it is asked where nothing is hidden, and in this game somebody does not know what was done before"


class _Sets(AskedByName):
    """Asks for the information sets."""

    name, kind, points = "sets", "tree", 3
    given_away = dict.fromkeys(
        ("plans", "plan", "beliefs", "form", "mixing", "value", "strategy", "best-response", "equilibrium"), "tree"
    ) | dict.fromkeys(("dominance", "best-responses", "equilibria"), "plans")
    counted = ("groups to be joined", "places in them")

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "it is asked on a tree, and this is a matrix"
        return "nothing is hidden in this game, so that there is nothing to be joined" if game.seen else ""

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        infosets = [game.tree.info[node] for node in deciding_places(game.tree)]
        joined = [infoset for infoset in infosets if infosets.count(infoset) > 1]
        return len(set(joined)), len(joined)

    def make(self, game: DrawnGame) -> OnTree:
        return OnTree.sets(game.tree, question=self.asked.question)


class _Plans(AskedByName):
    """Asks how many pure strategies a player has."""

    name, kind, points = "plans", "number", 2
    counted = ("plans in all",)
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "it is asked on a tree: in a matrix the plans stand written"
        return "" if self._moves(game) else f"{game.tree.names[self.seat(game)]} has nothing to decide in this game"

    def _moves(self, game: DrawnGame) -> list[int]:
        player = self.seat(game, most_asked(game))
        return [len(record.moves) for record in game.tree.sets if record.seat == player]

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return (prod(self._moves(game)),)

    def make(self, game: DrawnGame) -> Number:
        action_counts, player = self._moves(game), self.seat(game, most_asked(game))
        reduced = how_many(game.tree, player) if game.remembers else prod(action_counts)
        mistakes = {"reduced": reduced, "sum": sum(action_counts), "sets": len(action_counts), "most": max(action_counts)}
        facts = {"who": self.who(game, player), "count": len(action_counts)}
        return Number(
            self.asked.question or Fact("class.own.plans.asked", facts),
            prod(action_counts),
            mistakes={name: (value, Fact(f"class.own.plans.{name}", facts)) for name, value in mistakes.items()},
            why=Fact("class.own.plans.why", {**facts, "sum": f"{' · '.join(map(str, action_counts))} = {prod(action_counts)}"}),
            beside=game.shown,
        )


class _Plan(AskedByName):
    """Asks which of some options is a complete pure strategy."""

    name, kind, points = "plan", "choose", 1
    counted = ("answers to choose from", "information sets")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "it is asked on a tree: in a matrix the plans stand written"
        player = self._seat(game)
        return (
            ""
            if game.tree.infosets[player] > 1
            else f"it is asked of who has two information sets at least, and {game.tree.names[player]} has not"
        )

    def _seat(self, game: DrawnGame) -> int:
        return self.seat(game, most_asked(game))

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return len(self._said(game)), game.tree.infosets[self._seat(game)]

    def _said(self, game: DrawnGame) -> dict[str, tuple[str, int]]:
        """Return the options in random order, each with its kind and an information set."""
        rng, tree, player = game.rng(self.name), game.tree, self._seat(game)
        own = [infoset for infoset, record in enumerate(tree.sets) if record.seat == player]
        others = [infoset for infoset, record in enumerate(tree.sets) if record.seat != player]
        with_choice = [infoset for infoset in own if len(tree.sets[infoset].moves) > 1]
        actions = [rng.choice(record.moves) for record in tree.sets]
        omitted = rng.choice(own)
        options = {self._told(game, [(infoset, actions[infoset]) for infoset in own]): ("right", omitted)}
        options.setdefault(self._told(game, [(infoset, actions[infoset]) for infoset in own if infoset != omitted]), ("less", omitted))
        if with_choice:
            doubled = rng.choice(with_choice)
            both_actions = " + ".join(tree.sets[doubled].moves[:2])
            options.setdefault(
                self._told(game, [(infoset, both_actions if infoset == doubled else actions[infoset]) for infoset in own]),
                ("more", doubled),
            )
        if others:
            other_infoset = rng.choice(others)
            options.setdefault(
                self._told(game, [(infoset, actions[infoset]) for infoset in sorted([*own, other_infoset])]), ("other", other_infoset)
            )
        return dict(rng.sample(list(options.items()), len(options)))

    @staticmethod
    def _told(game: DrawnGame, moves: list[tuple[int, str]]) -> str:
        return "; ".join(f"{label_of(game, infoset)}: {action}" for infoset, action in moves)

    def make(self, game: DrawnGame) -> Choose:
        player_name, options = self.who(game, self._seat(game)), self._said(game)
        reasons = {
            option: Fact(f"class.own.plan.{kind}", {"who": player_name, "label": label_of(game, infoset)})
            for option, (kind, infoset) in options.items()
        }
        right = next(option for option, (kind, _) in options.items() if kind == "right")
        return Choose(self.asked.question or Fact("class.own.plan.asked", {"who": player_name}), reasons, right, beside=game.shown)


class _Beliefs(AskedByName):
    """Asks for the belief at a node of an information set, by Bayes' rule."""

    name, kind, points = "beliefs", "number", 3
    counted = ("places that look alike", "choices and draws before")
    takes = ("at", "given")
    lacks = "a belief between 0 and 1"

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "it is asked on a tree, and this is a matrix"
        if not game.remembers:
            return "it is asked where everybody remembers what they knew and did, and here somebody forgets"
        if self.option("at") is None:
            return "nothing is hidden in this game, so that everybody is certain" if game.seen else ""
        node_count = len(self._alike(game, set_called(game, self.option("at"))))
        return "" if node_count > 1 else f"at {self.option('at')!r} there is nothing to be in doubt of; ask at another information set"

    @staticmethod
    def _alike(game: DrawnGame, place: int) -> list[int]:
        return [node for node in deciding_places(game.tree) if game.tree.info[node] == place]

    def _asked_at(self, game: DrawnGame) -> int:
        if self.option("at") is not None:
            return set_called(game, self.option("at"))
        return next(infoset for infoset in range(len(game.tree.sets)) if len(self._alike(game, infoset)) > 1)

    def _played(self, game: DrawnGame, rng: Random) -> Strategy:
        if self.option("given") is not None:
            return play_given(game, self.option("given"))
        return drawn_play(game, rng)

    def _drawn(self, game: DrawnGame) -> tuple[int, Strategy, list[Fraction], int]:
        """Return the infoset, the profile, the reach of its nodes, and the one asked about."""
        rng = game.rng(self.name)
        infoset, profile = self._asked_at(game), self._played(game, rng)
        reach = reaches(game.tree, profile)
        node_reach = [Fraction(reach[node]) for node in self._alike(game, infoset)]
        return infoset, profile, node_reach, rng.randrange(len(node_reach))

    def _before(self, game: DrawnGame, place: int) -> tuple[list[int], int]:
        """Return the information sets, and the number of chance nodes, on the paths there."""
        tree, infosets, chance_nodes = game.tree, set[int](), set[int]()
        for node in self._alike(game, place):
            ancestor = tree.parent[node]
            while ancestor >= 0:
                if tree.actor[ancestor] == CHANCE:
                    chance_nodes.add(ancestor)
                else:
                    infosets.add(tree.info[ancestor])
                ancestor = tree.parent[ancestor]
        return sorted(infosets), len(chance_nodes)

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        infoset, _, reach, index = self._drawn(game)
        infosets, chance_count = self._before(game, infoset)
        return (len(reach), len(infosets) + chance_count) if 0 < reach[index] < sum(reach) else None

    def make(self, game: DrawnGame) -> Number:
        infoset, profile, reach, index = self._drawn(game)
        total, node = sum(reach, Fraction(0)), self._alike(game, infoset)[index]
        right, prior = reach[index] / total, own_paths(game.tree)[1][node]
        infosets, _ = self._before(game, infoset)
        facts = {
            "who": self.who(game, game.tree.sets[infoset].seat),
            "label": told_place(game, infoset),
            "way": place_name(names_of(game.tree, "en"), Way(node)),
        }
        question = Fact("class.own.beliefs.asked" if facts["label"] else "class.own.beliefs.asked.alone", facts)
        played = play_said(game, profile, infosets)
        return Number(
            self.asked.question or (under(Fact("class.own.played", {"played": played}), question) if played else question),
            right,
            mistakes={"joint": reach[index], "evidence": total, "prior": prior, "contrary": 1 - right},
            why=Fact("class.own.beliefs.why", {"part": str(reach[index]), "whole": str(total)}),
            beside=game.shown,
        )


def most_asked(game: DrawnGame) -> int:
    """Return the player with the most information sets; of several, the first.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> most_asked(DrawnGame(textbook("chain-store"), tabled=False, seed=1))
    0
    """
    return max(range(game.tree.seats), key=lambda player: (game.tree.infosets[player], -player))


def label_of(game: DrawnGame, place: int) -> str:
    """Return the name of an information set.

    It is its label, or else its player and the actions that lead there.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> label_of(DrawnGame(textbook("entry"), tabled=False, seed=1), 1)
    'after an entry'
    """
    record, description = game.tree.sets[place], told_place(game, place)
    if record.label:
        return description
    return f"{game.tree.names[record.seat]} ({description})" if description else game.tree.names[record.seat]


def drawn_play(game: DrawnGame, rng: Random) -> Strategy:
    """Return a random strategy profile.

    At each information set two actions are played with positive probability, if there are two.

    >>> from random import Random
    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> game = DrawnGame(textbook("pennies"), tabled=False, seed=1)
    >>> all(0 < probability < 1 for row in drawn_play(game, Random(1)) for probability in row)
    True
    """
    rows = []
    for record in game.tree.sets:
        count = len(record.moves)
        if count == 1:
            rows.append(pure_row(0, 1))
            continue
        first, second = rng.sample(range(count), 2)
        probability = rng.choice(_SHARES)
        probabilities: dict[int, Fraction] = {first: probability, second: 1 - probability}
        rows.append(tuple([probabilities.get(action, Fraction(0)) for action in range(count)]))
    return Strategy(game.tree, rows)


ON_TREES: Final[tuple[type[AskedByName], ...]] = (_Values, _Path, _Sets, _Plans, _Plan, _Beliefs)
