/** The toolbar of the tree editor, its keys, and the list of what is missing. */

import { renderKeyList, type Tool, ToolBar } from "../board/chrome/toolbar";
import { CHANCE } from "../board/protocol/tree-drawing";
import { button, findFocused, hasChanged, make, setAttributes } from "../widgets/dom";
import type { Key } from "../widgets/protocol/words";
import type { EditorHost } from "./protocol";

const BRANCH_ICON = "M3 8h4M7 8l6-4.500M7 8l6 4.500";
const CHANCE_ICON = "M3 8a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0M8 7l5-3.500M8 9l5 3.500";

/** How many missing items are listed at once. */
const MAX_LISTED = 3;

/** The actions of keys and buttons, except moving the focus. */
export type KeyAction =
  | "move"
  | "chance"
  | "join"
  | "part"
  | "copy"
  | "paste"
  | "paste.joined"
  | "earlier"
  | "later"
  | "remove"
  | "undo"
  | "redo"
  | "use"
  | "name"
  | "probability"
  | "next"
  | "nearer"
  | "farther"
  | "fit"
  | "turn"
  | "escape"
  | "help";

interface KeyRow {
  readonly caps: readonly string[];
  readonly label: Key;
  readonly actions: Readonly<Record<string, KeyAction>>;
}

/** All keys of the tree editor: what they do, and how the help lists them. */
export const SKETCH_KEYS: readonly KeyRow[] = [
  { caps: ["←", "→", "↑", "↓"], label: "tree.keys.walk", actions: {} },
  { caps: ["A"], label: "sketch.move.add", actions: { a: "move", Insert: "move" } },
  { caps: ["C"], label: "sketch.chance.add", actions: { c: "chance" } },
  { caps: ["Enter"], label: "sketch.keys.use", actions: { Enter: "use", n: "name", F2: "name" } },
  { caps: ["P"], label: "sketch.keys.likely", actions: { p: "probability" } },
  { caps: ["1", "2"], label: "sketch.keys.who", actions: {} },
  { caps: ["J", "S"], label: "sketch.keys.join", actions: { j: "join", s: "part" } },
  { caps: ["M"], label: "sketch.keys.next", actions: { m: "next" } },
  { caps: ["Delete"], label: "sketch.keys.remove", actions: { Delete: "remove", Backspace: "remove" } },
  {
    caps: ["Ctrl+C", "Ctrl+V"],
    label: "sketch.keys.copy",
    actions: { "ctrl+c": "copy", "ctrl+v": "paste", "ctrl+shift+v": "paste.joined" },
  },
  { caps: ["Alt+↑", "Alt+↓"], label: "sketch.keys.shift", actions: { "alt+ArrowUp": "earlier", "alt+ArrowDown": "later" } },
  { caps: ["Ctrl+Z", "Ctrl+Y"], label: "sketch.keys.undo", actions: { "ctrl+z": "undo", "ctrl+y": "redo", "ctrl+shift+z": "redo" } },
  { caps: ["+", "−", "0"], label: "tree.keys.zoom", actions: { "+": "nearer", "=": "nearer", "-": "farther", _: "farther", "0": "fit" } },
  { caps: ["R"], label: "tree.direction", actions: { r: "turn" } },
  { caps: ["Esc"], label: "sketch.keys.escape", actions: { Escape: "escape" } },
  { caps: ["?"], label: "help", actions: { "?": "help" } },
];

const KEY_ACTIONS = new Map(SKETCH_KEYS.flatMap(({ actions }) => Object.entries(actions)));

interface SketchTool extends Tool {
  readonly action: KeyAction | "export" | "keys" | "more";
  /** If space is short, the tool is shown only after pressing More. */
  readonly rare?: true;
}

/** The toolbar: drawing, copying, deleting, undo, zoom and help. */
export class TreeEditorToolbar {
  readonly element = make("div", "dk-editor-toolbar");
  private readonly toolbar: ToolBar<SketchTool>;
  private readonly helpElement = make("div", "dk-editor-help", { hidden: true });

  constructor(
    private readonly host: EditorHost,
    private readonly runAction: (action: KeyAction | "export") => void,
    private readonly isJoining: () => boolean,
    private readonly isExporting: () => boolean,
  ) {
    this.toolbar = new ToolBar(
      this.groups(),
      ({ action, rare }) => ({ "data-command": action, "data-secondary": rare }),
      ({ action }) => this.runTool(action),
    );
    this.element.append(this.toolbar.element, this.helpElement);
  }

  private groups(): readonly (readonly SketchTool[])[] {
    const { host } = this;
    const actor = (): number => host.getTree().getActor(host.getFocus());
    const isRoot = (): boolean => host.getFocus() === 0;
    const hasSiblings = (): boolean => !isRoot() && host.getTree().getSiblings(host.getFocus()).length > 1;
    const isTerminal = (): boolean => !host.getTree().getChildren(host.getFocus()).length;
    return [
      [
        { action: "move", text: "sketch.move", label: "sketch.move.add", icon: BRANCH_ICON },
        { action: "chance", text: "sketch.chance", label: "sketch.chance.add", icon: CHANCE_ICON },
      ],
      [
        {
          action: "join",
          text: "sketch.join",
          label: "sketch.join.add",
          icon: "M4 3.500a1.500 1.500 0 1 0 .01 0M4 12.500a1.500 1.500 0 1 0 .01 0M4 6v.01M4 8v.01M4 10v.01M9 8h5M11.500 5.500v5",
          isEnabled: () => actor() !== CHANCE,
          isOn: this.isJoining,
        },
        {
          action: "part",
          rare: true,
          label: "sketch.part",
          icon: "M4 3.500a1.500 1.500 0 1 0 .01 0M4 12.500a1.500 1.500 0 1 0 .01 0M9 5.500l5 5M14 5.500l-5 5",
          isEnabled: () => host.getTree().getInfosetNodes(host.getFocus()).length > 1,
        },
      ],
      [
        { action: "copy", rare: true, label: "sketch.copy", icon: "M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1" },
        {
          action: "paste",
          rare: true,
          label: "sketch.paste",
          icon: "M4 3.500H2.500v10h11v-10H12M5.500 2h5v3h-5z",
          isEnabled: () => host.sketch().has_copy && isTerminal(),
        },
        {
          action: "paste.joined",
          rare: true,
          label: "sketch.paste.joined",
          icon: "M4 3.500H2.500v10h11v-10H12M5.500 2h5v3h-5zM8 7.500v.01M8 9.500v.01M8 11.500v.01",
          isEnabled: () => host.sketch().has_copy && isTerminal(),
        },
        { action: "earlier", rare: true, label: "sketch.earlier", icon: "M8 13V3M4.500 6.500L8 3l3.500 3.500", isEnabled: hasSiblings },
        { action: "later", rare: true, label: "sketch.later", icon: "M8 3v10M4.500 9.500L8 13l3.500-3.500", isEnabled: hasSiblings },
        { action: "remove", label: "sketch.remove", icon: "M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.700 9h5.600l.700-9M7 7v4M9 7v4" },
      ],
      [
        {
          action: "undo",
          text: "sketch.undo",
          label: "sketch.undo",
          icon: "M6 3L2.500 6.500 6 10M3 6.500h6.500a3.500 3.500 0 0 1 0 7H7",
          isEnabled: () => host.sketch().can_undo,
        },
        {
          action: "redo",
          label: "sketch.redo",
          icon: "M10 3l3.500 3.500L10 10M13 6.500H6.500a3.500 3.500 0 0 0 0 7H9",
          isEnabled: () => host.sketch().can_redo,
        },
      ],
      [
        { action: "farther", rare: true, label: "tree.farther", icon: "M3.500 8h9" },
        { action: "fit", rare: true, label: "tree.fit", icon: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10" },
        { action: "nearer", rare: true, label: "tree.nearer", icon: "M3.500 8h9M8 3.500v9" },
        { action: "turn", rare: true, label: "tree.direction", icon: "M3 13V3h10M10 .500L12.500 3 10 5.500M.500 10.500L3 13l2.500-2.500" },
        { action: "more", label: "more", icon: "M3 8h.01M8 8h.01M13 8h.01", isOn: () => this.element.hasAttribute("data-more") },
        {
          action: "export",
          text: "sketch.export",
          label: "sketch.export",
          icon: "M8 10V2.500M5 5l3-2.500L11 5M2.500 9.500v4h11v-4",
          isOn: this.isExporting,
        },
        {
          action: "keys",
          rare: true,
          label: "help",
          icon: "M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.400v.300M8 12.800v.01",
          isOn: () => !this.helpElement.hidden,
        },
      ],
    ];
  }

  private runTool(does: SketchTool["action"]): void {
    if (does === "keys") return this.toggleHelp();
    if (does === "more") {
      setAttributes(this.element, { "data-more": !this.element.hasAttribute("data-more") });
      return this.paint();
    }
    this.runAction(does);
  }

  /** Show or hide the keys. */
  toggleHelp(): void {
    setAttributes(this.helpElement, { hidden: !this.helpElement.hidden });
    this.paint();
    if (!this.helpElement.hidden) this.helpElement.querySelector<HTMLElement>("h3")?.focus();
  }

  /** Hide the keys. Return whether they were shown. */
  closeHelp(): boolean {
    if (this.helpElement.hidden) return false;
    const hadFocus = findFocused(this.helpElement) !== null;
    setAttributes(this.helpElement, { hidden: true });
    this.paint();
    if (hadFocus) this.toolbar.element.querySelector<HTMLElement>('[data-command="keys"]')?.focus();
    return true;
  }

  paint(): void {
    const words = this.host.words();
    this.toolbar.paint(words, "sketch.tools");
    if (this.helpElement.hidden) return;
    const closeButton = button("dk-small-button", words.say("close"));
    closeButton.addEventListener("click", () => this.closeHelp());
    this.helpElement.replaceChildren(make("h3", "", { tabindex: -1 }, words.say("help")), renderKeyList(words, SKETCH_KEYS), closeButton);
  }
}

type KeyPress = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Return the action of a key. Letters also count by their position on a Latin keyboard, for other scripts. */
export function findKeyAction({ key, code, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): KeyAction | undefined {
  const ctrl = ctrlKey || metaKey;
  const modifiers = ctrl ? (shiftKey ? "ctrl+shift+" : "ctrl+") : altKey ? "alt+" : "";
  const latin = code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
  return (
    KEY_ACTIONS.get(modifiers + (key.length === 1 ? key.toLowerCase() : key)) ?? (latin ? KEY_ACTIONS.get(modifiers + latin) : undefined)
  );
}

/** Return the player of a digit key, from 0. */
export function findPlayerKey({ key, ctrlKey, metaKey, altKey }: KeyPress, playerCount: number): number | undefined {
  const player = /^[1-9]$/.test(key) && !ctrlKey && !metaKey && !altKey ? Number(key) - 1 : -1;
  return player >= 0 && player < playerCount ? player : undefined;
}

/** The list of what is missing, with a button for each item. */
export class MissingList {
  readonly element = make("div", "dk-editor-missing", { role: "group" });

  constructor(private readonly host: EditorHost) {}

  paint(): void {
    const { host } = this;
    const words = host.words();
    const { missing: lacks, more_missing: more } = host.sketch();
    setAttributes(this.element, { "data-complete": !lacks.length, "aria-label": words.say("sketch.lacks") });
    if (!hasChanged(this.element, lacks, more, words.language)) return;
    const hadFocus = findFocused(this.element) !== null;
    const items = lacks.slice(0, MAX_LISTED).map(({ id, text: sentence }) => {
      const element = button("dk-editor-missing-item", sentence);
      element.addEventListener("click", () => this.editMissing(id));
      return make("li", "", {}, element);
    });
    const rest = lacks.length > MAX_LISTED ? words.say("sketch.lacks.rest", { count: lacks.length - MAX_LISTED }) : "";
    const notes = [rest, more].filter(Boolean).map((sentence) => make("p", "", {}, sentence));
    const children = [make("p", "", {}, words.say("sketch.lacks")), make("ul", "", {}, ...items), ...notes];
    this.element.replaceChildren(...(lacks.length ? children : [make("p", "", {}, words.say("sketch.whole"))]));
    if (hadFocus) host.focusNode(host.getTree().getId(host.getFocus()));
  }

  /** Edit the next missing item after the focused node, or the first. */
  next(): void {
    const { host } = this;
    const missingIds = host.sketch().missing.map((gap) => gap.id);
    const order = host.getTree().drawing.nodes.id;
    const target = missingIds.find((id) => order.indexOf(id) > host.getFocus()) ?? missingIds[0];
    if (target === undefined) return host.announce(host.words().say("sketch.whole"));
    this.editMissing(target);
  }

  private editMissing(id: number): void {
    this.host.focusNode(id);
    this.host.editField(id, "payoffs");
  }
}
