"""Defines the class `Game`: a game of Durak with its deal and its moves."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from durak_widget.atomic_files import require_path, save_text
from durak_widget.cards import SUITS, Card, CardSet, bit_indices, card_from_bit
from durak_widget.engine import game_record, position_notation, state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.game_record import DealRecord, ParsedGame, format_game, parse_game
from durak_widget.engine.history import GameHistory, Pairs
from durak_widget.engine.illegal_move_reasons import find_refusal
from durak_widget.engine.moves import IllegalMove, Move
from durak_widget.engine.observation import Observation, PlayedMove, observe_state
from durak_widget.engine.position_setup import parse_deck, set_up_position
from durak_widget.engine.state import State, deal_state, shuffle_deck
from durak_widget.errors import GameTextError, PositionError, RulesError, as_whole_number, short_repr
from durak_widget.i18n import get_default_language
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.cards import CardsLike
    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.moves import Refusal
    from durak_widget.engine.observation import ObservationData
    from durak_widget.engine.table_svg import Picture
    from durak_widget.rules.scoring import Outcome


class Game:
    """A game of Durak, which begins with a deal or a position and records every move.

    >>> game = Game(Rules(players=2), seed=7)
    >>> game.actor, game.trump, [str(move) for move in game.legal_moves()][:2]
    (0, 'h', ['attack Jc', 'attack 9d'])
    >>> game.play("attack Jc")
    >>> game.play("beat Jc 9h")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    durak_widget.engine.moves.IllegalMove: Seat 1 doesn't have 9h. Seat 1's hand is Ac 7d Jd 7s 8s Ts. Seat 1 can play: beat Jc Ac, take
    """

    __slots__ = ("_first_observations", "_history", "_origin", "_redo_moves", "_rules", "_seed", "_start_state", "_state")

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: int | str | None = None,
        deck: CardsLike | None = None,
        dealer: int = 0,
        first_attacker: int | None = None,
    ) -> None:
        """Deal a game from a shuffled deck, or from a deck in the given order (first card on top).

        The same seed shuffles the same deck. `first_attacker` is for the next game of a match; otherwise the rules and the cards decide
        who begins.
        """
        compiled = compile_rules(Rules.coerce(rules))
        dealer = _require_seat(compiled, dealer, "dealer=")
        if deck is None:
            if seed is None:
                seed = Random().getrandbits(32)
            seed = require_seed(seed)
            bits = shuffle_deck(compiled, seed)
        else:
            if seed is not None:
                raise PositionError("a deck in a given order is not shuffled; give either seed or deck, not both")
            bits = parse_deck(compiled, deck)
        state = deal_state(compiled, bits, dealer)
        if first_attacker is not None:
            state.attacker = first_attacker = _require_seat(compiled, first_attacker, "first_attacker=")
        state_transitions.begin_first_bout(state)
        self._seed = seed
        self._origin: DealRecord | State | str = DealRecord(bits, dealer, first_attacker)
        self._start_game(state)

    def _start_game(self, state: State) -> None:
        """Set the fields of a game that begins in the given state."""
        self._rules, self._state, self._start_state = state.compiled_rules.rules, state, state.copy()
        self._history = GameHistory(state.compiled_rules.player_count)
        self._redo_moves: list[Move] = []
        self._first_observations: dict[tuple[int, bool], ObservationData] = {}

    @classmethod
    def from_position(
        cls,
        rules: Rules | str | None = None,
        *,
        hands: Sequence[CardsLike],
        trump: str | None = None,
        attacker: int = 0,
        talon: CardsLike = "",
        turn_up: str | Card | None = None,
        table: str | Iterable[tuple[str | Card, str | Card | None]] = "",
        discard: CardsLike = "",
        throwers_passed: Iterable[int] = (),
        taking: bool = False,
        bout: int = 2,
    ) -> Game:
        """Return a game that begins from a given position, which may lack cards of the deck.

        Write the talon from the top, and include the turn-up. The table `7d/9d 7s` means: 7d is beaten by 9d, and 7s is not beaten.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s")
        >>> game.actor, [str(move) for move in game.legal_moves()]
        (1, ['beat 7s 9h', 'beat 7s Ts', 'take'])
        """
        position = set_up_position(
            compile_rules(Rules.coerce(rules)),
            hands=hands,
            trump_suit=trump,
            attacker=attacker,
            talon=talon,
            turn_up=turn_up,
            table=table,
            discard=discard,
            throwers_passed=throwers_passed,
            taking=taking,
            bout=bout,
        )
        game = cls.__new__(cls)
        game._seed, game._origin = None, position.copy()
        state_transitions.resume_position(position)
        game._start_game(position)
        return game

    @classmethod
    def from_position_line(cls, text: str) -> Game:
        """Return a game that begins from a position written as one line of text; see `position`.

        >>> game = Game.from_position_line("6c 7c | 9h Ts; trump h; table 7d/9d 7s")
        >>> game.actor, [str(move) for move in game.legal_moves()]
        (1, ['beat 7s 9h', 'beat 7s Ts', 'take'])
        """
        game = cls.from_state(state := position_notation.parse_position(text))
        if state.actor is None:
            game._origin = text
        return game

    @classmethod
    def from_state(cls, state: State) -> Game:
        """Return a game that begins, without earlier moves, from a given full state.

        >>> game = Game.from_position_line("6c 7c | 9h Ts; trump h"); game.play("attack 6c")
        >>> Game.from_state(game.state).position == game.position, Game.from_state(game.state).moves
        (True, ())
        """
        state = state.copy()
        state.ply, state.bout_ends, state.swap_draws = 0, [], ()
        game = cls.__new__(cls)
        # Format the starting position as text only when a caller needs the text.
        game._seed, game._origin = None, ""
        game._start_game(state)
        return game

    @property
    def position(self) -> str:
        """Return the current position, without its history, as one line of text.

        `Game.from_position_line` reads the line.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h")
        >>> game.play("attack 6c"); game.position
        '7c | 9h Ts; trump h; table 6c; since 0 +6c |'
        >>> Game.from_position_line(game.position).legal_moves() == game.legal_moves()
        True
        """
        if self._state.actor is None:
            raise PositionError("the game is over, so it has no position to play on from; str(game) has the whole game")
        return position_notation.format_position(self._state)

    # --- Properties that describe the cards ---

    @property
    def rules(self) -> Rules:
        """Return the rule set of this game."""
        return self._rules

    @property
    def seed(self) -> int | str | None:
        """Return the seed of the shuffle; None if the caller gave the deck or a position."""
        return self._seed

    @property
    def seats(self) -> int:
        """Return the number of seats, which is the number of players at the start of the game."""
        return self._state.compiled_rules.player_count

    @property
    def dealer(self) -> int:
        """Return the seat of the dealer; 0 if the game begins from a position."""
        return self._origin.dealer if isinstance(self._origin, DealRecord) else 0

    @property
    def was_opener_chosen_by_cards(self) -> bool:
        """Return whether the rules and the dealt cards decided who attacks first.

        In other games the caller, a match or a position decided it.
        """
        return isinstance(self._origin, DealRecord) and self._origin.first_attacker is None

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """Return the cards in each seat's hand."""
        return tuple(CardSet.from_mask(hand) for hand in self._state.hands)

    @property
    def talon(self) -> tuple[Card, ...]:
        """Return the cards of the talon (the draw pile), top card first."""
        return tuple(card_from_bit(bit) for bit in self._state.talon)

    @property
    def table(self) -> Pairs:
        """Return the table as pairs: an attacking card, and the card that beat it (or None)."""
        return Pairs.from_codes(self._state.attacks, self._state.beats)

    @property
    def trump(self) -> str | None:
        """Return the trump suit: `c`, `d`, `h` or `s`, or None if the game has no trumps."""
        suit = self._state.trump_suit
        return None if suit is None else SUITS[suit]

    @property
    def turn_up(self) -> Card | None:
        """Return the face-up card that shows the trump suit; None if no such card is left."""
        return card_from_bit(self._state.turn_up) if self._state.turn_up else None

    @property
    def card_aside(self) -> Card | None:
        """Return the one card that has been out of play since the deal; None if all are in play."""
        return card_from_bit(self._state.card_aside) if self._state.card_aside else None

    @property
    def discard(self) -> CardSet:
        """Return the cards in the discard pile."""
        return CardSet.from_mask(self._state.discard)

    # --- Properties that describe the seats and the bout ---

    @property
    def actor(self) -> int | None:
        """Return the seat whose turn it is; None when the game is over."""
        return self._state.actor

    @property
    def attacker(self) -> int:
        """Return the attacking seat, which opened the bout or transferred the attack last."""
        return self._state.attacker

    @property
    def defender(self) -> int:
        """Return the seat that defends in the current bout."""
        return self._state.defender

    @property
    def bout(self) -> int:
        """Return the number of the current bout, counted from 1."""
        return self._state.bout

    @property
    def limit(self) -> int:
        """Return the maximum number of attacking cards in the current bout."""
        return self._state.limit

    @property
    def taking(self) -> bool:
        """Return whether the defender has already decided to take the cards in this bout."""
        return self._state.taking

    @property
    def throwers_passed(self) -> tuple[int, ...]:
        """Return the seats that have passed and are not asked again to throw in."""
        return tuple(bit_indices(self._state.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that are still in the game."""
        return tuple(bit_indices(self._state.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """Return the seats that have left the game, in the order in which they left it."""
        return self._state.places

    @property
    def swap_counts(self) -> tuple[int, ...]:
        """Return how often each seat has swapped cards with the talon in this game."""
        return self._state.swap_counts

    @property
    def outcome(self) -> Outcome | None:
        """Return the result of the game; None while the game is not over."""
        return self._state.outcome

    @property
    def state(self) -> State:
        """Return a copy of the full state, which a solver or a search may change.

        >>> game = Game(seed=7)
        >>> game.state.hands[0] == game.hands[0].mask
        True
        """
        return self._state.copy()

    # --- Making moves and undoing them ---

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat whose turn it is, always in the same order.

        The tuple is empty after the end of the game.

        >>> Game.from_position(hands=["6c", "7c 8d"], table="7d").legal_moves()
        (Move('beat 7d 8d'), Move('take'))
        """
        state = self._state
        legal = state.legal_moves
        if legal is None:
            legal = state.legal_moves = _MOVE_GENERATORS[state.phase](state)
        return legal

    def play(self, move: Move | str) -> None:
        """Make a move, given as a `Move` or as text such as `attack 6c`.

        If the move is illegal, the method raises an `IllegalMove` with the reason, and the game does not change.

        >>> game = Game.from_position(hands=["6c", "7c 8d"])
        >>> game.play("attack 6c")
        >>> game.play("beat 6c 8d")
        Traceback (most recent call last):
        durak_widget.engine.moves.IllegalMove: 8d doesn't beat 6c: the suits are different, and diamonds aren't trumps (this game has no trumps). Seat 1 can play: beat 6c 7c, take
        """
        state = self._state
        if move.__class__ is not Move:
            move = Move(move)
        legal = state.legal_moves
        if legal is None:
            legal = state.legal_moves = _MOVE_GENERATORS[state.phase](state)
        if move not in legal:
            refusal = find_refusal(state, move)
            assert refusal is not None  # noqa: S101 - what is not legal has a reason
            raise IllegalMove(refusal)
        if self._redo_moves:
            self._redo_moves = []
        history = self._history
        history.actors.append(state.actor)  # type: ignore[arg-type]
        history.moves.append(move)
        _MOVE_APPLIERS[move.kind](state, move)

    def why_not(self, move: Move | str, seat: int | None = None) -> Refusal | None:
        """Return the reason why a move is illegal for a seat now; None if the move is legal.

        Without `seat`, the question is about the seat whose turn it is.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h")
        >>> game.why_not("attack 8c").code, game.why_not("attack 7c")
        ('not_in_hand', None)
        """
        checked_seat = None if seat is None else self._check_seat(seat)
        try:
            return find_refusal(self._state, Move(move), checked_seat)
        except IllegalMove as error:
            return error.refusal

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return all moves that have been made in the game, without undone moves."""
        return tuple(self._history.moves)

    @property
    def history(self) -> tuple[PlayedMove, ...]:
        """Return all moves that have been made, each with the seat that made it."""
        return tuple(PlayedMove(seat, move.verb, move.cards) for seat, move in zip(self._history.actors, self._history.moves, strict=True))

    @property
    def last_move(self) -> PlayedMove | None:
        """Return the last move, with the seat that made it; None before the first move.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.last_move
        PlayedMove(seat=0, verb='attack', cards=(Card('Jc'),))
        """
        history = self._history
        return PlayedMove(history.actors[-1], history.moves[-1].verb, history.moves[-1].cards) if history.moves else None

    @property
    def ply(self) -> int:
        """Return the number of moves that have been made, without undone moves."""
        return len(self._history.moves)

    @property
    def last_ply(self) -> int:
        """Return the number of moves made, plus the undone moves that `redo` can make again."""
        return self.ply + len(self._redo_moves)

    def undo(self) -> Move:
        """Undo the last move and return it.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.undo(), game.ply, game.last_ply
        (Move('attack Jc'), 0, 1)
        """
        if not self.ply:
            raise IndexError("there is no move to undo: the game is at its beginning")
        move = self._history.moves[-1]
        self.goto(self.ply - 1)
        return move

    def redo(self) -> Move:
        """Make the last undone move again and return it.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); _ = game.undo(); game.redo(), game.ply
        (Move('attack Jc'), 1)
        """
        if not self._redo_moves:
            raise IndexError("there is no move to redo: no move was undone since the last move")
        move = self._redo_moves[-1]
        self.goto(self.ply + 1)
        return move

    def forget_undone(self) -> int:
        """Delete the undone moves, so that `redo` cannot make them again; return their number.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); _ = game.undo(); game.forget_undone(), game.last_ply
        (1, 0)
        """
        count, self._redo_moves = len(self._redo_moves), []
        return count

    def goto(self, ply: int) -> None:
        """Undo or redo moves until exactly `ply` moves have been made.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.goto(0); game.redo()
        Move('attack Jc')
        """
        moves = self._history.moves + self._redo_moves[::-1]
        target_ply = as_whole_number(ply)
        if target_ply is None or not 0 <= target_ply <= len(moves):
            raise IndexError(f"there is no moment {short_repr(ply)}: the game has {len(moves)} moves, so goto takes 0 to {len(moves)}")
        if target_ply < self.ply:
            self._state, self._history = self._start_state.copy(), GameHistory(self.seats)
        for move in moves[self.ply : target_ply]:
            self._history.play(self._state, move)
        self._redo_moves = moves[target_ply:][::-1]

    def __copy__(self) -> Game:
        return self.copy()

    def copy(self) -> Game:
        """Return an independent copy of the game.

        >>> game = Game(seed=7); other = game.copy()
        >>> other.play("attack Jc"); game.ply
        0
        """
        new = Game.__new__(Game)
        new._rules, new._seed, new._origin, new._start_state, new._first_observations = (
            self._rules,
            self._seed,
            self._origin,
            self._start_state,
            self._first_observations,
        )
        new._state, new._history, new._redo_moves = self._state.copy(), self._history.copy(), self._redo_moves[:]
        return new

    # --- Observing the game ---

    def view(self, seat: int, *, memory: bool = True) -> Observation:
        """Return what a seat knows; without `memory`, only its hand, the open cards and the moves.

        >>> Game(seed=7).view(0).counts
        (6, 6)
        """
        number, first_observation = self._check_seat(seat), None
        if self.ply:
            first_observation = self._first_observations.get((number, memory)) or self._observe_start(number, memory=memory)
        return Observation(observe_state(self._state, number, self._history, first_observation, memory=memory))

    def _observe_start(self, seat: int, *, memory: bool) -> ObservationData:
        """Return what a seat knew at the beginning of the game."""
        return self._first_observations.setdefault(
            (seat, memory), observe_state(self._start_state, seat, GameHistory(self.seats), None, memory=memory)
        )

    def _check_seat(self, seat: object) -> int:
        return _require_seat(self._state.compiled_rules, seat, "seat=")

    def picture(self, seat: int = 0, *, four_colors: bool = False, language: str = "en") -> Picture:
        """Return a picture of the table as one seat sees it, with text in the given language.

        A notebook displays the picture.

        >>> print(str(Game(seed=7).picture(1)).splitlines()[0])
        Player 1 attacks.
        """
        from durak_widget.engine.table_svg import Picture  # noqa: PLC0415 - drawn only when asked for

        return Picture(self.view(seat), four_colors=four_colors, language=language)

    def svg(self, seat: int = 0, *, four_colors: bool = False, language: str = "en") -> str:
        """Return a self-contained SVG picture of the table as one seat sees it.

        >>> Game(seed=7).svg(1)[:5]
        '<svg '
        """
        return self.picture(seat, four_colors=four_colors, language=language).svg

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the picture of the table that a notebook displays for a game, as seat 0 sees it."""
        return self.picture(language=get_default_language())._repr_mimebundle_(include, exclude)

    # --- Reading and writing text ---

    def __str__(self) -> str:
        beginning = position_notation.format_position(self._start_state) if self._origin == "" else self._origin
        return format_game(beginning, self._start_state, [*self._history.moves, *self._redo_moves[::-1]], self.ply)

    @classmethod
    def parse(cls, text: str) -> Game:
        """Parse the text of a whole game, or of a position in one line.

        A `GameTextError` says what is wrong, and where.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc")
        >>> Game.parse(str(game)).moves
        (Move('attack Jc'),)
        >>> Game.parse(game.position).legal_moves() == game.legal_moves()
        True
        """
        position = game_record.extract_position(text)
        parsed = parse_game(text) if position is None else ParsedGame("at", {"text": position}, game_record.GameRecord({}))
        try:
            game = parsed.build_game(cls, cls.from_position, cls.from_position_line)
        except (PositionError, RulesError) as error:  # The message already names the part of the text that is wrong
            raise GameTextError(str(error)) from None
        for written_move in parsed.moves:
            written_move.require_turn(game.actor, game.bout, game.outcome)
            try:
                game.play(written_move.move)
            except IllegalMove as error:
                raise written_move.build_error(str(error)) from None
        game.goto(parsed.find_ply(game.ply, game.outcome))
        return game

    def save(self, path: str | PathLike[str]) -> None:
        """Save the game as a text file, which `load` can read.

        The method replaces an existing file in one step. If writing fails, the old file stays unchanged.
        """
        save_text(path, str(self))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Game:
        """Load a game from a text file that `save` wrote.

        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "lesson.durak")
        ...     Game(seed=7).save(path)
        ...     Game.load(path).trump
        'h'
        """
        name = require_path(path)
        with open(name, "rb") as file:  # noqa: PTH123 - pathlib costs every import 5 ms
            data = file.read(game_record.MAX_CHARACTERS + 1)
        if len(data) > game_record.MAX_CHARACTERS:
            raise GameTextError(f"{short_repr(name)} is longer than {game_record.MAX_CHARACTERS} bytes, so it is not a saved game")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise GameTextError(f"{short_repr(name)} is not a text in UTF-8, so it is not a saved game") from None
        return cls.parse(text)

    def __repr__(self) -> str:
        status = f"{self.outcome}" if self.outcome is not None else f"seat {self.actor} to act"
        return f"<Game {str(self._rules)!r}: bout {self.bout}, ply {self.ply}, {status}>"


# `Game` reads these two tables of functions directly: another function call for each move would make games about 10 % slower.
_MOVE_APPLIERS, _MOVE_GENERATORS = state_transitions.MOVE_APPLIERS, state_transitions.MOVE_GENERATORS


def require_seed(seed: object) -> int | str:
    """Return a seed for the shuffle; raise an error unless it is a whole number or a text."""
    checked_seed = seed if isinstance(seed, str) else as_whole_number(seed)
    has_lone_surrogate = isinstance(checked_seed, str) and any("\ud800" <= character <= "\udfff" for character in checked_seed)
    if checked_seed is None or has_lone_surrogate:
        raise PositionError(f"seed must be a whole number or a text, not {short_repr(seed)}")
    return checked_seed


def _require_seat(compiled: CompiledRules, value: object, prefix: str) -> int:
    seat = as_whole_number(value)
    if seat is None or not 0 <= seat < compiled.player_count:
        raise PositionError(f"{prefix}{short_repr(value)} is not a seat; the seats are 0 to {compiled.player_count - 1}")
    return seat
