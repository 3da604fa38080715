/** The other seats: a plate for each, clockwise from the viewer's left, with its role in words and by a sign. */

import { back, faceOf, roleSign } from "../../widgets/cards";
import { changed, drawn, make, set, write } from "../../widgets/dom";
import { type Card, type Scene, type Seat, signs, trumpOf } from "../../widgets/protocol/scene";
import { others, type Shared } from "../../widgets/table-context";

const IN_A_FAN = 5;
/** How far apart its cards are, in degrees. */
const APART = 14;
/** Two who belong together. */
const MATE = '<svg viewBox="0 0 22 14" aria-hidden="true"><circle cx="8" cy="7" r="5"/><circle cx="14" cy="7" r="5"/></svg>';

/** The epaulettes of a fool, each with the card that it is. */
export const epaulettes = (cards: readonly Card[]): HTMLElement[] =>
  cards.map((card) => make("i", `dk-ink-${card.charAt(1)}`, { "aria-hidden": "true" }, signs(card)));

export class Seats {
  readonly element = make("div", "dk-seats");
  private plates = new Map<number, Plate>();

  constructor(private readonly replace: (seat: number) => void) {}

  paint(shared: Shared): void {
    const seats = others(shared.scene);
    if (seats.join() !== [...this.plates.keys()].join()) {
      this.plates = new Map(seats.map((seat) => [seat, new Plate(seat, this.replace)]));
      this.element.replaceChildren(...[...this.plates.values()].map((plate) => plate.element));
    }
    set(this.element, { "data-count": seats.length });
    for (const [seat, plate] of this.plates) plate.paint(shared, shared.scene.seats[seat] as Seat);
  }

  /** Where cards leave from and come to. */
  place(seat: number): HTMLElement | undefined {
    const { fan, plate } = this.plates.get(seat) ?? {};
    return fan?.offsetParent ? fan : plate;
  }
}

/** A card of somebody else that lies open. */
const shownCard = (card: string, { trump }: Scene): HTMLElement =>
  drawn("div", "dk-card", faceOf(card), { "data-card": card, "data-trump": trumpOf(card, trump) });

class Plate {
  readonly element = make("div", "dk-seat");
  readonly fan = make("div", "dk-fan");
  readonly plate = make("div", "dk-plate", { role: "img" });
  private readonly name = make("div", "dk-name");
  private readonly role = make("div", "dk-role");
  private readonly count = make("div", "dk-count");
  /** Its cards, where all lie open. */
  private readonly cards = make("div", "dk-open");
  private readonly tag = make("div", "dk-tag");
  private readonly note = make("div", "dk-note");
  private readonly dots = make("div", "dk-thinking");
  private readonly did = make("div", "dk-did");
  private readonly wears = make("div", "dk-wears");
  private readonly trouble: HTMLButtonElement = make("button", "dk-button dk-trouble", { type: "button" });
  private readonly words: HTMLElement;

  constructor(seat: number, replace: (seat: number) => void) {
    const words = make("div", "dk-words", {}, this.name, this.role);
    this.words = words;
    this.plate.append(words, this.fan, this.count, this.tag, this.note, this.dots, this.did, this.wears);
    this.element.append(this.plate, this.cards);
    this.trouble.addEventListener("click", () => replace(seat));
  }

  paint(shared: Shared, seat: Seat): void {
    const { words, scene, look } = shared;
    const number = scene.seats.indexOf(seat);
    const acts = scene.actor === number;
    if (!changed(this.plate, seat, number, scene.me, acts, scene.did?.seat === number, look.back, words.language)) return;
    const role = words.say(`role.${seat.role}`);
    const shown = seat.shown?.length ? [seat.shown] : [];
    const mate = seat.mate ? [words.say("partner")] : [];
    const wears = seat.wears ? [words.count("shoulders", seat.wears.length)] : [];
    const notes = [
      ...mate,
      ...wears,
      ...shown.map((cards) => words.say("showed", { cards: cards.map((card) => words.card(card)).join(", ") })),
    ];
    const open = (seat.hand ?? []).map((card) => words.card(card));
    const name = shared.name(number);
    set(this.plate, {
      "aria-label": [name, words.count("cards", seat.cards), role, ...notes, ...(acts ? [words.say("to_act")] : []), ...open].join(", "),
      "aria-description": seat.did,
    });
    write(this.did, acts || seat.did === role ? "" : (seat.did ?? ""));
    set(this.did, { "data-new": scene.did?.seat === number });
    this.wears.replaceChildren(...epaulettes(seat.wears ?? []));
    set(this.cards, { hidden: !open.length });
    if (changed(this.cards, seat.hand, scene.trump)) this.cards.replaceChildren(...(seat.hand ?? []).map((card) => shownCard(card, scene)));
    set(this.element, { "data-role": seat.role, "data-open": open.length > 0, "data-acts": acts, "data-bot": seat.bot });
    write(this.name, name);
    set(this.words, { "data-short": words.say("short", { number: number + 1 }) });
    if (changed(this.role, role)) {
      this.role.innerHTML = `${roleSign(seat.role)}<span></span>`;
      write(this.role.lastElementChild as Element, role);
    }
    write(this.count, seat.cards ? String(seat.cards) : "");
    write(this.tag, acts ? words.say("to_act") : "");
    this.note.replaceChildren(
      ...(mate.length ? [drawn("span", "dk-mate", MATE), make("span", "", {}, ...mate)] : []),
      ...shown.map((cards) => make("span", "dk-shown", {}, words.say("showed", { cards: cards.map(signs).join(" ") }))),
    );
    const count = Math.min(seat.cards, IN_A_FAN);
    if (changed(this.fan, look.back)) this.fan.replaceChildren();
    while (this.fan.childElementCount > count) this.fan.lastElementChild?.remove();
    while (this.fan.childElementCount < count) this.fan.append(drawn("div", "dk-back", back(look.back)));
    [...this.fan.children].forEach((card, i) => {
      (card as HTMLElement).style.rotate = `${(i - (count - 1) / 2) * APART}deg`;
    });
    const troubled = seat.bot === "failed" || seat.bot === "late";
    if (troubled) write(this.trouble, words.say(`bot.${seat.bot}`, { bot: words.who(seat.who) }));
    if (troubled && !this.trouble.isConnected) this.element.append(this.trouble);
    if (!troubled) this.trouble.remove();
  }
}
