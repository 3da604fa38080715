/** A tree, or a matrix, at the door to the notebook. */

import { widget } from "./door";

export default widget((door) => {
  const place = document.createElement("section");
  place.className = "dk-board";
  const paint = (): void => {
    place.textContent = JSON.stringify(door.get("drawing"));
  };
  door.on("change:drawing", paint);
  return {
    begin(el) {
      el.append(place);
      paint();
    },
    live() {},
    stop: () => place.remove(),
  };
});
