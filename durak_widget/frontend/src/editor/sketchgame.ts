/** Who plays, and what the game is called: typed in a part that folds away. */

import { letters } from "../board/protocol/tree-drawing";
import { sign } from "../board/view/tree-nodes";
import { button, changed, focused, make, set, write } from "../widgets/dom";
import type { Pad } from "./protocol";

/** So many players have a sign of their own. */
const MOST = 6;

export class GameFields {
  readonly element = make("details", "dk-sketch-game");
  private readonly head = make("summary", "");
  private readonly inside = make("div", "dk-sketch-names");

  constructor(private readonly pad: Pad) {
    this.element.append(this.head, this.inside);
  }

  paint(): void {
    const { pad } = this;
    const words = pad.words();
    const { seats, title } = pad.shown().drawing;
    write(this.head, words.say("sketch.game"));
    if (!changed(this.inside, words.language, seats, title)) return;
    const had = focused(this.inside)?.dataset.key;
    const marks = letters(seats);
    const players = seats.map((name, seat) => {
      const label = words.say("sketch.field.player", { number: seat + 1 });
      const input = this.field(`player${seat}`, label, name, (text) => pad.send({ kind: "player", seat, text }));
      const drop = button("dk-menu-item", "−", {
        "aria-label": words.say("sketch.player.drop", { player: name }),
        "data-key": `drop${seat}`,
      });
      drop.addEventListener("click", () => pad.send({ kind: "drop_player", seat }));
      return make("div", "dk-sketch-player", {}, sign(seat, marks[seat]), input, ...(seats.length > 1 ? [drop] : []));
    });
    const add = button("dk-menu-item", words.say("sketch.player.add"), { "data-key": "add" });
    add.addEventListener("click", () => pad.send({ kind: "add_player" }));
    const called = words.say("sketch.field.title");
    const name = this.field("title", called, title, (text) => pad.send({ kind: "title", text }));
    this.inside.replaceChildren(
      make("label", "dk-sketch-field", {}, make("span", "", { "aria-hidden": "true" }, called), name),
      ...players,
      ...(seats.length < MOST ? [add] : []),
    );
    if (had) this.inside.querySelector<HTMLElement>(`[data-key="${had}"]`)?.focus();
  }

  private field(key: string, label: string, value: string, take: (text: string) => void): HTMLInputElement {
    const input = make("input", "", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 80, "data-key": key });
    set(input, { "aria-label": label });
    input.value = value;
    input.addEventListener("change", () => {
      if (input.value.trim() !== value) take(input.value.trim());
    });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") input.blur();
    });
    return input;
  }
}
