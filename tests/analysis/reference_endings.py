"""Solve endings independently of the package: list all reachable positions and iterate what each side can force."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from durak_widget import Game, Rules
from durak_widget.engine import state_transitions

if TYPE_CHECKING:
    from durak_widget.engine.state import State

NEVER = 10**6


class ReferenceSolution:
    """The number of bouts within which each seat can force a win from each reachable position; `NEVER` if it cannot."""

    def __init__(self, root: State) -> None:
        self.numbers, self.states, self.following = {root.key(): 0}, [root], []
        self.seats = root.attacker, root.defender
        for state in self.states:
            found = []
            for move in state_transitions.legal_moves(state):
                after = state.copy()
                state_transitions.apply_move(after, move)
                number = self.numbers.setdefault(after.key(), len(self.states))
                if number == len(self.states):
                    self.states.append(after)
                found.append((number, after.bout > state.bout or after.outcome is not None))
            self.following.append(found)
        self.bouts_to_win = [self._bouts_to_win(seat) for seat in range(len(root.hands))]

    def _bouts_to_win(self, seat: int) -> list[int]:
        bouts = [0 if state.outcome is not None and seat in state.outcome.winners else NEVER for state in self.states]
        changed = True
        while changed:
            changed = False
            for number, state in enumerate(self.states):
                if state.outcome is None:
                    each = [bouts[after] + ended for after, ended in self.following[number]]
                    found = min(NEVER, min(each) if state.actor == seat else max(each))
                    if found < bouts[number]:
                        bouts[number], changed = found, True
        return bouts

    def value_of(self, state: State, seat: int) -> int:
        """Return 1, 0 or -1."""
        number = self.numbers[state.key()]
        other = next(other_seat for other_seat in self.seats if other_seat != seat)
        return (self.bouts_to_win[seat][number] < NEVER) - (self.bouts_to_win[other][number] < NEVER)


def random_ending(rules: Rules, seed: int, most: int) -> Game | None:
    """Return a game with hands of at most `most` cards after up to three moves; None if it is over."""
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
