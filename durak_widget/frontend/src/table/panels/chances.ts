/** What may be hoped for, as a bar below the felt: the chance to get out, and how sure that is. */

import { make, set, write } from "../../widgets/dom";
import type { Shared } from "../../widgets/table-context";
import { dressOnce } from "./portraits";

export class Chances {
  private readonly sure = make("i", "dk-hope-sure");
  private readonly perhaps = make("i", "dk-hope-perhaps");
  private readonly said = make("span", "");
  private readonly bar = make("div", "dk-hope", { role: "img" }, make("span", "dk-hope-line", {}, this.sure, this.perhaps), this.said);

  /** Of which game and seat the numbers are. */
  private of = "";

  constructor(private readonly shared: Shared) {
    new MutationObserver(() => this.paint()).observe(shared.root, { attributeFilter: ["data-scene"] });
    this.paint();
  }

  private paint(): void {
    const { root, scene, words, look } = this.shared;
    const { beside, game, me } = scene;
    if (!look.chances || !beside || scene.over || scene.covered) {
      this.of = "";
      return this.bar.remove(); // nothing helps here, or nobody is there
    }
    if (this.of !== `${game} ${me}`) this.show(0, 0, "", words.say("chances.soon"));
    this.of = `${game} ${me}`;
    dressOnce(root);
    if (!this.bar.isConnected) root.querySelector(".dk-felt")?.after(this.bar);
    const [share, least, most] = (beside.chances ?? []).map((one) => 100 * one);
    if (share === undefined || least === undefined || most === undefined) return; // what was known last stands till more is known
    const [percent, give] = [Math.round(share), Math.max(1, Math.round((most - least) / 2))];
    const proved = most === least;
    const all = proved ? words.say("chances.proved", { percent }) : words.say("chances", { percent, give });
    this.show(least, most, proved ? String(percent) : `${percent} ± ${give}`, all);
  }

  private show(least: number, most: number, said: string, all: string): void {
    this.sure.style.width = `${least}%`;
    this.perhaps.style.width = `${most - least}%`;
    write(this.said, said);
    set(this.bar, { "aria-label": all, title: all });
  }
}
