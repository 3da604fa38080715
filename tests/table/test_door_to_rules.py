"""The door to the rules: what is played told in words, and every variant and every option to be had at the table, without Python."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace

import pytest

from durak_widget import DurakError, Match, Rules, RulesError, Table, bots
from durak_widget.bots.bot import BUILT_IN_BOTS
from durak_widget.i18n import LANGUAGES, Translator, get_front_end_texts
from durak_widget.i18n import get_language as language_of
from durak_widget.rules.preset_catalogue import PRESETS
from durak_widget.rules.rules_form import DEFAULTS, OPTION_NAMES_BY_GROUP, build_field
from durak_widget.rules.ruleset import find_nearest_preset, format_rules_title
from support.mixes import played
from support.oracle_book import random_mix
from support.sizes import tried
from support.spoken import well_said
from support.tables import ended, listening, say, tell

every_language = pytest.mark.parametrize("language", LANGUAGES)


def asked(table: Table, kind: str = "draft", **draft: object) -> dict:
    """What the table answers whoever opens the door, or says what they would play."""
    sent = listening(table)
    say(table, kind, draft=draft)
    (answer,) = sent
    assert answer["kind"] == "door"
    json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    return answer


def drafted(table: Table, **draft: object) -> dict:
    """The form as it answers a draft."""
    return asked(table, **draft)["form"]


def fields(form: dict) -> dict[str, dict]:
    """The fields of a form, by their options."""
    return {field["name"]: field for group in form["groups"] for field in group["fields"]}


# What is told


@every_language
def test_the_rules_are_told_in_the_language_of_the_table(language: str) -> None:
    """Every preset: its title on the felt, its line, and what is different before all the rest; each a whole sentence."""
    for preset in list(PRESETS)[:: tried(10, 1)]:
        table = Table(preset, seed=7, language=language)
        told = asked(table)
        rules = table.rules
        assert table.scene["rules"] == told["title"] == format_rules_title(rules, language)
        assert told["line"] == Rules.presets(language)[rules.name]
        explained = rules.explain(language)
        whole = Translator(language).translate("rules.all")  # of the plain game, which is unlike nothing
        assert told["told"] == [[heading.rstrip(":") or whole, [said for _, _, said in rows]] for heading, rows in explained.groups if rows]
        assert told["plain"] is (told["told"][0][0] != Translator(language).translate("rules.unlike").rstrip(":"))


@every_language
def test_every_option_stands_on_the_form_in_words(language: str) -> None:
    """Under the question that it answers, with what it is about or with answers that say all; each value offered is one that it takes."""
    for name in DEFAULTS:
        field = build_field(name, DEFAULTS[name], language)
        said = [words for _, words in field.offers] if field.said is None else [field.said] * bool(field.said)
        assert all(well_said(one) for one in said)
        if field.label:
            assert field.label == language_of(language).sentences[f"rules.label.{name}"]
        else:
            assert (len(field.offers), field.offers[0][0]) == (2, DEFAULTS[name])
        assert field.value in [value for value, _ in field.offers]
        assert len({str(value) for value, _ in field.offers}) == len(field.offers) > 1
        for value, _ in field.offers:
            assert Rules.options()[name]
            assert build_field(name, value, language).value == value
        assert sum(name in names for names in OPTION_NAMES_BY_GROUP.values()) == 1


@every_language
def test_every_question_has_a_heading(language: str) -> None:
    """The groups of the form are the questions of the rules, in their order, and told apart by their headings."""
    groups = asked(Table(seed=7, language=language))["form"]["groups"]
    assert [group["name"] for group in groups] == list(OPTION_NAMES_BY_GROUP)
    assert len({group["heading"] for group in groups} - {group["name"] for group in groups}) == len(groups)
    assert {group["name"] for group in groups if group["rare"]} == {"declaring", "exchange", "turns", "scoring"}


def test_what_has_no_name_is_called_by_what_is_nearest() -> None:
    """A mix of one's own is the preset from which it differs least, with changes."""
    assert format_rules_title(Rules.preset("poker", jokers=2)) == "Poker, with changes"
    assert format_rules_title(Rules(ranks="9TJQKA", hand_size=3), "ru") == "Подкидной, с изменениями"
    assert find_nearest_preset(Rules.preset("teams").replace(transfer=True)) in ("teams", "perevodnoy")
    assert all(find_nearest_preset(Rules.preset(name)) == Rules.preset(name).name for name in PRESETS)


# What may be played instead


def test_every_preset_is_played_from_the_door_to_its_end() -> None:
    """Chosen, it is what the form says; dealt, it is a new match by those who were to sit there; and it ends."""
    for preset in list(PRESETS)[:: tried(10, 1)]:
        table = Table("podkidnoy, players=3", seats={0: "you", 1: "random", 2: "careful"}, seed=7)
        form = drafted(table, preset=preset, players=3)
        assert "refused" not in form
        assert form["unlike"] == []
        assert not any(group["changed"] for group in form["groups"])
        assert (form["preset"], form["line"]) == (preset, PRESETS[preset].summary)
        count = form["options"]["players"]
        assert count == PRESETS[preset].options.get("players", 2 if preset == "econ431" else 3)
        assert form["seats"] == ["you", "random", *["careful"] * 4][:count]
        draft = {name: form[name] for name in ("preset", "options", "seats")}
        draft["seats"] = ["random"] * count
        scene = say(table, "deal", draft=draft)
        assert Rules(**form["options"]) == table.rules == Rules.preset(preset).replace(players=count)
        assert (scene["game"], scene["rules"], table.players) == (2, format_rules_title(table.rules), ("random",) * count)
        while table.step():
            pass
        assert "over" in table.scene


def test_a_free_mix_is_drafted_and_dealt() -> None:
    """Whatever can be mixed can be had at the door: the form has its values, says what it changes, and it is what is played."""
    for seed in range(tried(3, 12)):
        rules, table = Rules(**random_mix(Random(seed))), Table(seed=7)
        options = {**DEFAULTS, **rules.changes()}
        form = drafted(table, preset="podkidnoy", options=options)
        assert {name: field["value"] for name, field in fields(form).items()} == options == form["options"]
        assert len(form["unlike"]) == len(rules.changes().keys() - {"players"})
        assert "refused" not in form
        say(table, "deal", draft={"preset": "podkidnoy", "options": options})
        assert table.rules == rules


def test_what_cannot_be_mixed_is_said_with_what_mends_it() -> None:
    """The form keeps all that was chosen, nothing is dealt, and the way out that is named leads out."""
    table = Table(seed=7)
    game = table.game
    options = {**DEFAULTS, "passport": True}
    form = drafted(table, preset="podkidnoy", options=options)
    assert form["refused"] == "A trump can be shown only where attacks may be transferred: allow transfers too."
    assert (form["options"], fields(form)["passport"]["value"]) == (options, True)
    assert asked(table, "deal", preset="podkidnoy", options=options)["form"] == form
    assert (table.game, table.scene["game"]) == (game, 1)
    assert "refused" not in drafted(table, preset="podkidnoy", options={**options, "transfer": True})


UNMIXED = {
    "teams": {"teams": "2v2"},
    "hand_size": {"players": 6, "hand_size": 10},
    "deal": {"deal": "all", "ranks": "6", "suits": "c"},
    "trump_suit": {"trump": "h", "suits": "cds"},
    "spades": {"trump": "s", "spades_by_spades": True},
    "hidden_fixed": {"hidden_trump": True, "trump": "c"},
    "hidden_place": {"hidden_trump": True, "turn_up": "top"},
    "hidden_talon": {"hidden_trump": True, "players": 6},
    "passport": {"passport": True},
    "passport_trumps": {"passport": True, "transfer": True, "trump": "none"},
    "sixes": {"weli": "sixes", "ranks": "789"},
    "six_of_diamonds": {"weli": "bells", "suits": "chs"},
    "swaps": {"swaps": 1, "deal": "all"},
    "aces": {"low_trump_beats_ace": True, "ranks": "789TJ"},
}
"""Options that cannot be mixed, by the code of what forbids it."""


@every_language
def test_why_rules_cannot_be_mixed_is_said_in_every_language(language: str) -> None:
    """Each reason there is has its sentence, which names what would mend it, and no option of Python."""
    table = Table(seed=7, language=language)
    said = {code: drafted(table, preset="podkidnoy", options={**DEFAULTS, **options})["refused"] for code, options in UNMIXED.items()}
    assert {f"rules.refused.{code}" for code in said} == {
        key for key in language_of(language).sentences if key.startswith("rules.refused.")
    }
    for code, sentence in said.items():
        assert well_said(sentence), sentence
        assert "=" not in sentence
        with pytest.raises(RulesError) as refused:
            Rules(**UNMIXED[code])
        assert refused.value.code == code


def test_the_form_says_what_changes() -> None:
    """Beside the preset from which one began; how many play is said elsewhere."""
    form = drafted(Table(seed=7), preset="siege", options={**DEFAULTS, **PRESETS["siege"].options, "jokers": 2, "players": 5})
    assert form["unlike"] == [Rules(jokers=2).explain().groups[0][1][0][2]]
    assert [group["name"] for group in form["groups"] if group["changed"]] == ["pack"]
    assert form["preset"] == "siege"


def test_who_sits_there_keeps_the_seat() -> None:
    """The same player, also a bot of one's own; where a person's seat is gone, it is you and careful bots."""
    mine = bots.get(lambda view, _: view.legal_moves()[-1])
    table = Table("podkidnoy, players=3", seats={0: mine, 1: "random", 2: "you"}, seed=7)
    say(table, "deal", draft={"preset": "siege", "players": 3})
    assert table.players == (mine.name, "random", "you")
    assert table._session.players.get_bot(0) is mine
    say(table, "deal", draft={"preset": "siege", "players": 4})
    assert table.players == (mine.name, "random", "you", "careful")
    say(table, "deal", draft={"preset": "siege", "players": 2})
    assert table.players == ("you", "careful")
    say(table, "deal", draft={"preset": "siege", "players": 2, "seats": ["you", "you"]})
    assert (table.players, table.scene["covered"]) == (("you", "you"), True)


def test_a_seed_deals_the_same_cards_again() -> None:
    """A number given at the door deals what it deals in Python."""
    table = Table(seed=1)
    say(table, "deal", draft={"preset": "siege", "players": 2, "seed": "7"})
    again = Table("siege", seed=7)
    assert table.game.hands == again.game.hands
    for one in (table, again):
        say(one, "new")
    assert table.game.hands == again.game.hands
    say(table, "deal", draft={"preset": "siege", "players": 2})
    assert table.game.hands != again.game.hands


def test_where_a_task_is_set_the_door_only_tells() -> None:
    """The rules are told, there is no form, and nothing is dealt."""
    table = Table(seed=7)
    table.task = SimpleNamespace(is_single_move=False, is_decided=False, verdict=lambda _: None)  # type: ignore[assignment]
    assert "form" not in asked(table)
    assert "form" not in asked(table, preset="siege")
    scene = say(table, "deal", draft={"preset": "siege"})
    assert (scene["note"]["said"][0], scene["game"], table.rules) == ("In an exercise the rules are given.", 1, Rules())


def test_who_only_asks_for_the_rules_starts_no_bot() -> None:
    """A page says so by itself where the door is open from the start: bots go on waiting for somebody who looks."""
    table = Table("podkidnoy", seats={0: "careful", 1: "you"}, seed=7)
    table._session.wait_for_viewer()
    drafted(table, preset="siege")
    asked(table)
    assert table._session.is_waiting is True


# The door in Python


def test_the_door_may_stand_open() -> None:
    """Or offer some presets first, each with its title and its line; a name that is none is refused, and the nearest one named."""
    assert (Table(seed=1).door, Table(seed=1, door=True).door) == (False, True)
    table = Table("siege", door=("albanian", "siege"), seed=1, language="ru")
    assert asked(table)["form"]["offers"] == [
        [name, format_rules_title(Rules.preset(name), "ru"), Rules.presets("ru")[name]] for name in table.door
    ]
    assert Table(seed=1, door="poker").door == ["poker"]
    with pytest.raises(DurakError, match=r"there is no preset 'albanain'. Did you mean 'albanian'\?"):
        Table(door=("albanain", "siege"))
    with pytest.raises(DurakError, match="say True, to have the rules lie open, or the presets to offer"):
        Table(door=3)  # type: ignore[arg-type]
    with pytest.raises(DurakError, match=r"Did you mean 'door'\?"):
        Table(dor=True)


# The score and the names


def test_the_score_of_a_match_stands_on_the_table_while_it_is_played() -> None:
    """From the end of its first game on: each side, how often it has lost, and its epaulettes."""
    match = Match.from_game(ended(), seed=1)
    fool = match.game.outcome.fool
    table = Table(match)
    assert table.scene["score"] == [[[seat], int(seat == fool), match.score[seat].epaulettes] for seat in range(2)]
    scene = say(table, "next")
    assert [row[1] for row in scene["score"]] == [int(seat == fool) for seat in range(2)]
    assert "score" not in say(table, "deal", draft={"preset": "siege"})


@every_language
def test_bots_of_the_package_have_names_in_every_language(language: str) -> None:
    """On the page and in what Python says: English ones where the language lacks them. A bot of your own keeps its name."""
    names = {name: get_front_end_texts(language)[f"who.{name}"] for name in BUILT_IN_BOTS}
    assert len({*names.values()}) == len(BUILT_IN_BOTS)
    if language != "en":
        translated = {said for name, said in names.items() if f"who.{name}" in language_of(language).sentences}
        assert translated.isdisjoint(BUILT_IN_BOTS)
    table = Table(seats={0: "you", 1: "first"}, seed=7, language=language)
    table._session._report_bot_late(1)
    assert get_front_end_texts(language)["who.first"] in table.scene["note"]["said"][0]
    table.seat_player(1, bots.Bot("stubborn", lambda view, _: view.legal_moves()[0]))
    table._session._report_bot_late(1)
    assert "stubborn" in table.scene["note"]["said"][0]


def test_the_door_tells_nothing_of_the_cards() -> None:
    """Whatever has been dealt and played, the rules are told in the same words."""
    assert asked(Table(played(Rules.preset("poker"), 3, 20))) == asked(Table("poker", seed=7))


def test_an_answer_says_which_draft_it_answers() -> None:
    """By the number that the page has given it."""
    table = Table(seed=7)
    assert (asked(table, nr=12)["nr"], asked(table)["nr"]) == (12, 0)


def test_a_draft_of_another_game_is_stale() -> None:
    """Who saw another game is told to look again."""
    table = Table(seed=7)
    sent = listening(table)
    say(table, "new")
    scene = tell(table, {"kind": "draft", "ply": 0, "game": 1, "draft": {}})
    assert (scene["note"]["said"][0], sent) == ("The table has moved on: look again.", [])
