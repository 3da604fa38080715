"""Computes a result of docs/results.md or docs/miniatures.md again, by its name.

`python docs/results/run.py NAME` prints the result. `python docs/results/run.py update NAME ...` writes new figures into docs/results.md: it
runs the commands in that page with these names, or all commands.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from inspect import getdoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Final

from deals import chances, mixers, mixing
from durak_widget import DurakError
from miniatures import first_attack, largest, miniatures, seeing
from players import memory, naive
from result import Result, markdown
from small_endings import all_but_one, taking, two_against_two

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAGE: Final = Path(__file__).parent.parent / "results.md"
RESULTS: Final[dict[str, Callable[..., Result]]] = {
    function.__name__: function
    for function in (
        *(first_attack, taking, all_but_one, two_against_two, memory, naive, seeing),
        *(mixing, mixers, chances, miniatures, largest),
    )
}
_BLOCK: Final = re.compile(r"```text\n\$ python docs/results/run\.py (.+)\n((?:.*\n)*?)```\n")
"""Matches a command in a page of the docs, with the first lines of its output."""


def parser() -> argparse.ArgumentParser:
    """Return an argument parser that has a command for each result."""
    main_parser = argparse.ArgumentParser(description="Compute a result of docs/results.md or docs/miniatures.md again.")
    commands = main_parser.add_subparsers(dest="name", metavar="NAME", required=True)
    for name, function in RESULTS.items():
        summary = (getdoc(function) or "").split("\n\n")[0]
        command = commands.add_parser(name, help=summary, description=summary)
        for option in signature(function).parameters.values():
            command.add_argument(
                f"--{option.name}", type=type(option.default), default=option.default, help=f"usually {option.default!r}", metavar="X"
            )
        command.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw it, if it has a picture (needs matplotlib)")
        command.add_argument("--markdown", action="store_true", help="print the table alone, in Markdown")
    update = commands.add_parser("update", help="write new figures into docs/results.md")
    update.add_argument("names", nargs="*", metavar="NAME", help="the results to compute; usually all")
    return main_parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a result, or update the results in docs/results.md."""
    options = vars(parser().parse_args(arguments))
    name = options.pop("name")
    if name == "update":
        update(options["names"])
        return
    plot, as_markdown = options.pop("plot"), options.pop("markdown")
    try:
        result = RESULTS[name](**options)
    except DurakError as error:
        sys.exit(str(error))
    print("\n".join(markdown(result.rows)) if as_markdown else result)
    if plot is not None:
        from plots import svg  # noqa: PLC0415 - matplotlib may not be installed

        plot.write_text(svg(name, result.rows), encoding="utf-8", newline="\n")


def shown(page: str) -> dict[str, str]:
    """Return each command in a page of the docs, with the lines of output below it."""
    return dict(_BLOCK.findall(page))


def computed(command: str, lines: int) -> str:
    """Run a command, and return the first lines of its output."""
    options = vars(parser().parse_args(shlex.split(command)))
    name, _, _ = (options.pop(option) for option in ("name", "plot", "markdown"))
    return "".join(f"{line}\n" for line in str(RESULTS[name](**options)).splitlines()[:lines])


def update(names: Sequence[str]) -> None:
    """Update the output of some commands in docs/results.md, with the same number of lines."""

    def anew(block: re.Match[str]) -> str:
        command, output = block.groups()
        if names and command.split()[0] not in names:
            return block[0]
        return f"```text\n$ python docs/results/run.py {command}\n{computed(command, output.count(chr(10)))}```\n"

    PAGE.write_text(_BLOCK.sub(anew, PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
