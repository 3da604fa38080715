"""What every exercise is: a question that is answered on the page or from code, and that says why an answer is right or wrong.

An exercise needs no notebook: its page (see `page`) is made when it is first displayed.
"""

from __future__ import annotations

from abc import abstractmethod
from html import escape
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypedDict

from durak_widget.cards import Card
from durak_widget.errors import DurakError, nearest, shown
from durak_widget.game.picture import Picture
from durak_widget.game.refusal import Refusal
from durak_widget.lessons.shown import Shown
from durak_widget.words import Fact, Voice, language

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from typing_extensions import Unpack

    from durak_widget.game.game import Game

    Text = str | Mapping[str, str] | Fact | Refusal
    """Words as an author gives them: in one language, in several by their codes, or a sentence that the words know."""

_MOST_REASONS: Final = 3
"""So many reasons are read; more would not be."""


class Aside(TypedDict, total=False):
    """What may be said of every exercise besides."""

    why: Text
    """What is said once it is answered rightly."""
    language: str
    """`en`, `ru` or `lt`."""
    name: str
    """Under which its success is remembered, such as `01/what-beats-what`; without one it is not."""


class Setting(Aside, total=False):
    """The same, of an exercise about a position."""

    game: Game | None
    """The position, which is shown."""
    after: Game | None
    """The position that is shown once the answer is known."""
    seat: int | None
    """Whose eyes see it; the seat to act, if none is named."""


class Verdict(NamedTuple):
    """What became of an answer: true if it was right, and the reasons in words.

    >>> bool(Verdict(False, ("Not yet.",))), str(Verdict(True, ("Right.", "Trumps beat all else.")))
    (False, 'Right. Trumps beat all else.')
    """

    right: bool
    said: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return " ".join(self.said)


class Judged(NamedTuple):
    """What an exercise thinks of an answer, before it is put into words."""

    marks: Mapping[str, str]
    """Of single items: `right` or `wrong`."""
    why: Sequence[Text]
    """The reasons, the most telling first."""
    right: bool


class Exercise(Shown):
    """A question with an answer. See its kinds: `Pick`, `Sort`, `Choose`, `Predict`."""

    kind: ClassVar[str]

    def __init__(self, question: Text, **more: Unpack[Setting]) -> None:
        """Ask a question, about a position if one is given."""
        known = Setting.__annotations__
        for name in more:
            if name not in known:
                raise DurakError(f"{type(self).__name__} has no option {name!r}.{nearest(name, known)}")
        game, after = more.get("game"), more.get("after")
        self._question, self._why, self.name = question, more.get("why", ""), more.get("name", "")
        self._game, self._after = game and game.copy(), after and after.copy()
        self._seat = _seat(game, more.get("seat"))
        self._language = _known(more.get("language", "en"))
        self._given: list[str] = []
        self._judged: Judged | None = None
        self._shown = self._solved = False
        self._tries = 0
        self._callbacks: list[Callable[[Verdict], object]] = []

    # What each kind of exercise knows

    @abstractmethod
    def _items(self) -> Mapping[str, Text]:
        """What can be picked or ordered, in the order in which it is shown; a card has no words of its own."""

    @abstractmethod
    def _read(self, answer: object) -> list[str]:
        """An answer from code as the page would give it; a `DurakError` says what would be one."""

    @abstractmethod
    def _judge(self, given: Sequence[str]) -> Judged:
        """What is right and wrong about an answer."""

    @abstractmethod
    def _solution(self) -> list[str]:
        """A right answer."""

    # From code

    @property
    def question(self) -> str:
        """What is asked."""
        return self._text(self._question)

    @property
    def solution(self) -> list[str]:
        """A right answer, as `answer` takes it."""
        return self._solution()

    @property
    def tries(self) -> int:
        """How many answers were given since the beginning, or since `again`."""
        return self._tries

    @property
    def language(self) -> str:
        """The language in which it asks; set another, and it changes on the page too."""
        return self._language

    @language.setter
    def language(self, code: str) -> None:
        self._language = _known(code)
        self._changed()

    def answer(self, answer: object) -> Verdict:
        """Give an answer, which is shown on the page too, and hear what is right or wrong about it and why."""
        self._given = self._read(answer)
        self._judged = self._judge(self._given)
        self._tries += not self._shown
        self._solved = self._judged.right and not self._shown
        self._changed()
        verdict = self._verdict()
        for callback in tuple(self._callbacks):
            callback(verdict)
        return verdict

    def check(self) -> bool:
        """Whether the last answer was right, and the solution was not shown before."""
        return self._solved

    def reveal(self) -> str:
        """Show the solution, on the page too."""
        self._shown, self._given = True, self._solution()
        self._judged = self._judge(self._given)
        self._changed()
        return str(self._verdict())

    def again(self) -> None:
        """Begin anew."""
        self._given, self._judged, self._tries = [], None, 0
        self._shown = self._solved = False
        self._changed()

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call back with the verdict after each answer."""
        self._callbacks.append(callback)

    # In words

    @property
    def _voice(self) -> Voice:
        return Voice(self._language, me=None if self._game is None else self._seat)

    def _text(self, text: Text) -> str:
        return said(text, self._voice)

    def _verdict(self) -> Verdict:
        judged = self._judged
        if judged is None:
            return Verdict(False, ())
        head = Fact("lesson.solution" if self._shown else "lesson.right" if judged.right else "lesson.not_yet")
        reasons = [*judged.why[:_MOST_REASONS], *([self._why] if judged.right and self._why else [])]
        return Verdict(judged.right, tuple(self._text(text) for text in (head, *reasons)))

    # What is shown

    @property
    def _state(self) -> str:
        judged = self._judged
        return "" if judged is None else "shown" if self._shown else "right" if judged.right else "wrong"

    def sheet(self) -> dict[str, object]:
        """What the page shows, as plain values.

        >>> from durak_widget.lessons import Pick
        >>> Pick.beaters("Tc", of="9c Jc", trump="h").sheet()["items"]
        [['9c', ''], ['Jc', '']]
        """
        return {
            "kind": self.kind,
            "question": self.question,
            "picture": self._picture(),
            "items": [[item, self._text(text) if text else ""] for item, text in self._items().items()],
            "trump": None if self._game is None or self._game.trump is None else str(self._game.trump),
            "given": self._given,
            "marks": dict(self._judged.marks) if self._judged else {},
            "said": list(self._verdict().said),
            "state": self._state,
            "tries": self._tries,
        }

    def _picture(self) -> str:
        """The position in question, as a picture and in words; and what came of it, once that is known."""
        game = self._after if self._state in ("right", "shown") and self._after else self._game
        if game is None:
            return ""
        return Picture(game.view(self._seat).silent(), language=self._language)._repr_mimebundle_()["text/html"]

    def static(self) -> dict[str, str]:
        """The question with what can be chosen: for print, for GitHub, and where nothing is live."""
        items = [self._text(text) if text else self._voice.name(Card(item)) for item, text in self._items().items()]
        listed = "".join(f"<li>{escape(item)}</li>" for item in items)
        html = f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p>{self._picture()}<ul>{listed}</ul></div>'
        return {"text/html": html, "text/plain": "\n".join([self.question, *(f"- {item}" for item in items)])}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.question!r}, {'solved' if self._solved else f'{self._tries} tries'}>"


def said(text: Text, voice: Voice) -> str:
    """An author's words in the language of a voice; in English where the author gave no others.

    >>> said({"en": "Why?", "ru": "Почему?"}, Voice("ru")), said("Why?", Voice("ru"))
    ('Почему?', 'Why?')
    """
    if isinstance(text, Fact):
        return voice.say(text.key, **text.facts)
    if isinstance(text, Refusal):
        return text.said(voice)
    return text if isinstance(text, str) else text.get(voice.language) or text["en"]


def _known(code: str) -> str:
    language(code)  # a DurakError says which there are
    return code


def _seat(game: Game | None, seat: int | None) -> int:
    """The seat that is asked: the one to act, if none is named."""
    if game is None:
        return 0
    if seat is None:
        return game.actor or 0
    if seat not in range(len(game.hands)):
        raise DurakError(f"there is no seat {shown(seat)}; seats are counted from 0 to {len(game.hands) - 1}")
    return seat
