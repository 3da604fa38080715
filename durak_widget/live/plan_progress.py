"""Follows a teacher's plan: which step is asked now, which are done, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.live.session_records import try_part

if TYPE_CHECKING:
    from durak_widget.live.question import JsonObject
    from durak_widget.live.session_records import AskedQuestion


class PlanProgress:
    """A plan, which is a list of steps with a question each, and how far the class has come.

    >>> plan = PlanProgress("Hour", [{"spec": {"kind": "game"}, "again": True}])
    >>> plan.find_next_spec()
    {'kind': 'game', 'again': True}
    """

    def __init__(self, title: object, steps: list[JsonObject]) -> None:
        self.title, self.steps = title, steps
        self._index = -1
        """The step that was asked last; -1 before the first."""
        self._is_current = False
        """Whether the current question is this step; otherwise it is a question beside the plan."""
        self._asked: set[int] = set()
        """The steps that were asked; the teacher may leave some out."""

    def follow(self, asked: AskedQuestion) -> None:
        """Find out which step of the plan a question is, and note it if it is the last one."""
        steps = self.steps
        if asked.attempt == asked.round == 1:
            spec = _strip_spec(asked.spec)
            order = [*range(self._index + 1, len(steps)), *range(self._index + 1)]
            index = next((index for index in order if _strip_spec(steps[index]["spec"]) == spec), None)
            self._is_current = index is not None
            if index is not None:
                self._index = index
                self._asked.add(index)
        asked.is_last = (
            self._is_current
            and self._index == len(steps) - 1
            and not asked.is_asked_again
            and try_part(lambda: asked.question.build_next_spec(None), None) is None
        )

    def find_next_spec(self) -> JsonObject | None:
        """Return the question of the next step; None after the last one."""
        return self.find_spec(self._index + 1)

    def find_spec(self, index: int) -> JsonObject | None:
        """Return the question of a step, from 0; None if there is no such step."""
        if not 0 <= index < len(self.steps):
            return None
        step = self.steps[index]
        return {**step["spec"], **({"again": True} if step.get("again") else {})}

    def describe(self, language: str, *, is_current_done: bool) -> JsonObject:
        """Return the plan for the teacher's controls."""
        current_index = self._index if self._is_current else -1
        steps = [
            {
                "title": choose_language(step.get("title"), language),
                "note": choose_language(step.get("note"), language),
                "minutes": step.get("minutes"),
                "is_done": index in self._asked and (index != current_index or is_current_done),
                "is_current": index == current_index,
            }
            for index, step in enumerate(self.steps)
        ]
        return {
            "title": choose_language(self.title, language),
            "steps": steps,
            "is_finished": bool(self._index == len(steps) - 1 and steps[-1]["is_done"]),
        }


def choose_language(text: object, language: str) -> str:
    """Return a text that may have several languages; English if it lacks this one."""
    if isinstance(text, dict):
        text = text.get(language) or text.get("en") or next(iter(text.values()), "")
    return text[:10_000] if isinstance(text, str) else ""


def _strip_spec(spec: JsonObject) -> JsonObject:
    """Return a spec without what the session adds to it."""
    return {key: value for key, value in spec.items() if key not in {"attempt", "again"}}
