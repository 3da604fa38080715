/** What is said beside a tree: to a screen reader, and where something could not be done, to everybody. */

import { make, set, write } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import type { Drawing } from "./protocol/tree-drawing";

/** So long a refusal can be read. */
const READ = 9000;

export class Said {
  readonly status = make("div", "dk-live", { role: "status" });
  readonly refused = make("p", "dk-refused", { hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = false;

  announce(said: string): void {
    this.status.replaceChildren(make("p", "", {}, said));
  }

  /** Something was asked of Python here: what becomes of it is told. */
  ask(): void {
    this.asked = true;
    this.hush();
  }

  /** What has become of the tree, if that was asked for here. */
  compare(was: Drawing, is: Drawing, words: Words): void {
    if (!this.asked || was === is) return;
    this.asked = false;
    if (is.found && JSON.stringify(is.found) !== JSON.stringify(was.found)) this.announce(words.count("tree.found", is.found.count));
    else if (is.size.shown !== was.size.shown) this.announce(words.count("tree.shown", is.size.shown));
  }

  /** Something could not be done. */
  refuse(said: string): void {
    write(this.refused, said);
    set(this.refused, { hidden: false });
    this.announce(said);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hush(), READ);
  }

  hush(): void {
    clearTimeout(this.timer);
    set(this.refused, { hidden: true });
  }
}
