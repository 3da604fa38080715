/** The kinds of exercises, a record for each: how its items work, and its buttons. */

import type { Key } from "../widgets/protocol/words";

/** An exercise from Python. */
export interface ExerciseData {
  readonly kind: string;
  readonly question: string;
  readonly picture: string;
  /** The items with their words. Cards have none. */
  readonly items: readonly (readonly [item: string, words: string])[];
  readonly trump: string | null;
  readonly answer: readonly string[];
  readonly marks: Readonly<Record<string, "right" | "wrong">>;
  readonly feedback: readonly string[];
  readonly state: "" | "right" | "wrong" | "shown" | "saved";
  readonly attempt_count: number;
  /** Homework: answers are saved, can be changed, and are not graded here. */
  readonly is_grading_deferred?: boolean;
  /** Instructions that replace those of the kind. */
  readonly instructions?: string;
  /** For exercises at a table: it has started. */
  readonly has_begun?: boolean;
  /** For finished exercises at a table: there is more to say than fits on the felt. */
  readonly can_ask_why?: boolean;
  /** For a coach: the kind of each line, and the earlier lines with their kinds. */
  readonly feedback_kinds?: readonly string[];
  readonly earlier_feedback?: readonly (readonly [kind: string, said: string])[];
  /** For a drill: correct answers in a row, and the level. */
  readonly streak?: number;
  readonly level?: number;
  /** The goal for the streak, and whether it was reached. */
  readonly goal?: number;
  readonly is_goal_reached?: boolean;
  /** The level is a number of cards. */
  readonly is_level_card_count?: boolean;
  /** For a series of exercises: there is another one. */
  readonly has_next?: boolean;
  /** The card to beat, which is drawn large. */
  readonly target?: string;
  /** For a bot: rows of rules. One rule of each is chosen. */
  readonly rows?: readonly (readonly [title: string, rules: readonly (readonly [item: string, words: string])[]])[];
  /** Pictures of the answers. */
  readonly pictures?: Readonly<Record<string, string>>;
  readonly number?: string;
  /** What the number means, if it is not a number, such as marks for the endings of a day. */
  readonly number_title?: string;
  readonly challenge?: boolean;
}

/** What the user has done so far. */
export interface Attempt {
  /** The picked items, or the current order. */
  readonly answer: readonly string[];
  /** The index of the card that is being moved, or -1. */
  readonly held: number;
}

/** The labels of the visible buttons. */
export type ButtonKeys = Readonly<Partial<Record<"check" | "none" | "next" | "again" | "reveal", Key>>>;

export interface ExerciseKind {
  /** The ARIA role of the items. */
  readonly role: "group" | "radiogroup";
  /** Return the answer before the user has done anything. */
  getInitialAnswer(data: ExerciseData): readonly string[];
  /** Return the attempt after choosing an item. */
  choose?(item: string, attempt: Attempt): Attempt;
  /** Return whether the item at an index is picked. */
  isPicked(item: string, index: number, attempt: Attempt): boolean;
  listButtons(data: ExerciseData, isSure: boolean): ButtonKeys;
  /** Choosing an item sends the answer. */
  readonly answersAtOnce?: true;
  /** The items are a row to sort. They can be dragged, and their names include the position. */
  readonly isRow?: true;
  /** Any number of items can be picked. A button says that none is right. */
  readonly isSubset?: true;
  /** The answer is typed. */
  readonly isTyped?: true;
  /** The answer is on the tree or matrix below. */
  readonly isOnBoard?: true;
  /** It asks nothing and is named by its title. */
  readonly hasTitleOnly?: true;
  /** Restarting needs confirmation, because much would be lost. */
  readonly asksTwice?: true;
  /** Other exercises can change it, so it is refreshed when the user sees it. */
  readonly refreshes?: true;
}

/** Return the row after moving a card. */
export function moveCard(row: readonly string[], from: number, to: number): string[] {
  const others = row.filter((_, i) => i !== from);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), row[from] as string, ...others.slice(place)];
}

const getRowId = (item: string): string => item.slice(0, item.indexOf(":"));

export const isOver = ({ state, is_grading_deferred: kept }: ExerciseData): boolean => !kept && (state === "right" || state === "shown");
export const isDrill = ({ streak, level }: ExerciseData): boolean => streak !== undefined && level !== undefined;

/** Return the buttons after a decision: next in a drill, otherwise again, and the solution after a wrong answer. */
function listUsualButtons(data: ExerciseData): ButtonKeys {
  if (data.is_grading_deferred) return {};
  const isDone = isOver(data);
  const nextButton: ButtonKeys =
    isDone && isDrill(data) ? { next: "following" } : data.state ? { again: isDone ? "once_more" : "again" } : {};
  return data.state === "wrong" ? { ...nextButton, reveal: "reveal" } : nextButton;
}

/** Return whether the answer differs from the saved one. */
export const isChanged = ({ is_grading_deferred: kept, state, answer: given }: ExerciseData, attempt: Attempt, row = false): boolean =>
  kept === true && state !== "" && String(normalize(given, row)) !== String(normalize(attempt.answer, row));
const normalize = (given: readonly string[], row: boolean): readonly string[] => (row ? given : [...given].sort());

/** Return the usual buttons with one that submits. */
const listCheckButtons = (data: ExerciseData): ButtonKeys =>
  isOver(data) ? listUsualButtons(data) : { check: data.is_grading_deferred ? "keep" : "check", ...listUsualButtons(data) };

const DEFAULT_KIND = {
  role: "group",
  getInitialAnswer: (data) => data.answer,
  isPicked: (item, _, { answer: given }) => given.includes(item),
  listButtons: listUsualButtons,
} as const satisfies ExerciseKind;

export const KINDS = {
  /** Pick any of the cards, in any order. */
  pick: {
    ...DEFAULT_KIND,
    isSubset: true,
    choose: (item, { answer: given, held }) => ({
      answer: given.includes(item) ? given.filter((picked) => picked !== item) : [...given, item],
      held,
    }),
    listButtons: (data) =>
      isOver(data)
        ? listUsualButtons(data)
        : { check: data.is_grading_deferred ? "keep" : "check", none: "none", ...listUsualButtons(data) },
  },
  /** Sort a row of cards. */
  sort: {
    ...DEFAULT_KIND,
    isRow: true,
    getInitialAnswer: ({ answer: given, items }) => (given.length ? given : items.map(([item]) => item)),
    choose: (item, { answer: given, held }) => {
      const place = given.indexOf(item);
      return { answer: held < 0 ? given : moveCard(given, held, place), held: held < 0 ? place : -1 };
    },
    isPicked: (_, index, { held }) => index === held,
    listButtons: listCheckButtons,
  },
  /** Choose one answer. */
  choose: { ...DEFAULT_KIND, role: "radiogroup", answersAtOnce: true, choose: (item) => ({ answer: [item], held: -1 }) },
  /** Type a number. */
  number: { ...DEFAULT_KIND, isTyped: true, listButtons: listCheckButtons },
  /** Choose a rule in each row. An item is named by row and rule. */
  bot: {
    ...DEFAULT_KIND,
    choose: (item, { answer: given }) => ({ answer: [...given.filter((other) => getRowId(other) !== getRowId(item)), item], held: -1 }),
    listButtons: listCheckButtons,
  },
  /** Play at the table below, which can also restart. */
  play: {
    ...DEFAULT_KIND,
    listButtons: ({ state, is_grading_deferred: kept, has_next: more }) =>
      kept ? {} : { ...(more && state ? { next: "following" } : {}), ...(state === "wrong" ? { reveal: "reveal" } : {}) },
  },
  /** Answer on the tree or matrix below. */
  board: { ...DEFAULT_KIND, isOnBoard: true, listButtons: listCheckButtons },
  /** The user's progress, which can be deleted. */
  progress: {
    ...DEFAULT_KIND,
    hasTitleOnly: true,
    asksTwice: true,
    refreshes: true,
    listButtons: ({ attempt_count: tries }, isSure) => (tries ? { again: isSure ? "sure" : "forget" } : {}),
  },
} as const satisfies Readonly<Record<string, ExerciseKind>>;

export type KindName = keyof typeof KINDS;

/** Return whether this page knows a kind. */
export const isKind = (name: string): name is KindName => Object.hasOwn(KINDS, name);
