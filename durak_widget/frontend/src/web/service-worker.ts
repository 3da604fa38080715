/** What answers for the network: all files of one version of the page, laid down at the first visit. A newer version waits until the page asks for it, so that no game is cut. */

import { UNPACKED } from "./prefetch";

/** Written in when the site is built. */
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
interface Worker {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", run: (event: Waiting) => void): void;
  addEventListener(kind: "fetch", run: (event: Asked) => void): void;
  addEventListener(kind: "message", run: (event: MessageEvent) => void): void;
}

const worker = self as unknown as Worker;
const { scope } = worker.registration;
const PREFIX = `durak ${scope} `;
const CACHE = PREFIX + VERSION;

worker.addEventListener("install", (event) => event.waitUntil(laid()));
worker.addEventListener("activate", (event) => event.waitUntil(cleared()));
worker.addEventListener("message", ({ data }) => data === "now" && void worker.skipWaiting());
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope)) event.respondWith(answered(request));
});

async function laid(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map((name) => lay(cache, new URL(name, scope).href)));
}

/** What travels packed lies here as it is read, so that no later visit unpacks it. A server may lead on from /index.html to /: what was led on answers no page that is opened, so that it is laid down as if it had been there. */
async function lay(cache: Cache, address: string): Promise<void> {
  const answer = await fetch(new Request(address, { cache: "no-cache" }));
  if (!answer.ok) throw new Error(`${answer.status}: ${address}`);
  await cache.put(address, PACKED.some((name) => address === new URL(name, scope).href) ? unpacked(answer) : own(answer));
}

function own(answer: Response): Response {
  return answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;
}

function unpacked({ body }: Response): Response {
  const stream = body as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(stream.pipeThrough(new DecompressionStream("gzip")), { headers: { [UNPACKED]: "yes" } });
}

/** What older versions laid down is needed no more. */
async function cleared(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answered(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  url.search = url.hash = "";
  const kept = await cache.match(url.href.endsWith("/") ? `${url.href}index.html` : url.href);
  return kept ?? fetch(request);
}
