"""Test that every name, role, button and prompt fits, in every language and width, for two to six players."""

from __future__ import annotations

import random

import pytest
from fonts import NARROWEST, WIDEST
from rendered_table import scene

from durak_widget import Card, Game, Rules
from durak_widget.i18n import Translator, get_front_end_texts

WIDTHS = (204, 260, 284, 320, 360, 390, 484, 560, 640, 720, 820, 900, 1000, 1200)
ROLES = ("attacks", "throws", "defends", "takes", "waits", "passed", "out", "fool", "draw", "won", "lost")

# At each width and for each scene, return what is cut, outside the table or covered, and where the hand begins.
WHOLE = """async ([scenes, widths]) => {
  const table = document.querySelector('.dk'), wrong = [], tops = {};
  const texts = '.dk-rules-button, .dk-match-score, .dk-name, .dk-role span, .dk-plate .dk-count, .dk-tag, .dk-teammate + span, .dk-prompt, .dk-actions button, .dk-navigation button:not([hidden], [hidden] *), .dk-replay:not([hidden]) .dk-replay-position, .dk-trump span, .dk-attack-limit, .dk-deck .dk-count, .dk-last-action, .dk-epaulettes i, .dk-result-card :is(p, th, td)';
  for (const width of widths) {
    table.parentElement.style.width = `${width}px`;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const root = table.getBoundingClientRect();
    scenes.forEach((scene, number) => {
      model.set('scene', { ...scene, id: 1000 * width + number });
      for (const element of table.querySelectorAll(texts)) {
        if (!element.checkVisibility() || !element.getClientRects().length) continue;
        const range = document.createRange();
        range.selectNodeContents(element);
        const box = element.textContent.trim() ? range.getBoundingClientRect() : element.getBoundingClientRect();
        const say = (what) => wrong.push(`${width} px, scene ${number}: ${element.className} "${element.textContent || element.getAttribute('aria-label')}" ${what}`);
        if (!box.width) continue;
        if (box.left < root.left - 0.5 || box.right > root.right + 0.5) say('is beside the table');
        for (let at = element; at !== table; at = at.parentElement) {
          if (getComputedStyle(at).overflowX === 'visible') continue;
          const frame = at.getBoundingClientRect();
          if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 1.5 || box.bottom > frame.bottom + 1.5) say('is cut');
        }
        for (const x of [box.left + 1, (box.left + box.right) / 2, box.right - 1]) {
          const top = document.elementFromPoint(x, (box.top + box.bottom) / 2);
          if (top && !element.contains(top) && !top.contains(element)) say(`is under ${top.getAttribute('class')}`);
        }
      }
      if (table.scrollWidth > Math.ceil(root.width)) wrong.push(`${width} px, scene ${number}: the table is wider than its place`);
      if (scene.result) return; // then the card with the score may need more room
      const top = Math.round(document.querySelector('.dk-hand').getBoundingClientRect().top - root.top);
      (tops[width] ??= {})[top] ??= scene.call_to_action[0];
    });
  }
  return { wrong, tops: Object.entries(tops).filter(([, found]) => Object.keys(found).length > 1) };
}"""


def make_moments(players, language):
    """Return scenes with each role, a thinking bot, a partner and many cards."""
    game, rng, found = Game(Rules(players=players), seed=7), random.Random(players), []
    while game.actor is not None and len(found) < 12:
        found.append(scene(game, language=language))
        for _ in range(5):
            if game.actor is not None:
                game.play(rng.choice(game.legal_moves()))
    for role in ROLES:
        seats = [{**seat, "role": role} for seat in found[2]["seats"]]
        seats[1] |= {"bot_state": "thinks", "is_partner": True}
        seats[-1]["cards"] = 23
        found.append({**found[2], "seats": seats, "actor": 1})
    for verb in ("attack", "show", "swap"):
        action = last_action(language, verb)
        found.append({**found[2], "seats": [{**seat, "last_action": action} for seat in found[2]["seats"]], "actor": 0})
    while game.actor is not None:
        game.play(rng.choice([move for move in game.legal_moves() if move.verb != "take"] or game.legal_moves()))
    over = scene(game, language=language)
    seats = [{**seat, "epaulettes": ["6c", "6d"] if seat["role"] == "fool" else []} for seat in over["seats"]]
    return [*found, over, {**over, "seats": seats, "result": {**over["result"], "match_result": over["result"]["order"]}}]


def last_action(language, verb):
    """Return the longest text of a last action."""
    cards = (Card("Td"), Card("Th"))
    return Translator(language, cards="signs").translate(f"did.{verb}", cards=cards, target=cards[0], card=cards[0])


FORMS = [(language, players) for language in ("en", "ru", "lt") for players in (2, 3, 6)]
SEEN = {WIDEST: {("lt", 6)}, NARROWEST: set()}
"""The widths for `make test-all` in each font. `make test-release` tests the others."""


@pytest.mark.parametrize(
    ("language", "players", "font"),
    [
        pytest.param(*form, font, marks=[pytest.mark.slow if form in seen else pytest.mark.release])
        for font, seen in SEEN.items()
        for form in FORMS
    ],
    indirect=["font"],
)
def test_no_text_is_cut_or_covered(table_page, language, players):
    """From 204 to 1,200 pixels. The hand stays in place between moves."""
    scenes = make_moments(players, language)
    table_page.mount(scenes[0], words=get_front_end_texts(language), language=language)
    found = table_page.page.evaluate(WHOLE, [[{**moment, "game": 4} for moment in scenes], WIDTHS])
    assert found["wrong"] == []
    assert found["tops"] == []
