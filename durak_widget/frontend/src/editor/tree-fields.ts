/** The fields of the tree editor: on the tree, for the focused node, and for players and title. */

import { CHANCE, makePlayerLetters, TERMINAL } from "../board/protocol/tree-drawing";
import { drawPlayerSign } from "../board/view/tree-nodes";
import { button, findFocused, hasChanged, make, setAttributes, setText } from "../widgets/dom";
import { type EditorHost, type FieldName, readField, sendField } from "./protocol";

const LABELS = {
  move: "sketch.field.move",
  probability: "sketch.field.likely",
  payoffs: "sketch.field.pays",
  label: "sketch.field.knows",
} as const;

const FIELDS = ["move", "probability", "payoffs", "label"] as const;

/** The maximum number of players. Each has their own sign. */
const MAX_PLAYERS = 6;

/** Return the label of a field. */
export const getLabelKey = (field: FieldName): (typeof LABELS)[FieldName] => LABELS[field];

/** Return the attributes of an input, such as the keyboard of a phone. */
export const getInputAttributes = (field: FieldName): Readonly<Record<string, string>> => ({
  type: "text",
  inputmode: "text",
  autocomplete: "off",
  autocapitalize: "off",
  spellcheck: "false",
  maxlength: field === "move" || field === "label" ? "80" : "120",
});

/** A field on the tree: payoffs, the name of an action, or its probability. */
export class InlineField {
  private readonly input: HTMLInputElement = make("input", "dk-editor-input", getInputAttributes("payoffs"));
  private id = -1;
  private field: FieldName = "payoffs";
  /** The node to return to when the field closes. */
  private returnId = -1;
  /** What was sent to Python and is not answered yet. */
  private pending: { readonly id: number; readonly field: FieldName; readonly back: number; readonly text: string } | undefined;

  constructor(
    private readonly host: EditorHost,
    private readonly repaint: () => void,
  ) {
    const { input } = this;
    input.addEventListener("keydown", (event) => this.handleKey(event));
    input.addEventListener("blur", () => this.close(true));
    for (const name of ["pointerdown", "click", "dblclick"]) input.addEventListener(name, (event) => event.stopPropagation());
  }

  get isOpen(): boolean {
    return this.id >= 0;
  }

  /** Open a field at a node. */
  openField(id: number, field: FieldName, returnId = id, text = readField(this.host, id, field)): void {
    this.close(true);
    [this.id, this.field, this.returnId] = [id, field, returnId];
    const { input, host } = this;
    setAttributes(input, { ...getInputAttributes(field), "data-field": field, "aria-label": host.words().say(getLabelKey(field)) });
    input.value = text;
    this.repaint();
    input.focus({ preventScroll: true });
    input.select();
  }

  /** Python refused the last text. Open the field again, so that it can be fixed. */
  handleRefused(): void {
    const { pending, host } = this;
    this.pending = undefined;
    if (pending && host.getTree().indexOf(pending.id) >= 0) this.openField(pending.id, pending.field, pending.back, pending.text);
  }

  /** Python accepted the last text. */
  handleAccepted(): void {
    this.pending = undefined;
  }

  /** Add the field to its node or remove it. */
  decorate(element: HTMLElement, i: number): void {
    const isHere = this.isOpen && this.host.getTree().getId(i) === this.id;
    if (isHere && this.input.parentElement !== element) element.append(this.input);
    if (!isHere && this.input.parentElement === element) this.input.remove();
    setAttributes(element, { "data-editing": isHere ? this.field : undefined });
  }

  /** Close the field if its node is gone. */
  check(): void {
    if (this.isOpen && this.host.getTree().indexOf(this.id) < 0) this.close(false);
  }

  /** Close the field, with or without sending its text. */
  close(submits: boolean): void {
    if (!this.isOpen) return;
    const { id, field, returnId, input } = this;
    this.id = -1;
    if (submits && sendField(this.host, id, field, input.value)) this.pending = { id, field, back: returnId, text: input.value };
    input.remove();
    this.repaint();
  }

  private handleKey(event: KeyboardEvent): void {
    event.stopPropagation();
    const { key, shiftKey } = event;
    if (key !== "Enter" && key !== "Escape" && key !== "Tab") return;
    const [nextId, field, back] = [key === "Tab" ? this.findNext(shiftKey ? -1 : 1) : -1, this.field, this.returnId];
    event.preventDefault();
    if (key === "Escape") this.input.value = readField(this.host, this.id, this.field);
    this.close(true);
    this.host.focusNode(nextId < 0 ? back : nextId);
    if (nextId >= 0) this.openField(nextId, field);
  }

  /** Return the next node of the same kind: another end, or another branch of the same node. */
  private findNext(step: 1 | -1): number {
    const tree = this.host.getTree();
    const i = tree.indexOf(this.id);
    const nodes =
      this.field === "payoffs" ? tree.drawing.nodes.id.map((_, n) => n).filter((n) => tree.getPayoffs(n).length) : tree.getSiblings(i);
    const next = nodes[nodes.indexOf(i) + step];
    return next === undefined ? -1 : tree.getId(next);
  }

  stop(): void {
    this.id = -1;
    this.input.remove();
  }
}

interface LabelledInput {
  readonly label: HTMLElement;
  readonly input: HTMLInputElement;
}

/** The fields for the node that has the focus. */
export class NodeFields {
  readonly element = make("div", "dk-editor-node-fields", { role: "group" });
  private readonly playerSelect = make("select", "");
  private readonly playerLabel = make("span", "");
  private readonly inputs: ReadonlyMap<FieldName, LabelledInput>;
  /** The id of the node of the fields. */
  private id = -1;

  constructor(private readonly host: EditorHost) {
    const { playerSelect } = this;
    const playerField = make("label", "dk-editor-field", { "data-field": "who" }, this.playerLabel, playerSelect);
    this.element.append(playerField);
    playerSelect.addEventListener("change", () => {
      const player = Number(playerSelect.value);
      if (player > TERMINAL) host.send({ kind: "set_actor", id: this.id, player: player });
      this.paint();
    });
    this.inputs = new Map(FIELDS.map((field) => [field, this.makeInput(field)] as const));
  }

  private makeInput(field: FieldName): LabelledInput {
    const input = make("input", "", getInputAttributes(field));
    const label = make("label", "dk-editor-field", { "data-field": field }, make("span", ""), input);
    input.addEventListener("change", () => this.submit(field, input));
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") input.value = readField(this.host, this.id, field);
      if (event.key === "Enter" || event.key === "Escape") this.submit(field, input);
      if (event.key === "Enter" || event.key === "Escape") this.host.focusNode(this.id);
    });
    this.element.append(label);
    return { label, input };
  }

  private submit(field: FieldName, input: HTMLInputElement): void {
    sendField(this.host, this.id, field, input.value);
  }

  paint(): void {
    const { host, playerSelect } = this;
    const [tree, words, i] = [host.getTree(), host.words(), host.getFocus()];
    const id = tree.getId(i);
    const isOther = id !== this.id;
    this.id = id;
    setAttributes(this.element, { "aria-label": words.say("sketch.place") });
    const actor = tree.getActor(i);
    setText(this.playerLabel, words.say("sketch.field.who"));
    const nobodyOption = [TERMINAL, words.say("sketch.field.who.nobody")] as const;
    const seats = tree.drawing.players.map((name, seat) => [seat, name] as const);
    const options = [...(actor === TERMINAL ? [nobodyOption] : []), ...seats, [CHANCE, words.say("tree.chance")] as const];
    playerSelect.replaceChildren(...options.map(([value, name]) => make("option", "", { value }, name)));
    playerSelect.value = String(actor);
    const parent = tree.getParent(i);
    const isShown: Readonly<Record<FieldName, boolean>> = {
      move: parent >= 0,
      probability: parent >= 0 && tree.getActor(parent) === CHANCE,
      payoffs: actor === TERMINAL,
      label: actor >= 0,
    };
    for (const [field, { label, input }] of this.inputs) {
      setAttributes(label, { hidden: !isShown[field] });
      setText(label.firstElementChild as Element, words.say(getLabelKey(field)));
      if (!isShown[field]) continue;
      const isShared = field === "probability" && host.sketch().sharing_nodes.includes(id);
      const probability = tree.getMove(i)?.probability ?? "";
      const examplePayoffs = tree.drawing.players.map((_, seat) => [1, 0, 2][seat % 3]).join(", ");
      setAttributes(input, {
        placeholder: isShared ? probability : field === "payoffs" ? examplePayoffs : undefined,
        title: isShared ? words.say("sketch.field.shared", { likely: probability }) : undefined,
      });
      if (isOther || findFocused(this.element) !== input) input.value = readField(host, id, field);
    }
  }
}

/** The fields for players and title, in a fold. */
export class GameFields {
  readonly element = make("details", "dk-editor-game");
  private readonly summary = make("summary", "");
  private readonly content = make("div", "dk-editor-game-fields");

  constructor(private readonly host: EditorHost) {
    this.element.append(this.summary, this.content);
  }

  paint(): void {
    const { host } = this;
    const words = host.words();
    const { players: seats, title } = host.getTree().drawing;
    setText(this.summary, words.say("sketch.game"));
    if (!hasChanged(this.content, words.language, seats, title)) return;
    const focusedKey = findFocused(this.content)?.dataset.key;
    const marks = makePlayerLetters(seats);
    const players = seats.map((name, seat) => {
      const label = words.say("sketch.field.player", { number: seat + 1 });
      const input = this.makeField(`player${seat}`, label, name, (text) => host.send({ kind: "rename_player", player: seat, text }));
      const drop = button("dk-small-button", "−", {
        "aria-label": words.say("sketch.player.drop", { player: name }),
        "data-key": `drop${seat}`,
      });
      drop.addEventListener("click", () => host.send({ kind: "remove_player", player: seat }));
      return make("div", "dk-editor-player", {}, drawPlayerSign(seat, marks[seat]), input, ...(seats.length > 1 ? [drop] : []));
    });
    const add = button("dk-small-button", words.say("sketch.player.add"), { "data-key": "add" });
    add.addEventListener("click", () => host.send({ kind: "add_player" }));
    const titleLabel = words.say("sketch.field.title");
    const name = this.makeField("title", titleLabel, title, (text) => host.send({ kind: "set_title", text }));
    this.content.replaceChildren(
      make("label", "dk-editor-field", {}, make("span", "", { "aria-hidden": "true" }, titleLabel), name),
      ...players,
      ...(seats.length < MAX_PLAYERS ? [add] : []),
    );
    if (focusedKey) this.content.querySelector<HTMLElement>(`[data-key="${focusedKey}"]`)?.focus();
  }

  private makeField(key: string, label: string, value: string, submit: (text: string) => void): HTMLInputElement {
    const input = make("input", "", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 80, "data-key": key });
    setAttributes(input, { "aria-label": label });
    input.value = value;
    input.addEventListener("change", () => {
      if (input.value.trim() !== value || this.host.hasRefused()) submit(input.value.trim());
    });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") input.blur();
    });
    return input;
  }
}
