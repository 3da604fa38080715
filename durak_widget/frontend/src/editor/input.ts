/** Input of the tree editor: pointer, keys, and dragging a line from node to node. */

import { findWalkTarget, isWalk } from "../board/intents/tree-keys";
import { CHANCE, TERMINAL } from "../board/protocol/tree-drawing";
import type { Stage } from "../board/view/stage";
import type { Direction } from "../board/view/tree-layout";
import { findFocused, make, setAttributes } from "../widgets/dom";
import type { ExportPanel } from "./export-panel";
import type { EditorHost } from "./protocol";
import { findKeyAction, findPlayerKey, type KeyAction, type MissingList, type TreeEditorToolbar } from "./toolbar";
import type { InlineField } from "./tree-fields";

/** How far a pointer can move before it draws a line, in px. */
const CLICK_DISTANCE = 6;

/** What input can do to a tree in the editor. */
export interface TreeEditorActions extends EditorHost {
  readonly direction: Direction;
  readonly toolbar: TreeEditorToolbar;
  readonly exportPanel: ExportPanel;
  readonly inlineField: InlineField;
  readonly missingList: MissingList;
  /** Focus a node. */
  moveFocus(i: number): void;
  /** Paint again after joining or typing. */
  repaint(): void;
  /** Change the direction of the tree. */
  turnTree(): void;
}

/** Input by mouse, touch and keys. */
export class TreeEditorInput {
  /** The first node of a line that is drawn by keys or clicks. */
  joinStart: number | undefined;
  /** The user added a move, so its name is typed next. */
  namesNextMove = false;
  private readonly isPulling: () => boolean;

  constructor(
    private readonly board: TreeEditorActions,
    private readonly stage: Stage,
  ) {
    const { signal } = board;
    const treeElement = stage.element;
    const canJoin = (id: number): boolean => board.getTree().getActor(board.getTree().indexOf(id)) !== CHANCE;
    this.isPulling = listenForLines(treeElement, canJoin, (id, other) => board.send({ kind: "join_infosets", id, other }), signal).pulling;
    treeElement.addEventListener("click", (event) => this.handleClick(event), { signal });
    treeElement.addEventListener(
      "keydown",
      (event) => {
        if (findFocused(board.root) === treeElement && this.handleTreeKey(event)) event.preventDefault();
      },
      { signal },
    );
    board.root.addEventListener("keydown", (event) => this.handleAnyKey(event), { signal });
  }

  /** Handle a key anywhere in the widget. On toolbar buttons, drawing keys work too. */
  private handleAnyKey(event: KeyboardEvent): void {
    const action = event.defaultPrevented ? undefined : findKeyAction(event);
    const target = event.target as Element;
    const isTyping = target.closest("input, textarea, select") !== null;
    const isDrawing = action === "undo" || action === "redo" || (action !== "use" && this.board.toolbar.element.contains(target));
    if (action === "escape") {
      if (this.handleEscape()) event.preventDefault();
    } else if (action && isDrawing && !isTyping) {
      this.runAction(action);
      event.preventDefault();
    }
    if (event.key !== "Tab") event.stopPropagation(); // Otherwise the notebook runs its own shortcut.
  }

  private handleClick(event: MouseEvent): void {
    const target = event.target as Element;
    const node = target.closest<HTMLElement>(".dk-node");
    if (!node || this.isPulling() || this.stage.wasDragged || target.closest("input") || event.detail > 2) return;
    const id = Number(node.dataset.id);
    const wasFocused = this.focusedId === id;
    if (this.joinStart !== undefined) return this.joinWith(id);
    this.board.focusNode(id);
    if (target.closest(".dk-payoffs")) return this.board.editField(id, "payoffs");
    if (target.closest(".dk-probability")) return wasFocused ? this.board.editField(id, "probability") : undefined;
    if (target.closest(".dk-branch")) return wasFocused ? this.board.editField(id, "move") : undefined;
    if (event.detail === 2) this.runAction("use");
  }

  /** Join the first node with this one. */
  private joinWith(other: number): void {
    const first = this.joinStart as number;
    this.joinStart = undefined;
    this.board.focusNode(other);
    this.board.repaint();
    if (first !== other) this.board.send({ kind: "join_infosets", id: first, other });
  }

  /** Handle a key on the tree. Return whether it was used. */
  private handleTreeKey(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, repeat } = event;
    const action = findKeyAction(event);
    if (isWalk(key) && !altKey && !ctrlKey && !metaKey) {
      this.board.moveFocus(findWalkTarget(this.board.getTree(), this.board.getFocus(), key, this.board.direction));
      return true;
    }
    const player = findPlayerKey(event, this.board.getTree().drawing.players.length);
    if (player !== undefined) {
      this.namesNextMove = !this.board.getTree().getChildren(this.board.getFocus()).length;
      this.board.send({ kind: "set_actor", id: this.focusedId, player });
    } else if (action === "escape" || action === undefined) return false;
    else if (!repeat || action === "undo" || action === "redo") this.runAction(action);
    return true;
  }

  private handleEscape(): boolean {
    if (this.board.toolbar.closeHelp()) return true;
    if (this.joinStart !== undefined) {
      this.joinStart = undefined;
      this.board.repaint();
      return true;
    }
    if (!this.board.exportPanel.isOpen) return false;
    this.board.exportPanel.toggle(false);
    this.board.toolbar.paint();
    this.stage.element.focus({ preventScroll: true });
    return true;
  }

  /** Run the action of a button or key. */
  runAction(action: KeyAction | "export"): void {
    const id = this.focusedId;
    this.board.inlineField.close(true);
    switch (action) {
      case "move":
        this.namesNextMove = !matchMedia("(pointer: coarse)").matches; // On touch screens the keyboard opens only on request.
        return this.board.send({ kind: "add_action", id });
      case "chance":
        return this.board.send({ kind: "add_chance_move", id });
      case "part":
        return this.board.send({ kind: "split_infoset", id });
      case "remove":
        return this.board.send({ kind: "remove_branch", id });
      case "copy":
        return this.board.send({ kind: "copy", id });
      case "earlier":
      case "later":
        return this.board.send({ kind: "shift_branch", id, step: action === "later" ? 1 : -1 });
      case "paste":
      case "paste.joined":
        return this.board.send({ kind: "paste", id, joined: action === "paste.joined" });
      case "undo":
      case "redo":
        return this.board.send({ kind: action });
      case "join":
        if (this.joinStart !== undefined) return this.joinWith(id);
        this.joinStart = id;
        this.board.announce(this.board.words().say("sketch.joining"));
        return this.board.repaint();
      case "use":
        return this.board.editField(id, this.board.getTree().getActor(this.board.getFocus()) === TERMINAL ? "payoffs" : "move");
      case "name":
        return this.board.editField(id, "move");
      case "probability":
        return this.board.editField(id, "probability");
      case "next":
        return this.board.missingList.next();
      case "nearer":
        return this.stage.zoom(1.3);
      case "farther":
        return this.stage.zoom(1 / 1.3);
      case "fit":
        return this.stage.fitSubtree();
      case "turn":
        return this.board.turnTree();
      case "export":
        this.board.exportPanel.toggle();
        return this.board.toolbar.paint();
      case "help":
        return this.board.toolbar.toggleHelp();
    }
  }

  /** Return the id of the focused node. */
  private get focusedId(): number {
    return this.board.getTree().getId(this.board.getFocus());
  }
}

/** Handle lines dragged from node to node, before the board pans. `onJoin` gets both nodes. */
export function listenForLines(
  treeElement: HTMLElement,
  canJoin: (id: number) => boolean,
  onJoin: (first: number, second: number) => void,
  signal: AbortSignal,
): { readonly pulling: () => boolean } {
  const lineElement = make("i", "dk-rubber-band", { "aria-hidden": "true", hidden: true });
  let start: { readonly pointer: number; readonly id: number; readonly x: number; readonly y: number } | undefined;
  let isPulling = false;
  let hovered: HTMLElement | undefined;
  treeElement.append(lineElement);
  const listen = (name: "pointerdown" | "pointermove" | "pointerup" | "pointercancel", handler: (event: PointerEvent) => void): void =>
    treeElement.addEventListener(name, handler, { signal, capture: true });
  const findNode = ({ clientX, clientY }: PointerEvent): HTMLElement | undefined => {
    const nodeElement = (treeElement.getRootNode() as Document | ShadowRoot)
      .elementFromPoint(clientX, clientY)
      ?.closest<HTMLElement>(".dk-node");
    return nodeElement && treeElement.contains(nodeElement) && Number(nodeElement.dataset.id) !== start?.id ? nodeElement : undefined;
  };
  const setTarget = (node: HTMLElement | undefined): void => {
    if (hovered !== node && hovered) setAttributes(hovered, { "data-drop-target": undefined });
    hovered = node;
    if (hovered) setAttributes(hovered, { "data-drop-target": true });
  };

  listen("pointerdown", (event) => {
    const sign = (event.target as Element).closest<HTMLElement>(".dk-sign");
    const id = Number(sign?.closest<HTMLElement>(".dk-node")?.dataset.id ?? -1);
    if (!sign || event.button !== 0 || !event.isPrimary || !canJoin(id)) return;
    const { left, top, width, height } = sign.getBoundingClientRect();
    start = { pointer: event.pointerId, id, x: left + width / 2, y: top + height / 2 };
    isPulling = false;
    event.stopPropagation(); // The board must not pan.
  });
  listen("pointermove", (event) => {
    if (event.pointerId !== start?.pointer) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!isPulling && Math.hypot(dx, dy) < CLICK_DISTANCE + 8) return;
    if (!isPulling) treeElement.setPointerCapture(event.pointerId);
    isPulling = true;
    const box = treeElement.getBoundingClientRect();
    setAttributes(lineElement, { hidden: undefined });
    lineElement.style.width = `${Math.hypot(dx, dy)}px`;
    lineElement.style.transform = `translate(${start.x - box.left}px,${start.y - box.top}px) rotate(${Math.atan2(dy, dx)}rad)`;
    setTarget(findNode(event));
  });
  const handleEnd = (event: PointerEvent): void => {
    if (event.pointerId !== start?.pointer) return;
    const [{ id }, second] = [start, event.type === "pointerup" && isPulling ? findNode(event) : undefined];
    setTarget(undefined);
    start = undefined;
    setAttributes(lineElement, { hidden: true });
    if (second) onJoin(id, Number(second.dataset.id));
    setTimeout(() => {
      isPulling = false; // Ignore the click after a drag.
    });
  };
  listen("pointerup", handleEnd);
  listen("pointercancel", handleEnd);
  return { pulling: () => isPulling };
}
