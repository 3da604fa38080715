/** A matrix alone in a notebook: the page around it. */

import { make, set } from "../../widgets/dom";
import { dressBoard, watchTheme } from "../../widgets/theme";
import type { Door } from "../../widgets/widget-host";
import type { MatrixTask, Told } from "../protocol/matrix";
import { MatrixView } from "./matrix-view";

export class MatrixPage {
  readonly root = make("section", "dk dk-board dk-matrix-page", { role: "group" });
  private readonly stopped = new AbortController();
  private readonly status = make("div", "dk-live", { role: "status" });
  private readonly view: MatrixView;
  private dead = false;

  constructor(private readonly door: Door) {
    this.view = new MatrixView({
      signal: this.stopped.signal,
      tree: false,
      told: () => door.get<Told | undefined>("matrix"),
      task: () => door.get<MatrixTask | undefined>("task") ?? {},
      words: () => door.words,
      send: (message) => door.send(message),
      announce: (said) => this.announce(said),
    });
    this.root.append(this.view.element, this.status);
    watchTheme(this.root, () => this.dress(), this.stopped.signal);
  }

  begin(place: HTMLElement): void {
    this.dress();
    place.append(this.root);
    this.paint();
  }

  paint(): void {
    const { words } = this.door;
    set(this.root, { lang: words.language, "aria-label": words.say("matrix") });
    this.view.paint();
  }

  dress(): void {
    dressBoard(this.root, this.door.get<string | undefined>("theme"));
  }

  /** Python could not do what was asked, or is not there: say so, and leave everything as it is. */
  tell(said: string): void {
    this.view.tell(said);
  }

  private announce(said: string): void {
    this.status.replaceChildren(make("p", "", {}, said));
  }

  live(alive: boolean): void {
    if (this.dead === !alive) return;
    this.dead = !alive;
    set(this.root, { "data-dead": this.dead });
    this.tell(alive ? "" : this.door.words.say("matrix.gone"));
  }

  stop(): void {
    this.stopped.abort();
    this.root.remove();
  }
}
