"""Every type of exercise: how it is asked, answered and judged.

To add a type of exercise: what homework asks of it, `Task` in `base_exercise.py` lists: `given` and `keep`, the part that is done (`_part_done`), how many `answers` there are, how it is
answered `on_paper`, without its key, and `by_hand`, on a printed sheet, whether it `takes_code`; homework and grading name no type. It also needs its words
(`screen.how.<kind>`, `class.sheet.next.<kind>`), an example in `tests/support/asked.py`, a question at the end of `tests/support/classroom_kinds.py`, with which leaks are looked
for, a line in `docs/lessons.md`, and the clicks that do it in `tests/browser/lab/test_notebooks.py`.

To add a question about a tree or a matrix: a class of `Asked` (`blackboard_exercise.py`) in a module of its own, which needs no widget: what is right, which mistake is which,
whether it is done in parts (`fields`, `guessed`), what the page shows; a constructor in `OnTree` or `OnMatrix`; its words; how it is drawn and done, in `board/tree-input.ts` or
`board/matrix/matrix-grid.ts` of `frontend/src/`; its clicks in `tests/browser/on_boards.py`. Over a thousand random games each mistake is to be named exactly where it is proved.
"""
