/** A picture of a question: as wide as the page, and in a dialog in which it can be enlarged and scrolled. */

import { make, setAttributes } from "../../widgets/dom";
import type { Words } from "../words";
import type { Key } from "./texts";

/** Each press makes the picture larger or smaller by this factor. */
const STEP = 1.4;
const LARGEST = 6;
/** A tap makes a picture that is shown whole larger by this factor, and the next one shows it whole again. */
const TAP = 2.2;
/** A picture is tall if its height is at least this many times its width. */
const TALL = 1.1;

/** A point of the screen. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Return an image of SVG text. As an image, it can neither run scripts nor load anything. */
export const makeImage = (svg: string, text: string): HTMLImageElement =>
  make("img", "", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: text, draggable: "false" });

/** Create the picture with its button. */
export function makePicture(svg: string, text: string, words: Words<Key>): HTMLElement {
  const figure = make("figure", "dp-picture");
  const image = makeImage(svg, text);
  const view = make("span", "dp-picture-view", {}, image);
  const label = make("span", "dp-picture-label", {}, words.say("picture.zoom"));
  const button = make("button", "dp-picture-open", { type: "button" }, view, label);
  button.addEventListener("click", () => openPicture(svg, text, words));
  image.addEventListener("load", () => {
    const { naturalWidth, naturalHeight, clientWidth, clientHeight } = image;
    figure.style.setProperty("--dp-picture-width", `${naturalWidth}px`);
    // a tall tree is cut off below, because it could not be read if it were shown whole
    const isHigh = naturalHeight > TALL * naturalWidth;
    setAttributes(figure, { "data-tall": isHigh });
    // a picture that is shown whole and as large as it was drawn needs no hint
    label.hidden = !isHigh && Math.min(clientWidth / naturalWidth, clientHeight / naturalHeight) >= 1;
  });
  figure.append(button);
  return figure;
}

/** Open a picture in a dialog: first all of it, then as large as the student makes it with the buttons, two fingers or a tap. */
function openPicture(svg: string, text: string, words: Words<Key>): void {
  const image = makeImage(svg, text);
  const tool = (sign: string, key: Key): HTMLButtonElement =>
    make("button", "dp-button", { type: "button", "aria-label": words.say(key) }, sign);
  const [smaller, larger, close] = [tool("−", "picture.smaller"), tool("+", "picture.larger"), tool("✕", "close")];
  const scroll = make("div", "dp-zoom-scroll", { tabindex: 0, role: "region", "aria-label": words.say("picture.title") }, image);
  const bar = make("div", "dp-zoom-bar", {}, smaller, larger, close);
  const dialog = make("dialog", "dp-zoom", { "aria-label": words.say("picture.title") }, bar, scroll);
  let scale = 0;
  let fitted = 1;

  /** Return the middle of what is shown, as a point of the screen. */
  const findMiddle = (): Point => {
    const { left, top, width, height } = scroll.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  /** Change the size. The part of the picture at a point of the screen stays there. */
  const setScale = (next: number, at: Point = findMiddle()): void => {
    const before = image.getBoundingClientRect();
    const share = { x: (at.x - before.left) / (before.width || 1), y: (at.y - before.top) / (before.height || 1) };
    scale = Math.min(Math.max(LARGEST, fitted), Math.max(fitted, next));
    image.style.setProperty("width", `${Math.floor(image.naturalWidth * scale)}px`);
    const after = image.getBoundingClientRect();
    scroll.scrollBy(after.left + share.x * after.width - at.x, after.top + share.y * after.height - at.y);
    setAttributes(smaller, { "aria-disabled": scale <= fitted && "true" });
  };
  const fit = (): void => {
    const wasFitted = scale <= fitted;
    fitted = Math.min(scroll.clientWidth / image.naturalWidth, scroll.clientHeight / image.naturalHeight);
    if (wasFitted || scale < fitted) setScale(fitted);
  };
  image.addEventListener("load", fit);
  const resized = new ResizeObserver(() => {
    if (image.naturalWidth) fit();
  });
  resized.observe(dialog);
  smaller.addEventListener("click", () => setScale(scale / STEP));
  larger.addEventListener("click", () => setScale(scale * STEP));
  image.addEventListener("click", ({ clientX: x, clientY: y }) => setScale(scale > fitted * 1.1 ? fitted : fitted * TAP, { x, y }));
  followPinch(scroll, () => scale, setScale);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    resized.disconnect();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Change the size of a picture with two fingers, or with a touchpad. */
function followPinch(area: HTMLElement, getScale: () => number, setScale: (scale: number, at: Point) => void): void {
  let start: { readonly distance: number; readonly scale: number } | undefined;
  const measure = ({ touches }: TouchEvent): { readonly distance: number; readonly middle: Point } | undefined => {
    const [one, other] = touches;
    if (!one || !other) return undefined;
    const middle = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    return { distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1, middle };
  };
  const begin = (event: TouchEvent): void => {
    const pinch = measure(event);
    start = pinch && { distance: pinch.distance, scale: getScale() };
  };
  area.addEventListener("touchstart", begin, { passive: true });
  area.addEventListener("touchend", begin, { passive: true });
  area.addEventListener(
    "touchmove",
    (event) => {
      const pinch = measure(event);
      if (!pinch || !start) return;
      event.preventDefault(); // or else the browser enlarges the whole page
      setScale((start.scale * pinch.distance) / start.distance, pinch.middle);
    },
    { passive: false },
  );
  area.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      setScale(getScale() * Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );
}
