/** Data written by Python for these tests: scenes with all legal moves, words, verbs and settings. */

import { readdirSync, readFileSync } from "node:fs";
import type { Card, Scene, Setting } from "../src/widgets/protocol/scene";
import { type Wording, Words } from "../src/widgets/protocol/words";

export interface Golden {
  readonly name: string;
  readonly about: string;
  readonly scene: Scene;
  /** All legal moves of the viewer, in Python's order. */
  readonly legal: readonly string[];
}

interface TextData {
  /** The plural form for each language and number. */
  readonly plurals: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The texts of the front end by key. Each is its key and its values. */
  readonly words: Wording;
}

/** Names that Python and the front end share. */
interface SharedNames {
  readonly verbs: readonly string[];
  readonly settings: readonly Setting[];
  /** The answers of a table to each kind of message. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
}

const read = (path: string): unknown => JSON.parse(readFileSync(`test/${path}`, "utf-8"));

export const scenes: readonly Golden[] = readdirSync("test/scenes")
  .sort()
  .map((file) => ({ name: file.replace(".json", ""), ...(read(`scenes/${file}`) as Omit<Golden, "name">) }));

export const golden = (name: string): Golden => {
  const found = scenes.find((entry) => entry.name === name);
  if (!found) throw new Error(`there is no golden scene ${name}: python tests/test_golden_scenes.py --write`);
  return found;
};

export const { plurals, words: wording } = read("words.json") as TextData;
export const { verbs, settings, answers } = read("wire.json") as SharedNames;
/** Words for tests, where each sentence is its key and its values. */
export const words = new Words(wording);

/** Return a move with its cards in Python's order. */
export function sortMoveCards(move: string): string {
  const [verb, ...cards] = move.split(" ") as [string, ...Card[]];
  const sortKey = (card: Card): string =>
    `${"cdhs".indexOf(card.charAt(1))}${"23456789TJQKAX".indexOf(card.charAt(0)).toString(36)}${card.charAt(3) || card.charAt(1)}`;
  return [verb, ...(verb === "attack" || verb === "swap" ? cards.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) : cards)].join(" ");
}
