"""A game: the deal, the moves so far, and everything one may ask of it."""

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
    """A game of durak, from its deal or a position to wherever its moves have led.

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
        """Deal a game: from a shuffled deck (the same for the same seed), or from a deck in a given order, first card on top.

        `first_attacker` is for the next game of a match; otherwise the rules and the cards say who begins.
        """
        kit = kit_of(Rules.of(rules))
        dealer = _seat(kit, dealer, "dealer=")
        if deck is None:
            if seed is None:
                seed = Random().getrandbits(32)
            seed = checked_seed(seed)
            bits = shuffled(kit, seed)
        else:
            if seed is not None:
                raise PositionError("a deck in a given order is not shuffled; give seed or deck, not both")
            bits = deck_bits(kit, deck)
        state = dealt_state(kit, bits, dealer)
        if first_attacker is not None:
            state.attacker = first_attacker = _seat(kit, first_attacker, "first_attacker=")
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
        """A game that begins from a position, which need not hold every card of the deck.

        The talon is written from the top and includes the turn-up; the table reads `7d/9d 7s`: 7d beaten by 9d, 7s not.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s")
        >>> game.actor, [str(move) for move in game.legal_moves()]
        (1, ['beat 7s 9h', 'beat 7s Ts', 'take'])
        """
        placed = state_laid(
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
        game._seed, game._beginning = None, placed.copy()
        state_transitions.resume(placed)
        game._begin(placed)
        return game

    @classmethod
    def at(cls, text: str) -> Game:
        """A game that begins from a position written as one line; see `position`.

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
        """A game that begins at the moment of a state; how it came about is not in it.

        >>> game = Game.at("6c 7c | 9h Ts; trump h"); game.play("attack 6c")
        >>> Game.of(game.state).position == game.position, Game.of(game.state).moves
        (True, ())
        """
        state = state.copy()
        state.ply, state.ends, state.brought = 0, [], ()
        game = cls.__new__(cls)
        game._seed, game._beginning = None, ""  # the line of its first moment, which is written when somebody asks for it
        game._begin(state)
        return game

    @property
    def position(self) -> str:
        """The moment as one line of text, from which `Game.at` begins; how it came about is not in it.

        >>> game = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h")
        >>> game.play("attack 6c"); game.position
        '7c | 9h Ts; trump h; table 6c; since 0 +6c |'
        >>> Game.at(game.position).legal_moves() == game.legal_moves()
        True
        """
        if self._state.actor is None:
            raise PositionError("the game is over, and a position is one to play on from; str(game) keeps the whole game")
        return position_notation.line_of(self._state)

    # What lies where

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self._rules

    @property
    def seed(self) -> int | str | None:
        """What the deck was shuffled with; None for a given deck or a position."""
        return self._seed

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self._state.kit.players

    @property
    def dealer(self) -> int:
        """The seat that dealt; the first where the game begins from a position."""
        return self._beginning.dealer if isinstance(self._beginning, Dealt) else 0

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """The hand of each seat."""
        return tuple(CardSet.of(hand) for hand in self._state.hands)

    @property
    def talon(self) -> tuple[Card, ...]:
        """The cards still to be drawn, first on top."""
        return tuple(card_of(bit) for bit in self._state.talon)

    @property
    def table(self) -> Pairs:
        """The pairs on the table: each an attacking card and the card that beat it, or None."""
        return Pairs.of(self._state.attacks, self._state.beats)

    @property
    def trump(self) -> str | None:
        """The trump suit, one of `cdhs`; None without trumps."""
        suit = self._state.suit
        return None if suit is None else SUITS[suit]

    @property
    def turn_up(self) -> Card | None:
        """The card that lies face up and shows the trump suit; None once it has been drawn, or if there is none."""
        return card_of(self._state.turn_up) if self._state.turn_up else None

    @property
    def aside(self) -> Card | None:
        """The card that is out of play from the deal on, if there is one."""
        return card_of(self._state.aside) if self._state.aside else None

    @property
    def discard(self) -> CardSet:
        """The discard pile."""
        return CardSet.of(self._state.discard)

    # Who does what

    @property
    def actor(self) -> int | None:
        """The seat to act; None when the game is over."""
        return self._state.actor

    @property
    def attacker(self) -> int:
        """The seat that attacks: it opened the bout, or was the last to transfer it."""
        return self._state.attacker

    @property
    def defender(self) -> int:
        """The seat that defends."""
        return self._state.defender

    @property
    def bout(self) -> int:
        """The number of the bout, from 1."""
        return self._state.bout

    @property
    def limit(self) -> int:
        """The most attacking cards that may lie on the table in this bout."""
        return self._state.limit

    @property
    def taking(self) -> bool:
        """Whether the defender has said that it takes."""
        return self._state.taking

    @property
    def throwers_passed(self) -> tuple[int, ...]:
        """The seats whose pass stands."""
        return tuple(bits_of(self._state.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats that are still in the game."""
        return tuple(bits_of(self._state.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that are out, in the order in which they went."""
        return self._state.places

    @property
    def swapped(self) -> tuple[int, ...]:
        """How often each seat has swapped cards with the talon."""
        return self._state.swapped

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._state.outcome

    @property
    def state(self) -> State:
        """A copy of the whole truth, for solvers and searches: change it as you like.

        >>> game = Game(seed=7)
        >>> game.state.hands[0] == game.hands[0].mask
        True
        """
        return self._state.copy()

    # Moves

    def legal_moves(self) -> tuple[Move, ...]:
        """What the seat to act may do, in the order of the rule book; empty when the game is over.

        >>> Game.from_position(hands=["6c", "7c 8d"], table="7d").legal_moves()
        (Move('beat 7d 8d'), Move('take'))
        """
        state = self._state
        legal = state.legal
        if legal is None:
            legal = state.legal = _LEGAL[state.phase](state)
        return legal

    def play(self, move: Move | str) -> None:
        """Make a move, given as a `Move` or as text; an `IllegalMove` says why not, and nothing has changed.

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
        """The reason why the seat to act (or the seat named) may not make this move; None if it may.

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
        """The moves made so far."""
        return tuple(self._story.moves)

    @property
    def course(self) -> tuple[Played, ...]:
        """The moves made so far, each with the seat that made it."""
        return tuple(Played(seat, move.verb, move.cards) for seat, move in zip(self._story.actors, self._story.moves, strict=True))

    @property
    def last(self) -> Played | None:
        """The move that was made last, with the seat that made it; None at the beginning.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.last
        Played(seat=0, verb='attack', cards=(Card('Jc'),))
        """
        story = self._story
        return Played(story.actors[-1], story.moves[-1].verb, story.moves[-1].cards) if story.moves else None

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self._story.moves)

    @property
    def last_ply(self) -> int:
        """How many moves there are with those that were undone and can be redone."""
        return self.ply + len(self._undone)

    def undo(self) -> Move:
        """Take the last move back; it is returned.

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
        """Make the move again that was undone last; it is returned.

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
        """Drop the moves that could be redone, so that play goes on from here; how many there were is returned.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); _ = game.undo(); game.forget_undone(), game.last_ply
        (1, 0)
        """
        count, self._undone = len(self._undone), []
        return count

    def goto(self, ply: int) -> None:
        """Go to the moment after that many moves, backwards or forwards; what is undone can be redone.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc"); game.goto(0); game.redo()
        Move('attack Jc')
        """
        moves = self._story.moves + self._undone[::-1]
        to = whole_number(ply)
        if to is None or not 0 <= to <= len(moves):
            raise IndexError(f"there is no moment {quoted(ply)}: the game has {len(moves)} moves, so goto takes 0 to {len(moves)}")
        if to < self.ply:
            self._state, self._story = self._start.copy(), Story(self.seats)
        for move in moves[self.ply : to]:
            self._story.play(self._state, move)
        self._undone = moves[to:][::-1]

    def __copy__(self) -> Game:
        return self.copy()

    def copy(self) -> Game:
        """Another game that stands at the same moment and goes its own way.

        >>> game = Game(seed=7); other = game.copy()
        >>> other.play("attack Jc"); game.ply
        0
        """
        new = Game.__new__(Game)
        new._rules, new._seed, new._beginning, new._start, new._firsts = self._rules, self._seed, self._beginning, self._start, self._firsts
        new._state, new._story, new._undone = self._state.copy(), self._story.copy(), self._undone[:]
        return new

    # What a seat sees

    def view(self, seat: int, *, memory: bool = True) -> View:
        """What that seat may know; without `memory`, only what lies open and what was played.

        >>> Game(seed=7).view(0).counts
        (6, 6)
        """
        number, first = self._checked(seat), None
        if self.ply:
            first = self._firsts.get((number, memory)) or self._first(number, memory=memory)
        return View(sight_of(self._state, number, self._story, first, memory=memory))

    def _first(self, seat: int, *, memory: bool) -> Sight:
        """What a seat saw when the game began."""
        return self._firsts.setdefault((seat, memory), sight_of(self._start, seat, Story(self.seats), None, memory=memory))

    def _checked(self, seat: object) -> int:
        return _seat(self._state.kit, seat, "seat=")

    def picture(self, seat: int = 0, *, four_colors: bool = False, language: str = "en") -> Picture:
        """The table as that seat sees it, drawn, with words in that language; in a notebook it shows itself.

        >>> print(str(Game(seed=7).picture(1)).splitlines()[0])
        Player 1 attacks.
        """
        from durak_widget.engine.table_svg import Picture  # noqa: PLC0415 - drawn only when asked for

        return Picture(self.view(seat), four_colors=four_colors, language=language)

    def svg(self, seat: int = 0, *, four_colors: bool = False, language: str = "en") -> str:
        """The table as that seat sees it, as an SVG that needs nothing else.

        >>> Game(seed=7).svg(1)[:5]
        '<svg '
        """
        return self.picture(seat, four_colors=four_colors, language=language).svg

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """How a notebook shows a game: the picture from the first seat."""
        return self.picture(language=spoken())._repr_mimebundle_(include, exclude)

    # As text

    def __str__(self) -> str:
        beginning = position_notation.line_of(self._start) if self._beginning == "" else self._beginning
        return write_game(beginning, self._start, [*self._story.moves, *self._undone[::-1]], self.ply)

    @classmethod
    def parse(cls, text: str) -> Game:
        """The game that a text says: a whole game, or a position as one line; a GameTextError says what is wrong where.

        >>> game = Game(seed=7)
        >>> game.play("attack Jc")
        >>> Game.parse(str(game)).moves
        (Move('attack Jc'),)
        >>> Game.parse(game.position).legal_moves() == game.legal_moves()
        True
        """
        position = game_record.position_in(text)
        saved = read_game(text) if position is None else Saved("at", {"text": position}, game_record.Record({}))
        try:
            game = saved.begun(cls, cls.from_position, cls.at)
        except (PositionError, RulesError) as error:  # which says itself what is wrong where: the deck, the talon, a hand
            raise GameTextError(str(error)) from None
        for written in saved.moves:
            written.require_turn(game.actor, game.bout, game.outcome)
            try:
                game.play(written.move)
            except IllegalMove as error:
                raise written.wrong(str(error)) from None
        game.goto(saved.ends(game.ply, game.outcome))
        return game

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game to a file as text, in one step: a file that was there is replaced whole or stays as it was; see `load`."""
        keep_text(path, str(self))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Game:
        """Read a game from a file; see `parse`.

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
        how = f"{self.outcome}" if self.outcome is not None else f"seat {self.actor} to act"
        return f"<Game {str(self._rules)!r}: bout {self.bout}, ply {self.ply}, {how}>"


# the calls of every ply, without the steps through `state_transitions.legal_moves` and `Story.play`: a tenth of a whole game
_PLAYS, _LEGAL = state_transitions.PLAYS, state_transitions.LEGAL


def checked_seed(seed: object) -> int | str:
    """What a deck may be shuffled with: a whole number or a text."""
    number = seed if isinstance(seed, str) else whole_number(seed)
    if number is None or (isinstance(number, str) and any("\ud800" <= sign <= "\udfff" for sign in number)):  # half a sign
        raise PositionError(f"seed={quoted(seed)} cannot shuffle; use a whole number or a text")
    return number


def _seat(kit: Kit, value: object, named: str) -> int:
    seat = whole_number(value)
    if seat is None or not 0 <= seat < kit.players:
        raise PositionError(f"{named}{quoted(value)} is not a seat; the seats are 0 to {kit.players - 1}")
    return seat
