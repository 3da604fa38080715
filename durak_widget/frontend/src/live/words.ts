/** The texts of a page of a live class session, and its language. */

/** The languages of the pages, each by its own name. */
export const LANGUAGES = { en: "English", lt: "Lietuvių", ru: "Русский" } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (code: unknown): code is Language => typeof code === "string" && Object.hasOwn(LANGUAGES, code);

/** Return the first language that the page has. */
export const chooseLanguage = (...candidates: readonly (string | null | undefined)[]): Language =>
  candidates.map((code) => code?.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";

export type Texts = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

export class Words<Key extends string = string> {
  constructor(
    readonly language: Language,
    private readonly texts: Texts,
  ) {}

  /** Return a text with its values. A missing text shows its key, so that it is noticed. */
  say(key: Key, values: Values = {}): string {
    return (this.texts[key] ?? key).replace(/\{(\w+)\}/g, (field, name: string) => String(values[name] ?? field));
  }

  /** Return a text with a count, in the right plural form. */
  sayCount(key: string, count: number, values: Values = {}): string {
    const form = `${key}.${new Intl.PluralRules(this.language).select(count)}`;
    return this.say((this.has(form) ? form : `${key}.other`) as Key, { ...values, count });
  }

  has(key: string): boolean {
    return key in this.texts;
  }
}

/** Fetch the texts of a language. */
export async function fetchWords<Key extends string>(language: Language): Promise<Words<Key>> {
  const reply = await fetch(`words.${language}.json`, { credentials: "omit" });
  if (!reply.ok) throw new Error(String(reply.status));
  return new Words<Key>(language, (await reply.json()) as Texts);
}
