"""Reads a teacher's game and which of its payoffs and probabilities are random.

A random number has a name, such as `payoff at enter, fight of chain store`. Its value is one of a list of numbers,
each equally likely. If some probabilities of a chance move are random, the other branches share the rest in their old
proportions.
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
"""The most names listed in an error message."""
_TEXT: Final = re.compile(r"\ufeff?\s*EFG\s")
"""The beginning of an `.efg` text."""
_LARGEST: Final = 20_000
"""The most histories of a game."""
_DEEPEST: Final = 300
_MOST: Final = 10_000
"""The most numbers that a random number can choose from."""


class Spot(NamedTuple):
    """The location of one number: a payoff of a player, or the probability of a chance move."""

    history: int
    place: int
    """The player; for a chance move, the branch."""


class Named(NamedTuple):
    """The numbers that a name stands for."""

    chance: bool
    spots: tuple[Spot, ...]
    """The numbers: each payoff is drawn separately, but a chance move is drawn once for all nodes where it may come."""
    each: bool = False
    """Whether no player is named; in a zero-sum game it then means the first player's payoffs only."""


class Places:
    """The names of all numbers of a game that can be random.

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
        """The names as they are shown, by normalized name."""
        self._twice: set[str] = set()
        terminals = [node for node in range(tree.histories) if tree.actor[node] == OVER]
        players = range(tree.seats)
        self._put(
            "payoffs", Named(chance=False, spots=tuple([Spot(terminal, player) for terminal in terminals for player in players]), each=True)
        )
        for player in players:
            self._put(
                f"payoffs of {tree.names[player]}", Named(chance=False, spots=tuple([Spot(terminal, player) for terminal in terminals]))
            )
        for terminal in terminals:
            path = self.way(terminal)
            self._put(f"payoffs at {path}", Named(chance=False, spots=tuple([Spot(terminal, player) for player in players]), each=True))
            for player in players:
                self._put(f"payoff at {path} of {tree.names[player]}", Named(chance=False, spots=(Spot(terminal, player),)))
        chance_locations: dict[str, list[Spot]] = {}
        for node in range(tree.histories):
            if tree.actor[node] == CHANCE:
                for index, action in enumerate(tree.chances[tree.info[node]].moves):
                    self._put(f"chance of {action} at {self.way(node)}", Named(chance=True, spots=(Spot(node, index),)))
                    chance_locations.setdefault(action, []).append(Spot(node, index))
        for action, locations in chance_locations.items():
            self._put(f"chance of {action}", Named(chance=True, spots=tuple(locations)))

    def way(self, history: int) -> str:
        """Return the name of a history: the actions that lead there."""
        return ", ".join(self.tree.moves_to(history)) or START

    def _put(self, name: str, what: Named) -> None:
        normalized = plain_place(name)
        if normalized in self.known and self.known[normalized] != what:
            self._twice.add(normalized)
        self.known[normalized], self.said[normalized] = what, name

    def of(self, name: object) -> Named:
        """Return the numbers that a name stands for; refuse an unknown or ambiguous name."""
        normalized = plain_place(name) if isinstance(name, str) else ""
        if normalized in self._twice:
            raise DurakError(f"{quoted(name)} may be two places of this game: give its moves, or its players, different names")
        if normalized not in self.known:
            examples = [
                self.said[other] for other in sorted(self.known, key=lambda known_name: (-len(self.known[known_name].spots), known_name))
            ]
            more = ", …" if len(examples) > _SHOWN else ""
            raise DurakError(
                f"nothing that could be drawn is called {quoted(name)}; there are {', '.join(map(quoted, examples[:_SHOWN]))}{more}."
                f"{nearest(str(name)[:200], examples)}"
            )
        return self.known[normalized]


def plain_place(name: str) -> str:
    """Return the normalized name of a number: spaces, capitals and plurals do not matter.

    >>> plain_place("Payoffs at  In,Fight of Two")
    'payoff at in, fight of two'
    """
    normalized = " ".join(name.replace(",", ", ").casefold().split())
    return f"payoff{normalized[7:]}" if normalized.startswith("payoffs") else normalized


class Lots(NamedTuple):
    """The random numbers of a game; a particular name overrides a general one."""

    payoffs: tuple[tuple[Spot, Lot], ...]
    chances: tuple[tuple[tuple[Spot, ...], Lot], ...]

    @classmethod
    def of(cls, tree: Tree, lots: Mapping[str, Lot], *, zero_sum: bool) -> Lots:
        """Return the random numbers that the names stand for.

        In a zero-sum game the second player's payoffs follow from the first player's.
        """
        if not hasattr(lots, "items"):
            raise DurakError(f"lots are given by their places, as in {{'payoffs': between(1, 9)}}, not as {quoted(lots)}")
        names, pairs = Places(tree), []
        for name, number in lots.items():
            if not isinstance(number, Lot):
                raise DurakError(f"lots[{quoted(name)}] is what is drawn there, such as lessons.between(1, 9), not {quoted(number)}")
            pairs.append((names.of(name), number))
        pairs.sort(key=lambda item: -len(item[0].spots))
        payoffs = {
            location: number
            for group, number in pairs
            if not group.chance
            for location in group.spots
            if not (zero_sum and group.each and location.place)
        }
        if zero_sum and (
            conflict := next((location.history for location in payoffs if location.place and Spot(location.history, 0) in payoffs), None)
        ):
            raise DurakError(
                f"what one wins the other loses here, so that of the payoffs at {names.way(conflict)} one is drawn and the other follows; "
                "say zero_sum=False to draw both"
            )
        return cls(tuple(payoffs.items()), tuple((group.spots, number) for group, number in pairs if group.chance))

    def drawn(self, tree: Tree, rng: Random, *, zero_sum: bool) -> Tree | None:
        """Return the game with random numbers; None if probabilities do not add up to 1."""
        payoffs = {node: list(tree.payoffs[tree.info[node]]) for node in range(tree.histories) if tree.actor[node] == OVER}
        for location, number in self.payoffs:
            payoffs[location.history][location.place] = number.drawn(rng)
            if zero_sum:
                payoffs[location.history][1 - location.place] = -payoffs[location.history][location.place]
        new_probabilities: dict[int, dict[int, Fraction]] = {}
        for locations, number in self.chances:
            probability = number.drawn(rng)
            for location in locations:
                new_probabilities.setdefault(location.history, {})[location.place] = probability
        chance_moves = {}
        for node in range(tree.histories):
            if tree.actor[node] == CHANCE:
                chance_move = _completed(tree.chances[tree.info[node]], new_probabilities.get(node, {}))
                if chance_move is None:
                    return None
                chance_moves[node] = chance_move
        return _told_anew(tree, {terminal: tuple(values) for terminal, values in payoffs.items()}, chance_moves)


def _completed(draw: Chance, told: Mapping[int, Fraction]) -> Chance | None:
    """Return a chance move with new probabilities; the other branches share the rest.

    They keep their old proportions. The result is None if the probabilities do not add up to 1.
    """
    rest = 1 - sum(told.values(), Fraction(0))
    old_rest = sum([probability for index, probability in enumerate(draw.probabilities) if index not in told], Fraction(0))
    if min(told.values(), default=Fraction(0)) < 0 or (rest <= 0 if old_rest else rest):
        return None
    return Chance(
        draw.moves,
        tuple([told[index] if index in told else probability * rest / old_rest for index, probability in enumerate(draw.probabilities)]),
    )


def _told_anew(tree: Tree, worths: Mapping[int, tuple[Fraction, ...]], draws: Mapping[int, Chance]) -> Tree:
    """Return a tree with other payoffs and probabilities, and the same otherwise."""
    new = copy(tree)
    new.info = tree.info[:]
    payoffs: dict[tuple[Fraction, ...], int] = {}
    chances: dict[Chance, int] = {}
    for node, values in worths.items():
        new.info[node] = payoffs.setdefault(values, len(payoffs))
    for node, chance_move in draws.items():
        new.info[node] = chances.setdefault(chance_move, len(chances))
    new.payoffs, new.chances = list(payoffs), list(chances)
    return new


class GameMaker:
    """A template that makes a random instance of a game for each student.

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
            is_all_zero = not any(any(values) for values in self._tree.payoffs)
            is_written_as_numbers = isinstance(source, (list, tuple)) and _in_numbers(source)
            self._zero = (is_zero_sum(self._tree) and (is_written_as_numbers or not is_all_zero)) if zero_sum is None else bool(zero_sum)
            if self._zero and not is_zero_sum(self._tree):
                raise DurakError("zero_sum=True is said of a game for two in which one wins what the other loses; here some payoffs differ")
            self._lots = Lots.of(self._tree, lots or {}, zero_sum=self._zero)

    def require_distinct_moves(self) -> None:
        """Refuse a game with two actions of the same name at one information set.

        Answers are stored by the names of actions.
        """
        for record in () if self._tree is None else self._tree.sets:
            if len({*record.moves}) < len(record.moves) or not all(record.moves):
                raise DurakError(
                    f"at {quoted(record.label)} moves are called {', '.join(map(quoted, record.moves))}: answers are given by the names of moves, so that each needs one of its own"
                )

    def drawn(self, rng: Random) -> DrawnGame | None:
        """Return a random instance; None if probabilities do not add up to 1."""
        is_matrix = self._tabled
        if self._function is not None:
            game = game_given_as(self._function(rng))
            is_matrix = isinstance(game, Matrix)
            tree: Tree | None = _fits(played_at_once(game) if isinstance(game, Matrix) else game)
        else:
            assert self._tree is not None  # noqa: S101 - one of both was given
            tree = self._lots.drawn(self._tree, rng, zero_sum=self._zero)
        if tree is None:
            return None
        if self._shuffle:
            tree = in_another_order(tree, rng)
        return DrawnGame(tree, tabled=is_matrix, seed=rng.getrandbits(64))


def game_given_as(source: object, **heads: Any) -> Tree | Matrix:  # noqa: ANN401 - as `matrix_of` takes them
    """Return the game that a teacher gives.

    It is a tree, an `.efg` file or its text, a matrix, or rows of payoffs.

    >>> game_given_as([[1, -1], [-1, 1]])
    <Matrix: 2 × 2>
    >>> game_given_as('EFG 2 R "x" { "Ann" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }')
    <Tree: 3 histories, 2 terminals, 1 information sets>
    """
    heads = {name: names for name, names in heads.items() if names is not None}
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
    """Return the text of an `.efg` file, which may be beside any module on the search path."""
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
    """Return whether each cell of a matrix is one number, not a pair."""
    return all(not isinstance(cell, (list, tuple)) for row in source for cell in row)


def _fits(tree: Tree) -> Tree:
    if tree.histories > _LARGEST:
        raise DurakError(f"a game for homework has {_LARGEST:,} places at most, and this one has {tree.histories:,}; take a smaller one")
    if (length := len(tree.levels) - 2) > _DEEPEST:
        raise DurakError(f"a game for homework is at most {_DEEPEST} moves long, and this one takes {length:,}; take a shorter one")
    return tree


class Lot(NamedTuple):
    """A random number: one of a list, each equally likely.

    >>> from random import Random
    >>> between(1, 9).drawn(Random(1)) in range(1, 10)
    True
    """

    numbers: tuple[Fraction, ...]

    def drawn(self, rng: Random) -> Fraction:
        """Return one of the numbers at random."""
        return self.numbers[rng.randrange(len(self.numbers))]


def between(low: object, high: object, step: object = 1) -> Lot:
    """Return a random number between two bounds, both included, in steps.

    >>> [str(number) for number in between(0, 1, "1/4").numbers]
    ['0', '1/4', '1/2', '3/4', '1']
    >>> between(9, 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: between(9, 1) has no number in it: give the lower one first, and a step above 0
    """
    lower, upper, increment = (_number(value, "between(1, 9)") for value in (low, high, step))
    if lower > upper or increment <= 0:
        more = "" if increment == 1 else f", {increment}"
        raise DurakError(f"between({lower}, {upper}{more}) has no number in it: give the lower one first, and a step above 0")
    count = (upper - lower) // increment + 1
    if count > _MOST:
        raise DurakError(f"between({lower}, {upper}, {increment}) has {count:,} numbers in it; {_MOST:,} are enough: give a larger step")
    return Lot(tuple([lower + index * increment for index in range(count)]))


def any_of(*numbers: object) -> Lot:
    """Return a random number that is one of these.

    >>> [str(number) for number in any_of("1/4", 0.5, 3).numbers]
    ['1/4', '1/2', '3']
    """
    values = list(numbers[0]) if len(numbers) == 1 and isinstance(numbers[0], (list, tuple, range)) else list(numbers)
    if not 0 < len(values) <= _MOST:
        raise DurakError(f"any_of takes 1 to {_MOST:,} numbers, as in any_of('1/4', '1/2'), not {len(values)}")
    return Lot(tuple([_number(value, "any_of('1/4', '1/2')") for value in values]))


def _number(given: object, example: str) -> Fraction:
    number = exactly(given)
    if number is None:
        raise DurakError(f"what is drawn is a number, as in {example}, not {quoted(given)}")
    return number
