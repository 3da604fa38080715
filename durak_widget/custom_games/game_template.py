"""Parses a teacher's game, and finds the numbers in the game that should be random.

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

from durak_widget.atomic_files import require_path
from durak_widget.custom_games.game_instance import GameInstance, parse_conditions, shuffle_actions, tree_from_matrix
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.game_properties import is_zero_sum
from durak_widget.gametheory.number_parsing import parse_exact_number
from durak_widget.gametheory.strategic_form import Matrix, matrix_from_payoffs
from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceMove, Tree
from durak_widget.safe_import_path import list_search_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

ROOT_NAME: Final = "the start"
_MAX_LISTED_NAMES: Final = 6
"""The maximum number of names that an error message lists."""
_EFG_HEADER: Final = re.compile(r"\ufeff?\s*EFG\s")
"""The text at the beginning of every `.efg` file."""
_MAX_HISTORIES: Final = 20_000
"""The maximum number of nodes in the tree of a game for homework."""
_MAX_DEPTH: Final = 300
_MAX_NUMBERS: Final = 10_000
"""The maximum number of values that a random number can have."""


class NumberLocation(NamedTuple):
    """A number's position in a tree: a player's payoff, or a probability of a chance move."""

    node: int
    number_index: int
    """The index of the payoff's player, or of the chance move's branch."""


class NamedNumbers(NamedTuple):
    """The payoffs or probabilities of a game that one name stands for."""

    is_chance: bool
    locations: tuple[NumberLocation, ...]
    """The places of these numbers in the game's tree. Each payoff is drawn separately; a chance move is drawn once
    for all its nodes."""
    covers_all_players: bool = False
    """True if the name stands for payoffs of all players. In a zero-sum game it then stands for player 1's payoffs
    only."""


class NumberNames:
    """The names by which a teacher can refer to payoffs and probabilities of a game.

    >>> from durak_widget.gametheory import textbook
    >>> places = NumberNames(textbook("entry"))
    >>> sorted(places.numbers)[:3]
    ['payoff', 'payoff at enter, fight', 'payoff at enter, fight of chain store']
    >>> places.find("payoff at Enter, fight of Entrant").locations
    (NumberLocation(node=4, number_index=0),)
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.numbers: dict[str, NamedNumbers] = {}
        self.display_names: dict[str, str] = {}
        """For each name in normal form, the name that is displayed."""
        self._ambiguous_names: set[str] = set()
        terminals = [node for node in range(tree.history_count) if tree.actor[node] == TERMINAL]
        players = range(tree.player_count)
        self._add(
            "payoffs",
            NamedNumbers(
                is_chance=False,
                locations=tuple([NumberLocation(terminal, player) for terminal in terminals for player in players]),
                covers_all_players=True,
            ),
        )
        for player in players:
            self._add(
                f"payoffs of {tree.names[player]}",
                NamedNumbers(is_chance=False, locations=tuple([NumberLocation(terminal, player) for terminal in terminals])),
            )
        for terminal in terminals:
            path = self.format_path(terminal)
            self._add(
                f"payoffs at {path}",
                NamedNumbers(
                    is_chance=False, locations=tuple([NumberLocation(terminal, player) for player in players]), covers_all_players=True
                ),
            )
            for player in players:
                self._add(
                    f"payoff at {path} of {tree.names[player]}",
                    NamedNumbers(is_chance=False, locations=(NumberLocation(terminal, player),)),
                )
        chance_locations: dict[str, list[NumberLocation]] = {}
        for node in range(tree.history_count):
            if tree.actor[node] == CHANCE:
                for index, action in enumerate(tree.chance_moves[tree.infoset_of[node]].actions):
                    self._add(
                        f"chance of {action} at {self.format_path(node)}",
                        NamedNumbers(is_chance=True, locations=(NumberLocation(node, index),)),
                    )
                    chance_locations.setdefault(action, []).append(NumberLocation(node, index))
        for action, locations in chance_locations.items():
            self._add(f"chance of {action}", NamedNumbers(is_chance=True, locations=tuple(locations)))

    def format_path(self, node: int) -> str:
        """Return a node's name, which lists all actions on the path from the root to the node."""
        return ", ".join(self.tree.actions_from_root(node)) or ROOT_NAME

    def _add(self, name: str, numbers: NamedNumbers) -> None:
        """Store the numbers that a name stands for, and note if the name is ambiguous."""
        normalized = normalize_name(name)
        if normalized in self.numbers and self.numbers[normalized] != numbers:
            self._ambiguous_names.add(normalized)
        self.numbers[normalized], self.display_names[normalized] = numbers, name

    def find(self, name: object) -> NamedNumbers:
        """Return the numbers that `name` stands for; raise an error for other names."""
        normalized = normalize_name(name) if isinstance(name, str) else ""
        if normalized in self._ambiguous_names:
            raise DurakError(f"{short_repr(name)} could mean two nodes of this game; give its moves, or its players, different names")
        if normalized not in self.numbers:
            examples = [
                self.display_names[other]
                for other in sorted(self.numbers, key=lambda known_name: (-len(self.numbers[known_name].locations), known_name))
            ]
            more = ", …" if len(examples) > _MAX_LISTED_NAMES else ""
            raise DurakError(
                f"the game has no number called {short_repr(name)}; there are {', '.join(map(short_repr, examples[:_MAX_LISTED_NAMES]))}{more}.{suggest_nearest(str(name)[:200], examples)}"
            )
        return self.numbers[normalized]


def normalize_name(name: str) -> str:
    """Return a number's name in a standard form: without capitals, plurals and extra spaces.

    >>> normalize_name("Payoffs at  In,Fight of Two")
    'payoff at in, fight of two'
    """
    normalized = " ".join(name.replace(",", ", ").casefold().split())
    return f"payoff{normalized[7:]}" if normalized.startswith("payoffs") else normalized


class GameRandomization(NamedTuple):
    """The payoffs and probabilities of a game that are random, and their possible values."""

    random_payoffs: tuple[tuple[NumberLocation, RandomNumber], ...]
    random_probabilities: tuple[tuple[tuple[NumberLocation, ...], RandomNumber], ...]

    @classmethod
    def from_names(cls, tree: Tree, random_numbers: Mapping[str, RandomNumber], *, zero_sum: bool) -> GameRandomization:
        """Find the numbers that should be random, by the names that a teacher wrote.

        In a zero-sum game the second player's payoffs follow from the first player's.
        """
        if not hasattr(random_numbers, "items"):
            raise DurakError(
                f"lots must give each random number by its name, as in {{'payoffs': between(1, 9)}}, not {short_repr(random_numbers)}"
            )
        names, pairs = NumberNames(tree), []
        for name, number in random_numbers.items():
            if not isinstance(number, RandomNumber):
                raise DurakError(
                    f"lots[{short_repr(name)}] must be a random number, such as lessons.between(1, 9), not {short_repr(number)}"
                )
            pairs.append((names.find(name), number))
        pairs.sort(key=lambda item: -len(item[0].locations))
        payoffs = {
            location: number
            for group, number in pairs
            if not group.is_chance
            for location in group.locations
            if not (zero_sum and group.covers_all_players and location.number_index)
        }
        if zero_sum and (
            conflict := next(
                (location.node for location in payoffs if location.number_index and NumberLocation(location.node, 0) in payoffs), None
            )
        ):
            raise DurakError(
                f"this is a zero-sum game: one payoff at {names.format_path(conflict)} is drawn and the other follows from it. Use zero_sum=False to draw both"
            )
        return cls(tuple(payoffs.items()), tuple((group.locations, number) for group, number in pairs if group.is_chance))

    def sample(self, tree: Tree, rng: Random, *, zero_sum: bool) -> Tree | None:
        """Return a game with random numbers; None if probabilities don't add up to 1."""
        payoffs = {node: list(tree.payoffs[tree.infoset_of[node]]) for node in range(tree.history_count) if tree.actor[node] == TERMINAL}
        for location, number in self.random_payoffs:
            payoffs[location.node][location.number_index] = number.sample(rng)
            if zero_sum:
                payoffs[location.node][1 - location.number_index] = -payoffs[location.node][location.number_index]
        new_probabilities: dict[int, dict[int, Fraction]] = {}
        for locations, number in self.random_probabilities:
            probability = number.sample(rng)
            for location in locations:
                new_probabilities.setdefault(location.node, {})[location.number_index] = probability
        chance_moves = {}
        for node in range(tree.history_count):
            if tree.actor[node] == CHANCE:
                chance_move = _complete_probabilities(tree.chance_moves[tree.infoset_of[node]], new_probabilities.get(node, {}))
                if chance_move is None:
                    return None
                chance_moves[node] = chance_move
        return _replace_numbers(tree, {terminal: tuple(values) for terminal, values in payoffs.items()}, chance_moves)


def _complete_probabilities(chance_move: ChanceMove, new_probabilities: Mapping[int, Fraction]) -> ChanceMove | None:
    """Give some branches of a chance move new probabilities, and scale the other branches.

    The other branches keep their proportions to each other. The result is None if the probabilities do not add up to 1.
    """
    rest = 1 - sum(new_probabilities.values(), Fraction(0))
    old_rest = sum(
        [probability for index, probability in enumerate(chance_move.probabilities) if index not in new_probabilities], Fraction(0)
    )
    if min(new_probabilities.values(), default=Fraction(0)) < 0 or (rest <= 0 if old_rest else rest):
        return None
    return ChanceMove(
        chance_move.actions,
        tuple(
            [
                new_probabilities[index] if index in new_probabilities else probability * rest / old_rest
                for index, probability in enumerate(chance_move.probabilities)
            ]
        ),
    )


def _replace_numbers(
    tree: Tree, payoffs_by_node: Mapping[int, tuple[Fraction, ...]], chance_moves_by_node: Mapping[int, ChanceMove]
) -> Tree:
    """Return a copy of a tree in which given payoffs and probabilities are replaced."""
    new = copy(tree)
    new.infoset_of = tree.infoset_of[:]
    payoffs: dict[tuple[Fraction, ...], int] = {}
    chances: dict[ChanceMove, int] = {}
    for node, values in payoffs_by_node.items():
        new.infoset_of[node] = payoffs.setdefault(values, len(payoffs))
    for node, chance_move in chance_moves_by_node.items():
        new.infoset_of[node] = chances.setdefault(chance_move, len(chances))
    new.payoffs, new.chance_moves = list(payoffs), list(chances)
    return new


class GameTemplate:
    """A teacher's game, from which a random game is made for each student.

    >>> from random import Random
    >>> from durak_widget.custom_games.game_template import between
    >>> made = GameTemplate("dilemma", [[(3, 3), (0, 5)], [(5, 0), (1, 1)]], lots={"payoff at A, a": between(2, 4)})
    >>> made.sample(Random(1)).matrix.payoffs[1][1]
    (Fraction(1, 1), Fraction(1, 1))
    """

    def __init__(
        self,
        name: str,
        source: object,
        *,
        lots: Mapping[str, RandomNumber] | None = None,
        so_that: object = (),
        zero_sum: bool | None = None,
        shuffle: bool = False,
        **matrix_names: Any,  # noqa: ANN401 - what rows, columns and players of a matrix are called
    ) -> None:
        self.name, self.conditions, self._shuffle = name, parse_conditions(so_that), shuffle
        self._source_function = source if callable(source) else None
        self.source_game: Tree | Matrix | None = None if callable(source) else parse_game(source, **matrix_names)
        if self._source_function is not None and lots:
            raise DurakError("a function that gets lots draws all random numbers itself; leave out lots=, or give a game")
        self._is_matrix = isinstance(self.source_game, Matrix)
        self._tree: Tree | None = None
        if self.source_game is not None:
            self._tree = _require_suitable_size(
                tree_from_matrix(self.source_game) if isinstance(self.source_game, Matrix) else self.source_game
            )
            is_all_zero = not any(any(values) for values in self._tree.payoffs)
            is_written_as_numbers = isinstance(source, (list, tuple)) and _has_single_numbers(source)
            self._is_zero_sum = (
                (is_zero_sum(self._tree) and (is_written_as_numbers or not is_all_zero)) if zero_sum is None else bool(zero_sum)
            )
            if self._is_zero_sum and not is_zero_sum(self._tree):
                raise DurakError(
                    "zero_sum=True needs a two-player game in which one player wins what the other loses; here some payoffs differ"
                )
            self._randomization = GameRandomization.from_names(self._tree, lots or {}, zero_sum=self._is_zero_sum)

    def require_distinct_actions(self) -> None:
        """Raise an error if two actions at one information set have the same name.

        Answers are stored by the names of actions.
        """
        for record in () if self._tree is None else self._tree.infosets:
            if len({*record.actions}) < len(record.actions) or not all(record.actions):
                raise DurakError(
                    f"at {short_repr(record.label)} the moves are {', '.join(map(short_repr, record.actions))}. Answers name moves, so give each move its own name"
                )

    def sample(self, rng: Random) -> GameInstance | None:
        """Return a game with random numbers; None if probabilities don't add up to 1."""
        is_matrix = self._is_matrix
        if self._source_function is not None:
            game = parse_game(self._source_function(rng))
            is_matrix = isinstance(game, Matrix)
            tree: Tree | None = _require_suitable_size(tree_from_matrix(game) if isinstance(game, Matrix) else game)
        else:
            assert self._tree is not None  # noqa: S101 - one of both was given
            tree = self._randomization.sample(self._tree, rng, zero_sum=self._is_zero_sum)
        if tree is None:
            return None
        if self._shuffle:
            tree = shuffle_actions(tree, rng)
        return GameInstance(tree, is_matrix=is_matrix, seed=rng.getrandbits(64))


def parse_game(source: object, **matrix_names: Any) -> Tree | Matrix:  # noqa: ANN401 - as `matrix_from_payoffs` takes them
    """Parse the game that a teacher gives as a tree, a matrix, a file or a text.

    It is a tree, an `.efg` file or its text, a matrix, or rows of payoffs.

    >>> parse_game([[1, -1], [-1, 1]])
    <Matrix: 2 × 2>
    >>> parse_game('EFG 2 R "x" { "Ann" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }')
    <Tree: 3 histories, 2 terminals, 1 information sets>
    """
    matrix_names = {name: names for name, names in matrix_names.items() if names is not None}
    if isinstance(source, (list, tuple)):
        return matrix_from_payoffs(source, **matrix_names)
    if matrix_names:
        raise DurakError(f"{' and '.join(matrix_names)} can only be given with a matrix of payoffs; {short_repr(source)} has its own names")
    if isinstance(source, (Tree, Matrix)):
        return source
    if isinstance(source, str) and _EFG_HEADER.match(source):
        return from_efg(source)
    if isinstance(source, (str, PathLike)):
        return from_efg(_read_efg_file(require_path(source)))
    raise DurakError(
        f"your own game must be a tree, the name or text of an .efg file, a matrix, rows of payoffs, or a function of lots that returns one of these, not {short_repr(source)}"
    )


def _read_efg_file(name: str) -> str:
    """Read an `.efg` file from any folder in which this package looks for such files."""
    if not name.lower().endswith(".efg"):
        raise DurakError(f"{short_repr(name)} is not the name of an .efg file, and not the text of one, which begins with EFG 2 R")
    folders = [""] if Path(name).is_absolute() else [*list_search_path(), ""]
    for folder in folders:
        path = Path(folder) / name
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise DurakError(f"cannot read {short_repr(name)}: {error}") from None
    raise DurakError(
        f"there is no file {short_repr(name)}, neither in this folder nor beside a module; put it beside the file that names it"
    )


def _has_single_numbers(rows: Sequence[Any]) -> bool:
    """Return whether each cell of a matrix is a single number, and not a pair of payoffs."""
    return all(not isinstance(cell, (list, tuple)) for row in rows for cell in row)


def _require_suitable_size(tree: Tree) -> Tree:
    """Return `tree`; raise an error if the tree is too large for homework."""
    if tree.history_count > _MAX_HISTORIES:
        raise DurakError(
            f"a game for homework may have at most {_MAX_HISTORIES:,} nodes, and this one has {tree.history_count:,}; take a smaller one"
        )
    if (length := len(tree.level_starts) - 2) > _MAX_DEPTH:
        raise DurakError(f"a game for homework may be at most {_MAX_DEPTH} moves long, and this one takes {length:,}; take a shorter one")
    return tree


class RandomNumber(NamedTuple):
    """A random number, all of whose possible values are equally likely.

    >>> from random import Random
    >>> between(1, 9).sample(Random(1)) in range(1, 10)
    True
    """

    numbers: tuple[Fraction, ...]

    def sample(self, rng: Random) -> Fraction:
        """Return one of the possible values at random."""
        return self.numbers[rng.randrange(len(self.numbers))]


def between(low: object, high: object, step: object = 1) -> RandomNumber:
    """Return a random number whose values go from `low` to `high` in equal steps.

    >>> [str(number) for number in between(0, 1, "1/4").numbers]
    ['0', '1/4', '1/2', '3/4', '1']
    >>> between(9, 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: between(9, 1) has no number in it; give the lower number first, and a step above 0
    """
    lower, upper, increment = (_parse_number(value, "between(1, 9)") for value in (low, high, step))
    if lower > upper or increment <= 0:
        more = "" if increment == 1 else f", {increment}"
        raise DurakError(f"between({lower}, {upper}{more}) has no number in it; give the lower number first, and a step above 0")
    count = (upper - lower) // increment + 1
    if count > _MAX_NUMBERS:
        raise DurakError(
            f"between({lower}, {upper}, {increment}) has {count:,} numbers in it, and the limit is {_MAX_NUMBERS:,}; give a larger step"
        )
    return RandomNumber(tuple([lower + index * increment for index in range(count)]))


def any_of(*numbers: object) -> RandomNumber:
    """Return a random number that has one of the given values.

    >>> [str(number) for number in any_of("1/4", 0.5, 3).numbers]
    ['1/4', '1/2', '3']
    """
    values = list(numbers[0]) if len(numbers) == 1 and isinstance(numbers[0], (list, tuple, range)) else list(numbers)
    if not 0 < len(values) <= _MAX_NUMBERS:
        raise DurakError(f"any_of must have 1 to {_MAX_NUMBERS:,} numbers, as in any_of('1/4', '1/2'), not {len(values)}")
    return RandomNumber(tuple([_parse_number(value, "any_of('1/4', '1/2')") for value in values]))


def _parse_number(value: object, example: str) -> Fraction:
    """Parse a number; if that is impossible, raise an error that shows an example."""
    number = parse_exact_number(value)
    if number is None:
        raise DurakError(f"a random number must be drawn from numbers, as in {example}, not {short_repr(value)}")
    return number
