"""Solves two-player endgames exactly: the value, the best moves, and why a losing move loses.

With two players left and no talon, nothing is hidden from a player who remembers the cards that are gone. So
every position has a value under best play: won, drawn or lost. The module also builds a strategy that proves
the value; a checker tries every reply. It puts a line of play into words.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from durak_widget.analysis.acyclic_endgame_solver import NO_LIMIT, Duel, TooLargeError, fits
from durak_widget.analysis.cyclic_endgame_solver import Wandering
from durak_widget.analysis.position_repetition import after, without_end
from durak_widget.cards import plus
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.determinization import state_of
from durak_widget.engine.game import Game
from durak_widget.engine.moves import IllegalMove, Move
from durak_widget.engine.narration import done
from durak_widget.engine.observation import View
from durak_widget.engine.outcome_wording import ended
from durak_widget.engine.position_notation import line_of
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.errors import DurakError, PositionError, quoted, whole_number
from durak_widget.i18n import Fact, Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from durak_widget.analysis.position_repetition import Starts
    from durak_widget.engine.state import State
    from durak_widget.i18n._translation import Naming


class Solver(Protocol):
    """Whoever knows who wins."""

    @property
    def looked(self) -> int:
        """How many positions were looked at."""

    def wins(self, state: State, seat: int, within: float = NO_LIMIT) -> bool:
        """Whether a seat can force the win in so many bouts, the one that is on among them."""


class Ending:
    """What is known of an ending: `solve` makes one. What takes long is found when it is first asked for.

    >>> from durak_widget import Game
    >>> ending = solve(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h"))
    >>> ending.value, ending.best, ending.bouts
    (1, (Move('attack Qh'),), 2)
    >>> {str(move): value for move, value in ending.moves.items()}
    {'attack Qh': 1, 'attack Ks': 0}
    """

    __slots__ = ("_bouts", "_drawn", "_line", "_moves", "_quickest", "_solver", "_start", "budget", "epaulettes", "value")

    value: int | None
    """What it is worth to the seat to act: 1 won, 0 drawn, -1 lost; None where the budget did not suffice to say."""
    budget: int | None
    """How many positions might be looked at; None for as many as it takes."""
    epaulettes: int
    """With how many epaulettes the fool must be left for a win to be one."""

    def __init__(self, state: State, solver: Solver, drawn: Starts, budget: int | None, epaulettes: int = 0) -> None:
        self._start, self._solver, self._drawn, self.budget, self.epaulettes = state, solver, drawn, budget, epaulettes
        self._moves: dict[Move, int] | None = None
        self._quickest: tuple[Move, ...] | None = None
        self._line: tuple[Move, ...] | None = None
        self._bouts: int | None = None
        try:
            self.value = self._worth(state, self.seat)
        except TooLargeError:
            self.value = max(self.moves.values(), default=None) if 1 in self.moves.values() or self.proved else None

    @property
    def seat(self) -> int:
        """The seat to act."""
        actor = self._start.actor
        assert actor is not None  # noqa: S101 - `solve` takes no game that is over
        return actor

    @property
    def looked(self) -> int:
        """How many positions were looked at so far."""
        return self._solver.looked

    @property
    def game(self) -> Game:
        """The position, as a game that goes on from it."""
        return Game.at(line_of(self._start))

    @property
    def proved(self) -> bool:
        """Whether the value of every move is known."""
        return len(self.moves) == len(legal_moves(self._start))

    @property
    def moves(self) -> dict[Move, int]:
        """Every move with what it is worth to the seat to act, as far as the budget reached."""
        if self._moves is None:
            found: dict[Move, int] = {}
            for move in legal_moves(self._start):
                with suppress(TooLargeError):
                    found[move] = self._worth(after(self._start, move, self._drawn), self.seat)
            self._moves = found  # only now: an interrupt leaves nothing half known
        return dict(self._moves)

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that keep the value, as far as the budget reached."""
        return tuple([move for move, value in self.moves.items() if value == self.value])

    @property
    def quickest(self) -> tuple[Move, ...]:
        """Of the best moves those that win in the fewest bouts, or hold out for the most; in a draw all of them. Empty beyond the budget.

        >>> from durak_widget import Game
        >>> ending = solve(Game.from_position(hands=["9c Qc Ac", "Tc Kc"], trump="h"))
        >>> ending.value, len(ending.best), ending.quickest
        (-1, 3, (Move('attack Ac'),))
        """
        if self._quickest is None:
            try:
                known = self.value == 0 or self.bouts is not None
                self._quickest = tuple([move for move, _ in self._good(self._start, self.bouts)]) if known else ()
            except TooLargeError:
                self._quickest = ()
        return self._quickest

    @property
    def bouts(self) -> int | None:
        """In how many bouts it is over, if who wins hurries and who loses holds out; None in a draw, or beyond the budget."""
        if self._bouts is None and self.value:
            winner = self.seat if self.value > 0 else self._other
            try:
                self._bouts = next(many for many in range(1, 10**6) if self._solver.wins(self._start, winner, many))
            except TooLargeError:
                return None
        return self._bouts

    @property
    def line(self) -> tuple[Move, ...]:
        """How it goes if who wins hurries and who loses holds out; in a draw until a position comes again. None of it beyond the budget.

        >>> from durak_widget import Game
        >>> [str(move) for move in solve(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")).line]
        ['attack Qh', 'take', 'attack Ks', 'beat Ks Qh']
        """
        if self._line is None:
            try:
                self._line = tuple(self._played())
            except TooLargeError:
                return ()
        return self._line

    def said(self, language: str = "en", *, cards: Naming = "words") -> str:
        """The line in words, spoken to the seat to act; who is said to hold nothing that beats a card holds nothing.

        >>> from durak_widget import Game
        >>> print(solve(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")).said(cards="signs"))
        You attack with Q♥︎. Player 2 takes. You attack with K♠︎. Player 2 beats K♠︎ with Q♥︎. Player 2 is the fool.
        """
        if not self.line:
            raise self._too_large()
        return retold(self.game, self.line, language, cards)

    def proof(self, seat: int | None = None) -> Proof:
        """A strategy with which a seat (the one to act, if none is named) gets at least what it is worth to it; see `Proof.holds`.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
        >>> solve(game).proof().holds(game)
        True
        """
        seat = self.seat if seat is None else seat
        if seat not in {self.seat, self._other}:
            raise PositionError(f"seat {quoted(seat)} is not in this ending; seats {self.seat} and {self._other} are")
        if self.epaulettes:
            raise PositionError("what is proved is a win, whatever the fool wears; ask the ending without epaulettes for its proof")
        if self.value is None:
            raise self._too_large()
        try:
            return self._proved(seat)
        except TooLargeError:
            raise self._too_large() from None

    def _too_large(self) -> PositionError:
        if self.budget is None:
            return PositionError("this ending is longer than Python follows at once; ask again when fewer cards are left")
        return PositionError(f"nothing is proved within a budget of {self.budget} positions; give a larger one, or none")

    def _proved(self, seat: int) -> Proof:
        assert self.value is not None  # noqa: S101 - asked only where it is known
        worth = self.value if seat == self.seat else -self.value
        moves: dict[Hashable, Move] = {}
        waiting: list[State | None] = [self._start] if worth >= 0 else []
        been: set[Hashable] = set()
        while waiting:
            state = waiting.pop()
            if state is None or state.outcome is not None or (key := state.key()) in been:
                continue
            been.add(key)
            if state.actor == seat:
                moves[key], following = self._kept(state, seat, worth)
                waiting.append(following)
            else:
                waiting += [after(state, move, self._drawn) for move in legal_moves(state)]
        return Proof(seat, worth, moves)

    def _kept(self, state: State, seat: int, worth: int) -> tuple[Move, State | None]:
        """A move that keeps what the seat has; of winning ones the quickest, so that no position comes again."""
        tried = [(move, after(state, move, self._drawn)) for move in legal_moves(state)]
        if not worth:
            return next((move, found) for move, found in tried if self._worth(found, seat) >= 0)
        for bouts in range(1, 10**6):
            for move, found in tried:
                if found is not None and self._solver.wins(found, seat, bouts - (found.bout > state.bout)):
                    return move, found
        raise AssertionError(f"seat {seat} does not win")

    @property
    def _other(self) -> int:
        return self._start.attacker ^ self._start.defender ^ self.seat

    def _worth(self, state: State | None, seat: int) -> int:
        if state is None:
            return 0
        if self._solver.wins(state, seat):
            return 1
        return -int(self._solver.wins(state, self._other if seat == self.seat else self.seat))

    def _played(self) -> list[Move]:
        state: State | None = self._start
        left = self.bouts
        made: list[Move] = []
        been: set[Hashable] = set()
        if self.value and left is None:
            raise TooLargeError
        while state is not None and state.outcome is None and state.key() not in been:
            been.add(state.key())
            move, next_one = self._next(state, left)
            made.append(move)
            if left is not None and next_one is not None:
                left -= next_one.bout > state.bout
            state = next_one
        return made

    def _next(self, state: State, left: int | None) -> tuple[Move, State | None]:
        """A best move where it is over in so many bouts (None: in a draw), and what it leads to."""
        return next(self._good(state, left))

    def _good(self, state: State, left: int | None) -> Iterator[tuple[Move, State | None]]:
        """All of them, one by one."""
        winner = self.seat if self.value == 1 else self._other
        for move in legal_moves(state):
            found = after(state, move, self._drawn)
            if left is None:
                good = not self._worth(found, self.seat)
            elif found is None:
                good = False
            elif found.outcome is not None:
                good = self._solver.wins(found, winner) and (state.actor == winner or left == 1)
            else:
                rest = left - (found.bout > state.bout)
                good = self._solver.wins(found, winner, rest) if state.actor == winner else not self._solver.wins(found, winner, rest - 1)
            if good:
                yield move, found

    def __repr__(self) -> str:
        found = {1: "won", 0: "drawn", -1: "lost", None: "not decided"}[self.value]
        return f"<Ending {found} for seat {self.seat}: {self.looked:,} positions looked at>"


def solve(position: Game | View, *, budget: int | None = None, epaulettes: int = 0) -> Ending:
    """What a position is worth when two players are left and the talon is empty; at most `budget` positions are looked at.

    A view will do, since whoever remembers the cards that are gone knows the other hand. With `epaulettes` a win counts as one
    only where the fool is left with so many; whatever else comes counts as a draw.

    >>> from durak_widget import Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="678", hand_size=1), hands=["6c", "7c 8d"], attacker=1, discard="8c 6d 7d")
    >>> solve(game).value, solve(game.view(1)).best
    (1, (Move('attack 7c'), Move('attack 8d')))
    >>> sixes = Game.from_position(hands=["6c 6d Kc", "Ts Qd Tc"], trump="h")
    >>> solve(sixes).best == sixes.legal_moves(), solve(sixes, epaulettes=2).best
    (False, (Move('attack Kc'),))
    """
    if budget is not None and ((whole := whole_number(budget)) is None or whole < 0):
        raise PositionError(f"budget={quoted(budget)} is how many positions may be looked at: a whole number from 0 on, or None")
    if (worn := whole_number(epaulettes)) is None or not 0 <= worn <= 2:
        raise PositionError(f"epaulettes={quoted(epaulettes)} is how many the fool shall be left with: 0, 1 or 2")
    state, drawn = without_end(_ending(position))
    return Ending(state, solver_for(state, budget, drawn, worn), drawn, budget, worn)


def solver_for(state: State, budget: int | None, drawn: Starts = frozenset(), epaulettes: int = 0) -> Solver:
    """What knows of all endings that a state leads to who wins them; it may stand under no rule of repetition."""
    return Duel(state, budget) if fits(state) and not epaulettes else Wandering(state, budget, drawn, epaulettes)


class Refutation(NamedTuple):
    """Why a move loses, or gives a win away: how it goes on, and that in words."""

    game: Game
    """Where the move is made."""
    line: tuple[Move, ...]
    """The move, and how it goes on: who wins hurries, who loses holds out."""
    worth: int
    """What is left to the seat that makes it: -1 for nothing, 0 for a draw."""

    def said(self, language: str = "en", *, cards: Naming = "words", people: tuple[tuple[int, str], ...] = ()) -> str:
        """The refutation in words, spoken to who makes the move, where these opponents sit.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 8c", "9c Kc"], trump="h")
        >>> print(refute(game, "attack 6c").said(cards="codes"))
        You attack with 6c. That loses. Seat 1 beats 6c with 9c. Seat 1 attacks with Kc. You hold nothing that beats Kc. You take. You are the fool.
        """
        return retold(self.game, self.line, language, cards, "theory.lost" if self.worth < 0 else "theory.drawn", people)

    def __str__(self) -> str:
        return self.said()


def refute(game: Game, move: Move | str, *, budget: int | None = None) -> Refutation:
    """Why a move loses, or is only a draw where a win was to be had; a move that keeps what there is is not refuted.

    What takes more than a `budget` of positions is refused.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    >>> [str(move) for move in refute(game, "attack Ks").line]
    ['attack Ks', 'beat Ks Kh', 'attack Kc', 'beat Kc Qh']
    """
    if isinstance(game, View):
        raise PositionError("a move is refuted in a game, not in a view, since the replies are the other's; give the game")
    found, refusal = solve(game, budget=budget), game.why_not(move)
    if refusal is not None:
        raise IllegalMove(refusal)
    move = Move(move)
    if move not in found.moves:
        raise found._too_large()
    worth = found.moves[move]
    if worth > 0 or (worth == found.value == 0):
        kept = "wins" if worth > 0 else "keeps the draw"
        raise PositionError(
            f"{move} {kept}, so there is nothing to refute; the moves that lose are those with a lower value in solve(game).moves"
        )
    after_it = game.copy()
    after_it.play(move)
    line: tuple[Move, ...] = ()
    if after_it.outcome is None:
        line = solve(after_it, budget=budget).line
        if not line:
            raise found._too_large()
    return Refutation(game.copy(), (move, *line), worth)


def _ending(position: Game | View) -> State:
    """The whole truth of an ending, which must be one."""
    if not isinstance(position, (Game, View)):
        raise PositionError(f"an ending is a game or a view, not {quoted(position)}; set one up by Game.from_position")
    if position.outcome is not None:
        raise PositionError("the game is over: there is nothing left to find; go back by game.undo()")
    talon = position.talon_count if isinstance(position, View) else len(position.talon)
    if talon:
        raise PositionError(f"{talon} cards are still to be drawn, and an ending has none; ask again when the talon is empty")
    if len(position.seats_in) != 2:
        raise PositionError(f"{len(position.seats_in)} players are left, and an ending has two; ask again when one more is out")
    return position.state if isinstance(position, Game) else _seen(position)


def _seen(view: View) -> State:
    """An ending from a view: what nobody else can hold is the other hand."""
    sight = view.sight
    if sight.known is None or sight.covered:
        raise PositionError("without its memory a view does not say what the other holds; ask game.view(seat) for one with memory")
    other = next(seat for seat in view.seats_in if seat != view.seat)
    hands = [0] * len(sight.counts)
    hands[sight.seat] = sight.hand
    hands[other] = plus(sight.known[other], sight.unseen) if kit_of(sight.rules).twins else sight.known[other] | sight.unseen
    if hands[other].bit_count() != sight.counts[other]:
        raise PositionError(
            "a card lies where this seat cannot see it, so that it does not know the other hand; ask for the ending of the game"
        )
    return state_of(sight, hands, ())


class Proof(NamedTuple):
    """What a seat plays, by the key of the position under rules without repetition, so that the ending is worth at least so much to it."""

    seat: int
    worth: int
    """1 for a win, 0 for no loss, -1 for whatever comes."""
    moves: dict[Hashable, Move]

    def holds(self, game: Game) -> bool:
        """Whether it does what it says, from this position on, whatever the other side plays.

        Every reply is tried. Whoever comes back to a position has not won there, and has not lost.

        >>> from durak_widget import Game
        >>> from durak_widget.analysis import endgame
        >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
        >>> proof = endgame.solve(game).proof()
        >>> proof.holds(game), proof._replace(moves={}).holds(game)
        (True, False)
        """
        start, drawn = without_end(game.state)
        on_the_way: set[Hashable] = set()
        done: set[Hashable] = set()

        def enough(state: State | None) -> bool:
            if state is None:
                return self.worth <= 0
            if state.outcome is not None:
                return (self.seat in state.outcome.winners) - (self.seat in state.outcome.losers) >= self.worth
            key = state.key()
            if key in on_the_way:
                return self.worth <= 0
            if key in done:
                return True  # or the whole has failed already
            tried = legal_moves(state)
            if state.actor == self.seat and self.worth >= 0:
                tried = tuple([move for move in tried if move == self.moves.get(key)])
            on_the_way.add(key)
            good = bool(tried) and all(enough(after(state, move, drawn)) for move in tried)
            on_the_way.remove(key)
            done.add(key)
            return good

        try:
            return enough(start)
        except RecursionError:
            raise DurakError("this proof is longer than Python follows at once; raise sys.setrecursionlimit and try again") from None


def retold(
    game: Game, line: Sequence[Move], language: str, cards: Naming, verdict: str = "", people: tuple[tuple[int, str], ...] = ()
) -> str:
    """How a line goes to its end, or to where it repeats itself, spoken to who makes its first move, of which a verdict may be said; opponents are called by their names where `people` says who sits where.

    Who is said to hold nothing that beats a card was looked up.

    >>> from durak_widget import Game
    >>> retold(Game.from_position(hands=["8c 7s", "7d Kc"], trump="h"), ["attack 8c", "beat 8c Kc", "attack 7d", "take"], "en", "codes")
    'You attack with 8c. Seat 1 beats 8c with Kc. Seat 1 attacks with 7d. You hold nothing that beats 7d. You take. You are the fool.'
    """
    voice = Voice(language, cards=cards, me=game.actor, people=people)
    return " ".join(voice.say(fact.key, **fact.facts) for fact in story(game, line, verdict))


def story(game: Game, line: Sequence[Move], verdict: str = "") -> list[Fact]:
    """A line of play retold, before it is said in any language."""
    played, told = game.copy(), list[Fact]()
    for move in line:
        played.play(move)
        last = played.last
        assert last is not None  # noqa: S101 - it was made just now
        if last.verb != "pass":
            told.append(done(last))
        if verdict:
            told.append(Fact(verdict))
            verdict = ""
        elif last.seat == played.attacker and last.cards and played.actor == played.defender and not played.taking:
            better = played.rules.beaters(last.cards[-1], played.trump)
            if not better & played.hands[played.defender]:
                told.append(Fact("theory.unbeatable", {"who": Seat(played.defender), "card": last.cards[-1]}))
    end = played.outcome
    return [*told, Fact("theory.again") if end is None else Fact("sentence", {"said": ended(end)})]
