/** The result at the end of a game, and the line with the game's name and the match score. */

import { drawRoleSign } from "../../widgets/cards";
import { hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import type { GameResult, Scene } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { TableContext } from "../../widgets/table-context";
import { drawEpaulettes } from "./seats";

/** The columns, each with a sign that replaces its word on small tables. The style sheet draws epaulettes. */
const COLUMNS = [
  ["side", ""],
  ["score.won", "won"],
  ["score.drew", "draw"],
  ["score.lost", "fool"],
  ["score.epaulettes", "wears"],
] as const;

/** Return the result at the end of a game: who is the fool, who went out when, and the score of the match. */
export function renderResult(
  { seats, viewer: me }: Scene,
  { text: sentence, farewell: word, order, won, score, match_result: match, remarks: rivals = [] }: GameResult,
  words: Words,
): Node[] {
  const columns = score.some((row) => row[4]) ? COLUMNS : COLUMNS.slice(0, -1);
  const headCells = columns.map(([key, sign]) => {
    const head = make(
      "th",
      "",
      { scope: "col", "aria-label": words.say(key) },
      sign ? make("span", "", {}, words.say(key)) : words.say(key),
    );
    head.insertAdjacentHTML("beforeend", drawRoleSign(sign));
    return head;
  });
  const rows = score.map(([name, ...values]) => {
    const cells = values.slice(0, columns.length - 1).map((cell) => make("td", "", {}, String(cell) || "–"));
    return make("tr", "", {}, make("th", "", { scope: "row" }, name), ...cells);
  });
  const makeLine = (className: string, text: string | undefined): Node[] => (text ? [make("p", className, {}, text)] : []);
  const ownEpaulettes = seats[me]?.epaulettes ?? []; // The other players wear theirs at their seats.
  const label = { role: "img", "aria-label": words.sayCount("shoulders", ownEpaulettes.length) };
  const result = [
    ...makeLine("dk-verdict", word?.[0]),
    ...makeLine(word ? "" : "dk-verdict", sentence[0]),
    ...(ownEpaulettes.length ? [make("p", "dk-epaulettes", label, ...drawEpaulettes(ownEpaulettes, words))] : []),
    ...makeLine("dk-finishing-order", order),
    ...makeLine("", match),
    ...rivals.flatMap((rival) => makeLine("dk-opponent-remark", rival)),
  ];
  return [
    make("div", won ? "dk-result dk-won" : "dk-result", {}, ...result),
    make("table", "dk-score-table", {}, make("tr", "", {}, ...headCells), ...rows),
  ];
}

/** The line above the other players: the name of the game, which opens its rules, and the match score. */
export class TitleLine {
  private readonly title = make("button", "dk-rules-button", { type: "button" });
  private readonly score = make("span", "dk-match-score");
  readonly element = make("div", "dk-table-header", {}, this.title, this.score);

  constructor(openRules: () => void) {
    this.title.addEventListener("click", openRules);
  }

  paint(context: TableContext): void {
    const { scene, words } = context;
    setText(this.title, scene.rules);
    setAttributes(this.title, { "aria-label": `${words.say("rules")}: ${scene.rules}` });
    if (!hasChanged(this.score, scene.score, scene.viewer, words.language)) return;
    const { score = [] } = scene;
    const isLong = score.length > 3;
    const formatSide = (seat: number): string =>
      isLong && seat !== scene.viewer ? words.say("short", { number: seat + 1 }) : context.formatSeat(seat);
    const sides = score
      .filter(([, lost]) => lost || !isLong) // With many sides, show only those that have lost.
      .map(([seats, lost, worn]) => `${seats.map(formatSide).join(" + ")}: ${lost}${worn && ` (${worn})`}`);
    setText(this.score, sides.length ? words.say("lost", { score: sides.join(" · ") }) : "");
  }
}
