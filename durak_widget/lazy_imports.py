"""Imports the public names of a package when they are first used.

Importing this module imports nothing but `sys`: a command can use it before it has looked at the path.
"""

import sys

TYPE_CHECKING = False  # Type checkers treat this constant as typing.TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def make_lazy_attributes(
    package: str,
    modules: "Mapping[str, str]",
    submodules: "Mapping[str, str] | None" = None,
    needs: "Mapping[str, tuple[str, ...]] | None" = None,
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return `__getattr__` and `__dir__` for a package that imports its public names lazily.

    `modules` says which module has a name: one of the package, or the full name of another; `module:Name` if it has
    another name there. `submodules` are
    public names that are modules. `needs` are packages without which a name can't be used: `dir` leaves it out if one of them is missing.

    >>> get, names = make_lazy_attributes("durak_widget", {"Card": "cards"}, submodules={"deck": "cards"})
    >>> get("Card"), get("deck").__name__, names()
    (<class 'durak_widget.cards.Card'>, 'durak_widget.cards', ['Card', 'deck'])
    >>> get("Crad")
    Traceback (most recent call last):
    AttributeError: durak_widget has no 'Crad'; it has Card, deck
    """
    all_names = {**modules, **(submodules or {})}

    def get_attribute(name: str) -> object:
        """Import a public name of the package."""
        if name not in all_names:
            # A list of names would require a search for installed packages, and tools ask for many private names
            listed = "" if needs and name.startswith("_") else f"; it has {', '.join(list_names() or sorted(all_names))}"
            raise AttributeError(f"{package} has no {name!r}{listed}")
        from importlib import import_module  # noqa: PLC0415 - only now: see above

        from durak_widget.optional_dependencies import explain_missing_packages  # noqa: PLC0415 - as above

        module_name, _, name_there = all_names[name].partition(":")
        with explain_missing_packages():
            module = import_module(module_name if module_name.startswith("durak_widget.") else f"{package}.{module_name}")
            if name not in modules:
                return module
            value: object = getattr(module, name_there or name)
        vars(sys.modules[package])[name] = value
        return value

    def list_names() -> list[str]:
        """Return the public names whose required packages are installed."""
        if not needs:
            return sorted(all_names)
        from durak_widget.optional_dependencies import is_installed  # noqa: PLC0415 - as above

        return sorted(name for name in all_names if all(map(is_installed, needs.get(name, ()))))

    return get_attribute, list_names
