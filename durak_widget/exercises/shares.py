"""How likely each move is, written by hand: which boxes there are, what a cross says, and what is left of 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.exercises.paper_form import TOGETHER, Blank, HandWork, letters_for
from durak_widget.exercises.strategy_input import filled_up, row_of
from durak_widget.exercises.tree_and_matrix_references import names_of, set_name
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.board.tree_wording import Names
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree


def shares_by_hand(tree: Tree, seat: int | None, language: str, solved: Callable[[], Sequence[Sequence[Number]]]) -> HandWork:
    """A capital at each information set of a seat, or of all, and a box for each of its moves; `solved` gives what would be right."""
    names = names_of(tree, language)
    asked = [place for place, one in enumerate(tree.sets) if seat in (None, one.seat)]
    called = dict(zip(asked, map(str.upper, letters_for(len(asked))), strict=True))
    moves = [(place, move) for place in asked for move in range(len(tree.sets[place].moves))]
    labels = letters_for(len(moves))
    there = enumerate(zip(tree.actor, tree.info, strict=True))
    marks = {here: called[info] for here, (who, info) in there if who >= 0 and info in called}
    heads = {place: f"{called[place]}. {_head(names, place, alone=seat is not None)}" for place in asked}
    blanks = tuple(
        Blank(label, str(names.moves(place)[move]["said"]), "box", group=heads[place])
        for label, (place, move) in zip(labels, moves, strict=True)
    )

    def read(written: Written) -> object:
        given: dict[int, dict[str, str]] = {}
        for label, (place, move) in zip(labels, moves, strict=True):
            if written[label]:
                given.setdefault(place, {})[tree.sets[place].moves[move]] = written[label]
        return {place: _row(tree.sets[place], one) for place, one in given.items()} or None

    def write() -> Written:
        rows = solved()
        return {label: str(rows[place][move]) for label, (place, move) in zip(labels, moves, strict=True)}

    return HandWork(marks, blanks, read, write)


def _head(names: Names, place: int, *, alone: bool) -> str:
    """What an information set is called, and by whom it is met where several are asked about."""
    who, told = names.seats[names.tree.sets[place].seat], set_name(names, place)
    return told if told and (alone or told == who) else f"{who}: {told}" if told else who


def _row(one: InfoSet, given: Mapping[str, str]) -> dict[str, str]:
    """How likely each move of an information set is; a `RefusedError` where that cannot be."""
    row = filled_up(one.moves, given)
    try:
        row_of(one, row)
    except DurakError:
        raise RefusedError(TOGETHER, text=", ".join(given.values())[:40]) from None
    return row
