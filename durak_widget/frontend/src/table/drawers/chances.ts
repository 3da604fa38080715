/** What may be hoped for, as a bar below the felt: the chance to get away, and how sure that is. */

import { make, set, write } from "../../page/dom";
import type { Shared } from "../../page/shared";
import { dressOnce } from "./portraits";

export class Chances {
  private readonly sure = make("i", "dk-hope-sure");
  private readonly perhaps = make("i", "dk-hope-perhaps");
  private readonly said = make("span", "");
  private readonly bar = make("div", "dk-hope", { role: "img" }, make("span", "dk-hope-line", {}, this.sure, this.perhaps), this.said);

  constructor(private readonly shared: Shared) {
    new MutationObserver(() => this.paint()).observe(shared.root, { attributeFilter: ["data-scene"] });
    this.paint();
  }

  private paint(): void {
    const { root, scene, words, look } = this.shared;
    const found = scene.beside?.chances;
    if (!look.chances || scene.over) return this.bar.remove();
    dressOnce(root);
    if (!this.bar.isConnected) root.querySelector(".dk-felt")?.after(this.bar);
    const [share, least, most] = (found ?? []).map((one) => 100 * one);
    if (share === undefined || least === undefined || most === undefined) return; // what was known last stands till more is known
    const [percent, give] = [Math.round(share), Math.max(1, Math.round((most - least) / 2))];
    this.sure.style.width = `${least}%`;
    this.perhaps.style.width = `${most - least}%`;
    const proved = most === least;
    write(this.said, proved ? String(percent) : `${percent} ± ${give}`);
    const all = proved ? words.say("chances.proved", { percent }) : words.say("chances", { percent, give });
    set(this.bar, { "aria-label": all, title: all });
  }
}
