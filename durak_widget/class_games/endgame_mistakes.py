"""Finds players' mistakes in endgames, and makes puzzles from them."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis import endgame
from durak_widget.bots.bot import create_player_rng, get
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError
from durak_widget.exercises import goals
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.moves import Move

_BUDGET: Final = 5_000
_MAX_TRIED_MISTAKES: Final = 30
"""The maximum number of mistakes to examine in the search for one that makes a good puzzle."""
_MAX_MOVES: Final = 60
_SHORT_SOLUTION_MOVES: Final = 2
_OPPONENT: Final = "careful"
"""The name of the bot that plays against the student in a puzzle."""


class EndgameMistake:
    """A player's mistake in an endgame, with an explanation of why the move loses.

    A notebook displays it as a picture with sentences.

    >>> from durak_widget import lessons
    >>> print(*lessons.games().mistake().sentences[1:], sep=chr(10))
    The other player holds Q♥︎. You know that if you have counted the cards.
    You take the cards. That loses. Player 1 attacks with Q♥︎. You beat Q♥︎ with 9♣︎. You are the fool.
    """

    def __init__(self, game: Game, move: str, player: str, language: str | None = None) -> None:
        self.game = game
        """The game at the moment of the decision."""
        self.move = move
        """The move that the player chose."""
        self.player = player
        """The player who made the mistake."""
        self.language = user_defaults.get_language() if language is None else language

    @property
    def sentences(self) -> list[str]:
        """Return sentences on who made the mistake, what the opponent had, and why the move loses."""
        voice = Translator(self.language, cards="signs")
        other = next((hand for seat, hand in enumerate(self.game.hands) if seat != self._deciding_seat() and hand), ())
        sentences = [voice.translate("class.play.gave", who=self.player), voice.translate("class.play.holds", cards=tuple(other))]
        try:
            return [*sentences, endgame.refute(self.game, self.move, budget=_BUDGET).to_text(self.language, cards="signs")]
        except DurakError:  # The search proved that the move loses, but finding the moves that refute it would need too many positions
            return sentences

    def _deciding_seat(self) -> int:
        """Return the seat of the player who made the mistake."""
        seat = self.game.actor
        assert seat is not None  # noqa: S101 - somebody decided
        return seat

    def __str__(self) -> str:
        return "\n".join([str(self.game.picture(self._deciding_seat(), language=self.language)), *self.sentences])

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:  # noqa: ANN401 - formats to include or leave out
        picture = self.game.picture(self._deciding_seat(), language=self.language)._repr_mimebundle_()
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        return {"text/plain": str(self), "text/html": picture["text/html"] + paragraphs}


class EndgameWin(NamedTuple):
    """A sequence of moves that wins an endgame against the bot in a puzzle."""

    solution: list[Move]
    """The moves of the player who wins."""
    winning_move_share: Fraction
    """The fraction of legal first moves with which the player can still win."""
    is_tempting: bool
    """True if the player would not win by always playing the cheapest card."""

    @property
    def rank(self) -> tuple[bool, bool, Fraction]:
        """Return a sort key that is higher for endgames that make better puzzles."""
        return self.is_tempting, len(self.solution) > _SHORT_SOLUTION_MOVES, -self.winning_move_share


def find_endgame_win(game: Game) -> EndgameWin | None:
    """Find winning moves for the player who has to move; return None if there are none.

    Return None where they can't, where every move wins, or where the search does not find it.
    """
    seat, ending = game.actor, endgame.solve_endgame(game, budget=_BUDGET)
    if seat is None or ending.value != 1 or not ending.is_fully_solved or len(ending.best_moves) == len(ending.move_values):
        return None
    solution = _play_out_win(game, seat, takes_quickest_win=True)
    cheaply = _play_out_win(game, seat, takes_quickest_win=False)
    return EndgameWin(solution, Fraction(len(ending.best_moves), len(ending.move_values)), cheaply is None) if solution else None


def _play_out_win(game: Game, seat: int, *, takes_quickest_win: bool) -> list[Move] | None:
    """Return a seat's winning moves against the bot in a puzzle; None if they don't win.

    With `takes_quickest_win`, the seat plays the quickest win; otherwise, it plays cheap cards.
    """
    opponent, game, own_moves = get(_OPPONENT), game.copy(), list[Any]()
    for _ in range(_MAX_MOVES):
        if game.outcome is not None or game.actor is None:
            break
        move = opponent.choose(game.view(game.actor), create_player_rng(0, game.actor))
        if game.actor == seat:
            if takes_quickest_win:
                best = endgame.solve_endgame(game, budget=_BUDGET).quickest_moves
                if not best:
                    return None
                move = best[0]
            own_moves.append(move)
        game.play(move)
    return own_moves if game.outcome is not None and seat in game.outcome.winners else None


def make_puzzle(mistakes: Sequence[EndgameMistake], **options: Any) -> Position | None:  # noqa: ANN401 - what a Position takes
    """Make a puzzle from one of `mistakes` in endgames that the player could have won.

    It takes the one whose win is hardest to see. The first mistake comes last, because the reader may have looked at it already.
    """
    candidates: list[tuple[tuple[object, ...], int, Game, EndgameWin, EndgameMistake]] = []
    for number, mistake in enumerate(mistakes[:_MAX_TRIED_MISTAKES]):
        game = Game.from_position_line(mistake.game.position)
        win = find_endgame_win(game)
        if win is not None:
            candidates.append(((number > 0, *win.rank), -number, game, win, mistake))
    if not candidates:
        return None
    _, _, game, win, mistake = max(candidates, key=itemgetter(0, 1))
    opponents = {seat: _OPPONENT for seat in range(game.seats) if seat != game.actor}
    solution = [str(move) for move in win.solution]
    return Position(
        game,
        goals.get_out(),
        solution=solution,
        others=opponents,
        why=TranslatableText("class.play.gave", {"who": mistake.player}),
        **{"hands": "open", **options},
    )
