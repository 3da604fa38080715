/** The bar with the chance to win, below the felt. */

import { make, setAttributes, setText } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";
import { addStyleOnce } from "./portraits";

/** The bar below the table: the probability of not becoming the fool, and its uncertainty. */
export class WinProbabilityBar {
  private readonly sureElement = make("i", "dk-win-bar-sure");
  private readonly possibleElement = make("i", "dk-win-bar-possible");
  private readonly textElement = make("span", "");
  private readonly bar = make(
    "div",
    "dk-win-bar",
    { role: "img" },
    make("span", "dk-win-bar-track", {}, this.sureElement, this.possibleElement),
    this.textElement,
  );

  /** The game and seat of the shown numbers. */
  private shownKey = "";

  constructor(private readonly context: TableContext) {
    new MutationObserver(() => this.paint()).observe(context.root, { attributeFilter: ["data-scene"] });
    this.paint();
  }

  private paint(): void {
    const { root, scene, words, look } = this.context;
    const { analysis: beside, game, viewer: me } = scene;
    if (!look.chances || !beside || scene.result || scene.covered) {
      this.shownKey = "";
      return this.bar.remove(); // Advice is off, or no person plays.
    }
    if (this.shownKey !== `${game} ${me}`) this.show(0, 0, "", words.say("chances.soon"));
    this.shownKey = `${game} ${me}`;
    addStyleOnce(root);
    if (!this.bar.isConnected) root.querySelector(".dk-felt")?.after(this.bar);
    const [share, low, high] = (beside.chances ?? []).map((share) => 100 * share);
    if (share === undefined || low === undefined || high === undefined) return; // Keep the last numbers until new ones arrive.
    const [percent, margin] = [Math.round(share), Math.max(1, Math.round((high - low) / 2))];
    const isProved = high === low;
    const label = isProved ? words.say("chances.proved", { percent }) : words.say("chances", { percent, give: margin });
    this.show(low, high, isProved ? String(percent) : `${percent} ± ${margin}`, label);
  }

  private show(low: number, high: number, text: string, label: string): void {
    this.sureElement.style.width = `${low}%`;
    this.possibleElement.style.width = `${high - low}%`;
    setText(this.textElement, text);
    setAttributes(this.bar, { "aria-label": label, title: label });
  }
}
