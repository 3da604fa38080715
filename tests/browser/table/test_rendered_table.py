"""Test what the front end renders of every golden scene, and its texts."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest
from rendered_table import PACKAGE, STATIC, WORDS, golden_scene, play_scenes

from durak_widget import Card
from durak_widget.i18n import get_front_end_texts
from durak_widget.lessons import Pick
from support.moments import MOMENTS, english_moment
from support.spoken import english_text

AT_ONCE = 80
"""How long a played card stays in place while waiting for an answer, in ms."""
SIGNS = json.loads((PACKAGE / "engine/drawings.json").read_text(encoding="utf-8"))["signs"]


def format_count(key, count):
    """Return a count with its noun in English."""
    return WORDS[f"{key}.{'one' if count == 1 else 'other'}"].format(count=count)


def card_name(card):
    """Return the name of a card as played."""
    return Card(card).name


def card_signs(card):
    """Return the card in signs."""
    return f"{card[0].replace('T', '10')}{dict(zip('cdhs', '♣♦♥♠', strict=True))[card[1]]}\ufe0e"


def is_trump(card, scene):
    """Return whether a card counts as a trump."""
    return scene["trump"] is not None and card[0] != "X" and card[-1] == scene["trump"]


def check_seats(scene, painted):
    """Check the seats clockwise: name, count, role, partner, shown trumps, turn and thinking."""
    count, me = len(scene["seats"]), scene["viewer"]
    expected = []
    for seat in [(me + step) % count for step in range(1, count)]:
        told = scene["seats"][seat]
        mate, shown = ["partner"] * bool(told.get("is_partner")), told.get("shown_trumps")
        wears = [format_count("shoulders", len(told["epaulettes"]))] if "epaulettes" in told else []
        notes = mate + wears + [f"showed {', '.join(map(card_name, shown))}" for _ in [0] if shown]
        signs = [f"showed {' '.join(card_signs(card) for card in shown)}" for _ in [0] if shown]
        acts = [english_text("screen.to_act")] * (scene["actor"] == seat)
        role, bot = WORDS[f"role.{told['role']}"], told.get("bot_state")
        expected.append(
            {
                "name": ", ".join(
                    [f"Player {seat + 1}", format_count("cards", told["cards"]), role, *notes, *acts, *map(card_name, told.get("hand", []))]
                ),
                "shown": f"Player {seat + 1}",
                "role": role,
                "count": str(told["cards"] or ""),
                "tag": "".join(acts),
                "note": "".join([*mate, *signs]),
                "did": "" if acts or told.get("last_action") == role else told.get("last_action", ""),
                "wears": [card_signs(card) for card in told.get("epaulettes", [])],
                "backs": min(told["cards"], 5),
                "ring": bool(acts),
                "sign": SIGNS.get(told["role"]),
                "dots": bot == "thinks",
                "trouble": WORDS[f"bot.{bot}"].format(bot=told["player"]) if bot in {"failed", "late"} else None,
            }
        )
    assert painted["seats"] == expected
    assert painted["left"] == sorted(painted["left"])


def check_table_center(scene, painted):
    """Check pairs, trump corners, free places, talon, turn-up and discard pile."""
    pairs = scene["table"]
    open_to_beat = {on for on, _ in scene["legal"].get("beat", [])}
    assert painted["pairs"] == [
        {
            "name": english_text("screen.beaten", card=str(card_name(attack)), by=str(card_name(beat)))
            if beat
            else english_text("screen.unbeaten", card=str(card_name(attack))),
            "role": "button" if not beat and attack[0] + attack[-1] in open_to_beat else "img",
            "corners": [is_trump(card, scene) for card in (attack, beat) if card],
            "suits": [card[3] if len(card) > 2 else None for card in (attack, beat) if card],
        }
        for attack, beat in pairs
    ]
    over = "result" in scene
    assert painted["places"] == (0 if over else max(0, min(scene["limit"], 6) - len(pairs)))
    assert painted["limit"] == ("" if over or not pairs else english_text("screen.limit", count=str(len(pairs)), limit=str(scene["limit"])))
    assert (painted["region"], painted["group"], painted["hand"]) == (english_text("screen.region"), "Table", english_text("screen.hand"))
    card, place = scene.get("turn_up", (None, None))
    below = (1 + bool(scene.get("has_hidden_trump"))) if place == "bottom" and scene["talon"] > 1 else int(place == "bottom")
    assert (painted["talon"], painted["count"]) == (format_count("talon", scene["talon"]), str(scene["talon"] or ""))
    assert (painted["stack"] > 0) == (scene["talon"] > below)
    assert (painted["turnup"], painted["lies"]) == (f"{card_name(card)}, face up" if card else None, place)
    assert painted["under"] == bool(scene.get("has_hidden_trump"))
    trump = f"Trump: {WORDS['suit.' + scene['trump']]}" if scene["trump"] else english_text("screen.no_trumps")
    assert painted["trump"] == [trump, trump, scene["trump"]]
    assert (painted["discard"], painted["gone"] > 0) == (format_count("discard", scene["discard"]), scene["discard"] > 0)


def check_hand(name, scene, painted):
    """Check that legal cards are highlighted, others disabled, trumps marked, and one card is a tab stop."""
    legal = [move.split() for move in english_moment(name)["legal"]]
    lit = {card[:2] for verb, *cards in legal if verb != "swap" for card in cards[verb == "beat" :]}
    usable = lit | {card for verb, *cards in legal if verb == "swap" for card in cards}
    assert [{key: fact for key, fact in card.items() if key != "tab"} for card in painted["cards"]] == [
        {
            "card": card,
            "name": card_name(card),
            "lit": card in lit,
            "disabled": None if card in usable else "true",
            "corner": is_trump(card, scene),
        }
        for card in scene["hand"]
    ]
    assert sum(card["tab"] == 0 for card in painted["cards"]) == bool(scene["hand"])
    assert painted["covered"] == (scene["seats"][scene["viewer"]]["cards"] if scene.get("covered") else 0)


def check_prompt(scene, painted):
    """Check the prompt, its buttons, the bar and the announcement."""
    legal, can, over, me = scene["legal"], scene["can"], scene.get("result"), scene["viewer"]
    if scene.get("covered") and not scene.get("hides_hands"):
        call = spoken = english_text("screen.cover", number=str(me + 1))
        actions = [["here", english_text("screen.here", number=str(me + 1))]]
    elif "verdict" in scene:  # announced above the table, with its reasons
        call, spoken = scene["verdict"]["text"][0], ""
        actions = [["next", english_text("screen.once_more") if scene["verdict"]["right"] else english_text("screen.again")]]
    elif over:
        call, spoken = "", " ".join(result_lines(over, 1))
        actions = [
            ["next", english_text("screen.new_match") if "match" in over else english_text("screen.next_game")],
            ["turned", WORDS["turned"]] if scene.get("review", {}).get("turning_points") else ["replay", "Replay"],
        ]
    else:
        call, spoken = scene["call_to_action"]
        back = scene["ply"] < scene["last_ply"] and not scene.get("taken_back")
        names = [
            name for name in ("take", "pass", "done", "transfer", "show", "swap") if legal.get(name) or (name == "done" and name in can)
        ]
        names += ["back"] * back + ["branch"] * (back and scene["actor"] != me)
        names += ["hint"] * ("hint" in can)
        if "verdict" in scene:
            call, spoken = scene["verdict"]["text"][0], ""  # the exercise above announces it
            names = []
        names = ["step"] * ("waits_for_step" in scene) + ["unhide"] * ("hides_hands" in scene) + ["home"] * ("is_rotated" in scene) + names
        actions = [[name, WORDS["show_me" if name == "hint" and "has_shown_thought" in scene else name]] for name in names]
        if "verdict" in scene:
            actions = [["next", WORDS["once_more" if scene["verdict"]["right"] else "again"]]]
    assert (painted["call"], painted["actions"]) == (call, actions)
    error = scene["note"]["text"] if scene.get("note", {}).get("kind") == "error" else None
    assert painted["status"] == (f"{error[1]} {spoken}" if error else spoken)
    assert painted["bubble"] == (error[0] if error else None)
    ply, last = scene["ply"], scene["last_ply"]
    is_single = bool(scene.get("is_single_move"))
    replay = (over or (ply < last and not scene.get("taken_back"))) and not is_single
    on = {"first": ply > 0, "previous": ply > 0, "next": ply < last, "last": ply < last, "play": True} if replay else {}
    on |= {name: name in can and not is_single for name in ("undo", "redo")}
    on |= {"new": bool(scene.get("task") and last and "verdict" not in scene and not is_single)}
    bar = painted["bar"]
    assert sorted(bar.pop("on")) == sorted(name for name, is_on in on.items() if is_on)
    where = english_text("screen.where", bout=str(scene["bout"]), ply=str(ply), last=str(last))
    assert bar == {"max": str(last), "value": str(ply), "says": english_text("screen.move_of", ply=ply, last=last), "where": where}
    assert painted["shown"] == [str(scene["id"]), str(ply)]


def result_lines(over, voice):
    """Return the lines on who won and who is the fool. A winner reads first that they won, anybody else who is the fool."""
    lines = [over["farewell"][voice], over["text"][voice]]
    return lines if over["won"] else lines[::-1]


def check_result(scene, painted):
    """Check the verdict, epaulettes and match score at the end, and that they are absent before."""
    over, shown = scene.get("result"), painted["over"]
    if not over:
        assert shown is False
        return
    epaulettes = any(row[4] for row in over["score"])
    heads = [
        "Player",
        *(english_text(f"screen.score.{key}") for key in ("won", "drew", "lost", *["epaulettes"] * epaulettes)),
    ]
    worn = scene["seats"][scene["viewer"]].get("epaulettes", [])
    review = scene.get("review")
    note = review["text"][0] if review and not review["turning_points"] else ""
    verdict, line = result_lines(over, 0)
    assert shown == {
        "verdict": verdict,
        "lines": [line, *filter(None, [over["order"]]), *([over["match_result"]] if "match_result" in over else []), note],
        "shoulders": format_count("shoulders", len(worn)) if worn else None,
        "score": [heads, *[[str(cell) if cell != "" else "–" for cell in row[: len(heads)]] for row in over["score"]]],
    }


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.sample(3)
def test_every_golden_scene_is_rendered(table_page, name):
    """Seats, centre, hand, prompt and result."""
    scene = golden_scene(name)
    painted = table_page.mount(scene)
    if "result" in scene:  # its score and the sentence on the review come with the panels
        table_page.page.wait_for_selector(".dk-review-note", state="attached")
        painted = table_page.read()
    check_seats(scene, painted)
    check_table_center(scene, painted)
    check_hand(name, scene, painted)
    check_prompt(scene, painted)
    check_result(scene, painted)


def test_trump_corners_follow_the_played_suit(table_page):
    """A six of diamonds played as a trump has one, a trump six played as a heart has none."""
    painted = table_page.mount(golden_scene("sixes_of_any_suit", table=[["6d=s", "6s=h"]], legal={}))
    [pair] = painted["pairs"]
    assert (pair["corners"], pair["suits"]) == ([True, False], ["s", "h"])
    assert pair["name"] == english_text("screen.beaten", card="6 of diamonds as spades", by="6 of spades as hearts")


def test_the_next_game_is_offered_only_at_the_end(table_page):
    """After going back there is a way to the end instead."""
    back = golden_scene("looking_back", actor=1, legal={}, can={"redo": True})
    assert [name for name, _ in table_page.mount(back)["actions"]] == ["back", "branch"]
    ended = golden_scene("over_in_a_draw", last_ply=3)
    assert [name for name, _ in table_page.mount(ended)["actions"]] == ["replay"]


def test_a_change_of_language_is_rendered_but_not_announced(table_page):
    """A change of language is rendered but not announced."""
    table_page.mount(golden_scene("waiting"))
    table_page.drain("said")
    table_page.page.evaluate("(words) => { model.set('language', 'ru'); model.set('words', words); }", get_front_end_texts("ru"))
    painted, words = table_page.read(), get_front_end_texts("ru")
    assert (painted["lang"], painted["region"], painted["hand"], painted["group"]) == ("ru", words["region"], words["hand"], words["table"])
    assert painted["seats"][0]["name"].startswith(words["name"].format(number=2))
    assert words["role.attacks"] in painted["seats"][0]["name"]
    assert painted["talon"] == words["talon.many"].format(count=18)
    assert painted["trump"][0] == words["trump"].format(suit=words["suit.h"])
    assert painted["cards"][0]["name"] == words["card"].format(rank=words["rank.6"], of=words["of.c"])
    assert table_page.drain("said") == []


def test_a_change_of_letters_redraws_every_card(table_page):
    """Hand, table and turn-up show the new letters; names for screen readers stay, and nothing is announced."""
    table_page.mount(golden_scene("defending"), words=get_front_end_texts("ru", "international"))
    read = """() => [...document.querySelectorAll('.dk-felt .dk-card:not(.dk-back)')].map((card) =>
        [card.dataset.card ?? '', card.getAttribute('aria-label'), card.querySelector('.dk-index')?.getAttribute('d')])"""
    before = table_page.page.evaluate(read)
    table_page.drain("said")
    table_page.page.evaluate("(words) => model.set('words', words)", get_front_end_texts("ru", "russian"))
    after = table_page.page.evaluate(read)
    assert [card[:2] for card in before] == [card[:2] for card in after]
    for (card, _, old), (_, _, new) in zip(before, after, strict=True):
        if card:
            assert (old == new) == (card[0] not in "JQA"), card
    assert table_page.drain("said") == []
    fresh = table_page.mount(golden_scene("defending"), words=get_front_end_texts("ru", "russian"))
    assert fresh
    assert table_page.page.evaluate(read) == after


def test_hovering_a_card_marks_matching_cards(table_page):
    """A card marks the pairs it beats, a pair the cards that beat it. Not with aids off, and not in a new scene."""
    table_page.mount(golden_scene("defending"))
    for what, marked in (
        (table_page.card("9c"), ["7c"]),
        (table_page.card("6h"), ["7c", "7s"]),
        (table_page.pair("7s"), ["9s", "Ts", "6h"]),
        (table_page.card("Qd"), []),
    ):
        what.hover(force=True)
        assert table_page.read()["aids"] == marked
    table_page.pair("7c").hover(force=True)
    assert table_page.read()["aids"] == ["9c", "Tc", "6h"]
    assert table_page.show(golden_scene("defending"), id=2, ply=2, last_ply=2, legal={}, actor=0)["aids"] == []
    table_page.mount(golden_scene("defending"), aids=False)
    table_page.pair("7s").hover(force=True)
    assert table_page.read()["aids"] == []


def test_a_sent_card_rises_until_it_is_answered(table_page):
    """Only if the answer is late, so that nothing else waits."""
    table_page.mount(golden_scene("opening"))
    table_page.card("Jc").click(force=True)
    assert table_page.read()["sent_marks"] == []
    table_page.elapse(AT_ONCE)
    assert table_page.read()["sent_marks"] == ["Jc"]
    refusal = {"kind": "refused", "text": ["No.", "No."]}
    assert table_page.show(golden_scene("opening"), id=2, note=refusal)["sent_marks"] == []


def test_an_unknown_kind_of_exercise_is_reported(table_page):
    """Its question is shown with a sentence. A known kind later works."""
    sheet = {
        **Pick.beaters("Tc", of="9c Jc", trump="h").view_model(),
        "kind": "guess",
        "question": "What is in the talon?",
    }
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'lesson.js').read_bytes()).decode()}"
    show = """async ([url, sheet, words]) => {
      const { default: widget } = await import(url), heard = {}, values = { exercise_view: sheet, words };
      const el = document.createElement('div');
      document.body.append(el);
      const end = widget.render({ model: { get: (name) => values[name], on: (event, run) => { heard[event] = run; }, off() {}, send() {} }, el });
      const seen = () => [...el.querySelectorAll('p, button')].filter((one) => one.checkVisibility()).map((one) => one.textContent).filter(Boolean);
      const before = seen();
      values.exercise_view = { ...sheet, kind: 'pick' };
      heard['change:exercise_view']();
      const after = el.querySelectorAll('[data-item]').length;
      end(); el.remove();
      return [before, after];
    }"""
    seen, cards = table_page.page.evaluate(show, [url, sheet, WORDS])
    assert seen == ["What is in the talon?", WORDS["unknown_kind"].format(kind="guess")]
    assert cards == 2


@pytest.mark.parametrize(("width", "height"), [(1000, 800), (360, 740), (824, 390)])
def test_cards_keep_their_places_until_the_end_of_the_bout(table_page, set_screen_size, width, height):
    """They don't jump under the finger. A card taken back returns to its place, and after the bout the hand is in the middle again."""
    set_screen_size(1200, height)
    moves = "attack 7c", "beat 7c 9c", "throw 7d", "beat 7d Jd", "pass"
    scenes = play_scenes(
        "podkidnoy, hand_size=5", 0, *moves, hands=["7c 7d 9s Kd Kh", "9c Jd Qs As Ac"], trump="h", talon="8d 8h 8c Th", turn_up="Th"
    )
    left = lambda: {card: table_page.card(card).bounding_box()["x"] for card in ("9s", "Kd", "Kh")}  # noqa: E731 - one line
    table_page.mount(scenes[0])
    table_page.set_width(width)
    table_page.wait_for_frames()
    places = left()
    taken_back = table_page.card("7d").bounding_box()["x"]
    for moment in scenes[1:5]:
        table_page.show(moment)
        assert left() == places
    table_page.show({**scenes[2], "last_ply": 4, "taken_back": True}, id=20)
    assert (left(), table_page.card("7d").bounding_box()["x"]) == (places, taken_back)
    table_page.show(scenes[5], id=21)
    boxes = [card.bounding_box() for card in table_page.page.locator(".dk-hand-card").all()]
    felt = table_page.locate(".dk-felt").bounding_box()
    middle = (boxes[0]["x"] + boxes[-1]["x"] + boxes[-1]["width"]) / 2
    assert middle == pytest.approx(felt["x"] + felt["width"] / 2, abs=1)
