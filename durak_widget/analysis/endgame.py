"""Solves two-player endgames exactly: their value, their best moves, and why a move loses.

With two players left and no talon, nothing is hidden from a player who remembers the cards that are gone. So
every position has a value under best play: won, drawn or lost. The module also builds a strategy that proves
the value; a checker tries every reply. It puts a line of play into words.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from durak_widget.analysis.acyclic_endgame_solver import NO_LIMIT, AcyclicEndgameSolver, TooLargeError, is_acyclic_endgame
from durak_widget.analysis.cyclic_endgame_solver import CyclicEndgameSolver
from durak_widget.analysis.position_repetition import get_next_state, remove_repetition_rule
from durak_widget.cards import add_cards
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.determinization import build_state
from durak_widget.engine.game import Game
from durak_widget.engine.moves import IllegalMove, Move
from durak_widget.engine.narration import build_played_fact
from durak_widget.engine.observation import Observation
from durak_widget.engine.outcome_wording import build_outcome_fact
from durak_widget.engine.position_notation import format_position
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.errors import DurakError, PositionError, as_whole_number, short_repr
from durak_widget.i18n import Seat, TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from durak_widget.analysis.position_repetition import BoutStarts
    from durak_widget.engine.state import State
    from durak_widget.i18n._translation import CardNaming


class EndgameSolver(Protocol):
    """The interface of endgame solvers: the methods that every such solver has."""

    @property
    def positions_searched(self) -> int:
        """Return the number of positions searched so far."""

    def can_win(self, state: State, seat: int, max_bouts: float = NO_LIMIT) -> bool:
        """Return whether a seat can force a win in `max_bouts` bouts, including the current bout."""


class EndgameSolution:
    """The solution of an endgame, found within a search budget; see `solve_endgame`.

    Slow results are computed when they are first asked for.

    >>> from durak_widget import Game
    >>> ending = solve_endgame(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h"))
    >>> ending.value, ending.best_moves, ending.bouts_to_end
    (1, (Move('attack Qh'),), 2)
    >>> {str(move): value for move, value in ending.move_values.items()}
    {'attack Qh': 1, 'attack Ks': 0}
    """

    __slots__ = (
        "_best_line",
        "_bouts_to_end",
        "_drawn_starts",
        "_move_values",
        "_quickest_moves",
        "_solver",
        "_state",
        "budget",
        "epaulettes",
        "value",
    )

    value: int | None
    """The value of the position for the seat to act: 1 won, 0 drawn, -1 lost; None if the budget was too small."""
    budget: int | None
    """The maximum number of positions to search; None for no limit."""
    epaulettes: int
    """The number of epaulettes that the fool must get for the win to count."""

    def __init__(self, state: State, solver: EndgameSolver, drawn_starts: BoutStarts, budget: int | None, epaulettes: int = 0) -> None:
        self._state, self._solver, self._drawn_starts, self.budget, self.epaulettes = state, solver, drawn_starts, budget, epaulettes
        self._move_values: dict[Move, int] | None = None
        self._quickest_moves: tuple[Move, ...] | None = None
        self._best_line: tuple[Move, ...] | None = None
        self._bouts_to_end: int | None = None
        try:
            self.value = self._value_for(state, self.seat)
        except TooLargeError:
            self.value = max(self.move_values.values(), default=None) if 1 in self.move_values.values() or self.is_fully_solved else None

    @property
    def seat(self) -> int:
        """Return the seat to act."""
        actor = self._state.actor
        assert actor is not None  # noqa: S101 - `solve_endgame` takes no game that is over
        return actor

    @property
    def positions_searched(self) -> int:
        """Return the number of positions searched so far."""
        return self._solver.positions_searched

    @property
    def game(self) -> Game:
        """Return a new game that starts at the solved position."""
        return Game.from_position_line(format_position(self._state))

    @property
    def is_fully_solved(self) -> bool:
        """Return whether the search found the values of all legal moves within the budget."""
        return len(self.move_values) == len(legal_moves(self._state))

    @property
    def move_values(self) -> dict[Move, int]:
        """Return the value, for the seat to act, of each move that was solved within the budget."""
        if self._move_values is None:
            values: dict[Move, int] = {}
            for move in legal_moves(self._state):
                with suppress(TooLargeError):
                    values[move] = self._value_for(get_next_state(self._state, move, self._drawn_starts), self.seat)
            self._move_values = values  # Stored only after the loop, so that an interrupt by the user leaves no incomplete result
        return dict(self._move_values)

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """Return the moves that keep the position's value, among those solved within the budget."""
        return tuple([move for move, value in self.move_values.items() if value == self.value])

    @property
    def quickest_moves(self) -> tuple[Move, ...]:
        """Return the best moves that win in the fewest bouts or lose in the most bouts.

        In a draw these are all best moves. Beyond the budget there are none.

        >>> from durak_widget import Game
        >>> ending = solve_endgame(Game.from_position(hands=["9c Qc Ac", "Tc Kc"], trump="h"))
        >>> ending.value, len(ending.best_moves), ending.quickest_moves
        (-1, 3, (Move('attack Ac'),))
        """
        if self._quickest_moves is None:
            try:
                is_known = self.value == 0 or self.bouts_to_end is not None
                self._quickest_moves = tuple([move for move, _ in self._optimal_moves(self._state, self.bouts_to_end)]) if is_known else ()
            except TooLargeError:
                self._quickest_moves = ()
        return self._quickest_moves

    @property
    def bouts_to_end(self) -> int | None:
        """Return how many bouts the endgame lasts if the winner hurries and the loser delays.

        It is None in a draw, or beyond the budget.
        """
        if self._bouts_to_end is None and self.value:
            winner = self.seat if self.value > 0 else self._opponent
            try:
                self._bouts_to_end = next(bouts for bouts in range(1, 10**6) if self._solver.can_win(self._state, winner, bouts))
            except TooLargeError:
                return None
        return self._bouts_to_end

    @property
    def best_line(self) -> tuple[Move, ...]:
        """Return the moves of best play to the end, where the winner hurries and the loser delays.

        In a draw the line ends where a position repeats. Beyond the budget it is empty.

        >>> from durak_widget import Game
        >>> [str(move) for move in solve_endgame(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")).best_line]
        ['attack Qh', 'take', 'attack Ks', 'beat Ks Qh']
        """
        if self._best_line is None:
            try:
                self._best_line = tuple(self._find_line())
            except TooLargeError:
                return ()
        return self._best_line

    def to_text(self, language: str = "en", *, cards: CardNaming = "words") -> str:
        """Format the best line of play as text that calls the seat to act "you".

        The text says that a player has nothing to beat a card only if that is true.

        >>> from durak_widget import Game
        >>> print(solve_endgame(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")).to_text(cards="signs"))
        You attack with Q♥︎. Player 2 takes the cards. You attack with K♠︎. Player 2 beats K♠︎ with Q♥︎. Player 2 is the fool.
        """
        if not self.best_line:
            raise self._make_too_large_error()
        return describe_line(self.game, self.best_line, language, cards)

    def prove(self, seat: int | None = None) -> Proof:
        """Return a strategy with which a seat guarantees the position's value.

        The seat is by default the one to act.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
        >>> solve_endgame(game).prove().is_valid(game)
        True
        """
        seat = self.seat if seat is None else seat
        if seat not in {self.seat, self._opponent}:
            raise PositionError(f"seat {short_repr(seat)} is not in this ending; its seats are {self.seat} and {self._opponent}")
        if self.epaulettes:
            raise PositionError("a proof shows a win without epaulettes; solve the ending without epaulettes= to get it")
        if self.value is None:
            raise self._make_too_large_error()
        try:
            return self._build_proof(seat)
        except TooLargeError:
            raise self._make_too_large_error() from None

    def _make_too_large_error(self) -> PositionError:
        if self.budget is None:
            return PositionError("this ending is too long for Python's recursion limit; try again when fewer cards are left")
        return PositionError(f"nothing is proved within a budget of {self.budget} positions; give a larger budget, or none")

    def _build_proof(self, seat: int) -> Proof:
        """Build a proof: a move for each position in which the seat may have to move."""
        assert self.value is not None  # noqa: S101 - asked only where it is known
        value = self.value if seat == self.seat else -self.value
        moves: dict[Hashable, Move] = {}
        queue: list[State | None] = [self._state] if value >= 0 else []
        visited: set[Hashable] = set()
        while queue:
            state = queue.pop()
            if state is None or state.outcome is not None or (key := state.key()) in visited:
                continue
            visited.add(key)
            if state.actor == seat:
                moves[key], next_state = self._find_value_keeping_move(state, seat, value)
                queue.append(next_state)
            else:
                queue += [get_next_state(state, move, self._drawn_starts) for move in legal_moves(state)]
        return Proof(seat, value, moves)

    def _find_value_keeping_move(self, state: State, seat: int, value: int) -> tuple[Move, State | None]:
        """Return a move that keeps the value of a position for a seat, and the next state.

        Of winning moves it is the quickest, so that no position repeats.
        """
        results = [(move, get_next_state(state, move, self._drawn_starts)) for move in legal_moves(state)]
        if not value:
            return next((move, result) for move, result in results if self._value_for(result, seat) >= 0)
        for bouts in range(1, 10**6):
            for move, result in results:
                if result is not None and self._solver.can_win(result, seat, bouts - (result.bout > state.bout)):
                    return move, result
        raise AssertionError(f"seat {seat} does not win")

    @property
    def _opponent(self) -> int:
        return self._state.attacker ^ self._state.defender ^ self.seat

    def _value_for(self, state: State | None, seat: int) -> int:
        """Return a state's value for a seat: 1 won, 0 drawn, -1 lost."""
        if state is None:
            return 0
        if self._solver.can_win(state, seat):
            return 1
        return -int(self._solver.can_win(state, self._opponent if seat == self.seat else self.seat))

    def _find_line(self) -> list[Move]:
        """Return a line of best play from the solved position to the end."""
        state: State | None = self._state
        bouts_left = self.bouts_to_end
        line: list[Move] = []
        visited: set[Hashable] = set()
        if self.value and bouts_left is None:
            raise TooLargeError
        while state is not None and state.outcome is None and state.key() not in visited:
            visited.add(state.key())
            move, next_state = self._choose_best_move(state, bouts_left)
            line.append(move)
            if bouts_left is not None and next_state is not None:
                bouts_left -= next_state.bout > state.bout
            state = next_state
        return line

    def _choose_best_move(self, state: State, bouts_left: int | None) -> tuple[Move, State | None]:
        """Return an optimal move (fastest win, slowest loss, or draw) and the state after it."""
        return next(self._optimal_moves(state, bouts_left))

    def _optimal_moves(self, state: State, bouts_left: int | None) -> Iterator[tuple[Move, State | None]]:
        """Yield the optimal moves (fastest win, slowest loss, or draw) with the states after them.

        `bouts_left` is the number of bouts to the end, or None for a draw.
        """
        winner = self.seat if self.value == 1 else self._opponent
        for move in legal_moves(state):
            result = get_next_state(state, move, self._drawn_starts)
            if bouts_left is None:
                is_optimal = not self._value_for(result, self.seat)
            elif result is None:
                is_optimal = False
            elif result.outcome is not None:
                is_optimal = self._solver.can_win(result, winner) and (state.actor == winner or bouts_left == 1)
            else:
                bouts_after = bouts_left - (result.bout > state.bout)
                is_optimal = (
                    self._solver.can_win(result, winner, bouts_after)
                    if state.actor == winner
                    else not self._solver.can_win(result, winner, bouts_after - 1)
                )
            if is_optimal:
                yield move, result

    def __repr__(self) -> str:
        verdict = {1: "won", 0: "drawn", -1: "lost", None: "not decided"}[self.value]
        return f"<EndgameSolution: {verdict} for seat {self.seat}: {self.positions_searched:,} positions searched>"


def solve_endgame(position: Game | Observation, *, budget: int | None = None, epaulettes: int = 0) -> EndgameSolution:
    """Solve a position with two players and no talon, searching at most `budget` positions.

    A view works too, as a player who remembers the cards that are gone knows the other hand. With
    `epaulettes`, a win counts only if the fool is left with that many; every other result counts as a draw.

    >>> from durak_widget import Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="678", hand_size=1), hands=["6c", "7c 8d"], attacker=1, discard="8c 6d 7d")
    >>> solve_endgame(game).value, solve_endgame(game.view(1)).best_moves
    (1, (Move('attack 7c'), Move('attack 8d')))
    >>> sixes = Game.from_position(hands=["6c 6d Kc", "Ts Qd Tc"], trump="h")
    >>> solve_endgame(sixes).best_moves == sixes.legal_moves(), solve_endgame(sixes, epaulettes=2).best_moves
    (False, (Move('attack Kc'),))
    """
    if budget is not None and ((whole := as_whole_number(budget)) is None or whole < 0):
        raise PositionError(
            f"budget must be a whole number from 0 on, or None, not {short_repr(budget)}: it is the number of positions to search"
        )
    if (epaulette_count := as_whole_number(epaulettes)) is None or not 0 <= epaulette_count <= 2:
        raise PositionError(
            f"epaulettes must be 0, 1 or 2, not {short_repr(epaulettes)}: the number of epaulettes that the fool must end with"
        )
    state, drawn_starts = remove_repetition_rule(_require_endgame(position))
    return EndgameSolution(state, make_solver(state, budget, drawn_starts, epaulette_count), drawn_starts, budget, epaulette_count)


def make_solver(state: State, budget: int | None, drawn_starts: BoutStarts = frozenset(), epaulettes: int = 0) -> EndgameSolver:
    """Return a solver for all endgames that follow from a state that has no repetition rule."""
    return (
        AcyclicEndgameSolver(state, budget)
        if is_acyclic_endgame(state) and not epaulettes
        else CyclicEndgameSolver(state, budget, drawn_starts, epaulettes)
    )


class Refutation(NamedTuple):
    """A line of play that shows why a move loses, or misses a win."""

    game: Game
    """The game just before the refuted move."""
    line: tuple[Move, ...]
    """The refuted move, and then best play, in which the winner hurries and the loser delays."""
    value: int
    """The value of the refuted move for the seat that makes it: -1 lost, 0 drawn."""

    def to_text(self, language: str = "en", *, cards: CardNaming = "words", people: tuple[tuple[int, str], ...] = ()) -> str:
        """Format the refutation as text that calls the seat that makes the move "you".

        `people` names the opponents.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 8c", "9c Kc"], trump="h")
        >>> print(refute(game, "attack 6c").to_text(cards="codes"))
        You attack with 6c. That loses. Seat 1 beats 6c with 9c. Seat 1 attacks with Kc. You have no card that beats Kc. You take the cards. You are the fool.
        """
        return describe_line(self.game, self.line, language, cards, "theory.lost" if self.value < 0 else "theory.drawn", people)

    def __str__(self) -> str:
        return self.to_text()


def refute(game: Game, move: Move | str, *, budget: int | None = None) -> Refutation:
    """Return the line of play that shows why a move loses, or why it misses a win.

    A move that wins, or that keeps a draw, is refused; so is a search beyond the `budget`.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    >>> [str(move) for move in refute(game, "attack Ks").line]
    ['attack Ks', 'beat Ks Kh', 'attack Kc', 'beat Kc Qh']
    """
    if isinstance(game, Observation):
        raise PositionError("refute needs a game, not a view, because the replies depend on the other hand; give the game")
    solution, reason = solve_endgame(game, budget=budget), game.why_not(move)
    if reason is not None:
        raise IllegalMove(reason)
    move = Move(move)
    if move not in solution.move_values:
        raise solution._make_too_large_error()
    value = solution.move_values[move]
    if value > 0 or (value == solution.value == 0):
        praise = "wins" if value > 0 else "keeps the draw"
        raise PositionError(
            f"{move} {praise}, so there is nothing to refute; the losing moves have a lower value in solve_endgame(game).move_values"
        )
    next_game = game.copy()
    next_game.play(move)
    line: tuple[Move, ...] = ()
    if next_game.outcome is None:
        line = solve_endgame(next_game, budget=budget).best_line
        if not line:
            raise solution._make_too_large_error()
    return Refutation(game.copy(), (move, *line), value)


def _require_endgame(position: Game | Observation) -> State:
    """Return the state of an endgame; raise an error if the position is not an endgame."""
    if not isinstance(position, (Game, Observation)):
        raise PositionError(f"an ending must be a game or a view, not {short_repr(position)}; set one up with Game.from_position")
    if position.outcome is not None:
        raise PositionError("the game is over, so there is nothing to solve; go back with game.undo()")
    talon = position.talon_count if isinstance(position, Observation) else len(position.talon)
    if talon:
        raise PositionError(f"the talon still has {talon} cards, but an ending has none; try again when the talon is empty")
    if len(position.seats_in) != 2:
        raise PositionError(f"{len(position.seats_in)} players are left, but an ending has two; try again when one more is out")
    return position.state if isinstance(position, Game) else _state_from_view(position)


def _state_from_view(view: Observation) -> State:
    """Return an endgame's state, given what one seat observes.

    The other player holds the unseen cards.
    """
    sight = view.data
    if sight.known_hands is None or sight.is_hand_hidden:
        raise PositionError("a view without memory does not show what the other player holds; use game.view(seat), which has its memory")
    other = next(seat for seat in view.seats_in if seat != view.seat)
    hands = [0] * len(sight.counts)
    hands[sight.seat] = sight.hand
    hands[other] = (
        add_cards(sight.known_hands[other], sight.unseen)
        if compile_rules(sight.rules).has_two_decks
        else sight.known_hands[other] | sight.unseen
    )
    if hands[other].bit_count() != sight.counts[other]:
        raise PositionError(
            "a card is set aside where this seat cannot see it, so the seat does not know the other hand; solve the ending of the game instead"
        )
    return build_state(sight, hands, ())


class Proof(NamedTuple):
    """A strategy with which one seat can force at least a certain value in an endgame."""

    seat: int
    value: int
    """The value that the strategy guarantees: 1 for a win, 0 for at least a draw; -1 means that it guarantees
    nothing."""
    move_by_position: dict[Hashable, Move]

    def is_valid(self, game: Game) -> bool:
        """Return whether the strategy guarantees the value, whatever the opponent plays.

        A repeated position counts as a draw.

        >>> from durak_widget import Game
        >>> from durak_widget.analysis import endgame
        >>> game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
        >>> proof = endgame.solve_endgame(game).prove()
        >>> proof.is_valid(game), proof._replace(move_by_position={}).is_valid(game)
        (True, False)
        """
        start, drawn_starts = remove_repetition_rule(game.state)
        current_path: set[Hashable] = set()
        checked: set[Hashable] = set()

        def is_guaranteed(state: State | None) -> bool:
            """Return whether the strategy guarantees its value if play starts at a given state."""
            if state is None:
                return self.value <= 0
            if state.outcome is not None:
                return (self.seat in state.outcome.winners) - (self.seat in state.outcome.losers) >= self.value
            key = state.key()
            if key in current_path:
                return self.value <= 0
            if key in checked:
                return True  # The check ends at the first failure, so all positions in `checked` have passed
            moves = legal_moves(state)
            if state.actor == self.seat and self.value >= 0:
                moves = tuple([move for move in moves if move == self.move_by_position.get(key)])
            current_path.add(key)
            is_good = bool(moves) and all(is_guaranteed(get_next_state(state, move, drawn_starts)) for move in moves)
            current_path.remove(key)
            checked.add(key)
            return is_good

        try:
            return is_guaranteed(start)
        except RecursionError:
            raise DurakError(
                "this proof is too long for Python's recursion limit; raise it with sys.setrecursionlimit and try again"
            ) from None


def describe_line(
    game: Game, line: Sequence[Move], language: str, cards: CardNaming, verdict: str = "", people: tuple[tuple[int, str], ...] = ()
) -> str:
    """Format a line of play as text that calls the seat with the first move "you".

    The text ends where the game ends or a position repeats. `verdict` is the key of a sentence about the
    first move. `people` names the opponents. That a player has nothing to beat a card is said only if it is
    true.

    >>> from durak_widget import Game
    >>> describe_line(Game.from_position(hands=["8c 7s", "7d Kc"], trump="h"), ["attack 8c", "beat 8c Kc", "attack 7d", "take"], "en", "codes")
    'You attack with 8c. Seat 1 beats 8c with Kc. Seat 1 attacks with 7d. You have no card that beats 7d. You take the cards. You are the fool.'
    """
    voice = Translator(language, cards=cards, own_seat=game.actor, opponent_keys=people)
    return " ".join(voice.translate(fact.key, **fact.facts) for fact in line_to_facts(game, line, verdict))


def line_to_facts(game: Game, line: Sequence[Move], verdict: str = "") -> list[TranslatableText]:
    """Return a list of translatable texts that tell a line of play event by event."""
    played, facts = game.copy(), list[TranslatableText]()
    for move in line:
        played.play(move)
        last = played.last_move
        assert last is not None  # noqa: S101 - it was made just now
        if last.verb != "pass":
            facts.append(build_played_fact(last))
        if verdict:
            facts.append(TranslatableText(verdict))
            verdict = ""
        elif last.seat == played.attacker and last.cards and played.actor == played.defender and not played.taking:
            better = played.rules.beaters(last.cards[-1], played.trump)
            if not better & played.hands[played.defender]:
                facts.append(TranslatableText("theory.unbeatable", {"who": Seat(played.defender), "card": last.cards[-1]}))
    outcome = played.outcome
    return [
        *facts,
        TranslatableText("theory.again") if outcome is None else TranslatableText("sentence", {"said": build_outcome_fact(outcome)}),
    ]
