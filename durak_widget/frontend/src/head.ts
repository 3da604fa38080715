/** What is played, above the other seats: the name of the game, which opens its rules, and the score of the match. */

import { changed, make, set, write } from "./dom";
import type { Shared } from "./shared";

export class Head {
  private readonly title = make("button", "dk-title", { type: "button" });
  private readonly score = make("span", "dk-tally");
  readonly element = make("div", "dk-head", {}, this.title, this.score);

  constructor(open: () => void) {
    this.title.addEventListener("click", open);
  }

  paint(shared: Shared): void {
    const { scene, words } = shared;
    write(this.title, scene.rules);
    set(this.title, { "aria-label": `${words.say("rules")}: ${scene.rules}` });
    if (!changed(this.score, scene.score, scene.me, words.language)) return;
    const { score = [] } = scene;
    const shown = score.length > 3 ? score.filter(([, lost]) => lost) : score; // of many, those who have lost
    const said = (kind: string, called: (seat: number) => string): HTMLElement => {
      const sides = shown.map(([seats, lost, worn]) => `${seats.map(called).join(" + ")}: ${lost}${worn && ` (${worn})`}`);
      return make("span", kind, {}, words.say("lost", { score: sides.join(" · ") }));
    };
    const long = said("dk-long", (seat) => shared.name(seat));
    const brief = said("dk-brief", (seat) => (seat === scene.me ? words.say("you") : words.say("short", { number: seat + 1 })));
    this.score.replaceChildren(...(shown.length ? [long, brief] : []));
  }
}
