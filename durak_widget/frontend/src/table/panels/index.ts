/** The entry of the lazy bundle `panels`: the side panels of the table, and annotations. */

import { drawSuitSign } from "../../widgets/cards";
import { button, make, makeDrawing } from "../../widgets/dom";
import type { BoutMoves, Message, SeenCards, Setting } from "../../widgets/protocol/scene";
import type { TableContext } from "../../widgets/table-context";
import { KEYS, type Panel, type PanelHooks, type Settings } from "../intents/actions";
import { GameReviewPanel } from "./game-review";
import { HowToPlayPanel } from "./how-to-play";
import { OpponentsPanel } from "./opponents";
import style from "./panels.css";
import { RulesForm } from "./rules-form";
import { SharingPanel } from "./sharing";

export { Annotations } from "./annotations";
export { openSeatSettings } from "./opponents";

/** The groups of settings for everybody, in order. */
const SETTING_GROUPS = ["play", "look", "help"] as const;

export class PanelContents {
  readonly style = make("style", "", {}, style);
  private bouts: readonly BoutMoves[] = [];
  private seenCards: SeenCards | undefined;
  private readonly sharing: SharingPanel;
  private readonly rulesForm: RulesForm;
  private readonly howToPlay: HowToPlayPanel;
  private readonly opponents: OpponentsPanel;
  private readonly gameReview: GameReviewPanel;
  private readonly settingValues: Settings;
  private showsTeacherSettings = false;

  constructor(
    private readonly context: TableContext,
    private readonly hooks: PanelHooks,
  ) {
    this.settingValues = hooks.settings;
    this.sharing = new SharingPanel(context, hooks);
    this.rulesForm = new RulesForm(context, hooks);
    this.howToPlay = new HowToPlayPanel(context, hooks);
    this.opponents = new OpponentsPanel(context, hooks);
    this.gameReview = new GameReviewPanel(context);
  }

  /** Request the data of a panel, because it can be outdated. */
  requestContent(panel: Panel): void {
    if (panel === "list") this.context.send({ kind: "move_list" });
    if (panel === "seen") this.context.send({ kind: "seen_cards" });
    if (panel === "share") this.context.send({ kind: "share" });
    if (panel === "rules") this.rulesForm.requestRules();
    if (panel === "settings") this.opponents.requestProgress();
    if (panel === "turned") this.gameReview.requestReview();
  }

  /** Handle a message. Return whether the open panel has to be painted again. */
  handleMessage(message: Message): boolean {
    switch (message.kind) {
      case "move_list":
        this.bouts = message.bouts;
        return true;
      case "seen_cards":
        this.seenCards = message;
        return true;
      case "opponents":
        return this.opponents.setProgress(message);
      case "how_to_play":
        return this.howToPlay.setContent(message);
      case "review":
        this.gameReview.setReview(message);
        return true;
      case "share":
        this.sharing.setContent(message);
        return true;
      case "unreadable":
        this.sharing.showPasteError(message.text[0]);
        return false;
      case "readable":
        this.sharing.loadPosition(message.text);
        return false;
      case "rules_dialog":
        return this.rulesForm.setRulebook(message);
      default:
        return false;
    }
  }

  /** Handle a new game: drop the data of the old one. */
  startGame(): void {
    this.sharing.clear();
    this.gameReview.clear();
    if (this.context.root.dataset.panel === "turned") this.hooks.run("turned");
  }

  /** Remove private data. Another person sits here now. */
  clearPrivateData(): void {
    this.bouts = [];
    this.seenCards = undefined;
    this.sharing.clear();
    this.gameReview.clear();
  }

  renderNodes(panel: Panel): Node[] {
    const renderers: Record<Panel, () => Node[]> = {
      list: () => this.renderMoves(),
      seen: () => this.renderSeenCards(),
      share: () => this.sharing.renderNodes(),
      settings: () => this.renderSettings(),
      help: () => this.renderKeys(),
      how_to_play: () => this.howToPlay.renderNodes(),
      rules: () => this.rulesForm.renderNodes(),
      turned: () => this.gameReview.renderNodes(),
    };
    return renderers[panel]();
  }

  private renderMoves(): Node[] {
    const { words, scene } = this.context;
    if (!this.bouts.length) return [make("p", "", {}, words.say("no_moves"))];
    return this.bouts.flatMap(({ bout, moves, end }) => [
      make("h3", "", {}, words.say("bout", { bout })),
      make(
        "ol",
        "dk-move-list",
        {},
        ...moves.map(([ply, text]) => {
          const current = ply === scene.ply;
          const entry = button("dk-move-entry", text, {
            "data-key": `ply${ply}`,
            "aria-current": current ? "step" : undefined,
            "data-later": ply > scene.ply,
          });
          entry.addEventListener("click", () => this.context.send({ kind: "goto", to_ply: ply }));
          return make("li", "", {}, entry);
        }),
      ),
      ...(end ? [make("p", "dk-small", {}, end)] : []),
    ]);
  }

  /** Render a grid of all cards: a badge for the place of each, and the unseen count of each suit. */
  private renderSeenCards(): Node[] {
    const { words } = this.context;
    if (!this.seenCards) return [];
    const { rows, locations: where } = this.seenCards;
    const formatLocation = (location: string | number): string =>
      typeof location === "number" ? words.say("name", { number: location + 1 }) : words.sayNamed("at", location);
    const abbreviate = (location: string | number): string =>
      typeof location === "number" ? String(location + 1) : ({ hand: "●", table: "▲", gone: "×", talon: "=" }[location] ?? "");
    const renderBadge = (location: string | number): HTMLElement =>
      make("span", "dk-card-location", { "data-at": locationKind(location) }, abbreviate(location));
    const unknown = words.say("at.unknown");
    const maxLength = Math.max(...rows.map((cards) => cards.length));
    const lines = rows.map((cards) => {
      const suit = cards[0]?.charAt(1) ?? "";
      const jokers = cards[0]?.startsWith("X") ?? false;
      const name = jokers ? words.say("jokers") : words.formatSuit(suit);
      const sign = make("th", "", { scope: "row" }, make("span", "dk-sr-only", {}, name));
      sign.append(jokers ? "★" : makeDrawing("span", "", drawSuitSign(suit)));
      const unseenCount = cards.filter((card) => !where[card]?.length).length;
      const cells = cards.map((card) => {
        const location = where[card] ?? [];
        const label = location.length ? location.map(formatLocation).join(", ") : unknown;
        const rank = jokers ? card.charAt(1) : words.formatRank(card);
        const facts = { "data-at": locationKind(location[0]), "aria-label": `${words.formatCard(card)}: ${label}`, title: label };
        return make("td", "", facts, make("b", "", {}, rank), ...location.map(renderBadge));
      });
      const missingCount = maxLength - cards.length; // The row of jokers is shorter.
      const filler = missingCount ? [make("td", "dk-empty-cell", { colspan: missingCount })] : [];
      const count = { "aria-label": `${name}: ${unseenCount} ${unknown}`, title: unknown };
      return make("tr", "", {}, sign, ...cells, ...filler, make("td", "dk-unseen-count", count, unseenCount ? `${unseenCount} ?` : ""));
    });
    const holders = Object.values(where)
      .flat()
      .filter((location): location is number => typeof location === "number");
    const locations = ["hand", "table", "gone", "talon", ...[...new Set(holders)].sort()];
    const legend = [
      ...locations.map((location) => [renderBadge(location), formatLocation(location)] as const),
      [make("span", "dk-card-location", {}, "?"), unknown] as const,
    ];
    return [
      make("table", "dk-seen-cards", {}, ...lines),
      make("ul", "dk-legend", {}, ...legend.map(([sign, label]) => make("li", "", {}, sign, ` ${label}`))),
    ];
  }

  private renderSettings(): Node[] {
    const { scene, words } = this.context;
    const settings = this.settingValues.all().filter(({ name }) => name !== "hands" || !scene.task); // The author of the exercise decides which hands are open.
    const renderGroup = (group: Setting["group"]): Node[] =>
      settings.filter((setting) => setting.group === group).map((setting) => this.renderSetting(setting));
    return [
      ...this.opponents.renderNodes(),
      ...SETTING_GROUPS.flatMap((group) => [make("h3", "", {}, words.say(`settings.${group}`)), ...renderGroup(group)]),
      this.renderTeacherSettings(renderGroup("teachers")),
    ];
  }

  /** Render what only teachers need, folded. */
  private renderTeacherSettings(settings: readonly Node[]): HTMLElement {
    const { words } = this.context;
    const commands = (["turn", "mark"] as const).map((name) => {
      const element = button("", words.say(name), { "data-key": name });
      element.addEventListener("click", () => this.hooks.run(name));
      return element;
    });
    const fold = make(
      "details",
      "",
      { open: this.showsTeacherSettings },
      make("summary", "", { "data-key": "teachers" }, words.say("settings.teachers")),
      ...settings,
      make("div", "dk-button-row", {}, ...commands),
      make("p", "dk-small", {}, words.say("mark.how")),
    );
    fold.addEventListener("toggle", () => {
      this.showsTeacherSettings = fold.open; // A setting that changes paints the panel again.
    });
    return fold;
  }

  /** Render a setting: a select list or a checkbox. */
  private renderSetting({ name, key = name, values }: Setting): HTMLElement {
    const label = this.context.words.sayNamed("set", key);
    const attributes = { "data-key": name, "aria-label": label };
    const current = this.settingValues.get(name);
    if (!values) {
      const box = make("input", "", { ...attributes, type: "checkbox" });
      box.checked = Boolean(current);
      box.addEventListener("change", () => this.settingValues.set(name, box.checked));
      return make("label", "dk-setting", {}, make("span", "", {}, label), box);
    }
    const select = make("select", "", attributes, ...this.renderOptions(name, values, current));
    select.value = String(current);
    select.addEventListener("change", () =>
      this.settingValues.set(name, typeof current === "number" ? Number(select.value) : select.value),
    );
    return make("label", "dk-setting", {}, make("span", "", {}, label), select);
  }

  /** Render the choices. A number can also be set from code, so it is added. */
  private renderOptions(name: string, values: NonNullable<Setting["values"]>, current: unknown): HTMLElement[] {
    const { words } = this.context;
    const option = (value: string | number, label: string): HTMLElement => make("option", "", { value }, label);
    if (!Array.isArray(values))
      return Object.entries(values as Readonly<Record<string, string>>).map(([value, valueLabel]) => option(value, valueLabel));
    const known = values as readonly (string | number)[];
    const choices =
      typeof current === "number" && !known.includes(current) ? [...(known as number[]), current].sort((a, b) => a - b) : known;
    return choices.map((value) =>
      option(value, known.includes(value) ? words.sayNamed(name, value) : words.sayNamed(name, "other", { value })),
    );
  }

  private renderKeys(): Node[] {
    const { words } = this.context;
    const rows = KEYS.flatMap(({ actions, label, caps = Object.keys(actions).map((key) => key.toUpperCase()) }) => [
      make("dt", "", {}, ...caps.map((cap) => make("kbd", "", {}, cap))),
      make("dd", "", {}, words.say(label)),
    ]);
    const howToPlay = button("", words.say("how_to_play"), { "data-key": "how_to_play" });
    howToPlay.addEventListener("click", () => this.hooks.run("how_to_play"));
    return [howToPlay, make("dl", "dk-keys", {}, ...rows), make("p", "dk-small", {}, words.say("keys.how"))];
  }
}

/** Return the kind of place where a card is. */
const locationKind = (location: string | number | undefined): string => (typeof location === "number" ? "seat" : (location ?? "unknown"));
