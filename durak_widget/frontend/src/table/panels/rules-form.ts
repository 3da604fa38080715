/** The rules: in words, and chosen anew. What may be chosen, what it means and what cannot be mixed is told by Python. */

import { button, make, set } from "../../widgets/dom";
import type { Draft, Field, Rulebook } from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";
import type { Hooks } from "../intents/actions";

type Form = NonNullable<Rulebook["form"]>;

let houses = 0;

/** What of a form is sent back. */
const drafted = ({ preset, options, players, seats, seed }: Draft): Draft => ({
  preset,
  seats,
  seed,
  ...(options ? { options } : { players }),
});

const small = (said: string): HTMLElement => make("p", "dk-small", {}, said);
const list = (said: readonly string[]): HTMLElement => make("ul", "dk-told-rules", {}, ...said.map((one) => make("li", "", {}, one)));

export class House {
  private book: Rulebook | undefined;
  /** What was folded out. */
  private readonly open = new Set<string>();
  /** What was chosen; nothing, where it is what is played. */
  private wish: Draft | undefined;
  /** The number of the last draft, which is no other view's. */
  private nr = Math.floor(Math.random() * 1e9);
  /** The language in which it was asked for. */
  private language = "";
  /** The game whose rules were asked for. */
  private game: number | undefined;
  private readonly own = `dk${++houses}`;

  constructor(
    private readonly shared: Shared,
    private readonly hooks: Hooks,
  ) {}

  /** Have told what is not known: of another game, or in another language; what was chosen is kept. */
  ask(): void {
    const { scene, words } = this.shared;
    if (this.game === scene.game && this.language === words.language) return;
    this.game = scene.game;
    this.language = words.language;
    this.try();
  }

  /** Whether it is an answer to what was chosen last; what was chosen before that is past, and another view's is none of this one. */
  hear(book: Rulebook): boolean {
    if (book.nr !== this.nr) return false;
    const refused = book.form?.refused;
    if (refused && refused !== this.book?.form?.refused) this.shared.announce(refused);
    this.book = book;
    if (this.wish && book.form) this.wish = { ...drafted(book.form), seed: this.wish.seed };
    return true;
  }

  nodes(): Node[] {
    this.ask();
    if (!this.book) return [];
    const { title, line, told, plain, form } = this.book;
    const lists = told.flatMap(([heading, said], i) =>
      i || plain ? this.fold(`told${i}`, heading, list(said)) : [small(heading), list(said)],
    );
    return [
      ...(form ? this.offers(form, title) : []),
      make("p", "", {}, make("b", "", {}, title), line && ` · ${line}`),
      ...lists,
      ...(form ? this.form(form) : []),
    ];
  }

  /** What is offered before all else: one click plays it. */
  private offers({ offers, options, seats }: Form, played: string): Node[] {
    return offers.map(([preset, title, line]) => {
      const offer = button("dk-offer", "", { "data-key": `offer${preset}`, "aria-current": title === played });
      offer.append(make("b", "", {}, title), make("span", "", {}, line));
      offer.addEventListener("click", () => void this.play({ preset, players: options.players, seats, seed: "" }));
      return offer;
    });
  }

  private form(form: Form): Node[] {
    const { words, scene } = this.shared;
    const { groups, options, preset, seats, seed, unlike, refused } = form;
    const players = groups.flatMap(({ fields }) => fields).find(({ name }) => name === "players") as Field;
    const who = seats.map((seat, i) => {
      const all = [...new Set(["you", ...this.hooks.bots(), seat])];
      const name = i < scene.seats.length && i === scene.me ? words.say("you") : words.say("name", { number: i + 1 });
      const bots = all.filter((one) => one !== "you" && !words.character(one));
      const offers = [...all.filter((one) => !bots.includes(one)), ...bots].map((one) => [one, words.who(one)] as const);
      return this.select(
        `seat${i}`,
        name,
        seat,
        offers,
        (chosen) => this.draft({ seats: seats.map((one, at) => (at === i ? String(chosen) : one)) }),
        [offers.length - bots.length, words.say("rival.bots")],
      );
    });
    const folds = (rare: boolean): Node[] =>
      groups
        .filter((group) => group.rare === rare)
        .map(({ name, heading, changed, fields }) => {
          const fold = this.fold(name, heading, ...fields.filter((field) => field !== players).flatMap((field) => this.field(field)));
          set(fold, { "data-changed": changed });
          return fold;
        });
    const number = make("input", "", {
      type: "text",
      inputmode: "numeric",
      maxlength: 18,
      "data-key": "seed",
      value: this.wish?.seed ?? seed,
    });
    number.addEventListener("input", () => {
      this.wish = { ...(this.wish ?? drafted(form)), seed: number.value.replace(/\D/g, "") }; // nothing need be asked: what is played is the same
    });
    const seedRow = make("label", "dk-setting", {}, make("span", "", {}, words.say("door.seed")), number);
    const play = button("dk-primary", words.say("door.play"), { "data-key": "play", "aria-disabled": refused ? "true" : undefined });
    play.addEventListener("click", () => (refused ? this.shared.announce(refused) : void this.play(this.wish ?? drafted(form))));
    return [
      make("h3", "", {}, words.say("door.else")),
      this.select("preset", words.say("door.game"), preset, form.presets, (name) =>
        this.try({ preset: String(name), players: options.players, seats, seed }),
      ),
      small(form.line),
      ...(unlike.length ? [list(unlike)] : []),
      this.select(
        "players",
        players.label,
        players.value,
        players.offers.map(([count]) => [count, String(count)] as const),
        (count) => this.option("players", count),
      ),
      this.fold("seats", words.say("seats"), ...who),
      ...folds(false),
      this.fold("more", words.say("more"), ...folds(true), seedRow, small(words.say("door.seed.how"))),
      make(
        "div",
        "dk-deal",
        {},
        refused ? make("p", "dk-denied", {}, refused) : small(unlike.length ? words.say("door.unlike", { count: unlike.length }) : ""),
        play,
      ),
    ];
  }

  /** An option: a tick that says what it means, a few answers that do, or a short answer with what it means below. */
  private field({ name, value, label, offers, said }: Field): Node[] {
    const change = (chosen: unknown): void => this.option(name, chosen);
    if (said !== null) return [this.select(name, label, value, offers, change), ...(said ? [small(said)] : [])];
    if (!label) {
      const box = make("input", "", { type: "checkbox", "data-key": name });
      box.checked = value === offers[1]?.[0];
      box.addEventListener("change", () => change(offers[Number(box.checked)]?.[0]));
      return [make("label", "dk-answer", {}, box, make("span", "", {}, offers[1]?.[1] ?? ""))];
    }
    const answers = offers.map(([one, words]) => {
      const circle = make("input", "", { type: "radio", name: `${this.own}${name}`, "data-key": `${name}${String(one)}` });
      circle.checked = one === value;
      circle.addEventListener("change", () => change(one));
      return make("label", "dk-answer", {}, circle, make("span", "", {}, words));
    });
    return [make("fieldset", "", {}, make("legend", "", {}, label), ...answers)];
  }

  private select(
    key: string,
    label: string,
    now: unknown,
    offers: readonly (readonly [unknown, string])[],
    change: (value: unknown) => void,
    [from, heading]: readonly [from: number, heading: string] = [offers.length, ""],
  ): HTMLElement {
    const all = offers.map(([, words], i) => make("option", "", { value: i }, words));
    const apart = from < all.length ? [make("optgroup", "", { label: heading }, ...all.slice(from))] : [];
    const list = make("select", "", { "data-key": key }, ...all.slice(0, from), ...apart);
    list.selectedIndex = offers.findIndex(([value]) => value === now);
    list.addEventListener("change", () => change(offers[list.selectedIndex]?.[0]));
    return make("label", "dk-setting", {}, make("span", "", {}, label), list);
  }

  /** What is folded away until it is asked for, and stays as it was left. */
  private fold(key: string, heading: string, ...inside: Node[]): HTMLElement {
    const fold = make("details", "", { open: this.open.has(key) }, make("summary", "", { "data-key": `fold${key}` }, heading), ...inside);
    fold.addEventListener("toggle", () => (fold.open ? this.open.add(key) : this.open.delete(key)));
    return fold;
  }

  private option(name: string, value: unknown): void {
    const options = (this.wish ?? this.book?.form)?.options;
    if (options) this.draft({ options: { ...options, [name]: value } });
  }

  private draft(changes: Partial<Draft>): void {
    const before = this.wish ?? this.book?.form;
    if (!before) return;
    this.try({ ...drafted(before), ...changes });
  }

  /** Ask what would be played. */
  private try(wish = this.wish): void {
    this.wish = wish;
    this.shared.send({ kind: "draft", draft: { ...wish, nr: ++this.nr } });
  }

  private async play(draft: Draft): Promise<void> {
    if (await this.hooks.deal({ ...draft, nr: ++this.nr })) this.wish = undefined;
  }
}
