/** The drawers of the table: the list of moves, the cards seen, the settings, the keys. One is open at a time. */

import { BACKS, suitSign } from "./art";
import { button, drawn, focused, make, set } from "./dom";
import { rank as rankOf } from "./moves";
import type { Heading, Look, Message, Seen } from "./scene";
import type { Stage } from "./stage";

export type Panel = "list" | "seen" | "settings" | "help";

export const SKINS = ["felt", "slate", "linen"] as const;
export const THEMES = ["auto", "light", "dark", "contrast"] as const;
/** The pace of the bots, in ms before a move. */
export const PACES = [0, 400, 900, 1800] as const;
/** The keys, as the help lists them; the words say what each does. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["← →", "keys.cards"], ["Enter", "keys.play"], ["Esc", "keys.cancel"], ["T", "take"], ["P", "pass"], ["F", "transfer"], ["S", "show"],
  ["W", "swap"], ["A", "attack"], ["H", "hint"], ["U", "undo"], ["R", "redo"], ["N", "new"], ["[ ]", "keys.step"], ["{ }", "keys.ends"],
  ["L", "list"], ["C", "seen"], ["G", "settings"], ["?", "help"],
];

export class Panels {
  readonly element = make("div", "dk-panel", { hidden: true });
  open: Panel | undefined;
  private from: HTMLElement | null = null;
  private shown = "";
  private list: readonly Heading[] = [];
  private seen: Seen | undefined;

  constructor(private readonly stage: Stage, private readonly languages: () => Readonly<Record<string, string>>) {}

  toggle(panel: Panel): void {
    if (this.open === panel) return this.close();
    this.from ??= focused(this.stage.root);
    this.open = panel;
    this.shown = "";
    this.ask();
    this.paint();
    this.element.querySelector<HTMLElement>("button,select,input")?.focus();
  }

  close(): void {
    if (!this.open) return;
    const inside = this.element.contains(focused(this.stage.root));
    this.open = undefined;
    set(this.element, { hidden: true });
    this.element.replaceChildren();
    if (inside) this.from?.focus();
    this.from = null;
  }

  /** A new scene: what is shown may be out of date. */
  ask(): void {
    if (this.open === "list" || this.open === "seen") this.stage.send({ kind: this.open });
  }

  hear(message: Message): void {
    if (message.kind === "list") this.list = message.bouts;
    else this.seen = message;
    this.shown = "";
    this.paint();
  }

  paint(): void {
    if (!this.open) return;
    const { words, look, scene } = this.stage;
    const state = JSON.stringify([this.open, words.language, look, scene.ply, scene.seats.map(({ who }) => who)]);
    if (state === this.shown) return;
    this.shown = state;
    const had = focused(this.element)?.dataset.key;
    const scroll = this.element.scrollTop;
    const close = button("dk-icon dk-close", "×", { "aria-label": words.say("close"), "data-key": "close" });
    close.addEventListener("click", () => this.close());
    const title = words.say(this.open);
    set(this.element, { hidden: false, "aria-label": title, role: "dialog", tabindex: -1 });
    const inside = { list: () => this.moves(), seen: () => this.cards(), settings: () => this.settings(), help: () => this.keys() }[this.open]();
    this.element.replaceChildren(make("h2", "", {}, title), close, ...inside);
    this.element.scrollTop = scroll;
    if (had) this.element.querySelector<HTMLElement>(`[data-key="${had}"]`)?.focus();
    if (this.open === "list") this.element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  private moves(): Node[] {
    const { words, scene } = this.stage;
    if (!this.list.length) return [make("p", "", {}, words.say("no_moves"))];
    return this.list.flatMap(({ bout, moves, end }) => [
      make("h3", "", {}, words.say("bout", { bout })),
      make("ol", "dk-moves", {}, ...moves.map(([ply, text]) => {
        const current = ply === scene.ply;
        const entry = button("dk-entry", text, { "data-key": `ply${ply}`, "aria-current": current ? "step" : undefined, "data-later": ply > scene.ply });
        entry.addEventListener("click", () => this.stage.send({ kind: "goto", to: ply }));
        return make("li", "", {}, entry);
      })),
      ...(end ? [make("p", "dk-small", {}, end)] : []),
    ]);
  }

  private cards(): Node[] {
    const { words } = this.stage;
    if (!this.seen) return [];
    const { rows, where } = this.seen;
    const place = (at: string | number): string => (typeof at === "number" ? words.say("name", { number: at + 1 }) : words.say(`at.${at}`));
    const short = (at: string | number): string => (typeof at === "number" ? String(at + 1) : { hand: "●", table: "▲", gone: "×", talon: "=" }[at] ?? "");
    const lines = rows.map((cards) => {
      const suit = cards[0]?.charAt(1) ?? "";
      const jokers = cards[0]?.startsWith("X") ?? false;
      const sign = make("th", "", { scope: "row" }, make("span", "dk-live", {}, jokers ? words.say("jokers") : words.suit(suit)));
      sign.append(jokers ? "★" : drawn("span", "", suitSign(suit)));
      return make("tr", "", {}, sign, ...cards.map((card) => {
        const at = where[card] ?? [];
        const label = at.length ? at.map(place).join(", ") : words.say("at.unknown");
        const rank = { T: "10", X: card === "Xr" ? "r" : "b" }[rankOf(card)] ?? rankOf(card);
        return make("td", "", { "data-at": typeof at[0] === "number" ? "seat" : (at[0] ?? "unknown"), "aria-label": `${words.card(card)}: ${label}`, title: label }, make("b", "", {}, rank), make("span", "", {}, at.map(short).join(" ")));
      }));
    });
    const legend = (["hand", "table", "gone", "talon"] as const).map((at) => make("li", "", {}, `${short(at)} ${words.say(`at.${at}`)}`));
    return [make("table", "dk-seen", {}, ...lines), make("ul", "dk-legend", {}, ...legend)];
  }

  private settings(): Node[] {
    const { look, words, scene } = this.stage;
    const choice = (key: keyof Look, values: readonly (readonly [value: string, words: string])[]): Node => {
      const select = make("select", "", { "data-key": key, "aria-label": words.say(`set.${key}`) }, ...values.map(([value, said]) => make("option", "", { value }, said)));
      select.value = String(look[key]);
      select.addEventListener("change", () => this.stage.change({ [key]: typeof look[key] === "number" ? Number(select.value) : select.value }));
      return make("label", "dk-field", {}, make("span", "", {}, words.say(`set.${key}`)), select);
    };
    const tick = (key: keyof Look): Node => {
      const box = make("input", "", { type: "checkbox", "data-key": key, "aria-label": words.say(`set.${key}`) });
      box.checked = Boolean(look[key]);
      box.addEventListener("change", () => this.stage.change({ [key]: box.checked }));
      return make("label", "dk-field", {}, make("span", "", {}, words.say(`set.${key}`)), box);
    };
    const named = (key: string, values: readonly (string | number)[]): [string, string][] => values.map((value) => [String(value), words.say(`${key}.${value}`)]);
    const paces = [...new Set([...PACES, look.pace])].sort((a, b) => a - b);
    const pace = paces.map((ms): [string, string] => [String(ms), (PACES as readonly number[]).includes(ms) ? words.say(`pace.${ms}`) : words.say("pace.other", { ms })]);
    const seats = scene.seats.map((seat, i) => {
      const change = button("dk-who", words.say("plays", { player: this.stage.name(i), who: seat.who === "you" ? words.say("person") : seat.who }), { "data-key": `seat${i}` });
      change.addEventListener("click", () => change.dispatchEvent(new CustomEvent("dk-replace", { bubbles: true, detail: i })));
      return change;
    });
    return [
      choice("language", Object.entries(this.languages())),
      choice("theme", named("theme", THEMES)),
      choice("skin", named("skin", SKINS)),
      choice("back", named("back", BACKS)),
      choice("pace", pace),
      tick("four_colors"), tick("motion"), tick("sound"), tick("aids"), tick("memory"),
      make("h3", "", {}, words.say("seats")), ...seats,
    ];
  }

  private keys(): Node[] {
    const { words } = this.stage;
    const rows = KEYS.flatMap(([keys, does]) => [make("dt", "", {}, ...keys.split(" ").map((key) => make("kbd", "", {}, key))), make("dd", "", {}, words.say(does))]);
    return [make("dl", "dk-keys", {}, ...rows), make("p", "dk-small", {}, words.say("keys.how"))];
  }
}
