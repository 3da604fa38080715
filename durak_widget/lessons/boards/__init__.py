"""What can be asked on a tree or a matrix? What these are, and how they are drawn, is known in `board`.

To add a question: a class of `Asked` (`on_board.py`) in a module of its own, which needs no widget: what is right, which mistake is which, whether it is done in parts (`fields`,
`guessed`), what the page shows; a constructor in `OnTree` or `OnMatrix`; its words; how it is drawn and done, in `board/meant/given.ts` or `board/matrices/matrixgrid.ts` of
`frontend/src/`; its clicks in `tests/browser/on_boards.py`. Over a thousand random games each mistake is to be named just where it is proved.
"""
