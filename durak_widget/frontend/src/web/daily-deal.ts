/** The deal of the day: a link to the same cards for everyone. It is offered from the second day on, until it is opened. */

const STORAGE_KEY = "durak day";

/** Return the day of a date where the visitor is, such as `2026-12-01`. */
export const formatDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** Return the link to the deal of a day, against the visitor's next opponent. */
export const makeDailyLink = (day: string): string => `#rules=podkidnoy&seed=${day}&seats=you,next`;

/** Return whether the deal of a day is new to the visitor. On the very first day it is not offered, because any game is new then. */
export function isDealNew(day: string): boolean {
  try {
    const lastDay = localStorage.getItem(STORAGE_KEY);
    if (lastDay === null) markDealOpened(day);
    return lastDay !== null && lastDay !== day;
  } catch {
    return false; // Without storage every day is the first one.
  }
}

/** Remember that the visitor has opened the deal of a day. */
export function markDealOpened(day: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, day);
  } catch {
    // Then it is offered again.
  }
}

export const clearDealDay = (): void => localStorage.removeItem(STORAGE_KEY);
