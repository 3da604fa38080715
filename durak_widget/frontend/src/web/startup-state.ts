/** What a page knows before Python is ready: link, last view, language, and data stored at build time. */

import { renameFormerFields } from "./former-scene";

export type Labels = Readonly<Record<string, string>>;

/** The last view of the table. */
export interface LastView {
  readonly language?: string;
  readonly [name: string]: unknown;
}

const STORAGE_KEY = "durak last";
const requests = new Map<string, Promise<unknown>>();

/** Read the parameters of the link. */
export const readLink = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));

/** Choose the language: of the link, of the last view, or of the browser. */
export function chooseLanguage(): string {
  const available = (document.documentElement.dataset.languages ?? "").split(" ");
  const candidates = [readLink().get("language"), readLastView().language, ...navigator.languages.map((code) => code.slice(0, 2))];
  return candidates.find((code) => code && available.includes(code)) ?? "en";
}

export function readLastView(): LastView {
  try {
    const view = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as LastView;
    return view.scene ? { ...view, scene: renameFormerFields(view.scene) } : view;
  } catch {
    return {};
  }
}

export function saveLastView(last: LastView): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(last));
  } catch {
    // Then the table is painted a little later.
  }
}

export const clearLastView = (): void => localStorage.removeItem(STORAGE_KEY);

/** Fetch a stored JSON file by name, once. */
export function fetchStored<T>(name: string): Promise<T> {
  const known = requests.get(name) ?? fetch(new URL(`./${name}.json`, import.meta.url)).then((answer) => answer.json() as Promise<T>);
  requests.set(name, known);
  return known as Promise<T>;
}

/** Format the message that Python can't start here. */
export function formatFailure(label: string | undefined, why: string): string {
  return (label ?? "{why}").replace("{why}", /[.!?]$/.test(why) ? why : `${why}.`);
}
