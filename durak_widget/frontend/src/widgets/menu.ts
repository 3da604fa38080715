/** A button that opens a menu of commands, with words beside the icons. */

import { button, findFocused, make, makeDrawing, setAttributes } from "./dom";

/** A command in a menu. */
export interface MenuItem {
  /** The name of the command: the focus stays on it when the menu is painted again. */
  readonly name: string;
  readonly label: string;
  /** The path of an icon of 16 by 16 px. */
  readonly icon?: string | undefined;
  /** The key that does the same. */
  readonly shortcut?: string | undefined;
  /** Whether it is on. `undefined` means that it can't be on or off. */
  readonly isOn?: boolean | undefined;
  run(): void;
}

/** The items of a menu. There is a line between two groups. */
export type MenuGroups = readonly (readonly MenuItem[])[];

const ICON = "M3 8h.01M8 8h.01M13 8h.01";

/** Draw an icon of 16 by 16 px. */
const drawIcon = (path: string): string => `<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;

/** A menu and its button. The caller puts both on the page, in an element with a position. */
export class Menu {
  readonly element = make("div", "dk-menu", { role: "menu", hidden: true });
  readonly button: HTMLButtonElement;

  constructor(
    /** Lists the items that can be used now. Called when the menu opens and when it is painted. */
    private readonly listGroups: () => MenuGroups,
    className: string,
    signal: AbortSignal,
  ) {
    this.button = button(`dk-menu-toggle ${className}`, "", { "aria-haspopup": "menu", "aria-expanded": "false" });
    this.button.append(makeDrawing("span", "dk-menu-icon", drawIcon(ICON)));
    this.button.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    this.button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      this.open(event.key === "ArrowDown" ? 0 : -1);
      stop(event);
    });
    this.element.addEventListener("keydown", (event) => this.handleKey(event));
    const closeOutside = (event: PointerEvent): void => {
      const path = event.composedPath();
      if (this.isOpen && !path.includes(this.element) && !path.includes(this.button)) this.close();
    };
    document.addEventListener("pointerdown", closeOutside, { signal });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Paint the name of the button, and the items if the menu is open. */
  paint(label: string): void {
    setAttributes(this.button, { "aria-label": label, title: label });
    setAttributes(this.element, { "aria-label": label });
    if (this.isOpen) this.fill();
  }

  /** Open the menu and focus an item: the first, or the last for -1. */
  open(index: 0 | -1 = 0): void {
    setAttributes(this.element, { hidden: false });
    setAttributes(this.button, { "aria-expanded": "true" });
    this.fill();
    this.listItems().at(index)?.focus();
  }

  /** Close the menu. If it had the focus, its button gets it. Return whether it was open. */
  close(): boolean {
    if (!this.isOpen) return false;
    const hadFocus = findFocused(this.element) !== null;
    setAttributes(this.element, { hidden: true });
    setAttributes(this.button, { "aria-expanded": "false" });
    if (hadFocus) this.button.focus();
    return true;
  }

  private listItems(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>("button")].filter((item) => item.offsetParent);
  }

  private fill(): void {
    const focusedName = findFocused(this.element)?.dataset.item;
    const groups = this.listGroups().filter((items) => items.length);
    this.element.replaceChildren(
      ...groups.map((items) => make("div", "dk-menu-group", { role: "group" }, ...items.map((item) => this.render(item)))),
    );
    if (focusedName !== undefined)
      (this.element.querySelector<HTMLElement>(`[data-item="${focusedName}"]`) ?? this.listItems()[0])?.focus();
  }

  private render({ name, label, icon, shortcut, isOn, run }: MenuItem): HTMLElement {
    const element = button("dk-menu-item", "", {
      role: isOn === undefined ? "menuitem" : "menuitemcheckbox",
      "aria-checked": isOn === undefined ? undefined : String(isOn),
      "aria-keyshortcuts": shortcut,
      tabindex: -1,
      "data-item": name,
    });
    element.append(makeDrawing("span", "dk-menu-icon", icon ? drawIcon(icon) : ""), make("span", "", {}, label));
    if (shortcut) element.append(make("kbd", "", { "aria-hidden": "true" }, shortcut));
    element.addEventListener("click", () => {
      this.close();
      run();
    });
    return element;
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab") return void this.close(); // The focus goes on from the button.
    const items = this.listItems();
    const at = items.indexOf(findFocused(this.element) as HTMLElement);
    const targets: Readonly<Record<string, number>> = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 };
    const target = targets[event.key];
    if (target !== undefined) items.at(target)?.focus();
    else if (event.key === "Escape") this.close();
    if (event.key !== "Enter" && event.key !== " ") stop(event);
    else event.stopPropagation();
  }
}

/** The key has done its work: neither the widget nor the notebook should use it too. */
function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
