"""An exercise whose answer is a bot, judged by games in pairs: every deal is played twice, with the seats exchanged.

    Bot(goal=84)                      win so many of the games against a bot, `first` unless another is named, or its habits are told

On the page it is made of habits, one chosen in each row. From code it is given as habits `answer({"lead": "low", …})`, as a function `choose(view)` or
`choose(view, rng)`, as a bot or its name, or as a text, `{"code": "def choose(view): …"}`.
`.score` is what came of the games, `.credit` how much of the task that is: none where it wins no more than the bot that always makes the first move, all at the goal.
An author may say from which `base` of games on it counts, and in which order the page has the `rows` of rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from html import escape
from inspect import isfunction
from math import ceil
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from durak_widget.bots.bot import OWN, get
from durak_widget.bots.bot import Bot as Player
from durak_widget.errors import ENDINGS, DurakError, quoted, tellable, whole_number
from durak_widget.exercises.answer_form import AnswerPart
from durak_widget.exercises.answer_parsing import author_text
from durak_widget.exercises.base_exercise import Task, may_be_stopped
from durak_widget.exercises.blackboard_exercise import aside
from durak_widget.exercises.blackboard_serialization import plain_words, words_again
from durak_widget.exercises.duplicate_bot_games import SECONDS, Pairs, Score, play_pairs
from durak_widget.exercises.habit_bot import HABITS, Habits, habits_of
from durak_widget.exercises.notebook_display import blank_sheet
from durak_widget.exercises.paper_form import Blank, ByHand, letters_for, letters_read
from durak_widget.exercises.program_source import program_of, text_of_program
from durak_widget.exercises.strategy_input import takes_so_many
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict, WalledCode
    from durak_widget.exercises.duplicate_bot_games import Playing
    from durak_widget.exercises.paper_form import Written
    from durak_widget.rules.ruleset import Rules

_CAREFUL: Final = Habits("low", "low", "never", "plain")


class Bot(Task):
    """Make a bot that wins so many games of those deals.

    >>> quiz = Bot(goal=24, pairs=20, seed="a")
    >>> print(quiz.answer({"lead": "high", "beat": "high", "take": "never", "throw": "none"}).said[1])
    Of 40 games your bot won 2. Asked for are 24.
    >>> bool(quiz.answer({"lead": "low", "beat": "low", "take": "never", "throw": "plain"})), quiz.score.won, quiz.credit
    (True, 31, Fraction(1, 1))
    >>> quiz.answer(lambda view: view.legal_moves()[0]).right, quiz.credit
    (False, Fraction(0, 1))
    """

    kind = "bot"
    takes_code = True

    def __init__(
        self,
        goal: int,
        *,
        rules: Rules | str = "econ431",
        opponent: object = "first",
        pairs: int = 60,
        seed: int | str = 0,
        solution: object = None,
        seconds: float = SECONDS,
        own: bool = False,
        base: int | None = None,
        rows: Mapping[str, Sequence[str]] | None = None,
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `aside`
    ) -> None:
        """Ask for a bot, or for one of your `own`: then none by its name; `solution` are habits that reach the goal, the careful ones unless others are named.

        `opponent` is the name of a bot, or habits as an answer has them, which the question then tells. `base` is from how many
        games on they count; nothing said: what the bot that always makes the first move wins.
        """
        known = aside(more, "Bot")
        super().__init__(
            why=known.get("why", ""), name=known.get("name", ""), language=known.get("language"), number=known.get("number", "")
        )
        against = opponent if isinstance(opponent, str) else habits_of(opponent).text
        self.instance = Pairs.of(Pairs(str(rules), against, pairs, str(seed)))
        """The games by which it is judged."""
        number = whole_number(goal)
        if number is None or not 0 < number <= 2 * self.instance.deals:
            raise DurakError(f"goal={quoted(goal)} says how many games are to be won: 1 to {2 * self.instance.deals}")
        least = None if base is None else whole_number(base)
        if base is not None and (least is None or not 0 <= least < number):
            raise DurakError(f"base={quoted(base)} says from how many games on it counts: fewer than the goal, {number}")
        self.goal, self._seconds, self._own, self._least = number, seconds, own, least
        self._order = {habit: tuple((rows or HABITS).get(habit, rules)) for habit, rules in HABITS.items()}
        """The rules of each habit as the page has them, one below the other."""
        if any(sorted(self._order[habit]) != sorted(rules) for habit, rules in HABITS.items()):
            raise DurakError(f"rows={quoted(rows)} has each rule of a habit once, in any order, as {HABITS}")
        self._asked = author_text(question)
        self._solves = _CAREFUL if solution is None else habits_of(solution)
        self._given: object = None
        self._shown: list[str] = []
        self._score: Score | None = None

    # What is asked

    @property
    def question(self) -> str:
        """What is asked."""
        return self._text(
            Fact("lesson.under", {"rule": self._habits_asked, "asked": Fact("lesson.bot.own")}) if self._own else self._habits_asked
        )

    @property
    def _habits_asked(self) -> Text:
        facts = {"goal": str(self.goal), "games": str(2 * self.instance.deals)}
        return self._asked or Fact(f"lesson.bot{'.habits' if ':' in self.instance.opponent else ''}", {**facts, **self._other})

    @property
    def _other(self) -> dict[str, Fact]:
        """Who the other is: a name, or what it is used to do."""
        if ":" not in self.instance.opponent:
            return {"who": Fact(f"who.{self.instance.opponent}")}
        return {habit: Fact(f"lesson.bot.it.{habit}.{rule}") for habit, rule in habits_of(self.instance.opponent)._asdict().items()}

    @property
    def solution(self) -> dict[object, object]:
        """Habits that reach the goal."""
        self._require_solution_allowed()
        return dict(zip(HABITS, self._solves, strict=True))

    # What is given

    @property
    def given(self) -> object:
        """The last answer as plain values: habits, the name of a bot, or `{"code": text}`."""
        return self._given

    def answer(self, answer: object) -> Verdict:
        """Give a bot, and hear how it fared."""
        bot, plain = self._read(answer)
        with may_be_stopped(self._voice):
            score = None if self._keeps else play_pairs(bot, self.instance, seconds=self._seconds)
        self._shown = [f"{habit}:{rule}" for habit, rule in plain.items()] if isinstance(plain, dict) and "code" not in plain else []
        self._given, self._score = plain, score
        return self._answered(right=self._found is not None and self._found[0])

    def recall(self, given: object) -> None:
        """What was kept before stands there again."""
        _, plain = self._read(given)
        self._given = plain
        self._shown = [f"{habit}:{rule}" for habit, rule in plain.items()] if isinstance(plain, dict) and "code" not in plain else []
        super().recall(given)

    def _read(self, answer: object) -> tuple[Playing, object]:
        """The bot that is given, and the same as plain values."""
        if isinstance(answer, Mapping) and set(answer) == {"code"}:
            code = text_of_program(answer["code"])
            return ("first" if self._keeps else made_of(code)), {"code": code}
        if isinstance(answer, (Mapping, list)) or answer is None:
            habits = habits_of(answer)
            if not all(habits):
                raise RefusedError("lesson.bot.missing")
            return habits, habits._asdict()
        if self._own and (answer if isinstance(answer, str) else getattr(answer, "name", "")) in OWN:
            raise RefusedError("lesson.bot.own")
        if isinstance(answer, str):
            bot = get(answer)
            return bot, answer if answer in OWN else self._plain(bot.plays)
        return two_places(answer), self._plain(answer)

    def _plain(self, answer: object) -> object:
        """A function or bot as its text, with what it uses, where that can be had, which it must be where answers are kept; else what it is called."""
        plays: Any = answer.plays if isinstance(answer, Player) else answer
        if isinstance(plays, Habits):
            return plays._asdict()
        bot = get(two_places(answer))
        if self._keeps:
            return {"code": program_of(plays, bot.name)}
        try:
            return {"code": program_of(plays)} if isfunction(plays) else bot.name
        except DurakError:
            return bot.name

    # What is thought of it

    @property
    def score(self) -> Score | None:
        """What came of the games of the last answer; None while there is none."""
        return self._score

    @property
    def credit(self) -> Fraction:
        """How much of the task is done, from 0 to 1: 0 where it wins no more than the bot that always makes the first move, or than `base`; 1 at the goal."""
        if self._score is None:
            return Fraction(0)
        base = self._base
        got = points(self._score)
        if got >= self.goal:
            return Fraction(1)
        return min(max((got - base) / (self.goal - base), Fraction(0)), Fraction(1)) if self.goal > base else Fraction(0)

    def try_out(self, code: WalledCode) -> str:
        """Let a program play one deal, and say what broke."""
        return next((fault.said for fault in play_pairs(code, self.instance._replace(deals=1)).faults), "")

    @property
    def _base(self) -> Fraction:
        """From how many games on it counts."""
        return points(base_of(self.instance)) if self._least is None else Fraction(self._least)

    @property
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        if self._score is None:
            return None
        score, spread = self._score, ceil(self._score.error * self._score.pairs)
        games = {"games": str(score.games), "won": str(score.won), "drawn": str(score.drawn), "goal": str(self.goal)}
        right = points(score) >= self.goal
        said: list[Text] = [Fact(f"lesson.bot.score{'.drawn' if score.drawn else ''}", games)]
        said += [Fact(f"lesson.bot.fault.{fault.kind}", {"count": str(fault.games), "said": fault.said}) for fault in score.faults]
        if not right:
            facts = {"base": _number(self._base), "percent": str(round(100 * self.credit))}
            said.append(Fact(f"lesson.bot.base{'' if self._least is None else '.from'}", facts))
        if spread:
            said.append(Fact("lesson.bot.chance", {"spread": str(spread)}))
        return right, said

    def reveal(self) -> str:
        """Show habits that reach the goal."""
        self._require_solution_allowed()
        self._revealed = True
        self._read_solution()
        self._changed()
        return str(self._verdict())

    def _read_solution(self) -> None:
        self._given = self._solves._asdict()
        self._shown = [f"{habit}:{rule}" for habit, rule in self._solves._asdict().items()]
        self._score = play_pairs(self._solves, self.instance)

    def told_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Tell habits in words, each by itself; the name of a bot, and the text of a program as it is; the right habits, if none are given."""
        if answer is not None and not isinstance(answer, Mapping):
            return [AnswerPart("", str(answer))]
        if isinstance(answer, Mapping) and "code" in answer:
            return [AnswerPart("", str(answer["code"]))]
        habits, say = habits_of(dict(self.solution if answer is None else answer)), self._voice.say
        return [AnswerPart(say(f"lesson.bot.{habit}"), say(f"lesson.bot.{habit}.{rule}")) for habit, rule in habits._asdict().items()]

    def again(self) -> None:
        """Begin anew."""
        self._given, self._shown, self._score = None, [], None
        self._forget()
        self._changed()

    # Elsewhere, and on paper

    def ready_made(self) -> dict[str, Any]:
        """What is asked, without the deals, by which one could find what wins there, and without habits that do."""
        games = self.instance
        asked = {"goal": self.goal, "rules": games.rules, "opponent": games.opponent, "pairs": games.deals, "own": self._own}
        return {
            **asked,
            "rows": {habit: list(rules) for habit, rules in self._order.items()},
            "question": plain_words(self._asked) if self._asked else {},
        }

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> Bot:
        """Ask what was handed out: a program is tried on other deals than those by which it will be judged."""
        said = plain.get("question")
        return cls(
            plain.get("goal"),  # type: ignore[arg-type] # it says what is no goal
            rules=str(plain.get("rules")),
            opponent=str(plain.get("opponent")),
            pairs=plain.get("pairs"),  # type: ignore[arg-type] # as above
            own=plain.get("own") is True,
            rows=plain.get("rows"),
            question=words_again(said) if said else "",
        )

    def by_hand(self) -> ByHand:
        """The habits with letters: one of each is ticked."""
        rows = self._rows()
        blanks = tuple(
            Blank(label, title, "drawn", tuple(zip(letters_for(len(rules)), (words for _, words in rules), strict=True)))
            for label, (title, rules) in zip(letters_for(len(rows)), rows, strict=True)
        )

        def read(written: Written) -> object:
            given: dict[str, str] = {}
            for one, habit in zip(blanks, HABITS, strict=True):
                picked = letters_read(written[one.label], [label for label, _ in one.options])
                if len(picked) > 1:
                    raise RefusedError("lesson.hand.just_one", text=written[one.label][:20])
                given |= {habit: self._order[habit][letters_for(9).index(picked[0])]} if picked else {}
            return given or None

        def write() -> Written:
            right = habits_of(dict(self.solution))._asdict()
            return {one.label: letters_for(9)[self._order[habit].index(right[habit])] for one, habit in zip(blanks, HABITS, strict=True)}

        return ByHand(self._text(self._habits_asked), self._voice.say("lesson.hand.bot"), tuple, blanks, read, write)

    # What is shown

    def _rows(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Each habit with its rules, in words."""
        say = self._voice.say
        return [
            (say(f"lesson.bot.{habit}"), [(f"{habit}:{rule}", say(f"lesson.bot.{habit}.{rule}")) for rule in rules])
            for habit, rules in self._order.items()
        ]

    def sheet(self) -> dict[str, object]:
        """What the page shows: a row of rules for each habit."""
        return {
            **blank_sheet(self.kind),
            **self._numbered,
            "question": self.question,
            "rows": [[title, [list(rule) for rule in rules]] for title, rules in self._rows()],
            "given": self._shown,
            "said": list(self._verdict().said),
            "state": self._state,
            "tries": self._tries,
        }

    def static(self) -> dict[str, str]:
        """The question with what can be chosen."""
        rows = "".join(
            f"<p>{escape(title)}</p><ul>{''.join(f'<li>{escape(words)}</li>' for _, words in rules)}</ul>" for title, rules in self._rows()
        )
        mark = "" if self._keeps else f' data-answer="{crc32(repr((self.instance, self.goal, self._solves)).encode()):08x}"'
        shown = f"<p><b>{escape(self.question)}</b></p>{rows}<p>{escape(self._to_answer)}</p>"
        lines = [self.question, *(f"- {title} {' / '.join(words for _, words in rules)}" for title, rules in self._rows())]
        return {"text/html": f'<div class="durak-picture"{mark}>{shown}</div>', "text/plain": "\n".join(lines)}


def points(score: Score) -> Fraction:
    """Games won, and half of those that were drawn."""
    return score.won + Fraction(score.drawn, 2)


def _number(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator // 2}½"


@cache
def base_of(instance: Pairs) -> Score:
    """What the bot that always makes the first move gets; against itself it needs no games."""
    if instance.opponent == "first":
        return Score(
            instance.deals, instance.deals, instance.deals, 0, Fraction(0), 0.0
        )  # each wins from one seat what it loses from the other
    return play_pairs("first", instance)


def two_places(answer: object) -> Playing:
    """A function of a view alone as a bot, which is also handed its chance."""
    choose = getattr(answer, "choose", answer)
    if isinstance(answer, type):
        raise DurakError(f"{answer.__name__} is a class: give a bot made of it, as in {answer.__name__}()")
    if not callable(choose):
        raise DurakError(
            f"a bot is given as habits, as a function choose(view), as a bot or its name ({', '.join(OWN)}), or as "
            f"{{'code': 'def choose(view): …'}}, not as {quoted(answer)}"
        )
    if choose is answer and takes_so_many(choose) < 2:
        return lambda view, rng: choose(view)  # noqa: ARG005 - its chance is not asked for
    return answer  # type: ignore[return-value] # as was just found out


def made_of(code: str) -> Playing:
    """The bot of a program, which is run here: on the machine of whoever wrote it."""
    names: dict[str, object] = {"__name__": "bot"}
    try:
        exec(compile(code, "<bot>", "exec"), names)  # noqa: S102 - the student's own code, on the student's own machine
    except ENDINGS as raised:
        error = tellable(raised)
        raise DurakError(f"the program cannot be run: {type(error).__name__}: {quoted(str(error), 200)[1:-1]}") from None
    if not callable(names.get("choose")):
        raise DurakError("the program has no function choose: write def choose(view): and return one of view.legal_moves()")
    return two_places(names["choose"])
