"""Solves two-player endgames exactly: value, best moves, and why a losing move loses.

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
    """Interface of the endgame solvers."""

    @property
    def looked(self) -> int:
        """Return the number of positions searched so far."""

    def wins(self, state: State, seat: int, within: float = NO_LIMIT) -> bool:
        """Return whether a seat can force a win within this many bouts, the current one included."""


class Ending:
    """Solution of an endgame, as far as the budget allows; `solve` makes it.

    Slow results are computed when they are first asked for.

    >>> from durak_widget import Game
    >>> ending = solve(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h"))
    >>> ending.value, ending.best, ending.bouts
    (1, (Move('attack Qh'),), 2)
    >>> {str(move): value for move, value in ending.moves.items()}
    {'attack Qh': 1, 'attack Ks': 0}
    """

    __slots__ = ("_bouts", "_drawn", "_line", "_moves", "_quickest", "_solver", "_start", "budget", "epaulettes", "value")

    value: int | None
    """Value for the seat to act: 1 won, 0 drawn, -1 lost; None if the budget was too small."""
    budget: int | None
    """Maximum number of positions to search; None for no limit."""
    epaulettes: int
    """Number of epaulettes that the fool must be left with for a win to count."""

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
        """Return the seat to act."""
        actor = self._start.actor
        assert actor is not None  # noqa: S101 - `solve` takes no game that is over
        return actor

    @property
    def looked(self) -> int:
        """Return the number of positions searched so far."""
        return self._solver.looked

    @property
    def game(self) -> Game:
        """Return the position as a game that continues from it."""
        return Game.at(line_of(self._start))

    @property
    def proved(self) -> bool:
        """Return whether the value of every move is known."""
        return len(self.moves) == len(legal_moves(self._start))

    @property
    def moves(self) -> dict[Move, int]:
        """Return the value of each move for the seat to act, as far as the budget allows."""
        if self._moves is None:
            values: dict[Move, int] = {}
            for move in legal_moves(self._start):
                with suppress(TooLargeError):
                    values[move] = self._worth(after(self._start, move, self._drawn), self.seat)
            self._moves = values  # assigned last, so that an interrupt leaves no partial result
        return dict(self._moves)

    @property
    def best(self) -> tuple[Move, ...]:
        """Return the moves that keep the value, as far as the budget allows."""
        return tuple([move for move, value in self.moves.items() if value == self.value])

    @property
    def quickest(self) -> tuple[Move, ...]:
        """Return the best moves that win in the fewest bouts, or lose in the most.

        In a draw these are all best moves. Beyond the budget there are none.

        >>> from durak_widget import Game
        >>> ending = solve(Game.from_position(hands=["9c Qc Ac", "Tc Kc"], trump="h"))
        >>> ending.value, len(ending.best), ending.quickest
        (-1, 3, (Move('attack Ac'),))
        """
        if self._quickest is None:
            try:
                is_known = self.value == 0 or self.bouts is not None
                self._quickest = tuple([move for move, _ in self._good(self._start, self.bouts)]) if is_known else ()
            except TooLargeError:
                self._quickest = ()
        return self._quickest

    @property
    def bouts(self) -> int | None:
        """Return the number of bouts to the end, if the winner hurries and the loser delays.

        It is None in a draw, or beyond the budget.
        """
        if self._bouts is None and self.value:
            winner = self.seat if self.value > 0 else self._other
            try:
                self._bouts = next(bouts for bouts in range(1, 10**6) if self._solver.wins(self._start, winner, bouts))
            except TooLargeError:
                return None
        return self._bouts

    @property
    def line(self) -> tuple[Move, ...]:
        """Return best play to the end: the winner hurries, the loser delays.

        In a draw the line ends where a position repeats. Beyond the budget it is empty.

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
        """Return the line as text, addressed to the seat to act.

        The text says that a player has nothing to beat a card only if that is true.

        >>> from durak_widget import Game
        >>> print(solve(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")).said(cards="signs"))
        You attack with Q♥︎. Player 2 takes. You attack with K♠︎. Player 2 beats K♠︎ with Q♥︎. Player 2 is the fool.
        """
        if not self.line:
            raise self._too_large()
        return retold(self.game, self.line, language, cards)

    def proof(self, seat: int | None = None) -> Proof:
        """Return a strategy that guarantees a seat the value; see `Proof.holds`.

        The seat is by default the one to act.

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
        value = self.value if seat == self.seat else -self.value
        moves: dict[Hashable, Move] = {}
        queue: list[State | None] = [self._start] if value >= 0 else []
        visited: set[Hashable] = set()
        while queue:
            state = queue.pop()
            if state is None or state.outcome is not None or (key := state.key()) in visited:
                continue
            visited.add(key)
            if state.actor == seat:
                moves[key], next_state = self._kept(state, seat, value)
                queue.append(next_state)
            else:
                queue += [after(state, move, self._drawn) for move in legal_moves(state)]
        return Proof(seat, value, moves)

    def _kept(self, state: State, seat: int, worth: int) -> tuple[Move, State | None]:
        """Return a move that keeps the value, and its result.

        Of winning moves it is the quickest, so that no position repeats.
        """
        results = [(move, after(state, move, self._drawn)) for move in legal_moves(state)]
        if not worth:
            return next((move, result) for move, result in results if self._worth(result, seat) >= 0)
        for bouts in range(1, 10**6):
            for move, result in results:
                if result is not None and self._solver.wins(result, seat, bouts - (result.bout > state.bout)):
                    return move, result
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
        bouts_left = self.bouts
        line: list[Move] = []
        visited: set[Hashable] = set()
        if self.value and bouts_left is None:
            raise TooLargeError
        while state is not None and state.outcome is None and state.key() not in visited:
            visited.add(state.key())
            move, next_state = self._next(state, bouts_left)
            line.append(move)
            if bouts_left is not None and next_state is not None:
                bouts_left -= next_state.bout > state.bout
            state = next_state
        return line

    def _next(self, state: State, left: int | None) -> tuple[Move, State | None]:
        """Return a best move and its result, if the end is this many bouts away (None: a draw)."""
        return next(self._good(state, left))

    def _good(self, state: State, left: int | None) -> Iterator[tuple[Move, State | None]]:
        """Yield all such moves with their results."""
        winner = self.seat if self.value == 1 else self._other
        for move in legal_moves(state):
            result = after(state, move, self._drawn)
            if left is None:
                is_optimal = not self._worth(result, self.seat)
            elif result is None:
                is_optimal = False
            elif result.outcome is not None:
                is_optimal = self._solver.wins(result, winner) and (state.actor == winner or left == 1)
            else:
                bouts_after = left - (result.bout > state.bout)
                is_optimal = (
                    self._solver.wins(result, winner, bouts_after)
                    if state.actor == winner
                    else not self._solver.wins(result, winner, bouts_after - 1)
                )
            if is_optimal:
                yield move, result

    def __repr__(self) -> str:
        verdict = {1: "won", 0: "drawn", -1: "lost", None: "not decided"}[self.value]
        return f"<Ending {verdict} for seat {self.seat}: {self.looked:,} positions looked at>"


def solve(position: Game | View, *, budget: int | None = None, epaulettes: int = 0) -> Ending:
    """Solve a position with two players and no talon, searching at most `budget` positions.

    A view works too, as a player who remembers the cards that are gone knows the other hand. With
    `epaulettes`, a win counts only if the fool is left with that many; every other result counts as a draw.

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
    if (epaulette_count := whole_number(epaulettes)) is None or not 0 <= epaulette_count <= 2:
        raise PositionError(f"epaulettes={quoted(epaulettes)} is how many the fool shall be left with: 0, 1 or 2")
    state, drawn_starts = without_end(_ending(position))
    return Ending(state, solver_for(state, budget, drawn_starts, epaulette_count), drawn_starts, budget, epaulette_count)


def solver_for(state: State, budget: int | None, drawn: Starts = frozenset(), epaulettes: int = 0) -> Solver:
    """Return a solver for all endgames that can follow from a state without a repetition rule."""
    return Duel(state, budget) if fits(state) and not epaulettes else Wandering(state, budget, drawn, epaulettes)


class Refutation(NamedTuple):
    """Line that shows why a move loses, or gives a win away."""

    game: Game
    """Game before the move."""
    line: tuple[Move, ...]
    """Move and best play after it: the winner hurries, the loser delays."""
    worth: int
    """Value of the move for the seat that makes it: -1 lost, 0 drawn."""

    def said(self, language: str = "en", *, cards: Naming = "words", people: tuple[tuple[int, str], ...] = ()) -> str:
        """Return the refutation as text, addressed to the seat that moves.

        `people` names the opponents.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 8c", "9c Kc"], trump="h")
        >>> print(refute(game, "attack 6c").said(cards="codes"))
        You attack with 6c. That loses. Seat 1 beats 6c with 9c. Seat 1 attacks with Kc. You hold nothing that beats Kc. You take. You are the fool.
        """
        return retold(self.game, self.line, language, cards, "theory.lost" if self.worth < 0 else "theory.drawn", people)

    def __str__(self) -> str:
        return self.said()


def refute(game: Game, move: Move | str, *, budget: int | None = None) -> Refutation:
    """Return why a move loses, or only draws where a win was possible.

    A move that keeps the value is refused, and so is a search beyond the `budget`.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    >>> [str(move) for move in refute(game, "attack Ks").line]
    ['attack Ks', 'beat Ks Kh', 'attack Kc', 'beat Kc Qh']
    """
    if isinstance(game, View):
        raise PositionError("a move is refuted in a game, not in a view, since the replies are the other's; give the game")
    solution, reason = solve(game, budget=budget), game.why_not(move)
    if reason is not None:
        raise IllegalMove(reason)
    move = Move(move)
    if move not in solution.moves:
        raise solution._too_large()
    value = solution.moves[move]
    if value > 0 or (value == solution.value == 0):
        praise = "wins" if value > 0 else "keeps the draw"
        raise PositionError(
            f"{move} {praise}, so there is nothing to refute; the moves that lose are those with a lower value in solve(game).moves"
        )
    next_game = game.copy()
    next_game.play(move)
    line: tuple[Move, ...] = ()
    if next_game.outcome is None:
        line = solve(next_game, budget=budget).line
        if not line:
            raise solution._too_large()
    return Refutation(game.copy(), (move, *line), value)


def _ending(position: Game | View) -> State:
    """Return the full state of an endgame; refuse any other position."""
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
    """Return the state of an endgame from a view, as the unseen cards are the other hand."""
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
    """Strategy of a seat that guarantees it at least a value in an endgame."""

    seat: int
    worth: int
    """1 for a win, 0 for at least a draw, -1 for any result."""
    moves: dict[Hashable, Move]

    def holds(self, game: Game) -> bool:
        """Return whether the strategy guarantees the value from this position against every reply.

        A repeated position counts as a draw.

        >>> from durak_widget import Game
        >>> from durak_widget.analysis import endgame
        >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
        >>> proof = endgame.solve(game).proof()
        >>> proof.holds(game), proof._replace(moves={}).holds(game)
        (True, False)
        """
        start, drawn_starts = without_end(game.state)
        current_path: set[Hashable] = set()
        checked: set[Hashable] = set()

        def is_guaranteed(state: State | None) -> bool:
            if state is None:
                return self.worth <= 0
            if state.outcome is not None:
                return (self.seat in state.outcome.winners) - (self.seat in state.outcome.losers) >= self.worth
            key = state.key()
            if key in current_path:
                return self.worth <= 0
            if key in checked:
                return True  # if it had failed, the whole check would have stopped
            moves = legal_moves(state)
            if state.actor == self.seat and self.worth >= 0:
                moves = tuple([move for move in moves if move == self.moves.get(key)])
            current_path.add(key)
            is_good = bool(moves) and all(is_guaranteed(after(state, move, drawn_starts)) for move in moves)
            current_path.remove(key)
            checked.add(key)
            return is_good

        try:
            return is_guaranteed(start)
        except RecursionError:
            raise DurakError("this proof is longer than Python follows at once; raise sys.setrecursionlimit and try again") from None


def retold(
    game: Game, line: Sequence[Move], language: str, cards: Naming, verdict: str = "", people: tuple[tuple[int, str], ...] = ()
) -> str:
    """Return a line of play as text, addressed to the seat that makes its first move.

    The text ends where the game ends or a position repeats. `verdict` is the key of a sentence about the
    first move. `people` names the opponents. That a player has nothing to beat a card is said only if it is
    true.

    >>> from durak_widget import Game
    >>> retold(Game.from_position(hands=["8c 7s", "7d Kc"], trump="h"), ["attack 8c", "beat 8c Kc", "attack 7d", "take"], "en", "codes")
    'You attack with 8c. Seat 1 beats 8c with Kc. Seat 1 attacks with 7d. You hold nothing that beats 7d. You take. You are the fool.'
    """
    voice = Voice(language, cards=cards, me=game.actor, people=people)
    return " ".join(voice.say(fact.key, **fact.facts) for fact in story(game, line, verdict))


def story(game: Game, line: Sequence[Move], verdict: str = "") -> list[Fact]:
    """Return a line of play as facts that can be put into words in any language."""
    played, facts = game.copy(), list[Fact]()
    for move in line:
        played.play(move)
        last = played.last
        assert last is not None  # noqa: S101 - it was made just now
        if last.verb != "pass":
            facts.append(done(last))
        if verdict:
            facts.append(Fact(verdict))
            verdict = ""
        elif last.seat == played.attacker and last.cards and played.actor == played.defender and not played.taking:
            better = played.rules.beaters(last.cards[-1], played.trump)
            if not better & played.hands[played.defender]:
                facts.append(Fact("theory.unbeatable", {"who": Seat(played.defender), "card": last.cards[-1]}))
    outcome = played.outcome
    return [*facts, Fact("theory.again") if outcome is None else Fact("sentence", {"said": ended(outcome)})]
