"""Test the rules dialog: it describes the rules, and offers every preset and option without Python."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace

import pytest

from durak_widget import DurakError, Match, Rules, RulesError, Table, bots
from durak_widget.bots.bot import BUILT_IN_BOTS
from durak_widget.i18n import LANGUAGES, get_front_end_texts
from durak_widget.i18n import get_language as language_of
from durak_widget.rules.preset_catalogue import PRESET_GROUPS, PRESETS
from durak_widget.rules.rules_form import DEFAULTS, OPTION_NAMES_BY_GROUP, build_field, list_presets
from durak_widget.rules.rules_summary import summarize_rules
from durak_widget.rules.ruleset import find_nearest_preset, format_rules_title
from support.mixes import played
from support.oracle_book import random_mix
from support.sizes import tried
from support.spoken import english_text, is_complete_sentence
from support.tables import deliver_message, finished_game, record_messages, send_message

every_language = pytest.mark.parametrize("language", LANGUAGES)


def ask_dialog(table: Table, kind: str = "draft", **draft: object) -> dict:
    """Return what the table answers when the dialog is opened or a preset is chosen."""
    sent = record_messages(table)
    send_message(table, kind, draft=draft)
    (answer,) = sent
    assert answer["kind"] == "rules_dialog"
    json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    return answer


def draft_rules(table: Table, **draft: object) -> dict:
    """Return the form that answers a draft."""
    return ask_dialog(table, **draft)["form"]


def fields_by_option(form: dict) -> dict[str, dict]:
    """Return the fields of a form, by option."""
    return {field["name"]: field for group in form["groups"] for field in group["fields"]}


# Descriptions of rules


@every_language
def test_rules_are_described_in_the_language_of_the_table(language: str) -> None:
    """Each preset has a title and a line; then how the game goes, its differences, and all its rules, in whole sentences."""
    for preset in list(PRESETS)[:: tried(10, 1)]:
        table = Table(preset, seed=7, language=language)
        dialog = ask_dialog(table)
        rules = table.rules
        assert table.scene["rules"] == dialog["title"] == format_rules_title(rules, language)
        assert dialog["summary"] == Rules.presets(language)[rules.name]
        special, usual, unused = ([words for *_, words in rows] for _, rows in rules.explain(language).groups)
        assert (dialog["special"][1], dialog["all"][1]) == (special, special + usual)
        assert not set(dialog["all"][1]) & set(unused)
        assert all(map(is_complete_sentence, dialog["basics"]))


def test_the_dialog_first_says_what_beats_what() -> None:
    """It is true in the variant: with or without trumps, with transfers, and with who may throw in."""

    def keys(preset: str, **changes: object) -> list[str]:
        paragraphs = summarize_rules(Rules.preset(preset).replace(**changes))
        return [text.key.removeprefix("rules.play.") for paragraph in paragraphs for text in paragraph]

    assert keys("podkidnoy")[:3] == ["goal", "beat", "trump"]
    assert "trump" not in keys("no_trumps")
    assert "first.after_dealer" in keys("no_trumps")  # nobody holds a trump
    assert {"trump.suit", "spades"} <= set(keys("crazy"))
    assert ("transfer" in keys("perevodnoy"), "transfer" in keys("podkidnoy")) == (True, False)
    throwers = {
        "attacker": keys("podkidnoy"),
        "all": keys("podkidnoy", players=4),
        "neighbours": keys("neighbours", players=5),
        "teams": keys("teams"),
    }
    for who, said in throwers.items():
        assert [key for key in said if key in {f"throw.{other}" for other in throwers}] == [f"throw.{who}"]
    assert not [key for key in keys("podkidnoy", throw_in_by="nobody") if key.startswith("throw.")]
    assert ("draw.none" in keys("bulk"), "draw" in keys("bulk")) == (True, False)
    assert {"goal.first_out", "first.after_dealer"} <= set(keys("econ431"))
    assert "goal.teams" in keys("teams_of_two")


@every_language
def test_each_preset_is_in_one_group_with_its_line(language: str) -> None:
    """Groups have headings, and no group is empty."""
    groups = ask_dialog(Table(seed=7, language=language))["form"]["preset_groups"]
    assert [name for name, *_ in groups] == list(PRESET_GROUPS)
    listed = [preset for _, _, presets in groups for preset in presets]
    assert sorted(name for name, *_ in listed) == sorted(PRESETS)
    assert len({heading for _, heading, _ in groups}) == len(groups)
    assert all(presets for *_, presets in groups)
    titles = dict(list_presets(language))
    assert listed == [[name, titles[name], Rules.presets(language)[name]] for name, *_ in listed]


def test_options_without_effect_are_not_in_the_form() -> None:
    """All others are. An option comes back when it has an effect, or when it is the reason of a conflict."""
    table = Table(seed=7)
    for preset in list(PRESETS)[:: tried(6, 1)]:
        form = draft_rules(table, preset=preset)
        rules = Rules.preset(preset)
        unused = {name for name, *_ in rules.explain().groups[2][1]}
        assert fields_by_option(form).keys() == DEFAULTS.keys() - unused
        assert all(group["fields"] for group in form["groups"])
    for options, shown in (({}, False), ({"transfer": True}, True), ({"passport": True}, True)):
        form = draft_rules(table, preset="podkidnoy", options={**DEFAULTS, **options})
        assert ("passport" in fields_by_option(form)) is shown
    for options in UNMIXED.values():
        form = draft_rules(table, preset="podkidnoy", options={**DEFAULTS, **options})
        assert options.keys() <= fields_by_option(form).keys()


@every_language
def test_every_option_is_in_the_form_with_words(language: str) -> None:
    """It is under its question, with a label or full answers, and each value is valid."""
    for name in DEFAULTS:
        field = build_field(name, DEFAULTS[name], language)
        texts = [words for _, words in field.offers] if field.meaning is None else [field.meaning] * bool(field.meaning)
        assert all(is_complete_sentence(text) for text in texts)
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
def test_every_question_has_its_own_heading(language: str) -> None:
    """Groups are the questions of the rules in order. With four players there can be teams."""
    groups = ask_dialog(Table("podkidnoy, players=4", seed=7, language=language))["form"]["groups"]
    assert [group["name"] for group in groups] == list(OPTION_NAMES_BY_GROUP)
    assert len({group["heading"] for group in groups} - {group["name"] for group in groups}) == len(groups)
    assert {group["name"] for group in groups if group["rare"]} == {"declaring", "exchange", "turns", "scoring"}


def test_a_mix_without_a_name_is_called_by_the_closest_preset() -> None:
    """It is that preset with changes."""
    assert format_rules_title(Rules.preset("poker", jokers=2)) == english_text("rules.mix", title="Poker")
    assert format_rules_title(Rules(ranks="9TJQKA", hand_size=3), "ru") == "Подкидной, с изменениями"
    assert find_nearest_preset(Rules.preset("teams").replace(transfer=True)) in ("teams", "perevodnoy")
    assert all(find_nearest_preset(Rules.preset(name)) == Rules.preset(name).name for name in PRESETS)


# The form


def test_every_preset_can_be_chosen_and_played_to_its_end() -> None:
    """The form shows it, and dealing starts a match with the same players."""
    for preset in list(PRESETS)[:: tried(10, 1)]:
        table = Table("podkidnoy, players=3", seats={0: "you", 1: "random", 2: "careful"}, seed=7)
        form = draft_rules(table, preset=preset, players=3)
        assert "refused" not in form
        assert form["changes"] == []
        assert not any(group["changed"] for group in form["groups"])
        assert (form["preset"], form["title"]) == (preset, dict(list_presets())[preset])
        count = form["options"]["players"]
        assert count == PRESETS[preset].options.get("players", 2 if preset == "econ431" else 3)
        assert form["seats"] == ["you", "random", *["careful"] * 4][:count]
        draft = {name: form[name] for name in ("preset", "options", "seats")}
        draft["seats"] = ["random"] * count
        scene = send_message(table, "deal", draft=draft)
        assert Rules(**form["options"]) == table.rules == Rules.preset(preset).replace(players=count)
        assert (scene["game"], scene["rules"], table.players) == (2, format_rules_title(table.rules), ("random",) * count)
        while table.step():
            pass
        assert "result" in table.scene


def test_a_free_mix_can_be_drafted_and_dealt() -> None:
    """All valid mixes are possible. The form has their values and changes, and they are played."""
    for seed in range(tried(3, 12)):
        rules, table = Rules(**random_mix(Random(seed))), Table(seed=7)
        options = {**DEFAULTS, **rules.changes()}
        form = draft_rules(table, preset="podkidnoy", options=options)
        values = {name: field["value"] for name, field in fields_by_option(form).items()}
        assert form["options"] == options == {**options, **values}
        assert len(form["changes"]) == len(rules.changes().keys() - {"players"})
        assert "refused" not in form
        send_message(table, "deal", draft={"preset": "podkidnoy", "options": options})
        assert table.rules == rules


def test_an_invalid_mix_is_refused_with_a_remedy() -> None:
    """The form keeps all choices, nothing is dealt, and the suggested change works."""
    table = Table(seed=7)
    game = table.game
    options = {**DEFAULTS, "passport": True}
    form = draft_rules(table, preset="podkidnoy", options=options)
    assert form["refused"] == english_text("rules.refused.passport")
    assert (form["options"], fields_by_option(form)["passport"]["value"]) == (options, True)
    assert ask_dialog(table, "deal", preset="podkidnoy", options=options)["form"] == form
    assert (table.game, table.scene["game"]) == (game, 1)
    assert "refused" not in draft_rules(table, preset="podkidnoy", options={**options, "transfer": True})


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
"""Invalid mixes of options, by the code of the reason."""


@every_language
def test_reasons_for_invalid_mixes_exist_in_every_language(language: str) -> None:
    """Each names its remedy without Python's option names."""
    table = Table(seed=7, language=language)
    refusals = {
        code: draft_rules(table, preset="podkidnoy", options={**DEFAULTS, **options})["refused"] for code, options in UNMIXED.items()
    }
    assert {f"rules.refused.{code}" for code in refusals} == {
        key for key in language_of(language).sentences if key.startswith("rules.refused.")
    }
    for code, sentence in refusals.items():
        assert is_complete_sentence(sentence), sentence
        assert "=" not in sentence
        with pytest.raises(RulesError) as refused:
            Rules(**UNMIXED[code])
        assert refused.value.code == code


def test_the_form_lists_the_changes() -> None:
    """The starting preset is beside them. The number of players is elsewhere."""
    form = draft_rules(Table(seed=7), preset="siege", options={**DEFAULTS, **PRESETS["siege"].options, "jokers": 2, "players": 5})
    assert form["changes"] == [Rules(jokers=2).explain().groups[0][1][0][2]]
    assert [group["name"] for group in form["groups"] if group["changed"]] == ["pack"]
    assert form["preset"] == "siege"


def test_players_keep_their_seats_after_new_rules() -> None:
    """Custom bots do too. If a person's seat is gone, it is you and careful bots."""
    mine = bots.get(lambda view, _: view.legal_moves()[-1])
    table = Table("podkidnoy, players=3", seats={0: mine, 1: "random", 2: "you"}, seed=7)
    send_message(table, "deal", draft={"preset": "siege", "players": 3})
    assert table.players == (mine.name, "random", "you")
    assert table._session.players.get_bot(0) is mine
    send_message(table, "deal", draft={"preset": "siege", "players": 4})
    assert table.players == (mine.name, "random", "you", "careful")
    send_message(table, "deal", draft={"preset": "siege", "players": 2})
    assert table.players == ("you", "careful")
    send_message(table, "deal", draft={"preset": "siege", "players": 2, "seats": ["you", "you"]})
    assert (table.players, table.scene["covered"]) == (("you", "you"), True)


def test_more_players_are_more_opponents() -> None:
    """Whoever plays against a named opponent meets others of them, each once. In other games the new players are careful bots."""
    table = Table("podkidnoy", seats={1: "uncle"}, seed=7)
    assert draft_rules(table, preset="perevodnoy", players=4)["seats"] == ["you", "uncle", "nephew", "neighbour"]
    send_message(table, "deal", draft={"preset": "perevodnoy", "players": 6})
    assert table.players == ("you", "uncle", "nephew", "neighbour", "aunt", "bookkeeper")
    chosen = draft_rules(table, preset="perevodnoy", players=3, seats=["you", "random"])
    assert chosen["seats"] == ["you", "random", "careful"]


def test_several_bots_wait_until_the_user_has_seen_the_new_table() -> None:
    """One bot begins at once, and bots without a person do too."""
    table = Table("podkidnoy", seed=7)
    for players, seats, waits in ((4, [], True), (2, [], False), (3, ["first"] * 3, False)):
        starts = [
            send_message(table, "deal", draft={"preset": "podkidnoy", "players": players, "seats": seats, "seed": str(seed)})
            for seed in range(12)
        ]
        bot_begins = [scene for scene in starts if scene["actor"] is not None and scene["seats"][scene["actor"]]["player"] != "you"]
        assert bot_begins
        assert {bool(scene.get("is_waiting")) for scene in bot_begins} == {waits}
    send_message(table, "deal", draft={"preset": "podkidnoy", "players": 4, "seats": ["you"], "seed": "1"})
    assert "is_waiting" not in send_message(table, "start")


def test_waiting_bots_wait_until_all_players_are_chosen() -> None:
    """Choosing a player or turning the view does not start them."""
    table = Table("podkidnoy", seed=7)
    seed = 0
    while not send_message(table, "deal", draft={"preset": "podkidnoy", "players": 3, "seats": [], "seed": str(seed)}).get("is_waiting"):
        seed += 1
    for kind, more in (
        ("seat_player", {"seat": 2, "player": "aunt"}),
        ("seat_player", {"seat": 1, "player": "uncle"}),
        ("rotate_view", {}),
    ):
        scene = send_message(table, kind, **more)
        assert (scene.get("is_waiting"), table.game.ply) == (True, 0)
    assert not table._session.late_seats


def test_a_seed_in_the_dialog_deals_the_same_cards_as_in_python() -> None:
    """The number is given in the form."""
    table = Table(seed=1)
    send_message(table, "deal", draft={"preset": "siege", "players": 2, "seed": "7"})
    again = Table("siege", seed=7)
    assert table.game.hands == again.game.hands
    for shown_table in (table, again):
        send_message(shown_table, "new_game")
    assert table.game.hands == again.game.hands
    send_message(table, "deal", draft={"preset": "siege", "players": 2})
    assert table.game.hands != again.game.hands


def test_in_an_exercise_the_dialog_only_describes_the_rules() -> None:
    """There is no form, and nothing is dealt."""
    table = Table(seed=7)
    table.task = SimpleNamespace(is_single_move=False, is_decided=False, verdict=lambda _: None)  # type: ignore[assignment]
    assert "form" not in ask_dialog(table)
    assert "form" not in ask_dialog(table, preset="siege")
    scene = send_message(table, "deal", draft={"preset": "siege"})
    assert (scene["note"]["text"][0], scene["game"], table.rules) == (english_text("table.fixed_rules"), 1, Rules())


def test_opening_the_dialog_does_not_start_bots() -> None:
    """A page may open it at once. Bots still wait for a viewer."""
    table = Table("podkidnoy", seats={0: "careful", 1: "you"}, seed=7)
    table._session.wait_for_viewer()
    draft_rules(table, preset="siege")
    ask_dialog(table)
    assert table._session.is_waiting is True


# The dialog from Python


def test_the_dialog_can_be_open_from_the_start() -> None:
    """It can offer some presets first. An unknown one is refused with the closest name."""
    assert (Table(seed=1).door, Table(seed=1, door=True).door) == (False, True)
    table = Table("siege", door=("albanian", "siege"), seed=1, language="ru")
    assert ask_dialog(table)["form"]["offers"] == [
        [name, format_rules_title(Rules.preset(name), "ru"), Rules.presets("ru")[name]] for name in table.door
    ]
    assert Table(seed=1, door="poker").door == ["poker"]
    with pytest.raises(DurakError, match=r"there is no preset 'albanain'. Did you mean 'albanian'\?"):
        Table(door=("albanain", "siege"))
    with pytest.raises(DurakError, match="True"):
        Table(door=3)  # type: ignore[arg-type]
    with pytest.raises(DurakError, match=r"Did you mean 'door'\?"):
        Table(dor=True)


# The score and the names


def test_the_score_of_a_match_is_shown_during_play() -> None:
    """From the end of the first game it has each side's losses."""
    match = Match.from_game(finished_game(), seed=1)
    fool = match.game.outcome.fool
    table = Table(match)
    team_score = Table(Match.from_game(finished_game("teams"), seed=1)).scene["match_score"]
    assert "you + Player 3" in team_score
    score = english_text("table.match_score", score=f"you {int(fool == 0)}, Player 2: {int(fool == 1)}")
    assert table.scene["match_score"] == score
    assert send_message(table, "next_game")["match_score"] == score
    assert "match_score" not in send_message(table, "deal", draft={"preset": "siege"})


def test_the_score_of_a_large_game_says_what_the_user_lost() -> None:
    """There is no space for six names, so it has only the user's games. A spectator sees who lost, by name."""
    match = Match.from_game(finished_game("podkidnoy, players=5"), seed=1)
    fool = match.game.outcome.fool
    for seats in ({seat: "you" if seat == own else "first" for seat in range(5)} for own in (fool, (fool + 1) % 5)):
        lost = int(seats[fool] == "you")
        assert Table(match, seats).scene["match_score"] == english_text("table.match_score.own", lost=lost, games=1)
    watched = Table(match, dict.fromkeys(range(5), "first"))
    assert watched.scene["match_score"] == english_text("table.match_score", score=f"Player {fool + 1}: 1")


@every_language
def test_bots_of_the_package_have_names_in_every_language(language: str) -> None:
    """English is the fallback on the page and in Python. Custom bots keep their name."""
    names = {name: get_front_end_texts(language)[f"who.{name}"] for name in BUILT_IN_BOTS}
    assert len({*names.values()}) == len(BUILT_IN_BOTS)
    if language != "en":
        translated = {displayed for name, displayed in names.items() if f"who.{name}" in language_of(language).sentences}
        assert translated.isdisjoint(BUILT_IN_BOTS)
    table = Table(seats={0: "you", 1: "first"}, seed=7, language=language)
    table._session._report_bot_late(1)
    assert get_front_end_texts(language)["who.first"] in table.scene["note"]["text"][0]
    table.seat_player(1, bots.Bot("stubborn", lambda view, _: view.legal_moves()[0]))
    table._session._report_bot_late(1)
    assert "stubborn" in table.scene["note"]["text"][0]


def test_the_dialog_reveals_no_cards() -> None:
    """The text does not depend on the game."""
    assert ask_dialog(Table(played(Rules.preset("poker"), 3, 20))) == ask_dialog(Table("poker", seed=7))


def test_an_answer_has_the_number_of_its_draft() -> None:
    """The page gives the number."""
    table = Table(seed=7)
    assert (ask_dialog(table, number=12)["number"], ask_dialog(table)["number"]) == (12, 0)


def test_a_draft_of_another_game_is_refused() -> None:
    """The page saw an older game."""
    table = Table(seed=7)
    sent = record_messages(table)
    send_message(table, "new_game")
    scene = deliver_message(table, {"kind": "draft", "ply": 0, "game": 1, "draft": {}})
    assert (scene["note"]["text"][0], sent) == (english_text("table.stale"), [])
