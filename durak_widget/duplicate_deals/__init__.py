"""Makes deals to play with real cards, the same at all desks of a school class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.duplicate_deals.comparison_page import ComparisonPage, evaluate_deals
from durak_widget.duplicate_deals.dealing_plan import DuplicateDeals
from durak_widget.duplicate_deals.printable_sheets import build_sheets_page
from durak_widget.duplicate_deals.result_table import read_results
from durak_widget.errors import DurakError, short_repr

if TYPE_CHECKING:
    from durak_widget.homework.html_page import Page
    from durak_widget.rules.ruleset import Rules


def deals(*, desks: int = 15, deals: int = 4, edition: object = "", rules: Rules | str = "econ431", language: str = "en") -> DuplicateDeals:
    """Return deals that a school class plays, the same at each desk.

    They follow from the name of the edition and the rules.

    `sheets` prints them, `compare` compares the results.

    >>> some = deals(desks=15, deals=4, edition="2027")
    >>> "".join(some[1].card_destinations[:4]), sheets(some)
    ('113B2', <Page 'The first hour: the same deals at every desk'>)
    """
    return DuplicateDeals(desks=desks, deals=deals, edition=edition, rules=rules, language=language)


def sheets(deals: DuplicateDeals) -> Page:
    """Return a document with the deals to print; `.save("deals.html")` writes it to a file."""
    return build_sheets_page(_require_deals(deals))


def compare(results: object, deals: DuplicateDeals) -> ComparisonPage:
    """Compare the desks' results with each other, with bots' results and with best play.

    Results are a CSV file with the columns desk, deal, durak, or rows such as `(1, 1, "B")`. Impossible results are
    named on the page and left out.

    >>> some = deals(desks=2, deals=1, rules="econ431, ranks=JQKA")
    >>> page = compare([(1, 1, "B"), (2, 1, "A"), (3, 1, "A")], some)
    >>> page.results.relative_scores(1), page.results.problems
    ({1: 0.5}, ("row 3: there is no desk '3'; the desks are numbered from 1 to 2",))
    """
    parsed = read_results(results, _require_deals(deals))
    return ComparisonPage(parsed, deals, evaluate_deals(deals))


def _require_deals(deals: object) -> DuplicateDeals:
    """Return `deals` if it is a `DuplicateDeals` object; otherwise, raise an error."""
    if not isinstance(deals, DuplicateDeals):
        raise DurakError(
            f"deals must be the deals that were printed, as in duplicate_deals.deals(desks=15, deals=4), not {short_repr(deals)}"
        )
    return deals
