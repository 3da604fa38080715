/** Annotations for explaining: rings and arrows on cards and players. Draw them with the right mouse button, or with any button in annotation mode. */

import { button, make, setAttributes, setText } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";
import type { Panels } from "./side-panel";

const SVG = "http://www.w3.org/2000/svg";
/** From an element to itself (a ring) or to another (an arrow). */
type Annotation = readonly [from: Element, to: Element];

export class Annotations {
  private readonly svg = document.createElementNS(SVG, "svg");
  private readonly endButton = button("", "", { "data-key": "unmark" });
  private readonly instructions = make("span", "dk-small");
  /** Instructions, and a button that ends annotation mode. */
  readonly element = make("div", "dk-annotation-bar", {}, this.endButton, this.instructions);
  private marks: readonly Annotation[] = [];
  private startElement: Element | undefined;

  constructor(
    private readonly table: TableContext & { readonly panels: Panels },
    private readonly air: HTMLElement,
    signal: AbortSignal,
  ) {
    const listen = <K extends keyof HTMLElementEventMap>(type: K, handler: (event: HTMLElementEventMap[K]) => void): void =>
      table.root.addEventListener(type, handler, { signal, capture: true });
    this.svg.setAttribute("class", "dk-annotations");
    air.append(this.svg);
    this.endButton.addEventListener("click", () => this.clear());
    listen("pointerdown", (event) => {
      this.startElement = event.button === 2 || (event.button === 0 && this.isOn) ? this.findTarget(event) : undefined;
      if (this.startElement) event.stopPropagation();
    });
    listen("pointerup", (event) => {
      const target = this.startElement && this.findTarget(event);
      if (this.startElement && target) this.toggle([this.startElement, target]);
      this.startElement = undefined;
    });
    listen("click", (event) => {
      if (this.isOn && event.detail && this.findTarget(event)) event.stopPropagation(); // The click draws an annotation and plays no card.
    });
    listen("contextmenu", (event) => this.findTarget(event) && event.preventDefault());
  }

  private get isOn(): boolean {
    return this.table.root.dataset.marking !== undefined;
  }

  /** Turn annotation mode on or off. */
  toggleMode(): void {
    const { root, words } = this.table;
    setAttributes(root, { "data-marking": !this.isOn });
    setText(this.endButton, `${words.say("mark")} ×`);
    setText(this.instructions, words.say("mark.how"));
    if (this.isOn) this.table.announce(words.say("mark.how"));
  }

  /** Remove all annotations. Return whether there were any. */
  clear(): boolean {
    const hadMarks = this.isOn || this.marks.length > 0;
    setAttributes(this.table.root, { "data-marking": undefined });
    this.wipe();
    return hadMarks;
  }

  /** Remove annotations. The moment that they explain is over. */
  wipe(): void {
    this.marks = [];
    this.draw();
  }

  /** Return the card or player under the pointer. */
  private findTarget({ clientX, clientY }: MouseEvent): Element | undefined {
    const elements = (this.table.root.getRootNode() as Document | ShadowRoot).elementsFromPoint(clientX, clientY);
    return elements.map((element) => element.closest(".dk-felt :is(.dk-card, .dk-plate)")).find((target) => target !== null) ?? undefined;
  }

  private toggle(mark: Annotation): void {
    const remaining = this.marks.filter(([from, to]) => from !== mark[0] || to !== mark[1]);
    this.marks = remaining.length < this.marks.length ? remaining : [...remaining, mark];
    this.draw();
  }

  /** Draw the annotations at the current positions. */
  draw(): void {
    if (!this.marks.length) return this.svg.replaceChildren(); // Without annotations nothing has to be measured.
    this.table.panels.withBundle(({ drawAnnotations }) => {
      this.svg.innerHTML = drawAnnotations(this.air, this.marks);
    });
  }
}
