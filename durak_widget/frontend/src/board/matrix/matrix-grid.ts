/** The grid of a matrix: heads and cells with one tab stop. Unchanged cells are not painted again. */

import { button, findFocused, make, setAttributes, setText } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import type { Mark, MatrixData, MatrixTask } from "../protocol/matrix";

/** What the user does in the grid. */
export interface GridActions {
  selectCell(row: number, column: number): void;
  chooseHead(player: number, index: number): void;
  choosePayoff(seat: number, row: number, column: number): void;
  fillCell(row: number, column: number, text: string): void;
  leaveGrid(): void;
  /** The focus came to a cell. */
  visitCell(row: number, column: number): void;
}

/** How many rows PageUp and PageDown move. */
const PAGE_ROWS = 10;
const formatMinus = (text: string): string => text.replace(/-/g, "−");

export class Grid {
  private readonly table = make("table", "dk-matrix-table", { role: "grid" });
  readonly element = make("div", "dk-matrix-scroll", {}, this.table);
  private cells: HTMLTableCellElement[][] = [];
  private heads: [HTMLElement[], HTMLElement[]] = [[], []];
  private cellKeys: string[][] = [];
  private tableKey = "";
  /** Keeps scrolled cells from being hidden below the heads. */
  private readonly cornerObserver = new ResizeObserver(([corner]) => {
    const { offsetWidth = 0, offsetHeight = 0 } = (corner?.target as HTMLElement | undefined) ?? {};
    this.element.style.scrollPadding = `${offsetHeight}px 0 0 ${offsetWidth}px`;
  });
  /** The tab stop: row and column, with heads as 0, and the part of the cell. */
  private tabStop: readonly [row: number, column: number, part: number] = [1, 1, 0];

  constructor(
    private readonly actions: GridActions,
    signal: AbortSignal,
  ) {
    const { table } = this;
    table.addEventListener("click", (event) => this.handleClick(event), { signal });
    table.addEventListener("keydown", (event) => this.handleKey(event), { signal });
    table.addEventListener("focusin", (event) => this.handleFocus(event.target as HTMLElement), { signal });
    table.addEventListener("change", (event) => this.handleFill(event.target), { signal });
    signal.addEventListener("abort", () => this.cornerObserver.disconnect());
    this.element.addEventListener("pointerover", (event) => this.highlightHeads(event.target as Element), { signal });
    this.element.addEventListener("pointerleave", () => this.highlightHeads(undefined), { signal });
  }

  paint(data: MatrixData, task: MatrixTask, words: Words): void {
    const { names, rows, columns, is_zero_sum: zero } = data;
    const pairs = data.pairs || task.question_kind === "best";
    const key = JSON.stringify([names, rows, columns, zero, pairs, task.question_kind, words.language, Object.keys(task.cells ?? {})]);
    if (key !== this.tableKey) this.build(data, task, pairs);
    this.tableKey = key;
    const [rowPlayer, columnPlayer] = names;
    setAttributes(this.table, { "aria-label": words.say("matrix.of", { first: rowPlayer, second: columnPlayer }) });
    this.paintHeads(data, task, words);
    const struckOut = this.findStruck(data, task);
    rows.forEach((_, row) => {
      columns.forEach((_, column) => {
        this.paintCell(data, task, words, row, column, (struckOut[0].has(row) ? 1 : 0) + (struckOut[1].has(column) ? 2 : 0));
      });
    });
    this.updateTabStop();
  }

  private build({ names: [rowPlayer, columnPlayer], rows, columns }: MatrixData, task: MatrixTask, pairs: boolean): void {
    const hadFocus = findFocused(this.table) !== null;
    const hasButtons = !task.question_kind || task.question_kind === "strike";
    const makeHead = (seat: number, index: number, names: readonly [string, string]): HTMLTableCellElement => {
      const name = hasButtons
        ? button("dk-matrix-header", "", { "data-seat": seat, "data-place": index })
        : make("span", "dk-matrix-header");
      name.append(make("span", "", {}, names[0]));
      if (names[1] !== names[0]) setAttributes(name, { title: names[1] });
      const scope = seat ? "col" : "row";
      const cell = make("th", "", { scope, role: seat ? "columnheader" : "rowheader" }, name, make("span", "dk-matrix-probability"));
      this.heads[seat as 0 | 1][index] = cell;
      return cell;
    };
    this.heads = [[], []];
    const corner = make("td", "dk-matrix-corner");
    const rowLabel = make("span", "dk-payoff", { "data-seat": 0 }, `${rowPlayer} ↓`);
    corner.append(make("span", "dk-payoff", { "data-seat": 1 }, `${columnPlayer} →`), rowLabel);
    const headerRow = make("tr", "", {}, corner, ...columns.map((names, index) => makeHead(1, index, names)));
    this.cells = rows.map((_, row) => columns.map((_, column) => this.makeCell(row, column, task, pairs)));
    this.cellKeys = rows.map(() => []);
    const body = this.cells.map((cells, row) => make("tr", "", {}, makeHead(0, row, rows[row] ?? ["", ""]), ...cells));
    this.table.replaceChildren(make("thead", "", {}, headerRow), make("tbody", "", {}, ...body));
    setAttributes(this.table, { "data-pairs": pairs });
    this.cornerObserver.disconnect();
    this.cornerObserver.observe(corner);
    if (this.findStops(this.tabStop[0], this.tabStop[1]).length === 0) this.tabStop = [1, 1, 0];
    if (hadFocus) this.findStops(this.tabStop[0], this.tabStop[1])[0]?.focus();
  }

  private makeCell(row: number, column: number, task: MatrixTask, pairs: boolean): HTMLTableCellElement {
    const cell = make("td", "", { "data-row": row, "data-column": column });
    if (task.question_kind === "fill" && task.cells?.[`${row},${column}`]) {
      const attributes = { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 40, tabindex: -1 };
      cell.append(make("input", "dk-matrix-field", attributes));
    } else if (pairs) {
      const isAsked = task.question_kind === "best";
      const makePayoff = (seat: number): HTMLElement =>
        isAsked ? button("dk-payoff", "", { "data-seat": seat, tabindex: -1 }) : make("span", "dk-payoff", { "data-seat": seat });
      cell.append(makePayoff(0), make("span", "dk-matrix-comma", {}, ", "), makePayoff(1));
    } else cell.append(make("span", "dk-payoff", {}));
    return cell;
  }

  /** Return the struck rows and columns: of the answer in an exercise, otherwise of the matrix. */
  private findStruck(data: MatrixData, task: MatrixTask): readonly [ReadonlySet<number>, ReadonlySet<number>] {
    const strikes = task.question_kind === "strike" ? (task.eliminated ?? []) : data.eliminated;
    const struckBy = (seat: number): ReadonlySet<number> =>
      new Set(strikes.filter((strike) => strike[0] === seat).map((strike) => strike[1]));
    return [struckBy(0), struckBy(1)];
  }

  private paintHeads(data: MatrixData, task: MatrixTask, words: Words): void {
    const strikes = task.question_kind === "strike" ? (task.eliminated ?? []) : data.eliminated;
    for (const seat of [0, 1] as const) {
      const strategies = seat ? data.columns : data.rows;
      const probabilities = seat ? data.equilibria?.columns : data.equilibria?.rows;
      this.heads[seat].forEach((cell, index) => {
        const order = strikes.findIndex((strike) => strike[0] === seat && strike[1] === index);
        const mark: Mark = (task.question_kind === "strike" && task.marks?.[`${seat},${index}`]) || "";
        const isOnPath = Boolean(data.leading_strategies?.[seat][index]);
        const probability = probabilities?.[index] ?? "";
        const name = cell.firstElementChild as HTMLElement;
        const sentences = [words.say("matrix.head", { name: data.names[seat], plan: strategies[index]?.[0] ?? "" })];
        if (order >= 0) sentences.push(`${words.say("matrix.struck")} (${order + 1})`);
        if (mark) sentences.push(words.say(`mark.${mark}`));
        if (isOnPath) sentences.push(words.say("matrix.leads"));
        if (probability) sentences.push(words.say("matrix.likely", { likely: probability }));
        setAttributes(cell, {
          "data-struck": order >= 0 ? order + 1 : undefined,
          "data-mark": mark || undefined,
          "data-on-path": isOnPath,
        });
        setAttributes(cell, { "data-played": Boolean(probability) });
        const buttonAttributes =
          name instanceof HTMLButtonElement ? { "aria-pressed": String(order >= 0), "aria-label": sentences.join(", ") } : {};
        setAttributes(name, buttonAttributes);
        setText(cell.lastElementChild as HTMLElement, probability);
      });
    }
  }

  private paintCell(data: MatrixData, task: MatrixTask, words: Words, row: number, column: number, struck: number): void {
    const payoffIndex = data.cells[row]?.[column] ?? -1;
    const bestDigit = data.marks ? Number(data.best_responses[row]?.[column] ?? 0) : 0;
    const selected = data.selected?.[0] === row && data.selected[1] === column;
    const question = task.question_kind === "fill" ? task.cells?.[`${row},${column}`] : undefined;
    const isMarked = [0, 1].map((seat) => (task.marked ?? []).some((mark) => mark[0] === seat && mark[1] === row && mark[2] === column));
    const marks = [0, 1].map((seat) => (task.question_kind === "best" && task.marks?.[`${seat},${row},${column}`]) || "");
    const key = [
      payoffIndex,
      data.payoffs[payoffIndex]?.join(),
      bestDigit,
      struck,
      selected,
      JSON.stringify(question),
      isMarked,
      marks,
    ].join("|");
    const cell = this.cells[row]?.[column];
    if (!cell || this.cellKeys[row]?.[column] === key) return;
    (this.cellKeys[row] as string[])[column] = key;
    const [first, columnPlayer] = data.names;
    const [firstPayoff, secondPayoff] = (data.payoffs[payoffIndex] ?? ["", ""]).map(formatMinus) as [string, string];
    const values = { first, row: data.rows[row]?.[0] ?? "", second: columnPlayer, column: data.columns[column]?.[0] ?? "" };
    setAttributes(cell, { "data-best": bestDigit || undefined, "data-struck": struck || undefined, "aria-selected": String(selected) });
    setAttributes(cell, { "data-mark": question?.mark || undefined });
    if (question) {
      const field = cell.firstElementChild as HTMLInputElement;
      const typing = field === findFocused(this.table) && field.value !== (field.dataset.sent ?? "");
      if (!typing || question.open === false) field.value = question.text;
      field.dataset.sent = question.text;
      field.readOnly = question.open === false;
      const mark = question.mark ? `, ${words.say(`mark.${question.mark}`)}` : "";
      return setAttributes(field, { "aria-label": words.say("matrix.fill.cell", values) + mark });
    }
    const parts = [...cell.querySelectorAll<HTMLElement>(".dk-payoff")];
    setText(parts[0] as HTMLElement, firstPayoff);
    if (parts[1]) setText(parts[1], secondPayoff);
    if (task.question_kind === "best") {
      for (const seat of [0, 1] as const) {
        const mark = marks[seat] as Mark;
        const label = words.say("matrix.payoff", { name: data.names[seat], worth: seat ? secondPayoff : firstPayoff, ...values });
        const more = { "aria-pressed": String(isMarked[seat]), "data-mark": mark || undefined };
        setAttributes(parts[seat] as HTMLElement, { "aria-label": mark ? `${label}, ${words.say(`mark.${mark}`)}` : label, ...more });
      }
      return;
    }
    const sentences = [
      parts[1]
        ? words.say("matrix.cell", { ...values, one: firstPayoff, other: secondPayoff })
        : words.say("matrix.cell.alone", { ...values, one: firstPayoff }),
    ];
    if (struck) sentences.push(words.say("matrix.struck"));
    if (bestDigit === 3) sentences.push(words.say("matrix.both"));
    else if (bestDigit) sentences.push(words.say("matrix.best", { name: data.names[bestDigit === 1 ? 0 : 1] }));
    setAttributes(cell, { "aria-label": sentences.join(", ") });
  }

  // Focus

  /** Return the focusable elements at a row and column. Row and column 0 are the heads. */
  private findStops(row: number, column: number): HTMLElement[] {
    const cell = row && column ? this.cells[row - 1]?.[column - 1] : row ? this.heads[0][row - 1] : this.heads[1][column - 1];
    if (!cell || !(row || column)) return [];
    const controls = [...cell.querySelectorAll<HTMLElement>("button, input")];
    return controls.length || !(row && column) ? controls : [cell];
  }

  private updateTabStop(): void {
    const stop = this.findStops(this.tabStop[0], this.tabStop[1])[this.tabStop[2]] ?? this.findStops(this.tabStop[0], this.tabStop[1])[0];
    for (const previous of this.table.querySelectorAll('[tabindex="0"]')) if (previous !== stop) setAttributes(previous, { tabindex: -1 });
    for (const head of this.table.querySelectorAll("button.dk-matrix-header")) if (head !== stop) setAttributes(head, { tabindex: -1 });
    if (stop) setAttributes(stop, { tabindex: 0 });
  }

  /** Move to a row and column. Return whether something there can have the focus. */
  private moveTo(row: number, column: number, part = 0): boolean {
    const stops = this.findStops(row, column);
    const stop = stops[Math.min(part, stops.length - 1)];
    if (!stop) return false;
    setAttributes(stop, { tabindex: stop.tabIndex < 0 ? -1 : 0 });
    stop.focus();
    return true;
  }

  private handleFocus(target: HTMLElement): void {
    const cell = target.closest<HTMLTableCellElement>("td, th");
    const rowElement = cell?.parentElement as HTMLTableRowElement | null;
    if (!cell || !rowElement) return;
    const part = [...cell.querySelectorAll("button, input")].indexOf(target);
    this.tabStop = [rowElement.rowIndex, cell.cellIndex, Math.max(part, 0)];
    this.updateTabStop();
    if (cell.dataset.row !== undefined) this.actions.visitCell(Number(cell.dataset.row), Number(cell.dataset.column));
  }

  private handleKey(event: KeyboardEvent): void {
    const [row, column, part] = this.tabStop;
    const field = event.target instanceof HTMLInputElement ? event.target : undefined;
    const rows = this.cells.length;
    const columns = this.cells[0]?.length ?? 0;
    const clamp = (index: number, max: number): number => Math.max(0, Math.min(index, max));
    const canMoveRight = field !== undefined && field.value !== "" && field.selectionStart !== field.value.length;
    const canMoveLeft = field !== undefined && field.value !== "" && field.selectionStart !== 0;
    switch (event.key) {
      case "ArrowUp":
      case "ArrowDown":
        this.moveTo(clamp(row + (event.key === "ArrowUp" ? -1 : 1), rows), column, part);
        break;
      case "PageUp":
      case "PageDown":
        this.moveTo(Math.max(1, clamp(row + (event.key === "PageUp" ? -PAGE_ROWS : PAGE_ROWS), rows)), column, part);
        break;
      case "ArrowRight":
        if (canMoveRight) return event.stopPropagation();
        if (part + 1 < this.findStops(row, column).length) this.moveTo(row, column, part + 1);
        else this.moveTo(row, clamp(column + 1, columns), column < columns ? 0 : part);
        break;
      case "ArrowLeft":
        if (canMoveLeft) return event.stopPropagation();
        if (part > 0) this.moveTo(row, column, part - 1);
        else this.moveTo(row, clamp(column - 1, columns), column > 0 ? 9 : 0);
        break;
      case "Home":
      case "End": {
        if (field) return event.stopPropagation();
        const targetColumn = event.key === "Home" ? 1 : columns;
        this.moveTo(event.ctrlKey ? (event.key === "Home" ? 1 : rows) : row, targetColumn);
        break;
      }
      case "Escape":
        if (field) field.value = field.dataset.sent ?? "";
        this.actions.leaveGrid();
        break;
      case "Enter":
        if (field) {
          this.handleFill(field);
          if (row < rows) this.moveTo(row + 1, column);
          else this.moveTo(column < columns ? 1 : row, clamp(column + 1, columns)); // Move down, then to the top of the next column.
        } else if (event.target instanceof HTMLTableCellElement) this.chooseCell(event.target);
        else return event.stopPropagation();
        break;
      case " ":
        if (!(event.target instanceof HTMLTableCellElement)) return event.stopPropagation();
        this.chooseCell(event.target);
        break;
      default:
        return event.stopPropagation();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Input

  private handleClick(event: Event): void {
    const target = event.target as HTMLElement;
    const head = target.closest<HTMLElement>("button.dk-matrix-header");
    if (head) return this.actions.chooseHead(Number(head.dataset.seat), Number(head.dataset.place));
    const cell = target.closest<HTMLTableCellElement>("td[data-row]");
    const payoff = target.closest<HTMLElement>("button.dk-payoff");
    if (cell && payoff)
      return this.actions.choosePayoff(Number(payoff.dataset.seat), Number(cell.dataset.row), Number(cell.dataset.column));
    if (!cell || target instanceof HTMLInputElement) return;
    const [stop] = this.findStops(Number(cell.dataset.row) + 1, Number(cell.dataset.column) + 1);
    if (stop === cell) stop.focus({ preventScroll: true });
    this.chooseCell(cell);
  }

  private chooseCell(cell: HTMLTableCellElement): void {
    if (cell.dataset.row !== undefined) this.actions.selectCell(Number(cell.dataset.row), Number(cell.dataset.column));
  }

  private handleFill(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement) || target.readOnly) return;
    const text = target.value.trim();
    const cell = target.closest("td");
    if (!cell || text === (target.dataset.sent ?? "")) return;
    target.dataset.sent = text;
    this.actions.fillCell(Number(cell.dataset.row), Number(cell.dataset.column), text);
  }

  /** Highlight the heads of the row and column under the pointer. */
  private highlightHeads(target: Element | undefined): void {
    const cell = target?.closest<HTMLElement>("td[data-row]");
    for (const seat of [0, 1] as const) {
      const hovered = Number((seat ? cell?.dataset.column : cell?.dataset.row) ?? -1);
      this.heads[seat].forEach((head, index) => void setAttributes(head, { "data-hovered": index === hovered }));
    }
  }
}
