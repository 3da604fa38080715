"""How hard is an instance, counted by the solvers, and what is it that most are? All students get one of that difficulty."""

from __future__ import annotations

from collections import Counter
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.custom_games.game_instance import holds
from durak_widget.custom_games.question_catalog import fitting
from durak_widget.errors import DurakError
from durak_widget.gametheory.gambit_files import to_efg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.custom_games.game_template import GameMaker
    from durak_widget.custom_games.question_type import AskedByName

Measure = tuple[tuple[int, ...], ...]
"""Of each question how hard it is."""
SAMPLE: Final = 60
"""So many draws that fit are looked at to find out what most are like."""
TRIES: Final = 3000
"""After so many draws it is said that none fits, and why."""
PATIENCE: Final = 20.0
"""After so many seconds too, if none has fitted; whoever has found one does not look at the clock, so that it is the same wherever it is drawn."""
_KEPT: Final = 256
"""So many instances are remembered: each question of a student asks for the same."""


class InVain:
    """What was drawn in vain, and for want of what."""

    def __init__(self) -> None:
        self.draws, self._began = 0, process_time()
        self.failed: Counter[str] = Counter()

    @property
    def late(self) -> bool:
        """Whether it was drawn for longer than anybody waits."""
        return process_time() - self._began > PATIENCE

    def __str__(self) -> str:
        told = [f"{said!r} failed {count:,} times" for said, count in self.failed.most_common()]
        return f"of {self.draws:,} draws " + ", ".join(told)


class EvenGames:
    """Draws a student's game: one that is as it must be, and as hard for all that is asked as everybody's."""

    def __init__(self, drawing: GameMaker, questions: Sequence[AskedByName]) -> None:
        self.drawing, self.questions = drawing, tuple(questions)
        self.tally = InVain()
        """Of the draws by which it was found out how hard it is to be."""
        first = self._first()
        self._refuse_what_does_not_fit(first)
        self.target = self._usual()
        """How hard it is for everybody."""
        self._made: dict[int, DrawnGame] = {}

    def _seed(self, place: int) -> int:
        return Random(f"{self.drawing.name} {place}").getrandbits(128)

    def _first(self) -> DrawnGame:
        """A first game that is as it must be, of which it can be found out what can be asked."""
        tally = InVain()
        for place in range(TRIES):
            found = self._drawn(Random(self._seed(place)), tally)
            if found is not None:
                return found
            if tally.late:
                break
        raise DurakError(f"no game is as it must be: {tally}; draw from more numbers, or ask for less")

    def _refuse_what_does_not_fit(self, game: DrawnGame) -> None:
        for one in self.questions:
            if why := one.unfit(game):
                raise _refused(one, game, why)

    def _refuse_what_cannot_be_made(self, game: DrawnGame) -> None:
        """Whatever an exercise says of a game of which it cannot be asked is said now, and not to a student."""
        for one in self.questions:
            try:
                one.make(game)
            except DurakError as error:  # noqa: PERF203 - the first is told
                raise _refused(one, game, str(error)) from None

    def _usual(self) -> Measure:
        """How hard most of the draws are that fit; of several as frequent, the first that came."""
        tally, seen = self.tally, Counter[Measure]()
        for place in range(TRIES):
            found = self._drawn(Random(self._seed(place)), tally)
            measure = None if found is None else self._measured(found, tally)
            if found is not None and measure is not None:
                if not seen:
                    self._refuse_what_cannot_be_made(found)
                seen[measure] += 1
            if sum(seen.values()) == SAMPLE or (not seen and tally.late):
                break
        if not seen:
            raise DurakError(f"no game is as it must be: {tally}; draw from more numbers, or ask for less")
        return seen.most_common(1)[0][0]

    def _drawn(self, rng: Random, tally: InVain) -> DrawnGame | None:
        tally.draws += 1
        found = self.drawing.drawn(rng)
        if found is None:
            tally.failed["the chances of a draw add up to 1"] += 1
            return None
        for one in self.drawing.so_that:
            if not holds(one, found):
                tally.failed[one.said] += 1
                return None
        return found

    def _measured(self, game: DrawnGame, tally: InVain) -> Measure | None:
        measure = []
        for one in self.questions:
            found = one.measure(game)
            if found is None:
                tally.failed[f"{one.name}: {one.lacks}"] += 1
                return None
            measure.append(found)
        return tuple(measure)

    def of(self, lots: Random) -> DrawnGame:
        """The game of whoever has these lots; the same whichever of its questions asks."""
        seed = lots.getrandbits(128)
        if seed not in self._made:
            while len(self._made) >= _KEPT:
                del self._made[next(iter(self._made))]
            self._made[seed] = self._fitting(Random(seed), InVain())
        return self._made[seed]

    def _fitting(self, rng: Random, tally: InVain) -> DrawnGame:
        for _ in range(10 * TRIES):
            found = self._drawn(rng, tally)
            if found is None:
                continue
            for one, wanted in zip(self.questions, self.target, strict=True):
                if one.measure(found) != wanted:
                    tally.failed[f"{one.name} as hard as for the others"] += 1
                    break
            else:
                return found
        raise DurakError(f"no game is as hard as the others: {tally}; draw from more numbers, or ask for less")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": {}}


def _refused(one: AskedByName, game: DrawnGame, why: str) -> DurakError:
    """What is said of a question that does not fit."""
    others = [name for name in fitting(game) if name != one.name]
    return DurakError(f"the question {one.name!r} does not fit this game: {why}. What fits: {', '.join(others) or 'none'}")


class Tried(NamedTuple):
    """What a question is like for those for whom it was tried."""

    name: str
    counted: str
    """What is to be done there, as much for everybody."""
    different: int
    """How many different answers are right, each for somebody."""

    def __str__(self) -> str:
        same = "the same answer for all" if self.different == 1 else f"{self.different} different answers"
        return f"{self.name} ({self.counted}): {same}" if self.counted else f"{self.name}: {same}"


class GameTrial(NamedTuple):
    """What some students would be asked: how many different games, how hard, and what was drawn in vain."""

    students: int
    different: int
    questions: tuple[Tried, ...]
    tally: InVain

    def __str__(self) -> str:
        vain = [f"drawn in vain: {self.tally}"] if self.tally.failed else []
        return "\n".join([f"{self.students} students, {self.different} different games", *(f"  {one}" for one in self.questions), *vain])


def trial_of(even: EvenGames, students: int) -> GameTrial:
    """Games for so many students who are only numbered."""
    games = [even.of(Random(f"trial {number}")) for number in range(students)]
    found = []
    for one, measure in zip(even.questions, even.target, strict=True):
        counted = ", ".join(f"{what}: {count}" for what, count in zip(one.counted, measure, strict=False))
        found.append(Tried(one.name, counted, len({repr(one.make(game).solution) for game in games})))
    return GameTrial(students, len({to_efg(game.tree) for game in games}), tuple(found), even.tally)
