/** The trail of crumbs: the way from the root to the node that is looked at, a button for each move of it. */

import { button, changed, make, set } from "../../widgets/dom";
import type { Host } from "../panels/panel";
import type { Crumb } from "../protocol/tree-drawing";
import { drawMove } from "../view/branch";

/** So many stand at the beginning and at the end of a long way. */
const FIRST = 1;
const LAST = 4;

/** Of a long way, its beginning and its end: null stands for what is between. */
export function shortened<T>(all: readonly T[], open: boolean): (T | null)[] {
  return open || all.length <= FIRST + LAST + 1 ? [...all] : [...all.slice(0, FIRST), null, ...all.slice(-LAST)];
}

export class Crumbs {
  readonly element = make("div", "dk-crumbs", { role: "group" });
  private readonly list = make("ol", "");
  private whole = false;
  private last = -1;

  constructor(private readonly host: Host) {
    this.element.append(this.list);
  }

  paint(): void {
    const shown = this.host.shown();
    const words = this.host.words();
    const at = this.host.at();
    if (at !== this.last) this.whole = false;
    this.last = at;
    const way = shown.way(at);
    if (!changed(this.list, words.language, shown.drawing.id, way, this.whole)) return;
    const told = new Map(shown.drawing.crumbs.map((crumb: Crumb) => [crumb.id, crumb.said]));
    set(this.element, { "aria-label": words.say("tree.way") });
    const items = shortened(way, this.whole).map((i) => {
      if (i === null) {
        const rest = button("dk-crumb", "…", { "aria-label": words.say("tree.way.whole") });
        rest.addEventListener("click", () => {
          this.whole = true;
          this.paint();
          this.list.querySelector<HTMLElement>("button")?.focus();
        });
        return make("li", "", {}, rest);
      }
      const id = shown.id(i);
      const move = shown.move(i);
      const said = move?.said ?? told.get(id) ?? words.say("tree.root");
      const crumb = button("dk-crumb", "", { "aria-label": said, title: said, "aria-current": i === at ? "step" : undefined });
      if (move) drawMove(crumb, move);
      else crumb.textContent = words.say("tree.root");
      crumb.addEventListener("click", () => this.host.go(id));
      return make("li", "", {}, crumb);
    });
    this.list.replaceChildren(...items);
  }
}
