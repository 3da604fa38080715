/** Shows a drawing as an image. Its styles stay in it, and it cannot run scripts. */

import { make } from "../../widgets/dom";
import { measurePicture } from "./protocol";

/** Return the address of a drawing for an image. As an image, a drawing needs its namespace. */
export const toImageSource = (svg: string): string =>
  `data:image/svg+xml,${encodeURIComponent(svg.includes("xmlns=") ? svg : svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'))}`;

/** A card table can be small: its cards are readable when its texts are not. */
const CARD_TEXT = 30;

/** Draw a picture that fits its place as long as its text is readable, and scrolls otherwise. */
export function drawPicture(svg: string, text: string): HTMLElement {
  const size = measurePicture(svg);
  const textSize = svg.includes("dk-felt") ? CARD_TEXT : size.text;
  const image = make("img", "", { src: toImageSource(svg), alt: text });
  const box = make("div", "dk-live-picture", { tabindex: 0, role: "group", "aria-label": text }, image);
  box.style.setProperty("--width", String(size.width));
  box.style.setProperty("--aspect", String(size.width / size.height));
  box.style.setProperty("--text", String(textSize));
  return box;
}
