/** Input of a tree: pointer, keys, and answers on the tree. */

import { button, findFocused, make, setAttributes, setText } from "../widgets/dom";
import type { ToolAction, TreeToolbar } from "./chrome/tree-toolbar";
import { findKeyAction, findWalkTarget, isWalk, leadsToChildren } from "./intents/tree-keys";
import type { Panel, PanelHost } from "./panels/panel";
import { isUndrawn, type Message } from "./protocol/tree-drawing";
import type { Join } from "./view/edges-canvas";
import type { Stage } from "./view/stage";
import { type Direction, findArrowTarget, leadsOutwards, type TreeLayout, WIDE_FIELD_EXTRA } from "./view/tree-layout";

const TREE_QUESTIONS = ["values", "sets", "path", "draw", "strategy"] as const;

/** What input can do to a tree. */
export interface TreeActions extends PanelHost {
  readonly direction: Direction;
  /** The current layout. */
  readonly currentLayout: TreeLayout | undefined;
  /** Focus a node. */
  moveFocus(i: number): void;
  /** Fold or unfold a node. */
  toggle(i: number): void;
  /** Show the whole subtree of a node. */
  fitSubtree(i: number): void;
}

/** Handle clicks and keys. */
export function addTreeInput(board: TreeActions, stage: Stage, toolbar: TreeToolbar, answers: TreeAnswers): void {
  const { root, signal } = board;
  const treeElement = stage.element;
  let mayFold = false;

  treeElement.addEventListener(
    "click",
    (event) => {
      const target = event.target as Element;
      if (stage.wasDragged || target.closest("input, [data-draggable]") || event.detail > 2) return;
      const node = target.closest<HTMLElement>(".dk-node");
      if (!node) return;
      const id = Number(node.dataset.id);
      const tree = board.getTree();
      const i = tree.indexOf(id);
      const isDouble = event.detail === 2;
      board.moveFocus(i);
      if (target.closest(".dk-branch")) {
        if (!isDouble && answers.chooseBranch(id)) return;
      } else if (!target.closest(".dk-payoffs")) {
        if (!isDouble && (answers.pick(id) || answers.drawBranch(id))) return;
        // In a strategy exercise a click selects a node and never folds it.
        if (tree.isOpen(i) && board.task().question_kind === "strategy") return;
        // A double click opens a node and shows its subtree, so it undoes a fold by its first click.
        if (!isDouble) mayFold = tree.isOpen(i);
        if (!isDouble || mayFold) board.toggle(i);
      }
      if (isDouble) board.fitSubtree(i);
    },
    { signal },
  );

  treeElement.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || findFocused(root) !== treeElement) return;
      if (handleKey(event)) event.preventDefault();
    },
    { signal },
  );

  root.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape" && !event.defaultPrevented && (toolbar.close() || answers.clearPicked())) event.preventDefault();
      if (event.key !== "Tab") event.stopPropagation(); // Otherwise the notebook runs its own shortcut.
    },
    { signal },
  );

  /** Handle a key. Return whether it was for the tree. */
  function handleKey(event: KeyboardEvent): boolean {
    const tree = board.getTree();
    const focus = board.getFocus();
    const id = tree.getId(focus);
    if (isWalk(event.key)) {
      const fanLayout = board.currentLayout?.side && event.key.startsWith("Arrow") ? board.currentLayout : undefined;
      const leadsOn = fanLayout ? leadsOutwards(fanLayout, focus, event.key) : leadsToChildren(event.key, board.direction);
      if (leadsOn && tree.countHidden(focus) && !tree.isOpen(focus)) {
        if (!event.repeat) board.toggle(focus); // A held key only moves the focus.
      } else
        board.moveFocus(
          fanLayout ? findArrowTarget(tree, fanLayout, focus, event.key) : findWalkTarget(tree, focus, event.key, board.direction),
        );
      return true;
    }
    const action = findKeyAction(event);
    switch (action) {
      case "use": {
        const field = answers.findField(id);
        if (field) field.focus();
        else if (!answers.chooseBranch(id)) board.toggle(focus);
        return true;
      }
      case "fold":
        board.toggle(focus);
        return true;
      case "pick":
        return answers.pick(id);
      case "choose":
        return answers.chooseBranch(id);
      case "next":
      case "previous":
        toolbar.next(action === "next" ? 1 : -1);
        return true;
      case "escape":
        return toolbar.close() || answers.clearPicked();
      case undefined:
        return false;
      default:
        runAction(board, stage, toolbar, action);
        return true;
    }
  }
}

/** Run the action of a button or key. */
export function runAction(board: TreeActions, stage: Stage, toolbar: TreeToolbar, action: ToolAction): void {
  const isShown = (name: string): boolean => Object.keys(board.get<object | undefined>(name) ?? {}).length > 0;
  switch (action) {
    case "nearer":
      return stage.zoom(1.3);
    case "farther":
      return stage.zoom(1 / 1.3);
    case "fit":
      return stage.fitSubtree();
    case "turn":
      return board.setTrait("direction", board.direction === "right" ? "down" : "right");
    case "values":
      return board.setTrait("values", !board.get("values"));
    case "beliefs":
      return board.setTrait("beliefs", board.solution().beliefs ? "off" : "on");
    case "find":
      return toolbar.focusFind();
    case "help":
      return toolbar.openPanel("help");
    case "table":
      return board.send({ kind: "open_table", id: board.getTree().getId(board.getFocus()) });
    case "matrix":
      return board.send({ kind: "show_matrix", on: !isShown("matrix_view") });
    case "learn":
      return board.send({ kind: "learn", command: isShown("learning") ? "close" : "start" });
    case "path":
      return board.send({ kind: "show_path", on: !isShown("path_view") });
    case "solve":
      return board.send({ kind: "solve" });
    case "mine":
      return board.send(chooseOwnStrategy(board));
    case "probability":
      return void board.root.dispatchEvent(new Event("dk-edit-probability"));
  }
}

/** Return the message that shows the user's own strategy, or another one if it is shown already. */
function chooseOwnStrategy(board: TreeActions): Message {
  const { available_kinds: kinds = [] } = board.get<{ available_kinds?: readonly string[] } | undefined>("solver_state") ?? {};
  const other = kinds.find((kind) => kind !== "own");
  return board.solution().shown_kind === "own" && other ? { kind: "show_strategy", strategy: other } : { kind: "start_own_strategy" };
}

const isTreeQuestion = (asks: string): asks is (typeof TREE_QUESTIONS)[number] => TREE_QUESTIONS.some((name) => name === asks);

/** The answers on a tree: values at nodes, nodes to join, actions to choose, branches to draw. */
export class TreeAnswers implements Panel {
  readonly element = make("div", "dk-answer-bar", { role: "group", hidden: true });
  private readonly instructions = make("p", "dk-answer-instructions");
  private readonly joinButton = button("dk-primary", "");
  private readonly splitButton = button("", "");
  private readonly scoreElement = make("p", "dk-answer-score");
  private readonly fields = new Map<number, HTMLInputElement>();
  readonly picked = new Set<number>();

  constructor(
    private readonly host: PanelHost,
    private readonly onChange: () => void,
  ) {
    this.joinButton.addEventListener("click", () => this.sendGroup(true));
    this.splitButton.addEventListener("click", () => this.sendGroup(false));
    this.element.append(this.instructions, this.joinButton, this.splitButton, this.scoreElement);
  }

  paint(): void {
    const { question_kind: asks, score } = this.host.task();
    const words = this.host.words();
    const question = asks && isTreeQuestion(asks) ? asks : undefined;
    setAttributes(this.element, { hidden: !question, "data-asks": question });
    if (!question) this.picked.clear();
    if (!question) return;
    setText(this.instructions, words.say(`tree.how.${question}`));
    setText(this.scoreElement, score ?? "");
    const asksInfosets = question === "sets";
    setText(this.joinButton, words.say("tree.join"));
    setText(this.splitButton, words.say("tree.part"));
    setAttributes(this.joinButton, { hidden: !asksInfosets, "aria-disabled": this.picked.size > 1 ? undefined : "true" });
    setAttributes(this.splitButton, { hidden: !asksInfosets, "aria-disabled": this.picked.size > 0 ? undefined : "true" });
  }

  stop(): void {
    this.element.remove();
  }

  /** Return whether a node can be picked. */
  canPick(id: number): boolean {
    const { question_kind: asks, allowed_nodes: may } = this.host.task();
    return asks === "sets" && Boolean(may?.includes(id));
  }

  /** Toggle picking a node. */
  pick(id: number): boolean {
    if (!this.canPick(id)) return false;
    if (!this.picked.delete(id)) this.picked.add(id);
    const count = this.picked.size;
    this.host.announce(this.host.words().sayCount("tree.picked", count));
    this.paint();
    this.onChange();
    return true;
  }

  /** Clear the picked nodes. */
  clearPicked(): boolean {
    if (!this.picked.size) return false;
    this.picked.clear();
    this.paint();
    this.onChange();
    return true;
  }

  /** Choose or draw the branch that leads to a node. Return whether the exercise asks for that. */
  chooseBranch(id: number): boolean {
    const tree = this.host.getTree();
    const i = tree.indexOf(id);
    const parent = tree.getParent(i);
    const { question_kind: asks } = this.host.task();
    if ((asks !== "path" && asks !== "draw") || parent < 0 || tree.getActor(parent) < 0) return false;
    this.host.send({ kind: "answer", node: tree.getId(parent), action: tree.getActionIndex(i) });
    return true;
  }

  /** Draw the branch that leads to a node, if it is missing. Return whether that was possible. */
  drawBranch(id: number): boolean {
    const tree = this.host.getTree();
    return isUndrawn(tree.indexOf(id), tree, this.host.task()) && this.chooseBranch(id);
  }

  /** Return the editable field at a node, if any. */
  findField(id: number): HTMLInputElement | undefined {
    const field = this.fields.get(id);
    return field?.isConnected && !field.readOnly ? field : undefined;
  }

  /** Add or remove the field at a node. */
  decorate(element: HTMLElement, i: number): void {
    const tree = this.host.getTree();
    const id = tree.getId(i);
    const task = this.host.task();
    const fieldData = task.question_kind === "values" ? task.nodes?.[id] : undefined;
    let field = this.fields.get(id);
    if (!fieldData) {
      field?.remove();
      this.fields.delete(id);
      return;
    }
    if (!field) {
      field = make("input", "dk-node-answer", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", maxlength: 40 });
      const input = field;
      const submit = (): void => {
        if (!input.readOnly && input.value.trim() !== (input.dataset.sent ?? "")) {
          input.dataset.sent = input.value.trim();
          this.host.send({ kind: "answer", node: id, text: input.value.trim() });
        }
      };
      input.addEventListener("change", submit);
      input.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "Enter") submit();
        if (event.key === "Enter" || event.key === "Escape") this.host.focusNode(id);
      });
      this.fields.set(id, input);
    }
    if (field.parentElement !== element) element.append(field);
    if (task.has_many_values) element.style.setProperty("--dk-field-extra", `${WIDE_FIELD_EXTRA}px`);
    if (field !== (field.getRootNode() as Document | ShadowRoot).activeElement || fieldData.mark) field.value = fieldData.text;
    field.dataset.sent = fieldData.text;
    field.readOnly = fieldData.open === false;
    const words = this.host.words();
    const mark = fieldData.mark ? `, ${words.say(`mark.${fieldData.mark}`)}` : "";
    setAttributes(field, {
      "data-mark": fieldData.mark || undefined,
      "aria-label": words.say("tree.field") + mark,
      tabindex: fieldData.open === false ? -1 : 0,
    });
  }

  /** Return the infosets of the answer. */
  listJoins(): Join[] {
    const tree = this.host.getTree();
    const { question_kind: asks, groups = [], marks } = this.host.task();
    if (asks !== "sets") return [];
    return groups.map((group, n) => ({
      places: group.map((id) => tree.indexOf(id)).filter((i) => i >= 0),
      kind: marks?.[n] === "right" ? "right" : marks?.[n] === "wrong" ? "wrong" : "given",
      seat: 0,
    }));
  }

  private sendGroup(isJoin: boolean): void {
    if (this.picked.size < (isJoin ? 2 : 1)) return;
    this.host.send({ kind: "answer", nodes: [...this.picked], join: isJoin });
    this.picked.clear();
    this.host.announce(this.host.words().sayCount("tree.picked", 0)); // The nodes are no longer picked.
    this.paint();
    this.onChange();
  }
}
