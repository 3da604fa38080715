"""What the desks write down: results typed by the teacher, read strictly, and compared as in duplicate bridge."""

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
"""How a durak may be typed, letters of Cyrillic that look alike among them; a draw has none."""


class DeskPlayed(NamedTuple):
    """A deal as one desk played it."""

    desk: int
    deal: int
    durak: str
    """`A` or `B`; nothing for a draw."""
    bouts: int | None = None
    remarks: str = ""

    def won_by(self, seat: str) -> float:
        """1 for who won, 0 for the durak, a half for a draw.

        >>> DeskPlayed(1, 1, "B").won_by("A"), DeskPlayed(1, 1, "").won_by("A")
        (1.0, 0.5)
        """
        return 0.5 if not self.durak else float(self.durak != seat)


class Results(NamedTuple):
    """The results of a class, and what was not understood of them."""

    played: tuple[DeskPlayed, ...]
    troubles: tuple[str, ...]
    """Each a sentence."""

    def average(self, deal: int) -> float | None:
        """What A made of a deal, on average over the desks; None where nobody played it."""
        won = [one.won_by("A") for one in self.played if one.deal == deal]
        return fmean(won) if won else None

    def score(self, desk: int) -> dict[int, float]:
        """For each deal of a desk: what A there made of it, less the average of all desks; for B it is the same with the other sign.

        >>> some = Results((DeskPlayed(1, 1, "B"), DeskPlayed(2, 1, "A")), ())
        >>> some.score(1), some.score(2)
        ({1: 0.5}, {1: -0.5})
        """
        return {one.deal: one.won_by("A") - (self.average(one.deal) or 0.0) for one in self.played if one.desk == desk}

    @property
    def desks(self) -> list[int]:
        """The desks that played."""
        return sorted({one.desk for one in self.played})

    @property
    def shares(self) -> tuple[float, float] | None:
        """Which share of all difference between results goes with the deal, and which would on average if deals made none; None where results do not differ."""
        won = [(one.deal, one.won_by("A")) for one in self.played]
        mean = fmean(value for _, value in won) if won else 0.0
        whole = sum((value - mean) ** 2 for _, value in won)
        if not whole:
            return None
        between = sum(((self.average(deal) or 0.0) - mean) ** 2 for deal, _ in won)
        return between / whole, (len({deal for deal, _ in won}) - 1) / (len(won) - 1)


def blank(deals: Deals) -> str:
    """A CSV to fill in: a row for each desk and deal."""
    return as_csv(COLUMNS, ([desk, laid.number, "", "", ""] for desk in range(1, deals.desks + 1) for laid in deals))


def read_results(results: object, deals: Deals) -> Results:
    """Results from a file of CSV, from rows `(desk, deal, durak)`, or from `{(desk, deal): durak}`; what cannot be is named and left out."""
    if isinstance(results, Results):
        return results
    rows, troubles = _rows(results)
    found: dict[tuple[int, int], DeskPlayed] = {}
    for where, row in rows:
        if not row.get("durak", "").strip():
            continue  # not played
        one = _played(row, deals)
        if isinstance(one, str):
            troubles.append(f"{where}: {one}")
        elif (before := found.setdefault((one.desk, one.deal), one)) is not one:
            same = before.durak == one.durak
            troubles.append(
                f"{where}: desk {one.desk} has told of deal {one.deal} before{'' if same else ', and otherwise'}; the first counts"
            )
    return Results(tuple(sorted(found.values())), tuple(troubles))


def _rows(results: object) -> tuple[list[tuple[str, Mapping[str, str]]], list[str]]:
    """Each row with where it stands."""
    if isinstance(results, Mapping):
        results = [(*key, durak) if isinstance(key, tuple) else (key, None, durak) for key, durak in results.items()]
    if isinstance(results, (str, bytes)) or hasattr(results, "__fspath__"):
        return _lines(path_of(results))
    if not isinstance(results, Iterable):
        raise DurakError(f'results are a file of CSV, or rows such as (1, 1, "B"): desk, deal, durak; not {quoted(results)}')
    rows: list[tuple[str, Mapping[str, str]]] = []
    troubles: list[str] = []
    for place, row in enumerate(results, 1):
        if isinstance(row, (list, tuple)) and 3 <= len(row) <= len(COLUMNS):
            rows.append(
                (f"row {place}", {name: "" if cell is None else str(cell)[:_REMARK] for name, cell in zip(COLUMNS, row, strict=False)})
            )
        else:
            troubles.append(f'row {place}: a result is (desk, deal, durak), such as (1, 1, "B"), not {quoted(row)}')
        if place > _LONGEST // 10:
            raise DurakError(f"more than {_LONGEST // 10:,} results are too many to be read")
    return rows, troubles


def _lines(path: str) -> tuple[list[tuple[str, Mapping[str, str]]], list[str]]:
    """The rows of a file of CSV, with commas, semicolons or tabs between."""
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
    places = {name: head.index(name) for name in COLUMNS if name in head}
    rows: list[tuple[str, Mapping[str, str]]] = []
    for number, line in enumerate(lines, 1):
        if [cell.casefold() for cell in line] != head and any(line):
            rows.append((f"line {number}", {name: line[place][:_REMARK] if place < len(line) else "" for name, place in places.items()}))
    return rows, []


def _played(row: Mapping[str, str], deals: Deals) -> DeskPlayed | str:
    """A result, or what is wrong with it."""
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
