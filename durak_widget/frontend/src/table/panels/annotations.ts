/** Annotations for explaining: rings and arrows on cards and players. Draw them with the right mouse button, or with any button in annotation mode. */

import { button, make, setAttributes, setText } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";

const SVG = "http://www.w3.org/2000/svg";
const STYLE = `.dk-annotations{position:absolute;inset:0;width:100%;height:100%;fill:none;stroke:#ff8f1f;stroke-width:6;stroke-linecap:round;stroke-linejoin:round;opacity:.85}
.dk-annotation-bar{display:none;gap:10px;padding:4px 2px}.dk[data-marking]>.dk-annotation-bar{display:flex}.dk[data-marking] .dk-felt :is(.dk-card,.dk-plate){cursor:crosshair;touch-action:none}`;
/** From an element to itself (a ring) or to another (an arrow). */
type Annotation = readonly [from: Element, to: Element];

export class Annotations {
  private readonly svg = document.createElementNS(SVG, "svg");
  private readonly endButton = button("", "", { "data-key": "unmark" });
  private readonly instructions = make("span", "dk-small");
  /** Instructions, and a button that ends annotation mode. */
  private readonly element = make("div", "dk-annotation-bar", {}, this.endButton, this.instructions, make("style", "", {}, STYLE));
  private marks: readonly Annotation[] = [];
  private startElement: Element | undefined;

  constructor(
    private readonly table: TableContext & { readonly panels: { readonly element: HTMLElement } },
    private readonly air: HTMLElement,
    signal: AbortSignal,
  ) {
    const listen = <K extends keyof HTMLElementEventMap>(type: K, handler: (event: HTMLElementEventMap[K]) => void): void =>
      table.root.addEventListener(type, handler, { signal, capture: true });
    this.svg.setAttribute("class", "dk-annotations");
    air.append(this.svg);
    table.panels.element.before(this.element);
    this.endButton.addEventListener("click", () => this.clear());
    listen("pointerdown", (event) => {
      this.start(event);
      if (this.startElement) event.stopPropagation();
    });
    listen("pointerup", (event) => this.end(event));
    listen("click", (event) => {
      if (this.isOn && event.detail && this.findTarget(event)) event.stopPropagation(); // The click draws an annotation and plays no card.
    });
  }

  /** Start an annotation at the card or player under the pointer. */
  start(event: PointerEvent): void {
    this.startElement = event.button === 2 || (event.button === 0 && this.isOn) ? this.findTarget(event) : undefined;
  }

  /** End the annotation at the card or player under the pointer. */
  end(event: PointerEvent): void {
    const target = this.startElement && this.findTarget(event);
    if (this.startElement && target) this.toggle([this.startElement, target]);
    this.startElement = undefined;
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
    this.svg.innerHTML = this.marks.length ? drawAnnotations(this.air, this.marks) : ""; // Without annotations nothing has to be measured.
  }
}

/** Draw rings and arrows at the current positions, in the coordinates of the layer. */
function drawAnnotations(layer: Element, marks: readonly Annotation[]): string {
  const frame = layer.getBoundingClientRect();
  const shapes = marks
    .filter((pair) => pair.every((element) => element.isConnected))
    .map(([from, to]) => {
      const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
      const [x, y] = [a.left - frame.left, a.top - frame.top];
      if (from === to) return `<rect x="${x - 3}" y="${y - 3}" width="${a.width + 6}" height="${a.height + 6}" rx="10"/>`;
      const [p, q] = [x + a.width / 2, y + a.height / 2];
      const [r, s] = [b.left - frame.left + b.width / 2, b.top - frame.top + b.height / 2];
      const length = Math.hypot(r - p, s - q) || 1;
      const [u, v] = [((r - p) / length) * 12, ((s - q) / length) * 12];
      return `<path d="M${p} ${q}L${r - u} ${s - v}M${r - 2 * u - v} ${s - 2 * v + u}L${r} ${s}L${r - 2 * u + v} ${s - 2 * v - u}"/>`;
    });
  return shapes.join("");
}
