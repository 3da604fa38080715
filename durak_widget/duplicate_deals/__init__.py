"""The same deals at every desk of a class, with real cards, and a page that compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.duplicate_deals.comparison_page import Compared, evaluate_deals
from durak_widget.duplicate_deals.dealing_plan import Deals
from durak_widget.duplicate_deals.printable_sheets import printed
from durak_widget.duplicate_deals.result_table import read_results
from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from durak_widget.homework.html_page import Page
    from durak_widget.rules.ruleset import Rules


def deals(*, desks: int = 15, deals: int = 4, edition: object = "", rules: Rules | str = "econ431", language: str = "en") -> Deals:
    """Return deals that are the same at every desk, and always the same for an edition.

    `sheets` prints them, `compare` compares the results.

    >>> some = deals(desks=15, deals=4, edition="2027")
    >>> "".join(some[1].plan[:4]), sheets(some)
    ('113B2', <Page 'A first hour: the same deals at every desk'>)
    """
    return Deals(desks=desks, deals=deals, edition=edition, rules=rules, language=language)


def sheets(deals: Deals) -> Page:
    """Return the page to print: `.save("deals.html")`, and print that."""
    return printed(_deals(deals))


def compare(results: object, deals: Deals) -> Compared:
    """Return the page that compares desks with one another, with bots and with the solver.

    Results are a CSV file with the columns desk, deal, durak, or rows such as `(1, 1, "B")`. Impossible results are
    named on the page and left out.

    >>> some = deals(desks=2, deals=1, rules="econ431, ranks=JQKA")
    >>> page = compare([(1, 1, "B"), (2, 1, "A"), (3, 1, "A")], some)
    >>> page.results.score(1), page.results.troubles
    ({1: 0.5}, ("row 3: there is no desk '3'; they are numbered from 1 to 2",))
    """
    parsed = read_results(results, _deals(deals))
    return Compared(parsed, deals, evaluate_deals(deals))


def _deals(deals: object) -> Deals:
    if not isinstance(deals, Deals):
        raise DurakError(f"give the deals that were printed, as in duplicate_deals.deals(desks=15, deals=4), not {quoted(deals)}")
    return deals
