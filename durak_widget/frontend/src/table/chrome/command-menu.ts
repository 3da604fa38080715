/** The menu of the table: the commands that are rarely needed, each with its icon, its words and its key. */

import { button, make, setAttributes } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";
import { type Command, findKey } from "../intents/actions";
import { drawIcon } from "./icons";

/** The commands of the menu, in order. A command that is not possible now is left out. */
const MENU_COMMANDS = [
  "undo",
  "redo",
  "new",
  "list",
  "seen",
  "share",
  "full",
  "how_to_play",
  "rules",
  "settings",
  "help",
] as const satisfies Command[];
type MenuCommand = (typeof MENU_COMMANDS)[number];

export class CommandMenu {
  readonly button = button("dk-icon-button dk-menu-button", "", { "aria-haspopup": "menu", "aria-expanded": "false" });
  /** The list of commands. It has no tab stop: arrow keys move through it. */
  readonly element = make("div", "dk-command-menu", { role: "menu", "data-roving": true, hidden: true });

  constructor(
    private readonly context: TableContext,
    private readonly run: (name: Command) => void,
    signal: AbortSignal,
  ) {
    this.button.innerHTML = drawIcon("menu");
    this.button.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    this.button.addEventListener("keydown", (event) => this.handleKey(event));
    this.element.addEventListener("keydown", (event) => this.handleKey(event));
    document.addEventListener(
      "pointerdown",
      (event) => {
        const path = event.composedPath();
        if (this.isOpen && !path.includes(this.element) && !path.includes(this.button)) this.setOpen(false);
      },
      { signal, capture: true },
    );
  }

  private get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Label the button. The entries are made when the menu opens. */
  paint(): void {
    const label = this.context.words.say("menu");
    setAttributes(this.button, { "aria-label": label, title: label });
    setAttributes(this.element, { "aria-label": label });
  }

  /** Close the menu and focus its button. */
  private close(): void {
    if (!this.isOpen) return;
    this.setOpen(false);
    this.button.focus();
  }

  private open(index = 0): void {
    this.element.replaceChildren(...MENU_COMMANDS.filter((name) => this.isOffered(name)).map((name) => this.makeEntry(name)));
    this.setOpen(true);
    this.focusEntry(index);
  }

  private setOpen(isOpen: boolean): void {
    setAttributes(this.element, { hidden: !isOpen });
    setAttributes(this.button, { "aria-expanded": String(isOpen) });
  }

  private isOffered(name: MenuCommand): boolean {
    const { scene, look, root } = this.context;
    if (name === "undo" || name === "redo") return root.dataset.low !== undefined && !scene.is_single_move && scene.can[name] === true; // Otherwise they are in the bar.
    if (name === "new") return !scene.is_single_move && !scene.verdict;
    if (name === "help") return !matchMedia("(pointer: coarse)").matches; // A touch screen has no keys.
    return name !== "seen" || look.memory;
  }

  private makeEntry(name: MenuCommand): HTMLElement {
    const { scene, words, root } = this.context;
    const isFull = name === "full" && root.dataset.full !== undefined;
    const label = words.say(name === "new" && scene.task ? "again" : isFull ? "full.leave" : name);
    const key = (findKey(name) ?? "").toUpperCase();
    const entry = button("dk-command", "", { role: "menuitem", tabindex: -1, "data-menu": name, "aria-keyshortcuts": key });
    entry.innerHTML = drawIcon(name);
    entry.append(make("span", "", {}, label), make("kbd", "", { "aria-hidden": "true" }, key));
    entry.addEventListener("click", () => {
      this.close(); // A panel returns the focus to this button when it closes.
      this.run(name);
    });
    return entry;
  }

  private focusEntry(index: number): void {
    const entries = this.element.children;
    (entries[(index + entries.length) % entries.length] as HTMLElement).focus();
  }

  /** Handle a key on the button or an entry. */
  private handleKey(event: KeyboardEvent): void {
    const { key } = event;
    const { isOpen } = this;
    const index = [...this.element.children].indexOf(event.target as Element); // -1 for the button.
    const target = { ArrowDown: index + 1, ArrowUp: isOpen ? index - 1 : -1, ...(isOpen && { Home: 0, End: -1 }) }[key];
    if (target !== undefined) isOpen ? this.focusEntry(target) : this.open(target);
    else if (isOpen && key === "Escape") this.close();
    else {
      if (key === "Tab" || (key.length === 1 && key !== " ")) this.close(); // Then the key does what it does elsewhere at the table.
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
