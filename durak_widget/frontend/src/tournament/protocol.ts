/** The protocol of a tournament, and when something is announced. */

export type State = "idle" | "playing" | "stopping" | "stopped" | "done" | "failed";

export interface TournamentData {
  readonly lang: string;
  readonly title: string;
  readonly rules: string;
  readonly state: State;
  readonly text: string;
  readonly played: number;
  readonly planned: number;
  readonly count: string;
  readonly time_left: string;
  /** The action of the main button. Empty if all games are played. */
  readonly main_button: "start" | "stop" | "";
  /** Sentences as HTML, which Python has sanitized. */
  readonly remarks: readonly string[];
  readonly standings: string;
  readonly disqualified: readonly string[];
  readonly forfeits: readonly { readonly text: string; readonly location: string }[];
  readonly names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** The HTML of opened parts. */
export type Parts = Readonly<Partial<Record<Part, string>>>;
export type Part = "matrix" | "course";

export interface Games {
  readonly player?: number;
  readonly first_game?: number;
  readonly lines?: readonly { readonly game: number; readonly text: string }[];
  readonly has_earlier?: boolean;
  readonly has_later?: boolean;
}

export type Message =
  | { readonly kind: "start" | "stop" | "close_table" }
  | { readonly kind: "open_part"; readonly part: Part }
  | { readonly kind: "list_games"; readonly player: number; readonly first_game: number }
  | { readonly kind: "open_game"; readonly game: number };

/** Return the progress in percent. */
export const computePercent = ({ played, planned }: Pick<TournamentData, "played" | "planned">): number =>
  planned > 0 ? Math.min(100, Math.floor((100 * played) / planned)) : 100;

/** Return the announcement for an update: changed state, or each quarter of the progress. More would never be silent. */
export function formatAnnouncement(before: TournamentData | undefined, after: TournamentData): string {
  if (!before) return "";
  if (before.state !== after.state) return `${after.text} ${after.count}`;
  const findQuarter = (data: TournamentData): number => Math.floor(computePercent(data) / 25);
  return findQuarter(before) < findQuarter(after) ? `${after.count}${after.time_left && `, ${after.time_left}`}` : "";
}
