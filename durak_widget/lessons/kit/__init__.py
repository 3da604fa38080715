"""What is an exercise: how is it shown, answered, judged, remembered? What it asks has a room of its own, from `picking` to `strategies`.

To add a kind of exercise: what a classroom asks of it, `Task` in `task.py` lists: `given` and `keep`, the part that is done (`_part_done`), how many `answers` there are, how it is
answered `on_paper`, without its key, and `by_hand`, on a printed sheet, whether it `takes_code`; `classroom/` names no kind. Besides its words (`screen.how.<kind>`, `class.sheet.next.<kind>`): an example in
`tests/support/asked.py`, a question at the end of `tests/support/classroom_kinds.py`, with which leaks are looked for, a line in `docs/lessons.md`, the clicks that do it in
`tests/browser/lab/test_notebooks.py`.
"""
