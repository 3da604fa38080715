"""An exercise whose answer is a bot, graded by paired games (each deal is played twice).

    Bot(goal=84)                      win 84 of the games against a bot: `first`, another named bot, or described habits

The seats are exchanged in the second game of a pair. On the page, the student chooses one rule for each habit of a bot. In code, an
answer is habits as in `answer({"lead": "low", …})`, a function `choose(view)` or `choose(view, rng)`, a bot or its name, or a program
`{"code": "def choose(view): …"}`. `.score` is the result of the games. `.credit` is 0 if the bot wins no more games than the bot that
always makes the first move, and 1 if it reaches the goal. An author may set the number of won games from which credit starts (`base`),
and the order of the rules on the page (`rows`).
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

from durak_widget.bots.bot import BUILT_IN_BOTS, get
from durak_widget.bots.bot import Bot as Player
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, as_whole_number, short_repr, to_reportable_error
from durak_widget.exercises.answer_form import AnswerPart
from durak_widget.exercises.answer_parsing import require_text
from durak_widget.exercises.base_exercise import Task, explain_interrupt
from durak_widget.exercises.blackboard_exercise import require_known_options
from durak_widget.exercises.blackboard_serialization import parse_translations, translate_to_all_languages
from durak_widget.exercises.duplicate_bot_games import TIME_LIMIT_SECONDS, PairedGames, PairedGamesScore, play_paired_games
from durak_widget.exercises.habit_bot import HABITS, HabitBot, parse_habits
from durak_widget.exercises.notebook_display import empty_view_model
from durak_widget.exercises.paper_form import AnswerBlank, PaperQuestion, make_labels, parse_letter_list
from durak_widget.exercises.program_source import build_program, require_program_text
from durak_widget.exercises.strategy_input import count_positional_parameters
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import SandboxedProgram, Verdict
    from durak_widget.exercises.duplicate_bot_games import BotInput
    from durak_widget.exercises.paper_form import BlankTexts
    from durak_widget.rules.ruleset import Rules

_CAREFUL_HABITS: Final = HabitBot("low", "low", "never", "plain")


class BotExercise(Task):
    """An exercise in which the student makes a bot that wins at least `goal` games.

    >>> quiz = BotExercise(goal=24, pairs=20, seed="a")
    >>> print(quiz.answer({"lead": "high", "beat": "high", "take": "never", "throw": "none"}).sentences[1])
    Your bot won 2 of 40 games. The goal is 24.
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
        seconds: float = TIME_LIMIT_SECONDS,
        own: bool = False,
        base: int | None = None,
        rows: Mapping[str, Sequence[str]] | None = None,
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `require_known_options`
    ) -> None:
        """Set up the exercise; with `own=True`, accept only a bot that the student made.

        `solution` has habits that reach the goal, by default those of a careful bot. `opponent` is the name of a bot, or habits in the
        form of an answer, which the question then describes. `base` is the number of won games from which credit starts, by
        default the number that the bot wins which always makes the first move.
        """
        options = require_known_options(more, "Bot")
        super().__init__(
            why=options.get("why", ""), name=options.get("name", ""), language=options.get("language"), number=options.get("number", "")
        )
        opponent_text = opponent if isinstance(opponent, str) else parse_habits(opponent).to_line
        self.paired_games = PairedGames.from_value(PairedGames(str(rules), opponent_text, pairs, str(seed)))
        """The games by which the student's bot is graded."""
        goal_games = as_whole_number(goal)
        if goal_games is None or not 0 < goal_games <= 2 * self.paired_games.deals:
            raise DurakError(
                f"goal must be a number from 1 to {2 * self.paired_games.deals}, the games that the bot must win, not {short_repr(goal)}"
            )
        base_games = None if base is None else as_whole_number(base)
        if base is not None and (base_games is None or not 0 <= base_games < goal_games):
            raise DurakError(
                f"base must be a number from 0 on and below the goal, {goal_games}, not {short_repr(base)}: more wins than this give credit"
            )
        self.goal, self._seconds, self._is_own_bot_required, self._base_games = goal_games, seconds, own, base_games
        self._habit_rows = {habit: tuple((rows or HABITS).get(habit, rules)) for habit, rules in HABITS.items()}
        """The possible rules of each bot habit, in the order in which the page shows them."""
        if any(sorted(self._habit_rows[habit]) != sorted(rules) for habit, rules in HABITS.items()):
            raise DurakError(f"rows must have each rule of a habit once, in any order, as in {HABITS}, not {short_repr(rows)}")
        self._author_question = require_text(question)
        self._solution_habits = _CAREFUL_HABITS if solution is None else parse_habits(solution)
        self._answer: object = None
        self._shown_rules: list[str] = []
        self._score: PairedGamesScore | None = None

    @property
    def question(self) -> str:
        """Return the text of the question."""
        return self._translate(
            TranslatableText("lesson.under", {"rule": self._question_text, "asked": TranslatableText("lesson.bot.own")})
            if self._is_own_bot_required
            else self._question_text
        )

    @property
    def _question_text(self) -> Text:
        """Return the untranslated question, which names the opponent and the required wins."""
        facts = {"goal": str(self.goal), "games": str(2 * self.paired_games.deals)}
        return self._author_question or TranslatableText(
            f"lesson.bot{'.habits' if ':' in self.paired_games.opponent else ''}", {**facts, **self._opponent_facts}
        )

    @property
    def _opponent_facts(self) -> dict[str, TranslatableText]:
        """Return translatable texts about the opponent: the bot's name or simple rules (habits)."""
        if ":" not in self.paired_games.opponent:
            return {"who": TranslatableText(f"who.{self.paired_games.opponent}")}
        return {
            habit: TranslatableText(f"lesson.bot.it.{habit}.{rule}")
            for habit, rule in parse_habits(self.paired_games.opponent)._asdict().items()
        }

    @property
    def solution(self) -> dict[object, object]:
        """Return habits (simple rules) with which a bot wins as often as the exercise requires."""
        self._require_solution_allowed()
        return dict(zip(HABITS, self._solution_habits, strict=True))

    @property
    def last_answer(self) -> object:
        """Return the last answer as JSON-compatible values: a bot's rules, name or program."""
        return self._answer

    def answer(self, answer: object) -> Verdict:
        """Grade a bot by playing the exercise's games, and return the verdict."""
        bot, values = self._parse_answer(answer)
        with explain_interrupt(self._voice):
            score = None if self._is_grading_deferred else play_paired_games(bot, self.paired_games, seconds=self._seconds)
        self._shown_rules = (
            [f"{habit}:{rule}" for habit, rule in values.items()] if isinstance(values, dict) and "code" not in values else []
        )
        self._answer, self._score = values, score
        return self._record_answer(right=self._result is not None and self._result[0])

    def restore_answer(self, answer: object) -> None:
        """Restore a stored answer to the exercise."""
        _, values = self._parse_answer(answer)
        self._answer = values
        self._shown_rules = (
            [f"{habit}:{rule}" for habit, rule in values.items()] if isinstance(values, dict) and "code" not in values else []
        )
        super().restore_answer(answer)

    def _parse_answer(self, answer: object) -> tuple[BotInput, object]:
        """Return the bot that an answer describes, and the answer as JSON-compatible values."""
        if isinstance(answer, Mapping) and set(answer) == {"code"}:
            code = require_program_text(answer["code"])
            return ("first" if self._is_grading_deferred else bot_from_code(code)), {"code": code}
        if isinstance(answer, (Mapping, list)) or answer is None:
            habits = parse_habits(answer)
            if not all(habits):
                raise RefusedError("lesson.bot.missing")
            return habits, habits._asdict()
        if self._is_own_bot_required and (answer if isinstance(answer, str) else getattr(answer, "name", "")) in BUILT_IN_BOTS:
            raise RefusedError("lesson.bot.own")
        if isinstance(answer, str):
            bot = get(answer)
            return bot, answer if answer in BUILT_IN_BOTS else self._bot_to_plain_data(bot.implementation)
        return bot_from_answer(answer), self._bot_to_plain_data(answer)

    def _bot_to_plain_data(self, answer: object) -> object:
        """Convert a function or bot to simple rules (habits), to source text, or to a bot's name.

        If answers are stored without grading, the source text is required.
        """
        chooser: Any = answer.implementation if isinstance(answer, Player) else answer
        if isinstance(chooser, HabitBot):
            return chooser._asdict()
        bot = get(bot_from_answer(answer))
        if self._is_grading_deferred:
            return {"code": build_program(chooser, bot.name)}
        try:
            return {"code": build_program(chooser)} if isfunction(chooser) else bot.name
        except DurakError:
            return bot.name

    @property
    def score(self) -> PairedGamesScore | None:
        """Return the score of the last answer's games; None if no games were played."""
        return self._score

    @property
    def credit(self) -> Fraction:
        """Return the credit for the last answer, from 0 to 1.

        The credit is 0 if the bot wins no more games than the bot that always makes the first move, or than `base`. It is 1 if the bot
        reaches the goal.
        """
        if self._score is None:
            return Fraction(0)
        base = self._base_points
        won_points = count_points(self._score)
        if won_points >= self.goal:
            return Fraction(1)
        return min(max((won_points - base) / (self.goal - base), Fraction(0)), Fraction(1)) if self.goal > base else Fraction(0)

    def find_code_error(self, code: SandboxedProgram) -> str:
        """Let a user's program play one deal; return its error message, or "" if it has none."""
        return next((fault.error_text for fault in play_paired_games(code, self.paired_games._replace(deals=1)).faults), "")

    @property
    def _base_points(self) -> Fraction:
        """Return the number of wins that a bot must exceed to earn credit."""
        return count_points(play_baseline_games(self.paired_games)) if self._base_games is None else Fraction(self._base_games)

    @property
    def _result(self) -> tuple[bool, Sequence[Text]] | None:
        if self._score is None:
            return None
        score, spread = self._score, ceil(self._score.standard_error * self._score.deals)
        games = {"games": str(score.games), "won": str(score.won), "count": score.tied, "goal": str(self.goal)}
        right = count_points(score) >= self.goal
        sentences: list[Text] = [TranslatableText(f"lesson.bot.score{'.drawn' if score.tied else ''}", games)]
        sentences += [
            TranslatableText(f"lesson.bot.fault.{fault.kind}", {"count": fault.games, "said": fault.error_text}) for fault in score.faults
        ]
        if not right:
            base = self._base_points
            # Half a game takes the words of two: "1½ games".
            facts = {
                "base": _format_points(base),
                "count": base.numerator if base.denominator == 1 else 2,
                "percent": str(round(100 * self.credit)),
            }
            sentences.append(TranslatableText(f"lesson.bot.base{'' if self._base_games is None else '.from'}", facts))
        if spread:
            sentences.append(TranslatableText("lesson.bot.chance", {"count": spread}))
        return right, sentences

    def reveal(self) -> str:
        """Show habits (simple rules) with which a bot wins as often as the exercise requires."""
        self._require_solution_allowed()
        self._is_revealed = True
        self._play_solution()
        self._refresh()
        return str(self._build_verdict())

    def _play_solution(self) -> None:
        """Play the exercise's games with a bot that follows the rules in the solution."""
        self._answer = self._solution_habits._asdict()
        self._shown_rules = [f"{habit}:{rule}" for habit, rule in self._solution_habits._asdict().items()]
        self._score = play_paired_games(self._solution_habits, self.paired_games)

    def describe_answer_parts(self, answer: object = None) -> Sequence[AnswerPart]:
        """Describe an answer: a bot's simple rules (habits), a bot's name, or a program's text."""
        if answer is not None and not isinstance(answer, Mapping):
            return [AnswerPart("", str(answer))]
        if isinstance(answer, Mapping) and "code" in answer:
            return [AnswerPart("", str(answer["code"]))]
        habits, translate = parse_habits(dict(self.solution if answer is None else answer)), self._voice.translate
        return [
            AnswerPart(translate(f"lesson.bot.{habit}"), translate(f"lesson.bot.{habit}.{rule}"))
            for habit, rule in habits._asdict().items()
        ]

    def restart(self) -> None:
        """Reset the exercise to its starting state."""
        self._answer, self._shown_rules, self._score = None, [], None
        self._reset_attempts()
        self._refresh()

    def to_snapshot(self) -> dict[str, Any]:
        """Return the question without the card deals and the solution, as JSON-compatible values.

        If the deals were included, a student could search for a bot that wins exactly these deals.
        """
        games = self.paired_games
        settings = {
            "goal": self.goal,
            "rules": games.rules,
            "opponent": games.opponent,
            "pairs": games.deals,
            "own": self._is_own_bot_required,
        }
        return {
            **settings,
            "rows": {habit: list(rules) for habit, rules in self._habit_rows.items()},
            "question": translate_to_all_languages(self._author_question) if self._author_question else {},
        }

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> BotExercise:
        """Build the exercise from a snapshot, as returned by `to_snapshot`.

        This exercise tries a program on other deals than those on which it will be graded.
        """
        question = snapshot.get("question")
        return cls(
            snapshot.get("goal"),  # type: ignore[arg-type] # the constructor checks the value
            rules=str(snapshot.get("rules")),
            opponent=str(snapshot.get("opponent")),
            pairs=snapshot.get("pairs"),  # type: ignore[arg-type] # as above
            own=snapshot.get("own") is True,
            rows=snapshot.get("rows"),
            question=parse_translations(question) if question else "",
        )

    def to_paper_question(self) -> PaperQuestion:
        """Return the question for print: lists of rules for a bot, with a letter beside each rule."""
        rows = self._translate_rows()
        blanks = tuple(
            AnswerBlank(label, title, "drawn", tuple(zip(make_labels(len(rules)), (words for _, words in rules), strict=True)))
            for label, (title, rules) in zip(make_labels(len(rows)), rows, strict=True)
        )

        def parse_texts(blank_texts: BlankTexts) -> object:
            habits: dict[str, str] = {}
            for blank, habit in zip(blanks, HABITS, strict=True):
                picked_letters = parse_letter_list(blank_texts[blank.label], [label for label, _ in blank.options])
                if len(picked_letters) > 1:
                    raise RefusedError("lesson.hand.just_one", text=blank_texts[blank.label][:20])
                habits |= {habit: self._habit_rows[habit][make_labels(9).index(picked_letters[0])]} if picked_letters else {}
            return habits or None

        def write_solution() -> BlankTexts:
            right = parse_habits(dict(self.solution))._asdict()
            return {
                blank.label: make_labels(9)[self._habit_rows[habit].index(right[habit])]
                for blank, habit in zip(blanks, HABITS, strict=True)
            }

        return PaperQuestion(
            self._translate(self._question_text), self._voice.translate("lesson.hand.bot"), tuple, blanks, parse_texts, write_solution
        )

    def _translate_rows(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return, for each habit of a bot, its title and the rules among which students choose."""
        translate = self._voice.translate
        return [
            (translate(f"lesson.bot.{habit}"), [(f"{habit}:{rule}", translate(f"lesson.bot.{habit}.{rule}")) for rule in rules])
            for habit, rules in self._habit_rows.items()
        ]

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: the question, and rules for a bot."""
        return {
            **empty_view_model(self.kind),
            **self._header_fields,
            "question": self.question,
            "rows": [[title, [list(rule) for rule in rules]] for title, rules in self._translate_rows()],
            "answer": self._shown_rules,
            "feedback": list(self._build_verdict().sentences),
            "state": self._state,
            "attempt_count": self._attempt_count,
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the static version of the question and its options, for print."""
        rows = "".join(
            f"<p>{escape(title)}</p><ul>{''.join(f'<li>{escape(words)}</li>' for _, words in rules)}</ul>"
            for title, rules in self._translate_rows()
        )
        attribute = (
            ""
            if self._is_grading_deferred
            else f' data-answer="{crc32(repr((*self.paired_games, self.goal, *self._solution_habits)).encode()):08x}"'
        )
        body = f"<p><b>{escape(self.question)}</b></p>{rows}<p>{escape(self._offline_hint)}</p>"
        lines = [self.question, *(f"- {title} {' / '.join(words for _, words in rules)}" for title, rules in self._translate_rows())]
        return {"text/html": f'<div class="durak-picture"{attribute}>{body}</div>', "text/plain": "\n".join(lines)}


def count_points(score: PairedGamesScore) -> Fraction:
    """Count the bot's points: the games won plus half of the tied games."""
    return score.won + Fraction(score.tied, 2)


def _format_points(points: Fraction) -> str:
    """Format points, which may include a half for a tied game."""
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator // 2}½"


@cache
def play_baseline_games(paired_games: PairedGames) -> PairedGamesScore:
    """Return the score of the bot that always chooses the first legal move.

    If the opponent is this bot itself, no games are played.
    """
    if paired_games.opponent == "first":
        # A bot that plays against itself wins half of its paired games
        return PairedGamesScore(paired_games.deals, paired_games.deals, paired_games.deals, 0, Fraction(0), 0.0)
    return play_paired_games("first", paired_games)


def bot_from_answer(answer: object) -> BotInput:
    """Convert a student's answer to a bot.

    A function with one parameter, `choose(view)`, is wrapped in a function with two.
    """
    choose = getattr(answer, "choose", answer)
    if isinstance(answer, type):
        raise DurakError(f"{answer.__name__} is a class; give a bot made from it, as in {answer.__name__}()")
    if not callable(choose):
        raise DurakError(
            f"a bot must be a set of habits, a function choose(view), a bot or its name ({', '.join(BUILT_IN_BOTS)}), or {{'code': 'def choose(view): …'}}, not {short_repr(answer)}"
        )
    if choose is answer and count_positional_parameters(choose) < 2:
        return lambda view, rng: choose(view)  # noqa: ARG005 - the function uses no random numbers
    return answer  # type: ignore[return-value] # checked above


def bot_from_code(code: str) -> BotInput:
    """Run a program and return the bot that it defines.

    The program runs in this process, on the computer of its author.
    """
    namespace: dict[str, object] = {"__name__": "bot"}
    try:
        exec(compile(code, "<bot>", "exec"), namespace)  # noqa: S102 - the student's own code, on the student's own computer
    except USER_CODE_EXCEPTIONS as exception:
        error = to_reportable_error(exception)
        raise DurakError(f"the program cannot be run: {type(error).__name__}: {short_repr(str(error), 200)[1:-1]}") from None
    if not callable(namespace.get("choose")):
        raise DurakError("the program has no function choose; write def choose(view): and return one of view.legal_moves()")
    return bot_from_answer(namespace["choose"])
