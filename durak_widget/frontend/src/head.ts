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
    const said = (called: (seat: number) => string): string =>
      words.say("lost", {
        score: (scene.score ?? [])
          .map(([seats, lost, epaulettes]) => `${seats.map(called).join(" + ")}: ${lost}${epaulettes && ` (${epaulettes})`}`)
          .join(" · "),
      });
    const brief = (seat: number): string => (seat === scene.me ? words.say("you") : words.say("short", { number: seat + 1 }));
    this.score.replaceChildren(
      ...(scene.score
        ? [
            make(
              "span",
              "dk-long",
              {},
              said((seat) => shared.name(seat)),
            ),
            make("span", "dk-brief", {}, said(brief)),
          ]
        : []),
    );
  }
}
