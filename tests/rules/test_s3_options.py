"""Rule book §3: the options, and the combinations that are refused."""

import pytest

from durak_widget import Rules, RulesError
from support.oracle_book import DEFAULTS, OPTIONS, PRESETS, beside
from support.rule_examples import options_of

TRIED = [(name, value, beside(name, value)) for name, option in OPTIONS.items() for value in option.get("values", option.get("tried"))]
"""Every option with every value of its kind, and the options that it needs beside it."""


def test_the_options_are_exactly_those_of_the_rule_book():
    """The names of the options are those of §3, in any order."""
    assert set(Rules.options()) == set(DEFAULTS)


def test_the_defaults_are_podkidnoy_for_two():
    """Every default is the first value of its row of §3, and together they are the preset `podkidnoy`."""
    assert options_of(Rules()) == DEFAULTS
    assert Rules() == Rules.preset("podkidnoy")


def test_every_value_of_every_option_is_accepted():
    """An option takes each value that its row of §3 lists, and leaves the others as they are."""
    for name, value, needed in TRIED:
        rules = Rules(**needed, **{name: value})
        assert options_of(rules) == DEFAULTS | needed | {name: value}


def test_an_unknown_value_is_refused_and_its_option_named():
    """An unknown value is refused, and the message names the option and the value, §3."""
    for name, value in (
        ("players", 1),
        ("players", 7),
        ("players", "2"),
        ("players", None),
        ("ranks", ""),
        ("ranks", "66789"),
        ("ranks", "1"),
        ("ranks", "6789X"),
        ("ranks", None),
        ("suits", ""),
        ("suits", "cc"),
        ("suits", "x"),
        ("jokers", 1),
        ("jokers", 4),
        ("decks", 0),
        ("decks", 3),
        ("hand_size", 0),
        ("hand_size", -6),
        ("hand_size", None),
        ("hand_size", 6.0),
        ("deal", "some"),
        ("trump", "x"),
        ("trump", None),
        ("turn_up", "middle"),
        ("hidden_trump", "yes"),
        ("first_attacker", "dealer"),
        ("next_attacker", "fool"),
        ("opening", "two"),
        ("throw_in_by", "defender"),
        ("throw_in_when", "never"),
        ("throw_in_after_take", "no"),
        ("priority", "left"),
        ("pass_lasts", "game"),
        ("attack_limit", 0),
        ("attack_limit", "6"),
        ("first_bout_limit", 0),
        ("transfer", "yes"),
        ("passport", None),
        ("transfer_first_bout", "no"),
        ("spades_by_spades", "yes"),
        ("low_trump_beats_ace", "yes"),
        ("weli", "sevens"),
        ("swaps", -1),
        ("swaps", None),
        ("draw_order", "dealer_first"),
        ("out_when", "never"),
        ("goal", "all"),
        ("teams", "3v1"),
        ("repetition", 1),
        ("repetition", 0),
    ):
        with pytest.raises(RulesError) as caught:
            Rules(**{name: value})
        assert name in str(caught.value)
        assert repr(value) in str(caught.value)


def test_the_nearest_value_is_suggested():
    """An unknown value is refused with the nearest known one, §3."""
    for name, value, meant in (
        ("deal", "hands", "'hand'"),
        ("deal", "all_but_on", "'all_but_one'"),
        ("throw_in_by", "neighbors", "'neighbours'"),
        ("throw_in_when", "anytime", "'any_time'"),
        ("trump", "turnup", "'turn_up'"),
        ("first_attacker", "lowest", "'lowest_trump'"),
        ("next_attacker", "right_of_the_fool", "'right_of_fool'"),
        ("weli", "bell", "'bells'"),
        ("teams", "2vs2", "'2v2'"),
        ("out_when", "atonce", "'at_once'"),
        ("goal", "first", "'first_out'"),
    ):
        with pytest.raises(RulesError, match="Did you mean") as caught:
            Rules(**{name: value})
        assert f"Did you mean {meant}" in str(caught.value)


def test_the_nearest_option_is_suggested():
    """An unknown option is refused with the nearest known one, §3."""
    for name, meant in (
        ("player", "players"),
        ("trumps", "trump"),
        ("transfers", "transfer"),
        ("hand_sizes", "hand_size"),
        ("throw_in_after_takes", "throw_in_after_take"),
        ("atack_limit", "attack_limit"),
    ):
        with pytest.raises(RulesError) as caught:
            Rules(**{name: 3})
        assert repr(name) in str(caught.value)
        assert f"Did you mean {meant!r}" in str(caught.value)


def test_an_unknown_option_without_a_near_one_is_refused():
    """An unknown option is refused even when there is nothing to suggest, §3."""
    with pytest.raises(RulesError, match="no option 'zzz'"):
        Rules(zzz=1)


def test_the_nearest_preset_is_suggested():
    """An unknown preset is refused with the nearest known one, §3."""
    with pytest.raises(RulesError, match=r"no preset 'podkidnoi'.*Did you mean 'podkidnoy'"):
        Rules.preset("podkidnoi")


def test_an_impossible_combination_is_refused_with_a_fix():
    """Each mix that §3 forbids is refused when it is created; the message names the conflicting options and a fix."""
    for options, at_odds, mend in (
        # two hands of 19 from 36 cards
        ({"hand_size": 19}, ["hand_size", "2 players", "38", "36"], "hand_size=18"),
        # six hands of 7 from 36 cards
        ({"players": 6, "hand_size": 7}, ["hand_size", "6 players", "42", "36"], "hand_size=6"),
        # six hands of 6 from 24 cards
        ({"players": 6, "ranks": "9TJQKA"}, ["hand_size", "6 players", "36", "24"], "hand_size=4"),
        # three hands from two cards
        ({"players": 3, "ranks": "A", "suits": "cd", "hand_size": 1}, ["hand_size", "3 players", "2"], "fewer players"),
        # a seat with no card where all are dealt
        ({"players": 5, "ranks": "A", "deal": "all"}, ["deal", "5 players"], "fewer players"),
        # a seat with no card where all but one are dealt
        ({"players": 4, "ranks": "A", "deal": "all_but_one"}, ["deal", "4 players"], "fewer players"),
        # passport without transfer
        ({"passport": True}, ["passport", "transferred"], "transfer=True"),
        # passport without trumps
        ({"passport": True, "transfer": True, "trump": "none"}, ["passport", "trump='none'"], "passport=False"),
        # spades as trumps where only spades beat spades
        ({"trump": "s", "spades_by_spades": True}, ["trump='s'", "spades_by_spades"], "spades_by_spades=False"),
        # a trump suit that the deck lacks
        ({"trump": "h", "suits": "cd"}, ["trump='h'", "suits='cd'"], "add 'h' to suits"),
        # 2v2 for two
        ({"teams": "2v2"}, ["teams='2v2'", "there are 2"], "players=4"),
        # 2v2 for six
        ({"teams": "2v2", "players": 6}, ["teams='2v2'", "there are 6"], "players=4"),
        # 2v2v2 for four
        ({"teams": "2v2v2", "players": 4}, ["teams='2v2v2'", "there are 4"], "players=6"),
        # 3v3 for five
        ({"teams": "3v3", "players": 5}, ["teams='3v3'", "there are 5"], "players=6"),
        # a hidden trump under a turn-up on top
        ({"hidden_trump": True, "turn_up": "top"}, ["hidden_trump", "turn_up='top'"], "turn_up='bottom'"),
        # a hidden trump under a turn-up aside
        ({"hidden_trump": True, "turn_up": "aside"}, ["hidden_trump", "turn_up='aside'"], "turn_up='bottom'"),
        # a hidden trump without trumps
        ({"hidden_trump": True, "trump": "none"}, ["hidden_trump", "trump='none'"], "trump='turn_up'"),
        # a hidden trump with a fixed suit
        ({"hidden_trump": True, "trump": "h"}, ["hidden_trump", "trump='h'"], "trump='turn_up'"),
        # a hidden trump with all dealt
        ({"hidden_trump": True, "deal": "all"}, ["hidden_trump", "talon"], "deal='hand'"),
        # a hidden trump with all but one dealt
        ({"hidden_trump": True, "deal": "all_but_one"}, ["hidden_trump", "talon"], "deal='hand'"),
        # a hidden trump where no talon is left
        ({"hidden_trump": True, "players": 6}, ["hidden_trump", "talon"], "fewer players"),
        # a hidden trump in a talon of one card
        ({"hidden_trump": True, "players": 5, "hand_size": 7}, ["hidden_trump", "talon"], "smaller hands"),
        # swaps with all dealt
        ({"swaps": 3, "deal": "all"}, ["swaps", "dealt"], "deal='hand'"),
        # swaps with all but one dealt
        ({"swaps": 1, "deal": "all_but_one"}, ["swaps", "dealt"], "deal='hand'"),
        # no ace to beat
        ({"low_trump_beats_ace": True, "ranks": "6789TJQK"}, ["low_trump_beats_ace", "ranks='6789TJQK'"], "add 'A' to ranks"),
        # no sixes to declare
        ({"weli": "sixes", "ranks": "789TJQKA"}, ["weli='sixes'", "ranks='789TJQKA'"], "add '6' to ranks"),
        # no six of bells to declare
        ({"weli": "bells", "ranks": "789TJQKA"}, ["weli='bells'", "ranks='789TJQKA'"], "add '6' to ranks"),
        # no bells to declare a six of
        ({"weli": "bells", "suits": "chs"}, ["weli='bells'", "suits='chs'"], "add 'd' to suits"),
    ):
        with pytest.raises(RulesError) as caught:
            Rules(**options)
        message = str(caught.value)
        for named in [*at_odds, mend]:
            assert named in message


def test_the_suggested_fix_is_accepted():
    """The fix that a refusal of §3 suggests makes valid rules."""
    for options, mended in (
        ({"hand_size": 19}, {"hand_size": 18}),
        ({"passport": True}, {"passport": True, "transfer": True}),
        ({"trump": "s", "spades_by_spades": True}, {"trump": "s", "spades_by_spades": False}),
        ({"trump": "h", "suits": "cd"}, {"trump": "h", "suits": "cdh"}),
        ({"teams": "2v2"}, {"teams": "2v2", "players": 4}),
        ({"hidden_trump": True, "turn_up": "top"}, {"hidden_trump": True, "turn_up": "bottom"}),
        ({"hidden_trump": True, "players": 5, "hand_size": 7}, {"hidden_trump": True, "players": 5, "hand_size": 6}),
        ({"swaps": 3, "deal": "all"}, {"swaps": 3, "deal": "hand"}),
        ({"low_trump_beats_ace": True, "ranks": "6789TJQK"}, {"low_trump_beats_ace": True, "ranks": "6789TJQKA"}),
        ({"weli": "bells", "suits": "chs"}, {"weli": "bells", "suits": "cdhs"}),
    ):
        with pytest.raises(RulesError):
            Rules(**options)
        assert Rules(**mended).changes() == {name: value for name, value in mended.items() if value != DEFAULTS[name]}


def test_replace_checks_options_like_the_constructor():
    """`replace` cannot make an impossible combination, §3."""
    with pytest.raises(RulesError, match="passport"):
        Rules.preset("passport").replace(transfer=False)


def test_ranks_and_suits_are_sorted_in_ascending_order():
    """In whatever order they are given, ranks and suits are stored in ascending order, §4.1."""
    rules = Rules(ranks="AKQJT9", suits="shdc")
    assert (rules.ranks, rules.suits) == ("9TJQKA", "cdhs")
    assert rules == Rules(ranks="9TJQKA")


def test_house_rules_explain_every_option():
    """The plain text of the rules mentions every option, in every language."""
    for language in ("en", "lt", "ru"):
        for name in PRESETS:
            words = str(Rules.preset(name).explain(language))
            for option in DEFAULTS:
                assert f"- {option}: " in words
