"""A first hour without computers: the same deals at every desk, printed, and the page that compares what desks made of them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from durak_widget.classroom.csvs import BOM
from durak_widget.classroom.desks_deals import Deals
from durak_widget.classroom.desks_luck import each
from durak_widget.classroom.desks_page import Compared
from durak_widget.classroom.desks_printed import printed
from durak_widget.classroom.desks_results import blank, read
from durak_widget.errors import DurakError, quoted
from durak_widget.files import replace_text
from durak_widget.words import codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.classroom.page import Page
    from durak_widget.rules.book import Rules


def deals(*, desks: int = 15, deals: int = 4, edition: object = "", rules: Rules | str = "econ431", language: str = "en") -> Deals:
    """The same deals for every desk, and the same again for the same edition; `sheets` prints them, `compare` compares what became of them.

    >>> some = deals(desks=15, deals=4, edition="2027")
    >>> "".join(some[1].plan[:4]), sheets(some)
    ('113B2', <Page 'A first hour: the same deals at every desk'>)
    """
    return Deals(desks=desks, deals=deals, edition=edition, rules=rules, language=language)


def sheets(deals: Deals) -> Page:
    """The page to print: `.save("deals.html")`, and print that."""
    return printed(_deals(deals))


def compare(results: object, deals: Deals) -> Compared:
    """The page that compares desks with one another, with bots and with the solver.

    Results are a file of CSV with the columns desk, deal, durak, or rows such as `(1, 1, "B")`; what cannot be is named on the page and left out.

    >>> some = deals(desks=2, deals=1, rules="econ431, ranks=JQKA")
    >>> page = compare([(1, 1, "B"), (2, 1, "A"), (3, 1, "A")], some)
    >>> page.results.score(1), page.results.troubles
    ({1: 0.5}, ("row 3: there is no desk '3'; they are numbered from 1 to 2",))
    """
    told = read(results, _deals(deals))
    return Compared(told, deals, each(deals))


def _deals(deals: object) -> Deals:
    if not isinstance(deals, Deals):
        raise DurakError(f"give the deals that were printed, as in desks.deals(desks=15, deals=4), not {quoted(deals)}")
    return deals


def command(arguments: Sequence[str]) -> int:
    """`python -m durak_widget.lessons deals`: sheets to print; with `--results`, the comparison."""
    asked = _parser().parse_args(arguments)
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


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m durak_widget.lessons deals", description="Deals to print, the same at every desk.")
    parser.add_argument("--desks", type=int, default=15, help="how many desks there are (15)")
    parser.add_argument("--deals", type=int, default=4, help="how many deals each plays (4)")
    parser.add_argument("--edition", default="", help="another year, other deals")
    parser.add_argument("--rules", default="econ431", help="econ431; a smaller deck can be solved exactly: 'econ431, ranks=JQKA'")
    parser.add_argument("--language", default="en", choices=codes(), help="in which the sheets speak")
    parser.add_argument("--csv", metavar="FILE", help="write a table for the results too, to be filled in")
    parser.add_argument("--results", metavar="FILE", help="compare these results instead of printing the deals")
    parser.add_argument("--out", default="deals.html", metavar="FILE", help="the page (deals.html)")
    return parser
