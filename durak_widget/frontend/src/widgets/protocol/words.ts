/** Names and sentences in the user's language, from the table of words that Python sends. */

import type { words } from "../../../test/words.json";
import { type Card, getPlayedCard } from "./scene";

/** A key of the words in Python. Other keys do not compile. */
export type Key = Exclude<keyof typeof words, "lang">;
/** A key with plural forms. */
export type CountKey = Key extends infer K ? (K extends `${infer Stem}.one` ? Stem : never) : never;
export type Wording = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string | number>>;

/** The longest short form of a name, in letters. It has a place as wide as a sixth of a phone. */
const LONGEST_SHORT_NAME = 5;

export class Words {
  /** The code of the language. */
  readonly language: string;
  /** The language and the letters on cards. Cards drawn with another key must be drawn again. */
  readonly key: string;
  private readonly plural: Intl.PluralRules;

  constructor(private readonly wording: Wording) {
    this.language = wording.lang ?? "en";
    this.key = this.language + [..."JQKA"].map((rank) => this.formatRank(rank)).join("");
    this.plural = new Intl.PluralRules(this.language);
  }

  /** Return the words of a key with its values. A missing key is shown as it is, so that it is noticed. */
  say(key: Key, facts: Values = {}): string {
    return this.fillTemplate(key, facts);
  }

  /** Return the words for a count, in the right plural form. */
  sayCount(key: CountKey, count: number): string {
    const form = `${key}.${this.plural.select(count)}`;
    return this.fillTemplate(form in this.wording ? form : `${key}.other`, { count });
  }

  /** Return the words for a name from Python. */
  sayNamed(family: string, name: string | number, facts: Values = {}): string {
    return this.fillTemplate(`${family}.${name}`, facts);
  }

  /** Format a player: a person, or a bot by its name in this language. */
  formatPlayer(player: string): string {
    return player === "you" ? this.say("person") : (this.wording[`who.${player}`] ?? player);
  }

  /** Shorten a name for a narrow place: `Yasha` for `Uncle Yasha`. Longer names have no short form. */
  shortenName(name: string): string | undefined {
    const last = name.slice(name.lastIndexOf(" ") + 1);
    return last.length <= LONGEST_SHORT_NAME ? last : undefined;
  }

  /** Describe the character of an opponent. Other bots have none. */
  describeCharacter(bot: string): string | undefined {
    return this.wording[`people.${bot}.is`];
  }

  /** Format the trump suit. */
  formatTrump(suit: string | null | undefined): string {
    return suit ? this.say("trump", { suit: this.formatSuit(suit) }) : this.say("no_trumps");
  }

  /** Format the rank of a card as cards show it: `10`, or `В` for a jack in Russian. */
  formatRank(card: Card): string {
    return this.wording[`letter.${card.charAt(0)}`] ?? card.charAt(0);
  }

  /** Format a card as `10♥`. */
  formatSign(card: Card): string {
    return `${this.formatRank(card)}${{ c: "♣", d: "♦", h: "♥", s: "♠" }[card.charAt(1)] ?? "★"}\ufe0e`;
  }

  /** `7 of clubs`. */
  formatCard(card: Card): string {
    const [rank, suit] = card;
    if (rank === "X") return this.sayNamed("joker", card);
    const name = this.say("card", { rank: this.sayNamed("rank", rank ?? ""), of: this.sayNamed("of", suit ?? "") });
    return card.length > 2 ? this.say("card.as", { card: name, suit: this.formatSuit(getPlayedCard(card).charAt(1)) }) : name;
  }

  formatSuit(suit: string): string {
    return this.sayNamed("suit", suit);
  }

  private fillTemplate(key: string, facts: Values): string {
    const template = this.wording[key] ?? key;
    return template.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? `{${name}}`));
  }
}
