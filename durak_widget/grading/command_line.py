"""Choose and carry out a command of `durak-marks`; `python -m durak_widget.lessons COMMAND` does the same."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: Final = {
    "mark": ("durak_widget.grading.mark:mark_command", "marks of a folder of notebooks and receipts, as CSV"),
    "report": ("durak_widget.grading.report_command:report_command", "a page on how a class stands"),
    "hand-out": ("durak_widget.grading.hand_out:hand_out_command", "a student's and a teacher's version of a notebook"),
    "deals": ("durak_widget.grading.deals:deals_command", "deals to print, the same at every desk"),
}
"""Each command: the function that runs it, as `module:function`, and what the command writes. The module is imported when the command runs."""


def main(arguments: Sequence[str]) -> int:
    """Carry out a command; 0 if all is well, 2 where it was not understood, 1 where it could not be done."""
    name, *rest = [*arguments, ""][: max(len(arguments), 1)]
    if name not in COMMANDS:
        asked = name in ("", "-h", "--help", "help")
        lines = ["python -m durak_widget.lessons COMMAND …", *(f"  {one:<9} {what}" for one, (_, what) in COMMANDS.items())]
        wrong = [] if asked else [f"there is no command {name[:60]!r}.{nearest(name[:60], COMMANDS)}"]
        print("\n".join([*wrong, *lines]), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every console has every letter
    try:
        module, _, function = COMMANDS[name][0].partition(":")
        return int(getattr(import_module(module), function)(rest))
    except SystemExit as left:  # it has said what it did not understand
        return int(left.code or 0)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command says what is wrong
        return 1
    except OSError as error:
        print(f"{error.filename or name}: {error.strerror or type(error).__name__}", file=sys.stderr)  # noqa: T201 - as above
        return 1
