/** What a page has before Python is there: what its link says, how the table was seen last, the language of both, and what was stored when the site was built. */

export type Labels = Readonly<Record<string, string>>;

/** How the table was seen last. */
export interface Last {
  readonly language?: string;
  readonly [name: string]: unknown;
}

const LAST = "durak last";
const store = new Map<string, Promise<unknown>>();

/** What the link says. */
export const linked = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));

/** The language of the link, else the one that was chosen at the table, else that of the browser. */
export function spoken(): string {
  const known = (document.documentElement.dataset.languages ?? "").split(" ");
  const asked = [linked().get("language"), remembered().language, ...navigator.languages.map((code) => code.slice(0, 2))];
  return asked.find((code) => code && known.includes(code)) ?? "en";
}

export function remembered(): Last {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "{}") as Last;
  } catch {
    return {};
  }
}

export function remember(last: Last): void {
  try {
    localStorage.setItem(LAST, JSON.stringify(last));
  } catch {
    // it is painted a little later, then
  }
}

export const forget = (): void => localStorage.removeItem(LAST);

/** What lies beside the page under that name, fetched once. */
export function stored<T>(name: string): Promise<T> {
  const known = store.get(name) ?? fetch(new URL(`./${name}.json`, import.meta.url)).then((answer) => answer.json() as Promise<T>);
  store.set(name, known);
  return known as Promise<T>;
}

/** Python cannot be had here: a label says so, and why. */
export function failing(label: string | undefined, why: string): string {
  return (label ?? "{why}").replace("{why}", /[.!?]$/.test(why) ? why : `${why}.`);
}
