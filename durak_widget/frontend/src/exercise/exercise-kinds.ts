/** The kinds of exercises, a record for each: what can be done with its items, which buttons there are. Another kind is another record. */

import type { Key } from "../widgets/protocol/words";

/** What Python shows of an exercise. */
export interface Sheet {
  readonly kind: string;
  readonly question: string;
  readonly picture: string;
  /** What can be picked, and its words; a card has none. */
  readonly items: readonly (readonly [item: string, words: string])[];
  readonly trump: string | null;
  readonly given: readonly string[];
  readonly marks: Readonly<Record<string, "right" | "wrong">>;
  readonly said: readonly string[];
  readonly state: "" | "right" | "wrong" | "shown" | "kept";
  readonly tries: number;
  /** Answers are kept, and can be changed at any time; nothing is shown of what is right. */
  readonly kept?: boolean;
  /** What is said instead of how this kind is done. */
  readonly how?: string;
  /** Of a task at a table: something has been done there. */
  readonly begun?: boolean;
  /** Of a task at a table that is decided: more is said of it than stands on the felt. */
  readonly asked_why?: boolean;
  /** Of a coach: of which kind each line is that is said, and the lines of the turns before with theirs. */
  readonly kinds?: readonly string[];
  readonly before?: readonly (readonly [kind: string, said: string])[];
  /** Of a drill: how many in a row were right, and how hard it is. */
  readonly streak?: number;
  readonly level?: number;
  /** How many in a row are asked for, and whether that was reached. */
  readonly goal?: number;
  readonly done?: boolean;
  /** Whether it is told by how many cards are left, and not by a level. */
  readonly cards?: boolean;
  /** Of tasks that are played in turn: another waits. */
  readonly more?: boolean;
  /** The card that is to be beaten, which is drawn large. */
  readonly target?: string;
  /** Of a bot: rows of rules, one of which is chosen in each. */
  readonly rows?: readonly (readonly [title: string, rules: readonly (readonly [item: string, words: string])[]])[];
  /** What an answer looks like. */
  readonly pictures?: Readonly<Record<string, string>>;
  readonly number?: string;
  readonly challenge?: boolean;
}

/** What a person has done so far. */
export interface Doing {
  /** What is picked, or the row as it now lies. */
  readonly given: readonly string[];
  /** The place of the card of a row that is taken up; -1 without one. */
  readonly held: number;
}

/** The buttons that are there, and the words on them. */
export type Buttons = Readonly<Partial<Record<"check" | "none" | "next" | "again" | "reveal", Key>>>;

export interface Kind {
  /** What the items are together, for a screen reader. */
  readonly role: "group" | "radiogroup";
  /** What is given before anything has been done. */
  begins(sheet: Sheet): readonly string[];
  /** What choosing an item comes to. */
  choose?(item: string, doing: Doing): Doing;
  /** Whether the item that lies at this place is picked. */
  picked(item: string, place: number, doing: Doing): boolean;
  buttons(sheet: Sheet, sure: boolean): Buttons;
  /** Choosing an item is the answer. */
  readonly answers?: true;
  /** The items are a row that is put in order: they can be dragged, and are named with their place. */
  readonly row?: true;
  /** Some of the items are picked, or none, which is said by a button of its own. */
  readonly some?: true;
  /** What is given is typed. */
  readonly typed?: true;
  /** What is given stands on the tree or the matrix below, and is judged as it stands there. */
  readonly below?: true;
  /** Nothing is asked: it is named by its title alone. */
  readonly title?: true;
  /** To begin again is asked for twice, since much would be forgotten. */
  readonly twice?: true;
  /** Others may change it: it is looked at again when somebody comes to see it. */
  readonly looks?: true;
}

/** The row after a card has been moved to the place of another. */
export function moved(row: readonly string[], from: number, to: number): string[] {
  const rest = row.filter((_, i) => i !== from);
  const place = Math.max(0, Math.min(to, rest.length));
  return [...rest.slice(0, place), row[from] as string, ...rest.slice(place)];
}

const rowOf = (item: string): string => item.slice(0, item.indexOf(":"));

export const isOver = ({ state, kept }: Sheet): boolean => !kept && (state === "right" || state === "shown");
export const isDrill = ({ streak, level }: Sheet): boolean => streak !== undefined && level !== undefined;

/** Once something is decided: on in a drill, else again; after a wrong answer the solution. */
function usual(sheet: Sheet): Buttons {
  if (sheet.kept) return {};
  const over = isOver(sheet);
  const on: Buttons = over && isDrill(sheet) ? { next: "following" } : sheet.state ? { again: over ? "once_more" : "again" } : {};
  return sheet.state === "wrong" ? { ...on, reveal: "reveal" } : on;
}

/** Whether something else is given now than what was kept. */
export const isChanged = ({ kept, state, given }: Sheet, doing: Doing, row = false): boolean =>
  kept === true && state !== "" && String(inOrder(given, row)) !== String(inOrder(doing.given, row));
const inOrder = (given: readonly string[], row: boolean): readonly string[] => (row ? given : [...given].sort());

/** The same, with a button that gives the answer. */
const checked = (sheet: Sheet): Buttons => (isOver(sheet) ? usual(sheet) : { check: sheet.kept ? "keep" : "check", ...usual(sheet) });

const USUAL = {
  role: "group",
  begins: (sheet) => sheet.given,
  picked: (item, _, { given }) => given.includes(item),
  buttons: usual,
} as const satisfies Kind;

export const KINDS = {
  /** Some of the cards are picked, in any order. */
  pick: {
    ...USUAL,
    some: true,
    choose: (item, { given, held }) => ({ given: given.includes(item) ? given.filter((one) => one !== item) : [...given, item], held }),
    buttons: (sheet) => (isOver(sheet) ? usual(sheet) : { check: sheet.kept ? "keep" : "check", none: "none", ...usual(sheet) }),
  },
  /** A row is put in order: a card is taken up, and laid elsewhere. */
  sort: {
    ...USUAL,
    row: true,
    begins: ({ given, items }) => (given.length ? given : items.map(([item]) => item)),
    choose: (item, { given, held }) => {
      const place = given.indexOf(item);
      return { given: held < 0 ? given : moved(given, held, place), held: held < 0 ? place : -1 };
    },
    picked: (_, place, { held }) => place === held,
    buttons: checked,
  },
  /** One of some answers. */
  choose: { ...USUAL, role: "radiogroup", answers: true, choose: (item) => ({ given: [item], held: -1 }) },
  /** A number is typed. */
  number: { ...USUAL, typed: true, buttons: checked },
  /** In each row of rules one is chosen; an item is named by its row and its rule. */
  bot: {
    ...USUAL,
    choose: (item, { given }) => ({ given: [...given.filter((one) => rowOf(one) !== rowOf(item)), item], held: -1 }),
    buttons: checked,
  },
  /** What is asked is done at the table below, where it is begun again too. */
  play: {
    ...USUAL,
    buttons: ({ state, kept, more }) =>
      kept ? {} : { ...(more && state ? { next: "following" } : {}), ...(state === "wrong" ? { reveal: "reveal" } : {}) },
  },
  /** What is asked is done on the tree or the matrix below. */
  board: { ...USUAL, below: true, buttons: checked },
  /** What was learned, which can be forgotten. */
  progress: {
    ...USUAL,
    title: true,
    twice: true,
    looks: true,
    buttons: ({ tries }, sure) => (tries ? { again: sure ? "sure" : "forget" } : {}),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** Whether this is a kind that can be shown here. */
export const isKind = (name: string): name is KindName => Object.hasOwn(KINDS, name);
