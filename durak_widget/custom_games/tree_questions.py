"""Questions on the tree of a teacher's game: values, the path, information sets, how many plans, and what to believe."""

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
"""How likely a move is made where that is drawn."""


class _Values(AskedByName):
    """What is the game worth wherever somebody is to act, by backward induction?"""

    name, kind, points = "values", "tree", 4
    counted = ("values to be filled in", "ties")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        many = sum(actor != OVER for actor in game.tree.actor)
        if many > MOST:
            return f"values are asked for at {MOST} places at most, and this game has {many}"
        return _hidden(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return sum(actor != OVER for actor in game.tree.actor), len(backward_induction(game.tree).ties)

    def make(self, game: DrawnGame) -> OnTree:
        of = None if self.option("of") is None else self.seat(game)
        return OnTree.values(game.tree, seat=of, question=self.asked.question)


class _Path(AskedByName):
    """Who moves how, if all play well?"""

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
    """Why nobody thinks it through backwards: somebody does not know where they stand."""
    if game.seen:
        return ""
    return "it is asked where nothing is hidden, and in this game somebody does not know what was done before"


class _Sets(AskedByName):
    """What can whoever is to act not tell apart?"""

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
        places = [game.tree.info[here] for here in deciding_places(game.tree)]
        together = [one for one in places if places.count(one) > 1]
        return len(set(together)), len(together)

    def make(self, game: DrawnGame) -> OnTree:
        return OnTree.sets(game.tree, question=self.asked.question)


class _Plans(AskedByName):
    """How many plans has a player, who says what is done at each information set?"""

    name, kind, points = "plans", "number", 2
    counted = ("plans in all",)
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "it is asked on a tree: in a matrix the plans stand written"
        return "" if self._moves(game) else f"{game.tree.names[self.seat(game)]} has nothing to decide in this game"

    def _moves(self, game: DrawnGame) -> list[int]:
        seat = self.seat(game, most_asked(game))
        return [len(one.moves) for one in game.tree.sets if one.seat == seat]

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return (prod(self._moves(game)),)

    def make(self, game: DrawnGame) -> Number:
        moves, seat = self._moves(game), self.seat(game, most_asked(game))
        reduced = how_many(game.tree, seat) if game.remembers else prod(moves)
        given = {"reduced": reduced, "sum": sum(moves), "sets": len(moves), "most": max(moves)}
        facts = {"who": self.who(game, seat), "count": len(moves)}
        return Number(
            self.asked.question or Fact("class.own.plans.asked", facts),
            prod(moves),
            mistakes={name: (value, Fact(f"class.own.plans.{name}", facts)) for name, value in given.items()},
            why=Fact("class.own.plans.why", {**facts, "sum": f"{' · '.join(map(str, moves))} = {prod(moves)}"}),
            beside=game.shown,
        )


class _Plan(AskedByName):
    """Which of these says what a player does at each information set, and no more?"""

    name, kind, points = "plan", "choose", 1
    counted = ("answers to choose from", "information sets")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "it is asked on a tree: in a matrix the plans stand written"
        seat = self._seat(game)
        return (
            ""
            if game.tree.infosets[seat] > 1
            else f"it is asked of who has two information sets at least, and {game.tree.names[seat]} has not"
        )

    def _seat(self, game: DrawnGame) -> int:
        return self.seat(game, most_asked(game))

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return len(self._said(game)), game.tree.infosets[self._seat(game)]

    def _said(self, game: DrawnGame) -> dict[str, tuple[str, int]]:
        """What there is to choose from, each with what is said of it, and about which information set."""
        rng, tree, seat = game.rng(self.name), game.tree, self._seat(game)
        own = [place for place, one in enumerate(tree.sets) if one.seat == seat]
        others = [place for place, one in enumerate(tree.sets) if one.seat != seat]
        wide = [place for place in own if len(tree.sets[place].moves) > 1]
        move = [rng.choice(one.moves) for one in tree.sets]
        left = rng.choice(own)
        found = {self._told(game, [(place, move[place]) for place in own]): ("right", left)}
        found.setdefault(self._told(game, [(place, move[place]) for place in own if place != left]), ("less", left))
        if wide:
            both = rng.choice(wide)
            two = " + ".join(tree.sets[both].moves[:2])
            found.setdefault(self._told(game, [(place, two if place == both else move[place]) for place in own]), ("more", both))
        if others:
            one = rng.choice(others)
            found.setdefault(self._told(game, [(place, move[place]) for place in sorted([*own, one])]), ("other", one))
        return dict(rng.sample(list(found.items()), len(found)))

    @staticmethod
    def _told(game: DrawnGame, moves: list[tuple[int, str]]) -> str:
        return "; ".join(f"{label_of(game, place)}: {move}" for place, move in moves)

    def make(self, game: DrawnGame) -> Choose:
        who, said = self.who(game, self._seat(game)), self._said(game)
        why = {
            option: Fact(f"class.own.plan.{kind}", {"who": who, "label": label_of(game, place)}) for option, (kind, place) in said.items()
        }
        right = next(option for option, (kind, _) in said.items() if kind == "right")
        return Choose(self.asked.question or Fact("class.own.plan.asked", {"who": who}), why, right, beside=game.shown)


class _Beliefs(AskedByName):
    """How likely is it, at an information set, that play has gone one way, by Bayes' rule?"""

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
        alike = len(self._alike(game, set_called(game, self.option("at"))))
        return "" if alike > 1 else f"at {self.option('at')!r} there is nothing to be in doubt of; ask at another information set"

    @staticmethod
    def _alike(game: DrawnGame, place: int) -> list[int]:
        return [here for here in deciding_places(game.tree) if game.tree.info[here] == place]

    def _asked_at(self, game: DrawnGame) -> int:
        if self.option("at") is not None:
            return set_called(game, self.option("at"))
        return next(place for place in range(len(game.tree.sets)) if len(self._alike(game, place)) > 1)

    def _played(self, game: DrawnGame, rng: Random) -> Strategy:
        if self.option("given") is not None:
            return play_given(game, self.option("given"))
        return drawn_play(game, rng)

    def _drawn(self, game: DrawnGame) -> tuple[int, Strategy, list[Fraction], int]:
        """Where it is asked, how is played, how likely each place there is reached, and which of them is asked about."""
        rng = game.rng(self.name)
        place, strategy = self._asked_at(game), self._played(game, rng)
        likely = reaches(game.tree, strategy)
        alike = [Fraction(likely[here]) for here in self._alike(game, place)]
        return place, strategy, alike, rng.randrange(len(alike))

    def _before(self, game: DrawnGame, place: int) -> tuple[list[int], int]:
        """The information sets and the draws on the ways that lead there."""
        tree, sets, draws = game.tree, set[int](), set[int]()
        for here in self._alike(game, place):
            above = tree.parent[here]
            while above >= 0:
                if tree.actor[above] == CHANCE:
                    draws.add(above)
                else:
                    sets.add(tree.info[above])
                above = tree.parent[above]
        return sorted(sets), len(draws)

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        place, _, likely, at = self._drawn(game)
        sets, draws = self._before(game, place)
        return (len(likely), len(sets) + draws) if 0 < likely[at] < sum(likely) else None

    def make(self, game: DrawnGame) -> Number:
        place, strategy, likely, at = self._drawn(game)
        whole, here = sum(likely, Fraction(0)), self._alike(game, place)[at]
        right, prior = likely[at] / whole, own_paths(game.tree)[1][here]
        sets, _ = self._before(game, place)
        facts = {
            "who": self.who(game, game.tree.sets[place].seat),
            "label": told_place(game, place),
            "way": place_name(names_of(game.tree, "en"), Way(here)),
        }
        asked = Fact("class.own.beliefs.asked" if facts["label"] else "class.own.beliefs.asked.alone", facts)
        played = play_said(game, strategy, sets)
        return Number(
            self.asked.question or (under(Fact("class.own.played", {"played": played}), asked) if played else asked),
            right,
            mistakes={"joint": likely[at], "evidence": whole, "prior": prior, "contrary": 1 - right},
            why=Fact("class.own.beliefs.why", {"part": str(likely[at]), "whole": str(whole)}),
            beside=game.shown,
        )


def most_asked(game: DrawnGame) -> int:
    """The player with the most information sets, the first of several: of others it is soon said what they may plan.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> most_asked(DrawnGame(textbook("chain-store"), tabled=False, seed=1))
    0
    """
    return max(range(game.tree.seats), key=lambda seat: (game.tree.infosets[seat], -seat))


def label_of(game: DrawnGame, place: int) -> str:
    """What an information set is called: as it is in the game, else by whoever chooses there, and by the moves that lead there.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> label_of(DrawnGame(textbook("entry"), tabled=False, seed=1), 1)
    'after an entry'
    """
    one, told = game.tree.sets[place], told_place(game, place)
    if one.label:
        return told
    return f"{game.tree.names[one.seat]} ({told})" if told else game.tree.names[one.seat]


def drawn_play(game: DrawnGame, rng: Random) -> Strategy:
    """How all play, drawn by lots: nobody is certain to make any move, where there are two; of more, one of two is made.

    >>> from random import Random
    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> game = DrawnGame(textbook("pennies"), tabled=False, seed=1)
    >>> all(0 < one < 1 for row in drawn_play(game, Random(1)) for one in row)
    True
    """
    rows = []
    for one in game.tree.sets:
        many = len(one.moves)
        if many == 1:
            rows.append(pure_row(0, 1))
            continue
        first, second = rng.sample(range(many), 2)
        share = rng.choice(_SHARES)
        shares: dict[int, Fraction] = {first: share, second: 1 - share}
        rows.append(tuple([shares.get(move, Fraction(0)) for move in range(many)]))
    return Strategy(game.tree, rows)


ON_TREES: Final[tuple[type[AskedByName], ...]] = (_Values, _Path, _Sets, _Plans, _Plan, _Beliefs)
