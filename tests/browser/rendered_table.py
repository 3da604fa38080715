"""Render a table in an empty page with a model that records messages, and make scenes for it."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

from durak_widget import Game, Table
from durak_widget.i18n import get_front_end_texts
from support.moments import english_moment

PACKAGE = Path(__file__).resolve().parents[2] / "durak_widget"
STATIC = PACKAGE / "static"
AXE = PACKAGE / "frontend/node_modules/axe-core/axe.min.js"
"""Return the axe violations."""
WORDS = get_front_end_texts("en")
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
    "chances": False,
    "early": True,
    "pace": 900,
}
REST, PATIENCE = 900, 5000  # ms: between two moves of a replay, and until an answer is missed

# Stop the clock of the page: timers fire when a test says so. Sounds are recorded, not played.
BEGIN = """async ([url, css, bundles]) => {
  const style = document.createElement('style'); style.textContent = css; document.head.append(style);
  const { default: widget } = await import(url);
  const timers = new Map(); let count = 0;
  window.later = window.setTimeout;
  window.setTimeout = (what, ms) => { timers.set(++count, [what, ms]); return count; };
  window.clearTimeout = (which) => { timers.delete(which); };
  window.elapse = (ms) => { for (const [which, [what, after]] of [...timers]) if (after === ms) { timers.delete(which); what(); } };
  window.errors = []; window.taps = []; window.requested = window.arrived = 0;
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
      send: (message) => {
        if (window.gone) throw new Error('the kernel is gone');
        const code = bundles[message.kind];
        if (!code) return window.sent.push(message);
        window.requested++;
        heard.get('msg:custom')({ kind: message.kind, code: `${code};window.arrived++` });
      },
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
READ = """async () => {
  do await new Promise(requestAnimationFrame); // until every requested bundle and the content of a panel have arrived
  while (window.arrived < window.requested || document.querySelector('.dk-panel[aria-busy]'));
  const table = document.querySelector('.dk');
  const all = (selector, what, from = table) => [...from.querySelectorAll(selector)].map(what);
  const one = (selector, from = table) => from.querySelector(selector);
  const name = (element) => element?.getAttribute('aria-label') ?? null;
  const text = (selector, from = table) => one(selector, from)?.textContent ?? null;
  const seen = (element) => element.checkVisibility();
  const corner = (card) => getComputedStyle(card, '::after').content !== 'none';
  const turned = one('.dk-turnup .dk-card:not(.dk-card-beneath)')?.getBoundingClientRect();
  const pile = one('.dk-deck .dk-pile').getBoundingClientRect();
  const over = one('.dk-result-card');
  return {
    region: name(table), lang: table.lang, shown: [table.dataset.scene, table.dataset.ply],
    seats: all('.dk-seat', (seat) => ({
      name: name(one('.dk-plate', seat)), shown: text('.dk-name', seat), role: text('.dk-role', seat), count: text('.dk-plate .dk-count', seat), tag: text('.dk-tag', seat), note: text('.dk-note', seat), did: text('.dk-last-action', seat), wears: all('.dk-epaulettes i', (i) => i.textContent, seat),
      backs: seat.querySelectorAll('.dk-fan .dk-back').length, ring: getComputedStyle(one('.dk-plate', seat)).boxShadow.includes('0px 3px') && 'toAct' in seat.dataset,
      sign: one('.dk-role-sign path', seat)?.getAttribute('d') ?? null, dots: seen(one('.dk-thinking', seat)), trouble: text('.dk-bot-error', seat),
    })),
    left: all('.dk-seat', (seat) => seat.getBoundingClientRect().left),
    pairs: all('.dk-pair', (pair) => ({
      name: name(pair), role: pair.getAttribute('role'), corners: all(':scope > .dk-card', corner, pair),
      suits: all(':scope > .dk-card', (card) => one('.dk-declared-suit', card)?.getAttribute('class').match(/dk-ink-(.)/)[1] ?? null, pair),
    })),
    places: all('.dk-place', seen).length, limit: text('.dk-attack-limit'), group: name(one('.dk-table')), hand: name(one('.dk-hand')),
    cards: all('.dk-hand-card', (card) => ({ card: card.dataset.card, name: name(card), lit: 'lit' in card.dataset, disabled: card.getAttribute('aria-disabled'), corner: corner(card), tab: card.tabIndex })),
    covered: all('.dk-hand > .dk-back', seen).length,
    talon: name(one('.dk-talon .dk-pile')), count: text('.dk-deck .dk-count'), stack: one('.dk-talon .dk-pile').childElementCount,
    turnup: name(one('.dk-turnup')), under: all('.dk-card-beneath', seen).length,
    lies: !turned ? null : turned.width > turned.height ? 'bottom' : turned.left < pile.left + 20 ? 'top' : 'aside',
    trump: [name(one('.dk-trump')), text('.dk-trump span'), one('.dk-trump .dk-suit')?.getAttribute('class').match(/dk-ink-(.)/)[1] ?? null],
    discard: name(one('.dk-discard .dk-pile')), gone: one('.dk-discard .dk-pile').childElementCount,
    call: text('.dk-prompt'), actions: all('.dk-actions button', (button) => [button.dataset.action, button.textContent]),
    over: seen(over) && {
      verdict: text('.dk-verdict', over), lines: all('p:not(.dk-verdict, .dk-epaulettes)', (line) => line.textContent, over), shoulders: name(one('.dk-epaulettes', over)),
      score: all('tr', (row) => all('th,td', (cell) => cell.querySelector('span')?.textContent ?? cell.textContent, row), over),
    },
    bar: { max: one('.dk-replay-slider').max, value: one('.dk-replay-slider').value, says: one('.dk-replay-slider').getAttribute('aria-valuetext'), where: text('.dk-replay-position'),
      on: all('[data-bar]:not([aria-disabled=true])', (button) => button).filter((button) => button.checkVisibility({ visibilityProperty: true })).map((button) => button.dataset.bar) },
    status: one('[role=status]').lastElementChild?.textContent ?? '', bubble: seen(one('.dk-bubble')) ? text('.dk-bubble') : null,
    picked: all('.dk-hand-card[data-picked]', (card) => card.dataset.card), lit: all('.dk-hand-card[data-lit]', (card) => card.dataset.card),
    pressed: all('.dk-actions [aria-pressed=true]', (button) => button.dataset.action), targets: all('.dk-pair[data-target]', (pair) => pair.dataset.card),
    aimed: all('.dk-pair[data-current-target]', (pair) => pair.dataset.card), aids: all('[data-match]', (card) => card.dataset.card),
    sent_marks: all('.dk-pending', (card) => card.dataset.card), over_marks: all('[data-over]', (card) => card.dataset.card ?? card.className).filter((what) => what !== 'dk'),
    panel: seen(one('.dk-panel')) ? name(one('.dk-panel')) : null, dialog: name(one('.dk-dialog')), answers: all('.dk-dialog button', (button) => button.textContent),
    focus: document.activeElement.dataset.card ?? document.activeElement.dataset.action ?? document.activeElement.dataset.bar ?? document.activeElement.dataset.menu ?? document.activeElement.dataset.key ?? document.activeElement.textContent,
    ghosts: all('.dk-ghost', seen).length,
  };
}"""
# Show the next scene and return every animation it starts: element, path and time, and all boxes before and after.
FLY = """(scene) => {
  const boxes = () => {
    const found = {};
    const put = (name, element) => { const { left, top, width } = element.getBoundingClientRect(); found[name] = { left, top, width }; };
    for (const card of document.querySelectorAll('.dk-hand-card')) put(`hand ${card.dataset.card}`, card);
    for (const pair of document.querySelectorAll('.dk-pair')) [...pair.children].forEach((card, i) => put(`table ${i ? 'over ' : ''}${pair.dataset.card}`, card));
    for (const seat of document.querySelectorAll('.dk-seat')) put(`seat ${parseInt(seat.querySelector('.dk-name').textContent.match(/[0-9]+/)) - 1}`, seat.querySelector('.dk-fan'));
    put('talon', document.querySelector('.dk-talon .dk-pile')); put('discard', document.querySelector('.dk-discard .dk-pile')); put('air', document.querySelector('.dk-overlay'));
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
    const card = target.matches('.dk-hand-card') ? `hand ${target.dataset.card}` : pair ? `table ${target.matches('.dk-beating-card') ? 'over ' : ''}${pair.dataset.card}`
      : target.matches('.dk-ghost') ? 'ghost' : target.className;
    const ways = frames.filter(({ transform }) => transform?.startsWith('translate')).map(({ transform }) => transform.match(/-?\\d[\\d.e-]*/g).map(Number));
    return { card, delay, duration, ways, frames, animation, width: target.offsetWidth };
  });
  document.getAnimations().forEach((animation) => animation.pause());
  const found = moves.map(({ animation, ...told }) => told);
  for (const { animation } of moves) animation.cancel();
  for (const flying of document.querySelectorAll('.dk-hand-card')) flying.style.transition = 'none';
  rest();
  return { before, after: boxes(), moves: found, ghosts: document.querySelectorAll('.dk-ghost').length };
}"""


def read_bundles() -> dict[str, str]:
    """Return the code of the bundles that a table requests, by the kind of the message."""
    return {"panels": (STATIC / "panels.js").read_text(encoding="utf-8"), "extras": (STATIC / "extras.js").read_text(encoding="utf-8")}


class TablePage:
    """A page with one table."""

    def __init__(self, page):
        self.page = page
        self.keyboard, self.mouse = page.keyboard, page.mouse

    def mount(self, scene, **look):
        """Show a new table with this scene, of its fourth game, and return what is rendered. No card has the focus or the pointer."""
        self.page.emulate_media(reduced_motion="no-preference")
        self.mouse.move(1190, 790)
        self.page.evaluate("lay", {**LOOK, **look, "scene": {**scene, "game": 4}})
        return self.read()

    def show(self, scene, **changes):
        """Show another scene at the same table."""
        self.page.evaluate("(scene) => model.set('scene', scene)", {**scene, "game": 4, **changes})
        return self.read()

    def animate(self, scene, **changes):
        """Show another scene and return the animations it starts."""
        return self.page.evaluate(FLY, {**scene, "game": 4, **changes})

    def read(self):
        """Return what is rendered."""
        return self.page.evaluate(READ)

    def receive(self, message):
        """Send a message from Python to the page."""
        self.page.evaluate("(message) => heard.get('msg:custom')(message)", message)

    def set_width(self, width):
        """Set the width of the table and wait for its layout."""
        self.page.evaluate("(width) => { document.querySelector('.dk').parentElement.style.width = `${width}px`; }", width)
        self.wait_for_frames()

    def drain(self, what="sent"):
        """Return what was sent, announced, tapped or passed to the page since the last call."""
        self.wait_for_panel()
        return self.page.evaluate("(what) => window[what].splice(0)", what)

    def elapse(self, ms):
        """Run the timers with this delay."""
        self.page.evaluate("elapse", ms)

    def wait_for_frames(self):
        """Wait until the page has rendered."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")

    def locate(self, selector):
        """Return an element of the table."""
        return self.page.locator(f".dk {selector}").first

    def card(self, card):
        """Return a card of the hand."""
        return self.locate(f".dk-hand-card[data-card='{card}']")

    def pair(self, card):
        """Return the pair of an attacking card."""
        return self.locate(f".dk-pair[data-card='{card}']")

    def click(self, selector):
        """Click an element, even if it is covered."""
        self.locate(selector).click(force=True)
        self.wait_for_panel()

    def choose(self, command):
        """Choose a command in the menu."""
        self.click(".dk-menu-button")
        self.click(f".dk-command-menu [data-menu={command}]")

    def press(self, key, *, at="[tabindex='0']"):
        """Press a key with the focus on the hand."""
        self.locate(f".dk-hand-card{at}").focus()
        self.keyboard.press(key)
        self.wait_for_panel()

    def wait_for_panel(self):
        """Wait until an opened panel has its content."""
        self.page.wait_for_function("!document.querySelector('.dk-panel[aria-busy]')")


def golden_scene(name, **changes):
    """Return a golden scene, in English."""
    return {**english_moment(name)["scene"], **changes}


def scene(game, me=0, number=1, language="en"):
    """Return the scene of a game for the person in this seat. The other seats have bots that never act."""
    table = Table(game, seats={seat: "you" if seat == me else "first" for seat in range(len(game.hands))}, pace=60_000, language=language)
    found = {**table.scene, "id": number}
    table.close()
    return found


def play_scenes(rules, me, *moves, **placed):
    """Return the scenes of a position and after each move."""
    game = Game.from_position(rules, **placed)
    found = [scene(game, me)]
    for number, move in enumerate(moves, 2):
        game.play(move)
        found.append(scene(game, me, number))
    return found


def make_intent(kind, ply, **more):
    """Return a message to Python with the seen moment."""
    return {"kind": kind, **more, "ply": ply, "game": 4}


GROUND = {"light": ("#ffffff", "#222222", "#555555", "#eeeeee"), "dark": ("#111111", "#eeeeee", "#bbbbbb", "#2b2b2b")}
GROUND_OF = "layout-color1", "ui-font-color1", "ui-font-color2", "layout-color2"
# axe needs running timers, so they run while it works.
AXED = """async (selector) => {
  const { setTimeout, later = setTimeout } = window;
  window.setTimeout = later;
  try { return (await axe.run(selector)).violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html.slice(0, 200))]); }
  finally { window.setTimeout = setTimeout; }
}"""


@contextmanager
def page_theme(page, theme):
    """Give the page JupyterLab's light or dark theme."""
    colors = list(zip(GROUND_OF, GROUND[theme], strict=True))
    page.evaluate("(all) => all.forEach(([name, color]) => document.body.style.setProperty(`--jp-${name}`, color))", colors)
    page.evaluate("(dark) => { document.body.dataset.jpThemeLight = String(!dark); }", theme == "dark")
    page.evaluate("document.body.style.background = 'var(--jp-layout-color1)'")
    yield
    page.evaluate("document.body.removeAttribute('style'); delete document.body.dataset.jpThemeLight")


def find_axe_violations(page, selector):
    """Return the axe violations in a part of the page."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(AXED, selector)
