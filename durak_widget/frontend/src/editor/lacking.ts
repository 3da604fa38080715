/** What a sketch still lacks, as Python says it: each a button that leads there, or that nothing is missing. */

import { button, changed, focused, make, set } from "../widgets/dom";
import type { Pad } from "./protocol";

/** So much of it is shown at once. */
const SHOWN = 3;

export class Lacking {
  readonly element = make("div", "dk-sketch-lacks", { role: "group" });

  constructor(private readonly pad: Pad) {}

  paint(): void {
    const { pad } = this;
    const words = pad.words();
    const { lacks, more } = pad.sketch();
    set(this.element, { "data-whole": !lacks.length, "aria-label": words.say("sketch.lacks") });
    if (!changed(this.element, lacks, more, words.language)) return;
    const had = focused(this.element) !== null;
    const first = lacks.slice(0, SHOWN).map(({ id, said }) => {
      const element = button("dk-sketch-lack", said);
      element.addEventListener("click", () => this.lead(id));
      return make("li", "", {}, element);
    });
    const rest = lacks.length > SHOWN ? words.say("sketch.lacks.rest", { count: lacks.length - SHOWN }) : "";
    const tail = [rest, more].filter(Boolean).map((said) => make("p", "", {}, said));
    const all = [make("p", "", {}, words.say("sketch.lacks")), make("ul", "", {}, ...first), ...tail];
    this.element.replaceChildren(...(lacks.length ? all : [make("p", "", {}, words.say("sketch.whole"))]));
    if (had) pad.go(pad.shown().id(pad.at()));
  }

  /** To the next thing that is missing, after this place and around. */
  next(): void {
    const { pad } = this;
    const ids = pad.sketch().lacks.map((one) => one.id);
    const order = pad.shown().drawing.nodes.id;
    const after = ids.find((one) => order.indexOf(one) > pad.at()) ?? ids[0];
    if (after === undefined) return pad.announce(pad.words().say("sketch.whole"));
    this.lead(after);
  }

  private lead(id: number): void {
    this.pad.go(id);
    this.pad.write(id, "pays");
  }
}
