"""Games that are too large for a tree, told as `OutcomeSampling` wants them: the cards dealt one after another, and then the play."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.deal_enumeration import two_play
from durak_widget.analysis.durak_tree import Hidden
from durak_widget.cards import bits_of, card_of
from durak_widget.engine import state_transitions
from durak_widget.engine.state import dealt_state
from durak_widget.gametheory.tree import Draw, End, TreeError, Turn
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.analysis.durak_tree import Place


class KnownDeck(NamedTuple):
    """A deck of which so much is known."""

    dealt: tuple[int, ...]
    """The cards from the top, as bits."""
    left: int
    """The others, as a mask."""


def look_of(
    rules: Rules | str | None = None, dealer: int = 0
) -> tuple[KnownDeck | Place, Callable[[KnownDeck | Place], Turn | Draw | End]]:
    """A game of any size, without its tree: where it begins, and what says of each place whose move it is; for `OutcomeSampling(*look_of(rules), seats=2)`.

    What a seat knows is told as in `build`: two places are one information set just where its views are equal.

    >>> from durak_widget import analysis
    >>> learning = analysis.OutcomeSampling(*look_of("podkidnoy"), seats=2, seed=1).run(20)
    >>> learning.iterations, len(learning) > 100
    (20, True)
    """
    rules = Rules.of(rules)
    kit, hidden = two_play(rules), Hidden()
    if dealer not in range(kit.players):
        raise TreeError(f"dealer={dealer!r} is not a seat; the seats are 0 and 1")

    def look(place: KnownDeck | Place) -> Turn | Draw | End:
        if not isinstance(place, KnownDeck):
            return hidden.look(place)
        if not place.left:
            state = dealt_state(kit, place.dealt, dealer)
            state_transitions.begin(state)
            return hidden.look(hidden.begins(state))
        bits = [1 << number for number in bits_of(place.left)]
        likely = Fraction(1, len(bits))
        return Draw([(str(card_of(bit)), likely, KnownDeck((*place.dealt, bit), place.left ^ bit)) for bit in bits])

    return KnownDeck((), sum(kit.deck)), look
