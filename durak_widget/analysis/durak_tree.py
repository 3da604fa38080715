"""Builds Durak as a game tree, counts its nodes in advance, or describes it as an implicit game.

All deals are at the root. What a player remembers is one number: the player's last decision, and 24 bits for
each event seen since. A player sees every move (of an opponent's swap, only that it happened) and who acts
next. They also see how each bout ended and which cards they picked up. This is all that a `View` holds, so
two memories are equal exactly when the views are equal. A player with one legal move has no decision node:
the move is made, and all players see it. Nodes are counted by visiting each different position once, because
there are far fewer positions than nodes. The implicit game deals one card after another; it is the form that
outcome-sampling MCCFR takes.
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
"""How many histories a tree may have, unless one says so."""
_DIGIT: Final = 24
"""The bits of one thing seen."""
_SWAP: Final = KINDS["swap"]
_PATIENCE: Final = 20_000
"""How many positions are looked at once it is plain that the tree is too large, in the hope of saying how large."""
_FORCED: Final = 10_000
"""More forced moves one after another than a game that ends can have."""


def build(
    rules: Rules | str | None = None,
    dealer: int = 0,
    open_hands: bool = False,  # noqa: FBT001, FBT002 - its public name
    *,
    seeing: Collection[int] = (),
    limit: int = LIMIT,
) -> Tree:
    """The game over all deals of a small deck, as a tree with chance at its root.

    With open hands only the talon is hidden; `seeing` names a seat that alone sees the other's hand.

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
    """The game as it goes on from a position, over the deals that the seats may still think of: the true one, those that a seat cannot tell from it, and so on. Any number may play.

    All are equally likely, whatever was played; but where it was `played` by a strategy of a tree of the game up to here, each is as likely as Bayes' rule has it.

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
    """How many histories the tree of the game would have, with hidden hands: counted without building it, from the positions that differ.

    >>> from durak_widget import Rules
    >>> histories(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"))
    179
    """
    return histories_of(deals_of(Rules.of(rules), dealer, 10**6), most)


def _in_a_word(rules: Rules) -> str:
    """The rules as a text that `Rules.parse` reads: the preset that they are nearest to, and what differs."""
    mine = rules.changes()
    said: list[list[str]] = []
    for preset in Rules.presets():
        known = Rules.preset(preset).changes()
        if known.keys() <= mine.keys():
            said.append([preset, *(f"{name}={value}" for name, value in mine.items() if name not in known or known[name] != value)])
    nearest = min(said, key=len)
    return ", ".join(nearest)


def _seers(seeing: Collection[int], *, open_hands: bool) -> tuple[int, ...]:
    """The seats that see the other's hand."""
    if isinstance(seeing, str) or not isinstance(seeing, Collection) or not set(seeing) <= {0, 1}:
        raise TreeError(f"seeing names seats that see the other's hand, such as seeing=[0], and not {quoted(seeing)}")
    if seeing and open_hands:
        raise TreeError("with open_hands=True both see both hands; leave seeing= out")
    return tuple(sorted(set(seeing)))


def _tree(origin: Origin, limit: int) -> Tree:
    deals, open_hands = origin.deals(limit), origin.open_hands
    draws = open_hands and len(deals) > 1
    size = histories_of(deals, limit, only_finite=draws)
    if size > limit and not draws:
        raise too_large(f"{size:,}", limit)
    build: Hidden | _Open = _Open() if open_hands else Hidden(origin.seeing)
    seen = "open" if open_hands else " and ".join(["hidden", *(f"seen by seat {seat}" for seat in origin.seeing)])
    what = f"{_in_a_word(origin.rules)}; dealer {origin.dealer}" if origin.game is None else f"from {origin.game.position}"
    weighed = "; deals weighed by what was played" if origin.played else ""
    tree = grow(deals, build.look, seats=len(deals[0].state.hands), title=f"{what}; hands {seen}{weighed}", say=build.says, limit=limit)
    tree.origin = origin
    return tree


class _Player:
    """What both ways to build have in common: moves made, and what each seat saw of them."""

    def __init__(self, sees: tuple[int, ...] = ()) -> None:
        self._sees = sees
        self._digits: dict[tuple[object, ...], int] = {}
        self._ends: dict[tuple[float, ...], End] = {}
        self._names: dict[tuple[Move, ...], tuple[str, ...]] = {}
        self._hands: dict[int, str] = {}
        self._tables: dict[tuple[object, ...], str] = {}
        self._labels: dict[int, str] = {}

    def play(self, state: State, move: Move) -> tuple[int, ...]:
        """Make a move, and say what each seat saw of it, as a digit."""
        ends, actor, seats = len(state.ends), state.actor, len(state.hands)
        PLAYS[move.kind](state, move)
        digits = self._digits
        if len(state.ends) == ends and move.kind != _SWAP:
            key = (move, state.actor)
            digit = digits.get(key)
            if digit is None:
                digit = digits[key] = len(digits) + 1
            return (digit,) * seats
        drew: list[object] = [0] * seats
        public: tuple[object, ...] = ()
        if len(state.ends) > ends:
            end = state.ends[-1]
            public = (tuple([(seat, count) for seat, count, _ in end[DREW]]), *end[DREW + 1 :])
            for seat, _, mask in end[DREW]:
                drew[seat] = plainly(mask)
        else:
            drew[actor] = plainly(state.brought[-1][2])  # type: ignore[index]
        others, sees = None if move.kind == _SWAP else move, self._sees
        seen: list[tuple[object, ...]] = [
            (move, state.actor, public, *drew) if seat in sees else (move if seat == actor else others, state.actor, public, drew[seat])
            for seat in range(seats)
        ]
        return tuple([digits.setdefault(one, len(digits) + 1) for one in seen])

    def end(self, utilities: tuple[float, ...]) -> End:
        """The end that is worth so much."""
        found = self._ends.get(utilities)
        if found is None:
            exact = [Fraction(one) for one in utilities]
            found = self._ends[utilities] = End(tuple([one if one.denominator > 1 else one.numerator for one in exact]))
        return found

    def over(self, state: State) -> End:
        """What a game that is over is worth: who makes another game of the same cards says something else here."""
        return self.end(state.outcome.utilities)  # type: ignore[union-attr]

    def names(self, legal: tuple[Move, ...]) -> tuple[str, ...]:
        """What the moves are called."""
        found = self._names.get(legal)
        if found is None:
            found = self._names[legal] = tuple(map(str, legal))
        return found

    def hand(self, mask: int) -> str:
        """A hand in words."""
        found = self._hands.get(mask)
        if found is None:
            found = self._hands[mask] = str(CardSet.of(mask)) or "nothing"
        return found

    def holding(self, state: State, seat: int, *, both: bool) -> str:
        """The hand of a seat, and those of the others where it sees them too, in words."""
        others = [who for who in range(len(state.hands)) if who != seat] if both else []
        return ", ".join([f"seat {who} holds {self.hand(state.hands[who])}" for who in (seat, *others)])

    def table(self, state: State) -> str:
        """What lies on the table, in words."""
        key = (*state.attacks, None, *state.beats, state.taking)
        found = self._tables.get(key)
        if found is None:
            taken = ", which is taken" if state.taking else ""
            found = self._tables[key] = f"table {Pairs.of(state.attacks, state.beats) or 'empty'}{taken}"
        return found

    def says(self, _seat: int, knows: Hashable) -> str:
        """What a seat has before it where it decides, by the number of what it then remembers."""
        return self._labels[knows]  # type: ignore[index]


Place = tuple["State", Union["Move", None], tuple[int, ...]]
"""A moment, the move that is to be made there, and what each seat remembers."""


class Hidden(_Player):
    """Each seat sees its own hand (or is one of those that see both), and remembers what it saw."""

    def __init__(self, sees: tuple[int, ...] = ()) -> None:
        super().__init__(sees)
        self._known: dict[Hashable, int] = {}

    def look(self, place: Place | list[Deal]) -> Turn | Draw | End:
        """What is there, forced moves made."""
        if isinstance(place, list):
            places = [(deal, self.begins(deal.state)) for deal in place]
            if len(places) == 1:
                return self.look(places[0][1])
            total = sum(deal.weight for deal in place)
            return Draw([(deal.name, Fraction(deal.weight) / Fraction(total), begun) for deal, begun in places])
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
        known = self._known
        remembers = (seat, memories[seat])
        number = known.get(remembers)
        if number is None:
            number = known[remembers] = len(known) + 1
            self._labels[number] = f"{self.holding(state, seat, both=seat in self._sees)}, {self.table(state)}"
        after = list(memories)
        after[seat] = number
        memories = tuple(after)
        return Turn(seat, number, [(name, (state, move, memories)) for name, move in zip(self.names(legal), legal)])  # noqa: B905 - one name a move

    def begins(self, state: State) -> Place:
        """Where a deal begins, each seat with what it sees then."""
        known, sees, hands = self._known, self._sees, tuple(map(plainly, state.hands))
        story = Story(len(hands))
        seen = [(sight_of(state, seat, story, None), hands if seat in sees else None) for seat in range(len(hands))]
        return state, None, tuple([known.setdefault(what, len(known) + 1) for what in seen])


def _longer(memories: tuple[int, ...], digits: tuple[int, ...]) -> tuple[int, ...]:
    """What each seat remembers, with what it has just seen."""
    if len(memories) == 2:  # as nearly always, and then this is much of what a tree takes
        (one, two), (first, second) = memories, digits
        return one << _DIGIT | first, two << _DIGIT | second
    return tuple([one << _DIGIT | digit for one, digit in zip(memories, digits, strict=True)])


def _sights(state: State) -> tuple[Sight, ...]:
    """What each seat sees where play begins."""
    return tuple([sight_of(state, seat, Story(len(state.hands)), None) for seat in range(len(state.hands))])


_Worlds = list[tuple["State", "int | Fraction"]]
"""Moments that nobody can tell apart, each with how likely it is."""


class _Open(_Player):
    """All seats see all hands, so that all that is hidden is the talon: chance draws from it when the cards are drawn."""

    def look(self, place: tuple[_Worlds, Move | None] | list[Deal]) -> Turn | Draw | End:
        """What is there, forced moves made up to the next draw."""
        if isinstance(place, list):
            begun: dict[Hashable, list[Deal]] = {}
            for deal in place:
                begun.setdefault(_sights(deal.state), []).append(deal)
            parts = [(deals[0].name if len(deals) == 1 else _begins(deals[0].state), _worlds(deals)) for deals in begun.values()]
            if len(parts) > 1:
                return _drawn(parts)
            place = parts[0][1], None
        worlds, move = place
        worlds = [(state.copy(), weight) for state, weight in worlds]
        while True:
            if move is not None:
                seen: dict[tuple[int, ...], _Worlds] = {}
                for state, weight in worlds:
                    seen.setdefault(self.play(state, move), []).append((state, weight))
                if len(seen) > 1:
                    return _drawn([(_draw(part[0][0]), part) for part in seen.values()])
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
    """Deals that lie open alike."""
    return [(deal.state, deal.weight) for deal in deals]


def _drawn(parts: list[tuple[str, _Worlds]]) -> Draw:
    """Chance decides which of these moments it is."""
    total = sum(weight for _, part in parts for _, weight in part)
    return Draw([(name, Fraction(sum(weight for _, weight in part)) / Fraction(total), (part, None)) for name, part in parts])


def _begins(state: State) -> str:
    """A deal as far as it lies open: the hands, and what is turned up."""
    hands = " | ".join(str(CardSet.of(hand)) for hand in state.hands).strip()
    return f"{hands}; turned up {card_of(state.turn_up)}" if state.turn_up else hands


def _draw(state: State) -> str:
    """What was just drawn, or came by a swap."""
    if state.ends and state.ends[-1][0] == state.ply:
        end = state.ends[-1]
        said = [f"seat {seat} draws {CardSet.of(mask)}" for seat, _, mask in end[DREW]]
        turned = end[DREW + 1]
        return ", ".join(said + [f"then {' '.join(turned)} lies open"] * bool(turned))
    _, seat, mask = state.brought[-1]
    return f"seat {seat} is given {CardSet.of(mask)}"


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

    >>> from durak_widget import gametheory
    >>> learning = gametheory.OutcomeSampling(*look_of("podkidnoy"), seats=2, seed=1).run(20)
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
