/** The editor of a tree: it shows Python's data and sends what the user draws. */

import { measureNeeds, TreeBoardBase } from "../board/board-base";
import { CHANCE, describeNode, makePlayerLetters, ShownTree, TERMINAL } from "../board/protocol/tree-drawing";
import type { StageScene } from "../board/view/stage";
import { buildTreeLayout, type Direction, measureText, type TreeLayout } from "../board/view/tree-layout";
import { chooseStroke, measureMove, paintPlayers } from "../board/view/tree-nodes";
import { hasChanged, make, setAttributes, setText } from "../widgets/dom";
import type { WidgetHost } from "../widgets/widget-host";
import { type ExportMessage, ExportPanel } from "./export-panel";
import { type TreeEditorActions, TreeEditorInput } from "./input";
import type { FieldName, Sketch, SketchMessage } from "./protocol";
import { MissingList, TreeEditorToolbar } from "./toolbar";
import { GameFields, InlineField, NodeFields } from "./tree-fields";

/** The space for payoff fields behind the ends, in px. */
const FIELD_SPACE = 48;
/** Messages after which Python moves the focus. */
const MOVING_KINDS: ReadonlySet<SketchMessage["kind"]> = new Set([
  "add_action",
  "add_chance_move",
  "remove_branch",
  "remove_children",
  "paste",
  "join_infosets",
  "set_actor",
  "undo",
  "redo",
  "shift_branch",
]);

export class TreeEditor extends TreeBoardBase implements TreeEditorActions {
  private readonly instructions = make("p", "dk-editor-instructions");
  readonly missingList = new MissingList(this);
  readonly toolbar: TreeEditorToolbar;
  private readonly nodeFields: NodeFields;
  private readonly gameFields: GameFields;
  readonly exportPanel: ExportPanel;
  readonly inlineField: InlineField;
  private readonly input: TreeEditorInput;
  private focus: number;
  private paintedTurn: number;
  /** True if Python refused a message since the draft last changed. */
  private isRefused = false;
  /** How many of their answers are pending. */
  private awaitedMoves = 0;

  constructor(host: WidgetHost) {
    super(host, "dk-editor", "sketch.gone", { minHeight: 170, maxHeight: 480, screenShare: 0.5 });
    this.paintedTurn = this.sketch().version;
    this.focus = Math.max(this.tree.indexOf(this.tree.drawing.current_node), 0);
    this.inlineField = new InlineField(this, () => {
      this.paintStage();
      this.stage.flush();
    });
    this.exportPanel = new ExportPanel(this);
    this.toolbar = new TreeEditorToolbar(
      this,
      (action) => this.input.runAction(action),
      () => this.input.joinStart !== undefined,
      () => this.exportPanel.isOpen,
    );
    this.nodeFields = new NodeFields(this);
    this.gameFields = new GameFields(this);
    const view = make("div", "dk-view-frame", {}, this.stage.element, this.messages.refusalElement);
    this.root.append(
      make("div", "dk-board-header", {}, this.title, this.players),
      this.toolbar.element,
      this.instructions,
      view,
      this.nodeFields.element,
      this.description,
      this.missingList.element,
      this.gameFields.element,
      this.exportPanel.element,
      this.messages.status,
    );
    this.input = new TreeEditorInput(this, this.stage);
  }

  // For the parts

  sketch(): Sketch {
    return this.host.get<Sketch>("tree_draft_view");
  }

  getFocus(): number {
    return this.focus;
  }

  send(message: SketchMessage): void {
    this.messages.hideRefusal();
    if (MOVING_KINDS.has(message.kind)) this.awaitedMoves += 1;
    this.sendMessage(message);
  }

  hasRefused(): boolean {
    return this.isRefused;
  }

  focusNode(id: number): void {
    const i = this.tree.indexOf(id);
    this.stage.element.focus({ preventScroll: true });
    if (i >= 0) this.moveFocus(i);
  }

  turnTree(): void {
    this.host.setTrait("direction", this.direction === "right" ? "down" : "right");
  }

  editField(id: number, field: FieldName): void {
    const i = this.tree.indexOf(id);
    if (i < 0 || (field !== "payoffs" && i === 0)) return;
    if (field === "payoffs" && this.tree.getActor(i) !== TERMINAL) return;
    if (field === "probability" && this.tree.getActor(this.tree.getParent(i)) !== CHANCE) return;
    this.inlineField.openField(id, field);
  }

  // Painting

  paint(): void {
    const words = this.words();
    const previous = this.tree;
    const drawing = this.reader.read();
    let anchor: number | undefined;
    if (drawing !== previous.drawing) {
      const previousId = previous.getId(this.focus);
      this.tree = new ShownTree(drawing, previous);
      const [turn, pythonMoved] = [this.sketch().version, drawing.current_node !== previous.drawing.current_node];
      const followsPython = turn === this.paintedTurn ? pythonMoved : this.awaitedMoves > 0;
      if (turn !== this.paintedTurn) this.awaitedMoves = Math.max(this.awaitedMoves - 1, 0);
      const keptNode = followsPython ? -1 : this.tree.indexOf(previousId);
      this.focus = keptNode >= 0 ? keptNode : Math.max(this.tree.indexOf(drawing.current_node), 0);
      anchor = this.tree.findAnchor(this.focus, previous);
    }
    this.inlineField.check();
    const { title } = this.tree.drawing;
    setAttributes(this.root, {
      "aria-label": title ? words.say("sketch.region.of", { title }) : words.say("sketch.region"),
      lang: words.language,
      "data-direction": this.direction,
      "data-shown": this.sketch().version,
    });
    setText(this.title, title);
    paintPlayers(this.players, this.tree, {}, words);
    this.paintStage(anchor);
    this.paintFocus();
    if (anchor !== undefined) this.stage.revealNode(this.focus);
    const { version: turn, new_node: fresh, last_step: did } = this.sketch();
    if (turn === this.paintedTurn) return;
    this.paintedTurn = turn;
    this.isRefused = false;
    this.inlineField.handleAccepted();
    this.exportPanel.discard();
    this.stage.revealGrowth(this.tree.children[this.focus]?.at(-1) ?? this.focus);
    this.announce(did);
    if (fresh >= 0 && this.input.namesNextMove && this.tree.indexOf(fresh) >= 0)
      this.inlineField.openField(fresh, "move", this.tree.getId(this.focus));
    this.input.namesNextMove = false;
  }

  get direction(): Direction {
    return this.host.get<Direction>("direction");
  }

  protected paintStage(anchor?: number): void {
    const [{ tree }, words] = [this, this.words()];
    const needs = measureNeeds(tree, {}, {});
    setAttributes(this.root, { "data-narrow": needs.isNarrow });
    if (hasChanged(this.stage.element, tree.drawing.layout_id, this.direction, needs, words.language) || !this.layout) {
      const layout = buildTreeLayout(tree, this.direction, { label: measureMove, text: measureText }, needs);
      this.layout =
        this.direction === "right"
          ? { ...layout, width: layout.width + FIELD_SPACE }
          : { ...layout, height: layout.height + FIELD_SPACE / 2 };
    }
    this.stage.set(this.buildScene(), this.layout, anchor);
    this.fitHeight();
  }

  private buildScene(): StageScene {
    const [{ tree, focus }, words] = [this, this.words()];
    const actor = tree.getActor(focus);
    return {
      look: {
        tree,
        solution: {},
        task: {},
        words,
        layout: this.layout as TreeLayout,
        letters: makePlayerLetters(tree.drawing.players),
        showValues: false,
        foundIds: new Set(),
        pickedIds: new Set(this.input.joinStart === undefined ? [] : [this.input.joinStart]),
        canEdit: () => false,
        decorate: (element, i) => this.inlineField.decorate(element, i),
      },
      joins: tree.infosets.map((nodes, n) => ({
        places: nodes,
        kind: nodes.includes(focus) ? "active" : "set",
        seat: tree.getActor(nodes[0] ?? 0),
        way: tree.drawing.lanes?.[n],
      })),
      getStroke: (i) => chooseStroke(i, tree, {}, {}, new Set()),
      focus,
      infosetNodes: new Set(actor >= 0 ? tree.getInfosetNodes(focus) : []),
      startNodes: [],
      isNarrow: this.root.hasAttribute("data-narrow"),
    };
  }

  protected paintFocus(): void {
    const words = this.words();
    for (const part of [this.toolbar, this.nodeFields, this.missingList, this.gameFields, this.exportPanel]) part.paint();
    setText(this.description, describeNode(this.focus, { tree: this.tree, solution: {}, task: {}, words }).join(". "));
    setText(this.instructions, words.say(this.input.joinStart === undefined ? "sketch.how" : "sketch.joining"));
    setAttributes(this.instructions, {
      "data-joining": this.input.joinStart !== undefined,
      hidden: this.input.joinStart === undefined && this.tree.count > 7,
    });
  }

  /** Show that Python refused a request, or is gone. */
  showError(message: string): void {
    this.awaitedMoves = Math.max(this.awaitedMoves - 1, 0);
    this.input.namesNextMove = false;
    this.isRefused = true;
    this.messages.showRefusal(message);
    this.inlineField.handleRefused();
  }

  /** Handle an export from Python. */
  handleExport(message: ExportMessage): void {
    void this.exportPanel.handleExport(message);
  }

  override stop(): void {
    super.stop();
    this.inlineField.stop();
    this.exportPanel.stop();
  }

  protected setFocus(i: number): void {
    this.focus = i;
  }
}
