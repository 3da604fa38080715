/** Code that is loaded when it is first needed. */

import type { BundleCode } from "../../widgets/protocol/scene";

/** A request that has no answer after this time is lost, for example because the kernel was restarted. */
const ANSWER_TIMEOUT_MS = 5000;

export class LazyBundle<Bundle> {
  private bundle: Bundle | undefined;
  /** Callbacks that wait for the bundle. */
  private readonly pending: ((bundle: Bundle) => void)[] = [];
  private requestTime = Number.NEGATIVE_INFINITY;
  private failures = 0;

  constructor(
    readonly request: () => void,
    /** Called with the new bundle, before the callbacks that wait for it. */
    private readonly onLoad: (bundle: Bundle) => void = () => {},
  ) {}

  /** Run `callback` with the bundle, at once or after loading it. */
  use(callback: (bundle: Bundle) => void): void {
    if (this.bundle) return callback(this.bundle);
    this.pending.push(callback);
    if (performance.now() - this.requestTime < ANSWER_TIMEOUT_MS) return;
    this.requestTime = performance.now();
    this.request();
  }

  /** Load the code of a message. Return whether it is new. */
  async load(message: BundleCode): Promise<boolean> {
    if (this.bundle) return false;
    const address = "url" in message ? message.url : URL.createObjectURL(new Blob([message.code], { type: "text/javascript" }));
    // A browser never loads a module again that it could not load, so each new attempt has another address.
    const url = "url" in message && this.failures ? `${address}?attempt=${this.failures}` : address;
    const bundle = (await import(url).catch(() => undefined)) as Bundle | undefined;
    if (!bundle) {
      this.failures++;
      this.requestTime = Number.NEGATIVE_INFINITY; // The next use asks again.
      return false;
    }
    if ("code" in message) URL.revokeObjectURL(url);
    if (this.bundle) return false; // The message came twice.
    this.bundle = bundle;
    this.onLoad(bundle);
    for (const callback of this.pending.splice(0)) callback(bundle);
    return true;
  }
}
