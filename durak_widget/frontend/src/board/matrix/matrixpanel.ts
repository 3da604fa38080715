/** The strategic form beside a tree. */

import { make, set } from "../../widgets/dom";
import type { Host, Panel, Slot } from "../panels/panel";
import type { Told } from "../protocol/matrix";
import { MatrixView } from "./matrix-view";

function panel(host: Host): Panel {
  const told = (): Told | undefined => {
    const found = host.get<Told | undefined>("matrix");
    return found?.names ? found : undefined; // nothing stands in it while it is not shown
  };
  let there = false;
  let asked = false; // from here, and not answered yet
  const view = new MatrixView({
    signal: host.signal,
    tree: true,
    told,
    task: () => ({}),
    words: () => host.words(),
    send(message) {
      asked = true;
      host.send(message);
    },
    announce: (said) => host.announce(said),
  });
  const element = make("div", "dk-matrix-panel", { role: "group" }, view.element);
  return {
    element,
    paint() {
      const now = told() !== undefined;
      asked = false;
      set(element, { hidden: !now, "aria-label": host.words().say("matrix") });
      view.paint();
      if (now !== there) host.resized();
      there = now;
    },
    tell(said) {
      if (asked) view.tell(said);
      const mine = asked;
      asked = false;
      return mine;
    },
    stop: () => element.remove(),
  };
}

export const MATRIX: Slot = { name: "matrix", side: "beside", traits: ["matrix"], make: panel };
