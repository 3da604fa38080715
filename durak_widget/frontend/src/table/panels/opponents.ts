/** The panel where you choose opponents, and the opponents' faces. */

import * as drawings from "../../../../engine/drawings.json";
import { button, drawn, focused, make, set } from "../../widgets/dom";
import type { Rivals, Scene } from "../../widgets/protocol/scene";
import { others, type Shared } from "../../widgets/table-context";
import type { Hooks } from "../intents/actions";
import style from "./opponents.css";

/** Whose place was asked about from outside the drawer, by the table. */
const wanted = new WeakMap<HTMLElement, number>();

const faces = drawings.faces as unknown as Record<string, readonly (readonly [tone: string, path: string])[]>;

/** Who plays a seat, or sits down there for the next game. */
const sitsAt = ({ seats }: Scene, seat: number): string => seats[seat]?.next ?? seats[seat]?.who ?? "";

/** The panel with the opponents, from the weakest to the strongest, and then the bots. */
export class Company {
  private readonly element = make("section", "dk-company");
  /** Who has been beaten, and who is next, as far as that was told. */
  private known: Rivals | undefined;
  /** For which moment that was asked. */
  private asked = "";
  /** Whose place is chosen for; the first of the others, if nobody has said. */
  private place: number | undefined;
  /** The game in which somebody else sat down who did not begin it. */
  private late: number | undefined;

  constructor(
    private readonly shared: Shared,
    private readonly hooks: Hooks,
  ) {}

  /** Have told who has been beaten: before a game, and when it is over. */
  ask(): void {
    const { scene } = this.shared;
    const moment = `${scene.game} ${Boolean(scene.over)}`;
    if (moment === this.asked) return;
    this.asked = moment;
    this.shared.send({ kind: "people" });
  }

  hear(known: Rivals): boolean {
    this.known = known;
    return true;
  }

  /** Nothing where the seats are not to be changed: a task is set. */
  nodes(): Node[] {
    if (this.shared.scene.task) return [];
    this.paint();
    return [this.element];
  }

  private paint(): void {
    const { words, scene, root } = this.shared;
    const all = others(scene);
    this.place = wanted.get(root) ?? this.place;
    wanted.delete(root);
    if (this.place === undefined || this.place >= scene.seats.length) this.place = all[0] ?? scene.me;
    const place = this.place;
    const alone = all.length === 1 && place === all[0] && sitsAt(scene, scene.me) === "you";
    const title = alone ? words.say("play_with") : words.say("who_plays", { player: this.called(place) });
    const people = this.hooks.bots().filter((who) => words.character(who));
    const bots = this.hooks.bots().filter((who) => !words.character(who));
    const seats = make("div", "dk-row", {}, ...scene.seats.map((_, seat) => this.seat(seat)));
    const fresh = button("dk-primary", words.say("new"), { "data-key": "fresh" });
    fresh.addEventListener("click", () => this.hooks.run("new"));
    const begun =
      this.late === scene.game && !scene.over ? [make("div", "dk-row", {}, make("p", "dk-small", {}, words.say("rival.late")), fresh)] : [];
    const had = focused(this.element)?.dataset.key;
    this.element.replaceChildren(
      make("h3", "", {}, title),
      ...(all.length > 1 ? [seats] : []),
      make("ol", "dk-people", {}, ...people.map((who) => make("li", "", {}, this.person(who)))),
      ...begun,
      make("p", "dk-small", {}, words.say("rival.how")),
      this.sits("you"),
      make("h3", "", {}, words.say("rival.bots")),
      make("div", "dk-row", {}, ...bots.map((who) => this.sits(who))),
      ...(all.length > 1 ? [] : [make("h3", "", {}, words.say("seats")), seats]),
    );
    if (had) this.element.querySelector<HTMLElement>(`[data-key="${had}"]`)?.focus();
  }

  /** Somebody with a face: their name, how one stands with them, and who they are. */
  private person(who: string): HTMLElement {
    const { words } = this.shared;
    const is = words.character(who) ?? "";
    const state = this.standing(who);
    const choice = this.sits(who);
    choice.classList.add("dk-person");
    choice.replaceChildren(
      drawn("span", "dk-looks", faceOfPerson(who)),
      make("b", "", {}, words.who(who)),
      make("i", "", { "data-state": state }, state && words.say(`rival.${state}`)),
      make("span", "dk-small", {}, `${is.charAt(0).toLocaleUpperCase(words.language)}${is.slice(1)}.`),
    );
    return choice;
  }

  /** How one stands with somebody; of who was passed over there is nothing to say. */
  private standing(who: string): "" | "beaten" | "next" | "later" {
    const { beaten = [], next } = this.known ?? {};
    if (beaten.includes(who)) return "beaten";
    if (!next) return "";
    if (who === next) return "next";
    const all = this.hooks.bots();
    return all.indexOf(who) > all.indexOf(next) ? "later" : "";
  }

  /** Whoever may sit down at that place. */
  private sits(who: string): HTMLElement {
    const { words, scene } = this.shared;
    const there = sitsAt(scene, this.place ?? 0) === who;
    const choice = button("dk-sits", words.who(who), { "data-key": `sits-${who}`, "aria-pressed": String(there) });
    choice.addEventListener("click", () => {
      if (there) return;
      const now = this.shared.scene; // moves may have been made since this was painted
      if (now.last > 0 && !now.over && words.character(who)) this.late = now.game;
      this.shared.send({ kind: "seat", seat: this.place ?? 0, who });
    });
    return choice;
  }

  /** A place by its number: whoever has it is named beside. */
  private called(seat: number): string {
    return seat === this.shared.scene.me ? this.shared.name(seat) : this.shared.words.say("name", { number: seat + 1 });
  }

  /** A place, and who has it. */
  private seat(seat: number): HTMLElement {
    const { words, scene } = this.shared;
    const said = words.say("plays", { player: this.called(seat), who: words.who(sitsAt(scene, seat)) });
    const choice = button("dk-who", said, { "data-key": `seat${seat}`, "aria-pressed": String(seat === this.place) });
    choice.addEventListener("click", () => {
      this.place = seat;
      this.paint();
      this.element.scrollIntoView({ block: "nearest" });
    });
    return choice;
  }
}

/** Who shall play a seat from now on: the settings open at that place. */
export function replace(
  table: Shared & { readonly panels: { readonly open: unknown; toggle(panel: "settings"): void; again(): void } },
  seat: number,
): void {
  const { panels, root } = table;
  wanted.set(root, seat);
  if (panels.open === "settings") panels.again();
  else panels.toggle("settings");
  root.querySelector<HTMLElement>(".dk-company [aria-pressed=true]:not(.dk-who), .dk-company .dk-sits")?.focus();
}

/** The face of an opponent. */
export const faceOfPerson = (key: string): string =>
  `<svg viewBox="0 0 48 48" aria-hidden="true" focusable="false">${(faces[key] ?? []).map(([tone, d]) => `<path class="dk-${tone}" d="${d}"/>`).join("")}</svg>`;

/** What stands on the table beside its drawers is dressed once. */
export function dressOnce(root: HTMLElement): void {
  if (root.querySelector(".dk-portraits")) return;
  root.append(make("style", "dk-portraits", {}, style));
  // a hand that lies open takes less room now: what was brought into view, for whoever ran the cell, is brought there again
  if (root.closest(".jp-Cell:has(+.jp-mod-active)") && root.matches("[data-task]:not([data-size=phone], [data-low])"))
    root.querySelector(".dk-felt")?.scrollIntoView({ block: "nearest" });
}

/** Put each face at the plate of its seat; where another sits there now, the one before goes. */
export function portray(root: HTMLElement, { scene, words }: Shared): void {
  dressOnce(root);
  const plates = root.querySelectorAll<HTMLElement>(".dk-seats .dk-plate");
  others(scene).forEach((seat, i) => {
    const plate = plates[i];
    const who = scene.seats[seat]?.named ? scene.seats[seat]?.who : undefined;
    if (!plate || (plate.dataset.face ?? "") === (who ?? "")) return;
    plate.querySelector(".dk-portrait")?.remove();
    set(plate, { "data-face": who });
    if (who) plate.prepend(drawn("div", "dk-portrait", faceOfPerson(who), { title: words.character(who) }));
  });
}
