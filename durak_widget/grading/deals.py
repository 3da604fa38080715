"""`python -m durak_widget.lessons deals`: sheets to print; with `--results`, the comparison."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from durak_widget.atomic_files import replace_text
from durak_widget.duplicate_deals import compare, deals, sheets
from durak_widget.duplicate_deals.result_table import blank
from durak_widget.errors import DurakError, quoted
from durak_widget.homework.csv_tables import BOM
from durak_widget.i18n import codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.homework.html_page import Page


def deals_command(arguments: Sequence[str]) -> int:
    """Run `deals`, which writes sheets or compares results."""
    parser = ArgumentParser(prog="python -m durak_widget.lessons deals", description="Deals to print, the same at every desk.")
    parser.add_argument("--desks", type=int, default=15, help="how many desks there are (15)")
    parser.add_argument("--deals", type=int, default=4, help="how many deals each plays (4)")
    parser.add_argument("--edition", default="", help="another year, other deals")
    parser.add_argument("--rules", default="econ431", help="econ431; a smaller deck can be solved exactly: 'econ431, ranks=JQKA'")
    parser.add_argument("--language", default="en", choices=codes(), help="in which the sheets speak")
    parser.add_argument("--csv", metavar="FILE", help="write a table for the results too, to be filled in")
    parser.add_argument("--results", metavar="FILE", help="compare these results instead of printing the deals")
    parser.add_argument("--out", default="deals.html", metavar="FILE", help="the page (deals.html)")
    asked = parser.parse_args(arguments)
    some = deals(desks=asked.desks, deals=asked.deals, edition=asked.edition, rules=asked.rules, language=asked.language)
    if asked.csv:
        _keep(asked.csv, BOM + blank(some))
    if asked.results:
        compared = compare(asked.results, some)
        for trouble in compared.results.troubles:
            print(trouble, file=sys.stderr)  # noqa: T201 - a command says what it did
        page: Page = compared
    else:
        page = sheets(some)
    page.save(asked.out)
    print(f"{asked.out}: {page.title}; {some!r}")  # noqa: T201 - as above
    return 0


def _keep(path: str, text: str) -> None:
    try:
        replace_text(path, text)
    except OSError as error:
        raise DurakError(f"{quoted(path)} could not be written: {error.strerror or type(error).__name__}") from None
