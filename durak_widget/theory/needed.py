"""What other packages are needed for, and what to do where one is missing."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterator


_NUMBERS: Final = (
    "this needs numpy and scipy: pip install 'durak_widget[theory]'. Without them there are worlds, endings, trees, best responses, "
    "certificates, and solve(tree, 'backward') and solve(tree, 'sampling')"
)
_SPIEL: Final = (
    "this needs OpenSpiel: pip install 'durak_widget[openspiel]'. Without it any tree can be written for it: theory.to_efg(tree)"
)
_ZOO: Final = (
    "this needs PettingZoo: pip install 'durak_widget[pettingzoo]'. Without it a Game plays by game.view(seat) and game.play(move)"
)
_GAMBIT: Final = "this needs pygambit: pip install pygambit, which has to be compiled (half an hour). Without it any tree can be written for Gambit: theory.to_efg(tree)"
_PLOTS: Final = "plots need matplotlib: pip install 'durak_widget[plot]'; print(result) and result.table() work without it"
_PAGE: Final = "a tree in the notebook needs anywidget: pip install anywidget. Without it there are the trees themselves, their solutions and their matrix"
_SAYS: Final = {
    **dict.fromkeys(("numpy", "scipy"), _NUMBERS),
    **dict.fromkeys(("pyspiel", "open_spiel"), _SPIEL),
    **dict.fromkeys(("pettingzoo", "gymnasium"), _ZOO),
    "pygambit": _GAMBIT,
    "matplotlib": _PLOTS,
    **dict.fromkeys(("anywidget", "traitlets", "ipywidgets"), _PAGE),
}
"""What is said where a package is missing."""


class MissingError(DurakError, ImportError):
    """Something was asked for that needs a package that is not installed.

    >>> with needing():
    ...     raise ImportError(name="scipy")
    Traceback (most recent call last):
    durak_widget.theory.needed.MissingError: this needs numpy and scipy: pip install 'durak_widget[theory]'. Without them there are ...
    """


@contextmanager
def needing() -> Iterator[None]:
    """What is imported in here may need a package that is not installed; one sentence then says what to do."""
    try:
        yield
    except ImportError as error:
        said = _SAYS.get((error.name or "").partition(".")[0])
        if said is None or isinstance(error, MissingError):
            raise
        raise MissingError(said) from error


def is_there(package: str) -> bool:
    """Whether a package can be found, without importing it.

    >>> is_there("json"), is_there("no_such_package")
    (True, False)
    """
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # a finder that refuses it; a module that was put in its place
        return False
