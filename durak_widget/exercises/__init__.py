"""The exercise types: how the package asks, reads and grades each type of question.

To add a type of exercise, define what homework asks of it. `Task` in `base_exercise.py` lists this: `answer` and `defer_grading`, the credit for a
partial answer (`_partial_credit`), the number of possible answers (`answer_count`), how it is answered without a key (`answer_form`) and on a printed sheet
(`to_paper_question`), and whether it `takes_code`. Homework and grading don't name any type. The new type also needs its texts (`screen.how.<kind>`,
`class.sheet.next.<kind>`), an example in `tests/support/asked.py`, a question at the end of `tests/support/classroom_kinds.py` (the tests
look for leaks with it), a line in `docs/lessons.md`, and the clicks that answer it in `tests/browser/lab/test_notebooks.py`.

To add a question about a tree or a matrix, write a class of `BoardQuestion` (`blackboard_exercise.py`) in its own module. It needs no widget. It
says what is right, which mistake is which, whether it has parts (`has_fields`, `is_guessable`), and what the page shows. Add a constructor in
`OnTree` or `OnMatrix`, its texts, how it is drawn and answered in `board/tree-input.ts` or `board/matrix/matrix-grid.ts` of
`frontend/src/`, and its clicks in `tests/browser/on_boards.py`. A test over a thousand random games has to show that each mistake is
named exactly where it is proved.
"""
