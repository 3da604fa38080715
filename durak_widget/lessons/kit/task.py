"""What is asked of a person, whatever it is: how often it was tried, whether it is solved, and in which words that is said."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.kit.refusing import RefusedError
from durak_widget.errors import DurakError, quoted
from durak_widget.game.refusal import Refusal
from durak_widget.lessons.kit.display import Displayed
from durak_widget.lessons.kit.given import name_of, text_of
from durak_widget.lessons.kit.progress import checked_name, remembered
from durak_widget.lessons.kit.series import CHALLENGE
from durak_widget.words import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.lessons.kit.given import Text

_NUMBER: Final = 8
"""So long may the number of an exercise be."""


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


class Task(Displayed):
    """Something to be done, on the page or from code."""

    def __init__(self, *, why: Text, name: str, language: str | None, number: int | str = "") -> None:
        super().__init__(language)
        self._why, self.name = text_of(why), checked_name(name) if name else ""
        self._number = str(text_of(name_of(number)))[:_NUMBER]
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._keeps = False
        self.caution: Text = ""
        """What is to be said besides of an answer that is kept."""
        self.closed = False
        """Whether no other answer can be given any more, as when it is marked."""
        self.to_answer = "lesson.picture"
        """The words for what is to be run where nothing is live."""
        self._forget()

    def _forget(self) -> None:
        self._tries, self._revealed, self._solved = 0, False, False

    @property
    @abstractmethod
    def question(self) -> str:
        """What is asked."""

    @property
    @abstractmethod
    def solution(self) -> Sequence[object] | Mapping[object, object]:
        """A right answer, as `answer` takes it."""

    @abstractmethod
    def answer(self, answer: object) -> Verdict:
        """Give an answer, which is shown on the page too, and hear what is right or wrong about it and why."""

    @abstractmethod
    def reveal(self) -> str:
        """Show the solution, on the page too."""

    @abstractmethod
    def again(self) -> None:
        """Begin anew."""

    @property
    @abstractmethod
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        """Whether what was answered is right, and why; None while nothing is decided."""

    @property
    def given(self) -> object:
        """The last answer as plain values, which another exercise of the same making takes as its `answer`; None while there is none."""
        return None

    def keep(self) -> None:
        """From now on answers are kept and nothing is said of them, nor of what would be right: they are judged when they are marked."""
        self._keeps = True
        self.again()

    def recall(self, given: object) -> None:  # noqa: ARG002 - see each kind
        """What was kept before stands there again; see `given`."""
        self._tries = max(self._tries, 1)
        self._changed()

    def warn(self, caution: Text) -> None:
        """Say this of an answer that is kept, such as that it cannot be saved; nothing, if all is well again."""
        self.caution = caution
        self._changed()

    @property
    def loose(self) -> bool:
        """Whether something was begun, or changed since, that is not kept."""
        return False

    @property
    def keeps(self) -> bool:
        """Whether answers are only kept; see `keep`."""
        return self._keeps

    def _tells(self) -> None:
        """Refuse to tell what is right, where answers are kept."""
        if self._keeps:
            raise RefusedError("class.no_solution")

    @property
    def tries(self) -> int:
        """How many answers were given since the beginning, or since `again`."""
        return self._tries

    @property
    def revealed(self) -> bool:
        """Whether the solution was shown since the beginning, or since `again`: what is answered after that does not count."""
        return self._revealed

    def check(self) -> bool:
        """Whether the last answer was right, and the solution was not shown before."""
        return self._solved and self._state == "right"

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call back with the verdict after each answer."""
        if not callable(callback):
            raise DurakError(f"a verdict is told to a function, such as print, not to {quoted(callback)}")
        self._callbacks.append(callback)

    def _answered(self, *, right: bool, counts: bool = True) -> Verdict:
        """One more answer counts, unless the solution has been shown or it is no try; whoever asked to hear of it hears."""
        self._tries += counts and not self._revealed
        self._solved = right and not self._revealed
        self._changed()
        verdict = self._verdict()
        for callback in tuple(self._callbacks):
            callback(verdict)
        return verdict

    def _first_displayed(self) -> None:
        """What is done in a notebook is remembered there; what is only kept has a receipt of its own."""
        if not self._keeps:
            remembered(self)

    @property
    def _numbered(self) -> dict[str, object]:
        """What its page bears besides: its number, and a star where it is a challenge."""
        return {
            **({"kept": True} if self._keeps else {}),
            **({"number": self._number} if self._number else {}),
            **({"challenge": True} if self.name.endswith(CHALLENGE) else {}),
        }

    # In words

    @property
    def _voice(self) -> Voice:
        return Voice(self._language)

    def _text(self, text: Text) -> str:
        return said(text, self._voice)

    @property
    def number(self) -> str:
        """The number that it bears on its page."""
        return self._number

    @number.setter
    def number(self, number: int | str) -> None:
        self._number = str(text_of(name_of(number)))[:_NUMBER]
        self._changed()

    @property
    def _to_answer(self) -> str:
        """What is said below a picture of it, where nothing is live."""
        return self._voice.say(self.to_answer)

    @property
    def _state(self) -> str:
        if self._keeps:
            return "kept" if self._tries else ""
        found = self._found
        return "" if found is None else "wrong" if not found[0] else "shown" if self._revealed else "right"

    def _head(self, *, right: bool) -> str:
        """The first words of a verdict."""
        if not right:
            return "lesson.not_right" if self.closed else "lesson.not_yet"
        return "lesson.solution" if self._revealed else "lesson.right"

    def _verdict(self) -> Verdict:
        if self._keeps and self._tries:
            texts = [*self._kept(), *([self.caution] if self.caution else [])]
            return Verdict(self._state == "right", tuple(map(self._text, texts)))
        if self._keeps or self._found is None:
            return Verdict(False, ())
        right, reasons = self._found
        texts = [Fact(self._head(right=right)), *reasons, *([self._why] if right else [])]
        return Verdict(right, tuple(self._text(text) for text in texts if text))

    def _kept(self) -> Sequence[Text]:
        """What is said of an answer that is kept."""
        return [Fact("class.kept"), Fact("class.kept.later")]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.question!r}, {'solved' if self._solved else f'{self._tries} tries'}>"


def said(text: Text, voice: Voice) -> str:
    """An author's words in the language of a voice; in English where the author gave no others.

    >>> said({"en": "Why?", "ru": "Почему?"}, Voice("ru")), said("Why?", Voice("ru"))
    ('Почему?', 'Why?')
    """
    if isinstance(text, Fact):
        return voice.say(
            text.key, **{name: said(fact, voice) if isinstance(fact, (Mapping, Refusal)) else fact for name, fact in text.facts.items()}
        )
    if isinstance(text, Refusal):
        return text.said(voice)
    return text if isinstance(text, str) else text.get(voice.language) or text.get("en") or next(iter(text.values()), "")
