/** The grid of a matrix: heads and cells, one tab stop, arrows from cell to cell. What is the same is not painted again. */

import { button, focused, make, set, write } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import type { Mark, MatrixTask, Told } from "../protocol/matrix";

/** What a person does in the grid. */
export interface Doing {
  cell(row: number, column: number): void;
  head(seat: number, place: number): void;
  payoff(seat: number, row: number, column: number): void;
  fill(row: number, column: number, text: string): void;
  leave(): void;
  /** One has come to a cell. */
  stand(row: number, column: number): void;
}

/** So many rows further with a key. */
const PAGE = 10;
const minus = (text: string): string => text.replace(/-/g, "−");

export class Grid {
  private readonly table = make("table", "dk-matrix-table", { role: "grid" });
  readonly element = make("div", "dk-matrix-scroll", {}, this.table);
  private cells: HTMLTableCellElement[][] = [];
  private heads: [HTMLElement[], HTMLElement[]] = [[], []];
  private keys: string[][] = [];
  private built = "";
  /** What is scrolled to is never below the heads. */
  private readonly heading = new ResizeObserver(([corner]) => {
    const { offsetWidth = 0, offsetHeight = 0 } = (corner?.target as HTMLElement | undefined) ?? {};
    this.element.style.scrollPadding = `${offsetHeight}px 0 0 ${offsetWidth}px`;
  });
  /** Where the tab stop is: row and column of the grid with its heads, and which part of the cell. */
  private at: readonly [row: number, column: number, part: number] = [1, 1, 0];

  constructor(
    private readonly doing: Doing,
    signal: AbortSignal,
  ) {
    const { table } = this;
    table.addEventListener("click", (event) => this.click(event), { signal });
    table.addEventListener("keydown", (event) => this.key(event), { signal });
    table.addEventListener("focusin", (event) => this.arrive(event.target as HTMLElement), { signal });
    table.addEventListener("change", (event) => this.filled(event.target), { signal });
    signal.addEventListener("abort", () => this.heading.disconnect());
    this.element.addEventListener("pointerover", (event) => this.hover(event.target as Element), { signal });
    this.element.addEventListener("pointerleave", () => this.hover(undefined), { signal });
  }

  paint(told: Told, task: MatrixTask, words: Words): void {
    const { names, rows, columns, zero } = told;
    const pairs = told.pairs || task.asks === "best";
    const key = JSON.stringify([names, rows, columns, zero, pairs, task.asks, words.language, Object.keys(task.cells ?? {})]);
    if (key !== this.built) this.build(told, task, pairs);
    this.built = key;
    const [one, other] = names;
    set(this.table, { "aria-label": words.say("matrix.of", { first: one, second: other }) });
    this.paintHeads(told, task, words);
    const struck = this.gone(told, task);
    rows.forEach((_, row) => {
      columns.forEach((_, column) => {
        this.paintCell(told, task, words, row, column, (struck[0].has(row) ? 1 : 0) + (struck[1].has(column) ? 2 : 0));
      });
    });
    this.rove();
  }

  private build({ names: [one, other], rows, columns }: Told, task: MatrixTask, pairs: boolean): void {
    const had = focused(this.table) !== null;
    const heads = !task.asks || task.asks === "strike";
    const head = (seat: number, place: number, said: readonly [string, string]): HTMLTableCellElement => {
      const name = heads ? button("dk-matrix-head", "", { "data-seat": seat, "data-place": place }) : make("span", "dk-matrix-head");
      name.append(make("span", "", {}, said[0]));
      if (said[1] !== said[0]) set(name, { title: said[1] });
      const scope = seat ? "col" : "row";
      const cell = make("th", "", { scope, role: seat ? "columnheader" : "rowheader" }, name, make("span", "dk-matrix-likely"));
      this.heads[seat as 0 | 1][place] = cell;
      return cell;
    };
    this.heads = [[], []];
    const corner = make("td", "dk-matrix-corner");
    const first = make("span", "dk-pay", { "data-seat": 0 }, `${one} ↓`);
    corner.append(make("span", "dk-pay", { "data-seat": 1 }, `${other} →`), first);
    const top = make("tr", "", {}, corner, ...columns.map((said, place) => head(1, place, said)));
    this.cells = rows.map((_, row) => columns.map((_, column) => this.make(row, column, task, pairs)));
    this.keys = rows.map(() => []);
    const body = this.cells.map((cells, row) => make("tr", "", {}, head(0, row, rows[row] ?? ["", ""]), ...cells));
    this.table.replaceChildren(make("thead", "", {}, top), make("tbody", "", {}, ...body));
    set(this.table, { "data-pairs": pairs });
    this.heading.disconnect();
    this.heading.observe(corner);
    if (this.stops(this.at[0], this.at[1]).length === 0) this.at = [1, 1, 0];
    if (had) this.stops(this.at[0], this.at[1])[0]?.focus();
  }

  private make(row: number, column: number, task: MatrixTask, pairs: boolean): HTMLTableCellElement {
    const cell = make("td", "", { "data-row": row, "data-column": column });
    if (task.asks === "fill" && task.cells?.[`${row},${column}`]) {
      const more = { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 40, tabindex: -1 };
      cell.append(make("input", "dk-matrix-field", more));
    } else if (pairs) {
      const asked = task.asks === "best";
      const part = (seat: number): HTMLElement =>
        asked ? button("dk-pay", "", { "data-seat": seat, tabindex: -1 }) : make("span", "dk-pay", { "data-seat": seat });
      cell.append(part(0), make("span", "dk-matrix-comma", {}, ", "), part(1));
    } else cell.append(make("span", "dk-pay", {}));
    return cell;
  }

  /** Which rows and columns are struck out: by a person who is asked to, or of a matrix that is only looked at. */
  private gone(told: Told, task: MatrixTask): readonly [ReadonlySet<number>, ReadonlySet<number>] {
    const all = task.asks === "strike" ? (task.struck ?? []) : told.struck;
    const of = (seat: number): ReadonlySet<number> => new Set(all.filter((one) => one[0] === seat).map((one) => one[1]));
    return [of(0), of(1)];
  }

  private paintHeads(told: Told, task: MatrixTask, words: Words): void {
    const all = task.asks === "strike" ? (task.struck ?? []) : told.struck;
    for (const seat of [0, 1] as const) {
      const plans = seat ? told.columns : told.rows;
      const likely = seat ? told.found?.columns : told.found?.rows;
      this.heads[seat].forEach((cell, place) => {
        const order = all.findIndex((one) => one[0] === seat && one[1] === place);
        const mark: Mark = (task.asks === "strike" && task.marks?.[`${seat},${place}`]) || "";
        const leads = Boolean(told.leads?.[seat][place]);
        const played = likely?.[place] ?? "";
        const name = cell.firstElementChild as HTMLElement;
        const said = [words.say("matrix.head", { name: told.names[seat], plan: plans[place]?.[0] ?? "" })];
        if (order >= 0) said.push(`${words.say("matrix.struck")} (${order + 1})`);
        if (mark) said.push(words.say(`mark.${mark}`));
        if (leads) said.push(words.say("matrix.leads"));
        if (played) said.push(words.say("matrix.likely", { likely: played }));
        set(cell, { "data-struck": order >= 0 ? order + 1 : undefined, "data-mark": mark || undefined, "data-leads": leads });
        set(cell, { "data-played": Boolean(played) });
        const pressed = name instanceof HTMLButtonElement ? { "aria-pressed": String(order >= 0), "aria-label": said.join(", ") } : {};
        set(name, pressed);
        write(cell.lastElementChild as HTMLElement, played);
      });
    }
  }

  private paintCell(told: Told, task: MatrixTask, words: Words, row: number, column: number, struck: number): void {
    const worth = told.cells[row]?.[column] ?? -1;
    const best = told.marks ? Number(told.best[row]?.[column] ?? 0) : 0;
    const selected = told.selected?.[0] === row && told.selected[1] === column;
    const asked = task.asks === "fill" ? task.cells?.[`${row},${column}`] : undefined;
    const marked = [0, 1].map((seat) => (task.marked ?? []).some((one) => one[0] === seat && one[1] === row && one[2] === column));
    const marks = [0, 1].map((seat) => (task.asks === "best" && task.marks?.[`${seat},${row},${column}`]) || "");
    const key = [worth, told.worths[worth]?.join(), best, struck, selected, JSON.stringify(asked), marked, marks].join("|");
    const cell = this.cells[row]?.[column];
    if (!cell || this.keys[row]?.[column] === key) return;
    (this.keys[row] as string[])[column] = key;
    const [first, second] = told.names;
    const [one, other] = (told.worths[worth] ?? ["", ""]).map(minus) as [string, string];
    const facts = { first, row: told.rows[row]?.[0] ?? "", second, column: told.columns[column]?.[0] ?? "" };
    set(cell, { "data-best": best || undefined, "data-struck": struck || undefined, "aria-selected": String(selected) });
    set(cell, { "data-mark": asked?.mark || undefined });
    if (asked) {
      const field = cell.firstElementChild as HTMLInputElement;
      const typing = field === focused(this.table) && field.value !== (field.dataset.sent ?? "");
      if (!typing || asked.open === false) field.value = asked.text;
      field.dataset.sent = asked.text;
      field.readOnly = asked.open === false;
      const mark = asked.mark ? `, ${words.say(`mark.${asked.mark}`)}` : "";
      return set(field, { "aria-label": words.say("matrix.fill.cell", facts) + mark });
    }
    const parts = [...cell.querySelectorAll<HTMLElement>(".dk-pay")];
    write(parts[0] as HTMLElement, one);
    if (parts[1]) write(parts[1], other);
    if (task.asks === "best") {
      for (const seat of [0, 1] as const) {
        const mark = marks[seat] as Mark;
        const said = words.say("matrix.payoff", { name: told.names[seat], worth: seat ? other : one, ...facts });
        const more = { "aria-pressed": String(marked[seat]), "data-mark": mark || undefined };
        set(parts[seat] as HTMLElement, { "aria-label": mark ? `${said}, ${words.say(`mark.${mark}`)}` : said, ...more });
      }
      return;
    }
    const said = [parts[1] ? words.say("matrix.cell", { ...facts, one, other }) : words.say("matrix.cell.alone", { ...facts, one })];
    if (struck) said.push(words.say("matrix.struck"));
    if (best === 3) said.push(words.say("matrix.both"));
    else if (best) said.push(words.say("matrix.best", { name: told.names[best === 1 ? 0 : 1] }));
    set(cell, { "aria-label": said.join(", ") });
  }

  // Where one is

  /** What can have the focus in a place of the grid: row and column 0 are the heads. */
  private stops(row: number, column: number): HTMLElement[] {
    const cell = row && column ? this.cells[row - 1]?.[column - 1] : row ? this.heads[0][row - 1] : this.heads[1][column - 1];
    if (!cell || !(row || column)) return [];
    const inside = [...cell.querySelectorAll<HTMLElement>("button, input")];
    return inside.length || !(row && column) ? inside : [cell];
  }

  private rove(): void {
    const stop = this.stops(this.at[0], this.at[1])[this.at[2]] ?? this.stops(this.at[0], this.at[1])[0];
    for (const old of this.table.querySelectorAll('[tabindex="0"]')) if (old !== stop) set(old, { tabindex: -1 });
    for (const head of this.table.querySelectorAll("button.dk-matrix-head")) if (head !== stop) set(head, { tabindex: -1 });
    if (stop) set(stop, { tabindex: 0 });
  }

  /** Go to a place, if there is something that can have the focus. */
  private go(row: number, column: number, part = 0): boolean {
    const stops = this.stops(row, column);
    const stop = stops[Math.min(part, stops.length - 1)];
    if (!stop) return false;
    set(stop, { tabindex: stop.tabIndex < 0 ? -1 : 0 });
    stop.focus();
    return true;
  }

  private arrive(target: HTMLElement): void {
    const cell = target.closest<HTMLTableCellElement>("td, th");
    const line = cell?.parentElement as HTMLTableRowElement | null;
    if (!cell || !line) return;
    const part = [...cell.querySelectorAll("button, input")].indexOf(target);
    this.at = [line.rowIndex, cell.cellIndex, Math.max(part, 0)];
    this.rove();
    if (cell.dataset.row !== undefined) this.doing.stand(Number(cell.dataset.row), Number(cell.dataset.column));
  }

  private key(event: KeyboardEvent): void {
    const [row, column, part] = this.at;
    const field = event.target instanceof HTMLInputElement ? event.target : undefined;
    const rows = this.cells.length;
    const columns = this.cells[0]?.length ?? 0;
    const clamp = (at: number, most: number): number => Math.max(0, Math.min(at, most));
    const inside = field !== undefined && field.value !== "" && field.selectionStart !== field.value.length;
    const before = field !== undefined && field.value !== "" && field.selectionStart !== 0;
    switch (event.key) {
      case "ArrowUp":
      case "ArrowDown":
        this.go(clamp(row + (event.key === "ArrowUp" ? -1 : 1), rows), column, part);
        break;
      case "PageUp":
      case "PageDown":
        this.go(Math.max(1, clamp(row + (event.key === "PageUp" ? -PAGE : PAGE), rows)), column, part);
        break;
      case "ArrowRight":
        if (inside) return event.stopPropagation();
        if (part + 1 < this.stops(row, column).length) this.go(row, column, part + 1);
        else this.go(row, clamp(column + 1, columns), column < columns ? 0 : part);
        break;
      case "ArrowLeft":
        if (before) return event.stopPropagation();
        if (part > 0) this.go(row, column, part - 1);
        else this.go(row, clamp(column - 1, columns), column > 0 ? 9 : 0);
        break;
      case "Home":
      case "End": {
        if (field) return event.stopPropagation();
        const to = event.key === "Home" ? 1 : columns;
        this.go(event.ctrlKey ? (event.key === "Home" ? 1 : rows) : row, to);
        break;
      }
      case "Escape":
        if (field) field.value = field.dataset.sent ?? "";
        this.doing.leave();
        break;
      case "Enter":
        if (field) {
          this.filled(field);
          if (row < rows) this.go(row + 1, column);
          else this.go(column < columns ? 1 : row, clamp(column + 1, columns)); // down, and then to the top of the next column
        } else if (event.target instanceof HTMLTableCellElement) this.choose(event.target);
        else return event.stopPropagation();
        break;
      case " ":
        if (!(event.target instanceof HTMLTableCellElement)) return event.stopPropagation();
        this.choose(event.target);
        break;
      default:
        return event.stopPropagation();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // What is done

  private click(event: Event): void {
    const target = event.target as HTMLElement;
    const head = target.closest<HTMLElement>("button.dk-matrix-head");
    if (head) return this.doing.head(Number(head.dataset.seat), Number(head.dataset.place));
    const cell = target.closest<HTMLTableCellElement>("td[data-row]");
    const payoff = target.closest<HTMLElement>("button.dk-pay");
    if (cell && payoff) return this.doing.payoff(Number(payoff.dataset.seat), Number(cell.dataset.row), Number(cell.dataset.column));
    if (!cell || target instanceof HTMLInputElement) return;
    const [stop] = this.stops(Number(cell.dataset.row) + 1, Number(cell.dataset.column) + 1);
    if (stop === cell) stop.focus({ preventScroll: true });
    this.choose(cell);
  }

  private choose(cell: HTMLTableCellElement): void {
    if (cell.dataset.row !== undefined) this.doing.cell(Number(cell.dataset.row), Number(cell.dataset.column));
  }

  private filled(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement) || target.readOnly) return;
    const text = target.value.trim();
    const cell = target.closest("td");
    if (!cell || text === (target.dataset.sent ?? "")) return;
    target.dataset.sent = text;
    this.doing.fill(Number(cell.dataset.row), Number(cell.dataset.column), text);
  }

  /** The heads of the row and column under the pointer are seen. */
  private hover(target: Element | undefined): void {
    const cell = target?.closest<HTMLElement>("td[data-row]");
    for (const seat of [0, 1] as const) {
      const at = Number((seat ? cell?.dataset.column : cell?.dataset.row) ?? -1);
      this.heads[seat].forEach((head, place) => void set(head, { "data-near": place === at }));
    }
  }
}
