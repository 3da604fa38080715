/** Drafts of answers: what a student chose or typed, before and after it is sent. */

import type { Words } from "../words";
import type { Answer, Choice, ChoiceForm, Form, GameForm, NumberForm } from "./protocol";
import type { Key } from "./texts";

/** What is chosen or typed so far, for any kind of form. */
export interface Draft {
  /** The choices in the order of the form. */
  readonly infosets: readonly (Choice | undefined)[];
  readonly chosen: readonly number[];
  readonly typed: string;
}

export const EMPTY: Draft = { infosets: [], chosen: [], typed: "" };

/** What is missing: the key of a text with its values, and the number of the information set in the form that it belongs to. */
export interface Missing {
  readonly text: "need.infoset" | "need.choice" | "need.choices" | "need.number" | "need.whole" | "need.range" | "need.text";
  readonly values?: Readonly<Record<string, string | number>>;
  readonly infoset?: number;
}

/** Return the draft that has the same content as a stored answer. */
export function draftFrom(answer: Answer | null): Draft {
  if (!answer) return EMPTY;
  if ("infosets" in answer) return { ...EMPTY, infosets: answer.infosets.map(simplifyMix) };
  if ("choice" in answer) return { ...EMPTY, chosen: [answer.choice] };
  if ("choices" in answer) return { ...EMPTY, chosen: answer.choices };
  return { ...EMPTY, typed: "number" in answer ? answer.number : answer.text };
}

/** Return the answer of a complete draft, or what is missing. */
export function completeDraft(form: Form, draft: Draft): { readonly answer: Answer } | { readonly missing: Missing } {
  switch (form.type) {
    case "game":
      return completeGame(form, draft);
    case "choice":
      return completeChoice(form, draft);
    case "number":
      return completeNumber(form, draft);
    case "text": {
      const text = draft.typed.trim();
      return text ? { answer: { text } } : { missing: { text: "need.text" } };
    }
  }
}

function completeGame({ infosets }: GameForm, draft: Draft): { answer: Answer } | { missing: Missing } {
  const choices: Choice[] = [];
  for (const infoset of infosets.keys()) {
    const choice = draft.infosets[infoset];
    if (choice === undefined) return { missing: { text: "need.infoset", infoset } };
    choices.push(choice);
  }
  return { answer: { infosets: choices } };
}

function completeChoice({ multiple }: ChoiceForm, { chosen }: Draft): { answer: Answer } | { missing: Missing } {
  const first = chosen[0];
  if (first === undefined) return { missing: { text: multiple ? "need.choices" : "need.choice" } };
  return { answer: multiple ? { choices: [...chosen].sort((a, b) => a - b) } : { choice: first } };
}

function completeNumber({ minimum, maximum, whole }: NumberForm, { typed }: Draft): { answer: Answer } | { missing: Missing } {
  const number = typed.replace(/\s/g, "").replace(",", ".").replace("−", "-");
  // Only the session can read a fraction and other texts that are not plain numbers.
  if (!/\d/.test(number)) return { missing: { text: "need.number" } };
  const value = Number(number);
  if (!Number.isNaN(value)) {
    const isOutside = (isGiven(minimum) && value < Number(minimum)) || (isGiven(maximum) && value > Number(maximum));
    if (isOutside && isGiven(minimum) && isGiven(maximum)) return { missing: { text: "need.range", values: { minimum, maximum } } };
    if (whole && !Number.isInteger(value)) return { missing: { text: "need.whole" } };
  }
  return { answer: { number } };
}

/** Return what an answer needs of a form: the same again for each attempt, and in each language. */
export function describeShape(form: Form): string {
  if (form.type === "game") return `game ${form.infosets.map(({ id, actions }) => `${id}:${actions.length}`)} ${Boolean(form.allows_mix)}`;
  return form.type === "choice" ? `choice ${form.options.length} ${Boolean(form.multiple)}` : form.type;
}

/** Return an answer in words: one line for each information set of a game, and one for any other form. */
export function describeAnswer(form: Form, answer: Answer, words: Words<Key>): readonly string[] {
  if ("infosets" in answer && form.type === "game") {
    return form.infosets.map(({ label, actions }, at) => {
      const choice = describeChoice(
        answer.infosets[at],
        actions.map(({ text }) => text),
        words,
      );
      return form.infosets.length > 1 ? `${label}: ${choice}` : choice;
    });
  }
  const chosen = "choices" in answer ? answer.choices : "choice" in answer ? [answer.choice] : [];
  if (form.type === "choice") return [chosen.map((option) => form.options[option]?.text || `${option + 1}`).join("; ")];
  if ("text" in answer) return [answer.text];
  if (!("number" in answer)) return [];
  const number = words.language === "en" ? answer.number : answer.number.replace(".", ",");
  const unit = form.type === "number" && form.unit ? ` ${form.unit}` : "";
  return [`${number.replace("-", "−")}${unit}`];
}

function describeChoice(given: Choice | undefined, actions: readonly string[], words: Words<Key>): string {
  const choice = given === undefined ? given : simplifyMix(given);
  if (typeof choice !== "object") return actions[choice ?? -1] ?? "";
  const shares = choice.map((percent, action) => (percent ? `${actions[action] ?? ""} ${words.say("mix.percent", { percent })}` : ""));
  return shares.filter(Boolean).join(", ");
}

export const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** Return whether two answers are the same, however the session writes them. */
export const isSameAnswer = (one: Answer | null, other: Answer | null): boolean => normalize(one) === normalize(other);

function normalize(answer: Answer | null): string {
  if (!answer) return "";
  if ("number" in answer) return `number ${readNumber(answer.number)}`;
  if ("text" in answer) return `text ${answer.text.trim()}`;
  if ("choice" in answer) return `choice ${answer.choice}`;
  if ("choices" in answer) return `choices ${[...answer.choices].sort((a, b) => a - b)}`;
  return `infosets ${JSON.stringify(answer.infosets.map(simplifyMix))}`;
}

/** Return the value of a decimal number or a fraction; any other text as it is. */
function readNumber(text: string): number | string {
  const [numerator, denominator, ...more] = text.split("/").map(Number);
  const value = more.length ? Number.NaN : (numerator ?? 0) / (denominator ?? 1);
  return Number.isNaN(value) ? text : value;
}

/** Return the number of the action of a mix that always chooses it. */
function simplifyMix(choice: Choice): Choice {
  const certain = typeof choice === "number" ? choice : choice.indexOf(100);
  return certain < 0 ? choice : certain;
}

/** Return the mix that a choice is, with equal shares where nothing is chosen yet. */
export function mixFrom(choice: Choice | undefined, actionCount: number): readonly number[] {
  if (choice === undefined)
    return shareOut(
      100,
      Array.from({ length: actionCount }, () => 1),
    );
  return typeof choice === "number" ? Array.from({ length: actionCount }, (_, action) => (action === choice ? 100 : 0)) : choice;
}

/** Give an action another share of a mix. The others share the rest as before, in whole percents. */
export function setShare(mix: readonly number[], action: number, percent: number): readonly number[] {
  const others = shareOut(
    100 - percent,
    mix.filter((_, other) => other !== action),
  );
  return [...others.slice(0, action), percent, ...others.slice(action)];
}

/** Share out a whole number in proportion to weights. The largest remainders get one more. */
function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (sum ? (total * weight) / sum : total / weights.length));
  const shares = exact.map(Math.floor);
  const order = exact.map((value, at) => ({ at, rest: value - Math.floor(value) })).sort((a, b) => b.rest - a.rest);
  const left = total - shares.reduce((a, b) => a + b, 0);
  for (const { at } of order.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1;
  return shares;
}
