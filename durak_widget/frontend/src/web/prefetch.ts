/** Prefetch files in parallel, before they are requested. */

/** How long to measure the network, in ms. */
const MEASURE_MS = 600;
/** How much longer the snapshot may take, in ms. It saves Python's start, which takes a few seconds, and shares the network. */
const MAX_EXTRA_MS = 8000;

/** A header: this response is already decompressed. */
export const UNPACKED_HEADER = "Durak-Unpacked";

/** The scope whose `fetch` is replaced. */
interface FetchScope {
  fetch: typeof fetch;
}

/** The network is so slow that the smaller download is faster. */
export class SlowError extends Error {}

export class Prefetcher {
  private readonly responses = new Map<string, Promise<Response>>();
  private readonly originalFetch: typeof fetch;

  constructor(scope: FetchScope) {
    this.originalFetch = scope.fetch.bind(scope);
    scope.fetch = (request, options) =>
      this.responses.get(String(request))?.then((response) => response.clone()) ?? this.originalFetch(request, options);
  }

  /** Fetch a file now. Later requests get the same response. */
  fetch(url: string): Promise<Response> {
    const known = this.responses.get(url) ?? this.originalFetch(url);
    known.catch(() => {}); // Whoever requests it handles the error.
    this.responses.set(url, known);
    return known;
  }

  /** Fetch a file, even if a response is set for it. */
  refetch(url: string): Promise<Response> {
    return this.originalFetch(url);
  }

  /** Answer later requests with this response. */
  setResponse(url: string, answer: Response): void {
    this.responses.set(url, Promise.resolve(answer));
  }

  /** Let later requests fetch the file. */
  forget(url: string): void {
    this.responses.delete(url);
  }

  /** Fetch a gzipped file and decompress it, unless the cache has done so. With `mayGiveUp`, throw a SlowError as soon as it would take too long. */
  async fetchUnpacked(url: string, mayGiveUp: boolean): Promise<ArrayBuffer> {
    const controller = new AbortController();
    const answer = checkResponse(await this.originalFetch(url, { signal: controller.signal }));
    if (answer.headers.has(UNPACKED_HEADER)) return answer.arrayBuffer();
    const totalBytes = Number(answer.headers.get("Content-Length"));
    const startTime = performance.now();
    let bytes = 0;
    let isSlow = false;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, output) {
        bytes += chunk.length;
        const elapsed = performance.now() - startTime;
        isSlow ||= mayGiveUp && totalBytes > 0 && elapsed > MEASURE_MS && (elapsed * (totalBytes - bytes)) / bytes > MAX_EXTRA_MS;
        if (!isSlow) return output.enqueue(chunk);
        controller.abort();
        output.error(new SlowError());
      },
    });
    const body = answer.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    try {
      return await new Response(body.pipeThrough(counter).pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    } catch (error) {
      throw isSlow ? new SlowError() : error;
    }
  }
}

/** Return the content of a response, or throw if it failed. */
export async function readResponse(answer: Promise<Response>): Promise<ArrayBuffer> {
  return checkResponse((await answer).clone()).arrayBuffer();
}

function checkResponse(answer: Response): Response {
  if (!answer.ok || !answer.body) throw new Error(`${answer.url}: ${answer.status}`);
  return answer;
}
