"""The results that desks write down, read strictly and compared as in duplicate bridge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import path_of
from durak_widget.duplicate_deals.dealing_plan import SEATS
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.homework.csv_tables import as_csv, cells, decoded

if TYPE_CHECKING:
    from durak_widget.duplicate_deals.dealing_plan import Deals

COLUMNS: Final = ("desk", "deal", "durak", "bouts", "remarks")
_NEEDED: Final = COLUMNS[:3]
_LONGEST: Final = 1_000_000
_REMARK: Final = 200
_DURAK: Final = {"a": "A", "а": "A", "b": "B", "в": "B", "б": "B", "draw": "", "=": "", "½": "", "ничья": "", "lygiosios": ""}
"""How a durak can be typed, in similar Cyrillic letters too; a tie has no durak."""


class DeskPlayed(NamedTuple):
    """The result of a deal at one desk."""

    desk: int
    deal: int
    durak: str
    """`A` or `B`; empty for a tie."""
    bouts: int | None = None
    remarks: str = ""

    def won_by(self, seat: str) -> float:
        """Return 1 for the winner, 0 for the durak, a half for a tie.

        >>> DeskPlayed(1, 1, "B").won_by("A"), DeskPlayed(1, 1, "").won_by("A")
        (1.0, 0.5)
        """
        return 0.5 if not self.durak else float(self.durak != seat)


class Results(NamedTuple):
    """The results of a class, and the problems found in them."""

    played: tuple[DeskPlayed, ...]
    troubles: tuple[str, ...]
    """Problems in the table, as sentences."""

    def average(self, deal: int) -> float | None:
        """Return the average score of A in a deal; None if nobody played it."""
        scores = [result.won_by("A") for result in self.played if result.deal == deal]
        return fmean(scores) if scores else None

    def score(self, desk: int) -> dict[int, float]:
        """Return for each deal of a desk the score of A minus the average of all desks.

        The score of B is the same with the other sign.

        >>> some = Results((DeskPlayed(1, 1, "B"), DeskPlayed(2, 1, "A")), ())
        >>> some.score(1), some.score(2)
        ({1: 0.5}, {1: -0.5})
        """
        return {result.deal: result.won_by("A") - (self.average(result.deal) or 0.0) for result in self.played if result.desk == desk}

    @property
    def desks(self) -> list[int]:
        """Return the desks that played."""
        return sorted({result.desk for result in self.played})

    @property
    def shares(self) -> tuple[float, float] | None:
        """Return the share of the variance that is due to the deals, and that expected by chance.

        The result is None if all scores are the same.
        """
        scores = [(result.deal, result.won_by("A")) for result in self.played]
        mean = fmean(value for _, value in scores) if scores else 0.0
        total_variation = sum((value - mean) ** 2 for _, value in scores)
        if not total_variation:
            return None
        variation_between_deals = sum(((self.average(deal) or 0.0) - mean) ** 2 for deal, _ in scores)
        return variation_between_deals / total_variation, (len({deal for deal, _ in scores}) - 1) / (len(scores) - 1)


def blank(deals: Deals) -> str:
    """Return a CSV table to fill in, with a row for each desk and deal."""
    return as_csv(COLUMNS, ([desk, deal.number, "", "", ""] for desk in range(1, deals.desks + 1) for deal in deals))


def read_results(results: object, deals: Deals) -> Results:
    """Return results from a CSV file, from rows, or from a mapping.

    Rows are `(desk, deal, durak)`, a mapping is `{(desk, deal): durak}`. Impossible results are reported and left
    out.
    """
    if isinstance(results, Results):
        return results
    rows, troubles = _rows(results)
    first_results: dict[tuple[int, int], DeskPlayed] = {}
    for position, row in rows:
        if not row.get("durak", "").strip():
            continue  # not played
        result = _played(row, deals)
        if isinstance(result, str):
            troubles.append(f"{position}: {result}")
        elif (first_result := first_results.setdefault((result.desk, result.deal), result)) is not result:
            is_same = first_result.durak == result.durak
            troubles.append(
                f"{position}: desk {result.desk} has told of deal {result.deal} before{'' if is_same else ', and otherwise'}; the first counts"
            )
    return Results(tuple(sorted(first_results.values())), tuple(troubles))


def _rows(results: object) -> tuple[list[tuple[str, Mapping[str, str]]], list[str]]:
    """Return each row with its position, and the problems."""
    if isinstance(results, Mapping):
        results = [(*key, durak) if isinstance(key, tuple) else (key, None, durak) for key, durak in results.items()]
    if isinstance(results, (str, bytes)) or hasattr(results, "__fspath__"):
        return _lines(path_of(results))
    if not isinstance(results, Iterable):
        raise DurakError(f'results are a file of CSV, or rows such as (1, 1, "B"): desk, deal, durak; not {quoted(results)}')
    rows: list[tuple[str, Mapping[str, str]]] = []
    troubles: list[str] = []
    for number, row in enumerate(results, 1):
        if isinstance(row, (list, tuple)) and 3 <= len(row) <= len(COLUMNS):
            rows.append(
                (f"row {number}", {name: "" if cell is None else str(cell)[:_REMARK] for name, cell in zip(COLUMNS, row, strict=False)})
            )
        else:
            troubles.append(f'row {number}: a result is (desk, deal, durak), such as (1, 1, "B"), not {quoted(row)}')
        if number > _LONGEST // 10:
            raise DurakError(f"more than {_LONGEST // 10:,} results are too many to be read")
    return rows, troubles


def _lines(path: str) -> tuple[list[tuple[str, Mapping[str, str]]], list[str]]:
    """Return the rows of a CSV file, separated by commas, semicolons or tabs."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LONGEST + 1)
    except OSError as error:
        raise DurakError(f"results could not be read from {quoted(path)}: {error.strerror or type(error).__name__}") from None
    if len(data) > _LONGEST:
        raise DurakError(f"{quoted(path)} is larger than a million bytes, and a file of results is small; is it the right one?")
    try:
        text = decoded(data)
    except UnicodeDecodeError:
        text = data.decode("latin-1").replace("\0", "")
    lines = cells(text, f"file {quoted(path)}")
    head = [cell.casefold() for cell in next((line for line in lines if any(line)), [])]
    if missing := [name for name in _NEEDED if name not in head]:
        raise DurakError(f"{quoted(path)} has no column {missing[0]!r}; its first line names the columns: {', '.join(COLUMNS)}")
    columns = {name: head.index(name) for name in COLUMNS if name in head}
    rows: list[tuple[str, Mapping[str, str]]] = []
    for number, line in enumerate(lines, 1):
        if [cell.casefold() for cell in line] != head and any(line):
            rows.append((f"line {number}", {name: line[index][:_REMARK] if index < len(line) else "" for name, index in columns.items()}))
    return rows, []


def _played(row: Mapping[str, str], deals: Deals) -> DeskPlayed | str:
    """Return a result, or what is wrong with it."""
    desk, deal = _number(row["desk"]), _number(row["deal"])
    if desk is None or not 1 <= desk <= deals.desks:
        return f"there is no desk {quoted(row['desk'], 20)}; they are numbered from 1 to {deals.desks}"
    if deal is None or not 1 <= deal <= len(deals):
        return f"there is no deal {quoted(row['deal'], 20)}; they are numbered from 1 to {len(deals)}"
    durak = _DURAK.get(row["durak"].strip().casefold())
    if durak is None:
        return f"the durak is {' or '.join(SEATS)}, or 'draw', not {quoted(row['durak'], 20)}"
    bouts = _number(row.get("bouts", ""))
    return DeskPlayed(desk, deal, durak, bouts if bouts and bouts < 1000 else None, " ".join(row.get("remarks", "").split()))


def _number(text: str) -> int | None:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        return None
    return whole_number(int(text))
