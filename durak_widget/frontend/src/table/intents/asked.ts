/** What the bar and the keys may ask for besides moves, by name. */

import type { Draft, Setting } from "../../widgets/protocol/scene";

export const STEPS = ["first", "previous", "next", "last"] as const;
export const WISHES = ["undo", "redo", "hint"] as const;
/** What is read aloud when it is asked for. */
export const ALOUD = ["say", "holding", "lately", "piles"] as const;
export type Aloud = (typeof ALOUD)[number];
export type Panel = "list" | "seen" | "share" | "settings" | "help" | "rules" | "turned";
export type Command = (typeof STEPS)[number] | "play" | (typeof WISHES)[number] | Aloud | "new" | "full" | "turn" | "mark" | Panel;

/** The settings of the look, as Python tells them, and their values. */
export interface Settings {
  all(): readonly Setting[];
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** What drawers ask of the table. */
export interface Hooks {
  readonly settings: Settings;
  bots(): readonly string[];
  run(name: Command): void;
  /** Play something else; whether that was wanted. */
  deal(draft: Draft): Promise<boolean>;
  /** Find out whether what was pasted can be laid. */
  read(text: string): void;
  /** Lay it: it can be. */
  lay(text: string): void;
}
