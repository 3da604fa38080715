"""Asks a class to play a tree or a matrix by the strategy method.

Each student answers at each information set of their role. On the event loop a question needs only its spec and what `prepare` returned; no tree is built there.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from durak_widget.live.bar_groups import build_group
from durak_widget.live.game_specs import MAX_NAMED_CHOICES, load_game, make_game_spec
from durak_widget.live.question import AnswerError, Question
from durak_widget.live.texts import format_payoff, format_percent, format_rounded, translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from durak_widget.live.question import Json, JsonObject

__all__ = ["QUESTION_CLASSES", "GameQuestion", "load_game", "make_game_spec"]

_MAX_GROUPS: Final = 40
"""The maximum number of information sets whose bars the projector shows."""


class GameQuestion(Question):
    """A tree or a matrix that the whole class plays.

    An answer is `{"infosets": [0, 1]}`: a choice at each information set of the form, in its order. A choice is the index of an
    action. If the question allows a mix, it is a list with the percentage of each action.

    >>> spec = make_game_spec("entry")
    >>> question = GameQuestion(spec, GameQuestion.prepare(spec))
    >>> [infoset["label"] for infoset in question.build_form(1, "en")["infosets"]]
    ['After an entry']
    >>> result = question.score({0: {"infosets": [0]}, 1: {"infosets": [0]}, 3: {"infosets": [1]}}, "en")
    >>> question.get_points(result, 0), question.get_points(result, 1), question.get_points(result, 3)
    ('1', '2', '0')
    """

    kind = "game"

    def __init__(self, spec: JsonObject, prepared: JsonObject) -> None:
        super().__init__(spec, prepared)
        self._forms: dict[tuple[int, str], JsonObject] = {}
        """The form of each role and language; 300 students share it."""

    @classmethod
    def prepare(cls, spec: JsonObject) -> JsonObject:
        """Check the game, and return names, decisions and pictures in all languages."""
        from durak_widget.live.game_preparation import prepare_game  # noqa: PLC0415 - only the worker needs it

        return prepare_game(spec)

    def solve(self) -> JsonObject:
        """Return the game's equilibria in words, and the actions that they play."""
        from durak_widget.live.game_equilibria import solve_game  # noqa: PLC0415 - only the worker needs it

        return solve_game(load_game(self.spec), self.prepared)

    def score(self, answers: Mapping[int, Json], language: str) -> JsonObject:
        """Return each student's exact payoff against the class, and the best responses to it."""
        from durak_widget.live.game_preparation import translate_game  # noqa: PLC0415 - only the worker needs it
        from durak_widget.live.game_scoring import score_game  # noqa: PLC0415 - as above

        parsed: dict[tuple[int, str], dict[int, tuple[Fraction, ...]]] = {}
        strategies: dict[int, dict[int, tuple[Fraction, ...]]] = {}
        for seat, answer in answers.items():  # Equal answers share one strategy
            key = self.role_of(seat), str(answer["infosets"])
            strategies[seat] = parsed[key] if key in parsed else parsed.setdefault(key, self.parse_strategy(seat, answer))
        game = translate_game(load_game(self.spec), self.spec, language)
        return score_game(game, self.prepared, strategies, self.role_of, language, mix=self.allows_mix)

    @property
    def role_count(self) -> int:
        """Return the number of players who decide anything."""
        return len(self.prepared["roles"])

    def name_role(self, role: int, language: str) -> str:
        """Return the name of a player who decides; "" if nobody else does."""
        return self._role_name(role, language) if self.role_count > 1 else ""

    @property
    def allows_mix(self) -> bool:
        """Return whether students set the probability of each action."""
        return bool(self.spec.get("mix"))

    def title(self, language: str) -> str:
        """Return the game's title."""
        return str(self.prepared["title"][language])

    def build_form(self, seat: int, language: str) -> JsonObject:
        """Return the form with the picture of the game and all decisions of the student's role."""
        key = self.role_of(seat), language
        if key not in self._forms:
            self._forms[key] = self._build_form_of_role(*key)
        return self._forms[key]

    def _build_form_of_role(self, role: int, language: str) -> JsonObject:
        """Return the form for all students of a role."""
        say, picture = partial(translate, language), self.prepared["pictures"].get(language)
        return {
            "type": "game",
            "title": self.title(language),
            "text": self._describe_task(language, has_picture=picture is not None),
            "role": self._describe_role(role, language),
            "picture": picture and picture["svg"],
            "picture_text": picture["text"] if picture else "",
            "infosets": [
                {
                    "id": infoset["id"],
                    "label": _capitalize(infoset["labels"][language]) or say("live.game.your_choice"),
                    "actions": [
                        {"text": text, "detail": detail}
                        for text, detail in zip(infoset["actions"][language], infoset["details"][language], strict=True)
                    ],
                }
                for infoset in self._infosets_of_role(role)
            ],
            "allows_mix": self.allows_mix,
        }

    def _describe_task(self, language: str, *, has_picture: bool) -> str:
        """Return the sentences above the form: the teacher's text, or what to do."""
        say = partial(translate, language)
        kind = "alone" if self.role_count == 1 else "matrix" if self.prepared["is_matrix"] else "tree"
        sentences = [self.prepared["text"][language] or say(f"live.game.task.{kind}")]
        sentences += [say("live.game.task.mix")] * self.allows_mix + [say("live.game.no_picture")] * (not has_picture)
        return " ".join(sentences)

    def _describe_role(self, role: int, language: str) -> str:
        """Return a sentence that says which player the student is; "" if there is only one."""
        if self.role_count == 1:
            return ""
        say, player, name = partial(translate, language), self.prepared["roles"][role], self._role_name(role, language)
        if self.prepared["is_matrix"]:
            return say("live.game.role.matrix", name=name, actions=tuple(self._infosets_of_role(role)[0]["actions"][language]))
        is_unnamed = name == say("screen.name", number=player + 1)
        return say("live.game.role.unnamed" if is_unnamed else "live.game.role", name=name, number=role + 1, count=self.role_count)

    def parse_answer(self, seat: int, answer: object) -> Json:
        """Return an answer in its canonical form; with a mix, each choice is a list."""
        infosets = self._infosets_of_role(self.role_of(seat))
        if not isinstance(answer, dict) or answer.keys() != {"infosets"} or not isinstance(answer["infosets"], list):
            raise AnswerError("live.game.refused.form")
        choices = answer["infosets"]
        if len(choices) > len(infosets):
            raise AnswerError("live.game.refused.form")
        if len(choices) < len(infosets) or None in choices:
            raise AnswerError("live.game.refused.missing")
        return {"infosets": [self._parse_choice(choice, infoset) for choice, infoset in zip(choices, infosets, strict=True)]}

    def _parse_choice(self, choice: object, infoset: JsonObject) -> int | list[int]:
        """Return one choice: the index of an action, or percentages if the question allows a mix."""
        count = len(infoset["actions"]["en"])
        if type(choice) is int and 0 <= choice < count:
            return [100 * (action == choice) for action in range(count)] if self.allows_mix else choice
        if not self.allows_mix or not isinstance(choice, list) or len(choice) != count:
            raise AnswerError("live.game.refused.form")
        if not all(type(percent) is int and 0 <= percent <= 100 for percent in choice) or sum(choice) != 100:
            raise AnswerError("live.game.refused.percent")
        return choice

    def pick_answer(self, seat: int, rng: Random) -> Json:
        """Return a random answer; a mix often has round probabilities."""
        choices = list[int | list[int]]()
        for infoset in self._infosets_of_role(self.role_of(seat)):
            count = len(infoset["actions"]["en"])
            if not self.allows_mix:
                choices.append(rng.randrange(count))
                continue
            cuts = sorted(rng.choice((0, 20, 25, 50, 75, 80, 100)) for _ in range(count - 1))
            choices.append([end - start for start, end in zip([0, *cuts], [*cuts, 100], strict=True)])
        return {"infosets": choices}

    def parse_strategy(self, seat: int, answer: Json) -> dict[int, tuple[Fraction, ...]]:
        """Return the probability of each action at each information set of a student's role.

        >>> question = GameQuestion(make_game_spec("entry"), GameQuestion.prepare(make_game_spec("entry")))
        >>> question.parse_strategy(1, {"infosets": [0]})
        {1: (Fraction(1, 1), Fraction(0, 1))}
        """
        return {
            infoset["id"]: _parse_row(choice, len(infoset["actions"]["en"]))
            for infoset, choice in zip(self._infosets_of_role(self.role_of(seat)), answer["infosets"], strict=True)
        }

    def build_tally(self, answers: Mapping[int, Json], language: str) -> list[JsonObject]:
        """Return one group of bars for each information set; every answer counts."""
        return [group for _, group in self._build_groups(answers, language)]

    def _build_groups(self, answers: Mapping[int, Json], language: str) -> list[tuple[JsonObject, JsonObject]]:
        """Return the shown information sets, each with its group of bars."""
        choices_by_role: list[list[list[Json]]] = [[] for _ in range(self.role_count)]
        for seat, answer in answers.items():
            choices_by_role[self.role_of(seat)].append(answer["infosets"])
        groups: list[tuple[JsonObject, JsonObject]] = []
        for role, choices_of_role in enumerate(choices_by_role):
            note = translate(language, "live.game.mixes", count=len(choices_of_role)) if self.allows_mix else None
            for index, infoset in enumerate(self._infosets_of_role(role)[: max(_MAX_GROUPS // self.role_count, 1)]):
                actions, chosen = infoset["actions"][language], [choices[index] for choices in choices_of_role]
                counts: Sequence[int | Fraction] = [chosen.count(action) for action in range(len(actions))]
                if self.allows_mix and chosen:
                    counts = [Fraction(sum(percents), 100) for percents in zip(*chosen, strict=True)]
                title = self._group_title(role, infoset, language)
                groups.append((infoset, build_group(title, actions, counts, language, total=len(chosen), note=note)))
        return groups

    def build_board(
        self,
        answers: Mapping[int, Json],
        result: JsonObject | None,
        solution: JsonObject | None,
        *,
        is_revealed: bool,
        language: str,
        earlier: Sequence[JsonObject] = (),
    ) -> JsonObject:
        """Return the class's shares, and after the reveal best responses, payoffs and equilibria."""
        groups = self._build_groups(answers, language)
        board_result, board_solution = (result, solution) if is_revealed else (None, None)
        for infoset, group in groups:
            best = _get_best_actions(board_result, infoset["id"])
            played = (board_solution or {}).get("actions", {}).get(str(infoset["id"]), ())
            for action, bar in enumerate(group["bars"]):
                bar["marks"] = ["best"] * (action in best) + ["equilibrium"] * (action in played)
        picture = result.get("picture") if result else None
        picture = picture or self.prepared["pictures"].get(language) or {"svg": None, "text": ""}
        hidden = sum(map(len, self.prepared["infosets"])) - len(groups)
        return {
            "title": self.title(language),
            "text": self.prepared["text"][language],
            "picture": picture["svg"],
            "picture_text": picture["text"],
            "groups": [group for _, group in groups],
            "lines": [
                *[translate(language, "live.game.hidden", count=hidden)] * (hidden > 0),
                *self._describe_class(board_result, language),
            ],
            "equilibria": list((board_solution or {}).get("equilibria", {}).get(language, ())),
            "table": self._build_table(board_result, language),
            "earlier": [{"title": board["title"], "groups": board["groups"]} for board in earlier],
        }

    def _describe_class(self, result: JsonObject | None, language: str) -> list[str]:
        """Return sentences about the best responses to the class."""
        if result is None or "roles" not in result:
            return []
        say, lines = partial(translate, language), list[str]()
        for role, facts in enumerate(result["roles"]):
            name = self._role_name(role, language)
            if facts["missing"]:
                lines.append(self._explain_missing(facts, language))
            elif facts["points"] is None:
                continue
            elif facts["best"] is None:
                lines.append(say("live.game.best.unknown", name=name))
            elif not facts["played"]:
                lines.append(say("live.game.best.never", name=name))
            else:
                key = "live.game.best.alone" if self.role_count == 1 else "live.game.best"
                lines.append(
                    say(
                        key,
                        name=name,
                        choices=self._name_best_choices(role, facts, language, facts["played"]),
                        points=format_payoff(facts["best"], language),
                    )
                )
        return [*dict.fromkeys(lines), *[say("live.game.weights")] * bool(result.get("is_weighted"))]

    def _build_table(self, result: JsonObject | None, language: str) -> JsonObject | None:
        """Return the table with what each role earned and could have earned."""
        if result is None or "roles" not in result or all(facts["points"] is None for facts in result["roles"]):
            return None
        say = partial(translate, language)
        rows = [
            [
                self._role_name(role, language),
                str(facts["count"]),
                *["–" if facts[name] is None else format_payoff(facts[name], language) for name in ("points", "best")],
            ]
            for role, facts in enumerate(result["roles"])
        ]
        return {"head": [say(f"live.game.table.{name}") for name in ("role", "answers", "points", "best")], "rows": rows}

    def _describe_own_result(self, result: JsonObject, own: JsonObject | None, role: int, language: str) -> JsonObject:
        """Return what a student earned, the most they could get, and the average of their role."""
        say = partial(translate, language)
        if own is None:
            return {"headline": say("live.question.no_answer"), "lines": [], "is_right": None}
        facts = result["roles"][role]
        if own["points"] is None:
            return {"headline": self._explain_missing(facts, language), "lines": [], "is_right": None}
        alone, lines = ".alone" * (self.role_count == 1), self._describe_choices(result, own, role, language)
        if own["is_best"]:
            lines.append(say(f"live.game.result.best{alone}"))
        elif facts["best"] is not None and own["changes"]:
            choices = self._name_best_choices(role, facts, language, own["changes"])
            is_close = len({format_rounded(Fraction(points), language) for points in (own["points"], facts["best"])}) == 1
            key = "almost" if is_close else f"could{alone}"  # Equal numbers would not explain anything
            lines.append(say(f"live.game.result.{key}", points=format_payoff(facts["best"], language), choices=choices))
        if facts["count"] > 1:
            key, average = "live.game.result.class" if alone else "live.game.result.role", format_payoff(facts["points"], language)
            lines.append(say(key, name=self._role_name(role, language), points=average))
        headline = say(f"live.game.result.earned{alone}", points=format_payoff(own["points"], language))
        return {"headline": headline, "lines": lines, "is_right": True if own["is_best"] else None}

    def _describe_choices(self, result: JsonObject, own: JsonObject, role: int, language: str) -> list[str]:
        """Return a sentence about the student's choices and one about the other roles.

        Choices that are not known are left out.
        """
        say, facts, lines = partial(translate, language), result["roles"], list[str]()
        if own_choices := self._format_choices([role], own.get("choices", {}), language):
            lines.append(say("live.game.result.own", choices=own_choices))
        others = [other for other in range(self.role_count) if other != role]
        if choices := self._format_choices(others, result.get("shares", {}), language):
            answers = say("live.question.answers", count=sum(facts[other]["count"] for other in others))
            lines.append(say("live.game.result.others", answers=answers, choices=choices))
        return lines

    def _format_choices(self, roles: Sequence[int], rows: Mapping[str, Sequence[str]], language: str) -> str:
        """Format how often some roles chose each action; "" if nothing is known."""
        parts = list[str]()
        for role in roles:
            infosets = self._infosets_of_role(role)
            for infoset in infosets:
                shares = [Fraction(share) for share in rows.get(str(infoset["id"]), ())]
                chosen = [(name, share) for name, share in zip(infoset["actions"][language], shares, strict=False) if share]
                if not chosen:
                    continue
                texts = [name if share == 1 else f"{format_percent(share, language)}\N{NO-BREAK SPACE}{name}" for name, share in chosen]
                places = [self._role_name(role, language)] * (len(roles) > 1) + [infoset["labels"][language]] * (len(infosets) > 1)
                place = ", ".join(filter(None, places))
                parts.append(f"{place} – {', '.join(texts)}" if place else ", ".join(texts))
        return "; ".join(parts[:MAX_NAMED_CHOICES]) + "; …" * (len(parts) > MAX_NAMED_CHOICES)

    def list_choices(self, seat: int, answer: Json) -> list[JsonObject]:
        """Return the actions that an answer plays, with their probabilities."""
        role, strategy = self.role_of(seat), self.parse_strategy(seat, answer)
        return [
            {
                "role": self._role_name(role, "en"),
                "infoset": infoset["labels"]["en"],
                "choice": action,
                "probability": str(probability),
            }
            for infoset in self._infosets_of_role(role)
            for action, probability in zip(infoset["actions"]["en"], strategy[infoset["id"]], strict=True)
            if probability
        ]

    # --- Names ---

    def _infosets_of_role(self, role: int) -> list[JsonObject]:
        """Return the information sets at which a role decides, in the order of play."""
        infosets: list[JsonObject] = self.prepared["infosets"][role]
        return infosets

    def _role_name(self, role: int, language: str) -> str:
        return str(self.prepared["names"][language][self.prepared["roles"][role]])

    def _group_title(self, role: int, infoset: JsonObject, language: str) -> str:
        """Return the title of a group of bars: who decides, and where."""
        name, label = self._role_name(role, language), infoset["labels"][language]
        return f"{name}: {label}" if label else name

    def _name_best_choices(self, role: int, facts: JsonObject, language: str, shown_infosets: Sequence[int]) -> str:
        """Name all best actions of a role at each of the given information sets."""
        infosets = {infoset["id"]: infoset for infoset in self._infosets_of_role(role)}
        say, parts = partial(translate, language), list[str]()
        for number in shown_infosets[:MAX_NAMED_CHOICES]:
            infoset = infosets[number]
            names = infoset["actions"][language]
            if mixture := facts["best_mix"].get(str(number)):
                choice = " + ".join(f"{probability} {name}" for name, probability in zip(names, mixture, strict=True) if probability != "0")
            elif len(actions := facts["best_actions"][str(number)]) == len(names) > 1:
                choice = say("live.game.any_choice")
            else:
                choice = say("live.game.choice", actions=tuple([names[action] for action in actions]))
            parts.append(choice if len(infosets) == 1 else f"{infoset['labels'][language]} – {choice}")
        return "; ".join(parts) + "; …" * (len(shown_infosets) > len(parts))

    def _explain_missing(self, facts: JsonObject, language: str) -> str:
        """Say that a role has no answers, so that there is nobody to play against."""
        names = tuple([self.prepared["names"][language][player] for player in facts["missing"]])
        return translate(language, "live.game.missing", names=names)


def _get_best_actions(result: JsonObject | None, infoset: int) -> Sequence[int]:
    """Return the best actions at an information set, against the class."""
    for facts in (result or {}).get("roles", ()):
        if str(infoset) in facts["best_actions"]:
            actions: list[int] = facts["best_actions"][str(infoset)]
            return actions
    return ()


def _parse_row(choice: int | list[int], count: int) -> tuple[Fraction, ...]:
    """Return the probability of each action in a choice.

    >>> _parse_row(1, 2), _parse_row([50, 50], 2)
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 2), Fraction(1, 2)))
    """
    if isinstance(choice, int):
        return (*[Fraction(0)] * choice, Fraction(1), *[Fraction(0)] * (count - choice - 1))
    return tuple([Fraction(percent, 100) for percent in choice])


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


QUESTION_CLASSES: Final = {"game": GameQuestion}
