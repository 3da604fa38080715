"""A match as it lies before whoever looks at it: which moment, whose eyes, what is shown and said. What moves it is asked in `session`."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

from durak_widget.game.game import Game
from durak_widget.game.match import Match
from durak_widget.widget.helping.hints import Hints
from durak_widget.widget.playing import rivalry
from durak_widget.widget.playing.players import Players
from durak_widget.widget.playing.scene import SceneMoment, Voices, scene_of
from durak_widget.widget.playing.showing import Showing
from durak_widget.words import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from durak_widget.game.play.moves import Move
    from durak_widget.game.seen.view import View
    from durak_widget.rules.book import Rules
    from durak_widget.widget.helping.costly import Word
    from durak_widget.widget.kit.look import Look
    from durak_widget.widget.playing.players import Player
    from durak_widget.widget.playing.rivalry import Rivalry
    from durak_widget.widget.playing.scene import Scene
    from durak_widget.widget.playing.setter import Says, Setter
    from durak_widget.widget.playing.turned import Trial


class ShownMatch:
    """A match with those who play it, and the look that it is given: it shows each scene to whoever it is told to."""

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        look: Look,
        show: Callable[[Scene], object],
        seed: int | str | None = None,
    ) -> None:
        """Lay a game; nothing is shown before it is asked for by `refresh`."""
        self.lock = RLock()
        self.match = _match(game, seed)
        self.players = Players(self.game.seats, seats)
        self.look, self._show = look, show
        self.serial = 1
        """The number of the game at this table."""
        self.taken_back = False
        """Moves were taken back, to go on otherwise; nobody looks back."""
        self.waits: bool | None = None
        """Whether bots do nothing by themselves until somebody looks at the table: not before it is shown on a page, and never again after."""
        self.helped = False
        """Somebody was helped in this game, by a hint or by taking back: it counts against nobody."""
        self.late: set[int] = set()
        """The seats at which somebody sat down in the middle of this game: it counts against nobody, and who sits there has not played all of it."""
        self.begun = not self.game.last_ply
        """Whether this game was begun here: one that was laid in the middle counts against nobody."""
        self.warned = 0
        """In the game of that number it was said what help would cost."""
        self._rivalry: tuple[Hashable, Rivalry] | None = None
        """What the game of that number leads to, which is over by those moves."""
        self._scenes = 0
        self._note: dict[str, Any] | None = None
        self.setter: Setter | None = None
        self.says: Says | None = None
        """Who says on the felt what is worth saying of what was done last, instead of the coach."""
        self.trial: Trial | None = None
        """What is played once more before the match goes on."""
        self.hints = Hints()
        """The hint of which only the thought has been told."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    @property
    def can_redo(self) -> bool:
        """Whether moves were undone that can be redone."""
        return self.game.ply < self.game.last_ply

    @property
    def begins(self) -> int:
        """After how many moves that begins which is played here: what is tried again, in the middle of a game."""
        return self.trial.moment.ply if self.trial else 0

    @property
    def looking_back(self) -> bool:
        """Whether an earlier moment is looked at: the game waits, and goes on from there only after a question."""
        return self.can_redo and not self.taken_back

    def ended(self) -> Game | None:
        """The game to its end, if it is over, also where somebody looks back at it; None where it goes on, or is a task that judges otherwise."""
        if self.setter is not None or (self.game.outcome is None and not self.looking_back):
            return None
        whole = self.game.copy()
        whole.goto(whole.last_ply)
        return None if whole.outcome is None else whole

    def ahead(self) -> Move:
        """The move that was undone last."""
        return self.game.copy().redo()

    @property
    def over(self) -> bool:
        """Whether the game is over and nobody has taken moves back to play on."""
        return self.game.outcome is not None or (self.looking_back and self.ended() is not None)

    def moment(self) -> Hashable:
        """What the viewer sees now: another moment is another value."""
        return (self.serial, self.game.moves, *self.viewer())

    def acting(self) -> int | None:
        """The seat of the bot that is to act, if there is one and nobody looks back."""
        seat, rests = self.game.actor, self.looking_back or (self.setter is not None and self.setter.decided)
        if seat is None or self.players.bot(seat) is None or rests or self.players.troubles.get(seat) == "failed":
            return None
        return seat

    @property
    def left_to_bots(self) -> bool:
        """Whether bots go on with a game in which no person of this table has anything to do any more."""
        people, acting = self.players.people, self.acting()
        return acting is not None and bool(people) and not {*people} & {*self.game.view(acting).seats_in}

    def viewer(self) -> tuple[int, bool]:
        """Who sits at the bottom, and whether under backs."""
        return self.players.viewer(self.game, self.look)

    def view(self, *, stored: bool = False, remembers: bool = False) -> View:
        """What the viewer may know; `stored` with a notebook, nobody's hand where several people play. Who thinks for the seat `remembers`, whatever the table lists."""
        seat, covered = self.viewer()
        view = self.game.view(seat, memory=remembers or self.look.memory)
        view = view.covered() if covered or (stored and len(self.players.people) > 1) else view
        return view.silent() if self.players.watches(seat) else view

    def voices(self, view: View) -> Voices:
        """How things are said to whoever has this view."""
        nobody = not self.players.people or view.is_covered or self.players.watches(view.seat)
        return Voices.of(self.look.language, me=None if nobody else view.seat, people=self.players.called)

    def listener(self) -> int | None:
        """The seat of the person before the screen; None where that is nobody: others' hands lie there, or bots play among themselves."""
        seat, covered = self.viewer()
        return None if covered or seat not in self.players.people or self.players.turned(self.game, self.look) else seat

    @property
    def counts(self) -> bool:
        """Whether this game counts against an opponent: then nothing helps, before somebody wants it to count no more."""
        played = self.begun and self.game.seed is not None and len(self.players.people) == 1 and bool(self.players.called)
        return played and self.setter is None and self.trial is None and not self.helped and not self.late and self.look.hands != "open"

    @property
    def helps(self) -> bool:
        """Whether anything may help whoever sits there: no task is set, and the game counts against nobody."""
        return self.listener() is not None and self.setter is None and not self.counts

    @property
    def rival(self) -> Seat:
        """The first of the opponents who are called by their names."""
        return Seat(self.players.called[0][0])

    def turned(self) -> Mapping[str, Any] | None:
        """Where the game turned, as far as that is known; None while it goes on."""
        return None

    def words(self) -> Word | None:
        """What the coach says of the last move of whoever sits there."""
        return None

    def beside(self) -> Mapping[str, Sequence[float]] | None:
        """What has been found beside the game; None, where nobody looks for anything."""
        return None

    def refresh(self) -> None:
        """Show what there is to see."""
        self.players.turn_away(self.game, self.look, taken_back=self.taken_back)
        self.helped = self.helped or (self.look.hands == "open" and self.game.outcome is None)  # who has seen all cards has been helped
        game, view = self.game, self.view()
        self._scenes += 1
        acting, word, names = self.acting(), self.words(), self.players.names
        moment = SceneMoment(
            id=self._scenes,
            game=self.serial,
            last=game.last_ply,
            who=names,
            sits_next={seat: who for seat, who in enumerate(self.players.next_names) if who != names[seat]},
            bots={**({} if acting is None or self.waits or self.look.steps else {acting: "thinks"}), **self.players.troubles},
            undo=game.ply > self.begins,
            redo=self.can_redo,
            hint=bool(view.legal_moves()) + bool(self.hints.at(self.moment())),
            end=self.left_to_bots and not self.look.steps,
            next=str(self.ahead()) if self.looking_back and view.legal_moves() else "",
            task=self.setter,
            taken_back=self.can_redo and self.taken_back,
            waits=bool(self.waits) and acting is not None,
            beside=self.beside(),
            rivalry=self._led_to(),
            showing=Showing.of(self.players, game, self.look, acting, hides=not self._solved),
            says=self.says or (None if word is None else lambda voice: [word.said(voice)]),
            regret=word is not None and word.dear,
            review=self.turned(),
            goal=self.trial.goal if self.trial and self.trial.moment.moves == game.moves else None,
        )
        note, self._note = self._note, None
        self._show(scene_of(view, moment, self.voices(view), self.trial.match if self.trial else self.match, note))

    @property
    def _solved(self) -> bool:
        """Whether no task is set here, or it is done: then nothing is left to try, and all may be seen of a game that is over."""
        verdict = None if self.setter is None else self.setter.verdict(self.voices(self.view()).spoken)
        return self.setter is None or (verdict is not None and verdict[0] is True)

    def _led_to(self) -> Rivalry | None:
        """What a game against opponents leads to, remembered once, as soon as it is over."""
        if self.game.outcome is None or self.trial is not None or self.setter is not None or not self.players.called:
            return None
        key = self.serial, self.game.moves, self.players.names
        if self._rivalry is None or self._rivalry[0] != key:
            dealt = self.begun and self.game.seed is not None
            self._rivalry = key, rivalry.over(self.game, self.players, dealt=dealt, helped=self.helped, late=self.late)
        return self._rivalry[1]

    def tell(self, kind: str, said: list[str], **about: str) -> None:
        """Say something beside the game with the next scene."""
        self._note = {"kind": kind, "said": said, **{name: what for name, what in about.items() if what}}

    def say(self, kind: str, key: str, **facts: object) -> None:
        """Say one of the table's own sentences with the next scene."""
        self.tell(kind, self.voices(self.view()).say(f"table.{key}", **facts))

    def refuse(self, move: str, seat: int, card: str = "", on: str = "") -> None:
        """Say why not, in the words of the rules; of a hand that is covered they would tell too much."""
        view = self.view()
        refusal = None if view.is_covered else self.game.why_not(move, seat=seat)
        if refusal is not None:
            self.tell("refused", [refusal.said(voice) for voice in self.voices(view)], card=card, on=on, code=refusal.code)
        else:
            self.say("told", "stale")
        self.refresh()


def _match(game: Game | Match | Rules | str | None, seed: int | str | None) -> Match:
    return game if isinstance(game, Match) else Match.of(game if isinstance(game, Game) else Game(game, seed=seed), seed=seed)
