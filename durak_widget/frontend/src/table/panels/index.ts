/** What comes only when it is needed, as a bundle of its own: the drawers of the table, and what stands on it at times. */

import { suitSign } from "../../widgets/cards";
import { button, drawn, make } from "../../widgets/dom";
import { type Heading, type Message, rank as rankOf, type Seen, type Setting } from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";
import { type Hooks, KEYS, type Panel, type Settings } from "../intents/actions";
import style from "./drawers.css";
import { Chances, Turned } from "./game-review";
import { Company } from "./opponents";
import { House } from "./rules-form";
import { Share } from "./sharing";

export { feast, marksIn, tap } from "./effects";
export { turns } from "./game-review";
export { portray, replace } from "./opponents";

export class Drawers {
  readonly style = make("style", "", {}, style);
  private list: readonly Heading[] = [];
  private seen: Seen | undefined;
  private readonly share: Share;
  private readonly house: House;
  private readonly company: Company;
  private readonly turned: Turned;
  private readonly values: Settings;

  constructor(
    private readonly shared: Shared,
    private readonly hooks: Hooks,
  ) {
    this.values = hooks.settings;
    this.share = new Share(shared, hooks);
    this.house = new House(shared, hooks);
    this.company = new Company(shared, hooks);
    this.turned = new Turned(shared);
    new Chances(shared);
  }

  /** Have told what a drawer needs to know: it may be out of date. */
  ask(panel: Panel): void {
    if (panel === "list" || panel === "seen" || panel === "share") this.shared.send({ kind: panel });
    if (panel === "rules") this.house.ask();
    if (panel === "settings") this.company.ask();
    if (panel === "turned") this.turned.ask();
  }

  /** Whether what is open is to be painted anew. */
  hear(message: Message): boolean {
    switch (message.kind) {
      case "list":
        this.list = message.bouts;
        return true;
      case "seen":
        this.seen = message;
        return true;
      case "people":
        return this.company.hear(message);
      case "turned":
        this.turned.hear(message);
        return true;
      case "share":
        this.share.hear(message);
        return true;
      case "unread":
        this.share.refuse(message.said[0]);
        return false;
      case "readable":
        this.share.lay(message.text);
        return false;
      case "door":
        return this.house.hear(message);
      default:
        return false;
    }
  }

  /** Another game lies on the table: of the one before nothing more is told. */
  begin(): void {
    this.share.forget();
    this.turned.forget();
    if (this.shared.root.dataset.panel === "turned") this.hooks.run("turned");
  }

  /** Another person is there: what was told to the one before is forgotten. */
  forget(): void {
    this.list = [];
    this.seen = undefined;
    this.share.forget();
    this.turned.forget();
  }

  nodes(panel: Panel): Node[] {
    const all: Record<Panel, () => Node[]> = {
      list: () => this.moves(),
      seen: () => this.cards(),
      share: () => this.share.nodes(),
      settings: () => this.settings(),
      help: () => this.keys(),
      rules: () => this.house.nodes(),
      turned: () => this.turned.nodes(),
    };
    return all[panel]();
  }

  private moves(): Node[] {
    const { words, scene } = this.shared;
    if (!this.list.length) return [make("p", "", {}, words.say("no_moves"))];
    return this.list.flatMap(({ bout, moves, end }) => [
      make("h3", "", {}, words.say("bout", { bout })),
      make(
        "ol",
        "dk-moves",
        {},
        ...moves.map(([ply, text]) => {
          const current = ply === scene.ply;
          const entry = button("dk-entry", text, {
            "data-key": `ply${ply}`,
            "aria-current": current ? "step" : undefined,
            "data-later": ply > scene.ply,
          });
          entry.addEventListener("click", () => this.shared.send({ kind: "goto", to: ply }));
          return make("li", "", {}, entry);
        }),
      ),
      ...(end ? [make("p", "dk-small", {}, end)] : []),
    ]);
  }

  /** A grid read at a glance: a cell for each card, where it is as a badge, and how many of each suit have not been seen. */
  private cards(): Node[] {
    const { words } = this.shared;
    if (!this.seen) return [];
    const { rows, where } = this.seen;
    const place = (at: string | number): string => (typeof at === "number" ? words.say("name", { number: at + 1 }) : words.named("at", at));
    const short = (at: string | number): string =>
      typeof at === "number" ? String(at + 1) : ({ hand: "●", table: "▲", gone: "×", talon: "=" }[at] ?? "");
    const badge = (at: string | number): HTMLElement => make("span", "dk-at", { "data-at": kindOf(at) }, short(at));
    const unknown = words.say("at.unknown");
    const most = Math.max(...rows.map((cards) => cards.length));
    const lines = rows.map((cards) => {
      const suit = cards[0]?.charAt(1) ?? "";
      const jokers = cards[0]?.startsWith("X") ?? false;
      const name = jokers ? words.say("jokers") : words.suit(suit);
      const sign = make("th", "", { scope: "row" }, make("span", "dk-live", {}, name));
      sign.append(jokers ? "★" : drawn("span", "", suitSign(suit)));
      const left = cards.filter((card) => !where[card]?.length).length;
      const cells = cards.map((card) => {
        const at = where[card] ?? [];
        const label = at.length ? at.map(place).join(", ") : unknown;
        const rank = { T: "10", X: card === "Xr" ? "r" : "b" }[rankOf(card)] ?? rankOf(card);
        const facts = { "data-at": kindOf(at[0]), "aria-label": `${words.card(card)}: ${label}`, title: label };
        return make("td", "", facts, make("b", "", {}, rank), ...at.map(badge));
      });
      const rest = most - cards.length; // jokers are few
      const filler = rest ? [make("td", "dk-none", { colspan: rest })] : [];
      const count = { "aria-label": `${name}: ${left} ${unknown}`, title: unknown };
      return make("tr", "", {}, sign, ...cells, ...filler, make("td", "dk-left", count, left ? `${left} ?` : ""));
    });
    const held = Object.values(where)
      .flat()
      .filter((at): at is number => typeof at === "number");
    const places = ["hand", "table", "gone", "talon", ...[...new Set(held)].sort()];
    const legend = [...places.map((at) => [badge(at), place(at)] as const), [make("span", "dk-at", {}, "?"), unknown] as const];
    return [
      make("table", "dk-seen", {}, ...lines),
      make("ul", "dk-legend", {}, ...legend.map(([sign, said]) => make("li", "", {}, sign, ` ${said}`))),
    ];
  }

  private settings(): Node[] {
    const { scene } = this.shared;
    const settings = this.values.all().filter(({ name }) => name !== "hands" || !scene.task); // its author says which lie open
    return [...this.company.nodes(), make("hr", ""), ...settings.map((setting) => this.field(setting))];
  }

  /** One setting: a choice of values, or a tick. */
  private field({ name, values }: Setting): HTMLElement {
    const said = this.shared.words.named("set", name);
    const attributes = { "data-key": name, "aria-label": said };
    const now = this.values.get(name);
    if (!values) {
      const box = make("input", "", { ...attributes, type: "checkbox" });
      box.checked = Boolean(now);
      box.addEventListener("change", () => this.values.set(name, box.checked));
      return make("label", "dk-setting", {}, make("span", "", {}, said), box);
    }
    const select = make("select", "", attributes, ...this.options(name, values, now));
    select.value = String(now);
    select.addEventListener("change", () => this.values.set(name, typeof now === "number" ? Number(select.value) : select.value));
    return make("label", "dk-setting", {}, make("span", "", {}, said), select);
  }

  /** What can be chosen; where it is a number, another one may have been set from code. */
  private options(name: string, values: NonNullable<Setting["values"]>, now: unknown): HTMLElement[] {
    const { words } = this.shared;
    const option = (value: string | number, said: string): HTMLElement => make("option", "", { value }, said);
    if (!Array.isArray(values)) return Object.entries(values as Readonly<Record<string, string>>).map(([value, own]) => option(value, own));
    const known = values as readonly (string | number)[];
    const all = typeof now === "number" && !known.includes(now) ? [...(known as number[]), now].sort((a, b) => a - b) : known;
    return all.map((value) => option(value, known.includes(value) ? words.named(name, value) : words.named(name, "other", { value })));
  }

  private keys(): Node[] {
    const { words } = this.shared;
    const rows = KEYS.flatMap(({ caps, says }) => [
      make("dt", "", {}, ...caps.map((cap) => make("kbd", "", {}, cap))),
      make("dd", "", {}, words.say(says)),
    ]);
    return [make("dl", "dk-keys", {}, ...rows), make("p", "dk-small", {}, words.say("keys.how"))];
  }
}

/** What kind of place a card is in. */
const kindOf = (at: string | number | undefined): string => (typeof at === "number" ? "seat" : (at ?? "unknown"));
