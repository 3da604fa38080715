/** The messages between a student's page and the class session. */

export type Phase = "lobby" | "open" | "stopped" | "revealed" | "ended";

/** A choice at an information set: the number of an action, or whole percents for all of them. */
export type Choice = number | readonly number[];

/** An answer as the session takes it. A game has a choice for each information set of its form, in the same order. */
export type Answer =
  | { readonly infosets: readonly Choice[] }
  | { readonly choice: number }
  | { readonly choices: readonly number[] }
  | { readonly number: string }
  | { readonly text: string };

interface FormBase {
  readonly title: string;
  readonly text: string;
  readonly role?: string;
  readonly picture?: string | null;
  readonly picture_text?: string;
}

export interface Infoset {
  readonly id: number | string;
  readonly label: string;
  readonly actions: readonly { readonly text: string; readonly detail?: string }[];
}

export interface GameForm extends FormBase {
  readonly type: "game";
  readonly infosets: readonly Infoset[];
  readonly allows_mix?: boolean;
}

export interface ChoiceForm extends FormBase {
  readonly type: "choice";
  readonly options: readonly { readonly text: string; readonly picture?: string | null }[];
  readonly multiple?: boolean;
}

export interface NumberForm extends FormBase {
  readonly type: "number";
  readonly minimum?: number | string | null;
  readonly maximum?: number | string | null;
  readonly whole?: boolean;
  readonly unit?: string;
  readonly facts?: readonly string[];
}

export interface TextForm extends FormBase {
  readonly type: "text";
  readonly hint?: string;
  readonly placeholder?: string;
}

export type Form = GameForm | ChoiceForm | NumberForm | TextForm;

export interface Result {
  readonly headline: string;
  readonly lines: readonly string[];
  readonly is_right: boolean | null;
  readonly points?: string | null;
}

export interface SeatMessage {
  readonly kind: "seat";
  readonly seat: number;
  readonly name: string;
  /** Only after joining. It gives the seat back after a reload. */
  readonly key?: string;
}

export interface QuestionMessage {
  readonly kind: "question";
  readonly question: number;
  readonly form: Form;
}

export interface StateMessage {
  readonly kind: "state";
  readonly revision: number;
  readonly phase: Phase;
  readonly question: number | null;
  readonly attempt?: number;
  readonly answer: Answer | null;
  readonly result: Result | null;
  readonly is_last?: boolean;
  readonly name?: string;
  /** The total of all revealed questions. */
  readonly points?: string | null;
}

export interface RefusedMessage {
  readonly kind: "refused";
  readonly reason: string;
  readonly text: string;
  readonly question?: number | null;
}

export type SessionMessage =
  | SeatMessage
  | QuestionMessage
  | StateMessage
  | RefusedMessage
  | { readonly kind: "removed" }
  | { readonly kind: "pong" };

export type PageMessage =
  | { readonly kind: "join"; readonly name: string; readonly language: string }
  | { readonly kind: "resume"; readonly key: string; readonly language: string }
  | { readonly kind: "answer"; readonly question: number; readonly answer: Answer }
  | { readonly kind: "language"; readonly language: string }
  | { readonly kind: "rename"; readonly name: string };

/** The server closes a line with this code when the same seat connects from another page. */
export const REPLACED = 4409;

const KINDS = ["seat", "question", "state", "refused", "removed", "pong"];

/** Return whether this is a message that the page knows. A newer server may send others. */
export const isSessionMessage = (message: unknown): message is SessionMessage =>
  typeof message === "object" && message !== null && "kind" in message && KINDS.includes(String(message.kind));

/** Return whether the question asks for something that this page has a form for. */
export const isForm = (form: Form): boolean => ["game", "choice", "number", "text"].includes(form.type);
