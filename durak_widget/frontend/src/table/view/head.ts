/** What is played, above the other seats: the name of the game, which opens its rules, and the score of the match. */

import { changed, make, set, write } from "../../widgets/dom";
import type { Shared } from "../../widgets/table-context";

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
    const many = score.length > 3;
    const called = (seat: number): string => (many && seat !== scene.me ? words.say("short", { number: seat + 1 }) : shared.name(seat));
    const sides = score
      .filter(([, lost]) => lost || !many) // of many, those who have lost
      .map(([seats, lost, worn]) => `${seats.map(called).join(" + ")}: ${lost}${worn && ` (${worn})`}`);
    write(this.score, sides.length ? words.say("lost", { score: sides.join(" · ") }) : "");
  }
}
