"""Questions on the matrix of a teacher's game, or the strategic form of its tree: cells, dominance, best responses, equilibria, mixing, the value."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.game_instance import MOST_MIXED, MOST_PLANS
from durak_widget.custom_games.question_type import AskedByName
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.payoff_question import MOST
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.solver_selection import solve
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium, Mix
    from durak_widget.gametheory.strategic_form import Matrix, Plan
    from durak_widget.gametheory.tree import Tree


def _not_a_matrix(game: DrawnGame) -> str:
    """Why nothing is asked on a matrix of this game."""
    if game.tree.seats != 2:
        return f"it is asked on a matrix, which is of a game for two, and this one has {game.tree.seats} players"
    if not game.remembers:
        return "it is asked where everybody remembers what they knew and did, and here somebody forgets"
    return "" if game.small else f"it is asked where each player has {MOST_PLANS} plans at most, and this game has more"


def _source(game: DrawnGame) -> Tree | Matrix:
    """What the board is made of: of a tree its strategic form, in the words of the tree."""
    return game.table if game.tabled else game.tree


class _Form(AskedByName):
    """What do these plans lead to?"""

    name, kind, points = "form", "matrix", 4
    given_away = dict.fromkeys(("dominance", "best-responses", "equilibria"), "table")
    counted = ("rows", "columns")

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "a matrix is filled in from a tree, and this game is a matrix already"
        if unfit := _not_a_matrix(game):
            return unfit
        cells = len(game.table.rows) * len(game.table.columns)
        return "" if cells <= MOST else f"{MOST} cells are filled in at most, and this game has {cells}"

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return len(game.table.rows), len(game.table.columns)

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.fill(game.tree, question=self.asked.question)


class _Dominance(AskedByName):
    """Which plans should nobody follow, and which then?"""

    name, kind, points = "dominance", "matrix", 3
    counted = ("plans struck", "rows left", "columns left")
    takes = ("weak",)
    lacks = "a plan that is dominated"

    def unfit(self, game: DrawnGame) -> str:
        return _not_a_matrix(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        found = game.table.eliminate(weak=bool(self.option("weak")))
        return (len(found.steps), len(found.left.rows), len(found.left.columns)) if found.steps else None

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.strike(_source(game), weak=bool(self.option("weak")), question=self.asked.question)


class _BestResponses(AskedByName):
    """What answers each plan of the other best?"""

    name, kind, points = "best-responses", "matrix", 3
    counted = ("payoffs to be marked", "equilibria among them")

    def unfit(self, game: DrawnGame) -> str:
        return _not_a_matrix(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        paid = game.table.payoffs
        tops = [max(cell[0] for cell in column) for column in zip(*paid, strict=True)]
        marks = sum(
            (cell[0] == top) + (cell[1] == max(other[1] for other in row)) for row in paid for cell, top in zip(row, tops, strict=True)
        )
        return marks, len(game.pure)

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.best(_source(game), question=self.asked.question)


class _Equilibria(AskedByName):
    """At which pairs of plans does neither gain by leaving alone?"""

    name, kind, points = "equilibria", "matrix", 3
    counted = ("how many there are",)

    def unfit(self, game: DrawnGame) -> str:
        unfit = _not_a_matrix(game)
        return f"{unfit}; 'equilibrium' asks for one, on the tree" if unfit and game.remembers else unfit

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return (len(game.pure),)

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.equilibria(_source(game), question=self.asked.question)


class _Mixing(AskedByName):
    """How likely is a plan in the one equilibrium, in which its player mixes?"""

    name, kind, points = "mixing", "number", 4
    counted = ("plans mixed", "plans mixed by the other")
    takes = ("of",)
    lacks = "one equilibrium alone, and mixed"

    def unfit(self, game: DrawnGame) -> str:
        unfit = _not_a_matrix(game)
        return unfit or ("" if game.smaller else f"it is asked where each player has {MOST_MIXED} plans at most, and this game has more")

    def _found(self, game: DrawnGame) -> tuple[Equilibrium, int] | None:
        """The one equilibrium, and who is asked about."""
        if game.mixed is None or game.mixed.infinite or len(game.mixed) != 1:
            return None
        [found] = game.mixed
        seat = self.seat(game)
        return (found, seat) if _mixed((found.row, found.column)[seat]) > 1 else None

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        found = self._found(game)
        if found is None:
            return None
        one, seat = found
        mixes = one.row, one.column
        return _mixed(mixes[seat]), _mixed(mixes[1 - seat])

    def make(self, game: DrawnGame) -> Number:
        found = self._found(game)
        assert found is not None  # noqa: S101 - of others nothing is measured
        one, seat = found
        mine, theirs = ((one.row, one.column), (one.column, one.row))[seat]
        plans = (game.table.rows, game.table.columns)
        played = [place for place, likely in enumerate(mine) if likely]
        asked = game.rng(self.name).choice(played)
        other = next(place for place in played if place != asked)
        facts = {
            "who": self.who(game, seat),
            "next": self.who(game, 1 - seat),
            "plan": _words(plans[seat][asked]),
            "other": _words(plans[seat][other]),
        }
        given = {"other": mine[other], "theirs": next(likely for likely in theirs if likely), "even": Fraction(1, len(played))}
        return Number(
            self.asked.question or Fact("class.own.mixing.asked", facts),
            mine[asked],
            mistakes={name: (value, Fact(f"class.own.mixing.{name}", facts)) for name, value in given.items()},
            hint=Fact("class.own.mixing.hint", facts),
            why=Fact("class.own.mixing.why", facts),
            beside=game.shown,
        )


def _mixed(mix: Mix) -> int:
    return sum(likely > 0 for likely in mix)


def _words(plan: Plan) -> str:
    return plan.words


class _Value(AskedByName):
    """What is a zero-sum game worth?"""

    name, kind, points = "value", "number", 3
    counted = ("plans mixed", "plans mixed by the other")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if not game.zero_sum:
            return "only a game for two in which one wins what the other loses has a value; of this one 'equilibria' can be asked, or 'equilibrium'"
        return "" if game.remembers else "it is asked where everybody remembers what they knew and did, and here somebody forgets"

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        if not game.small:
            return ()
        found = minimax(game.table)
        return _mixed(found.row), _mixed(found.column)

    def make(self, game: DrawnGame) -> Number:
        seat = self.seat(game)
        worth = minimax(game.table).value if game.small else Fraction(solve(game.tree).value)
        right = -worth if seat else worth
        facts = {"who": self.who(game, seat), "next": self.who(game, 1 - seat)}
        given = {"turned": -right, **({"sure": self._sure(game, seat)} if game.small else {})}
        return Number(
            self.asked.question or Fact("class.own.value.asked", facts),
            right,
            mistakes={name: (value, Fact(f"class.own.value.{name}", facts)) for name, value in given.items()},
            why=Fact("class.own.value.why", facts),
            beside=game.shown,
        )

    @staticmethod
    def _sure(game: DrawnGame, seat: int) -> Fraction:
        """What a player is sure of without mixing."""
        rows = [[cell[0] for cell in row] for row in game.table.payoffs]
        return max(map(min, rows)) if seat == 0 else -min(map(max, zip(*rows, strict=True)))


ON_MATRICES: Final[tuple[type[AskedByName], ...]] = (
    _Form,
    _Dominance,
    _BestResponses,
    _Equilibria,
    _Mixing,
    _Value,
)
