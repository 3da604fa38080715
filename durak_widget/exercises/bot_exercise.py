"""An exercise whose answer is a bot, graded by games in pairs: each deal is played twice.

    Bot(goal=84)                      win 84 of the games against a bot: `first`, another named bot, or described habits

The seats are exchanged in the second game of a pair. On the page the bot is made of habits, one chosen in each row. From code it is
given as habits `answer({"lead": "low", …})`, as a function `choose(view)` or `choose(view, rng)`, as a bot or its name, or as a text,
`{"code": "def choose(view): …"}`. `.score` is the result of the games and `.credit` the share of the goal: 0 if it wins no more than
the bot that always makes the first move, 1 at the goal. An author may set the number of games from which credit starts (`base`), and
the order of the `rows` of rules on the page.
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
    """Make a bot that wins at least `goal` of the games.

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
        """Ask for a bot; if `own` is True, for one that is not a named bot of this package.

        `solution` are habits that reach the goal, by default the careful ones. `opponent` is the name of a bot, or habits in the form of an
        answer, which the question then describes. `base` is the number of won games from which credit starts, by default what the bot
        that always makes the first move wins.
        """
        options = aside(more, "Bot")
        super().__init__(
            why=options.get("why", ""), name=options.get("name", ""), language=options.get("language"), number=options.get("number", "")
        )
        opponent_text = opponent if isinstance(opponent, str) else habits_of(opponent).text
        self.instance = Pairs.of(Pairs(str(rules), opponent_text, pairs, str(seed)))
        """The games by which it is graded."""
        goal_games = whole_number(goal)
        if goal_games is None or not 0 < goal_games <= 2 * self.instance.deals:
            raise DurakError(f"goal={quoted(goal)} says how many games are to be won: 1 to {2 * self.instance.deals}")
        base_games = None if base is None else whole_number(base)
        if base is not None and (base_games is None or not 0 <= base_games < goal_games):
            raise DurakError(f"base={quoted(base)} says from how many games on it counts: fewer than the goal, {goal_games}")
        self.goal, self._seconds, self._own, self._least = goal_games, seconds, own, base_games
        self._order = {habit: tuple((rows or HABITS).get(habit, rules)) for habit, rules in HABITS.items()}
        """The rules of each habit in the order of the page."""
        if any(sorted(self._order[habit]) != sorted(rules) for habit, rules in HABITS.items()):
            raise DurakError(f"rows={quoted(rows)} has each rule of a habit once, in any order, as {HABITS}")
        self._asked = author_text(question)
        self._solves = _CAREFUL if solution is None else habits_of(solution)
        self._given: object = None
        self._shown: list[str] = []
        self._score: Score | None = None

    # Question

    @property
    def question(self) -> str:
        """Return the question."""
        return self._text(
            Fact("lesson.under", {"rule": self._habits_asked, "asked": Fact("lesson.bot.own")}) if self._own else self._habits_asked
        )

    @property
    def _habits_asked(self) -> Text:
        facts = {"goal": str(self.goal), "games": str(2 * self.instance.deals)}
        return self._asked or Fact(f"lesson.bot{'.habits' if ':' in self.instance.opponent else ''}", {**facts, **self._other})

    @property
    def _other(self) -> dict[str, Fact]:
        """Return facts about the opponent: its name, or its habits."""
        if ":" not in self.instance.opponent:
            return {"who": Fact(f"who.{self.instance.opponent}")}
        return {habit: Fact(f"lesson.bot.it.{habit}.{rule}") for habit, rule in habits_of(self.instance.opponent)._asdict().items()}

    @property
    def solution(self) -> dict[object, object]:
        """Return habits that reach the goal."""
        self._require_solution_allowed()
        return dict(zip(HABITS, self._solves, strict=True))

    # Answers

    @property
    def given(self) -> object:
        """Return the last answer as plain values: habits, a bot's name, or `{"code": text}`."""
        return self._given

    def answer(self, answer: object) -> Verdict:
        """Play the games with a bot and return the verdict."""
        bot, values = self._read(answer)
        with may_be_stopped(self._voice):
            score = None if self._keeps else play_pairs(bot, self.instance, seconds=self._seconds)
        self._shown = [f"{habit}:{rule}" for habit, rule in values.items()] if isinstance(values, dict) and "code" not in values else []
        self._given, self._score = values, score
        return self._answered(right=self._found is not None and self._found[0])

    def recall(self, given: object) -> None:
        """Restore a stored answer."""
        _, values = self._read(given)
        self._given = values
        self._shown = [f"{habit}:{rule}" for habit, rule in values.items()] if isinstance(values, dict) and "code" not in values else []
        super().recall(given)

    def _read(self, answer: object) -> tuple[Playing, object]:
        """Return the bot of an answer, and the answer as plain values."""
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
        """Return a function or bot as its source text, or else by its name.

        If answers are only stored, the text is required.
        """
        chooser: Any = answer.plays if isinstance(answer, Player) else answer
        if isinstance(chooser, Habits):
            return chooser._asdict()
        bot = get(two_places(answer))
        if self._keeps:
            return {"code": program_of(chooser, bot.name)}
        try:
            return {"code": program_of(chooser)} if isfunction(chooser) else bot.name
        except DurakError:
            return bot.name

    # Grading

    @property
    def score(self) -> Score | None:
        """Return the result of the last answer's games; None if there is none."""
        return self._score

    @property
    def credit(self) -> Fraction:
        """Return the credit from 0 to 1.

        It is 0 if the bot wins no more than the one that always makes the first move, or than `base`; 1 at the goal.
        """
        if self._score is None:
            return Fraction(0)
        base = self._base
        won_points = points(self._score)
        if won_points >= self.goal:
            return Fraction(1)
        return min(max((won_points - base) / (self.goal - base), Fraction(0)), Fraction(1)) if self.goal > base else Fraction(0)

    def try_out(self, code: WalledCode) -> str:
        """Let a program play one deal, and return its error."""
        return next((fault.said for fault in play_pairs(code, self.instance._replace(deals=1)).faults), "")

    @property
    def _base(self) -> Fraction:
        """Return the number of won games from which credit starts."""
        return points(base_of(self.instance)) if self._least is None else Fraction(self._least)

    @property
    def _found(self) -> tuple[bool, Sequence[Text]] | None:
        if self._score is None:
            return None
        score, spread = self._score, ceil(self._score.error * self._score.pairs)
        games = {"games": str(score.games), "won": str(score.won), "drawn": str(score.drawn), "goal": str(self.goal)}
        right = points(score) >= self.goal
        sentences: list[Text] = [Fact(f"lesson.bot.score{'.drawn' if score.drawn else ''}", games)]
        sentences += [Fact(f"lesson.bot.fault.{fault.kind}", {"count": str(fault.games), "said": fault.said}) for fault in score.faults]
        if not right:
            facts = {"base": _number(self._base), "percent": str(round(100 * self.credit))}
            sentences.append(Fact(f"lesson.bot.base{'' if self._least is None else '.from'}", facts))
        if spread:
            sentences.append(Fact("lesson.bot.chance", {"spread": str(spread)}))
        return right, sentences

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
        """Describe habits one by one, a bot by its name, or a program by its text."""
        if answer is not None and not isinstance(answer, Mapping):
            return [AnswerPart("", str(answer))]
        if isinstance(answer, Mapping) and "code" in answer:
            return [AnswerPart("", str(answer["code"]))]
        habits, translate = habits_of(dict(self.solution if answer is None else answer)), self._voice.say
        return [
            AnswerPart(translate(f"lesson.bot.{habit}"), translate(f"lesson.bot.{habit}.{rule}"))
            for habit, rule in habits._asdict().items()
        ]

    def again(self) -> None:
        """Start again."""
        self._given, self._shown, self._score = None, [], None
        self._forget()
        self._changed()

    # Snapshots and paper

    def ready_made(self) -> dict[str, Any]:
        """Return the question without the deals and without a solution.

        With the deals a student could search for what wins in them.
        """
        games = self.instance
        settings = {"goal": self.goal, "rules": games.rules, "opponent": games.opponent, "pairs": games.deals, "own": self._own}
        return {
            **settings,
            "rows": {habit: list(rules) for habit, rules in self._order.items()},
            "question": plain_words(self._asked) if self._asked else {},
        }

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> Bot:
        """Build the exercise from the values of `ready_made`.

        Here a program is tried on other deals than those by which it will be graded.
        """
        question = plain.get("question")
        return cls(
            plain.get("goal"),  # type: ignore[arg-type] # it says what is no goal
            rules=str(plain.get("rules")),
            opponent=str(plain.get("opponent")),
            pairs=plain.get("pairs"),  # type: ignore[arg-type] # as above
            own=plain.get("own") is True,
            rows=plain.get("rows"),
            question=words_again(question) if question else "",
        )

    def by_hand(self) -> ByHand:
        """Return the question for paper: the rules of each habit with letters to tick."""
        rows = self._rows()
        blanks = tuple(
            Blank(label, title, "drawn", tuple(zip(letters_for(len(rules)), (words for _, words in rules), strict=True)))
            for label, (title, rules) in zip(letters_for(len(rows)), rows, strict=True)
        )

        def read(written: Written) -> object:
            habits: dict[str, str] = {}
            for blank, habit in zip(blanks, HABITS, strict=True):
                picked = letters_read(written[blank.label], [label for label, _ in blank.options])
                if len(picked) > 1:
                    raise RefusedError("lesson.hand.just_one", text=written[blank.label][:20])
                habits |= {habit: self._order[habit][letters_for(9).index(picked[0])]} if picked else {}
            return habits or None

        def write() -> Written:
            right = habits_of(dict(self.solution))._asdict()
            return {
                blank.label: letters_for(9)[self._order[habit].index(right[habit])] for blank, habit in zip(blanks, HABITS, strict=True)
            }

        return ByHand(self._text(self._habits_asked), self._voice.say("lesson.hand.bot"), tuple, blanks, read, write)

    # View

    def _rows(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return each habit with its rules, in words."""
        translate = self._voice.say
        return [
            (translate(f"lesson.bot.{habit}"), [(f"{habit}:{rule}", translate(f"lesson.bot.{habit}.{rule}")) for rule in rules])
            for habit, rules in self._order.items()
        ]

    def sheet(self) -> dict[str, object]:
        """Return what the page shows: a row of rules for each habit."""
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
        """Return the question and its options."""
        rows = "".join(
            f"<p>{escape(title)}</p><ul>{''.join(f'<li>{escape(words)}</li>' for _, words in rules)}</ul>" for title, rules in self._rows()
        )
        attribute = "" if self._keeps else f' data-answer="{crc32(repr((self.instance, self.goal, self._solves)).encode()):08x}"'
        body = f"<p><b>{escape(self.question)}</b></p>{rows}<p>{escape(self._to_answer)}</p>"
        lines = [self.question, *(f"- {title} {' / '.join(words for _, words in rules)}" for title, rules in self._rows())]
        return {"text/html": f'<div class="durak-picture"{attribute}>{body}</div>', "text/plain": "\n".join(lines)}


def points(score: Score) -> Fraction:
    """Return the games won plus half of the tied games."""
    return score.won + Fraction(score.drawn, 2)


def _number(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator // 2}½"


@cache
def base_of(instance: Pairs) -> Score:
    """Return the score of the bot that always makes the first move.

    Against itself no games are needed.
    """
    if instance.opponent == "first":
        return Score(
            instance.deals, instance.deals, instance.deals, 0, Fraction(0), 0.0
        )  # each wins from one seat the games that it loses from the other
    return play_pairs("first", instance)


def two_places(answer: object) -> Playing:
    """Return an answer as a bot; a function `choose(view)` also gets an unused `rng`."""
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
    """Run a program and return its bot.

    It runs in this process, on the computer of its author.
    """
    names: dict[str, object] = {"__name__": "bot"}
    try:
        exec(compile(code, "<bot>", "exec"), names)  # noqa: S102 - the student's own code, on the student's own machine
    except ENDINGS as exception:
        error = tellable(exception)
        raise DurakError(f"the program cannot be run: {type(error).__name__}: {quoted(str(error), 200)[1:-1]}") from None
    if not callable(names.get("choose")):
        raise DurakError("the program has no function choose: write def choose(view): and return one of view.legal_moves()")
    return two_places(names["choose"])
