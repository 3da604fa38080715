/** The board of a tree: connects its parts, its panels and the focused node. */

import { make, setAttributes, setText } from "../widgets/dom";
import type { WidgetHost } from "../widgets/widget-host";
import { findStartNodes, isPlain, measureNeeds, TreeBoardBase } from "./board-base";
import { Breadcrumbs, TreeToolbar } from "./chrome/tree-toolbar";
import { MATRIX } from "./matrix/matrix-view";
import { LEARNING } from "./panels/learning";
import { PATH } from "./panels/logit-path";
import type { Panel, PanelHost, Slot } from "./panels/panel";
import { ANSWERS, SOLUTION } from "./panels/solution";
import {
  asksPlayer,
  type Drawing,
  describeNode,
  isUndrawn,
  type Message,
  makePlayerLetters,
  ShownTree,
  type Solution,
  type Task,
} from "./protocol/tree-drawing";
import { addTreeInput, runAction, type TreeActions, TreeAnswers } from "./tree-input";
import type { Join } from "./view/edges-canvas";
import type { StageScene } from "./view/stage";
import { type Direction, layOutTree, measureText, type TreeLayout } from "./view/tree-layout";
import { chooseStroke, measureMove, paintPlayers } from "./view/tree-nodes";

const NO_TASK: Task = {};

/** The delay before Python learns the new focus, in ms. */
const FOCUS_DELAY_MS = 220; // Large trees take longer to send, so this is added per thousand shown nodes.
const DELAY_PER_THOUSAND_MS = 80;

/** The panels of a tree, in order. What a command opens comes first, so that it is in sight. */
export const SLOTS: readonly Slot[] = [LEARNING, PATH, MATRIX, ANSWERS, SOLUTION];

/** A tree on the page. */
export class TreeBoard extends TreeBoardBase implements PanelHost, TreeActions {
  private readonly summary = make("p", "dk-summary");
  private readonly besideElement = make("div", "dk-side-panels");
  private readonly belowElement = make("div", "dk-lower-panels");
  private readonly toolbar: TreeToolbar;
  private readonly breadcrumbs: Breadcrumbs;
  private readonly answers: TreeAnswers;
  private readonly panels: { readonly slot: Slot; readonly panel: Panel }[];
  /** The available width when the layout was made. */
  private layoutWidth = 0;
  private layoutKey = "";
  /** The inputs of the last painting. */
  private paintedInputs: readonly unknown[] = [];
  private readonly focus: TreeFocus;
  private anchor: number | undefined;
  private pendingFit: number | undefined;

  constructor(host: WidgetHost) {
    super(host, "", "tree.gone", { minHeight: 150, maxHeight: 560, screenShare: 0.66 });
    this.focus = new TreeFocus(this.tree, (message) => host.send(message));
    this.toolbar = new TreeToolbar(this, (action) => runAction(this, this.stage, this.toolbar, action));
    this.breadcrumbs = new Breadcrumbs(this);
    this.answers = new TreeAnswers(this, () => this.paintStage());
    this.panels = SLOTS.map((slot) => ({ slot, panel: slot.make(this) }));
    for (const { slot, panel } of this.panels) (slot.side === "beside" ? this.besideElement : this.belowElement).append(panel.element);
    const header = make("div", "dk-board-header", {}, this.title, this.players);
    const main = make(
      "div",
      "dk-board-main",
      {},
      make("div", "dk-view-frame", {}, this.stage.element, this.messages.refusalElement),
      this.besideElement,
    );
    this.root.append(
      header,
      this.toolbar.element,
      this.breadcrumbs.element,
      this.answers.element,
      main,
      this.description,
      this.summary,
      this.belowElement,
      this.messages.status,
    );
    addTreeInput(this, this.stage, this.toolbar, this.answers);
  }

  // For panels

  get<T>(name: string): T {
    return this.host.get<T>(name);
  }

  setTrait(name: string, value: unknown): void {
    this.host.setTrait(name, value);
  }

  send(message: Message): void {
    this.messages.expectAnswer();
    if (message.kind === "solve") setAttributes(this.root, { "aria-busy": "true" });
    this.sendMessage(message);
  }

  /** Return the solution to show. If a cell of the matrix is selected, its path is lit. */
  solution(): Solution {
    return this.paths.length ? { ...this.currentSolution, highlighted_nodes: this.paths } : this.currentSolution;
  }

  /** Return the solution. If it is for another drawing, leave out its values by node. */
  private get currentSolution(): Solution {
    const solution = this.host.get<Solution | undefined>("solution_view") ?? {};
    if (!solution.reach || solution.reach.length === this.tree.count) return solution;
    const { reach: _, values: __, ...rest } = solution;
    return rest;
  }

  /** Return the nodes that the selected cell of the matrix leads to. */
  private get paths(): readonly number[] {
    return this.host.get<{ reached_nodes?: readonly number[] } | undefined>("matrix_view")?.reached_nodes ?? [];
  }

  task(): Task {
    return this.host.get<Task | undefined>("question_view") ?? NO_TASK;
  }

  getFocus(): number {
    return this.focusedNode;
  }

  private get focusedNode(): number {
    return this.focus.node;
  }

  findElement(id: number): HTMLElement | undefined {
    return this.stage.nodes.findElement(id);
  }

  handleResize(): void {
    this.stage.redraw();
  }

  focusNode(id: number): void {
    const i = this.tree.indexOf(id);
    if (i < 0) return this.send({ kind: "select_node", id });
    this.stage.element.focus({ preventScroll: true });
    this.moveFocus(i);
  }

  // Painting

  paint(): void {
    const drawing = this.reader.read();
    const previous = this.tree;
    if (drawing !== previous.drawing) this.setDrawing(drawing, previous);
    const words = this.words();
    const { title } = this.tree.drawing;
    setAttributes(this.root, {
      "aria-label": title ? words.say("tree.region.of", { title }) : words.say("tree.region"),
      lang: words.language,
    });
    setAttributes(this.root, {
      "data-direction": this.direction,
      "data-task": this.task().question_kind,
      "data-plain": isPlain(this.tree, this.task()),
      "data-shown": this.tree.drawing.id,
      "aria-busy": undefined,
    });
    setText(this.title, title);
    paintPlayers(this.players, this.tree, this.task(), words);
    this.answers.paint();
    this.paintStage();
    this.paintFocus();
    if (this.focus.movedByPython) this.stage.revealNode(this.focusedNode);
    this.focus.movedByPython = false;
    this.messages.announceChanges(previous.drawing, this.tree.drawing, words);
    const fitNode = this.pendingFit === undefined ? -1 : this.tree.indexOf(this.pendingFit);
    if (this.task().question_kind === "draw") this.stage.revealGrowth(this.tree.children[this.focusedNode]?.at(-1) ?? this.focusedNode);
    if (fitNode >= 0 && this.tree.isOpen(fitNode)) {
      this.stage.fitSubtree(fitNode);
      this.pendingFit = undefined;
    }
  }

  private setDrawing(drawing: Drawing, before: ShownTree): void {
    this.tree = new ShownTree(drawing, before);
    this.focus.setTree(this.tree);
    if (this.anchor === undefined || this.tree.indexOf(this.anchor) < 0) this.anchor = this.tree.findAnchor(this.focusedNode, before);
  }

  get currentLayout(): TreeLayout | undefined {
    return this.layout;
  }

  get direction(): Direction {
    return this.host.get<Direction | undefined>("direction") ?? this.tree.drawing.direction;
  }

  protected paintStage(): void {
    const solution = this.solution();
    const task = this.task();
    const { tree } = this;
    const { drawing } = tree;
    const values = Boolean(this.host.get("values")) && Boolean(solution.values);
    const noteCount = Object.keys(drawing.labels?.branches ?? {}).length;
    const room = { ...measureNeeds(tree, solution, task), hasValues: values };
    setAttributes(this.root, { "data-narrow": room.isNarrow });
    const fan =
      drawing.signalling_layout && !task.question_kind && this.get("from_middle") !== false ? drawing.signalling_layout : undefined;
    this.layoutWidth = fan ? this.stage.element.clientWidth : 0;
    const key = JSON.stringify([
      drawing.layout_id ?? drawing.id,
      noteCount,
      this.direction,
      room,
      this.words().language,
      fan !== undefined,
      this.layoutWidth,
    ]);
    if (!this.layout || key !== this.layoutKey)
      this.layout = layOutTree(
        tree,
        this.direction,
        { label: measureMove, text: measureText },
        room,
        fan && { of: fan, width: this.layoutWidth },
      );
    this.layoutKey = key;
    const scene = buildScene(this, this.answers, this.layout, values, room.isNarrow);
    const { anchor } = this;
    this.anchor = undefined;
    const inputs = [
      drawing.layout_id ?? drawing.id,
      this.get("solution_view"),
      this.get("matrix_view"),
      task,
      this.words(),
      values,
      JSON.stringify([drawing.search_result, drawing.labels]),
    ];
    const paintInputs = [...inputs, [...this.answers.picked].join(), this.layout];
    const isRenewed = paintInputs.some((input, n) => input !== this.paintedInputs[n]);
    this.paintedInputs = paintInputs;
    this.stage.set(scene, this.layout, anchor, isRenewed);
    this.fitHeight();
  }

  protected paintFocus(): void {
    const words = this.words();
    this.breadcrumbs.paint();
    this.toolbar.paint();
    const sentences = describeNode(this.focusedNode, { tree: this.tree, solution: this.currentSolution, task: this.task(), words });
    if (this.paths.includes(this.tree.getId(this.focusedNode))) sentences.push(words.say("matrix.way"));
    setText(this.description, sentences.join(". "));
    setText(this.summary, (this.solution().sentences ?? []).join(" · "));
    setAttributes(this.summary, { hidden: !this.solution().sentences?.length });
    for (const { panel } of this.panels) panel.paint();
    const isEmpty = (place: HTMLElement): boolean => [...place.children].every((child) => (child as HTMLElement).hidden);
    setAttributes(this.besideElement, { hidden: isEmpty(this.besideElement) });
    setAttributes(this.belowElement, { hidden: isEmpty(this.belowElement) });
  }

  protected override fitHeight(isFresh = false): void {
    super.fitHeight(isFresh);
    if (this.layoutWidth && this.stage.element.clientWidth !== this.layoutWidth) this.schedulePaint(); // A layout with two sides may fit now, or no longer.
  }

  /** Show beside the tree that Python refused a request, or is gone. */
  showError(message: string): void {
    setAttributes(this.root, { "aria-busy": undefined });
    if (!this.panels.some(({ panel }) => panel.showError?.(message))) this.messages.showRefusal(message);
  }

  override stop(): void {
    super.stop();
    this.focus.stop();
    this.toolbar.stop();
    this.answers.stop();
    for (const { panel } of this.panels) panel.stop();
  }

  // Input

  protected setFocus(i: number): void {
    this.focus.moveTo(i);
  }

  /** Show the whole subtree of a node, now or once it is open. */
  fitSubtree(i: number): void {
    this.pendingFit = this.tree.getId(i);
    if (this.tree.canFold(i) && !this.tree.isOpen(i)) return;
    this.stage.fitSubtree(i);
    this.pendingFit = undefined;
  }

  toggle(i: number): void {
    if (!this.tree.canFold(i) || isUndrawn(i, this.tree, this.task())) return;
    this.anchor = this.tree.getId(i);
    this.send({ kind: "toggle", id: this.tree.getId(i) });
  }
}

/** The focused node. It is ahead of Python, which is told when the steps pause. */
export class TreeFocus {
  /** The index of the focused node. */
  node: number;
  /** Python moved the focus, so it has to be made visible. */
  movedByPython = false;
  private knownId: number;
  /** Focused ids that were sent but not answered yet, oldest first. */
  private pendingIds: readonly number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private tree: ShownTree,
    private readonly send: (message: Message) => void,
  ) {
    this.knownId = tree.drawing.current_node;
    this.node = Math.max(tree.indexOf(this.knownId), 0);
  }

  /** Handle a new drawing. Keep the focus, unless Python moved it to a node that this page did not send. */
  setTree(tree: ShownTree): void {
    const { drawing } = tree;
    const previousId = this.tree.getId(this.node);
    const answeredIndex = this.pendingIds.indexOf(drawing.current_node);
    const pythonMoved = drawing.current_node !== this.knownId && answeredIndex < 0;
    if (drawing.current_node !== this.knownId) this.pendingIds = pythonMoved ? [] : this.pendingIds.slice(answeredIndex + 1);
    this.knownId = drawing.current_node;
    this.tree = tree;
    const keptNode = pythonMoved ? -1 : tree.indexOf(previousId);
    this.node = keptNode >= 0 ? keptNode : Math.max(tree.indexOf(drawing.current_node), 0);
    this.movedByPython ||= pythonMoved;
  }

  /** Focus another node. */
  moveTo(i: number): void {
    this.node = i;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.report(), FOCUS_DELAY_MS + (DELAY_PER_THOUSAND_MS * this.tree.count) / 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private report(): void {
    const id = this.tree.getId(this.node);
    if (id === (this.pendingIds.at(-1) ?? this.tree.drawing.current_node)) return;
    this.pendingIds = [...this.pendingIds, id];
    this.send({ kind: "select_node", id });
  }
}

/** Build the scene of the stage from traits and answers. */
export function buildScene(board: PanelHost, answers: TreeAnswers, layout: TreeLayout, values: boolean, narrow: boolean): StageScene {
  const [tree, solution, task, focus] = [board.getTree(), board.solution(), board.task(), board.getFocus()];
  const { drawing } = tree;
  const litIds = new Set(solution.highlighted_nodes);
  const joins = tree.infosets.map((nodes, n): Join => {
    const active = nodes.includes(focus);
    return { places: nodes, kind: active ? "active" : "set", seat: tree.getActor(nodes[0] ?? 0), lane: drawing.lanes?.[n] };
  });
  return {
    look: {
      tree,
      solution,
      task,
      words: board.words(),
      layout,
      letters: makePlayerLetters(drawing.players),
      showValues: values,
      foundIds: new Set(drawing.search_result?.ids),
      pickedIds: answers.picked,
      canEdit: (seat) =>
        asksPlayer(task, seat) || (!task.question_kind && solution.shown_kind !== undefined && solution.shown_kind !== "learning"),
      decorate: (element, i) => answers.decorate(element, i),
    },
    joins: task.question_kind === "sets" ? answers.listJoins() : joins,
    getStroke: (i) => chooseStroke(i, tree, solution, task, litIds),
    focus,
    infosetNodes: new Set(tree.getActor(focus) >= 0 ? tree.getInfosetNodes(focus) : []),
    startNodes: findStartNodes(tree, task),
    isNarrow: narrow,
  };
}
