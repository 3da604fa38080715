/** Effects of the late bundle: the celebration at the end of a game, annotations, the sound of a card. */

import { suitSign } from "../../widgets/cards";
import { drawn } from "../../widgets/dom";
import type { Scene } from "../../widgets/protocol/scene";

const EASE = "cubic-bezier(.2,.7,.3,1)";
/** How long each takes, in ms, and after how many the next card turns. */
const LASTS = { turn: 260, next: 40, lies: 900, joy: 700 };
/** So many signs of suits fly up for who has won. */
const SIGNS = 16;
/** How much larger than on the shoulder an epaulette is at first. */
const LARGE = 4;

/** The look of the sheet, which is empty till something is drawn. */
const LOOK =
  "<style>.dk-marks{position:absolute;inset:0;width:100%;height:100%;fill:none;stroke:#ff8f1f;stroke-width:6;stroke-linecap:round;stroke-linejoin:round;opacity:.85}</style>";

/** Show it: on the root of a table that shows its end, in the layer above its felt. */
export function feast(root: HTMLElement, air: HTMLElement, { over }: Pick<Scene, "over">): void {
  const frame = air.getBoundingClientRect();
  root.querySelectorAll(".dk-open .dk-card").forEach((card, i) => {
    const frames = [{ transform: "rotateY(90deg)" }, { transform: "none" }];
    card.animate(frames, { duration: LASTS.turn, delay: i * LASTS.next, easing: "ease-out", fill: "backwards" });
  });
  for (const worn of root.querySelectorAll<HTMLElement>(".dk-wears i")) laid(worn, air, frame);
  if (over?.won) joy(root, air, frame);
}

/** Whatever is there for a moment only. */
function passing(element: HTMLElement, layer: HTMLElement, frames: Keyframe[], timing: KeyframeAnimationOptions): void {
  layer.append(element);
  element.animate(frames, { ...timing, fill: "both" }).onfinish = () => element.remove();
}

/** An epaulette is shown in full size, and laid on the shoulder. */
function laid(worn: HTMLElement, air: HTMLElement, frame: DOMRect): void {
  const to = worn.getBoundingClientRect();
  if (!to.width) return;
  const shown = drawn("div", "dk-wears", "", {
    style: `position:absolute;z-index:32;pointer-events:none;left:${to.left - frame.left}px;top:${to.top - frame.top}px`,
  });
  shown.append(worn.cloneNode(true));
  const [x, y] = [frame.left + frame.width / 2 - to.left - to.width / 2, frame.top + frame.height * 0.4 - to.top - to.height / 2];
  const large = `translate(${x}px,${y}px) scale(${LARGE})`;
  const frames = [
    { transform: large, opacity: 0 },
    { transform: large, opacity: 1, offset: 0.2 },
    { transform: large, opacity: 1, offset: 0.55, easing: EASE },
    { transform: "none", opacity: 1 },
  ];
  worn.animate([{ opacity: 0 }, { opacity: 0 }], { duration: LASTS.lies });
  passing(shown, air.parentElement ?? air, frames, { duration: LASTS.lies }); // also over the verdict, below which cards fly
}

/** Signs of suits fly up from behind the verdict, which swells. */
function joy(root: HTMLElement, air: HTMLElement, frame: DOMRect): void {
  const card = root.querySelector(".dk-over-card") as HTMLElement;
  const at = card.getBoundingClientRect();
  card.animate([{ scale: 0.9 }, { scale: 1.04, offset: 0.5 }, { scale: 1 }], { duration: LASTS.joy / 2, easing: "ease-out" });
  for (let i = 0; i < SIGNS; i++) {
    const turn = (Math.PI * (i + 0.5)) / SIGNS;
    const [x, y] = [at.left + at.width / 2 - frame.left, at.top + at.height / 2 - frame.top];
    const size = "width:26px;height:26px;border-radius:50%;padding:4px;background:var(--dk-paper)";
    const sign = drawn("div", "", suitSign("cdhs".charAt(i % 4)), { style: `position:absolute;left:${x - 13}px;top:${y - 13}px;${size}` });
    const far = [Math.cos(turn) * (at.width / 2 + 60), -Math.sin(turn) * (at.height / 2 + 70)] as const;
    const there = `translate(${far[0]}px,${far[1]}px) rotate(${far[0]}deg)`;
    const frames = [
      { transform: "scale(.4)" },
      { transform: there, opacity: 1, offset: 0.6, easing: "ease-in" },
      { transform: `${there} translate(0,50px)`, opacity: 0 },
    ];
    passing(sign, air, frames, { duration: LASTS.joy, delay: (i % 4) * LASTS.next, easing: EASE });
  }
}

/** Rings and arrows where things now are, in the coordinates of the layer that they lie on. */
export function marksIn(layer: Element, marks: readonly (readonly [from: Element, to: Element])[]): string {
  const frame = layer.getBoundingClientRect();
  const drawn = marks
    .filter((both) => both.every((one) => one.isConnected))
    .map(([from, to]) => {
      const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
      const [x, y] = [a.left - frame.left, a.top - frame.top];
      if (from === to) return `<rect x="${x - 3}" y="${y - 3}" width="${a.width + 6}" height="${a.height + 6}" rx="10"/>`;
      const [p, q] = [x + a.width / 2, y + a.height / 2];
      const [r, s] = [b.left - frame.left + b.width / 2, b.top - frame.top + b.height / 2];
      const far = Math.hypot(r - p, s - q) || 1;
      const [u, v] = [((r - p) / far) * 12, ((s - q) / far) * 12];
      return `<path d="M${p} ${q}L${r - u} ${s - v}M${r - 2 * u - v} ${s - 2 * v + u}L${r} ${s}L${r - 2 * u + v} ${s - 2 * v - u}"/>`;
    });
  return LOOK + drawn.join("");
}

/** Play the sound of a card. */
export function tap(pitch: number): void {
  const context = new AudioContext();
  const { currentTime: now } = context;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + 0.08);
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
  tone.onended = () => void context.close();
}
