"""What an opponent says when a game is over: one sentence in their own voice, and where it claims anything, that is looked up in the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.i18n import Fact
from durak_widget.table.opponent_remarks import CLAIMS
from durak_widget.table.recalled import Recalled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.engine.game import Game


def saying(game: Game, seat: int, key: str, heard: Iterable[str] = ()) -> Fact:
    """What the opponent of that key says of a game that is over, and that they played at that seat; of what was `heard` of them before, what is longest ago.

    >>> from durak_widget import Game, bots
    >>> from durak_widget.i18n import Voice
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> first = saying(game, 1, "uncle")
    >>> print(Voice().say("sentence", said=first))
    Trumps that I threw in: 2. I hope that was of use.
    >>> saying(game, 1, "uncle", [first.key]) == first
    False
    """
    last = {fact: at for at, fact in enumerate(heard)}
    return min(sayings(game, seat, key), key=lambda fact: last.get(fact.key, -1))


def sayings(game: Game, seat: int, key: str) -> tuple[Fact, ...]:
    """All that they could say of it, what is most their own first, and how it ended last.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> [fact.key.removeprefix("people.uncle.") for fact in sayings(game, 1, "uncle")]
    ['threw', 'highest', 'carried', 'thrown', 'lost']
    """
    mine = Recalled(game, seat)
    claims = [Fact(f"people.{key}.{name}", facts) for name, claim in CLAIMS[key].items() if (facts := claim(mine)) is not None]
    return (*claims, how_it_ended(game, seat, key))


def how_it_ended(game: Game, seat: int, key: str) -> Fact:
    """What they say of how it ended, which claims nothing of what they did: also of a game that another began there.

    >>> from durak_widget import Game, bots
    >>> how_it_ended(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1, "uncle").key
    'people.uncle.lost'
    """
    outcome = game.outcome
    result = "drawn" if outcome is None or not outcome.winners else "won" if seat in outcome.winners else "lost"
    return Fact(f"people.{key}.{result}")
