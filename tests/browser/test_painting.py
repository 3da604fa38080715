"""What the front end paints, says, asks and sends, by itself: the bundle in an empty page, with a model that notes what it is sent."""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from pathlib import Path
from random import Random

import pytest
from test_secrets import known
from test_secrets import named as cards_in

from durak_widget import Card, Game, Table
from durak_widget.lessons import Pick
from durak_widget.words import screen

PACKAGE = Path(__file__).resolve().parents[2] / "durak_widget"
STATIC = PACKAGE / "static"
GOLDEN = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((PACKAGE / "frontend/test/scenes").glob("*.json"))}
SIGNS = json.loads((PACKAGE / "game/drawings.json").read_text(encoding="utf-8"))["signs"]
WORDS = screen("en")
LOOK = {
    "words": WORDS,
    "settings": json.loads((PACKAGE / "frontend/test/wire.json").read_text(encoding="utf-8"))["settings"],
    "bots": ["careful", "first"],
    "language": "en",
    "theme": "light",
    "skin": "felt",
    "back": "lattice",
    "four_colors": False,
    "motion": False,
    "sound": False,
    "aids": True,
    "memory": True,
    "pace": 900,
}
REST, PATIENCE = 900, 5000  # ms: between two moves that are shown, and till an answer is missed

# Time stands still in the page: a timer goes off when a test says so. Taps are noted, not heard.
BEGIN = """async ([url, css]) => {
  const style = document.createElement('style'); style.textContent = css; document.head.append(style);
  const { default: widget } = await import(url);
  const timers = new Map(); let count = 0;
  window.setTimeout = (what, ms) => { timers.set(++count, [what, ms]); return count; };
  window.clearTimeout = (which) => { timers.delete(which); };
  window.elapse = (ms) => { for (const [which, [what, after]] of [...timers]) if (after === ms) { timers.delete(which); what(); } };
  window.errors = []; window.taps = [];
  window.addEventListener('error', ({ message }) => window.errors.push(message));
  window.addEventListener('unhandledrejection', ({ reason }) => window.errors.push(String(reason)));
  const part = () => ({ connect: (to) => to, start() {}, stop() {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    frequency: { setValueAtTime: (pitch) => window.taps.push(pitch), exponentialRampToValueAtTime() {} } });
  window.AudioContext = class { currentTime = 0; destination = {}; createOscillator = part; createGain = part; };
  window.leaked = [];
  document.addEventListener('keydown', (event) => window.leaked.push(event.key));
  window.lay = (values) => {
    window.close_table?.();
    document.getSelection().removeAllRanges();
    timers.clear();
    window.sent = []; window.said = []; window.taps.length = 0; window.leaked.length = 0;
    const heard = new Map();
    const model = {
      get: (name) => values[name],
      set: (name, value) => { if (values[name] !== value) { values[name] = value; heard.get(`change:${name}`)?.(); } },
      save_changes() {},
      send: (message) => { if (window.gone) throw new Error('the kernel is gone'); window.sent.push(message); },
      on: (event, what) => { heard.set(event, what); },
      off: (event, what) => { if (heard.get(event) === what) heard.delete(event); },
    };
    Object.assign(window, { model, heard, gone: false });
    const el = document.createElement('div');
    el.style.width = '1000px';
    document.body.replaceChildren(el);
    window.close_table = widget.render({ model, el });
    new MutationObserver((all) => { for (const { addedNodes } of all) for (const node of addedNodes) window.said.push(node.textContent); })
      .observe(el.querySelector('[role=status]'), { childList: true });
  };
}"""
READ = """() => {
  const table = document.querySelector('.dk');
  const all = (selector, what, from = table) => [...from.querySelectorAll(selector)].map(what);
  const one = (selector, from = table) => from.querySelector(selector);
  const name = (element) => element?.getAttribute('aria-label') ?? null;
  const text = (selector, from = table) => one(selector, from)?.textContent ?? null;
  const seen = (element) => element.checkVisibility();
  const corner = (card) => getComputedStyle(card, '::after').content !== 'none';
  const turned = one('.dk-turned .dk-card:not(.dk-under)')?.getBoundingClientRect();
  const pile = one('.dk-deck .dk-pile').getBoundingClientRect();
  const over = one('.dk-over-card');
  return {
    region: name(table), lang: table.lang, shown: [table.dataset.scene, table.dataset.ply],
    seats: all('.dk-seat', (seat) => ({
      name: name(one('.dk-plate', seat)), shown: text('.dk-name', seat), role: text('.dk-role', seat), count: text('.dk-plate .dk-count', seat), tag: text('.dk-tag', seat),
      backs: seat.querySelectorAll('.dk-fan .dk-back').length, ring: getComputedStyle(one('.dk-plate', seat)).boxShadow.includes('0px 3px') && 'acts' in seat.dataset,
      sign: one('.dk-role-sign path', seat)?.getAttribute('d') ?? null, dots: seen(one('.dk-thinking', seat)), trouble: text('.dk-trouble', seat),
    })),
    left: all('.dk-seat', (seat) => seat.getBoundingClientRect().left),
    pairs: all('.dk-pair', (pair) => ({
      name: name(pair), role: pair.getAttribute('role'), corners: all(':scope > .dk-card', corner, pair),
      suits: all(':scope > .dk-card', (card) => one('.dk-declared', card)?.getAttribute('class').match(/dk-ink-(.)/)[1] ?? null, pair),
    })),
    places: all('.dk-place', seen).length, limit: text('.dk-limit'), group: name(one('.dk-table')), hand: name(one('.dk-hand')),
    cards: all('.dk-mine', (card) => ({ card: card.dataset.card, name: name(card), lit: 'lit' in card.dataset, disabled: card.getAttribute('aria-disabled'), corner: corner(card), tab: card.tabIndex })),
    covered: all('.dk-hand > .dk-back', seen).length,
    talon: name(one('.dk-stock .dk-pile')), count: text('.dk-deck .dk-count'), stack: one('.dk-stock .dk-pile').childElementCount,
    turnup: name(one('.dk-turned')), under: all('.dk-under', seen).length,
    lies: !turned ? null : turned.width > turned.height ? 'bottom' : turned.left < pile.left + 20 ? 'top' : 'aside',
    trump: [name(one('.dk-trump')), text('.dk-trump span'), one('.dk-trump .dk-suit')?.getAttribute('class').match(/dk-ink-(.)/)[1] ?? null],
    discard: name(one('.dk-discard .dk-pile')), gone: one('.dk-discard .dk-pile').childElementCount,
    call: text('.dk-call'), actions: all('.dk-actions button', (button) => [button.dataset.action, button.textContent]),
    over: seen(over) && {
      verdict: text('.dk-verdict', over), shoulders: name(one('.dk-epaulettes', over)), marks: all('.dk-epaulettes i', (i) => i.textContent, over),
      score: all('tr', (row) => all('th,td', (cell) => cell.textContent, row), over), last: over.lastElementChild.tagName === 'P' ? over.lastElementChild.textContent : null,
    },
    bar: { max: one('.dk-slider').max, value: one('.dk-slider').value, says: one('.dk-slider').getAttribute('aria-valuetext'), where: text('.dk-where'),
      off: all('[data-bar][aria-disabled=true]', (button) => button.dataset.bar) },
    status: one('[role=status]').lastElementChild?.textContent ?? '', bubble: seen(one('.dk-bubble')) ? text('.dk-bubble') : null,
    picked: all('.dk-mine[data-picked]', (card) => card.dataset.card), lit: all('.dk-mine[data-lit]', (card) => card.dataset.card),
    pressed: all('.dk-actions [aria-pressed=true]', (button) => button.dataset.action), targets: all('.dk-pair[data-target]', (pair) => pair.dataset.card),
    aimed: all('.dk-pair[data-aimed]', (pair) => pair.dataset.card), aids: all('[data-aid]', (card) => card.dataset.card),
    sent_marks: all('.dk-sent', (card) => card.dataset.card), over_marks: all('[data-over]', (card) => card.dataset.card ?? card.className).filter((what) => what !== 'dk'),
    panel: seen(one('.dk-panel')) ? name(one('.dk-panel')) : null, dialog: name(one('.dk-ask')), answers: all('.dk-ask button', (button) => button.textContent),
    focus: document.activeElement.dataset.card ?? document.activeElement.dataset.action ?? document.activeElement.dataset.bar ?? document.activeElement.dataset.key ?? document.activeElement.textContent,
    ghosts: all('.dk-ghost', seen).length,
  };
}"""
# The next scene, and every animation that it starts at once or later: whose, along which way, when; and where things were and then are.
FLY = """(scene) => {
  const boxes = () => {
    const found = {};
    const put = (name, element) => { const { left, top, width } = element.getBoundingClientRect(); found[name] = { left, top, width }; };
    for (const card of document.querySelectorAll('.dk-mine')) put(`hand ${card.dataset.card}`, card);
    for (const pair of document.querySelectorAll('.dk-pair')) [...pair.children].forEach((card, i) => put(`table ${i ? 'over ' : ''}${pair.dataset.card}`, card));
    for (const seat of document.querySelectorAll('.dk-seat')) put(`seat ${parseInt(seat.querySelector('.dk-name').textContent.match(/[0-9]+/)) - 1}`, seat.querySelector('.dk-fan'));
    put('talon', document.querySelector('.dk-stock .dk-pile')); put('discard', document.querySelector('.dk-discard .dk-pile')); put('air', document.querySelector('.dk-air'));
    return found;
  };
  const rest = () => document.getAnimations().forEach((animation) => animation instanceof CSSTransition && animation.finish());
  rest();
  const before = boxes();
  const known = new Set(document.getAnimations()), later = [], { setTimeout } = window;
  window.setTimeout = (then, ms) => { later.push({ then, ms }); return 0; };
  model.set('scene', scene);
  window.setTimeout = setTimeout;
  const started = (ms) => document.getAnimations().filter((one) => one.constructor === Animation && !known.has(one)).map((animation) => { known.add(animation); return { animation, ms }; });
  const all = [...started(0), ...later.sort((a, b) => a.ms - b.ms).flatMap(({ then, ms }) => { then(); return started(ms); })];
  const moves = all.map(({ animation, ms }) => {
    const { target } = animation.effect, { delay: waits, duration } = animation.effect.getTiming(), delay = ms + waits;
    const frames = animation.effect.getKeyframes().map(({ transform, translate, opacity }) => ({ transform, translate, opacity }));
    const pair = target.closest('.dk-pair');
    const card = target.matches('.dk-mine') ? `hand ${target.dataset.card}` : pair ? `table ${target.matches('.dk-over') ? 'over ' : ''}${pair.dataset.card}`
      : target.matches('.dk-ghost') ? 'ghost' : target.className;
    const ways = frames.filter(({ transform }) => transform?.startsWith('translate')).map(({ transform }) => transform.match(/-?\\d[\\d.e-]*/g).map(Number));
    return { card, delay, duration, ways, frames, animation, width: target.offsetWidth };
  });
  document.getAnimations().forEach((animation) => animation.pause());
  const found = moves.map(({ animation, ...told }) => told);
  for (const { animation } of moves) animation.cancel();
  for (const flying of document.querySelectorAll('.dk-mine')) flying.style.transition = 'none';
  rest();
  return { before, after: boxes(), moves: found, ghosts: document.querySelectorAll('.dk-ghost').length };
}"""
PRESS = """([key, code, shiftKey]) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true, composed: true }))"""


class Blank:
    """A page in which nothing is but one table."""

    def __init__(self, page):
        self.page = page
        self.keyboard, self.mouse = page.keyboard, page.mouse

    def lay(self, scene, **look):
        """Lay a table that shows this scene, of the fourth game there, and give what is painted; no card has the focus and no pointer is over it."""
        self.page.emulate_media(reduced_motion="no-preference")
        self.mouse.move(1190, 790)
        self.page.evaluate("lay", {**LOOK, **look, "scene": {**scene, "game": 4}})
        return self.read()

    def show(self, scene, **changes):
        """Show another scene at the same table."""
        self.page.evaluate("(scene) => model.set('scene', scene)", {**scene, "game": 4, **changes})
        return self.read()

    def fly(self, scene, **changes):
        """Show another scene, and give what it sets on its way."""
        return self.page.evaluate(FLY, {**scene, "game": 4, **changes})

    def read(self):
        """What is painted."""
        return self.page.evaluate(READ)

    def take(self, what="sent"):
        """What was sent, said aloud, tapped or let through to the page since it was last asked."""
        return self.page.evaluate("(what) => window[what].splice(0)", what)

    def elapse(self, ms):
        """Let those timers go off that wait so long."""
        self.page.evaluate("elapse", ms)

    def one(self, selector):
        """An element of the table."""
        return self.page.locator(f".dk {selector}").first

    def card(self, card):
        """A card of the hand."""
        return self.one(f".dk-mine[data-card='{card}']")

    def pair(self, card):
        """The pair of an attacking card."""
        return self.one(f".dk-pair[data-card='{card}']")

    def click(self, selector):
        """Click where it is."""
        self.one(selector).click(force=True)

    def press(self, key, *, at="[tabindex='0']"):
        """Press a key with the focus on the hand."""
        self.one(f".dk-mine{at}").focus()
        self.keyboard.press(key)


@pytest.fixture(scope="module")
def page(tabs):
    """A page in which the bundle is loaded."""
    context = tabs.context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.set_content("<!doctype html><body></body>")
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'widget.js').read_bytes()).decode()}"
    page.evaluate(BEGIN, [url, (STATIC / "widget.css").read_text(encoding="utf-8")])
    yield page
    context.close()


@pytest.fixture
def blank(page):
    """The page; no error may happen in it."""
    page.evaluate("window.errors.length = 0")
    yield Blank(page)
    assert page.evaluate("errors") == []


def golden(name, **changes):
    """A scene that Python has written down."""
    return {**GOLDEN[name]["scene"], **changes}


def scene(game, me=0, number=1):
    """The scene of a game for the person on that seat; bots that never come to move have the others."""
    table = Table(game, seats={seat: "you" if seat == me else "first" for seat in range(len(game.hands))}, pace=60_000)
    found = {**table.scene, "id": number}
    table.close()
    return found


def course(rules, me, *moves, **placed):
    """The scenes of a position and of each move from there."""
    game = Game.from_position(rules, **placed)
    found = [scene(game, me)]
    for number, move in enumerate(moves, 2):
        game.play(move)
        found.append(scene(game, me, number))
    return found


def intent(kind, ply, **more):
    """What is sent to Python: an intent with the moment that was seen."""
    return {"kind": kind, **more, "ply": ply, "game": 4}


def counted(key, count):
    """A count with its noun in English."""
    return WORDS[f"{key}.{'one' if count == 1 else 'other'}"].format(count=count)


def named(card):
    """The name of a card as it lies."""
    return Card(card).name


def is_trump(card, scene):
    """Whether a card counts as a trump."""
    return scene["trump"] is not None and card[0] != "X" and card[-1] == scene["trump"]


# What is painted


@pytest.mark.parametrize("name", GOLDEN)
def test_the_other_seats_are_painted(blank, name):
    """Clockwise from the viewer's left: name, count, role in words and by its sign, partner, trumps shown, who is to act, who thinks."""
    scene = golden(name)
    painted = blank.lay(scene)
    count, me = len(scene["seats"]), scene["me"]
    expected = []
    for seat in [(me + step) % count for step in range(1, count)]:
        told = scene["seats"][seat]
        notes = ["partner"] * bool(told.get("mate")) + [f"showed {', '.join(map(named, told['shown']))}" for _ in [0] if told.get("shown")]
        acts = ["to act"] * (scene["actor"] == seat)
        role, bot = WORDS[f"role.{told['role']}"], told.get("bot")
        expected.append(
            {
                "name": ", ".join([f"Player {seat + 1}", counted("cards", told["cards"]), role, *notes, *acts]),
                "shown": f"Player {seat + 1}",
                "role": role,
                "count": str(told["cards"] or ""),
                "tag": " · ".join([*acts, *notes]),
                "backs": min(told["cards"], 5),
                "ring": bool(acts),
                "sign": SIGNS.get(told["role"]),
                "dots": bot == "thinks",
                "trouble": WORDS[f"bot.{bot}"].format(bot=told["who"]) if bot in {"failed", "late"} else None,
            }
        )
    assert painted["seats"] == expected
    assert painted["left"] == sorted(painted["left"])


@pytest.mark.parametrize("name", GOLDEN)
def test_the_middle_is_painted(blank, name):
    """The pairs in words with the corner of trumps and the suit played, the places that are left, the talon with its turn-up, the discard pile."""
    scene = golden(name)
    painted = blank.lay(scene)
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
    over = "over" in scene
    assert painted["places"] == (0 if over else max(0, min(scene["limit"], 6) - len(pairs)))
    assert painted["limit"] == ("" if over else f"{len(pairs)} of {scene['limit']}")
    assert (painted["region"], painted["group"], painted["hand"]) == ("Durak table", "Table", "Your hand")
    card, place = scene.get("turnup", (None, None))
    below = (1 + bool(scene.get("hidden"))) if place == "bottom" and scene["talon"] > 1 else int(place == "bottom")
    assert (painted["talon"], painted["count"]) == (counted("talon", scene["talon"]), str(scene["talon"] or ""))
    assert (painted["stack"] > 0) == (scene["talon"] > below)
    assert (painted["turnup"], painted["lies"]) == (f"{named(card)}, face up" if card else None, place)
    assert painted["under"] == bool(scene.get("hidden"))
    trump = f"Trump: {WORDS['suit.' + scene['trump']]}" if scene["trump"] else "No trumps"
    assert painted["trump"] == [trump, trump, scene["trump"]]
    assert (painted["discard"], painted["gone"] > 0) == (counted("discard", scene["discard"]), scene["discard"] > 0)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_hand_is_painted(blank, name):
    """The cards of legal moves are lit, all others say that they may not be played, trumps have their corner; one card can be tabbed to."""
    scene, legal = golden(name), [move.split() for move in GOLDEN[name]["legal"]]
    painted = blank.lay(scene)
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
    assert painted["covered"] == (scene["seats"][scene["me"]]["cards"] if scene.get("covered") else 0)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_call_and_its_buttons_are_painted(blank, name):
    """What there is to do in words, a button for each way to do it, and the bar as far as it goes; what is read aloud is the call."""
    scene = golden(name)
    legal, can, over, me = scene["legal"], scene["can"], scene.get("over"), scene["me"]
    painted = blank.lay(scene)
    if scene.get("covered"):
        call = spoken = f"Player {me + 1}, this is for your eyes alone. Are you there?"
        actions = [["here", f"I am player {me + 1}: show my cards"]]
    elif over:
        call, spoken = over["order"], over["said"][1]
        actions = [["next", "New match" if "match" in over else "Next game"], ["replay", "Replay"]]
    else:
        call, spoken = scene["call"]
        back = scene["ply"] < scene["last"]
        names = [name for name in ("take", "pass", "transfer", "show", "swap") if legal.get(name)] + ["hint"] * ("hint" in can)
        names += ["back"] * back + ["branch"] * (back and scene["actor"] != me)
        actions = [[name, WORDS[name]] for name in names]
    assert (painted["call"], painted["actions"]) == (call, actions)
    error = scene["note"]["said"] if scene.get("note", {}).get("kind") == "error" else None
    assert painted["status"] == (f"{error[1]} {spoken}" if error else spoken)
    assert painted["bubble"] == (error[0] if error else None)
    ply, last = scene["ply"], scene["last"]
    off = {"first": ply > 0, "previous": ply > 0, "next": ply < last, "last": ply < last, "play": last > 0, "undo": "undo" in can}
    bar = painted["bar"]
    assert sorted(bar.pop("off")) == sorted(name for name, on in {**off, "redo": "redo" in can}.items() if not on)
    where = f"Bout {scene['bout']} · move {ply} of {last}"
    assert bar == {"max": str(last), "value": str(ply), "says": f"Move {ply} of {last}", "where": where}
    assert painted["shown"] == [str(scene["id"]), str(ply)]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_end_is_painted(blank, name):
    """The verdict, an epaulette for each shoulder, the score of the match and who has lost it; before the end nothing of it."""
    over = golden(name).get("over")
    shown = blank.lay(golden(name))["over"]
    if not over:
        assert shown is False
        return
    epaulettes = any(row[4] for row in over["score"])
    heads = ["Player", "Won", "Drawn", "Lost", *["Epaulettes"] * epaulettes]
    assert shown == {
        "verdict": over["said"][0],
        "shoulders": counted("shoulders", over["epaulettes"]) if over["epaulettes"] else None,
        "marks": ["6"] * over["epaulettes"],
        "score": [heads, *[[str(cell) if cell != "" else "–" for cell in row[: len(heads)]] for row in over["score"]]],
        "last": over.get("match"),
    }


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
    ended = golden("over_in_a_draw", last=3)
    assert [name for name, _ in blank.lay(ended)["actions"]] == ["replay"]


def test_another_language_is_painted_at_once_and_not_read_again(blank):
    """All names change with the words; the game has not, so nothing is said."""
    blank.lay(golden("waiting"))
    blank.take("said")
    blank.page.evaluate("(words) => { model.set('language', 'ru'); model.set('words', words); }", screen("ru"))
    painted, words = blank.read(), screen("ru")
    assert (painted["lang"], painted["region"], painted["hand"], painted["group"]) == ("ru", words["region"], words["hand"], words["table"])
    assert painted["seats"][0]["name"].startswith(words["name"].format(number=2))
    assert words["role.attacks"] in painted["seats"][0]["name"]
    assert painted["talon"] == words["talon.many"].format(count=18)
    assert painted["trump"][0] == words["trump"].format(suit=words["suit.h"])
    assert painted["cards"][0]["name"] == words["card"].format(rank=words["rank.6"], of=words["of.c"])
    assert blank.take("said") == []


# What is said


def test_a_deed_is_read_aloud_with_the_call_after_it_once(blank):
    """The words of the move, in their order, then what is to be done; painted again they are not repeated."""
    before, attacked, taken = course(
        "podkidnoy, hand_size=2", 1, "attack 7c", "take", hands=["7c 8c", "9c Jd"], trump="s", talon="8d 8h 8s Ts", turn_up="Ts"
    )
    blank.lay(before)
    blank.take("said")
    for shown in (attacked, taken):
        blank.show(shown)
        said = blank.take("said")
        assert said == [" ".join([*shown["did"]["said"], shown["call"][1]])]
        assert len(shown["did"]["said"]) >= 1
        blank.page.evaluate("heard.get('change:scene')(); model.set('skin', 'linen'); model.set('skin', 'felt')")
        assert blank.take("said") == []
    blank.show(attacked, id=9)
    assert blank.take("said") == [attacked["call"][1]]  # gone back: nobody has done that now


def test_a_refusal_is_shown_beside_the_card_and_read_aloud_alone(blank):
    """The sentence, and not the call again; it goes with the next scene."""
    blank.lay(golden("stuck"))
    blank.take("said")
    refused = golden("refused")
    assert blank.show(refused)["bubble"] == refused["note"]["said"][0]
    assert blank.take("said") == [refused["note"]["said"][1]]
    bubble, card = blank.one(".dk-bubble").bounding_box(), blank.card("7c").bounding_box()
    assert bubble["y"] + bubble["height"] <= card["y"] + 1
    assert bubble["x"] <= card["x"] + card["width"] / 2 <= bubble["x"] + bubble["width"]
    assert blank.show(golden("stuck", id=3))["bubble"] is None
    assert blank.take("said") == []


@pytest.mark.parametrize("name", ["refused", "hinted"])
def test_a_note_is_old_on_a_table_that_is_just_being_laid(blank, name):
    """A second view of a table shows the game, not what somebody was told before."""
    painted = blank.lay(golden(name))
    assert (painted["bubble"], painted["status"]) == (None, golden(name)["call"][1])


def test_no_answer_and_no_kernel_are_said(blank):
    """After a while without an answer it is said, and the card comes down; where nothing can be sent, the buttons go."""
    blank.lay(golden("stuck"))
    blank.click("[data-action=take]")
    blank.elapse(PATIENCE)
    painted = blank.read()
    assert (painted["bubble"], painted["status"]) == (WORDS["unanswered"], WORDS["unanswered"])
    blank.page.evaluate("window.gone = true")
    blank.click("[data-action=take]")
    painted = blank.read()
    assert (painted["call"], painted["actions"], painted["status"]) == (WORDS["gone"], [], WORDS["gone"])
    blank.page.evaluate("window.gone = false; heard.get('comm_live_update')()")
    assert blank.read()["call"] == golden("stuck")["call"][0]
    assert blank.take()[-1] == intent("show", 0)


# Keys

SENT = [
    ("defending", "t", intent("move", 1, move="take")),
    ("throwing_in", "p", intent("move", 0, move="pass")),
    ("showing", "s", intent("move", 1, move="show 7h")),
    ("defending", "h", intent("hint", 1)),
    ("defending", "u", intent("undo", 1)),
    ("looking_back", "r", intent("redo", 0)),
    ("opening", "n", intent("new", 0)),
    ("taken", "[", intent("goto", 2, to=1)),
    ("looking_back", "]", intent("goto", 0, to=1)),
    ("taken", "{", intent("goto", 2, to=0)),
    ("looking_back", "}", intent("goto", 0, to=2)),
]
CODES = {"[": "BracketLeft", "]": "BracketRight", "{": "BracketLeft", "}": "BracketRight"}
RUSSIAN = dict(zip("tpshurnfwalcg[]{}", "езыргктаыфдспхъХЪ", strict=True)) | {"f": "а", "w": "ц", "a": "ф"}


@pytest.mark.parametrize(("name", "key", "sent"), SENT)
def test_a_key_is_sent_as_what_it_means(blank, name, key, sent):
    """One intent with the moment that was seen, in small letters and in large ones; the notebook hears nothing of it."""
    for pressed in dict.fromkeys([key, key.upper()]):
        blank.lay(golden(name))
        blank.press(pressed)
        assert blank.take() == [sent]
        assert blank.take("leaked") == []


@pytest.mark.parametrize(("name", "key", "sent"), SENT)
def test_a_key_means_the_same_on_a_russian_keyboard(blank, name, key, sent):
    """Where the key of a letter gives another letter, the key counts."""
    blank.lay(golden(name))
    blank.one(".dk-mine[tabindex='0']").focus()
    blank.page.evaluate(PRESS, [RUSSIAN[key], CODES.get(key, f"Key{key.upper()}"), key in "{}"])
    assert blank.take() == [sent]


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, key, _ in SENT])
def test_keys_with_control_belong_to_the_page(blank, name, key):
    """Ctrl+T, Alt+H and the like are nobody's move."""
    blank.lay(golden(name))
    for modifier in ("ctrlKey", "altKey", "metaKey"):
        blank.one(".dk-mine[tabindex='0']").focus()
        init = {"key": key, "bubbles": True, "cancelable": True, modifier: True}
        assert blank.page.evaluate("(init) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', init))", init)
    assert (blank.take(), blank.take("leaked")) == ([], [key] * 3)


@pytest.mark.parametrize(
    ("key", "said"), [("p", "not_now"), ("f", "not_now"), ("s", "not_now"), ("w", "not_now"), ("a", "not_now"), ("r", "no_redo")]
)
def test_a_key_for_what_cannot_be_done_is_answered(blank, key, said):
    """It is said, and nothing is sent."""
    blank.lay(golden("stuck"))
    blank.press(key)
    assert (blank.take(), blank.read()["status"]) == ([], WORDS[said])


def test_what_cannot_be_undone_hinted_or_remembered_is_said(blank):
    """Each in its own words."""
    blank.lay(golden("waiting"), memory=False)
    for key, said in (("u", "no_undo"), ("h", "no_hint"), ("c", "no_memory")):
        blank.press(key)
        assert (blank.take(), blank.read()["status"]) == ([], WORDS[said])


@pytest.mark.parametrize(
    ("key", "russian", "panel", "asks"),
    [("l", "д", "list", True), ("c", "с", "seen", True), ("g", "п", "settings", False), ("?", "?", "help", False)],
)
def test_a_key_opens_a_panel_and_escape_closes_it(blank, key, russian, panel, asks):
    """The list and the cards seen are asked for; the focus goes in and comes back to the card."""
    blank.lay(golden("defending"))
    blank.press(key)
    painted = blank.read()
    assert (painted["panel"], painted["focus"]) == (WORDS[panel], "close")
    assert blank.take() == ([intent(panel, 1)] if asks else [])
    blank.keyboard.press("Escape")
    painted = blank.read()
    assert (painted["panel"], painted["focus"]) == (None, "9c")
    code = "Digit7" if key == "?" else f"Key{key.upper()}"
    blank.page.evaluate(PRESS, [russian, code, key == "?"])
    assert blank.read()["panel"] == WORDS[panel]


def test_letters_in_a_select_of_the_settings_choose_there_and_nothing_else(blank):
    """T in the list of languages takes no cards, an arrow plays none."""
    blank.lay(golden("defending"))
    blank.press("g")
    blank.one("select[data-key=language]").focus()
    for key in ("t", "h", "u", "n", "[", "ArrowDown", "1"):
        blank.keyboard.press(key)
    painted = blank.read()
    assert (blank.take(), painted["panel"], painted["dialog"]) == ([], "Settings", None)
    blank.keyboard.press("Escape")
    assert blank.read()["panel"] is None


@pytest.mark.parametrize(
    ("keys", "focus"),
    [
        (["3"], "Qd"),
        (["ArrowRight"], "Tc"),
        (["ArrowLeft"], "6h"),
        (["End"], "6h"),
        (["End", "ArrowRight"], "9c"),
        (["End", "Home"], "9c"),
        (["ArrowUp"], "7c"),
        (["ArrowUp", "ArrowRight"], "7s"),
        (["ArrowUp", "ArrowLeft"], "7s"),
        (["ArrowUp", "ArrowDown"], "9c"),
        (["2", "ArrowUp", "ArrowDown"], "Tc"),
        (["ArrowDown"], "take"),
    ],
)
def test_arrows_and_digits_move_the_focus(blank, keys, focus):
    """From card to card and around, up to the table and back, down to the buttons."""
    blank.lay(golden("defending"))
    blank.card("9c").focus()
    for key in keys:
        blank.keyboard.press(key)
    assert (blank.read()["focus"], blank.take()) == (focus, [])


@pytest.mark.parametrize("key", ["Enter", " "])
def test_enter_plays_a_card_and_asks_for_its_target(blank, key):
    """One target: the move. Two: the focus goes to the first, and Enter there beats it; Escape takes it back."""
    blank.lay(golden("defending"))
    blank.press(key, at="[data-card='9c']")
    assert blank.take() == [intent("move", 1, move="beat 7c 9c")]
    blank.lay(golden("defending"))
    blank.press(key, at="[data-card='6h']")
    painted = blank.read()
    assert (painted["picked"], painted["targets"], painted["focus"], painted["call"]) == (["6h"], ["7c", "7s"], "7c", WORDS["pick.target"])
    assert blank.take() == []
    blank.keyboard.press("ArrowRight")
    blank.keyboard.press(key)
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]
    blank.lay(golden("defending"))
    blank.press(key, at="[data-card='6h']")
    blank.keyboard.press("Escape")
    painted = blank.read()
    assert (painted["picked"], painted["focus"], blank.take()) == ([], "6h", [])


def test_enter_on_the_table_aims_first(blank):
    """A card on the table chosen first: those that beat it are lit, and one of them beats it."""
    blank.lay(golden("defending"))
    blank.press("ArrowUp")
    blank.keyboard.press("ArrowRight")
    blank.keyboard.press("Enter")
    painted = blank.read()
    assert (painted["aimed"], painted["lit"]) == (["7s"], ["9s", "Ts", "6h"])
    assert painted["call"] == "Choose a card that beats 7 of spades."
    blank.card("6h").click(force=True)
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]


# What is meant, and asked


def test_a_card_that_may_not_be_played_asks_why(blank):
    """With the card on the table that was aimed at, and the way that was chosen."""
    blank.lay(golden("defending"))
    blank.card("Qd").click(force=True)
    assert blank.take() == [intent("why", 1, card="Qd")]
    blank.pair("7s").click(force=True)
    blank.card("9c").click(force=True)
    assert blank.take() == [intent("why", 1, card="9c", on="7s")]
    blank.lay(golden("transferring"))
    blank.press("f")
    blank.card("Jc").click(force=True)
    assert blank.take() == [{"kind": "why", "card": "Jc", "as": "transfer", "ply": 1, "game": 4}]


def test_several_cards_open_together(blank):
    """Those of one rank join, a second click puts one back, the last that may join plays them all."""
    blank.lay(golden("several"))
    blank.card("7c").click(force=True)
    painted = blank.read()
    assert (painted["picked"], painted["lit"], painted["call"]) == (["7c"], ["7c", "7s", "7h"], WORDS["pick.more"])
    assert [name for name, _ in painted["actions"]] == ["attack", "cancel"]
    blank.card("7s").click(force=True)
    assert blank.read()["picked"] == ["7c", "7s"]
    blank.card("7c").click(force=True)
    assert (blank.read()["picked"], blank.take()) == (["7s"], [])
    blank.card("7h").click(force=True)
    blank.press("a")
    assert blank.take() == [intent("move", 0, move="attack 7s 7h")]
    blank.lay(golden("several"))
    for card in ("7c", "7s", "7h"):
        blank.card(card).click(force=True)
    assert blank.take() == [intent("move", 0, move="attack 7c 7s 7h")]
    blank.lay(golden("several"))
    blank.card("Kc").click(force=True)
    assert blank.take() == [intent("move", 0, move="attack Kc")]


def test_a_swap_is_of_two_cards(blank):
    """Its key asks for them, one can be put back, the second sends both."""
    blank.lay(golden("swapping"))
    blank.press("w")
    painted = blank.read()
    assert (painted["pressed"], painted["call"], painted["lit"]) == (["swap"], WORDS["pick.swap"], golden("swapping")["hand"])
    for card in ("Jc", "Jc", "6s"):
        blank.card(card).click(force=True)
    assert (blank.read()["picked"], blank.take()) == (["6s"], [])
    blank.card("Qh").click(force=True)
    assert blank.take() == [intent("move", 0, move="swap 6s Qh")]
    blank.lay(golden("swapping"))
    blank.press("w")
    blank.press("Escape")
    assert (blank.read()["pressed"], blank.take()) == ([], [])


def test_a_way_with_several_cards_asks_which(blank):
    """Transfer with two cards: both are lit, and the one chosen transfers."""
    blank.lay(golden("transferring"))
    blank.press("f")
    painted = blank.read()
    assert (painted["pressed"], painted["lit"], painted["call"]) == (["transfer"], ["7d", "7h"], WORDS["pick.transfer"])
    blank.card("7h").click(force=True)
    assert blank.take() == [intent("move", 1, move="transfer 7h")]


def test_a_card_of_several_ways_asks_which_and_keeps_the_focus(blank):
    """The answers are the ways; Tab goes round among them, Escape is no and gives the focus back."""
    blank.lay(golden("showing"))
    blank.press("Enter", at="[data-card='7h']")
    painted = blank.read()
    assert painted["dialog"] == "How do you play 7 of hearts?"
    answers = ["Beat 7 of clubs", "Transfer", "Show trump"]
    assert painted["answers"] == answers
    visited = []
    for key in ("Tab", "Tab", "Tab", "Shift+Tab", "ArrowDown", "ArrowUp"):
        visited.append(blank.read()["focus"])
        blank.keyboard.press(key)
    assert [*visited, blank.read()["focus"]] == [answers[i] for i in (0, 1, 2, 0, 2, 0, 2)]
    blank.keyboard.press("t")
    assert blank.take() == []
    blank.keyboard.press("Escape")
    painted = blank.read()
    assert (painted["dialog"], painted["focus"], blank.take()) == (None, "7h", [])
    blank.keyboard.press("Enter")
    blank.keyboard.press("Tab")
    blank.keyboard.press("Enter")
    assert blank.take() == [intent("move", 1, move="transfer 7h")]


def test_a_six_of_any_suit_asks_for_its_suit(blank):
    """The answers are the suits, its own among them."""
    blank.lay(golden("bells"))
    blank.card("6d").click(force=True)
    painted = blank.read()
    assert painted["dialog"] == "In which suit do you play 6 of diamonds?"
    assert painted["answers"] == ["clubs", "diamonds", "hearts", "spades"]
    blank.click(".dk-ask button:nth-of-type(3)")
    assert blank.take() == [intent("move", 0, move="attack 6d=h")]


def test_dealing_anew_is_asked_before_a_game_is_lost(blank):
    """No in the middle of a game leaves it; yes deals; after the end the next game needs no question."""
    for keys, sent in ((["Escape"], []), (["Tab", "Enter"], []), (["Enter"], [intent("new", 1)])):
        blank.lay(golden("defending"))
        blank.press("n")
        assert (blank.read()["dialog"], blank.take()) == (WORDS["new.ask"], [])
        for key in keys:
            blank.keyboard.press(key)
        assert (blank.read()["dialog"], blank.take()) == (None, sent)
    blank.lay(golden("over_as_the_fool"))
    blank.press("n")
    blank.click("[data-action=next]")
    assert blank.take() == [intent("next", 102)] * 2


def test_later_moves_are_dropped_only_when_that_is_said(blank):
    """Another move than the one undone asks first and then says so; the same one is only a redo."""
    blank.lay(golden("looking_back"))
    blank.card("Jc").click(force=True)
    assert blank.take() == [intent("move", 0, move="attack Jc")]
    for keys, sent in ((["Escape"], []), (["Enter"], [intent("move", 0, move="attack 9d", branch=True)])):
        blank.lay(golden("looking_back"))
        blank.card("9d").click(force=True)
        assert (blank.read()["dialog"], blank.take()) == (WORDS["branch.ask.other"].format(count=2), [])
        for key in keys:
            blank.keyboard.press(key)
        assert blank.take() == sent
    blank.click("[data-action=back]")
    assert blank.take() == [intent("goto", 0, to=2)]


def test_who_sits_there_says_so(blank):
    """The covered hand is shown when its person asks for it; a bot that failed can be replaced."""
    blank.lay(golden("covered"))
    blank.click("[data-action=here]")
    assert blank.take() == [intent("here", 1)]
    blank.lay(golden("failed"))
    blank.click(".dk-trouble")
    assert blank.read()["answers"] == [WORDS["person"], "The bot careful", "The bot first"]
    blank.click(".dk-ask button:nth-of-type(2)")
    assert blank.take() == [intent("seat", 1, seat=1, who="careful")]


# Dragging


def hold(blank, card, over):
    """Take a card and carry it over something."""
    start, end = blank.card(card).bounding_box(), over.bounding_box()
    blank.mouse.move(start["x"] + 20, start["y"] + 40)
    blank.mouse.down()
    blank.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)


def test_a_card_is_dragged_to_what_it_shall_beat(blank):
    """While it is held its targets are lit; dropped on one of them it beats it, dropped elsewhere it asks or comes back."""
    blank.lay(golden("defending"))
    hold(blank, "6h", blank.pair("7s"))
    painted = blank.read()
    assert (painted["ghosts"], painted["targets"], painted["over_marks"]) == (1, ["7c", "7s"], ["7s"])
    blank.mouse.up()
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]
    painted = blank.read()
    assert (painted["ghosts"], painted["over_marks"], painted["dialog"]) == (0, [], None)
    blank.lay(golden("defending"))
    hold(blank, "9c", blank.one(".dk-bar"))
    blank.mouse.up()
    assert (blank.take(), blank.read()["picked"]) == ([], [])


def test_a_drag_that_the_browser_ends_plays_nothing(blank):
    """A finger that became a scroll, over a card that it would beat."""
    blank.lay(golden("defending"))
    hold(blank, "9c", blank.pair("7c"))
    assert blank.read()["ghosts"] == 1
    blank.page.evaluate(
        "document.querySelector('.dk').dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, isPrimary: true, bubbles: true }))"
    )
    blank.mouse.up()
    painted = blank.read()
    assert (blank.take(), painted["ghosts"], painted["picked"], painted["over_marks"]) == ([], 0, [], [])


# The bar


def test_the_slider_goes_to_a_move(blank):
    """Each step is sent, and the slider stands where the scene then is."""
    blank.lay(golden("taken"))
    blank.one(".dk-slider").focus()
    blank.keyboard.press("ArrowLeft")
    assert [*dict.fromkeys(map(str, blank.take()))] == [str(intent("goto", 2, to=1))]
    assert blank.show(golden("taken"), id=2, ply=1)["bar"]["value"] == "1"
    blank.keyboard.press("t")
    blank.keyboard.press("Home")
    assert [*dict.fromkeys(map(str, blank.take()))] == [str(intent("goto", 1, to=0))]
    assert blank.show(golden("taken"), id=3, ply=2)["bar"]["value"] == "2"  # Python went elsewhere


def test_the_game_is_shown_move_by_move(blank):
    """From its end it begins at 0, goes on one move after each rest, and stops at the last."""
    end = golden("over_with_epaulettes")
    blank.lay(end)
    blank.click("[data-bar=play]")
    assert blank.one("[data-bar=play]").get_attribute("aria-label") == WORDS["pause"]
    assert blank.take() == [intent("goto", 3, to=0)]
    for ply in range(3):
        blank.show(end, id=ply + 2, ply=ply)
        assert blank.take() == []
        blank.elapse(REST)
        assert blank.take() == [intent("goto", ply, to=ply + 1)]
    blank.show(end, id=9)
    blank.elapse(REST)
    assert (blank.take(), blank.one("[data-bar=play]").get_attribute("aria-label")) == ([], WORDS["play"])
    blank.elapse(REST)
    assert blank.take() == []


@pytest.mark.parametrize("how", ["again", "slider", "step", "closed"])
def test_what_shows_itself_is_stopped(blank, how):
    """By its button, by going elsewhere, and with the table."""
    blank.lay(golden("taken", ply=1))
    blank.click("[data-bar=play]")
    if how == "again":
        blank.click("[data-bar=play]")
    elif how == "slider":
        blank.one(".dk-slider").fill("0")
    elif how == "step":
        blank.click("[data-bar=previous]")
    else:
        blank.page.evaluate("close_table()")
    blank.take()
    blank.elapse(REST)
    assert blank.take() == []


def test_a_table_that_is_closed_leaves_nothing(blank):
    """It is off the page and listens to nothing any more."""
    blank.lay(golden("defending"))
    assert blank.page.evaluate("heard.size") > 5
    blank.page.evaluate("close_table()")
    assert blank.page.evaluate("[heard.size, document.querySelectorAll('.dk').length]") == [0, 0]


# Aids and taps


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
    assert blank.show(golden("defending"), id=2, ply=2, last=2, legal={}, actor=0)["aids"] == []
    blank.lay(golden("defending"), aids=False)
    blank.pair("7s").hover(force=True)
    assert blank.read()["aids"] == []


def test_marks_of_a_card_that_was_sent_go_with_the_answer(blank):
    """It rises at once, and comes down when the move is refused."""
    blank.lay(golden("opening"))
    blank.card("Jc").click(force=True)
    assert blank.read()["sent_marks"] == ["Jc"]
    refusal = {"kind": "refused", "said": ["No.", "No."]}
    assert blank.show(golden("opening"), id=2, note=refusal)["sent_marks"] == []


def test_a_tap_is_heard_only_by_those_who_ask(blank):
    """One for each move, mine higher than another's; none for a table just laid, nor when the sound is off."""
    start, attacked, beaten = course(
        "podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c 8c", "9c Jd"], trump="s", talon="8d Ts", turn_up="Ts"
    )
    for sound, pitches in ((False, []), (True, [520, 390])):
        blank.lay(start, sound=sound)
        assert blank.take("taps") == []
        blank.show(attacked)
        blank.show(beaten)
        assert blank.take("taps") == pitches


# Motion


def middle(box):
    """Where the middle of a box is, across."""
    return box["left"] + box["width"] / 2


def point(flown, move, stop):
    """Where the middle of a flying card's upper edge is at one of its stops, on the page."""
    x, y, scale = move["ways"][stop]
    home = flown["after"]["air" if move["card"] == "ghost" else move["card"]]
    return home["left"] + x + scale * move["width"] / 2, home["top"] + y


def nearest(places, across, down):
    """The name of the place whose upper edge has its middle nearest to a point: which one is meant, wherever fonts have put them."""
    return min(places, key=lambda name: math.hypot(middle(places[name]) - across, places[name]["top"] - down))


DRAWING = {"hands": ["7c 8c 9h", "6c Jd Qd", "9d Th As"], "trump": "s", "talon": "8d 8h 8s Tc Kc Ts", "turn_up": "Ts"}


def test_my_card_flies_from_my_hand_to_the_table(blank):
    """Its way begins where it was in the hand, in that size, and ends where it lies."""
    start, attacked = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", **DRAWING)
    blank.lay(start, motion=True)
    flown = blank.fly(attacked)
    [move] = [move for move in flown["moves"] if move["card"] == "table 7c"]
    was, lies = flown["before"]["hand 7c"], flown["after"]["table 7c"]
    (x, y, scale), end = move["ways"][0], move["ways"][-1]
    assert (x, y) == pytest.approx((was["left"] - lies["left"], was["top"] - lies["top"]), abs=1)
    assert abs(y) > 50
    assert scale == pytest.approx(was["width"] / lies["width"], abs=0.02)
    assert end == [0, 0, 1]
    assert 180 <= move["duration"] <= 260


def test_the_card_of_another_flies_from_its_seat(blank):
    """It begins at the plate of who played it."""
    _, attacked, beaten = course(
        "podkidnoy, players=3, hand_size=3", 0, "attack 7c", "beat 7c Jd", hands=["7c Jc 9h", "6c Jd Qd", "9d Th As"], trump="d"
    )
    blank.lay(attacked, motion=True)
    flown = blank.fly(beaten)
    [move] = [move for move in flown["moves"] if move["card"] == "table over 7c"]
    seat = flown["after"]["seat 1"]
    assert point(flown, move, 0) == pytest.approx((middle(seat), seat["top"]), abs=1.5)


def test_cards_that_are_taken_fly_to_who_takes_them(blank):
    """From where they lay to the plate of the taker."""
    _, attacked, taken = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **DRAWING)
    blank.lay(attacked, motion=True)
    flown = blank.fly(taken)
    begins = {place: flown["before"][place] for place in ("table 7c", "talon")}
    lay, seat = begins["table 7c"], flown["after"]["seat 1"]
    [move] = [
        one for one in flown["moves"] if one["card"] == "ghost" and one["ways"] and nearest(begins, *point(flown, one, 0)) == "table 7c"
    ]
    assert point(flown, move, 0) == pytest.approx((middle(lay), lay["top"]), abs=1.5)
    assert point(flown, move, -1) == pytest.approx((middle(seat), seat["top"]), abs=1.5)


def test_cards_that_are_beaten_turn_over_onto_the_discard_pile(blank):
    """Both of the pair; the one that beats still comes to the table first, from who played it."""
    _, attacked, beaten = course(
        "podkidnoy, hand_size=2", 0, "attack 7c", "beat 7c 9c", hands=["7c 8h", "9c Jd"], trump="s", talon="8d Kh 8s Ts", turn_up="Ts"
    )
    assert beaten["end"]["taker"] is None
    blank.lay(attacked, motion=True)
    flown = blank.fly(beaten)
    ends = {place: flown["after"][place] for place in ("discard", "seat 1")}
    flights = [move for move in flown["moves"] if move["card"] == "ghost" and move["ways"]]
    gone = [move for move in flights if nearest(ends, *point(flown, move, -1)) == "discard"]
    assert sorted(len(move["ways"]) for move in gone) == [2, 3]
    assert all(point(flown, move, -1) == pytest.approx((middle(ends["discard"]), ends["discard"]["top"]), abs=1.5) for move in gone)
    assert sum(move["card"] == "dk-leaf" for move in flown["moves"]) == 2
    [long] = [move for move in gone if len(move["ways"]) == 3]
    assert point(flown, long, 0)[1] == pytest.approx(ends["seat 1"]["top"], abs=1.5)


def test_cards_that_i_take_come_into_my_hand(blank):
    """From the table to their place in the hand; none flies elsewhere."""
    _, attacked, taken = course("podkidnoy, hand_size=2", 1, "attack 7c", "take", hands=["7c 8h", "9c Jd"], trump="s")
    blank.lay(attacked, motion=True)
    flown = blank.fly(taken)
    [move] = [move for move in flown["moves"] if move["card"] == "hand 7c"]
    lay, held = flown["before"]["table 7c"], flown["after"]["hand 7c"]
    assert move["ways"][0][:2] == pytest.approx([lay["left"] - held["left"], lay["top"] - held["top"]], abs=6)
    assert move["ways"][0][1] < -50
    assert flown["ghosts"] == 0


@pytest.mark.parametrize("me", [0, 1, 2])
def test_cards_are_drawn_in_the_order_of_the_rules(blank, me):
    """Each from the talon to who draws it, one after the other."""
    placed = {"hands": ["7c 7d", "6c 9c", "Td Jh"], "trump": "s", "talon": "8d 8h 8s Tc Kc Qh Kd Ts", "turn_up": "Ts", "table": "7h/9h"}
    moves = ["throw 7c", "beat 7c 9c", "throw 7d", "take"]
    *_, before, after = course("podkidnoy, players=3, hand_size=3", me, *moves, **placed)
    blank.lay(before, motion=True)
    flown = blank.fly(after)
    begins = {**{place: box for place, box in flown["before"].items() if place.startswith("table")}, "talon": flown["after"]["talon"]}
    ends = {seat: flown["after"][f"seat {seat}"] for seat in range(3) if seat != me}
    drawn = [
        (move["delay"], me if move["card"].startswith("hand") else nearest(ends, *point(flown, move, -1)))
        for move in flown["moves"]
        if move["ways"] and nearest(begins, *point(flown, move, 0)) == "talon"
    ]
    assert [seat for _, seat in sorted(drawn)] == [seat for seat, count in after["end"]["drew"] for _ in range(min(count, 3))]
    assert len({delay for delay, _ in drawn}) == len(drawn) > 1


def test_a_card_that_may_not_be_played_nods(blank):
    """Shortly and not far, on the card that was tried."""
    blank.lay(golden("stuck"), motion=True)
    [move] = blank.fly(golden("refused"))["moves"]
    far = [abs(float(re.match(r"-?[\d.]+", frame["translate"])[0])) for frame in move["frames"]]
    assert (move["card"], move["duration"]) == ("hand 7c", 120)
    assert 0 < max(far) <= 8


@pytest.mark.parametrize("how", ["motion off", "reduced motion"])
def test_nothing_moves_for_those_who_do_not_want_it(blank, how):
    """No flight, no nod, nothing in the air."""
    start, attacked, taken = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **DRAWING)
    for scenes in ([start, attacked, taken], [golden("stuck"), golden("refused")]):
        blank.lay(scenes[0], motion=how != "motion off")
        blank.page.emulate_media(reduced_motion="reduce" if how == "reduced motion" else "no-preference")
        for shown in scenes[1:]:
            flown = blank.fly(shown)
            assert (flown["moves"], flown["ghosts"]) == ([], 0)


def test_a_new_deal_is_dealt_from_the_talon(blank):
    """Every card of my hand comes from there, one after the other."""
    blank.lay(course("podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c", "9c"], trump="h")[-1], motion=True)
    dealt = scene(Game("podkidnoy", seed=7), 0, 9)
    flown = blank.fly(dealt, game=5)
    mine = {move["card"].removeprefix("hand "): move for move in flown["moves"] if move["card"].startswith("hand") and move["ways"]}
    assert sorted(mine, key=lambda card: mine[card]["delay"]) == dealt["hand"]
    assert len({move["delay"] for move in mine.values()}) == 6
    talon = flown["after"]["talon"]
    for move in mine.values():
        across, down = point(flown, move, 0)
        assert across == pytest.approx(middle(talon), abs=1.5)
        assert down == pytest.approx(talon["top"], abs=20)  # the hand rises a little


# Several people, and what lies over what

WRITTEN = """() => {
  const copy = document.querySelector('.dk').cloneNode(true);
  copy.querySelectorAll('svg').forEach((drawing) => drawing.remove());
  return copy.outerHTML;
}"""


def test_nothing_of_a_hand_is_left_on_the_page_for_the_next_person(blank):
    """Two people play at one screen, with hints, refusals and panels open: when the other is called, no card of the hand before is named anywhere."""
    table = Table("perevodnoy", seats={0: "you", 1: "you"}, seed=11, pace=0, memory=True)
    told, rng, calls = [], Random(3), 0
    table._session.send = told.append

    def say(kind, **more):
        table._handle_custom_msg({"kind": kind, "ply": table.scene["ply"], "game": table.scene["game"], **more}, [])
        blank.show(table.scene)

    def panel(key, kind):
        blank.press(key, at="")
        say(kind)
        blank.page.evaluate("(message) => heard.get('msg:custom')(message)", told.pop())

    def hidden(*seats):
        """The cards of these hands that have never lain open."""
        public = known(table.game, None)[table.game.ply]
        return {str(card) for seat in seats for card in table.game.hands[seat]} - public

    blank.lay(table.scene, memory=True)
    for _ in range(60):
        me = table.scene["me"]
        if table.scene.get("covered"):
            calls += 1
            assert cards_in(blank.page.evaluate(WRITTEN)) & hidden(0, 1) == set()
            say("here")
            assert cards_in(blank.page.evaluate(WRITTEN)) & hidden(1 - me) == set()
            blank.press("c", at="")
            assert cards_in(blank.page.evaluate(WRITTEN)) & hidden(1 - me) == set()
            blank.keyboard.press("Escape")
        else:
            say("hint")
            say("why", card=table.scene["hand"][0])
            panel("l", "list")
            blank.keyboard.press("Escape")
            panel("c", "seen")
            assert cards_in(blank.page.evaluate(WRITTEN)) >= hidden(me)  # the test does read what is there
            say("move", move=str(rng.choice(table.game.legal_moves())))
    table.close()
    assert calls > 15


COVERED = """() => {
  const table = document.querySelector('.dk');
  const found = [...table.querySelectorAll(':is(.dk-felt, .dk-bar) :is(button, input, [role=button])')].filter((one) => one.checkVisibility());
  const under = found.filter((one) => {
    one.scrollIntoView({ block: 'nearest' });
    const { left, top, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.dk-panel');
  });
  return [found.length, under.map((one) => one.getAttribute('aria-label') ?? one.textContent), document.scrollingElement.scrollWidth <= innerWidth];
}"""


@pytest.mark.parametrize("width", [1280, 1000, 899, 700, 360])
@pytest.mark.parametrize("key", ["l", "c", "g", "?"])
def test_nothing_that_can_be_pressed_lies_under_an_open_panel(blank, width, key):
    """No card, no button beside the call, nothing of the bar; and nothing is wider than the page."""
    blank.page.set_viewport_size({"width": width, "height": 800})
    blank.lay(golden("hinted"))
    blank.page.evaluate("(width) => { document.querySelector('.dk').parentElement.style.width = `${width}px`; }", width - 20)
    blank.press(key)
    assert blank.read()["panel"]
    blank.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    count, under, fits = blank.page.evaluate(COVERED)
    blank.keyboard.press("Escape")
    blank.page.set_viewport_size({"width": 1200, "height": 800})
    assert count > 12
    assert (under, fits) == ([], True)


def test_a_panel_is_closed_when_another_person_is_called(blank):
    """What was told to one person does not stay open for the next; the focus goes to the button that says they are there."""
    blank.lay(golden("opening"))
    blank.press("g")
    assert blank.read()["panel"] == "Settings"
    painted = blank.show(golden("covered", id=99))
    assert (painted["panel"], painted["focus"]) == (None, "here")


def test_the_key_for_the_next_move_does_not_deal_the_next_game(blank):
    """At the end of a game there is no next move."""
    blank.lay(golden("over_in_a_draw", ply=2, last=2))
    blank.one("[data-action=next]").focus()
    blank.keyboard.press("]")
    assert blank.take() == []


def test_an_exercise_of_a_kind_that_the_page_does_not_know_says_so(blank):
    """Its question stands there with a plain sentence; nothing breaks, and it is shown once it is of another kind."""
    sheet = {
        **Pick.beaters("Tc", of="9c Jc", trump="h").sheet(),
        "kind": "guess",
        "question": "What is in the talon?",
    }
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'lesson.js').read_bytes()).decode()}"
    show = """async ([url, sheet, words]) => {
      const { default: widget } = await import(url), heard = {}, values = { sheet, words };
      const el = document.createElement('div');
      document.body.append(el);
      const end = widget.render({ model: { get: (name) => values[name], on: (event, run) => { heard[event] = run; }, off() {}, send() {} }, el });
      const seen = () => [...el.querySelectorAll('p, button')].filter((one) => one.checkVisibility()).map((one) => one.textContent).filter(Boolean);
      const before = seen();
      values.sheet = { ...sheet, kind: 'pick' };
      heard['change:sheet']();
      const after = el.querySelectorAll('[data-item]').length;
      end(); el.remove();
      return [before, after];
    }"""
    seen, cards = blank.page.evaluate(show, [url, sheet, WORDS])
    assert seen == ["What is in the talon?", WORDS["unknown_kind"].format(kind="guess")]
    assert cards == 2
