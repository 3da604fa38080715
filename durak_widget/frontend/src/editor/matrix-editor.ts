/** The editor of a matrix: its buttons and its cells. It shows what Python has, and sends what the user types. */

import { Standing } from "../board/board-base";
import { button, changed, focused, make, set, write } from "../widgets/dom";
import type { Key, Words } from "../widgets/protocol/words";
import type { Door } from "../widgets/widget-host";
import { type Exported, ExportPanel } from "./export-panel";
import type { CellMessage, Cells } from "./protocol";

type Deed = "row" | "column" | "row.drop" | "column.drop" | "undo" | "redo" | "export";
const SAYS: Readonly<Record<Deed, Key>> = {
  row: "sketch.matrix.row",
  column: "sketch.matrix.column",
  "row.drop": "sketch.matrix.row.drop",
  "column.drop": "sketch.matrix.column.drop",
  undo: "sketch.undo",
  redo: "sketch.redo",
  export: "sketch.export",
};

/** What a field has around its text, and a little more. */
const ROOM = 16;

/** The editor of a matrix on the page. */
export class MatrixBoard extends Standing {
  private readonly bar = make("div", "dk-matrix-tools", { role: "group" });
  private readonly buttons: ReadonlyMap<Deed, HTMLButtonElement>;
  private readonly how = make("p", "dk-sketch-how");
  private readonly grid: CellGrid;
  private readonly lacks = make("div", "dk-sketch-lacks", { role: "group" });
  private readonly out: ExportPanel;
  private turn: number;

  constructor(door: Door) {
    super(door, "dk-sketch dk-matrix-page", "sketch.gone");
    this.turn = this.told.turn;
    this.grid = new CellGrid(
      (message) => this.send(message),
      () => this.paintBar(),
    );
    this.out = new ExportPanel(
      {
        words: () => this.words(),
        announce: (said) => this.announce(said),
        send: (message) => door.send(message),
      },
      ["nfg", "python", "svg", "png"],
    );
    this.buttons = new Map((Object.keys(SAYS) as Deed[]).map((deed) => [deed, button("dk-tool", "", { "data-does": deed })] as const));
    for (const [deed, element] of this.buttons)
      element.addEventListener("click", () => {
        if (element.getAttribute("aria-disabled") !== "true") this.act(deed);
      });
    this.bar.append(...this.buttons.values());
    const view = make("div", "dk-view-of", {}, this.grid.element, this.said.refused);
    this.root.append(this.bar, this.how, view, this.lacks, this.out.element, this.said.status);
    this.root.addEventListener("keydown", (event) => this.press(event), { signal: this.signal });
  }

  private get told(): Cells {
    return this.door.get<Cells>("cells");
  }

  private send(message: CellMessage): void {
    this.said.hush();
    this.ask(message);
  }

  private act(deed: Deed): void {
    const { row, column } = this.grid.at;
    switch (deed) {
      case "row":
      case "column":
        return this.send({ kind: "add", seat: deed === "row" ? 0 : 1 });
      case "row.drop":
        return this.send({ kind: "drop", seat: 0, place: row });
      case "column.drop":
        return this.send({ kind: "drop", seat: 1, place: column });
      case "undo":
      case "redo":
        return this.send({ kind: deed });
      case "export":
        this.out.toggle();
        return this.paintBar();
    }
  }

  private press(event: KeyboardEvent): void {
    const ctrl = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.code === "KeyZ" ? "z" : event.code === "KeyY" ? "y" : event.key.toLowerCase();
    if (ctrl && (key === "z" || key === "y")) {
      this.act(key === "y" || event.shiftKey ? "redo" : "undo");
      event.preventDefault();
    } else if (event.key === "Escape" && this.out.open) {
      this.act("export");
      event.preventDefault();
    }
    if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
  }

  paint(): void {
    const { told, door } = this;
    const { words } = door;
    set(this.root, { lang: words.language, "aria-label": words.say("sketch.matrix"), "data-shown": told.turn });
    write(this.how, words.say("sketch.matrix.how"));
    this.grid.paint(told, words);
    this.paintBar();
    this.paintLacks();
    this.out.paint();
    if (told.turn === this.turn) return;
    this.turn = told.turn;
    this.grid.taken();
    this.out.stale();
    this.said.announce(told.did);
  }

  private paintBar(): void {
    const { told, door } = this;
    const { row, column } = this.grid.at;
    const may: Readonly<Record<Deed, boolean>> = {
      row: true,
      column: true,
      "row.drop": row >= 0 && told.plans[0].length > 1,
      "column.drop": column >= 0 && told.plans[1].length > 1,
      undo: told.undo,
      redo: told.redo,
      export: true,
    };
    set(this.bar, { "aria-label": door.words.say("sketch.tools") });
    for (const [deed, element] of this.buttons) {
      write(element, door.words.say(SAYS[deed]));
      set(element, {
        "aria-disabled": may[deed] ? undefined : "true",
        "aria-pressed": deed === "export" ? String(this.out.open) : undefined,
      });
    }
  }

  private paintLacks(): void {
    const { lacks, more } = this.told;
    const { words } = this.door;
    set(this.lacks, { "data-whole": !lacks.length, "aria-label": words.say("sketch.lacks") });
    if (!changed(this.lacks, lacks, more, words.language)) return;
    const items = lacks.map(({ row, column, said }) => {
      const element = button("dk-sketch-lack", said);
      element.addEventListener("click", () => this.grid.go(row, column));
      return make("li", "", {}, element);
    });
    const all = [make("p", "", {}, words.say("sketch.lacks")), make("ul", "", {}, ...items), ...(more ? [make("p", "", {}, more)] : [])];
    this.lacks.replaceChildren(...(lacks.length ? all : [make("p", "", {}, words.say("sketch.whole"))]));
  }

  /** Python could not do what was asked, or is not there: say so, and leave what was typed to be mended. */
  tell(said: string): void {
    this.grid.refused();
    this.said.refuse(said);
  }

  /** Python has sent what was to be exported. */
  exported(sent: Exported): void {
    void this.out.take(sent);
  }

  override stop(): void {
    super.stop();
    this.out.stop();
  }
}

/** A place of the table: row and column, counted from 0; -1: a head, -2: a player. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

/** The cells: a field in each, in the heads and in the corner. Arrow keys lead from one to the next. */
export class CellGrid {
  readonly element = make("div", "dk-matrix-scroll");
  private readonly table = make("table", "dk-matrix-table dk-cells");
  private readonly fields = new Map<string, HTMLInputElement>();
  /** What was sent last, and from where. */
  private last = { key: "", text: "" };
  /** Where one was last: what is taken away belongs to it. */
  at: Spot = { row: 0, column: 0 };

  constructor(
    private readonly send: (message: CellMessage) => void,
    private readonly moved: () => void,
  ) {
    this.element.append(this.table);
  }

  paint(told: Cells, words: Words): void {
    const { names, plans, cells } = told;
    const [rows, columns] = plans;
    if (changed(this.table, rows.length, columns.length, words.language)) this.build(told);
    const put = (row: number, column: number, text: string, label: string): void => {
      const value = row < 0 || column < 0 ? text : text.replaceAll("-", "\u2212"); // as numbers are written; typed either way
      const field = this.fields.get(`${row},${column}`);
      if (!field) return;
      set(field, { "aria-label": label, "data-blank": !value });
      if (focused(this.element) !== field || field.dataset.sent !== value) field.value = value;
      field.dataset.sent = value;
      field.style.width = `calc(${Math.max(value.length, 4)}ch + ${ROOM}px)`;
    };
    for (const seat of [0, 1] as const)
      put(seat ? -2 : -1, seat ? -1 : -2, names[seat], words.say("sketch.field.player", { number: seat + 1 }));
    for (const [i, plan] of rows.entries()) put(i, -1, plan, words.say("sketch.matrix.plan", { name: names[0], plan }));
    for (const [i, plan] of columns.entries()) put(-1, i, plan, words.say("sketch.matrix.plan", { name: names[1], plan }));
    for (const [row, line] of cells.entries())
      for (const [column, text] of line.entries())
        put(
          row,
          column,
          text,
          words.say("matrix.fill.cell", { first: names[0], row: rows[row] ?? "", second: names[1], column: columns[column] ?? "" }),
        );
  }

  /** Type in a cell. */
  go(row: number, column: number): void {
    const field = this.fields.get(`${row},${column}`);
    field?.focus();
    field?.select();
  }

  private build({ plans: [rows, columns] }: Cells): void {
    const had = focused(this.element) !== null;
    this.fields.clear();
    const corner = make("th", "dk-matrix-corner", { scope: "col" }, this.field(-2, -1), this.field(-1, -2));
    const head = make("tr", "", {}, corner, ...columns.map((_, column) => make("th", "", { scope: "col" }, this.field(-1, column))));
    const body = rows.map((_, row) =>
      make(
        "tr",
        "",
        {},
        make("th", "", { scope: "row" }, this.field(row, -1)),
        ...columns.map((__, column) => make("td", "", {}, this.field(row, column))),
      ),
    );
    this.table.replaceChildren(make("thead", "", {}, head), make("tbody", "", {}, ...body));
    const row = Math.min(this.at.row, rows.length - 1);
    const column = Math.min(this.at.column, columns.length - 1);
    this.at = { row, column };
    if (had) this.go(row, column);
  }

  private field(row: number, column: number): HTMLInputElement {
    const field = make("input", "dk-cell", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 120,
    });
    const key = `${row},${column}`;
    if (row >= 0 && column >= 0) set(field, { placeholder: "?, ?", inputmode: "text" });
    field.addEventListener("focus", () => {
      this.at = { row, column };
      this.moved();
    });
    field.addEventListener("change", () => this.take(row, column, field));
    field.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopPropagation();
      const [start, end, { length }] = [field.selectionStart ?? 0, field.selectionEnd ?? 0, field.value];
      const all = start === 0 && end === length; // chosen whole: an arrow leads on
      const steps: Readonly<Record<string, readonly [number, number]>> = {
        ArrowUp: [-1, 0],
        ArrowDown: [1, 0],
        Enter: [1, 0],
        ...(all || start === 0 ? { ArrowLeft: [0, -1] as const } : {}),
        ...(all || end === length ? { ArrowRight: [0, 1] as const } : {}),
      };
      if (event.key === "Escape") {
        field.value = field.dataset.sent ?? "";
        field.select();
      }
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      this.take(row, column, field);
      const next = this.fields.get(`${row + step[0]},${column + step[1]}`);
      (next ?? field).focus();
      (next ?? field).select();
    });
    this.fields.set(key, field);
    return field;
  }

  private take(row: number, column: number, field: HTMLInputElement): void {
    const text = field.value.trim();
    if (text === (field.dataset.sent ?? "")) return;
    field.dataset.sent = text; // asked once; what Python makes of it is told
    this.last = { key: `${row},${column}`, text };
    if (row === -2 || column === -2) this.send({ kind: "player", seat: row === -2 ? 1 : 0, text });
    else if (row < 0 || column < 0) this.send({ kind: "plan", seat: column < 0 ? 0 : 1, place: column < 0 ? row : column, text });
    else this.send({ kind: "put", row, column, text });
  }

  /** What was sent last has been taken. */
  taken(): void {
    this.last = { key: "", text: "" };
  }

  /** What was sent last was refused: it stands where it was typed, to be mended. */
  refused(): void {
    const { last } = this;
    const field = this.fields.get(last.key);
    if (!field) return;
    delete field.dataset.sent;
    field.value = last.text;
    field.focus();
    field.select();
  }
}
