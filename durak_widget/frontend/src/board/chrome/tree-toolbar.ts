/** The toolbar of a tree, the menu of a node, and the breadcrumbs above the tree. */

import { button, findFocused, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import type { Setting } from "../../widgets/protocol/scene";
import { KEYS } from "../intents/tree-keys";
import type { PanelHost } from "../panels/panel";
import { type Crumb, type Message, makePlayerLetters } from "../protocol/tree-drawing";
import { drawMove, drawPlayerSign } from "../view/tree-nodes";
import { makeIconButton, renderKeyList, type Tool, ToolBar } from "./toolbar";

const CIRCLE_ICON = "M8 2a6 6 0 1 0 .01 0z";
const GRID_ICON = "M2.500 2.500h11v11h-11zM2.500 6.200h11M2.500 9.800h11M6.200 2.500v11M9.800 2.500v11";

/** How many breadcrumbs of a long path stay at its start and end. */
const FIRST_CRUMBS = 1;
const LAST_CRUMBS = 4;

/** Actions of buttons and keys on the page. */
export type ToolAction =
  | "nearer"
  | "farther"
  | "fit"
  | "turn"
  | "values"
  | "beliefs"
  | "find"
  | "help"
  | "table"
  | "matrix"
  | "learn"
  | "path"
  | "solve"
  | "probability";

interface TreeTool extends Tool {
  /** The order in which tools move to the menu if space is short. Tools of rank 0 stay. */
  readonly rank: 0 | 1 | 2;
  readonly action: Message | ToolAction | "less" | "more";
}

/** The toolbar above a tree. Tools that do not fit are in the menu. */
export class TreeToolbar {
  readonly element = make("div", "dk-tree-toolbar");
  private readonly bar: ToolBar<TreeTool>;
  private readonly searchElement = make("span", "dk-search");
  private readonly searchField = make("input", "dk-search-field", {
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
  });
  private readonly countElement = make("span", "dk-search-count", { "aria-live": "polite" });
  private readonly previousButton = makeIconButton("M10 3L5 8l5 5");
  private readonly nextButton = makeIconButton("M6 3l5 5-5 5");
  private readonly menuButton = makeIconButton("M3 8h.01M8 8h.01M13 8h.01");
  private readonly menu = make("div", "dk-menu", { hidden: true });
  private playersKey: readonly string[] = [];
  private requestedText = "";
  private showsHelp = false;

  constructor(
    private readonly host: PanelHost,
    private readonly runAction: (action: ToolAction) => void,
  ) {
    const { signal } = host;
    this.bar = new ToolBar(
      [this.listFoldTools(), this.listViewTools(), this.listZoomTools()],
      ({ rank }) => ({ "data-rank": rank }),
      ({ action }) => this.runTool(action),
    );
    setAttributes(this.menuButton, { "data-tool": "menu", "aria-expanded": "false" });
    this.searchElement.append(this.searchField, this.countElement, this.previousButton, this.nextButton);
    this.bar.element.append(this.menuButton);
    this.element.append(this.searchElement, this.bar.element, this.menu);
    this.previousButton.addEventListener("click", () => this.next(-1));
    this.nextButton.addEventListener("click", () => this.next(1));
    this.menuButton.addEventListener("click", () => this.toggle());
    this.searchField.addEventListener("input", () => this.search());
    this.searchField.addEventListener("keydown", (event) => this.handleSearchKey(event));
    document.addEventListener(
      "pointerdown",
      (event) => {
        const path = event.composedPath();
        if (!this.menu.hidden && !path.includes(this.menu) && !path.includes(this.menuButton)) this.close();
      },
      { signal },
    );
  }

  private listFoldTools(): TreeTool[] {
    const isSolved = (): boolean => this.host.solution().reach !== undefined;
    return [
      {
        label: "tree.open_all",
        text: "tree.open_all",
        icon: `${CIRCLE_ICON}M5.500 8h5M8 5.500v5`,
        rank: 1,
        action: { kind: "unfold", scope: "all" },
      },
      { label: "tree.close_all", text: "tree.close_all", icon: `${CIRCLE_ICON}M5.500 8h5`, rank: 1, action: { kind: "fold" } },
      { label: "tree.less", icon: "M13 3v10M10 4.500L6.500 8 10 11.500M3 3v10", rank: 1, action: "less" },
      { label: "tree.more", icon: "M3 3v10M6 4.500L9.500 8 6 11.500M13 3v10", rank: 1, action: "more" },
      {
        label: "tree.reached",
        icon: "M2 12.500c5 0 3-8 8-8M8.500 1.500l3.500 3-3.500 3",
        rank: 2,
        action: { kind: "unfold", scope: "reached" },
        isHidden: () => !isSolved(),
      },
    ];
  }

  private listZoomTools(): TreeTool[] {
    return [
      { label: "tree.farther", icon: "M3.500 8h9", rank: 0, action: "farther" },
      { label: "tree.fit", icon: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10", rank: 0, action: "fit" },
      { label: "tree.nearer", icon: "M3.500 8h9M8 3.500v9", rank: 0, action: "nearer" },
    ];
  }

  private listViewTools(): TreeTool[] {
    const { host } = this;
    const isShown = (name: string): boolean => Object.keys(host.get<object | undefined>(name) ?? {}).length > 0;
    const isTask = (): boolean => Boolean(host.task().question_kind);
    return [
      { label: "tree.solve", text: "tree.solve", icon: "M3 8.500l3.500 4L13 3.500", rank: 1, action: "solve", isHidden: isTask },
      {
        label: "tree.values",
        icon: "M4 3.500l1.500-1v5M3.500 13L12.500 3M9.500 10.500c0-2 3.500-2 3.500 0 0 1.200-3.500 3-3.500 3H13",
        rank: 2,
        action: "values",
        isOn: () => Boolean(host.get("values")),
        isHidden: () => isTask() || !host.solution().shown_kind,
      },
      {
        label: "tree.beliefs",
        icon: "M1.500 8c3.500-5.300 9.500-5.300 13 0-3.500 5.300-9.500 5.300-13 0zM8 6a2 2 0 1 0 .010 0z",
        rank: 2,
        action: "beliefs",
        isOn: () => Boolean(host.solution().beliefs),
        isHidden: () => isTask() || !host.solution().shown_kind || !host.getTree().infosets.length,
      },
      {
        label: "tree.learn",
        icon: "M2.500 2.500v11h11M4.500 4c1 6 4 7 9 7.300",
        rank: 2,
        action: "learn",
        isOn: () => isShown("learning"),
        isHidden: isTask,
      },
      {
        label: "tree.path",
        icon: "M2.500 2.500v11h11M4 8.500c4 0 3.500-5 9-5M4 8.500c4 0 3.500 3.500 9 3.500",
        rank: 2,
        action: "path",
        isOn: () => isShown("path_view"),
        isHidden: isTask,
      },
      {
        label: "solution.mine",
        icon: "M2.500 5h6M11 5h2.500M2.500 11h2M7 11h6.500M9.700 3.200v3.600M5.700 9.200v3.600",
        rank: 2,
        action: { kind: "start_own_strategy" },
        isHidden: () => isTask() || Boolean(host.solution().own_guarantee),
      },
      { label: "tree.matrix", icon: GRID_ICON, rank: 2, action: "matrix", isOn: () => isShown("matrix_view"), isHidden: isTask },
      {
        label: "tree.table",
        icon: "M4.500 2.500h7v11h-7zM8 5.500l1.500 2.500L8 10.500 6.500 8z",
        rank: 2,
        action: "table",
        isHidden: () => !host.getTree().hasCards || host.task().question_kind === "draw",
      },
      { label: "tree.direction", icon: "M3 13V3h10M10 .500L12.500 3 10 5.500M.500 10.500L3 13l2.500-2.500", rank: 2, action: "turn" },
    ];
  }

  runTool(action: TreeTool["action"]): void {
    if (action === "less" || action === "more") return this.changeDepth(action === "more" ? 1 : -1);
    if (typeof action === "string") return this.runAction(action);
    this.host.send(action);
  }

  /** Open one level more, or one less. */
  private changeDepth(step: 1 | -1): void {
    const { level } = this.host.getTree().drawing.nodes;
    const deepest = level.reduce((depth, nodeLevel) => Math.max(depth, nodeLevel), 0);
    this.host.send({ kind: "unfold", scope: "depth", number: Math.max(deepest + step, 0) });
  }

  paint(): void {
    const { host } = this;
    const words = host.words();
    const { players: seats, search_result: found } = host.getTree().drawing;
    this.paintPlayers(seats);
    this.bar.paint(words, "tree.tools");
    setAttributes(this.searchField, { "aria-label": words.say("tree.find"), placeholder: words.say("tree.find") });
    const labels = { earlier: words.say("tree.find.previous"), later: words.say("tree.find.next"), menu: words.say("more") };
    for (const [element, name] of [
      [this.previousButton, labels.earlier],
      [this.nextButton, labels.later],
      [this.menuButton, labels.menu],
    ] as const)
      setAttributes(element, { "aria-label": name, title: name });
    const count = found?.count ?? 0;
    const position = found?.position ?? (found ? found.ids.indexOf(host.getTree().getId(host.getFocus())) + 1 : 0);
    setText(this.countElement, found?.text ? (position > 0 ? `${position}/${count}` : String(count)) : "");
    for (const element of [this.previousButton, this.nextButton]) setAttributes(element, { hidden: !count });
    if (findFocused(this.element) !== this.searchField && this.searchField.value.trim() !== (found?.text ?? "") && !this.requestedText)
      this.searchField.value = found?.text ?? "";
    if (found?.text === this.requestedText) this.requestedText = "";
    if (!this.menu.hidden) this.fillMenu();
  }

  /** Paint a button for each player, which opens the tree to that player's nodes. */
  private paintPlayers(seats: readonly string[]): void {
    const words = this.host.words();
    const key = JSON.stringify([words.language, seats]);
    if (this.playersKey.join() === key) return;
    this.playersKey = [key];
    for (const previous of this.bar.element.querySelectorAll("[data-seat-tool]")) previous.remove();
    if (seats.length > 6) return;
    const marks = makePlayerLetters(seats);
    this.bar.element.firstElementChild?.append(
      ...seats.map((player, seat) => {
        const label = words.say("tree.by_player", { player });
        const element = button("dk-tool", "", { "data-seat-tool": seat, "data-rank": 2, "aria-label": label, title: label });
        element.append(drawPlayerSign(seat, seats.length > 1 ? marks[seat] : ""), make("span", "", {}, label));
        element.addEventListener("click", () => this.host.send({ kind: "unfold", scope: "player", number: seat }));
        return element;
      }),
    );
  }

  // Search

  /** Focus the search field. */
  focusFind(): void {
    this.searchField.focus();
    this.searchField.select();
  }

  next(step: 1 | -1): void {
    if (this.host.getTree().drawing.search_result?.count) this.host.send({ kind: "go_to_match", step });
  }

  private timer: ReturnType<typeof setTimeout> | undefined;

  private search(isImmediate = false): void {
    clearTimeout(this.timer);
    const text = this.searchField.value.trim();
    const request = (): void => {
      if (text === (this.host.getTree().drawing.search_result?.text ?? "") && !this.requestedText) return;
      this.requestedText = text;
      this.host.send({ kind: "find", text });
    };
    if (isImmediate) request();
    else this.timer = setTimeout(request, 250);
  }

  private handleSearchKey(event: KeyboardEvent): void {
    event.stopPropagation();
    const { search_result: found } = this.host.getTree().drawing;
    if (event.key === "Enter") {
      if (found?.text === this.searchField.value.trim()) this.next(event.shiftKey ? -1 : 1);
      else this.search(true);
    } else if (event.key === "Escape") {
      if (this.searchField.value) {
        this.searchField.value = "";
        this.search(true);
      }
      this.host.focusNode(this.host.getTree().getId(this.host.getFocus()));
    } else return;
    event.preventDefault();
  }

  // Menu

  toggle(help = false): void {
    if (this.menu.hidden || help !== this.showsHelp) {
      this.showsHelp = help;
      this.fillMenu();
      setAttributes(this.menu, { hidden: false });
      setAttributes(this.menuButton, { "aria-expanded": "true" });
      if (help) this.menu.querySelector<HTMLElement>("h3")?.focus();
    } else this.close();
  }

  /** Close the menu. Return whether it was open. */
  close(): boolean {
    if (this.menu.hidden) return false;
    const hadFocus = findFocused(this.menu) !== null;
    setAttributes(this.menu, { hidden: true });
    setAttributes(this.menuButton, { "aria-expanded": "false" });
    if (hadFocus) this.menuButton.focus();
    return true;
  }

  private fillMenu(): void {
    const focusedKey = findFocused(this.menu)?.dataset.key;
    const tools = [...this.bar.buttons].filter(([{ rank, isHidden }]) => rank && !isHidden?.()).map(([tool]) => tool);
    const items = tools.map(({ label, icon: picture, rank, action, isOn }) => {
      const element = makeIconButton(picture, { "data-rank": rank, "aria-pressed": isOn && String(isOn()), "data-key": label });
      setText(element.lastElementChild as Element, this.host.words().say(label));
      element.addEventListener("click", () => {
        this.close();
        this.runTool(action);
      });
      return element;
    });
    this.menu.replaceChildren(...renderMenu(this.host, items, this.showsHelp, () => this.toggle(!this.showsHelp)));
    if (focusedKey) this.menu.querySelector<HTMLElement>(`[data-key="${focusedKey}"]`)?.focus();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** Render the menu, or only the keys. */
export function renderMenu(host: PanelHost, tools: readonly HTMLElement[], help: boolean, toggleHelp: () => void): HTMLElement[] {
  const words = host.words();
  const helpButton = button("dk-menu-item", words.say(help ? "settings" : "help"), { "data-key": "keys" });
  helpButton.addEventListener("click", toggleHelp);
  if (help) return [make("h3", "", { tabindex: -1 }, words.say("help")), renderKeyList(words, KEYS), helpButton];
  return [make("div", "dk-menu-tools", {}, ...tools), ...renderBestResponses(host), ...renderSettings(host), helpButton];
}

/** Render a button for each player that shows their best responses. */
function renderBestResponses(host: PanelHost): HTMLElement[] {
  const { shown_kind: which, best_response_player: best_of = null } = host.solution();
  if (!which || host.task().question_kind) return [];
  const words = host.words();
  const row = host.getTree().drawing.players.map((player, seat) => {
    const element = button("dk-menu-item", player, { "aria-pressed": String(best_of === seat), "data-key": `best${seat}` });
    element.addEventListener("click", () => host.send({ kind: "mark_best_responses", player: best_of === seat ? null : seat }));
    return element;
  });
  return [
    make(
      "div",
      "dk-menu-row",
      { role: "group", "aria-label": words.say("tree.best") },
      make("span", "", {}, words.say("tree.best")),
      ...row,
    ),
  ];
}

function renderSettings(host: PanelHost): HTMLElement[] {
  const words = host.words();
  return (host.get<readonly Setting[] | undefined>("settings") ?? []).map(({ name, values }) => {
    const label = words.sayNamed("set", name);
    const current = host.get<unknown>(name);
    const attributes = { "aria-label": label, "data-key": name };
    if (!values) {
      const checkbox = make("input", "", { ...attributes, type: "checkbox" });
      checkbox.checked = Boolean(current);
      checkbox.addEventListener("change", () => host.setTrait(name, checkbox.checked));
      return make("label", "dk-menu-setting", {}, make("span", "", {}, label), checkbox);
    }
    const options = Array.isArray(values)
      ? (values as readonly (string | number)[]).map((value) => [String(value), words.sayNamed(name, value)] as const)
      : Object.entries(values as Readonly<Record<string, string>>);
    const select = make("select", "", attributes, ...options.map(([value, own]) => make("option", "", { value }, own)));
    select.value = String(current);
    select.addEventListener("change", () => host.setTrait(name, typeof current === "number" ? Number(select.value) : select.value));
    return make("label", "dk-menu-setting", {}, make("span", "", {}, label), select);
  });
}

/** Shorten a long path to its start and end. `null` stands for the rest. */
export function shortenPath<T>(nodes: readonly T[], isOpen: boolean): (T | null)[] {
  return isOpen || nodes.length <= FIRST_CRUMBS + LAST_CRUMBS + 1
    ? [...nodes]
    : [...nodes.slice(0, FIRST_CRUMBS), null, ...nodes.slice(-LAST_CRUMBS)];
}

/** The breadcrumbs: the path from the root to the node that has the focus. */
export class Breadcrumbs {
  readonly element = make("div", "dk-breadcrumbs", { role: "group" });
  private readonly list = make("ol", "");
  private isWhole = false;
  private lastNode = -1;

  constructor(private readonly host: PanelHost) {
    this.element.append(this.list);
  }

  paint(): void {
    const tree = this.host.getTree();
    const words = this.host.words();
    const focus = this.host.getFocus();
    if (focus !== this.lastNode) this.isWhole = false;
    this.lastNode = focus;
    const path = tree.getPath(focus);
    if (!hasChanged(this.list, words.key, tree.drawing.id, path, this.isWhole)) return;
    const sentences = new Map(tree.drawing.breadcrumbs.map((crumb: Crumb) => [crumb.id, crumb.text]));
    setAttributes(this.element, { "aria-label": words.say("tree.way") });
    const items = shortenPath(path, this.isWhole).map((i) => {
      if (i === null) {
        const moreButton = button("dk-breadcrumb", "…", { "aria-label": words.say("tree.way.whole") });
        moreButton.addEventListener("click", () => {
          this.isWhole = true;
          this.paint();
          this.list.querySelector<HTMLElement>("button")?.focus();
        });
        return make("li", "", {}, moreButton);
      }
      const id = tree.getId(i);
      const move = tree.getMove(i);
      const label = move?.text ?? sentences.get(id) ?? words.say("tree.root");
      const crumb = button("dk-breadcrumb", "", { "aria-label": label, title: label, "aria-current": i === focus ? "step" : undefined });
      if (move) drawMove(crumb, move, words);
      else crumb.textContent = words.say("tree.root");
      crumb.addEventListener("click", () => this.host.focusNode(id));
      return make("li", "", {}, crumb);
    });
    this.list.replaceChildren(...items);
  }
}
