/** Names and sentences in the language that Python chose; Python sends the table of words. */

import type { words } from "../../../test/words.json";
import { type Card, counts } from "./scene";

/** A word that Python has, as it has written them down: another one does not compile. */
export type Key = Exclude<keyof typeof words, "lang">;
/** A word that is said for counts, in the forms of the language. */
export type Counted = Key extends infer K ? (K extends `${infer Stem}.one` ? Stem : never) : never;
export type Wording = Readonly<Record<string, string>>;
export type Facts = Readonly<Record<string, string | number>>;

export class Words {
  /** The code of the language. */
  readonly language: string;
  private readonly plural: Intl.PluralRules;

  constructor(private readonly wording: Wording) {
    this.language = wording.lang ?? "en";
    this.plural = new Intl.PluralRules(this.language);
  }

  /** The words of that key, with its facts put in; the key itself where a word is missing, so that it is seen. */
  say(key: Key, facts: Facts = {}): string {
    return this.fill(key, facts);
  }

  /** The same for a count, in the form that the language has for it. */
  count(key: Counted, count: number): string {
    const form = `${key}.${this.plural.select(count)}`;
    return this.fill(form in this.wording ? form : `${key}.other`, { count });
  }

  /** The words for something that Python has named. */
  named(family: string, name: string | number, facts: Facts = {}): string {
    return this.fill(`${family}.${name}`, facts);
  }

  /** Who plays a seat: a person, or a bot, by its name in this language if it has one. */
  who(who: string): string {
    return who === "you" ? this.say("person") : (this.wording[`who.${who}`] ?? who);
  }

  /** Who an opponent is; of another bot nothing is said. */
  character(bot: string): string | undefined {
    return this.wording[`people.${bot}.is`];
  }

  /** What is trump. */
  trumps(suit: string | null | undefined): string {
    return suit ? this.say("trump", { suit: this.suit(suit) }) : this.say("no_trumps");
  }

  /** `7 of clubs`. */
  card(card: Card): string {
    const [rank, suit] = card;
    if (rank === "X") return this.named("joker", card);
    const name = this.say("card", { rank: this.named("rank", rank ?? ""), of: this.named("of", suit ?? "") });
    return card.length > 2 ? this.say("card.as", { card: name, suit: this.suit(counts(card).charAt(1)) }) : name;
  }

  suit(suit: string): string {
    return this.named("suit", suit);
  }

  private fill(key: string, facts: Facts): string {
    const said = this.wording[key] ?? key;
    return said.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? `{${name}}`));
  }
}
