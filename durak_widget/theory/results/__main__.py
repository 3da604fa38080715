"""`python -m durak_widget.theory.results NAME`: a result, computed anew, as text; `--plot FILE.svg` draws it."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from inspect import getdoc, signature
from pathlib import Path
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.theory import results
from durak_widget.theory.results import plots
from durak_widget.theory.results.result import listed
from durak_widget.work.asked import about_workers, asked_executor

if TYPE_CHECKING:
    from collections.abc import Sequence


class PlotError(DurakError, ValueError):
    """A plot that was asked for and cannot be drawn."""


def parser() -> ArgumentParser:
    """What may be asked: a name, and the options of its function."""
    found = ArgumentParser(prog="python -m durak_widget.theory.results", description="Results worth teaching, each computed anew.")
    names = found.add_subparsers(dest="name", metavar="NAME")
    for name in results.RESULTS:
        function = getattr(results, name)
        told = (getdoc(function) or "").split("\n\n")[0]
        one = names.add_parser(name, help=told, description=told, formatter_class=RawDescriptionHelpFormatter)
        for option in (some for some in signature(function).parameters.values() if some.default is not None):
            one.add_argument(f"--{option.name}", type=type(option.default), default=option.default, help=f"if not {option.default!r}")
        if "executor" in signature(function).parameters:
            about_workers(one, usual="this one")
        one.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw it, light or dark as its reader has it (needs matplotlib)")
        one.add_argument("--markdown", action="store_true", help="the table alone, as lines of a page")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Say what was found; without a name, what there is.

    >>> main(["taking", "--cards", "3"])
    Nothing left to draw, and you could beat the card: is it ever better to take it?
    3 cards in play: econ431 without talon, 9 cards, hearts are trumps
    taking is strictly better in 0 of 189 (0.0 %)
    attacker  defender  could beat  taking is better  as good  worse
    2         1         189         0                 0        189
    """
    asked = vars(parser().parse_args(arguments))
    name, plot, page = asked.pop("name"), asked.pop("plot", None), asked.pop("markdown", False)
    if name is None:
        parser().print_help()
        return
    try:
        if plot is not None:
            can_draw(name, plot)
        with asked_executor(asked.pop("jobs", None), asked.pop("dask", None)) as executor:
            found: results.Result = getattr(results, name)(**asked, **({} if executor is None else {"executor": executor}))
    except DurakError as error:
        parser().exit(2, f"{error}\n")
    print("\n".join(found.markdown()) if page else found)  # noqa: T201 - a command
    if plot is not None:
        plot.write_text(plots.svg(found.plot), encoding="utf-8", newline="\n")


def can_draw(name: str, file: Path) -> None:
    """Refuse a plot that cannot be, before minutes are spent on what it should show."""
    drawn = [one for one in results.RESULTS if getattr(results, signature(getattr(results, one)).return_annotation).has_plot()]
    if name not in drawn:
        msg = f"{name} is not drawn; {listed(drawn)} are"
        raise PlotError(msg)
    if not file.parent.is_dir():
        msg = f"there is no folder {str(file.parent)!r} for the plot; make it, or name a file in one that is there"
        raise PlotError(msg)
    with plots.dressed(plots.LIGHT):
        pass  # or matplotlib is missing


if __name__ == "__main__":
    main()
