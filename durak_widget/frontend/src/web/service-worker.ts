/** The service worker: caches all files of one version at the first visit. A newer version waits until the page asks for it, so that no game is interrupted. */

import { UNPACKED_HEADER } from "./prefetch";

/** Defined when the site is built. */
declare const VERSION: string;
declare const FILES: readonly string[];
declare const PACKED: readonly string[];

interface Waiting extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Asked extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface ServiceWorkerScope {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", run: (event: Waiting) => void): void;
  addEventListener(kind: "fetch", run: (event: Asked) => void): void;
  addEventListener(kind: "message", run: (event: MessageEvent) => void): void;
}

const worker = self as unknown as ServiceWorkerScope;
const { scope } = worker.registration;
const PREFIX = `durak ${scope} `;
const CACHE = PREFIX + VERSION;

worker.addEventListener("install", (event) => event.waitUntil(fillCache()));
worker.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
worker.addEventListener("message", ({ data }) => data === "now" && void worker.skipWaiting());
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope)) event.respondWith(answerRequest(request));
});

async function fillCache(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map((name) => cacheFile(cache, new URL(name, scope).href)));
}

/** Cache a file decompressed, so that later visits are faster. A redirected response can't answer a page load, so it is copied. */
async function cacheFile(cache: Cache, address: string): Promise<void> {
  const answer = await fetch(new Request(address, { cache: "no-cache" }));
  if (!answer.ok) throw new Error(`${answer.status}: ${address}`);
  await cache.put(address, PACKED.some((name) => address === new URL(name, scope).href) ? decompress(answer) : withoutRedirect(answer));
}

function withoutRedirect(answer: Response): Response {
  return answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;
}

function decompress({ body }: Response): Response {
  const stream = body as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(stream.pipeThrough(new DecompressionStream("gzip")), { headers: { [UNPACKED_HEADER]: "yes" } });
}

/** Delete the caches of older versions. */
async function deleteOldCaches(): Promise<void> {
  const oldCaches = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(oldCaches.map((name) => caches.delete(name)));
}

async function answerRequest(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  url.search = url.hash = "";
  const cached = await cache.match(url.href.endsWith("/") ? `${url.href}index.html` : url.href);
  return cached ?? fetch(request);
}
