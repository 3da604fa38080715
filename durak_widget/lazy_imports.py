"""Lets a package import its public names only when they are first used.

This module imports only `sys`, so that a command can use it before it has made `sys.path` safe.
"""

import sys

TYPE_CHECKING = False  # Type checkers treat this name as `typing.TYPE_CHECKING`; the module can't import that, as it may import only `sys`.

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def make_lazy_attributes(
    package: str,
    modules: "Mapping[str, str]",
    submodules: "Mapping[str, str] | None" = None,
    needs: "Mapping[str, tuple[str, ...]] | None" = None,
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Build the functions `__getattr__` and `__dir__` of a package with lazy imports.

    `modules` maps each public name to the module that defines it: a module of the package, or the full name of another module. The value
    `module:Name` means that the name is different there. `submodules` maps public names that are modules. `needs` maps a name to the packages that it
    needs; `__dir__` leaves out a name if one of them is not installed.

    >>> get, names = make_lazy_attributes("durak_widget", {"Card": "cards"}, submodules={"deck": "cards"})
    >>> get("Card"), get("deck").__name__, names()
    (<class 'durak_widget.cards.Card'>, 'durak_widget.cards', ['Card', 'deck'])
    >>> get("Crad")
    Traceback (most recent call last):
    AttributeError: durak_widget has no 'Crad'; it has Card, deck
    """
    all_names = {**modules, **(submodules or {})}

    def get_attribute(name: str) -> object:
        """Import a public name of the package; this function becomes the package's `__getattr__`."""
        if name not in all_names:
            # For a private name, the message does not list the valid names, because it takes long to find out which packages are installed.
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
        """Return the public names whose packages are installed (the package's `__dir__`)."""
        if not needs:
            return sorted(all_names)
        from durak_widget.optional_dependencies import is_installed  # noqa: PLC0415 - as above

        return sorted(name for name in all_names if all(map(is_installed, needs.get(name, ()))))

    return get_attribute, list_names
