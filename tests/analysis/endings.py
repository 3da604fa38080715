"""Endings worked out without any search of ours: all positions that can be reached, and what each side can force, until nothing changes."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from durak_widget import Game, Rules
from durak_widget.engine import state_transitions

if TYPE_CHECKING:
    from durak_widget.engine.state import State

NEVER = 10**6


class WorkedOut:
    """Within how many bouts each seat can force the win from each position that can be reached; `NEVER` where it cannot."""

    def __init__(self, root: State) -> None:
        self.places, self.states, self.following = {root.key(): 0}, [root], []
        self.seats = root.attacker, root.defender
        for state in self.states:
            found = []
            for move in state_transitions.legal_moves(state):
                after = state.copy()
                state_transitions.apply_move(after, move)
                place = self.places.setdefault(after.key(), len(self.states))
                if place == len(self.states):
                    self.states.append(after)
                found.append((place, after.bout > state.bout or after.outcome is not None))
            self.following.append(found)
        self.within = [self._within(seat) for seat in range(len(root.hands))]

    def _within(self, seat: int) -> list[int]:
        bouts = [0 if state.outcome is not None and seat in state.outcome.winners else NEVER for state in self.states]
        changed = True
        while changed:
            changed = False
            for place, state in enumerate(self.states):
                if state.outcome is None:
                    each = [bouts[after] + ended for after, ended in self.following[place]]
                    found = min(NEVER, min(each) if state.actor == seat else max(each))
                    if found < bouts[place]:
                        bouts[place], changed = found, True
        return bouts

    def worth(self, state: State, seat: int) -> int:
        """1, 0 or -1."""
        place = self.places[state.key()]
        other = next(one for one in self.seats if one != seat)
        return (self.within[seat][place] < NEVER) - (self.within[other][place] < NEVER)


def ending(rules: Rules, seed: int, most: int) -> Game | None:
    """Some hands of at most so many cards, and some moves into them; None where that is over already."""
    rng = Random(seed)
    deck = [rank + suit for suit in rules.suits for rank in rules.ranks] * rules.decks
    mine, other = rng.randint(1, most), rng.randint(1, most)
    cards = rng.sample(deck, mine + other)
    suits = [suit for suit in rules.suits if suit != "s" or not rules.spades_by_spades]
    game = Game.from_position(
        rules,
        hands=[" ".join(cards[:mine]), " ".join(cards[mine:])],
        trump=rng.choice(suits) if rules.trump == "turn_up" else None,
        attacker=rng.randint(0, 1),
    )
    for _ in range(rng.randint(0, 3)):
        if game.actor is not None:
            game.play(rng.choice(game.legal_moves()))
    return game if game.actor is not None else None
