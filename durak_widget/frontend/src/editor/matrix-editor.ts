/** The editor of a matrix: buttons and cells. It shows Python's data and sends what the user types. */

import { BoardBase } from "../board/board-base";
import { button, findFocused, hasChanged, make, setAttributes, setText } from "../widgets/dom";
import type { Key, Words } from "../widgets/protocol/words";
import type { WidgetHost } from "../widgets/widget-host";
import { type ExportMessage, ExportPanel } from "./export-panel";
import type { CellMessage, Cells } from "./protocol";

type ToolAction = "row" | "column" | "row.drop" | "column.drop" | "undo" | "redo" | "export";
const LABELS: Readonly<Record<ToolAction, Key>> = {
  row: "sketch.matrix.row",
  column: "sketch.matrix.column",
  "row.drop": "sketch.matrix.row.drop",
  "column.drop": "sketch.matrix.column.drop",
  undo: "sketch.undo",
  redo: "sketch.redo",
  export: "sketch.export",
};

/** The padding of a field, in px. */
const FIELD_PADDING = 16;

/** The editor of a matrix on the page. */
export class MatrixEditor extends BoardBase {
  private readonly toolbar = make("div", "dk-matrix-toolbar", { role: "group" });
  private readonly buttons: ReadonlyMap<ToolAction, HTMLButtonElement>;
  private readonly instructions = make("p", "dk-editor-instructions");
  private readonly grid: CellGrid;
  private readonly missingList = make("div", "dk-editor-missing", { role: "group" });
  private readonly exportPanel: ExportPanel;
  private paintedTurn: number;

  constructor(host: WidgetHost) {
    super(host, "dk-editor dk-matrix-board", "sketch.gone");
    this.paintedTurn = this.data.version;
    this.grid = new CellGrid(
      (message) => this.send(message),
      () => this.paintToolbar(),
    );
    this.exportPanel = new ExportPanel(
      {
        words: () => this.words(),
        announce: (message) => this.announce(message),
        send: (message) => host.send(message),
      },
      ["nfg", "python", "svg", "png"],
    );
    this.buttons = new Map(
      (Object.keys(LABELS) as ToolAction[]).map((action) => [action, button("dk-tool", "", { "data-command": action })] as const),
    );
    for (const [action, element] of this.buttons)
      element.addEventListener("click", () => {
        if (element.getAttribute("aria-disabled") !== "true") this.runAction(action);
      });
    this.toolbar.append(...this.buttons.values());
    const view = make("div", "dk-view-frame", {}, this.grid.element, this.messages.refusalElement);
    this.root.append(this.toolbar, this.instructions, view, this.missingList, this.exportPanel.element, this.messages.status);
    this.root.addEventListener("keydown", (event) => this.handleKey(event), { signal: this.signal });
  }

  private get data(): Cells {
    return this.host.get<Cells>("matrix_draft_view");
  }

  private send(message: CellMessage): void {
    this.messages.hideRefusal();
    this.sendMessage(message);
  }

  private runAction(action: ToolAction): void {
    const { row, column } = this.grid.position;
    switch (action) {
      case "row":
      case "column":
        return this.send({ kind: "add_strategy", player: action === "row" ? 0 : 1 });
      case "row.drop":
        return this.send({ kind: "remove_strategy", player: 0, index: row });
      case "column.drop":
        return this.send({ kind: "remove_strategy", player: 1, index: column });
      case "undo":
      case "redo":
        return this.send({ kind: action });
      case "export":
        this.exportPanel.toggle();
        return this.paintToolbar();
    }
  }

  private handleKey(event: KeyboardEvent): void {
    const ctrl = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.code === "KeyZ" ? "z" : event.code === "KeyY" ? "y" : event.key.toLowerCase();
    if (ctrl && (key === "z" || key === "y")) {
      this.runAction(key === "y" || event.shiftKey ? "redo" : "undo");
      event.preventDefault();
    } else if (event.key === "Escape" && this.exportPanel.isOpen) {
      this.runAction("export");
      event.preventDefault();
    }
    if (event.key !== "Tab") event.stopPropagation(); // Otherwise the notebook runs its own shortcut.
  }

  paint(): void {
    const { data, host } = this;
    const { words } = host;
    setAttributes(this.root, { lang: words.language, "aria-label": words.say("sketch.matrix"), "data-shown": data.version });
    setText(this.instructions, words.say("sketch.matrix.how"));
    this.grid.paint(data, words);
    this.paintToolbar();
    this.paintMissing();
    this.exportPanel.paint();
    if (data.version === this.paintedTurn) return;
    this.paintedTurn = data.version;
    this.grid.handleAccepted();
    this.exportPanel.discard();
    this.messages.announce(data.last_step);
  }

  private paintToolbar(): void {
    const { data, host } = this;
    const { row, column } = this.grid.position;
    const isEnabled: Readonly<Record<ToolAction, boolean>> = {
      row: true,
      column: true,
      "row.drop": row >= 0 && data.strategies[0].length > 1,
      "column.drop": column >= 0 && data.strategies[1].length > 1,
      undo: data.can_undo,
      redo: data.can_redo,
      export: true,
    };
    setAttributes(this.toolbar, { "aria-label": host.words.say("sketch.tools") });
    for (const [action, element] of this.buttons) {
      setText(element, host.words.say(LABELS[action]));
      setAttributes(element, {
        "aria-disabled": isEnabled[action] ? undefined : "true",
        "aria-pressed": action === "export" ? String(this.exportPanel.isOpen) : undefined,
      });
    }
  }

  private paintMissing(): void {
    const { missing: lacks, more_missing: more } = this.data;
    const { words } = this.host;
    setAttributes(this.missingList, { "data-complete": !lacks.length, "aria-label": words.say("sketch.lacks") });
    if (!hasChanged(this.missingList, lacks, more, words.language)) return;
    const items = lacks.map(({ row, column, text: sentence }) => {
      const element = button("dk-editor-missing-item", sentence);
      element.addEventListener("click", () => this.grid.focusCell(row, column));
      return make("li", "", {}, element);
    });
    const children = [
      make("p", "", {}, words.say("sketch.lacks")),
      make("ul", "", {}, ...items),
      ...(more ? [make("p", "", {}, more)] : []),
    ];
    this.missingList.replaceChildren(...(lacks.length ? children : [make("p", "", {}, words.say("sketch.whole"))]));
  }

  /** Show that Python refused a request, or is gone. The typed text stays, so that it can be fixed. */
  showError(message: string): void {
    this.grid.handleRefused();
    this.messages.showRefusal(message);
  }

  /** Handle an export from Python. */
  handleExport(message: ExportMessage): void {
    void this.exportPanel.handleExport(message);
  }

  override stop(): void {
    super.stop();
    this.exportPanel.stop();
  }
}

/** A position in the table, from 0. -1 is a head and -2 a player. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Return whether a text is a table: it has more than one row or cell. */
export const isTable = (text: string): boolean => /[\t\n\r]/.test(text.replace(/[\n\r]+$/, ""));

/** The cells: a field in each, also in heads and corner. Arrow keys and Tab move between them. */
export class CellGrid {
  readonly element = make("div", "dk-matrix-scroll");
  private readonly table = make("table", "dk-matrix-table dk-editor-matrix");
  private readonly fields = new Map<string, HTMLInputElement>();
  /** What was sent last, and its field. */
  private lastSent = { key: "", text: "" };
  /** The last focused cell. The buttons for removing use it. */
  position: CellPosition = { row: 0, column: 0 };

  constructor(
    private readonly send: (message: CellMessage) => void,
    private readonly onMove: () => void,
  ) {
    this.element.append(this.table);
  }

  paint(data: Cells, words: Words): void {
    const { names, strategies, cells } = data;
    const [rows, columns] = strategies;
    if (hasChanged(this.table, rows.length, columns.length, words.language)) this.build(data);
    const setField = (row: number, column: number, text: string, label: string): void => {
      const value = row < 0 || column < 0 ? text : text.replaceAll("-", "\u2212"); // Show a minus sign. Users can type either sign.
      const field = this.fields.get(`${row},${column}`);
      if (!field) return;
      setAttributes(field, { "aria-label": label, "data-blank": !value });
      if (findFocused(this.element) !== field || field.dataset.sent !== value) field.value = value;
      field.dataset.sent = value;
      field.dataset.stored = value;
      field.style.width = `calc(${Math.max(value.length, 4)}ch + ${FIELD_PADDING}px)`;
    };
    for (const player of [0, 1] as const)
      setField(player ? -2 : -1, player ? -1 : -2, names[player], words.say("sketch.field.player", { number: player + 1 }));
    for (const [i, strategy] of rows.entries())
      setField(i, -1, strategy, words.say("sketch.matrix.plan", { name: names[0], plan: strategy }));
    for (const [i, strategy] of columns.entries())
      setField(-1, i, strategy, words.say("sketch.matrix.plan", { name: names[1], plan: strategy }));
    for (const [row, cellRow] of cells.entries())
      for (const [column, text] of cellRow.entries())
        setField(
          row,
          column,
          text,
          words.say("matrix.fill.cell", { first: names[0], row: rows[row] ?? "", second: names[1], column: columns[column] ?? "" }),
        );
  }

  /** Focus a cell for typing. */
  focusCell(row: number, column: number): void {
    const field = this.fields.get(`${row},${column}`);
    field?.focus();
    field?.select();
  }

  private build({ strategies: [rows, columns] }: Cells): void {
    const hadFocus = findFocused(this.element) !== null;
    this.fields.clear();
    const corner = make("th", "dk-matrix-corner", { scope: "col" }, this.makeField(-2, -1), this.makeField(-1, -2));
    const header = make("tr", "", {}, corner, ...columns.map((_, column) => make("th", "", { scope: "col" }, this.makeField(-1, column))));
    const body = rows.map((_, row) =>
      make(
        "tr",
        "",
        {},
        make("th", "", { scope: "row" }, this.makeField(row, -1)),
        ...columns.map((__, column) => make("td", "", {}, this.makeField(row, column))),
      ),
    );
    this.table.replaceChildren(make("thead", "", {}, header), make("tbody", "", {}, ...body));
    const row = Math.min(this.position.row, rows.length - 1);
    const column = Math.min(this.position.column, columns.length - 1);
    this.position = { row, column };
    if (hadFocus) this.focusCell(row, column);
  }

  private makeField(row: number, column: number): HTMLInputElement {
    const field = make("input", "dk-editor-cell", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 120,
    });
    const key = `${row},${column}`;
    if (row >= 0 && column >= 0) setAttributes(field, { placeholder: "?, ?", inputmode: "text" });
    else this.selectNameOnFocus(field);
    field.addEventListener("focus", () => {
      this.position = { row, column };
      this.onMove();
    });
    field.addEventListener("change", () => this.submit(row, column, field));
    field.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!isTable(text)) return; // The text of one cell goes into the field, as usual.
      event.preventDefault();
      event.stopPropagation();
      this.pasteTable(row, column, field, text);
    });
    field.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopPropagation();
      const [start, end, { length }] = [field.selectionStart ?? 0, field.selectionEnd ?? 0, field.value];
      const isAllSelected = start === 0 && end === length; // If all text is selected, arrows leave the field.
      const steps: Readonly<Record<string, readonly [number, number]>> = {
        ArrowUp: [-1, 0],
        ArrowDown: [1, 0],
        Enter: [1, 0],
        ...(isAllSelected || start === 0 ? { ArrowLeft: [0, -1] as const } : {}),
        ...(isAllSelected || end === length ? { ArrowRight: [0, 1] as const } : {}),
      };
      if (event.key === "Escape") {
        field.value = field.dataset.stored ?? "";
        this.submit(row, column, field); // Python forgets that it refused a text.
        field.select();
      }
      const step = steps[event.key];
      const next = step ? this.fields.get(`${row + step[0]},${column + step[1]}`) : this.findTabTarget(field, event);
      if (!step && !next) return;
      event.preventDefault();
      this.submit(row, column, field);
      (next ?? field).focus();
      (next ?? field).select();
    });
    this.fields.set(key, field);
    return field;
  }

  /** Select a whole name when it gets the focus, so that typing replaces it. A second click puts the caret, as usual. */
  private selectNameOnFocus(field: HTMLInputElement): void {
    let hadFocus = false;
    field.addEventListener("focus", () => field.select());
    field.addEventListener("pointerdown", () => {
      hadFocus = findFocused(this.element) === field;
    });
    field.addEventListener("click", () => {
      const isPartSelected = field.selectionStart !== field.selectionEnd; // The user dragged over a part of the name.
      if (!hadFocus && !isPartSelected) field.select(); // The click removed the selection that the focus made.
    });
  }

  /** Return the field to which Tab or Shift+Tab leads: names come first, then payoffs row by row. At both ends, leave the table. */
  private findTabTarget(field: HTMLInputElement, { key, shiftKey }: KeyboardEvent): HTMLInputElement | undefined {
    if (key !== "Tab") return undefined;
    const fields = [...this.table.querySelectorAll("input")];
    const isName = (other: HTMLInputElement): boolean => other.closest("th") !== null;
    const order = [...fields.filter(isName), ...fields.filter((other) => !isName(other))];
    return order[order.indexOf(field) + (shiftKey ? -1 : 1)];
  }

  private submit(row: number, column: number, field: HTMLInputElement): void {
    const text = field.value.trim();
    if (text === field.dataset.sent) return; // After a refusal nothing counts as sent, so that the old text is sent too.
    field.dataset.sent = text; // Send a text once. Python tells what became of it.
    this.lastSent = { key: `${row},${column}`, text };
    if (row === -2 || column === -2) this.send({ kind: "rename_player", player: row === -2 ? 1 : 0, text });
    else if (row < 0 || column < 0)
      this.send({ kind: "rename_strategy", player: column < 0 ? 0 : 1, index: column < 0 ? row : column, text });
    else this.send({ kind: "set_cell", row, column, text });
  }

  /** Send a table as one message. Pasted on a name, it begins in the row or column of this name. */
  private pasteTable(row: number, column: number, field: HTMLInputElement, text: string): void {
    this.lastSent = { key: `${row},${column}`, text: field.value };
    if (row >= 0 && column >= 0) field.dataset.sent = field.value.trim(); // The table replaces what was typed here, so don't send it.
    this.send({ kind: "paste_table", row: Math.max(row, 0), column: Math.max(column, 0), text });
  }

  /** Python accepted the last text. */
  handleAccepted(): void {
    this.lastSent = { key: "", text: "" };
  }

  /** Python refused the last text. Put it back, so that it can be fixed. */
  handleRefused(): void {
    const { lastSent } = this;
    const field = this.fields.get(lastSent.key);
    if (!field) return;
    delete field.dataset.sent;
    field.value = lastSent.text;
    field.focus();
    field.select();
  }
}
