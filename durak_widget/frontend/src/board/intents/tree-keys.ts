/** The one table of keys of a tree: which key does what, and how the help lists it. */

import type { Key } from "../../widgets/protocol/words";

/** What a key does, besides the arrows. */
export type Deed =
  | "use"
  | "fold"
  | "escape"
  | "nearer"
  | "farther"
  | "fit"
  | "find"
  | "next"
  | "previous"
  | "table"
  | "values"
  | "beliefs"
  | "turn"
  | "choose"
  | "pick"
  | "likely"
  | "help";

interface Row {
  readonly caps: readonly string[];
  readonly says: Key;
  readonly does: Readonly<Record<string, Deed>>;
}

export const KEYS: readonly Row[] = [
  { caps: ["←", "→", "↑", "↓"], says: "tree.keys.walk", does: {} },
  { caps: ["Home", "End"], says: "tree.keys.ends", does: {} },
  { caps: ["Enter"], says: "tree.keys.use", does: { Enter: "use", " ": "fold" } },
  { caps: ["+", "−", "0"], says: "tree.keys.zoom", does: { "+": "nearer", "=": "nearer", "-": "farther", _: "farther", "0": "fit" } },
  { caps: ["/"], says: "tree.find", does: { "/": "find" } },
  { caps: ["N", "P"], says: "tree.keys.found", does: { n: "next", p: "previous" } },
  { caps: ["M"], says: "tree.keys.choose", does: { m: "choose" } },
  { caps: ["V"], says: "tree.values", does: { v: "values" } },
  { caps: ["B"], says: "tree.beliefs", does: { b: "beliefs" } },
  { caps: ["L"], says: "solution.keys", does: { l: "likely" } },
  { caps: ["R"], says: "tree.direction", does: { r: "turn" } },
  { caps: ["T"], says: "tree.table", does: { t: "table" } },
  { caps: ["Esc"], says: "tree.keys.escape", does: { Escape: "escape" } },
  { caps: ["?"], says: "help", does: { "?": "help" } },
];

const DEEDS = new Map(KEYS.flatMap(({ does }) => Object.entries(does)));

/** What a key does; a letter by where it stands on a Latin keyboard, for those who type in another script. */
export function deed({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): Deed | undefined {
  if (key === " " && shiftKey) return "pick";
  const latin = code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
  return DEEDS.get(key.length === 1 ? key.toLowerCase() : key) ?? DEEDS.get(latin);
}
