"""Parses the results that desks wrote down, and compares desks that played the same deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import require_path
from durak_widget.duplicate_deals.dealing_plan import SEAT_LETTERS
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.homework.csv_tables import decode_text, format_csv, parse_cells

if TYPE_CHECKING:
    from durak_widget.duplicate_deals.dealing_plan import DuplicateDeals

COLUMNS: Final = ("desk", "deal", "durak", "bouts", "remarks")
_REQUIRED_COLUMNS: Final = COLUMNS[:3]
_MAX_BYTES: Final = 1_000_000
_MAX_CELL_LENGTH: Final = 200
_DURAK_SPELLINGS: Final = {"a": "A", "а": "A", "b": "B", "в": "B", "б": "B", "draw": "", "=": "", "½": "", "ничья": "", "lygiosios": ""}
"""The accepted ways to write who lost, or that the game was a tie, in Latin or Cyrillic letters."""


class DeskResult(NamedTuple):
    """The result of one desk in one deal."""

    desk: int
    deal: int
    durak: str
    """The player who lost (the fool, or durak), `A` or `B`; empty for a tie."""
    bouts: int | None = None
    remarks: str = ""

    def score_of(self, seat: str) -> float:
        """Return the score of player `seat`: 1 for a win, 0 for a loss, 0.5 for a tie.

        >>> DeskResult(1, 1, "B").score_of("A"), DeskResult(1, 1, "").score_of("A")
        (1.0, 0.5)
        """
        return 0.5 if not self.durak else float(self.durak != seat)


class ClassResults(NamedTuple):
    """The results of all desks of a class, and the problems in the table of results."""

    desk_results: tuple[DeskResult, ...]
    problems: tuple[str, ...]
    """The problems in the table of results, as sentences."""

    def average_score(self, deal: int) -> float | None:
        """Return player A's mean score in a deal, over all desks; None if no desk has a result."""
        scores = [result.score_of("A") for result in self.desk_results if result.deal == deal]
        return fmean(scores) if scores else None

    def relative_scores(self, desk: int) -> dict[int, float]:
        """Return, by deal, player A's score at one desk minus the mean over all desks.

        The score of B is the same with the other sign.

        >>> some = ClassResults((DeskResult(1, 1, "B"), DeskResult(2, 1, "A")), ())
        >>> some.relative_scores(1), some.relative_scores(2)
        ({1: 0.5}, {1: -0.5})
        """
        return {
            result.deal: result.score_of("A") - (self.average_score(result.deal) or 0.0)
            for result in self.desk_results
            if result.desk == desk
        }

    @property
    def desks(self) -> list[int]:
        """Return the numbers of the desks that have played at least one deal."""
        return sorted({result.desk for result in self.desk_results})

    @property
    def variance_shares(self) -> tuple[float, float] | None:
        """Return which fraction of the scores' variance the deals explain.

        The second number is the fraction that the deals would explain by chance alone.

        The result is None if all scores are the same.
        """
        scores = [(result.deal, result.score_of("A")) for result in self.desk_results]
        mean = fmean(value for _, value in scores) if scores else 0.0
        total_variation = sum((value - mean) ** 2 for _, value in scores)
        if not total_variation:
            return None
        variation_between_deals = sum(((self.average_score(deal) or 0.0) - mean) ** 2 for deal, _ in scores)
        return variation_between_deals / total_variation, (len({deal for deal, _ in scores}) - 1) / (len(scores) - 1)


def format_blank_table(deals: DuplicateDeals) -> str:
    """Return an empty table for results as CSV text, with a row for each deal at each desk."""
    return format_csv(COLUMNS, ([desk, deal.number, "", "", ""] for desk in range(1, deals.desks + 1) for deal in deals))


def read_results(results: object, deals: DuplicateDeals) -> ClassResults:
    """Read the desks' results from a CSV file, a list of rows, or a dict.

    Rows are `(desk, deal, durak)`, a mapping is `{(desk, deal): durak}`. Impossible results are reported and left
    out.
    """
    if isinstance(results, ClassResults):
        return results
    rows, troubles = _read_rows(results)
    first_results: dict[tuple[int, int], DeskResult] = {}
    for position, row in rows:
        if not row.get("durak", "").strip():
            continue  # An empty cell means that this desk did not play the deal
        result = _parse_result(row, deals)
        if isinstance(result, str):
            troubles.append(f"{position}: {result}")
        elif (first_result := first_results.setdefault((result.desk, result.deal), result)) is not result:
            is_same = first_result.durak == result.durak
            troubles.append(
                f"{position}: desk {result.desk} has already reported deal {result.deal}{'' if is_same else ', with another result'}; the first one counts"
            )
    return ClassResults(tuple(sorted(first_results.values())), tuple(troubles))


def _read_rows(results: object) -> tuple[list[tuple[str, Mapping[str, str]]], list[str]]:
    """Return the rows of a table of results, with their locations, and the problems found."""
    if isinstance(results, Mapping):
        results = [(*key, durak) if isinstance(key, tuple) else (key, None, durak) for key, durak in results.items()]
    if isinstance(results, (str, bytes)) or hasattr(results, "__fspath__"):
        return _read_csv_file(require_path(results))
    if not isinstance(results, Iterable):
        raise DurakError(f'results must be a CSV file, or rows such as (1, 1, "B"): desk, deal, durak; not {short_repr(results)}')
    rows: list[tuple[str, Mapping[str, str]]] = []
    troubles: list[str] = []
    for number, row in enumerate(results, 1):
        if isinstance(row, (list, tuple)) and 3 <= len(row) <= len(COLUMNS):
            rows.append(
                (
                    f"row {number}",
                    {name: "" if cell is None else str(cell)[:_MAX_CELL_LENGTH] for name, cell in zip(COLUMNS, row, strict=False)},
                )
            )
        else:
            troubles.append(f'row {number}: a result must be (desk, deal, durak), such as (1, 1, "B"), not {short_repr(row)}')
        if number > _MAX_BYTES // 10:
            raise DurakError(f"there are too many results to read: the limit is {_MAX_BYTES // 10:,}")
    return rows, troubles


def _read_csv_file(path: str) -> tuple[list[tuple[str, Mapping[str, str]]], list[str]]:
    """Return the rows of a CSV file; its separator is a comma, a semicolon or a tab."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise DurakError(f"cannot read results from {short_repr(path)}: {error.strerror or type(error).__name__}") from None
    if len(data) > _MAX_BYTES:
        raise DurakError(f"{short_repr(path)} is larger than a million bytes, too large for a file of results; is it the right file?")
    try:
        text = decode_text(data)
    except UnicodeDecodeError:
        text = data.decode("latin-1").replace("\0", "")
    lines = parse_cells(text, f"file {short_repr(path)}")
    head = [cell.casefold() for cell in next((line for line in lines if any(line)), [])]
    if missing := [name for name in _REQUIRED_COLUMNS if name not in head]:
        raise DurakError(f"{short_repr(path)} has no column {missing[0]!r}; its first line must name the columns: {', '.join(COLUMNS)}")
    columns = {name: head.index(name) for name in COLUMNS if name in head}
    rows: list[tuple[str, Mapping[str, str]]] = []
    for number, line in enumerate(lines, 1):
        if [cell.casefold() for cell in line] != head and any(line):
            rows.append(
                (f"line {number}", {name: line[index][:_MAX_CELL_LENGTH] if index < len(line) else "" for name, index in columns.items()})
            )
    return rows, []


def _parse_result(row: Mapping[str, str], deals: DuplicateDeals) -> DeskResult | str:
    """Parse the result in a row of the table; for an invalid result, return the reason."""
    desk, deal = _parse_whole_number(row["desk"]), _parse_whole_number(row["deal"])
    if desk is None or not 1 <= desk <= deals.desks:
        return f"there is no desk {short_repr(row['desk'], 20)}; the desks are numbered from 1 to {deals.desks}"
    if deal is None or not 1 <= deal <= len(deals):
        return f"there is no deal {short_repr(row['deal'], 20)}; the deals are numbered from 1 to {len(deals)}"
    durak = _DURAK_SPELLINGS.get(row["durak"].strip().casefold())
    if durak is None:
        return f"the durak must be {' or '.join(SEAT_LETTERS)}, or 'draw', not {short_repr(row['durak'], 20)}"
    bouts = _parse_whole_number(row.get("bouts", ""))
    return DeskResult(desk, deal, durak, bouts if bouts and bouts < 1000 else None, " ".join(row.get("remarks", "").split()))


def _parse_whole_number(text: str) -> int | None:
    """Parse a short non-negative integer; return None if the text is anything else."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        return None
    return as_whole_number(int(text))
