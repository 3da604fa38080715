/** What the session tells the projector page, and the commands of the teacher. */

export type Phase = "lobby" | "open" | "stopped" | "revealed" | "ended";
export const MARKS = ["best", "equilibrium", "right", "mistake"] as const;
export type Mark = (typeof MARKS)[number];

export interface Bar {
  readonly label: string;
  readonly count: number;
  /** The share as text, such as `64 %`. */
  readonly percent: string;
  /** The share from 0 to 1. */
  readonly fraction: number;
  readonly marks: readonly Mark[];
  readonly note: string;
}

export interface BarGroup {
  readonly title: string;
  readonly note: string;
  readonly bars: readonly Bar[];
}

export interface Board {
  readonly title: string;
  readonly text: string;
  /** A drawing as SVG text. */
  readonly picture: string | null;
  readonly picture_text: string;
  readonly groups: readonly BarGroup[];
  readonly lines: readonly string[];
  readonly equilibria: readonly string[];
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] } | null;
  readonly earlier: readonly { readonly title: string; readonly groups: readonly BarGroup[] }[];
}

export interface Person {
  readonly seat: number;
  readonly name: string;
  readonly here: boolean;
  readonly answered: boolean;
  readonly simulated: boolean;
  readonly points: string | null;
  /** The points as a number, to sort by. */
  readonly score?: number | null;
  /** Which player the student is; empty if all have the same role. */
  readonly role?: string;
}

export interface CurrentQuestion {
  readonly id: number;
  readonly kind: string;
  readonly title: string;
  readonly text?: string;
  readonly picture?: string | null;
  readonly picture_text?: string;
  /** What students choose from, or the limits of a number. */
  readonly options?: readonly string[];
  /** The names of the roles, if there are several. */
  readonly roles?: readonly string[];
  readonly attempt: number;
  readonly round: number | null;
  readonly rounds: number | null;
  /** Whether the solver still computes. */
  readonly is_working: boolean;
  /** Whether the plan asks it once more, and the results come after that. */
  readonly is_asked_again?: boolean;
  /** Whether students set probabilities. Then a count of students for each action means nothing. */
  readonly is_mix?: boolean;
  /** When it was asked, in seconds since 1970. */
  readonly opened_at?: number;
}

export interface PlanStep {
  readonly title: string;
  readonly note: string;
  readonly minutes: number | null;
  readonly is_done: boolean;
  readonly is_current: boolean;
}

export interface RoomState {
  readonly revision: number;
  readonly code: string;
  readonly language: string;
  readonly phase: Phase;
  readonly title: string;
  readonly counts: {
    readonly joined: number;
    readonly here: number;
    readonly answered: number;
    readonly expected: number;
    readonly simulated: number;
  };
  readonly people: readonly Person[];
  readonly question: CurrentQuestion | null;
  readonly tally: readonly BarGroup[];
  readonly board: Board | null;
  readonly plan: { readonly title: string; readonly steps: readonly PlanStep[]; readonly is_finished: boolean } | null;
  readonly is_entry_open?: boolean;
  /** Whether the projector shows the best students. */
  readonly shows_scores?: boolean;
  readonly commands: readonly string[];
  /** The command that the teacher probably wants; empty if there is none. */
  readonly main: string;
  readonly problem: string | null;
  readonly links?: { readonly join?: string; readonly short?: string; readonly qr?: string; readonly teacher?: string };
}

/** A question that is ready to ask. */
export type Spec = Readonly<Record<string, string | number>> & { readonly kind: string };

export type Command =
  | { readonly do: "stop" | "reveal" | "next" | "again" | "end" | "dismiss_simulated" | "close_entry" | "open_entry" | "remove_silent" }
  | { readonly do: "ask_step"; readonly step: number }
  | { readonly do: "show_scores"; readonly shown: boolean }
  | { readonly do: "ask"; readonly spec: Spec }
  | { readonly do: "rehearse"; readonly count: number }
  | { readonly do: "remove"; readonly seat: number }
  | { readonly do: "rename"; readonly seat: number; readonly name: string }
  | { readonly do: "set_language"; readonly language: string };

export interface Reply {
  readonly kind: "reply";
  readonly id: number;
  readonly error?: unknown;
}

/** What the page knows of the connection. */
export type Connection = "connecting" | "connected" | "lost" | "waiting" | "refused";

/** Return the marks that a board uses, in a fixed order, for the legend. */
export function listMarks(groups: readonly BarGroup[]): Mark[] {
  const used = new Set(groups.flatMap(({ bars }) => bars.flatMap(({ marks }) => marks)));
  return MARKS.filter((mark) => used.has(mark));
}

/** Return whether the name of the phase, the question or the end of answering must be announced. */
export function describeChange(before: RoomState | undefined, after: RoomState): "phase" | "all_answered" | "calculating" | undefined {
  if (!before) return undefined;
  if (before.phase !== after.phase || before.question?.id !== after.question?.id || before.question?.attempt !== after.question?.attempt)
    return "phase";
  if (after.question?.is_working && !before.question?.is_working && after.phase !== "open") return "calculating";
  return hasEveryoneAnswered(after) && !hasEveryoneAnswered(before) ? "all_answered" : undefined;
}

export const hasEveryoneAnswered = ({ phase, counts }: RoomState): boolean =>
  phase === "open" && counts.expected > 0 && counts.answered >= counts.expected;

/** Return what the button for simulated students does: add some only while there are no real students. */
export function chooseRehearsal({ phase, counts }: RoomState): "rehearse" | "dismiss_simulated" | undefined {
  if (phase === "ended") return undefined;
  if (counts.simulated > 0) return "dismiss_simulated";
  return counts.joined > 0 ? undefined : "rehearse";
}

/** Return whether another question can be asked: none may be open. */
export const canAsk = ({ phase }: RoomState): boolean => phase === "lobby" || phase === "stopped" || phase === "revealed";

/**
 * Return the command of the main button. Without a plan or after its end, it leads to the list of questions: the button that ends the
 * session has a place of its own.
 */
export const chooseMain = ({ main, ...state }: RoomState): string =>
  main && main !== "end" ? main : canAsk(state as RoomState) ? "ask" : "";

/** Return the key of the main button's label: what the command means now. */
export function nameMain(state: RoomState): string {
  const { phase, question } = state;
  const command = chooseMain(state);
  if (command !== "next") return command;
  if (phase === "lobby") return "start";
  if (question?.is_asked_again) return "again";
  return question && (question.round ?? 1) < (question.rounds ?? 1) && phase === "revealed" ? "round" : command;
}

/** Return the students who are away and have not answered. */
export const listAway = ({ people }: RoomState): Person[] => people.filter(({ here, answered }) => !here && !answered);

/** Return the roles whose answers will be missing, each with the number of its students, who are all away. */
export function listSilentRoles({ phase, people, question }: RoomState): { role: string; count: number }[] {
  if (phase !== "open" || !people.length) return [];
  return (question?.roles ?? [])
    .map((role) => ({ role, players: people.filter((person) => person.role === role) }))
    .filter(({ players }) => !players.some(({ here, answered }) => here || answered))
    .map(({ role, players }) => ({ role, count: players.length }));
}

/** Return the students with the most points, and their places: equal points share a place. */
export function rankPeople(people: readonly Person[], most: number): { place: number; person: Person }[] {
  const scored = people.filter(({ score }) => score != null).sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return scored.slice(0, most).map((person) => ({ place: scored.findIndex(({ score }) => score === person.score) + 1, person }));
}

/** Return a time such as `2:05`. */
export const formatTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Smaller text is in signs, such as the numbers of players. */
const MIN_WORD = 11;

/** Return the size of a drawing and its smallest text, from its SVG. */
export function measurePicture(svg: string): { width: number; height: number; text: number } {
  const head = /<svg[^>]*>/.exec(svg)?.[0] ?? "";
  const box = /viewBox="([^"]+)"/
    .exec(head)?.[1]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const side = (name: string): number => Number(new RegExp(`\\s${name}="([\\d.]+)`).exec(head)?.[1]);
  const sizes = [...svg.matchAll(/font-size\s*[:=]\s*"?([\d.]+)(?:px)?["';}]/g)]
    .map(([, size]) => Number(size))
    .filter((size) => size >= MIN_WORD);
  return {
    width: box?.[2] || side("width") || 300,
    height: box?.[3] || side("height") || 150,
    text: sizes.length ? Math.min(...sizes) : 12,
  };
}
