/** The result at the end of a game, and the line with the name of the game and the score of the match. */

import { roleSign } from "../../widgets/cards";
import { changed, make, set, write } from "../../widgets/dom";
import type { Over, Scene } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { Shared } from "../../widgets/table-context";
import { epaulettes } from "./seats";

/** The columns, each with the sign that stands for its word where there is no room; an epaulette is drawn by the style. */
const COLUMNS = [
  ["side", ""],
  ["score.won", "won"],
  ["score.drew", "draw"],
  ["score.lost", "fool"],
  ["score.epaulettes", "wears"],
] as const;

/** Return the result at the end of a game: who is the fool, who went out when, and the score of the match. */
export function verdict({ seats, me }: Scene, { said, word, order, won, score, match, rivals = [] }: Over, words: Words): Node[] {
  const columns = score.some((row) => row[4]) ? COLUMNS : COLUMNS.slice(0, -1);
  const heads = columns.map(([key, sign]) => {
    const head = make(
      "th",
      "",
      { scope: "col", "aria-label": words.say(key) },
      sign ? make("span", "", {}, words.say(key)) : words.say(key),
    );
    head.insertAdjacentHTML("beforeend", roleSign(sign));
    return head;
  });
  const rows = score.map(([name, ...rest]) => {
    const cells = rest.slice(0, columns.length - 1).map((cell) => make("td", "", {}, String(cell) || "–"));
    return make("tr", "", {}, make("th", "", { scope: "row" }, name), ...cells);
  });
  const line = (kind: string, text: string | undefined): Node[] => (text ? [make("p", kind, {}, text)] : []);
  const mine = seats[me]?.wears ?? []; // the others wear theirs at their plates
  const label = { role: "img", "aria-label": words.count("shoulders", mine.length) };
  const result = [
    ...line("dk-verdict", word?.[0]),
    ...line(word ? "" : "dk-verdict", said[0]),
    ...(mine.length ? [make("p", "dk-wears", label, ...epaulettes(mine))] : []),
    ...line("dk-order", order),
    ...line("", match),
    ...rivals.flatMap((told) => line("dk-rival", told)),
  ];
  return [
    make("div", won ? "dk-result dk-won" : "dk-result", {}, ...result),
    make("table", "dk-score", {}, make("tr", "", {}, ...heads), ...rows),
  ];
}

/** The line above the other players: the name of the game, which opens its rules, and the score of the match. */
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
