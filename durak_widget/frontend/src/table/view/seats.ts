/** The other seats, clockwise from the viewer's left, with their roles. */

import { drawBack, drawFace, drawRoleSign } from "../../widgets/cards";
import { hasChanged, make, makeDrawing, setAttributes, setText } from "../../widgets/dom";
import { type Card, getTrumpSuit, type Scene, type Seat } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import { listOtherSeats, type TableContext } from "../../widgets/table-context";

const MAX_FAN = 5;
/** The angle between cards in the fan, in degrees. */
const FAN_DEGREES = 14;
/** The icon of a partner. */
const MATE_ICON = '<svg viewBox="0 0 22 14" aria-hidden="true"><circle cx="8" cy="7" r="5"/><circle cx="14" cy="7" r="5"/></svg>';

/** Draw the epaulettes of a fool, each with its card. */
export const drawEpaulettes = (cards: readonly Card[], words: Words): HTMLElement[] =>
  cards.map((card) => make("i", `dk-ink-${card.charAt(1)}`, { "aria-hidden": "true" }, words.formatSign(card)));

export class Seats {
  readonly element = make("div", "dk-seats");
  private plates = new Map<number, Plate>();

  constructor(private readonly replace: (seat: number) => void) {}

  paint(context: TableContext): void {
    const seats = listOtherSeats(context.scene);
    if (seats.join() !== [...this.plates.keys()].join()) {
      this.plates = new Map(seats.map((seat) => [seat, new Plate(seat, this.replace)]));
      this.element.replaceChildren(...[...this.plates.values()].map((plate) => plate.element));
    }
    setAttributes(this.element, { "data-count": seats.length });
    for (const [seat, plate] of this.plates) plate.paint(context, context.scene.seats[seat] as Seat);
  }

  /** Return where cards leave from and arrive. */
  findPlace(seat: number): HTMLElement | undefined {
    const { fan, plate } = this.plates.get(seat) ?? {};
    return fan?.offsetParent ? fan : plate;
  }
}

/** Draw an open card of another seat. */
const drawOpenCard = (card: string, { trump }: Scene, words: Words): HTMLElement =>
  makeDrawing("div", "dk-card", drawFace(card, words), { "data-card": card, "data-trump": getTrumpSuit(card, trump) });

class Plate {
  readonly element = make("div", "dk-seat");
  readonly fan = make("div", "dk-fan");
  readonly plate = make("div", "dk-plate", { role: "img" });
  private readonly name = make("div", "dk-name");
  private readonly role = make("div", "dk-role");
  private readonly count = make("div", "dk-count");
  /** The cards of an open hand. */
  private readonly cards = make("div", "dk-open-hand");
  private readonly tag = make("div", "dk-tag");
  private readonly note = make("div", "dk-note");
  private readonly dots = make("div", "dk-thinking");
  private readonly did = make("div", "dk-last-action");
  private readonly wears = make("div", "dk-epaulettes");
  private readonly troubleButton: HTMLButtonElement = make("button", "dk-button dk-bot-error", { type: "button" });
  private readonly words: HTMLElement;

  constructor(seat: number, replace: (seat: number) => void) {
    const words = make("div", "dk-plate-text", {}, this.name, this.role);
    this.words = words;
    this.plate.append(words, this.fan, this.count, this.tag, this.note, this.dots, this.did, this.wears);
    this.element.append(this.plate, this.cards);
    this.troubleButton.addEventListener("click", () => replace(seat));
  }

  paint(context: TableContext, seat: Seat): void {
    const { words, scene, look } = context;
    const number = scene.seats.indexOf(seat);
    const isActing = scene.actor === number;
    if (!hasChanged(this.plate, seat, number, scene.viewer, isActing, scene.last_move?.seat === number, look.back, words.key)) return;
    const role = words.say(`role.${seat.role}`);
    const shownCards = seat.shown_trumps?.length ? [seat.shown_trumps] : [];
    const mate = seat.is_partner ? [words.say("partner")] : [];
    const wears = seat.epaulettes ? [words.sayCount("shoulders", seat.epaulettes.length)] : [];
    const notes = [
      ...mate,
      ...wears,
      ...shownCards.map((cards) => words.say("showed", { cards: cards.map((card) => words.formatCard(card)).join(", ") })),
    ];
    const openCards = (seat.hand ?? []).map((card) => words.formatCard(card));
    const name = context.formatSeat(number);
    setAttributes(this.plate, {
      "aria-label": [
        name,
        words.sayCount("cards", seat.cards),
        role,
        ...notes,
        ...(isActing ? [words.say("to_act")] : []),
        ...openCards,
      ].join(", "),
      "aria-description": seat.last_action,
    });
    setText(this.did, isActing || seat.last_action === role ? "" : (seat.last_action ?? ""));
    setAttributes(this.did, { "data-new": scene.last_move?.seat === number });
    this.wears.replaceChildren(...drawEpaulettes(seat.epaulettes ?? [], words));
    setAttributes(this.cards, { hidden: !openCards.length });
    if (hasChanged(this.cards, seat.hand, scene.trump, words.key))
      this.cards.replaceChildren(...(seat.hand ?? []).map((card) => drawOpenCard(card, scene, words)));
    setAttributes(this.element, {
      "data-role": seat.role,
      "data-open": openCards.length > 0,
      "data-to-act": isActing,
      "data-bot": seat.bot_state,
    });
    setText(this.name, name);
    const shortName = seat.is_named ? words.shortenName(name) : undefined;
    setAttributes(this.words, { "data-short": shortName ?? words.say("short", { number: number + 1 }) });
    if (hasChanged(this.role, role)) {
      this.role.innerHTML = `${drawRoleSign(seat.role)}<span></span>`;
      setText(this.role.lastElementChild as Element, role);
    }
    setText(this.count, seat.cards ? String(seat.cards) : "");
    setText(this.tag, isActing ? words.say("to_act") : "");
    this.note.replaceChildren(
      ...(mate.length ? [makeDrawing("span", "dk-teammate", MATE_ICON), make("span", "", {}, ...mate)] : []),
      ...shownCards.map((cards) =>
        make("span", "dk-shown-cards", {}, words.say("showed", { cards: cards.map((card) => words.formatSign(card)).join(" ") })),
      ),
    );
    const count = Math.min(seat.cards, MAX_FAN);
    if (hasChanged(this.fan, look.back)) this.fan.replaceChildren();
    while (this.fan.childElementCount > count) this.fan.lastElementChild?.remove();
    while (this.fan.childElementCount < count) this.fan.append(makeDrawing("div", "dk-back", drawBack(look.back)));
    [...this.fan.children].forEach((card, i) => {
      (card as HTMLElement).style.rotate = `${(i - (count - 1) / 2) * FAN_DEGREES}deg`;
    });
    const hasTrouble = seat.bot_state === "failed" || seat.bot_state === "late";
    if (hasTrouble) setText(this.troubleButton, words.say(`bot.${seat.bot_state}`, { bot: words.formatPlayer(seat.player) }));
    if (hasTrouble && !this.troubleButton.isConnected) this.element.append(this.troubleButton);
    if (!hasTrouble) this.troubleButton.remove();
  }
}
