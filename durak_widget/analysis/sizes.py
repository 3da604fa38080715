"""How large would the tree be? Counted from the positions that differ, each once, which are far fewer than the histories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.engine.state_transitions import PLAYS, legal_moves
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

_PATIENCE: Final = 20_000
"""How many positions are looked at once it is plain that the tree is too large, in the hope of saying how large."""
_FORCED: Final = 10_000
"""More forced moves one after another than a game that ends can have."""


class _Here:
    """A position that is being counted."""

    __slots__ = ("key", "legal", "made", "state", "total")

    def __init__(self, key: Hashable, state: State, legal: tuple[Move, ...]) -> None:
        self.key, self.state, self.legal = key, state, legal
        self.made, self.total = 0, 1


def too_large(size: str, limit: int) -> TreeError:
    """The refusal of a tree larger than its limit."""
    return TreeError(
        f"the tree would have {size} histories, and the limit is {limit:,}; take a smaller deck or hand, or give a higher limit="
    )


def histories_of(deals: list[Deal], limit: int | None, *, only_finite: bool = False) -> int:
    """How many histories follow from these deals, with chance at the root where there are several and forced moves joined.

    What is larger than `limit` is refused with its size, or a size that it has at least where there are too many positions to look at them all;
    `only_finite` asks just whether play ends.
    """
    counted: dict[Hashable, int] = {}
    reached = int(len(deals) > 1)
    most = float("inf") if limit is None else limit
    for deal in deals:
        state = deal.state.copy()
        if not _settled(state):
            reached += 1
            continue
        key = state.key()
        if key in counted:
            reached += counted[key]
            continue
        before, total = reached, 0
        counted[key] = 0
        path = [_Here(key, state, legal_moves(state))]
        reached += 1
        while path:
            here = path[-1]
            if here.made == len(here.legal):
                path.pop()
                total = counted[here.key] = here.total
                if path:
                    path[-1].total += total
                continue
            last = here.made + 1 == len(here.legal)
            state, move = here.state if last else here.state.copy(), here.legal[here.made]
            here.made += 1
            PLAYS[move.kind](state, move)
            if not _settled(state):
                here.total += 1
                reached += 1
                continue
            key = state.key()
            known = counted.get(key)
            if known is None:
                counted[key] = 0
                path.append(_Here(key, state, legal_moves(state)))
                reached += 1
            elif known:
                here.total += known
                reached += known
            else:
                raise _endless()
            if reached > most and len(counted) > _PATIENCE:
                if only_finite:
                    return reached
                raise too_large(f"at least {reached:,}", int(most))
        reached = before + total
    return reached


def _settled(state: State) -> bool:
    """Make the moves that are forced, until somebody has a choice; whether that comes before the end."""
    for _ in range(_FORCED):
        if state.outcome is not None:
            return False
        legal = legal_moves(state)
        if len(legal) > 1:
            return True
        PLAYS[legal[0].kind](state, legal[0])
    raise _endless()


def _endless() -> TreeError:
    return TreeError(
        "under these rules play may go on for ever, and a tree has an end everywhere; give them repetition=3, or another number"
    )
