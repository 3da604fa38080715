/** The toolbar of the tree editor, its keys, and the list of what is missing. */

import { keysOf, type Tool, ToolBar } from "../board/chrome/toolbar";
import { CHANCE } from "../board/protocol/tree-drawing";
import { button, changed, focused, make, set } from "../widgets/dom";
import type { Key } from "../widgets/protocol/words";
import type { Pad } from "./protocol";

const BRANCH = "M3 8h4M7 8l6-4.500M7 8l6 4.500";
const LOT = "M3 8a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0M8 7l5-3.500M8 9l5 3.500";

/** So many of the things that are missing are listed at once. */
const SHOWN = 3;

/** What a key, or a button, does besides walking. */
export type Deed =
  | "move"
  | "chance"
  | "join"
  | "part"
  | "copy"
  | "paste"
  | "paste.joined"
  | "earlier"
  | "later"
  | "remove"
  | "undo"
  | "redo"
  | "use"
  | "name"
  | "likely"
  | "next"
  | "nearer"
  | "farther"
  | "fit"
  | "turn"
  | "escape"
  | "help";

interface Row {
  readonly caps: readonly string[];
  readonly says: Key;
  readonly does: Readonly<Record<string, Deed>>;
}

/** Every key of the tree editor: what it does, and how the help lists it. */
export const SKETCH_KEYS: readonly Row[] = [
  { caps: ["←", "→", "↑", "↓"], says: "tree.keys.walk", does: {} },
  { caps: ["A"], says: "sketch.move.add", does: { a: "move", Insert: "move" } },
  { caps: ["C"], says: "sketch.chance.add", does: { c: "chance" } },
  { caps: ["Enter"], says: "sketch.keys.use", does: { Enter: "use", n: "name", F2: "name" } },
  { caps: ["P"], says: "sketch.keys.likely", does: { p: "likely" } },
  { caps: ["1", "2"], says: "sketch.keys.who", does: {} },
  { caps: ["J", "S"], says: "sketch.keys.join", does: { j: "join", s: "part" } },
  { caps: ["M"], says: "sketch.keys.next", does: { m: "next" } },
  { caps: ["Delete"], says: "sketch.keys.remove", does: { Delete: "remove", Backspace: "remove" } },
  { caps: ["Ctrl+C", "Ctrl+V"], says: "sketch.keys.copy", does: { "ctrl+c": "copy", "ctrl+v": "paste", "ctrl+shift+v": "paste.joined" } },
  { caps: ["Alt+↑", "Alt+↓"], says: "sketch.keys.shift", does: { "alt+ArrowUp": "earlier", "alt+ArrowDown": "later" } },
  { caps: ["Ctrl+Z", "Ctrl+Y"], says: "sketch.keys.undo", does: { "ctrl+z": "undo", "ctrl+y": "redo", "ctrl+shift+z": "redo" } },
  { caps: ["+", "−", "0"], says: "tree.keys.zoom", does: { "+": "nearer", "=": "nearer", "-": "farther", _: "farther", "0": "fit" } },
  { caps: ["R"], says: "tree.direction", does: { r: "turn" } },
  { caps: ["Esc"], says: "sketch.keys.escape", does: { Escape: "escape" } },
  { caps: ["?"], says: "help", does: { "?": "help" } },
];

const DEEDS = new Map(SKETCH_KEYS.flatMap(({ does }) => Object.entries(does)));

interface SketchTool extends Tool {
  readonly does: Deed | "export" | "keys" | "more";
  /** Where there is little room, it comes when more is asked for. */
  readonly rare?: true;
}

/** The toolbar: buttons that draw, copy, delete and undo, the zoom, and the keys. */
export class SketchBar {
  readonly element = make("div", "dk-sketch-bar");
  private readonly bar: ToolBar<SketchTool>;
  private readonly help = make("div", "dk-sketch-keys", { hidden: true });

  constructor(
    private readonly pad: Pad,
    private readonly act: (what: Deed | "export") => void,
    private readonly joining: () => boolean,
    private readonly exporting: () => boolean,
  ) {
    this.bar = new ToolBar(
      this.groups(),
      ({ does, rare }) => ({ "data-does": does, "data-rare": rare }),
      ({ does }) => this.run(does),
    );
    this.element.append(this.bar.element, this.help);
  }

  private groups(): readonly (readonly SketchTool[])[] {
    const { pad } = this;
    const actor = (): number => pad.shown().actor(pad.at());
    const root = (): boolean => pad.at() === 0;
    const siblings = (): boolean => !root() && pad.shown().siblings(pad.at()).length > 1;
    const end = (): boolean => !pad.shown().below(pad.at()).length;
    return [
      [
        { does: "move", word: "sketch.move", says: "sketch.move.add", icon: BRANCH },
        { does: "chance", word: "sketch.chance", says: "sketch.chance.add", icon: LOT },
      ],
      [
        {
          does: "join",
          word: "sketch.join",
          says: "sketch.join.add",
          icon: "M4 3.500a1.500 1.500 0 1 0 .01 0M4 12.500a1.500 1.500 0 1 0 .01 0M4 6v.01M4 8v.01M4 10v.01M9 8h5M11.500 5.500v5",
          may: () => actor() !== CHANCE,
          on: this.joining,
        },
        {
          does: "part",
          rare: true,
          says: "sketch.part",
          icon: "M4 3.500a1.500 1.500 0 1 0 .01 0M4 12.500a1.500 1.500 0 1 0 .01 0M9 5.500l5 5M14 5.500l-5 5",
          may: () => pad.shown().fellows(pad.at()).length > 1,
        },
      ],
      [
        { does: "copy", rare: true, says: "sketch.copy", icon: "M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1" },
        {
          does: "paste",
          rare: true,
          says: "sketch.paste",
          icon: "M4 3.500H2.500v10h11v-10H12M5.500 2h5v3h-5z",
          may: () => pad.sketch().copied && end(),
        },
        {
          does: "paste.joined",
          rare: true,
          says: "sketch.paste.joined",
          icon: "M4 3.500H2.500v10h11v-10H12M5.500 2h5v3h-5zM8 7.500v.01M8 9.500v.01M8 11.500v.01",
          may: () => pad.sketch().copied && end(),
        },
        { does: "earlier", rare: true, says: "sketch.earlier", icon: "M8 13V3M4.500 6.500L8 3l3.500 3.500", may: siblings },
        { does: "later", rare: true, says: "sketch.later", icon: "M8 3v10M4.500 9.500L8 13l3.500-3.500", may: siblings },
        { does: "remove", says: "sketch.remove", icon: "M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.700 9h5.600l.700-9M7 7v4M9 7v4" },
      ],
      [
        {
          does: "undo",
          word: "sketch.undo",
          says: "sketch.undo",
          icon: "M6 3L2.500 6.500 6 10M3 6.500h6.500a3.500 3.500 0 0 1 0 7H7",
          may: () => pad.sketch().undo,
        },
        {
          does: "redo",
          says: "sketch.redo",
          icon: "M10 3l3.500 3.500L10 10M13 6.500H6.500a3.500 3.500 0 0 0 0 7H9",
          may: () => pad.sketch().redo,
        },
      ],
      [
        { does: "farther", rare: true, says: "tree.farther", icon: "M3.500 8h9" },
        { does: "fit", rare: true, says: "tree.fit", icon: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10" },
        { does: "nearer", rare: true, says: "tree.nearer", icon: "M3.500 8h9M8 3.500v9" },
        { does: "turn", rare: true, says: "tree.direction", icon: "M3 13V3h10M10 .500L12.500 3 10 5.500M.500 10.500L3 13l2.500-2.500" },
        { does: "more", says: "more", icon: "M3 8h.01M8 8h.01M13 8h.01", on: () => this.element.hasAttribute("data-more") },
        {
          does: "export",
          word: "sketch.export",
          says: "sketch.export",
          icon: "M8 10V2.500M5 5l3-2.500L11 5M2.500 9.500v4h11v-4",
          on: this.exporting,
        },
        {
          does: "keys",
          rare: true,
          says: "help",
          icon: "M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.400v.300M8 12.800v.01",
          on: () => !this.help.hidden,
        },
      ],
    ];
  }

  private run(does: SketchTool["does"]): void {
    if (does === "keys") return this.toggle();
    if (does === "more") {
      set(this.element, { "data-more": !this.element.hasAttribute("data-more") });
      return this.paint();
    }
    this.act(does);
  }

  /** Show the keys, or no more. */
  toggle(): void {
    set(this.help, { hidden: !this.help.hidden });
    this.paint();
    if (!this.help.hidden) this.help.querySelector<HTMLElement>("h3")?.focus();
  }

  /** Close the keys; whether they were open. */
  close(): boolean {
    if (this.help.hidden) return false;
    const inside = focused(this.help) !== null;
    set(this.help, { hidden: true });
    this.paint();
    if (inside) this.bar.element.querySelector<HTMLElement>('[data-does="keys"]')?.focus();
    return true;
  }

  paint(): void {
    const words = this.pad.words();
    this.bar.paint(words, "sketch.tools");
    if (this.help.hidden) return;
    const shut = button("dk-menu-item", words.say("close"));
    shut.addEventListener("click", () => this.close());
    this.help.replaceChildren(make("h3", "", { tabindex: -1 }, words.say("help")), keysOf(words, SKETCH_KEYS), shut);
  }
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** What a key does; a letter by where it stands on a Latin keyboard, for those who type in another script. */
export function deedOf({ key, code, shiftKey, ctrlKey, metaKey, altKey }: Pressed): Deed | undefined {
  const ctrl = ctrlKey || metaKey;
  const before = ctrl ? (shiftKey ? "ctrl+shift+" : "ctrl+") : altKey ? "alt+" : "";
  const latin = code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
  return DEEDS.get(before + (key.length === 1 ? key.toLowerCase() : key)) ?? (latin ? DEEDS.get(before + latin) : undefined);
}

/** Whose move a digit says it is: a seat, from 0; chance has none. */
export function seatOf({ key, ctrlKey, metaKey, altKey }: Pressed, seats: number): number | undefined {
  const seat = /^[1-9]$/.test(key) && !ctrlKey && !metaKey && !altKey ? Number(key) - 1 : -1;
  return seat >= 0 && seat < seats ? seat : undefined;
}

/** The list of what is missing in a sketch: a button for each, which leads there. */
export class Lacking {
  readonly element = make("div", "dk-sketch-lacks", { role: "group" });

  constructor(private readonly pad: Pad) {}

  paint(): void {
    const { pad } = this;
    const words = pad.words();
    const { lacks, more } = pad.sketch();
    set(this.element, { "data-whole": !lacks.length, "aria-label": words.say("sketch.lacks") });
    if (!changed(this.element, lacks, more, words.language)) return;
    const had = focused(this.element) !== null;
    const first = lacks.slice(0, SHOWN).map(({ id, said }) => {
      const element = button("dk-sketch-lack", said);
      element.addEventListener("click", () => this.lead(id));
      return make("li", "", {}, element);
    });
    const rest = lacks.length > SHOWN ? words.say("sketch.lacks.rest", { count: lacks.length - SHOWN }) : "";
    const tail = [rest, more].filter(Boolean).map((said) => make("p", "", {}, said));
    const all = [make("p", "", {}, words.say("sketch.lacks")), make("ul", "", {}, ...first), ...tail];
    this.element.replaceChildren(...(lacks.length ? all : [make("p", "", {}, words.say("sketch.whole"))]));
    if (had) pad.go(pad.shown().id(pad.at()));
  }

  /** To the next thing that is missing, after this place and around. */
  next(): void {
    const { pad } = this;
    const ids = pad.sketch().lacks.map((one) => one.id);
    const order = pad.shown().drawing.nodes.id;
    const after = ids.find((one) => order.indexOf(one) > pad.at()) ?? ids[0];
    if (after === undefined) return pad.announce(pad.words().say("sketch.whole"));
    this.lead(after);
  }

  private lead(id: number): void {
    this.pad.go(id);
    this.pad.write(id, "pays");
  }
}
