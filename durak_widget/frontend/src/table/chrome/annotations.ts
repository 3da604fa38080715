/** Marks for explaining: a ring round a card or a player, an arrow from one to another; by the right mouse button, or by any while marking is on. */

import { button, make, set, write } from "../../widgets/dom";
import type { Shared } from "../../widgets/table-context";
import type { Panels } from "./side-panel";

const SVG = "http://www.w3.org/2000/svg";
/** From something, to itself or to something else. */
type Mark = readonly [from: Element, to: Element];

export class Marks {
  private readonly sheet = document.createElementNS(SVG, "svg");
  private readonly end = button("", "", { "data-key": "unmark" });
  private readonly how = make("span", "dk-small");
  /** Says how to mark, while marking is on, and ends it. */
  readonly element = make("div", "dk-marking", {}, this.end, this.how);
  private marks: readonly Mark[] = [];
  private from: Element | undefined;

  constructor(
    private readonly table: Shared & { readonly panels: Panels },
    private readonly air: HTMLElement,
    signal: AbortSignal,
  ) {
    const listen = <K extends keyof HTMLElementEventMap>(kind: K, heard: (event: HTMLElementEventMap[K]) => void): void =>
      table.root.addEventListener(kind, heard, { signal, capture: true });
    this.sheet.setAttribute("class", "dk-marks");
    air.append(this.sheet);
    this.end.addEventListener("click", () => this.clear());
    listen("pointerdown", (event) => {
      this.from = event.button === 2 || (event.button === 0 && this.on) ? this.under(event) : undefined;
      if (this.from) event.stopPropagation();
    });
    listen("pointerup", (event) => {
      const to = this.from && this.under(event);
      if (this.from && to) this.toggle([this.from, to]);
      this.from = undefined;
    });
    listen("click", (event) => {
      if (this.on && event.detail && this.under(event)) event.stopPropagation(); // it is marked, and not played
    });
    listen("contextmenu", (event) => this.under(event) && event.preventDefault());
  }

  private get on(): boolean {
    return this.table.root.dataset.marking !== undefined;
  }

  /** Mark with any button, or play again. */
  mark(): void {
    const { root, words } = this.table;
    set(root, { "data-marking": !this.on });
    write(this.end, `${words.say("mark")} ×`);
    write(this.how, words.say("mark.how"));
    if (this.on) this.table.announce(words.say("mark.how"));
  }

  /** The person wants no marks any more. Whether there was anything. */
  clear(): boolean {
    const any = this.on || this.marks.length > 0;
    set(this.table.root, { "data-marking": undefined });
    this.wipe();
    return any;
  }

  /** The moment that was explained is past. */
  wipe(): void {
    this.marks = [];
    this.draw();
  }

  /** The card or the player under the pointer. */
  private under({ clientX, clientY }: MouseEvent): Element | undefined {
    const all = (this.table.root.getRootNode() as Document | ShadowRoot).elementsFromPoint(clientX, clientY);
    return all.map((one) => one.closest(".dk-felt :is(.dk-card, .dk-plate)")).find((found) => found !== null) ?? undefined;
  }

  private toggle(mark: Mark): void {
    const rest = this.marks.filter(([from, to]) => from !== mark[0] || to !== mark[1]);
    this.marks = rest.length < this.marks.length ? rest : [...rest, mark];
    this.draw();
  }

  /** Draw them where things now are. */
  draw(): void {
    if (!this.marks.length) return this.sheet.replaceChildren(); // and nothing need be measured
    this.table.panels.with(({ marksIn }) => {
      this.sheet.innerHTML = marksIn(this.air, this.marks);
    });
  }
}
