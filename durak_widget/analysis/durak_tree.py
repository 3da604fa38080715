"""Builds game trees of Durak, counts their histories, and expands Durak node by node.

All deals are at the root. What a player remembers is one number: the player's last decision, and 24 bits for
each event seen since. A player sees every move (of an opponent's swap, only that it happened) and who acts
next. They also see how each bout ended and which cards they picked up. This is all that an `Observation` holds, so
two memories are equal exactly when the views are equal. A player with one legal move has no decision node:
the move is made, and all players see it. Histories are counted by visiting each different position once,
because there are far fewer positions than histories. The implicit game deals one card after another; it is
the form that outcome-sampling MCCFR takes.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Union

from durak_widget.analysis.deal_enumeration import TreeOrigin, enumerate_deals, require_two_player_rules
from durak_widget.analysis.deal_posterior import require_tree_strategy_pair
from durak_widget.cards import CardSet, bit_indices, card_from_bit, normalize_copies
from durak_widget.engine import state_transitions
from durak_widget.engine.history import DRAW_COUNTS_INDEX, GameHistory, Pairs
from durak_widget.engine.moves import KIND_OF_VERB
from durak_widget.engine.observation import observe_state
from durak_widget.engine.state import deal_state
from durak_widget.engine.state_transitions import MOVE_APPLIERS, legal_moves
from durak_widget.errors import short_repr
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, TreeError, build_tree
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import ObservationData
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

MAX_HISTORIES: Final = 2_000_000
"""The default limit on the number of histories in a tree."""
_EVENT_BITS: Final = 24
"""The number of bits for one observed event in a player's memory, which is stored as one large number."""
_SWAP: Final = KIND_OF_VERB["swap"]
_MIN_COUNTED_POSITIONS: Final = 20_000
"""If a tree is too large, counting stops after this number of positions; if the tree has fewer positions, the error
message gives its exact size."""
_MAX_FORCED_MOVES: Final = 10_000
"""A limit on forced moves in a row; no game that ends has that many."""


def build_game_tree(
    rules: Rules | str | None = None,
    dealer: int = 0,
    open_hands: bool = False,  # noqa: FBT001, FBT002 - its public name
    *,
    seeing: Collection[int] = (),
    limit: int = MAX_HISTORIES,
) -> Tree:
    """Build the game tree of a small deck, with a chance move at the root that picks the deal.

    With open hands only the talon is hidden. The players in `seeing` see the other player's hand too.

    >>> from durak_widget import Rules
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> build_game_tree(rules, dealer=1)
    <Tree: 179 histories, 114 terminals, 18 + 40 information sets>
    >>> build_game_tree(rules, dealer=1).infosets[0]
    InfoSet(player=1, label='seat 1 holds 6c 7c 6d, table 7d', actions=('beat 7d 6c', 'beat 7d 7c', 'take'))
    """
    origin = TreeOrigin(Rules.coerce(rules), dealer, None, open_hands, _parse_seeing_players(seeing, open_hands=open_hands))
    return _build_tree_of_origin(origin, limit)


def build_tree_from_position(
    game: Game,
    open_hands: bool = False,  # noqa: FBT001, FBT002 - its public name
    *,
    played: tuple[Tree, Strategy] | None = None,
    limit: int = MAX_HISTORIES,
) -> Tree:
    """Build the game tree from a position of a game with any number of players.

    Chance at its root chooses between the deals that some player may still consider possible: the true deal,
    the deals that a player cannot distinguish from it, and so on. They are equally likely. If `played` gives
    a tree of the earlier game and a strategy that everyone has followed, Bayes' rule gives the probability of
    each deal.

    >>> from durak_widget import Game
    >>> game = Game.from_position("suits=cd, ranks=678, hand_size=2", hands=["6c 8d", "7c 6d"], trump="c", discard="8c 7d")
    >>> build_tree_from_position(game)
    <Tree: 16 histories, 9 terminals, 3 + 4 information sets>
    >>> build_tree_from_position(Game.from_position("players=3", hands=["8d", "Tc", "Td Qd"], trump="h", table="8c/Kc", attacker=0), open_hands=True)
    <Tree: 10 histories, 6 terminals, 1 + 1 + 2 information sets>
    """
    if played is not None:
        played = require_tree_strategy_pair(played)
        if open_hands:
            raise TreeError("with open hands, moves give no information about the cards; leave out played= or open_hands=")
    return _build_tree_of_origin(TreeOrigin(game.rules, game.dealer, game.copy(), open_hands, played=played), limit)


def count_histories(rules: Rules | str | None = None, dealer: int = 0, *, limit: int | None = None) -> int:
    """Return the number of histories of a tree with hidden hands, without building the tree.

    Each different position is visited only once.

    >>> from durak_widget import Rules
    >>> count_histories(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"))
    179
    """
    return count_histories_of_deals(enumerate_deals(Rules.coerce(rules), dealer, 10**6), limit)


def _shortest_rules_text(rules: Rules) -> str:
    """Return the shortest text from which `Rules.parse` gives the same rules.

    It names a preset, and then the differences from it.
    """
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


def _parse_seeing_players(seeing: Collection[int], *, open_hands: bool) -> tuple[int, ...]:
    """Return, in order, the players who see both hands; raise an error for invalid values."""
    if isinstance(seeing, str) or not isinstance(seeing, Collection) or not set(seeing) <= {0, 1}:
        raise TreeError(f"seeing must list the seats that see the other hand, such as seeing=[0], not {short_repr(seeing)}")
    if seeing and open_hands:
        raise TreeError("with open_hands=True both players see both hands; leave out seeing=")
    return tuple(sorted(set(seeing)))


def _build_tree_of_origin(origin: TreeOrigin, limit: int) -> Tree:
    """Build the tree of a given origin; raise an error if the tree is too large."""
    deals, open_hands = origin.list_deals(limit), origin.open_hands
    has_chance_moves = open_hands and len(deals) > 1
    size = count_histories_of_deals(deals, limit, only_check_finite=has_chance_moves)
    if size > limit and not has_chance_moves:
        raise make_too_large_error(f"{size:,}", limit)
    builder: HiddenHandsTreeBuilder | _OpenHandsTreeBuilder = (
        _OpenHandsTreeBuilder() if open_hands else HiddenHandsTreeBuilder(origin.seeing)
    )
    visibility = "open" if open_hands else " and ".join(["hidden", *(f"seen by seat {seat}" for seat in origin.seeing)])
    source = f"{_shortest_rules_text(origin.rules)}; dealer {origin.dealer}" if origin.game is None else f"from {origin.game.position}"
    weighting = "; deals weighed by what was played" if origin.played else ""
    tree = build_tree(
        deals,
        builder.expand_node,
        player_count=len(deals[0].state.hands),
        title=f"{source}; hands {visibility}{weighting}",
        label_infoset=builder.label_of_infoset,
        limit=limit,
    )
    tree.origin = origin
    return tree


class _TreeBuilder:
    """The base class of the tree builders; it plays moves and records what players observe."""

    def __init__(self, seeing_players: tuple[int, ...] = ()) -> None:
        self._seeing_players = seeing_players
        self._event_numbers: dict[tuple[object, ...], int] = {}
        self._terminal_nodes: dict[tuple[float, ...], TerminalNode] = {}
        self._action_names: dict[tuple[Move, ...], tuple[str, ...]] = {}
        self._hand_texts: dict[int, str] = {}
        self._table_texts: dict[tuple[object, ...], str] = {}
        self._labels: dict[int, str] = {}

    def play_and_observe(self, state: State, move: Move) -> tuple[int, ...]:
        """Play a move, and return for each player the number of the event that they observe."""
        end_count, actor, seats = len(state.bout_ends), state.actor, len(state.hands)
        MOVE_APPLIERS[move.kind](state, move)
        numbers = self._event_numbers
        if len(state.bout_ends) == end_count and move.kind != _SWAP:
            key = (move, state.actor)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(numbers) + 1
            return (number,) * seats
        drawn: list[object] = [0] * seats
        public: tuple[object, ...] = ()
        if len(state.bout_ends) > end_count:
            end = state.bout_ends[-1]
            public = (tuple([(seat, count) for seat, count, _ in end[DRAW_COUNTS_INDEX]]), *end[DRAW_COUNTS_INDEX + 1 :])
            for seat, _, mask in end[DRAW_COUNTS_INDEX]:
                drawn[seat] = normalize_copies(mask)
        else:
            drawn[actor] = normalize_copies(state.swap_draws[-1][2])  # type: ignore[index]
        public_move, seeing_players = None if move.kind == _SWAP else move, self._seeing_players
        observations: list[tuple[object, ...]] = [
            (move, state.actor, public, *drawn)
            if seat in seeing_players
            else (move if seat == actor else public_move, state.actor, public, drawn[seat])
            for seat in range(seats)
        ]
        return tuple([numbers.setdefault(observation, len(numbers) + 1) for observation in observations])

    def make_terminal_node(self, utilities: tuple[float, ...]) -> TerminalNode:
        """Return the terminal node with given payoffs; equal payoffs always give the same object."""
        node = self._terminal_nodes.get(utilities)
        if node is None:
            exact = [Fraction(payoff) for payoff in utilities]
            node = self._terminal_nodes[utilities] = TerminalNode(
                tuple([payoff if payoff.denominator > 1 else payoff.numerator for payoff in exact])
            )
        return node

    def make_end_of_game(self, state: State) -> TerminalNode:
        """Return the terminal node of a finished game.

        Subclasses that play for other payoffs override this.
        """
        return self.make_terminal_node(state.outcome.utilities)  # type: ignore[union-attr]

    def name_actions(self, legal: tuple[Move, ...]) -> tuple[str, ...]:
        """Return the names that given moves have as actions in the tree."""
        names = self._action_names.get(legal)
        if names is None:
            names = self._action_names[legal] = tuple(map(str, legal))
        return names

    def format_hand(self, mask: int) -> str:
        """Format the cards of a hand as text."""
        text = self._hand_texts.get(mask)
        if text is None:
            text = self._hand_texts[mask] = str(CardSet.from_mask(mask)) or "nothing"
        return text

    def format_hands(self, state: State, seat: int, *, all_hands: bool) -> str:
        """Format the hand of one seat as text, and all other hands too if `all_hands` is set."""
        other_seats = [holder for holder in range(len(state.hands)) if holder != seat] if all_hands else []
        return ", ".join([f"seat {holder} holds {self.format_hand(state.hands[holder])}" for holder in (seat, *other_seats)])

    def format_table(self, state: State) -> str:
        """Format the cards on the table as text."""
        key = (*state.attacks, None, *state.beats, state.taking)
        text = self._table_texts.get(key)
        if text is None:
            taken = ", which is taken" if state.taking else ""
            text = self._table_texts[key] = f"table {Pairs.from_codes(state.attacks, state.beats) or 'empty'}{taken}"
        return text

    def label_of_infoset(self, _player: int, memory: Hashable) -> str:
        """Return the label of the information set that belongs to a player's memory."""
        return self._labels[memory]  # type: ignore[index]


PendingNode = tuple["State", Union["Move", None], tuple[int, ...]]
"""A node to expand: a state, a move to play first (or None), and a number for each player's memory."""


class HiddenHandsTreeBuilder(_TreeBuilder):
    """Builds trees in which players see only their own hands and remember what they observed.

    The seeing players see both hands.
    """

    def __init__(self, seeing_players: tuple[int, ...] = ()) -> None:
        super().__init__(seeing_players)
        self._memory_numbers: dict[Hashable, int] = {}

    def expand_node(self, pending: PendingNode | list[Deal]) -> DecisionNode | ChanceNode | TerminalNode:
        """Play a pending move and all forced moves after it; return the tree node that follows."""
        if isinstance(pending, list):
            starts = [(deal, self.start_deal(deal.state)) for deal in pending]
            if len(starts) == 1:
                return self.expand_node(starts[0][1])
            total = sum(deal.weight for deal in pending)
            return ChanceNode([(deal.name, Fraction(deal.weight) / Fraction(total), start) for deal, start in starts])
        state, move, memories = pending
        play = self.play_and_observe
        state = state.copy()
        if move is not None:
            memories = _extend_memories(memories, play(state, move))
        while True:
            if state.outcome is not None:
                return self.make_end_of_game(state)
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            memories = _extend_memories(memories, play(state, legal[0]))
        seat: int = state.actor  # type: ignore[assignment]
        numbers = self._memory_numbers
        memory_key = (seat, memories[seat])
        number = numbers.get(memory_key)
        if number is None:
            number = numbers[memory_key] = len(numbers) + 1
            self._labels[number] = f"{self.format_hands(state, seat, all_hands=seat in self._seeing_players)}, {self.format_table(state)}"
        updated = list(memories)
        updated[seat] = number
        memories = tuple(updated)
        return DecisionNode(seat, number, [(name, (state, move, memories)) for name, move in zip(self.name_actions(legal), legal)])  # noqa: B905 - one name a move

    def start_deal(self, state: State) -> PendingNode:
        """Return the first node after a deal.

        The memory of each player begins with what this player sees.
        """
        numbers, seeing_players, hands = self._memory_numbers, self._seeing_players, tuple(map(normalize_copies, state.hands))
        story = GameHistory(len(hands))
        observations = [(observe_state(state, seat, story, None), hands if seat in seeing_players else None) for seat in range(len(hands))]
        return state, None, tuple([numbers.setdefault(observation, len(numbers) + 1) for observation in observations])


def _extend_memories(memories: tuple[int, ...], events: tuple[int, ...]) -> tuple[int, ...]:
    """Add the event that each player observed to that player's memory."""
    if len(memories) == 2:  # Two players are the usual case, and code for exactly two is faster
        (memory, other_memory), (event, other_event) = memories, events
        return memory << _EVENT_BITS | event, other_memory << _EVENT_BITS | other_event
    return tuple([memory << _EVENT_BITS | event for memory, event in zip(memories, events, strict=True)])


def _initial_sights(state: State) -> tuple[ObservationData, ...]:
    """Return what each player sees before the first move."""
    return tuple([observe_state(state, seat, GameHistory(len(state.hands)), None) for seat in range(len(state.hands))])


_WeightedStates = list[tuple["State", "int | Fraction"]]
"""States that look the same to all players, each with the weight of its deal."""


class _OpenHandsTreeBuilder(_TreeBuilder):
    """Builds trees with open hands, where chance moves decide which talon cards are drawn.

    A chance node comes where cards are drawn.
    """

    def expand_node(self, pending: tuple[_WeightedStates, Move | None] | list[Deal]) -> DecisionNode | ChanceNode | TerminalNode:
        """Play a move and forced moves up to a decision, a chance move or the game's end.

        Return the tree node there.
        """
        if isinstance(pending, list):
            groups: dict[Hashable, list[Deal]] = {}
            for deal in pending:
                groups.setdefault(_initial_sights(deal.state), []).append(deal)
            parts = [
                (deals[0].name if len(deals) == 1 else _describe_visible_deal(deals[0].state), _weighted_states_of(deals))
                for deals in groups.values()
            ]
            if len(parts) > 1:
                return _make_chance_node(parts)
            pending = parts[0][1], None
        worlds, move = pending
        worlds = [(state.copy(), weight) for state, weight in worlds]
        while True:
            if move is not None:
                by_event: dict[tuple[int, ...], _WeightedStates] = {}
                for state, weight in worlds:
                    by_event.setdefault(self.play_and_observe(state, move), []).append((state, weight))
                if len(by_event) > 1:
                    return _make_chance_node(
                        [(_describe_draw(worlds_of_event[0][0]), worlds_of_event) for worlds_of_event in by_event.values()]
                    )
            state = worlds[0][0]
            if state.outcome is not None:
                return self.make_terminal_node(state.outcome.utilities)
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            move = legal[0]
        seat: int = state.actor  # type: ignore[assignment]
        number = len(self._labels)
        self._labels[number] = f"{self.format_hands(state, seat, all_hands=True)}, {self.format_table(state)}"
        return DecisionNode(seat, number, [(name, (worlds, move)) for name, move in zip(self.name_actions(legal), legal, strict=True)])


def _weighted_states_of(deals: list[Deal]) -> _WeightedStates:
    """Return the states and weights of deals that look the same to all players."""
    return [(deal.state, deal.weight) for deal in deals]


def _make_chance_node(groups: list[tuple[str, _WeightedStates]]) -> ChanceNode:
    """Return a chance node with one outcome for each group of states.

    An outcome's probability is proportional to the total weight of its states.
    """
    total = sum(weight for _, group in groups for _, weight in group)
    return ChanceNode([(name, Fraction(sum(weight for _, weight in group)) / Fraction(total), (group, None)) for name, group in groups])


def _describe_visible_deal(state: State) -> str:
    """Format the visible part of a deal as text: the hands and the turned-up card."""
    hands = " | ".join(str(CardSet.from_mask(hand)) for hand in state.hands).strip()
    return f"{hands}; turned up {card_from_bit(state.turn_up)}" if state.turn_up else hands


def _describe_draw(state: State) -> str:
    """Format as text the cards that players just drew, or took from the talon in a swap."""
    if state.bout_ends and state.bout_ends[-1][0] == state.ply:
        end = state.bout_ends[-1]
        sentences = [f"seat {seat} draws {CardSet.from_mask(mask)}" for seat, _, mask in end[DRAW_COUNTS_INDEX]]
        turned = end[DRAW_COUNTS_INDEX + 1]
        return ", ".join(sentences + [f"then {' '.join(turned)} lies open"] * bool(turned))
    _, seat, mask = state.swap_draws[-1]
    return f"seat {seat} is given {CardSet.from_mask(mask)}"


class _CountedPosition:
    """A position whose histories are being counted."""

    __slots__ = ("history_count", "key", "legal", "moves_done", "state")

    def __init__(self, key: Hashable, state: State, legal: tuple[Move, ...]) -> None:
        self.key, self.state, self.legal = key, state, legal
        self.moves_done, self.history_count = 0, 1


def make_too_large_error(size: str, limit: int) -> TreeError:
    """Return an error which says that a tree has more histories than its limit."""
    return TreeError(
        f"the tree would have {size} histories, and the limit is {limit:,}; take a smaller deck or hand, or give a higher limit="
    )


def count_histories_of_deals(deals: list[Deal], limit: int | None, *, only_check_finite: bool = False) -> int:
    """Return how many histories the tree of given deals has, not counting forced moves.

    The root is a chance node if there are several deals. A tree larger than `limit` is refused with its size,
    or with a lower bound if there are too many positions. `only_check_finite` only checks that play always ends.
    """
    counted: dict[Hashable, int] = {}
    reached = int(len(deals) > 1)
    max_histories = float("inf") if limit is None else limit
    for deal in deals:
        state = deal.state.copy()
        if not _play_forced_moves(state):
            reached += 1
            continue
        key = state.key()
        if key in counted:
            reached += counted[key]
            continue
        before, total = reached, 0
        counted[key] = 0
        path = [_CountedPosition(key, state, legal_moves(state))]
        reached += 1
        while path:
            position = path[-1]
            if position.moves_done == len(position.legal):
                path.pop()
                total = counted[position.key] = position.history_count
                if path:
                    path[-1].history_count += total
                continue
            last = position.moves_done + 1 == len(position.legal)
            state, move = position.state if last else position.state.copy(), position.legal[position.moves_done]
            position.moves_done += 1
            MOVE_APPLIERS[move.kind](state, move)
            if not _play_forced_moves(state):
                position.history_count += 1
                reached += 1
                continue
            key = state.key()
            subtree_count = counted.get(key)
            if subtree_count is None:
                counted[key] = 0
                path.append(_CountedPosition(key, state, legal_moves(state)))
                reached += 1
            elif subtree_count:
                position.history_count += subtree_count
                reached += subtree_count
            else:
                raise _make_endless_error()
            if reached > max_histories and len(counted) > _MIN_COUNTED_POSITIONS:
                if only_check_finite:
                    return reached
                raise make_too_large_error(f"at least {reached:,}", int(max_histories))
        reached = before + total
    return reached


def _play_forced_moves(state: State) -> bool:
    """Play forced moves until a player has a choice; return False if the game ends first."""
    for _ in range(_MAX_FORCED_MOVES):
        if state.outcome is not None:
            return False
        legal = legal_moves(state)
        if len(legal) > 1:
            return True
        MOVE_APPLIERS[legal[0].kind](state, legal[0])
    raise _make_endless_error()


def _make_endless_error() -> TreeError:
    """Return an error which says that games under the given rules may never end."""
    return TreeError(
        "under these rules a game can go on forever, but every path of a tree must end; add repetition=3, or another number, to the rules"
    )


class PartialDeck(NamedTuple):
    """A partly dealt deck: the cards dealt so far, and the cards not yet dealt."""

    dealt_cards: tuple[int, ...]
    """The dealt cards, each as a bit, in the order in which they lay in the deck."""
    remaining_cards: int
    """The mask of the cards that are not yet dealt."""


def make_implicit_game(
    rules: Rules | str | None = None, dealer: int = 0
) -> tuple[PartialDeck | PendingNode, Callable[[PartialDeck | PendingNode], DecisionNode | ChanceNode | TerminalNode]]:
    """Return Durak as an implicit game: its root node, and a function that expands a node.

    Pass both to `OutcomeSampling(*make_implicit_game(rules), player_count=2)`. No tree is built. Two nodes are in one
    information set exactly when the player's views are equal, as in `build_game_tree`.

    >>> from durak_widget import gametheory
    >>> learning = gametheory.OutcomeSampling(*make_implicit_game("podkidnoy"), player_count=2, seed=1).run(20)
    >>> learning.iterations, len(learning) > 100
    (20, True)
    """
    rules = Rules.coerce(rules)
    compiled, builder = require_two_player_rules(rules), HiddenHandsTreeBuilder()
    if dealer not in range(compiled.player_count):
        raise TreeError(f"dealer must be 0 or 1, not {dealer!r}")

    def expand_node(pending: PartialDeck | PendingNode) -> DecisionNode | ChanceNode | TerminalNode:
        """Return the node after the next dealt card, or after the next move."""
        if not isinstance(pending, PartialDeck):
            return builder.expand_node(pending)
        if not pending.remaining_cards:
            state = deal_state(compiled, pending.dealt_cards, dealer)
            state_transitions.begin_first_bout(state)
            return builder.expand_node(builder.start_deal(state))
        bits = [1 << code for code in bit_indices(pending.remaining_cards)]
        probability = Fraction(1, len(bits))
        return ChanceNode(
            [
                (str(card_from_bit(bit)), probability, PartialDeck((*pending.dealt_cards, bit), pending.remaining_cards ^ bit))
                for bit in bits
            ]
        )

    return PartialDeck((), sum(compiled.deck)), expand_node
