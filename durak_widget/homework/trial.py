"""A program that is given as an answer is tried at once, as it will be run when it is marked: what breaks then, its author hears while there is time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError
from durak_widget.i18n import Fact
from durak_widget.sandbox.code_runner import Confined, Limits

if TYPE_CHECKING:
    from durak_widget.exercises.task import Task

_LIMITS: Final = Limits(seconds=5)
_NOWHERE: Final = "class.code.nowhere"


def tried(task: Task, code: str, language: str) -> Fact:
    """What came of it, and nothing of how well it plays; where no process can be started, as in a browser, that it was not tried."""
    with Confined(code, _LIMITS) as confined:
        said = ""
        try:
            said = task.try_out(confined)
        except DurakError as error:
            said = str(error)
        trouble = confined.trouble
    if trouble is not None:
        return Fact("class.tried.nowhere") if trouble.fact.key == _NOWHERE else Fact("class.tried.broke", {"said": trouble.said(language)})
    return Fact("class.tried.broke", {"said": said}) if said else Fact("class.tried")
