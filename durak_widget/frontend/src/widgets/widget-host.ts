/** The door to the notebook: what every widget does there, once for each place where it is displayed. */

import { forget } from "./dom";
import { type Wording, Words } from "./protocol/words";
import { inJupyter, laid } from "./theme";

/** As much of anywidget's model as is used here. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: unknown): unknown;
  on(event: string, callback: Listener): void;
  off(event: string, callback: Listener): void;
}

type Listener = (...given: never[]) => void;

/** What a widget is for its door. */
interface Widget {
  /** Put it on the page. */
  begin(place: HTMLElement): void;
  /** Whether Python is still there to answer. */
  live(alive: boolean): void;
  /** Its place on the page is gone: let go of everything. */
  stop(): void;
}

export class Door {
  private readonly heard: [event: string, run: Listener][] = [];
  private saying: ReturnType<typeof setTimeout> | undefined;
  private said: { readonly wording: Wording; readonly words: Words } | undefined;

  constructor(
    private readonly model: Model,
    private readonly live: (alive: boolean) => void,
  ) {}

  /** What Python tells under this name. */
  get<T>(name: string): T {
    return this.model.get(name) as T;
  }

  get words(): Words {
    const wording = this.get<Wording>("words");
    if (this.said?.wording !== wording) this.said = { wording, words: new Words(wording) };
    return this.said.words;
  }

  /** Change what both sides may change. */
  change(name: string, value: unknown): void {
    this.model.set(name, value);
    this.model.save_changes();
  }

  /** Say that what Python has told is shown now, where a notebook runs its cells again at that. */
  shown(): void {
    if (!this.get("confirm")) return;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.change("seen", this.get<number>("seen") + 1));
  }

  send(message: unknown): void {
    try {
      // Some hosts throw when the kernel is gone, others give a promise that fails.
      Promise.resolve(this.model.send(message)).catch(() => this.live(false));
      this.live(true);
    } catch {
      this.live(false);
    }
  }

  /** Run this at an event, until the widget stops. */
  on(event: string, run: Listener): void {
    this.model.on(event, run);
    this.heard.push([event, run]);
  }

  close(): void {
    clearTimeout(this.saying);
    for (const [event, run] of this.heard) this.model.off(event, run);
  }
}

/** A widget as the notebook loads it: `make` is called for each place where it is displayed. */
export function widget(make: (door: Door) => Widget): { render(given: { model: Model; el: HTMLElement }): () => void } {
  let places = 0;
  return {
    render({ model, el }) {
      places += 1;
      const door = new Door(model, (alive) => made.live(alive));
      const made = make(door);
      hidePictures(el);
      const late = inJupyter() ? undefined : hideLate(el);
      el.classList.add("dk-box");
      made.begin(el);
      return () => {
        late?.();
        door.close();
        made.stop();
        places -= 1;
        if (!places) forget();
      };
    },
  };
}

/** Hide the pictures that stand in for widgets in this output, now that one is live: those of the nearest place that holds any. */
function hidePictures(el: HTMLElement): void {
  for (let place: HTMLElement | null = el; place && place !== document.body; place = place.parentElement) {
    const pictures = place.querySelectorAll<HTMLElement>(".durak-picture");
    for (const picture of pictures) picture.style.display = "none";
    if (pictures.length) return;
  }
}

/** Some hosts put the widget on the page after it was made, or the picture after the widget: look again when it lies there, and when a picture would come to be seen. */
function hideLate(el: HTMLElement): () => void {
  const settled = laid(el, () => hidePictures(el));
  const comes = ({ animationName }: AnimationEvent): void => {
    if (animationName === "durak-picture") hidePictures(el);
  };
  document.addEventListener("animationstart", comes);
  return () => {
    settled();
    document.removeEventListener("animationstart", comes);
  };
}
