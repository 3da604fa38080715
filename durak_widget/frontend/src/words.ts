/** Names and sentences in the language that Python chose; Python sends the table of words. */

import { counts } from "./moves";
import type { Card } from "./scene";

export type Table = Readonly<Record<string, string>>;

export class Words {
  private readonly plural: Intl.PluralRules;

  constructor(private readonly table: Table, readonly language: string) {
    this.plural = new Intl.PluralRules(language || "en");
  }

  /** The words of that key, with its facts put in; the key itself where a word is missing, so that it is seen. */
  say(key: string, facts: Readonly<Record<string, string | number>> = {}): string {
    const said = this.table[key] ?? key;
    return said.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? `{${name}}`));
  }

  /** The same for a count, in the form that the language has for it. */
  count(key: string, count: number): string {
    const form = `${key}.${this.plural.select(count)}`;
    return this.say(form in this.table ? form : `${key}.other`, { count });
  }

  /** `7 of clubs`. */
  card(card: Card): string {
    const [rank, suit] = card;
    if (rank === "X") return this.say(`joker.${card}`);
    const name = this.say("card", { rank: this.say(`rank.${rank}`), of: this.say(`of.${suit}`) });
    return card.length > 2 ? this.say("card.as", { card: name, suit: this.suit(counts(card).charAt(1)) }) : name;
  }

  suit(suit: string): string {
    return this.say(`suit.${suit}`);
  }
}
