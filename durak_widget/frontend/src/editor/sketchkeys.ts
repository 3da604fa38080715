/** The one table of keys of a sketch: which key does what, and how the help lists it. */

import type { Key } from "../widgets/protocol/words";

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
