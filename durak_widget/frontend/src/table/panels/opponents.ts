/** The panel where you choose opponents, and their portraits. */

import { button, findFocused, make } from "../../widgets/dom";
import type { OpponentProgress, Scene } from "../../widgets/protocol/scene";
import { listOtherSeats, type TableContext } from "../../widgets/table-context";
import type { PanelHooks } from "../intents/actions";

/** The seat that the table asked to replace, before the panel opened. */
const requestedSeats = new WeakMap<HTMLElement, number>();

/** Return who plays a seat, or will play it in the next game. */
const findPlayerName = ({ seats }: Scene, seat: number): string => seats[seat]?.next_player ?? seats[seat]?.player ?? "";

/** The panel with the opponents, from the weakest to the strongest, and then the bots. */
export class OpponentsPanel {
  private readonly element = make("section", "dk-opponents");
  /** The opponents beaten so far and the next one. */
  private progress: OpponentProgress | undefined;
  /** The moment of the last request. */
  private requestKey = "";
  /** The seat to choose for. The first other seat by default. */
  private selectedSeat: number | undefined;
  /** The game in which a player was replaced after the first move. */
  private lateGame: number | undefined;

  constructor(
    private readonly context: TableContext,
    private readonly hooks: PanelHooks,
  ) {}

  /** Request the progress: before a game, and when it is over. */
  requestProgress(): void {
    const { scene } = this.context;
    const key = `${scene.game} ${Boolean(scene.result)}`;
    if (key === this.requestKey) return;
    this.requestKey = key;
    this.context.send({ kind: "opponents" });
  }

  setProgress(known: OpponentProgress): boolean {
    this.progress = known;
    return true;
  }

  /** Return nothing in an exercise, where seats are fixed. */
  renderNodes(): Node[] {
    if (this.context.scene.task) return [];
    this.paint();
    return [this.element];
  }

  private paint(): void {
    const { words, scene, root } = this.context;
    const otherSeats = listOtherSeats(scene);
    this.selectedSeat = requestedSeats.get(root) ?? this.selectedSeat;
    requestedSeats.delete(root);
    if (this.selectedSeat === undefined || this.selectedSeat >= scene.seats.length) this.selectedSeat = otherSeats[0] ?? scene.viewer;
    const chosenSeat = this.selectedSeat;
    const isOnlyOpponent = otherSeats.length === 1 && chosenSeat === otherSeats[0] && findPlayerName(scene, scene.viewer) === "you";
    const title = isOnlyOpponent ? words.say("play_with") : words.say("who_plays", { player: this.formatPlace(chosenSeat) });
    const people = this.hooks.bots().filter((bot) => words.describeCharacter(bot));
    const bots = this.hooks.bots().filter((bot) => !words.describeCharacter(bot));
    const seats = make("div", "dk-button-row", {}, ...scene.seats.map((_, seat) => this.makeSeatButton(seat)));
    const newGameButton = button("dk-primary", words.say("new"), { "data-key": "fresh" });
    newGameButton.addEventListener("click", () => this.hooks.run("new"));
    const lateNotice =
      this.lateGame === scene.game && !scene.result
        ? [make("div", "dk-button-row", {}, make("p", "dk-small", {}, words.say("rival.late")), newGameButton)]
        : [];
    const focusedKey = findFocused(this.element)?.dataset.key;
    this.element.replaceChildren(
      make("h3", "", {}, title),
      ...(otherSeats.length > 1 ? [seats] : []),
      make("ol", "dk-opponent-list", {}, ...people.map((bot) => make("li", "", {}, this.renderPerson(bot)))),
      ...lateNotice,
      make("p", "dk-small", {}, words.say("rival.how")),
      this.makeChoice("you"),
      make("h3", "", {}, words.say("rival.bots")),
      make("div", "dk-button-row", {}, ...bots.map((bot) => this.makeChoice(bot))),
      ...(otherSeats.length > 1 ? [] : [make("h3", "", {}, words.say("seats")), seats]),
    );
    if (focusedKey) this.element.querySelector<HTMLElement>(`[data-key="${focusedKey}"]`)?.focus();
  }

  /** Render an opponent: portrait, name, standing and character. */
  private renderPerson(bot: string): HTMLElement {
    const { words } = this.context;
    const character = words.describeCharacter(bot) ?? "";
    const state = this.findStanding(bot);
    const choice = this.makeChoice(bot);
    choice.classList.add("dk-opponent");
    const portrait = make("span", "dk-opponent-portrait");
    this.hooks.withExtras(({ drawPortrait }) => (portrait.innerHTML = drawPortrait(bot)));
    choice.replaceChildren(
      portrait,
      make("b", "", {}, words.formatPlayer(bot)),
      make("i", "", { "data-state": state }, state && words.say(`rival.${state}`)),
      make("span", "dk-small", {}, `${character.charAt(0).toLocaleUpperCase(words.language)}${character.slice(1)}.`),
    );
    return choice;
  }

  /** Return the standing against an opponent. Skipped opponents have none. */
  private findStanding(bot: string): "" | "beaten" | "next" | "later" {
    const { beaten = [], next_opponent: next } = this.progress ?? {};
    if (beaten.includes(bot)) return "beaten";
    if (!next) return "";
    if (bot === next) return "next";
    const bots = this.hooks.bots();
    return bots.indexOf(bot) > bots.indexOf(next) ? "later" : "";
  }

  /** Create a button that seats a player. */
  private makeChoice(player: string): HTMLElement {
    const { words, scene } = this.context;
    const isSitting = findPlayerName(scene, this.selectedSeat ?? 0) === player;
    const choice = button("dk-player-choice", words.formatPlayer(player), {
      "data-key": `sits-${player}`,
      "aria-pressed": String(isSitting),
    });
    choice.addEventListener("click", () => {
      if (isSitting) return;
      const current = this.context.scene; // Moves can have been made since this was painted.
      if (current.last_ply > 0 && !current.result && words.describeCharacter(player)) this.lateGame = current.game;
      this.context.send({ kind: "seat_player", seat: this.selectedSeat ?? 0, player });
    });
    return choice;
  }

  /** Format a seat by its number. The player is named beside it. */
  private formatPlace(seat: number): string {
    return seat === this.context.scene.viewer ? this.context.formatSeat(seat) : this.context.words.say("name", { number: seat + 1 });
  }

  /** Create a button for a seat and its player. */
  private makeSeatButton(seat: number): HTMLElement {
    const { words, scene } = this.context;
    const label = words.say("plays", { player: this.formatPlace(seat), who: words.formatPlayer(findPlayerName(scene, seat)) });
    const choice = button("dk-seat-button", label, { "data-key": `seat${seat}`, "aria-pressed": String(seat === this.selectedSeat) });
    choice.addEventListener("click", () => {
      this.selectedSeat = seat;
      this.paint();
      this.element.scrollIntoView({ block: "nearest" });
    });
    return choice;
  }
}

/** Open the settings at a seat, to choose who plays it. */
export function openSeatSettings(
  table: TableContext & { readonly panels: { readonly open: unknown; toggle(panel: "settings"): void; repaint(): void } },
  seat: number,
): void {
  const { panels, root } = table;
  requestedSeats.set(root, seat);
  if (panels.open === "settings") panels.repaint();
  else panels.toggle("settings");
  root.querySelector<HTMLElement>(".dk-opponents [aria-pressed=true]:not(.dk-seat-button), .dk-opponents .dk-player-choice")?.focus();
}
