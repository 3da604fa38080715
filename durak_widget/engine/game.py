"""A game: the deal, the moves so far, and all questions about them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from durak_widget.atomic_files import keep_text, path_of
from durak_widget.cards import SUITS, Card, CardSet, bits_of, card_of
from durak_widget.engine import game_record, position_notation, state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.game_record import Dealt, Saved, read_game, write_game
from durak_widget.engine.history import Pairs, Story
from durak_widget.engine.illegal_move_reasons import why_not
from durak_widget.engine.moves import IllegalMove, Move
from durak_widget.engine.observation import Played, View, sight_of
from durak_widget.engine.position_setup import deck_bits, state_laid
from durak_widget.engine.state import State, dealt_state, shuffled
from durak_widget.errors import GameTextError, PositionError, RulesError, quoted, whole_number
from durak_widget.i18n import spoken
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.cards import Cards
    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.moves import Refusal
    from durak_widget.engine.observation import Sight
    from durak_widget.engine.table_svg import Picture
    from durak_widget.rules.scoring import Outcome


class Game:
    """A game of durak, from its deal or a position through its moves.

    >>> game = Game(Rules(players=2), seed=7)
    >>> game.actor, game.trump, [str(move) for move in game.legal_moves()][:2]
    (0, 'h', ['attack Jc', 'attack 9d'])
    >>> game.play("attack Jc")
    >>> game.play("beat Jc 9h")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    durak_widget.engine.moves.IllegalMove: 9h is not in the hand of seat 1, which holds ...
    """

    __slots__ = ("_beginning", "_firsts", "_rules", "_seed", "_start", "_state", "_story", "_undone")

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: int | str | None = None,
        deck: Cards | None = None,
        dealer: int = 0,
        first_attacker: int | None = None,
    ) -> None:
        """Deal a game from a shuffled deck, or from a deck in a given order, first card on top.

        The same seed shuffles the same deck. `first_attacker` is for the next game of a match; otherwise the rules and the cards decide
        who begins.
        """
        compiled = kit_of(Rules.of(rules))
        dealer = _seat(compiled, dealer, "dealer=")
        if deck is None:
            if seed is None:
                seed = Random().getrandbits(32)
            seed = checked_seed(seed)
            bits = shuffled(compiled, seed)
        else:
            if seed is not None:
                raise PositionError("a deck in a given order is not shuffled; give seed or deck, not both")
            bits = deck_bits(compiled, deck)
        state = dealt_state(compiled, bits, dealer)
        if first_attacker is not None:
            state.attacker = first_attacker = _seat(compiled, first_attacker, "first_attacker=")
        state_transitions.begin(state)
        self._seed = seed
        self._beginning: Dealt | State | str = Dealt(bits, dealer, first_attacker)
        self._begin(state)

    def _begin(self, state: State) -> None:
        self._rules, self._state, self._start = state.kit.rules, state, state.copy()
        self._story = Story(state.kit.players)
        self._undone: list[Move] = []
        self._firsts: dict[tuple[int, bool], Sight] = {}

    @classmethod
    def from_position(
        cls,
        rules: Rules | str | None = None,
        *,
        hands: Sequence[Cards],
        trump: str | None = None,
        attacker: int = 0,
        talon: Cards = "",
        turn_up: str | Card | None = None,
        table: str | Iterable[tuple[str | Card, str | Card | None]] = "",
        discard: Cards = "",
        throwers_passed: Iterable[int] = (),
        taking: bool = False,
        bout: int = 2,
    ) -> Game:
        """Return a game that begins from a position, which may lack cards of the deck.

        The talon is written from the top and includes the turn-up. The table `7d/9d 7s` means: 7d is beaten by 9d, and 7s is not beaten.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s")
        >>> game.actor, [str(move) for move in game.legal_moves()]
        (1, ['beat 7s 9h', 'beat 7s Ts', 'take'])
        """
        position = state_laid(
            kit_of(Rules.of(rules)),
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
        game._seed, game._beginning = None, position.copy()
        state_transitions.resume(position)
        game._begin(position)
        return game

    @classmethod
    def at(cls, text: str) -> Game:
        """Return a game that begins from a position written as one line; see `position`.

        >>> game = Game.at("6c 7c | 9h Ts; trump h; table 7d/9d 7s")
        >>> game.actor, [str(move) for move in game.legal_moves()]
        (1, ['beat 7s 9h', 'beat 7s Ts', 'take'])
        """
        game = cls.of(state := position_notation.read(text))
        if state.actor is None:
            game._beginning = text
        return game

    @classmethod
    def of(cls, state: State) -> Game:
        """Return a game that begins at a state; how the state arose is not in it.

        >>> game = Game.at("6c 7c | 9h Ts; trump h"); game.play("attack 6c")
        >>> Game.of(game.state).position == game.position, Game.of(game.state).moves
        (True, ())
        """
        state = state.copy()
        state.ply, state.ends, state.brought = 0, [], ()
        game = cls.__new__(cls)
        game._seed, game._beginning = None, ""  # the line of its first moment, which is written when it is needed
        game._begin(state)
        return game

    @property
    def position(self) -> str:
        """Return the moment as one line of text, from which `Game.at` begins; it has no history.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h")
        >>> game.play("attack 6c"); game.position
        '7c | 9h Ts; trump h; table 6c; since 0 +6c |'
        >>> Game.at(game.position).legal_moves() == game.legal_moves()
        True
        """
        if self._state.actor is None:
            raise PositionError("the game is over, and a position is one to play on from; str(game) keeps the whole game")
        return position_notation.line_of(self._state)

    # Cards

    @property
    def rules(self) -> Rules:
        """Return the rules of the game."""
        return self._rules

    @property
    def seed(self) -> int | str | None:
        """Return the seed that shuffled the deck; None for a given deck or a position."""
        return self._seed

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return self._state.kit.players

    @property
    def dealer(self) -> int:
        """Return the seat that dealt; seat 0 if the game begins from a position."""
        return self._beginning.dealer if isinstance(self._beginning, Dealt) else 0

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """Return the hand of each seat."""
        return tuple(CardSet.of(hand) for hand in self._state.hands)

    @property
    def talon(self) -> tuple[Card, ...]:
        """Return the cards still to be drawn, first on top."""
        return tuple(card_of(bit) for bit in self._state.talon)

    @property
    def table(self) -> Pairs:
        """Return the pairs on the table: an attacking card, and the card that beat it or None."""
        return Pairs.of(self._state.attacks, self._state.beats)

    @property
    def trump(self) -> str | None:
        """Return the trump suit, one of `cdhs`; None without trumps."""
        suit = self._state.suit
        return None if suit is None else SUITS[suit]

    @property
    def turn_up(self) -> Card | None:
        """Return the face-up card that shows the trump suit; None if it is drawn or there is none."""
        return card_of(self._state.turn_up) if self._state.turn_up else None

    @property
    def aside(self) -> Card | None:
        """Return the card that is out of play from the deal on, if there is one."""
        return card_of(self._state.aside) if self._state.aside else None

    @property
    def discard(self) -> CardSet:
        """Return the discard pile."""
        return CardSet.of(self._state.discard)

    # Seats

    @property
    def actor(self) -> int | None:
        """Return the seat to act; None when the game is over."""
        return self._state.actor

    @property
    def attacker(self) -> int:
        """Return the seat that attacks: it opened the bout, or transferred it last."""
        return self._state.attacker

    @property
    def defender(self) -> int:
        """Return the seat that defends."""
        return self._state.defender

    @property
    def bout(self) -> int:
        """Return the number of the bout, from 1."""
        return self._state.bout

    @property
    def limit(self) -> int:
        """Return the maximum number of attacking cards in this bout."""
        return self._state.limit

    @property
    def taking(self) -> bool:
        """Return whether the defender has announced to take."""
        return self._state.taking

    @property
    def throwers_passed(self) -> tuple[int, ...]:
        """Return the seats whose pass is still valid."""
        return tuple(bits_of(self._state.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that are still in the game."""
        return tuple(bits_of(self._state.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """Return the seats that are out, in the order in which they went out."""
        return self._state.places

    @property
    def swapped(self) -> tuple[int, ...]:
        """Return how often each seat has swapped cards with the talon."""
        return self._state.swapped

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return self._state.outcome

    @property
    def state(self) -> State:
        """Return a copy of the full state, for solvers and searches: you may change it.

        >>> game = Game(seed=7)
        >>> game.state.hands[0] == game.hands[0].mask
        True
        """
        return self._state.copy()

    # Moves

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat to act, in the order of the rule book.

        It is empty after the end of the game.

        >>> Game.from_position(hands=["6c", "7c 8d"], table="7d").legal_moves()
        (Move('beat 7d 8d'), Move('take'))
        """
        state = self._state
        legal = state.legal
        if legal is None:
            legal = state.legal = _LEGAL[state.phase](state)
        return legal

    def play(self, move: Move | str) -> None:
        """Make a move, given as a `Move` or as text.

        An illegal move raises an `IllegalMove` that says why, and the game does not change.

        >>> game = Game.from_position(hands=["6c", "7c 8d"])
        >>> game.play("attack 6c")
        >>> game.play("beat 6c 8d")
        Traceback (most recent call last):
        durak_widget.engine.moves.IllegalMove: 8d does not beat 6c: different suits, and diamonds are not trumps (there are none). Seat 1 may: beat 6c 7c, take
        """
        state = self._state
        if move.__class__ is not Move:
            move = Move(move)
        legal = state.legal
        if legal is None:
            legal = state.legal = _LEGAL[state.phase](state)
        if move not in legal:
            refusal = why_not(state, move)
            assert refusal is not None  # noqa: S101 - what is not legal has a reason
            raise IllegalMove(refusal)
        if self._undone:
            self._undone = []
        story = self._story
        story.actors.append(state.actor)  # type: ignore[arg-type]
        story.moves.append(move)
        _PLAYS[move.kind](state, move)

    def why_not(self, move: Move | str, seat: int | None = None) -> Refusal | None:
        """Return why the seat to act, or `seat`, may not make this move; None if it may.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h")
        >>> game.why_not("attack 8c").code, game.why_not("attack 7c")
        ('not_in_hand', None)
        """
        asker = None if seat is None else self._checked(seat)
        try:
            return why_not(self._state, Move(move), asker)
        except IllegalMove as error:
            return error.refusal

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return the moves made so far."""
        return tuple(self._story.moves)

    @property
    def course(self) -> tuple[Played, ...]:
        """Return the moves made so far, each with the seat that made it."""
        return tuple(Played(seat, move.verb, move.cards) for seat, move in zip(self._story.actors, self._story.moves, strict=True))

    @property
    def last(self) -> Played | None:
        """Return the last move with the seat that made it; None at the beginning.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.last
        Played(seat=0, verb='attack', cards=(Card('Jc'),))
        """
        story = self._story
        return Played(story.actors[-1], story.moves[-1].verb, story.moves[-1].cards) if story.moves else None

    @property
    def ply(self) -> int:
        """Return how many moves have been made."""
        return len(self._story.moves)

    @property
    def last_ply(self) -> int:
        """Return the number of moves, including those that were undone and can be redone."""
        return self.ply + len(self._undone)

    def undo(self) -> Move:
        """Take back the last move and return it.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.undo(), game.ply, game.last_ply
        (Move('attack Jc'), 0, 1)
        """
        if not self.ply:
            raise IndexError("there is no move to undo: the game stands at its beginning")
        move = self._story.moves[-1]
        self.goto(self.ply - 1)
        return move

    def redo(self) -> Move:
        """Make the last undone move again and return it.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); _ = game.undo(); game.redo(), game.ply
        (Move('attack Jc'), 1)
        """
        if not self._undone:
            raise IndexError("there is no move to redo: none was undone since the last one was made")
        move = self._undone[-1]
        self.goto(self.ply + 1)
        return move

    def forget_undone(self) -> int:
        """Drop the moves that could be redone; return how many there were.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); _ = game.undo(); game.forget_undone(), game.last_ply
        (1, 0)
        """
        count, self._undone = len(self._undone), []
        return count

    def goto(self, ply: int) -> None:
        """Go to the moment after `ply` moves, backwards or forwards; undone moves can be redone.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.goto(0); game.redo()
        Move('attack Jc')
        """
        moves = self._story.moves + self._undone[::-1]
        target_ply = whole_number(ply)
        if target_ply is None or not 0 <= target_ply <= len(moves):
            raise IndexError(f"there is no moment {quoted(ply)}: the game has {len(moves)} moves, so goto takes 0 to {len(moves)}")
        if target_ply < self.ply:
            self._state, self._story = self._start.copy(), Story(self.seats)
        for move in moves[self.ply : target_ply]:
            self._story.play(self._state, move)
        self._undone = moves[target_ply:][::-1]

    def __copy__(self) -> Game:
        return self.copy()

    def copy(self) -> Game:
        """Return an independent copy of the game.

        >>> game = Game(seed=7); other = game.copy()
        >>> other.play("attack Jc"); game.ply
        0
        """
        new = Game.__new__(Game)
        new._rules, new._seed, new._beginning, new._start, new._firsts = self._rules, self._seed, self._beginning, self._start, self._firsts
        new._state, new._story, new._undone = self._state.copy(), self._story.copy(), self._undone[:]
        return new

    # Observations

    def view(self, seat: int, *, memory: bool = True) -> View:
        """Return the view of a seat; without `memory`, only open cards and the moves.

        >>> Game(seed=7).view(0).counts
        (6, 6)
        """
        number, first_observation = self._checked(seat), None
        if self.ply:
            first_observation = self._firsts.get((number, memory)) or self._first(number, memory=memory)
        return View(sight_of(self._state, number, self._story, first_observation, memory=memory))

    def _first(self, seat: int, *, memory: bool) -> Sight:
        """Return what a seat observed when the game began."""
        return self._firsts.setdefault((seat, memory), sight_of(self._start, seat, Story(self.seats), None, memory=memory))

    def _checked(self, seat: object) -> int:
        return _seat(self._state.kit, seat, "seat=")

    def picture(self, seat: int = 0, *, four_colors: bool = False, language: str = "en") -> Picture:
        """Return a picture of the table as a seat sees it, with words in this language.

        A notebook displays it.

        >>> print(str(Game(seed=7).picture(1)).splitlines()[0])
        Player 1 attacks.
        """
        from durak_widget.engine.table_svg import Picture  # noqa: PLC0415 - drawn only when asked for

        return Picture(self.view(seat), four_colors=four_colors, language=language)

    def svg(self, seat: int = 0, *, four_colors: bool = False, language: str = "en") -> str:
        """Return the table as a seat sees it, as a self-contained SVG.

        >>> Game(seed=7).svg(1)[:5]
        '<svg '
        """
        return self.picture(seat, four_colors=four_colors, language=language).svg

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Show the game in a notebook: the picture from the first seat."""
        return self.picture(language=spoken())._repr_mimebundle_(include, exclude)

    # As text

    def __str__(self) -> str:
        beginning = position_notation.line_of(self._start) if self._beginning == "" else self._beginning
        return write_game(beginning, self._start, [*self._story.moves, *self._undone[::-1]], self.ply)

    @classmethod
    def parse(cls, text: str) -> Game:
        """Parse a whole game, or a position as one line.

        A `GameTextError` says what is wrong, and where.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc")
        >>> Game.parse(str(game)).moves
        (Move('attack Jc'),)
        >>> Game.parse(game.position).legal_moves() == game.legal_moves()
        True
        """
        position = game_record.position_in(text)
        parsed = read_game(text) if position is None else Saved("at", {"text": position}, game_record.Record({}))
        try:
            game = parsed.begun(cls, cls.from_position, cls.at)
        except (PositionError, RulesError) as error:  # its message says where: the deck, the talon, a hand
            raise GameTextError(str(error)) from None
        for written_move in parsed.moves:
            written_move.require_turn(game.actor, game.bout, game.outcome)
            try:
                game.play(written_move.move)
            except IllegalMove as error:
                raise written_move.wrong(str(error)) from None
        game.goto(parsed.ends(game.ply, game.outcome))
        return game

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game to a text file; see `load`.

        The file is replaced in one step: a failed write leaves the old file.
        """
        keep_text(path, str(self))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Game:
        """Load a game from a file; see `parse`.

        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "lesson.durak")
        ...     Game(seed=7).save(path)
        ...     Game.load(path).trump
        'h'
        """
        name = path_of(path)
        with open(name, "rb") as file:  # noqa: PTH123 - pathlib costs every import 5 ms
            data = file.read(game_record.MOST_CHARACTERS + 1)
        if len(data) > game_record.MOST_CHARACTERS:
            raise GameTextError(f"{quoted(name)} is longer than {game_record.MOST_CHARACTERS} bytes, so it is not a saved game")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise GameTextError(f"{quoted(name)} is not a text in UTF-8, so it is not a saved game") from None
        return cls.parse(text)

    def __repr__(self) -> str:
        status = f"{self.outcome}" if self.outcome is not None else f"seat {self.actor} to act"
        return f"<Game {str(self._rules)!r}: bout {self.bout}, ply {self.ply}, {status}>"


# the calls of every ply, without `state_transitions.legal_moves` and `Story.play` between: this saves a tenth of a game
_PLAYS, _LEGAL = state_transitions.PLAYS, state_transitions.LEGAL


def checked_seed(seed: object) -> int | str:
    """Require a seed that can shuffle a deck: a whole number or a text."""
    number = seed if isinstance(seed, str) else whole_number(seed)
    if number is None or (
        isinstance(number, str) and any("\ud800" <= character <= "\udfff" for character in number)
    ):  # half of a surrogate pair
        raise PositionError(f"seed={quoted(seed)} cannot shuffle; use a whole number or a text")
    return number


def _seat(kit: Kit, value: object, named: str) -> int:
    seat = whole_number(value)
    if seat is None or not 0 <= seat < kit.players:
        raise PositionError(f"{named}{quoted(value)} is not a seat; the seats are 0 to {kit.players - 1}")
    return seat
