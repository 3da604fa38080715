"""Imports the public names of a package when you first ask for them.

Importing this module imports nothing but `sys`: a command can use it before it has looked at the path.
"""

import sys

TYPE_CHECKING = False  # type checkers take it for `typing`'s

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_names(
    package: str,
    modules: "Mapping[str, str]",
    submodules: "Mapping[str, str] | None" = None,
    needs: "Mapping[str, tuple[str, ...]] | None" = None,
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return `__getattr__` and `__dir__` for a package whose public names are imported when you ask for them.

    `modules` says which module has a name: one of the package, or the full name of another. `submodules` are public names that are modules.
    `needs` are packages without which a name can't be had: `dir` leaves it out where one of them is missing.

    >>> get, names = lazy_names("durak_widget", {"Card": "cards"}, submodules={"deck": "cards"})
    >>> get("Card"), get("deck").__name__, names()
    (<class 'durak_widget.cards.Card'>, 'durak_widget.cards', ['Card', 'deck'])
    >>> get("Crad")
    Traceback (most recent call last):
    AttributeError: durak_widget has no 'Crad'; it has Card, deck
    """
    every = {**modules, **(submodules or {})}

    def get(name: str) -> object:
        if name not in every:
            # The list needs a search for packages, and tools ask for many private names.
            listed = "" if needs and name.startswith("_") else f"; it has {', '.join(names() or sorted(every))}"
            raise AttributeError(f"{package} has no {name!r}{listed}")
        from importlib import import_module  # noqa: PLC0415 - only now: see above

        from durak_widget.optional_dependencies import needing  # noqa: PLC0415 - as above

        home = every[name]
        with needing():
            module = import_module(home if home.startswith("durak_widget.") else f"{package}.{home}")
            if name not in modules:
                return module
            value: object = getattr(module, name)
        vars(sys.modules[package])[name] = value
        return value

    def names() -> list[str]:
        if not needs:
            return sorted(every)
        from durak_widget.optional_dependencies import is_there  # noqa: PLC0415 - as above

        return sorted(name for name in every if all(map(is_there, needs.get(name, ()))))

    return get, names
