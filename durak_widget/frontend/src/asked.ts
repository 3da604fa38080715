/** What the bar and the keys may ask for besides moves, by name. */

export const STEPS = ["first", "previous", "next", "last"] as const;
export const WISHES = ["undo", "redo", "hint"] as const;
export type Panel = "list" | "seen" | "share" | "settings" | "help" | "rules";
export type Command = (typeof STEPS)[number] | "play" | (typeof WISHES)[number] | "new" | "say" | "full" | "turn" | "mark" | Panel;
