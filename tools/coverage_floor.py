"""Do the tests reach the rules model? Prints its coverage and fails below the floor."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

import coverage

FLOOR = 98.0
PACKAGE = "durak_widget"
AREAS = [name.removeprefix(f"{PACKAGE}.") for name in coverage.Coverage().get_option("run:source")]


def area_of(name: str) -> str:
    """The area that a file belongs to: `durak_widget/rules/trump.py` is in `rules`."""
    parts = Path(name).with_suffix("").parts
    return parts[1] if len(parts) > 1 and parts[0] == PACKAGE else ""


def percent(covered: int, total: int) -> float:
    """The share covered in per cent; of nothing, all is covered."""
    return 100.0 * covered / total if total else 100.0


def report() -> dict[str, dict]:
    """What the processes of the last run of the tests measured together, by file."""
    data = coverage.Coverage()
    data.load()
    data.combine()
    data.save()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "coverage.json")
        data.json_report(outfile=str(out))
        return json.loads(out.read_text(encoding="utf-8"))["files"]


def main() -> int:
    """Print a line for each area, and what is not reached; 1 if an area is below the floor."""
    sums = {area: Counter() for area in AREAS}
    gaps = []
    for name, measured in report().items():
        area, summary = area_of(name), measured["summary"]
        if area not in sums:
            continue
        sums[area].update({key: summary[key] for key in summary if isinstance(summary[key], int)})
        lines, branches = measured["missing_lines"], measured["missing_branches"]
        if lines or branches:
            jumps = [f"{start}->{'exit' if end < 0 else end}" for start, end in branches]
            gaps.append(f"  not reached: {name}: lines {lines}, branches {' '.join(jumps) or 'all'}")
    print(f"coverage of the model (floor {FLOOR:g} % in each column):")
    low = []
    for area, total in sums.items():
        lines = percent(total["covered_lines"], total["num_statements"])
        branches = percent(total["covered_branches"], total["num_branches"])
        print(f"  {area:6} lines {lines:6.2f} %   branches {branches:6.2f} %")
        if not total["num_statements"] or min(lines, branches) < FLOOR:
            low.append(area)
    for gap in gaps:
        print(gap)
    if low:
        print(f"coverage: below the floor of {FLOOR:g} %: {', '.join(low)}")
    return bool(low)


if __name__ == "__main__":
    sys.exit(main())
