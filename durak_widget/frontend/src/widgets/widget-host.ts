/** The host of a widget in the notebook, for each place where it is displayed. */

import { clearMarkupCache } from "./dom";
import { type Wording, Words } from "./protocol/words";
import { isInJupyter, onConnected } from "./theme";

/** The part of anywidget's model that is used here. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: unknown): unknown;
  on(event: string, callback: Listener): void;
  off(event: string, callback: Listener): void;
}

type Listener = (...args: never[]) => void;

/** What a widget offers to its host. */
interface Widget {
  /** Put the widget on the page. */
  mount(element: HTMLElement): void;
  /** Handle a lost or restored connection to Python. */
  setConnected(alive: boolean): void;
  /** Release everything. The place on the page is gone. */
  stop(): void;
}

export class WidgetHost {
  private readonly listeners: [event: string, run: Listener][] = [];
  private seenTimer: ReturnType<typeof setTimeout> | undefined;
  private wordsCache: { readonly wording: Wording; readonly words: Words } | undefined;

  constructor(
    private readonly model: Model,
    private readonly onConnectionChange: (alive: boolean) => void,
  ) {}

  /** Return a trait from Python. */
  get<T>(name: string): T {
    return this.model.get(name) as T;
  }

  get words(): Words {
    const wording = this.get<Wording>("words");
    if (this.wordsCache?.wording !== wording) this.wordsCache = { wording, words: new Words(wording) };
    return this.wordsCache.words;
  }

  /** Change a trait that both sides can change. */
  setTrait(name: string, value: unknown): void {
    this.model.set(name, value);
    this.model.save_changes();
  }

  /** Confirm that the change is shown. Some notebooks continue running cells after this. */
  confirmShown(): void {
    if (!this.get("confirm")) return;
    clearTimeout(this.seenTimer);
    this.seenTimer = setTimeout(() => this.setTrait("confirmed_updates", this.get<number>("confirmed_updates") + 1));
  }

  send(message: unknown): void {
    try {
      // Some hosts throw when the kernel is gone, others return a promise that rejects.
      Promise.resolve(this.model.send(message)).catch(() => this.onConnectionChange(false));
      this.onConnectionChange(true);
    } catch {
      this.onConnectionChange(false);
    }
  }

  /** Handle an event until the widget stops. */
  on(event: string, handler: Listener): void {
    this.model.on(event, handler);
    this.listeners.push([event, handler]);
  }

  close(): void {
    clearTimeout(this.seenTimer);
    for (const [event, handler] of this.listeners) this.model.off(event, handler);
  }
}

/** Define a widget for the notebook. `create` is called for each place where it is displayed. */
export function defineWidget(create: (host: WidgetHost) => Widget): { render(context: { model: Model; el: HTMLElement }): () => void } {
  let viewCount = 0;
  return {
    render({ model, el }) {
      viewCount += 1;
      const host = new WidgetHost(model, (alive) => instance.setConnected(alive));
      const instance = create(host);
      hidePictures(el);
      const stopHiding = isInJupyter() ? undefined : hideLatePictures(el);
      el.classList.add("dk-box");
      instance.mount(el);
      return () => {
        stopHiding?.();
        host.close();
        instance.stop();
        viewCount -= 1;
        if (!viewCount) clearMarkupCache();
      };
    },
  };
}

/** Hide the pictures that stand in for widgets in this output, in the nearest ancestor that has any. */
function hidePictures(el: HTMLElement): void {
  for (let ancestor: HTMLElement | null = el; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
    const pictures = ancestor.querySelectorAll<HTMLElement>(".durak-picture");
    for (const picture of pictures) picture.style.display = "none";
    if (pictures.length) return;
  }
}

/** Hide pictures later too. Some hosts attach the widget, or add the picture, after the widget is made. */
function hideLatePictures(el: HTMLElement): () => void {
  const stopWaiting = onConnected(el, () => hidePictures(el));
  const handleAnimation = ({ animationName }: AnimationEvent): void => {
    if (animationName === "durak-picture") hidePictures(el);
  };
  document.addEventListener("animationstart", handleAnimation);
  return () => {
    stopWaiting();
    document.removeEventListener("animationstart", handleAnimation);
  };
}
