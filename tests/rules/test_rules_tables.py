"""Test that the tables of the rules package name everything that its modules define."""

from dataclasses import fields
from importlib import import_module
from pkgutil import iter_modules

from durak_widget import rules
from durak_widget.rules import ruleset


def test_every_check_of_a_rules_module_is_used():
    """A function `check_…` or `find_ineffective_…` missing from the tables of `rules.ruleset` would disable a rule without an error."""
    modules = [import_module(f"durak_widget.rules.{module.name}") for module in iter_modules(rules.__path__)]
    found = {
        function
        for module in modules
        for name, function in vars(module).items()
        if name.startswith(("check_", "find_ineffective_")) and function.__module__ == module.__name__
    }
    assert found == {*ruleset._CHECKS, *ruleset._INEFFECTIVE_FINDERS}


def test_every_option_is_in_one_group():
    """The groups give the options of `Rules` and of the rules form."""
    grouped = [name for group in ruleset.OPTION_GROUPS.values() for name in group.__annotations__]
    assert sorted(grouped) == sorted(field.name for field in fields(ruleset.Rules))
