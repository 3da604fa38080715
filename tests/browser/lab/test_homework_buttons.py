"""Test that no button of homework runs a solver."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

TESTS = str(Path(__file__).resolve().parents[2])
BEGIN = f"""import sys
sys.path.insert(0, {TESTS!r})
from support.classroom_kinds import ASSIGNMENT
from support.solver_spy import SolverSpy
from durak_widget import lessons
work, econ = (lessons.homework(which, student="Ann", folder=None) for which in (ASSIGNMENT, "econ431"))
spy = SolverSpy()"""
SHOWN = [
    'econ["beat-or-take"]',
    *(f'work["{name}"]' for name in ("values", "sets", "fill", "strike", "strategy", "played", "many", "chosen")),
]
CLICK = """() => {
  window.clicked ??= new Set();
  const names = [];
  document.querySelectorAll('section.dk').forEach((part, place) => {
    for (const one of part.querySelectorAll('button, summary, [role=button], [role=radio], [role=menuitem], input[type=checkbox]')) {
      const name = one.getAttribute('aria-label') || one.textContent.trim();
      const key = [place, one.tagName, name].join('|');
      if (!name || window.clicked.has(key) || one.disabled || one.ariaDisabled === 'true' || !one.getClientRects().length) continue;
      window.clicked.add(key);
      names.push(name);
      one.click();
    }
  });
  return names;
}"""


@pytest.mark.release
def test_no_homework_button_runs_a_solver(notebook):
    """Every button is clicked once, also those that others open and *Hint* at the table."""
    book = notebook([BEGIN, *SHOWN, "spy.__enter__();"], viewport=(1300, 900), reduced_motion=True)
    page = book.page
    expect(page.locator("section.dk").first).to_be_visible()
    book.execute('econ["beat-or-take"].view.open_on_table(0)')
    expect(book.table()).to_be_visible()
    clicked = []
    for _ in range(8):
        names = page.evaluate(CLICK)
        if not names:
            break
        clicked += names
        book.answered()
    assert "Hint" in clicked
    assert len(clicked) > 60
    assert book.python("spy.heard") == set()
