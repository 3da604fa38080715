"""Ways to play that people have: each is careful but for one habit, and weaker or stronger for it. Whose they are is said in `people`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.bots.heuristic_bots import TRUMP, Careful, beating_all, prices
from durak_widget.engine.cheapest_move import dearest

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

AT_HAND: Final = 4
"""Of so many of its cheapest cards who is hasty plays any."""
BOTHER: Final = 0.3
"""So often who is hasty takes because beating is a bother."""
ACE: Final = 12
"""What an ace costs that is no trump."""
JACK: Final = 9
MUCH: Final = 8
"""So many cards to be drawn are much: whoever takes now still draws later."""


class Hasty:
    """Plays any of its cheapest cards, whichever comes to hand, throws in or not as the fancy takes it, and at times takes what it could beat.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c 8c Ac", "9h Ts"], trump="h").view(0)
    >>> sorted({str(Hasty().choose(view, Random(seed))) for seed in range(20)})
    ['attack 6c', 'attack 7c', 'attack 8c', 'attack Ac']
    """

    def choose(self, view: View, rng: Random) -> Move:
        """Whatever comes to hand."""
        legal, price = view.legal_moves(), prices(view)
        verb = legal[0].verb
        if verb == "throw":
            return rng.choice([move for move in legal if not move.cards or price(move.cards[0]) < TRUMP])
        done = [move for move in legal if (move.verb == "attack" if verb == "attack" else move.verb != "take")]
        if not done or (verb != "attack" and rng.random() < BOTHER):
            return legal[-1]
        return rng.choice(sorted(done, key=lambda move: price(move.cards[-1]))[:AT_HAND])


class Generous(Careful):
    """Begins with the highest plain card and throws in whatever fits, trumps too: the others shall have something of it.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> Generous().choose(Game.from_position(hands=["6c Ac 7h", "9h Ts"], trump="h").view(0), Random(1))
    Move('attack Ac')
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """The dearest plain card to begin with, and any that fits after that."""
        legal, price = view.legal_moves(), prices(view)
        if legal[0].verb == "throw":
            return min(legal[:-1], key=lambda move: price(move.cards[0]))
        plain = [move for move in legal if move.verb == "attack" and dearest(move, price) < TRUMP]
        return max(plain, key=lambda move: (dearest(move, price), len(move.cards))) if plain else super().choose(view, rng)


class Hoarding(Careful):
    """Keeps trumps and aces for later: as long as there is a talon it takes rather than part with one.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h Ac Kd"], trump="h", table="9c", talon="8d 8s").view(1)
    >>> Careful().choose(view, Random(1)), Hoarding().choose(view, Random(1))
    (Move('beat 9c Ac'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """The careful move, but no trump and no ace to beat with."""
        move = super().choose(view, rng)
        if move.verb != "beat" or not view.talon_count:
            return move
        price = prices(view)
        dear = any(price(beat.cards[1]) >= ACE for beat in beating_all(view, view.legal_moves(), price))
        return view.legal_moves()[-1] if dear else move


class TakingOnPurpose(Careful):
    """Takes on purpose: where beating would cost trumps and a jack or better lies there, while there is much to be drawn.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h 7d Kd"], trump="h", table="Kc", talon="8d 8s 9d 9s Td Ts Jd Js").view(1)
    >>> Careful().choose(view, Random(1)), TakingOnPurpose().choose(view, Random(1))
    (Move('beat Kc 6h'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """The careful move, unless what lies there is worth having."""
        move = super().choose(view, rng)
        if move.verb in {"beat", "transfer"} and self.would_take(view):
            return view.legal_moves()[-1]
        return move

    def would_take(self, view: View) -> bool:
        """Whether it takes here though it need not."""
        price = prices(view)
        plan = beating_all(view, view.legal_moves(), price)
        best = max(price(attack) for attack, _ in view.table)
        return view.talon_count >= MUCH and len(view.table) <= 2 and best >= JACK and sum(price(beat.cards[1]) for beat in plan) >= TRUMP
