/** What Python has written down for these tests: scenes at telling moments with all their legal moves, words, verbs, settings. */

import { readdirSync, readFileSync } from "node:fs";
import type { Card, Scene, Setting } from "../src/widgets/protocol/scene";
import { type Wording, Words } from "../src/widgets/protocol/words";

export interface Golden {
  readonly name: string;
  readonly about: string;
  readonly scene: Scene;
  /** Every legal move of the viewer, as Python lists them. */
  readonly legal: readonly string[];
}

interface Said {
  /** For each language and number, the plural form. */
  readonly plurals: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What the front end says by itself, by key: each sentence is its key and its facts. */
  readonly words: Wording;
}

/** What both sides have to name alike. */
interface Wire {
  readonly verbs: readonly string[];
  readonly settings: readonly Setting[];
  /** For each kind of message what a table answers it with: a scene, or messages of these kinds. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
}

const read = (path: string): unknown => JSON.parse(readFileSync(`test/${path}`, "utf-8"));

export const scenes: readonly Golden[] = readdirSync("test/scenes")
  .sort()
  .map((file) => ({ name: file.replace(".json", ""), ...(read(`scenes/${file}`) as Omit<Golden, "name">) }));

export const golden = (name: string): Golden => {
  const found = scenes.find((one) => one.name === name);
  if (!found) throw new Error(`there is no golden scene ${name}: python tests/test_golden_scenes.py --write`);
  return found;
};

export const { plurals, words: wording } = read("words.json") as Said;
export const { verbs, settings, answers } = read("wire.json") as Wire;
/** The words of a language for tests, in which a sentence is its key and its facts. */
export const words = new Words(wording);

/** A move with its cards in the order in which Python writes those of an opening or a swap. */
export function ordered(move: string): string {
  const [verb, ...cards] = move.split(" ") as [string, ...Card[]];
  const place = (card: Card): string =>
    `${"cdhs".indexOf(card.charAt(1))}${"23456789TJQKAX".indexOf(card.charAt(0)).toString(36)}${card.charAt(3) || card.charAt(1)}`;
  return [verb, ...(verb === "attack" || verb === "swap" ? cards.sort((a, b) => (place(a) < place(b) ? -1 : 1)) : cards)].join(" ");
}
