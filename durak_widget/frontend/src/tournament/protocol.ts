/** What Python tells of a tournament, what the page says, and when something of it is read aloud. */

export type State = "idle" | "playing" | "stopping" | "stopped" | "done" | "failed";

export interface Sheet {
  readonly lang: string;
  readonly title: string;
  readonly rules: string;
  readonly state: State;
  readonly said: string;
  readonly played: number;
  readonly planned: number;
  readonly count: string;
  readonly left: string;
  /** What the button does: nothing, where all is played. */
  readonly press: "go" | "stop" | "";
  /** Sentences as parts of a page: Python has made what is in them harmless. */
  readonly told: readonly string[];
  readonly places: string;
  readonly gone: readonly string[];
  readonly lost: readonly { readonly said: string; readonly where: string }[];
  readonly names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** What somebody has opened, drawn. */
export type Parts = Readonly<Partial<Record<Part, string>>>;
export type Part = "matrix" | "course";

export interface Games {
  readonly who?: number;
  readonly first?: number;
  readonly lines?: readonly { readonly game: number; readonly said: string }[];
  readonly earlier?: boolean;
  readonly later?: boolean;
}

export type Message =
  | { readonly kind: "go" | "stop" | "away" }
  | { readonly kind: "open"; readonly part: Part }
  | { readonly kind: "games"; readonly who: number; readonly first: number }
  | { readonly kind: "look"; readonly game: number };

/** How far it is, of 100. */
export const percent = ({ played, planned }: Pick<Sheet, "played" | "planned">): number =>
  planned > 0 ? Math.min(100, Math.floor((100 * played) / planned)) : 100;

/** What is read aloud now that this is seen: how it stands when that changes, and how far it is at each quarter; nothing else, for it would never be silent. */
export function aloud(before: Sheet | undefined, now: Sheet): string {
  if (!before) return "";
  if (before.state !== now.state) return `${now.said} ${now.count}`;
  const quarter = (sheet: Sheet): number => Math.floor(percent(sheet) / 25);
  return quarter(before) < quarter(now) ? `${now.count}${now.left && `, ${now.left}`}` : "";
}
