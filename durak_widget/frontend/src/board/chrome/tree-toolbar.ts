/** The toolbar of a tree with its menu, and the breadcrumbs above the tree. */

import { button, findFocused, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import { Menu, type MenuItem } from "../../widgets/menu";
import type { Setting } from "../../widgets/protocol/scene";
import { KEYS } from "../intents/tree-keys";
import type { PanelHost } from "../panels/panel";
import type { Crumb, Message } from "../protocol/tree-drawing";
import { drawMove } from "../view/tree-nodes";
import { makeIconButton, renderKeyList, type Tool, ToolBar } from "./toolbar";

const CIRCLE_ICON = "M8 2a6 6 0 1 0 .01 0z";
const GRID_ICON = "M2.500 2.500h11v11h-11zM2.500 6.200h11M2.500 9.800h11M6.200 2.500v11M9.800 2.500v11";
const AXES_ICON = "M2.500 2.500v11h11";

/** How many breadcrumbs of a long path stay at its start and end. */
const FIRST_CRUMBS = 1;
const LAST_CRUMBS = 4;

/** A tree with at most this many nodes needs no zoom buttons and no search field in sight. */
const SMALL_TREE_LIMIT = 30;

/** With more players than this there is no button for each of them. */
const MAX_PLAYERS = 6;

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
  | "mine"
  | "probability";

interface TreeTool extends Tool {
  readonly action: Message | ToolAction | "less" | "more";
  /** The key that does the same. */
  readonly shortcut?: string;
}

/** The toolbar above a tree: a few buttons with words, and a menu with the other tools. */
export class TreeToolbar {
  readonly element = make("div", "dk-tree-toolbar");
  private readonly mainTools = this.listMainTools();
  private readonly zoomTools = this.listZoomTools();
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
  private readonly menu: Menu;
  /** The settings or the keys, opened from the menu. */
  private readonly panel = make("div", "dk-menu dk-menu-panel", { role: "dialog", hidden: true });
  private panelName: "settings" | "help" = "settings";
  private requestedText = "";
  private isSearching = false;

  constructor(
    private readonly host: PanelHost,
    private readonly runAction: (action: ToolAction) => void,
  ) {
    const { signal } = host;
    this.bar = new ToolBar(
      [this.mainTools, this.zoomTools],
      ({ label }) => ({ "data-tool": label }),
      ({ action }) => this.runTool(action),
    );
    this.menu = new Menu(() => this.listMenu(), "dk-tool", signal);
    setAttributes(this.menu.button, { "data-tool": "menu" });
    this.searchElement.append(this.searchField, this.countElement, this.previousButton, this.nextButton);
    this.bar.element.append(this.menu.button);
    this.element.append(this.bar.element, this.searchElement, this.menu.element, this.panel);
    this.previousButton.addEventListener("click", () => this.next(-1));
    this.nextButton.addEventListener("click", () => this.next(1));
    this.searchField.addEventListener("input", () => this.search());
    this.searchField.addEventListener("keydown", (event) => this.handleSearchKey(event));
    this.searchField.addEventListener("blur", () => {
      this.isSearching = Boolean(this.searchField.value);
      this.paintSearch();
    });
    const closeOutside = (event: PointerEvent): void => {
      const path = event.composedPath();
      if (!path.includes(this.panel) && !path.includes(this.menu.element)) this.closePanel();
    };
    document.addEventListener("pointerdown", closeOutside, { signal });
  }

  private get isTask(): boolean {
    return Boolean(this.host.task().question_kind);
  }

  private isShown(name: string): boolean {
    return Object.keys(this.host.get<object | undefined>(name) ?? {}).length > 0;
  }

  private listMainTools(): TreeTool[] {
    const { host } = this;
    const isHidden = (): boolean => this.isTask;
    return [
      { label: "tree.solve", text: "tree.solve", icon: `${CIRCLE_ICON}M8 6a2 2 0 1 0 .01 0z`, action: "solve", isHidden },
      {
        label: "solution.mine",
        text: "solution.mine",
        icon: "M2.500 5h6M11 5h2.500M2.500 11h2M7 11h6.500M9.700 3.200v3.600M5.700 9.200v3.600",
        action: "mine",
        isOn: () => host.solution().shown_kind === "own",
        isHidden,
      },
      {
        label: "tree.matrix",
        text: "tree.matrix",
        icon: GRID_ICON,
        action: "matrix",
        isOn: () => this.isShown("matrix_view"),
        isHidden,
      },
    ];
  }

  private listZoomTools(): TreeTool[] {
    const isHidden = (): boolean => this.host.getTree().drawing.size.histories <= SMALL_TREE_LIMIT;
    return [
      { label: "tree.farther", icon: "M3.500 8h9", action: "farther", shortcut: "−", isHidden },
      {
        label: "tree.fit",
        icon: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10",
        action: "fit",
        shortcut: "0",
        isHidden,
      },
      { label: "tree.nearer", icon: "M3.500 8h9M8 3.500v9", action: "nearer", shortcut: "+", isHidden },
    ];
  }

  private listSolutionTools(): TreeTool[] {
    const { host } = this;
    const isHidden = (): boolean => this.isTask || !host.solution().shown_kind;
    return [
      {
        label: "tree.values",
        icon: "M4 3.500l1.500-1v5M3.500 13L12.500 3M9.500 10.500c0-2 3.500-2 3.500 0 0 1.200-3.500 3-3.500 3H13",
        action: "values",
        shortcut: "V",
        isOn: () => Boolean(host.get("values")),
        isHidden,
      },
      {
        label: "tree.beliefs",
        icon: "M1.500 8c3.500-5.300 9.500-5.300 13 0-3.500 5.300-9.500 5.300-13 0zM8 6a2 2 0 1 0 .010 0z",
        action: "beliefs",
        shortcut: "B",
        isOn: () => Boolean(host.solution().beliefs),
        isHidden: () => isHidden() || !host.getTree().infosets.length,
      },
      {
        label: "tree.reached",
        icon: "M2 12.500c5 0 3-8 8-8M8.500 1.500l3.500 3-3.500 3",
        action: { kind: "unfold", scope: "reached" },
        isHidden: () => host.solution().reach === undefined,
      },
    ];
  }

  private listMethodTools(): TreeTool[] {
    const { host } = this;
    const isHidden = (): boolean => this.isTask;
    return [
      {
        label: "tree.learn",
        icon: `${AXES_ICON}M4.500 4c1 6 4 7 9 7.300`,
        action: "learn",
        isOn: () => this.isShown("learning"),
        isHidden,
      },
      {
        label: "tree.path",
        icon: `${AXES_ICON}M4 8.500c4 0 3.500-5 9-5M4 8.500c4 0 3.500 3.500 9 3.500`,
        action: "path",
        isOn: () => this.isShown("path_view"),
        isHidden,
      },
      {
        label: "tree.table",
        icon: "M4.500 2.500h7v11h-7zM8 5.500l1.500 2.500L8 10.500 6.500 8z",
        action: "table",
        shortcut: "T",
        isHidden: () => !host.getTree().hasCards || host.task().question_kind === "draw",
      },
    ];
  }

  private listFoldTools(): TreeTool[] {
    const getSize = (): { readonly histories: number; readonly shown: number } => this.host.getTree().drawing.size;
    const isOpen = (): boolean => getSize().shown === getSize().histories;
    const isFolded = (): boolean => getSize().shown === 1;
    return [
      {
        label: "tree.open_all",
        icon: `${CIRCLE_ICON}M5.500 8h5M8 5.500v5`,
        action: { kind: "unfold", scope: "all" },
        isHidden: isOpen,
      },
      { label: "tree.more", icon: "M3 3v10M6 4.500L9.500 8 6 11.500M13 3v10", action: "more", isHidden: isOpen },
      { label: "tree.less", icon: "M13 3v10M10 4.500L6.500 8 10 11.500M3 3v10", action: "less", isHidden: isFolded },
      { label: "tree.close_all", icon: `${CIRCLE_ICON}M5.500 8h5`, action: { kind: "fold" }, isHidden: isFolded },
    ];
  }

  /** List what the menu offers now: all tools that can do something and are not in the bar. */
  private listMenu(): MenuItem[][] {
    const words = this.host.words();
    const isInSight = (element: HTMLElement | undefined): boolean => Boolean(element?.offsetParent);
    const isMissing = (tool: TreeTool): boolean => !isInSight(this.bar.buttons.get(tool));
    const makeItem = ({ label, icon, action, shortcut, isOn }: TreeTool): MenuItem => ({
      name: label,
      label: words.say(label),
      icon,
      shortcut,
      isOn: isOn?.(),
      run: () => this.runTool(action),
    });
    const makeItems = (tools: readonly TreeTool[]): MenuItem[] => tools.filter(({ isHidden }) => !isHidden?.()).map(makeItem);
    const findItem: MenuItem = {
      name: "tree.find",
      label: words.say("tree.find"),
      icon: "M7 2.500a4.500 4.500 0 1 0 .01 0zM10.300 10.300l3.500 3.500",
      shortcut: "/",
      run: () => this.focusFind(),
    };
    const keysItem: MenuItem = {
      name: "help",
      label: words.say("help"),
      icon: "M1.500 4h13v8h-13zM4 6.500h.01M8 6.500h.01M12 6.500h.01M5 9.500h6",
      shortcut: "?",
      run: () => this.openPanel("help"),
    };
    return [
      makeItems(this.mainTools.filter(isMissing)),
      makeItems(this.listSolutionTools()),
      makeItems(this.listMethodTools()),
      [...makeItems(this.listFoldTools()), ...this.listPlayers()],
      [
        ...this.zoomTools.filter(isMissing).map(makeItem),
        makeItem({
          label: "tree.direction",
          icon: "M3 13V3h10M10 .500L12.500 3 10 5.500M.500 10.500L3 13l2.500-2.500",
          action: "turn",
          shortcut: "R",
        }),
        ...(isInSight(this.searchElement) ? [] : [findItem]),
      ],
      [
        {
          name: "settings",
          label: words.say("settings"),
          icon: "M2 4.500h7M12 4.500h2M2 11.500h2M7 11.500h7M10.500 2.800v3.400M5.500 9.800v3.400",
          run: () => this.openPanel("settings"),
        },
        ...(matchMedia("(pointer: coarse)").matches ? [] : [keysItem]),
      ],
    ];
  }

  /** List a command for each player that opens the tree up to that player's nodes. */
  private listPlayers(): MenuItem[] {
    const { players } = this.host.getTree().drawing;
    if (players.length > MAX_PLAYERS) return [];
    return players.map((player, seat) => ({
      name: `player${seat}`,
      label: this.host.words().say("tree.by_player", { player }),
      icon: "M8 2.500a2.500 2.500 0 1 0 .01 0zM3 13.500c0-6 10-6 10 0z",
      run: () => this.host.send({ kind: "unfold", scope: "player", number: seat }),
    }));
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
    const words = this.host.words();
    this.bar.paint(words, "tree.tools");
    this.menu.paint(words.say("more"));
    this.paintSearch();
    if (!this.panel.hidden) this.fillPanel();
  }

  // Search

  private paintSearch(): void {
    const { host } = this;
    const words = host.words();
    const { search_result: found, size } = host.getTree().drawing;
    const isLarge = size.histories > SMALL_TREE_LIMIT && host.root.dataset.plain === undefined;
    setAttributes(this.element, { "data-search": this.isSearching || found?.text ? "open" : isLarge });
    setAttributes(this.searchField, { "aria-label": words.say("tree.find"), placeholder: words.say("tree.find") });
    for (const [element, key] of [
      [this.previousButton, "tree.find.previous"],
      [this.nextButton, "tree.find.next"],
    ] as const)
      setAttributes(element, { "aria-label": words.say(key), title: words.say(key), hidden: !found?.count });
    const count = found?.count ?? 0;
    const position = found?.position ?? (found ? found.ids.indexOf(host.getTree().getId(host.getFocus())) + 1 : 0);
    setText(this.countElement, found?.text ? (position > 0 ? `${position}/${count}` : String(count)) : "");
    if (findFocused(this.element) !== this.searchField && this.searchField.value.trim() !== (found?.text ?? "") && !this.requestedText)
      this.searchField.value = found?.text ?? "";
    if (found?.text === this.requestedText) this.requestedText = "";
  }

  /** Show the search field and focus it. */
  focusFind(): void {
    this.isSearching = true;
    this.paintSearch();
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

  // Settings and keys

  /** Open the settings or the keys, in the place of the menu. */
  openPanel(name: "settings" | "help"): void {
    this.menu.close();
    this.panelName = name;
    this.fillPanel();
    setAttributes(this.panel, { hidden: false });
    this.panel.querySelector<HTMLElement>("h3")?.focus();
  }

  /** Close the menu, the settings or the keys. Return whether one of them was open. */
  close(): boolean {
    return this.closePanel() || this.menu.close();
  }

  private closePanel(): boolean {
    if (this.panel.hidden) return false;
    const hadFocus = findFocused(this.panel) !== null;
    setAttributes(this.panel, { hidden: true });
    if (hadFocus) this.menu.button.focus();
    return true;
  }

  private fillPanel(): void {
    const words = this.host.words();
    const title = words.say(this.panelName);
    const focusedKey = findFocused(this.panel)?.dataset.key;
    const closeButton = button("", words.say("close"), { "data-key": "close" });
    closeButton.addEventListener("click", () => this.closePanel());
    const content = this.panelName === "help" ? [renderKeyList(words, KEYS)] : renderSettings(this.host);
    setAttributes(this.panel, { "aria-label": title });
    this.panel.replaceChildren(make("h3", "", { tabindex: -1 }, title), ...content, closeButton);
    if (focusedKey) this.panel.querySelector<HTMLElement>(`[data-key="${focusedKey}"]`)?.focus();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
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
