/** Effects of the lazy bundle: the celebration at the end of a game, and the sound of a card. */

import { drawSuitSign } from "../../widgets/cards";
import { makeDrawing } from "../../widgets/dom";
import type { Scene } from "../../widgets/protocol/scene";

const EASE = "cubic-bezier(.2,.7,.3,1)";
/** The duration of each animation, in ms. `next` is the delay until the next card turns. */
const DURATION_MS = { turn: 260, next: 40, lies: 900, joy: 700, face: 500 };
/** How many suit signs fly up for the winner. */
const SIGN_COUNT = 16;
/** The initial scale of an epaulette. */
const EPAULETTE_SCALE = 4;

/** Celebrate the end of a game on the table `root`, in the layer `air`. */
export function celebrate(root: HTMLElement, air: HTMLElement, { result: over }: Pick<Scene, "result">): void {
  const frame = air.getBoundingClientRect();
  root.querySelectorAll(".dk-open-hand .dk-card").forEach((card, i) => {
    const frames = [{ transform: "rotateY(90deg)" }, { transform: "none" }];
    card.animate(frames, { duration: DURATION_MS.turn, delay: i * DURATION_MS.next, easing: "ease-out", fill: "backwards" });
  });
  for (const worn of root.querySelectorAll<HTMLElement>(".dk-epaulettes i")) animateEpaulette(worn, air, frame);
  if (over?.won) animateWin(root, air, frame);
  if (over?.beaten) animateFaces(root);
}

/** Let the beaten opponent come from their seat, and the next one step forward. */
function animateFaces(root: HTMLElement): void {
  const seat = root.querySelector(".dk-seat[data-role=fool] .dk-portrait") ?? root;
  const from = seat.getBoundingClientRect();
  root.querySelectorAll(".dk-result-card .dk-opponent-face").forEach((face, i) => {
    const to = face.getBoundingClientRect();
    const start = i ? "translateX(90px) scale(.5)" : `translate(${from.left - to.left}px,${from.top - to.top}px) scale(.6)`;
    const frames = [{ transform: start, opacity: i ? 0 : 1 }, {}];
    face.animate(frames, { duration: DURATION_MS.face, delay: i * DURATION_MS.next, easing: EASE, fill: "backwards" });
  });
}

/** Show an element only during its animation. */
function showBriefly(element: HTMLElement, layer: HTMLElement, frames: Keyframe[], timing: KeyframeAnimationOptions): void {
  layer.append(element);
  element.animate(frames, { ...timing, fill: "both" }).onfinish = () => element.remove();
}

/** Show an epaulette at full size, then move it to the shoulder. */
function animateEpaulette(worn: HTMLElement, air: HTMLElement, frame: DOMRect): void {
  const to = worn.getBoundingClientRect();
  if (!to.width) return;
  const wrapper = makeDrawing("div", "dk-epaulettes", "", {
    style: `position:absolute;z-index:32;pointer-events:none;left:${to.left - frame.left}px;top:${to.top - frame.top}px`,
  });
  wrapper.append(worn.cloneNode(true));
  const [x, y] = [frame.left + frame.width / 2 - to.left - to.width / 2, frame.top + frame.height * 0.4 - to.top - to.height / 2];
  const large = `translate(${x}px,${y}px) scale(${EPAULETTE_SCALE})`;
  const frames = [
    { transform: large, opacity: 0 },
    { transform: large, opacity: 1, offset: 0.2 },
    { transform: large, opacity: 1, offset: 0.55, easing: EASE },
    { transform: "none", opacity: 1 },
  ];
  worn.animate([{ opacity: 0 }, { opacity: 0 }], { duration: DURATION_MS.lies });
  showBriefly(wrapper, air.parentElement ?? air, frames, { duration: DURATION_MS.lies }); // The parent is above the result. Flying cards are below it.
}

/** Animate the result, with suit signs flying up from behind it. */
function animateWin(root: HTMLElement, air: HTMLElement, frame: DOMRect): void {
  const card = root.querySelector(".dk-result-card") as HTMLElement;
  const cardBox = card.getBoundingClientRect();
  card.animate([{ scale: 0.9 }, { scale: 1.04, offset: 0.5 }, { scale: 1 }], { duration: DURATION_MS.joy / 2, easing: "ease-out" });
  for (let i = 0; i < SIGN_COUNT; i++) {
    const turn = (Math.PI * (i + 0.5)) / SIGN_COUNT;
    const [x, y] = [cardBox.left + cardBox.width / 2 - frame.left, cardBox.top + cardBox.height / 2 - frame.top];
    const size = "width:26px;height:26px;border-radius:50%;padding:4px;background:var(--dk-paper)";
    const sign = makeDrawing("div", "", drawSuitSign("cdhs".charAt(i % 4)), {
      style: `position:absolute;left:${x - 13}px;top:${y - 13}px;${size}`,
    });
    const distance = [Math.cos(turn) * (cardBox.width / 2 + 60), -Math.sin(turn) * (cardBox.height / 2 + 70)] as const;
    const target = `translate(${distance[0]}px,${distance[1]}px) rotate(${distance[0]}deg)`;
    const frames = [
      { transform: "scale(.4)" },
      { transform: target, opacity: 1, offset: 0.6, easing: "ease-in" },
      { transform: `${target} translate(0,50px)`, opacity: 0 },
    ];
    showBriefly(sign, air, frames, { duration: DURATION_MS.joy, delay: (i % 4) * DURATION_MS.next, easing: EASE });
  }
}

/** Play the sound of a card. */
export function playCardSound(pitch: number): void {
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
