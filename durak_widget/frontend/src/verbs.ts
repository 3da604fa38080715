/** The verbs of the game, each once, with how a person makes such a move. What the front end does with verbs follows from this table. */

export const VERBS = {
  attack: "card",
  throw: "card",
  beat: "target",
  transfer: "asked",
  show: "asked",
  swap: "two",
  pass: "bare",
  take: "bare",
} as const satisfies Readonly<Record<string, Way>>;

/** By a card; by one laid on a card of the table; by one that a button may ask for first; by a button and two cards; by a button alone. */
type Way = "card" | "target" | "asked" | "two" | "bare";

export type Verb = keyof typeof VERBS;
type By<W extends Way> = { [V in Verb]: (typeof VERBS)[V] extends W ? V : never }[Verb];
/** Verbs of which one card is the move. */
export type Direct = By<"card" | "target" | "asked">;
/** Verbs with a button that asks for the cards. */
export type Mode = By<"asked" | "two">;
/** Verbs without a card. */
export type Bare = By<"bare">;

/** The verbs that are made in one of these ways, in the order of the table. */
export function by<W extends Way>(...ways: readonly W[]): readonly By<W>[] {
  return Object.entries(VERBS).flatMap(([verb, way]) => ((ways as readonly Way[]).includes(way) ? [verb as By<W>] : []));
}

/** Whether this is a verb without a card. */
export const isBare = (name: string): name is Bare => (by("bare") as readonly string[]).includes(name);
