/** The one table of keys: which key does what, and how the help lists it. */

import { type Keyed, VERBS } from "../../widgets/protocol/scene";
import type { Key } from "../../widgets/protocol/words";
import type { ActionName } from "./actions";
import type { Command } from "./asked";

/** Where the arrows lead. */
export type Way = "left" | "right" | "up" | "down" | "home" | "end";

/** What a key does: it leads elsewhere, uses what has the focus, takes back, presses a button beside the call, or is a command. */
export type Deed =
  | readonly ["walk", Way]
  | readonly ["card", number]
  | readonly ["use"]
  | readonly ["escape"]
  | readonly ["press", ActionName]
  | readonly ["run", Command];

interface Row {
  /** As they stand on the caps. */
  readonly caps: readonly string[];
  /** The words for what they do. */
  readonly says: Key;
  readonly does: Readonly<Record<string, Deed>>;
}

/** A letter for a button or a command, whose word says what it does. */
const press = <N extends ActionName & Key>(key: string, name: N): Row => ({
  caps: [key.toUpperCase()],
  says: name,
  does: { [key]: ["press", name] },
});
const run = <N extends Command & Key>(key: string, name: N): Row => ({
  caps: [key.toUpperCase()],
  says: name,
  does: { [key]: ["run", name] },
});

export const KEYS: readonly Row[] = [
  {
    caps: ["←", "→"],
    says: "keys.cards",
    does: {
      ArrowLeft: ["walk", "left"],
      ArrowRight: ["walk", "right"],
      ArrowUp: ["walk", "up"],
      ArrowDown: ["walk", "down"],
      Home: ["walk", "home"],
      End: ["walk", "end"],
    },
  },
  {
    caps: ["1", "…", "9"],
    says: "keys.digits",
    does: Object.fromEntries([..."123456789"].map((digit, i) => [digit, ["card", i]] as const)),
  },
  { caps: ["Enter"], says: "keys.play", does: { Enter: ["use"], " ": ["use"] } },
  { caps: ["Esc"], says: "keys.cancel", does: { Escape: ["escape"] } },
  ...Object.entries(VERBS).flatMap(([verb, how]) => ("key" in how ? [press(how.key, verb as Keyed)] : [])),
  press("d", "done"),
  press("b", "step"),
  press("e", "turned"),
  run("h", "hint"),
  run("u", "undo"),
  run("r", "redo"),
  run("n", "new"),
  { caps: ["[", "]"], says: "keys.step", does: { "[": ["run", "previous"], "]": ["run", "next"] } },
  { caps: ["{", "}"], says: "keys.ends", does: { "{": ["run", "first"], "}": ["run", "last"] } },
  run("l", "list"),
  run("c", "seen"),
  run("i", "say"),
  run("y", "holding"),
  run("j", "lately"),
  run("k", "piles"),
  run("x", "share"),
  run("z", "full"),
  run("o", "turn"),
  run("m", "mark"),
  run("g", "settings"),
  run("v", "rules"),
  run("?", "help"),
];

const DEEDS = new Map(KEYS.flatMap(({ does }) => Object.entries(does)));

/** A key as it was pressed. */
export type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/** What a key does; a digit leads to a card of the hand. */
export function deed(pressed: Pressed): Deed | undefined {
  const { key, code, shiftKey } = pressed;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? /^[1-9]$/.exec(key)?.[0];
  if (digit && !shiftKey) return DEEDS.get(digit);
  return DEEDS.get(key.length === 1 ? key.toLowerCase() : key) ?? DEEDS.get(onLatinKeys(pressed));
}

/** The key that stands there on a Latin keyboard, for those who type in another script. */
function onLatinKeys({ code, shiftKey }: Pressed): string {
  const bracket = { BracketLeft: "[{", BracketRight: "]}" }[code];
  return bracket ? bracket.charAt(shiftKey ? 1 : 0) : code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
}
