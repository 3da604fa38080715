"""Test every option: fast engine and Python engine agree on each of its values, or the fast engine refuses it; no option is left out."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

import pytest

from durak_widget import Rules, RulesError, fast_engine
from durak_widget.fast_engine import supported_rules
from durak_widget.fast_engine.engine_instance import ask_fast_engine
from durak_widget.fast_engine.game_simulation import _simulate_in_fast_engine
from durak_widget.fast_engine.state_encoding import MASK_FIELDS, NUMBER_FIELDS
from support.following import followed
from support.oracle_book import beside, random_mix
from support.sizes import IN_RELEASE_RUN, tried

FAST_ENGINE = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
STATE = Path(__file__).resolve().parents[2] / "durak_widget" / "frontend" / "fast_engine" / "state.ts"
SIZES = {"u64": MASK_FIELDS, "i32": NUMBER_FIELDS}


def example_values(description: str) -> list[object]:
    """Return the values of an option from its description; only some of the numbers and letter choices.

    >>> example_values("False, True"), example_values("0 or a whole number from 1 to 1000000, or None")
    ([False, True], [0, 1, 2, 3, 6, 12, 1000000, None])
    >>> example_values("a choice of 'cdhs', each at most once")
    ['cdhs', 'c', 's', 'cd', 'ds']
    """
    if letters := re.fullmatch(r"a choice of '(\w+)', each at most once", description):
        every = letters[1]
        return [every, every[0], every[-1], every[: len(every) // 2], every[1::2]]
    if number := re.fullmatch(r"(0 or )?a whole number from (\d+) to (\d+)(, or None)?", description):
        least, most = int(number[2]), int(number[3])
        return [*[0] * bool(number[1]), least, least + 1, least + 2, 6, 12, most, *[None] * bool(number[4])]
    return list(ast.literal_eval(f"[{description}]"))


def rules_or_none(options: dict[str, object]) -> Rules | None:
    """Return rules with these options; None if they are invalid together."""
    try:
        return Rules(**options)
    except RulesError:
        return None


def rule_mixes(name: str, value: object, count: int) -> list[Rules]:
    """Return rules in which an option has that value: alone, with the options that it needs, and in random mixes."""
    rng, found = Random(f"{name}={value}"), [rules_or_none({**beside(name, value), name: value})]
    for _ in range(50 * count):
        if sum(rules is not None for rules in found) > count:
            break
        mix = random_mix(rng)
        found.append(rules_or_none({**mix, **beside(name, value), name: value}))
    return [rules for rules in found if rules is not None]


NOTHING = {"next_attacker": "it is asked between two games of a match", "draw_order": "whoever has taken has too many cards to draw"}
"""Options that change nothing during a game, with the reason."""


def simulation_digest(rules: Rules) -> str | None:
    """Return the digest of some games of the fast engine; None if it has no room for them."""
    made = ask_fast_engine(rules, lambda machine: _simulate_in_fast_engine(machine, 200, 1, [0] * rules.players))
    return made and made.digest


@pytest.mark.slow
@FAST_ENGINE
@pytest.mark.parametrize("name", Rules.options())
def test_fast_engine_and_engine_agree_or_the_value_is_refused(name):
    """Each value, alone and in some mixes: every list of legal moves and every state of some games, or an error that names it."""
    every = example_values(Rules.options()[name])
    for value in [*every[:3], every[-1]] if len(every) > 4 and not IN_RELEASE_RUN else every:
        found = rule_mixes(name, value, tried(1, 40))
        assert found
        for rules in found:
            why = fast_engine.explain_unsupported_rules(rules)
            if why is None:
                for seed in range(tried(1, 10)):
                    followed(rules, seed)
            else:
                assert why.startswith(f"{name}={value!r} is ")
                assert "\n" not in why


@pytest.mark.slow
@FAST_ENGINE
@pytest.mark.parametrize("name", [name for name in Rules.options() if name not in NOTHING])
def test_every_option_changes_the_fast_engine(name):
    """In some mix the fast engine plays other games with another value of the option."""
    default = getattr(Rules(), name)
    for value in example_values(Rules.options()[name]):
        for rules in rule_mixes(name, value, 20) if value != default else []:
            other = rules_or_none({**rules.changes(), name: default})
            if other is None or fast_engine.explain_unsupported_rules(rules) or fast_engine.explain_unsupported_rules(other):
                continue
            played, otherwise = simulation_digest(rules), simulation_digest(other)
            if played and otherwise and played != otherwise:
                return
    raise AssertionError(f"the kernel plays the same games whatever {name} is")


@pytest.mark.parametrize("name", Rules.options())
def test_an_unknown_new_option_is_refused(name, monkeypatch):
    """If the fast engine does not know its name, rules that use it go to the Python engine; other rules are played."""
    (rules, *_) = (rule_mixes(name, value, 1)[0] for value in example_values(Rules.options()[name]) if value != getattr(Rules(), name))
    assert fast_engine.explain_unsupported_rules(rules) is None
    monkeypatch.setattr(
        supported_rules,
        "SUPPORTED_OPTIONS",
        {option: description for option, description in supported_rules.SUPPORTED_OPTIONS.items() if option != name},
    )
    assert f"{name}={getattr(rules, name)!r}" in str(fast_engine.explain_unsupported_rules(rules))
    assert fast_engine.explain_unsupported_rules(Rules()) is None
    assert fast_engine.simulate_games(rules, count=2, seed=1).count == 2


def test_an_option_with_a_new_value_is_refused(monkeypatch):
    """Also its old values, because the new one may have changed their meaning."""
    monkeypatch.setattr(supported_rules, "SUPPORTED_OPTIONS", {**supported_rules.SUPPORTED_OPTIONS, "goal": "'not_last'"})
    assert "goal='first_out'" in str(fast_engine.explain_unsupported_rules(Rules(goal="first_out")))
    assert fast_engine.explain_unsupported_rules("podkidnoy") is None


def test_supported_options_are_all_options_of_the_rules():
    """Every option, with the present values; only more swaps than the maximum are refused."""
    assert dict(supported_rules.SUPPORTED_OPTIONS) == dict(Rules.options())
    most = supported_rules.MAX_SWAPS
    assert fast_engine.explain_unsupported_rules(Rules(swaps=most)) is None
    assert fast_engine.explain_unsupported_rules(Rules(swaps=most + 1)) is not None


def test_all_presets_are_supported():
    """For every number of players that they allow."""
    sized = [
        rules
        for name in Rules.presets()
        for players in range(2, 7)
        if (rules := rules_or_none({**Rules.preset(name).changes(), "players": players}))
    ]
    assert len(sized) > len(Rules.presets())
    assert {fast_engine.explain_unsupported_rules(rules) for rules in sized} == {None}


def test_python_and_typescript_state_have_the_same_fields():
    """Masks of eight bytes and numbers of four, with the names and order of the class `State`; the lists begin behind them."""
    text = STATE.read_text(encoding="utf-8")
    [fields] = re.findall(r"^export class State \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^  (\w+): (\w+);$", fields, re.MULTILINE)
    assert found == [(name, size) for size, names in SIZES.items() for name in names]
    [hands] = re.findall(r"^export const HANDS: usize = (\d+);$", text, re.MULTILINE)
    assert 8 * len(MASK_FIELDS) + 4 * len(NUMBER_FIELDS) <= int(hands)
