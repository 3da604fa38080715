/** The rules in words, and the form to choose other rules. Python says what can be chosen and combined. */

import { type Attributes, button, make, setAttributes } from "../../widgets/dom";
import type { Draft, Field, Rulebook } from "../../widgets/protocol/scene";
import type { TableContext } from "../../widgets/table-context";
import type { PanelHooks } from "../intents/actions";

type Form = NonNullable<Rulebook["form"]>;

let formCount = 0;

/** Return the part of a form that is sent back. */
const toDraft = ({ preset, options, players, seats, seed }: Draft): Draft => ({
  preset,
  seats,
  seed,
  ...(options ? { options } : { players }),
});

const makeNote = (text: string): HTMLElement => make("p", "dk-small", {}, text);
const makeList = (items: readonly string[]): HTMLElement =>
  make("ul", "dk-rules-list", {}, ...items.map((item) => make("li", "", {}, item)));

function makePresetButton(title: string, line: string, attributes: Attributes, choose: () => void): HTMLElement {
  const element = button("dk-preset-button", "", attributes);
  element.append(make("b", "", {}, title), make("span", "", {}, line));
  element.addEventListener("click", choose);
  return element;
}

export class RulesForm {
  private rulebook: Rulebook | undefined;
  /** The open folds. */
  private readonly openFolds = new Set(["presetsclassic"]); // The two classic games are in sight at once.
  /** The draft. Undefined if it equals the current game. */
  private currentDraft: Draft | undefined;
  /** The number of the last draft. It starts at random, so that views don't share numbers. */
  private nr = Math.floor(Math.random() * 1e9);
  /** The language and the letters of the last request. */
  private wordsKey = "";
  /** The game of the last request. */
  private game: number | undefined;
  private readonly radioPrefix = `dk${++formCount}`;

  constructor(
    private readonly context: TableContext,
    private readonly hooks: PanelHooks,
  ) {}

  /** Request the rules for a new game, language or letters. The draft is kept. */
  requestRules(): void {
    const { scene, words } = this.context;
    if (this.game === scene.game && this.wordsKey === words.key) return;
    this.game = scene.game;
    this.wordsKey = words.key;
    this.requestDraft();
  }

  /** Set the rulebook if it answers the last draft of this view. Return whether it did. */
  setRulebook(book: Rulebook): boolean {
    if (book.number !== this.nr) return false;
    const refused = book.form?.refused;
    if (refused && refused !== this.rulebook?.form?.refused) this.context.announce(refused);
    this.rulebook = book;
    if (this.currentDraft && book.form) this.currentDraft = { ...toDraft(book.form), seed: this.currentDraft.seed };
    return true;
  }

  renderNodes(): Node[] {
    this.requestRules();
    if (!this.rulebook) return [];
    const { title, summary: line, basics, special, all, form } = this.rulebook;
    const howToPlay = button("", this.context.words.say("how_to_play"), { "data-key": "how_to_play" });
    howToPlay.addEventListener("click", () => this.hooks.run("how_to_play"));
    return [
      ...(form ? this.renderOffers(form, title) : []),
      make("p", "", {}, make("b", "", {}, title), line && ` · ${line}`),
      makeList(basics),
      howToPlay,
      ...(special[1].length ? [make("h3", "", {}, special[0]), makeList(special[1])] : []),
      this.makeFold("all", all[0], makeList(all[1])),
      ...(form ? this.renderForm(form) : []),
    ];
  }

  /** Render the offers. One click plays an offer. */
  private renderOffers({ offers, options, seats }: Form, played: string): Node[] {
    return offers.map(([preset, title, line]) =>
      makePresetButton(
        title,
        line,
        { "data-key": `offer${preset}`, "aria-current": title === played },
        () => void this.deal({ preset, players: options.players, seats, seed: "" }),
      ),
    );
  }

  /** Render the presets in groups. One click chooses a preset. */
  private renderPresets({ preset_groups, preset: chosen, options, seats, seed }: Form): Node[] {
    return preset_groups.map(([group, heading, presets]) =>
      this.makeFold(
        `presets${group}`,
        heading,
        ...presets.map(([preset, title, line]) =>
          makePresetButton(title, line, { "data-key": `preset${preset}`, "aria-pressed": String(preset === chosen) }, () =>
            this.requestDraft({ preset, players: options.players, seats, seed }),
          ),
        ),
      ),
    );
  }

  private renderForm(form: Form): Node[] {
    const { words, scene } = this.context;
    const { groups, title, labels, seats, seed, changes, changed, refused } = form;
    const players = groups.flatMap(({ fields }) => fields).find(({ name }) => name === "players") as Field;
    const seatSelects = seats.map((seat, i) => {
      const players = [...new Set(["you", ...this.hooks.bots(), seat])];
      const name = i < scene.seats.length && i === scene.viewer ? words.say("you") : words.say("name", { number: i + 1 });
      const bots = players.filter((player) => player !== "you" && !words.describeCharacter(player));
      const offers = [...players.filter((player) => !bots.includes(player)), ...bots].map(
        (player) => [player, words.formatPlayer(player)] as const,
      );
      return this.makeSelect(
        `seat${i}`,
        name,
        seat,
        offers,
        (chosen) => this.changeDraft({ seats: seats.map((player, index) => (index === i ? String(chosen) : player)) }),
        [offers.length - bots.length, words.say("rival.bots")],
      );
    });
    const folds = (rare: boolean): Node[] =>
      groups
        .filter((group) => group.rare === rare)
        .map((group) => [group, group.fields.filter((field) => field !== players)] as const)
        .filter(([, fields]) => fields.length)
        .map(([{ name, heading, changed }, fields]) => {
          const fold = this.makeFold(name, heading, ...fields.flatMap((field) => this.renderField(field)));
          setAttributes(fold, { "data-changed": changed });
          return fold;
        });
    const number = make("input", "", {
      type: "text",
      inputmode: "numeric",
      maxlength: 18,
      "data-key": "seed",
      value: this.currentDraft?.seed ?? seed,
    });
    number.addEventListener("input", () => {
      this.currentDraft = { ...(this.currentDraft ?? toDraft(form)), seed: number.value.replace(/\D/g, "") }; // The seed does not change the rules, so Python is not asked.
    });
    const seedRow = make("label", "dk-setting", {}, make("span", "", {}, labels.seed), number);
    const play = button("dk-primary", labels.play, { "data-key": "play", "aria-disabled": refused ? "true" : undefined });
    play.addEventListener("click", () => (refused ? this.context.announce(refused) : void this.deal(this.currentDraft ?? toDraft(form))));
    return [
      make("h3", "", {}, labels.others),
      ...this.renderPresets(form),
      this.makeSelect(
        "players",
        players.label,
        players.value,
        players.offers.map(([count]) => [count, String(count)] as const),
        (count) => this.setOption("players", count),
      ),
      this.makeFold("seats", words.say("seats"), ...seatSelects),
      this.makeFold(
        "own",
        labels.own,
        ...(changes.length ? [makeList(changes)] : []),
        ...folds(false),
        this.makeFold("more", words.say("more"), ...folds(true), seedRow, makeNote(labels["seed.how"])),
      ),
      make(
        "div",
        "dk-start-bar",
        {},
        refused ? make("p", "dk-rules-error", {}, refused) : make("p", "", {}, make("b", "", {}, title), changed && ` · ${changed}`),
        play,
      ),
    ];
  }

  /** Render an option: a checkbox, radio buttons, or a select list with its meaning below. */
  private renderField({ name, value, label, offers, meaning }: Field): Node[] {
    const setChoice = (chosen: unknown): void => this.setOption(name, chosen);
    if (meaning !== null) return [this.makeSelect(name, label, value, offers, setChoice), ...(meaning ? [makeNote(meaning)] : [])];
    if (!label) {
      const box = make("input", "", { type: "checkbox", "data-key": name });
      box.checked = value === offers[1]?.[0];
      box.addEventListener("change", () => setChoice(offers[Number(box.checked)]?.[0]));
      return [make("label", "dk-rule-option", {}, box, make("span", "", {}, offers[1]?.[1] ?? ""))];
    }
    const answers = offers.map(([choice, words]) => {
      const circle = make("input", "", { type: "radio", name: `${this.radioPrefix}${name}`, "data-key": `${name}${String(choice)}` });
      circle.checked = choice === value;
      circle.addEventListener("change", () => setChoice(choice));
      return make("label", "dk-rule-option", {}, circle, make("span", "", {}, words));
    });
    return [make("fieldset", "", {}, make("legend", "", {}, label), ...answers)];
  }

  private makeSelect(
    key: string,
    label: string,
    current: unknown,
    offers: readonly (readonly [unknown, string])[],
    change: (value: unknown) => void,
    [groupStart, heading]: readonly [from: number, heading: string] = [offers.length, ""],
  ): HTMLElement {
    const options = offers.map(([, words], i) => make("option", "", { value: i }, words));
    const group = groupStart < options.length ? [make("optgroup", "", { label: heading }, ...options.slice(groupStart))] : [];
    const select = make("select", "", { "data-key": key }, ...options.slice(0, groupStart), ...group);
    select.selectedIndex = offers.findIndex(([value]) => value === current);
    select.addEventListener("change", () => change(offers[select.selectedIndex]?.[0]));
    return make("label", "dk-setting", {}, make("span", "", {}, label), select);
  }

  /** Create a fold that keeps its state. */
  private makeFold(key: string, heading: string, ...children: Node[]): HTMLElement {
    const details = make(
      "details",
      "",
      { open: this.openFolds.has(key) },
      make("summary", "", { "data-key": `fold${key}` }, heading),
      ...children,
    );
    details.addEventListener("toggle", () => (details.open ? this.openFolds.add(key) : this.openFolds.delete(key)));
    return details;
  }

  private setOption(name: string, value: unknown): void {
    const options = (this.currentDraft ?? this.rulebook?.form)?.options;
    if (options) this.changeDraft({ options: { ...options, [name]: value } });
  }

  private changeDraft(changes: Partial<Draft>): void {
    const previous = this.currentDraft ?? this.rulebook?.form;
    if (!previous) return;
    this.requestDraft({ ...toDraft(previous), ...changes });
  }

  /** Ask Python for the rules of this draft. */
  private requestDraft(draft = this.currentDraft): void {
    this.currentDraft = draft;
    this.context.send({ kind: "draft", draft: { ...draft, number: ++this.nr } });
  }

  private async deal(draft: Draft): Promise<void> {
    if (await this.hooks.deal({ ...draft, number: ++this.nr })) this.currentDraft = undefined;
  }
}
