/** The protocol of a tournament, and when something is announced. */

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
  /** The action of the main button. Empty if all games are played. */
  readonly press: "go" | "stop" | "";
  /** Sentences as HTML, which Python has sanitized. */
  readonly told: readonly string[];
  readonly places: string;
  readonly gone: readonly string[];
  readonly lost: readonly { readonly said: string; readonly where: string }[];
  readonly names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** The HTML of opened parts. */
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

/** Return the progress in percent. */
export const computePercent = ({ played, planned }: Pick<Sheet, "played" | "planned">): number =>
  planned > 0 ? Math.min(100, Math.floor((100 * played) / planned)) : 100;

/** Return the announcement for an update: changed state, or each quarter of the progress. More would never be silent. */
export function formatAnnouncement(before: Sheet | undefined, after: Sheet): string {
  if (!before) return "";
  if (before.state !== after.state) return `${after.said} ${after.count}`;
  const findQuarter = (sheet: Sheet): number => Math.floor(computePercent(sheet) / 25);
  return findQuarter(before) < findQuarter(after) ? `${after.count}${after.left && `, ${after.left}`}` : "";
}
