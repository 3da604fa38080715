"""Check which folders `benchmarks.between` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import between

if TYPE_CHECKING:
    from pathlib import Path


def test_only_a_checkout_is_measured(tmp_path: Path) -> None:
    """A folder without the package is refused in one sentence, before anything runs."""
    (tmp_path / "durak_widget" / "game").mkdir(parents=True)
    (tmp_path / "durak_widget" / "__init__.py").touch()
    with pytest.raises(SystemExit, match=r"^\S+ is no checkout: it has no durak_widget/__init__\.py\.$"):
        between.checkout_of(str(tmp_path / "durak_widget" / "game"))
    assert between.checkout_of(str(tmp_path)) == tmp_path.resolve()
