/** The toolbar of a tree, the menu of a node, and the breadcrumbs above the tree. */

import { button, changed, focused, make, set, write } from "../../widgets/dom";
import type { Setting } from "../../widgets/protocol/scene";
import { KEYS } from "../intents/tree-keys";
import type { Host } from "../panels/panel";
import { type Crumb, letters, type Message } from "../protocol/tree-drawing";
import { drawMove, sign } from "../view/tree-nodes";
import { icon, keysOf, type Tool, ToolBar } from "./toolbar";

const ROUND = "M8 2a6 6 0 1 0 .01 0z";
const GRID = "M2.500 2.500h11v11h-11zM2.500 6.200h11M2.500 9.800h11M6.200 2.500v11M9.800 2.500v11";

/** So many stand at the beginning and at the end of a long way. */
const FIRST = 1;
const LAST = 4;

/** What a button or a key does on the page alone. */
export type Act =
  | "nearer"
  | "farther"
  | "fit"
  | "turn"
  | "values"
  | "beliefs"
  | "find"
  | "help"
  | "table"
  | "matrix"
  | "learn"
  | "path"
  | "solve"
  | "likely";

interface TreeTool extends Tool {
  /** How early it goes into the menu where there is little room: 0 stays. */
  readonly rank: 0 | 1 | 2;
  readonly does: Message | Act | "less" | "more";
}

/** The toolbar above a tree. What has no room goes to the menu. */
export class Tools {
  readonly element = make("div", "dk-tools");
  private readonly bar: ToolBar<TreeTool>;
  private readonly finder = make("span", "dk-find");
  private readonly field = make("input", "dk-find-field", { type: "search", autocomplete: "off", spellcheck: "false", maxlength: 200 });
  private readonly count = make("span", "dk-find-count", { "aria-live": "polite" });
  private readonly earlier = icon("M10 3L5 8l5 5");
  private readonly later = icon("M6 3l5 5-5 5");
  private readonly door = icon("M3 8h.01M8 8h.01M13 8h.01");
  private readonly menu = make("div", "dk-menu", { hidden: true });
  private seats: readonly string[] = [];
  private asked = "";
  private help = false;

  constructor(
    private readonly host: Host,
    private readonly act: (what: Act) => void,
  ) {
    const { signal } = host;
    this.bar = new ToolBar(
      [this.folds(), this.asks(), this.zooms()],
      ({ rank }) => ({ "data-rank": rank }),
      ({ does }) => this.run(does),
    );
    set(this.door, { "data-tool": "menu", "aria-expanded": "false" });
    this.finder.append(this.field, this.count, this.earlier, this.later);
    this.bar.element.append(this.door);
    this.element.append(this.finder, this.bar.element, this.menu);
    this.earlier.addEventListener("click", () => this.next(-1));
    this.later.addEventListener("click", () => this.next(1));
    this.door.addEventListener("click", () => this.toggle());
    this.field.addEventListener("input", () => this.find());
    this.field.addEventListener("keydown", (event) => this.type(event));
    document.addEventListener(
      "pointerdown",
      (event) => {
        const path = event.composedPath();
        if (!this.menu.hidden && !path.includes(this.menu) && !path.includes(this.door)) this.close();
      },
      { signal },
    );
  }

  private folds(): TreeTool[] {
    const solved = (): boolean => this.host.solution().reach !== undefined;
    return [
      { says: "tree.open_all", word: "tree.open_all", icon: `${ROUND}M5.500 8h5M8 5.500v5`, rank: 1, does: { kind: "open", what: "all" } },
      { says: "tree.close_all", word: "tree.close_all", icon: `${ROUND}M5.500 8h5`, rank: 1, does: { kind: "close" } },
      { says: "tree.less", icon: "M13 3v10M10 4.500L6.500 8 10 11.500M3 3v10", rank: 1, does: "less" },
      { says: "tree.more", icon: "M3 3v10M6 4.500L9.500 8 6 11.500M13 3v10", rank: 1, does: "more" },
      {
        says: "tree.reached",
        icon: "M2 12.500c5 0 3-8 8-8M8.500 1.500l3.500 3-3.500 3",
        rank: 2,
        does: { kind: "open", what: "reached" },
        gone: () => !solved(),
      },
    ];
  }

  private zooms(): TreeTool[] {
    return [
      { says: "tree.farther", icon: "M3.500 8h9", rank: 0, does: "farther" },
      { says: "tree.fit", icon: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10", rank: 0, does: "fit" },
      { says: "tree.nearer", icon: "M3.500 8h9M8 3.500v9", rank: 0, does: "nearer" },
    ];
  }

  private asks(): TreeTool[] {
    const { host } = this;
    const there = (name: string): boolean => Object.keys(host.get<object | undefined>(name) ?? {}).length > 0;
    const task = (): boolean => Boolean(host.task().asks);
    return [
      { says: "tree.solve", word: "tree.solve", icon: "M3 8.500l3.500 4L13 3.500", rank: 1, does: "solve", gone: task },
      {
        says: "tree.values",
        icon: "M4 3.500l1.500-1v5M3.500 13L12.500 3M9.500 10.500c0-2 3.500-2 3.500 0 0 1.200-3.500 3-3.500 3H13",
        rank: 2,
        does: "values",
        on: () => Boolean(host.get("values")),
        gone: () => task() || !host.solution().which,
      },
      {
        says: "tree.beliefs",
        icon: "M1.500 8c3.500-5.300 9.500-5.300 13 0-3.500 5.300-9.500 5.300-13 0zM8 6a2 2 0 1 0 .010 0z",
        rank: 2,
        does: "beliefs",
        on: () => Boolean(host.solution().beliefs),
        gone: () => task() || !host.solution().which || !host.shown().joined.length,
      },
      {
        says: "tree.learn",
        icon: "M2.500 2.500v11h11M4.500 4c1 6 4 7 9 7.300",
        rank: 2,
        does: "learn",
        on: () => there("learning"),
        gone: task,
      },
      {
        says: "tree.path",
        icon: "M2.500 2.500v11h11M4 8.500c4 0 3.500-5 9-5M4 8.500c4 0 3.500 3.500 9 3.500",
        rank: 2,
        does: "path",
        on: () => there("path"),
        gone: task,
      },
      {
        says: "solution.mine",
        icon: "M2.500 5h6M11 5h2.500M2.500 11h2M7 11h6.500M9.700 3.200v3.600M5.700 9.200v3.600",
        rank: 2,
        does: { kind: "own" },
        gone: () => task() || Boolean(host.solution().own),
      },
      { says: "tree.matrix", icon: GRID, rank: 2, does: "matrix", on: () => there("matrix"), gone: task },
      {
        says: "tree.table",
        icon: "M4.500 2.500h7v11h-7zM8 5.500l1.500 2.500L8 10.500 6.500 8z",
        rank: 2,
        does: "table",
        gone: () => !host.shown().cards || host.task().asks === "draw",
      },
      { says: "tree.direction", icon: "M3 13V3h10M10 .500L12.500 3 10 5.500M.500 10.500L3 13l2.500-2.500", rank: 2, does: "turn" },
    ];
  }

  run(what: TreeTool["does"]): void {
    if (what === "less" || what === "more") return this.deeper(what === "more" ? 1 : -1);
    if (typeof what === "string") return this.act(what);
    this.host.send(what);
  }

  /** One level more, or less, than is open now. */
  private deeper(step: 1 | -1): void {
    const { level } = this.host.shown().drawing.nodes;
    const deepest = level.reduce((most, one) => Math.max(most, one), 0);
    this.host.send({ kind: "open", what: "depth", n: Math.max(deepest + step, 0) });
  }

  paint(): void {
    const { host } = this;
    const words = host.words();
    const { seats, found } = host.shown().drawing;
    this.paintSeats(seats);
    this.bar.paint(words, "tree.tools");
    set(this.field, { "aria-label": words.say("tree.find"), placeholder: words.say("tree.find") });
    const said = { earlier: words.say("tree.find.previous"), later: words.say("tree.find.next"), menu: words.say("more") };
    for (const [element, name] of [
      [this.earlier, said.earlier],
      [this.later, said.later],
      [this.door, said.menu],
    ] as const)
      set(element, { "aria-label": name, title: name });
    const count = found?.count ?? 0;
    const place = found?.place ?? (found ? found.ids.indexOf(host.shown().id(host.at())) + 1 : 0);
    write(this.count, found?.text ? (place > 0 ? `${place}/${count}` : String(count)) : "");
    for (const element of [this.earlier, this.later]) set(element, { hidden: !count });
    if (focused(this.element) !== this.field && this.field.value.trim() !== (found?.text ?? "") && !this.asked)
      this.field.value = found?.text ?? "";
    if (found?.text === this.asked) this.asked = "";
    if (!this.menu.hidden) this.fill();
  }

  /** A button for each player, which opens the tree as far as that one is to act. */
  private paintSeats(seats: readonly string[]): void {
    const words = this.host.words();
    const key = JSON.stringify([words.language, seats]);
    if (this.seats.join() === key) return;
    this.seats = [key];
    for (const old of this.bar.element.querySelectorAll("[data-seat-tool]")) old.remove();
    if (seats.length > 6) return;
    const marks = letters(seats);
    this.bar.element.firstElementChild?.append(
      ...seats.map((player, seat) => {
        const said = words.say("tree.by_player", { player });
        const element = button("dk-tool", "", { "data-seat-tool": seat, "data-rank": 2, "aria-label": said, title: said });
        element.append(sign(seat, seats.length > 1 ? marks[seat] : ""), make("span", "", {}, said));
        element.addEventListener("click", () => this.host.send({ kind: "open", what: "seat", n: seat }));
        return element;
      }),
    );
  }

  // Finding

  /** Write into the field what is looked for. */
  focusFind(): void {
    this.field.focus();
    this.field.select();
  }

  next(step: 1 | -1): void {
    if (this.host.shown().drawing.found?.count) this.host.send({ kind: "next", step });
  }

  private timer: ReturnType<typeof setTimeout> | undefined;

  private find(now = false): void {
    clearTimeout(this.timer);
    const text = this.field.value.trim();
    const ask = (): void => {
      if (text === (this.host.shown().drawing.found?.text ?? "") && !this.asked) return;
      this.asked = text;
      this.host.send({ kind: "find", text });
    };
    if (now) ask();
    else this.timer = setTimeout(ask, 250);
  }

  private type(event: KeyboardEvent): void {
    event.stopPropagation();
    const { found } = this.host.shown().drawing;
    if (event.key === "Enter") {
      if (found?.text === this.field.value.trim()) this.next(event.shiftKey ? -1 : 1);
      else this.find(true);
    } else if (event.key === "Escape") {
      if (this.field.value) {
        this.field.value = "";
        this.find(true);
      }
      this.host.go(this.host.shown().id(this.host.at()));
    } else return;
    event.preventDefault();
  }

  // The menu

  toggle(help = false): void {
    if (this.menu.hidden || help !== this.help) {
      this.help = help;
      this.fill();
      set(this.menu, { hidden: false });
      set(this.door, { "aria-expanded": "true" });
      if (help) this.menu.querySelector<HTMLElement>("h3")?.focus();
    } else this.close();
  }

  /** Close the menu; whether it was open. */
  close(): boolean {
    if (this.menu.hidden) return false;
    const inside = focused(this.menu) !== null;
    set(this.menu, { hidden: true });
    set(this.door, { "aria-expanded": "false" });
    if (inside) this.door.focus();
    return true;
  }

  private fill(): void {
    const had = focused(this.menu)?.dataset.key;
    const tools = [...this.bar.buttons].filter(([{ rank, gone }]) => rank && !gone?.()).map(([tool]) => tool);
    const copies = tools.map(({ says, icon: picture, rank, does, on }) => {
      const element = icon(picture, { "data-rank": rank, "aria-pressed": on && String(on()), "data-key": says });
      write(element.lastElementChild as Element, this.host.words().say(says));
      element.addEventListener("click", () => {
        this.close();
        this.run(does);
      });
      return element;
    });
    this.menu.replaceChildren(...menuOf(this.host, copies, this.help, () => this.toggle(!this.help)));
    if (had) this.menu.querySelector<HTMLElement>(`[data-key="${had}"]`)?.focus();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** What is in it; with `help`, the keys alone. */
export function menuOf(host: Host, tools: readonly HTMLElement[], help: boolean, turn: () => void): HTMLElement[] {
  const words = host.words();
  const keys = button("dk-menu-item", words.say(help ? "settings" : "help"), { "data-key": "keys" });
  keys.addEventListener("click", turn);
  if (help) return [make("h3", "", { tabindex: -1 }, words.say("help")), keysOf(words, KEYS), keys];
  return [make("div", "dk-menu-tools", {}, ...tools), ...bests(host), ...settings(host), keys];
}

/** A button for each player: its best responses to what is shown. */
function bests(host: Host): HTMLElement[] {
  const { which, best_of = null } = host.solution();
  if (!which || host.task().asks) return [];
  const words = host.words();
  const row = host.shown().drawing.seats.map((player, seat) => {
    const element = button("dk-menu-item", player, { "aria-pressed": String(best_of === seat), "data-key": `best${seat}` });
    element.addEventListener("click", () => host.send({ kind: "best", seat: best_of === seat ? null : seat }));
    return element;
  });
  return [
    make(
      "div",
      "dk-menu-row",
      { role: "group", "aria-label": words.say("tree.best") },
      make("span", "", {}, words.say("tree.best")),
      ...row,
    ),
  ];
}

function settings(host: Host): HTMLElement[] {
  const words = host.words();
  return (host.get<readonly Setting[] | undefined>("settings") ?? []).map(({ name, values }) => {
    const said = words.named("set", name);
    const now = host.get<unknown>(name);
    const attributes = { "aria-label": said, "data-key": name };
    if (!values) {
      const box = make("input", "", { ...attributes, type: "checkbox" });
      box.checked = Boolean(now);
      box.addEventListener("change", () => host.change(name, box.checked));
      return make("label", "dk-field-of", {}, make("span", "", {}, said), box);
    }
    const options = Array.isArray(values)
      ? (values as readonly (string | number)[]).map((value) => [String(value), words.named(name, value)] as const)
      : Object.entries(values as Readonly<Record<string, string>>);
    const select = make("select", "", attributes, ...options.map(([value, own]) => make("option", "", { value }, own)));
    select.value = String(now);
    select.addEventListener("change", () => host.change(name, typeof now === "number" ? Number(select.value) : select.value));
    return make("label", "dk-field-of", {}, make("span", "", {}, said), select);
  });
}

/** Of a long way, its beginning and its end: null stands for what is between. */
export function shortened<T>(all: readonly T[], open: boolean): (T | null)[] {
  return open || all.length <= FIRST + LAST + 1 ? [...all] : [...all.slice(0, FIRST), null, ...all.slice(-LAST)];
}

/** The breadcrumbs: the path from the root to the node that has the focus. */
export class Crumbs {
  readonly element = make("div", "dk-crumbs", { role: "group" });
  private readonly list = make("ol", "");
  private whole = false;
  private last = -1;

  constructor(private readonly host: Host) {
    this.element.append(this.list);
  }

  paint(): void {
    const shown = this.host.shown();
    const words = this.host.words();
    const at = this.host.at();
    if (at !== this.last) this.whole = false;
    this.last = at;
    const way = shown.way(at);
    if (!changed(this.list, words.language, shown.drawing.id, way, this.whole)) return;
    const told = new Map(shown.drawing.crumbs.map((crumb: Crumb) => [crumb.id, crumb.said]));
    set(this.element, { "aria-label": words.say("tree.way") });
    const items = shortened(way, this.whole).map((i) => {
      if (i === null) {
        const rest = button("dk-crumb", "…", { "aria-label": words.say("tree.way.whole") });
        rest.addEventListener("click", () => {
          this.whole = true;
          this.paint();
          this.list.querySelector<HTMLElement>("button")?.focus();
        });
        return make("li", "", {}, rest);
      }
      const id = shown.id(i);
      const move = shown.move(i);
      const said = move?.said ?? told.get(id) ?? words.say("tree.root");
      const crumb = button("dk-crumb", "", { "aria-label": said, title: said, "aria-current": i === at ? "step" : undefined });
      if (move) drawMove(crumb, move);
      else crumb.textContent = words.say("tree.root");
      crumb.addEventListener("click", () => this.host.go(id));
      return make("li", "", {}, crumb);
    });
    this.list.replaceChildren(...items);
  }
}
