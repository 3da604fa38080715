/** Sliders and fields for probabilities, and dragging a probability on its branch. Values snap to simple fractions. */

import { findFocused, make, setAttributes, setText } from "../../widgets/dom";
import type { Message, Move } from "../protocol/tree-drawing";
import { drawMove } from "../view/tree-nodes";
import type { PanelHost } from "./panel";

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
  Home: -20,
  End: 20,
};

/** The width of the scale from 0 to 1, in px. */
const SCALE_WIDTH = 132;
/** How far a pointer can move before it drags, in px. */
const DRAG_THRESHOLD = 4;

/** How long to wait for an answer before sending the next value, in ms. Refused values get no answer. */
const TIMEOUT_MS = 300;

const SIMPLE_FRACTIONS = [
  ["0", 0],
  ["1/4", 1 / 4],
  ["1/3", 1 / 3],
  ["1/2", 1 / 2],
  ["2/3", 2 / 3],
  ["3/4", 3 / 4],
  ["1", 1],
] as const;
/** The distance at which a value snaps to a simple fraction. */
const SNAP_DISTANCE = 0.021;

class ProbabilityRow {
  readonly element: HTMLElement;
  readonly slider = make("input", "dk-board-slider", { type: "range", min: 0, max: 100, step: "any" });
  readonly field = make("input", "dk-probability-field", {
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 40,
  });
  private readonly nameElement = make("span", "dk-probability-move", { "aria-hidden": "true" });
  private readonly bestElement = make("span", "dk-probability-best", { hidden: true }, "★");
  private weight = 0;
  private isDragging = false;
  /** The painted text and the last sent text. */
  private text = "";
  private sentText = "";

  constructor(host: PanelHost, setValue: (to: string) => void) {
    this.element = make("div", "dk-probability-row", { role: "group" }, this.nameElement, this.bestElement, this.slider, this.field);
    const { slider, field } = this;
    slider.addEventListener("pointerdown", () => {
      this.isDragging = true;
    });
    for (const name of ["pointerup", "pointercancel", "change"] as const)
      slider.addEventListener(name, () => {
        this.isDragging = false;
      });
    slider.addEventListener("input", () => {
      const to = snapProbability(slider.valueAsNumber / 100);
      this.fillSlider(slider.valueAsNumber / 100);
      setValue(to);
    });
    slider.addEventListener("keydown", (event) => {
      const steps = KEY_STEPS[event.key];
      if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      setValue(stepProbability(this.weight, steps));
      event.preventDefault();
    });
    const submit = (): void => {
      const value = field.value.trim();
      field.value = value;
      if (value === this.sentText) return;
      this.sentText = value;
      setValue(value);
    };
    field.addEventListener("change", submit);
    field.addEventListener("blur", () => {
      field.value = this.sentText = this.text;
    });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") submit();
      if (event.key === "Escape") {
        field.value = this.sentText = this.text;
        host.focusNode(host.getTree().getId(host.getFocus()));
      }
    });
  }

  private fillSlider(weight: number): void {
    this.slider.style.setProperty("--dk-weight", `${weight * 100}%`);
  }

  paint(host: PanelHost, move: Move, text: string, weight: number, best: boolean | undefined, readonly: boolean): void {
    const words = host.words();
    drawMove(this.nameElement, move, words);
    this.weight = weight;
    setAttributes(this.element, { "aria-label": move.text + (best ? `, ${words.say("tree.is_best")}` : "") });
    setAttributes(this.bestElement, { hidden: !best });
    if (!this.isDragging) {
      this.slider.value = String(weight * 100);
      this.fillSlider(weight);
    }
    setAttributes(this.slider, {
      "aria-label": words.say("solution.likely", { move: move.text }),
      "aria-valuetext": text,
      disabled: readonly,
    });
    setAttributes(this.field, { "aria-label": words.say("solution.field", { move: move.text }) });
    this.field.readOnly = readonly;
    const typing = this.field === (this.field.getRootNode() as Document | ShadowRoot).activeElement && this.text === text;
    if (!typing) this.field.value = this.sentText = text; // Text that is being typed is overwritten only by an answer.
    this.text = text;
  }
}

/** The rows of the focused infoset. */
export class ProbabilityRows {
  readonly element = make("div", "dk-probability-panel");
  private readonly title = make("p", "dk-probability-title");
  private readonly list = make("div", "dk-probability-list", { role: "group" });
  private rows: ProbabilityRow[] = [];
  private shownInfoset = "";

  constructor(
    private readonly host: PanelHost,
    private readonly sender: PacedSender,
  ) {
    this.element.append(this.title, this.list);
  }

  /** Paint the rows. `canEdit` returns whose probabilities can be changed. */
  paint(canEdit: (player: number) => boolean): void {
    const { host } = this;
    const tree = host.getTree();
    const { probabilities, weight, best_responses: best } = host.solution();
    const focus = host.getFocus();
    const infoset = tree.getInfoset(focus);
    const seat = tree.getActor(focus);
    const texts = seat >= 0 ? probabilities?.[infoset] : undefined;
    const moves = tree.drawing.infosets[infoset]?.moves ?? [];
    const words = host.words();
    setAttributes(this.list, { hidden: !texts });
    if (!texts || seat < 0) {
      this.shownInfoset = "";
      setText(this.title, words.say("solution.elsewhere"));
      return;
    }
    const knowledge = tree.getKnowledge(focus);
    const player = tree.drawing.players[seat] ?? "";
    setText(this.title, knowledge ? words.say("solution.at.knowing", { player, knows: knowledge }) : words.say("solution.at", { player }));
    setAttributes(this.list, { "aria-label": this.title.textContent ?? "" });
    if (this.shownInfoset !== infoset || this.rows.length !== moves.length) {
      const hadFocus = findFocused(this.list) !== null;
      this.shownInfoset = infoset;
      this.rows = moves.map((_, move) => new ProbabilityRow(host, (to) => this.sender.setProbability(Number(infoset), move, to)));
      this.list.replaceChildren(...this.rows.map(({ element }) => element));
      if (hadFocus) this.focusMove(0);
    }
    for (const [move, row] of this.rows.entries())
      row.paint(
        host,
        moves[move] as Move,
        texts[move] ?? "",
        weight?.[infoset]?.[move] ?? 0,
        best?.[infoset]?.[move],
        !canEdit(seat) || moves.length < 2,
      );
  }

  /** Focus the field or slider of an action. */
  focusMove(move: number, inField = false): boolean {
    const row = this.rows[move];
    if (!row || this.list.hidden) return false;
    const element = inField ? row.field : row.slider;
    element.focus();
    if (inField) row.field.select();
    return true;
  }
}

interface DraggedProbability {
  readonly set: number;
  readonly move: number;
  /** The node that the branch leads to. */
  readonly nodeId: number;
  readonly pointer: number;
  readonly x: number;
  readonly startValue: number;
  /** The initial text. Escape restores it. */
  readonly text: string;
  readonly scale: HTMLElement;
  lastText: string;
  hasMoved: boolean;
}

/** Handle dragging of all editable probabilities. `onEnd` gets the node of the branch, and the action if it was only clicked. */
export function listenForDrag(host: PanelHost, setting: PacedSender, onEnd: (history: number, touched: number | undefined) => void): void {
  const { root, signal } = host;
  let dragged: DraggedProbability | undefined;
  const listen = <K extends keyof HTMLElementEventMap>(name: K, handler: (event: HTMLElementEventMap[K]) => void): void =>
    root.addEventListener(name, handler as EventListener, { signal });

  const endDrag = (): void => {
    dragged?.scale.remove();
    dragged = undefined;
    delete root.dataset.draggingLabel;
  };

  const showValue = (drag: DraggedProbability, to: string): void => {
    drag.lastText = to;
    (drag.scale.firstElementChild as HTMLElement).style.width = `${parseFraction(to) * 100}%`;
    setText(drag.scale.lastElementChild as Element, to);
  };

  listen("pointerdown", (event) => {
    const label = (event.target as Element).closest<HTMLElement>(".dk-probability[data-draggable]");
    if (!label || event.button !== 0 || !event.isPrimary) return;
    endDrag(); // The end of an earlier drag can have happened elsewhere.
    const { set: infoset = "", move = "", weight = "" } = label.dataset;
    const from = Number(weight);
    const frame = root.getBoundingClientRect();
    const scale = make("div", "dk-drag-scale", { "aria-hidden": "true" }, make("i", ""), make("b", ""));
    const left = event.clientX - frame.left - from * SCALE_WIDTH;
    scale.style.left = `${Math.min(Math.max(left, 4), frame.width - SCALE_WIDTH - 4)}px`;
    scale.style.top = `${label.getBoundingClientRect().bottom - frame.top + 6}px`;
    const text = label.textContent ?? "";
    dragged = {
      set: Number(infoset),
      move: Number(move),
      nodeId: Number(label.closest<HTMLElement>(".dk-branch")?.dataset.branch ?? -1),
      pointer: event.pointerId,
      x: event.clientX,
      startValue: from,
      text,
      scale,
      lastText: text,
      hasMoved: false,
    };
    event.preventDefault(); // This prevents text selection and scrolling.
  });

  listen("pointermove", (event) => {
    if (!dragged || event.pointerId !== dragged.pointer) return;
    if (event.pointerType === "mouse" && !(event.buttons & 1)) return endDrag();
    const distance = event.clientX - dragged.x;
    if (!dragged.hasMoved) {
      if (Math.abs(distance) < DRAG_THRESHOLD) return;
      dragged.hasMoved = true;
      root.setPointerCapture(dragged.pointer); // The label is replaced during the drag, so the root captures the pointer.
      setAttributes(root, { "data-dragging-label": true });
      root.append(dragged.scale);
    }
    const to = snapProbability(dragged.startValue + distance / SCALE_WIDTH);
    if (to === dragged.lastText) return;
    showValue(dragged, to);
    setting.setProbability(dragged.set, dragged.move, to);
  });

  const handleUp = (event: PointerEvent): void => {
    if (!dragged || event.pointerId !== dragged.pointer) return;
    const { hasMoved, move, nodeId } = dragged;
    endDrag();
    if (event.type === "pointerup") onEnd(nodeId, hasMoved ? undefined : move);
  };
  listen("pointerup", handleUp);
  listen("pointercancel", handleUp);
  root.ownerDocument.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !dragged?.hasMoved) return;
      setting.setProbability(dragged.set, dragged.move, dragged.text.startsWith("≈") ? snapProbability(dragged.startValue) : dragged.text);
      endDrag();
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
}

/** Sends values of a drag no faster than Python answers. The last value always arrives. */
export class PacedSender {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: Message | undefined;

  constructor(private readonly host: PanelHost) {}

  /** Set the probability of an action. */
  setProbability(set: number, move: number, to: string): void {
    this.ask({ kind: "set_probability", infoset: set, action: move, probability: to });
  }

  /** Send a message, after the previous one is answered. */
  ask(message: Message): void {
    this.pending = message;
    if (this.timer === undefined) this.send();
  }

  /** Return whether a message waits to be sent. */
  get isBusy(): boolean {
    return this.pending !== undefined;
  }

  /** Handle an answer from Python. */
  handleAnswer(): void {
    this.stop();
    if (this.pending) this.send();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private send(): void {
    const { pending } = this;
    this.pending = undefined;
    if (!pending) return this.stop();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.pending) this.send();
    }, TIMEOUT_MS);
    this.host.send(pending);
  }
}

/** Snap a probability and format it for Python, which knows the exact value. */
export function snapProbability(probability: number): string {
  const clamped = Math.min(Math.max(probability, 0), 1);
  const simple = SIMPLE_FRACTIONS.find(([, value]) => Math.abs(value - clamped) < SNAP_DISTANCE);
  return simple ? simple[0] : `${Math.round(clamped * 100)}/100`;
}

/** Parse a fraction. */
export function parseFraction(text: string): number {
  const [numerator = 0, denominator = 1] = text.split("/").map(Number);
  return numerator / denominator;
}

/** Move a probability by steps of five percentage points. A value between two steps moves to the next one. */
export function stepProbability(probability: number, steps: number): string {
  const position = probability * 20;
  const target = steps > 0 ? Math.floor(position + 1e-6) + steps : Math.ceil(position - 1e-6) + steps;
  return formatTwentieths(Math.min(Math.max(target, 0), 20));
}

const formatTwentieths = (twentieths: number): string => {
  const simple = SIMPLE_FRACTIONS.find(([, value]) => Math.abs(value * 20 - twentieths) < 1e-6);
  return simple ? simple[0] : `${twentieths * 5}/100`;
};
