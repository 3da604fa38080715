"""Rule book §3: the presets, and rules as values and as text."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest

from durak_widget import Rules, RulesError
from support.oracle_book import BOOK, DEFAULTS, PRESETS
from support.rule_examples import options_of

SETTLED_PLAYERS = set(BOOK["players_fixed"])
"""The presets whose row fixes the number of players."""


def test_the_presets_are_exactly_those_of_the_rule_book():
    """The names of the presets are those of §3.1."""
    assert set(Rules.presets()) == set(PRESETS)


def test_a_preset_has_the_options_of_its_row():
    """A preset has every option of its row of §3.1, and the defaults for the rest."""
    for name in PRESETS:
        assert options_of(Rules.preset(name)) == DEFAULTS | PRESETS[name]


def test_every_preset_has_a_one_line_description():
    """Each preset has one line of words in every language, §3.1."""
    for language in ("en", "lt", "ru"):
        for name in PRESETS:
            line = Rules.presets(language)[name]
            assert line.endswith(".")
            assert "\n" not in line


def test_the_line_of_a_preset_tells_it_from_all_others():
    """No two presets have the same words after their names, in any language."""
    for language in ("en", "lt", "ru"):
        lines = [Rules.presets(language)[name] for name in PRESETS]
        differences = [line.partition(": ")[2] or line for line in lines]
        assert len(set(differences)) == len(PRESETS)


def test_the_number_of_players_is_free_in_a_preset():
    """A preset is for 2 to 6 players unless its row says otherwise, §3.1."""
    for players in (2, 3, 4, 5, 6):
        for name in sorted(set(PRESETS) - SETTLED_PLAYERS - {"changeable_trump"}):
            assert options_of(Rules.preset(name, players=players)) == DEFAULTS | PRESETS[name] | {"players": players}


def test_changeable_trump_needs_a_talon():
    """The hidden trump needs a talon; with 36 cards there is one for up to five players, §3, §4.3."""
    for players in (2, 3, 4, 5):
        assert options_of(Rules.preset("changeable_trump", players=players)) == DEFAULTS | {"hidden_trump": True, "players": players}


def test_the_classroom_game_is_for_two():
    """`econ431` is for two players only, §3.1."""
    for players in (3, 4, 5, 6):
        with pytest.raises(RulesError, match="two players"):
            Rules.preset("econ431", players=players)


def test_a_preset_with_teams_has_its_number_of_players():
    """The presets with teams fix the number of players, because the teams must be equal, §3, §3.1."""
    for name, players in (("teams", 2), ("teams", 6), ("teams_of_two", 4), ("teams_of_three", 5)):
        with pytest.raises(RulesError, match=r"teams.*players"):
            Rules.preset(name, players=players)


def test_a_preset_accepts_changed_options():
    """Options given with a preset replace those of the preset, §3.1."""
    rules = Rules.preset("transfer", players=3, trump="h", transfer=False)
    assert options_of(rules) == DEFAULTS | PRESETS["thrown_up"] | {"players": 3, "trump": "h"}


def test_rules_are_immutable_values():
    """Equal rules compare and hash equal, and survive copying and pickling, §3."""
    for name in PRESETS:
        rules, again = Rules.preset(name), Rules(**PRESETS[name])
        assert rules == again
        assert hash(rules) == hash(again)
        assert len({rules, again, rules.replace(repetition=9)}) == 2
        assert pickle.loads(pickle.dumps(rules)) == rules
        assert copy.deepcopy(rules) == rules
        assert rules != rules.replace(repetition=9)


def test_the_repr_of_rules_is_valid_python():
    """`repr` of rules is Python that creates them, with four players where the number is free, §3."""
    for name in PRESETS:
        rules = Rules.preset(name) if name in SETTLED_PLAYERS else Rules.preset(name, players=4)
        assert eval(repr(rules), {"Rules": Rules}) == rules  # noqa: S307 - the repr of our own value is what is tested


def test_the_text_of_rules_can_be_parsed():
    """`parse` reads the `str` of rules, also with four players and an unusual limit, §3."""
    for name in PRESETS:
        rules = Rules.preset(name)
        assert Rules.parse(str(rules)) == rules
        odd = rules.replace(attack_limit=7, repetition=None)
        assert Rules.parse(str(odd)) == odd


def test_rules_are_parsed_from_a_preset_and_options():
    """A text of rules is a preset, options, or both, separated by commas."""
    assert Rules.parse("transfer") == Rules.preset("transfer")
    assert Rules.parse("players=3, attack_limit=none") == Rules(players=3, attack_limit=None)
    assert Rules.parse("  poker , swaps = 2,hand_size=5") == Rules(swaps=2, hand_size=5)
    assert Rules.parse("transfer=true, passport=True") == Rules.preset("passport")


def test_an_invalid_rules_text_is_quoted_in_the_error():
    """A part of the text that is not a preset or an option is refused and quoted."""
    for text, message in (
        ("transfr", "Did you mean 'transfer'"),
        ("players=3, playres=4", "Did you mean 'players'"),
        ("players=3, players=4", "'players=4'"),
        ("transfer, 3", "'3'"),
        ("deal=some", "deal"),
        ("", "no preset"),
    ):
        with pytest.raises(RulesError) as caught:
            Rules.parse(text)
        assert message in str(caught.value)


def test_rules_are_frozen():
    """No option of a rule set can be changed in place, §3."""
    for name in DEFAULTS:
        rules = Rules()
        with pytest.raises(FrozenInstanceError):
            setattr(rules, name, DEFAULTS[name])
        assert rules == Rules()


def test_options_are_keyword_only():
    """A rule set takes no positional options, and the error says how to name them."""
    with pytest.raises(RulesError, match="players=3"):
        Rules(3)
    with pytest.raises(RulesError, match=r"Rules.preset\('transfer'\)"):
        Rules("transfer")
