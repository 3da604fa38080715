/** The verbs of the game, each once, with how a person makes such a move and the key of its button. What the front end does with verbs follows from this table. */

export const VERBS = {
  attack: { by: "card", key: "a" },
  throw: { by: "card" },
  beat: { by: "target" },
  transfer: { by: "asked", key: "f" },
  show: { by: "asked", key: "s" },
  swap: { by: "two", key: "w" },
  pass: { by: "bare", key: "p" },
  take: { by: "bare", key: "t" },
} as const satisfies Readonly<Record<string, { readonly by: Way; readonly key?: string }>>;

/** By a card; by one laid on a card of the table; by one that a button may ask for first; by a button and two cards; by a button alone. */
type Way = "card" | "target" | "asked" | "two" | "bare";

export type Verb = keyof typeof VERBS;
type By<W extends Way> = { [V in Verb]: (typeof VERBS)[V]["by"] extends W ? V : never }[Verb];
/** Verbs whose button has a key. */
export type Keyed = { [V in Verb]: (typeof VERBS)[V] extends { readonly key: string } ? V : never }[Verb];
/** Verbs of which one card is the move. */
export type Direct = By<"card" | "target" | "asked">;
/** Verbs with a button that asks for the cards. */
export type Mode = By<"asked" | "two">;
/** Verbs without a card. */
export type Bare = By<"bare">;

/** The verbs that are made in one of these ways, in the order of the table. */
export function by<W extends Way>(...ways: readonly W[]): readonly By<W>[] {
  return Object.entries(VERBS).flatMap(([verb, how]) => ((ways as readonly Way[]).includes(how.by) ? [verb as By<W>] : []));
}

/** Whether this is a verb without a card. */
export const isBare = (name: string): name is Bare => (by("bare") as readonly string[]).includes(name);
