/** A challenge is done: its star flies to where it belongs. */

import { make } from "../widgets/dom";

const LASTS = 800;
const LARGE = 7;

/** From the middle of where it was won to its place; nothing where less motion is wanted. */
export function flyStar(won: Element, place: HTMLElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [from, to] = [won.getBoundingClientRect(), place.getBoundingClientRect()];
  const [x, y] = [from.left + from.width / 2 - to.left, from.top + from.height / 2 - to.top];
  const style = `position:fixed;z-index:10001;left:${to.left}px;top:${to.top}px;font-size:15px;line-height:1;color:#e0a800;pointer-events:none`;
  const star = make("span", "", { style, "aria-hidden": "true" }, "★");
  (document.fullscreenElement ?? document.body).append(star); // what is clipped around an exercise does not clip it
  const large = `translate(${x}px,${y}px) scale(${LARGE})`;
  const frames = [
    { transform: `translate(${x}px,${y}px) scale(0)` },
    { transform: `${large} rotate(72deg)`, offset: 0.35 },
    { transform: `${large} rotate(72deg)`, offset: 0.5, easing: "cubic-bezier(.5,0,.3,1)" },
    { transform: "none" },
  ];
  star.animate(frames, { duration: LASTS }).onfinish = () => {
    star.remove();
    place.animate([{ scale: 1.6 }, { scale: 1 }], { duration: LASTS / 3, easing: "ease-out" });
  };
}
