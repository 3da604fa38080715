"""What the front end paints, by itself: every golden scene, and what stands there in words."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest
from painted import PACKAGE, STATIC, WORDS, golden

from durak_widget import Card
from durak_widget.i18n import get_front_end_texts
from durak_widget.lessons import Pick
from support.moments import MOMENTS, english_moment

AT_ONCE = 80
"""For so many ms a card that was played awaits its answer where it lies."""
SIGNS = json.loads((PACKAGE / "engine/drawings.json").read_text(encoding="utf-8"))["signs"]


def counted(key, count):
    """A count with its noun in English."""
    return WORDS[f"{key}.{'one' if count == 1 else 'other'}"].format(count=count)


def named(card):
    """The name of a card as it lies."""
    return Card(card).name


def signed(card):
    """A card as it is written on it."""
    return f"{card[0].replace('T', '10')}{dict(zip('cdhs', '♣♦♥♠', strict=True))[card[1]]}\ufe0e"


def is_trump(card, scene):
    """Whether a card counts as a trump."""
    return scene["trump"] is not None and card[0] != "X" and card[-1] == scene["trump"]


def seats_are_painted(scene, painted):
    """Clockwise from the viewer's left: name, count, role in words and by its sign, partner, trumps shown, who is to act, who thinks."""
    count, me = len(scene["seats"]), scene["viewer"]
    expected = []
    for seat in [(me + step) % count for step in range(1, count)]:
        told = scene["seats"][seat]
        mate, shown = ["partner"] * bool(told.get("is_partner")), told.get("shown_trumps")
        wears = [counted("shoulders", len(told["epaulettes"]))] if "epaulettes" in told else []
        notes = mate + wears + [f"showed {', '.join(map(named, shown))}" for _ in [0] if shown]
        signs = [f"showed {' '.join(signed(card) for card in shown)}" for _ in [0] if shown]
        acts = ["to act"] * (scene["actor"] == seat)
        role, bot = WORDS[f"role.{told['role']}"], told.get("bot_state")
        expected.append(
            {
                "name": ", ".join(
                    [f"Player {seat + 1}", counted("cards", told["cards"]), role, *notes, *acts, *map(named, told.get("hand", []))]
                ),
                "shown": f"Player {seat + 1}",
                "role": role,
                "count": str(told["cards"] or ""),
                "tag": "".join(acts),
                "note": "".join([*mate, *signs]),
                "did": "" if acts or told.get("last_action") == role else told.get("last_action", ""),
                "wears": [signed(card) for card in told.get("epaulettes", [])],
                "backs": min(told["cards"], 5),
                "ring": bool(acts),
                "sign": SIGNS.get(told["role"]),
                "dots": bot == "thinks",
                "trouble": WORDS[f"bot.{bot}"].format(bot=told["player"]) if bot in {"failed", "late"} else None,
            }
        )
    assert painted["seats"] == expected
    assert painted["left"] == sorted(painted["left"])


def middle_is_painted(scene, painted):
    """The pairs in words with the corner of trumps and the suit played, the places that are left, the talon with its turn-up, the discard pile."""
    pairs = scene["table"]
    open_to_beat = {on for on, _ in scene["legal"].get("beat", [])}
    assert painted["pairs"] == [
        {
            "name": f"{named(attack)}, beaten by {named(beat)}" if beat else f"{named(attack)}, not beaten",
            "role": "button" if not beat and attack[0] + attack[-1] in open_to_beat else "img",
            "corners": [is_trump(card, scene) for card in (attack, beat) if card],
            "suits": [card[3] if len(card) > 2 else None for card in (attack, beat) if card],
        }
        for attack, beat in pairs
    ]
    over = "result" in scene
    assert painted["places"] == (0 if over else max(0, min(scene["limit"], 6) - len(pairs)))
    assert painted["limit"] == ("" if over else f"{len(pairs)} of {scene['limit']} attacks")
    assert (painted["region"], painted["group"], painted["hand"]) == ("Durak table", "Table", "Your hand")
    card, place = scene.get("turn_up", (None, None))
    below = (1 + bool(scene.get("has_hidden_trump"))) if place == "bottom" and scene["talon"] > 1 else int(place == "bottom")
    assert (painted["talon"], painted["count"]) == (counted("talon", scene["talon"]), str(scene["talon"] or ""))
    assert (painted["stack"] > 0) == (scene["talon"] > below)
    assert (painted["turnup"], painted["lies"]) == (f"{named(card)}, face up" if card else None, place)
    assert painted["under"] == bool(scene.get("has_hidden_trump"))
    trump = f"Trump: {WORDS['suit.' + scene['trump']]}" if scene["trump"] else "No trumps"
    assert painted["trump"] == [trump, trump, scene["trump"]]
    assert (painted["discard"], painted["gone"] > 0) == (counted("discard", scene["discard"]), scene["discard"] > 0)


def hand_is_painted(name, scene, painted):
    """The cards of legal moves are lit, all others say that they may not be played, trumps have their corner; one card can be tabbed to."""
    legal = [move.split() for move in english_moment(name)["legal"]]
    lit = {card[:2] for verb, *cards in legal if verb != "swap" for card in cards[verb == "beat" :]}
    usable = lit | {card for verb, *cards in legal if verb == "swap" for card in cards}
    assert [{key: fact for key, fact in card.items() if key != "tab"} for card in painted["cards"]] == [
        {
            "card": card,
            "name": named(card),
            "lit": card in lit,
            "disabled": None if card in usable else "true",
            "corner": is_trump(card, scene),
        }
        for card in scene["hand"]
    ]
    assert sum(card["tab"] == 0 for card in painted["cards"]) == bool(scene["hand"])
    assert painted["covered"] == (scene["seats"][scene["viewer"]]["cards"] if scene.get("covered") else 0)


def call_is_painted(scene, painted):
    """What there is to do in words, a button for each way to do it, and the bar as far as it goes; what is read aloud is the call."""
    legal, can, over, me = scene["legal"], scene["can"], scene.get("result"), scene["viewer"]
    if scene.get("covered") and not scene.get("hides_hands"):
        call = spoken = f"Player {me + 1}, this is for your eyes alone. Are you there?"
        actions = [["here", f"I am player {me + 1}: show my cards"]]
    elif "verdict" in scene:  # read aloud above the table, with its reasons
        call, spoken = scene["verdict"]["text"][0], ""
        actions = [["next", "Once more" if scene["verdict"]["right"] else "Try again"]]
    elif over:
        call, spoken = "", f"{over['farewell'][1]} {over['text'][1]}"
        actions = [
            ["next", "New match" if "match" in over else "Next game"],
            ["turned", "Where it turned"] if "review" in scene else ["replay", "Replay"],
        ]
    else:
        call, spoken = scene["call_to_action"]
        back = scene["ply"] < scene["last_ply"] and not scene.get("taken_back")
        names = [
            name for name in ("take", "pass", "done", "transfer", "show", "swap") if legal.get(name) or (name == "done" and name in can)
        ]
        names += ["hint"] * ("hint" in can)
        names += ["back"] * back + ["branch"] * (back and scene["actor"] != me)
        if "verdict" in scene:
            call, spoken = scene["verdict"]["text"][0], ""  # the exercise above says it aloud
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
    off = {"first": ply > 0, "previous": ply > 0, "next": ply < last, "last": ply < last, "play": last > 0, "undo": "undo" in can}
    bar = painted["bar"]
    assert sorted(bar.pop("off")) == sorted(name for name, on in {**off, "redo": "redo" in can}.items() if not on)
    where = f"Bout {scene['bout']} · move {ply} of {last}"
    assert bar == {"max": str(last), "value": str(ply), "says": f"Move {ply} of {last}", "where": where}
    assert painted["shown"] == [str(scene["id"]), str(ply)]


def end_is_painted(scene, painted):
    """The verdict, an epaulette for each shoulder, the score of the match and who has lost it; before the end nothing of it."""
    over, shown = scene.get("result"), painted["over"]
    if not over:
        assert shown is False
        return
    epaulettes = any(row[4] for row in over["score"])
    heads = ["Player", "Safe", "Drawn", "Fool", *["Epaulettes"] * epaulettes]
    worn = scene["seats"][scene["viewer"]].get("epaulettes", [])
    review = scene.get("review")
    turned = [review["text"][0] + " Try it again" * ("retry_ply" in review)] if review else []
    assert shown == {
        "verdict": over["farewell"][0],
        "lines": [over["text"][0], *filter(None, [over["order"]]), *([over["match_result"]] if "match_result" in over else []), *turned],
        "shoulders": counted("shoulders", len(worn)) if worn else None,
        "score": [heads, *[[str(cell) if cell != "" else "–" for cell in row[: len(heads)]] for row in over["score"]]],
    }


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.sample(3)
def test_a_moment_is_painted(blank, name):
    """The other seats, the middle, the hand, what there is to do, and the end."""
    scene = golden(name)
    painted = blank.lay(scene)
    if "review" in scene:  # its sentence and its button come with the drawers
        blank.page.wait_for_selector(".dk-turning-point-text")
        painted = blank.read()
    seats_are_painted(scene, painted)
    middle_is_painted(scene, painted)
    hand_is_painted(name, scene, painted)
    call_is_painted(scene, painted)
    end_is_painted(scene, painted)


def test_a_card_is_a_trump_as_it_is_played(blank):
    """A six of diamonds played as a trump has the corner, a trump six played as a heart has none."""
    painted = blank.lay(golden("sixes_of_any_suit", table=[["6d=s", "6s=h"]], legal={}))
    [pair] = painted["pairs"]
    assert (pair["corners"], pair["suits"]) == ([True, False], ["s", "h"])
    assert pair["name"] == "6 of diamonds as spades, beaten by 6 of spades as hearts"


def test_nobody_is_offered_the_next_game_in_the_middle_of_this_one(blank):
    """Back from the end there is no next game, but the way to the end; a moment for another seat can be played on from."""
    back = golden("looking_back", actor=1, legal={}, can={"redo": True})
    assert [name for name, _ in blank.lay(back)["actions"]] == ["back", "branch"]
    ended = golden("over_in_a_draw", last_ply=3)
    assert [name for name, _ in blank.lay(ended)["actions"]] == ["replay"]


def test_another_language_is_painted_at_once_and_not_read_again(blank):
    """All names change with the words; the game has not, so nothing is said."""
    blank.lay(golden("waiting"))
    blank.take("said")
    blank.page.evaluate("(words) => { model.set('language', 'ru'); model.set('words', words); }", get_front_end_texts("ru"))
    painted, words = blank.read(), get_front_end_texts("ru")
    assert (painted["lang"], painted["region"], painted["hand"], painted["group"]) == ("ru", words["region"], words["hand"], words["table"])
    assert painted["seats"][0]["name"].startswith(words["name"].format(number=2))
    assert words["role.attacks"] in painted["seats"][0]["name"]
    assert painted["talon"] == words["talon.many"].format(count=18)
    assert painted["trump"][0] == words["trump"].format(suit=words["suit.h"])
    assert painted["cards"][0]["name"] == words["card"].format(rank=words["rank.6"], of=words["of.c"])
    assert blank.take("said") == []


def test_what_beats_what_is_shown_under_the_pointer(blank):
    """A card marks the pairs it beats, a pair the cards that beat it, none when the aids are off; a new scene has no marks."""
    blank.lay(golden("defending"))
    for what, marked in (
        (blank.card("9c"), ["7c"]),
        (blank.card("6h"), ["7c", "7s"]),
        (blank.pair("7s"), ["9s", "Ts", "6h"]),
        (blank.card("Qd"), []),
    ):
        what.hover(force=True)
        assert blank.read()["aids"] == marked
    blank.pair("7c").hover(force=True)
    assert blank.read()["aids"] == ["9c", "Tc", "6h"]
    assert blank.show(golden("defending"), id=2, ply=2, last_ply=2, legal={}, actor=0)["aids"] == []
    blank.lay(golden("defending"), aids=False)
    blank.pair("7s").hover(force=True)
    assert blank.read()["aids"] == []


def test_marks_of_a_card_that_was_sent_go_with_the_answer(blank):
    """It rises where the answer is not there at once, which no picture shall keep waiting, and comes down when the move is refused."""
    blank.lay(golden("opening"))
    blank.card("Jc").click(force=True)
    assert blank.read()["sent_marks"] == []
    blank.elapse(AT_ONCE)
    assert blank.read()["sent_marks"] == ["Jc"]
    refusal = {"kind": "refused", "text": ["No.", "No."]}
    assert blank.show(golden("opening"), id=2, note=refusal)["sent_marks"] == []


def test_an_exercise_of_a_kind_that_the_page_does_not_know_says_so(blank):
    """Its question stands there with a plain sentence; nothing breaks, and it is shown once it is of another kind."""
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
    seen, cards = blank.page.evaluate(show, [url, sheet, WORDS])
    assert seen == ["What is in the talon?", WORDS["unknown_kind"].format(kind="guess")]
    assert cards == 2
