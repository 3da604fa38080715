"""Builds Durak as a game tree, counts its histories, or describes it as an implicit game.

All deals are at the root. What a player remembers is one number: the player's last decision, and 24 bits for
each event seen since. A player sees every move (of an opponent's swap, only that it happened) and who acts
next. They also see how each bout ended and which cards they picked up. This is all that a `View` holds, so
two memories are equal exactly when the views are equal. A player with one legal move has no decision node:
the move is made, and all players see it. Histories are counted by visiting each different position once,
because there are far fewer positions than histories. The implicit game deals one card after another; it is
the form that outcome-sampling MCCFR takes.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Union

from durak_widget.analysis.deal_enumeration import Origin, deals_of, two_play
from durak_widget.analysis.deal_posterior import checked_play
from durak_widget.cards import CardSet, bits_of, card_of, plainly
from durak_widget.engine import state_transitions
from durak_widget.engine.history import DREW, Pairs, Story
from durak_widget.engine.moves import KINDS
from durak_widget.engine.observation import sight_of
from durak_widget.engine.state import dealt_state
from durak_widget.engine.state_transitions import PLAYS, legal_moves
from durak_widget.errors import quoted
from durak_widget.gametheory.tree import Draw, End, TreeError, Turn, grow
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Sight
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

LIMIT: Final = 2_000_000
"""Default limit on the number of histories in a tree."""
_DIGIT: Final = 24
"""Number of bits for one observed event in a memory."""
_SWAP: Final = KINDS["swap"]
_PATIENCE: Final = 20_000
"""Number of positions that are counted before a tree over its limit is given up, so that the error can say its exact size."""
_FORCED: Final = 10_000
"""More forced moves in a row than any game that ends can have."""


def build(
    rules: Rules | str | None = None,
    dealer: int = 0,
    open_hands: bool = False,  # noqa: FBT001, FBT002 - its public name
    *,
    seeing: Collection[int] = (),
    limit: int = LIMIT,
) -> Tree:
    """Build the game tree over all deals of a small deck, with chance at its root.

    With open hands only the talon is hidden. The players in `seeing` see the other player's hand too.

    >>> from durak_widget import Rules
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> build(rules, dealer=1)
    <Tree: 179 histories, 114 terminals, 18 + 40 information sets>
    >>> build(rules, dealer=1).sets[0]
    InfoSet(seat=1, label='seat 1 holds 6c 7c 6d, table 7d', moves=('beat 7d 6c', 'beat 7d 7c', 'take'))
    """
    origin = Origin(Rules.of(rules), dealer, None, open_hands, _seers(seeing, open_hands=open_hands))
    return _tree(origin, limit)


def build_from(
    game: Game,
    open_hands: bool = False,  # noqa: FBT001, FBT002 - its public name
    *,
    played: tuple[Tree, Strategy] | None = None,
    limit: int = LIMIT,
) -> Tree:
    """Build the game tree that starts at a position of a game with any number of players.

    Chance at its root chooses between the deals that some player may still consider possible: the true deal,
    the deals that a player cannot distinguish from it, and so on. They are equally likely. If `played` gives
    a tree of the earlier game and a strategy that everyone has followed, Bayes' rule gives the probability of
    each deal.

    >>> from durak_widget import Game
    >>> game = Game.from_position("suits=cd, ranks=678, hand_size=2", hands=["6c 8d", "7c 6d"], trump="c", discard="8c 7d")
    >>> build_from(game)
    <Tree: 16 histories, 9 terminals, 3 + 4 information sets>
    >>> build_from(Game.from_position("players=3", hands=["8d", "Tc", "Td Qd"], trump="h", table="8c/Kc", attacker=0), open_hands=True)
    <Tree: 10 histories, 6 terminals, 1 + 1 + 2 information sets>
    """
    if played is not None:
        played = checked_play(played)
        if open_hands:
            raise TreeError("where both hands lie open, what was played tells nobody what is held; leave played= or open_hands= out")
    return _tree(Origin(game.rules, game.dealer, game.copy(), open_hands, played=played), limit)


def histories(rules: Rules | str | None = None, dealer: int = 0, *, most: int | None = None) -> int:
    """Return the number of histories of the tree with hidden hands, without building it.

    Each different position is visited only once.

    >>> from durak_widget import Rules
    >>> histories(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"))
    179
    """
    return histories_of(deals_of(Rules.of(rules), dealer, 10**6), most)


def _in_a_word(rules: Rules) -> str:
    """Return the shortest rules text for `Rules.parse`: nearest preset, then differences."""
    own_changes = rules.changes()
    candidates: list[list[str]] = []
    for preset in Rules.presets():
        preset_changes = Rules.preset(preset).changes()
        if preset_changes.keys() <= own_changes.keys():
            candidates.append(
                [
                    preset,
                    *(
                        f"{name}={value}"
                        for name, value in own_changes.items()
                        if name not in preset_changes or preset_changes[name] != value
                    ),
                ]
            )
    nearest = min(candidates, key=len)
    return ", ".join(nearest)


def _seers(seeing: Collection[int], *, open_hands: bool) -> tuple[int, ...]:
    """Return the players in `seeing`, sorted; refuse anything else."""
    if isinstance(seeing, str) or not isinstance(seeing, Collection) or not set(seeing) <= {0, 1}:
        raise TreeError(f"seeing names seats that see the other's hand, such as seeing=[0], and not {quoted(seeing)}")
    if seeing and open_hands:
        raise TreeError("with open_hands=True both see both hands; leave seeing= out")
    return tuple(sorted(set(seeing)))


def _tree(origin: Origin, limit: int) -> Tree:
    deals, open_hands = origin.deals(limit), origin.open_hands
    has_chance_moves = open_hands and len(deals) > 1
    size = histories_of(deals, limit, only_finite=has_chance_moves)
    if size > limit and not has_chance_moves:
        raise too_large(f"{size:,}", limit)
    builder: Hidden | _Open = _Open() if open_hands else Hidden(origin.seeing)
    visibility = "open" if open_hands else " and ".join(["hidden", *(f"seen by seat {seat}" for seat in origin.seeing)])
    source = f"{_in_a_word(origin.rules)}; dealer {origin.dealer}" if origin.game is None else f"from {origin.game.position}"
    weighting = "; deals weighed by what was played" if origin.played else ""
    tree = grow(
        deals,
        builder.look,
        seats=len(deals[0].state.hands),
        title=f"{source}; hands {visibility}{weighting}",
        say=builder.says,
        limit=limit,
    )
    tree.origin = origin
    return tree


class _Player:
    """Tree builder's common part: plays moves and records what each player observes."""

    def __init__(self, sees: tuple[int, ...] = ()) -> None:
        self._sees = sees
        self._digits: dict[tuple[object, ...], int] = {}
        self._ends: dict[tuple[float, ...], End] = {}
        self._names: dict[tuple[Move, ...], tuple[str, ...]] = {}
        self._hands: dict[int, str] = {}
        self._tables: dict[tuple[object, ...], str] = {}
        self._labels: dict[int, str] = {}

    def play(self, state: State, move: Move) -> tuple[int, ...]:
        """Play a move and return, for each player, the number of the event that they observe."""
        end_count, actor, seats = len(state.ends), state.actor, len(state.hands)
        PLAYS[move.kind](state, move)
        numbers = self._digits
        if len(state.ends) == end_count and move.kind != _SWAP:
            key = (move, state.actor)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(numbers) + 1
            return (number,) * seats
        drawn: list[object] = [0] * seats
        public: tuple[object, ...] = ()
        if len(state.ends) > end_count:
            end = state.ends[-1]
            public = (tuple([(seat, count) for seat, count, _ in end[DREW]]), *end[DREW + 1 :])
            for seat, _, mask in end[DREW]:
                drawn[seat] = plainly(mask)
        else:
            drawn[actor] = plainly(state.brought[-1][2])  # type: ignore[index]
        public_move, seeing_players = None if move.kind == _SWAP else move, self._sees
        observations: list[tuple[object, ...]] = [
            (move, state.actor, public, *drawn)
            if seat in seeing_players
            else (move if seat == actor else public_move, state.actor, public, drawn[seat])
            for seat in range(seats)
        ]
        return tuple([numbers.setdefault(observation, len(numbers) + 1) for observation in observations])

    def end(self, utilities: tuple[float, ...]) -> End:
        """Return the terminal node with these payoffs; the same payoffs give the same node."""
        node = self._ends.get(utilities)
        if node is None:
            exact = [Fraction(payoff) for payoff in utilities]
            node = self._ends[utilities] = End(tuple([payoff if payoff.denominator > 1 else payoff.numerator for payoff in exact]))
        return node

    def over(self, state: State) -> End:
        """Return the terminal node of a finished game.

        Subclasses that play for other payoffs override this.
        """
        return self.end(state.outcome.utilities)  # type: ignore[union-attr]

    def names(self, legal: tuple[Move, ...]) -> tuple[str, ...]:
        """Return the names of the actions for these moves."""
        names = self._names.get(legal)
        if names is None:
            names = self._names[legal] = tuple(map(str, legal))
        return names

    def hand(self, mask: int) -> str:
        """Return a hand as text."""
        text = self._hands.get(mask)
        if text is None:
            text = self._hands[mask] = str(CardSet.of(mask)) or "nothing"
        return text

    def holding(self, state: State, seat: int, *, both: bool) -> str:
        """Return the hand of a seat as text, with the other hands too if `both`."""
        other_seats = [holder for holder in range(len(state.hands)) if holder != seat] if both else []
        return ", ".join([f"seat {holder} holds {self.hand(state.hands[holder])}" for holder in (seat, *other_seats)])

    def table(self, state: State) -> str:
        """Return the cards on the table as text."""
        key = (*state.attacks, None, *state.beats, state.taking)
        text = self._tables.get(key)
        if text is None:
            taken = ", which is taken" if state.taking else ""
            text = self._tables[key] = f"table {Pairs.of(state.attacks, state.beats) or 'empty'}{taken}"
        return text

    def says(self, _seat: int, knows: Hashable) -> str:
        """Return the label of an information set, by the number of the player's memory."""
        return self._labels[knows]  # type: ignore[index]


Place = tuple["State", Union["Move", None], tuple[int, ...]]
"""A state, the move to play in it (None: none), and the memory of each player."""


class Hidden(_Player):
    """Tree builder where each player sees their own hand and remembers what they saw.

    The seeing players see both hands.
    """

    def __init__(self, sees: tuple[int, ...] = ()) -> None:
        super().__init__(sees)
        self._known: dict[Hashable, int] = {}

    def look(self, place: Place | list[Deal]) -> Turn | Draw | End:
        """Return the tree node after the pending move and the forced moves that follow."""
        if isinstance(place, list):
            starts = [(deal, self.begins(deal.state)) for deal in place]
            if len(starts) == 1:
                return self.look(starts[0][1])
            total = sum(deal.weight for deal in place)
            return Draw([(deal.name, Fraction(deal.weight) / Fraction(total), start) for deal, start in starts])
        state, move, memories = place
        play = self.play
        state = state.copy()
        if move is not None:
            memories = _longer(memories, play(state, move))
        while True:
            if state.outcome is not None:
                return self.over(state)
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            memories = _longer(memories, play(state, legal[0]))
        seat: int = state.actor  # type: ignore[assignment]
        numbers = self._known
        memory_key = (seat, memories[seat])
        number = numbers.get(memory_key)
        if number is None:
            number = numbers[memory_key] = len(numbers) + 1
            self._labels[number] = f"{self.holding(state, seat, both=seat in self._sees)}, {self.table(state)}"
        updated = list(memories)
        updated[seat] = number
        memories = tuple(updated)
        return Turn(seat, number, [(name, (state, move, memories)) for name, move in zip(self.names(legal), legal)])  # noqa: B905 - one name a move

    def begins(self, state: State) -> Place:
        """Return the start of a deal, with what each player sees at first as their memory."""
        numbers, seeing_players, hands = self._known, self._sees, tuple(map(plainly, state.hands))
        story = Story(len(hands))
        observations = [(sight_of(state, seat, story, None), hands if seat in seeing_players else None) for seat in range(len(hands))]
        return state, None, tuple([numbers.setdefault(observation, len(numbers) + 1) for observation in observations])


def _longer(memories: tuple[int, ...], digits: tuple[int, ...]) -> tuple[int, ...]:
    """Return the memories of all players, each extended by the event just observed."""
    if len(memories) == 2:  # the usual case, and where building a tree spends much of its time
        (memory, other_memory), (event, other_event) = memories, digits
        return memory << _DIGIT | event, other_memory << _DIGIT | other_event
    return tuple([memory << _DIGIT | event for memory, event in zip(memories, digits, strict=True)])


def _sights(state: State) -> tuple[Sight, ...]:
    """Return what each player sees at the start of play."""
    return tuple([sight_of(state, seat, Story(len(state.hands)), None) for seat in range(len(state.hands))])


_Worlds = list[tuple["State", "int | Fraction"]]
"""States that no player can distinguish, each with its weight."""


class _Open(_Player):
    """Tree builder where all players see all hands, and chance draws from the hidden talon.

    A chance node comes where cards are drawn.
    """

    def look(self, place: tuple[_Worlds, Move | None] | list[Deal]) -> Turn | Draw | End:
        """Return the tree node after the forced moves, up to the next chance move."""
        if isinstance(place, list):
            groups: dict[Hashable, list[Deal]] = {}
            for deal in place:
                groups.setdefault(_sights(deal.state), []).append(deal)
            parts = [(deals[0].name if len(deals) == 1 else _begins(deals[0].state), _worlds(deals)) for deals in groups.values()]
            if len(parts) > 1:
                return _drawn(parts)
            place = parts[0][1], None
        worlds, move = place
        worlds = [(state.copy(), weight) for state, weight in worlds]
        while True:
            if move is not None:
                by_event: dict[tuple[int, ...], _Worlds] = {}
                for state, weight in worlds:
                    by_event.setdefault(self.play(state, move), []).append((state, weight))
                if len(by_event) > 1:
                    return _drawn([(_draw(worlds_of_event[0][0]), worlds_of_event) for worlds_of_event in by_event.values()])
            state = worlds[0][0]
            if state.outcome is not None:
                return self.end(state.outcome.utilities)
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            move = legal[0]
        seat: int = state.actor  # type: ignore[assignment]
        number = len(self._labels)
        self._labels[number] = f"{self.holding(state, seat, both=True)}, {self.table(state)}"
        return Turn(seat, number, [(name, (worlds, move)) for name, move in zip(self.names(legal), legal, strict=True)])


def _worlds(deals: list[Deal]) -> _Worlds:
    """Return the states of deals that look the same, with their weights."""
    return [(deal.state, deal.weight) for deal in deals]


def _drawn(parts: list[tuple[str, _Worlds]]) -> Draw:
    """Return the chance node that chooses between these named groups of states."""
    total = sum(weight for _, group in parts for _, weight in group)
    return Draw([(name, Fraction(sum(weight for _, weight in group)) / Fraction(total), (group, None)) for name, group in parts])


def _begins(state: State) -> str:
    """Return the visible part of a deal as text: the hands and the turned-up card."""
    hands = " | ".join(str(CardSet.of(hand)) for hand in state.hands).strip()
    return f"{hands}; turned up {card_of(state.turn_up)}" if state.turn_up else hands


def _draw(state: State) -> str:
    """Return the cards that were just drawn, or came by a swap, as text."""
    if state.ends and state.ends[-1][0] == state.ply:
        end = state.ends[-1]
        sentences = [f"seat {seat} draws {CardSet.of(mask)}" for seat, _, mask in end[DREW]]
        turned = end[DREW + 1]
        return ", ".join(sentences + [f"then {' '.join(turned)} lies open"] * bool(turned))
    _, seat, mask = state.brought[-1]
    return f"seat {seat} is given {CardSet.of(mask)}"


class _Here:
    """Position whose histories are being counted."""

    __slots__ = ("key", "legal", "made", "state", "total")

    def __init__(self, key: Hashable, state: State, legal: tuple[Move, ...]) -> None:
        self.key, self.state, self.legal = key, state, legal
        self.made, self.total = 0, 1


def too_large(size: str, limit: int) -> TreeError:
    """Return the error for a tree that is larger than its limit."""
    return TreeError(
        f"the tree would have {size} histories, and the limit is {limit:,}; take a smaller deck or hand, or give a higher limit="
    )


def histories_of(deals: list[Deal], limit: int | None, *, only_finite: bool = False) -> int:
    """Return the number of histories after these deals, with forced moves not counted.

    The root is a chance node if there are several deals. A tree larger than `limit` is refused with its size,
    or with a lower bound if there are too many positions. `only_finite` only checks that play always ends.
    """
    counted: dict[Hashable, int] = {}
    reached = int(len(deals) > 1)
    max_histories = float("inf") if limit is None else limit
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
            position = path[-1]
            if position.made == len(position.legal):
                path.pop()
                total = counted[position.key] = position.total
                if path:
                    path[-1].total += total
                continue
            last = position.made + 1 == len(position.legal)
            state, move = position.state if last else position.state.copy(), position.legal[position.made]
            position.made += 1
            PLAYS[move.kind](state, move)
            if not _settled(state):
                position.total += 1
                reached += 1
                continue
            key = state.key()
            subtree_count = counted.get(key)
            if subtree_count is None:
                counted[key] = 0
                path.append(_Here(key, state, legal_moves(state)))
                reached += 1
            elif subtree_count:
                position.total += subtree_count
                reached += subtree_count
            else:
                raise _endless()
            if reached > max_histories and len(counted) > _PATIENCE:
                if only_finite:
                    return reached
                raise too_large(f"at least {reached:,}", int(max_histories))
        reached = before + total
    return reached


def _settled(state: State) -> bool:
    """Play the forced moves; return whether a player then has a choice.

    False means that the game is over.
    """
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


class KnownDeck(NamedTuple):
    """Deck that is dealt card by card, as far as it is known."""

    dealt: tuple[int, ...]
    """Dealt cards in order from the top, as bits."""
    left: int
    """Other cards, as a mask."""


def look_of(
    rules: Rules | str | None = None, dealer: int = 0
) -> tuple[KnownDeck | Place, Callable[[KnownDeck | Place], Turn | Draw | End]]:
    """Return a game of any size as an implicit game: its root and a function to expand nodes.

    Pass both to `OutcomeSampling(*look_of(rules), seats=2)`. No tree is built. Two nodes are in one
    information set exactly when the player's views are equal, as in `build`.

    >>> from durak_widget import gametheory
    >>> learning = gametheory.OutcomeSampling(*look_of("podkidnoy"), seats=2, seed=1).run(20)
    >>> learning.iterations, len(learning) > 100
    (20, True)
    """
    rules = Rules.of(rules)
    compiled, builder = two_play(rules), Hidden()
    if dealer not in range(compiled.players):
        raise TreeError(f"dealer={dealer!r} is not a seat; the seats are 0 and 1")

    def expand_node(pending: KnownDeck | Place) -> Turn | Draw | End:
        if not isinstance(pending, KnownDeck):
            return builder.look(pending)
        if not pending.left:
            state = dealt_state(compiled, pending.dealt, dealer)
            state_transitions.begin(state)
            return builder.look(builder.begins(state))
        bits = [1 << code for code in bits_of(pending.left)]
        probability = Fraction(1, len(bits))
        return Draw([(str(card_of(bit)), probability, KnownDeck((*pending.dealt, bit), pending.left ^ bit)) for bit in bits])

    return KnownDeck((), sum(compiled.deck)), expand_node
