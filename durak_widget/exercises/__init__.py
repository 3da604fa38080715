"""The exercise types: how the package asks, reads and grades each type of question.

To add a type of exercise, write a subclass of `Task` (`base_exercise.py`) and define what homework needs: `answer` and `defer_grading`,
the credit for a partial answer (`_partial_credit`), the number of possible answers (`answer_count`), the answer format without a key
(`answer_form`), the printed form (`to_paper_question`), and whether an answer can be a program (`takes_code`). Homework and grading
don't name any exercise type. The new type also needs its texts (`screen.how.<kind>`, `class.sheet.next.<kind>`), an example in
`tests/support/asked.py`, a question at the end of `tests/support/classroom_kinds.py` (the tests use it to look for leaks of the
solution), a line in `docs/exercise-types.md`, and the clicks that answer it in `tests/browser/lab/test_notebooks.py`.

To add a question about a tree or a matrix, write a subclass of `BoardQuestion` (`blackboard_exercise.py`) in its own module. It needs
no widget. It defines the correct answer, the typical mistakes, whether an answer has parts (`has_fields`, `is_guessable`), and the
content of the page. Add a constructor in `OnTree` or `OnMatrix`, its texts, the drawing and the input in `board/tree-input.ts` or
`board/matrix/matrix-grid.ts` of `frontend/src/`, and its clicks in `tests/browser/board_clicks.py`. A test with a thousand random games
has to show that each mistake is named exactly where it is proved.
"""
