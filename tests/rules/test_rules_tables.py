"""The tables of the rules package name everything that its modules define."""

from importlib import import_module
from pkgutil import iter_modules

from durak_widget import rules
from durak_widget.rules import book


def test_every_check_of_a_rules_module_is_used():
    """A function `check_…` or `ineffective_…` that stands in no table of `rules.book` would switch a rule off without an error."""
    modules = [import_module(f"durak_widget.rules.{module.name}") for module in iter_modules(rules.__path__)]
    found = {
        function
        for module in modules
        for name, function in vars(module).items()
        if name.startswith(("check_", "ineffective_")) and function.__module__ == module.__name__
    }
    assert found == {*book._CHECKS, *book._INEFFECTIVE}
