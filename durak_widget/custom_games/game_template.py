"""Reads a teacher's game and which of its payoffs and probabilities are random, and from which values.

A random number stands at a place with a name, such as `payoff at enter, fight of chain store`. Its value is
one of a list of numbers, each equally likely. If some probabilities of a chance move are random, the other
moves share what is left in their old proportions.
"""

from __future__ import annotations

import re
from copy import copy
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.atomic_files import path_of
from durak_widget.custom_games.game_instance import DrawnGame, conditions_of, in_another_order, played_at_once
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.game_properties import zero_sum as is_zero_sum
from durak_widget.gametheory.number_parsing import exactly
from durak_widget.gametheory.strategic_form import Matrix, matrix_of
from durak_widget.gametheory.tree import CHANCE, OVER, Chance, Tree
from durak_widget.safe_import_path import search_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

START: Final = "the start"
_SHOWN: Final = 6
"""So many names are told where one is not known."""
_TEXT: Final = re.compile(r"\ufeff?\s*EFG\s")
"""How the text of a file begins."""
_LARGEST: Final = 20_000
"""Of a game of so many places something may be asked."""
_DEEPEST: Final = 300
_MOST: Final = 10_000
"""Out of so many numbers one may be drawn."""


class Spot(NamedTuple):
    """Where one number stands: a payoff of a seat at an end, or the chance of a move at a draw."""

    history: int
    place: int
    """The seat; of a draw, the move."""


class Named(NamedTuple):
    """What a name stands for."""

    chance: bool
    spots: tuple[Spot, ...]
    """Each payoff is drawn by itself; the same move of chance is as likely wherever it may come, so that it is drawn once."""
    each: bool = False
    """Whether no player is named: of a game in which one wins what the other loses, the first player's payoffs are meant."""


class Places:
    """All that may be drawn in a game, by its names.

    >>> from durak_widget.gametheory import textbook
    >>> places = Places(textbook("entry"))
    >>> sorted(places.known)[:3]
    ['payoff', 'payoff at enter, fight', 'payoff at enter, fight of chain store']
    >>> places.of("payoff at Enter, fight of Entrant").spots
    (Spot(history=4, place=0),)
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.known: dict[str, Named] = {}
        self.said: dict[str, str] = {}
        """The names as they are written."""
        self._twice: set[str] = set()
        ends = [here for here in range(tree.histories) if tree.actor[here] == OVER]
        seats = range(tree.seats)
        self._put("payoffs", Named(chance=False, spots=tuple([Spot(end, seat) for end in ends for seat in seats]), each=True))
        for seat in seats:
            self._put(f"payoffs of {tree.names[seat]}", Named(chance=False, spots=tuple([Spot(end, seat) for end in ends])))
        for end in ends:
            way = self.way(end)
            self._put(f"payoffs at {way}", Named(chance=False, spots=tuple([Spot(end, seat) for seat in seats]), each=True))
            for seat in seats:
                self._put(f"payoff at {way} of {tree.names[seat]}", Named(chance=False, spots=(Spot(end, seat),)))
        moves: dict[str, list[Spot]] = {}
        for here in range(tree.histories):
            if tree.actor[here] == CHANCE:
                for place, move in enumerate(tree.chances[tree.info[here]].moves):
                    self._put(f"chance of {move} at {self.way(here)}", Named(chance=True, spots=(Spot(here, place),)))
                    moves.setdefault(move, []).append(Spot(here, place))
        for move, spots in moves.items():
            self._put(f"chance of {move}", Named(chance=True, spots=tuple(spots)))

    def way(self, history: int) -> str:
        """How a history is named: by the moves that lead there."""
        return ", ".join(self.tree.moves_to(history)) or START

    def _put(self, name: str, what: Named) -> None:
        plain = plain_place(name)
        if plain in self.known and self.known[plain] != what:
            self._twice.add(plain)
        self.known[plain], self.said[plain] = what, name

    def of(self, name: object) -> Named:
        """What that name stands for."""
        plain = plain_place(name) if isinstance(name, str) else ""
        if plain in self._twice:
            raise DurakError(f"{quoted(name)} may be two places of this game: give its moves, or its players, different names")
        if plain not in self.known:
            some = [self.said[one] for one in sorted(self.known, key=lambda one: (-len(self.known[one].spots), one))]
            more = ", …" if len(some) > _SHOWN else ""
            raise DurakError(
                f"nothing that could be drawn is called {quoted(name)}; there are {', '.join(map(quoted, some[:_SHOWN]))}{more}."
                f"{nearest(str(name)[:200], some)}"
            )
        return self.known[plain]


def plain_place(name: str) -> str:
    """A name of a place however it is spaced, large or small, of one payoff or of several.

    >>> plain_place("Payoffs at  In,Fight of Two")
    'payoff at in, fight of two'
    """
    words = " ".join(name.replace(",", ", ").casefold().split())
    return f"payoff{words[7:]}" if words.startswith("payoffs") else words


class Lots(NamedTuple):
    """What is drawn in a game, each number from which lot; general names first, so that a particular one has the last word."""

    payoffs: tuple[tuple[Spot, Lot], ...]
    chances: tuple[tuple[tuple[Spot, ...], Lot], ...]

    @classmethod
    def of(cls, tree: Tree, lots: Mapping[str, Lot], *, zero_sum: bool) -> Lots:
        """By the names that somebody gave; in a game that is to stay zero-sum the second player's payoffs follow from the first's."""
        if not hasattr(lots, "items"):
            raise DurakError(f"lots are given by their places, as in {{'payoffs': between(1, 9)}}, not as {quoted(lots)}")
        places, named = Places(tree), []
        for name, lot in lots.items():
            if not isinstance(lot, Lot):
                raise DurakError(f"lots[{quoted(name)}] is what is drawn there, such as lessons.between(1, 9), not {quoted(lot)}")
            named.append((places.of(name), lot))
        named.sort(key=lambda one: -len(one[0].spots))
        payoffs = {
            spot: lot for one, lot in named if not one.chance for spot in one.spots if not (zero_sum and one.each and spot.place)
        }  # fmt: skip
        if zero_sum and (twice := next((spot.history for spot in payoffs if spot.place and Spot(spot.history, 0) in payoffs), None)):
            raise DurakError(
                f"what one wins the other loses here, so that of the payoffs at {places.way(twice)} one is drawn and the other follows; "
                "say zero_sum=False to draw both"
            )
        return cls(tuple(payoffs.items()), tuple((one.spots, lot) for one, lot in named if one.chance))

    def drawn(self, tree: Tree, rng: Random, *, zero_sum: bool) -> Tree | None:
        """The game with what is drawn; None where chances come to more than 1, or to less."""
        worths = {here: list(tree.payoffs[tree.info[here]]) for here in range(tree.histories) if tree.actor[here] == OVER}
        for spot, lot in self.payoffs:
            worths[spot.history][spot.place] = lot.drawn(rng)
            if zero_sum:
                worths[spot.history][1 - spot.place] = -worths[spot.history][spot.place]
        told: dict[int, dict[int, Fraction]] = {}
        for spots, lot in self.chances:
            likely = lot.drawn(rng)
            for spot in spots:
                told.setdefault(spot.history, {})[spot.place] = likely
        rows = {}
        for here in range(tree.histories):
            if tree.actor[here] == CHANCE:
                row = _completed(tree.chances[tree.info[here]], told.get(here, {}))
                if row is None:
                    return None
                rows[here] = row
        return _told_anew(tree, {here: tuple(worth) for here, worth in worths.items()}, rows)


def _completed(draw: Chance, told: Mapping[int, Fraction]) -> Chance | None:
    """The chances of a draw of which some are told: the others share what is left, as they did before."""
    left = 1 - sum(told.values(), Fraction(0))
    others = sum([one for place, one in enumerate(draw.probabilities) if place not in told], Fraction(0))
    if min(told.values(), default=Fraction(0)) < 0 or (left <= 0 if others else left):
        return None
    return Chance(
        draw.moves, tuple([told[place] if place in told else one * left / others for place, one in enumerate(draw.probabilities)])
    )


def _told_anew(tree: Tree, worths: Mapping[int, tuple[Fraction, ...]], draws: Mapping[int, Chance]) -> Tree:
    """A tree with other payoffs and other chances, and the same otherwise."""
    new = copy(tree)
    new.info = tree.info[:]
    payoffs: dict[tuple[Fraction, ...], int] = {}
    chances: dict[Chance, int] = {}
    for here, worth in worths.items():
        new.info[here] = payoffs.setdefault(worth, len(payoffs))
    for here, draw in draws.items():
        new.info[here] = chances.setdefault(draw, len(chances))
    new.payoffs, new.chances = list(payoffs), list(chances)
    return new


class GameMaker:
    """What makes games of a kind, one for each student.

    >>> from random import Random
    >>> from durak_widget.custom_games.game_template import between
    >>> made = GameMaker("dilemma", [[(3, 3), (0, 5)], [(5, 0), (1, 1)]], lots={"payoff at A, a": between(2, 4)})
    >>> made.drawn(Random(1)).table.payoffs[1][1]
    (Fraction(1, 1), Fraction(1, 1))
    """

    def __init__(
        self,
        name: str,
        source: object,
        *,
        lots: Mapping[str, Lot] | None = None,
        so_that: object = (),
        zero_sum: bool | None = None,
        shuffle: bool = False,
        **heads: Any,  # noqa: ANN401 - what rows, columns and players of a matrix are called
    ) -> None:
        self.name, self.so_that, self._shuffle = name, conditions_of(so_that), shuffle
        self._function = source if callable(source) else None
        self.given: Tree | Matrix | None = None if callable(source) else game_given_as(source, **heads)
        if self._function is not None and lots:
            raise DurakError("a function of its lots draws all there is to draw: leave lots= out, or give a game")
        self._tabled = isinstance(self.given, Matrix)
        self._tree: Tree | None = None
        if self.given is not None:
            self._tree = _fits(played_at_once(self.given) if isinstance(self.given, Matrix) else self.given)
            nothing = not any(any(paid) for paid in self._tree.payoffs)
            written = isinstance(source, (list, tuple)) and _in_numbers(source)
            self._zero = (is_zero_sum(self._tree) and (written or not nothing)) if zero_sum is None else bool(zero_sum)
            if self._zero and not is_zero_sum(self._tree):
                raise DurakError("zero_sum=True is said of a game for two in which one wins what the other loses; here some payoffs differ")
            self._lots = Lots.of(self._tree, lots or {}, zero_sum=self._zero)

    def require_distinct_moves(self) -> None:
        """Refuse a game in which a move cannot be told from another by its name: answers are kept by names."""
        for one in () if self._tree is None else self._tree.sets:
            if len({*one.moves}) < len(one.moves) or not all(one.moves):
                raise DurakError(
                    f"at {quoted(one.label)} moves are called {', '.join(map(quoted, one.moves))}: answers are given by the names of moves, so that each needs one of its own"
                )

    def drawn(self, rng: Random) -> DrawnGame | None:
        """A game; None where what was drawn cannot be, since chances come to more than 1."""
        tabled = self._tabled
        if self._function is not None:
            made = game_given_as(self._function(rng))
            tabled = isinstance(made, Matrix)
            tree: Tree | None = _fits(played_at_once(made) if isinstance(made, Matrix) else made)
        else:
            assert self._tree is not None  # noqa: S101 - one of both was given
            tree = self._lots.drawn(self._tree, rng, zero_sum=self._zero)
        if tree is None:
            return None
        if self._shuffle:
            tree = in_another_order(tree, rng)
        return DrawnGame(tree, tabled=tabled, seed=rng.getrandbits(64))


def game_given_as(source: object, **heads: Any) -> Tree | Matrix:  # noqa: ANN401 - as `matrix_of` takes them
    """A game as a teacher gives it: a tree, an `.efg` file or its text, a matrix, or rows of payoffs.

    >>> game_given_as([[1, -1], [-1, 1]])
    <Matrix: 2 × 2>
    >>> game_given_as('EFG 2 R "x" { "Ann" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }')
    <Tree: 3 histories, 2 terminals, 1 information sets>
    """
    heads = {name: one for name, one in heads.items() if one is not None}
    if isinstance(source, (list, tuple)):
        return matrix_of(source, **heads)
    if heads:
        raise DurakError(f"{' and '.join(heads)} are said of a matrix given by its payoffs; {quoted(source)} has names of its own")
    if isinstance(source, (Tree, Matrix)):
        return source
    if isinstance(source, str) and _TEXT.match(source):
        return from_efg(source)
    if isinstance(source, (str, PathLike)):
        return from_efg(_read(path_of(source)))
    raise DurakError(
        f"a game of your own is a tree, the name of an .efg file or its text, a matrix, rows of payoffs, or a function of lots that makes one of these, not {quoted(source)}"
    )


def _read(name: str) -> str:
    """The text of a file: where it is named, or beside the module that names it, wherever modules are looked for."""
    if not name.lower().endswith(".efg"):
        raise DurakError(f"{quoted(name)} is not the name of an .efg file, nor its text, which begins with EFG 2 R")
    folders = [""] if Path(name).is_absolute() else [*search_path(), ""]
    for folder in folders:
        path = Path(folder) / name
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise DurakError(f"{quoted(name)} cannot be read: {error}") from None
    raise DurakError(f"there is no file {quoted(name)}, neither here nor beside a module; lay it beside the file that names it")


def _in_numbers(source: Sequence[Any]) -> bool:
    """Whether a matrix is written in numbers, one in each cell, and not in pairs."""
    return all(not isinstance(cell, (list, tuple)) for row in source for cell in row)


def _fits(tree: Tree) -> Tree:
    if tree.histories > _LARGEST:
        raise DurakError(f"a game for homework has {_LARGEST:,} places at most, and this one has {tree.histories:,}; take a smaller one")
    if (moves := len(tree.levels) - 2) > _DEEPEST:
        raise DurakError(f"a game for homework is at most {_DEEPEST} moves long, and this one takes {moves:,}; take a shorter one")
    return tree


class Lot(NamedTuple):
    """Numbers of which one is drawn.

    >>> from random import Random
    >>> between(1, 9).drawn(Random(1)) in range(1, 10)
    True
    """

    numbers: tuple[Fraction, ...]

    def drawn(self, rng: Random) -> Fraction:
        """One of them."""
        return self.numbers[rng.randrange(len(self.numbers))]


def between(low: object, high: object, step: object = 1) -> Lot:
    """A number between these two, either of them too, in steps: whole ones, if nothing else is said.

    >>> [str(one) for one in between(0, 1, "1/4").numbers]
    ['0', '1/4', '1/2', '3/4', '1']
    >>> between(9, 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: between(9, 1) has no number in it: give the lower one first, and a step above 0
    """
    least, most, by = (_number(one, "between(1, 9)") for one in (low, high, step))
    if least > most or by <= 0:
        more = "" if by == 1 else f", {by}"
        raise DurakError(f"between({least}, {most}{more}) has no number in it: give the lower one first, and a step above 0")
    count = (most - least) // by + 1
    if count > _MOST:
        raise DurakError(f"between({least}, {most}, {by}) has {count:,} numbers in it; {_MOST:,} are enough: give a larger step")
    return Lot(tuple([least + place * by for place in range(count)]))


def any_of(*numbers: object) -> Lot:
    """One of these numbers.

    >>> [str(one) for one in any_of("1/4", 0.5, 3).numbers]
    ['1/4', '1/2', '3']
    """
    listed = list(numbers[0]) if len(numbers) == 1 and isinstance(numbers[0], (list, tuple, range)) else list(numbers)
    if not 0 < len(listed) <= _MOST:
        raise DurakError(f"any_of takes 1 to {_MOST:,} numbers, as in any_of('1/4', '1/2'), not {len(listed)}")
    return Lot(tuple([_number(one, "any_of('1/4', '1/2')") for one in listed]))


def _number(given: object, example: str) -> Fraction:
    number = exactly(given)
    if number is None:
        raise DurakError(f"what is drawn is a number, as in {example}, not {quoted(given)}")
    return number
